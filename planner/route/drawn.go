package route

import (
	"math"

	"openloop/sim"
)

// Drawn is the chance in a sample of requests: neither rates nor AUC nor
// threshold are in it, so that a threshold can be moved over the same requests
// without drawing them again.
type Drawn struct {
	seed  uint64
	kind  []float64 // uniform: which models are right
	score []float64 // normal, before its class moves it
}

// Draw draws n (at least 1) requests.
func Draw(seed uint64, n int) Drawn {
	rnd := sim.NewRand(seed, sim.StreamRouting, 0)
	d := Drawn{seed: seed, kind: make([]float64, n), score: make([]float64, n)}
	for i := range n {
		d.kind[i], d.score[i] = rnd.Float64(), rnd.Normal()
	}
	return d
}

// SampleDrawn is Sample with that seed and number of requests, bit for bit.
func (r Router) SampleDrawn(f float64, d Drawn) Sampled {
	j := r.judge(f)
	n := len(d.kind)
	if math.IsInf(j.screen.d, 0) {
		return j.sample(r.Rates, d.seed, n) // no scores are drawn
	}
	sent, right := 0, 0
	for i, u := range d.kind {
		a := answersOf(u, r.Rates)
		shift := 0.0
		if a.strong && !a.weak {
			shift = j.screen.d
		}
		if d.score[i]+shift > j.passed.t {
			sent++
			right += one(a.strong)
		} else {
			right += one(a.weak)
		}
	}
	return j.sampled(sent, right, n)
}
