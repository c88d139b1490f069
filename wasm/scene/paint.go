package main

import (
	"strconv"

	"openloop/content/demo/room"
	"openloop/sim"
)

// paint draws the picture as it is at a time in ms, and says whether it is moving.
func (s *stage) paint(now float64) (moving bool) {
	s.clear()
	s.fill(rect{0, 0, s.width, s.height}, s.look.paper)
	if !s.some {
		return false
	}
	share := s.share(now)
	for i := range s.lanes {
		s.paintLane(i)
	}
	for id, t := range s.tiles {
		if t.gone && share < 1 {
			s.paintTile(id, t, t.now(share), 1-share)
		}
	}
	for _, id := range s.order {
		t := s.tiles[id]
		fade := 1.0
		if t.fresh {
			fade = share
		}
		s.paintTile(id, t, t.now(share), fade)
	}
	for i := range s.lanes {
		s.paintTrouble(i)
	}
	s.names()
	return share < 1
}

// paintLane draws what stands still: the door, seats, the step, the blocks.
func (s *stage) paintLane(i int) {
	l, r := &s.lanes[i], &s.frame.Replicas[i]
	s.fill(l.engine, s.look.wash)
	s.outline(l.engine, 1, s.look.line)
	s.fill(rect{l.queue.right() + apart/2, l.queue.y, 1, l.queue.h}, s.look.edge)
	g := s.seatGrid(i)
	for k := range min(r.Seats, g.holds()) {
		s.fill(g.cell(k), s.look.paper)
		if g.side >= 6 {
			s.outline(g.cell(k), 1, s.look.line)
		}
	}
	s.paintStep(l.step, r)
	s.paintBlocks(i)
	if hidden := r.Waiting - min(s.listed(i), s.queueGrid(i).holds()); hidden > 0 {
		s.say(l.queue.x, l.queue.bottom()-7, "left", "more", "+"+strconv.Itoa(hidden)+" more")
	}
	if s.wrote[i] > 0 {
		s.say(l.kv.right(), l.all.bottom()-7, "right", "wrote", strconv.Itoa(s.wrote[i])+" written over")
	}
}

// listed is how many of the requests that wait are in the room.
func (s *stage) listed(i int) int {
	return s.frame.Count(sim.InQueue, i) + s.frame.Count(sim.OnLink, i)
}

// paintStep draws how much of the budget the step in progress has, and below it
// how much of the step is over.
func (s *stage) paintStep(r rect, x *room.Replica) {
	s.fill(r, s.look.paper)
	s.outline(r, 1, s.look.line)
	if x.Prefill+x.Decode == 0 || x.Budget == 0 {
		return
	}
	width := func(tokens int) float64 { return max(1, r.w*min(1, float64(tokens)/float64(x.Budget))) }
	p := rect{r.x, r.y, 0, r.h}
	if x.Prefill > 0 {
		p.w = width(x.Prefill)
		s.fill(p, s.look.prefill)
	}
	if x.Decode > 0 {
		s.fill(rect{p.right(), r.y, min(width(x.Decode), r.right()-p.right()), r.h}, s.look.decode)
	}
	if x.To > x.From {
		s.progress(rect{r.x, r.bottom() + 1, r.w, 2}, (s.frame.At-x.From)/(x.To-x.From), s.look.ink)
	}
}

// paintTile draws a request where it is.
func (s *stage) paintTile(id int, t *tile, r rect, fade float64) {
	if r.w < 1 {
		return
	}
	q := &t.request
	share := 0.0
	if q.Output > 0 {
		share = float64(q.Generated) / float64(q.Output)
	}
	switch {
	case q.Place == sim.InPrefill:
		before := q.Computed - q.Tokens // the step in progress computes the rest
		s.fill(r, s.look.paper.faded(fade))
		s.progress(r, float64(q.Computed)/float64(max(1, q.Target)), s.look.prefill.faded(0.45*fade))
		s.progress(r, float64(before)/float64(max(1, q.Target)), s.look.prefill.faded(fade))
		s.outline(r, 1, s.look.prefill.faded(fade))
	case q.Place == sim.InDecode:
		s.fill(r, s.look.paper.faded(fade))
		s.level(r, share, s.look.decode.faded(fade))
		s.outline(r, 1, s.look.decode.faded(fade))
	default:
		s.fill(r, s.look.paper.faded(fade))
		s.level(r, share, s.look.decode.faded(0.6*fade))
		if q.Waits {
			s.outline(r, max(2, r.w/6), s.look.bad.faded(fade))
		} else {
			s.outline(r, 1, s.look.soft.faded(fade))
		}
		if q.Place == sim.OnLink {
			s.dot(r, s.look.soft.faded(fade))
		}
	}
	if q.Attempt > 1 {
		notch := max(2, min(r.w, r.h)/2.5)
		s.fill(rect{r.right() - notch, r.y, notch, notch}, s.look.ink.faded(fade))
	}
	if id == s.picked {
		s.outline(r.inset(-3), 2, s.look.ink.faded(fade))
	}
	if s.frame.Letters && min(r.w, r.h) >= named-2 && !t.gone {
		s.say(r.x+r.w/2, r.y+r.h/2, "center", "tile", s.frame.Name(id))
	} else if id == s.picked && !t.gone {
		s.say(r.x+r.w/2, max(header, r.y-9), "center", "picked", s.frame.Name(id))
	}
}

