package serving

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// One run of a server that starts cold, a window in which it is measured, and
// how far the window's answer is from that of a long run.

const (
	warmUpShown = 120 // s that the figures show: the latest end of a window
	warmUpEnd   = 270 // s that are simulated; the long run is what follows warmUpShown
	warmUpSeeds = 30
	warmUpEarly = 10 // s, in which most is compiled

	// What the first steps pay. A step whose decodes need a graph that was not
	// captured yet takes 50 ms longer: vLLM's logs of capture on demand have 48
	// to 68 ms a size (pull requests 22897 and 23184). A step with prompts of a
	// size class that was not run yet takes 460 ms longer: in a published run of
	// vLLM on an RTX 4090 the first request took 689 ms where its steps explain
	// 232. KV memory is reserved at the start, so its growth costs nothing.
	captureCost = 50_000_000_000  // ps
	compileCost = 460_000_000_000 // ps

	warmPrefixTokens = 1024
)

func warmUp() *demo.Demo {
	return &demo.Demo{
		ID: "warm-up", Version: 1, Title: "Drag the cut",
		Lead: "A server starts cold and gets a steady load from the first second. Move the window in which you measure, and see what you would have reported.",
		Limits: "What the first steps pay is two constants from published logs, not a model of a compiler; your engine may pay less, at start-up, or much more. Weights are loaded and the network is not simulated. " +
			"KV memory does not grow. The long run is the same run from " + text.Whole(warmUpShown) + " s to " + text.Whole(warmUpEnd) + " s and has an error of its own, which the table gives.",
		Knobs: []demo.Knob{
			{Name: "cut", Label: "Measure from", Unit: "s", Doc: "What happens before is thrown away.", Max: 60, Step: 1, Whole: true},
			{Name: "length", Label: "Measure for", Unit: "s", Doc: "Length of the window.", Default: 10, Min: 5, Max: 60, Step: 5, Whole: true},
			{Name: "start", Label: "Engine at the start", Doc: "Whether the first steps still have to compile and capture. The batch is empty either way.", Max: 1,
				Options: []demo.Option{{Name: "cold", Label: "cold"}, {Name: "warm", Label: "compiled, batch empty"}}},
			{Name: "seeds", Label: "Other seeds", Doc: "Repeat the run with 29 other seeds and draw where they lie.", Max: 1, Options: []demo.Option{{Name: "off", Label: "off"}, {Name: "on", Label: "30 seeds"}}, More: true},
			{Name: "rate", Label: "Rate", Unit: "requests/s", Doc: "Without system prompts the server can do about 45, with hundreds of them less than 30.", Default: 30, Min: 5, Max: 40, Step: 1, More: true},
			{Name: "prefixes", Label: "System prompts", Doc: "How many different system prompts of 1,024 tokens the requests share; 0 is none. The prefix cache starts without them.", Zero: "none", Max: 1000, Step: 50, Whole: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "Compiled, batch empty", State: "start=warm", Says: "Nothing left to compile, and the first 10 s are still too low: the batch has to fill."},
			{Name: "The same 10 s, later", State: "cut=50", Says: "Past the warm-up, but one 10 s window is a coin toss: look at the 30 seeds."},
			{Name: "A minute, from 60 s", State: "cut=60&length=60", Says: "The throughput is that of the long run. One size of step first comes at 70 s, compiles then, and is in the p99."},
			{Name: "30 seeds", State: "seeds=on", Says: "How much of the difference is warm-up, and how much is luck."},
			{Name: "Cold prefix cache", State: "prefixes=200&rate=20&start=warm&seeds=on", Says: "Compiled, but each system prompt must be computed once before it can be found: the first requests wait longer for their token."},
		},
		Bet: &demo.Bet{
			Question: "Start with everything compiled. How far below the long run is the throughput of the first 10 s, on average over 30 seeds?",
			Options:  []string{"less than 5%", "5% to 15%", "15% to 40%", "more than 40%"},
			Reveal:   "start=warm&seeds=on",
			By:       []string{"tokens_off_seeds"},
			Answer: func(t demo.Task) int {
				switch below := -t.(*warmUpRun).over(warmTokens).mean; {
				case below < 5:
					return 0
				case below < 15:
					return 1
				case below <= 40:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"The batch is empty at the start. Until it has filled, which takes the seconds of a whole answer, fewer requests give tokens than later.",
				"More: about 100 requests are in flight in the long run, and it takes two or three answers' time until they are there.",
				"With no compiling at all the batch still has to fill, and the answers that are cut off at the end of the window do not make up for it.",
				"That is near what a cold engine loses in its first 10 s. This one has nothing left to compile.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Cut by MSER-5", TeX: `\min_d \frac{1}{(n-d)^2}\sum_{i=d+1}^{n}(\bar y_i-\bar y_{d..n})^2`, Says: "the means of 5 requests each; the cut d that leaves the smallest standard error (White, 1997)"},
			{Name: "Interval", TeX: `\bar y \pm t_{0.975,\,b-1}\, s/\sqrt{b}`, Says: "b = 10 batches of at least 5 s, s the standard deviation of their means; no interval for a window too short for that"},
			replica.StepEquation(),
		},
		Start: startWarmUp,
	}
}

// What is measured in a window.
const (
	warmTokens = iota // output tokens/s
	warmTTFT          // mean, s
	warmTail          // p99 of TTFT, s
	warmE2E           // mean, s
	numWarm
)

// warmSeed is what is kept of one seed.
type warmSeed struct {
	tokens   []float64 // by second
	ttft     []float64 // mean of the requests sent in each second; NaN if there are none
	slowest  []float64
	fastest  []float64
	answers  []float64 // tokens/s of a window of this length, by its start in s
	window   [numWarm]float64
	long     [numWarm]float64
	running  []float64
	waiting  []float64
	interval [numWarm]sim.Interval // of the window
	longHalf [numWarm]float64      // half width of the interval of the long run
	mser     sim.WarmUpLength
	paid     float64 // s, in the whole run
	counts   sim.Counts

	unsteady string // why what follows is no long run; "" if it is one
}

type warmUpRun struct {
	replica.Queue
	cut, length int
	cold        bool
	rate        float64
	prefixes    int
	values      demo.Values
	seed        uint32
	paidEarly   float64 // s, of the first seed before warmUpEarly
	runs        []*sim.Results
	seeds       []warmSeed
}

func startWarmUp(v demo.Values, seed uint32) (demo.Task, error) {
	r := &warmUpRun{cut: v.Int("cut"), length: v.Int("length"), cold: v.Option("start") == "cold", rate: v.Num("rate"), prefixes: v.Int("prefixes"), values: v, seed: seed}
	n := 1
	if v.On("seeds") {
		n = warmUpSeeds
	}
	c, load := r.setUp()
	if r.cold {
		early := c // the beginning of the first run once more: nothing else says what was paid by then
		early.Horizon = warmUpEarly * sim.Second
		r.Add(replica.Job{Config: early, Load: load, Seed: replica.Seeded(seed, 0), Done: func(res *sim.Results) { r.paidEarly = paid(res) }})
	}
	for i := range n {
		r.Add(replica.Job{Config: c, Load: load, Seed: replica.Seeded(seed, i), Done: r.keep})
	}
	return r, nil
}

func (r *warmUpRun) keep(res *sim.Results) {
	r.runs = append(r.runs, res)
	r.seeds = append(r.seeds, r.read(res))
}

// paid is what compiling and capturing took, in s.
func paid(res *sim.Results) float64 { return float64(res.Totals.WarmUpPicos) / 1e12 }

// Reuse is that of demo.Reusable: the window moves over the runs that are there.
func (r *warmUpRun) Reuse(v demo.Values, seed uint32) (demo.Task, bool) {
	for _, knob := range []string{"start", "seeds", "rate", "prefixes"} {
		if v.Num(knob) != r.values.Num(knob) {
			return nil, false
		}
	}
	if seed != r.seed {
		return nil, false
	}
	again := &warmUpRun{cut: v.Int("cut"), length: v.Int("length"), cold: r.cold, rate: r.rate, prefixes: r.prefixes, values: v, seed: seed, paidEarly: r.paidEarly}
	for _, res := range r.runs {
		again.Add(replica.Job{Results: res, Done: again.keep})
	}
	return again, true
}

func (r *warmUpRun) setUp() (sim.Config, sim.Workload) {
	c := replica.Server()
	c.Horizon = warmUpEnd * sim.Second
	c.SampleEvery = sim.Second
	if r.cold {
		c.Engine.WarmUp = sim.WarmUp{GraphCapture: captureCost, Autotune: compileCost}
	}
	load := sim.Workload{Generator: sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: r.rate}}, Lengths: replica.Lengths(), Until: c.Horizon}
	if r.prefixes > 0 {
		c.Engine.PrefixCache = true
		load.Shared = sim.SharedPrefixes{Prefixes: r.prefixes, Tokens: warmPrefixTokens, Zipf: 1, Share: 1}
	}
	return c, load
}

