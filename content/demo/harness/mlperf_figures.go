package harness

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

func sortedCopy(x []float64) []float64 {
	out := slices.Clone(x)
	slices.Sort(out)
	return out
}

func (r *scenarioRun) Figures() []demo.Figure {
	return []demo.Figure{r.scoresFigure(), r.flightFigure(), r.limitsFigure()}
}

// scoresFigure is the four rows.
func (r *scenarioRun) scoresFigure() demo.Figure {
	f := demo.Figure{
		ID: "scores", Title: "What each scenario reports of the same server", Kind: demo.Ranks,
		Ranking: demo.Ranking{Head: "Scenario", Columns: []demo.RankColumn{{Name: "Requests/s", Bar: true}, {Name: "Output tokens/s"}}, Says: "Its score"},
	}
	row := func(name, note string, perSec, tokens float64, says string, strong bool) {
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: name, Note: note, Says: says, Strong: strong, Cells: []demo.RankCell{
			{Num: perSec, Text: text.Num(perSec, 3)}, {Num: tokens, Text: text.Num(tokens, 3)},
		}})
	}
	row("SingleStream", "one at a time", r.single.perSec, r.single.tokens, "p90 latency "+duration(r.single.reported, 3), false)
	row("MultiStream", text.Count(r.samples, "sample", "samples")+" at a time", r.multi.perSec, r.multi.tokens, "p99 latency of a query "+duration(r.multi.reported, 3), false)
	says := "no rate that was tried keeps the limits"
	if r.found {
		says = "the largest valid rate; p99 " + duration(r.best.ttft, 2) + " to the first token, " + duration(r.best.tpot, 2) + " a token"
	}
	mean := 0.0
	if r.offline.perSec > 0 {
		mean = r.offline.tokens / r.offline.perSec
	}
	row("Server", "Poisson, under two limits", r.best.scheduled, float64(r.best.scheduled*mean), says, true)
	row("Offline", "all at once", r.offline.perSec, r.offline.tokens, "samples/s until the last of "+text.Count(len(r.offline.results.SentAt), "answer", "answers"), false)
	f.Table = demo.RankTable(f)
	f.Alt = "Requests per second: SingleStream " + text.Num(r.single.perSec, 2) + ", MultiStream " + text.Num(r.multi.perSec, 2) + ", Server " + text.Num(r.best.scheduled, 3) + ", Offline " + text.Num(r.offline.perSec, 3) + "."
	f.Notes = []string{"Every request of every run was answered; none failed, timed out or was dropped. Output tokens of Server are its rate times the mean answer of Offline."}
	return f
}

// flightFigure is what the four loops do to the server.
func (r *scenarioRun) flightFigure() demo.Figure {
	f := demo.Figure{
		ID: "flight", Title: "Requests in flight", Kind: demo.Chart,
		Y: demo.Axis{Label: "Requests in flight", Log: true, Min: 0.5, Digits: 2},
	}
	until := 0.0
	runs := []struct {
		id, name, title string
		role            demo.Role
		results         *score
	}{
		{"offline", "Offline", "Offline", demo.Bad, &r.offline},
		{"server", "Server", "Server", demo.Open, &score{results: r.nowResults}},
		{"multi", "Multi", "MultiStream", demo.Closed, &r.multi},
		{"single", "Single", "SingleStream", demo.Soft, &r.single},
	}
	for _, run := range runs {
		until = max(until, run.results.results.EndAt.Seconds())
	}
	rows := make([][]demo.Cell, 0, 8)
	top := 1.0
	for _, run := range runs {
		x, y := inFlight(run.results.results, until)
		s := demo.Series{ID: run.id, Name: run.name, Role: run.role, Shape: demo.StepLine}
		most, sum := 0.0, 0.0
		for i := range x {
			most, sum = max(most, y[i]), sum+y[i]
			if y[i] >= 0.5 {
				s.X, s.Y = append(s.X, x[i]), append(s.Y, y[i])
			}
		}
		top = max(top, most)
		f.Series = append(f.Series, s)
		rows = append(rows, []demo.Cell{demo.W(run.title), demo.N(sum / float64(max(1, len(x)))), demo.N(most)})
	}
	f.X = demo.Axis{Label: "Time", Unit: "s", Max: math.Ceil(until/10) * 10, Digits: 3}
	for f.Y.Max = 10; f.Y.Max < top; {
		f.Y.Max *= 10
	}
	f.Table = demo.Table{Caption: "Requests in flight", Columns: []demo.Column{{Name: "Scenario"}, {Name: "Mean", Digits: 3}, {Name: "Most", Digits: 3}}, Rows: rows}
	f.Alt = "Over time, one request in flight in SingleStream, " + text.Whole(r.samples) + " and fewer in MultiStream, about " + text.Num(r.now.inFlight, 2) + " in Server at " + text.Num(r.rate, 3) +
		" requests/s, and in Offline all " + text.Whole(len(r.offline.results.SentAt)) + " at once, fewer with every answer."
	f.Notes = []string{"Server at the target rate. Offline begins with all of its requests; the server runs 256 of them at once, the others wait."}
	return f
}

