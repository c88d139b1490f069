package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// Long prompts twice: where KV is what is short, and where computing them is.
// The queues look alike; each has a remedy that does nothing for the other.

func longPrompts() *demo.Demo {
	return &demo.Demo{
		ID: "long-prompts", Version: 1, Title: "Long prompts, twice",
		Lead:   "Two servers with prompts near 6,000 tokens, and on both the queue grows without end. On the left answers are long and KV is short; on the right answers are short and the prompts take all the time there is. Double something.",
		Limits: "One replica each, and remedies as large as a factor of two; whether yours can have twice the KV (quantized, or more GPUs for each replica) or prefill at twice the speed is another question. Time per token is not promised here.",
		Knobs: []demo.Knob{
			demo.Choice("remedy", "Double", "On both servers, from the start. The runs as they were stay as dashed lines.",
				"none", "nothing", "kv", "the KV cache", "prefill", "the speed of prefill", "both", "both"),
			{Name: "load", Label: "Load", Unit: "% of the preset's", Doc: "100% is 2.1 requests/s on the left and 9.5 on the right.", Default: 100, Min: 50, Max: 150, Step: 5},
		},
		Presets: []demo.Preset{
			{Name: "As they are", State: "", Says: "Two queues that grow."},
			{Name: "Twice the KV", State: "remedy=kv", Says: "Brings back the left one only."},
			{Name: "Twice the prefill", State: "remedy=prefill", Says: "Brings back the right one only."},
		},
		Bet: &demo.Bet{
			Question: "Both queues grow under long prompts. You may double the KV cache on both. Whose users are answered in time then?",
			Options:  []string{"both servers'", "the left one's, with long answers", "the right one's, with short answers", "neither's"},
			Reveal:   "remedy=kv",
			By:       []string{"kv_kv_doubled", "prefill_kv_doubled"},
			Answer: func(t demo.Task) int {
				r := t.(*promptsRun)
				left, right := r.met[0][r.remedy] > 0.9, r.met[1][r.remedy] > 0.9
				switch {
				case left && right:
					return 0
				case left:
					return 1
				case right:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"The right one has KV to spare: a third is used. Its queue waits for prompts to be computed.",
				"Each request there holds its 6,000 tokens for as long as a long answer takes, and only eleven fit.",
				"There two thirds of the cache are free already. More of what is not short changes nothing.",
				"The left one's do: its queue waits for blocks, and there are twice as many now.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Held", TeX: `K = \lambda\,\overline{(p + o/2)\,W}`, Says: "tokens of KV that are needed in the mean: requests a second times prompt and half of the answer, for as long as a request stays"},
			{Name: "Computed", TeX: `U_\text{prefill} = \lambda\,\overline p\,b`, Says: "share of the time that goes into prompts, b being the time a prompt token adds to a step"},
		},
		Start: startPrompts,
	}
}

// Parts of a run that count, in seconds.
const promptsFrom, promptsTo = 20, 100

// promptsRun has both servers with each remedy: none, KV, prefill, both.
type promptsRun struct {
	replica.Queue
	demo.Quiet
	remedy int
	load   float64
	runs   [2][4]watched
	met    [2][4]float64 // share of the requests that got their first token in time
}

func startPrompts(v demo.Values, seed uint32) (demo.Task, error) {
	r := &promptsRun{remedy: v.Int("remedy"), load: v.Num("load") / 100}
	kv, prefill := sim.LongPromptPair()
	slo := sim.SLO{TTFT: sim.PresetSLO.TTFT}
	for i, as := range []sim.Scenario{kv, prefill} {
		arrivals := as.Workload.Generator.(sim.OpenLoop).Arrivals.(sim.Poisson)
		arrivals.RatePerSec *= r.load
		as.Workload.Generator = sim.OpenLoop{Arrivals: arrivals}
		for k := range 4 {
			s := as
			if k&1 != 0 {
				s = twiceTheKV(s)
			}
			if k&2 != 0 {
				s = twiceThePrefill(s)
			}
			r.Add(replica.Job{Config: s.Config, Load: s.Workload, Seed: uint64(seed), Done: func(res *sim.Results) {
				r.runs[i][k] = watchRun(res, s, slo, sim.FromSent)
				r.met[i][k] = inTime(res, promptsFrom*sim.Second, promptsTo*sim.Second, slo)
			}})
		}
	}
	return r, nil
}

func promptsDials() []dialID {
	return []dialID{dialID(sim.QueueDepth), dialID(sim.TTFTp99), dialID(sim.KVOccupancy), dialID(sim.PreemptionRate), dialID(sim.RunningBatch), dialGoodput}
}

func sideNames() [2]string { return [2]string{"KV short", "prefill short"} }

func (r *promptsRun) Figures() []demo.Figure {
	last := r.runs[0][0].windows
	f := demo.Figure{ID: "dials", Title: "Short of KV on the left, of prefill on the right", Kind: demo.Traces, X: demo.Axis{Label: "Time", Unit: "s", Max: last[len(last)-1].End}}
	for _, d := range promptsDials() {
		top := 0.0
		for i, side := range sideNames() {
			run := &r.runs[i][r.remedy]
			t := d.trace(run, nil, len(run.windows))
			if r.remedy != 0 {
				d.beside(&t, &r.runs[i][0])
			}
			t.ID, t.Name = t.ID+"_"+side[:2], side+": "+t.Name
			top = max(top, t.Top)
			f.Traces = append(f.Traces, t)
		}
		for i := range 2 {
			f.Traces[len(f.Traces)-1-i].Top = top
		}
	}
	f.Alt = "At the end " + text.Num(r.queueAt(0), 3) + " requests wait on the left and " + text.Num(r.queueAt(1), 3) + " on the right."
	if r.remedy != 0 {
		f.Notes = []string{"Dashed: with nothing doubled."}
	}
	f.Table = meanTable("Means from 20 s to 100 s", promptsFrom, promptsTo, []string{"KV short", "Prefill short"}, []*watched{&r.runs[0][r.remedy], &r.runs[1][r.remedy]}, promptsDials()...)
	return []demo.Figure{f, r.sharesFigure()}
}

// queueAt is the queue of a side at the end.
func (r *promptsRun) queueAt(side int) float64 {
	y := r.runs[side][r.remedy].dials[sim.QueueDepth]
	return y[len(y)-1]
}

func (r *promptsRun) sharesFigure() demo.Figure {
	f := demo.Figure{ID: "shares", Title: "Requests that get their first token within 2 s", Kind: demo.Ranks}
	f.Ranking = demo.Ranking{Head: "Server", Columns: []demo.RankColumn{{Name: "As it is", Bar: true}, {Name: "Twice the KV", Bar: true}, {Name: "Twice the prefill", Bar: true}, {Name: "Both", Bar: true}}}
	for i, label := range []string{"short of KV", "short of prefill"} {
		row := demo.Rank{Label: label}
		for k, met := range r.met[i] {
			cell := demo.RankCell{Num: met, Text: text.Percent(met, 3)}
			if r.remedy == 0 && k > 0 {
				cell = demo.RankCell{Text: "try it"}
			}
			row.Cells = append(row.Cells, cell)
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Alt = "With this setting " + text.Percent(r.met[0][r.remedy], 3) + " of the requests short of KV are in time, and " + text.Percent(r.met[1][r.remedy], 3) + " of those short of prefill."
	f.Table = demo.RankTable(f)
	return f
}

func (r *promptsRun) Summary() demo.Sentence {
	what := [...]string{"As they are", "With twice the KV", "With twice the prefill speed", "With both doubled"}[r.remedy]
	out := demo.Say(what+", ", text.Percent(r.met[0][r.remedy], 3), " of the requests get their first token within 2 s where KV is short, ", text.Percent(r.met[1][r.remedy], 3),
		" where prefill is. KV occupancy is "+r.both(dialID(sim.KVOccupancy), 2)+", preemptions "+r.both(dialID(sim.PreemptionRate), 2)+" a second, and at the end "+
			text.Num(r.queueAt(0), 3)+" and "+text.Num(r.queueAt(1), 3)+" wait: ")
	return append(out, demo.Say(r.tells()+".")...)
}

// both is the mean of a dial on both sides.
func (r *promptsRun) both(d dialID, digits int) string {
	says := func(side int) string {
		if d == dialID(sim.KVOccupancy) {
			return text.Percent(r.mean(side, d), digits)
		}
		return text.Num(r.mean(side, d), digits)
	}
	return says(0) + " and " + says(1)
}

// What is enough to tell: a share that is in time, preemptions a second, a
// difference of occupancies.
const (
	wellFrom   = 0.9
	someThrown = 0.1
	fuller     = 0.2
)

// tells is what of all that tells the two servers apart in this state.
func (r *promptsRun) tells() string {
	well := [2]bool{r.met[0][r.remedy] >= wellFrom, r.met[1][r.remedy] >= wellFrom}
	var signs []string
	if math.Abs(r.mean(0, dialID(sim.KVOccupancy))-r.mean(1, dialID(sim.KVOccupancy))) > fuller {
		signs = append(signs, "occupancy")
	}
	if (r.mean(0, dialID(sim.PreemptionRate)) > someThrown) != (r.mean(1, dialID(sim.PreemptionRate)) > someThrown) {
		signs = append(signs, "preemptions")
	}
	switch {
	case well[0] && well[1]:
		return "both are well"
	case well[0]:
		return "the one short of KV is well, the one short of prefill is not"
	case well[1]:
		return "the one short of prefill is well, the one short of KV is not"
	case len(signs) == 1:
		return signs[0] + " tells the two apart, the queues do not"
	case len(signs) == 2:
		return text.List(signs, "and") + " tell the two apart, the queues do not"
	}
	return "nothing of it tells the two apart"
}

func (r *promptsRun) mean(side int, d dialID) float64 {
	return r.runs[side][r.remedy].mean(d, promptsFrom, promptsTo)
}

func (r *promptsRun) Metrics() []demo.Metric {
	var out []demo.Metric
	for i, side := range []string{"kv", "prefill"} {
		name := sideNames()[i]
		for k, remedy := range []string{"as_is", "kv_doubled", "prefill_doubled", "both_doubled"} {
			out = append(out, demo.Metric{Name: side + "_" + remedy, Label: name + ", in time, " + []string{"as it is", "KV doubled", "prefill doubled", "both doubled"}[k], Unit: "%",
				Value: 100 * r.met[i][k], Digits: 3, Spread: k == r.remedy})
		}
		out = append(out,
			demo.Metric{Name: side + "_occupancy", Label: name + ", KV occupancy", Unit: "%", Value: 100 * r.mean(i, dialID(sim.KVOccupancy)), Digits: 2},
			demo.Metric{Name: side + "_preemptions", Label: name + ", preemptions", Unit: "1/s", Value: r.mean(i, dialID(sim.PreemptionRate)), Digits: 2},
			demo.Metric{Name: side + "_queue", Label: name + ", waiting at the end", Unit: "requests", Value: r.queueAt(i)},
			demo.Metric{Name: side + "_batch", Label: name + ", running batch", Unit: "requests", Value: r.mean(i, dialID(sim.RunningBatch)), Digits: 3})
	}
	return out
}

func (r *promptsRun) Records() demo.Table {
	names := []string{"kv short", "prefill short"}
	return recordsOf(names, []*watched{&r.runs[0][r.remedy], &r.runs[1][r.remedy]})
}
