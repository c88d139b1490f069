package sizing

import (
	"openloop/content/demo"
	"openloop/planner"
	"openloop/planner/profile"
)

// The settings of the planner: few are open, the others stand in groups that
// follow the chain from the load to the bill.

const (
	groupLoad    = "The load"
	groupCache   = "Prefix cache"
	groupSecond  = "A second kind of request"
	groupServe   = "Model and replica"
	groupPromise = "The promise"
	groupLevers  = "Levers"
	groupEngine  = "The engine"
	groupMoney   = "Money, power and the task"
	groupB       = "Plan B"
	groupGPU     = "A GPU of your own"
	groupModel   = "A model of your own"
)

func capacityGroups() []demo.Group {
	return []demo.Group{
		{Title: groupGPU}, {Title: groupServe}, {Title: groupModel}, {Title: groupLoad}, {Title: groupCache}, {Title: groupSecond}, {Title: groupPromise},
		{Title: groupLevers}, {Title: groupEngine}, {Title: groupMoney}, {Title: groupB},
	}
}

// own is the option of a GPU or a model that the reader describes; same that of
// plan B for what plan A has; given that of a hit rate that the reader says.
const (
	own   = "own"
	same  = "same"
	given = "given"
)

func capacityKnobs() []demo.Knob {
	all := planKnobs()
	for _, k := range planBKnobs() {
		k.Group = groupB
		all = append(all, k)
	}
	return all
}

