package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/demo/verdict"
	"openloop/content/tables"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// What the training says: the question, and after the answer what is right in it,
// what led to what, and what tells the answer from the truth.

func (r *hiddenRun) Summary() demo.Sentence {
	if !r.marked {
		return r.question()
	}
	score, _ := r.Score()
	out := demo.Say("", r.head(score)+", "+text.Num(score, 2)+" of 1. ", "It is ", named(r.hidden.lever), r.instead()+". ")
	if !r.fails() {
		out = demo.Say("", r.head(score)+", "+text.Num(score, 2)+" of 1. Nothing", " is broken"+r.instead()+". ")
	}
	out = append(out, r.remedyEffect()...)
	if r.pair {
		out = append(append(out, demo.Say("Dashed: "+r.likeName()+". ")...), append(r.apartText(), demo.Span{Text: " "})...)
	}
	return append(out, demo.Say("There is more under Your answer, marked.")...)
}

// marking is the answer marked, point by point.
func (r *hiddenRun) marking(f demo.Figure) demo.Figure {
	f.Ranking = demo.Ranking{Head: "About", Says: "What there is to say"}
	add := func(label string, says demo.Sentence) {
		if s := says.String(); s != "" {
			f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: label, Says: s})
		}
	}
	is := demo.Say(capital(named(r.hidden.lever)))
	if l := leverOf(r.hidden.lever); l != nil {
		is = append(is, demo.Say(", from "+text.Num(r.plan.from.Seconds(), 4)+" s: "+l.Breaks)...)
	}
	add("What it is", append(is, demo.Say(r.instead()+".")...))
	first, nearest := r.firstText()
	add("What left first", first)
	add("Nearest to the cause", nearest)
	add("What tells", r.apartText())
	add("What to do", r.remedyFeedback())
	f.Alt = text.Whole(len(f.Ranking.Rows)) + " remarks on the answer."
	f.Table = demo.RankTable(f)
	return f
}

// question is what is asked, and what has been answered so far.
func (r *hiddenRun) question() demo.Sentence {
	out := demo.Say(capital(r.base.Says) + ", in good health until " + text.Whole(firstOnset) + " s at least. ")
	if r.at < r.span() {
		out = demo.Say("At " + text.Num(r.at, 4) + " s. " + out.String())
	}
	switch {
	case r.early && r.first != notSaid:
		return append(out, demo.Say("", "Half an answer: nothing is marked yet", ". Say also what is broken.")...)
	case r.early && r.cause != notSaid:
		return append(out, demo.Say("", "Half an answer: nothing is marked yet", ". Say also what left first.")...)
	case r.early:
		return append(out, demo.Say("", "Nothing has been said yet, so nothing is marked", ": say what left first, and what is broken.")...)
	case r.first == notSaid && r.cause == notSaid:
		return append(out, demo.Say("", "What left its usual range first, and what is broken", ", if anything?")...)
	case r.cause == notSaid:
		return append(out, demo.Say("First, you say: "+r.firstName()+". ", "And what is broken?", "")...)
	case r.first == notSaid:
		return append(out, demo.Say("You say: "+r.causeName()+". ", "And what left first?", "")...)
	}
	return append(out, demo.Say("First, you say: "+r.firstName()+"; broken: "+r.causeName()+". Have it ", "marked", ".")...)
}

// firstName and causeName are the answers in words.
func (r *hiddenRun) firstName() string {
	for d := range numDials {
		if w := d.words(); w.id == r.first {
			return w.name
		}
	}
	return "nothing"
}

func (r *hiddenRun) causeName() string { return named(r.cause) }

// named is a lever in words.
func named(lever string) string {
	if lever == noLever {
		return "nothing"
	}
	return verdict.Name(lever)
}

// likeName is what the dashed run is.
func (r *hiddenRun) likeName() string {
	if r.likeLever == noLever {
		return "the cluster in good health"
	}
	return verdict.Name(r.likeLever)
}

