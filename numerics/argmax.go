package numerics

// Argmax is the index of the largest value. The lowest index wins a tie, so
// equal logits always pick the same token; +0 and -0 tie. NaN never wins. It is
// -1 when there is no value other than NaN.
func Argmax(v []float32) int {
	best := -1
	for i, x := range v {
		if x == x && (best < 0 || x > v[best]) {
			best = i
		}
	}
	return best
}
