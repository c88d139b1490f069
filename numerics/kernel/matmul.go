package kernel

// Tile is the shape of output that one thread block of a matrix product makes.
type Tile struct{ M, N int }

// DecodeTile is a tile for few rows and many columns: 16 rows is the least that
// a tensor core instruction takes.
func DecodeTile() Tile { return Tile{M: 16, N: 128} }

const (
	splitKMost  = 16  // parts
	splitKDepth = 256 // least length of one part along K
)

// SplitK is the number of parts into which a library might cut the inner
// dimension k of a product with m rows (the tokens in the step) and n columns:
// it doubles the parts while the thread blocks leave multiprocessors idle, that
// is while ceil(m/tile.M) * ceil(n/tile.N) * parts < sms, up to 16 parts of at
// least 256 values each. All arguments are at least 1.
//
// This is a model. That small products are cut along k because their tiles do
// not fill the GPU is public (NVIDIA/cutlass, media/docs/cpp/efficient_gemm.md,
// "Parallelized Reductions"), and so is that split-K is what makes cuBLAS
// depend on the batch on recent GPUs (vllm-project/vllm,
// model_executor/layers/batch_invariant.py). The rule by which cuBLAS picks the
// count and the tile is closed, so counts from here are plausible, not real.
func SplitK(m, n, k int, tile Tile, sms int) int {
	tiles := ceilDiv(m, tile.M) * ceilDiv(n, tile.N)
	parts := 1
	for tiles*parts < sms && 2*parts <= splitKMost && k >= 2*parts*splitKDepth {
		parts *= 2
	}
	return parts
}
