package scrape

import "math"

// Engines that come and go. In the log of a deployment pods are replaced: the
// lines of one stop while those of others go on, and another begins. Who has not
// begun is not waited for, and who is gone leaves the sums. Nothing says when it
// went; but it would have written again after the longest pause that it ever made.

// Life is when an engine that was not there all the time began to write lines
// or stopped: seconds after the first line of all, or NaN if lines have no
// instants.
type Life struct {
	Name string
	At   float64
}

// silent is after how many of its longest pauses an engine is gone, and within
// how many of them from the start it was there from the start.
const silent = 3

// life is the stretch of a log in which an engine wrote, by its slots: their
// instants in seconds or, if they have none, their numbers.
type life struct {
	from, to float64
	pause    float64 // the longest between two lines of it
}

// at is the place of slot i in the log.
func (l *logReading) at(i int) float64 {
	if l.timed {
		return l.slots[i].at
	}
	return float64(i)
}

// lives are those of all engines. One of a single line makes pauses as others do.
func (l *logReading) lives() map[string]life {
	out := map[string]life{}
	longest := 0.0
	for i := range l.slots {
		for rank := range l.slots[i].state {
			x, ok := out[rank]
			if !ok {
				x = life{from: l.at(i), to: l.at(i)}
			}
			x.pause, x.to = max(x.pause, l.at(i)-x.to), l.at(i)
			longest = max(longest, x.pause)
			out[rank] = x
		}
	}
	for rank, x := range out {
		if x.pause == 0 {
			x.pause = longest
			out[rank] = x
		}
	}
	return out
}

// came says that an engine began while others were writing already.
func (l *logReading) came(x life) bool {
	return len(l.slots) > 0 && x.from > l.at(0)+float64(silent*x.pause)
}

// gone says that an engine stopped while others went on.
func (l *logReading) gone(x life) bool {
	n := len(l.slots)
	return n > 0 && l.at(n-1) > x.to+float64(silent*x.pause)
}

// out says that an engine is gone at a place of the log.
func (l *logReading) out(x life, at float64) bool { return l.gone(x) && at > x.to+x.pause }

// comings are those who came and who left, in the order of their names.
func (l *logReading) comings(lives map[string]life) (came, left []Life) {
	since := func(at float64) float64 {
		if !l.timed {
			return math.NaN()
		}
		return at - l.at(0)
	}
	for _, rank := range l.ranks {
		x := lives[rank]
		if l.came(x) {
			came = append(came, Life{rank, since(x.from)})
		}
		if l.gone(x) {
			left = append(left, Life{rank, since(x.to)})
		}
	}
	return came, left
}
