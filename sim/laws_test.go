package sim

import (
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
)

// Laws hold for every run, whatever is configured. They are checked on random
// runs, from what a run recorded alone: a law knows no scheduler.
//
// ledger_test.go holds the laws that need the steps told again piece by piece.

// laws are functions from a run to what is wrong with it; "" if nothing is.
var laws = []struct {
	name  string
	wrong func(c Config, specs []Spec, r *Results) string
}{
	{"requests are conserved", requestsConserved},
	{"tokens are conserved", tokensConserved},
	{"time stamps are causal", causal},
	{"steps follow one another", stepsFollow},
	{"no step starts in a pause", pausesKept},
	{"no gap while requests are there", noGaps},
	{"Little's law", little},
	{"samples add up to totals", samplesAddUp},
	{"progress", progress},
	{"the steps tell the same story", replayed},
}

// runs is how many random configurations to try.
func runs() uint64 {
	if os.Getenv("OPENLOOP_LONG") != "" {
		return 10_000
	}
	return 300
}

func TestLaws(t *testing.T) {
	for seed := range runs() {
		pick := seededChooser(seed)
		c := cornerConfig(pick)
		specs := cornerSpecs(pick, c)
		for _, j := range judged {
			if !lawful(t, j.name, c, specs, seed, openLoop(j.from)) {
				return
			}
		}
	}
}

// lawful reports the first law that a run breaks, on the smallest run found
// that breaks it too.
func lawful(t *testing.T, name string, c Config, specs []Spec, seed uint64, run runner) bool {
	t.Helper()
	r := run(c, specs, seed)
	for _, law := range laws {
		wrong := law.wrong(c, specs, r)
		if wrong == "" {
			continue
		}
		c, specs = shrink(c, specs, func(c Config, specs []Spec) bool {
			return law.wrong(c, specs, run(c, specs, seed)) != ""
		})
		t.Errorf("%s breaks a law: %s: %s\nseed %d\nc := %s\nspecs := %s", name, law.name,
			law.wrong(c, specs, run(c, specs, seed)), seed, literal(c), literal(specs))
		return false
	}
	return true
}

// requestsConserved: what was sent has ended in one of four ways, or waits, or
// runs; and a status agrees with the stamps.
func requestsConserved(c Config, specs []Spec, r *Results) string {
	sent := len(r.SentAt)
	whole := r.EndAt < Seconds(MaxSeconds) && (c.Horizon == 0 || r.EndAt < c.Horizon)
	if whole && sent != len(specs) {
		return strconv.Itoa(sent) + " requests sent"
	}
	for i, s := range r.Status {
		switch {
		case s.Final() == (r.DoneAt[i] == Never):
			return "done, and when: request " + strconv.Itoa(i)
		case whole && !s.Final():
			return "never ends: request " + strconv.Itoa(i)
		case s == Completed && r.Generated[i] != r.Output[i]:
			return "completed without all its tokens: request " + strconv.Itoa(i)
		case s == TimedOut && c.Timeout == 0:
			return "timed out without a timeout: request " + strconv.Itoa(i)
		case s == Dropped && c.MaxWaiting == 0 && !crashes(c):
			return "dropped without a limit: request " + strconv.Itoa(i)
		case s == Aborted && !crashes(c):
			return "lost without a crash: request " + strconv.Itoa(i)
		case (r.Replica[i] == -1) != (s == Failed || s == Dropped):
			return "no replica: request " + strconv.Itoa(i)
		case (s == Failed || s == Dropped) && (r.Generated[i] != 0 || r.AdmittedAt[i] != Never || r.DoneAt[i] != r.SentAt[i]):
			return "refused on arrival, and yet: request " + strconv.Itoa(i)
		case r.Generated[i] < 0 || r.Generated[i] > r.Output[i] || (r.Generated[i] > 0) != (r.FirstTokenAt[i] != Never):
			return "generated: request " + strconv.Itoa(i)
		case r.Cached[i] < 0 || r.Cached[i] >= r.Prompt[i]:
			return "cached: request " + strconv.Itoa(i)
		}
	}
	return ""
}

