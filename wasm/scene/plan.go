package main

// Where things are: a lane for each replica, with four zones from left to right,
// as a request goes through them. Lengths are CSS pixels.

// rect is a rectangle.
type rect struct{ x, y, w, h float64 }

func (r rect) right() float64  { return r.x + r.w }
func (r rect) bottom() float64 { return r.y + r.h }

func (r rect) holds(x, y float64) bool {
	return x >= r.x && x < r.right() && y >= r.y && y < r.bottom()
}

// inset is the rectangle without a border of d on each side.
func (r rect) inset(d float64) rect {
	return rect{r.x + d, r.y + d, max(0, r.w-2*d), max(0, r.h-2*d)}
}

// lane is what one replica has.
type lane struct {
	all     rect
	queue   rect
	engine  rect // around prefill and decode
	step    rect // how full the step in progress is
	prefill rect
	decode  rect
	kv      rect
}

// Sizes.
const (
	edge     = 10.0 // around everything
	header   = 24.0 // for the names of the zones
	footer   = 18.0 // for words below: about the step, or about the run so far
	gutter   = 16.0 // for the numbers of replicas, where there are several
	apart    = 14.0 // between zones
	between  = 7.0  // between lanes
	padding  = 6.0  // inside the engine
	stepBar  = 6.0
	tileGap  = 2.0
	line     = 15.0 // below the blocks, for how many were written over, where a lane is high enough
	smallest = 3.0  // side of a tile
	tight    = 400  // below it there is no room for counts beside the names of the zones
	wide     = 560  // from here on there is room for words below several lanes
)

// Shares of the width.
const (
	queueShare   = 0.21
	prefillShare = 0.20
	decodeShare  = 0.30
)

// lanes divides a picture of this size among so many replicas.
func lanes(width, height float64, replicas int) []lane {
	if replicas == 0 {
		return nil
	}
	left, bottom := edge, edge+footer
	if replicas > 1 {
		left += gutter
		if width < wide {
			bottom = edge
		}
	}
	room := max(0, width-left-edge-3*apart)
	h := max(4, (height-header-bottom-between*float64(replicas-1))/float64(replicas))
	out := make([]lane, replicas)
	for i := range out {
		y := header + float64(i)*(h+between)
		l := &out[i]
		l.all = rect{left, y, width - left - edge, h}
		l.queue = rect{left, y, room * queueShare, h}
		l.engine = rect{l.queue.right() + apart, y, room*(prefillShare+decodeShare) + apart, h}
		l.kv = rect{l.engine.right() + apart, y, width - edge - l.engine.right() - apart, h}
		if h >= 3*line {
			l.kv.h -= line
		}
		pad := min(padding, h/8)
		in := l.engine.inset(pad)
		l.step = rect{in.x, in.y, in.w, min(stepBar, h/8)}
		top := l.step.bottom() + pad
		l.prefill = rect{in.x, top, room*prefillShare - pad, in.bottom() - top}
		l.decode = rect{l.prefill.right() + apart, top, in.right() - l.prefill.right() - apart, in.bottom() - top}
	}
	return out
}

// grid is equal squares in rows.
type grid struct {
	at      rect
	side    float64
	columns int
}

// fit is the grid with the largest squares, up to most, of which n fit into a
// rectangle; squares are never smaller than smallest, then fewer fit.
func fit(r rect, n int, most float64) grid {
	for side := most; side > smallest; side-- {
		if columns, rows := across(r.w, side), across(r.h, side); columns*rows >= n {
			return grid{r, side, columns}
		}
	}
	return grid{r, smallest, max(1, across(r.w, smallest))}
}

// across is how many squares fit into a length.
func across(length, side float64) int { return int((length + tileGap) / (side + tileGap)) }

// holds is how many squares there are.
func (g grid) holds() int { return g.columns * across(g.at.h, g.side) }

// cell is square i, row by row.
func (g grid) cell(i int) rect {
	step := g.side + tileGap
	return rect{g.at.x + float64(i%g.columns)*step, g.at.y + float64(i/g.columns)*step, g.side, g.side}
}

// back is square i counted from the right: the head of a queue stands at the door.
func (g grid) back(i int) rect {
	c := g.cell(i)
	c.x = g.at.right() - (c.x - g.at.x) - g.side
	return c
}

// bars are rows for n things, at most of a height.
func bars(r rect, n int, most float64) (height float64, fits int) {
	if n == 0 {
		return most, 0
	}
	height = min(most, (r.h+tileGap)/float64(n)-tileGap)
	if height < smallest {
		height = smallest
	}
	return height, min(n, across(r.h, height))
}
