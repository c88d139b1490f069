package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/planner/profile"
)

// planCase is a plan that is possible; laws and equations run over all of them.
type planCase struct {
	name string
	w    planner.Workload
	d    planner.Deployment
	o    planner.Objective
}

func gpu(t testing.TB, id string) *profile.GPU {
	t.Helper()
	g, ok := profile.FindGPU(id)
	require.True(t, ok, id)
	return g
}

func model(t testing.TB, id string) *profile.Model {
	t.Helper()
	m, ok := profile.FindModel(id)
	require.True(t, ok, id)
	return m
}

// chat70B is the worked case of the guide: Llama-3.1-70B on replicas of 4 H100.
func chat70B(t testing.TB) planCase {
	return planCase{
		"chat-70b",
		one(planner.Class{RequestsPerSec: 20, PeakToMean: 1, PromptTokens: 2000, OutputTokens: 300, ArrivalCV2: 1}),
		planner.Deployment{GPU: gpu(t, "h100-sxm"), Model: model(t, "llama-3.1-70b"), TP: 4, MFU: 0.5, MBU: 0.8, MemoryFrac: 0.9, USDPerGPUHour: 3},
		planner.Objective{TPOTSeconds: 0.05, TargetFrac: 0.7},
	}
}

func (c planCase) named(name string, change func(c *planCase)) planCase {
	c.name = name
	c.w.Classes = append([]planner.Class(nil), c.w.Classes...)
	change(&c)
	return c
}

// long is the same with few tokens in and many out.
func (c planCase) long() planCase {
	return c.named("decode-heavy", func(c *planCase) {
		c.w.Classes[0].RequestsPerSec, c.w.Classes[0].PromptTokens, c.w.Classes[0].OutputTokens = 4, 500, 4000
	})
}

// engineTerms are all on, near what published rows suggest.
var engineTerms = planner.EngineTerms{
	StepSeconds: 4e-3, LinkFrac: 0.68, LatencySeconds: 8e-6, AttentionMFU: 0.5, AttentionMBU: 0.8, ExpertMFUFrac: 0.228, AddCompute: true,
}

func measured(t testing.TB, d planner.Deployment, engine string) planner.Deployment {
	t.Helper()
	r, why := planner.ReferenceOf(d.GPU, d.Model, d.Weights, d.TP, engine)
	require.Empty(t, why)
	d.Reference = r
	return d
}

