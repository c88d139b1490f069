package planner

import "strings"

// Link is one equation of a plan with the values in it. Formula is in terms of
// the symbols of Inputs, with + - * / ( ) and max, min, floor and ceil.
type Link struct {
	Name    string
	Symbol  string
	Formula string // "" for a value that is solved, not computed; Source says how
	Inputs  []Input
	Value   float64
	Unit    string
	Source  string
}

// Input is a value in an equation. One that another link computes carries that
// link's symbol.
type Input struct {
	Symbol string
	Value  float64
	Unit   string
}

// Where the equations are from.
const (
	fromShape   = "counted from the shape of the model"
	fromChain   = "derived: one replica that shares its time between prefill and decode"
	fromMeasure = "measured step times, moved in proportion to bytes and FLOPs"
	fromPeaks   = "vendor peaks times MFU and MBU"
	fromWait    = "Allen and Cunneen's mean wait, at the peak"
	fromErlang  = "Erlang's C: Poisson arrivals and that many servers"
	fromQueue   = "Allen and Cunneen's mean wait, solved for how busy replicas may be"
	fromChoice  = "given"
)

// Links are the equations of the plan in the order in which they follow. For a
// workload of several classes an input is its mean: by request, or by decoded
// token for what a token takes.
func (p *Plan) Links() []Link {
	l := &linker{p: p, d: &p.made}
	l.memory()
	l.step()
	l.replica()
	l.fleet()
	l.latency()
	l.money()
	return l.all
}

// FindLink is the equation of a symbol.
func (p *Plan) FindLink(symbol string) (Link, bool) {
	for _, l := range p.Links() {
		if l.Symbol == symbol {
			return l, true
		}
	}
	return Link{}, false
}

type linker struct {
	p   *Plan
	d   *Deployment
	all []Link
}

func (l *linker) add(name, symbol, formula string, value float64, unit, source string, in ...Input) {
	l.all = append(l.all, Link{name, symbol, formula, in, value, unit, source})
}

func (l *linker) memory() {
	p, d := l.p, l.d
	z, m := &p.step.sizes, &p.mix
	tp := Input{"tp", float64(d.TP), ""}
	l.add("Memory for KV", "free", "tp*mem*util - weights", p.FreeBytes, "bytes", fromShape,
		tp, Input{"mem", float64(d.GPU.MemoryBytes), "bytes"}, Input{"util", d.MemoryFrac, ""}, Input{"weights", z.stored, "bytes"})
	l.add("Sequences in memory", "Bmem", "floor(free/seq)", float64(p.BatchMemory), "sequences", fromChain,
		Input{"free", p.FreeBytes, "bytes"}, Input{"seq", m.fullKV, "bytes"})
	l.add("Tokens in memory", "kvtokens", "floor(free/seq*len)", p.KVTokens, "tokens", fromChain,
		Input{"free", p.FreeBytes, "bytes"}, Input{"seq", m.fullKV, "bytes"}, Input{"len", m.fullTokens, "tokens"})
	if d.MaxNumSeqs > 0 {
		l.add("Sequences that may run", "B", "min(Bmem, seats)", float64(p.BatchLimit), "sequences", fromChoice,
			Input{"Bmem", float64(p.BatchMemory), "sequences"}, Input{"seats", float64(d.MaxNumSeqs), "sequences"})
		return
	}
	l.add("Sequences that may run", "B", "Bmem", float64(p.BatchLimit), "sequences", fromChain, Input{"Bmem", float64(p.BatchMemory), "sequences"})
}

