package prose

import (
	"fmt"
	"math"
	"strconv"

	"openloop/content/tables"
)

// Checks of the chapter on what a throughput number needs. What a page shows of
// one seed is asked of several here.

func coldTenSeconds() error {
	return overSeeds(5, "warm-up", "v=1", span{"tokens_off", -65, -25}, span{"ttft_ratio", 4, 15})
}

func coldTenSeeds() error {
	return page("warm-up", "v=1&seeds=on", span{"tokens_off_seeds", -48, -38}, span{"tokens_off_highest", -40, -25})
}

func warmTenSeeds() error {
	return within("warm-up", "v=1&start=warm&seeds=on", "tokens_off_seeds", -24, -15)
}

func warmTTFTBlind() error {
	return within("warm-up", "v=1&start=warm&seeds=on", "ttft_off_seeds", -5, 2)
}

func coldPrefixes() error {
	return within("warm-up", "v=1&prefixes=200&rate=20&start=warm&seeds=on", "ttft_off_seeds", 15, 30)
}

func tenSecondsToss() error {
	return page("warm-up", "v=1&cut=50&seeds=on", span{"tokens_off_seeds", -3, 3}, span{"tokens_off_lowest", -20, -5}, span{"tokens_off_highest", 5, 20})
}

func lateSize() error {
	p99, err1 := metric("warm-up", "v=1&cut=60&length=60", "ttft_p99")
	long, err2 := metric("warm-up", "v=1&cut=60&length=60", "ttft_p99_long")
	// A warm engine has no such tail in the same minute.
	warm, err3 := metric("warm-up", "v=1&cut=60&length=60&start=warm", "ttft_p99")
	return first(err1, err2, err3,
		within("warm-up", "v=1", "mser", 69, 71),
		between("p99 of the minute over that of the long run", p99/long, 2, 5),
		between("the same, engine compiled", warm/long, 0.7, 1.4),
	)
}

// lateSizeSeeds counts the seeds for which a size of step comes as late.
func lateSizeSeeds() error {
	count := func(link string) (n float64, err error) {
		for seed := 1; seed <= 30 && err == nil; seed++ {
			var r *run
			if r, err = runAt("warm-up", link+"&seed="+strconv.Itoa(seed)); err != nil {
				break
			}
			if r.get("ttft_p99") > 1.5*r.get("ttft_p99_long") {
				n++
			}
			err = r.err
		}
		return n, err
	}
	cold, err1 := count("v=1&cut=60&length=60")
	warm, err2 := count("v=1&cut=60&length=60&start=warm")
	return first(err1, err2, between("seeds with a late size", cold, 4, 4), between("the same, engine compiled", warm, 0, 0))
}

func about45() error {
	return asked("run-length", "v=1", fewSeeds(), func(r *run) { r.in("capacity", 44, 46) })
}

// halfTheExcess: the formula of the demo takes the capacity of its first seed.
func halfTheExcess() error {
	return asked("run-length", "v=1&seeds=10", fewSeeds(), func(r *run) {
		r.hold(!apart(r.get("past_end"), r.get("formula_end"), 0.2), "the mean is %v s, the formula gives %v s", r.get("past_end"), r.get("formula_end"))
	})
}

func lengthBelow() error {
	for _, seed := range fewSeeds() {
		link := "v=1&seed=" + strconv.Itoa(seed)
		short, err1 := metric("run-length", link, "below_50")
		long, err2 := metric("run-length", link, "below_end")
		if err := first(err1, err2, between("300 s over 50 s, below capacity", long/short, 0.97, 1.03)); err != nil {
			return err
		}
	}
	return nil
}

func lengthPast() error {
	for _, seed := range fewSeeds() {
		of := "&seed=" + strconv.Itoa(seed)
		end, err1 := metric("run-length", "v=1"+of, "past_end")
		double, err2 := metric("run-length", "v=1&longest=600"+of, "past_end")
		if err := first(err1, err2, between("600 s over 300 s, past capacity", double/end, 1.7, 2.5)); err != nil {
			return err
		}
	}
	return within("run-length", "v=1&seeds=10", "past_ratio", 5, 8)
}

