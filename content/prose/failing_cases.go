package prose

import (
	"fmt"

	"openloop/content/demo/failing"
	"openloop/content/tables"
	"openloop/sim"
)

// Checks of the chapter on diagnosis: incidents, remedies, pairs, percentiles
// and cases from the field.

func leakOrder() error {
	return page("eight-signals", "v=1", span{"kv_left", 44, 44}, span{"preemptions_left", 56, 56}, span{"queue_left", 56, 56}, span{"ttft_p99_left", 56, 56},
		span{"batch_left", 60, 60}, span{"batch_move", -1, -1}, span{"prefix_hit_left", 68, 68}, span{"prefix_hit_move", -1, -1}, span{"accepted_move", 0, 0}, span{"moved", 6, 6})
}

func leakGoodput() error {
	return overSeeds(3, "eight-signals", "v=1", span{"busy_before", 99, 100}, span{"busy_during", 99, 100}, span{"goodput_before", 17, 23}, span{"goodput_during", 6, 13})
}

func leakMended() error {
	return first(
		overSeeds(3, "eight-signals", "v=1&remedy=mend", span{"goodput_during", 15, 21}, span{"goodput_after", 17, 23}),
		overSeeds(3, "eight-signals", "v=1&remedy=kv", span{"goodput_during", 12, 19}, span{"goodput_after", 13, 23}),
		overSeeds(3, "eight-signals", "v=1&remedy=drain", span{"goodput_during", 5, 11}, span{"goodput_after", 0, 6}),
	)
}

// keptBy is a number of the table of remedies.
func keptBy(lever, remedy string) float64 {
	for _, row := range tables.RemedyRows() {
		for i, r := range failing.Remedies() {
			if row.Lever == lever && r.ID == remedy {
				return row.Kept[i]
			}
		}
	}
	return -1
}

func replicasNotSkew() error {
	return between("two more replicas, skewed routing", keptBy("skewed_routing", "replicas")-keptBy("skewed_routing", "none"), -0.02, 0.02)
}

// wrongRemedies counts failures, other than the remedy's own, that it makes worse.
func wrongRemedies() error {
	for _, remedy := range []string{"drain", "drafts"} {
		worse := 0
		for _, row := range tables.RemedyRows() {
			if keptBy(row.Lever, remedy) < row.Kept[0]-0.005 {
				worse++
			}
		}
		if worse < 8 {
			return fmt.Errorf("%s makes %d failures worse", remedy, worse)
		}
	}
	return nil
}

func headroomNoHelp() error {
	return first(
		between("headroom against the leak", keptBy("kv_squeeze", "headroom")-keptBy("kv_squeeze", "none"), -1, 0),
		within("eight-signals", "v=1&remedy=headroom", "preemptions_move", 0, 0),
	)
}

func chunkingUnpromised() error {
	usual, _ := tables.HealthyBandOf(failing.BaseFor("chunking_off").ID)
	return first(
		between("the most that is usual", usual.Hi[sim.ITLp99], 0.0905, 0.0915),
		overSeeds(3, "eight-signals", "v=1&lever=chunking_off", span{"goodput_before", 17, 23}, span{"goodput_during", 18, 22}, span{"itl_p99_during", 0.1, 0.13}, span{"itl_p99_move", 1, 1}),
	)
}

func promptsTwice() error {
	return first(
		overSeeds(3, "long-prompts", "v=1", span{"kv_as_is", 0, 50}, span{"prefill_as_is", 0, 50}),
		overSeeds(3, "long-prompts", "v=1&remedy=kv", span{"kv_kv_doubled", 95, 100}, span{"prefill_kv_doubled", 0, 50}),
		overSeeds(3, "long-prompts", "v=1&remedy=prefill", span{"prefill_prefill_doubled", 95, 100}, span{"kv_prefill_doubled", 0, 60}),
	)
}

func promptsSeparator() error {
	return overSeeds(3, "long-prompts", "v=1", span{"kv_occupancy", 85, 100}, span{"prefill_occupancy", 25, 45}, span{"kv_preemptions", 5, 20}, span{"prefill_preemptions", 0, 0})
}

func stormStays() error {
	return overSeeds(4, "retry-storm", "v=1", span{"before", 25, 35}, span{"kept", 0, 49}, span{"offered_later", 60, 150})
}

func stormBudget() error {
	return first(
		overSeeds(4, "retry-storm", "v=1&budget=10", span{"kept", 90, 115}),
		overSeeds(4, "retry-storm", "v=1&limit=8", span{"kept", 90, 115}),
		overSeeds(4, "retry-storm", "v=1&stall=2", span{"kept", 90, 115}),
	)
}

func meanOfP99() error {
	return first(
		overSeeds(4, "percentiles-of-replicas", "v=1", span{"mean_off", -55, -10}),
		overSeeds(4, "percentiles-of-replicas", "v=1&cluster=slow", span{"mean_off", -60, -15}),
		overSeeds(4, "percentiles-of-replicas", "v=1&cluster=alike", span{"mean_off", -12, 12}),
	)
}

func bucketP99() error {
	return page("percentiles-of-replicas", "v=1", span{"bucket_low", 0.25, 0.25}, span{"bucket_high", 0.5, 0.5}, span{"pooled", 0.25, 0.5}, span{"pooled_buckets", 0.25, 0.5})
}

// The right values of the three cases, with the tolerances of those who wrote
// them down.

func fieldKV() error {
	return page("field-cases", "v=1", around("kv_growth", 0.038, 0.05), around("seconds_to_full", 111, 0.08), around("kv_tokens", 634_000, 0.08), around("tokens_each", 30.1, 0.005))
}

func fieldKVAfter() error {
	return page("field-cases", "v=1", span{"tokens_before", 239, 243}, span{"tokens_after", 10, 40}, span{"tokens_after_remedy", 190, 230})
}

func fieldHeadroom() error {
	return first(
		between("reported cut", 1-187.0/1065, 0.824*0.995, 0.824*1.005),
		between("reported gain", 12167.0/11582-1, 0.0505*0.99, 0.0505*1.01),
		overSeeds(3, "field-cases", "v=1", span{"preemption_cut", 75, 92}, span{"throughput_gain", 2, 8}, span{"ttft_rise", 1, 2}),
	)
}

func fieldPrefix() error {
	return first(
		between("reported ratio", (1-0.634)/(1-0.826), 2.1*0.99, 2.1*1.01),
		page("field-cases", "v=1&case=prefix", around("prefill_ratio", 2.1, 0.01), around("hit_round_robin", 63.4, 0.015), around("hit_affinity", 82.6, 0.01)),
		overSeeds(3, "field-cases", "v=1&case=prefix", span{"same_replica", 20, 30}, span{"service_gain", 1.2, 1.6}, span{"ttft_drop", 45, 95}),
	)
}

func fieldTTFT() error {
	return page("field-cases", "v=1&case=ttft", around("slope", 0.1, 0.15), around("saturated", 10, 0.15), around("ttft_500", 50, 0.15), around("ttft_100", 10, 0.15))
}

// around is a span of a share on either side.
func around(name string, x, share float64) span { return span{name, x * (1 - share), x * (1 + share)} }