// limitsFigure is the two percentiles of Server over their limits.
func (r *scenarioRun) limitsFigure() demo.Figure {
	f := demo.Figure{
		ID: "limits", Title: "Server: p99 over its limit", Kind: demo.Chart, Beside: true,
		X: demo.Axis{Label: "Target rate", Unit: "requests/s", Max: 60, Digits: 3},
		Y: demo.Axis{Label: "p99 over its limit", Log: true, Digits: 2},
		Marks: []demo.Mark{
			{At: 1, Level: true, Label: "limit"},
			{At: r.rate, Label: text.Num(r.rate, 3) + "/s", Knob: "rate"},
		},
		Table: demo.Table{Caption: "Server, by target rate", Columns: []demo.Column{{Name: "Target rate", Unit: "requests/s", Digits: 3}, {Name: "p99 time to first token", Unit: "ms", Digits: 3}, {Name: "p99 time per output token", Unit: "ms", Digits: 3}, {Name: "Verdict"}}},
	}
	ttft := demo.Series{ID: "ttft", Name: "first token", Role: demo.Open, Shape: demo.Line}
	tpot := demo.Series{ID: "tpot", Name: "per token", Role: demo.Closed, Shape: demo.Line}
	now := demo.Series{ID: "now", Name: "now", Role: demo.Ink, Shape: demo.Points, X: []float64{r.rate, r.rate}, Y: []float64{r.now.ttft / r.limit.ttft, r.now.tpot / r.limit.tpot}}
	lo, hi := 1.0, 1.0
	row := func(s *serverRun, name demo.Cell) {
		verdict := "VALID"
		if !s.valid(r.limit) {
			verdict = "INVALID"
		}
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{name, demo.N(1000 * s.ttft), demo.N(1000 * s.tpot), demo.W(verdict)})
	}
	for i := range r.sweep {
		s := &r.sweep[i]
		a, b := s.ttft/r.limit.ttft, s.tpot/r.limit.tpot
		ttft.X, ttft.Y = append(ttft.X, s.rate), append(ttft.Y, a)
		tpot.X, tpot.Y = append(tpot.X, s.rate), append(tpot.Y, b)
		lo, hi = min(lo, a, b), max(hi, a, b)
		row(s, demo.N(s.rate))
	}
	row(&r.now, demo.W(text.Num(r.rate, 4)+", target"))
	lo, hi = min(lo, now.Y[0], now.Y[1]), max(hi, now.Y[0], now.Y[1])
	f.Series = []demo.Series{ttft, tpot, now}
	for f.Y.Min, f.Y.Max = 1, 1; f.Y.Min > lo; {
		f.Y.Min /= 10
	}
	for f.Y.Max < hi {
		f.Y.Max *= 10
	}
	last := r.sweep[len(r.sweep)-1]
	f.Alt = "p99 over its limit against the target rate. At " + text.Num(ttft.X[0], 3) + " requests/s the first token takes " + text.Num(ttft.Y[0], 2) + " and the time per token " + text.Num(tpot.Y[0], 2) + " of the limit; at 50 they take " +
		text.Num(last.ttft/r.limit.ttft, 2) + " and " + text.Num(last.tpot/r.limit.tpot, 2) + "."
	if r.found {
		f.Notes = []string{"The largest rate found that is valid: " + text.Num(r.best.rate, 3) + " requests/s, to half a request/s. LoadGen counts from the schedule; " +
			text.Whole(r.now.ended) + " of " + text.Whole(r.now.requests) + " requests were answered at the target rate."}
	} else {
		f.Notes = []string{"No rate down to half a request/s keeps both limits: a lone request already breaks one."}
	}
	return f
}

// Events is that of Task.
func (r *scenarioRun) Events() []demo.Event {
	binds := "the time per output token"
	if r.best.ttft/r.limit.ttft > r.best.tpot/r.limit.tpot {
		binds = "the time to first token"
	}
	out := []demo.Event{
		{At: math.NaN(), Says: demo.Say("SingleStream and MultiStream are closed loops: the next query waits for the last answer, so a slower server is asked less, and no queue forms.")},
		{At: math.NaN(), Says: demo.Say("Offline is a burst of " + text.Whole(len(r.offline.results.SentAt)) + " requests. Its rate is the server's capacity for this mix, less the time in which the batch empties.")},
	}
	if r.found {
		out = append(out, demo.Event{At: math.NaN(), Says: demo.Say("Server is the only open loop. At its largest valid rate, " + text.Num(r.best.rate, 3) + " requests/s, " + binds + " is nearer to its limit.")})
	}
	if r.now.scheduled > 0 && r.now.done < 0.98*r.now.scheduled {
		out = append(out, demo.Event{At: math.NaN(), Says: demo.Say("LoadGen would print " + text.Num(r.now.done, 3) + " completed beside " + text.Num(r.now.scheduled, 3) +
			" scheduled requests/s. It divides by the end of the last request issued, so the gap is that request's latency and no sign of overload.")})
	}
	return out
}
