package tables_test

import (
	"math"
	"slices"
	"strconv"

	"openloop/planner"
	"openloop/planner/profile"
)

// Fitting the efficiency to published rows: Nelder and Mead's simplex (Computer
// Journal 7, 1965) over the logarithms of the free parameters, on the mean of
// |ln(predicted/published)|, which treats twice and half alike.

// free is a parameter that is fitted.
type free struct {
	name, unit string
	group      string
	at         func(*planner.Efficiency) *float64
	most       float64
}

var freeDense = []free{
	{"FP8 MFU", "", dense, func(e *planner.Efficiency) *float64 { return &e.FP8MFU }, 0.95},
	{"FP4 MFU", "", dense, func(e *planner.Efficiency) *float64 { return &e.FP4MFU }, 0.95},
	{"share of link bandwidth", "", dense, func(e *planner.Efficiency) *float64 { return &e.Engine.LinkFrac }, 0.95},
}

var freeExperts = []free{
	{"experts' share of that MFU", "", experts, func(e *planner.Efficiency) *float64 { return &e.Engine.ExpertMFUFrac }, 0.95},
	{"the same, weights expanded", "", experts, func(e *planner.Efficiency) *float64 { return &e.ExpandedExpertFrac }, 0.95},
}

// fixed is where the fit starts and what it does not touch; the sources of the
// values that stay are in choices.
func fixed() planner.Efficiency {
	overhead, _ := profile.Overhead("h100-sxm", "llama-3.1-8b", "TensorRT-LLM", 1)
	return planner.Efficiency{
		BF16MFU: 0.7, FP8MFU: 0.6, FP4MFU: 0.4, MBU: 0.8, MemoryFrac: 0.95, MaxNumSeqs: 2048, ChunkTokens: 8192,
		Engine: planner.EngineTerms{StepSeconds: digits(overhead.StepSeconds, 3), LinkFrac: 0.6, LatencySeconds: 8e-6,
			AttentionMFU: 0.75, AttentionMBU: 0.8, ExpertMFUFrac: 0.4, AddCompute: true},
		ExpandedExpertFrac: 0.2,
	}
}

// fit moves the free parameters to where the rows are met best, to three digits.
func fit(rows []*pub, start planner.Efficiency, frees []free) planner.Efficiency {
	unpack := func(x []float64) (e planner.Efficiency) {
		e = start
		for i, f := range frees {
			*f.at(&e) = math.Exp(x[i])
		}
		return e
	}
	loss := func(x []float64) float64 {
		e := unpack(x)
		for _, f := range frees {
			if *f.at(&e) > f.most {
				return 1e3 * *f.at(&e)
			}
		}
		sum := 0.0
		for _, p := range rows {
			y, err := predict(p, e, p.prompt)
			if err != nil {
				return 1e6
			}
			sum += math.Abs(math.Log(y / p.value))
		}
		return sum / float64(len(rows))
	}
	x := make([]float64, len(frees))
	for i, f := range frees {
		e := start
		x[i] = math.Log(*f.at(&e))
	}
	for _, step := range []float64{0.3, 0.1, 0.03} { // again from where it ended, against a simplex that collapsed
		x = nelderMead(loss, x, step)
	}
	e := unpack(x)
	for _, f := range frees {
		*f.at(&e) = digits(*f.at(&e), 3)
	}
	return e
}

func digits(x float64, n int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', n, 64), 64)
	return r
}

// nelderMead walks downhill from x; the first simplex has edges of step.
func nelderMead(f func([]float64) float64, x []float64, step float64) []float64 {
	type point struct {
		x []float64
		f float64
	}
	n := len(x)
	s := make([]point, n+1)
	for i := range s {
		y := slices.Clone(x)
		if i > 0 {
			y[i-1] += step
		}
		s[i] = point{y, f(y)}
	}
	for range 400 * n {
		slices.SortStableFunc(s, func(a, b point) int {
			switch {
			case a.f < b.f:
				return -1
			case a.f > b.f:
				return 1
			}
			return 0
		})
		if s[n].f-s[0].f < 1e-10 {
			break
		}
		along := func(t float64) point { // from the middle of the others, away from the worst
			y := make([]float64, n)
			for j := range y {
				for _, p := range s[:n] {
					y[j] += p.x[j] / float64(n)
				}
				y[j] += t * (y[j] - s[n].x[j])
			}
			return point{y, f(y)}
		}
		p := along(1)
		switch {
		case p.f < s[0].f:
			if far := along(2); far.f < p.f {
				p = far
			}
			s[n] = p
		case p.f < s[n-1].f:
			s[n] = p
		default:
			if p = along(-0.5); p.f < s[n].f {
				s[n] = p
				break
			}
			for i := 1; i <= n; i++ {
				for j := range s[i].x {
					s[i].x[j] = 0.5 * (s[0].x[j] + s[i].x[j])
				}
				s[i].f = f(s[i].x)
			}
		}
	}
	return s[0].x
}

// mape is the mean absolute relative error.
func mape(rows []*pub, e planner.Efficiency) float64 {
	sum := 0.0
	for _, p := range rows {
		y, err := predict(p, e, p.prompt)
		if err != nil {
			return math.Inf(1)
		}
		sum += math.Abs(y/p.value - 1)
	}
	return sum / float64(len(rows))
}

// of is the rows of a group.
func of(rows []pub, group string) []*pub {
	var out []*pub
	for i := range rows {
		if rows[i].group == group {
			out = append(out, &rows[i])
		}
	}
	return out
}

// fold is the rows with and without a name.
func fold(rows []*pub, name func(*pub) string, without string) (train, test []*pub) {
	for _, p := range rows {
		if name(p) == without {
			test = append(test, p)
		} else {
			train = append(train, p)
		}
	}
	return train, test
}

// names lists what a fold can leave out.
func names(rows []*pub, name func(*pub) string) []string {
	var out []string
	for _, p := range rows {
		out = append(out, name(p))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
