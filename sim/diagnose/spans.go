package diagnose

import "openloop/sim"

// Stretches of windows in which a sign is on one side of its band.

// A span is a stretch of windows on one side of the band.
type span struct {
	move     sim.Move
	from, to int
	sum      float64
}

// spans are the first stretches that were found, in order of their ends, and the
// largest of all.
type spans struct {
	found [12]span
	n     int
	now   [2]struct {
		span
		start  int
		height float64
	}
}

// take goes on by one window that is z widths above the center.
func (s *spans) take(k int, z float64) {
	for i, v := range [...]float64{z - slack, -z - slack} {
		p := &s.now[i]
		if p.height <= 0 || p.height < p.sum-2*alarm { // it is over: back in the band for as long as that
			s.keep(p.span)
			p.span, p.height, p.start = span{move: [...]sim.Move{sim.Up, sim.Down}[i]}, 0, k
		}
		if p.height += v; p.height > p.sum {
			p.sum, p.from, p.to = p.height, p.start, k+1
		}
	}
}

func (s *spans) keep(x span) {
	if x.sum <= 0 {
		return
	}
	if s.n < len(s.found) {
		s.found[s.n] = x
		s.n++
		return
	}
	if last := &s.found[s.n-1]; x.sum > last.sum {
		*last = x
	}
}

// earliest is the first stretch that is not small beside the largest: what
// comes back after a failure may swing far to the other side.
func (s *spans) earliest() span {
	s.keep(s.now[0].span)
	s.keep(s.now[1].span)
	largest := 0.0
	for _, x := range s.found[:s.n] {
		largest = max(largest, x.sum)
	}
	best := span{}
	for _, x := range s.found[:s.n] {
		if x.sum >= max(alarm, early*largest) && (best.sum == 0 || x.from < best.from) || best.sum == 0 && x.sum == largest {
			best = x
		}
	}
	return best
}
