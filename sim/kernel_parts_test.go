package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHistRamp(t *testing.T) {
	d := &dice{1}
	for range 300 {
		first, slope := Picos(d.n(1<<d.in(1, 40))), Picos(d.n(1<<d.in(0, 30)))
		k, n := d.in(1, 300), int64(d.in(1, 300))
		var one, ramp Hist
		var window windowHist
		for i := range k {
			one.Add(first+Picos(i)*slope, n)
		}
		ramp.AddRamp(first, slope, int64(k), n)
		window.addRamp(first, slope, int64(k), n)
		assert.True(t, one == ramp, "%d + i*%d, %d times %d", first, slope, k, n)
		assert.Equal(t, one.bins, window.bins)
		lo, hi := one.Quantile(0.99)
		wlo, whi := window.quantile(0.99)
		assert.Equal(t, [2]Picos{lo, hi}, [2]Picos{wlo, whi})
		window.clear()
		assert.Equal(t, windowHist{}, window)
	}
}

func TestHistSumIsExactPast64Bits(t *testing.T) {
	var h Hist
	for range 4 {
		h.Add(1<<62, 3)
	}
	assert.Equal(t, float64(1<<62)/1e12, h.Mean())
}

func TestRampEnded(t *testing.T) {
	d := &dice{2}
	for range 300 {
		a := ramp{start: Picos(d.n(1000)), cost: Picos(d.in(1, 2000)), slope: Picos(d.n(3) * d.n(900)), steps: d.in(1, 400)}
		table := a
		for k := 1; k <= a.steps; k++ {
			table.table = append(table.table, a.end(k))
		}
		for range 40 {
			at := a.start + Picos(d.n(int(a.end(a.steps)-a.start)+100))
			want := 0
			for want < a.steps && a.end(want+1) <= at {
				want++
			}
			require.Equal(t, want, a.ended(at))
			require.Equal(t, want, table.ended(at))
		}
		m := d.in(1, a.steps)
		b, c := a, table
		b.skip(m)
		c.skip(m)
		for k := 1; k <= a.steps-m; k++ {
			require.Equal(t, a.end(m+k), b.end(k))
			require.Equal(t, a.end(m+k), c.end(k))
		}
	}
}

func TestRampStaysInRange(t *testing.T) {
	for _, slope := range []Picos{0, 1, 1e6, 1e12, 1e18} {
		for _, cost := range []Picos{1, 1e9, 1e18} {
			var a ramp
			a.set(0, cost)
			a.rise(slope, maxTokens, maxRun)
			assert.Positive(t, a.end(a.steps))
			for k := max(1, a.steps-3); k < a.steps; k++ {
				assert.Less(t, a.end(k), a.end(k+1))
			}
		}
	}
}

// TestPrefixIndex holds the hash table and the free queue to a list of blocks.
func TestPrefixIndex(t *testing.T) {
	for seed := range 60 {
		d := &dice{uint64(seed) << 20}
		blocks := d.in(1, 40)
		p := newPrefixCache(blocks)
		var held []int32                // one entry for each hold
		var queue []int32               // free, in order
		content := map[int32]uint64{}   // of a block
		entered := map[uint64][]int32{} // blocks by content, oldest first
		for b := range blocks {
			queue = append(queue, int32(b))
		}
		for range 2000 {
			switch d.n(4) {
			case 0, 1:
				if len(queue) == 0 {
					continue
				}
				b := p.take(nil, 1)[0]
				require.Equal(t, queue[0], b)
				queue = queue[1:]
				held = append(held, b)
				if h, ok := content[b]; ok {
					delete(content, b)
					entered[h] = slices.DeleteFunc(entered[h], func(x int32) bool { return x == b })
				}
				if h := mix(uint64(d.in(1, 12))); d.one(2) {
					p.remember(b, h)
					content[b] = h
					entered[h] = append(entered[h], b)
				}
			case 2:
				if len(held) == 0 {
					continue
				}
				i := d.n(len(held))
				b := held[i]
				held = slices.Delete(held, i, i+1)
				free := !slices.Contains(held, b)
				require.Equal(t, free, p.release([]int32{b}) == 1)
				if free {
					queue = append(queue, b)
				}
			case 3:
				h := mix(uint64(d.in(1, 12)))
				b := p.find(h)
				if len(entered[h]) == 0 {
					require.Equal(t, int32(-1), b)
					continue
				}
				require.Equal(t, entered[h][0], b)
				wasFree := slices.Contains(queue, b)
				require.Equal(t, wasFree, p.hold(b))
				queue = slices.DeleteFunc(queue, func(x int32) bool { return x == b })
				held = append(held, b)
			}
		}
	}
}

