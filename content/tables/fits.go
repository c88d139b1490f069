package tables

// KernelFit is this project's fit of whole steps, composed of published kernel
// timings. A prefill of n tokens takes Prefill[0] + Prefill[1]*n +
// Prefill[2]*n*n ms; a decode step of b requests that read k cached tokens
// takes Decode[0] + Decode[1]*b + Decode[2]*k ms. Errors are mean absolute
// percentage errors on the timings that were fitted.
type KernelFit struct {
	Dataset      string // repository
	Commit       string
	GPU, Model   string
	Prefill      [3]float64
	PrefillError float64
	Decode       [3]float64
	DecodeError  float64
}

// OverheadFit is what published batches of an engine took beyond their kernels.
type OverheadFit struct {
	Dataset, Commit string
	Batches         int
	MedianMs        float64 // of a step
	ErrorAfter      float64 // mean absolute percentage error with the median added
}

// ServerFit is what the simulated server of the guide rests on: an H100 with a
// model of 8 billion parameters in bf16. The test beside it compares both with
// the files that they are from.
func ServerFit() (KernelFit, OverheadFit) {
	return KernelFit{
			Dataset: "ai-dynamo/aiconfigurator", Commit: "095f58a", GPU: "H100-80GB-SXM", Model: "llama-3.1-8b",
			Prefill: [3]float64{3.00433, 0.0160218, 6.06369e-07}, PrefillError: 4.01906,
			Decode: [3]float64{6.08716, 0.00819643, 4.42558e-05}, DecodeError: 2.80108,
		}, OverheadFit{
			Dataset: "argonne-lcf/LLM-Inference-Bench", Commit: "4211f5d", Batches: 20, MedianMs: 3.1853, ErrorAfter: 10.511,
		}
}
