package prose

import (
	"fmt"
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
	lo, err1 := metric("run-length", "v=1&seeds=10", "near_lowest")
	hi, err2 := metric("run-length", "v=1&seeds=10", "near_highest")
	return first(err1, err2, between("highest over lowest of ten runs near capacity", hi/lo, 2, 10))
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
		page("five-things", "v=1&thing=slo&on=itl", span{"meets_a", 0, 0}, span{"meets_b", 1, 1}),
	)
}

func pairStack() error { return pair("stack", span{"itl_a", 50, 65}, span{"itl_b", 120, 160}) }

func pairWindow() error { return pair("window", span{"ttft_a", 70, 120}, span{"ttft_b", 300, 600}) }

func checkedLine() error {
	return page("five-things", "v=1&thing=window",
		span{"tokens_a", 5400, 5900}, span{"meets_a", 1, 1})
}

func tracePrefill() error {
	return page("real-traces", "v=1",
		span{"prefill_synthetic", 8.3, 8.5}, span{"prefill_conv", 19, 21}, span{"prefill_code", 36, 40}, span{"prefill_mooncake", 410, 450})
}

func traceBatch() error {
	return page("real-traces", "v=1",
		span{"batch_synthetic", 690, 700}, span{"batch_conv", 310, 340}, span{"batch_code", 180, 195}, span{"batch_mooncake", 29, 32})
}

func traceCache() error {
	return page("real-traces", "v=1",
		span{"found_ever", 37, 38}, span{"found", 4.2, 4.6})
}

func traceRate() error {
	return overSeeds(3, "real-traces", "v=1",
		span{"rate_synthetic", 56, 60}, span{"rate_conv", 23, 26}, span{"rate_code", 19, 22}, span{"rate_mooncake", 0.8, 1.1})
}

func traceBursts() error {
	for _, t := range tables.Traces() {
		if t.Name == "Azure 2023, code" {
			return between("peak minute over mean minute", t.PeakMinute, 4.05, 4.15)
		}
	}
	return fmt.Errorf("there is no trace of Azure's code")
}

// traceSamples compares what the tables say of the whole trace and of the
// sample; that they say it rightly is tested beside them.
func traceSamples() error {
	for _, t := range tables.Traces() {
		for i, whole := range t.Full.Numbers() {
			if err := between(t.Name+", sample over whole", t.Sample.Numbers()[i]/whole, 0.96, 1.04); err != nil {
				return err
			}
		}
	}
	return nil
}
