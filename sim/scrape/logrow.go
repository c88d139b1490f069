package scrape

import (
	"math"
	"strconv"

	"openloop/sim"
)

// row fills what slots from to (not included) say: the state at the last, the
// counts of all, the rates over the seconds.
func (l *logReading) row(row *Row, from, to int, seconds float64) {
	row.unknown(NotInLog)
	end := &l.slots[to-1]
	put := func(id ID, v float64, covers Covers, label string, doubts Doubts) {
		if v == v {
			row.set(id, v, covers, label, doubts)
		}
	}
	labels := [...]string{"Waiting", "Running", "GPU KV cache usage", "Prefix cache hit rate"}
	if l.engine == SGLang {
		labels = [...]string{"#queue-req", "#running-req", "token usage", "#cached-token / (#cached-token + #new-token)"}
	}
	put(Queue, end.fold(fWaiting, sum), Moment, labels[0], 0)
	put(Running, end.fold(fRunning, sum), Moment, labels[1], 0)
	put(Swapped, end.fold(fSwapped, sum), Moment, "Swapped", 0)
	doubts := Doubts(0)
	if end.engine > 1 {
		doubts = MeanOfReplicas
	}
	put(KV, end.fold(fKV, largest), Moment, labels[2], doubts)
	put(KVMean, end.fold(fKV, sum)/float64(len(end.state)), Moment, labels[2], 0)
	put(Replicas, replicas(end), Moment, "engines in the lines", 0)
	put(KVPool, l.pool, SinceStart, "size of the KV cache, logged at the start", 0)
	l.counts(row, from, to, seconds, labels[3])
	l.draftRow(row, from, to)

	// Throughputs: the mean of the lines after the first, which tell of
	// intervals inside the span.
	first := from
	if to-from > 1 {
		first++
	}
	covers := Span
	if to-from == 1 {
		covers = LastInterval
	}
	put(PromptRate, l.mean(fPromptRate, first, to), covers, "Avg prompt throughput", 0)
	put(GenerationRate, l.mean(fGenRate, first, to), covers, "generation throughput", 0)
	if n, t := row[Running], end.fold(fTokens, sum); n.Known && n.Value > 0 {
		put(TokensPerRunning, t/n.Value, Moment, "#token / #running-req", 0)
	}
	if n, rate := row[Running], end.fold(fGenRate, sum); n.Known && n.Value > 0 && rate > 0 {
		put(ITLEstimate, n.Value/rate, LastInterval, labels[1]+" / generation throughput", Estimated)
		put(DecodePerRunning, rate/n.Value, LastInterval, "generation throughput / "+labels[1], 0)
	}
}

func replicas(s *slot) float64 {
	if s.engine >= 1 {
		return s.engine
	}
	return float64(max(1, len(s.state)))
}

// mean is over the slots that say it.
func (l *logReading) mean(f field, from, to int) float64 {
	total, n := 0.0, 0.0
	for i := from; i < to; i++ {
		if v := l.slots[i].fold(f, sum); v == v {
			total, n = total+v, n+1
		}
	}
	return total / n
}

// total adds up a count.
func (l *logReading) total(f field, from, to int) float64 {
	out := math.NaN()
	for i := from; i < to; i++ {
		if s := &l.slots[i]; s.has[f] {
			if out != out {
				out = 0
			}
			out += s.count[f]
		}
	}
	return out
}

// ends gives the first and the last total of a field that counts since the start.
func (l *logReading) ends(f field, from, to int) (first, last float64) {
	first, last = math.NaN(), math.NaN()
	for i := from; i < to; i++ {
		if s := &l.slots[i]; s.has[f] {
			if first != first {
				first = s.begin[f]
			}
			last = s.count[f]
		}
	}
	return first, last
}

// counts fills preemptions and hits.
func (l *logReading) counts(row *Row, from, to int, seconds float64, hitLabel string) {
	n, label := l.total(fRetracted, from, to), "#retracted_reqs"
	if l.engine == VLLM {
		n, label = l.total(fPreempted, min(from+1, to-1), to), "Preemptions" // the first line's are of the time before it
	}
	if n != n && l.throws {
		n = 0
	}
	if l.engine == VLLM && !l.throws {
		var first, last float64
		first, last = l.ends(fPreemptTotal, from, to)
		if n, label = last-first, "cumulative preemptions"; last < first {
			row.miss(Preemptions, AcrossRestart, label)
			row.miss(Preempts, AcrossRestart, label)
			n = math.NaN()
		}
	}
	if n == n {
		doubts := Doubts(0)
		if n > 0 && n < 10 {
			doubts |= FewEvents
		}
		if seconds < 10 {
			doubts |= CoarseStamps
		}
		row.set(Preemptions, n, Span, label, doubts)
		row.miss(Preempts, NeedsSeconds, label)
		if seconds > 0 {
			row.set(Preempts, n/seconds, Span, label, doubts)
		}
	}
	if l.engine == VLLM {
		l.slots[to-1].hits(row, hitLabel)
		return
	}
	if hit, fresh := l.total(fCachedTokens, from, to), l.total(fNewTokens, from, to); hit == hit && fresh == fresh {
		row.set(Hit, hit/(hit+fresh), Span, hitLabel, 0)
	}
}

