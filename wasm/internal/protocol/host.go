package protocol

import (
	"errors"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/content/demo/text"
)

// Op is what a call asks for.
type Op int32

// The ops.
const (
	Open       Op = 1
	Set        Op = 2
	Slide      Op = 3
	Restore    Op = 4
	Step       Op = 5
	Frame      Op = 6
	CSV        Op = 7
	JSON       Op = 8
	Seeds      Op = 9
	SeedsStep  Op = 10
	SeedsFrame Op = 11
	Bet        Op = 12
	Close      Op = 13
	Seek       Op = 14
	Room       Op = 15
	Fault      Op = 99
)

// Status is how a call ended.
type Status int32

// The statuses.
const (
	Done     Status = 0
	More     Status = 1
	Problem  Status = 2
	NoHandle Status = 3
	Failed   Status = 4
	BadCall  Status = 5
)

// Limits of a host.
const (
	MaxInput  = 1088 << 10 // bytes; a log that somebody pastes is the longest, and what is longer is cut by who sends it
	MaxBudget = 50_000_000 // of one step; a worker stays far below
	MaxSeeds  = 1000
	MaxOpen   = 64
)

// Host holds the open demos of one page. Only Demos has to be set.
type Host struct {
	Demos []*demo.Demo // those of the module

	input  []byte
	text   []byte
	nums   []float64
	open   map[int32]*instance
	last   int32 // the newest handle
	failed bool
}

// instance is one open demo.
type instance struct {
	handle   int32
	state    demo.State
	task     demo.Task
	finished bool
	linked   bool // the time in the state came with a link

	seeds     demo.Task // nil if none was started
	seedsDone bool
}

// Input is room for the n bytes of the next call's input; nil if n is not
// within 0 and MaxInput. It stays the same memory until a larger one is asked
// for, and it is never empty, so that it has an address.
func (h *Host) Input(n int32) []byte {
	if n < 0 || n > MaxInput {
		return nil
	}
	if int(n) > len(h.input) || len(h.input) == 0 {
		h.input = make([]byte, max(n, 1024))
	}
	return h.input[:max(n, 1)]
}

// Text is the answer of the last call.
func (h *Host) Text() []byte { return h.text }

// Nums is the numbers of the last call.
func (h *Host) Nums() []float64 { return h.nums }

// Call does one op. It never panics: a failure of the engine is status
// Failed, now and ever after.
func (h *Host) Call(op, handle, n, arg int32) (status int32) {
	h.text, h.nums = nil, nil
	if h.failed {
		h.fail("the engine has failed before")
		return int32(Failed)
	}
	defer func() {
		if r := recover(); r != nil {
			h.fail(reason(r))
			status = int32(Failed)
		}
	}()
	if n < 0 || int(n) > len(h.input) {
		return int32(BadCall)
	}
	return int32(h.do(Op(op), handle, string(h.input[:n]), int(arg)))
}

func (h *Host) do(op Op, handle int32, in string, arg int) Status {
	switch op {
	case Open:
		return h.openDemo(in)
	case Fault:
		panic("fault: asked for by op 99")
	}
	if op < Set || op > Room {
		return BadCall
	}
	i, ok := h.open[handle]
	if !ok {
		return NoHandle
	}
	switch op {
	case Set:
		return h.set(i, in)
	case Slide:
		return h.slide(i, in, arg)
	case Restore:
		return h.restore(i, in, arg)
	case Seek:
		return h.seek(i, in)
	case Step:
		was := i.finished
		status := h.step(i.task, &i.finished, arg)
		if i.finished && !was {
			i.stand()
		}
		return status
	case Room:
		return h.room(i, arg)
	case Frame:
		return h.frame(draw.Frame, i.state, i.task, i.finished)
	case CSV, JSON:
		return h.file(op, i, arg)
	case Bet:
		return h.bet(i, arg)
	case Close:
		delete(h.open, handle)
		return Done
	case Seeds:
		return h.startSeeds(i, arg)
	}
	if i.seeds == nil {
		return NoHandle
	}
	if op == SeedsStep {
		return h.step(i.seeds, &i.seedsDone, arg)
	}
	return h.frame(draw.SeedsFrame, i.state, i.seeds, i.seedsDone)
}

func (h *Host) step(t demo.Task, finished *bool, budget int) Status {
	if budget < 1 || budget > MaxBudget {
		return BadCall
	}
	if !*finished {
		*finished = t.Step(budget)
	}
	if !*finished {
		h.progress(t.Progress())
		return More
	}
	h.progress(1)
	return Done
}

func (h *Host) progress(share float64) {
	var j text.JSON
	j.OpenObject()
	j.Key("progress")
	j.Number(share)
	j.CloseObject()
	h.text = j.Bytes()
}

func (h *Host) frame(pack func(demo.State, demo.Task) ([]byte, []float64), s demo.State, t demo.Task, finished bool) Status {
	if !finished {
		return More
	}
	h.text, h.nums = pack(s, t)
	return Done
}

func (h *Host) file(op Op, i *instance, which int) Status {
	t, finished := i.task, i.finished
	switch {
	case which == 1 && i.seeds == nil:
		return NoHandle
	case which == 1:
		t, finished = i.seeds, i.seedsDone
	case which != 0:
		return BadCall
	}
	if !finished {
		return More
	}
	if op == CSV {
		h.text = demo.CSV(i.state, t)
	} else {
		h.text = demo.JSON(i.state, t)
	}
	return Done
}

func (h *Host) startSeeds(i *instance, n int) Status {
	if n < 1 || n > MaxSeeds {
		return BadCall
	}
	t, err := demo.Spread(i.state, demo.SeedsFrom(i.state.Seed, n))
	if err != nil {
		return h.refuse(asProblem(err))
	}
	i.seeds, i.seedsDone = t, false
	h.progress(0)
	return More
}

func (h *Host) bet(i *instance, chosen int) Status {
	if !i.finished {
		return More
	}
	right, score, err := demo.Score(i.state, i.task, chosen)
	if err != nil {
		return h.refuse(text.Problem{Kind: text.CannotRun, Key: "bet", Got: strconv.Itoa(chosen), Legal: err.Error()})
	}
	var j text.JSON
	j.OpenObject()
	j.Key("score")
	j.Number(score)
	j.Key("answer")
	j.Int(int64(right))
	j.Text("feedback", i.state.Demo.Bet.Feedback[chosen])
	j.Text("found", i.state.Demo.Bet.Found(i.task))
	marked := i.state
	marked.Engine = demo.EngineVersion
	j.Text("link", marked.String())
	j.CloseObject()
	h.text = j.Bytes()
	return Done
}

// refuse answers with problems; whatever was there stays.
func (h *Host) refuse(problems ...text.Problem) Status {
	var j text.JSON
	j.OpenObject()
	j.Key("problems")
	draw.Problems(&j, problems)
	j.CloseObject()
	h.text = j.Bytes()
	return Problem
}

// fail answers with an error and closes the host for good.
func (h *Host) fail(why string) {
	h.failed, h.nums = true, nil
	var j text.JSON
	j.OpenObject()
	j.Text("error", why)
	j.CloseObject()
	h.text = j.Bytes()
}

func reason(r any) string {
	switch r := r.(type) {
	case error:
		return r.Error()
	case string:
		return r
	}
	return "a panic without words"
}

func asProblem(err error) text.Problem {
	var p text.Problem
	if errors.As(err, &p) {
		return p
	}
	return text.Problem{Kind: text.CannotRun, Key: "link", Legal: err.Error()}
}
