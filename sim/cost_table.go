package sim

import "math"

// StepTable is measured step times: decode steps over a grid of batch and KV
// tokens per sequence, prefill steps over prompt tokens.
type StepTable struct {
	// Decode[i*len(KVPerSeq)+j] is the time of a step in which Batch[i]
	// sequences decode one token each, with KVPerSeq[j] tokens of KV each. Both
	// axes increase. None of the three, for a replica that only prefills.
	Batch    []int64
	KVPerSeq []int64
	Decode   []Picos

	// Prefill[i] is the time of a step that prefills PrefillTokens[i] tokens
	// of prompts with nothing computed before.
	PrefillTokens []int64
	Prefill       []Picos

	// Overlap, in [0,1], says what a step costs that does both: max(d, p) +
	// (1-Overlap)*min(d, p) with its decode and prefill parts d and p. 1 is
	// perfect overlap, what a single bound resource would give if one kind
	// used none of it; 0 runs one after the other. It is a choice, not a
	// measurement, unless mixed steps were measured.
	Overlap float64
}

// TableCost interpolates a StepTable: linear in prefill tokens between two
// points, bilinear in batch and KV per sequence between four. (Its cost is
// not affine, so decode steps cannot be summed in closed form.)
//
// A load below the grid costs what the grid's edge does, since small steps are
// dominated by what every step pays. Beyond the grid each axis goes on with the
// slope of its last two points, or flat if that falls; Covers says whether a
// load is inside. Draft tokens count as further sequences, which share the KV
// that is read: batch is DecodeTokens, KV per sequence KVTokens/DecodeTokens.
// PrefillPairs is not looked at: where long contexts make chunks dearer, use
// LinearCost or RooflineCost.
//
// Times are rounded to the nearest picosecond once, at the end, and are at most
// MaxSeconds.
type TableCost struct{ t StepTable }

const (
	maxStep  = Picos(MaxSeconds) * 1e12
	maxEntry = Picos(1e15) // 1,000 s
)

// NewTableCost checks the table and keeps it; the caller must not change it
// any more. An error is a *ValueError.
func NewTableCost(t StepTable) (*TableCost, error) {
	c := &checker{}
	checkAxis(c, "PrefillTokens", t.PrefillTokens)
	checkTimes(c, "Prefill", t.Prefill, len(t.PrefillTokens))
	if len(t.Batch)+len(t.KVPerSeq)+len(t.Decode) > 0 {
		checkAxis(c, "Batch", t.Batch)
		checkAxis(c, "KVPerSeq", t.KVPerSeq)
		checkTimes(c, "Decode", t.Decode, len(t.Batch)*len(t.KVPerSeq))
	}
	c.float("Overlap", t.Overlap, 0, 1)
	if c.Err != nil {
		return nil, c.Err
	}
	return &TableCost{t}, nil
}

func checkAxis(c *checker, field string, axis []int64) {
	c.int(field+" points", int64(len(axis)), 1, 1<<16)
	before := int64(0)
	for i, v := range axis {
		c.int(indexed(field, i), v, before+1, 1<<40)
		before = v
	}
}

func checkTimes(c *checker, field string, times []Picos, want int) {
	c.int(field+" points", int64(len(times)), int64(want), int64(want))
	for i, v := range times {
		c.int(indexed(field, i), int64(v), 1, int64(maxEntry))
	}
}

// Covers says whether the load lies within the measured grid.
func (c *TableCost) Covers(l Load) bool {
	if l.PrefillTokens > 0 && !inside(c.t.PrefillTokens, float64(l.PrefillTokens)) {
		return false
	}
	if l.DecodeTokens == 0 {
		return true
	}
	return inside(c.t.Batch, float64(l.DecodeTokens)) && inside(c.t.KVPerSeq, kvPerSeq(l))
}

func inside(axis []int64, x float64) bool {
	return len(axis) > 0 && float64(axis[0]) <= x && x <= float64(axis[len(axis)-1])
}

func kvPerSeq(l Load) float64 { return float64(l.KVTokens) / float64(l.DecodeTokens) }

// Picos implements StepCost.
func (c *TableCost) Picos(l Load) Picos {
	var d, p float64
	if l.DecodeTokens > 0 {
		d = c.decode(l)
	}
	if l.PrefillTokens > 0 {
		p = c.prefill(float64(l.PrefillTokens))
	}
	return wholePicos(max(d, p) + float64((1-c.t.Overlap)*min(d, p)))
}

// wholePicos rounds a step time; no step is shorter than 1 ps or longer than a
// run may last.
func wholePicos(x float64) Picos {
	if x >= float64(maxStep) {
		return maxStep
	}
	return max(Picos(math.Floor(x+0.5)), 1)
}

func (c *TableCost) prefill(x float64) float64 {
	a := locate(c.t.PrefillTokens, x)
	lo, hi := float64(c.t.Prefill[a.i]), float64(c.t.Prefill[a.next])
	return a.between(lo, hi) + a.beyond(lo, hi)
}

// decode is the value at the point of the grid nearest to the load, plus, for
// each axis that it lies beyond, the growth along that axis.
func (c *TableCost) decode(l Load) float64 {
	if len(c.t.Batch) == 0 {
		// Nothing was measured: as dear as prefill tokens, never for nothing.
		return c.prefill(float64(l.DecodeTokens))
	}
	b, k := locate(c.t.Batch, float64(l.DecodeTokens)), locate(c.t.KVPerSeq, kvPerSeq(l))
	n := len(c.t.KVPerSeq)
	v := func(i, j int) float64 { return float64(c.t.Decode[i*n+j]) }
	rowLo := k.between(v(b.i, k.i), v(b.i, k.next))
	rowHi := k.between(v(b.next, k.i), v(b.next, k.next))
	colLo := b.between(v(b.i, k.i), v(b.next, k.i))
	colHi := b.between(v(b.i, k.next), v(b.next, k.next))
	return b.between(rowLo, rowHi) + b.beyond(rowLo, rowHi) + k.beyond(colLo, colHi)
}

// place is where a value lies on an axis: between points i and next, a share
// frac of the way in [0,1], and over the end by over times that distance.
type place struct {
	i, next    int
	frac, over float64
}

func locate(axis []int64, x float64) place {
	last := len(axis) - 1
	if last == 0 || x <= float64(axis[0]) {
		return place{}
	}
	lo, hi := 0, last-1 // the piece that starts at lo, not after hi
	for lo < hi {
		if mid := (lo + hi + 1) / 2; float64(axis[mid]) <= x {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	f := (x - float64(axis[lo])) / float64(axis[lo+1]-axis[lo])
	return place{i: lo, next: lo + 1, frac: min(f, 1), over: max(f-1, 0)}
}

func (p place) between(lo, hi float64) float64 { return lo + float64((hi-lo)*p.frac) }

func (p place) beyond(lo, hi float64) float64 { return float64(max(hi-lo, 0) * p.over) }
