package main

import (
	"openloop/content/demo/room"
	"openloop/sim"
)

// The picture of a room. It knows no browser and no graphics library: rooms go in
// (take), rectangles and words come out (paint).

const (
	tween    = 260.0 // ms in which a request goes to its new place
	tallTile = 64.0  // largest side of a seat
	tallBar  = 28.0  // largest height of a prompt in prefill
	tallWait = 28.0  // largest side of a request in the queue
	named    = 16.0  // side from which on a name fits inside
)

// tile is a request in the picture.
type tile struct {
	from, to rect
	request  room.Request
	fresh    bool // was not there before
	gone     bool // is on its way out
}

// stage is a picture and what it has to know to draw the next one.
type stage struct {
	look          look
	still         bool // nothing moves by itself
	picked        int  // request that is marked, -1 for none
	width, height float64

	frame room.Frame
	some  bool // a room has come
	lanes []lane
	tiles map[int]*tile
	seats [][]int // by replica: who decodes where, -1 for nobody
	wrote []int   // by replica: kept blocks written over since the room before
	order []int   // tiles in the order of the room
	since float64 // ms, when the last room came
	canvas
}

func newStage() *stage { return &stage{picked: -1, tiles: map[int]*tile{}} }

// take brings the next room; now is in ms. It says whether it could be read.
func (s *stage) take(x []float64, now float64) bool {
	old, before := s.settled(now), s.evicted()
	at, some := s.frame.At, s.some
	if !s.frame.Read(x) {
		return false
	}
	s.some, s.wrote = true, s.evicted()
	for i := range s.wrote {
		if some && len(before) == len(s.wrote) && s.frame.At > at {
			s.wrote[i] -= before[i]
		} else {
			s.wrote[i] = 0
		}
	}
	s.place()
	for id, t := range s.tiles {
		if was, ok := old[id]; ok {
			t.from = was
		} else {
			t.fresh = true
		}
	}
	s.since = now
	return true
}

// evicted is how many kept blocks each replica has written over.
func (s *stage) evicted() (out []int) {
	for i := range s.frame.Replicas {
		out = append(out, s.frame.Replicas[i].Evicted)
	}
	return out
}

// settled takes the picture as it is now: where each request is. Those that are
// gone and have faded are forgotten.
func (s *stage) settled(now float64) map[int]rect {
	at := map[int]rect{}
	share := s.share(now)
	for id, t := range s.tiles {
		if t.gone {
			delete(s.tiles, id)
			continue
		}
		at[id] = t.now(share)
	}
	return at
}

// resize gives the picture another size; everybody is at once in their places.
func (s *stage) resize(width, height float64) {
	if width == s.width && height == s.height {
		return
	}
	s.width, s.height = width, height
	if s.some {
		s.place()
		s.since = -tween
	}
}

// share is how much of the way to their new places requests have gone.
func (s *stage) share(now float64) float64 {
	if s.still || now >= s.since+tween {
		return 1
	}
	left := 1 - max(0, now-s.since)/tween
	return 1 - left*left*left
}

func (t *tile) now(share float64) rect {
	if t.fresh || share >= 1 || t.to.w == 0 {
		return t.to
	}
	mix := func(a, b float64) float64 { return a + (b-a)*share }
	return rect{mix(t.from.x, t.to.x), mix(t.from.y, t.to.y), mix(t.from.w, t.to.w), mix(t.from.h, t.to.h)}
}

// place finds the place of each request of the room.
func (s *stage) place() {
	f := &s.frame
	s.lanes = lanes(s.width, s.height, len(f.Replicas))
	there := map[int]bool{}
	s.order = s.order[:0]
	for i := range f.Requests {
		q := &f.Requests[i]
		there[q.ID] = true
		t := s.tiles[q.ID]
		if t == nil {
			t = &tile{}
			s.tiles[q.ID] = t
		}
		t.request, t.fresh, t.gone = *q, false, false
		s.order = append(s.order, q.ID)
	}
	for id, t := range s.tiles {
		if !there[id] && !t.gone {
			t.gone, t.from = true, t.to
			t.to.x += 2 * t.to.w // out, to the right
		}
	}
	for len(s.seats) < len(f.Replicas) {
		s.seats = append(s.seats, nil)
	}
	for i := range f.Replicas {
		s.placeReplica(i)
	}
}

// of are the tiles of a replica's requests at these places, in the order of the room.
func (s *stage) of(replica int, places ...sim.Place) (out []*tile) {
	for _, id := range s.order {
		t := s.tiles[id]
		for _, p := range places {
			if t.request.Replica == replica && t.request.Place == p {
				out = append(out, t)
			}
		}
	}
	return out
}

func (s *stage) placeReplica(i int) {
	l := &s.lanes[i]
	waiting := s.of(i, sim.InQueue, sim.OnLink)
	g := s.queueGrid(i)
	for k, t := range waiting {
		t.to = rect{}
		if k < g.holds() {
			t.to = g.back(k)
		}
	}
	prompts := s.of(i, sim.InPrefill)
	h, fits := bars(l.prefill, len(prompts), tallBar)
	for k, t := range prompts {
		t.to = rect{}
		if k < fits {
			t.to = rect{l.prefill.x, l.prefill.y + float64(k)*(h+tileGap), l.prefill.w, h}
		}
	}
	s.seat(i)
	g = s.seatGrid(i)
	for k, id := range s.seats[i] {
		if id >= 0 {
			s.tiles[id].to = g.cell(k)
		}
	}
}

// queueGrid is the line at the door of a replica: with room for as many as are ever
// listed, so that nobody shrinks because another comes; a few with names are large.
func (s *stage) queueGrid(i int) grid {
	n := room.MostQueued
	if s.frame.Letters {
		n = 8
	}
	return fit(s.lanes[i].queue, max(n, s.listed(i)), min(tallWait, s.lanes[i].queue.h))
}

// seatGrid is the seats of a replica.
func (s *stage) seatGrid(i int) grid {
	return fit(s.lanes[i].decode, max(1, s.frame.Replicas[i].Seats), min(tallTile, s.lanes[i].decode.h))
}

// seat keeps those who decode where they are and gives the others the first free
// seats, so that a square does not move because another one ends.
func (s *stage) seat(i int) {
	seats := s.seats[i]
	for k, id := range seats {
		if t := s.tiles[id]; t == nil || t.gone || t.request.Replica != i || t.request.Place != sim.InDecode {
			seats[k] = -1
		}
	}
	taken := map[int]bool{}
	for _, id := range seats {
		taken[id] = true
	}
	next := 0
	for _, t := range s.of(i, sim.InDecode) {
		if taken[t.request.ID] {
			continue
		}
		for next < len(seats) && seats[next] >= 0 {
			next++
		}
		if next == len(seats) {
			seats = append(seats, -1)
		}
		seats[next] = t.request.ID
	}
	s.seats[i] = seats
}

// pick is the request at a point of the picture, -1 for none.
func (s *stage) pick(x, y float64) int {
	for _, id := range s.order {
		if s.tiles[id].to.inset(-tileGap/2).holds(x, y) {
			return id
		}
	}
	for i := range s.lanes {
		if s.lanes[i].kv.holds(x, y) {
			return s.ownerAt(i, x, y)
		}
	}
	return -1
}
