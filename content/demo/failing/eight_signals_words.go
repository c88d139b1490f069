package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/demo/verdict"
	"openloop/sim"
)

// What happened, in words: the summary and the log of events.

func (r *eightRun) Summary() demo.Sentence {
	var out demo.Sentence
	if r.at < r.span() {
		out = demo.Say("At " + text.Num(r.at, 4) + " s: ")
	}
	if !r.fails() {
		read := r.reading()
		return append(append(out, demo.Say("Nothing is broken: GPUs busy "+r.percent(0)+", goodput ", r.words(dialGoodput, 0), " of "+r.words(dialOffered, 0)+" offered. ")...), verdict.Says(&read)...)
	}
	from := text.Num(r.plan.from.Seconds(), 4)
	out = append(out, demo.Say(capital(r.failureText())+", from "+from+" s. ")...)
	if r.at <= r.plan.from.Seconds() {
		return append(out, demo.Say("It has not begun.")...)
	}
	if first, at := r.firstMovers(&r.run, r.now()); at >= 0 {
		out = append(out, demo.Say("First to leave its band: ", names(first), " ("+text.Num(r.run.windows[at].End, 4)+" s). ")...)
	} else {
		out = append(out, demo.Say("No signal has left its band. ")...)
	}
	out = append(out, r.goodputs()...)
	out = append(out, r.remedyText()...)
	read := r.reading()
	return append(out, verdict.Says(&read)...)
}

// percent is GPU utilization in a phase.
func (r *eightRun) percent(phase int) string {
	return text.Percent(r.phase(&r.run, dialUtilization, phase), 3)
}

func (r *eightRun) goodputs() demo.Sentence {
	out := demo.Say("Goodput ", r.rate(&r.run, 0)+" before, "+r.rate(&r.run, 1)+" during", "")
	if r.phases()[2][1] > r.phases()[2][0] && r.at > r.phases()[2][0] {
		out = append(out, demo.Say(", ", r.rate(&r.run, 2)+" after", "")...)
	}
	return append(out, demo.Say("; GPUs busy "+r.percent(0)+" and "+r.percent(1)+". ")...)
}

// rate is the goodput of a run in a phase.
func (r *eightRun) rate(w *watched, phase int) string {
	x := r.phase(w, dialGoodput, phase)
	if math.IsNaN(x) {
		return "not known"
	}
	return text.Num(x, 3) + "/s"
}

func (r *eightRun) remedyText() demo.Sentence {
	if r.plan.remedy == "none" {
		return nil
	}
	does := capital(r.remedyDoes())
	if !r.changes() {
		return demo.Say(does + ": that changes nothing here. ")
	}
	return demo.Say(does + "; without that it would be " + r.rate(&r.bare, 1) + " during and " + r.rate(&r.bare, 2) + " after. ")
}

// remedyDoes is what the remedy is, as a clause.
func (r *eightRun) remedyDoes() string {
	for _, x := range remedies() {
		if x.id != r.plan.remedy {
			continue
		}
		if x.id != "mend" {
			return x.says
		}
		var out []string
		for _, id := range r.plan.levers {
			if says := mends(id); says != "" {
				out = append(out, says)
			}
		}
		if len(out) == 0 {
			return "nothing of ours is broken, so nothing can be mended"
		}
		return text.List(out, "and") + " from " + text.Num((r.plan.from+mendAfter).Seconds(), 4) + " s on"
	}
	return ""
}

// capital begins a sentence.
func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

