package scrape

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// The increase of counters between two scrapes.
//
// A restart is seen by any instant of creation that changed, or any counter
// that fell. Then every series of that process is reset, also those that grew
// past their old value: its increase is what the second scrape shows, and work
// between the first scrape and the end of the old process is lost.

// view is what is read: the window from a to b, or all since the start if a is nil.
type view struct {
	a, b      *Page
	model     string
	only      bool // the page's only model: series without a model's name are its own
	restarted map[string]bool
	ranks     []string // named replicas, in order
}

// pick gives the series of a name that belong to the model.
func (v *view) pick(g *Page, name string) []Sample {
	all := g.all(name)
	if v.only {
		return all
	}
	var out []Sample
	for i := range all {
		if all[i].of == v.model {
			out = append(out, all[i])
		}
	}
	return out
}

// first gives the first of the names that the second scrape has.
func (v *view) first(names ...string) (string, bool) {
	for _, name := range names {
		if len(v.pick(v.b, name)) > 0 || len(v.pick(v.b, name+"_count")) > 0 || len(v.pick(v.b, name+"_bucket")) > 0 {
			return name, true
		}
	}
	return names[0], false
}

// part is a count by replica; the replica without a name has the empty one.
type part map[string]float64

func (p part) total() float64 {
	names := make([]string, 0, len(p))
	for n := range p {
		names = append(names, n)
	}
	slices.Sort(names) // floating sums depend on the order
	sum := 0.0
	for _, n := range names {
		sum += p[n]
	}
	return sum
}

// delta is an increase.
type delta struct {
	by     part
	why    Why
	doubts Doubts
}

func (d delta) ok() bool { return d.why == Known }

// increase adds up a counter's increases over the series that keep wants.
func (v *view) increase(name string, keep func(*Sample) bool) delta {
	d := delta{by: part{}}
	now := v.pick(v.b, name)
	if len(now) == 0 {
		d.why = NotExposed
		if v.a != nil && len(v.pick(v.a, name)) > 0 {
			d.why = NotInBoth
		}
		return d
	}
	was := 0 // of the series now there, in the first scrape
	for i := range now {
		s := &now[i]
		if keep != nil && !keep(s) || math.IsNaN(s.Value) {
			continue
		}
		from := 0.0
		if v.a != nil && !v.restarted[s.instance()] {
			switch old := v.a.find(s); {
			case old != nil && !math.IsNaN(old.Value):
				from = old.Value
				was++
			case v.appears(name):
				d.doubts |= Appeared
			default:
				return delta{why: NotInBoth}
			}
		}
		if v.restarted[s.instance()] {
			d.doubts |= LowerBound
		}
		d.by[s.from] += s.Value - from
	}
	if v.a != nil && !v.restarted[""] {
		for _, old := range v.pick(v.a, name) {
			if v.b.find(&old) == nil && !v.restarted[old.instance()] && (keep == nil || keep(&old)) {
				d.doubts |= LowerBound // a replica that is gone
			}
		}
	}
	for _, x := range d.by {
		if !(x >= 0) || math.IsInf(x, 0) {
			return delta{why: Unsound}
		}
	}
	return d
}

// appears says whether a series may have begun in the window: its metric had
// other series before, or the engine makes series at their first event.
func (v *view) appears(name string) bool {
	return len(v.a.all(name)) > 0 || strings.HasPrefix(name, "sglang:")
}

// histogram adds up the increases of a histogram's buckets, of all replicas or
// of one.
func (v *view) histogram(name, rank string, all bool) (*Histogram, delta) {
	d := delta{}
	out := &Histogram{}
	now := v.pick(v.b, name+"_bucket")
	if len(now) == 0 {
		d.why = NotExposed
		if v.a != nil && len(v.pick(v.a, name+"_bucket")) > 0 {
			d.why = NotInBoth
		}
		return out, d
	}
	for len(now) > 0 {
		n := 1
		for n < len(now) && now[n].rest == now[0].rest {
			n++
		}
		s := now[0]
		if all || s.from == rank {
			h := v.b.buckets(now[:n], name)
			reset := v.restarted[s.instance()]
			if reset {
				d.doubts |= LowerBound
			}
			if v.a != nil && !reset {
				switch old := v.a.series(name, s.rest); {
				case old != nil:
					h.less(old)
				case v.appears(name + "_bucket"):
					d.doubts |= Appeared
				default:
					return out, delta{why: NotInBoth}
				}
			}
			out.add(h)
		}
		now = now[n:]
	}
	if !out.sound() {
		d.why = Unsound
	}
	return out, d
}

// buckets makes a histogram of the buckets of one series. A text that was cut
// before +Inf still has the count.
func (g *Page) buckets(s []Sample, name string) *Histogram {
	h := &Histogram{Sum: math.NaN()}
	for i := range s {
		if s[i].isLE {
			h.Bounds, h.At = append(h.Bounds, s[i].le), append(h.At, s[i].Value)
		}
	}
	if n := len(h.Bounds); n == 0 || !math.IsInf(h.Bounds[n-1], 1) {
		if c := g.find(&Sample{Name: name + "_count", rest: s[0].rest}); c != nil {
			h.Bounds, h.At = append(h.Bounds, math.Inf(1)), append(h.At, c.Value)
		}
	}
	if c := g.find(&Sample{Name: name + "_sum", rest: s[0].rest}); c != nil {
		h.Sum = c.Value
	}
	return h
}

// series gives one histogram of a page.
func (g *Page) series(name, rest string) *Histogram {
	all := g.all(name + "_bucket")
	i := sort.Search(len(all), func(i int) bool { return all[i].rest >= rest })
	n := i
	for n < len(all) && all[n].rest == rest {
		n++
	}
	if n == i {
		return nil
	}
	return g.buckets(all[i:n], name)
}

// Restart is what two scrapes say about a process between them.
type Restart struct {
	Seen       bool
	ShiftKnown bool
	ShiftS     float64 // by how much the start of the process moved, s
}

// compare finds restarts, and refuses scrapes that cannot be of one server in
// this order.
func compare(a, b *Page) (map[string]bool, Restart, error) {
	out := map[string]bool{}
	var r Restart
	paired, fell, grew, same, back := 0, 0, 0, false, false
	for i := range b.samples {
		s := &b.samples[i]
		old := a.find(s)
		if old == nil {
			continue
		}
		paired++
		switch {
		case created(s.Name):
			if s.Value == old.Value {
				same = same || s.Name == "process_start_time_seconds"
				continue
			}
			out[s.instance()] = true
			back = back || s.Value < old.Value
			if s.Name == "process_start_time_seconds" {
				r.ShiftS, r.ShiftKnown = s.Value-old.Value, true
			}
		case b.counts(s) && s.Value < old.Value:
			out[s.instance()] = true
			fell++
		case b.counts(s) && s.Value > old.Value:
			grew++
		}
	}
	if paired == 0 {
		return nil, r, &InputError{
			"second scrape", "without any series of the first",
			"two scrapes of the same server (same names, labels and engine)",
		}
	}
	if back || same && fell > 0 && grew == 0 {
		return nil, r, &InputError{
			"second scrape", "older than the first, or of a process that began before it",
			"the later scrape second, both of the same server",
		}
	}
	r.Seen = len(out) > 0
	return out, r, nil
}