func (l *linker) step() {
	p, d, s, m := l.p, l.d, &l.p.step, &l.p.mix
	from := fromPeaks
	if s.origin != Roofline {
		from = fromMeasure + ": " + p.ReferenceName
	}
	touched := 0.0
	if s.sizes.routedRead > 0 {
		touched = s.sizes.experts.ExpertsTouchedFrac(float64(p.seconds.most * s.verified))
	}
	read := s.sizes.weightBytes(float64(p.seconds.most * s.verified))
	var weights, step sum
	weights.plus(Input{"always", s.sizes.alwaysRead, "bytes"})
	if s.sizes.routedRead > 0 {
		weights.term("routed*touched", Input{"routed", s.sizes.routedRead, "bytes"}, Input{"touched", touched, ""})
	}
	l.add("Weights read in a step", "W", weights.formula, read, "bytes", fromShape, weights.in...)
	step.plus(Input{"c0", s.fixed, "s"})
	step.over("W", "bytes", read, Input{"BW", 1 / s.perByte, "bytes/s"})
	step.times(Input{"read", s.read, ""})
	l.add("What a step takes whatever its batch, a token", "w", step.formula, p.seconds.w, "s", from, step.in...)
	F, Fe := Input{"F", 1 / s.perFLOP, "FLOP/s"}, Input{"Fe", 1 / s.perExpert, "FLOP/s"}
	Fd, work := Input{"Fd", 1 / s.perDecode, "FLOP/s"}, Input{"work", s.work, ""}
	var token sum
	token.over("matrices", "FLOP", m.decodes.always, F)
	token.over("experts", "FLOP", m.decodes.routed, Fe)
	sent := Input{"sent", s.sent(), "s"}
	if adds := token; d.Engine.AddCompute {
		adds.times(work)
		if m.decodes.seen > 0 {
			sees := []Input{{"kv", m.decodes.kv, "bytes"}, {"BWkv", 1 / s.perKVByte, "bytes/s"}, {"attention", m.decodes.attention, "FLOP"}, Fd}
			formula := "max(kv/BWkv, attention/Fd)"
			if s.read != 1 || s.work != 1 {
				formula, sees = "max(kv/BWkv*read, attention/Fd*work)", append(sees, Input{"read", s.read, ""}, work)
			}
			l.add("Of a sequence in a step, reading its KV or attention to it, the longer", "seen", formula, m.decodes.seen, "s", from, sees...)
		}
		adds.first(Input{"seen", m.decodes.seen, "s"})
		adds.plus(sent)
		l.add("What a sequence adds to a step, a token", "b", adds.formula, p.KVSeconds, "s", from, adds.in...)
	} else {
		read := Input{"read", s.read, ""}
		var reads sum
		reads.over("kv", "bytes", m.decodes.kv, Input{"BWkv", 1 / s.perKVByte, "bytes/s"})
		reads.times(read)
		reads.plus(sent)
		l.add("What a sequence adds to a step, a token", "b", reads.formula, p.KVSeconds, "s", from, reads.in...)
	}
	token.over("attention", "FLOP", m.decodes.attention, Fd)
	token.times(work)
	token.plus(sent)
	l.add("Arithmetic of a decoded token", "f", token.formula, p.ComputeSeconds, "s", from, token.in...)
	var prompt sum
	prompt.over("matrices", "FLOP", m.prompts.always, F)
	prompt.over("experts", "FLOP", m.prompts.routed, Fe)
	prompt.over("attention", "FLOP", m.prompts.attention, Input{"Fa", 1 / s.perPrefill, "FLOP/s"})
	if s.perToken > 0 {
		prompt.term("new*sent", Input{"new", m.prompts.tokens, "tokens"}, Input{"sent", s.perToken, "s"})
	}
	prompt.over("reread", "bytes", m.prompts.reread, Input{"BWkv", 1 / s.perKVByte, "bytes/s"})
	prompt.plus(Input{"alone", s.alone(d), "s"})
	l.add("Prefill of a request", "P0", prompt.formula, p.PrefillSeconds, "s", from, prompt.in...)
}

// sum is an equation in the making, without the terms that are 0 here.
type sum struct {
	formula string
	in      []Input
	terms   int
}

func (e *sum) term(formula string, in ...Input) {
	if e.terms++; e.terms > 1 {
		formula = e.formula + " + " + formula
	}
	e.formula, e.in = formula, append(e.in[:len(e.in):len(e.in)], in...)
}

// over adds work done at a rate.
func (e *sum) over(symbol, unit string, work float64, rate Input) {
	if work != 0 {
		e.term(symbol+"/"+rate.Symbol, Input{symbol, work, unit}, rate)
	}
}

func (e *sum) plus(in Input) {
	if in.Value != 0 {
		e.term(in.Symbol, in)
	}
}

// first puts a term in front.
func (e *sum) first(in Input) {
	if in.Value == 0 {
		return
	}
	if e.terms++; e.terms > 1 {
		e.formula = in.Symbol + " + " + e.formula
	} else {
		e.formula = in.Symbol
	}
	e.in = append([]Input{in}, e.in...)
}

// times is all of it so often.
func (e *sum) times(in Input) {
	if in.Value == 1 || e.terms == 0 {
		return
	}
	if e.terms > 1 {
		e.formula = "(" + e.formula + ")"
	}
	e.formula, e.in, e.terms = e.formula+"*"+in.Symbol, append(e.in[:len(e.in):len(e.in)], in), 1
}