// planKnobs are those of plan A.
func planKnobs() []demo.Knob {
	var all []demo.Knob
	in := func(group string, knobs ...demo.Knob) {
		for _, k := range knobs {
			k.Group = group
			all = append(all, k)
		}
	}
	// with are knobs that count only beside another setting.
	with := func(idle func(demo.Values) string, knobs ...demo.Knob) []demo.Knob {
		for i := range knobs {
			if knobs[i].Idle == nil {
				knobs[i].Idle = idle
			}
		}
		return knobs
	}
	in("",
		demo.Knob{Name: "guess", Label: "Your guess", Unit: "GPUs", Doc: "How many GPUs will it take? Say a number before you look. 0 is no guess.", Zero: "none yet", Max: 10_000, Log: true, Whole: true},
		demo.Choice("plan", "The plan", "Guess first.", "hidden", "hidden", "shown", "shown"),
		demo.Knob{Name: "rate", Label: "Requests", Unit: "/s", Doc: "Mean over the hours that the fleet is paid for.", Default: 20, Min: 0.01, Max: 100_000, Log: true},
		gpuKnob(),
	)
	in(groupGPU, with(demo.OnlyWith("gpu", own), ownGPU()...)...)
	in(groupServe, modelKnob(), tpKnob())
	in(groupModel, with(demo.OnlyWith("model", own), ownModel()...)...)
	in(groupLoad,
		demo.Knob{Name: "prompt", Label: "Prompt", Unit: "tokens", Doc: "Mean, whatever a cache spares included.", Default: 1155, Min: 1, Max: 1_000_000, Log: true, Whole: true},
		demo.Knob{Name: "output", Label: "Output", Unit: "tokens", Doc: "Mean, of what somebody reads.", Default: 211, Min: 1, Max: 200_000, Log: true, Whole: true},
		demo.Knob{Name: "thinking", Label: "Thinking", Unit: "tokens", Doc: "Mean, decoded before the output: paid for, and read by nobody.", Max: 200_000, Step: 100, Whole: true},
		demo.Knob{Name: "peak", Label: "Peak over mean", Doc: "The fleet is sized for the peak and paid for at all hours.", Default: 1.5, Min: 1, Max: 20, Step: 0.25},
		demo.Knob{Name: "bursts", Label: "Bursts", Doc: "Squared coefficient of variation of the gaps between requests: 1 is Poisson.", Default: 1.19, Max: 200, Step: 1},
		demo.Knob{Name: "spread", Label: "Spread of the work", Doc: "The same of the work of a request: 0 if all are alike.", Zero: "all alike", Default: 0.42, Max: 50, Step: 0.5},
	)
	in(groupCache, cacheKnobs()...)
	in(groupSecond, append([]demo.Knob{
		{Name: "rate2", Label: "Requests", Unit: "/s", Doc: "Of a second kind, served by the same replicas; 0 for none. Peak, bursts and spread are those of the first.", Zero: "none", Max: 100_000, Step: 10},
	}, with(demo.NotAt("rate2", 0),
		whole("prompt2", "Prompt", "Tokens, mean.", 8000, 1, 1_000_000),
		whole("output2", "Output", "Tokens, mean, thinking included.", 300, 1, 200_000),
		demo.Knob{Name: "hit2", Label: "Found in the prefix cache", Unit: "% of the prompt", Doc: "Not computed again.", Max: 100, Step: 5},
	)...)...)
	in(groupPromise,
		demo.Knob{Name: "tpot", Label: "Time per output token", Unit: "ms", Doc: "At most, on average. 0 promises nothing.", Zero: "not promised", Default: 50, Max: 2000, Step: 5},
		demo.Knob{Name: "ttft", Label: "Time to first token", Unit: "s", Doc: "At most, on average, with the wait for a replica. 0 promises nothing.", Zero: "not promised", Default: 1, Max: 120, Step: 0.25},
		demo.Knob{Name: "busy", Label: "Busy at most", Unit: "%", Doc: "Of its capacity, a replica at the peak. 0 leaves it to the time to first token.", Zero: "left to the time to first token", Default: 70, Max: 100, Step: 5},
	)
	in(groupLevers, leverKnobs()...)
	in(groupEngine, append([]demo.Knob{
		demo.Choice("efficiency", "Efficiency", "Fitted to published throughput; or step times that were measured on this very GPU and model, where there are some; or shares of your own.", "published", "fitted to published runs", "measured", "measured steps", own, "your own"),
	}, with(demo.OnlyWith("efficiency", own),
		demo.Knob{Name: "mfu", Label: "MFU", Unit: "%", Doc: "Share of the peak arithmetic.", Default: 50, Min: 1, Max: 100, Step: 1},
		demo.Knob{Name: "mbu", Label: "MBU", Unit: "%", Doc: "Share of the peak bandwidth.", Default: 80, Min: 1, Max: 100, Step: 1},
		demo.Knob{Name: "memory", Label: "Memory for weights and KV", Unit: "%", Doc: "Of the GPU; the engine keeps the rest.", Default: 90, Min: 10, Max: 100, Step: 1},
		demo.Knob{Name: "seats", Label: "Seats", Unit: "sequences", Doc: "Most sequences in a step; 0 is as many as memory holds.", Zero: "as many as memory holds", Max: 8192, Step: 64, Whole: true},
	)...)...)
	in(groupMoney,
		demo.Knob{Name: "price", Label: "A GPU for an hour", Unit: "$", Doc: "0 is the middle of the examples that we found for this GPU.", Zero: "as listed", Max: 100, Step: 0.05},
		demo.Knob{Name: "spare", Label: "Spare replicas", Doc: "1 is N+1.", Max: 8, Step: 1, Whole: true},
		demo.Knob{Name: "pue", Label: "Power of the site over that of its GPUs", Doc: "1 leaves servers and cooling out.", Default: 1, Min: 1, Max: 10, Step: 0.1},
		demo.Knob{Name: "kwh", Label: "A kilowatt-hour", Unit: "$", Doc: "For those who pay for it themselves; 0 leaves it out.", Zero: "not counted", Max: 5, Step: 0.01},
		demo.Knob{Name: "turns", Label: "Requests of a task", Doc: "Turns that one attempt takes.", Default: 1, Min: 1, Max: 1000, Log: true, Whole: true},
		demo.Knob{Name: "success", Label: "Attempts that succeed", Unit: "%", Doc: "Who pays for the others?", Default: 100, Max: 100, Step: 5},
		demo.Knob{Name: "attempts", Label: "Attempts at most", Doc: "Then the task is given up.", Default: 3, Min: 1, Max: 100, Step: 1, Whole: true, Idle: demo.NotAt("success", 100)},
	)
	return all
}

