package serving

import (
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// The pictures of open-closed: each loop's requests, on the same axes.

func (r *stallRun) Figures() []demo.Figure {
	return []demo.Figure{r.openFigure(), r.closedFigure()}
}

// The part of the minute with the stall in it is drawn; all of it counts.
const drawnFrom, drawnTo = 25, 50

// requestFigure is what both pictures of requests share.
func (r *stallRun) requestFigure() demo.Figure {
	f := demo.Figure{
		Kind: demo.Chart,
		X:    demo.Axis{Label: "Sent", Unit: "s", Min: drawnFrom, Max: drawnTo, Digits: 3},
		Y:    demo.Axis{Label: r.metric.short, Unit: "s", Log: true, Digits: 2},
	}
	f.Y.Min, f.Y.Max = logRange(latencyOf(r.open.points), latencyOf(r.closed.points), []float64{r.open.at[stallP99], r.closed.at[stallP99]})
	if r.stall > 0 {
		from := (stallAt - stallWarmUp).Seconds()
		f.Bands = []demo.Band{{From: from, To: from + r.stall, Label: "the server stands still"}}
	}
	return f
}

func (r *stallRun) openFigure() demo.Figure {
	f := r.requestFigure()
	f.ID, f.Title = "open", "Open loop: sends on schedule"
	f.Series = []demo.Series{scatter("open", "sent", demo.Open, r.open.points)}
	f.Marks = []demo.Mark{{At: r.open.at[stallP99], Level: true, Label: "p99 " + duration(r.open.at[stallP99], 2)}}
	f.Alt = text.Count(len(r.open.points), "request", "requests") + " of the open loop in a minute, " + text.Whole(r.open.stalled) + " of them sent while the server stood still; p99 is " +
		duration(r.open.at[stallP99], 2) + ", the largest " + duration(last(r.open.at), 2) + "."
	f.Table = secondsTable("Open loop, by the time of sending", r.open.points)
	f.Notes = []string{r.open.percentiles(), "Drawn is a part of the minute, counted all of it: " + endedText(ended(r.open.results, r.open.counted)) + "."}
	return f
}

func (r *stallRun) closedFigure() demo.Figure {
	f := r.requestFigure()
	f.Beside = true
	f.ID, f.Title = "closed", "Closed loop: sends after an answer"
	f.Series = []demo.Series{
		scatter("closed", "sent", demo.Closed, r.closed.points),
		ghosts(r.missing),
	}
	f.Marks = []demo.Mark{{At: r.closed.at[stallP99], Level: true, Label: "p99 " + duration(r.closed.at[stallP99], 2)}}
	f.Alt = text.Count(len(r.closed.points), "request", "requests") + " of the closed loop in a minute, " + text.Whole(r.closed.stalled) + " of them sent while the server stood still; p99 is " +
		duration(r.closed.at[stallP99], 2) + ". Hollow: the " + text.Count(len(r.missing), "request", "requests") + " that the open loop sent into the stall."
	f.Table = withMissing(secondsTable("Closed loop, by the time of sending", r.closed.points), r.missing)
	f.Notes = []string{r.closed.percentiles(), text.Count(r.clients, "client", "clients") + ". Counted: " + endedText(ended(r.closed.results, r.closed.counted)) + "."}
	if r.stall > 0 {
		f.Notes = append(f.Notes, "Hollow: what the open loop sent into the stall. No clock brings these back; from the schedule instead of the send, p99 is "+duration(r.closed.planned, 2)+" too.")
	}
	return f
}

// percentiles is a note: the latencies of one side in order.
func (s *side) percentiles() string {
	_, names := stallQuantiles()
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + " " + duration(s.at[i], 2)
	}
	return strings.Join(parts, ", ") + "."
}

func scatter(id, name string, role demo.Role, points []requestPoint) demo.Series {
	s := demo.Series{ID: id, Name: name, Role: role, Shape: demo.Points}
	for _, p := range points {
		if p.sent >= drawnFrom && p.sent <= drawnTo {
			s.X, s.Y = append(s.X, p.sent), append(s.Y, p.latency)
		}
	}
	return s
}

func ghosts(points []requestPoint) demo.Series {
	s := scatter("missing", "not sent", demo.Soft, points)
	s.Shape = demo.Ghosts
	return s
}

func latencyOf(points []requestPoint) (out []float64) {
	for _, p := range points {
		out = append(out, p.latency)
	}
	return out
}

// tableWidth is how many seconds a row of secondsTable covers.
const tableWidth = 5

// secondsTable sums up requests by spans of time.
func secondsTable(caption string, points []requestPoint) demo.Table {
	t := demo.Table{Caption: caption, Columns: []demo.Column{{Name: "From", Unit: "s"}, {Name: "Requests"}, {Name: "Mean", Unit: "s", Digits: 2}, {Name: "Largest", Unit: "s", Digits: 2}}}
	for from := 0.0; from < stallSpan.Seconds(); from += tableWidth {
		n, sum, most := 0, 0.0, 0.0
		for _, p := range points {
			if p.within(from) {
				n, sum, most = n+1, sum+p.latency, max(most, p.latency)
			}
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.N(from), demo.N(float64(n)), demo.N(sum / float64(max(n, 1))), demo.N(most)})
	}
	return t
}

// withMissing adds a column with the requests that were not sent.
func withMissing(t demo.Table, missing []requestPoint) demo.Table {
	t.Columns = append(t.Columns, demo.Column{Name: "Not sent"})
	for i := range t.Rows {
		n := 0
		for _, p := range missing {
			if p.within(float64(i * tableWidth)) {
				n++
			}
		}
		t.Rows[i] = append(t.Rows[i], demo.N(float64(n)))
	}
	return t
}

// within says whether the request was sent in the row from this second on.
func (p requestPoint) within(from float64) bool { return p.sent >= from && p.sent < from+tableWidth }
