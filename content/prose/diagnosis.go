package prose

import (
	"fmt"
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/demo/verdict"
	"openloop/content/tables"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// The score of the diagnosis: how often the rules are right, with the eight
// signals alone and with what stands beside them, and what they say when they are
// not. Counted from the verdicts that content/tables keeps.

var diagnosisTables = []Table{
	{ID: "diagnosis-score", Make: diagnosisScore},
	{ID: "diagnosis-pairs", Make: diagnosisPairTable},
	{ID: "diagnosis-confusion", Make: func() demo.Table {
		return confusion("Verdicts of 200 runs of each row, with the strip beside the eight signals", tables.WithStrip)
	}},
	{ID: "diagnosis-confusion-alone", Make: func() demo.Table {
		return confusion("Verdicts of the same runs, with the eight signals alone", tables.SignalsAlone)
	}},
}

var diagnosisClaims = []Claim{
	{"diagnosis-runs", "The table has 200 runs of each failure and of four kinds of runs in which nothing is broken.", diagnosisRuns},
	{"diagnosis-named", "Of 2,800 runs of a failure 2,688 are named with the strip and 2,753 are first or second; with the signals alone 1,635 and 2,135.", diagnosisNamed},
	{"diagnosis-alarms", "Of 800 runs in which nothing is broken 16 are called a failure with the strip, 154 with the signals alone.", diagnosisAlarms},
	{"diagnosis-blind", "With the signals alone a restart, a straggler and skewed routing are never the verdict and second at times, with the strip the verdict in more than 90 of 100 runs.", diagnosisBlind},
	{"queue-rows", "In 9 of 14 rows of the matrix the queue grows, and in two of them the batch falls: KV squeeze and slow KV link.", queueRows},
	{"score-shares", "Of the case of seed 7 the right cause with a wrong first mover scores 0.7, the right first mover with a wrong cause 0.3, both 1.", scoreShares},
	{"diagnosis-pairs", "Of 200 runs with two failures 62 have both named, 65 more both listed; of the 73 others 54 have one named and a sign left over or the other among those that could be hidden.", diagnosisPairs},
	{"diagnosis-beside", "Of 2,800 runs of one failure 71 have a second one named, 170 a sign left over, and 2,222 failures that could be hidden, 3.3 on average; of 800 runs in which nothing is broken 0, 1 and 13.", diagnosisBesides},
}

// total is the sum over some rows.
type total struct{ top1, top2, runs int }

func (s *total) add(r *tables.DiagnosisRow, way int) {
	s.top1, s.top2, s.runs = s.top1+r.Top1(way), s.top2+r.Top2(way), s.runs+r.Runs()
}

// fine says whether nothing is broken in a row.
func fine(r *tables.DiagnosisRow) bool {
	return tables.DiagnosisVerdicts()[r.Right-'a'] == diagnose.Healthy
}

// totals are those of the failures and of the runs in which nothing is broken.
func totals(way int) (broken, well total) {
	for _, r := range tables.DiagnosisRows() {
		if fine(&r) {
			well.add(&r, way)
		} else {
			broken.add(&r, way)
		}
	}
	return broken, well
}

// shareWithin is a share in per cent with Wilson's 95% interval, rounded outward so
// that a cell is a line: "96.0 (95–97)".
func shareWithin(hits, runs int) demo.Cell {
	lo, hi := demo.Wilson(hits, runs)
	return demo.W(tenths(100*float64(hits)/float64(runs)) + "\u00a0(" + text.Whole(int(math.Floor(100*lo))) + "\u2060–\u2060" + text.Whole(int(math.Ceil(100*hi))) + ")")
}

func diagnosisScore() demo.Table {
	t := demo.Table{Caption: "Runs that the rules name right, in %, with Wilson's 95% interval", Columns: []demo.Column{
		{Name: "What is so"}, {Name: "Runs"}, {Name: "8 signals"}, {Name: "or second"}, {Name: "8 and the strip"}, {Name: "or second"},
	}}
	add := func(name string, by [2]total) {
		row := []demo.Cell{demo.W(name), demo.N(float64(by[0].runs))}
		for _, s := range by {
			row = append(row, shareWithin(s.top1, s.runs), shareWithin(s.top2, s.runs))
		}
		t.Rows = append(t.Rows, row)
	}
	var broken, well [2]total
	for way := range 2 {
		broken[way], well[way] = totals(way)
	}
	add("all failures", broken)
	add("nothing broken", well)
	for _, r := range tables.DiagnosisRows() {
		var by [2]total
		for way := range by {
			by[way].add(&r, way)
		}
		add(truthName(&r), by)
	}
	return t
}

// truthName is what is so in a row, in words.
func truthName(r *tables.DiagnosisRow) string {
	if fine(r) {
		return "nothing, " + r.Truth
	}
	return verdict.Name(r.Truth)
}

func confusion(caption string, way int) demo.Table {
	t := demo.Table{Caption: caption, Columns: []demo.Column{{Name: "What is so"}}}
	verdicts := tables.DiagnosisVerdicts()
	for _, v := range verdicts {
		t.Columns = append(t.Columns, demo.Column{Name: verdict.Name(v)})
	}
	for _, r := range tables.DiagnosisRows() {
		row := []demo.Cell{demo.W(truthName(&r))}
		for i := range verdicts {
			cell := demo.W("")
			if n := r.Count(way, 'a'+byte(i)); n > 0 {
				cell = demo.W(text.Whole(n))
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func diagnosisRuns() error {
	kinds := 0
	for _, r := range tables.DiagnosisRows() {
		if r.Runs() != tables.DiagnosisRuns || r.Runs() != 200 {
			return fmt.Errorf("%s: %d runs", r.Truth, r.Runs())
		}
		if fine(&r) {
			kinds++
		}
	}
	if kinds != 4 {
		return fmt.Errorf("%d kinds of runs in which nothing is broken", kinds)
	}
	return nil
}

func diagnosisNamed() error {
	with, _ := totals(tables.WithStrip)
	alone, _ := totals(tables.SignalsAlone)
	if (with != total{2688, 2753, 2800}) || (alone != total{1635, 2135, 2800}) {
		return fmt.Errorf("with the strip %v, alone %v", with, alone)
	}
	return nil
}

func diagnosisAlarms() error {
	_, with := totals(tables.WithStrip)
	_, alone := totals(tables.SignalsAlone)
	if with.runs != 800 || with.runs-with.top1 != 16 || alone.runs-alone.top1 != 154 {
		return fmt.Errorf("with the strip %v, alone %v", with, alone)
	}
	return nil
}

func diagnosisBlind() error {
	for _, r := range tables.DiagnosisRows() {
		switch r.Truth {
		case "replica_restart", "straggler", "skewed_routing":
			if alone, with := r.Top1(tables.SignalsAlone), r.Top1(tables.WithStrip); alone != 0 || r.Top2(tables.SignalsAlone) == 0 || 10*with <= 9*r.Runs() {
				return fmt.Errorf("%s: %d alone, %d with the strip", r.Truth, alone, with)
			}
		}
	}
	return nil
}

func diagnosisPairs() error {
	counts := tables.DiagnosisOfPairs()[tables.WithStrip]
	if counts != [tables.NumPairNamings]int{62, 65, 17, 37, 9, 10} {
		return fmt.Errorf("pairs: %v", counts)
	}
	return nil
}

// pairSays is what was said of two failures, best first.
var pairSays = [tables.NumPairNamings]string{
	tables.BothNamed:  "both are named",
	tables.BothListed: "both are among verdict and runner-up",
	tables.OneAndSign: "one, and a sign that it does not explain",
	tables.OneAndList: "one, and the other could be hidden",
	tables.OneNamed:   "one, and nothing points to the other",
	tables.NoneNamed:  "neither is named",
}

func diagnosisPairTable() demo.Table {
	t := demo.Table{Caption: "Two failures at once, with the strip, with Wilson's 95% interval", Columns: []demo.Column{{Name: "What is said"}, {Name: "%"}}}
	counts := tables.DiagnosisOfPairs()[tables.WithStrip]
	for n, says := range pairSays {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(says), shareWithin(counts[n], tables.DiagnosisPairs)})
	}
	return t
}

// besideCounts are how many runs of a failure, and in which nothing is broken, have
// a second failure named, a sign left over, and some failure that could be hidden,
// with the strip; and how many failures those are.
func besideCounts() (broken, well struct{ runs, names, signs, lists, listed int }) {
	for _, r := range tables.DiagnosisRows() {
		to := &broken
		if fine(&r) {
			to = &well
		}
		lists, listed := r.Listing(tables.WithStrip)
		to.runs += r.Runs()
		to.names += r.Beside(tables.WithStrip, tables.NameBeside)
		to.signs += r.Beside(tables.WithStrip, tables.SignBeside)
		to.lists, to.listed = to.lists+lists, to.listed+listed
	}
	return broken, well
}

func diagnosisBesides() error {
	broken, well := besideCounts()
	if broken.runs != 2800 || broken.names != 71 || broken.signs != 170 || broken.lists != 2222 || tenths(float64(broken.listed)/float64(broken.lists)) != "3.3" {
		return fmt.Errorf("one failure: %+v", broken)
	}
	if well.runs != 800 || well.names != 0 || well.signs != 1 || well.lists != 13 {
		return fmt.Errorf("nothing broken: %+v", well)
	}
	return nil
}

func queueRows() error {
	grows, falls := 0, ""
	for _, l := range sim.Levers() {
		if e, _ := sim.Signature(l.ID); e.Moves[sim.QueueDepth] == sim.Up {
			grows++
			if e.Moves[sim.RunningBatch] == sim.Down && e.Moves[sim.KVOccupancy] == sim.Up {
				falls += " " + l.ID
			}
		}
	}
	if grows != 9 || falls != " kv_squeeze slow_kv_link" {
		return fmt.Errorf("the queue grows in %d; with it the batch falls in%s", grows, falls)
	}
	return nil
}

func scoreShares() error {
	for link, want := range map[string]float64{"first=queue&cause=traffic_surge": 0.7, "first=batch&cause=none": 0.3, "first=batch&cause=traffic_surge": 1} {
		r, err := runAt("name-the-failure", "mark=on&"+link)
		if err != nil {
			return err
		}
		if got := r.get("score"); got != want {
			return fmt.Errorf("%s: %v", link, got)
		}
	}
	return nil
}
