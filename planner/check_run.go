package planner

import (
	"slices"

	"openloop/sim"
)

// One run of a plan in the simulator, and its numbers. Pools that are apart are
// run in turn: what the first gives at some instant arrives in the second then,
// with its KV. That is exact as long as decode never holds prefill up.

// Numbers are what one run gave, of the requests sent while it counted. Times
// are in seconds; 0 where there is nothing to measure.
type Numbers struct {
	TPOTSeconds, TPOTp95Seconds, TPOTp99Seconds float64 // mean, 95th and 99th percentile over requests
	TTFTSeconds, TTFTp95Seconds, TTFTp99Seconds float64
	WaitSeconds                                 float64 // mean, to the first admission
	GapP99Seconds                               float64 // 99th percentile of all gaps between two tokens, of the whole run
	Batch                                       float64 // mean sequences that decode, on a replica that does
	RequestsPerSec                              float64 // completed while it counted
	TokensPerSec                                float64 // their output tokens

	Sent, Lost  int64   // Lost ended without an answer: too long for the memory
	Preemptions float64 // a request
	Recomputed  float64 // share of prefill that was done again

	State  sim.State // does it keep up; of two pools the worse
	Reason sim.Reason
}

// KeepsUp says whether the queue is under control.
func (n *Numbers) KeepsUp() bool {
	return n.Lost == 0 && (n.State == sim.Stable || n.State == sim.Backlogged && n.Reason == sim.ReasonPiledUp)
}

// Within says whether the run kept up and all limits of the objective held, by
// its means.
func (n *Numbers) Within(o Objective) bool {
	under := func(limit, x float64) bool { return limit == 0 || x <= limit }
	return n.KeepsUp() && under(o.TPOTSeconds, n.TPOTSeconds) && under(o.TTFTSeconds, n.TTFTSeconds) && under(o.WaitSeconds, n.WaitSeconds)
}

// simulate runs a plan once; ok is false if it was stopped or could not start.
func (t *turns) simulate(p *Plan, w *Workload, o *SimOptions, seed uint64) (n Numbers, ok bool) {
	s, err := p.setup(w, o)
	if err != nil {
		t.err = err
		return n, false
	}
	if p.made.Disaggregated {
		return t.apart(p, &s, o, seed)
	}
	r, ok := t.pool(s.Config, s.Workload, seed)
	if !ok {
		return n, false
	}
	n.measure(r, s.From, s.To, s.Config.Replicas)
	return n, true
}

// pool runs one pool to its end.
func (t *turns) pool(c sim.Config, w sim.Workload, seed uint64) (*sim.Results, bool) {
	src, err := sim.NewSource(w, seed)
	if err != nil {
		t.err = err
		return nil, false
	}
	s, err := sim.New(c, src, seed)
	if err != nil {
		t.err = err
		return nil, false
	}
	if !t.run(s) {
		return nil, false
	}
	return s.Results(), true
}

// apart runs the two pools in turn.
func (t *turns) apart(p *Plan, s *Setup, o *SimOptions, seed uint64) (n Numbers, ok bool) {
	prefill, decode := s.Config, s.Config
	prefill.Replicas, decode.Replicas = p.PrefillReplicas, p.DecodeReplicas
	if o.PrefillReplicas > 0 {
		prefill.Replicas = o.PrefillReplicas
	}
	if o.DecodeReplicas > 0 {
		decode.Replicas = o.DecodeReplicas
	}
	prefill.Engine.Draft = sim.Draft{}
	cost := *decode.Engine.Cost.(*stepCost)
	cost.landed, cost.alone = true, 0
	decode.Engine.Cost = &cost
	decode.Engine.PrefillChunkTokens = 0
	decode.Engine.MaxBatchedTokens = min(decode.Engine.MaxNumSeqs*(1+len(decode.Engine.Draft.Accept))+int(longestOf(s)), 1<<30)

	// The first pool gives each request one token, the second the others.
	first := s.Workload
	lengths := first.Lengths.(sim.Joint)
	first.Lengths = onlyPrompts(lengths)
	a, ok := t.pool(prefill, first, seed)
	if !ok {
		return n, false
	}
	outputs := drawn(s.Workload, seed, len(a.Status))
	order := landings(a, outputs, p)
	var b *sim.Results
	if len(order) > 0 {
		rows, stamps := sim.Rows{}, sim.Stamps{RateScale: 1}
		for _, l := range order {
			rows.Prompt, rows.Output = append(rows.Prompt, a.Prompt[l.request]), append(rows.Output, outputs[l.request]-1)
			stamps.At = append(stamps.At, l.at)
		}
		if b, ok = t.pool(decode, sim.Workload{Generator: sim.OpenLoop{Arrivals: stamps}, Lengths: rows}, seed); !ok {
			return n, false
		}
	}
	state := sim.Judge(a, s.From, s.To, false)
	join(a, b, order, outputs)
	n.measure(a, s.From, s.To, decode.Replicas)
	n.State, n.Reason = state.State, state.Reason
	if b != nil {
		if second := sim.Judge(b, s.From, s.To, false); worse(second.State, n.State) {
			n.State, n.Reason = second.State, second.Reason
		}
		n.recomputed(&b.Totals)
		n.gaps(&b.ITL)
	}
	return n, true
}

