package tables_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"openloop/planner"
	"openloop/planner/profile"
)

// From a published number to the planner's own: which question it answers, which
// deployment it was, and what planner.Evaluate says.

// The groups, in the order of the page.
const (
	dense   = "dense"
	another = "other GPU"
	slowPCI = "L40S, 4 and 8 GPUs"
	experts = "experts"
	mlperf  = "MLPerf"
	few     = "few requests"
	silent  = "not predicted"
)

func groupOf(p *pub) string {
	if whyNot(p) != "" {
		return silent
	}
	switch {
	case strings.HasPrefix(p.scenario, "MLPerf"):
		return mlperf
	case p.atOnce > 0:
		return few
	case p.model.MoE():
		return experts
	case p.gpu.ID == "l40s" && p.gpus > 1:
		return slowPCI
	case p.gpu.ID == "rtx-pro-6000":
		return another
	}
	return dense
}

// whyNot says why a row is not predicted, in words for the page; "" if it is.
func whyNot(p *pub) string {
	switch {
	case p.gpu == nil:
		return "the planner has no such GPU: " + p.gpuName
	case p.model == nil:
		return "the planner has no such model: " + p.modelName
	case p.pp > 1:
		return "pipeline parallelism is not modeled"
	case strings.Contains(p.scenario, "deterministic"):
		return "deterministic kernels are slower by what nothing here predicts"
	case strings.Contains(p.scenario, "speculation"):
		return "how many drafts were accepted was not published"
	case strings.HasPrefix(p.scenario, "MLPerf"):
		switch {
		case p.output == 0:
			return "neither prompts nor answers have a published length"
		case !slices.ContainsFunc(mlperfPrompts, func(l promptRange) bool { return l.model == p.model.ID }):
			return "nothing is known of its prompts"
		}
		return ""
	case strings.HasPrefix(p.metric, "ITL"):
		return ""
	case p.gpus == 0 || p.tp == 0:
		return "how the model was spread over GPUs is not what the planner plans: " + cleaned(p.scenario)
	case !p.lengths:
		return "lengths were not published"
	case !strings.Contains(p.metric, "output") && p.unit != "s":
		return "not output of a whole server: " + p.metric
	}
	if _, ok := precisions[p.prec]; !ok {
		return "no such precision: " + p.prec
	}
	return ""
}

func cleaned(s string) string {
	if s == "" {
		return "not said"
	}
	return s
}

// precision is how weights are stored and computed, and the KV.
type precision struct {
	weights, kv, compute profile.DType
	storage              profile.Storage
	head                 float64
}

// precisions by the names of the files. nvfp4 keeps embeddings and head in 2
// bytes; mxfp4 has only the routed experts in 4 bits (gpt-oss, config.json).
var precisions = map[string]precision{
	"fp16":                  {},
	"bf16":                  {},
	"bf16 kv":               {},
	"bf16 weights, bf16 kv": {},
	"bf16 weights, fp8 kv":  {kv: profile.FP8},
	"fp8 kv":                {kv: profile.FP8},
	"fp8":                   {weights: profile.FP8, kv: profile.FP8, compute: profile.FP8},
	"fp4":                   {weights: profile.FP4, kv: profile.FP8, compute: profile.FP4, storage: profile.Uniform(profile.NVFP4BytesPerParam), head: 2},
	"mxfp4/fp8":             {weights: profile.FP4, kv: profile.FP8, compute: profile.FP8, storage: profile.Storage{AlwaysOn: 2, Routed: profile.MXFP4BytesPerParam}},
}

// promptRange are the mean prompt lengths that a MLPerf benchmark may have: they
// are in no result, and we found no source that we could cite. Chosen wide.
type promptRange struct {
	model       string
	least, most float64
}

var mlperfPrompts = []promptRange{
	{"llama-2-70b", 100, 1000},
	{"mixtral-8x7b", 100, 1000},
	{"llama-3.1-405b", 2000, 20000},
}

// asked is the deployment and the request of a row.
type asked struct {
	d        planner.Deployment
	c        planner.Class
	o        planner.Objective
	replicas float64
	split    string
}

// ask builds them; prompt overrides the row's where it has none.
func ask(p *pub, e planner.Efficiency, prompt float64) (asked, error) {
	q, ok := precisions[p.prec]
	if !ok {
		return asked{}, fmt.Errorf("no such precision: %s", p.prec)
	}
	native := p.model.NativeDType
	if strings.HasPrefix(native, "mxfp4") && (p.prec == "bf16 kv" || p.prec == "bf16") { // of the KV; the weights are as published
		q = precisions["mxfp4/fp8"]
		q.kv = profile.BF16
	}
	a := asked{replicas: 1}
	a.c = planner.Class{PromptTokens: prompt, OutputTokens: p.output}
	a.o = planner.Objective{TPOTSeconds: p.tpotLimit}
	a.d = planner.Deployment{GPU: p.gpu, Model: p.model, TP: max(p.tp, 1), Weights: q.weights, KV: q.kv, Compute: q.compute, Storage: q.storage, HeadBytesPerParam: q.head}
	if _, ok := p.gpu.PeakFLOPsPerSec(q.compute); !ok || p.prec != "fp8" && q.compute == profile.FP8 && p.gpu.FP4FLOPsPerSec == 0 {
		a.d.Compute = profile.BF16 // 4-bit weights on a part without such arithmetic are expanded
	}
	e.Set(&a.d)
	a.split = "TP" + strconv.Itoa(a.d.TP)
	if p.expert {
		n := float64(p.tp)
		a.split = "DEP" + strconv.Itoa(p.tp)
		s := a.d.Storage
		if s == (profile.Storage{}) {
			s = profile.Uniform(q.weights.Bytes())
		}
		// Each GPU holds and reads all that is always on, for requests of its own.
		a.d.Storage = profile.Storage{AlwaysOn: s.AlwaysOn * n, Routed: s.Routed}
		a.d.HeadBytesPerParam *= n
		a.d.MaxNumSeqs *= p.tp
		a.d.ChunkTokens *= p.tp
	}
	if p.atOnce > 0 {
		if a.d.MaxNumSeqs == 0 || a.d.MaxNumSeqs > p.atOnce {
			a.d.MaxNumSeqs = p.atOnce
		}
	}
	if strings.HasPrefix(p.scenario, "MLPerf") {
		return a, a.spread(p)
	}
	return a, nil
}