func lengthNear() error {
	return asked("run-length", "v=1&seeds=10", append(fewSeeds(), 4), func(r *run) {
		times := r.get("near_highest") / r.get("near_lowest")
		r.hold(times >= 2 && times <= 10, "the highest of ten runs near capacity is %v times the lowest", times)
	})
}

var things = []string{"lengths", "arrivals", "slo", "stack", "window"}

func fivePairs() error {
	for _, thing := range things {
		if err := overSeeds(10, "five-things", "v=1&thing="+thing, span{"apart", -2, 2}, span{"meets_a", 1, 1}, span{"meets_b", 0, 0}); err != nil {
			return err
		}
	}
	return nil
}

// pair checks a pair over three seeds.
func pair(thing string, spans ...span) error {
	return overSeeds(3, "five-things", "v=1&thing="+thing, spans...)
}

func pairLengths() error { return pair("lengths", span{"ttft_a", 55, 85}, span{"ttft_b", 300, 600}) }

func pairArrivals() error {
	return pair("arrivals", span{"apart", -0.5, 0.5}, span{"ttft_a", 90, 100}, span{"ttft_b_s", 10, 25})
}

func pairSLO() error {
	return first(
		pair("slo", span{"ttft_a", 65, 100}, span{"ttft_b", 220, 500}, span{"itl_a", 35, 50}, span{"itl_b", 15, 25}),
		overSeeds(3, "five-things", "v=1&thing=slo&on=itl", span{"meets_a", 0, 0}, span{"meets_b", 1, 1}),
	)
}

func pairStack() error {
	return pair("stack", span{"apart", -0.2, 0.2}, span{"itl_a", 50, 65}, span{"itl_b", 120, 160})
}

func pairWindow() error {
	return pair("window", span{"apart", -2, 2}, span{"ttft_a", 70, 120}, span{"ttft_b", 300, 600})
}

func checkedLine() error {
	return overSeeds(3, "five-things", "v=1&thing=window",
		span{"tokens_a", 5400, 5900}, span{"meets_a", 1, 1})
}

func tracePrefill() error {
	return overSeeds(3, "real-traces", "v=1",
		span{"prefill_synthetic", 8.3, 8.5}, span{"prefill_conv", 19, 21}, span{"prefill_code", 36, 40}, span{"prefill_mooncake", 410, 450})
}

func traceBatch() error {
	return overSeeds(3, "real-traces", "v=1",
		span{"batch_synthetic", 690, 700}, span{"batch_conv", 310, 340}, span{"batch_code", 180, 195}, span{"batch_mooncake", 29, 32})
}

func traceCache() error {
	return overSeeds(3, "real-traces", "v=1",
		span{"found_ever", 37, 38}, span{"found", 4.2, 4.6})
}

func traceRate() error {
	return overSeeds(3, "real-traces", "v=1",
		span{"rate_synthetic", 56, 60}, span{"rate_conv", 23, 26}, span{"rate_code", 19, 22}, span{"rate_mooncake", 0.8, 1.1})
}

func traceBursts() error {
	for _, t := range tables.Traces() {
		if t.Name == "Azure 2023, code" {
			mean := float64(t.Requests) / t.Seconds * 60
			// Chernoff: P(N >= k*mean) <= exp(-mean*(k*ln k - k + 1)), for each of the 60 minutes.
			k := t.PeakMinute
			most := math.Log10(60) - mean*(k*math.Log(k)-k+1)/math.Ln10
			return first(between("peak minute over mean minute", k, 4.05, 4.15), between("log10 of the chance of it under Poisson", most, math.Inf(-1), -100))
		}
	}
	return fmt.Errorf("there is no trace of Azure's code")
}

// traceSamples compares what the tables say of the whole trace and of the
// sample; that they say it rightly is tested beside them.
func traceSamples() error {
	for _, t := range tables.Traces() {
		if len(t.Pairs) != 200 {
			return fmt.Errorf("the sample of %s has %d rows", t.Name, len(t.Pairs))
		}
		for i, whole := range t.Full.Numbers() {
			if err := between(t.Name+", sample over whole", t.Sample.Numbers()[i]/whole, 0.96, 1.04); err != nil {
				return err
			}
		}
	}
	return nil
}