func TestTextsAreEqualAsFarAsTheyAgree(t *testing.T) {
	hashes := func(request int32, s Spec, n int) []uint64 {
		var x text
		x.set(&s, request)
		x.hash(n-1, 4)
		return x.chain
	}
	with := func(prompt int32, output uint64, segments ...Segment) Spec {
		s := ask(0, prompt, 100)
		s.Prefix, s.OutputID = segments, output
		return s
	}
	common := func(a, b []uint64) int {
		n := 0
		for n < len(a) && a[n] == b[n] {
			n++
		}
		return n
	}
	for _, c := range []struct {
		name string
		a, b Spec
		want int
	}{
		{"nothing shared", with(40, 0), with(40, 0), 0},
		{"full blocks of a segment", with(40, 0, Segment{7, 9}), with(40, 0, Segment{7, 9}), 2},
		{"the shorter of two", with(40, 0, Segment{7, 9}), with(40, 0, Segment{7, 21}), 2},
		{"two segments", with(40, 0, Segment{7, 6}, Segment{8, 6}), with(40, 0, Segment{7, 6}, Segment{8, 10}), 3},
		{"another order", with(40, 0, Segment{7, 6}, Segment{8, 6}), with(40, 0, Segment{8, 6}, Segment{7, 6}), 0},
		{"another first length", with(40, 0, Segment{7, 6}, Segment{8, 6}), with(40, 0, Segment{7, 5}, Segment{8, 7}), 1},
		{"the answer in the next turn", with(12, 9, Segment{7, 12}), with(40, 0, Segment{7, 12}, Segment{9, 20}), 8},
		{"the prompt cuts a segment", with(10, 0, Segment{7, 30}), with(40, 0, Segment{7, 30}), 2},
		{"an empty segment", with(40, 0, Segment{5, 0}, Segment{7, 8}), with(40, 0, Segment{7, 8}), 2},
	} {
		assert.Equal(t, c.want, common(hashes(1, c.a, 10), hashes(2, c.b, 10)), c.name)
		assert.Equal(t, hashes(3, c.a, 10), hashes(3, c.a, 10))
	}
}

func TestDraftsAreDrawnByNumber(t *testing.T) {
	accept := []float64{0.9, 0.6, 0}
	var kept [4]int
	const n = 20_000
	for i := range n {
		kept[accepted(accept, mix(5), int32(i), 3, 3)]++
	}
	assert.Zero(t, kept[3])
	assert.InDelta(t, 0.1, float64(kept[0])/n, 0.01)
	assert.InDelta(t, 0.54, float64(kept[2])/n, 0.015)
	assert.Equal(t, 2, accepted([]float64{1, 1}, 1, 1, 1, 2))
	assert.Equal(t, 0, accepted([]float64{0}, 1, 1, 1, 1))
}

