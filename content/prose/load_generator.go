package prose

import (
	"math"
	"strconv"
)

// Checks of the chapter on load generators. A queue is random, so each of them
// asks several seeds.

// fewSeeds has the seed that pages show and others.
func fewSeeds() []int { return repeated([]int{7, 1, 2, 3}) }

// apart says whether two numbers differ by more than a share of the larger.
func apart(a, b, share float64) bool { return math.Abs(a-b) > share*max(math.Abs(a), math.Abs(b)) }

func quarterOfCapacity() error {
	capacity, err := metric("closed-loop", "v=1", "capacity")
	return first(err, asked("open-closed", "v=1", fewSeeds(), func(r *run) { r.in("sent_open", 0, 0.25*capacity) }))
}

func stallP99Apart() error {
	return asked("open-closed", "v=1", fewSeeds(), func(r *run) {
		r.in("p99_open", 0.8, 2.1)
		r.in("p99_closed", 0.02, 0.06)
		r.in("ratio_ttft", 20, 60)
		r.hold(!apart(r.get("sent_open"), r.get("sent_closed"), 0.08), "rates are %v and %v", r.get("sent_open"), r.get("sent_closed"))
	})
}

func stallAllWait() error {
	return asked("open-closed", "v=1", fewSeeds(), func(r *run) {
		r.hold(r.get("in_flight_closed") >= r.get("clients")-1, "%v in flight of %v clients", r.get("in_flight_closed"), r.get("clients"))
	})
}

func stallSent() error {
	return first(
		asked("open-closed", "v=1", fewSeeds(), func(r *run) {
			r.in("stalled_open", 10, 35)
			r.in("stalled_closed", 0, 3)
		}),
		asked("open-closed", "v=1", []int{7}, func(r *run) { r.in("stalled_closed", 0, 1) }),
	)
}

func longerStallHidden() error {
	return asked("open-closed", "v=1&stall=5", fewSeeds(), func(r *run) {
		r.in("p99_open", 3.5, 5.1)
		r.in("p99_closed", 0.02, 0.06)
		r.in("stalled_closed", 0, 3)
	})
}

func stallE2EAgrees() error {
	// The closed loop sees the stall in this metric.
	for _, seed := range fewSeeds() {
		link := "v=1&metric=e2e&seed=" + strconv.Itoa(seed)
		with, err1 := metric("open-closed", link, "p99_closed")
		without, err2 := metric("open-closed", link+"&stall=0", "p99_closed")
		if err := first(err1, err2, between("p99 end to end of the closed loop with a stall, less that without", with-without, 0.4, 2)); err != nil {
			return err
		}
	}
	return asked("open-closed", "v=1", fewSeeds(), func(r *run) { r.in("ratio_e2e", 0.9, 1.2) })
}

func littleClients() error {
	return asked("open-closed", "v=1", fewSeeds(), func(r *run) {
		n := r.get("clients")
		r.hold(math.Abs(10*r.get("mean_e2e")-n) <= 0.5, "10/s times %v s is not %v clients", r.get("mean_e2e"), n)
		// Made so by the formula. That the loop of so many clients then has the open loop's rate is what it is for.
		r.hold(math.Abs(r.get("sent_closed")/r.get("sent_open")-1) < 0.1, "the closed loop sent %v/s, the open one %v/s", r.get("sent_closed"), r.get("sent_open"))
	})
}

func closedBound() error {
	var all []error
	for _, link := range []string{"v=1", "v=1&think=0&clients=32", "v=1&slower=10", "v=1&think=5&clients=200"} {
		all = append(all, asked("closed-loop", link, []int{7, 1}, func(r *run) { r.in("nearest", 95, 102) }))
	}
	return first(all...)
}

func closed32() error {
	return asked("closed-loop", "v=1&clients=32&think=0", fewSeeds(), func(r *run) {
		r.in("share", 28, 36)
		r.in("little", 31, 33)
	})
}

func closed32Repeats() error {
	lo, hi := math.Inf(1), 0.0
	err := asked("closed-loop", "v=1&clients=32&think=0", append(fewSeeds(), 4, 5), func(r *run) {
		lo, hi = min(lo, r.get("throughput")), max(hi, r.get("throughput"))
		r.in("share", 28, 36)
	})
	return first(err, between("highest throughput over lowest", hi/lo, 1, 1.06))
}

func mostlyDecoding() error {
	return asked("open-closed", "v=1&stall=0", fewSeeds(), func(r *run) {
		r.hold(r.get("p50_open") < 0.05*r.get("mean_e2e"), "half of the first tokens take %v s or more of %v s", r.get("p50_open"), r.get("mean_e2e"))
	})
}

