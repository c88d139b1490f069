package serving

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// The latency that a run reports, against how long it ran: below capacity, near
// it and past it.

const longestRun = 300 // s

// lengthRates are the offered rates, requests/s. The server does about 45.
func lengthRates(past float64) [3]float64 { return [3]float64{30, 44, past} }

func runLength() *demo.Demo {
	return &demo.Demo{
		ID: "run-length", Version: 1, Title: "The mean depends on how long you ran",
		Lead:   "One server, compiled and ready, three offered loads. Each point is the mean latency that a run of that length reports. Move the cut and the length.",
		Limits: "Poisson arrivals and the same mix of lengths all the time; a real day changes both. Nobody gives up, and the queue has no limit: with either, the run past capacity loses requests instead of only waiting.",
		Knobs: []demo.Knob{
			{Name: "past", Label: "Load past capacity", Unit: "requests/s", Doc: "The upper of the three loads. The server can do about 45.", Default: 50, Min: 46, Max: 70, Step: 1},
			{Name: "cut", Label: "Thrown away", Unit: "s", Doc: "Requests sent before this do not count.", Max: 60, Step: 5, Whole: true},
			{Name: "metric", Label: "Latency", Doc: "Which mean is drawn.", Max: 1, Options: []demo.Option{{Name: "ttft", Label: "time to first token"}, {Name: "e2e", Label: "end to end"}}},
			{Name: "seeds", Label: "Seeds", Unit: "seeds", Doc: "Runs of each load. The band is from the lowest to the highest.", Default: 1, Min: 1, Max: 10, Whole: true, More: true},
			{Name: "longest", Label: "Longest run", Unit: "s", Doc: "How far the lengths go.", Default: longestRun, Min: 100, Max: 600, Step: 100, Whole: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "10 seeds", State: "seeds=10", Says: "Near capacity every seed has its own queue, and its own mean."},
			{Name: "10 seeds, a minute thrown away", State: "seeds=10&cut=60", Says: "A cut does not help past capacity: the queue goes on growing."},
			{Name: "End to end", State: "seeds=10&metric=e2e", Says: "The same growth on top of the time that an answer takes."},
			{Name: "To 600 s", State: "longest=600", Says: "Past capacity no run is long enough."},
		},
		Bet: &demo.Bet{
			Question: "The load past capacity goes up by a fifth, from 50 to 60 requests/s. What happens to the mean that a run of 300 s reports?",
			Options:  []string{"a fifth more", "twice as much", "three times as much", "more than five times as much"},
			Reveal:   "past=60&seeds=10",
			By:       []string{"at_50_end", "past_end"},
			Answer: func(t demo.Task) int {
				r := t.(*lengthRun)
				switch ratio := r.median(2, r.at(longestRun)) / r.fluidAt50(); {
				case ratio < 1.5:
					return 0
				case ratio < 2.4:
					return 1
				case ratio < 4:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"What counts is not the load but its excess over what the server can do, which is about 45.",
				"More: the excess over the server's 45 goes from 5 to 15 requests/s.",
				"The queue grows with the excess over the server's 45, which goes from 5 to 15 requests/s.",
				"Less: the excess over the server's 45 goes from 5 to 15 requests/s, and the wait in proportion.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Past capacity", TeX: `\overline{W}(T) \approx \frac{T}{2}\left(\frac{\lambda}{\mu}-1\right)`, Says: "first come, first served, offered rate λ above capacity μ: a request sent at t waits t(λ/μ − 1); T is the length of the run"},
			replica.StepEquation(),
		},
		Start: startRunLength,
	}
}

type lengthRun struct {
	replica.Queue
	seed    uint32
	runs    [3][]*sim.Results // by load and seed, as far as read looks at them
	rates   [3]float64
	cut     int
	metric  sim.Metric
	longest int
	lengths []int // s
	seeds   int

	means    [3][][]float64 // by load and length: one mean for each seed, s; NaN if nothing was sent
	doneRate float64        // of the load past capacity, first seed: completed/s in the second half
	sent     [3]int
	ended    [3][sim.NumStatuses]int
}

func startRunLength(v demo.Values, seed uint32) (demo.Task, error) {
	return newLengthRun(v, seed, &lengthRun{}), nil
}

// Reuse simulates only the loads that have changed.
func (r *lengthRun) Reuse(v demo.Values, seed uint32) (demo.Task, bool) {
	if seed != r.seed || v.Int("longest") != r.longest || v.Int("seeds") != r.seeds {
		return nil, false
	}
	return newLengthRun(v, seed, r), true
}

// newLengthRun takes from a finished run what is the same in it.
func newLengthRun(v demo.Values, seed uint32, before *lengthRun) *lengthRun {
	r := &lengthRun{seed: seed, rates: lengthRates(v.Num("past")), cut: v.Int("cut"), longest: v.Int("longest"), seeds: v.Int("seeds"), metric: sim.TTFT}
	if v.Option("metric") == "e2e" {
		r.metric = sim.E2E
	}
	for _, n := range []int{10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500} {
		if n <= r.longest && n > r.cut {
			r.lengths = append(r.lengths, n)
		}
	}
	if r.lengths[len(r.lengths)-1] < r.longest {
		r.lengths = append(r.lengths, r.longest)
	}
	for i := range r.rates {
		r.means[i] = make([][]float64, len(r.lengths))
	}
	for i, rate := range r.rates {
		if rate == before.rates[i] {
			r.runs[i] = before.runs[i]
		} else {
			r.runs[i] = make([]*sim.Results, r.seeds)
		}
	}
	for k := range r.seeds {
		for i, rate := range r.rates {
			load := sim.Workload{Generator: sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: rate}}, Lengths: replica.Lengths(), Until: sim.Nanos(r.longest) * sim.Second}
			// No horizon: as tools do, the run waits for every answer.
			r.Add(replica.Job{Config: replica.Server(), Load: load, Seed: replica.Seeded(seed, k), Results: r.runs[i][k], Done: func(res *sim.Results) {
				r.runs[i][k] = &sim.Results{SentAt: res.SentAt, FirstTokenAt: res.FirstTokenAt, DoneAt: res.DoneAt, Status: res.Status}
				r.read(i, k, res)
			}})
		}
	}
	return r
}

