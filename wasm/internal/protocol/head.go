package protocol

import (
	"strconv"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/content/demo/text"
)

// The ops that change a state. Each of them makes the new state and its task
// first and only then touches the instance, so that a problem leaves it as it
// was.

// parse is demo.Parse that also reports what changes nothing: a link may carry
// it, but a reader who mistyped a key, or counts on a setting, should hear of it.
func parse(d *demo.Demo, link string) (demo.State, []text.Problem) {
	s, problems := demo.Parse(d, link)
	return s, append(problems, s.Unused()...)
}

func (h *Host) openDemo(in string) Status {
	id, link, ok := strings.Cut(in, "\n")
	if !ok {
		return BadCall
	}
	d, ok := demo.Find(h.Demos, id)
	if !ok {
		return h.refuse(text.Problem{Kind: text.UnknownName, Key: "demo", Got: id})
	}
	if len(h.open) >= MaxOpen {
		return h.refuse(text.Problem{Kind: text.TooMany, Key: "demo", Got: id, Legal: "at most " + strconv.Itoa(MaxOpen) + " open demos"})
	}
	s, problems := parse(d, link)
	t, err := demo.Start(s)
	if err != nil {
		// Never a blank demo: what the link says beside its values stays.
		problems = append(problems, asProblem(err))
		s = s.With(d.Defaults(), demo.DefaultSeed)
		if t, err = demo.Start(s); err != nil {
			return h.refuse(asProblem(err))
		}
	}
	if h.open == nil {
		h.open = map[int32]*instance{}
	}
	h.last++
	i := &instance{handle: h.last, state: s, task: t, linked: true}
	h.open[i.handle] = i
	h.head(i, problems)
	return Done
}

func (h *Host) set(i *instance, in string) Status {
	key, value, ok := strings.Cut(in, "=")
	if !ok {
		return BadCall
	}
	s, p := i.state.Set(key, value)
	if p != nil {
		return h.refuse(*p)
	}
	return h.change(i, s, false)
}

func (h *Host) slide(i *instance, knob string, pos int) Status {
	k := i.state.Demo.Index(knob)
	if k < 0 {
		_, p := i.state.Set(knob, "")
		return h.refuse(*p)
	}
	if _, ok := demo.ValueAt(i.state.Demo.Knobs[k], pos); !ok {
		return BadCall
	}
	return h.change(i, i.state.Slide(knob, pos), false)
}

func (h *Host) restore(i *instance, link string, keep int) Status {
	if keep != 0 && keep != 1 {
		return BadCall
	}
	s, problems := parse(i.state.Demo, link)
	s = s.WithLoose(i.state)
	if keep == 1 {
		at, has := s.At, s.HasAt
		s = i.state.With(s.Values, s.Seed)
		if _, ok := i.task.(demo.Timed); ok { // a named state is a place in the run too
			s.At, s.HasAt = at, has
		}
	}
	return h.change(i, s, true, problems...)
}

// change replaces the state, and the task if the run is another. linked says that
// the state's time came with a link.
func (h *Host) change(i *instance, s demo.State, linked bool, problems ...text.Problem) Status {
	if !s.SameRun(i.state) {
		start := demo.Start
		if i.finished {
			start = func(s demo.State) (demo.Task, error) { return demo.StartFrom(i.task, s) }
		}
		t, err := start(s)
		if err != nil {
			return h.refuse(append(problems, asProblem(err))...)
		}
		i.task, i.finished = t, false
		i.seeds, i.seedsDone = nil, false
	}
	moved := s.At != i.state.At || s.HasAt != i.state.HasAt
	i.state, i.linked = s, linked
	if i.finished && moved {
		i.stand()
	}
	h.head(i, problems)
	return Done
}

// head writes what a panel shows of a state.
func (h *Host) head(i *instance, problems []text.Problem) {
	s := i.state
	isDefault := s.SameRun(demo.NewState(s.Demo))
	var j text.JSON
	j.OpenObject()
	j.Key("handle")
	j.Int(int64(i.handle))
	j.Text("state", s.String())
	j.Key("seed")
	j.Int(int64(s.Seed))
	j.Text("seedText", strconv.FormatUint(uint64(s.Seed), 10))
	j.Key("seedLocked")
	j.Bool(s.Locked("seed"))
	j.Text("theme", s.Theme)
	j.Key("at")
	if s.HasAt {
		j.Number(s.At)
	} else {
		j.Null()
	}
	j.Key("hide")
	j.Strings(s.Hide)
	j.Key("lock")
	j.Strings(s.Lock)
	j.Key("engine")
	j.Int(demo.EngineVersion)
	j.Key("default")
	j.Bool(isDefault)
	j.Key("reveal")
	if b := s.Demo.Bet; b != nil {
		reveal, _ := demo.Parse(s.Demo, b.Reveal)
		j.String(reveal.String())
	} else {
		j.Null()
	}
	j.Key("problems")
	draw.Problems(&j, problems)
	j.Key("knobs")
	j.OpenArray()
	for n, k := range s.Demo.Knobs {
		writeKnob(&j, s, n, k)
	}
	j.CloseArray()
	j.Key("groups")
	j.OpenArray()
	for _, g := range s.Demo.Groups {
		j.OpenObject()
		j.Text("title", g.Title)
		j.Text("says", s.GroupSays(g.Title))
		j.CloseObject()
	}
	j.CloseArray()
	j.CloseObject()
	h.text = j.Bytes()
}

func writeKnob(j *text.JSON, s demo.State, n int, k demo.Knob) {
	x, option, says := s.Values.At(n), 0, ""
	if k.Choice() {
		option = int(x)
	}
	loose := k.Writing != nil && k.Writing.Loose
	j.OpenObject()
	j.Text("name", k.Name)
	if loose {
		j.Key("loose")
		j.Bool(true) // its text is on the page already, and may be long
	} else {
		j.Text("text", s.Values.Text(n))
	}
	if k.Writing == nil {
		says = k.Says(x)
	}
	j.Key("pos")
	j.Int(int64(demo.PositionOf(k, x)))
	j.Key("positions")
	j.Int(int64(demo.Positions(k)))
	j.Key("option")
	j.Int(int64(option))
	j.Text("valueText", says)
	j.Key("locked")
	j.Bool(s.Locked(k.Name))
	j.Key("default")
	j.Bool(s.Values.IsDefault(n))
	j.Text("idle", s.Idle(n))
	j.CloseObject()
}
