package harness

import (
	"math"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/harness/command"
	"openloop/content/demo/text"
)

// What is said of a command and of its runs.

func (r *harnessRun) Summary() demo.Sentence {
	if r.read.Why != "" {
		return demo.Say("", "Nothing was read", ". "+r.read.Why)
	}
	what, o := r.read.Tool+" with these flags is ", r.main()
	if o == nil {
		loop := command.Unknown
		if len(r.read.Runs) > 0 {
			loop = r.read.Runs[0].Loop
		}
		if loop == command.Unknown {
			return demo.Say(r.read.Tool+": ", "which loop it is, the command does not say", ". "+r.refused)
		}
		if len(r.read.Runs) > 1 {
			return demo.Say(what, "several runs, each with its own loop", ": "+r.list()+". "+r.refused)
		}
		return demo.Say(what, r.article(r.read.Runs[0]), ". "+r.refused)
	}
	if n := len(r.read.Runs) + r.read.More; n > 1 {
		return demo.Say(what, text.Whole(n)+" runs, each with its own loop", ": "+r.list()+". The last one simulated gets "+text.Num(o.perSec, 3)+" requests/s, with a p99 time to first token of "+duration(at(o.tool, 0.99), 2)+".")
	}
	return demo.Say(what, r.article(o.run), ". "+r.tell(o))
}

// article is a run as what the command is.
func (r *harnessRun) article(run command.Run) string {
	switch run.Loop {
	case command.Open:
		return "an open loop"
	case command.Closed:
		if run.Clients == 0 {
			return "a closed loop, of how many clients the command does not say"
		}
		return "a closed loop of " + text.Count(run.Clients, "client", "clients")
	case command.Throttled:
		if run.Clients == 0 {
			return "a throttled loop: a schedule with a cap, of how many clients the command does not say"
		}
		return "a schedule with a cap, open until " + text.Whole(run.Clients) + " are in flight and closed from then on"
	case command.Burst:
		return "one burst: every request leaves at second 0"
	case command.Batches:
		if run.Clients == 0 {
			return "one batch after another, of how many requests the command does not say"
		}
		return "one batch of " + text.Whole(run.Clients) + " after another"
	case command.Ramp:
		return "an open loop whose rate climbs"
	case command.Replay:
		return "a replay of recorded times"
	}
	return "no harness that can be told"
}

// list names the runs.
func (r *harnessRun) list() string {
	var names []string
	for _, run := range r.read.Runs {
		names = append(names, loopText(run))
	}
	out := strings.Join(names, "; ")
	if r.read.More != 0 {
		out += "; and " + r.more() + " more"
	}
	return out
}

// more is how many runs there are beside those that are read.
func (r *harnessRun) more() string {
	if r.read.More < 0 {
		return "an unknown number"
	}
	return text.Whole(r.read.More)
}

// tell is what the one run simulated came to.
func (r *harnessRun) tell(o *outcome) string {
	rate, p99 := text.Num(o.perSec, 3)+" requests/s", duration(at(o.tool, 0.99), 2)
	open := ""
	if r.open.results != nil {
		open = duration(at(r.open.tool, 0.99), 2)
	}
	switch o.run.Loop {
	case command.Open:
		out := "Asked for " + text.Num(o.run.Rate, 3) + " requests/s, the server finished " + rate + "; p99 time to first token is " + p99 + "."
		if o.perSec < 0.9*o.run.Rate && at(o.tool, 0.99) > 5 {
			out += " That is more than this server can do: the latency is that of a queue which grows as long as the test lasts."
		}
		return out
	case command.Closed:
		out := "The " + rate + " that came out are what " + text.Count(o.run.Clients, "client", "clients") + " can ask of this server, not what it can do; p99 time to first token is " + p99
		if open != "" {
			out += ", and " + open + " if the same requests come by themselves at that rate"
		}
		return out + "."
	case command.Throttled:
		if o.held == 0 {
			return "The cap was never reached, so this time it was an open loop: " + rate + ", p99 time to first token " + p99 + "."
		}
		return "Asked for " + text.Num(o.run.Rate, 3) + " requests/s it got " + rate + ". p99 time to first token is " + p99 + " by the tool's clock and " + duration(at(o.schedule, 0.99), 2) +
			" from the schedule; " + text.Count(o.held, "request", "requests") + " waited in the client."
	case command.Burst:
		out := "The " + rate + " are the speed at which " + text.Whole(o.sent) + " requests were worked off in " + text.Num(o.seconds, 3) + " s. p99 time to first token, " + p99 +
			", is a place in a queue that the test made itself"
		if open != "" {
			out += "; at 80% of that rate an open loop has " + open
		}
		return out + "."
	case command.Batches:
		return "Each batch waits for the slowest request of the one before: " + rate + ", with no queue and no arrivals."
	case command.Ramp:
		return "p99 time to first token over the whole climb is " + p99 + ", which belongs to no single rate."
	}
	return ""
}

