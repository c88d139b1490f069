package reading

import (
	"math"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/scrape"
)

// What was made of the text, and the numbers as files.

func (t *task) textFigure() demo.Figure {
	f := demo.Figure{ID: "text", Title: "What was read", Kind: demo.Ranks}
	if t.report == nil {
		return f.Empty("There is nothing to show.")
	}
	f.Ranking = demo.Ranking{Head: "Text", Columns: []demo.RankColumn{{Name: "Lines"}, {Name: "Series read"}, {Name: "Lines with figures"}, {Name: "Not read"}, {Name: "Not understood"}}}
	for i, p := range t.report.Pastes {
		label := "Text " + text.Whole(i+1)
		if n := len(p.Pages); n > 0 {
			label += ", " + text.Count(n, "scrape", "scrapes")
		}
		row := demo.Rank{Label: label}
		for _, n := range [...]int{p.Lines, p.Own, p.Figures, p.Blank + p.Comments + p.Other + p.Plain + p.Headers, p.NotUnderstood} {
			row.Cells = append(row.Cells, demo.RankCell{Text: text.Whole(n)})
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
		for k, x := range p.Problems {
			if k == 3 {
				f.Notes = append(f.Notes, text.Count(p.NotUnderstood-k, "more line", "more lines")+" of text "+text.Whole(i+1)+" not understood.")
				break
			}
			f.Notes = append(f.Notes, "Line "+text.Whole(x.Line)+" of text "+text.Whole(i+1)+" is "+text.Quote(x.Was, 60)+"; it could be "+x.Legal+".")
		}
		for _, g := range p.Pages {
			if g.Dropped > 0 {
				f.Notes = append(f.Notes, text.Count(g.Dropped, "series repeats", "series repeat")+" another rank of the same engine, and do not count.")
				break
			}
		}
	}
	if t.report.Same > 0 {
		says := "Two scrapes with the same numbers throughout"
		if t.read.Source == scrape.OneScrape {
			says += ", read as one"
		}
		f.Notes = append(f.Notes, says+".")
	}
	f.Notes = append(f.Notes, t.linesOf()...)
	if s := t.read.Seconds; s.Known && t.read.Source == scrape.TwoScrapes {
		by := "by " + s.From
		if t.seconds > 0 {
			by = "as typed"
		}
		f.Notes = append(f.Notes, text.Num(s.Value, 4)+" s between the scrapes, "+by+".")
	}
	if t.pasted {
		f.Notes = append(f.Notes, "The text stays on this page: no link, message or storage has it. The file of the CSV button holds the numbers that were read, and of the text its length and a checksum.")
	}
	f.Alt = text.Count(len(t.report.Pastes), "text was", "texts were") + " read."
	f.Table = demo.RankTable(f)
	return f
}

// linesOf says whose the lines of a log are, where it is not one server's.
func (t *task) linesOf() (out []string) {
	logs := 0
	for i := range t.report.Readings {
		r := &t.report.Readings[i]
		if r.Source != scrape.LogLines {
			continue
		}
		logs++
		says := text.Count(r.Lines, "line", "lines") + " with figures " + text.Verb(r.Lines, "is", "are") + " of " + r.Engine.String()
		if r != t.read {
			says += ", not read here: number " + text.Whole(i+1) + " of the setting Which of several"
		}
		out = append(out, says+".")
	}
	if logs < 2 && len(t.report.Readings) < 2 {
		out = nil
	}
	switch t.read.Mix {
	case scrape.SideBySide:
		out = append(out, "Lines of several processes, each read as a replica: "+t.processes()+". They are told apart by the name or the process number in front of a line, or where the time of the lines falls back.")
	case scrape.InTurn:
		out = append(out, "Lines of several processes, one after another, read as one server: "+t.processes()+".")
	case scrape.Inseparable:
		out = append(out, "One engine says two things at one instant: the lines of several processes are mixed, and only the last of each instant is read.")
	}
	return out
}

// keys are the metrics, by the keys of their quantities.
var keys = [...]scrape.ID{
	scrape.Queue, scrape.TTFT, scrape.ITL, scrape.Running, scrape.KV, scrape.Preempts, scrape.Hit, scrape.Accepted,
	scrape.OfferedRate, scrape.CompletedRate, scrape.PreemptionsPerCompleted, scrape.GenerationRate,
}

// Metrics is that of Task.
func (t *task) Metrics() []demo.Metric {
	out := []demo.Metric{{Name: "known", Label: "Signals that are known, of eight", Value: float64(t.known())}}
	missing, seconds, reasons := 0, math.NaN(), len(t.found.Reasons)
	if t.read != nil {
		missing = len(t.lacks())
		if t.read.Seconds.Known {
			seconds = t.read.Seconds.Value
		}
	}
	out = append(out,
		demo.Metric{Name: "missing", Label: "Numbers that are missing", Value: float64(missing)},
		demo.Metric{Name: "reasons", Label: "Reasons for the verdict", Value: float64(reasons)},
		demo.Metric{Name: "seconds_between", Label: "Seconds between the scrapes", Unit: "s", Value: seconds, Digits: 4},
	)
	for _, id := range keys {
		q, v := id.Describe(), math.NaN()
		if t.read != nil && t.read.Now[id].Known {
			v = t.read.Now[id].Value
		}
		out = append(out, demo.Metric{Name: q.Key, Label: upper(q.Definition), Unit: q.Unit, Value: v, Digits: 4})
	}
	of := func(id scrape.ID, pick func(scrape.Value) float64) float64 {
		if t.read == nil || !t.read.Now[id].Known {
			return math.NaN()
		}
		return pick(t.read.Now[id])
	}
	low, high := func(v scrape.Value) float64 { return v.Low }, func(v scrape.Value) float64 { return v.High }
	percent := func(v scrape.Value) float64 { return 100 * v.Value }
	return append(out,
		demo.Metric{Name: "ttft_low", Label: "Lower bound of the bucket of TTFT p99", Unit: "s", Value: of(scrape.TTFT, low), Digits: 3},
		demo.Metric{Name: "ttft_high", Label: "Upper bound of it", Unit: "s", Value: of(scrape.TTFT, high), Digits: 3},
		demo.Metric{Name: "itl_low", Label: "Lower bound of the bucket of ITL p99", Unit: "s", Value: of(scrape.ITL, low), Digits: 3},
		demo.Metric{Name: "itl_high", Label: "Upper bound of it", Unit: "s", Value: of(scrape.ITL, high), Digits: 3},
		demo.Metric{Name: "gpu_util_percent", Label: "GPU utilization, full in good and bad states", Unit: "%", Value: of(scrape.GPUUtil, percent), Digits: 3},
	)
}

// Records is everything that was read, of all and of each replica.
func (t *task) Records() demo.Table {
	out := demo.Table{Columns: []demo.Column{{Name: "of"}, {Name: "quantity"}, {Name: "unit"}, {Name: "before", Digits: 6}, {Name: "now", Digits: 6}, {Name: "low", Digits: 6}, {Name: "high", Digits: 6}, {Name: "covers"}, {Name: "from"}, {Name: "doubts"}, {Name: "missing"}}}
	if t.read == nil {
		out.Rows = append(out.Rows, []demo.Cell{demo.W("text"), demo.W(""), demo.W(""), demo.W(""), demo.W(""), demo.W(""), demo.W(""), demo.W(""), demo.W(""), demo.W(""), demo.W(t.wrong)})
		return out
	}
	out.Rows = append(out.Rows, verdictRow(t))
	add := func(of string, now, first *scrape.Row, all bool) {
		for id := range scrape.NumIDs {
			v := now[id]
			if !v.Known && !(all && id < scrape.ID(sim.NumSignals)) {
				continue
			}
			q := id.Describe()
			row := []demo.Cell{demo.W(of), demo.W(q.Key), demo.W(q.Unit), exact(first[id], first[id].Value), exact(v, v.Value), exact(v, v.Low), exact(v, v.High)}
			if v.Known {
				row = append(row, demo.W(v.Covers.String()), demo.W(v.From), demo.W(strings.Join(v.Doubts.Words(), "; ")), demo.W(""))
			} else {
				row = append(row, demo.W(""), demo.W(v.From), demo.W(""), demo.W(v.Why.String()))
			}
			out.Rows = append(out.Rows, row)
		}
	}
	add("all", &t.read.Now, &t.read.First, true)
	for i := range t.read.Replicas {
		p := &t.read.Replicas[i]
		add(p.Name, &p.Now, &p.First, false)
	}
	return out
}

// verdictRow is the verdict, its runner-up and the remedy.
func verdictRow(t *task) []demo.Cell {
	x := &t.found
	return []demo.Cell{
		demo.W("verdict"), demo.W(x.Verdict), demo.W(""), demo.W(""), demo.N(x.Points), demo.W(""), demo.W(""),
		demo.W("runner-up " + x.Second), demo.W("remedy " + x.Remedy.ID), demo.W(x.Also), demo.W(""),
	}
}

// exact is a number for a file; empty if it is not known or has no end.
func exact(v scrape.Value, x float64) demo.Cell {
	switch {
	case !v.Known:
		return demo.W("")
	case math.IsInf(x, 0):
		return demo.W("inf")
	}
	return demo.N(x)
}
