package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// One load on two replicas that are equally busy: one has room for its KV cache,
// the other computes again what it threw away.

const roomyKV = 64_000 // tokens, of the healthy one

func sameUtilization() *demo.Demo {
	return &demo.Demo{
		ID: "same-utilization", Version: 1, Title: "Two GPUs, both 100% busy",
		Lead:   "The same requests go to two equal servers, but for the size of their KV caches. Take cache away from the second, and watch which dials notice.",
		Limits: "One replica each, with prompts near 512 tokens and answers near 400. GPU utilization is the share of time with a step in progress, which is what tools report; how hard the GPU works in a step is not in it.",
		Knobs: []demo.Knob{
			{Name: "kv", Label: "KV cache of the second", Unit: "tokens", Doc: "The first has 64,000.", Default: 24_000, Min: 16_000, Max: 96_000, Step: 4_000, Whole: true},
			{Name: "rate", Label: "Load of both", Unit: "requests/s", Doc: "Poisson arrivals.", Default: 12, Min: 4, Max: 15, Step: 0.5},
			{Name: "headroom", Label: "Headroom of the second", Unit: "% of its blocks", Doc: "What an admission must leave free while something runs (a watermark).", Max: 50, Step: 5},
		},
		Presets: []demo.Preset{
			{Name: "24,000 tokens", State: "", Says: "Three eighths of the cache, and hardly an answer in time."},
			{Name: "8 a second", State: "rate=8", Says: "The same cache at two thirds of the load: as good as the other."},
			{Name: "32,000 tokens", State: "kv=32000", Says: "Half of the cache, at the edge of the cliff: to compare with the next."},
			{Name: "32,000, with headroom", State: "kv=32000&headroom=20", Says: "Against 32,000 without: nobody is preempted any more, and fewer are answered in time. Preemption was the symptom, room is what was short."},
		},
		Bet: &demo.Bet{
			Question: "With 24,000 tokens of KV the second server answers hardly anybody in time, with 64,000 nearly all of 12 requests a second. How many with 36,000?",
			Options:  []string{"hardly any", "about a third", "about two thirds", "nearly all"},
			Reveal:   "kv=36000",
			By:       []string{"good_first", "good_second"},
			Answer: func(t demo.Task) int {
				r := t.(*twinRun)
				switch share := r.good(1) / r.good(0); {
				case share > 0.85:
					return 3
				case share > 0.5:
					return 2
				case share > 0.15:
					return 1
				}
				return 0
			},
			Feedback: []string{
				"There is a cliff, and 36,000 tokens are on its upper side: it serves a little more than come, so nobody waits for long.",
				"Goodput does not follow the cache in proportion. A server that serves a little less than come makes everybody wait longer and longer; one that serves a little more makes nobody wait.",
				"Goodput does not follow the cache in proportion. A server that serves a little less than come makes everybody wait longer and longer; one that serves a little more makes nobody wait.",
				"There is a cliff between 28,000 and 36,000 tokens: above it the server serves a little more than come, below it a little less, and then everybody waits longer and longer.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Utilization", TeX: `U = \frac{\text{time with a step in progress}}{\text{time}}`, Says: "full in both, because both always have something in progress"},
			{Name: "Goodput", TeX: `G = \frac{\#\{\text{completed with } \text{TTFT} \le 2\ \text{s},\ \text{TPOT} \le 60\ \text{ms}\}}{\text{time}}`, Says: "requests that completed within both limits, from 20 s to 100 s"},
		},
		Start: startTwins,
	}
}

// Part of the run that counts, in seconds.
const twinFrom, twinTo = 20, 100

type twinRun struct {
	replica.Queue
	demo.Quiet
	kv       float64 // tokens
	rate     float64
	headroom float64 // share
	runs     [2]watched
	again    [2]float64 // share of the prompt tokens computed that were computed before
}

func startTwins(v demo.Values, seed uint32) (demo.Task, error) {
	r := &twinRun{kv: v.Num("kv"), rate: v.Num("rate"), headroom: v.Num("headroom") / 100}
	first, second := sim.BusyPair()
	second.Config.Engine.KVBlocks = int(r.kv) / second.Config.Engine.BlockTokens
	second.Config.Engine.Watermark = r.headroom
	for i, s := range []sim.Scenario{first, second} {
		s.Workload.Generator = sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: r.rate}}
		r.Add(replica.Job{Config: s.Config, Load: s.Workload, Seed: uint64(seed), Done: func(res *sim.Results) {
			r.runs[i] = watchRun(res, s, sim.PresetSLO, sim.FromSent)
			if n := res.Totals.PrefillTokens; n > 0 {
				r.again[i] = float64(res.Totals.Recomputed) / float64(n)
			}
		}})
	}
	return r, nil
}

