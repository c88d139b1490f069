package numerics_test

import (
	"math/big"

	"openloop/numerics"
)

// naive adds as the golden file's text describes each method, word for word and
// without any of the short cuts of Sum. The laws compare the two on rows that
// no golden vector holds.
func naive(o numerics.Order, v []float32) (float32, bool) {
	switch o {
	case numerics.Sequential:
		return naiveSeq(v), true
	case numerics.Pairwise:
		return naivePairwise(v), true
	case numerics.Halving:
		return naiveHalving(v), true
	case numerics.Strided:
		return naiveStrided(v)
	case numerics.Kahan:
		return naiveKahan(v), true
	}
	for _, k := range splits {
		if o == numerics.SplitK(k) {
			return naiveSplit(v, k), true
		}
	}
	for _, t := range blocks {
		if o == numerics.Block(t) {
			return naiveBlock(v, t), true
		}
	}
	return 0, false
}

var (
	splits = []int{1, 2, 3, 4, 5, 8, 16, 64}
	blocks = []int{32, 64, 96, 256, 1024}
)

// allOrders are the orders that the laws go over.
func allOrders() []numerics.Order {
	out := []numerics.Order{numerics.Sequential, numerics.Pairwise, numerics.Halving, numerics.Strided, numerics.Kahan}
	for _, k := range splits {
		out = append(out, numerics.SplitK(k))
	}
	for _, t := range blocks {
		out = append(out, numerics.Block(t))
	}
	return out
}

func naiveSeq(v []float32) float32 {
	acc := float32(0)
	for i := range v {
		acc = float32(acc + v[i])
	}
	return acc
}

func naivePairwise(v []float32) float32 {
	y := append([]float32(nil), v...)
	if len(y) == 0 {
		return 0
	}
	for len(y) > 1 {
		var next []float32
		for j := 0; j+1 < len(y); j += 2 {
			next = append(next, y[j]+y[j+1])
		}
		if len(y)%2 == 1 {
			next = append(next, y[len(y)-1])
		}
		y = next
	}
	return y[0]
}

func naiveHalving(v []float32) float32 {
	switch n := len(v); n {
	case 0:
		return 0
	case 1:
		return v[0]
	default:
		return naiveHalving(v[:n/2]) + naiveHalving(v[n/2:])
	}
}

func naiveStrided(v []float32) (float32, bool) {
	n := len(v)
	if n == 0 {
		return 0, true
	}
	for m := n; m > 1; m /= 2 {
		if m%2 == 1 {
			return 0, false
		}
	}
	y := append([]float32(nil), v...)
	for w := n; w > 1; {
		w /= 2
		for i := 0; i < w; i++ {
			y[i] = y[i] + y[i+w]
		}
	}
	return y[0], true
}

func naiveKahan(v []float32) float32 {
	s, c := float32(0), float32(0)
	for _, x := range v {
		y := x - c
		t := s + y
		c = (t - s) - y
		s = t
	}
	return s
}

func naiveSplit(v []float32, k int) float32 {
	n := len(v)
	l := (n + k - 1) / k
	acc := float32(0)
	for j := range k {
		lo, hi := min(n, j*l), min(n, (j+1)*l)
		acc += naiveSeq(v[lo:hi])
	}
	return acc
}

func naiveBlock(v []float32, t int) float32 {
	thread := make([]float32, t)
	for i := range v {
		thread[i%t] += v[i]
	}
	sum := naivePairwise(thread[:32])
	for w := 32; w < t; w += 32 {
		sum += naivePairwise(thread[w : w+32])
	}
	return sum
}

// bigSum is the exact sum: 600 bits hold any sum of float32 without rounding.
func bigSum(v []float32) *big.Float {
	sum := new(big.Float).SetPrec(600)
	for _, x := range v {
		sum.Add(sum, new(big.Float).SetFloat64(float64(x)))
	}
	return sum
}
