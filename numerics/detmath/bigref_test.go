package detmath_test

import (
	"math"
	"math/big"
)

// Reference functions by textbook series in high-precision arithmetic. They
// share nothing with the package under test: no table, no argument reduction of
// its kind. TestReference holds them to published digits.

const refBits = 320 // leaves 200 good bits after every cancellation below

func flt(x float64) *big.Float { return nat().SetFloat64(x) }

func nat() *big.Float { return new(big.Float).SetPrec(refBits) }

func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(a.Prec()).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(a.Prec()).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(a.Prec()).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(a.Prec()).Quo(a, b) }

func div(a *big.Float, n int64) *big.Float {
	return new(big.Float).SetPrec(a.Prec()).Quo(a, new(big.Float).SetInt64(n))
}

func sqrt(a *big.Float) *big.Float { return new(big.Float).SetPrec(a.Prec()).Sqrt(a) }

func pow2(a *big.Float, k int) *big.Float {
	return new(big.Float).SetPrec(a.Prec()).SetMantExp(a, k)
}

// negligible says whether adding term to sum changes nothing.
func negligible(term, sum *big.Float) bool {
	return term.Sign() == 0 || (sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-int(sum.Prec())-2)
}

// atanhInv is artanh(1/n) and atanInv arctan(1/n), by their power series.
func atanhInv(n int64) *big.Float { return inverseSeries(n, 1) }
func atanInv(n int64) *big.Float  { return inverseSeries(n, -1) }

func inverseSeries(n, sign int64) *big.Float {
	term := div(flt(1), n)
	sum := add(term, flt(0))
	for k := int64(3); ; k += 2 {
		term = div(div(term, n), sign*n)
		t := div(term, k)
		if negligible(t, sum) {
			return sum
		}
		sum = add(sum, t)
	}
}

func refLn2() *big.Float { return pow2(atanhInv(3), 1) }

// refPi is Machin's formula: pi/4 = 4 arctan(1/5) - arctan(1/239).
func refPi() *big.Float { return pow2(sub(pow2(atanInv(5), 2), atanInv(239)), 2) }

var (
	valLn2 = refLn2()
	valPi  = refPi()
)

// refExp halves x until it is small, sums the Taylor series and squares back.
// 2^-k costs k bits, so it works with as many more.
func refExp(x *big.Float) *big.Float {
	const halvings = 30
	p := x.Prec() + 2*halvings
	r := new(big.Float).SetPrec(p).SetMantExp(new(big.Float).SetPrec(p).Set(x), -halvings)
	sum := new(big.Float).SetPrec(p).SetInt64(1)
	term := new(big.Float).SetPrec(p).SetInt64(1)
	for k := int64(1); ; k++ {
		term = div(mul(term, r), k)
		if negligible(term, sum) {
			break
		}
		sum = add(sum, term)
	}
	for range halvings {
		sum = mul(sum, sum)
	}
	return new(big.Float).SetPrec(x.Prec()).Set(sum)
}

// refLog refines a float64 guess by Halley's method on e^y = x, which triples
// the good bits; three steps give more than 300.
func refLog(x *big.Float) *big.Float {
	mant := new(big.Float).SetPrec(x.Prec())
	k := x.MantExp(mant)
	if k == 1 { // x in [1,2): keep numbers next to 1 away from cancelling with k*ln 2
		mant, k = pow2(mant, 1), 0
	}
	m, _ := mant.Float64()
	y := new(big.Float).SetPrec(x.Prec()).SetFloat64(math.Log(m))
	if m == 1 { // the guess is 0: take the first terms of the series
		d := sub(mant, flt(1))
		y = sub(d, pow2(mul(d, d), -1))
	}
	for range 4 {
		e := refExp(y)
		y = add(y, pow2(quo(sub(mant, e), add(mant, e)), 1))
	}
	if k == 0 {
		return y
	}
	return add(y, mul(new(big.Float).SetPrec(x.Prec()).SetInt64(int64(k)), valLn2))
}

func refPow(x, y float64) *big.Float { return refExp(mul(flt(y), refLog(flt(x)))) }

// refErf is 2/sqrt(pi) * e^(-x*x) * sum of 2^n x^(2n+1)/(2n+1)!!, all terms of
// one sign, to the precision of x.
func refErf(x *big.Float) *big.Float {
	p := x.Prec()
	sq := mul(x, x)
	term := new(big.Float).SetPrec(p).Set(x)
	sum := new(big.Float).SetPrec(p).Set(x)
	for k := int64(1); ; k++ {
		term = div(pow2(mul(term, sq), 1), 2*k+1)
		if negligible(term, sum) {
			break
		}
		sum = add(sum, term)
	}
	pi := new(big.Float).SetPrec(p).Set(refPiTo(p))
	return quo(mul(pow2(sum, 1), refExp(new(big.Float).SetPrec(p).Neg(sq))), sqrt(pi))
}

// refPiTo is pi with p bits.
func refPiTo(p uint) *big.Float {
	if p <= refBits {
		return valPi
	}
	series := func(n int64) *big.Float {
		one := new(big.Float).SetPrec(p).SetInt64(1)
		term := div(one, n)
		sum := add(term, new(big.Float).SetPrec(p))
		for k := int64(3); ; k += 2 {
			term = div(div(term, n), -n)
			t := div(term, k)
			if negligible(t, sum) {
				return sum
			}
			sum = add(sum, t)
		}
	}
	return pow2(sub(pow2(series(5), 2), series(239)), 2)
}

// refErfc is 1 - refErf with as many more bits as the subtraction cancels:
// x*x/ln 2 and a few.
func refErfc(x *big.Float) *big.Float {
	f, _ := x.Float64()
	extra := uint(0)
	if f > 0 {
		extra = uint(1.45*f*f) + 64
	}
	// e^(x*x)-sized terms are inside refErf, so it needs the bits as well.
	xx := new(big.Float).SetPrec(x.Prec() + extra).Set(x)
	one := new(big.Float).SetPrec(xx.Prec()).SetInt64(1)
	return new(big.Float).SetPrec(x.Prec()).Set(sub(one, refErf(xx)))
}

// refErfcx is e^(x*x) * erfc(x).
func refErfcx(x *big.Float) *big.Float { return mul(refExp(mul(x, x)), refErfc(x)) }

func refNormCDF(x *big.Float) *big.Float {
	return pow2(refErfc(quo(new(big.Float).SetPrec(x.Prec()).Neg(x), sqrt(flt(2)))), -1)
}

// refDensity is the standard normal density.
func refDensity(x *big.Float) *big.Float {
	e := refExp(pow2(mul(x, new(big.Float).SetPrec(x.Prec()).Neg(x)), -1))
	return quo(e, sqrt(pow2(valPi, 1)))
}
