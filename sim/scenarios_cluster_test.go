package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Scenarios of the cluster that were traced by hand. Every step lasts a second,
// blocks hold 4 tokens.

func inSeconds(at ...float64) []Nanos {
	var out []Nanos
	for _, x := range at {
		out = append(out, Seconds(x))
	}
	return out
}

// TestPoolsByHand. Replica 0 prefills, 1 decodes; 4 tokens go over the link in a
// second.
//
//	0-1  A4 B8          both first tokens at 1
//	1-2  A on the link  its 4 tokens
//	2-4  B on the link  its 8; at replica 1: 2-3 A1@4, 3-4 A1@5, A done at 4
//	4-5  B1@8           B done at 5
func TestPoolsByHand(t *testing.T) {
	c := Config{Engine: unit(), Replicas: 2, TraceSteps: 100, SampleEvery: sec, Pools: Pools{Prefill: 1, BytesPerToken: 1, BytesPerSec: 4}, Horizon: 9 * sec}
	r := run(t, c, ask(0, 4, 3), ask(0, 8, 2))
	assert.Equal(t, []string{"A4@0 B8@0 3", "A1@4 2", "A1@5 2", "B1@8 3"}, traceText(r.Steps))
	assert.Equal(t, inSeconds(1, 1), r.FirstTokenAt)
	assert.Equal(t, inSeconds(4, 5), r.DoneAt)
	assert.Equal(t, []int32{1, 1}, r.Replica)
	assert.Equal(t, int64(12), r.Totals.Sent)
	// Blocks at the source until sent; those on the way wait at the target.
	for k, want := range []struct{ source, waiting int32 }{{3, 2}, {2, 1}, {2, 1}, {0, 0}} {
		assert.Equal(t, want.source, r.Samples[2*k].UsedBlocks, "second %d", k+1)
		assert.Equal(t, want.waiting, r.Samples[2*k+1].Waiting, "second %d", k+1)
	}
	c.Changes = []Change{{Span: Span{0, 1500 * Millisecond}, Replica: All, LinkSlower: 3}}
	assert.Equal(t, inSeconds(6, 7), run(t, c, ask(0, 4, 3), ask(0, 8, 2)).DoneAt, "A's transfer takes 3 s, B's, which starts later, 2 s as before")
	one := run(t, c, ask(0, 4, 1))
	assert.Equal(t, []int32{0}, one.Replica, "one token needs no transfer")
	assert.Equal(t, inSeconds(1), one.DoneAt)
}

// TestSwapByHand is scenario 5 of the scheduler's rules (three requests, six
// blocks) with room on the host. A copy of a block takes a quarter of a second.
//
//	2-3.5    A1@8 B1@8   C has 8 tokens in 2 blocks: half a second to copy them
//	3.5-4.5  A1@9 B1@9   B ends
//	4.5-6    A1@10 C1@8  C comes back, half a second, and goes on; C ends
//	6-7      A1@11
func TestSwapByHand(t *testing.T) {
	c := Config{Engine: unit(), TraceSteps: 100}
	c.Engine.KVBlocks = 6
	c.Engine.Swap = Swap{HostBlocks: 2, PerBlock: 250_000_000_000}
	specs := []Spec{ask(0, 7, 6), ask(0, 7, 4), ask(0, 7, 3)}
	r := run(t, c, specs...)
	assert.Equal(t, []string{
		"A7@0 B7@0 C7@0 6", "A1@7 B1@7 C1@7 6", "A1@8 B1@8 6 -C", "A1@9 B1@9 6", "A1@10 C1@8 6", "A1@11 3",
	}, traceText(r.Steps))
	assert.Equal(t, inSeconds(7, 4.5, 6), r.DoneAt)
	assert.Equal(t, Seconds(1).Picos(), r.Totals.CopyPicos)
	assert.Equal(t, [2]int64{2, 2}, [2]int64{r.Totals.SwappedOut, r.Totals.SwappedIn})
	assert.Zero(t, r.Totals.Recomputed)
	c.Engine.Swap.HostBlocks = 1 // no room: recomputed, as without
	without := c
	without.Engine.Swap = Swap{}
	assert.Empty(t, difference(run(t, c, specs...), run(t, without, specs...)))
}