// head is how the answer did.
func (r *hiddenRun) head(score float64) string {
	switch {
	case score == 1:
		return "All right"
	case r.right():
		return "The cause is right"
	case score > 0:
		return "Only the first is right"
	case r.cause == notSaid && r.first == notSaid:
		return "Told"
	}
	return "Not this time"
}

// instead is what was said to be broken, as a clause; "" if that is right.
func (r *hiddenRun) instead() string {
	switch {
	case r.right():
		return ""
	case r.cause == notSaid:
		return "; you did not say what is broken"
	}
	return "; you said " + r.causeName()
}

// firstText is what left first and what the answer to that did, and why it did.
func (r *hiddenRun) firstText() (says, why demo.Sentence) {
	first, at := r.firstOut()
	if at < 0 {
		if r.first == nothingLeft {
			return demo.Say("Nothing has left its range, as you said."), nil
		}
		return demo.Say("Nothing has left its range" + r.insteadOf(at) + "."), nil
	}
	var said []string
	for _, d := range first {
		said = append(said, d.words().name)
	}
	says = demo.Say(capital(text.List(said, "and")) + ", at " + text.Num(r.run.windows[at].End, 4) + " s" + r.insteadOf(at) + ".")
	if near := r.nearest(first); near != "" {
		why = demo.Say(capital(near) + ".")
	}
	return says, why
}

// nearest is why one of the dials that left together did: of the load if it is a
// surge, of that which the matrix has first if it is among them, else of the answer if that is, else of the first
// that has a reason; "" if none has.
func (r *hiddenRun) nearest(first []dialID) string {
	e, _ := sim.Signature(r.hidden.lever)
	says, most := "", 0
	for _, d := range first {
		rank := 1
		switch {
		case d == dialOffered && r.hidden.lever == "traffic_surge":
			rank = 4
		case d == dialID(e.First):
			rank = 3
		case d.words().id == r.first:
			rank = 2
		}
		if why := r.reason(d, r.move(&r.run, d, len(r.run.windows)).move); why != "" && rank > most {
			says, most = d.words().name+": "+why, rank
		}
	}
	return says
}

// insteadOf is what became of what was said to be first, as a clause; "" if that
// was right.
func (r *hiddenRun) insteadOf(at int) string {
	switch {
	case r.firstRight():
		return ""
	case r.first == notSaid:
		return "; you did not say"
	case r.first == nothingLeft:
		return "; you said that nothing has"
	}
	for d := range numDials {
		if d.words().id != r.first {
			continue
		}
		m := r.move(&r.run, d, len(r.run.windows))
		if m.first < 0 {
			return "; " + d.words().name + ", which you said, has less than a quarter of its windows out"
		}
		return "; " + d.words().name + ", which you said, left " + text.Count(m.first-at, "window", "windows") + " later"
	}
	return ""
}

// apartText is what tells the truth from what was named, or from what it could be
// taken for.
func (r *hiddenRun) apartText() demo.Sentence {
	if !r.right() && r.cause != notSaid && !r.hidden.possible(r.cause) {
		return demo.Say("A slow link it cannot be: these replicas prefill and decode themselves, and no KV goes over a link.")
	}
	if r.like.windows == nil {
		return nil
	}
	d, here, there := r.furthest()
	w := d.words()
	return demo.Say("Most unlike ", r.likeName(), " is ", w.name, ": "+w.says(here)+" here and "+w.says(there)+" there, on average while it lasts.")
}

// separatorText is the sign that tells the two apart by the rules, and what it did
// in both; "" if there is no other run, or nothing does.
func (r *hiddenRun) separatorText() string {
	if r.like.windows == nil {
		return ""
	}
	says := verdict.Apart(&r.separates, verdictOf(r.hidden.lever), verdictOf(r.likeLever))
	if says == "" {
		return ""
	}
	return "The rules tell it from " + r.likeName() + " by " + says + ". Here: " + verdict.Found(r.separates.Found, r.run.windows) + "; there: " + r.there() + "."
}

// there is what the sign that separates did in the other run.
func (r *hiddenRun) there() string {
	read := diagnose.Read(r.like.windows)
	return verdict.Found(read.Found[r.separates.Sign], r.like.windows)
}