// cacheKnobs say how much of a prompt a prefix cache finds: a share, or what it
// found in a published trace, by its size.
func cacheKnobs() []demo.Knob {
	from := []string{given, "as I say"}
	var traces []string
	for _, t := range planner.AllTraceHits() {
		from = append(from, t.ID, "as in "+t.Title)
		traces = append(traces, t.ID)
	}
	return []demo.Knob{
		demo.Choice("cache", "What it finds", "A share that you give, or what a cache of some size found in a trace that somebody published.", from...),
		{Name: "hit", Label: "Found in the prefix cache", Unit: "% of the prompt", Doc: "Not computed again.", Max: 100, Step: 5, Idle: demo.OnlyWith("cache", given)},
		{Name: "cached", Label: "Tokens in the cache", Unit: "million", Doc: "Of one cache for all. What the memory of one replica holds stands at the top of the plan.", Default: 5, Min: 0.01, Max: 1000, Log: true, Idle: demo.OnlyWith("cache", traces...)},
	}
}

func ownGPU() []demo.Knob {
	return []demo.Knob{
		{Name: "own_memory", Label: "Memory", Unit: "GB", Doc: "What its label says.", Default: 80, Min: 1, Max: 2000, Log: true},
		{Name: "own_bandwidth", Label: "Bandwidth", Unit: "TB/s", Doc: "Of that memory.", Default: 3.35, Min: 0.05, Max: 100, Log: true},
		{Name: "own_bf16", Label: "bf16", Unit: "TFLOP/s", Doc: "Peak, without sparsity.", Default: 989, Min: 1, Max: 100_000, Log: true},
		{Name: "own_fp8", Label: "fp8", Unit: "TFLOP/s", Doc: "Peak; 0 if it cannot.", Zero: "cannot", Default: 1979, Max: 200_000, Step: 100},
		{Name: "own_link", Label: "Link", Unit: "GB/s", Doc: "To its neighbors, one direction.", Default: 450, Min: 1, Max: 10_000, Log: true},
		{Name: "own_power", Label: "Rated power", Unit: "W", Doc: "Of the GPU alone; 0 if you do not know.", Zero: "not known", Default: 700, Max: 5000, Step: 50},
	}
}

func ownModel() []demo.Knob {
	return []demo.Knob{
		whole("layers", "Layers", "Of attention and MLP.", 80, 1, 300),
		whole("hidden", "Hidden width", "Of the residual stream.", 8192, 64, 65_536),
		whole("heads", "Heads", "Of queries.", 64, 1, 512),
		whole("kv_heads", "KV heads", "As many as heads is MHA, one is MQA.", 8, 1, 512),
		whole("head_dim", "Head width", "Values of one head.", 128, 16, 1024),
		whole("mlp", "MLP width", "Of each expert, if there are experts.", 28_672, 64, 262_144),
		whole("vocab", "Vocabulary", "Tokens.", 128_256, 1000, 1_000_000),
		{Name: "experts", Label: "Experts", Doc: "In each layer; 0 for a dense model.", Zero: "dense", Max: 1024, Step: 8, Whole: true},
		idle(whole("active", "Experts of a token", "How many of them each token uses.", 8, 1, 256), func(v demo.Values) string {
			if says := demo.OnlyWith("model", own)(v); says != "" {
				return says
			}
			return demo.NotAt("experts", 0)(v)
		}),
	}
}

func idle(k demo.Knob, says func(demo.Values) string) demo.Knob {
	k.Idle = says
	return k
}

func whole(name, label, doc string, at, lo, hi float64) demo.Knob {
	return demo.Knob{Name: name, Label: label, Doc: doc, Default: at, Min: lo, Max: hi, Log: true, Whole: true}
}

func picking(k demo.Knob, name string) demo.Knob {
	for i, o := range k.Options {
		if o.Name == name {
			k.Default = float64(i)
		}
	}
	return k
}

func gpuOptions() []string {
	var out []string
	for _, g := range profile.GPUs() {
		out = append(out, g.ID, g.Name)
	}
	return append(out, own, "your own")
}

func modelOptions() []string {
	var out []string
	for _, m := range profile.Models() {
		out = append(out, m.ID, m.Name)
	}
	return append(out, own, "your own")
}

func gpuKnob() demo.Knob {
	return picking(demo.Choice("gpu", "GPU", "Peaks and prices are of the data sheets and lists that its equations name.", gpuOptions()...), "h100-sxm")
}

