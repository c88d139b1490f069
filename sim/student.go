package sim

import (
	"math"

	"openloop/numerics/detmath"
)

// TQuantile is the p-quantile of Student's t distribution with df >= 1 degrees
// of freedom, p in (0,1), to about 12 digits. Two degrees have a closed form;
// otherwise Newton's method runs on the tail. Beyond 1000 degrees the series
// around the normal quantile is as exact (Abramowitz and Stegun 26.7.5).
func TQuantile(p float64, df int) float64 {
	if !(p > 0 && p < 1) || df < 1 {
		panic("sim: t quantile needs p in (0,1) and df >= 1")
	}
	if p == 0.5 {
		return 0
	}
	if p < 0.5 {
		return -TQuantile(1-p, df)
	}
	if df == 2 {
		u := float64(2*p) - 1
		return u * math.Sqrt(2/(1-float64(u*u)))
	}
	t := tNearNormal(detmath.NormQuantile(p), float64(df))
	if df > 1000 {
		return t
	}
	return tNewton(t, p, float64(df))
}

const pi = 3.14159265358979323846

// tNearNormal is the expansion of the t quantile in 1/df around the normal
// quantile z, four terms.
func tNearNormal(z, df float64) float64 {
	zz := float64(z * z)
	g1 := float64(z * (zz + 1) / 4)
	g2 := z * (float64((float64(5*zz)+16)*zz) + 3) / 96
	g3 := z * (float64((float64((float64(3*zz)+19)*zz)+17)*zz) - 15) / 384
	g4 := z * (float64((float64((float64((float64(79*zz)+776)*zz)+1482)*zz)-1920)*zz) - 945) / 92160
	return z + (g1+(g2+(g3+g4/df)/df)/df)/df
}

// tNewton solves P(T > t) = 1-p for t > 0, in log t and the log of the tail,
// where the curve is nearly straight, so that any start will do.
func tNewton(t, p, df float64) float64 {
	want := 1 - p
	for range 60 {
		tail, density := tTail(t, df)
		step := detmath.Log(tail/want) * tail / (density * t)
		step = min(max(step, -1), 1)
		next := t * detmath.Exp(step)
		if math.Abs(step) < 1e-14 {
			return next
		}
		t = next
	}
	return t
}

// tTail is P(T > t) for t > 0 and the density there. The tail is half of the
// regularized incomplete beta function I_x(df/2, 1/2) at x = df/(df + t*t).
func tTail(t, df float64) (tail, density float64) {
	x := df / (df + float64(t*t))
	y := float64(t*t) / (df + float64(t*t)) // 1 - x, without cancellation
	a, b := float64(df/2), 0.5
	front := detmath.Pow(x, a) / halfBeta(df)
	density = front * math.Sqrt(x/df)
	front = float64(front * math.Sqrt(y))
	if x < (a+1)/(a+b+2) {
		return front * betaFraction(a, b, x) / a / 2, density
	}
	return (1 - float64(float64(front*betaFraction(b, a, y))/b)) / 2, density
}

// halfBeta is B(df/2, 1/2) for a whole df, up from B(1/2, 1/2) = pi and
// B(1, 1/2) = 2 by B(a+1, 1/2) = B(a, 1/2) * a/(a+1/2).
func halfBeta(df float64) float64 {
	a, beta := 1.0, 2.0
	if df != 2*math.Floor(df/2) {
		a, beta = 0.5, pi
	}
	for ; a < df/2; a++ {
		beta *= a / (a + 0.5)
	}
	return beta
}

// betaFraction is the continued fraction of the incomplete beta function by
// Lentz's method (Press et al., Numerical Recipes; Abramowitz and Stegun
// 26.5.8). For x < (a+1)/(a+b+2) it converges in some sqrt(max(a,b)) steps.
func betaFraction(a, b, x float64) float64 {
	const tiny = 1e-300
	away := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c := 1.0
	d := 1 / away(1-float64((a+b)*x/(a+1)))
	f := d
	for m := 1.0; m < 1000; m++ {
		a2m := a + float64(2*m)
		even := m * (b - m) * x / ((a2m - 1) * a2m)
		d = 1 / away(1+float64(even*d))
		c = away(1 + even/c)
		f *= float64(d * c)
		odd := -(a + m) * (a + b + m) * x / (a2m * (a2m + 1))
		d = 1 / away(1+float64(odd*d))
		c = away(1 + odd/c)
		f *= float64(d * c)
		if math.Abs(float64(d*c)-1) < 1e-16 {
			break
		}
	}
	return f
}
