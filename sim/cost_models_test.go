package sim

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small has corners that are easy to interpolate by hand.
var small = StepTable{
	Batch: []int64{1, 11}, KVPerSeq: []int64{100, 200, 400},
	Decode: []Picos{
		1000, 1100, 1500,
		2000, 2300, 2500,
	},
	PrefillTokens: []int64{10, 20, 40},
	Prefill:       []Picos{5000, 6000, 9000},
	Overlap:       0.25,
}

func TestTableCost(t *testing.T) {
	c, err := NewTableCost(small)
	require.NoError(t, err)
	decode := func(batch, kv int64) Load { return Load{Decodes: batch, DecodeTokens: batch, KVTokens: batch * kv} }
	prefill := func(n int64) Load { return Load{PrefillTokens: n} }
	both := decode(1, 100)
	both.PrefillTokens = 10
	for _, x := range []struct {
		name  string
		l     Load
		want  Picos
		cover bool
	}{
		{"a point", decode(11, 200), 2300, true},
		{"between batches", decode(6, 100), 1500, true},
		{"between contexts", decode(1, 150), 1050, true},
		{"between four: rows give 1050 and 2150", decode(6, 150), 1600, true},
		{"second piece", decode(1, 300), 1300, true},
		{"below both axes", decode(1, 10), 1000, false},
		{"beyond batch: 100 a sequence", decode(21, 100), 3000, false},
		{"beyond context: 2 a token", decode(1, 500), 1700, false},
		{"beyond both: 2500 + 1000 + 100", decode(21, 500), 3600, false},
		{"drafts count as sequences", Load{Decodes: 2, DecodeTokens: 6, KVTokens: 600}, 1500, true},
		{"prefill point", prefill(20), 6000, true},
		{"prefill between", prefill(25), 6750, true},
		{"prefill below", prefill(1), 5000, false},
		{"prefill beyond: 150 a token", prefill(60), 12000, false},
		{"both: 5000 + 0.75*1000", both, 5750, true},
		{"nothing", Load{}, 1, true},
	} {
		assert.Equal(t, x.want, c.Picos(x.l), x.name)
		assert.Equal(t, x.cover, c.Covers(x.l), x.name)
	}
	assert.Equal(t, maxStep, c.Picos(Load{PrefillTokens: 1 << 60}))

	falling := small
	falling.Prefill = []Picos{5000, 6000, 5900}
	c, err = NewTableCost(falling)
	require.NoError(t, err)
	assert.EqualValues(t, 5900, c.Picos(prefill(1000)), "a falling end goes on flat")

	point := StepTable{PrefillTokens: []int64{1}, Prefill: []Picos{7}}
	c, err = NewTableCost(point)
	require.NoError(t, err)
	assert.EqualValues(t, 7, c.Picos(prefill(99)))
	assert.EqualValues(t, 7, c.Picos(decode(3, 3)), "decodes without a table are as dear as prefill")
}

// TestTableCostOfLinearIsLinear: a table of an affine cost gives it back, inside
// and beyond.
func TestTableCostOfLinearIsLinear(t *testing.T) {
	linear := LinearCost{Base: 6_090_000_000, PerPrefillToken: 16_020_000, PerDecode: 8_200_000}
	table := StepTable{Batch: []int64{1, 4, 64, 256}, KVPerSeq: []int64{1, 1000, 8000}, PrefillTokens: []int64{1, 512, 2048}}
	for _, b := range table.Batch {
		for _, k := range table.KVPerSeq {
			table.Decode = append(table.Decode, linear.Picos(Load{Decodes: b, DecodeTokens: b, KVTokens: b * k}))
		}
	}
	for _, p := range table.PrefillTokens {
		table.Prefill = append(table.Prefill, linear.Picos(Load{PrefillTokens: p}))
	}
	c, err := NewTableCost(table)
	require.NoError(t, err)
	r := NewRand(1, StreamFaults, 0)
	for range 2000 {
		b, k, p := int64(1+r.IntN(400)), int64(1+r.IntN(9000)), int64(1+r.IntN(9000))
		l := Load{Decodes: b, DecodeTokens: b, KVTokens: b * k}
		assert.InDelta(t, int64(linear.Picos(l)), int64(c.Picos(l)), 1)
		l = Load{PrefillTokens: p}
		assert.InDelta(t, int64(linear.Picos(l)), int64(c.Picos(l)), 1)
	}
}

func TestBadTables(t *testing.T) {
	change := func(f func(*StepTable)) StepTable { x := small; f(&x); return x }
	for _, c := range []struct {
		table StepTable
		field string
	}{
		{StepTable{}, "PrefillTokens points"},
		{change(func(t *StepTable) { t.Prefill = t.Prefill[:2] }), "Prefill points"},
		{change(func(t *StepTable) { t.Prefill = []Picos{1, 0, 1} }), "Prefill[1]"},
		{change(func(t *StepTable) { t.PrefillTokens = []int64{0, 1, 2} }), "PrefillTokens[0]"},
		{change(func(t *StepTable) { t.PrefillTokens = []int64{1, 3, 3} }), "PrefillTokens[2]"},
		{change(func(t *StepTable) { t.Batch = nil }), "Batch points"},
		{change(func(t *StepTable) { t.KVPerSeq = []int64{1, 2} }), "Decode points"},
		{change(func(t *StepTable) { t.Decode = append([]Picos{1 << 60}, t.Decode[1:]...) }), "Decode[0]"},
		{change(func(t *StepTable) { t.Overlap = math.NaN() }), "Overlap"},
		{change(func(t *StepTable) { t.Overlap = 1.5 }), "Overlap"},
	} {
		_, err := NewTableCost(c.table)
		var bad *ValueError
		require.True(t, errors.As(err, &bad), c.field)
		assert.Equal(t, c.field, bad.Field)
	}
}