func TestWaitQueue(t *testing.T) {
	d := &dice{3}
	for _, policy := range []Policy{FCFS, Priority} {
		q := waitQueue{policy: policy}
		var seqs []seq
		var want []int32
		for range 3000 {
			switch {
			case len(want) > 0 && d.one(3):
				require.Equal(t, want[0], q.first())
				q.drop(seqs)
				want = want[1:]
			case len(seqs) > 0 && d.one(4) && !slices.Contains(want, int32(len(seqs)-1)):
				slot := int32(len(seqs) - 1)
				q.putBack(seqs, slot)
				want = append([]int32{slot}, want...)
			default:
				slot := int32(len(seqs))
				seqs = append(seqs, seq{request: slot, priority: int32(d.n(4))})
				q.put(seqs, slot)
				want = append(want, slot)
			}
			if policy == Priority {
				slices.SortFunc(want, func(a, b int32) int {
					if before(&seqs[a], &seqs[b]) {
						return -1
					}
					return 1
				})
			}
			require.Equal(t, len(want), q.n)
		}
	}
}

func TestBadConfig(t *testing.T) {
	for _, c := range []struct {
		want string
		set  func(*Config)
	}{
		{"Replicas is 0; legal: 1 to 4096", func(c *Config) { c.Replicas = 0 }},
		{"Routing is 9; legal: 0 to 3", func(c *Config) { c.Routing = 9 }},
		{"MaxWaiting is -1; legal: 0 to 1073741824", func(c *Config) { c.MaxWaiting = -1 }},
		{"Timeout is -5 ns; legal: 0 to 1000000000000000 ns", func(c *Config) { c.Timeout = -5 }},
		{"Horizon is 9223372036854775807 ns; legal: 0 to 1000000000000000 ns", func(c *Config) { c.Horizon = Never }},
		{"Pauses[0].To is 5 ns; legal: 6 to 1000000000000001 ns", func(c *Config) { c.Pauses = []Span{{5, 5}} }},
		{"Pauses[1].From is 6 ns; legal: 7 to 1000000000000000 ns", func(c *Config) { c.Pauses = []Span{{5, 7}, {6, 9}} }},
		{"SampleEvery is 1000 ns; legal: 238418580 to 1000000000000000 ns", func(c *Config) { c.SampleEvery = 1000 }},
		{"SampleEvery is 1 ns; legal: 1000 to 1000000000000000 ns", func(c *Config) { c.SampleEvery, c.Horizon = 1, Second }},
		{"Engine.MaxNumSeqs is 0; legal: 1 to 1048576", func(c *Config) { c.Engine.MaxNumSeqs = 0 }},
		{"Engine.MaxBatchedTokens is 7; legal: 8 to 1073741824", func(c *Config) { c.Engine.MaxBatchedTokens = 7 }},
		{"Engine.BlockTokens is 0; legal: 1 to 536870912", func(c *Config) { c.Engine.BlockTokens = 0 }},
		{"Engine.KVBlocks is 0; legal: 1 to 16777216", func(c *Config) { c.Engine.KVBlocks = 0 }},
		{"Engine.Watermark is NaN; legal: 0 to 1", func(c *Config) { c.Engine.Watermark = math.NaN() }},
		{"Engine.Watermark is 1; legal: 0 to below 1", func(c *Config) { c.Engine.Watermark = 1 }},
		{"Engine.Draft.Accept[1] is 1.5; legal: 0 to 1", func(c *Config) { c.Engine.Draft.Accept = []float64{1, 1.5} }},
		{"Engine.Cost is nil; legal: a StepCost", func(c *Config) { c.Engine.Cost = nil }},
		{"Engine.Cost(LinearCost) is 0 ps for some step; legal: at least 1 ps for every step",
			func(c *Config) { c.Engine.Cost = LinearCost{PerPrefillToken: 5} }},
		{"Engine.Cost(LinearCost).PerDecode is -1; legal: 0 to 1000000000000000000",
			func(c *Config) { c.Engine.Cost = LinearCost{Base: 1, PerDecode: -1} }},
		{"Engine.Cost(LinearCost) is 1.28e+07 s for the largest step; legal: at most 1000000 s",
			func(c *Config) { c.Engine.Cost = LinearCost{Base: 1, PerPrefillPair: 1e15} }},
	} {
		cfg := Config{Replicas: 1, Engine: unit()}
		c.set(&cfg)
		_, err := New(cfg, &list{}, 1)
		assert.EqualError(t, err, c.want)
	}
}

