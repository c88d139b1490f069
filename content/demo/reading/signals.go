package reading

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/scrape"
)

// The tables of what was read: the eight signals, what stands beside them.

// columns are those of both tables.
func (t *task) columns() []demo.RankColumn {
	before := "Before"
	if t.read.Source == scrape.LogLines {
		before = "First line"
	}
	return []demo.RankColumn{{Name: before}, {Name: "Now"}}
}

// row is one quantity.
func (t *task) row(id scrape.ID, label string) demo.Rank {
	now, before := t.read.Now[id], t.read.First[id]
	row := demo.Rank{Label: label, Cells: []demo.RankCell{{Text: cell(id, before, t.read.First[scrape.Preemptions])}, {Text: cell(id, now, t.read.Now[scrape.Preemptions])}}}
	if len(t.read.Came)+len(t.read.Left) > 0 && before.Known && now.Known && (id == scrape.Queue || id == scrape.Running || id == scrape.Swapped) {
		row.Cells[0].Text += of(t.read.First[scrape.Replicas])
		row.Cells[1].Text += of(t.read.Now[scrape.Replicas])
	}
	if now.Known {
		row.Says = about(now, t.read.Source == scrape.LogLines)
	} else {
		row.Says = now.Why.String()
	}
	return row
}

// of says over how many replicas a sum is, where that changes.
func of(n scrape.Value) string {
	return " (" + text.Count(int(n.Value), "replica", "replicas") + ")"
}

func (t *task) signalsFigure() demo.Figure {
	f := demo.Figure{ID: "signals", Title: "The eight signals", Kind: demo.Ranks}
	if t.wrong != "" {
		return f.Empty("There is nothing to show.")
	}
	f.Ranking = demo.Ranking{Head: "Signal", Says: "From", Columns: t.columns()}
	for id := range sim.NumSignals {
		row := t.row(scrape.ID(id), nameOf(scrape.ID(id)))
		row.Strong = t.reason(id)
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Notes = t.signalNotes()
	f.Alt = text.Whole(t.known()) + " of " + text.Whole(int(sim.NumSignals)) + " signals are known."
	f.Table = demo.RankTable(f)
	return f
}

// reason says that a signal is among the reasons of the verdict, and moved.
func (t *task) reason(id sim.SignalID) bool {
	for i := range t.found.Reasons {
		x := &t.found.Reasons[i]
		if s, ok := x.Sign.Signal(); ok && s == id && x.Move != sim.Flat {
			return true
		}
	}
	return false
}

// known is how many of the signals are.
func (t *task) known() int {
	if t.read == nil {
		return 0
	}
	return int(sim.NumSignals) - len(t.read.Missing())
}

func (t *task) signalNotes() (out []string) {
	r := t.read
	switch r.Source {
	case scrape.TwoScrapes:
		out = append(out, "Before: gauges at the first scrape; counters and percentiles are those of everything up to it. Now: gauges at the second, the rest of what lay between.")
	case scrape.OneScrape:
		out = append(out, "Gauges are of this moment; counters and percentiles are of everything since the process began.")
	default:
		out = append(out, "Now: the last line; what counts is over all lines.")
	}
	var even []string
	for _, id := range [...]scrape.ID{scrape.TTFT, scrape.ITL} {
		if v := r.Now[id]; v.Known && !v.AtLeast() && v.Low > 0 && v.Low != v.High {
			even = append(even, nameOf(id)+" would be "+text.Seconds(v.Value))
		}
	}
	if len(even) > 0 {
		out = append(out, "A percentile lies somewhere in its bucket. Read evenly across the bucket, "+text.List(even, "and")+".")
	}
	if gaps := r.GapsAbove(longGap); gaps.Known && gaps.High > 0 && r.Now[scrape.Preempts].Known && r.Now[scrape.Preempts].Value > 0 {
		out = append(out, "A request that is thrown back waits in one gap among hundreds, which ITL p99 does not see: gaps above "+text.Seconds(longGap)+" come "+inWords(scrape.Preempts, gaps)+".")
	}
	return out
}

// longGap is what a reader of an answer sees as a stall, s; a bound of vLLM's buckets.
const longGap = 0.5

// beside are the quantities that stand beside the signals, in order.
var beside = [...]scrape.ID{
	scrape.OfferedRate, scrape.CompletedRate, scrape.CompletedOverOffered, scrape.QueueGrowth, scrape.PreemptionsPerCompleted,
	scrape.ShedRate, scrape.PromptMean, scrape.OutputMean, scrape.PromptRate, scrape.ComputedRate, scrape.GenerationRate,
	scrape.ITLEstimate, scrape.DraftAcceptance, scrape.KVMean, scrape.KVPool, scrape.Swapped, scrape.Replicas, scrape.Imbalance,
	scrape.GPUUtil,
}

func (t *task) stripFigure() demo.Figure {
	f := demo.Figure{ID: "strip", Title: "Beside them", Kind: demo.Ranks}
	if t.wrong != "" {
		return f.Empty("There is nothing to show.")
	}
	f.Ranking = demo.Ranking{Head: "Number", Says: "What it is", Columns: t.columns()}
	for _, id := range beside {
		if !t.read.Now[id].Known {
			continue
		}
		row := t.row(id, names[id])
		row.Says = id.Describe().Definition + ": " + row.Says
		if !t.read.First[id].Known {
			row.Cells[0].Text = ""
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	if len(f.Ranking.Rows) == 0 {
		return f.Empty("None of them is in the text.")
	}
	if t.read.Now[scrape.GPUUtil].Known {
		f.Notes = []string{"GPU utilization reads the same in good and in bad states: it names nothing."}
	}
	f.Alt = text.Whole(len(f.Ranking.Rows)) + " numbers beside the signals."
	f.Table = demo.RankTable(f)
	return f
}

// names of the quantities that stand beside the signals.
var names = [scrape.NumIDs]string{
	scrape.OfferedRate: "Accepted arrivals", scrape.CompletedRate: "Completed", scrape.CompletedOverOffered: "Completed / arrivals",
	scrape.QueueGrowth: "Growth of the queue", scrape.PreemptionsPerCompleted: "Preemptions a completion", scrape.ShedRate: "Refused",
	scrape.PromptMean: "Mean prompt", scrape.OutputMean: "Mean answer", scrape.PromptRate: "Prompt tokens", scrape.ComputedRate: "Of them computed",
	scrape.GenerationRate: "Tokens generated", scrape.ITLEstimate: "Mean gap, estimated", scrape.DraftAcceptance: "Drafts accepted",
	scrape.KVMean: "KV, mean of replicas", scrape.KVPool: "KV cache", scrape.Swapped: "Swapped out", scrape.Replicas: "Replicas",
	scrape.Imbalance: "Balance of replicas", scrape.GPUUtil: "GPU utilization", scrape.RetryRate: "Retries",
}
