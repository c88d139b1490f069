package harness

import (
	"math"

	"openloop/content/demo/harness/command"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// From what a command says to simulations, and what is said where a simulation
// is not the command.

// Bounds of what is simulated.
const (
	mostRequests = 3000
	mostSeconds  = 3600.0
	mostTokens   = 100_000 // of a prompt or an answer, a quarter of the server's memory
	mostWork     = 6e6     // tokens of all answers
	someSeconds  = 60.0    // where a command says no end
)

// plan adds a simulation of every run whose load is known.
func (r *harnessRun) plan() {
	if r.read.Why != "" {
		r.refused = r.read.Why
		return
	}
	if r.unread() {
		return
	}
	lengths, ok := r.lengths()
	if !ok {
		return
	}
	for i, run := range r.read.Runs {
		r.runs = append(r.runs, outcome{run: run, name: runName(run, i)})
	}
	for i := range r.runs {
		load, ok := r.load(r.runs[i].run, lengths)
		if !ok {
			continue
		}
		r.Add(replica.Job{Config: r.config, Load: load, Seed: uint64(r.seed), Done: func(res *sim.Results) {
			r.runs[i].take(res, r.read.Clock)
			if i == len(r.runs)-1 {
				r.compare(load)
			}
		}})
	}
}

// unread refuses a load of which a part is given and cannot be read: what the
// tool does where nothing is given would be another load.
func (r *harnessRun) unread() bool {
	flags := r.read.Unread
	if len(flags) == 0 {
		return false
	}
	if len(r.read.Runs) > 0 && (r.read.Runs[0].Loop == command.Unknown || r.read.Runs[0].Loop == command.Replay) {
		r.generator(r.read.Runs[0]) // which says it better
	}
	r.refuse("Nothing is simulated, for the " + text.Verb(len(flags), "value", "values") + " of " + text.List(flags, "and") + " cannot be read here; type " + text.Verb(len(flags), "it", "them") + " out.")
	return true
}

func runName(run command.Run, i int) string {
	switch {
	case run.Name == "":
		return "command"
	case run.Loop == command.Closed && run.Name != "synchronous":
		return text.Count(run.Clients, "client", "clients")
	case run.Loop == command.Open:
		return run.Name + "/s"
	}
	return run.Name
}

// load is a run as a workload; ok is false if it cannot be one.
func (r *harnessRun) load(run command.Run, lengths sim.Lengths) (w sim.Workload, ok bool) {
	w.Lengths = lengths
	g, ok := r.generator(run)
	if !ok {
		return w, false
	}
	w.Generator, w.Requests = g, r.read.Requests
	until := r.read.Seconds
	switch {
	case w.Requests == 0 && run.Loop == command.Burst:
		w.Requests = 1000
		r.note("The command does not say how many requests; 1,000 are simulated.")
	case w.Requests == 0 && until == 0:
		until = someSeconds
		r.note("The command does not say when to stop; one minute is simulated.")
	case run.Loop == command.Burst:
		until = 0 // they all leave at once
	}
	if until > 0 && until < 0.001 {
		r.refuse("A run of " + text.Num(until, 2) + " s is over before it has begun.")
		return w, false
	}
	if until > mostSeconds {
		r.note("It asks for " + text.Num(until, 3) + " s; the first hour is simulated.")
		until = mostSeconds
	}
	most := mostRequests
	if t := r.read.Output; t.Kind != command.NotSaid {
		most = max(1, min(most, int(mostWork/max(1, t.Mean+t.SD))))
	}
	if w.Requests > most || w.Requests == 0 {
		if w.Requests > 0 {
			r.note("The first " + text.Whole(most) + " of " + text.Whole(w.Requests) + " requests are simulated.")
		}
		w.Requests = most
	}
	if until > 0 {
		w.Until = sim.Seconds(until)
	}
	if b, ok := g.(sim.MLPerfMultiStream); ok {
		w.Requests = max(1, w.Requests/b.SamplesPerQuery) * b.SamplesPerQuery
	}
	if w.Until == 0 && run.Rate > 0 && float64(w.Requests) > float64(run.Rate*mostSeconds) {
		w.Until = sim.Seconds(mostSeconds)
		r.note("At this rate it would take longer; the first hour is simulated.")
	}
	return w, true
}

// generator is a run's loop; ok is false, and said why, if it is not known.
func (r *harnessRun) generator(run command.Run) (sim.Generator, bool) {
	rateKnown := run.Rate >= 0.001 && run.Rate <= 100_000
	switch run.Loop {
	case command.Open, command.Throttled:
		if !rateKnown || run.Loop == command.Throttled && run.Clients < 1 {
			r.refuse("A rate of " + text.Num(run.Rate, 3) + " requests/s is not simulated; 0.001 to 100,000 are.")
			return nil, false
		}
		a := arrivals(run)
		if run.Loop == command.Throttled {
			return sim.Throttled{Arrivals: a, MaxInFlight: min(run.Clients, sim.MaxClients)}, true
		}
		return sim.OpenLoop{Arrivals: a}, true
	case command.Closed:
		return sim.ClosedLoop{Clients: min(max(1, run.Clients), sim.MaxClients)}, true
	case command.Burst:
		return sim.OpenLoop{Arrivals: sim.Burst{}}, true
	case command.Batches:
		return sim.MLPerfMultiStream{SamplesPerQuery: min(max(1, run.Clients), mostRequests)}, true
	case command.Ramp:
		if !(run.Rate >= 0 && run.RateEnd >= 0.001 && run.RateEnd <= 100_000 && run.Rate <= run.RateEnd) {
			r.refuse("A ramp from " + text.Num(run.Rate, 3) + " to " + text.Num(run.RateEnd, 3) + " requests/s is not simulated.")
			return nil, false
		}
		// It climbs request by request; over time that is near a line whose mean is the middle.
		over := float64(min(max(r.read.Requests, 2), mostRequests)) * 2 / (run.Rate + run.RateEnd)
		return sim.OpenLoop{Arrivals: sim.Ramp{FromPerSec: run.Rate, ToPerSec: run.RateEnd, Over: sim.Seconds(max(0.001, min(over, mostSeconds)))}}, true
	case command.Replay:
		r.refuse("The times of requests are in the trace, which is not here.")
		return nil, false
	}
	r.refuse("The command does not say when requests leave, so there is nothing to simulate.")
	return nil, false
}

// arrivals is the schedule of a run with a rate.
func arrivals(run command.Run) sim.Arrivals {
	switch {
	case run.Shape == 0 || run.Shape > 1e4:
		return sim.Constant{RatePerSec: run.Rate}
	case run.Shape == 1:
		return sim.Poisson{RatePerSec: run.Rate}
	}
	return sim.Gamma{RatePerSec: run.Rate, Burstiness: max(run.Shape, 0.01)}
}

// lengths are those of the command, or the usual mix where it does not say.
func (r *harnessRun) lengths() (sim.Lengths, bool) {
	usual := replica.Lengths().(sim.Separate)
	prompt, ok1 := r.count(r.read.Prompt, usual.Prompt, "prompts", replica.MeanPrompt)
	output, ok2 := r.count(r.read.Output, usual.Output, "answers", replica.MeanOutput)
	return sim.Separate{Prompt: prompt, Output: output}, ok1 && ok2
}

func (r *harnessRun) count(t command.Tokens, usual sim.Count, what string, mean int) (sim.Count, bool) {
	longest := max(t.Mean+float64(5*t.SD), float64(t.Hi))
	switch {
	case t.Kind == command.NotSaid:
		r.note("How long " + what + " are is not in the command; the usual mix is simulated, " + text.Whole(mean) + " tokens in the mean.")
		return usual, true
	case !(longest <= mostTokens):
		r.refuse(text.Num(longest, 3) + " tokens are more than is simulated: at most " + text.Whole(mostTokens) + " a prompt or an answer.")
		return nil, false
	case t.Kind == command.Uniform:
		return sim.UniformCount{Min: int32(max(1, t.Lo)), Max: int32(max(1, t.Lo, t.Hi))}, true
	case t.Kind == command.Normal:
		return sim.NormalCount{Mean: t.Mean, SD: t.SD, Min: 1, Max: int32(max(1, math.Ceil(longest)))}, true
	}
	return sim.FixedCount(max(1, int32(t.Mean+0.5))), true
}

// compare runs the same requests as people would send them who do not know of
// each other, at the rate that came out, or at 80% of it where that is the rate
// at which a pile was worked off.
func (r *harnessRun) compare(load sim.Workload) {
	o := r.main()
	if o == nil || o.perSec <= 0 || o.run.Loop == command.Ramp {
		return
	}
	if o.run.Loop == command.Open && o.run.Shape == 1 {
		return // it is one
	}
	r.share = 1
	if o.run.Loop == command.Burst {
		r.share = 0.8
	}
	if o.run.Loop == command.Open {
		r.share = o.run.Rate / o.perSec // the rate asked for
	}
	rate := float64(r.share * o.perSec)
	if rate < 0.03 {
		r.share = 0 // it would take days
		return
	}
	load.Generator = sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: rate}}
	load.Requests, load.Until = o.sent, 0
	r.open = outcome{name: "open loop", run: command.Run{Loop: command.Open, Rate: rate, Shape: 1}}
	r.Add(replica.Job{Config: r.config, Load: load, Seed: uint64(r.seed), Done: func(res *sim.Results) { r.open.take(res, command.FromSchedule) }})
}

func (r *harnessRun) note(says string) {
	for _, n := range r.notes {
		if n == says {
			return
		}
	}
	r.notes = append(r.notes, says)
}

func (r *harnessRun) refuse(says string) {
	if r.refused == "" {
		r.refused = says
	}
}