// Llama 3.1 on H100 SXM (3.35 TB/s, 989 TFLOP/s bf16) in bf16, by the shapes of
// the models: the layers without embeddings, the output head, attention.
func llama8B() Roofline { return llama(1, 8_030_261_248, 32, 4096, 32, 8) }

func llama70B() Roofline { return llama(4, 70_553_706_496, 80, 8192, 64, 8) }

func llama(gpus, params, layers, hidden, heads, kvHeads float64) Roofline {
	const vocab, headDim, element = 128256, 128, 2
	return Roofline{
		FLOPsPerSec: gpus * 989e12, BytesPerSec: gpus * 3.35e12, MFUFrac: 0.5, BandwidthFrac: 0.8,
		FLOPsPerToken:       2 * (params - 2*vocab*hidden),
		FLOPsPerSample:      2 * vocab * hidden,
		FLOPsPerPrefillPair: 4 * layers * heads * headDim,
		FLOPsPerDecodePair:  4 * layers * heads * headDim,
		WeightBytes:         element * (params - vocab*hidden), // an embedding is a look-up
		KVBytesPerToken:     2 * layers * kvHeads * headDim * element,
	}
}

// TestRoofline: steps worked out by hand from the formula, in seconds.
func TestRoofline(t *testing.T) {
	decodes := func(b, context int64) Load { return Load{Decodes: b, DecodeTokens: b, KVTokens: b * context} }
	prompt := func(n, after int64) Load { return Load{PrefillTokens: n, PrefillPairs: n*after + n*(n+1)/2} }
	first := decodes(32, 2048)
	first.PrefillTokens, first.PrefillPairs = 512, 512*513/2
	for _, c := range []struct {
		name string
		r    Roofline
		l    Load
		want float64
	}{
		{"8B, one sequence", llama8B(), decodes(1, 1024), 0.005650771295522388},
		{"8B, 64 sequences", llama8B(), decodes(64, 1024), 0.008805889528358209},
		{"70B on 4, 32 sequences", llama70B(), decodes(32, 2048), 0.014970233504477612},
		{"70B on 4, with a first chunk of 512", llama70B(), first, 0.0379471578032275},
		// bytes: the weights and the context once; FLOPs would take 8e-5 s.
		{"8B, a last token after 8191", llama8B(), prompt(1, 8191), (15_009_849_344 + 8191*131_072) / (0.8 * 3.35e12)},
	} {
		cost, err := NewRooflineCost(c.r)
		require.NoError(t, err)
		assert.InEpsilon(t, c.want*1e12, float64(cost.Picos(c.l)), 1e-9, c.name)
		r := c.r
		r.Overhead = 5_000_000
		slower, err := NewRooflineCost(r)
		require.NoError(t, err)
		assert.Equal(t, cost.Picos(c.l)+5_000_000, slower.Picos(c.l), c.name)
	}
	cost, err := NewRooflineCost(llama70B())
	require.NoError(t, err)
	compute, memory := cost.Bounds(decodes(1, 1))
	assert.Less(t, compute, memory, "one decode reads more than it computes")
	compute, memory = cost.Bounds(prompt(8192, 0))
	assert.Greater(t, compute, memory)
	assert.EqualValues(t, 1, wholePicos(0.2), "no step is free")
	assert.Equal(t, maxStep, wholePicos(math.Inf(1)))
}

func TestBadRooflines(t *testing.T) {
	for _, c := range []struct {
		change func(*Roofline)
		field  string
	}{
		{func(r *Roofline) { r.FLOPsPerSec = 0 }, "FLOPsPerSec"},
		{func(r *Roofline) { r.BytesPerSec = math.Inf(1) }, "BytesPerSec"},
		{func(r *Roofline) { r.MFUFrac = 1.1 }, "MFUFrac"},
		{func(r *Roofline) { r.BandwidthFrac = math.NaN() }, "BandwidthFrac"},
		{func(r *Roofline) { r.FLOPsPerToken = -1 }, "FLOPsPerToken"},
		{func(r *Roofline) { r.WeightBytes = -1 }, "WeightBytes"},
		{func(r *Roofline) { r.Overhead = -1 }, "Overhead"},
	} {
		r := llama8B()
		c.change(&r)
		_, err := NewRooflineCost(r)
		var bad *ValueError
		require.True(t, errors.As(err, &bad), c.field)
		assert.Equal(t, c.field, bad.Field)
	}
}

// TestCostsGrow: more of anything never makes a step shorter, if no row or
// column of the table falls and neither do their differences.
func TestCostsGrow(t *testing.T) {
	growing := small
	growing.Decode = []Picos{1000, 1100, 1500, 2000, 2300, 2800}
	table, err := NewTableCost(growing)
	require.NoError(t, err)
	roof, err := NewRooflineCost(llama8B())
	require.NoError(t, err)
	r := NewRand(2, StreamFaults, 0)
	for range 5000 {
		b, k, p := int64(1+r.IntN(30)), int64(1+r.IntN(600)), int64(r.IntN(80))
		l := Load{PrefillTokens: p, PrefillPairs: p * (p + 1) / 2, Decodes: b, DecodeTokens: b, KVTokens: b * k}
		more := l
		if r.IntN(2) == 0 {
			more.KVTokens += int64(r.IntN(100)) * b
		} else {
			more.PrefillTokens += 10
			more.PrefillPairs = more.PrefillTokens * (more.PrefillTokens + 1) / 2
		}
		for _, c := range []StepCost{table, roof} {
			assert.LessOrEqual(t, c.Picos(l), c.Picos(more), "%+v %+v", l, more)
			assert.Positive(t, c.Picos(l))
		}
	}
}
