package protocol

import (
	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/content/demo/text"
)

// Ops for runs that have a clock.

// stand puts the finished run where its state says. A time that the run does not
// have is let go, unless a link brought it: then the frame says so.
func (i *instance) stand() {
	if demo.Stand(i.state, i.task) != nil && !i.linked {
		i.state, _ = i.state.SetAt("")
	}
}

// seek changes the time at which the run is shown.
func (h *Host) seek(i *instance, in string) Status {
	s, p := i.state.SetAt(in)
	if p != nil {
		return h.refuse(*p)
	}
	if t, ok := i.task.(demo.Timed); ok && i.finished && s.HasAt {
		if p := demo.Misplaced(s, t); p != nil {
			return h.refuse(*p)
		}
		if s.At == t.Clock().To {
			s, _ = s.SetAt("") // one link for the whole run
		}
	}
	return h.change(i, s, false)
}

// room answers with the engine room of the finished run at its time, and with more
// about one of its requests; 0 is none.
func (h *Host) room(i *instance, request int) Status {
	t, ok := i.task.(demo.Scenic)
	switch {
	case !ok:
		return h.refuse(text.Problem{Kind: text.CannotRun, Key: "room", Got: i.state.Demo.ID, Legal: "the demo has no engine room"})
	case request < 0:
		return BadCall
	case !i.finished:
		return More
	}
	h.text, h.nums = draw.Room(t.RoomSays(request-1)), t.Room(nil)
	return Done
}
