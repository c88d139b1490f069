package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
)

// The dashboard of a cluster: pull a lever, watch eight signals, apply a remedy.

func eightSignals() *demo.Demo {
	return &demo.Demo{
		ID: "eight-signals", Version: 1, Title: "Eight signals of a failing cluster",
		Lead:   "Choose a failure: that is the lever. Play the run from its start, see which signals leave their green bands and which is first, and read it before the rules do. Then choose a remedy, also a wrong one. Four simulated replicas, at half of what they can serve until 40 s.",
		Limits: "A simulated cluster: four replicas of an engine like vLLM's, with step times of a fictitious GPU (see the chapter on the simulator for what is not modeled). Most remedies are in place from the start, as settings are. The rules that read the run see its windows and nothing else.",
		Knobs: []demo.Knob{
			leverKnob("lever", "Failure (the lever)", "What is broken, from the start of the shaded span to its end.", "kv_squeeze", ""),
			{Name: "strength", Label: "Strength", Unit: "% of the matrix's", Doc: "100% is the lever as in the matrix of signatures. A restart is of a whole replica at any strength.", Default: 100, Min: 10, Max: 100, Step: 5},
			remedyKnob(),
			{Name: "from", Label: "Begins", Unit: "s", Doc: "Before 20 s the batch is still filling.", Default: 40, Min: 24, Max: 72, Step: 4, Whole: true, Group: groupWhen},
			{Name: "lasts", Label: "Lasts", Unit: "s", Doc: "The run ends at 100 s, whether or not the failure does.", Default: 40, Min: 8, Max: 60, Step: 4, Whole: true, Group: groupWhen},
			leverKnob("second", "Second failure", "At the same time as the first.", noLever, groupSecond),
			{Name: "strength2", Label: "Its strength", Unit: "% of the matrix's", Doc: "Of the second failure.", Default: 100, Min: 10, Max: 100, Step: 5, Group: groupSecond},
		},
		Groups: []demo.Group{{Title: groupWhen}, {Title: groupSecond}},
		Presets: []demo.Preset{
			{Name: "All is well", State: "lever=none", Says: "What the bands are made of. The GPUs are busy all the time."},
			{Name: "KV squeeze", State: "", Says: "Blocks leak. Utilization stays where it was; goodput halves."},
			{Name: "Mended", State: "remedy=mend", Says: "The leak is stopped 12 s after it began."},
			{Name: "Chunking lost", State: "lever=chunking_off", Says: "One signal moves, no promise is broken, and people complain."},
			{Name: "Retry storm", State: "lever=retry_storm", Says: "The stall is over at 48 s. The storm is not."},
			{Name: "Two at once", State: "lever=draft_collapse&second=straggler", Says: "Each has its own sign: the accepted length, and one replica's gaps."},
		},
		Bet: &demo.Bet{
			Question: "Answers begin to grow, to eight times their length. Which of these leaves its band first?",
			Options:  []string{"queue depth", "TTFT p99", "running batch or KV occupancy", "preemptions"},
			Reveal:   "lever=long_output_drift",
			By:       []string{"kv_left", "batch_left", "queue_left"},
			Answer: func(t demo.Task) int {
				return t.(*eightRun).earliest([]sim.SignalID{sim.QueueDepth}, []sim.SignalID{sim.TTFTp99}, []sim.SignalID{sim.RunningBatch, sim.KVOccupancy}, []sim.SignalID{sim.PreemptionRate})
			},
			Feedback: []string{
				"Nobody waits as long as there are seats and blocks, and there are for a while. The queue comes late in this one.",
				"A first token does not wait for other people's long answers until seats run out.",
				"As many come as before, each stays longer and holds more. So batch and blocks fill, one a window or so before the other, long before anybody waits.",
				"It takes a full cache to preempt. Answers that grow fill it bit by bit.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Band", TeX: `[\,x_{(0.005)},\ x_{(0.995)}\,]`, Says: "of all windows from 20 s on of 30 healthy runs, by nearest rank; a signal has moved if a quarter of its windows in the shaded span lie beyond one side"},
			{Name: "Goodput", TeX: `G = \frac{\#\{\text{completed with } \text{TTFT} \le 2\ \text{s},\ \text{TPOT} \le 100\ \text{ms}\}}{4\ \text{s}}`, Says: "requests of a window that completed within both limits"},
			{Name: "Step", TeX: `t = 24.4 + 0.0641\,P + 0.0328\,B + 0.008\,D + 1.77\cdot 10^{-4}\,K\ \text{ms}`, Says: "P prompt tokens in the step, B decoding requests, D drafted tokens, K tokens of KV cache that they read: four times the times of the other chapters' server, as of a model four times as large, an assumption"},
		},
		Start: startEight,
	}
}

const (
	groupWhen   = "When"
	groupSecond = "A second failure"
)

// eightRun is an incident with its eight signals.
type eightRun struct {
	incident
}

func startEight(v demo.Values, seed uint32) (demo.Task, error) {
	r := new(eightRun)
	return r, r.begin(planOf(v, seed), nil)
}

