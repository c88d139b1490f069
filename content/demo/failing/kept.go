package failing

import (
	"errors"

	"openloop/sim"
)

// What remedies keep, for the table of the guide: content/tables has it, and its
// test makes it with what is here.

// RemedyChoice is a remedy by its id in links and its label.
type RemedyChoice struct{ ID, Label string }

// Remedies are all of them; the first is none.
func Remedies() (out []RemedyChoice) {
	for _, r := range remedies() {
		out = append(out, RemedyChoice{r.id, r.label})
	}
	return out
}

// Kept is the goodput under a lever with a remedy, from when it is pulled to the
// end of the run, over the first attempts that came in that time. The lever is
// pulled as the matrix has it.
func Kept(lever, remedy string, seed uint32) (float64, error) {
	l := leverOf(lever)
	if l == nil {
		return 0, errors.New("no lever is called " + lever)
	}
	p := plan{levers: [2]string{lever, noLever}, strengths: [2]float64{1, 1}, from: l.Start, to: l.End, remedy: remedy, seed: seed}
	b := BaseFor(lever)
	s, err := p.scenario(b)
	if err != nil {
		return 0, err
	}
	x, err := s.New(uint64(seed))
	if err != nil {
		return 0, err
	}
	x.Run()
	w := watchRun(x.Results(), s, b.SLO, b.Clock)
	from, to := l.Start.Seconds(), sim.HealthySpan.Seconds()
	return w.mean(dialGoodput, from, to) / (w.mean(dialOffered, from, to) - w.mean(dialRetries, from, to)), nil
}
