package prose

import (
	"fmt"
	"math"
	"strings"

	"openloop/content/demo/text"
	"openloop/content/queueing"
	"openloop/content/tables"
	"openloop/sim"
)

// Checks of the chapter on the simulator.

func stepsPutBack() error {
	return first(
		within("step-trace", "v=1", "put_back", 1, 1),
		within("step-trace", "v=1", "recomputed", 8, 8),
	)
}

// stepsThirdFifth reads the rows of the trace: step, start, end, request, ...,
// put back.
func stepsThirdFifth() error {
	r, err := runAt("step-trace", "v=1")
	if err != nil {
		return err
	}
	steps, last := "", ""
	for _, row := range r.task.Records().Rows {
		step := text.Num(row[0].Num, 2)
		if row[3].Text == "C" {
			steps += " " + step
		}
		if back := row[8].Text; back != "" && step != last {
			last = step
			steps += " -" + back + step
		}
	}
	if !strings.HasPrefix(steps, " 1 2 -C3 5") {
		return fmt.Errorf("C is in steps%s", steps)
	}
	return nil
}

// stepsFound: with two blocks more C is put back all the same.
func stepsFound() error {
	return first(
		within("step-trace", "v=1&blocks=8", "put_back", 1, 1),
		within("step-trace", "v=1&blocks=8", "recomputed", 0, 0),
		within("step-trace", "v=1&blocks=8", "hit", 8, 8),
		within("step-trace", "v=1&blocks=9", "put_back", 0, 0),
	)
}

func stepsShared() error {
	return first(
		within("step-trace", "v=1&requests=shared&blocks=24", "hit", 8, 8),
		within("step-trace", "v=1&requests=shared&blocks=24", "prefilled", 13, 13), // A's 10, and 3 of B's 11
	)
}

func stepsAhead() error {
	return first(
		within("step-trace", "v=1", "answer", 50, 50),
		within("step-trace", "v=1&async=on", "answer", 53.3, 53.4), // C's 60 ms for 50
	)
}

// everyWait looks at 20,000 requests of each queue at each load, twice.
func everyWait() error {
	for _, c := range queueing.Cases() {
		c.Requests = 20_000
		for seed := range uint64(2) {
			if err := c.EveryWait(c.FirstSeed + seed); err != nil {
				return err
			}
		}
	}
	return nil
}

// theorySizes: what the caption of the tables says of the runs behind them.
func theorySizes() error {
	least, most := math.MaxInt, 0
	seen := map[uint64]bool{}
	for _, c := range queueing.Cases() {
		least, most = min(least, c.Requests), max(most, c.Requests)
		for i := range uint64(tables.QueueSeeds) {
			if seen[c.FirstSeed+i] {
				return fmt.Errorf("%s at load %v shares seed %d", c.Queue, c.Load, c.FirstSeed+i)
			}
			seen[c.FirstSeed+i] = true
		}
	}
	return first(
		between("seeds a cell", tables.QueueSeeds, 20, 20),
		between("fewest requests", float64(least), 50_000, 50_000),
		between("most requests", float64(most), 800_000, 800_000),
		between("part left out", queueing.LeftOut, 0.05, 0.05),
		between("cells", float64(len(queueing.Rows())), 48, 48),
	)
}

// longerNotSurer compares the intervals at loads 0.8 and 0.95, relative to the
// wait; with many seats and light load hardly anybody waits, which is another
// story.
func longerNotSurer() error {
	for _, c := range queueing.Rows() {
		if c.Load != 0.8 || c.Seats > 4 {
			continue
		}
		full, err := queueRow(c.Queue, 0.95)
		if err != nil {
			return err
		}
		width := func(r queueing.Row) float64 { return (r.Mean.Hi - r.Mean.Lo) / r.Theory.Mean }
		if err := first(
			between(c.Queue+": interval at 0.95 over that at 0.8", width(full)/width(c), 1, 10),
			between(c.Queue+": requests", float64(full.Requests)/float64(c.Requests), 4, 4),
		); err != nil {
			return err
		}
	}
	return nil
}

