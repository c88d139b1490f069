package prose

import (
	"math"
	"slices"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/queueing"
	"openloop/sim"
)

// Table is a table of the guide that is made from kept results: a page shows it
// with a fence, :::table id.
type Table struct {
	ID   string
	Make func() demo.Table
	Link func(row, column int) string // address that a cell leads to, or ""; nil: no cell has one
}

// Tables are all tables, in the order of the guide.
func Tables() []Table { return slices.Concat(guideTables, failingTables, diagnosisTables) }

var guideTables = []Table{
	{ID: "queue-agreement", Make: queueAgreement},
	{ID: "queue-waits", Make: queueWaits},
	{ID: "queue-tails", Make: queueTails},
	{ID: "loop-agreement", Make: loopAgreement},
	{ID: "plan-fewest", Make: planFewest},
	{ID: "plan-kept", Make: planKept},
	{ID: "plan-ranking", Make: planRanking},
	{ID: "plan-pairs", Make: planPairs},
	{ID: "plan-savings", Make: planSavings},
	{ID: "plan-assumptions", Make: planAssumptions},
	{ID: "published-groups", Make: publishedGroups},
	{ID: "published-folds", Make: publishedFolds},
	{ID: "published-frees", Make: publishedFrees},
	{ID: "published-choices", Make: publishedChoices},
	{ID: "published-forms", Make: publishedForms},
	{ID: "published-rows", Make: publishedRows, Link: func(row, column int) string { return rowLink(predicted())(row, column) }},
	{ID: "published-silent", Make: publishedSilent, Link: func(row, column int) string { return rowLink(silentRows())(row, column) }},
}

// off is how many per cent a mean is above theory, with half its interval.
func off(in sim.Interval, theory float64) demo.Cell {
	sign, by := "+", 100*(in.Mean/theory-1)
	if by < 0 {
		sign, by = "−", -by
	}
	return demo.W(sign + tenths(by) + "\u00a0±\u00a0" + tenths(100*(in.Hi-in.Mean)/theory))
}

// tenths is a positive number with one decimal, so that a column lines up.
func tenths(x float64) string {
	n := int(x*10 + 0.5)
	return strconv.Itoa(n/10) + "." + strconv.Itoa(n%10)
}

// acrossLoads has a row for each queue and a column for each load.
func acrossLoads(caption string, rows []queueing.Row, cell func(queueing.Row) demo.Cell) demo.Table {
	t := demo.Table{Caption: caption, Columns: []demo.Column{{Name: "Queue"}}}
	for _, l := range queueing.Loads() {
		t.Columns = append(t.Columns, demo.Column{Name: "load " + text.Num(l, 2)})
	}
	for _, r := range rows {
		if n := len(t.Rows); n == 0 || t.Rows[n-1][0].Text != r.Queue {
			t.Rows = append(t.Rows, []demo.Cell{demo.W(r.Queue)})
		}
		t.Rows[len(t.Rows)-1] = append(t.Rows[len(t.Rows)-1], cell(r))
	}
	return t
}

func queueAgreement() demo.Table {
	return acrossLoads("Mean wait, simulated against theory: difference in per cent, with the 99% interval over 20 seeds", queueing.Rows(),
		func(r queueing.Row) demo.Cell { return off(r.Mean, r.Theory.Mean) })
}

func queueTails() demo.Table {
	rows := slices.DeleteFunc(queueing.Rows(), func(r queueing.Row) bool { return r.Theory.P99 == 0 })
	return acrossLoads("99th percentile of the wait, simulated against theory: difference in per cent, with the 99% interval over 20 seeds", rows,
		func(r queueing.Row) demo.Cell { return off(r.P99, r.Theory.P99) })
}

func queueWaits() demo.Table {
	t := demo.Table{Caption: "Waits in mean service times", Columns: []demo.Column{
		{Name: "Queue"}, {Name: "Load", Digits: 2}, {Name: "Mean", Digits: 4}, {Name: "±", Digits: 2}, {Name: "Theory", Digits: 4},
		{Name: "Textbook", Digits: 4}, {Name: "p99", Digits: 4}, {Name: "Theory", Digits: 4},
	}}
	for _, r := range queueing.Rows() {
		p99 := r.Theory.P99
		if p99 == 0 {
			p99 = math.NaN()
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(r.Queue), demo.N(r.Load), demo.N(r.Mean.Mean), demo.N(r.Mean.Hi - r.Mean.Mean),
			demo.N(r.Theory.Mean), demo.N(r.Textbook.Mean), demo.N(r.P99.Mean), demo.N(p99)})
	}
	return t
}

func loopAgreement() demo.Table {
	t := demo.Table{Caption: "Closed loops: requests and time to the answer in mean service times, think time 10", Columns: []demo.Column{
		{Name: "Clients"}, {Name: "Seats"}, {Name: "Rate", Digits: 4}, {Name: "Theory", Digits: 4}, {Name: "off by (%)"},
		{Name: "Response", Digits: 4}, {Name: "Theory", Digits: 4}, {Name: "off by (%)"},
	}}
	for _, r := range queueing.LoopRows() {
		t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(r.Clients)), demo.N(float64(r.Seats)),
			demo.N(r.Rate.Mean), demo.N(r.Theory.Rate), off(r.Rate, r.Theory.Rate), demo.N(r.Response.Mean), demo.N(r.Theory.Response), off(r.Response, r.Theory.Response)})
	}
	return t
}
