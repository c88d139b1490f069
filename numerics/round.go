package numerics

import (
	"math"
	"math/bits"
)

// This file rounds an exact sum to a float once, to nearest, ties to even. A
// sum of exactly zero is +0 whatever the signs of the zeros that went in.

// Float32 is the nearest float32; an infinity from 2^128 - 2^103 on.
func (e *Exact) Float32() float32 {
	if v, ok := e.special(); ok {
		return float32(v)
	}
	mag, neg := e.magnitude()
	mant, shift := roundTo(mag, 24)
	// mant < 2^24 at shift 0 is its own bit pattern, subnormals included. Each
	// shift is one binade, and a mantissa of 2^24 carries into the next.
	b := uint32(0x7f800000)
	if shift < 254 {
		b = shift<<23 + uint32(mant)
	}
	if neg {
		b |= 1 << 31
	}
	return math.Float32frombits(b)
}

// Float64 is the nearest float64. Its range is never left: a sum is below
// 2^170, and not closer to zero than 2^-149 unless it is zero.
func (e *Exact) Float64() float64 {
	if v, ok := e.special(); ok {
		return v
	}
	mag, neg := e.magnitude()
	mant, shift := roundTo(mag, 53)
	// mant is exact as a float64, and so is the product with a power of two.
	scale := math.Float64frombits(uint64(int64(shift)-149+1023) << 52)
	v := float64(float64(mant) * scale)
	if neg {
		v = -v
	}
	return v
}

// magnitude is the absolute value in units of 2^-149. The most negative number
// of 320 bits is its own magnitude when read without a sign.
func (e *Exact) magnitude() (mag [exactWords]uint64, neg bool) {
	mag = e.words
	if !e.negative() {
		return mag, false
	}
	c := uint64(1)
	for i := range mag {
		mag[i], c = bits.Add64(^mag[i], 0, c)
	}
	return mag, true
}

// roundTo returns the mag that is nearest in prec significant bits, as
// mant * 2^shift; mant may be 2^prec after a carry. shift is 0 when mag fits.
func roundTo(mag [exactWords]uint64, prec uint32) (mant uint64, shift uint32) {
	size := uint32(0)
	for i := exactWords - 1; i >= 0; i-- {
		if mag[i] != 0 {
			size = uint32(64*i + bits.Len64(mag[i]))
			break
		}
	}
	if size <= prec {
		return mag[0], 0
	}
	shift = size - prec
	i, off := shift>>6, shift&63
	mant = mag[i] >> off
	if off != 0 && i+1 < exactWords {
		mant |= mag[i+1] << (64 - off)
	}
	half := shift - 1
	up := mag[half>>6]>>(half&63)&1 == 1
	if up && mant&1 == 0 {
		up = anyBelow(mag, half)
	}
	if up {
		mant++
	}
	return mant, shift
}

// anyBelow says whether one of the bits under position n is set.
func anyBelow(mag [exactWords]uint64, n uint32) bool {
	for i := uint32(0); i < n>>6; i++ {
		if mag[i] != 0 {
			return true
		}
	}
	return mag[n>>6]&(1<<(n&63)-1) != 0
}