// paintTrouble draws over a lane what is wrong with its replica.
func (s *stage) paintTrouble(i int) {
	l, r := &s.lanes[i], &s.frame.Replicas[i]
	words := ""
	switch r.Presence {
	case sim.IsOff:
		words = "down"
	case sim.IsBooting:
		words = "starting"
	case sim.IsDraining:
		words = "being emptied"
	}
	if words != "" && r.Presence != sim.IsDraining {
		s.stripes(l.engine.inset(1), 7, 2, s.look.bad.faded(0.35))
		s.stripes(l.kv, 7, 2, s.look.bad.faded(0.35))
	}
	if words == "" && r.Slower > 1.005 {
		words = "steps take " + strconv.FormatFloat(r.Slower, 'f', 1, 64) + "× as long"
	}
	if words != "" {
		s.say(l.engine.x+l.engine.w/2, l.engine.y+l.engine.h/2, "center", "bad", words)
	}
}

// soFar is what has become of the requests, in a line.
func soFar(f *room.Frame) string {
	out := "so far: " + strconv.Itoa(f.Sent) + " sent"
	for _, x := range []struct {
		n    int
		what string
	}{{f.Completed, "complete"}, {f.PutBack, "put back"}, {f.TimedOut, "gave up"}, {f.Again, "sent again"}, {f.Refused, "refused"}, {f.Lost, "lost"}} {
		if x.n > 0 {
			out += " · " + strconv.Itoa(x.n) + " " + x.what
		}
	}
	return out
}

// names writes over the zones what they are and how much is in them.
func (s *stage) names() {
	f := &s.frame
	var all room.Replica
	for _, r := range f.Replicas {
		all.Waiting += r.Waiting
		all.Seats += r.Seats
		all.Blocks += r.Blocks
		all.Held += r.Held
		all.Prefill += r.Prefill
		all.Decode += r.Decode
		all.Budget += r.Budget
	}
	l := &s.lanes[0]
	y := header / 2
	n := strconv.Itoa
	kv := ""
	if all.Blocks > 0 {
		kv = n((100*all.Held+all.Blocks/2)/all.Blocks) + "%"
		if s.width >= wide {
			kv += " held"
		}
	}
	for _, zone := range []struct {
		x          float64
		name, says string
	}{
		{l.queue.x, "Queue", n(all.Waiting)}, {l.prefill.x, "Prefill", n(f.Count(sim.InPrefill, -1))},
		{l.decode.x, "Decode", n(f.Count(sim.InDecode, -1))}, {l.kv.x, "KV", kv},
	} {
		if s.width >= tight {
			zone.name += " " + zone.says
		}
		s.say(zone.x, y, "left", "zone", zone.name)
	}
	if len(f.Replicas) > 1 {
		for i := range s.lanes {
			s.say(edge, s.lanes[i].all.y+s.lanes[i].all.h/2, "left", "lane", n(i+1))
		}
		if s.width >= wide {
			s.say(l.queue.x, s.lanes[len(s.lanes)-1].all.bottom()+footer/2+1, "left", "foot", soFar(f))
		}
		return
	}
	y = l.engine.bottom() + footer/2 + 1
	step := "no step"
	if all.Prefill+all.Decode > 0 {
		step = "step: " + n(all.Prefill+all.Decode) + " of " + n(all.Budget) + " tokens"
	}
	s.say(l.engine.x, y, "left", "foot", step)
	s.say(l.engine.right(), y, "right", "foot", n(all.Seats)+" seats")
	s.say(l.kv.x, y, "left", "foot", n(all.Held)+" of "+n(all.Blocks)+" blocks")
}