// TestStaleRouter: between two looks all requests go to whoever was least
// loaded at the last one, the first replica at a tie.
func TestStaleRouter(t *testing.T) {
	var specs []Spec
	for _, at := range []float64{0.5, 1.5, 2.5, 10.5, 11.5} {
		specs = append(specs, ask(Seconds(at), 4, 30))
	}
	c := Config{Engine: unit(), Replicas: 2, Routing: LeastRequests}
	assert.Equal(t, []int32{0, 1, 0, 1, 0}, run(t, c, specs...).Replica)
	c.RefreshEvery = 10 * sec
	assert.Equal(t, []int32{0, 0, 0, 1, 1}, run(t, c, specs...).Replica)
}

func TestLeastKV(t *testing.T) {
	c := Config{Engine: unit(), Replicas: 2, Routing: LeastKV}
	// A long prompt at 0, two short ones at 1; KV is 8 blocks against 1, then 2.
	specs := []Spec{ask(0, 30, 9), ask(sec/2, 4, 9), ask(3*sec/2, 4, 9), ask(5*sec/2, 4, 9)}
	assert.Equal(t, []int32{0, 1, 1, 1}, run(t, c, specs...).Replica)
	c.Routing = LeastRequests
	assert.Equal(t, []int32{0, 1, 0, 1}, run(t, c, specs...).Replica)
}

// TestAffinityByHand: who has the prefix gets the request, as long as it has no
// more than Guard requests more than the other.
func TestAffinityByHand(t *testing.T) {
	with := func(at float64, id uint64) Spec {
		s := ask(Seconds(at), 12, 40)
		s.Prefix = []Segment{{ID: id, Tokens: 8}}
		return s
	}
	specs := []Spec{with(0.5, 1), with(1.5, 2), with(2.5, 2), with(3.5, 2), with(4.5, 2), with(5.5, 1)}
	c := Config{Engine: unit(), Replicas: 2, Routing: PrefixAffinity, Affinity: Affinity{Blocks: 2, Guard: 1}}
	c.Engine.PrefixCache = true
	// 1 goes to the first, 2 to the emptier second and again there; then that one
	// has 2 against 1: still allowed; then 3 against 1: no. The fifth has brought
	// 2 to the first as well. Loads are now 2 and 3; the last one finds 1.
	assert.Equal(t, []int32{0, 1, 1, 1, 0, 0}, run(t, c, specs...).Replica)
	// Guard 0: only among the least loaded. The fourth goes to the first, and
	// brings 2 there; for the fifth both are equal, and the lower index counts;
	// the sixth has no choice.
	c.Affinity.Guard = 0
	assert.Equal(t, []int32{0, 1, 1, 0, 0, 1}, run(t, c, specs...).Replica)
}

// TestCrashByHand: a step is cut off at 2.5, its request and the one that waits
// are lost; at 5 the replica is there again with nothing in it.
func TestCrashByHand(t *testing.T) {
	c := Config{Engine: unit(), TraceSteps: 100, SampleEvery: 5 * sec, Changes: []Change{{Span: Span{2500 * Millisecond, 5 * sec}, Down: true}}}
	c.Engine.MaxNumSeqs = 1
	r := run(t, c, ask(0, 4, 9), ask(sec, 4, 2), ask(3*sec, 4, 2), ask(6*sec, 4, 2))
	assert.Equal(t, []Status{Aborted, Aborted, Dropped, Completed}, r.Status)
	assert.Equal(t, inSeconds(2.5, 2.5, 3, 8), r.DoneAt)
	assert.Equal(t, []int32{2, 0, 0, 2}, r.Generated)
	assert.Equal(t, Seconds(2.5+2).Picos(), r.Totals.BusyPicos)
	assert.Equal(t, Seconds(2.5).Picos(), r.Totals.DownPicos)
	assert.Equal(t, []float64{0.5, 0}, []float64{r.Samples[0].Down, r.Samples[1].Down})
}

// TestLostKV: five of six blocks are lost at 1. What runs holds two and keeps
// them until it needs a third; then it is thrown back, and cannot come in again
// until the blocks are back.
func TestLostKV(t *testing.T) {
	c := Config{Engine: unit(), TraceSteps: 100, Changes: []Change{{Span: Span{sec, 7500 * Millisecond}, Replica: All, LostKV: 0.9}}}
	c.Engine.KVBlocks, c.Engine.FullPromptGate = 6, true
	r := run(t, c, ask(0, 7, 4))
	assert.Equal(t, []string{"A7@0 2", "A1@7 6", "A9@0 3 -A", "A1@9 3"}, traceText(r.Steps))
	assert.Equal(t, []Nanos{9500 * Millisecond}, r.DoneAt)
	assert.Equal(t, 7500*Millisecond, r.Steps[2].Start)
}