// hits fills the hit rate of the engines that say it. Nothing says how much each
// of several looked up: that of all lies between their least and their most.
func (s *slot) hits(row *Row, label string) {
	total, n, lo, hi := 0.0, 0, 1.0, 0.0
	for _, name := range s.names() {
		if v := s.state[name].v[fHit]; v == v {
			total, n, lo, hi = total+v, n+1, min(lo, v), max(hi, v)
		}
	}
	switch all := len(s.state); {
	case n == 0:
		return
	case n < all:
		label += " of " + strconv.Itoa(n) + " of " + strconv.Itoa(all) + " engines; the others do not say it"
	case n > 1:
		label += " of " + strconv.Itoa(n) + " engines, the least to the most"
	}
	row.set(Hit, total/float64(n), Last1000, label, 0)
	row[Hit].Low, row[Hit].High = lo, hi
}

// draftRow fills what speculation gives: pooled by counts, never a mean of
// means; SGLang prints the length of an interval only.
func (l *logReading) draftRow(row *Row, from, to int) {
	if l.engine == SGLang {
		if v := l.slots[to-1].fold(fAcceptLength, sum); v >= 1 && len(l.slots[to-1].state) == 1 {
			row.set(Accepted, v, LastInterval, "accept len", 0)
		}
		return
	}
	k := math.NaN()
	for i := from; i < to; i++ {
		if s := &l.slots[i]; s.k == s.k {
			if k == k && k != s.k {
				return // it changed: the counts are of different kinds of steps
			}
			k = s.k
		}
	}
	accepted, drafted := l.total(fAccepted, from, to), l.total(fDrafted, from, to)
	if _, last := l.ends(fEmitted, from, to); last == last { // V0: since the start
		e0, e1 := l.ends(fEmitted, from, to)
		d0, d1 := l.ends(fDrafted, from, to)
		a0, a1 := l.ends(fAccepted, from, to)
		covers := Span
		if e1 <= e0 || d1 <= d0 {
			e0, d0, a0, covers = 0, 0, 0, SinceStart
		}
		row.set(SpecK, k, LastInterval, "Number of speculative tokens", 0)
		row.set(Drafts, (d1-d0)/k, covers, "draft tokens / speculative tokens", 0)
		row.set(Accepted, (e1-e0)/((d1-d0)/k), covers, "emitted tokens / (draft tokens / speculative tokens)", 0)
		row.share(DraftAcceptance, a1-a0, d1-d0, covers, "accepted tokens / draft tokens", 0)
		return
	}
	if drafted != drafted || accepted != accepted {
		return
	}
	row.share(DraftAcceptance, accepted, drafted, Span, "Accepted / Drafted", 0)
	if k != k {
		row.miss(Accepted, NoBasis, "Per-position acceptance rate")
		return
	}
	row.set(SpecK, k, LastInterval, "positions of Per-position acceptance rate", 0)
	row.set(Drafts, drafted/k, Span, "Drafted / positions", 0)
	row.set(Accepted, 1+accepted/(drafted/k), Span, "1 + Accepted / (Drafted / positions)", 0)
}