func (r *eightRun) Events() []demo.Event {
	var out []demo.Event
	at := func(s float64, says demo.Sentence) {
		if s <= r.at {
			out = append(out, demo.Event{At: s, Says: says})
		}
	}
	at(20, demo.Say("The batch has filled: "+r.base.Says+"."))
	if !r.fails() {
		return out
	}
	from, to := r.plan.from.Seconds(), r.plan.to.Seconds()
	for i, id := range r.plan.levers {
		if l := leverOf(id); l != nil {
			at(from, demo.Say("", l.Name, ": "+l.Breaks+" ("+pulledText(l, intensity(l, r.plan.strengths[i]))+")."))
		}
	}
	hand := false
	for _, x := range remedies() {
		hand = hand || x.id == r.plan.remedy && x.hand
	}
	switch {
	case r.plan.remedy != "none" && hand:
		out = r.inOrder(out, from, (r.plan.from + mendAfter).Seconds())
		at((r.plan.from + mendAfter).Seconds(), demo.Say("Remedy: "+r.remedyDoes()+"."))
		out = r.inOrder(out, (r.plan.from + mendAfter).Seconds(), to)
	case r.plan.remedy != "none":
		out = append([]demo.Event{{At: 0, Says: demo.Say("Remedy, from the start: " + r.remedyDoes() + ".")}}, out...)
		fallthrough
	default:
		out = r.inOrder(out, from, to)
	}
	if to < r.span() {
		at(to, demo.Say("The failure ends."))
		out = r.returns(out)
	}
	return out
}

// inOrder adds what left its band in windows that end in (from, to], in order.
func (r *eightRun) inOrder(out []demo.Event, from, to float64) []demo.Event {
	ids, in := r.movers()
	for k, w := range r.run.windows[:r.now()] {
		if w.End <= from || w.End > to {
			continue
		}
		for i, id := range ids {
			if in[i] == k {
				out = append(out, demo.Event{At: w.End, Says: r.left(id, k)})
			}
		}
		if k == r.dips() {
			out = append(out, demo.Event{At: w.End, Says: demo.Say("", "Goodput", " falls below what is usual: "+dialGoodput.words().says(r.run.dials[dialGoodput][k])+".")})
		}
	}
	return out
}

// dips is the window in which goodput left its band downward; -1 if it did not.
func (r *eightRun) dips() int {
	if m := r.move(&r.run, dialGoodput, r.now()); m.move == sim.Down {
		return m.first
	}
	return -1
}

// left says that a signal left, how far and why.
func (r *eightRun) left(id sim.SignalID, k int) demo.Sentence {
	d := dialID(id)
	w, m := d.words(), r.move(&r.run, d, r.now())
	out := demo.Say("", capital(w.name)+" goes "+goes(m.move), ": "+w.says(r.run.dials[d][k])+", usual "+text.Num(r.band.Lo[d], w.digits)+" to "+text.Num(r.band.Hi[d], w.digits)+".")
	expected := false
	for _, lever := range r.plan.levers {
		e, _ := sim.Signature(lever)
		if says := why(lever, id); says != "" && e.Moves[id] == m.move {
			out = append(out, demo.Say(" "+capital(says)+".")...)
			expected = true
		}
	}
	if !expected {
		out = append(out, demo.Say(" The matrix has no such move for it.")...)
	}
	return out
}

// returns adds which signals that had left are back in their bands, and when
// for good; and which are not.
func (r *eightRun) returns(out []demo.Event) []demo.Event {
	if r.at < r.span() {
		return out // who is back for good is known at the end
	}
	ids, _ := r.movers()
	to := r.run.upTo(r.plan.to.Seconds())
	var away []sim.SignalID
	back := make([][]sim.SignalID, len(r.run.windows)+1)
	for _, id := range ids {
		last := to - 1
		for k := to; k < len(r.run.windows); k++ {
			if y := r.run.dials[id][k]; y > r.band.Hi[id] || y < r.band.Lo[id] {
				last = k
			}
		}
		if last == len(r.run.windows)-1 {
			away = append(away, id)
			continue
		}
		back[last+1] = append(back[last+1], id)
	}
	for k, ids := range back {
		if len(ids) > 0 {
			out = append(out, demo.Event{At: r.run.windows[k].End, Says: demo.Say("Back for good: " + names(ids) + ".")})
		}
	}
	if len(away) > 0 {
		out = append(out, demo.Event{At: r.span(), Says: demo.Say("Still away at the end: ", names(away), ".")})
	}
	return out
}
