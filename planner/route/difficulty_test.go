package route_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

func drawDifficulty(r *rand.Rand) route.Difficulty {
	return route.Difficulty{
		ThetaWeak: r.Float64()*1.6 - 0.3, ThetaStrong: r.Float64()*1.6 - 0.3,
		Tau: math.Exp(r.Float64()*6 - 4), Noise: corner(r) * 2,
	}
}

// quadrature is a midpoint sum over difficulty, with package math: nothing of the code under test.
// Its own error is near 1e-7 of the steps; the last bits of package math, which
// differ by platform, are nine orders smaller than what the tests allow.
func quadrature(d route.Difficulty, f func(weak, strong, x float64) float64) float64 {
	const n = 20_000
	sum := 0.0
	for i := range n {
		x := (float64(i) + 0.5) / n
		sum += f(1/(1+math.Exp((x-d.ThetaWeak)/d.Tau)), 1/(1+math.Exp((x-d.ThetaStrong)/d.Tau)), x)
	}
	return sum / n
}

// phi is right to the last bits of package math; what is compared with it may be off by 1e-12.
func phi(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

func TestDifficultyRates(t *testing.T) {
	r := drawn(40)
	for range 60 {
		d := drawDifficulty(r)
		require.NoError(t, d.Check())
		got := d.Rates()
		require.NoError(t, got.Check())
		assert.InDelta(t, quadrature(d, func(w, s, _ float64) float64 { return w }), got.Weak, 1e-6)
		assert.InDelta(t, quadrature(d, func(w, s, _ float64) float64 { return s }), got.Strong, 1e-6)
		assert.InDelta(t, quadrature(d, func(w, s, _ float64) float64 { return s * (1 - w) }), got.Pi, 1e-6, "%+v", d)
		assert.InDelta(t, quadrature(d, func(w, s, _ float64) float64 { return w * (1 - s) }), got.Lam, 1e-6, "%+v", d)
	}
	for _, gap := range []float64{0, 1e-9, -1e-9, 0.9e-6, 1.1e-6, -1.1e-6} { // both sides of the switch to first order
		d := route.Difficulty{ThetaWeak: 0.6, ThetaStrong: 0.6 + gap, Tau: 0.1}
		got := d.Rates()
		want := quadrature(d, func(w, s, _ float64) float64 { return s * (1 - w) })
		assert.InEpsilon(t, want, got.Pi, 1e-7, "gap %v", gap)
		require.NoError(t, got.Check())
	}
}

func TestDifficultyRouter(t *testing.T) {
	r := drawn(41)
	prices := route.Prices{Weak: 1, Strong: 10}
	for range 40 {
		d := drawDifficulty(r)
		pair := route.Pair{Rates: d.Rates(), Prices: prices}
		for i, q := range curveOf(curveFunc(func(dst []route.Point) { d.Curve(dst, prices) }), 11) {
			f := float64(i) / 10
			seen := func(x float64) float64 {
				if d.Noise == 0 || math.IsInf(q.Threshold, 0) {
					if x > q.Threshold {
						return 1
					}
					return 0
				}
				return phi((x - q.Threshold) / d.Noise)
			}
			require.InDelta(t, f, quadrature(d, func(_, _, x float64) float64 { return seen(x) }), 1e-4, "%+v", d)
			want := quadrature(d, func(w, s, x float64) float64 { return w + (s-w)*seen(x) })
			require.InDelta(t, want, q.Accuracy, 1e-4, "%+v at %v", d, f)
			require.LessOrEqual(t, q.Accuracy, pair.OracleAt(f).Accuracy+1e-9)
			require.InDelta(t, pair.Random(f).Cost, q.Cost, slack)
		}
	}
}

type curveFunc func([]route.Point)

func (f curveFunc) Curve(dst []route.Point) { f(dst) }

// TestDifficultyAUC counts pairs of drawn requests: how often one that only the
// strong model gets right looks harder than another.
func TestDifficultyAUC(t *testing.T) {
	r := drawn(42)
	base, err := route.Fit(route.MMLU().Rates())
	require.NoError(t, err)
	last := 1.0
	for _, noise := range []float64{0, 0.003, 0.05, 0.3, 1, 11, 100} {
		d := base
		d.Noise = noise
		var wanted, other []float64
		for range 300_000 {
			x := r.Float64()
			w, s := d.Right(x)
			score := x + noise*r.NormFloat64()
			if r.Float64() < s && r.Float64() >= w {
				wanted = append(wanted, score)
			} else {
				other = append(other, score)
			}
		}
		above := 0
		for i, s := range wanted {
			if s > other[i%len(other)] {
				above++
			}
		}
		got := d.AUC()
		assert.InDelta(t, float64(above)/float64(len(wanted)), got, 0.009, "noise %v", noise)
		assert.Less(t, got, last, "noise %v", noise)
		last = got
	}
	assert.InDelta(t, 0.5, last, 0.01)
}

// TestDifficultyAUCExact compares with a double sum over difficulty.
func TestDifficultyAUCExact(t *testing.T) {
	for _, d := range []route.Difficulty{
		{ThetaWeak: 0.6, ThetaStrong: 0.85, Tau: 0.1},
		{ThetaWeak: 0.6, ThetaStrong: 0.85, Tau: 0.1, Noise: 0.2},
		{ThetaWeak: 0.6, ThetaStrong: 0.85, Tau: 0.02, Noise: 0.01},
		{ThetaWeak: 0.9, ThetaStrong: 0.5, Tau: 0.5, Noise: 0.05},
		{ThetaWeak: 0.6, ThetaStrong: 0.85, Tau: 0.1, Noise: 0.0442}, // beside the change of formula, at 16 cells
		{ThetaWeak: 0.6, ThetaStrong: 0.85, Tau: 0.1, Noise: 0.0441},
	} {
		const n = 1600
		var wanted, other [n]float64
		sumW, sumO := 0.0, 0.0
		for i := range n {
			w, s := d.Right((float64(i) + 0.5) / n)
			wanted[i], other[i] = s*(1-w), 1-s*(1-w)
			sumW, sumO = sumW+wanted[i], sumO+other[i]
		}
		want := 0.0
		for i := range n {
			for j := range n {
				p := 0.5
				switch {
				case d.Noise > 0:
					p = phi(float64(i-j) / n / (math.Sqrt2 * d.Noise))
				case i != j:
					p = 0
					if i > j {
						p = 1
					}
				}
				want += wanted[i] * other[j] * p
			}
		}
		assert.InDelta(t, want/(sumW*sumO), d.AUC(), 2e-5, "%+v", d)
	}
	below := route.Difficulty{ThetaWeak: 0.6, ThetaStrong: 0.85, Tau: 0.1, Noise: 0.044194173}
	above := below
	above.Noise += 2e-9
	assert.InDelta(t, below.AUC(), above.AUC(), 2e-7, "both formulas where they meet")
	assert.Equal(t, 0.5, route.Difficulty{ThetaWeak: 0.5, ThetaStrong: -100, Tau: 0.002}.AUC(), "nothing is wanted")
}

// TestFit: what it finds has the rates; and any difficulty is found again.
func TestFit(t *testing.T) {
	for _, l := range []route.Labels{route.MMLU(), route.GSM8K()} {
		d, err := route.Fit(l.Rates())
		require.NoError(t, err)
		require.NoError(t, d.Check())
		same(t, l.Rates(), d.Rates())
	}
	r := drawn(43)
	found := 0
	for range trials {
		d := drawDifficulty(r)
		d.Noise = 0
		want := d.Rates()
		if min(want.Weak, want.Strong) < 0.01 || max(want.Weak, want.Strong) > 0.99 || d.Tau < 0.02 {
			continue
		}
		got, err := route.Fit(want)
		require.NoError(t, err, "%+v", d)
		same(t, want, got.Rates())
		if d.Tau < 1 && min(want.Pi, want.Lam) > 1e-6 { // else many fit equally well
			require.InEpsilon(t, d.Tau, got.Tau, 1e-5, "%+v", d)
		}
		found++
	}
	require.Greater(t, found, trials/4)
}

func same(t *testing.T, want, got route.Rates) {
	t.Helper()
	require.InDelta(t, want.Weak, got.Weak, 1e-10)
	require.InDelta(t, want.Strong, got.Strong, 1e-10)
	require.InDelta(t, want.Pi, got.Pi, 1e-9)
	require.InDelta(t, want.Lam, got.Lam, 1e-9)
}

// TestFitRefuses: errors that exclude each other, and ones that contain each
// other entirely, have no difficulty behind them.
func TestFitRefuses(t *testing.T) {
	for _, c := range []struct {
		name, field string
		rates       route.Rates
	}{
		{"independent", "Pi", route.Independent(0.6, 0.8)},
		{"negative correlation", "Pi", route.RatesOf(0.5, 0.5, 0.3)},
		{"nested", "Pi", route.RatesOf(0.6, 0.2, 0)},
		{"never right", "Weak", route.RatesOf(0, 0.5, 0)},
		{"always right", "Strong", route.RatesOf(0.6, 0.4, 0)},
		{"no rates", "Strong", route.Rates{Weak: 0.5, Strong: 0.9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := route.Fit(c.rates)
			var value *route.ValueError
			require.ErrorAs(t, err, &value)
			assert.Equal(t, c.field, value.Field, err)
		})
	}
}
