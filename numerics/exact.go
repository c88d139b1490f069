package numerics

import (
	"math"
	"math/bits"
)

// Exact is a sum that does not round: a fixed-point number of 320 bits in
// two's complement whose lowest bit is 2^-149, the smallest positive float32.
// Every finite float32 is a whole number of such units below 2^277, so 2^42
// additions of the largest float32 fit. The zero value is an empty sum.
//
// Values that are not finite follow IEEE addition: an infinity wins over
// everything finite, infinities of both signs and NaN give NaN. A sum that
// leaves the 320 bits (by adding sums to each other many times) gives NaN too;
// it is never wrapped around.
type Exact struct {
	words [exactWords]uint64 // lowest first
	odd   uint8              // what was seen besides finite values
}

const exactWords = 5

const (
	sawPosInf = 1 << iota
	sawNegInf
	sawNaN // or an overflow
)

// Add adds one value.
func (e *Exact) Add(x float32) {
	b := math.Float32bits(x)
	exp := b >> 23 & 0xff
	mant := uint64(b & 0x7fffff)
	switch exp {
	case 0xff:
		e.addOdd(x)
		return
	case 0:
		exp = 1 // subnormal: same unit as the first binade, no hidden bit
	default:
		mant |= 1 << 23
	}
	shift := exp - 1
	i, off := int(shift>>6), shift&63
	lo, hi := mant<<off, mant>>(64-off) // a shift by 64 gives 0
	neg := b>>31 == 1
	before := e.negative()
	var c uint64
	if neg {
		e.words[i], c = bits.Sub64(e.words[i], lo, 0)
		e.words[i+1], c = bits.Sub64(e.words[i+1], hi, c)
		for j := i + 2; c != 0 && j < exactWords; j++ {
			e.words[j], c = bits.Sub64(e.words[j], 0, c)
		}
	} else {
		e.words[i], c = bits.Add64(e.words[i], lo, 0)
		e.words[i+1], c = bits.Add64(e.words[i+1], hi, c)
		for j := i + 2; c != 0 && j < exactWords; j++ {
			e.words[j], c = bits.Add64(e.words[j], 0, c)
		}
	}
	if before == neg && e.negative() != neg && mant != 0 {
		e.odd |= sawNaN
	}
}

func (e *Exact) addOdd(x float32) {
	switch {
	case x != x:
		e.odd |= sawNaN
	case x > 0:
		e.odd |= sawPosInf
	default:
		e.odd |= sawNegInf
	}
}

// Sub takes one value away; it undoes Add of a finite value exactly.
func (e *Exact) Sub(x float32) { e.Add(-x) }

// AddExact adds another sum, as if its values had been added here.
func (e *Exact) AddExact(o *Exact) {
	a, b := e.negative(), o.negative()
	odd := o.odd
	var c uint64
	for i := range e.words {
		e.words[i], c = bits.Add64(e.words[i], o.words[i], c)
	}
	e.odd |= odd
	if a == b && e.negative() != a {
		e.odd |= sawNaN
	}
}

// SubExact takes another sum away. An infinity of o counts with its sign
// changed.
func (e *Exact) SubExact(o *Exact) {
	a, b := e.negative(), o.negative()
	odd := o.odd & sawNaN
	if o.odd&sawPosInf != 0 {
		odd |= sawNegInf
	}
	if o.odd&sawNegInf != 0 {
		odd |= sawPosInf
	}
	var c uint64
	for i := range e.words {
		e.words[i], c = bits.Sub64(e.words[i], o.words[i], c)
	}
	e.odd |= odd
	if a != b && e.negative() != a {
		e.odd |= sawNaN
	}
}

// AddAll adds every value of v.
func (e *Exact) AddAll(v []float32) {
	for _, x := range v {
		e.Add(x)
	}
}

// Reset makes the sum empty again.
func (e *Exact) Reset() { *e = Exact{} }

func (e *Exact) negative() bool { return e.words[exactWords-1]>>63 == 1 }

// special is the result when values that are not finite decide it.
func (e *Exact) special() (v float64, ok bool) {
	switch {
	case e.odd == 0:
		return 0, false
	case e.odd == sawPosInf:
		return math.Inf(1), true
	case e.odd == sawNegInf:
		return math.Inf(-1), true
	}
	return math.NaN(), true
}

// Sign is -1, 0 or 1. It is 0 where the sum is NaN as well as where it is 0.
func (e *Exact) Sign() int {
	if v, ok := e.special(); ok {
		switch {
		case v > 0:
			return 1
		case v < 0:
			return -1
		}
		return 0
	}
	if e.negative() {
		return -1
	}
	if e.words == [exactWords]uint64{} {
		return 0
	}
	return 1
}

// ExactSum is the true sum of v, rounded once.
func ExactSum(v []float32) float32 {
	var e Exact
	e.AddAll(v)
	return e.Float32()
}