func (l *linker) replica() {
	p, t := l.p, &l.p.seconds
	o, x := Input{"o", t.o, "tokens"}, Input{"x", t.hide, ""}
	P, P0 := Input{"P", p.PrefillShownSeconds, "s"}, Input{"P0", t.all, "s"}
	Pm, Ps := Input{"Pm", t.atMemory, "s"}, Input{"Ps", t.atTPOT, "s"}
	w, b := Input{"w", t.w, "s"}, Input{"b", p.KVSeconds, "s"}
	ws, wt := w, w // at the limit of the time per token, and at the one that binds
	if t.ws != t.w {
		ws = Input{"ws", t.ws, "s"}
		l.add("What a step takes whatever its batch, with the experts that fewer sequences touch", "ws", "", t.ws, "s", "solved: the batch that it allows touches the experts that it reads",
			Input{"s", t.slo, "s"})
		if p.WeightSeconds == t.ws {
			wt = ws
		}
	}
	f, h := Input{"f", p.ComputeSeconds, "s"}, Input{"h", t.h, "s"}
	B, slo := Input{"B", t.most, "sequences"}, Input{"s", t.slo, "s"}
	const hidden = fromChain + "; x is a choice"
	l.add("Prefill that is not hidden, at the limit of memory", "Pm", "P0 - x*min(P0, o*(w/B + b))", t.atMemory, "s", hidden, P0, x, o, w, B, b)
	l.add("Limit of memory", "Tmem", "Pm + o*(w/B + b)", t.memory, "s", fromChain, Pm, o, w, B, b)
	switch {
	case t.slo == 0:
		l.add("Limit of the time per token", "Ttpot", "none", 0, "s", fromChoice, Input{"none", 0, "s"})
		l.add("Limit of arithmetic", "Tcmp", "P0 + o*(h/B + f)", t.compute, "s", fromChain, P0, o, f, h, B)
	case t.apart:
		l.add("Limit of the time per token", "Ttpot", swap("P0 + o*b/(1 - w/s)", ws.Symbol), t.tpot, "s", fromChain, P0, o, b, ws, slo)
		l.add("Limit of arithmetic", "Tcmp", "max(P0 + o*(h/B + f), P0 + o*f/(1 - h/s))", t.compute, "s", fromChain, P0, o, f, h, B, slo)
	default:
		l.add("Prefill that is not hidden, at the limit of the time per token", "Ps", swap("max((1 - x)*P0, (P0 - x*o*b/(1 - w/s))/(1 + x*w/s/(1 - w/s)))", ws.Symbol), t.atTPOT, "s", hidden, P0, x, o, b, ws, slo)
		l.add("Limit of the time per token", "Ttpot", swap("(Ps + o*b)/(1 - w/s)", ws.Symbol), t.tpot, "s", fromChain, Ps, o, b, ws, slo)
		l.add("Limit of arithmetic", "Tcmp", "max(P0 + o*(h/B + f), (P0 + o*f)/(1 - h/s))", t.compute, "s", fromChain, P0, o, f, h, B, slo)
	}
	if t.tpot > t.memory && !t.apart {
		l.add("Prefill that is not hidden", "P", "Ps", p.PrefillShownSeconds, "s", fromChain, Ps)
	} else {
		l.add("Prefill that is not hidden", "P", "Pm", p.PrefillShownSeconds, "s", fromChain, Pm)
	}
	T, D := Input{"T", p.ReplicaSeconds, "s"}, Input{"D", p.DecodeSeconds, "s"}
	l.add("Replica-seconds of a request", "T", "max(Tmem, Ttpot, Tcmp)", p.ReplicaSeconds, "s", fromChain,
		Input{"Tmem", t.memory, "s"}, Input{"Ttpot", t.tpot, "s"}, Input{"Tcmp", t.compute, "s"})
	l.add("Of them decode", "D", "T - P", p.DecodeSeconds, "s", fromChain, T, P)
	if t.apart {
		l.add("Time per token at full load", "TPOT", swap("w/(1 - o*b/D)", wt.Symbol), p.TPOTSeconds, "s", fromChain, wt, o, b, D)
		l.add("Sequences at full load", "batch", "o*TPOT/D", p.Batch, "sequences", "Little's law", o, Input{"TPOT", p.TPOTSeconds, "s"}, D)
		return
	}
	l.add("Time per token at full load", "TPOT", swap("w/(1 - (P + o*b)/T)", wt.Symbol), p.TPOTSeconds, "s", fromChain, wt, P, o, b, T)
	l.add("Sequences at full load", "batch", "o*TPOT/T", p.Batch, "sequences", "Little's law", o, Input{"TPOT", p.TPOTSeconds, "s"}, T)
}

