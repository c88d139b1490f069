package draw

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Frame is a finished run as the browser needs it: a JSON document with
// everything that is text, and one array of numbers with everything that is
// curves.
//
// In the document each series has an offset and a length n into the array:
// there stand n values of X, n of Y and, if interval is true, n of Lo and n of
// Hi. A mark that can be dragged has the name of its knob, and an offset and a
// length too: there stands the knob's value at each position of its slider. An
// axis whose min and max are both 0 takes its range from the data. A
// figure has html unless it is a chart; table is the text of every figure; one
// that is away has nothing to show now and is left out.
// A run with a clock has clock: from, to, step and at in its unit, at in words,
// and whether it has an engine room.
// A run whose answer is marked (demo.Scored) has round: the state that was asked,
// the score, and the link of the answer with the engine that marked it.
// Strings under names that end in html, Html or HTML, and table, are markup;
// all others are plain text.
func Frame(s demo.State, t demo.Task) (doc []byte, nums []float64) {
	return frame(s, t, "")
}

// SeedsFrame is Frame for the task of demo.Spread, with the whole panel as
// html.
func SeedsFrame(s demo.State, t demo.Task) (doc []byte, nums []float64) {
	return frame(s, t, Seeds(t))
}

func frame(s demo.State, t demo.Task, panel string) (doc []byte, nums []float64) {
	figures := t.Figures()
	var j text.JSON
	j.OpenObject()
	j.Text("state", s.String())
	summary := t.Summary()
	j.Text("say", Sentence(summary))
	j.Text("sayText", summary.String())
	if panel == "" {
		problems := s.CheckHide(figures)
		timed, ok := t.(demo.Timed)
		if ok {
			if p := demo.Misplaced(s, timed); p != nil {
				problems = append(problems, *p)
			}
			writeClock(&j, s, timed)
		}
		j.Key("problems")
		Problems(&j, problems)
	} else {
		j.Key("problems")
		Problems(&j, nil) // hide names the figures of the run, not these
		j.Text("html", panel)
	}
	if panel == "" {
		writeRound(&j, s, t)
	}
	writeMetrics(&j, t.Metrics())
	var x demo.Axis
	if len(figures) > 0 {
		x = figures[0].X
	}
	writeEvents(&j, t.Events(), x)
	j.Key("figures")
	j.OpenArray()
	for _, f := range figures {
		nums = writeFigure(&j, s, f, nums)
	}
	j.CloseArray()
	j.CloseObject()
	return j.Bytes(), nums
}

// writeClock writes the clock of a run, and where it stands.
func writeClock(j *text.JSON, s demo.State, t demo.Timed) {
	c := t.Clock()
	at := c.To
	if s.HasAt && c.Holds(s.At) {
		at = s.At
	}
	j.Key("clock")
	j.OpenObject()
	for _, n := range []struct {
		name  string
		value float64
	}{{"from", c.From}, {"to", c.To}, {"step", c.Step}, {"at", at}} {
		j.Key(n.name)
		j.Number(n.value)
	}
	j.Text("says", c.Says(at))
	_, scenic := t.(demo.Scenic)
	j.Key("scenic")
	j.Bool(scenic)
	j.CloseObject()
}

// writeRound writes what an answer is worth, once it is marked.
func writeRound(j *text.JSON, s demo.State, t demo.Task) {
	scored, ok := t.(demo.Scored)
	if !ok {
		return
	}
	score, marked := scored.Score()
	if !marked {
		return
	}
	j.Key("round")
	j.OpenObject()
	j.Text("asked", s.Round().String())
	j.Key("score")
	j.Number(score)
	s.Engine = demo.EngineVersion
	j.Text("link", s.String())
	j.CloseObject()
}

// Problems writes an array of {key, text}; the text is plain.
func Problems(j *text.JSON, problems []text.Problem) {
	j.OpenArray()
	for _, p := range problems {
		j.OpenObject()
		j.Text("key", p.Key)
		j.Text("text", p.Error())
		j.CloseObject()
	}
	j.CloseArray()
}

func writeMetrics(j *text.JSON, metrics []demo.Metric) {
	j.Key("metrics")
	j.OpenArray()
	for _, m := range metrics {
		j.OpenObject()
		j.Text("name", m.Name)
		j.Text("label", m.Label)
		j.Text("unit", m.Unit)
		j.Key("value")
		j.Number(m.Value)
		j.Text("text", text.WithUnit(text.Num(m.Value, m.Digits), m.Unit))
		j.CloseObject()
	}
	j.CloseArray()
}

