package sizing

import (
	"math"

	"openloop/content/demo/text"
	"openloop/planner"
	"openloop/planner/profile"
)

// Where the values of an equation are from that no other equation computes, with
// the numbers behind them.

// given says where an input is from that no equation computes.
func (r *capacityRun) given(in planner.Input) string {
	d := &r.a.deployment
	switch in.Symbol {
	case "rate", "mean", "o", "n", "ca2", "cs2":
		if r.a.two() {
			return "of both kinds of request"
		}
		return "from your settings"
	case "tp", "s", "spare", "x":
		return "from your settings"
	case "seats":
		if r.a.engine != own {
			return "the most that the engines ran with whose throughput the efficiency was fitted to"
		}
		return "from your settings"
	case "mem", "link":
		return d.GPU.Name + gpuSource(d)
	case "BW", "BWkv":
		return r.reached(in, d.GPU.HBMBytesPerSec, "bandwidth")
	case "F", "Fe":
		peak, _ := d.GPU.PeakFLOPsPerSec(d.Compute)
		return r.reached(in, peak, "peak in "+d.Compute.String())
	case "Fa", "Fd":
		return r.reached(in, d.GPU.BF16FLOPsPerSec, "peak in bf16")
	case "c0":
		return r.each()
	case "sent":
		return r.talk(in.Value)
	case "seq":
		return r.cells(in.Value)
	case "util":
		if r.a.engine == own {
			return "share of memory that holds weights and KV, from your settings"
		}
		return "share of memory that holds weights and KV, not fitted: " + planner.ChosenMemoryFrac
	case "weights":
		p := float64(d.Model.Params().Total())
		return text.Num(p/1e9, 4) + " billion parameters × " + text.Num(in.Value/p, 4) + " bytes: " + d.Model.Name + ", " + r.a.stored + modelSource(d)
	case "wait", "in", "out", "think", "step", "h", "len":
		return r.counted(in)
	case "kv":
		if l, ok := find(r.links, "kvtokens"); ok && d.Model.LocalLayers == 0 {
			seq, tokens := l.Inputs[1].Value, l.Inputs[2].Value
			return text.Num(in.Value/seq*tokens, 5) + " tokens × " + quantity(seq/tokens, "bytes") + ", " + shapeGiven["kv"] + ": " + d.Model.Name + modelSource(d)
		}
		return shapeGiven["kv"] + ": " + d.Model.Name + modelSource(d)
	case "always", "routed", "matrices", "experts", "reread":
		return shapeGiven[in.Symbol] + ": " + d.Model.Name + ", " + r.a.stored + modelSource(d)
	case "attention":
		return r.pairs(in.Value) + ": " + d.Model.Name + modelSource(d)
	case "price":
		return r.priceSource()
	case "rated":
		return d.GPU.Name + gpuSource(d)
	}
	return plainGiven[in.Symbol]
}

// counted is an input that is counted on the way, with the numbers that it is
// counted from.
func (r *capacityRun) counted(in planner.Input) string {
	p, d := r.plan(), &r.a.deployment
	says := plainGiven[in.Symbol]
	if c := &r.a.workload.Classes[0]; !r.a.two() {
		rate, n, o := text.Num(c.RequestsPerSec, 4), text.Num(c.PromptTokens, 5), text.Num(c.OutputTokens, 5)
		switch in.Symbol {
		case "in":
			return rate + " × " + n + ": " + says
		case "out":
			return rate + " × " + o + ": " + says
		case "think":
			return rate + " × " + text.Num(c.ThinkingTokens, 5) + ": " + says
		case "len":
			if d.ReserveMean {
				return n + " + " + o + " / 2: " + says + ", on average over its life"
			}
			return n + " + " + o + ": " + says
		}
	}
	switch s := r.a.objective.TTFTSeconds; in.Symbol {
	case "step":
		return text.Seconds(p.WeightSeconds) + " + " + text.Num(p.Batch, 4) + " × " + text.Seconds(p.KVSeconds) + ": " + says
	case "wait":
		if s > 0 && in.Value > 0 {
			return text.Seconds(s) + " − " + text.Seconds(p.FirstSeconds) + ", the first token without a wait: " + says
		}
	case "h":
		if d.Spec.Drafts > 0 {
			return says + ": c0 × read"
		}
		return says + ": c0"
	}
	return says
}