// TestChunkingOff: while it is off a whole prompt sits in one step, and who
// decodes waits for its end: 0.1 s a prefill token.
func TestChunkingOff(t *testing.T) {
	c := Config{Engine: unit(), TraceSteps: 100}
	c.Engine.MaxBatchedTokens, c.Engine.PrefillChunkTokens = 8, 8
	c.Engine.Cost = LinearCost{Base: 1e12, PerPrefillToken: 1e11}
	specs := []Spec{ask(0, 4, 6), ask(sec, 20, 1)}
	assert.Equal(t, []string{"A4@0 1", "A1@4 B7@0 4", "A1@5 B7@7 6", "A1@6 B6@14 7", "A1@7 2", "A1@8 3"}, traceText(run(t, c, specs...).Steps))
	c.Changes = []Change{{Span: Span{sec, 9 * sec}, Replica: All, WholePrompts: 32}}
	assert.Equal(t, []string{"A4@0 1", "A1@4 B20@0 7", "A1@5 2", "A1@6 2", "A1@7 2", "A1@8 3"}, traceText(run(t, c, specs...).Steps))
}

func TestBadCluster(t *testing.T) {
	good := func() Config { return Config{Engine: unit(), Replicas: 2} }
	for _, c := range []struct {
		change func(*Config)
		wrong  string
	}{
		{func(c *Config) { c.RefreshEvery = 1 }, "RefreshEvery is 1 ns; legal: 1000 to 1000000000000000 ns"},
		{func(c *Config) { c.Routing = PrefixAffinity }, "Affinity.Blocks is 0; legal: 1 to 16777216"},
		{func(c *Config) { c.Routing, c.Affinity.Blocks = PrefixAffinity, 1 }, "Engine.PrefixCache is false; legal: true for PrefixAffinity"},
		{func(c *Config) { c.Pools = Pools{Prefill: 2} }, "Pools.Prefill is 2; legal: 1 to 1"},
		{func(c *Config) { c.Pools = Pools{Prefill: 1, BytesPerToken: 1} }, "Pools.BytesPerSec is 0; legal: 1 to 1e+15"},
		{func(c *Config) { c.Engine.Async, c.Engine.Swap.HostBlocks = true, 1 }, "Engine.Swap.HostBlocks is 1; legal: 0 with Engine.Async"},
		{func(c *Config) { c.Scale = Autoscaler{Every: sec, Target: 1, Min: 1, Max: 1} }, "Scale.Max is 1; legal: 2 to 4096"},
		{func(c *Config) { c.Scale = Autoscaler{Every: sec, Min: 1, Max: 2} }, "Scale.Target is 0; legal: 0.001 to 1e+09"},
		{func(c *Config) { c.Changes = []Change{{Span: Span{5, 5}}} }, "Changes[0].To is 5 ns; legal: 6 to 1000000000000001 ns"},
		{func(c *Config) { c.Changes = []Change{{Span: Span{0, 5}, Replica: 2}} }, "Changes[0].Replica is 2; legal: -1 to 1"},
		{func(c *Config) { c.Changes = []Change{{Span: Span{0, 5}, Slower: 0.5}} }, "Changes[0].Slower is 0.5; legal: 1 to 1000"},
		{func(c *Config) { c.Changes = []Change{{Span: Span{0, 5}, Replica: All, Skew: 0.5}} }, "Changes[0].Replica is All; legal: 0 to 1 with Skew"},
		{func(c *Config) { c.Changes = []Change{{Span: Span{0, 5}, LinkSlower: 2}} }, "Changes[0].LinkSlower is 2; legal: 0 without Pools"},
		{func(c *Config) { c.Changes = []Change{{Span: Span{0, 5}, WarmUp: WarmUp{Autotune: 1}}} }, "Changes[0].WarmUp is set; legal: zero unless Cold"},
	} {
		config := good()
		c.change(&config)
		_, err := New(config, &list{}, 1)
		var wrong *ValueError
		require.ErrorAs(t, err, &wrong, c.wrong)
		assert.Equal(t, c.wrong, wrong.Error())
	}
}
