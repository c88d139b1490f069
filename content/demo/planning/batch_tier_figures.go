package planning

import (
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner/route"
)

// The pictures and words of batch-tier.

func (r *tierRun) Figures() []demo.Figure { return []demo.Figure{r.billFigure(), r.dayFigure()} }

// fluid is the formula for an own fleet, over the fleet in which nothing waits.
func (r *tierRun) fluid(waits float64) float64 {
	return route.Fleet{Night: r.night, Batch: waits}.Servers()
}

// simulated is the size of a simulated fleet in percent of that in which nothing waits.
func (r *tierRun) simulated(s *size) float64 {
	return 100 * float64(s.found.gpus) / float64(r.whole().gpus)
}

func (r *tierRun) billFigure() demo.Figure {
	const steps = 45
	list := demo.Series{ID: "list", Name: "price list", Role: demo.Soft, Shape: demo.Line}
	fluid := demo.Series{ID: "fluid", Name: "own fleet", Role: demo.Ink, Shape: demo.Line}
	for _, share := range ofHundred(steps) {
		if share > 90 {
			break
		}
		list.X, list.Y = append(list.X, share), append(list.Y, 100*r.list(share/100))
		fluid.X, fluid.Y = append(fluid.X, share), append(fluid.Y, 100*r.fluid(share/100))
	}
	dots := demo.Series{ID: "dots", Name: "simulated", Role: demo.Closed, Shape: demo.Points}
	table := demo.Table{Caption: "Bill by the share that may wait, of the bill when nothing does", Columns: []demo.Column{
		{Name: "May wait", Unit: "%", Digits: 3}, {Name: "Price list", Unit: "%", Digits: 3}, {Name: "Own fleet, formula", Unit: "%", Digits: 3}, {Name: "Own fleet, simulated", Unit: "%", Digits: 3}, {Name: "GPUs"}}}
	row := func(first demo.Cell, s *size) {
		table.Rows = append(table.Rows, []demo.Cell{first, demo.N(100 * r.list(s.waits)), demo.N(100 * r.fluid(s.waits)), demo.N(r.simulated(s)), demo.N(float64(s.found.gpus))})
	}
	for _, s := range r.sizes[:len(tierShares())] {
		dots.X, dots.Y = append(dots.X, 100*s.waits), append(dots.Y, r.simulated(s))
		if s != r.now() {
			row(demo.N(100*s.waits), s)
		}
	}
	n := r.now()
	row(demo.W(text.Num(100*n.waits, 3)+", now"), n)
	f := demo.Figure{
		ID: "bill", Title: "The bill, by the share that may wait", Kind: demo.Chart, Legend: true,
		X: demo.Axis{Label: "May wait", Unit: "%", Max: 100, Digits: 3},
		Y: demo.Axis{Label: "Bill, of that when nothing waits", Unit: "%", Max: 120, Digits: 3},
		Series: []demo.Series{list, fluid, dots,
			{ID: "now", Name: "now", Role: demo.Open, Shape: demo.Points, X: []float64{100 * r.waits}, Y: []float64{r.simulated(n)}}},
		Marks: []demo.Mark{{At: r.values.Num("waits"), Label: percent(r.waits) + " waits", Knob: "waits"}},
		Alt: "By the price list the bill falls in a straight line, to " + percent(r.list(r.waits)) + " when " + percent(r.waits) + " may wait. In an own fleet it falls one for one, until at " +
			percent(route.Fleet{Night: r.night}.Full()) + " the fleet is busy all day; simulated it is " + text.Num(r.simulated(n), 3) + "% now.",
		Table: table,
		Notes: []string{"A dot is the smallest whole number of GPUs whose p99 time to first token, over the busiest quarter of the day and for what cannot wait, is within " + text.Num(1000*r.limit, 3) +
			" ms, and whose queue is gone once before the next rise. Without a tier that is " + text.Count(r.whole().gpus, "GPU", "GPUs") + "."},
	}
	return f
}

func (r *tierRun) dayFigure() demo.Figure {
	n := r.now().found
	hours := make([]float64, len(n.rate))
	for i := range hours {
		hours[i] = 24 * (float64(i) + 0.5) / float64(len(hours))
	}
	f := demo.Figure{
		ID: "day", Title: "The day with " + text.Count(n.gpus, "GPU", "GPUs"), Kind: demo.Chart,
		X: demo.Axis{Label: "Hour of the day that the run stands for", Max: 24, Digits: 2},
		Y: demo.Axis{Label: "Requests", Unit: "1/s", Max: demo.Top(1.1 * r.peak), Digits: 3},
		Series: []demo.Series{
			{ID: "sent", Name: "sent", Role: demo.Soft, Shape: demo.Line, X: hours, Y: n.rate},
			{ID: "urgent", Name: "cannot wait", Role: demo.Open, Shape: demo.Line, X: hours, Y: n.urgent},
			{ID: "begun", Name: "begun", Role: demo.Ink, Shape: demo.Line, X: hours, Y: n.served},
		},
		Table: demo.Table{Caption: "Requests by hour", Columns: []demo.Column{{Name: "Hour", Digits: 3}, {Name: "Sent", Unit: "1/s", Digits: 3}, {Name: "Cannot wait", Unit: "1/s", Digits: 3}, {Name: "Begun", Unit: "1/s", Digits: 3}}},
	}
	const each = 5 // bins in a row of the table
	highest := 0.0
	for i := 0; i+each <= len(hours); i += each {
		at := (hours[i] + hours[i+each-1]) / 2
		served := mean(n.served[i : i+each])
		highest = max(highest, served)
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(at), demo.N(mean(n.rate[i : i+each])), demo.N(mean(n.urgent[i : i+each])), demo.N(served)})
	}
	f.Alt = "Requests a second over a day. Sent rises to about " + text.Num(r.peak, 3) + " at noon; begun follows it and does not get above " + text.Num(highest, 3) + " over 1.5 hours."
	f.Notes = []string{text.Whole(n.sent) + " requests, the morning after included. Where begun is above sent, work that waited is done. " + r.waitText()}
	return f
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// waitText is about those who waited.
func (r *tierRun) waitText() string {
	n := r.now()
	if n.waits == 0 {
		return "Nothing waits."
	}
	return "The slowest batch request of the day was done after " + text.Num(24*n.found.longest, 2) + " of 24 hours."
}