// plainGiven is what inputs are that are counted on the way.
var plainGiven = map[string]string{
	"wait": "the mean wait that the promises leave; 0 if none is promised", "none": "nothing is promised", "B": "sequences that may run",
	"len": "prompt and output of the mean request", "touched": "share of the routed experts that a batch touches",
	"read": "1, or less with drafts: bytes read for a token", "work": "1, or more with drafts: arithmetic for a token",
	"new": "of the prompt, not found in a cache", "alone": "of a prompt that is a step of its own",
	"h": "the part of w that is not reading", "Plong": "prefill of the longest prompt", "chunks": "steps that it takes", "step": "a decode step at full load: w + batch × b", "move": "moving KV to the other pool",
	"in": "input tokens, mean", "out": "output tokens, mean, thinking included", "think": "thinking tokens, mean",
}

// shapeGiven is what is counted from the shape of a model.
var shapeGiven = map[string]string{
	"always":   "weights that every token meets: all but the input embeddings, and no routed experts",
	"routed":   "weights of the routed experts",
	"matrices": "2 FLOP × each token × each weight that it meets: all but the input embeddings; the output layer once for a prompt",
	"experts":  "2 FLOP × each token × each weight of the experts that it is sent to",
	"kv":       "KV of the mean context",
	"reread":   "KV of the chunks before, which a later chunk of a prompt reads",
}

// met is the arithmetic of matrices as so many tokens and weights, in the equation of
// a prompt or of a decoded token.
func (r *capacityRun) met(equation string, in planner.Input) string {
	if in.Symbol != "matrices" && in.Symbol != "experts" {
		return ""
	}
	tokens := 1.0
	if equation == "P0" {
		rate, sum := 0.0, 0.0
		for i := range r.a.workload.Classes {
			c := &r.a.workload.Classes[i]
			rate += c.RequestsPerSec
			sum += float64(c.RequestsPerSec * c.PromptTokens * (1 - c.HitFrac))
		}
		tokens = sum / rate
	}
	return "2 × " + text.Num(tokens, 5) + " × " + text.Num(in.Value/2/tokens/1e9, 3) + " billion: "
}

// pairs is attention as so many pairs of a token and one that it looks at.
func (r *capacityRun) pairs(flop float64) string {
	m := r.a.deployment.Model
	if m.Attention == profile.MLA || m.LocalLayers > 0 || r.a.deployment.Attention != planner.AttentionAsBuilt {
		return "2 FLOP × each element of a key and of a value × each token that it is of, in each head and layer"
	}
	pair := float64(4 * m.Heads * m.HeadDim * m.Layers)
	return "4 FLOP × " + text.Whole(m.Heads) + " heads × " + text.Whole(m.HeadDim) + " × " + text.Whole(m.Layers) + " layers × " + text.Num(flop/pair, 4) + " pairs of a token and one that it looks at"
}

func gpuSource(d *planner.Deployment) string {
	if len(d.GPU.Sources) == 0 {
		return ""
	}
	return ": " + d.GPU.Sources[0].Where
}

func modelSource(d *planner.Deployment) string {
	if len(d.Model.Sources) == 0 {
		return ""
	}
	return ": " + d.Model.Sources[0].Where
}

// reached is a rate as so many GPUs at so much of a peak.
func (r *capacityRun) reached(in planner.Input, peak float64, of string) string {
	d := &r.a.deployment
	share := in.Value / (float64(d.TP) * peak)
	out := text.Whole(d.TP) + " × " + quantity(peak, in.Unit) + " × " + percent(share) + ": " + d.GPU.Name + ", " + of + gpuSource(d) + ", and the share of it that is reached"
	switch {
	case r.a.engine == own:
		return out + ", from your settings"
	case d.Reference.Origin != planner.Roofline:
		out += ", from " + r.plan().ReferenceName
		if share > 1 {
			out += "; more than there is, since the fit has part of this arithmetic in its other terms"
		}
		return out
	}
	return out + ", " + whence(in.Symbol, d.Compute)
}