// tokensConserved: every token generated is a first token, or counted as
// decoded; the gaps are those between instants with tokens.
func tokensConserved(c Config, _ []Spec, r *Results) string {
	var generated, firsts, preempted, before, by int64
	for i, n := range r.Generated {
		generated += int64(n)
		preempted += int64(r.Preemptions[i])
		if n > 0 {
			firsts++
		}
	}
	for _, s := range r.Steps {
		before += int64(b2i(s.End < r.EndAt))
		by += int64(b2i(s.End <= r.EndAt))
	}
	t := r.Totals
	switch {
	case generated != firsts+t.DecodeTokens:
		return "decoded " + strconv.FormatInt(t.DecodeTokens, 10)
	case preempted != t.Preempted:
		return "preempted " + strconv.FormatInt(t.Preempted, 10)
	case r.ITL.Count() != t.DecodeTokens-t.Accepted:
		return "gaps " + strconv.FormatInt(r.ITL.Count(), 10)
	case t.Accepted > t.Drafted || t.Hit > t.LookedUp || t.Recomputed > t.PrefillTokens || t.WarmUpPicos > t.BusyPicos:
		return "a part is larger than its whole"
	case c.TraceSteps > 0 && (t.Steps < before && !crashes(c) || t.Steps > by):
		return "steps " + strconv.FormatInt(t.Steps, 10)
	}
	return ""
}

// crashes says whether steps may be cut off.
func crashes(c Config) bool {
	return slices.ContainsFunc(c.Changes, func(x Change) bool { return x.Down })
}

// causal: sent, admitted, first token, done; and nobody who completes is late.
func causal(c Config, specs []Spec, r *Results) string {
	for i := range r.SentAt {
		last := r.IntendedAt[i]
		for _, at := range []Nanos{r.SentAt[i], r.AdmittedAt[i], r.FirstTokenAt[i], r.DoneAt[i]} {
			if at == Never {
				continue
			}
			if at < last || at > r.EndAt {
				return "out of order: request " + strconv.Itoa(i)
			}
			last = at
		}
		deadline := r.SentAt[i] + c.Timeout
		switch {
		case r.SentAt[i] != specs[i].SentAt || r.IntendedAt[i] != specs[i].IntendedAt:
			return "sent: request " + strconv.Itoa(i)
		case r.AdmittedAt[i] == Never && r.FirstTokenAt[i] != Never:
			return "a token without admission: request " + strconv.Itoa(i)
		case c.Timeout > 0 && r.Status[i] == Completed && r.DoneAt[i] > deadline:
			return "completed after its deadline: request " + strconv.Itoa(i)
		case r.Status[i] == TimedOut && r.DoneAt[i] < deadline:
			return "gave up early: request " + strconv.Itoa(i)
		}
	}
	return ""
}

// bySteps calls f with the steps of each replica in turn.
func bySteps(c Config, r *Results, f func(replica int, steps []StepTrace) string) string {
	for i := range c.Replicas {
		var own []StepTrace
		for _, s := range r.Steps {
			if int(s.Replica) == i {
				own = append(own, s)
			}
		}
		if wrong := f(i, own); wrong != "" {
			return wrong
		}
	}
	return ""
}

// stepsFollow: the clock of a replica never goes back, its steps do not
// overlap, and none is empty or over the limits.
func stepsFollow(c Config, _ []Spec, r *Results) string {
	return bySteps(c, r, func(_ int, steps []StepTrace) string {
		last := Nanos(0)
		for k, s := range steps {
			tokens := 0
			seen := map[int32]bool{}
			for _, p := range s.Pieces {
				tokens += int(p.Tokens)
				if p.Tokens < 1 || seen[p.Request] || p.Request < 0 || int(p.Request) >= len(r.SentAt) {
					return "piece: step " + strconv.Itoa(k)
				}
				seen[p.Request] = true
			}
			switch {
			case s.Start < last && !crashes(c) || s.End < s.Start:
				return "overlap: step " + strconv.Itoa(k)
			case tokens == 0 || tokens > mostTokens(c) || len(s.Pieces) > c.Engine.MaxNumSeqs:
				return "size: step " + strconv.Itoa(k)
			case s.Used < 1 || int(s.Used) > c.Engine.KVBlocks:
				return "blocks: step " + strconv.Itoa(k)
			}
			last = s.End
		}
		return ""
	})
}

// mostTokens is the largest budget that a step may have.
func mostTokens(c Config) int {
	n := c.Engine.MaxBatchedTokens
	for _, x := range c.Changes {
		n = max(n, x.WholePrompts)
	}
	return n
}

func pausesKept(c Config, _ []Spec, r *Results) string {
	for k, s := range r.Steps {
		for _, p := range c.Pauses {
			if s.Start >= p.From && s.Start < p.To {
				return "step " + strconv.Itoa(k)
			}
		}
	}
	return ""
}