// queueRow finds a queue at a load.
func queueRow(queue string, load float64) (queueing.Row, error) {
	for _, r := range queueing.Rows() {
		if r.Queue == queue && r.Load == load {
			return r, nil
		}
	}
	return queueing.Row{}, fmt.Errorf("no queue %s at load %v", queue, load)
}

// theoryWithin counts the numbers that lie outside of their intervals.
func theoryWithin() error {
	all, outside, furthest := 0, 0, 0.0
	count := func(in sim.Interval, theory float64) {
		all++
		if queueing.Beyond(in, theory) > 1 {
			outside++
		}
		furthest = max(furthest, queueing.Beyond(in, theory))
	}
	for _, r := range queueing.Rows() {
		count(r.Mean, r.Theory.Mean)
		if r.Theory.P99 > 0 {
			count(r.P99, r.Theory.P99)
		}
	}
	for _, r := range queueing.LoopRows() {
		count(r.Rate, r.Theory.Rate)
		count(r.Response, r.Theory.Response)
	}
	return first(between("numbers compared", float64(all), 90, 90), between("numbers outside", float64(outside), 2, 2), between("half-widths from the mean to theory", furthest, 1, 1.05))
}

// theoryResolves: how small an error the intervals would show.
func theoryResolves() error {
	worst := 0.0
	for _, r := range queueing.Rows() {
		if r.Queue != "M/G/1" && r.Seats <= 2 && r.Load <= 0.8 {
			worst = max(worst, (r.Mean.Hi-r.Mean.Mean)/r.Theory.Mean)
		}
	}
	return between("widest half interval up to load 0.8", worst, 0, 0.025)
}

// stepsMatter: what the textbook leaves out when seats are free.
func stepsMatter() error {
	few, err1 := queueRow("M/M/1", 0.95)
	many, err2 := queueRow("M/M/16", 0.5)
	if err := first(err1, err2); err != nil {
		return err
	}
	return first(
		between("M/M/1 in steps over the textbook", few.Theory.Mean/few.Textbook.Mean, 0.9949, 0.9951),
		between("M/M/16 at load 0.5, textbook", many.Textbook.Mean, 0.00105, 0.00115),
		between("M/M/16 at load 0.5, in steps", many.Theory.Mean, 0.00605, 0.00615),
	)
}

func runLengths() error {
	return first(
		between("requests at load 0.5", queueing.RunLength(0.5, 0.05, 0.95), 44_500, 45_499),
		between("requests at load 0.8", queueing.RunLength(0.8, 0.05, 0.95), 189_500, 190_499),
		between("requests at load 0.95", queueing.RunLength(0.95, 0.05, 0.95), 2.55e6, 2.64e6),
		between("hours at 8 a second", queueing.RunLength(0.95, 0.05, 0.95)/8/3600, 89, 91),
	)
}

// shortRun: 1,000 requests at load 0.95 have an interval wider than the mean.
func shortRun() error {
	half := 1.96 * math.Sqrt(queueing.Variance(0.95)/1000)
	return between("half interval over the mean", half, 2, 3)
}

// oneInMany compares with a run of independent waits, whose relative variance
// is (2-rho)/rho.
func oneInMany() error {
	return between("requests that say as much as one", queueing.Variance(0.95)/((2-0.95)/0.95), 1450, 1549)
}

func longAnswersWorse() error {
	for _, load := range queueing.Loads() {
		plain, err1 := queueRow("M/M/1", load)
		long, err2 := queueRow("M/G/1", load)
		if err := first(err1, err2); err != nil {
			return err
		}
		width := func(r queueing.Row) float64 { return (r.Mean.Hi - r.Mean.Lo) / r.Theory.Mean }
		if width(long) <= width(plain) {
			return fmt.Errorf("at load %v the interval of M/G/1 is %v of the wait, that of M/M/1 %v", load, width(long), width(plain))
		}
	}
	return nil
}