func (r *twinRun) mean(i int, d dialID) float64 { return r.runs[i].mean(d, twinFrom, twinTo) }

// good is the goodput of one of them in requests/s.
func (r *twinRun) good(i int) float64 { return r.mean(i, dialGoodput) }

func twinDials() []dialID {
	return []dialID{
		dialUtilization, dialGoodput, dialCompleted, dialID(sim.KVOccupancy), dialID(sim.PreemptionRate), dialID(sim.RunningBatch),
		dialID(sim.QueueDepth), dialID(sim.TTFTp99),
	}
}

func (r *twinRun) Figures() []demo.Figure {
	f := traces(&r.runs[1], &r.runs[0], r.runs[1].windows[len(r.runs[1].windows)-1].End, twinDials()...)
	f.ID, f.Title = "dials", "Both servers, in windows of 4 s"
	f.Alt = "GPU utilization " + text.Percent(r.mean(0, dialUtilization), 3) + " and " + text.Percent(r.mean(1, dialUtilization), 3) +
		"; goodput " + text.Num(r.good(0), 3) + " and " + text.Num(r.good(1), 3) + " requests/s."
	f.Notes = []string{"Solid: the second server, with " + text.Num(r.kv, 0) + " tokens of KV. Dashed: the first, with 64,000."}
	f.Table = meanTable("Means from 20 s to 100 s", twinFrom, twinTo, []string{"First", "Second"}, []*watched{&r.runs[0], &r.runs[1]}, twinDials()...)
	return []demo.Figure{f}
}

func (r *twinRun) Summary() demo.Sentence {
	out := demo.Say("At "+text.Num(r.rate, 3)+" requests/s both GPUs are busy, ", text.Percent(r.mean(0, dialUtilization), 3)+" and "+text.Percent(r.mean(1, dialUtilization), 3),
		" of the time. They complete "+text.Num(r.mean(0, dialCompleted), 3)+" and "+text.Num(r.mean(1, dialCompleted), 3)+" requests/s, in time ",
		text.Num(r.good(0), 3)+" and "+text.Num(r.good(1), 3), " (first token within "+text.Seconds(sim.PresetSLO.TTFT.Seconds())+", then "+text.Seconds(sim.PresetSLO.TPOT.Seconds())+" a token). ")
	if r.again[1] > 0 {
		return append(out, demo.Say("The second computes "+text.Percent(r.again[1], 2)+" of its prompt tokens for a second time, and preempts "+
			text.Num(r.mean(1, dialID(sim.PreemptionRate)), 2)+" requests/s.")...)
	}
	return append(out, demo.Say("Nobody is preempted.")...)
}

func (r *twinRun) Metrics() []demo.Metric {
	ratio := math.Inf(1)
	if r.good(1) > 0 {
		ratio = r.good(0) / r.good(1)
	}
	out := []demo.Metric{
		{Name: "good_first", Label: "Goodput, first server", Unit: "requests/s", Value: r.good(0), Digits: 3},
		{Name: "good_second", Label: "Goodput, second server", Unit: "requests/s", Value: r.good(1), Digits: 3, Spread: true},
		{Name: "ratio", Label: "Goodput, first over second", Value: ratio, Digits: 3},
		{Name: "busy_first", Label: "GPU utilization, first server", Unit: "%", Value: 100 * r.mean(0, dialUtilization), Digits: 3},
		{Name: "busy_second", Label: "GPU utilization, second server", Unit: "%", Value: 100 * r.mean(1, dialUtilization), Digits: 3},
		{Name: "again", Label: "Prompt tokens computed again, second server", Unit: "%", Value: 100 * r.again[1], Digits: 3},
	}
	for _, d := range twinDials() {
		if w := d.words(); d != dialGoodput {
			out = append(out, demo.Metric{Name: w.id + "_first", Label: w.name + ", first server", Unit: w.unit, Value: r.mean(0, d), Digits: 3},
				demo.Metric{Name: w.id + "_second", Label: w.name + ", second server", Unit: w.unit, Value: r.mean(1, d), Digits: 3})
		}
	}
	return out
}

func (r *twinRun) Records() demo.Table {
	return recordsOf([]string{"first", "second"}, []*watched{&r.runs[0], &r.runs[1]})
}
