package sizing

import (
	"math"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// What the planner says, and its numbers.

func (r *capacityRun) Summary() demo.Sentence {
	if r.wrong != nil {
		return demo.Say("", r.blame(r.wrong))
	}
	p := r.plan()
	c, load := &r.a.workload.Classes[0], r.load()
	if !r.shown {
		return demo.Say("One replica of "+gpusOfKind(&r.a.deployment)+" holds ", text.Whole(p.BatchLimit)+" sequences", " of "+r.a.deployment.Model.Name+", and a step takes "+text.Seconds(p.WeightSeconds)+" before the first of them is in it. How many GPUs do "+load+" take, "+text.Num(c.PeakToMean, 3)+" times as many at the peak"+r.promise()+"? "+r.placed())
	}
	out := demo.Say(sentenceStart(load)+" take ", gpus(p.GPUs), ": "+boundName(p.Bound)+" binds. ")
	out = append(out, r.verdict()...)
	if r.a.priced {
		out = append(out, demo.Say(" The fleet costs ", text.USD(p.Cost.PerHour)+" an hour", ", "+text.USD(p.Cost.PerMInput)+" for a million input tokens and "+text.USD(p.Cost.PerMOutput)+" for a million output tokens.")...)
	}
	if r.a.why != "" {
		out = append(out, demo.Say(" "+r.a.unmeasured())...)
	}
	out = append(out, r.simulated()...)
	if r.wrongT != nil {
		out = append(out, demo.Say(" "+r.blame(r.wrongT))...)
	}
	if r.both && r.wrongB == nil {
		out = append(out, demo.Say(" Plan B takes ", gpus(r.planB.GPUs), r.cheaper()+".")...)
	}
	return append(out, r.next()...)
}

// load is what is asked for, in words.
func (r *capacityRun) load() string {
	says := ""
	for i := range r.a.workload.Classes {
		c := &r.a.workload.Classes[i]
		if i > 0 {
			says += " and "
		}
		says += text.Num(c.RequestsPerSec, 3) + " requests/s of " + text.Num(c.PromptTokens, 5) + " + " + text.Num(c.OutputTokens, 5) + " tokens"
	}
	return says
}

// promise is what must hold, in words.
func (r *capacityRun) promise() string {
	o, says := &r.a.objective, ""
	if o.TPOTSeconds > 0 {
		says += ", a token every " + text.Seconds(o.TPOTSeconds)
	}
	if o.TTFTSeconds > 0 {
		says += ", the first within " + text.Seconds(o.TTFTSeconds)
	}
	return says
}

// next is the lever that is off, does not take another model and saves most.
func (r *capacityRun) next() demo.Sentence {
	for _, id := range r.ablation.Ranked {
		if s := &r.ablation.Savings[id]; !s.On && !id.Lever().BuiltIn && s.Alone > 0 {
			return demo.Say(" Of the levers that take no other model and are off, the first to try is ", id.Lever().Name, ": "+gpusOf(s.Alone)+" less.")
		}
	}
	return demo.Say(" None of the levers that are off and take no other model saves anything.")
}

func sentenceStart(s string) string {
	if s[0] >= 'a' && s[0] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

func (r *capacityRun) cheaper() string {
	if !r.a.priced || !r.b.priced {
		return ""
	}
	return " for " + text.USD(r.planB.Cost.PerHour) + " an hour"
}

// simulated is what the kept simulations say of the plan, if it is a preset.
func (r *capacityRun) simulated() demo.Sentence {
	b, ok := r.a.kept()
	if !ok {
		return nil
	}
	fewest, runs := gpus(b.Most), text.Whole(b.Kept)+" of "+text.Count(b.Runs, "run", "runs")
	if b.Least < b.Most {
		fewest = text.Whole(b.Least) + " to " + fewest
	}
	switch {
	case b.Kept == b.Runs:
		return demo.Say(" Simulated, this fleet keeps every promise (of a mean) in ", "all "+text.Count(b.Runs, "run", "runs"), ".")
	case b.Least == 0:
		return demo.Say(" Simulated, this fleet keeps every promise (of a mean) in ", runs+" only", ", and no number of GPUs that was tried in all of them.")
	case b.Broken:
		return demo.Say(" Simulated, ", "this fleet does not keep what it promises", ": in "+runs+" it does. "+sentenceStart(fewest)+" do in all of them, by searches with seeds of their own.")
	}
	return demo.Say(" Simulated, this fleet keeps every promise (of a mean) in ", runs, ": at the edge. "+sentenceStart(fewest)+" do in all of them, by searches with seeds of their own.")
}

// placed is what is to be done before the plan is shown.
func (r *capacityRun) placed() string {
	if r.guess == 0 {
		return "Place your guess; then show the plan."
	}
	return "You say " + text.Num(r.guess, 5) + "; now show the plan."
}

// verdict compares the guess with the plan, if there is one.
func (r *capacityRun) verdict() demo.Sentence {
	off, guess := r.off(), "A guess of "+text.Num(r.guess, 5)
	switch b, kept := r.a.kept(); {
	case r.guess == 0:
		return demo.Say("", "Nobody has guessed", ", so nothing is marked: that takes a guess first, with the plan hidden.")
	case off == 1 && kept && b.Kept < b.Runs:
		return demo.Say(guess+": ", "what the plan says", ", and a plan is no proof.")
	case off == 1:
		return demo.Say(guess+": ", "exactly right", ".")
	case off <= 1.25:
		return demo.Say(guess+": ", "within a quarter", ".")
	case r.guess > float64(r.plan().GPUs):
		return demo.Say(guess+": ", text.Num(off, 2)+" times too many", ".")
	}
	return demo.Say(guess+": ", text.Num(off, 2)+" times too few", ".")
}

func (r *capacityRun) Metrics() []demo.Metric {
	p, nan := r.plan(), math.NaN()
	or := func(x float64, ok bool) float64 {
		if !ok {
			return nan
		}
		return x
	}
	possible := r.wrong == nil
	ok := possible && r.shown // what is hidden is in no metric either
	paid, solved := ok && r.a.priced, ok && r.a.priced && r.wrongT == nil
	okB := ok && r.both && r.wrongB == nil
	off := nan
	if ok {
		off = r.off()
	}
	m := []demo.Metric{
		{Name: "gpus", Label: "GPUs", Value: or(float64(p.GPUs), ok)},
		{Name: "gpus_real", Label: "GPUs as a real number", Value: or(p.GPUsFractional, ok), Digits: 4},
		{Name: "guess_off", Label: "Your guess is off by a factor of", Value: off, Digits: 3},
		{Name: "replicas", Label: "Replicas", Value: or(float64(p.Replicas), ok)},
		{Name: "weights", Label: "Weights", Unit: "GB", Value: or(r.input("free", "weights")/1e9, possible), Digits: 3},
		{Name: "free", Label: "Memory left for KV", Unit: "GB", Value: or(p.FreeBytes/1e9, possible), Digits: 3},
		{Name: "kv_sequence", Label: "KV of a sequence in memory", Unit: "MB", Value: or(r.input("Bmem", "seq")/1e6, possible), Digits: 3},
		{Name: "seats", Label: "Sequences that a replica holds", Value: or(float64(p.BatchLimit), possible)},
		{Name: "batch", Label: "Sequences at full load", Value: or(p.Batch, ok), Digits: 3},
		{Name: "step", Label: "A step before a sequence is in it", Unit: "ms", Value: or(1000*p.WeightSeconds, possible), Digits: 3},
		{Name: "prefill", Label: "Prefill of a request", Unit: "ms", Value: or(1000*p.PrefillSeconds, possible), Digits: 3},
		{Name: "sequence", Label: "What a sequence adds to a step", Unit: "ms", Value: or(1000*p.KVSeconds, possible), Digits: 3},
		{Name: "t_memory", Label: "Replica-seconds by memory", Unit: "s", Value: or(r.value("Tmem"), ok), Digits: 3},
		{Name: "t_tpot", Label: "Replica-seconds by the time per token", Unit: "s", Value: or(r.value("Ttpot"), ok), Digits: 3},
		{Name: "t_compute", Label: "Replica-seconds by arithmetic", Unit: "s", Value: or(r.value("Tcmp"), ok), Digits: 3},
		{Name: "alone_sum", Label: "What the levers save alone, summed", Unit: "GPUs", Value: or(r.ablation.AloneSum, ok && r.ablation.Known), Digits: 3},
		{Name: "together", Label: "What they save together", Unit: "GPUs", Value: or(r.ablation.None-r.ablation.All, ok && r.ablation.Known), Digits: 3},
		{Name: "replica_seconds", Label: "Replica-seconds of a request", Unit: "s", Value: or(p.ReplicaSeconds, ok), Digits: 3},
		{Name: "tpot", Label: "Time per token at full load", Unit: "ms", Value: or(1000*p.TPOTSeconds, ok), Digits: 3},
		{Name: "gap", Label: "Longest gap between tokens", Unit: "ms", Value: or(1000*p.LongestGapSeconds, ok), Digits: 3},
		{Name: "first", Label: "First token without a wait", Unit: "ms", Value: or(1000*p.FirstSeconds, ok), Digits: 3},
		{Name: "prefill_work", Label: "GPU-seconds of prefill a second", Value: or(p.PrefillGPUSecondsPerSec, ok), Digits: 3},
		{Name: "decode_work", Label: "GPU-seconds of decode a second", Value: or(p.DecodeGPUSecondsPerSec, ok), Digits: 3},
		{Name: "prefill_share", Label: "Of the work prefill", Unit: "%", Value: or(100*p.PrefillGPUSecondsPerSec/(p.PrefillGPUSecondsPerSec+p.DecodeGPUSecondsPerSec), ok), Digits: 3},
		{Name: "usd_hour", Label: "An hour", Unit: "$", Value: or(p.Cost.PerHour, paid), Digits: 3},
		{Name: "usd_input", Label: "A million input tokens", Unit: "$", Value: or(p.Cost.PerMInput, paid), Digits: 3},
		{Name: "usd_output", Label: "A million output tokens", Unit: "$", Value: or(p.Cost.PerMOutput, paid), Digits: 3},
		{Name: "usd_output_all", Label: "A million output tokens, input free", Unit: "$", Value: or(p.Cost.PerMOutputAll, paid), Digits: 3},
		{Name: "usd_read", Label: "A million output tokens that are read, input free", Unit: "$", Value: or(p.Cost.PerMShown, paid), Digits: 3},
		{Name: "usd_request", Label: "A request", Unit: "$", Value: or(p.Cost.PerRequest, paid), Digits: 3},
		{Name: "usd_task", Label: "A task, solved or given up", Unit: "$", Value: or(r.taskA.PerTask, solved), Digits: 3},
		{Name: "usd_solved", Label: "A task that is solved", Unit: "$", Value: or(r.taskA.PerSuccess, solved), Digits: 3},
		{Name: "kilowatts", Label: "Power, at most", Unit: "kW", Value: or(r.kilowatts(), ok && r.powerA != nil), Digits: 3},
		{Name: "kwh_output", Label: "Energy of a million output tokens, at most", Unit: "kWh", Value: or(r.energy(), ok && r.powerA != nil), Digits: 3},
		{Name: "found", Label: "Found in the prefix cache", Unit: "%", Value: or(100*r.a.workload.Classes[0].HitFrac, possible), Digits: 3},
		{Name: "bench_rate", Label: "Load of the next benchmark", Unit: "requests/s", Value: nan, Digits: 4},
		{Name: "b_gpus", Label: "GPUs of plan B", Value: or(float64(r.planB.GPUs), okB)},
		{Name: "b_usd_hour", Label: "An hour of plan B", Unit: "$", Value: or(r.planB.Cost.PerHour, okB && r.b.priced), Digits: 3},
		{Name: "b_usd_solved", Label: "A solved task of plan B", Unit: "$", Value: or(r.taskB.PerSuccess, okB && r.b.priced && r.wrongT == nil), Digits: 3},
	}
	for i := range m {
		if ok && m[i].Name == "bench_rate" {
			m[i].Value = r.bench().rate
		}
	}
	for id := range planner.Inputs {
		span := nan
		for i := range r.moves {
			if r.moves[i].Input == id {
				span = r.moves[i].Span
			}
		}
		m = append(m, demo.Metric{Name: "moves_" + id.String(), Label: moveNames[id] + ", 20% less to 20% more", Unit: "GPUs", Value: span, Digits: 3})
	}
	for id := range planner.Levers {
		s := &r.ablation.Savings[id]
		name := strings.ReplaceAll(id.Lever().Slug, "-", "_")
		m = append(m,
			demo.Metric{Name: "saves_" + name, Label: id.Lever().Name + " saves alone", Unit: "GPUs", Value: or(s.Alone, ok && !s.Needed && !s.Harmful), Digits: 3},
			demo.Metric{Name: "rank_" + name, Label: id.Lever().Name + ", place", Value: or(float64(s.Rank), ok)})
	}
	return m
}

func (r *capacityRun) kilowatts() float64 {
	if r.powerA == nil {
		return 0
	}
	return r.powerA.FacilityWatts / 1000
}

func (r *capacityRun) energy() float64 {
	if r.powerA == nil {
		return 0
	}
	return kWhPerM(r.powerA)
}

// value is that of an equation.
func (r *capacityRun) value(symbol string) float64 {
	l, _ := find(r.links, symbol)
	return l.Value
}

// input is a value in an equation.
func (r *capacityRun) input(symbol, in string) float64 {
	l, _ := find(r.links, symbol)
	for _, i := range l.Inputs {
		if i.Symbol == in {
			return i.Value
		}
	}
	return math.NaN()
}