// read takes the mean of each length from one run: a run that stops sending
// earlier is the beginning of a longer one, up to how its last answers go.
func (r *lengthRun) read(load, seed int, res *sim.Results) {
	sum, n, next := 0.0, 0.0, 0
	from := sim.Nanos(r.cut) * sim.Second
	close := func() {
		r.means[load][next] = append(r.means[load][next], sum/n)
		next++
	}
	for i, sent := range res.SentAt {
		for next < len(r.lengths) && sent >= sim.Nanos(r.lengths[next])*sim.Second {
			close()
		}
		if span, ok := res.Latency(r.metric, i, sim.FromSent); ok && sent >= from {
			sum += span.Seconds()
			n++
		}
	}
	for next < len(r.lengths) {
		close()
	}
	r.sent[load] += len(res.SentAt)
	for _, s := range res.Status {
		r.ended[load][s]++
	}
	if load == 2 && seed == 0 {
		half := sim.Nanos(r.longest) * sim.Second / 2
		done := 0
		for _, at := range res.DoneAt {
			if at >= half && at < 2*half {
				done++
			}
		}
		r.doneRate = float64(done) / half.Seconds()
	}
}

// at is the index of the longest length that is not above n seconds.
func (r *lengthRun) at(n int) int {
	i := 0
	for i+1 < len(r.lengths) && r.lengths[i+1] <= n {
		i++
	}
	return i
}

// spread is the lowest, the middle and the highest of the seeds; ok is false if
// some seed has no mean.
func (r *lengthRun) spread(load, length int) (lo, mid, hi float64, ok bool) {
	v := slices.Clone(r.means[load][length])
	slices.Sort(v)
	if math.IsNaN(v[0]) {
		return 0, 0, 0, false
	}
	n := len(v)
	return v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1], true
}

func (r *lengthRun) median(load, length int) float64 {
	_, mid, _, _ := r.spread(load, length)
	return mid
}

// fluid is the formula for the load past capacity.
func (r *lengthRun) fluid(seconds float64) float64 {
	return float64((seconds+float64(r.cut))/2) * (r.rates[2]/r.doneRate - 1)
}

// fluidAt50 is the formula for a run of 300 s at 50 requests/s, from its start on.
func (r *lengthRun) fluidAt50() float64 {
	return float64(longestRun) / 2 * (50/r.doneRate - 1)
}

func (r *lengthRun) Figures() []demo.Figure {
	f := demo.Figure{
		ID: "means", Title: "Mean latency that a run reports, by its length", Kind: demo.Chart,
		X:     demo.Axis{Label: "Length of the run", Unit: "s", Min: float64(r.lengths[0]), Max: float64(r.longest), Log: true, Digits: 3},
		Y:     demo.Axis{Label: "Reported mean", Unit: "s", Log: true, Digits: 2},
		Table: demo.Table{Caption: "Reported mean by length of the run; the median of the seeds, and the highest", Columns: []demo.Column{{Name: "Length", Unit: "s"}}},
	}
	var all []float64
	roles := [3]demo.Role{demo.Soft, demo.Ink, demo.Bad}
	for load, rate := range r.rates {
		name := text.Num(rate, 3) + " requests/s"
		s := demo.Series{ID: [3]string{"below", "near", "past"}[load], Name: name, Role: roles[load], Shape: demo.Line}
		for k, n := range r.lengths {
			lo, mid, hi, ok := r.spread(load, k)
			if !ok {
				continue
			}
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, mid)
			all = append(all, lo, hi)
			s.Lo, s.Hi = append(s.Lo, lo), append(s.Hi, hi) // all one for one seed
		}
		f.Series = append(f.Series, s)
		f.Table.Columns = append(f.Table.Columns, demo.Column{Name: name, Unit: "s", Digits: 3}, demo.Column{Name: "highest", Unit: "s", Digits: 3})
	}
	fluid := demo.Series{ID: "fluid", Name: "formula", Role: demo.Closed, Shape: demo.Points}
	for k, n := range r.lengths {
		row := []demo.Cell{demo.N(float64(n))}
		for load := range r.rates {
			_, mid, hi, _ := r.spread(load, k)
			row = append(row, demo.N(mid), demo.N(hi))
		}
		f.Table.Rows = append(f.Table.Rows, row)
		if y := r.fluid(float64(n)); r.metric == sim.TTFT && y > 0 && n >= 30 {
			fluid.X, fluid.Y = append(fluid.X, float64(n)), append(fluid.Y, y)
		}
	}
	f.Series = append(f.Series, fluid)
	f.Y.Min, f.Y.Max = logRange(all)
	end, mid := len(r.lengths)-1, r.at(50)
	f.Alt = "Reported mean against the length of the run, both axes logarithmic. At " + text.Num(r.rates[0], 3) + " requests/s it stays near " + duration(r.median(0, end), 2) + "; at " + text.Num(r.rates[2], 3) +
		" it rises from " + duration(r.median(2, mid), 2) + " at " + text.Whole(r.lengths[mid]) + " s to " + duration(r.median(2, end), 2) + " at " + text.Whole(r.longest) + " s."
	f.Notes = append(f.Notes, r.counted())
	if r.metric == sim.TTFT {
		f.Notes = append(f.Notes, "The formula takes the capacity from the run past it: "+text.Num(r.doneRate, 3)+" requests/s completed in its second half.")
	}
	return []demo.Figure{f}
}

