package scrape

import (
	"math"
	"slices"
)

// From the lines of a log to quantities. A log gives the state at each line,
// and counts between lines; percentiles of latency it never has.
//
// Lines of one instant are one window. What a line carries of the interval
// before it (throughput) belongs to the window that ends there, so means over
// the log leave the first line out. Rates need the span from the first to the
// last line with the state of an engine.

// slot is what the lines of one instant say.
type slot struct {
	at     float64
	timed  bool
	state  map[string]*event // the last line of each engine
	count  [numFields]float64
	begin  [numFields]float64 // of totals since the start: the first that was said
	has    [numFields]bool
	k      float64
	engine float64 // of an aggregated line
}

// log is all of them.
type logReading struct {
	slots  []slot
	engine Engine
	ranks  []string
	pool   float64
	timed  bool
	rounds bool // its engines write at instants of their own
	throws bool // some line counts preemptions as they happen: one without has none
}

// summed are the fields that add up over lines.
var summed = [...]field{fNewTokens, fCachedTokens, fAccepted, fDrafted, fRetracted, fGained, fPreempted}

func gather(events []event, rounds bool) *logReading {
	l := &logReading{pool: math.NaN(), timed: true, engine: VLLM, rounds: rounds}
	for i := range events {
		e := &events[i]
		if e.kind.sglang() {
			l.engine = SGLang
		}
		if e.kind.gauges() {
			l.timed = l.timed && e.timed
		}
	}
	lowest := map[string]int{} // of the tensor-parallel ranks: they repeat each other
	for i := range events {
		e := &events[i]
		if e.tp >= 0 {
			if low, ok := lowest[e.rank]; !ok || e.tp < low {
				lowest[e.rank] = e.tp
			}
		}
	}
	if l.timed {
		slices.SortStableFunc(events, func(a, b event) int {
			if !a.timed || !b.timed || a.at == b.at {
				return 0
			}
			return 2*boolInt(a.at > b.at) - 1
		})
	}
	seen := map[string]bool{}
	for i := range events {
		e := &events[i]
		if e.tp >= 0 && e.tp != lowest[e.rank] || e.kind.sglang() != (l.engine == SGLang) {
			continue
		}
		if e.has(fPoolTokens) {
			l.pool = e.v[fPoolTokens]
		}
		l.throws = l.throws || e.has(fPreempted) || e.has(fRetracted)
		if !e.kind.gauges() && e.kind != vllmDrafts && e.kind != vllmDraftsV0 && e.kind != vllmPreempted && e.kind != sglangRetract {
			continue
		}
		l.add(e)
		if e.kind.gauges() && !seen[e.rank] {
			seen[e.rank] = true
			l.ranks = append(l.ranks, e.rank)
		}
	}
	slices.Sort(l.ranks)
	return l
}

// add puts a line into the slot of its instant; where engines write each at its
// own, into that of the round, which ends when one of them speaks again.
func (l *logReading) add(e *event) {
	n := len(l.slots) - 1
	fresh := n < 0
	if !fresh {
		s := &l.slots[n]
		_, again := s.state[e.rank]
		fresh = e.timed && s.timed && e.at != s.at || e.kind.gauges() && again && !(e.timed && s.timed)
		if l.rounds {
			fresh = e.kind.gauges() && again
		}
	}
	if fresh {
		l.slots = append(l.slots, slot{at: e.at, timed: e.timed, state: map[string]*event{}, k: math.NaN(), engine: math.NaN()})
		n++
	}
	s := &l.slots[n]
	if !s.timed || l.rounds && e.timed {
		s.at, s.timed = e.at, e.timed
	}
	if e.kind.gauges() {
		merged := *e
		if old := s.state[e.rank]; old != nil {
			for f := range merged.v {
				if !merged.has(field(f)) {
					merged.v[f] = old.v[f]
				}
			}
		}
		s.state[e.rank] = &merged
		if e.has(fEngines) {
			s.engine = e.v[fEngines]
		}
	}
	for _, f := range summed {
		if e.has(f) {
			s.count[f] += e.v[f]
			s.has[f] = true
		}
	}
	for _, f := range [...]field{fEmitted, fPreemptTotal, fRatioTo} { // totals and states: the last
		if e.has(f) {
			if !s.has[f] {
				s.begin[f] = e.v[f]
			}
			s.count[f], s.has[f] = e.v[f], true
		}
	}
	if e.kind == vllmDraftsV0 { // since the start, not of the interval
		for _, f := range [...]field{fAccepted, fDrafted} {
			if s.count[f] == e.v[f] { // the first: it was added to 0
				s.begin[f] = e.v[f]
			}
			s.count[f] = e.v[f]
		}
	}
	if e.has(fRatioFrom) && !s.has[fRatioFrom] {
		s.begin[fRatioFrom], s.has[fRatioFrom] = e.v[fRatioFrom], true
	}
	if e.has(fK) {
		s.k = e.v[fK]
	}
	if e.kind == sglangRetract && !e.has(fGained) {
		s.has[fGained] = false
	}
}