// furthest is the dial in which the two runs differ most while the failure lasts,
// as the share that the difference is of both and of the width of the band.
func (r *hiddenRun) furthest() (at dialID, here, there float64) {
	from, to, most := r.plan.from.Seconds(), r.plan.to.Seconds(), -1.0
	for d := range numDials {
		x, y := r.run.mean(d, from, to), r.like.mean(d, from, to)
		if share := math.Abs(x-y) / (x + y + r.band.Hi[d] - r.band.Lo[d]); d != dialUtilization && share > most {
			at, here, there, most = d, x, y, share
		}
	}
	return at, here, there
}

// remedyLabel is the remedy that was chosen.
func (r *hiddenRun) remedyLabel() string { return remedyNamed(r.remedy).label }

func remedyNamed(id string) (found remedy) {
	for _, x := range remedies() {
		if x.id == id {
			found = x
		}
	}
	return found
}

// remedyFeedback is what the chosen remedy keeps, and which keeps most.
func (r *hiddenRun) remedyFeedback() demo.Sentence {
	if !r.fails() {
		if r.remedy == "none" {
			return demo.Say("Nothing had to be done.")
		}
		return demo.Say("Nothing had to be done, and what is done for nothing is work and a risk.")
	}
	out := r.remedyEffect()
	best, keeps, bare := bestRemedy(r.hidden.lever)
	if keeps-bare < littleGain {
		if r.mended.windows == nil || !r.littleChange() {
			out = append(out, demo.Say(hardly)...)
		}
		return append(out, demo.Say("So the cause is mended for its own sake: "+mendsOr(r.hidden.lever)+".")...)
	}
	return append(out, demo.Say("On the cluster of the matrix the best of "+text.Whole(len(remedies())-1)+" remedies: ", best, ", with "+text.Percent(keeps, 2)+" answered in time instead of "+text.Percent(bare, 2)+".")...)
}

// remedyEffect is the goodput with the reader's remedy, and without it.
func (r *hiddenRun) remedyEffect() demo.Sentence {
	if r.mended.windows == nil {
		return nil
	}
	with, without := r.fromOnset(&r.mended), r.fromOnset(&r.run)
	w := dialGoodput.words()
	what := "is " + w.says(with) + " instead of " + w.says(without)
	if w.says(with) == w.says(without) {
		what = "stays " + w.says(with)
	}
	out := demo.Say("Your remedy, ", r.remedyLabel(), ": goodput from the onset on "+what+". ")
	if _, keeps, bare := bestRemedy(r.hidden.lever); r.fails() && keeps-bare < littleGain && r.littleChange() {
		out = append(out, demo.Say(hardly)...)
	}
	return out
}

// hardly is why no remedy changes the goodput of some failures.
const hardly = "Goodput hardly suffers under this failure. "

// littleChange says whether the reader's remedy leaves the goodput as it was.
func (r *hiddenRun) littleChange() bool {
	without := r.fromOnset(&r.run)
	return math.Abs(r.fromOnset(&r.mended)-without) <= littleGain*without
}

// littleGain is the share of the goodput that is not worth a remedy.
const littleGain = 0.02

// mendsOr is what mending is, or that it cannot be done here.
func mendsOr(lever string) string {
	if says := mends(lever); says != "" {
		return says
	}
	return "it is with the users"
}

// bestRemedy is what keeps most of the goodput, in the table that content/tables
// has, what it keeps and what nothing does.
func bestRemedy(lever string) (label string, keeps, bare float64) {
	all := remedies()
	for _, row := range tables.RemedyRows() {
		if row.Lever != lever {
			continue
		}
		for i, k := range row.Kept {
			if i == 0 {
				bare = k
			}
			if k > keeps {
				label, keeps = all[i].label, k
			}
		}
	}
	return label, keeps, bare
}

// Events are those of the run, once it is marked.
func (r *hiddenRun) Events() []demo.Event {
	if !r.marked {
		return nil
	}
	return r.eightRun.Events()
}