// TestHowRequestsEnd walks through each way out.
func TestHowRequestsEnd(t *testing.T) {
	const sec = Second
	e := unit()
	e.MaxNumSeqs, e.KVBlocks = 1, 5 // 20 tokens
	c := Config{Engine: e, MaxWaiting: 2, Timeout: 4 * sec, Horizon: 9 * sec}
	r := run(t, c,
		ask(0, 18, 3),          // fits: the last token's KV is never written
		ask(0, 18, 4),          // a token too many
		ask(0, 4, 9),           // runs from 3 s on; its time is up as a step ends
		ask(1, 4, 9),           // its time is up in its first step, and that step ends
		ask(2, 4, 9),           // finds two in the queue
		ask(5*sec, 4, 2),       // runs
		ask(5*sec+sec/2, 0, 1), // nothing to do
		ask(6*sec+sec/2, 4, 9), // runs at the horizon
		ask(8*sec, 4, 1),       // waits at the horizon
		ask(10*sec, 4, 1),      // is never sent
	)
	assert.Equal(t, []Status{Completed, Failed, TimedOut, TimedOut, Dropped, Completed, Failed, Running, Waiting}, r.Status)
	assert.Equal(t, []Nanos{3 * sec, 0, 4 * sec, 5 * sec, 2, 7 * sec, 5*sec + sec/2, Never, Never}, r.DoneAt)
	assert.Equal(t, []int32{0, -1, 0, 0, -1, 0, -1, 0, 0}, r.Replica)
	assert.Equal(t, 9*sec, r.EndAt)
}

func TestNothingToDo(t *testing.T) {
	r := run(t, Config{Engine: unit(), SampleEvery: Second, Horizon: 100 * Second})
	assert.Zero(t, r.EndAt)
	assert.Empty(t, r.Samples)
}

func TestWarmUpIsPaidOnce(t *testing.T) {
	e := unit()
	e.WarmUp = WarmUp{GraphCapture: 1e9, Autotune: 1e10, AllocatorGrowth: 1e11}
	r := run(t, Config{Engine: e, TraceSteps: 1000}, ask(0, 16, 20), ask(0, 16, 20), ask(60*Second, 16, 20), ask(60*Second, 16, 20))
	// 8 blocks of 100 pass one sixteenth, 14 pass two. 32 prompt tokens are one
	// size class, two decodes another.
	assert.Equal(t, Picos(1e10+2e11+1e9), r.Totals.WarmUpPicos)
	assert.Equal(t, r.Totals.BusyPicos, Picos(r.Totals.Steps)*1e12+r.Totals.WarmUpPicos)
}

// TestRoomIsMadeOnce: the rows of a counted source are not copied while it runs;
// where a run may end earlier, or nobody has counted, no room is made ahead.
func TestRoomIsMadeOnce(t *testing.T) {
	specs := poisson(5_000, 8, 1)
	s, err := New(p8Config(), &list{specs: specs}, 1)
	require.NoError(t, err)
	room := cap(s.res.SentAt)
	assert.GreaterOrEqual(t, room, len(specs))
	s.Run()
	assert.Equal(t, room, cap(s.res.SentAt))
	assert.Len(t, s.res.SentAt, len(specs))

	ends := p8Config()
	ends.Horizon = 10 * Second
	s, err = New(ends, &list{specs: specs}, 1)
	require.NoError(t, err)
	assert.Zero(t, cap(s.res.SentAt), "a horizon")
	for want, w := range map[int]Workload{
		700: {Generator: OpenLoop{Poisson{RatePerSec: 8}}, Lengths: Separate{FixedCount(9), FixedCount(9)}, Requests: 700},
		0:   {Generator: OpenLoop{Poisson{RatePerSec: 8}}, Lengths: Separate{FixedCount(9), FixedCount(9)}, Requests: 700, Until: Second},
	} {
		src, err := NewSource(w, 1)
		require.NoError(t, err)
		assert.Equal(t, want, src.(Counted).Most())
	}
}