func (r *tierRun) Summary() demo.Sentence {
	n, all := r.now().found, r.whole()
	saved := all.gpus - n.gpus
	out := demo.Say(percent(r.waits)+" may wait. By the price list that saves ", percent(1-r.list(r.waits)), " of the bill. The own fleet needs ")
	if saved > 0 {
		out = append(out, demo.Say("", text.Count(n.gpus, "GPU", "GPUs")+" instead of "+text.Whole(all.gpus), ", "+percent(1-r.bill())+" less: "+usd(24*r.price*float64(saved))+" a day")...)
	} else {
		out = append(out, demo.Say("", text.Count(n.gpus, "GPU", "GPUs"), ", as many as when nothing waits")...)
	}
	out = append(out, demo.Say("."+r.marginText())...)
	return out
}

// marginText is what the batch work itself costs the fleet.
func (r *tierRun) marginText() string {
	if r.waits == 0 {
		return ""
	}
	more := r.now().found.gpus - r.alone.found.gpus
	if more <= 0 {
		return " Without the batch work it would be no smaller: that work is computed by GPUs that would be idle."
	}
	return " Without the batch work it would have " + text.Whole(r.alone.found.gpus) + ": that work costs " + text.Count(more, "GPU", "GPUs") + "."
}

func (r *tierRun) Metrics() []demo.Metric {
	n, all := r.now().found, r.whole()
	return []demo.Metric{
		{Name: "gpus_all", Label: "GPUs when nothing waits", Unit: "GPUs", Value: float64(all.gpus), Spread: true},
		{Name: "gpus", Label: "GPUs with the tier", Unit: "GPUs", Value: float64(n.gpus), Spread: true},
		{Name: "gpus_alone", Label: "GPUs without the batch work", Unit: "GPUs", Value: float64(r.alone.found.gpus)},
		{Name: "saved", Label: "Saved in the own fleet", Unit: "%", Value: 100 * (1 - r.bill()), Digits: 3, Spread: true},
		{Name: "list_saved", Label: "Saved by the price list", Unit: "%", Value: 100 * (1 - r.list(r.waits)), Digits: 3},
		{Name: "fluid_saved", Label: "Saved in the own fleet, formula", Unit: "%", Value: 100 * (1 - r.fluid(r.waits)), Digits: 3},
		{Name: "full", Label: "Share at which the fleet is busy all day", Unit: "%", Value: 100 * route.Fleet{Night: r.night}.Full(), Digits: 3},
		{Name: "p99", Label: "p99 time to first token at the peak", Unit: "ms", Value: 1000 * n.p99, Digits: 3},
		{Name: "longest", Label: "Slowest batch request", Unit: "h", Value: 24 * n.longest, Digits: 2},
		{Name: "usd_all", Label: "A day when nothing waits", Unit: "$", Value: 24 * r.price * float64(all.gpus), Digits: 4},
		{Name: "usd_saved", Label: "Saved a day", Unit: "$", Value: 24 * r.price * float64(all.gpus-n.gpus), Digits: 4},
	}
}

// Records has every fleet that was tried.
func (r *tierRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "may_wait", Unit: "%"}, {Name: "of_the_load", Unit: "%"}, {Name: "gpus"}, {Name: "p99", Unit: "ms", Digits: 4}, {Name: "drained"}, {Name: "longest_wait", Unit: "h", Digits: 3}, {Name: "holds"}}}
	yes := func(b bool) demo.Cell {
		if b {
			return demo.N(1)
		}
		return demo.N(0)
	}
	seen := []*size{}
	for _, s := range append(append(seen, r.sizes...), r.alone) {
		if slices.Contains(seen, s) {
			continue // the share of the knob is one of the dots
		}
		seen = append(seen, s)
		for _, x := range s.tried {
			if x != nil {
				t.Rows = append(t.Rows, []demo.Cell{demo.N(100 * s.waits), demo.N(100 * s.scale), demo.N(float64(x.gpus)), demo.N(1000 * x.p99), yes(x.drained), demo.N(24 * x.longest), yes(x.p99 <= r.limit && x.drained)})
			}
		}
	}
	return t
}

func (r *tierRun) Events() []demo.Event { return nil }
