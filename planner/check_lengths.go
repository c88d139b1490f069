package planner

import (
	"math"

	"openloop/numerics/detmath"
	"openloop/sim"
)

// Lengths for the simulator: a table of requests, each as likely as any other,
// with the classes by their share of the rate. Even, all requests of a class are
// its mean, as the plan takes them to be. Spread, prompt and output are the means
// times a factor each, lognormal with mean 1, at equally likely points. The two
// factors do not depend on each other: in published traces prompts and outputs
// hardly do (correlations of -0.12 to 0.07 in the traces that the guide uses).
// Both have the squared coefficient of variation v with which the work of a
// request, P of prefill and D of decode, varies as the class says:
//
//	ServiceCV2 = v (P^2 + D^2)/(P + D)^2
//
// as far as work is in proportion to length.

// rowsOfClass is the points of one class, rowsOfTable those of several.
const rowsOfClass, rowsOfTable = 500, 2000

// mostServiceCV2 keeps the factors of a table clear of its largest point.
const mostServiceCV2 = 25

type lengths struct {
	prompt, output []int32
	pairs          float64 // mean query-key pairs of a prompt at mean lengths
	longest        int32   // prompt
	largest        int64   // prompt and output
}

// tabulate makes the table of a plan. A class whose lengths cannot be drawn is an
// error.
func (p *Plan) tabulate(w *Workload, even bool) (lengths, error) {
	var t lengths
	peak := p.mix.peak
	prefill, decode := p.PrefillShownSeconds/p.ReplicaSeconds, p.DecodeSeconds/p.ReplicaSeconds
	both := float64(prefill*prefill) + float64(decode*decode)
	rows := shares(w, peak)
	for i := range w.Classes {
		l := &w.Classes[i]
		share := float64(l.RequestsPerSec*l.PeakToMean) / peak
		t.pairs += float64(share * float64(l.PromptTokens*(l.PromptTokens+1)*0.5))
		n := rows[i]
		if even && len(w.Classes) == 1 {
			n = 1
		}
		cv2 := l.ServiceCV2 / both
		if even {
			cv2 = 0
		}
		f, ok := factors(n, cv2)
		if !ok {
			return t, &ValueError{Field: "Workload.Classes[" + number(float64(i)) + "].ServiceCV2", Value: number(l.ServiceCV2),
				Legal: "0 to " + number(rounded(float64(mostServiceCV2*both), false)) + " where lengths are drawn from a table, less for a rare class", Nearest: number(min(l.ServiceCV2, 1))}
		}
		step := coprime(n)
		for j, x := range f {
			y := f[j*step%n]
			prompt, output := tokens(float64(x*l.PromptTokens)), tokens(float64(y*l.OutputTokens))
			t.prompt, t.output = append(t.prompt, prompt), append(t.output, output)
			t.longest = max(t.longest, prompt)
			t.largest = max(t.largest, int64(prompt)+int64(output))
		}
	}
	if t.largest > sim.MaxTokens {
		return t, &ValueError{Field: "Workload.Classes[0].PromptTokens", Value: number(float64(t.largest)) + " tokens of the longest request", Legal: "up to " + number(sim.MaxTokens) + " in a simulation"}
	}
	return t, nil
}

// tokens rounds a length; a request has at least one token of each.
func tokens(x float64) int32 {
	return int32(math.Floor(min(max(x, 1), 1<<30) + 0.5))
}

// shares splits the rows of a table over the classes by rate; each has one.
func shares(w *Workload, peak float64) []int {
	out := make([]int, len(w.Classes))
	if len(w.Classes) == 1 {
		out[0] = rowsOfClass
		return out
	}
	sum, given := 0.0, 0
	for i := range w.Classes {
		l := &w.Classes[i]
		sum += float64(l.RequestsPerSec * l.PeakToMean)
		out[i] = max(int(math.Floor(float64(rowsOfTable*sum)/peak+0.5))-given, 1)
		given += out[i]
	}
	return out
}

// coprime is a number near the golden section of n that has no divisor with it:
// its multiples go through all n places, far from their order.
func coprime(n int) int {
	divisor := func(a, b int) int {
		for b > 0 {
			a, b = b, a%b
		}
		return a
	}
	k := max(n*618/1000, 1)
	for divisor(k, n) > 1 {
		k++
	}
	return k
}

// factors are n equally likely points of a lognormal variable, scaled to mean 1,
// whose spread is found so that they have the squared coefficient of variation.
func factors(n int, cv2 float64) ([]float64, bool) {
	f := make([]float64, n)
	for i := range f {
		f[i] = 1
	}
	if cv2 == 0 || n == 1 {
		return f, cv2 == 0
	}
	if cv2 > mostServiceCV2 {
		return nil, false
	}
	z := make([]float64, n)
	for i := range z {
		z[i] = detmath.NormQuantile((float64(i) + 0.5) / float64(n))
	}
	lo, hi := 0.0, 8.0
	for range 48 {
		mid := float64((lo + hi) * 0.5)
		if spread(f, z, mid) <= cv2 {
			lo = mid
		} else {
			hi = mid
		}
	}
	got := spread(f, z, lo)
	return f, math.Abs(got-cv2) <= float64(1e-6*cv2)
}

// spread fills f for one sigma and returns its squared coefficient of variation.
func spread(f, z []float64, sigma float64) float64 {
	sum := 0.0
	for i := range f {
		f[i] = detmath.Exp(float64(sigma * z[i]))
		sum += f[i]
	}
	mean, squares := sum/float64(len(f)), 0.0
	for i := range f {
		f[i] /= mean
		squares += float64((f[i] - 1) * (f[i] - 1))
	}
	return squares / float64(len(f))
}
