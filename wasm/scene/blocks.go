package main

import "openloop/sim"

// The KV memory of a replica: a square for each block or, if there are more than
// fit, for as many as it takes. Blocks have no order that matters; here come those
// that several requests hold, then those of each request, then kept, blank and lost
// ones.

const (
	mostCells = 600
	tallCell  = 44.0
)

// what a block is used for.
type use uint8

const (
	blank use = iota
	sharedBlock
	owned
	otherwise // held by a request that is not in the room
	kept
	lost
)

// stretch is a number of blocks that are used alike.
type stretch struct {
	blocks  int
	use     use
	request int
	prefill bool
}

// stretches are the blocks of a replica in the order in which they are drawn.
func (s *stage) stretches(i int) (out []stretch) {
	r := &s.frame.Replicas[i]
	left := r.Held
	add := func(x stretch) {
		if x.blocks > 0 {
			out = append(out, x)
		}
	}
	add(stretch{blocks: r.Shared, use: sharedBlock, request: -1})
	left -= r.Shared
	for _, id := range s.order {
		q := &s.tiles[id].request
		if q.Replica != i || q.Place != sim.InPrefill && q.Place != sim.InDecode {
			continue
		}
		own := min(q.Blocks-q.Shared, left)
		add(stretch{own, owned, id, q.Place == sim.InPrefill})
		left -= own
	}
	add(stretch{blocks: left, use: otherwise, request: -1})
	add(stretch{blocks: r.Kept, use: kept, request: -1})
	add(stretch{blocks: r.Blocks - r.Held - r.Kept - r.Lost, use: blank, request: -1})
	add(stretch{blocks: r.Lost, use: lost, request: -1})
	return out
}

// cells is the squares of a replica's memory and how many blocks each stands for.
func (s *stage) cells(i int) (g grid, blocks int, n int) {
	all := s.frame.Replicas[i].Blocks
	if all == 0 {
		return grid{}, 1, 0
	}
	kv := s.lanes[i].kv
	most := max(1, min(mostCells, fit(kv, mostCells, tallCell).holds(), across(kv.w, 5)*across(kv.h, 5)))
	blocks = (all + most - 1) / most
	n = (all + blocks - 1) / blocks
	return fit(kv, n, min(tallCell, kv.h)), blocks, n
}

// each calls f for every square with what most of it is used for.
func (s *stage) each(i int, f func(cell rect, x stretch, odd bool)) {
	g, blocks, n := s.cells(i)
	list := s.stretches(i)
	at, end := 0, 0
	if len(list) > 0 {
		end = list[0].blocks
	}
	for k := range min(n, g.holds()) {
		middle := k*blocks + blocks/2
		for at+1 < len(list) && middle >= end {
			at++
			end += list[at].blocks
		}
		if at < len(list) {
			f(g.cell(k), list[at], at%2 == 1)
		}
	}
}

func (s *stage) paintBlocks(i int) {
	s.each(i, func(c rect, x stretch, odd bool) {
		k := s.look.decode
		if x.prefill {
			k = s.look.prefill
		}
		if odd { // neighbors can be told apart
			k = k.faded(0.65)
		}
		switch x.use {
		case owned:
			if x.request == s.picked {
				k = s.look.ink
			}
			s.fill(c, k)
			if s.frame.Letters && c.w >= named {
				s.say(c.x+c.w/2, c.y+c.h/2, "center", "cell", s.frame.Name(x.request))
			}
		case sharedBlock:
			s.fill(c, s.look.decode)
			s.dot(c, s.look.paper)
		case otherwise:
			s.fill(c, s.look.soft.faded(0.6))
		case kept:
			s.fill(c, s.look.paper)
			s.outline(c, 1, s.look.decode)
			s.dot(c, s.look.decode)
		case lost:
			s.fill(c, s.look.bad.faded(0.25))
			s.stripes(c, 4, 1, s.look.bad)
		default:
			s.fill(c, s.look.wash)
			if c.w >= 6 {
				s.outline(c, 1, s.look.line)
			}
		}
	})
}

// ownerAt is the request that holds the block at a point, -1 for none.
func (s *stage) ownerAt(i int, x, y float64) (owner int) {
	owner = -1
	s.each(i, func(c rect, x1 stretch, _ bool) {
		if c.inset(-tileGap/2).holds(x, y) && x1.use == owned {
			owner = x1.request
		}
	})
	return owner
}
