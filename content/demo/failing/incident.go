package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/room"
	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/sim"
)

// An incident is a base on which one lever is pulled, or two, and a remedy that
// may be in place. The same without the remedy is run beside it.

// plan is what an incident is to be.
type plan struct {
	levers    [2]string // ids, or noLever
	strengths [2]float64
	from, to  sim.Nanos
	remedy    string
	seed      uint32
	base      string // id of a base; "" is that of the levers
}

// bare is the plan without its remedy.
func (p plan) bare() plan {
	p.remedy = "none"
	return p
}

// pulls are the levers as they are pulled on a base, with their intensities.
func (p plan) pulls() (out []sim.Pull) {
	for i, id := range p.levers {
		if l := leverOf(id); l != nil {
			out = append(out, sim.Pull{Lever: id, Span: sim.Span{From: p.from, To: p.to}, Intensity: intensity(l, p.strengths[i])})
		}
	}
	return out
}

// scenario is the cluster with everything that is done to it.
func (p plan) scenario(b Base) (sim.Scenario, error) {
	s, pulls := b.Scenario, p.pulls()
	for _, r := range remedies() {
		if r.id == p.remedy {
			pulls = r.apply(&s, pulls, p.from)
		}
	}
	return s.Pulled(pulls...)
}

// watched is a run as a dashboard has it.
type watched struct {
	windows []sim.Window
	dials   [][]float64
}

// watchRun reads a finished run.
func watchRun(r *sim.Results, s sim.Scenario, slo sim.SLO, c sim.Clock) watched {
	w := sim.NewWindows(r, sim.SeriesOptions{KVBlocks: s.Config.Engine.KVBlocks, SLO: slo, Clock: c})
	return watched{w, Dials(w)}
}

// upTo is how many windows have ended at a time.
func (w *watched) upTo(at float64) int {
	n := 0
	for n < len(w.windows) && w.windows[n].End <= at {
		n++
	}
	return n
}