func writeEvents(j *text.JSON, events []demo.Event, x demo.Axis) {
	j.Key("events")
	j.OpenArray()
	for _, e := range events {
		j.OpenObject()
		if !math.IsNaN(e.At) {
			j.Key("at")
			j.Number(e.At)
		}
		j.Text("html", event(e, x))
		j.CloseObject()
	}
	j.CloseArray()
}

func writeFigure(j *text.JSON, s demo.State, f demo.Figure, nums []float64) []float64 {
	j.OpenObject()
	j.Text("id", f.ID)
	j.Text("title", f.Title)
	j.Text("alt", f.Alt)
	switch f.Kind {
	case demo.Bits:
		j.Text("kind", "bits")
		j.Text("html", Bits(f))
	case demo.Strips:
		j.Text("kind", "strips")
		j.Text("html", Strips(f))
	case demo.Steps:
		j.Text("kind", "steps")
		j.Text("html", Steps(f))
	case demo.Ranks:
		j.Text("kind", "ranks")
		j.Text("html", Ranks(f))
	case demo.Traces:
		j.Text("kind", "traces")
		j.Text("html", Traces(f))
	default:
		j.Text("kind", "chart")
		nums = writeChart(j, s, f, nums)
	}
	j.Key("notes")
	j.Strings(f.Notes)
	j.Text("notesHTML", Notes(f.Notes, f.Pages))
	j.Key("away")
	j.Bool(f.Away)
	j.Text("table", Table(f.Table))
	j.CloseObject()
	return nums
}

func writeChart(j *text.JSON, state demo.State, f demo.Figure, nums []float64) []float64 {
	writeAxis(j, "x", f.X)
	writeAxis(j, "y", f.Y)
	j.Key("series")
	j.OpenArray()
	for _, s := range f.Series {
		interval := s.Lo != nil
		j.OpenObject()
		j.Text("id", s.ID)
		j.Text("name", s.Name)
		j.Key("off")
		j.Int(int64(len(nums)))
		j.Key("n")
		j.Int(int64(len(s.X)))
		j.Key("interval")
		j.Bool(interval)
		j.CloseObject()
		nums = append(append(nums, s.X...), s.Y[:len(s.X)]...)
		if interval {
			nums = append(append(nums, s.Lo[:len(s.X)]...), s.Hi[:len(s.X)]...)
		}
	}
	j.CloseArray()
	j.Key("bands")
	j.OpenArray()
	for _, b := range f.Bands {
		j.OpenObject()
		j.Key("from")
		j.Number(b.From)
		j.Key("to")
		j.Number(b.To)
		j.Text("label", b.Label)
		j.CloseObject()
	}
	j.CloseArray()
	j.Key("marks")
	j.OpenArray()
	for _, m := range f.Marks {
		j.OpenObject()
		j.Key("at")
		j.Number(m.At)
		j.Key("level")
		j.Bool(m.Level)
		j.Text("label", m.Label)
		nums = writeHandle(j, state, m, nums)
		j.CloseObject()
	}
	j.CloseArray()
	return nums
}

// writeHandle adds what is needed to drag a mark, if it can be dragged now.
func writeHandle(j *text.JSON, s demo.State, m demo.Mark, nums []float64) []float64 {
	i := s.Demo.Index(m.Knob)
	if i < 0 || m.Level || s.Locked(m.Knob) {
		return nums
	}
	k := s.Demo.Knobs[i]
	j.Text("knob", m.Knob)
	j.Key("off")
	j.Int(int64(len(nums)))
	j.Key("n")
	j.Int(int64(demo.Positions(k) + 1))
	for pos := range demo.Positions(k) + 1 {
		x, _ := demo.ValueAt(k, pos)
		nums = append(nums, x)
	}
	return nums
}

func writeAxis(j *text.JSON, name string, a demo.Axis) {
	j.Key(name)
	j.OpenObject()
	j.Key("min")
	j.Number(a.Min)
	j.Key("max")
	j.Number(a.Max)
	j.Text("label", a.Label)
	j.Text("unit", a.Unit)
	if a.Names != nil {
		j.Key("names")
		j.Strings(a.Names)
	}
	j.CloseObject()
}
