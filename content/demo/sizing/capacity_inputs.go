package sizing

import (
	"slices"
	"strconv"

	"openloop/content/demo"
	"openloop/planner"
	"openloop/planner/profile"
)

// From settings to what the planner takes.

// asked is one plan to be made.
type asked struct {
	workload   planner.Workload
	deployment planner.Deployment
	objective  planner.Objective
	task       planner.Task
	stored     string // weights, in words
	expanded   bool   // the GPU cannot compute in the type of the weights
	why        string // steps were not measured, though asked for
	list       bool   // the price is of the list
	priced     bool   // there is one
	engine     string // option of the knob
	fit        planner.Efficiency
	efficient  bool               // the deployment has that
	trace      *planner.TraceHits // what the hit rate is from; nil if it is given
	cached     float64            // tokens in the cache
	pue, kwh   float64            // power of the site over that of the GPUs, $/kWh
}

// settings are values with those of plan B in the place of those of plan A.
type settings struct {
	demo.Values
	b bool
}

// pick is the option of a choice.
func (s settings) pick(name string) string {
	if s.b {
		if o := s.Option("b_" + name); o != same {
			return o
		}
	}
	return s.Option(name)
}

// differs says whether plan B is another than plan A.
func differs(v demo.Values) bool {
	return slices.ContainsFunc(planBNames[:], func(name string) bool { return v.Option("b_"+name) != same })
}

func askedFor(v demo.Values, b bool) asked {
	a := planned(settings{v, b})
	a.setMeasured()
	a.setMoney(v)
	return a
}

// setMoney is what only the bill and the task count with.
func (a *asked) setMoney(v demo.Values) {
	a.pue, a.kwh = v.Num("pue"), v.Num("kwh")
	d := &a.deployment
	d.USDPerGPUHour, a.priced = v.Num("price"), true
	if d.USDPerGPUHour == 0 {
		a.list = true
		d.USDPerGPUHour, a.priced = listPrice(d.GPU)
	}
	a.task = planner.Task{Turns: v.Int("turns"), UserTokens: v.Num("prompt"), AnswerTokens: v.Num("output"), ThinkingTokens: v.Num("thinking"), SuccessFrac: v.Num("success") / 100, MaxAttempts: v.Int("attempts")}
}

// planned is the plan without its bill.
func planned(s settings) (a asked) {
	v := s.Values
	a.engine = v.Option("efficiency")
	a.setWorkload(v)
	d := &a.deployment
	d.GPU, d.Model = gpuOf(s), modelOf(s)
	d.TP, _ = strconv.Atoi(s.pick("tp"))
	a.store(s.pick("weights"))
	d.KV, _ = profile.ParseDType(s.pick("kv"))
	a.setEngine(v)
	d.ChunkTokens, d.OverlapFrac = v.Int("chunk"), v.Num("overlap")/100
	d.Disaggregated = s.pick("apart") == "on"
	d.Spec = drafts(s)
	d.Attention = planner.AttentionChoice(v.Int("attention"))
	d.Experts = planner.ExpertChoice(v.Int("moe"))
	d.SpareReplicas = v.Int("spare")
	a.objective = planner.Objective{TPOTSeconds: v.Num("tpot") / 1000, TTFTSeconds: v.Num("ttft"), TargetFrac: v.Num("busy") / 100}
	return a
}

// levers are what the levers of the plan are turned on to.
func (a *asked) levers() planner.Targets {
	t := planner.DefaultTargets(a.deployment)
	if a.efficient && a.deployment.Reference.Origin == planner.Roofline {
		t.Efficiency = &a.fit
	}
	return t
}