// worse orders states: cannot tell is worse than stable only.
func worse(a, b sim.State) bool {
	rank := func(s sim.State) int {
		return [...]int{sim.CannotTell: 1, sim.Stable: 0, sim.Backlogged: 2, sim.Overloaded: 3}[s]
	}
	return rank(a) > rank(b)
}

func longestOf(s *Setup) int32 { return slices.Max(s.Workload.Lengths.(sim.Joint).Prompt) }

func onlyPrompts(l sim.Joint) sim.Joint {
	ones := make([]int32, len(l.Output))
	for i := range ones {
		ones[i] = 1
	}
	return sim.Joint{Prompt: l.Prompt, Output: ones}
}

// drawn is the outputs of the first n requests: those that the source would have
// given beside the prompts.
func drawn(w sim.Workload, seed uint64, n int) []int32 {
	src, err := sim.NewSource(w, seed)
	if err != nil {
		return nil
	}
	out := make([]int32, 0, n)
	var r sim.Spec
	for range n {
		if _, ok := src.Next(); !ok {
			break
		}
		src.Take(&r)
		out = append(out, r.Output)
	}
	return out
}

// landing is when the KV of a request is in the second pool.
type landing struct {
	at      sim.Nanos
	request int
}

// landings sends on what has more than one token, when its KV has moved; it is
// then that the first token counts.
func landings(a *sim.Results, outputs []int32, p *Plan) []landing {
	var out []landing
	for i := range a.Status {
		if a.Status[i] != sim.Completed {
			continue
		}
		move := sim.Seconds(float64(p.TransferSeconds * float64(a.Prompt[i]) / p.mix.prompt))
		a.FirstTokenAt[i] += move
		a.DoneAt[i] = a.FirstTokenAt[i]
		if outputs[i] > 1 {
			out = append(out, landing{a.FirstTokenAt[i], i})
		}
	}
	// In order of time, then of requests, by a sort that the simulator has already:
	// one of another type is three kilobytes of a module that has none to spare.
	times := make([]sim.Nanos, len(out))
	at := map[sim.Nanos][]int{}
	for i, l := range out {
		times[i] = l.at
		at[l.at] = append(at[l.at], l.request)
	}
	slices.Sort(times)
	for i, t := range times {
		out[i] = landing{t, at[t][0]}
		at[t] = at[t][1:]
	}
	return out
}

// join writes what the second pool gave behind what the first did.
func join(a, b *sim.Results, order []landing, outputs []int32) {
	for i := range a.Output {
		a.Output[i] = outputs[i]
	}
	for k, l := range order {
		i := l.request
		a.DoneAt[i], a.Status[i] = b.DoneAt[k], b.Status[k]
		a.Generated[i] = 1 + b.Generated[k]
		a.Preemptions[i] = b.Preemptions[k]
	}
	if b != nil {
		a.EndAt = max(a.EndAt, b.EndAt)
	}
}

// measure reads a run.
func (n *Numbers) measure(r *sim.Results, from, to sim.Nanos, replicas int) {
	opts := sim.ReportOptions{From: from, To: to, Quantiles: []float64{0.95, 0.99}}
	read := func(m sim.Metric) (mean, p95, p99 float64) {
		d := sim.NewDist(r, m, opts)
		if d.Count == 0 {
			return 0, 0, 0
		}
		tail, _ := d.At(0.95)
		end, _ := d.At(0.99)
		return d.Mean, tail.Value.Seconds(), end.Value.Seconds()
	}
	n.TPOTSeconds, n.TPOTp95Seconds, n.TPOTp99Seconds = read(sim.TPOT)
	n.TTFTSeconds, n.TTFTp95Seconds, n.TTFTp99Seconds = read(sim.TTFT)
	n.WaitSeconds, _, _ = read(sim.QueueTime)
	span := (to - from).Seconds()
	running, preempted, tokens, completed := 0.0, 0.0, 0.0, 0.0
	for i := range r.Status {
		if first, done := r.FirstTokenAt[i], r.DoneAt[i]; first != sim.Never && done != sim.Never {
			running += max(min(done, to)-max(first, from), 0).Seconds()
		}
		if r.Status[i] == sim.Completed && r.DoneAt[i] >= from && r.DoneAt[i] < to {
			completed++
			tokens += float64(r.Generated[i])
		}
		if r.SentAt[i] < from || r.SentAt[i] >= to {
			continue
		}
		n.Sent++
		preempted += float64(r.Preemptions[i])
		if r.Status[i] != sim.Completed {
			n.Lost++
		}
	}
	n.Batch = running / span / float64(replicas)
	n.RequestsPerSec, n.TokensPerSec = completed/span, tokens/span
	if n.Sent > 0 {
		n.Preemptions = preempted / float64(n.Sent)
	}
	n.recomputed(&r.Totals)
	n.gaps(&r.ITL)
	v := sim.Judge(r, from, to, false)
	n.State, n.Reason = v.State, v.Reason
}

// gaps reads the upper edge of a bin.
func (n *Numbers) gaps(h *sim.Hist) {
	n.GapP99Seconds = 0
	if h.Count() > 0 {
		_, hi := h.Quantile(0.99)
		n.GapP99Seconds = float64(hi) / picos
	}
}

func (n *Numbers) recomputed(t *sim.Totals) {
	n.Recomputed = 0
	if t.PrefillTokens > 0 {
		n.Recomputed = float64(t.Recomputed) / float64(t.PrefillTokens)
	}
}