// tokens is a distribution of lengths in words.
func tokens(t command.Tokens) string {
	switch t.Kind {
	case command.Fixed:
		return text.Num(t.Mean, 6) + " tokens, all of them"
	case command.Uniform:
		return text.Whole(t.Lo) + " to " + text.Whole(t.Hi) + " tokens, uniform"
	case command.Normal:
		return "normal, mean " + text.Num(t.Mean, 6) + ", deviation " + text.Num(t.SD, 6) + " tokens"
	}
	return "not in the command"
}

func clockText(c command.Clock) string {
	switch c {
	case command.AfterCap:
		return "at the send, once the cap has let the request through"
	case command.FromSchedule:
		return "at the instant of the schedule"
	case command.NoLatency:
		return "no latency of a request is measured"
	}
	return "at the send"
}

// problem is what is wrong, in words.
func problem(p command.Problem) (name, says string) {
	name = strings.TrimSpace(p.Flag + " " + p.Value)
	if name == "" {
		name = "The text"
	}
	name = text.Quote(name, 60) // so that nothing in it stays unseen
	name = name[1 : len(name)-1]
	switch p.Trouble {
	case command.UnknownFlag:
		says = "is no flag of this tool that is known here; it was left out"
	case command.BadValue:
		says = "the tool would refuse it"
	case command.Variable:
		says = "only your shell knows this value; put the number in"
	case command.Contradiction:
		says = "does not go with the rest"
	case command.NoEffect:
		says = "changes nothing"
	case command.Quoting:
		says = "has a quote that is not closed"
	}
	if p.Says != "" {
		says += ": " + p.Says
	}
	return name, says
}

// notSaid stands for a number that the command does not give, or gives in a way
// that only a shell can read.
const notSaid = "not in the command"

// rateText is the schedule of a run.
func rateText(run command.Run) string {
	switch run.Loop {
	case command.Open, command.Throttled:
		if run.Rate == 0 {
			return notSaid
		}
		return text.Num(run.Rate, 4) + " requests/s, " + gapsText(run.Shape)
	case command.Ramp:
		if run.RateEnd == 0 {
			return notSaid
		}
		return text.Num(run.Rate, 4) + " to " + text.Num(run.RateEnd, 4) + " requests/s"
	case command.Replay:
		return "that of the trace"
	case command.Unknown:
		return notSaid
	}
	return "none: it comes out"
}

func gapsText(shape float64) string {
	switch {
	case shape == 0:
		return "even gaps"
	case shape == 1:
		return "Poisson"
	}
	cv := 1 / math.Sqrt(shape)
	return "gamma gaps with a coefficient of variation of " + text.Num(cv, 2)
}

// Events is that of Task.
func (r *harnessRun) Events() []demo.Event {
	var out []demo.Event
	for i := range r.runs {
		o := &r.runs[i]
		if o.results == nil || o.sent == 0 {
			continue
		}
		out = append(out, demo.Event{At: math.NaN(), Says: demo.Say(o.name + ", " + loopText(o.run) + ": " + text.Whole(o.sent) + " requests sent, " + text.Whole(o.done) + " answered in " + text.Num(o.seconds, 3) +
			" s; in flight " + text.Num(o.inFlight, 3) + " in the mean, " + text.Num(o.peak, 3) + " at most.")})
	}
	return out
}