// names are its engines, in order.
func (s *slot) names() []string {
	out := make([]string, 0, len(s.state))
	for n := range s.state {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// fold is a field of all engines of a slot; NaN if one of them does not say it.
func (s *slot) fold(f field, fold func(a, b float64) float64) float64 {
	out := math.NaN()
	for i, n := range s.names() {
		v := s.state[n].v[f]
		if i == 0 {
			out = v
		} else {
			out = fold(out, v)
		}
	}
	return out
}

// carry takes what a slot does not say of an engine from its last line, until it
// is gone. Slots before every engine has spoken that is there from the start
// become part of the first in which all have: a sum over some of them would be
// too small. It returns who came and who left.
func (l *logReading) carry() (came, left []Life) {
	lives := l.lives()
	came, left = l.comings(lives)
	last, stale := map[string]*event{}, map[string]*event{}
	kept := make([]slot, 0, len(l.slots))
	var early []slot
	for i, s := range l.slots {
		for rank, e := range s.state {
			old := *e
			old.v[fPromptRate], old.v[fGenRate] = math.NaN(), math.NaN() // of another interval
			last[rank], stale[rank] = e, &old
		}
		if l.waits(last, lives) {
			early = append(early, s)
			continue
		}
		for rank, e := range stale {
			if s.state[rank] == nil && !l.out(lives[rank], l.at(i)) {
				s.state[rank] = e
			}
		}
		for i := range early {
			s.join(&early[i])
		}
		early = nil
		kept = append(kept, s)
	}
	l.slots = kept
	return came, left
}

// waits says that an engine which is there from the start has not spoken yet.
func (l *logReading) waits(spoken map[string]*event, lives map[string]life) bool {
	for _, rank := range l.ranks {
		if spoken[rank] == nil && !l.came(lives[rank]) {
			return true
		}
	}
	return false
}

// join adds the counts of an earlier slot.
func (s *slot) join(o *slot) {
	for _, f := range summed {
		if o.has[f] && !s.has[fEmitted] && !o.has[fEmitted] {
			s.count[f] += o.count[f]
			s.has[f] = true
		}
	}
	for f := range o.has {
		if o.has[f] && !s.has[f] {
			s.count[f], s.has[f] = o.count[f], true
			s.begin[f] = o.begin[f]
		}
	}
	if s.k != s.k {
		s.k = o.k
	}
}

func readLog(events []event) (Reading, error) {
	mix, names := separate(events)
	l := gather(events, mix == SideBySide && !events[0].kind.sglang())
	r := Reading{Source: LogLines, Engine: l.engine, Lines: len(events), Mix: mix, Processes: names}
	r.Now.unknown(NotInLog)
	r.First.unknown(NotInLog)
	if n := len(l.ranks) * len(l.slots); n > MaxStates {
		return r, &LimitError{What: "engines times instants", Got: n, Most: MaxStates}
	}
	r.Came, r.Left = l.carry()
	r.Seconds = Value{Why: NeedsSeconds}
	if n := len(l.slots); n > 1 && l.timed && l.slots[0].timed && l.slots[n-1].timed {
		if t := l.slots[n-1].at - l.slots[0].at; t > 0 && t <= MaxSeconds {
			r.Seconds = Value{Covers: Span, From: "time stamps of lines"}
			r.Seconds.Value, r.Seconds.Low, r.Seconds.High, r.Seconds.Known = t, t, t, true
		}
	}
	if len(l.slots) > 0 {
		l.row(&r.First, 0, 1, 0)
		l.row(&r.Now, 0, len(l.slots), r.Seconds.Value)
		l.windows(&r)
	}
	l.derive(&r)
	l.replicas(&r)
	return r, nil
}