func slowdownHidden() error {
	return asked("closed-loop", "v=1&slower=10", fewSeeds(), func(r *run) {
		r.in("kept", 55, 67)
		r.hold(r.get("latency") > 9*r.get("healthy_latency"), "latency is %v s and was %v s", r.get("latency"), r.get("healthy_latency"))
	})
}

func slowdownShown() error {
	return asked("closed-loop", "v=1&clients=1024&slower=10", []int{7, 1}, func(r *run) { r.in("kept", 11, 17) })
}

func closedFindsCapacity() error {
	return asked("closed-loop", "v=1", []int{7, 1, 2}, func(r *run) {
		r.hold(!apart(r.get("plateau"), r.get("capacity"), 0.03), "the plateau is %v, the bound %v", r.get("plateau"), r.get("capacity"))
	})
}

// ratioSeeds are those of the runs; each has five of its own in it.
func ratioSeeds() []int { return fewSeeds() }

func ratioE2EOne() error {
	return asked("loop-ratio", "v=1", ratioSeeds(), func(r *run) {
		for _, load := range []string{"20", "40", "60", "80", "90"} {
			r.in("e2e_"+load, 0.9, 1.1)
		}
		r.in("apart", 0, 8)
	})
}

func ratioTTFTBelow() error {
	return asked("loop-ratio", "v=1", ratioSeeds(), func(r *run) {
		for _, load := range []string{"20", "40", "60", "80"} {
			r.in("ttft_"+load, 1.2, 2)
			r.in("ttft50_"+load, 1.2, 1.5) // the rest of the step, for a stranger
		}
		r.in("ttft_90", 1.2, 2.3) // one seed of four is near what is past capacity
	})
}

func ratioTTFTAbove() error {
	return asked("loop-ratio", "v=1", ratioSeeds(), func(r *run) {
		r.in("ttft_100", 3, 25)
		r.in("ttft_110", 30, 70)
	})
}

func ratioE2EAbove() error {
	return asked("loop-ratio", "v=1", ratioSeeds(), func(r *run) { r.in("e2e_110", 1.05, 1.4) })
}

func openGrows() error {
	for _, seed := range fewSeeds() {
		var open, closed float64
		err := first(
			asked("loop-ratio", "v=1", []int{seed}, func(r *run) { open, closed = r.get("open_110"), r.get("closed_110") }),
			asked("loop-ratio", "v=1&seconds=120", []int{seed}, func(r *run) {
				long := r.get("open_110")
				r.hold(long > 1.8*open, "the open loop's p99 is %v s after 40 s and %v s after 120 s", open, long)
				r.hold(!apart(r.get("closed_110"), closed, 0.1), "the closed loop's p99 is %v s and %v s", closed, r.get("closed_110"))
			}),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

func burstsPartLoops() error {
	return asked("loop-ratio", "v=1&burstiness=0.25", ratioSeeds(), func(r *run) { r.in("ttft_60", 2.3, 5) })
}

func throttledIsClosed() error {
	return asked("throttled", "v=1", fewSeeds(), func(r *run) {
		r.hold(!apart(r.get("through"), r.get("closed_rate"), 0.06), "%v/s sent, a closed loop gets %v/s", r.get("through"), r.get("closed_rate"))
		r.in("p99_open", 0.05, 0.12) // the server can take the rate
	})
}

func throttledClocks() error {
	return asked("throttled", "v=1", fewSeeds(), func(r *run) {
		r.in("p99_send", 0.035, 0.06)
		r.in("p99_schedule", 7, 20)
		r.in("p99_open", 0.05, 0.12)
	})
}

func hiddenFormula() error {
	return asked("throttled", "v=1", fewSeeds(), func(r *run) {
		r.hold(!apart(r.get("hidden"), r.get("formula"), 0.2), "hidden is %v s, the formula gives %v s", r.get("hidden"), r.get("formula"))
	})
}

func hiddenGrows() error {
	for _, seed := range []int{7, 1} {
		var short float64
		err := first(
			asked("throttled", "v=1", []int{seed}, func(r *run) { short = r.get("hidden") }),
			asked("throttled", "v=1&seconds=120", []int{seed}, func(r *run) {
				times := r.get("hidden") / short
				r.hold(times > 1.6 && times < 2.6, "twice the length gives %v times the wait", times)
				r.in("p99_send", 0.035, 0.06)
			}),
		)
		if err != nil {
			return err
		}
	}
	return nil
}
