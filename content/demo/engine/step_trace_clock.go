package engine

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
)

// The clock of the tiny engine: what was decided up to a time, the rest blank.

// Clock is that of demo.Timed; a step of it is a step of the engine.
func (r *stepRun) Clock() demo.Clock {
	return demo.Clock{To: milliseconds(r.res.EndAt), Step: milliseconds(tinyStep), Unit: "ms"}
}

// Seek is that of demo.Timed. A step is seen as soon as it has begun, for by
// then the scheduler has decided it.
func (r *stepRun) Seek(at float64) {
	r.at, r.begun = at, 0
	r.Stand(sim.Nanos(at * float64(sim.Millisecond)))
	for _, s := range r.res.Steps {
		if milliseconds(s.Start) <= at {
			r.begun++
		}
	}
}

// hidden blanks the cells of steps that have not begun.
func (r *stepRun) hidden(cells []demo.StripCell) []demo.StripCell {
	for i := r.begun; i < len(cells); i++ {
		cells[i] = demo.StripCell{Text: "\u00a0"}
	}
	return cells
}

// when begins a sentence about less than the whole run.
func (r *stepRun) when() string {
	if r.at == r.Clock().To {
		return ""
	}
	return "At " + r.Clock().Says(r.at) + ", after " + text.Whole(r.begun) + " of "
}

// soFar is what has become of each request.
func (r *stepRun) soFar() demo.Sentence {
	out := demo.Say("At "+r.Clock().Says(r.at)+", ", text.Whole(r.begun)+" of "+text.Count(len(r.res.Steps), "step", "steps"), " "+text.Verb(r.begun, "has", "have")+" begun.")
	for i, spec := range r.scene.specs {
		if milliseconds(r.res.SentAt[i]) > r.at {
			continue
		}
		out = append(out, demo.Say(" ", letter(i), ": "+text.Whole(int(r.answered(i)))+" of "+text.Count(int(spec.Output), "token", "tokens"))...)
		if r.waits(i) {
			out = append(out, demo.Say(", in the queue")...)
		}
		out = append(out, demo.Say(".")...)
	}
	return out
}

// answered is how many tokens of its answer request i has: the step that
// completes its prompt gives the first.
func (r *stepRun) answered(i int) (n int32) {
	for _, s := range r.res.Steps[:r.begun] {
		if p, ok := given(s, i); ok && milliseconds(s.End) <= r.at {
			n = max(n, p.From+p.Tokens-r.scene.specs[i].Prompt+1)
		}
	}
	return n
}

// waits says whether request i is in the queue.
func (r *stepRun) waits(i int) bool {
	now := r.cells(i, r.res.Steps[:r.begun])[r.begun-1].Text
	return now == "wait" || now == "back"
}