// swap writes another symbol for w.
func swap(formula, symbol string) string {
	if symbol == "w" {
		return formula
	}
	return strings.ReplaceAll(formula, "w", symbol)
}

func (l *linker) fleet() {
	p, d, m := l.p, l.d, &l.p.mix
	source := fromChoice
	if p.TargetFrom != TargetGiven {
		source = fromQueue
	}
	l.add("How busy replicas may be", "rho", "", p.TargetFrac, "", source,
		Input{"wait", p.WaitLimitSeconds, "s"}, Input{"T", p.ReplicaSeconds, "s"}, Input{"ca2", m.ca2, ""}, Input{"cs2", m.cs2, ""})
	rate, T, rho, tp := Input{"rate", m.peak, "requests/s"}, Input{"T", p.ReplicaSeconds, "s"}, Input{"rho", p.TargetFrac, ""}, Input{"tp", float64(d.TP), ""}
	P, D := Input{"P", p.PrefillShownSeconds, "s"}, Input{"D", p.DecodeSeconds, "s"}
	if d.Disaggregated {
		l.add("Replicas for prefill", "Rp", "ceil(rate*P/rho)", float64(p.PrefillReplicas), "replicas", fromChain, rate, P, rho)
		l.add("Replicas for decode", "Rd", "ceil(rate*D/rho)", float64(p.DecodeReplicas), "replicas", fromChain, rate, D, rho)
		l.add("Replicas", "R", "Rp + Rd", float64(p.Replicas), "replicas", fromChain,
			Input{"Rp", float64(p.PrefillReplicas), "replicas"}, Input{"Rd", float64(p.DecodeReplicas), "replicas"})
	} else {
		l.add("Replicas", "R", "ceil(rate*T/rho)", float64(p.Replicas), "replicas", fromChain, rate, T, rho)
	}
	l.add("GPUs", "GPUs", "(R + spare)*tp", float64(p.GPUs), "GPUs", fromChain,
		Input{"R", float64(p.Replicas), "replicas"}, Input{"spare", float64(p.SpareReplicas), "replicas"}, tp)
	l.add("GPUs as a real number, without spares", "G", "rate*T*tp/rho", p.GPUsFractional, "GPUs", fromChain, rate, T, tp, rho)
	mean := Input{"mean", m.mean, "requests/s"}
	l.add("The same at the mean rate", "Gmean", "mean*T*tp/rho", p.MeanGPUsFractional, "GPUs", fromChain, mean, T, tp, rho)
	l.add("Busy at the mean load", "busy", "mean*T/(R + spare)", p.Cost.Busy, "", fromChain, mean, T, Input{"R", float64(p.Replicas), "replicas"}, Input{"spare", float64(p.SpareReplicas), "replicas"})
	l.add("Work of prefill", "gp", "mean*P*tp", p.PrefillGPUSecondsPerSec, "GPU-s/s", fromChain, mean, P, tp)
	l.add("Work of decode", "gd", "mean*D*tp", p.DecodeGPUSecondsPerSec, "GPU-s/s", fromChain, mean, D, tp)
	l.add("Share of prefill in the work", "share", "gp/(gp + gd)", p.PrefillGPUSecondsPerSec/(p.PrefillGPUSecondsPerSec+p.DecodeGPUSecondsPerSec), "", fromChain,
		Input{"gp", p.PrefillGPUSecondsPerSec, "GPU-s/s"}, Input{"gd", p.DecodeGPUSecondsPerSec, "GPU-s/s"})
}

