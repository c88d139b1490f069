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
	{"flat-cells", "Of 54 flat cells of the matrix 39 are outside of their band in fewer than 5% of the windows; only KV occupancy of a straggler and the accepted length under a slow link in more than a quarter.", flatCellsHold},
	{"matrix-moves", "Of 112 cells of the matrix 58 move; 15 of them are not as reasoned.", matrixMoves},
	{"matrix-columns", "Each signal but the accepted length moves in three failures or more.", matrixColumns},
	{"matrix-equal", "The rows of surge, throttling and cold start are equal; no two others are.", matrixEqual},
	{"one-signal", "Chunked prefill off and a restart move one signal each.", oneSignal},
	{"busy-anyway", "In 12 of 14 failures GPU utilization is 99.5% or more before and during, and in 6 of them goodput falls by more than a third, for 2 seeds.", busyAnyway},
	{"hits-go-up", "Under answers that grow the prefix hit rate leaves its band upward, for 5 to 9 of 9 seeds.", hitsGoUp},
	{"band-windows", "A band is the middle 99% of 600 windows.", bandWindows},
	{"leak-order", "In the run shown KV occupancy leaves at 44 s, preemptions, queue and TTFT at 56 s, the batch downward at 60 s, the hit rate at 68 s, and no other signal.", leakOrder},
	{"leak-goodput", "Under the leak utilization stays at 99% or more and goodput falls from 17 to 23 to 6 to 13 requests/s, for 4 seeds.", leakGoodput},
	{"leak-mended", "Mended it is 15 to 21 and 17 to 23, with twice the KV 12 to 19 and 13 to 23, with a replica out 5 to 11 and 0 to 6, for 4 seeds.", leakMended},
	{"replicas-not-skew", "Two more replicas change what is kept under skewed routing by at most 0.02.", replicasNotSkew},
	{"wrong-remedies", "Taking replica 1 out, and drafting less, each make at least 8 of 14 failures worse.", wrongRemedies},
	{"headroom-no-help", "Headroom keeps no more of the goodput under the leak than nothing does, and no preemptions are left in the run shown.", headroomNoHelp},
	{"chunking-unpromised", "Without chunking goodput is 18 to 22 during it and ITL p99 0.1 to 0.13 s, above the 0.091 s that are usual, for 4 seeds.", chunkingUnpromised},
	{"prompts-twice", "As they are, less than half are in time on either; twice the KV gives 95% or more on the left only, twice the prefill on the right only, for 4 seeds.", promptsTwice},
	{"prompts-separator", "KV occupancy is 85% to 100% and 25% to 45%; the left preempts 5 to 20 a second, the right none, for 4 seeds.", promptsSeparator},
	{"storm-stays", "From 20 s after the stall on less than half is answered in time, with 60 to 150 attempts/s, for 5 seeds.", stormStays},
	{"storm-budget", "With a budget of 10 in a hundred, a limit of 8 waiting, or a stall of 2 s it is 90% or more, for 5 seeds.", stormBudget},
	{"mean-of-p99", "The mean of four p99s is 10% to 55% too low with uneven traffic, 15% to 60% with a slow replica, within 12% if all are alike, for 5 seeds.", meanOfP99},
	{"bucket-p99", "The p99 of the run shown is in the bucket from 0.25 to 0.5 s.", bucketP99},
	{"field-kv", "Growth 0.038 points/s within 5%, 111 s to full and 634,000 tokens within 8%, 30.1 tokens/s each within 0.5%.", fieldKV},
	{"field-kv-after", "Of 239 to 243 tokens/s 10 to 40 are left when it is full, 190 to 230 with headroom.", fieldKVAfter},
	{"field-headroom", "Reported: preemptions cut by 82.4%, output +5.05%; simulated 75% to 92% and 2% to 8%, for 4 seeds.", fieldHeadroom},
	{"field-prefix", "Reported and simulated, 2.1 times as many prompt tokens are computed, within 1%; 63.4% and 82.6% within 1.5%; 20% to 30% of turns on the same replica, for 4 seeds.", fieldPrefix},
	{"kv-first", "By the matrix KV occupancy is first in long-prompt flood, KV squeeze, replica restart and skewed routing; TTFT p99 and preemptions are first in none.", kvFirst},
	{"field-ttft", "Slope 0.1 s, 10 requests/s, 50 s at 500 users and 10 s at 100, each within 15%.", fieldTTFT},
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

func flatCellsHold() error {
	flat, low, high := 0, 0, ""
	for _, r := range tables.FlatRows() {
		e, _ := sim.Signature(r.Lever)
		for id, share := range r.Outside {
			if e.Moves[id] != sim.Flat {
				continue
			}
			flat++
			if share < 0.05 {
				low++
			}
			if share > 0.25 {
				high += " " + r.Lever + "/" + sim.SignalID(id).Describe().Name
			}
		}
	}
	if flat != 54 || low != 39 || high != " straggler/KV occupancy slow_kv_link/accepted length" {
		return fmt.Errorf("%d flat, %d below 5%%, above a quarter:%s", flat, low, high)
	}
	return nil
}

func matrixColumns() error {
	for id := range sim.NumSignals {
		n := 0
		for _, l := range sim.Levers() {
			if e, _ := sim.Signature(l.ID); e.Moves[id] != sim.Flat {
				n++
			}
		}
		if (id == sim.AcceptedLength) != (n == 1) || n == 2 {
			return fmt.Errorf("%s moves in %d", id.Describe().Name, n)
		}
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