// setWorkload is one kind of request, or two.
func (a *asked) setWorkload(v demo.Values) {
	c := planner.Class{
		RequestsPerSec: v.Num("rate"), PeakToMean: v.Num("peak"),
		PromptTokens: v.Num("prompt"), OutputTokens: v.Num("output") + v.Num("thinking"), ThinkingTokens: v.Num("thinking"),
		HitFrac: v.Num("hit") / 100, ArrivalCV2: v.Num("bursts"), ServiceCV2: v.Num("spread"),
	}
	if from := v.Option("cache"); from != given {
		for _, t := range planner.AllTraceHits() {
			if t.ID == from {
				a.trace, a.cached = &t, float64(v.Num("cached")*1e6)
			}
		}
		// A trace has longer prompts than some: one token is always computed.
		c.HitFrac = min(a.trace.HitFrac(a.cached), 1-1/c.PromptTokens)
	}
	a.workload.Classes = append(a.workload.Classes, c)
	if rate := v.Num("rate2"); rate > 0 {
		c.RequestsPerSec, c.PromptTokens, c.OutputTokens, c.ThinkingTokens, c.HitFrac = rate, v.Num("prompt2"), v.Num("output2"), 0, v.Num("hit2")/100
		a.workload.Classes = append(a.workload.Classes, c)
	}
}

// two says that there is a second kind of request.
func (a *asked) two() bool { return len(a.workload.Classes) > 1 }

func gpuOf(s settings) *profile.GPU {
	if g, ok := profile.FindGPU(s.pick("gpu")); ok {
		return g
	}
	return &profile.GPU{
		ID: own, Name: "your GPU", MemoryBytes: int64(s.Num("own_memory") * 1e9), HBMBytesPerSec: float64(s.Num("own_bandwidth") * 1e12),
		BF16FLOPsPerSec: float64(s.Num("own_bf16") * 1e12), FP8FLOPsPerSec: float64(s.Num("own_fp8") * 1e12), LinkBytesPerSec: float64(s.Num("own_link") * 1e9),
		PowerWatts: s.Num("own_power"),
	}
}

func modelOf(s settings) *profile.Model {
	if m, ok := profile.FindModel(s.pick("model")); ok {
		return m
	}
	m := &profile.Model{
		ID: own, Name: "your model", Attention: profile.GQA, Layers: s.Int("layers"), Hidden: s.Int("hidden"), Heads: s.Int("heads"), KVHeads: s.Int("kv_heads"),
		HeadDim: s.Int("head_dim"), Intermediate: s.Int("mlp"), Vocab: s.Int("vocab"), ContextTokens: 1 << 20, Native: profile.Uniform(2),
	}
	if m.KVHeads == m.Heads {
		m.Attention = profile.MHA
	}
	if n := s.Int("experts"); n > 0 {
		m.MoELayers, m.ExpertsRouted, m.ExpertsActive, m.ExpertIntermediate = m.Layers, n, s.Int("active"), m.Intermediate
	}
	return m
}

// store sets how weights are stored, and in what the arithmetic runs: in the
// same type if the GPU can, else they are expanded to bf16.
func (a *asked) store(option string) {
	d := &a.deployment
	a.stored = option
	if option == "native" {
		d.Storage = d.Model.Native
		switch a.stored = "as published, " + d.Model.NativeDType; d.Model.Native.Routed {
		case 1:
			d.Weights = profile.FP8
		case profile.MXFP4BytesPerParam:
			d.Weights = profile.FP4
		default:
			d.Weights = profile.BF16
		}
		if d.Model.NativeDType == "" {
			a.stored = "bf16"
		}
	} else {
		d.Weights, _ = profile.ParseDType(option)
	}
	d.Compute = d.Weights
	if _, ok := d.GPU.PeakFLOPsPerSec(d.Compute); !ok {
		d.Compute, a.expanded = profile.BF16, true
	}
}

func drafts(s settings) planner.Speculation {
	k := s.Int("drafts")
	if s.b && s.Option("b_drafts") != same {
		k, _ = strconv.Atoi(s.Option("b_drafts"))
	}
	if k == 0 {
		return planner.Speculation{}
	}
	table, _ := planner.FindAcceptanceTable(s.Option("accepted"))
	return planner.Speculation{Drafts: k, Table: table, DraftCost: 0.05}
}

// listPrice is the middle of the examples that were found for a GPU: the median
// of the middles of their ranges.
func listPrice(g *profile.GPU) (usd float64, ok bool) {
	var middles []float64
	for _, p := range g.Prices {
		middles = append(middles, (p.LowUSDPerGPUHour+p.HighUSDPerGPUHour)/2)
	}
	n := len(middles)
	if n == 0 {
		return 0, false
	}
	slices.Sort(middles)
	return (middles[(n-1)/2] + middles[n/2]) / 2, true
}
