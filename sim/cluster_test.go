package sim

import "testing"

// Kernel and reference, with everything that a cluster can have but the
// autoscaler, whose own laws are in autoscale_test.go.

// clusterCorner is a corner configuration with some of the cluster's parts.
func clusterCorner(pick chooser) Config {
	c := cornerConfig(pick)
	step := c.Engine.Cost.Picos(Load{PrefillTokens: 1, PrefillPairs: 1, Decodes: 1, DecodeTokens: 1, KVTokens: 1})
	c.Replicas = oneOf(pick, 1, 2, 3, 4)
	c.Routing = oneOf(pick, RoundRobin, LeastRequests, LeastKV, PrefixAffinity)
	c.RefreshEvery = oneOf(pick, 0, 0, someSteps(pick, step, 1, 3, 20))
	c.Affinity = Affinity{Blocks: 1 + pick(4), Guard: pick(3)}
	if c.Routing == PrefixAffinity {
		c.Engine.PrefixCache = true
	}
	if c.Replicas > 1 && pick(3) == 0 {
		c.Pools = Pools{Prefill: 1 + pick(c.Replicas-1), BytesPerToken: 1, BytesPerSec: oneOf(pick, 1e12, 1e12/float64(step), 1e11/float64(step))}
		c.Pools.BytesPerSec = max(1, c.Pools.BytesPerSec)
	}
	if pick(3) == 0 {
		c.Engine.Async = false
		c.Engine.Swap = Swap{HostBlocks: oneOf(pick, 1, 4, 40), PerBlock: oneOf(pick, 0, step/3, min(step, 1e12))}
	}
	if c.RefreshEvery > 0 {
		c.RefreshEvery = max(c.RefreshEvery, Microsecond, step.Nanos()/10)
	}
	for range pick(4) {
		c.Changes = append(c.Changes, cornerChange(pick, c, step))
	}
	c = sampleable(c)
	// Not so often that the looks are all that happens.
	if c.RefreshEvery > 0 && (c.Horizon == 0 || c.Horizon > 3000*c.RefreshEvery) {
		c.Horizon = 3000 * c.RefreshEvery
	}
	return c
}

func cornerChange(pick chooser, c Config, step Picos) Change {
	from := someSteps(pick, step, 0, 1, 3, 10)
	x := Change{Span: Span{from, from + max(1, someSteps(pick, step, 1, 4, 30))}, Replica: pick(c.Replicas+1) - 1}
	switch pick(8) {
	case 0:
		x.Slower = oneOf(pick, 1, 1.5, 3)
	case 1:
		x.LostKV = oneOf(pick, 0.1, 0.5, 1)
	case 2:
		x.AcceptLoss = oneOf(pick, 0.5, 1)
	case 3:
		x.WholePrompts = c.Engine.MaxNumSeqs + pick(30)
	case 4:
		x.Down = true
	case 5:
		x.Cold, x.WarmUp = true, WarmUp{GraphCapture: min(step, 1e12), AllocatorGrowth: 1}
	case 6:
		x.Replica, x.Skew = 0, oneOf(pick, 0.5, 1)
	case 7:
		if c.Pools.Prefill > 0 {
			x.LinkSlower = 10
		}
	}
	return x
}

func TestKernelIsReferenceInClusters(t *testing.T) {
	for seed := range runs() * 3 {
		pick := seededChooser(seed ^ 7<<40)
		c := clusterCorner(pick)
		specs := cornerSpecs(pick, c)
		if c.validate() != nil {
			continue // a cost that is too long once it is slowed
		}
		if wrong := disagreement(c, specs, seed); wrong != "" {
			reportDisagreement(t, c, specs, seed)
			return
		}
		if seed%3 == 0 {
			lawsOf(t, c, kernelRun(c, &list{specs: specs}, seed), literal(c))
		}
	}
}

// Blocks are lost in the middle of a run of decode steps whose bookkeeping lags
// behind: the steps that have ended keep the blocks that they took.
func TestLossInsideARun(t *testing.T) {
	c := Config{
		Engine:   Engine{MaxNumSeqs: 1, MaxBatchedTokens: 31, PrefillChunkTokens: 1 << 20, BlockTokens: 2, KVBlocks: 300, Cost: LinearCost{Base: 1_000_000_000}},
		Replicas: 1, Affinity: Affinity{Blocks: 1, Guard: 1},
		Changes: []Change{
			{Span: Span{From: 3_500_000, To: 7_500_000}, Skew: 1},
			{Span: Span{From: 3_000_001, To: 4_000_002}, LostKV: 1},
		},
	}
	specs := []Spec{{Prompt: 1, Output: 6, Session: -1, Client: -1}}
	if wrong := disagreement(c, specs, 6); wrong != "" {
		t.Error(wrong)
	}
}
