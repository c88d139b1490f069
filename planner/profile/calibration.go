package profile

// A Calibration is what a step of one model on one kind of GPU was measured to
// take. What was timed are the kernels, one by one; a step is their sum. A
// real engine adds to it: see Overhead.

// Fit is a plane through measured times, in seconds. Of a prefill of n tokens
// after p cached ones: A + B*n + C*(n^2 + 2*n*p). Of a decode step of b
// sequences with k tokens of KV in all: A + B*b + C*k.
type Fit struct {
	A, B, C  float64 // s; s/token or s/sequence; s/token^2 or s/token of KV
	R2       float64 // of the times
	MAPEFrac float64 // mean absolute relative error, of the points of the fit
	Points   int
}

// Origin says how far step times can be trusted.
type Origin uint8

// Origins, the best first.
const (
	Measured     Origin = iota // this model, this part, this type, this TP
	Interpolated               // between two measured sizes of dense models
	Roofline                   // nothing was measured: peaks and assumed efficiencies
)

// String names the origin as a reader sees it.
func (o Origin) String() string {
	switch o {
	case Measured:
		return "measured"
	case Interpolated:
		return "interpolated"
	case Roofline:
		return "roofline"
	}
	return "unknown"
}

// Caveats are a set of Caveat.
type Caveats uint8

// What limits the use of a row.
const (
	KernelsOnly   Caveats = 1 << iota // no launches, no scheduler
	SlowNode                          // the node had far slower links than others of its kind
	NoAllReduce                       // one shard of several, what they tell each other left out
	NoKVTerm                          // the points do not say what KV costs
	LooseDecode                       // fit of decode: R2 below 0.9 or mean error above 7%
	LoosePrefill                      // fit of prefill: mean error above 7%
	SlowAllReduce                     // timed with an all-reduce that is not the fastest there
	AbovePeak                         // prefills are faster than the peak of the table allows
)

// caveatWords say each bit, in its order.
var caveatWords = [...]string{
	"kernels only: no time to launch them or to schedule",
	"measured on a node whose GPUs exchange 2 to 5 GB/s: other nodes of this kind are faster",
	"one shard of a tensor-parallel model, without all-reduce",
	"the measured points do not separate the cost of KV",
	"the plane misses measured decode steps by more than usual (R2 below 0.9 or mean error above 7%)",
	"the plane misses measured prefills by more than usual (mean error above 7%)",
	"with vLLM's own all-reduce, which NCCL beats 2.4 times on this card for large messages",
	"prefills come out up to 7% faster than the peak in the table allows: the card clocked higher, or the plane is off",
}