// planOf are the settings of the dashboard.
func planOf(v demo.Values, seed uint32) plan {
	from := sim.Seconds(v.Num("from"))
	return plan{
		levers:    [2]string{v.Option("lever"), v.Option("second")},
		strengths: [2]float64{v.Num("strength") / 100, v.Num("strength2") / 100},
		from:      from, to: from + sim.Seconds(v.Num("lasts")),
		remedy: v.Option("remedy"), seed: seed,
	}
}

// Reuse is that of demo.Reusable: what was seen before needs no other run.
func (r *eightRun) Reuse(v demo.Values, seed uint32) (demo.Task, bool) {
	next := new(eightRun)
	return next, next.begin(planOf(v, seed), &r.incident) == nil
}

// Spans over which a dial is averaged, in seconds: before, during, after.
func (r *eightRun) phases() [3][2]float64 {
	from, to := r.plan.from.Seconds(), min(r.plan.to.Seconds(), r.span())
	return [3][2]float64{{20, from}, {from, to}, {to, r.span()}}
}

// phase is the mean of a dial in one of them, as far as windows are known.
func (r *eightRun) phase(w *watched, d dialID, k int) float64 {
	p := r.phases()[k]
	return w.mean(d, p[0], min(p[1], r.at))
}

func (r *eightRun) Metrics() []demo.Metric {
	whole := *r
	whole.at = r.span()
	r = &whole
	n := len(r.run.windows)
	good := func(name, label string, w *watched, phase int, spread bool) demo.Metric {
		return demo.Metric{Name: name, Label: label, Unit: "requests/s", Value: r.phase(w, dialGoodput, phase), Digits: 3, Spread: spread}
	}
	out := []demo.Metric{
		good("goodput_before", "Goodput before", &r.run, 0, false),
		good("goodput_during", "Goodput during the failure", &r.run, 1, true),
		good("goodput_after", "Goodput after it", &r.run, 2, true),
		good("bare_during", "Goodput during the failure, without the remedy", &r.bare, 1, false),
		good("bare_after", "Goodput after it, without the remedy", &r.bare, 2, false),
		{Name: "offered_during", Label: "Offered during the failure", Unit: "requests/s", Value: r.phase(&r.run, dialOffered, 1), Digits: 3},
		{Name: "offered_after", Label: "Offered after it", Unit: "requests/s", Value: r.phase(&r.run, dialOffered, 2), Digits: 3},
		{Name: "busy_before", Label: "GPU utilization before", Unit: "%", Value: 100 * r.phase(&r.run, dialUtilization, 0), Digits: 3},
		{Name: "busy_during", Label: "GPU utilization during the failure", Unit: "%", Value: 100 * r.phase(&r.run, dialUtilization, 1), Digits: 3},
	}
	moves := 0
	for id := range sim.NumSignals {
		m, name := r.move(&r.run, dialID(id), n), signalNames[id]
		at := math.NaN()
		if m.first >= 0 {
			at = r.run.windows[m.first].End
			moves++
		}
		out = append(out,
			demo.Metric{Name: name + "_left", Label: id.Describe().Name + " leaves its band, end of the window", Unit: "s", Value: at},
			demo.Metric{Name: name + "_move", Label: id.Describe().Name + " moves, 1 up, -1 down", Value: float64(m.move)},
			demo.Metric{Name: name + "_during", Label: id.Describe().Name + ", mean during the failure", Unit: dialID(id).words().unit, Value: r.phase(&r.run, dialID(id), 1), Digits: 3})
	}
	return append(out, demo.Metric{Name: "moved", Label: "Signals that moved", Value: float64(moves), Spread: true})
}

// Records are the windows of the run, and of the one without its remedy.
func (r *eightRun) Records() demo.Table {
	if r.plan.remedy == "none" {
		return recordsOf([]string{"run"}, []*watched{&r.run})
	}
	return recordsOf([]string{"run", "without remedy"}, []*watched{&r.run, &r.bare})
}

// earliest is which of some groups of signals has the one that left its band first;
// the first of them if none did.
func (r *eightRun) earliest(groups ...[]sim.SignalID) int {
	out, first := 0, -1
	for i, ids := range groups {
		for _, id := range ids {
			if m := r.move(&r.run, dialID(id), len(r.run.windows)); m.first >= 0 && (first < 0 || m.first < first) {
				out, first = i, m.first
			}
		}
	}
	return out
}

// failureText names what is broken: "KV squeeze, 88% as the share of the blocks".
func (r *eightRun) failureText() string {
	out := ""
	for i, id := range r.plan.levers {
		if l := leverOf(id); l != nil {
			if out != "" {
				out += ", and "
			}
			out += l.Name + ", " + Strength(l, intensity(l, r.plan.strengths[i]))
		}
	}
	return out
}

func names(ids []sim.SignalID) string {
	var out []string
	for _, id := range ids {
		out = append(out, id.Describe().Name)
	}
	return text.List(out, "and")
}