// spread gives a system to as many replicas as it has room for: the smallest TP
// that holds the model and, as a tenth of the memory, KV.
func (a *asked) spread(p *pub) error {
	for tp := 1; tp <= p.gpus; tp *= 2 {
		a.d.TP = tp
		weights := a.d.Model.StoredBytes(storageOf(&a.d))
		if weights <= 0.8*float64(tp)*float64(a.d.GPU.MemoryBytes) {
			a.replicas = float64(p.gpus / tp)
			a.split = strconv.Itoa(p.gpus/tp) + " x TP" + strconv.Itoa(tp)
			return nil
		}
	}
	return fmt.Errorf("%s does not fit", p.id)
}

func storageOf(d *planner.Deployment) profile.Storage {
	if d.Storage == (profile.Storage{}) {
		return profile.Uniform(d.Weights.Bytes())
	}
	return d.Storage
}

// predict is the planner's number in the unit of the row, for one prompt length.
func predict(p *pub, e planner.Efficiency, prompt float64) (float64, error) {
	a, err := ask(p, e, prompt)
	if err != nil {
		return 0, err
	}
	return answer(p, &a)
}

func answer(p *pub, a *asked) (float64, error) {
	if strings.HasPrefix(p.metric, "ITL") {
		return answerITL(p, a)
	}
	rate, err := planner.ReplicaTokensPerSec(a.c, a.d, a.o)
	if err != nil {
		return 0, err
	}
	rate *= a.replicas
	switch {
	case p.unit == "s":
		return float64(p.atOnce) * p.output / rate, nil
	case strings.HasSuffix(p.unit, "/GPU"):
		return rate / float64(p.gpus), nil
	}
	return rate, nil
}

// perfect is all peaks reached, memory full to the last byte, and prefill hidden
// behind decode, or decode behind prefill: nothing can be faster.
func perfect() planner.Efficiency {
	return planner.Efficiency{BF16MFU: 1, FP8MFU: 1, FP4MFU: 1, MBU: 1, MemoryFrac: 1, ChunkTokens: 1 << 17}
}

// bound is the published number over what the peaks allow: above 1 it cannot be.
// Of a length that was not published the one that is fastest counts.
func bound(p *pub) (float64, error) {
	prompt := p.prompt
	if prompt == 0 {
		prompt = 1
	}
	a, err := ask(p, perfect(), prompt)
	if err != nil {
		return 0, err
	}
	a.d.OverlapFrac, a.o = 1, planner.Objective{}
	best, err := answer(p, &a)
	if p.seconds() {
		return best / p.value, err
	}
	return p.value / best, err
}

// seconds says that less is better.
func (p *pub) seconds() bool { return p.unit == "s" || strings.HasPrefix(p.unit, "ms") }

// answerITL is a line through steps of one sequence: at no context, and what a
// token of it adds.
func answerITL(p *pub, a *asked) (float64, error) {
	a.c.PromptTokens, a.c.OutputTokens = 1000, 1
	a.c.RequestsPerSec, a.c.PeakToMean = 1, 1
	plan, err := planner.Evaluate(planner.Workload{Classes: []planner.Class{a.c}}, a.d, planner.Objective{TargetFrac: 1})
	if err != nil {
		return 0, err
	}
	s := plan.Step
	if strings.Contains(p.metric, "slope") {
		slope := s.KVToken
		if m := a.d.Model; m.LocalLayers > 0 { // beyond the window only the other layers grow
			kv := float64(a.d.KV.Bytes())
			slope *= (m.KVBytes(20001, kv) - m.KVBytes(20000, kv)) / (m.KVBytes(1000, kv) / 1000)
		}
		return slope * 1000, nil
	}
	return (s.Base + s.Sequence) * 1000, nil
}

// groupSays describes a group on the page.
var groupSays = map[string]string{
	dense:   "full load; fitted",
	another: "RTX PRO 6000, full load",
	slowPCI: "full load over PCIe",
	experts: "full load; fitted",
	mlperf:  "prompts of unknown length",
	few:     "vLLM and SGLang",
	silent:  "cannot be asked",
}

var groups = []string{dense, another, slowPCI, experts, mlperf, few, silent}

// targets of the errors, in the order of groups; 0: none.
var targets = map[string]float64{dense: 0.10, experts: 0.25}