// whence says where a share of a peak is from that is part of the published efficiency.
func whence(symbol string, compute profile.DType) string {
	switch {
	case symbol == "BW" || symbol == "BWkv":
		return "not fitted: " + planner.ChosenMBU
	case symbol == "Fa" || symbol == "Fd":
		return "not fitted: " + planner.ChosenAttentionMFU
	case symbol == "F" && compute == profile.BF16:
		return "not fitted: " + planner.ChosenBF16MFU
	}
	return "fitted to published throughput"
}

// each is what a step takes before anything is read.
func (r *capacityRun) each() string {
	d := &r.a.deployment
	step, meet := "", ""
	switch {
	case r.a.engine == own:
		step, meet = ", from your settings", ", from your settings"
	case d.Reference.StepSeconds > 0:
		step, meet = ": the median of what vLLM of 2024 took in bf16 over such kernels, by LLM-Inference-Bench", ": "+planner.ChosenLatency
	case d.Reference.Origin != planner.Roofline:
		step, meet = ": nobody measured an engine on this GPU with this model, so these steps are of kernels alone", ": "+planner.ChosenLatency
	default:
		step, meet = ": "+planner.ChosenStep, ": "+planner.ChosenLatency
	}
	out := text.Seconds(d.Engine.StepSeconds+d.Reference.StepSeconds) + " of the engine" + step
	if d.TP > 1 && d.Engine.LatencySeconds > 0 {
		out += "; and 2 × " + text.Whole(d.Model.Layers) + " layers × " + text.Seconds(d.Engine.LatencySeconds) + " for the GPUs of a replica to meet" + meet
	}
	return out
}

// talk is the all-reduces of one token, or what was measured with the steps.
func (r *capacityRun) talk(seconds float64) string {
	d := &r.a.deployment
	rate := float64(d.GPU.LinkBytesPerSec * d.Engine.LinkFrac)
	if d.Reference.Origin != planner.Roofline || rate == 0 || d.Spec.Drafts > 0 {
		return "talking within a replica and what else a sequence adds, for one token"
	}
	times := float64(2 * d.Model.Layers)
	sent := float64(seconds*rate) / times
	out := "2 × " + text.Whole(d.Model.Layers) + " layers × " + quantity(sent, "bytes") + " that a GPU sends for a token"
	n := float64(d.TP)
	if ring := float64(2 * (n - 1) / n * 2 * float64(d.Model.Hidden)); math.Abs(sent-ring) < 1e-6*ring {
		out += " (2 × " + text.Whole(d.TP-1) + "/" + text.Whole(d.TP) + " × " + text.Whole(d.Model.Hidden) + " × 2 bytes, in a ring)"
	}
	out += " / (" + quantity(d.GPU.LinkBytesPerSec, "bytes/s") + " × " + percent(d.Engine.LinkFrac) + ")"
	if r.a.engine == own {
		return out + ", the share from your settings"
	}
	return out + ", the share fitted to published throughput"
}

// cells is the KV of a sequence as tokens and the cells of one.
func (r *capacityRun) cells(bytes float64) string {
	d := &r.a.deployment
	l, _ := find(r.links, "kvtokens")
	tokens := 0.0
	for _, in := range l.Inputs {
		if in.Symbol == "len" {
			tokens = in.Value
		}
	}
	one := bytes / tokens
	out := text.Num(tokens, 5) + " tokens on average × " + quantity(one, "bytes")
	if m := d.Model; (m.Attention == profile.GQA || m.Attention == profile.MHA || m.Attention == profile.MQA) && d.Attention == planner.AttentionAsBuilt {
		if heads := 2 * float64(m.Layers) * float64(m.KVHeads) * float64(m.HeadDim); float64(m.KVElementsPerToken()) == heads {
			out += ", of a token 2 × " + text.Whole(m.Layers) + " layers × " + text.Whole(m.KVHeads) + " heads × " + text.Whole(m.HeadDim) + " × " + text.Num(one/heads, 3) + " bytes"
		}
	}
	return out + ": " + d.Model.Name + modelSource(d)
}
