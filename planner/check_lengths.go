package planner

import (
	"math"

	"openloop/numerics/detmath"
	"openloop/sim"
)

// Lengths for the simulator: a table of requests, each as likely as any other,
// with the classes by their share of the rate. Even, all requests of a class are
// its mean, as the plan takes them to be. Spread, prompt and output of a request
// are its means times one factor, lognormal with mean 1 and squared coefficient
// of variation ServiceCV2, at equally likely points: the work of a request then
// varies as the class says, as far as work is in proportion to length, and the
// mean of the table is that of the class to the rounding of tokens.

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

// tabulate makes the table. A class whose lengths cannot be drawn is an error.
func tabulate(w *Workload, peak float64, even bool) (lengths, error) {
	var t lengths
	rows := shares(w, peak)
	for i := range w.Classes {
		l := &w.Classes[i]
		share := float64(l.RequestsPerSec*l.PeakToMean) / peak
		t.pairs += float64(share * float64(l.PromptTokens*(l.PromptTokens+1)*0.5))
		n := rows[i]
		if even && len(w.Classes) == 1 {
			n = 1
		}
		cv2 := l.ServiceCV2
		if even {
			cv2 = 0
		}
		f, ok := factors(n, cv2)
		if !ok {
			return t, &ValueError{Field: "Workload.Classes[" + number(float64(i)) + "].ServiceCV2", Value: number(cv2),
				Legal: "0 to " + number(mostServiceCV2) + " where lengths are drawn from a table, less for a rare class", Nearest: number(min(cv2, 1))}
		}
		for _, x := range f {
			prompt, output := tokens(float64(x*l.PromptTokens)), tokens(float64(x*l.OutputTokens))
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