// derive fills what follows from the first and the last line.
func (l *logReading) derive(r *Reading) {
	r.Now.miss(RetryRate, NeverSeen, "")
	r.First.miss(RetryRate, NeverSeen, "")
	r.balance()
	l.retractions(&r.Now)
	if before, _ := l.ends(fRatioFrom, 0, len(l.slots)); before == before {
		r.First.set(ReservedShare, before, Moment, "#new_token_ratio, before the first retraction", 0)
	}
	now, first, t := &r.Now, &r.First, r.Seconds.Value
	if len(l.slots) == 0 || t <= 0 {
		return
	}
	moved := len(r.Came)+len(r.Left) > 0
	if grown := l.growth(fWaiting); grown == grown {
		from := now[Queue].From
		if moved {
			from += " of the engines that are in the first and in the last line"
		}
		now.set(QueueGrowth, grown/t, Span, from, 0)
	}
	l.poolFromTokens(now)
	if moved {
		return // the first and the last line are not of the same engines
	}
	grown := now[KV].Value - first[KV].Value
	if !now[KV].Known || !first[KV].Known || grown < 0.02 {
		return
	}
	now.set(KVFullIn, (1-now[KV].Value)/(grown/t), Span, "growth of "+now[KV].From, Estimated)
	// What went from waiting to running, if as many left the one as came to
	// the other: then nobody came or ended, most likely.
	in := now[Running].Value - first[Running].Value
	prompt := now[PromptRate]
	if in <= 0 || in != first[Queue].Value-now[Queue].Value || !prompt.Known {
		return
	}
	now.set(AdmittedRate, in/t, Span, "change of Waiting and Running", Estimated)
	now.set(PromptPerAdmission, float64(prompt.Value*t)/in, Span, prompt.From+" / admissions", Estimated)
	if now[Hit].Known && now[Hit].Value == 0 && !now[KVPool].Known {
		now.set(KVPool, float64(prompt.Value*t)/grown, Span, prompt.From+" / growth of "+now[KV].From, Estimated)
	}
}

// growth is the change of a field from the first to the last slot, over the
// engines that are in both; NaN if there are none, or one does not say it.
func (l *logReading) growth(f field) float64 {
	first, last := &l.slots[0], &l.slots[len(l.slots)-1]
	out := math.NaN()
	for _, name := range last.names() {
		if old := first.state[name]; old != nil {
			if out != out {
				out = 0
			}
			if out += last.state[name].v[f] - old.v[f]; out != out {
				return out
			}
		}
	}
	return out
}

// poolFromTokens: SGLang prints the tokens and their share, the share with two
// digits: the fullest line gives the best estimate.
func (l *logReading) poolFromTokens(now *Row) {
	if now[KVPool].Known {
		return
	}
	best, share := math.NaN(), 0.0
	for i := range l.slots {
		for _, rank := range l.ranks {
			e := l.slots[i].state[rank]
			if e != nil && e.has(fTokens) && e.v[fKV] > share {
				best, share = e.v[fTokens]/e.v[fKV], e.v[fKV]
			}
		}
	}
	if best == best {
		now.set(KVPool, best, Moment, "#token / token usage", Estimated)
	}
}

// retractions fills what they gave back, and what the scheduler reserves now.
func (l *logReading) retractions(now *Row) {
	to := len(l.slots)
	if n, gained := l.total(fRetracted, 0, to), l.total(fGained, 0, to); n > 0 && gained == gained {
		now.set(FreedPerRetraction, gained/n, Span, "#new_tokens_gained / #retracted_reqs", 0)
	}
	if _, last := l.ends(fRatioTo, 0, to); last == last {
		now.set(ReservedShare, last, Moment, "#new_token_ratio", 0)
	}
}

// replicas fills the rows of engines that are told apart.
func (l *logReading) replicas(r *Reading) {
	if len(l.ranks) < 2 {
		return
	}
	end, first := l.slots[len(l.slots)-1], l.slots[0]
	r.Replicas = make([]Replica, len(l.ranks))
	for i, rank := range l.ranks {
		p := &r.Replicas[i]
		if p.Name = rank; rank == "" {
			p.Name = "replica " + strconv.Itoa(i)
		}
		one := *l
		one.ranks = []string{rank}
		fill := func(row *Row, s slot) {
			if row.unknown(NotInLog); s.state[rank] == nil {
				return
			}
			one.slots = []slot{{at: s.at, timed: s.timed, state: map[string]*event{rank: s.state[rank]}, k: math.NaN(), engine: math.NaN()}}
			one.row(row, 0, 1, 0)
		}
		fill(&p.Now, end)
		fill(&p.First, first)
	}
	r.balance()
}

// windows makes one window of each slot.
func (l *logReading) windows(r *Reading) {
	r.windows = make([]sim.Window, len(l.slots))
	for i := range l.slots {
		seconds := 0.0
		if i > 0 && l.timed {
			seconds = l.slots[i].at - l.slots[i-1].at
		}
		var row Row
		l.row(&row, i, i+1, seconds)
		w := &r.windows[i]
		if row.into(w); l.timed {
			w.End = l.slots[i].at - l.slots[0].at
			w.Start, w.Timed = w.End-seconds, seconds > 0
		}
	}
}
