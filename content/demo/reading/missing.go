package reading

import (
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// What the text does not hold: named, with the reason and where to get it. What
// would have counted for the verdict comes first.

// lack is one thing that is missing.
type lack struct {
	id     scrape.ID
	name   string
	before bool // it is there now; what it was before is not
	counts bool // the rules would have used it
}

// always are looked for beside the signals.
var always = [...]scrape.ID{scrape.OfferedRate, scrape.CompletedRate, scrape.PromptMean, scrape.OutputMean, scrape.ShedRate, scrape.RetryRate, scrape.GPUUtil, scrape.Imbalance}

func (t *task) lacks() (out []lack) {
	add := func(l lack) {
		if !slices.ContainsFunc(out, func(o lack) bool { return o.id == l.id }) {
			out = append(out, l)
		}
	}
	for _, s := range t.found.Missing {
		id, ok := quantityOf(s, t.read)
		before := ok && t.read.Now[id].Known
		if !ok || before && t.found.Since == diagnose.WithNothing {
			continue // the sentence says that there is nothing to compare with
		}
		add(lack{id: id, name: nameOf(id), before: before, counts: true})
	}
	for _, id := range t.read.Missing() {
		add(lack{id: id, name: nameOf(id)})
	}
	for _, id := range always {
		if !t.read.Now[id].Known {
			add(lack{id: id, name: nameOf(id)})
		}
	}
	return out
}

func nameOf(id scrape.ID) string {
	if id < scrape.ID(sim.NumSignals) {
		return upper(sim.SignalID(id).Describe().Name)
	}
	return names[id]
}

// quantityOf is what a sign of the rules would have been read from; of those
// that are computed from two, the one that is missing.
func quantityOf(s diagnose.Sign, r *scrape.Reading) (scrape.ID, bool) {
	if id, ok := s.Signal(); ok {
		return scrape.ID(id), true
	}
	if id, ok := s.Strip(); ok {
		return scrape.OfStrip(id)
	}
	pick := func(ids ...scrape.ID) (scrape.ID, bool) {
		for _, id := range ids {
			if !r.Now[id].Known {
				return id, true
			}
		}
		return ids[0], true
	}
	switch s {
	case diagnose.FirstAttempts, diagnose.Backlog, diagnose.RampUp, diagnose.FallsBehind:
		return pick(scrape.OfferedRate)
	case diagnose.RetryShare:
		return pick(scrape.RetryRate)
	case diagnose.MeanGap, diagnose.Stalled:
		return pick(scrape.GenerationRate)
	case diagnose.PerPrompt:
		return pick(scrape.GenerationRate, scrape.PromptRate)
	case diagnose.WornOff, diagnose.GapsFirst, diagnose.GapsAlike, diagnose.GapsLead, diagnose.GapsAlone, diagnose.GapsStay, diagnose.GapsAreWaits:
		return pick(scrape.ITL)
	case diagnose.KVPerRequest, diagnose.KVFull, diagnose.HoldsMore, diagnose.LeaksAway:
		return pick(scrape.KV)
	case diagnose.ITLApart, diagnose.ITLLeast, diagnose.AllSlow, diagnose.ShareApart, diagnose.ReplicasDown, diagnose.DecodeWaiting, diagnose.DecodeKV, diagnose.DecodeRoom, diagnose.SlowFavored, diagnose.SlowSpared, diagnose.Rolling, diagnose.SlowReplica, diagnose.FavoredOne, diagnose.PoolsApart:
		return pick(scrape.Imbalance)
	case diagnose.Preempting:
		return pick(scrape.Preempts, scrape.CompletedRate)
	case diagnose.QueueLong, diagnose.Hurts:
		return pick(scrape.Queue)
	case diagnose.HitAlone, diagnose.LossFirst:
		return pick(scrape.Hit, scrape.Preempts)
	case diagnose.DraftWasted:
		return pick(scrape.Accepted)
	case diagnose.DecodeStarved:
		return pick(scrape.GenerationRate, scrape.PromptRate)
	}
	return 0, false
}

func (t *task) missingFigure() demo.Figure {
	f := demo.Figure{ID: "missing", Title: "What is missing, and how to get it", Kind: demo.Ranks}
	if t.wrong != "" {
		return f.Empty("There is nothing to show.")
	}
	lacks := t.lacks()
	if len(lacks) == 0 {
		return f.Empty("Nothing of what is looked at is missing.")
	}
	f.Ranking = demo.Ranking{Head: "Missing", Says: "Why, and how to get it"}
	for _, l := range lacks {
		row := demo.Rank{Label: l.name, Strong: l.counts, Says: t.why(l) + " " + get(l.id, t.read)}
		if l.counts {
			row.Note = "would have counted"
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Alt = text.Whole(len(lacks)) + " numbers are missing."
	f.Table = demo.RankTable(f)
	return f
}

// why a number is missing, as a sentence.
func (t *task) why(l lack) string {
	switch {
	case l.id == scrape.Imbalance && len(t.read.Replicas) < 2:
		return "The text shows one replica."
	case l.before:
		return "It is known now, but not what it was while all was well."
	}
	v := t.read.Now[l.id]
	out := upper(v.Why.String()) + "."
	if v.From != "" && (v.Why == scrape.NotExposed || v.Why == scrape.Misleading || v.Why == scrape.TurnedOff || v.Why == scrape.NotInBoth) {
		out = name(v.From) + ": " + v.Why.String() + "."
	}
	return out
}

// lackNames is what is missing of the signals, for a sentence.
func (t *task) lackNames() (out []string) {
	for _, id := range t.read.Missing() {
		out = append(out, sim.SignalID(id).Describe().Name)
	}
	return out
}