// planCases span the bounds, the levers, several classes, measured steps and
// every term.
func planCases(t testing.TB) []planCase {
	t.Helper()
	base := chat70B(t)
	all := []planCase{base, base.long()}
	add := func(c planCase) { all = append(all, c) }
	add(base.named("tight", func(c *planCase) { c.o.TPOTSeconds = 0.02 }))
	add(base.named("no-limit", func(c *planCase) { c.o.TPOTSeconds = 0 }))
	add(base.named("first-token", func(c *planCase) { c.o = planner.Objective{TPOTSeconds: 0.05, TTFTSeconds: 0.3} }))
	add(base.named("wait", func(c *planCase) { c.o = planner.Objective{WaitSeconds: 0.1} }))
	add(base.named("apart", func(c *planCase) { c.d.Disaggregated = true }))
	add(base.named("apart-first-token", func(c *planCase) { c.d.Disaggregated = true; c.o = planner.Objective{TTFTSeconds: 0.5} }))
	add(base.named("chunks", func(c *planCase) { c.d.ChunkTokens, c.d.OverlapFrac = 512, 0.5 }))
	add(base.named("apart-chunks", func(c *planCase) { c.d.ChunkTokens, c.d.Disaggregated = 512, true }))
	add(base.named("seats", func(c *planCase) { c.d.MaxNumSeqs = 16; c.o.TPOTSeconds = 0 }))
	add(base.named("drafts", func(c *planCase) { c.d.Spec = planner.Speculation{Drafts: 4, Acceptance: 0.7, DraftCost: 0.05} }))
	add(base.named("fp8", func(c *planCase) { c.d.Weights, c.d.Compute, c.d.KV = profile.FP8, profile.FP8, profile.FP8 }))
	add(base.named("int4", func(c *planCase) { c.d.Weights = profile.INT4 }))
	add(base.named("cache", func(c *planCase) { c.w.Classes[0].HitFrac = 0.5 }))
	add(base.named("spare", func(c *planCase) { c.d.SpareReplicas = 1; c.w.Classes[0].PeakToMean = 3 }))
	add(base.named("latent", func(c *planCase) { c.d.Attention = planner.LatentVector }))
	add(base.named("every-head", func(c *planCase) { c.d.Attention = planner.EveryHead }))
	add(base.named("routed", func(c *planCase) { c.d.Experts = planner.RoutedExperts }))
	add(base.named("terms", func(c *planCase) { c.d.Engine = engineTerms }))
	add(base.named("terms-chunks", func(c *planCase) { c.d.Engine = engineTerms; c.d.ChunkTokens = 2048 }))
	add(base.named("measured", func(c *planCase) { c.d = measured(t, c.d, "vLLM") }))
	add(base.named("measured-scaled", func(c *planCase) { c.d = measured(t, c.d, ""); c.d.Weights, c.d.KV = profile.INT4, profile.FP8 }))
	add(base.named("measured-above-the-peak", func(c *planCase) {
		c.d.GPU, c.d.Model, c.d.TP = gpu(t, "rtx-4090"), model(t, "llama-3.1-8b"), 1
		c.d = measured(t, c.d, "")
	}))
	add(base.named("interpolated", func(c *planCase) {
		c.d.Model, c.d.TP = model(t, "llama-2-13b"), 1
		c.d = measured(t, c.d, "")
	}))
	add(base.named("mean-reserve", func(c *planCase) { c.d.ReserveMean = true; c.o.TPOTSeconds = 0 }))
	add(base.named("classes", func(c *planCase) {
		c.w.Classes = append(c.w.Classes,
			planner.Class{Name: "code", RequestsPerSec: 5, PeakToMean: 4.2, PromptTokens: 2048, OutputTokens: 28, CachedTokens: 1024, ArrivalCV2: 10, ServiceCV2: 1},
			planner.Class{Name: "think", RequestsPerSec: 1, PeakToMean: 1.5, PromptTokens: 800, OutputTokens: 6000, ThinkingTokens: 5000, ArrivalCV2: 1})
	}))
	add(planCase{
		"experts",
		one(planner.Class{RequestsPerSec: 10, PeakToMean: 1, PromptTokens: 3000, OutputTokens: 600, ArrivalCV2: 1}),
		planner.Deployment{GPU: gpu(t, "h200-sxm"), Model: model(t, "deepseek-v3"), TP: 8, Weights: profile.FP8, Compute: profile.FP8, MFU: 0.4, MBU: 0.6, MemoryFrac: 0.9, USDPerGPUHour: 3},
		planner.Objective{TPOTSeconds: 0.1, TargetFrac: 0.7},
	})
	add(all[len(all)-1].named("experts-at-batch", func(c *planCase) { c.d.ExpertsAtBatch, c.o.TPOTSeconds = true, 0.04 }))
	add(all[len(all)-1].named("experts-apart", func(c *planCase) { c.d.Disaggregated = true }))
	add(all[len(all)-2].named("experts-hidden", func(c *planCase) { c.d.ChunkTokens, c.d.OverlapFrac = 512, 0.5 }))
	add(planCase{
		"windows",
		one(planner.Class{RequestsPerSec: 2, PeakToMean: 1, PromptTokens: 8000, OutputTokens: 500, ArrivalCV2: 1}),
		planner.Deployment{GPU: gpu(t, "a100-80gb-sxm"), Model: model(t, "gemma-3-27b"), TP: 2, MFU: 0.5, MBU: 0.7, MemoryFrac: 0.9},
		planner.Objective{TargetFrac: 0.8},
	})
	return all
}
