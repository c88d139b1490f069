package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMSER5(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	noise := func(n int) []float64 { return autoregressive(rng, n, 0) }
	add := func(xs []float64, f func(i int) float64) []float64 {
		for i := range xs {
			xs[i] += f(i)
		}
		return xs
	}
	for _, c := range []struct {
		name   string
		series []float64
		ok     bool
		lo, hi int // allowed cut
	}{
		{"a wave of slow first requests", add(noise(1000), func(i int) float64 { return step(i < 30, 20) }), true, 30, 35},
		{"exponential approach", add(noise(2000), func(i int) float64 { return -20 * math.Exp(-float64(i)/100) }), true, 200, 600},
		{"steady constant", make([]float64, 500), true, 0, 0},
		{"settles after the middle", add(noise(1000), func(i int) float64 { return step(i < 600, 20) }), false, 600, 650},
		{"never settles", add(noise(1000), func(i int) float64 { return float64(i) }), false, 501, 1000},
		{"too short", noise(49), false, 0, 0},
		{"none", nil, false, 0, 0},
		{"one extreme value late", add(noise(1000), func(i int) float64 { return step(i == 900, 1e3) }), false, 905, 975}, // the known failure
	} {
		t.Run(c.name, func(t *testing.T) {
			cut, ok := MSER5(c.series)
			assert.Equal(t, c.ok, ok)
			assert.True(t, c.lo <= cut && cut <= c.hi, "cut %d", cut)
			assert.Zero(t, cut%5)
		})
	}
}

func step(on bool, height float64) float64 {
	if on {
		return height
	}
	return 0
}

// TestMSER5Definition compares with the definition, summed anew for each cut.
func TestMSER5Definition(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		n := 50 + rng.IntN(200)
		xs := autoregressive(rng, n, 0.8)
		var y []float64
		for b := range n / 5 {
			y = append(y, meanOf(xs[b*5:b*5+5]))
		}
		best, cut := math.Inf(1), 0
		for d := 0; d < len(y)-5; d++ {
			mean, squares := meanOf(y[d:]), 0.0
			for _, x := range y[d:] {
				squares += (x - mean) * (x - mean)
			}
			if e := squares / float64((len(y)-d)*(len(y)-d)); e < best {
				best, cut = e, d
			}
		}
		got, ok := MSER5(xs)
		assert.Equal(t, cut*5, got)
		assert.Equal(t, cut <= len(y)/2, ok)
	}
}

// TestMSER5OnSteadySeries says how often the rule is wrong where there is no
// warm-up: hardly ever for independent values, but half of the time for a
// series of ten correlation lengths, where it wants a longer run.
func TestMSER5OnSteadySeries(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const runs = 500
	for _, c := range []struct {
		phi     float64
		refused float64 // most
	}{{0, 0.01}, {0.9, 0.03}, {0.99, 0.6}} {
		refused := 0
		for range runs {
			if _, ok := MSER5(autoregressive(rng, 1000, c.phi)); !ok {
				refused++
			}
		}
		t.Logf("phi %v: refused %d of %d", c.phi, refused, runs)
		assert.LessOrEqual(t, float64(refused)/runs, c.refused, "phi %v", c.phi)
	}
}

func TestFindWarmUp(t *testing.T) {
	due, service := make([]Nanos, 400), make([]Nanos, 400)
	for i := range due {
		due[i] = Nanos(i) * 10 * Second
		service[i] = Second
		if i < 23 {
			service[i] = 9 * Second
		}
	}
	r := fifo{}.run(due, service)
	r.Status[3], r.Status[4], r.FirstTokenAt[3], r.FirstTokenAt[4] = Failed, Failed, Never, Never
	got := FindWarmUp(r, TTFT, FromSent)
	// 21 slow values remain: five batches hold them.
	assert.Equal(t, WarmUpLength{Found: true, Values: 25, Requests: 27, Until: 270 * Second, Before: (21*0.9 + 4*0.1) / 25, After: 0.1}, roundMeans(got))
	assert.Equal(t, WarmUpLength{}, FindWarmUp(fifo{}.run(due[:20], service[:20]), TTFT, FromSent))
	steady := FindWarmUp(fifo{}.run(due[23:], service[23:]), TTFT, FromSent)
	assert.True(t, steady.Found)
	assert.Equal(t, 0, steady.Requests)
	assert.True(t, math.IsNaN(steady.Before))
}

func roundMeans(w WarmUpLength) WarmUpLength {
	w.Before = math.Round(w.Before*1e12) / 1e12
	w.After = math.Round(w.After*1e12) / 1e12
	return w
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}