// read keeps what the figures need of one run.
func (r *warmUpRun) read(res *sim.Results) warmSeed {
	s := warmSeed{paid: paid(res), mser: sim.FindWarmUp(res, sim.TTFT, sim.FromSent)}
	for _, w := range res.Samples {
		s.tokens = append(s.tokens, float64(w.Tokens))
		s.running = append(s.running, float64(w.Running))
		s.waiting = append(s.waiting, float64(w.Waiting))
	}
	s.judge(res)
	s.bySecond(res)
	for cut := 0; cut <= warmUpShown/2; cut++ {
		s.answers = append(s.answers, meanOf(s.tokens[cut:cut+r.length]))
	}
	s.window, s.interval, s.counts = r.measure(res, &s, r.cut, r.cut+r.length)
	long, interval, _ := r.measure(res, &s, warmUpShown, warmUpEnd)
	s.long = long
	for m := range interval {
		s.longHalf[m] = (interval[m].Hi - interval[m].Lo) / 2
	}
	return s
}

// judge says whether the rest of the run is steady. A server that keeps up
// shows nearly nobody waiting; one at its limit has a queue that comes and
// goes over minutes.
func (s *warmSeed) judge(res *sim.Results) {
	const queued = 10 // requests, mean
	switch {
	case sim.Judge(res, 0, warmUpEnd*sim.Second, false).State == sim.Overloaded:
		s.unsteady = "overloaded: there is no long run"
	case meanOf(s.waiting[warmUpShown:]) > queued:
		s.unsteady = "at its limit, and " + text.Whole(warmUpEnd-warmUpShown) + " s there are not a long run"
	}
}

