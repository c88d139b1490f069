package sim

import "math/bits"

// transient is the work that only the first steps of a replica pay: what
// Engine.WarmUp asks for and what has been paid.
type transient struct {
	cost       WarmUp
	captured   []bool // by graphClass
	tuned      [64]bool
	sixteenths int32 // of KVBlocks that were ever in use
}

// surcharge is what a step of this load pays on top, with used of total blocks
// held.
func (w *transient) surcharge(l *Load, used, total int32) Picos {
	if w.cost == (WarmUp{}) {
		return 0
	}
	var sum Picos
	if class := graphClass(l.Decodes); l.Decodes > 0 && w.cost.GraphCapture > 0 {
		for len(w.captured) <= class {
			w.captured = append(w.captured, false)
		}
		if !w.captured[class] {
			w.captured[class] = true
			sum += w.cost.GraphCapture
		}
	}
	if l.PrefillTokens > 0 {
		if class := bits.Len64(uint64(l.PrefillTokens - 1)); !w.tuned[class] {
			w.tuned[class] = true
			sum += w.cost.Autotune
		}
	}
	if n := int32(16 * int64(used) / int64(total)); n > w.sixteenths {
		sum += w.cost.AllocatorGrowth * Picos(n-w.sixteenths)
		w.sixteenths = n
	}
	return sum
}

// headroom is how many further blocks can be held before AllocatorGrowth is
// due again.
func (w *transient) headroom(used, total int32) int32 {
	if w.cost.AllocatorGrowth == 0 || w.sixteenths >= 16 {
		return total
	}
	next := (int64(w.sixteenths+1)*int64(total) + 15) / 16 // fewest blocks that reach it
	return int32(next) - used - 1
}

// graphClass numbers the batch sizes that engines capture graphs for: 1, 2, 4,
// then every 8 up to 256, then every 16. A batch runs in the next larger one.
func graphClass(decodes int64) int {
	switch n := int(decodes); {
	case n <= 2:
		return n
	case n <= 4:
		return 3
	case n <= 256:
		return 3 + (n+7)/8
	default:
		return 3 + 32 + (n-256+15)/16
	}
}
