package planner_test

import (
	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/planner/profile"
)

func (x *golden) model() *profile.Model {
	x.t.Helper()
	m, ok := profile.FindModel(x.text("model"))
	require.True(x.t, ok, "no such model")
	return m
}

func (x *golden) gpu() *profile.GPU {
	x.t.Helper()
	g, ok := profile.FindGPU(x.text("gpu"))
	require.True(x.t, ok, "no such GPU")
	return g
}

func (x *golden) dtype(name string) profile.DType {
	x.t.Helper()
	d, ok := profile.ParseDType(name)
	require.True(x.t, ok, name)
	return d
}

// bytesType is the type of a size: the file gives sizes.
func (x *golden) bytesType(bytes float64, four profile.DType) profile.DType {
	x.t.Helper()
	switch bytes {
	case 2:
		return profile.BF16
	case 1:
		return profile.FP8
	case 0.5:
		return four
	}
	x.t.Fatalf("no type of %v bytes", bytes)
	return 0
}

func (x *golden) batch() planner.Batch {
	return planner.Batch{Sequences: x.num("batch"), ContextTokens: x.num("ctx")}
}

// hardware is the deployment of the cases that have no workload.
func (x *golden) hardware() planner.Deployment {
	x.t.Helper()
	d := planner.Deployment{GPU: x.gpu(), Model: x.model(), TP: x.int("gpus"), MFU: 1, MBU: 1, MemoryFrac: 1}
	if x.has("weight_bytes") {
		d.Weights = x.bytesType(x.num("weight_bytes"), profile.INT4)
		d.KV = x.bytesType(x.num("kv_bytes"), profile.INT4)
	}
	if x.has("dtype") {
		d.Compute = x.dtype(x.text("dtype"))
	}
	if x.has("mfu") {
		d.MFU = x.num("mfu")
	}
	if x.has("mbu") {
		d.MBU = x.num("mbu")
	}
	if x.has("mem_util") {
		d.MemoryFrac = x.num("mem_util")
	}
	return d
}

func goldenChunked(x *golden) {
	d, b := x.hardware(), x.batch()
	chunk, prompt := x.int("chunk"), x.int("prompt")
	mixed := func(b planner.Batch, chunk, done int, last bool) float64 {
		t, err := planner.Mixed(d, b, chunk, done, last)
		require.NoError(x.t, err)
		return t.Seconds()
	}
	first := x.int("chunk_index")
	head := x.flag("lm_head")
	alone := mixed(b, 0, 0, false)
	with := mixed(b, chunk, first*chunk, head)
	x.want("decode_only_s", alone)
	x.want("with_chunk512_s", with)
	x.want("inflation", with/alone)
	x.want("chunks", float64(prompt/chunk))
	x.want("with_last_chunk_s", mixed(b, chunk, prompt-chunk, true))
	// A whole prompt between two steps stalls by its arithmetic.
	whole, err := planner.Mixed(d, planner.Batch{}, prompt, 0, true)
	require.NoError(x.t, err)
	x.want("stall_unchunked_s", whole.ComputeSeconds)
}

func goldenMaxChunk(x *golden) {
	n, err := planner.LargestChunk(x.hardware(), x.batch(), x.num("tpot_s"))
	require.NoError(x.t, err)
	x.want("chunk_tokens", float64(n))
}

func one(c planner.Class) planner.Workload { return planner.Workload{Classes: []planner.Class{c}} }

func goldenPlan(x *golden) {
	d := planner.Deployment{
		GPU: x.gpu(), Model: x.model(), TP: x.int("tp"),
		Weights: x.bytesType(x.num("wb"), profile.INT4), KV: x.bytesType(x.num("kb"), profile.INT4), Compute: x.dtype(x.text("dt")),
		MFU: x.num("mfu"), MBU: x.num("mbu"), MemoryFrac: x.num("mem_util"), KVScale: x.num("kv_scale"),
		USDPerGPUHour: x.num("usd_per_gpu_h"), Disaggregated: x.flag("disagg"),
	}
	if x.has("spec_k") {
		d.Spec = planner.Speculation{Drafts: x.int("spec_k"), Acceptance: x.num("spec_a"), DraftCost: x.num("spec_c")}
	}
	p, err := planner.Evaluate(one(planner.Class{
		RequestsPerSec: x.num("lam"), PeakToMean: 1, PromptTokens: x.num("Lin"), OutputTokens: x.num("Lout"), CachedTokens: x.num("cached"),
	}), d, planner.Objective{TPOTSeconds: x.num("slo"), TargetFrac: x.num("rho")})
	require.NoError(x.t, err)
	memory, tpot, compute := link(x.t, &p, "Tmem"), link(x.t, &p, "Ttpot"), link(x.t, &p, "Tcmp")
	x.want("prefill_s_per_req", p.PrefillSeconds)
	x.want("w_s", p.WeightSeconds)
	x.want("b_s_per_token_seq", p.KVSeconds)
	x.want("B_mem", float64(p.BatchMemory))
	x.want("seconds_mem", memory.Value)
	x.want("seconds_slo", tpot.Value)
	x.maybe("seconds_cmp", compute.Value)
	x.wantText("bound", p.Bound.String())
	x.want("replica_seconds_per_req", p.ReplicaSeconds)
	x.want("tpot_at_full_load_s", p.TPOTSeconds)
	x.want("batch_at_full_load", p.Batch)
	x.want("prefill_gpu_s_per_s", p.PrefillGPUSecondsPerSec)
	x.want("decode_gpu_s_per_s", p.DecodeGPUSecondsPerSec)
	x.want("replicas", float64(p.Replicas))
	x.want("gpus", float64(p.GPUs))
	x.want("gpus_fractional", p.GPUsFractional)
	x.want("usd_per_hour", p.Cost.PerHour)
	x.want("usd_per_M_output", p.Cost.PerMOutputAll)
	x.want("usd_per_M_total", p.Cost.PerMTotal)
	x.want("usd_per_request", p.Cost.PerRequest)
}