// bySecond takes the requests sent in each second that is shown.
func (s *warmSeed) bySecond(res *sim.Results) {
	sum, count := make([]float64, warmUpShown), make([]float64, warmUpShown)
	s.slowest, s.fastest = make([]float64, warmUpShown), make([]float64, warmUpShown)
	for i, sent := range res.SentAt {
		k := int(sent / sim.Second)
		span, ok := res.Latency(sim.TTFT, i, sim.FromSent)
		if k >= warmUpShown || !ok {
			continue
		}
		x := span.Seconds()
		if count[k] == 0 || x < s.fastest[k] {
			s.fastest[k] = x
		}
		s.slowest[k] = max(s.slowest[k], x)
		sum[k] += x
		count[k]++
	}
	s.ttft = sum
	for k := range sum {
		s.ttft[k] /= count[k] // NaN for none
	}
}

// warmBatches is how many batches an interval is made of; each has five seconds
// or more.
const warmBatches = 10

// measure reports a window in whole seconds.
func (r *warmUpRun) measure(res *sim.Results, s *warmSeed, from, to int) (out [numWarm]float64, in [numWarm]sim.Interval, c sim.Counts) {
	rep := sim.NewReport(res, sim.ReportOptions{From: sim.Nanos(from) * sim.Second, To: sim.Nanos(to) * sim.Second, Batches: warmBatches})
	in[warmTokens] = sim.BatchMeans(s.tokens[from:to], warmBatches, 0.95)
	in[warmTTFT], in[warmE2E] = rep.TTFT.MeanInterval, rep.E2E.MeanInterval
	none := sim.OverSeeds(nil, 0.95) // one tail has no batch means
	in[warmTail] = none
	if to-from < 5*warmBatches {
		in = [numWarm]sim.Interval{none, none, none, none}
	}
	out = [numWarm]float64{meanOf(s.tokens[from:to]), rep.TTFT.Mean, 0, rep.E2E.Mean}
	if q, _ := rep.TTFT.At(0.99); q.Value != sim.Never {
		out[warmTail] = q.Value.Seconds()
	}
	return out, in, rep.Counts
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// off is how far a window is from the long run, in percent of it.
func off(window, long float64) float64 { return 100 * (window - long) / long }

// overSeeds is how far the windows of all seeds are from the long run of all.
type overSeeds struct{ mean, lowest, highest, reported, lowestReported, highestReported, long float64 }

func (r *warmUpRun) over(m int) overSeeds {
	var out overSeeds
	n := float64(len(r.seeds))
	for i := range r.seeds {
		out.long += r.seeds[i].long[m] / n
		out.reported += r.seeds[i].window[m] / n
	}
	out.lowestReported, out.highestReported = math.Inf(1), math.Inf(-1)
	for i := range r.seeds {
		out.lowestReported = min(out.lowestReported, r.seeds[i].window[m])
		out.highestReported = max(out.highestReported, r.seeds[i].window[m])
	}
	out.mean = off(out.reported, out.long)
	out.lowest, out.highest = off(out.lowestReported, out.long), off(out.highestReported, out.long)
	return out
}

func (r *warmUpRun) many() bool { return len(r.seeds) > 1 }
