package prose

import (
	"fmt"
	"math"

	"openloop/content/demo/failing"
	"openloop/content/tables"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// Checks of the chapters on failures and their signals.

var failingClaims = []Claim{
	{"twins-apart", "At 12 requests/s both are busy 99% or more; goodput 11 to 13 and below 0.5, over 3 times apart, for 5 seeds.", twinsApart},
	{"twins-again", "The second completes 8 to 11 requests/s and computes 30% to 50% of its prompt tokens again, for 5 seeds.", twinsAgain},
	{"eight-remedies", "The eight signals isolate eight different failures, or a setting, and have eight different remedies.", eightRemedies},
	{"matrix-moves", "Of 112 cells of the matrix 58 move; 15 of them are not as reasoned.", matrixMoves},
	{"matrix-equal", "The rows of surge, throttling and cold start are equal; no two others are.", matrixEqual},
	{"one-signal", "Chunked prefill off and a restart move one signal each.", oneSignal},
	{"busy-anyway", "In 12 of 14 failures GPU utilization is 99.5% or more before and during, and in 6 of them goodput falls by more than a third, for 2 seeds.", busyAnyway},
	{"hits-go-up", "Under answers that grow the prefix hit rate leaves its band upward, for 5 to 9 of 9 seeds.", hitsGoUp},
	{"band-windows", "A band is the middle 99% of 600 windows.", bandWindows},
}

func twinsApart() error {
	return overSeeds(4, "same-utilization", "v=1", span{"utilization_first", 0.99, 1}, span{"utilization_second", 0.99, 1},
		span{"good_first", 11, 13}, span{"good_second", 0, 0.5}, span{"ratio", 3, math.Inf(1)})
}

func twinsAgain() error {
	return overSeeds(4, "same-utilization", "v=1", span{"completed_second", 8, 11}, span{"again", 30, 50})
}

func hitsGoUp() error {
	up, err := countSeeds(9, "eight-signals", "lever=long_output_drift", "prefix_hit_move", func(x float64) bool { return x == 1 })
	return first(err, between("seeds", up, 5, 9))
}

func eightRemedies() error {
	verdicts, remedies := map[string]bool{}, map[string]bool{}
	for _, x := range diagnose.Isolates() {
		verdicts[x.Verdict], remedies[x.Remedy.ID] = true, true
	}
	if len(verdicts) != 8 || len(remedies) != 8 {
		return fmt.Errorf("%d failures and %d remedies", len(verdicts), len(remedies))
	}
	return nil
}

func matrixMoves() error {
	moves := 0
	for _, l := range sim.Levers() {
		e, _ := sim.Signature(l.ID)
		for _, m := range e.Moves {
			if m != sim.Flat {
				moves++
			}
		}
	}
	if n := len(sim.Corrections()); moves != 58 || n != 15 || len(sim.Levers())*int(sim.NumSignals) != 112 {
		return fmt.Errorf("%d move, %d corrected", moves, n)
	}
	return nil
}

func matrixEqual() error {
	by := map[[sim.NumSignals]sim.Move][]string{}
	for _, l := range sim.Levers() {
		e, _ := sim.Signature(l.ID)
		by[e.Moves] = append(by[e.Moves], l.ID)
	}
	for _, ids := range by {
		if len(ids) > 1 && fmt.Sprint(ids) != "[traffic_surge all_gpus_throttled cold_start]" {
			return fmt.Errorf("equal rows: %v", ids)
		}
	}
	if len(by) != 12 {
		return fmt.Errorf("%d different rows", len(by))
	}
	return nil
}

func oneSignal() error {
	for _, id := range []string{"chunking_off", "replica_restart"} {
		e, _ := sim.Signature(id)
		n := 0
		for _, m := range e.Moves {
			if m != sim.Flat {
				n++
			}
		}
		if n != 1 {
			return fmt.Errorf("%s moves %d", id, n)
		}
	}
	return nil
}

func busyAnyway() error {
	for _, seed := range []int{7, 8} {
		busy, worse := 0, 0
		for _, l := range sim.Levers() {
			r, err := runAt("eight-signals", fmt.Sprintf("lever=%s&seed=%d", l.ID, seed))
			if err != nil {
				return err
			}
			if r.get("busy_before") >= 99.5 && r.get("busy_during") >= 99.5 {
				busy++
				if r.get("goodput_during") < 2*r.get("goodput_before")/3 || r.get("goodput_after") < 2*r.get("goodput_before")/3 {
					worse++
				}
			}
			if r.err != nil {
				return r.err
			}
		}
		if busy != 12 || worse != 6 {
			return fmt.Errorf("seed %d: %d busy, %d of them much worse", seed, busy, worse)
		}
	}
	return nil
}

func bandWindows() error {
	b, ok := tables.HealthyBandOf(failing.BaseFor("").ID)
	windows := tables.HealthySeeds * int((sim.HealthySpan-tables.HealthyFrom*sim.Second)/(4*sim.Second))
	if !ok || windows != 600 || b.Lo[0] != 0 {
		return fmt.Errorf("%d windows", windows)
	}
	return nil
}