// mean of a dial over the windows that end in (from, to]; NaN of none.
func (w *watched) mean(d dialID, from, to float64) float64 {
	sum, n := 0.0, 0
	for k, x := range w.windows {
		if y := w.dials[d][k]; x.End > from && x.End <= to && !math.IsNaN(y) {
			sum, n = sum+y, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// incident is a run of a plan.
type incident struct {
	replica.Queue
	*room.Replay
	plan plan
	base Base
	band *tables.HealthyBand
	bare watched // without the remedy
	run  watched // the same if there is none
	at   float64 // s: the time at which it stands
	seen []seenRun

	whenRun func() // nil, or what is to be done once the bare run is there
}

// seenRun is a run that was watched before: a preset that is pressed again, or a
// remedy, shows what is there.
type seenRun struct {
	plan plan
	run  watched
}

const keptRuns = 8 // the latest of them; some 50 KB each

// keep adds a run, to a list of its own.
func (x *incident) keep(p plan, w watched) {
	n := len(x.seen)
	x.seen = append(x.seen[max(0, n-keptRuns+1):n:n], seenRun{p, w})
}

// begin starts the runs of a plan, but for those that a finished incident has seen.
func (x *incident) begin(p plan, like *incident) error {
	x.plan = p
	if like != nil {
		x.seen = like.seen
	}
	x.base = BaseFor(p.levers[:]...)
	if p.base != "" {
		x.base = baseOf(p.base)
	}
	x.band = bandsOf(x.base.ID)
	x.at = x.span()
	bare, err := p.bare().scenario(x.base)
	if err != nil {
		return err
	}
	remedied, err := p.scenario(x.base)
	if err != nil {
		return err
	}
	x.Replay = replayOf(remedied, p.seed)
	run := func(p plan, s sim.Scenario, to *watched) {
		for _, r := range x.seen {
			if r.plan == p {
				*to = r.run
				return
			}
		}
		x.Add(replica.Job{Config: s.Config, Load: s.Workload, Seed: uint64(p.seed), Done: func(r *sim.Results) {
			*to = watchRun(r, s, x.base.SLO, x.base.Clock)
			x.keep(p, *to)
			if x.plan.remedy == "none" {
				x.run = x.bare
			}
			if x.whenRun != nil {
				x.whenRun()
			}
		}})
	}
	run(p.bare(), bare, &x.bare)
	if p.remedy == "none" {
		x.run = x.bare
	} else {
		run(p, remedied, &x.run)
	}
	return nil
}

// replayOf is the engine room of a scenario, which must be legal.
func replayOf(s sim.Scenario, seed uint32) *room.Replay {
	return room.New(s.Config, func() sim.Source {
		source, err := sim.NewSource(s.Workload, uint64(seed))
		if err != nil {
			panic("demo: " + err.Error())
		}
		return source
	}, uint64(seed))
}

// span is how long it is watched, in seconds.
func (x *incident) span() float64 { return x.base.Scenario.Config.Horizon.Seconds() }

// Clock is that of demo.Timed: a window is a step.
func (x *incident) Clock() demo.Clock {
	return demo.Clock{To: x.span(), Step: x.base.Scenario.Config.SampleEvery.Seconds(), Unit: "s"}
}

// Seek is that of demo.Timed.
func (x *incident) Seek(at float64) {
	x.at = at
	x.Stand(sim.Seconds(at))
}

// showAsked marks in a figure over the time of a run when the request that was
// asked about in its engine room was sent and when it ended.
func showAsked(f *demo.Figure, r *room.Replay) {
	name, from, to, ok := r.Asked()
	if !ok {
		return
	}
	f.Marks = append(f.Marks, demo.Mark{At: from}, demo.Mark{At: to})
	says := "Dotted lines: request " + name + " of the engine room, sent at " + text.Num(from, 4) + " s and "
	if to < r.Frame().At {
		says += "ended at " + text.Num(to, 4) + " s."
	} else {
		says += "still there at " + text.Num(to, 4) + " s."
	}
	f.Notes = append(f.Notes, says)
}

// now is how many windows are known.
func (x *incident) now() int { return x.run.upTo(x.at) }

// fails says whether any lever is pulled.
func (x *incident) fails() bool { return x.plan.levers[0] != noLever || x.plan.levers[1] != noLever }

// move is where a dial of a run went while the levers were pulled, as far as
// windows are known.
func (x *incident) move(w *watched, d dialID, windows int) moved {
	if !x.fails() {
		return moved{first: -1, most: math.NaN()}
	}
	from, to := w.upTo(x.plan.from.Seconds()), min(windows, w.upTo(x.plan.to.Seconds()))
	return watch(w.dials[d], x.band.Lo[d], x.band.Hi[d], from, to)
}

// firstMovers are the signals that left in the earliest window, and that window;
// none if none did.
func (x *incident) firstMovers(w *watched, windows int) (first []sim.SignalID, at int) {
	at = -1
	for id := range sim.NumSignals {
		m := x.move(w, dialID(id), windows)
		switch {
		case m.first < 0:
		case at < 0 || m.first < at:
			first, at = []sim.SignalID{id}, m.first
		case m.first == at:
			first = append(first, id)
		}
	}
	return first, at
}

// changes says whether the remedy changes anything that is shown.
func (x *incident) changes() bool {
	for d := range x.run.dials {
		for k, y := range x.run.dials[d] {
			if z := x.bare.dials[d][k]; y != z && !(math.IsNaN(y) && math.IsNaN(z)) {
				return true
			}
		}
	}
	return false
}

// recordsOf are all windows of runs, one run after the other.
func recordsOf(names []string, runs []*watched) demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "run"}, {Name: "from", Unit: "s"}, {Name: "to", Unit: "s"}}}
	for d := range numDials {
		w := d.words()
		t.Columns = append(t.Columns, demo.Column{Name: w.id, Unit: w.unit, Digits: 6})
	}
	for i, r := range runs {
		for k, w := range r.windows {
			row := []demo.Cell{demo.W(names[i]), demo.N(w.Start), demo.N(w.End)}
			for d := range numDials {
				row = append(row, demo.N(r.dials[d][k]))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
