package numerics

// Sum adds v in the given order; every + is one float32 addition, rounded to
// nearest even. ok is false only where the order is undefined, that is Strided
// on a length that is not a power of two. The sum of no values is 0.
//
// v is not changed unless it is also given as scratch. Block and Strided need
// scratch of len(v) values at most and use nothing else; with nil they
// allocate it, and scratch that is too short panics. The other orders need
// none. Sum panics on an Order that no constructor makes.
func Sum(o Order, v, scratch []float32) (sum float32, ok bool) {
	if !o.Defined(len(v)) {
		return 0, false
	}
	if len(v) == 0 {
		return 0, true
	}
	switch o {
	case Sequential:
		return sequential(v), true
	case Pairwise:
		return pairwise(v), true
	case Halving:
		return halving(v), true
	case Strided:
		return strided(v, room(scratch, (len(v)+1)/2)), true
	case Kahan:
		return kahan(v), true
	}
	switch o.shape() {
	case splitShape:
		return split(v, o.Parts()), true
	case blockShape:
		t := o.Parts()
		return block(v, room(scratch, min(t, len(v))), t), true
	}
	panic("numerics: Sum got an Order that is not one of its constructors'")
}

// room returns n values of scratch, allocated if there is none.
func room(scratch []float32, n int) []float32 {
	if scratch == nil {
		return make([]float32, n)
	}
	if len(scratch) < n {
		panic("numerics: scratch is shorter than the values")
	}
	return scratch[:n]
}

func sequential(v []float32) float32 {
	var acc float32
	for _, x := range v {
		acc += x
	}
	return acc
}

// pairwise works as a binary counter: level[i] holds the sum of a finished run
// of 8<<i values when bit i of the count of runs is set. That is the same tree
// as adding level by level, and it needs no room for the levels.
func pairwise(v []float32) float32 {
	var level [48]float32
	runs := uint(0)
	for len(v) >= 8 {
		s := ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]))
		v = v[8:]
		i := 0
		for ; runs>>i&1 == 1; i++ {
			s = level[i] + s
		}
		level[i] = s
		runs++
	}
	s, some := pairwiseTail(v)
	for i := 0; runs>>i != 0; i++ {
		switch {
		case runs>>i&1 == 0:
		case some:
			s = level[i] + s
		default:
			s, some = level[i], true
		}
	}
	return s
}

// pairwiseTail is the tree over fewer than eight values; some is false if there
// are none.
func pairwiseTail(v []float32) (s float32, some bool) {
	switch len(v) {
	case 0:
		return 0, false
	case 1:
		return v[0], true
	case 2:
		return v[0] + v[1], true
	case 3:
		return (v[0] + v[1]) + v[2], true
	case 4:
		return (v[0] + v[1]) + (v[2] + v[3]), true
	case 5:
		return ((v[0] + v[1]) + (v[2] + v[3])) + v[4], true
	case 6:
		return ((v[0] + v[1]) + (v[2] + v[3])) + (v[4] + v[5]), true
	}
	return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + v[6]), true
}

func halving(v []float32) float32 {
	switch len(v) {
	case 1:
		return v[0]
	case 2:
		return v[0] + v[1]
	case 3:
		return v[0] + (v[1] + v[2])
	case 4:
		return (v[0] + v[1]) + (v[2] + v[3])
	}
	m := len(v) / 2
	return halving(v[:m]) + halving(v[m:])
}

// strided keeps its levels in y, which holds half of v or more and may be v.
func strided(v, y []float32) float32 {
	for w := len(v) / 2; w > 0; w /= 2 {
		lo, hi := v[:w], v[w:2*w]
		y = y[:w]
		for i := range y {
			y[i] = lo[i] + hi[i]
		}
		v = y
	}
	return v[0]
}

// split adds four runs side by side while it can: the chains do not wait for
// each other, and no sum changes.
func split(v []float32, k int) float32 {
	run := (len(v) + k - 1) / k
	var acc float32
	for ; len(v) >= 4*run; v = v[4*run:] {
		a, b, c, d := v[:run], v[run:2*run], v[2*run:3*run], v[3*run:4*run]
		var sa, sb, sc, sd float32
		for i := range a {
			sa += a[i]
			sb += b[i]
			sc += c[i]
			sd += d[i]
		}
		acc += sa
		acc += sb
		acc += sc
		acc += sd
	}
	for ; len(v) > run; v = v[run:] {
		acc += sequential(v[:run])
	}
	return acc + sequential(v) // parts past the end are empty and add 0
}

// block keeps the thread sums in acc, which may be the start of v. Threads
// past len(v) hold 0; adding 0 changes nothing, so they are left out.
func block(v, acc []float32, t int) float32 {
	for i := range acc {
		acc[i] = 0 + v[i] // a thread starts from +0, so -0 does not survive
	}
	for base := t; base < len(v); base += t {
		row := v[base:min(base+t, len(v))]
		for i, x := range row {
			acc[i] += x
		}
	}
	sum := pairwise(acc[:min(Warp, len(acc))])
	for w := Warp; w < len(acc); w += Warp {
		sum += pairwise(acc[w:min(w+Warp, len(acc))])
	}
	return sum
}

// kahan is the compensated sum; c is what the last addition put in too much.
func kahan(v []float32) float32 {
	var s, c float32
	for _, x := range v {
		y := x - c
		t := s + y
		c = (t - s) - y
		s = t
	}
	return s
}

// SumFloat64 adds v from left to right in float64, the usual reference in
// tests of kernels. It is not exact; ExactSum is.
func SumFloat64(v []float32) float64 {
	var acc float64
	for _, x := range v {
		acc += float64(x)
	}
	return acc
}