// noGaps: when a step ends and a request of that replica is still there, the
// next step starts at that instant, or at the end of the pause.
func noGaps(c Config, _ []Spec, r *Results) string {
	return bySteps(c, r, func(replica int, steps []StepTrace) string {
		for k := range steps {
			from := Nanos(-1) // when the engine became free
			if k > 0 {
				from = steps[k-1].End
			}
			start := steps[k].Start
			for i := range r.SentAt {
				if int(r.Replica[i]) != replica || r.DoneAt[i] == r.SentAt[i] && r.Status[i] == Dropped {
					continue
				}
				since := afterPauses(c, max(from, r.SentAt[i]))
				if since < start && r.DoneAt[i] > since {
					return "request " + strconv.Itoa(i) + " before step " + strconv.Itoa(k)
				}
			}
		}
		return ""
	})
}

func afterPauses(c Config, t Nanos) Nanos {
	for _, p := range c.Pauses {
		if p.From <= t && t < p.To {
			t = p.To
		}
	}
	return t
}

// little: the integral of the requests in the system, from the samples, is the
// sum of the times that the requests were there, from the columns. Columns are
// in whole nanoseconds, rounded down.
func little(c Config, _ []Spec, r *Results) string {
	if c.SampleEvery == 0 {
		return ""
	}
	var there Nanos
	for i := range r.SentAt {
		there += min(r.DoneAt[i], r.EndAt) - r.SentAt[i]
	}
	var integral float64
	for k, s := range r.Samples {
		from := Nanos(k/c.Replicas) * c.SampleEvery
		integral += (s.WaitingMean + s.RunningMean) * float64(s.At-from)
	}
	slack := float64(2*len(r.SentAt)) + 1e-9*float64(there)
	if math.Abs(integral-float64(there)) > slack {
		return strconv.FormatFloat(integral, 'g', -1, 64) + " ns by samples, " + strconv.Itoa(int(there)) + " by requests"
	}
	return ""
}

// samplesAddUp: the counters of the windows are the counters of the run, and
// the last window ends with it.
func samplesAddUp(c Config, _ []Spec, r *Results) string {
	if c.SampleEvery == 0 || r.EndAt == 0 {
		if len(r.Samples) > 0 && c.SampleEvery == 0 {
			return "samples nobody asked for"
		}
		return ""
	}
	var sum Sample
	var busy float64
	for k, s := range r.Samples {
		window := Nanos(k / c.Replicas)
		from, at := window*c.SampleEvery, min((window+1)*c.SampleEvery, r.EndAt)
		if s.At != at || int(s.Replica) != k%c.Replicas {
			return "row " + strconv.Itoa(k)
		}
		sum.FirstTokens += s.FirstTokens
		sum.Completed += s.Completed
		sum.Preempted += s.Preempted
		sum.Tokens += s.Tokens
		sum.Hit += s.Hit
		sum.LookedUp += s.LookedUp
		sum.Accepted += s.Accepted
		busy += s.Busy * float64(at-from)
		if s.Busy < 0 || s.Busy > 1+1e-9 {
			return "busy: row " + strconv.Itoa(k)
		}
		if (s.TTFTp99 == Never) != (s.FirstTokens == 0) {
			return "TTFT: row " + strconv.Itoa(k)
		}
	}
	if n := len(r.Samples); n == 0 || r.Samples[n-1].At != r.EndAt {
		return "the last window ends elsewhere"
	}
	var want Sample
	for i := range r.Status {
		want.Tokens += int64(r.Generated[i])
		want.FirstTokens += int32(b2i(r.FirstTokenAt[i] != Never))
		want.Completed += int32(b2i(r.Status[i] == Completed))
	}
	t := r.Totals
	want.Preempted, want.Hit, want.LookedUp, want.Accepted = int32(t.Preempted), t.Hit, t.LookedUp, t.Accepted
	if sum != want {
		return literal(sum) + " in samples, " + literal(want) + " in all"
	}
	return ""
}

// progress: a run takes a bounded number of steps.
//
// First come first served: the head of the running list is never a victim
// (victims are taken from the tail, and alone it always fits), and a schedule
// call gives it at least one token, unless a piece of it is in flight that may
// be its last. So at least every second step moves it on, and it needs at most
// one step per token. Each request is head once: 2 * sum(prompt + output + 1).
//
// Priority: look at the smallest (priority, arrival) in a replica. Until it is
// admitted nobody else is, so what runs only shrinks, a token or more a step.
// Then those before it in the list may spend the budget on their prompts or
// end the loop as their own victims, once each, before it is served in every
// second step. Another request takes its place at most once per arrival and
// once per end.
func progress(c Config, _ []Spec, r *Results) string {
	tokens := 0
	for i := range r.Prompt {
		tokens += int(r.Prompt[i]) + int(r.Output[i]) + 2
	}
	bound := 2 * tokens
	if c.Engine.Policy == Priority {
		bound *= 3 * 2 * len(r.Prompt)
	}
	if len(r.Steps) > bound {
		return strconv.Itoa(len(r.Steps)) + " steps"
	}
	return ""
}