// counted says what became of the requests of all seeds.
func (r *lengthRun) counted() string {
	out := text.Count(r.seeds, "seed", "seeds") + ", run until the last answer."
	for load, rate := range r.rates {
		by := r.ended[load]
		what := text.Whole(by[sim.Completed]) + " requests, all completed"
		if by[sim.Completed] < r.sent[load] {
			what = endedText(by)
		}
		out += " " + text.Num(rate, 3) + " requests/s: " + what + "."
	}
	return out
}

func (r *lengthRun) Summary() demo.Sentence {
	end, mid := len(r.lengths)-1, r.at(50)
	return demo.Say("At "+text.Num(r.rates[2], 3)+" requests/s a run of "+text.Whole(r.lengths[mid])+" s reports a mean of "+duration(r.median(2, mid), 2)+" and one of "+text.Whole(r.longest)+" s ",
		duration(r.median(2, end), 2), ". At "+text.Num(r.rates[0], 3)+" requests/s they report "+duration(r.median(0, mid), 2)+" and "+duration(r.median(0, end), 2)+".")
}

func (r *lengthRun) Metrics() []demo.Metric {
	end, mid := len(r.lengths)-1, r.at(50)
	lo, near, hi, _ := r.spread(1, end)
	return []demo.Metric{
		{Name: "below_50", Label: "Mean of a run of 50 s, below capacity", Unit: "s", Value: r.median(0, mid), Digits: 2},
		{Name: "below_end", Label: "Mean of the longest run, below capacity", Unit: "s", Value: r.median(0, end), Digits: 2, Spread: true},
		{Name: "near_50", Label: "Mean of a run of 50 s, near capacity", Unit: "s", Value: r.median(1, mid), Digits: 2},
		{Name: "near_end", Label: "Mean of the longest run, near capacity", Unit: "s", Value: near, Digits: 2, Spread: true},
		{Name: "near_lowest", Label: "Lowest of the seeds", Unit: "s", Value: lo, Digits: 2},
		{Name: "near_highest", Label: "Highest of the seeds", Unit: "s", Value: hi, Digits: 2},
		{Name: "past_50", Label: "Mean of a run of 50 s, past capacity", Unit: "s", Value: r.median(2, mid), Digits: 2},
		{Name: "past_end", Label: "Mean of the longest run, past capacity", Unit: "s", Value: r.median(2, end), Digits: 2, Spread: true},
		{Name: "past_ratio", Label: "Longest run / 50 s, past capacity", Value: r.median(2, end) / r.median(2, mid), Digits: 2, Spread: true},
		{Name: "at_50_end", Label: "Mean of a run of 300 s at 50 requests/s, by the formula", Unit: "s", Value: r.fluidAt50(), Digits: 2},
		{Name: "formula_end", Label: "Formula for the longest run", Unit: "s", Value: r.fluid(float64(r.longest)), Digits: 2},
		{Name: "capacity", Label: "Completed past capacity", Unit: "requests/s", Value: r.doneRate, Digits: 3, Spread: true},
	}
}

func (r *lengthRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "rate", Unit: "requests/s"}, {Name: "length", Unit: "s"}, {Name: "seed_number"}, {Name: "mean", Unit: "s", Digits: 6}}}
	for load, rate := range r.rates {
		for k, n := range r.lengths {
			for seed, mean := range r.means[load][k] {
				t.Rows = append(t.Rows, []demo.Cell{demo.N(rate), demo.N(float64(n)), demo.N(float64(seed + 1)), demo.N(mean)})
			}
		}
	}
	return t
}

func (r *lengthRun) Events() []demo.Event { return nil }