func modelKnob() demo.Knob {
	return picking(demo.Choice("model", "Model", "Everything is counted from its shape.", modelOptions()...), "llama-3.1-70b")
}

func tpOptions() []string {
	return []string{"1", "1", "2", "2", "4", "4", "8", "8", "16", "16", "32", "32", "64", "64"}
}

func tpKnob() demo.Knob {
	return picking(demo.Choice("tp", "GPUs of a replica", "They share each layer, and talk twice in it.", tpOptions()...), "4")
}

func weightOptions() []string {
	return []string{"native", "as published", "bf16", "bf16", "fp8", "fp8", "int8", "int8", "fp4", "fp4", "int4", "int4"}
}

func leverKnobs() []demo.Knob {
	return []demo.Knob{
		picking(demo.Choice("weights", "Weights", "What is stored and read; arithmetic runs in the same type if the GPU can, else in bf16.", weightOptions()...), "fp8"),
		demo.Choice("kv", "KV cache", "What a token takes in memory.", "bf16", "bf16", "fp8", "fp8", "fp4", "fp4"),
		demo.Knob{Name: "chunk", Label: "Chunk of a prompt", Unit: "tokens", Doc: "Beside the decodes of a step; 0 computes prompts whole.", Default: 8192, Max: 32_768, Step: 512, Whole: true},
		demo.Knob{Name: "overlap", Label: "Hidden behind decode", Unit: "% of prefill", Doc: "An optimistic choice without a source; only in chunks.", Max: 100, Step: 5},
		demo.Choice("apart", "Prefill in a pool of its own", "The steps of decode no longer wait for prompts, and KV moves over a link.", "off", "off", "on", "on"),
		demo.Knob{Name: "drafts", Label: "Drafts", Unit: "tokens", Doc: "Guessed and verified in one step; 0 is no speculation.", Zero: "none", Max: 8, Step: 1, Whole: true},
		idle(demo.Choice("accepted", "Accepted", "Mean lengths that were measured, on coding prompts.", planner.AcceptanceTables()[0].ID, "as EAGLE-3 on Kimi K2.5", planner.AcceptanceTables()[1].ID, "as MTP on DeepSeek V4"), noDrafts),
		demo.Choice("attention", "Attention", "What if the model had been built otherwise?", "built", "as built", "every", "KV for every head", "grouped", "8 groups", "latent", "a latent vector"),
		demo.Choice("moe", "Experts", "The same.", "built", "as built", "active", "all active", "routed", "MLP cut into experts"),
	}
}

// noDrafts says that neither plan drafts.
func noDrafts(v demo.Values) string {
	if o := v.Option("b_drafts"); o != same && o != "0" {
		return ""
	}
	return demo.NotAt("drafts", 0)(v)
}

// planBNames are the settings that plan B may have otherwise.
var planBNames = [...]string{"gpu", "model", "tp", "weights", "kv", "apart", "drafts"}

// planBKnobs are what plan B may do otherwise; all else is as in plan A.
func planBKnobs() []demo.Knob {
	also := func(options []string) []string { return append([]string{same, "as in A"}, options...) }
	return []demo.Knob{
		demo.Choice("b_gpu", "GPU", "Of plan B. It is shown beside A once anything here differs.", also(gpuOptions()[:2*len(profile.GPUs())])...),
		demo.Choice("b_model", "Model", "Of plan B.", also(modelOptions()[:2*len(profile.Models())])...),
		demo.Choice("b_tp", "GPUs of a replica", "Of plan B.", also(tpOptions())...),
		demo.Choice("b_weights", "Weights", "Of plan B.", also(weightOptions())...),
		demo.Choice("b_kv", "KV cache", "Of plan B.", also([]string{"bf16", "bf16", "fp8", "fp8", "fp4", "fp4"})...),
		demo.Choice("b_apart", "Prefill in a pool of its own", "In plan B.", also([]string{"off", "off", "on", "on"})...),
		demo.Choice("b_drafts", "Drafts", "In plan B.", also([]string{"0", "none", "2", "2", "4", "4", "8", "8"})...),
	}
}