func (l *linker) latency() {
	p, d, m := l.p, l.d, &l.p.mix
	slowest, moved := Input{"Plong", m.slowest, "s"}, Input{"move", p.TransferSeconds, "s"}
	step := Input{"step", p.WeightSeconds + float64(p.Batch*p.KVSeconds), "s"}
	switch {
	case d.Disaggregated:
		if d.GPU.LinkBytesPerSec > 0 {
			l.add("Moving the KV of a prompt", "move", "kv/(link*tp)", p.TransferSeconds, "s", "bytes over the link, nothing hidden",
				Input{"kv", m.moved, "bytes"}, Input{"link", d.GPU.LinkBytesPerSec, "bytes/s"}, Input{"tp", float64(d.TP), ""})
		}
		l.add("First token without a wait", "first", "Plong + move", p.FirstSeconds, "s", fromChain, slowest, moved)
		l.add("Longest gap between tokens", "gap", "step", p.LongestGapSeconds, "s", fromChain, step)
	case d.ChunkTokens > 0:
		chunks := Input{"chunks", p.chunks(d), ""}
		l.add("First token without a wait", "first", "Plong + chunks*step", p.FirstSeconds, "s", fromChain, slowest, chunks, step)
		l.add("Longest gap between tokens", "gap", "step + Plong/chunks", p.LongestGapSeconds, "s", fromChain, step, slowest, chunks)
	default:
		l.add("First token without a wait", "first", "Plong", p.FirstSeconds, "s", fromChain, slowest)
		l.add("Longest gap between tokens", "gap", "step + Plong", p.LongestGapSeconds, "s", fromChain, step, slowest)
	}
	servers, served := Input{"R", float64(p.Replicas), "replicas"}, Input{"T", p.ReplicaSeconds, "s"}
	if d.Disaggregated {
		servers, served = Input{"Rp", float64(p.PrefillReplicas), "replicas"}, Input{"P", p.PrefillShownSeconds, "s"}
	}
	T, R := served.Symbol, servers.Symbol
	u := Input{"u", float64(m.peak*served.Value) / servers.Value, ""}
	C := Input{"C", erlangC(int(servers.Value), u.Value), ""}
	l.add("How busy they are at the peak", "u", "rate*"+T+"/"+R, u.Value, "", fromChain, Input{"rate", m.peak, "requests/s"}, served, servers)
	l.add("Share of requests that wait", "C", "", C.Value, "", fromErlang, servers, u)
	l.add("Mean wait for a replica", "queued", "C*"+T+"/("+R+"*(1 - u))*(ca2 + cs2)/2", p.MeanWaitSeconds, "s", fromWait, C, served, servers, u, Input{"ca2", m.ca2, ""}, Input{"cs2", m.cs2, ""})
	l.add("Time to first token at the peak", "TTFT", "first + queued", p.FirstSeconds+p.MeanWaitSeconds, "s", fromChain, Input{"first", p.FirstSeconds, "s"}, Input{"queued", p.MeanWaitSeconds, "s"})
}

func (l *linker) money() {
	p, d, c := l.p, l.d, &l.p.Cost
	m := &p.mix
	hour := Input{"usd", c.PerHour, "USD/h"}
	in, out := Input{"in", p.InputTokensPerSec, "tokens/s"}, Input{"out", p.OutputTokensPerSec, "tokens/s"}
	P, D, T := Input{"P", p.PrefillShownSeconds, "s"}, Input{"D", p.DecodeSeconds, "s"}, Input{"T", p.ReplicaSeconds, "s"}
	l.add("Price of an hour", "usd", "GPUs*price", c.PerHour, "USD/h", "the price of a GPU for an hour", Input{"GPUs", float64(p.GPUs), "GPUs"}, Input{"price", d.USDPerGPUHour, "USD/h"})
	l.add("Price of a request", "request", "usd/(3600*mean)", c.PerRequest, "USD", fromChain, hour, Input{"mean", m.mean, "requests/s"})
	l.add("Price of a million output tokens, prompts free", "outputAll", "usd/(3600*out)*1000000", c.PerMOutputAll, "USD", fromChain, hour, out)
	if p.ThinkingTokensPerSec > 0 && p.OutputTokensPerSec > p.ThinkingTokensPerSec {
		l.add("Price of a million output tokens that are read, prompts free", "shown", "usd/(3600*(out - think))*1000000", c.PerMShown, "USD", fromChain, hour, out, Input{"think", p.ThinkingTokensPerSec, "tokens/s"})
	}
	l.add("Price of a million tokens", "total", "usd/(3600*(in + out))*1000000", c.PerMTotal, "USD", fromChain, hour, in, out)
	l.add("Price of a million prompt tokens", "input", "usd*P/T/(3600*in)*1000000", c.PerMInput, "USD", fromChain, hour, P, T, in)
	l.add("Price of a million output tokens", "output", "usd*D/T/(3600*out)*1000000", c.PerMOutput, "USD", fromChain, hour, D, T, out)
}