// Words lists what the caveats say.
func (c Caveats) Words() []string {
	var words []string
	for i, w := range caveatWords {
		if c&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return words
}

// Calibration is the step times of one model on TP GPUs of one kind.
type Calibration struct {
	GPUID, ModelID string
	Weights        DType // KV is bf16 throughout
	TP             int
	Dataset        string // id in package dataset
	Engine         string // whose kernels

	// KVCapacityTokens is computed, not measured: 0.9 of the memory without the
	// weights, over the KV of a token in bf16; 0: not stated. (The source counts
	// 270 GB for a B300.)
	KVCapacityTokens int

	Prefill, Decode Fit
	Caveats         Caveats

	Origin        Origin
	Lower, Higher string // models between which it was interpolated
	Why           string // for Roofline: why nothing measured applies
}

// Loads that the points cover: prompts of 256 to 16,384 tokens; batches of 1 to
// 256 sequences of 128 to 32,768 tokens, as far as they fit. LLMServingSim:
// chunks of at most 2,048 tokens. Beyond, a plane is a guess.
const (
	FittedPrefillMinTokens, FittedPrefillMaxTokens = 256, 16384
	FittedMaxBatch                                 = 256
	FittedMinContextTokens, FittedMaxContextTokens = 128, 32768
)

// PrefillSeconds of one prompt alone. The points have nothing cached; what
// attention to cached tokens costs follows from the quadratic term.
func (c *Calibration) PrefillSeconds(newTokens, cachedTokens float64) float64 {
	n := newTokens
	pairs := float64(n*n) + float64(2*n*cachedTokens)
	return c.Prefill.A + float64(c.Prefill.B*n) + float64(c.Prefill.C*pairs)
}

// DecodeSeconds of a step of batch sequences with kvTokens in all.
func (c *Calibration) DecodeSeconds(batch, kvTokens float64) float64 {
	return c.Decode.A + float64(c.Decode.B*batch) + float64(c.Decode.C*kvTokens)
}

// Usable says whether the coefficients stand for more than the node or the few
// points that they came from.
func (c *Calibration) Usable() bool { return c.Origin != Roofline && c.Caveats&unusable == 0 }

const unusable = SlowNode | NoAllReduce | NoKVTerm

// refused is the words of the first caveat for which a row is not usable.
func (c *Calibration) refused() string {
	for i, w := range caveatWords {
		if c.Caveats&unusable&(1<<i) != 0 {
			return w
		}
	}
	return ""
}

// Calibrations lists all rows, a copy; those composed from single operators
// first, which are preferred where two sources measured the same.
func Calibrations() []Calibration {
	out := append(append([]Calibration{}, composed...), layered...)
	for i := range composed {
		out[i].lay(&composedPlanes[i])
		out[i].rate(&composedQuality[i])
	}
	return out
}

// planes are the coefficients of a prefill and of a decode step as they were printed.
type planes [6]decimal

// decimal is m / 10^e: six digits take half the room of a float64 in a module that
// somebody downloads, and are the same number.
type decimal struct {
	m uint32
	e uint8
}

func (d decimal) value() float64 {
	ten := 1.0
	for range d.e {
		ten *= 10 // exact up to 10^22
	}
	return float64(d.m) / ten
}

func (c *Calibration) lay(p *planes) {
	c.Prefill.A, c.Prefill.B, c.Prefill.C = p[0].value(), p[1].value(), p[2].value()
	c.Decode.A, c.Decode.B, c.Decode.C = p[3].value(), p[4].value(), p[5].value()
}

// quality is what a row does not need to give step times: they are apart, so that
// a module that only simulates them does without.
type quality struct {
	KVCapacityTokens int
	Prefill, Decode  Fit // R2, MAPEFrac and Points
}

func (c *Calibration) rate(q *quality) {
	c.KVCapacityTokens = q.KVCapacityTokens
	c.Prefill.rate(&q.Prefill)
	c.Decode.rate(&q.Decode)
}

func (f *Fit) rate(q *Fit) { f.R2, f.MAPEFrac, f.Points = q.R2, q.MAPEFrac, q.Points }

// Calibrated is the preferred row for exactly this; look at Caveats and Usable.
func Calibrated(gpuID, modelID string, w DType, tp int) (Calibration, bool) {
	c, ok := calibrated(gpuID, modelID, w, tp)
	if i := rowOf(composed, gpuID, modelID, w, tp); i >= 0 {
		c.rate(&composedQuality[i])
	}
	return c, ok
}

// calibrated is the preferred row without its quality.
func calibrated(gpuID, modelID string, w DType, tp int) (c Calibration, ok bool) {
	if i := rowOf(composed, gpuID, modelID, w, tp); i >= 0 {
		c = composed[i]
		c.lay(&composedPlanes[i])
		return c, true
	}
	if i := rowOf(layered, gpuID, modelID, w, tp); i >= 0 {
		return layered[i], true
	}
	return c, false
}

func rowOf(rows []Calibration, gpuID, modelID string, w DType, tp int) int {
	for i := range rows {
		if c := &rows[i]; c.TP == tp && c.Weights == w && c.ModelID == modelID && c.GPUID == gpuID {
			return i
		}
	}
	return -1
}

// EngineOverhead is how much longer a step of an engine of mid-2024 took than
// its kernels, in bf16: one number to add to every step. Newer engines lose less.
type EngineOverhead struct {
	GPUID, ModelID, Engine string
	TP, Points             int
	StepSeconds            float64 // to add: median over batches and lengths
	StepSecondsBatch1      float64 // the same over batches of one
	MeasuredOverKernels    float64 // median ratio
	MAPEKernelsFrac        float64 // error of the kernels alone
	MAPEAfterFrac          float64 // and with StepSeconds added
}

// Overheads lists what is known, a copy.
func Overheads() []EngineOverhead { return append([]EngineOverhead{}, overheads...) }

// Overhead finds that of an engine, "vLLM" or "TensorRT-LLM".
func Overhead(gpuID, modelID, engine string, tp int) (EngineOverhead, bool) {
	for _, o := range overheads {
		if o.TP == tp && o.GPUID == gpuID && o.ModelID == modelID && o.Engine == engine {
			return o, true
		}
	}
	return EngineOverhead{}, false
}
