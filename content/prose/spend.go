package prose

import (
	"fmt"
	"math"
	"strconv"

	"openloop/planner/route"
)

// Checks of the chapter on routing, caches and the batch tier. Most of it is
// closed forms, which no seed moves.

func fourCounts() error {
	return first(
		page("router-frontier", "v=1",
			span{"weak_accuracy", 68, 68.2}, span{"strong_accuracy", 80.5, 80.7}, span{"only_strong", 17.7, 17.9}, span{"only_weak", 5.2, 5.4}),
		between("questions on which both are right or both wrong", route.MMLU().Rates().Both()+route.MMLU().Rates().Neither(), 0.75, 0.8))
}

func oracleBeatsStrong() error {
	return asked("router-frontier", "v=1", []int{7}, func(r *run) {
		r.in("oracle_accuracy", 85.8, 86)
		r.in("oracle_share", 17.7, 17.9)
		r.in("oracle_cost", 4.25, 4.35) // a fifth of 20
		r.hold(r.get("oracle_accuracy") > r.get("strong_accuracy"), "the oracle is at %v, the strong model at %v", r.get("oracle_accuracy"), r.get("strong_accuracy"))
	})
}

func halfTheBill() error {
	return page("router-frontier", "v=1&curve=shown", span{"match_part", 47, 51})
}

func pastTheTop() error {
	onlyStrong, onlyWeak := leftAtTheTop()
	err := first(between("of what the top leaves, only the strong model right", 100*onlyStrong, 3.25, 3.35), between("only the weak one", 100*onlyWeak, 6.15, 6.25))
	return first(err, asked("router-frontier", "v=1&curve=shown", []int{7}, func(r *run) {
		r.in("top_share", 71, 72)
		r.hold(r.get("top_accuracy") > r.get("strong_accuracy"), "the top is at %v", r.get("top_accuracy"))
		all, err := metric("router-frontier", "v=1&curve=shown&share=100", "accuracy")
		r.hold(err == nil && all < r.get("top_accuracy"), "all sent: %v", all)
		left, err := metric("router-frontier", "v=1&curve=shown&share=85", "accuracy")
		r.hold(err == nil && all < left && left < r.get("top_accuracy"), "85%% sent: %v", left)
	}))
}

func bestAtTenCents() error {
	return first(
		page("router-frontier", "v=1&curve=shown", span{"best_share", 25, 27}, span{"regret", 1.7, 1.9}),
		page("router-frontier", "v=1&curve=shown&worth=1", span{"best_share", 63, 64.5}))
}

func nearPrices() error {
	far, err1 := metric("router-frontier", "v=1&curve=shown&share=50", "cost")
	near, err2 := metric("router-frontier", "v=1&curve=shown&share=50&strong=2.7", "cost")
	return first(err1, err2,
		page("router-frontier", "v=1&curve=shown&strong=2.7", span{"match_part", 62, 67}),
		between("bill of half of the calls at 22 to 1, of the strong model's", far/20, 0.515, 0.525), between("and at 3 to 1", near/2.7, 0.66, 0.675))
}

// intervalOverThreshold compares the interval of one evaluation with what a
// threshold can win above a quarter sent, and asks that it is about twice as much.
func intervalOverThreshold() error {
	quarter, err := metric("router-frontier", "v=1&curve=shown&share=25", "accuracy")
	return first(err, asked("router-frontier", "v=1&curve=shown", seedsTo(10), func(r *run) {
		times := (r.get("measured_high") - r.get("measured_low")) / (r.get("top_accuracy") - quarter)
		r.hold(times > 1.7 && times < 2.2, "the interval is %v times what the threshold wins", times)
	}))
}

func cloudOfEvaluations() error {
	hold := 0
	err := asked("router-frontier", "v=1&curve=shown", seedsTo(40), func(r *run) {
		r.hold(r.get("measured_high")-r.get("measured_low") > 6 && r.get("measured_high")-r.get("measured_low") < 8, "from %v to %v", r.get("measured_low"), r.get("measured_high"))
		if r.get("measured_low") <= r.get("accuracy") && r.get("accuracy") <= r.get("measured_high") {
			hold++
		}
	})
	return first(err, between("intervals of 40 that hold the formula's value", float64(hold), 34, 40),
		asked("router-frontier", "v=1&curve=shown", []int{7}, func(r *run) {
			r.hold(r.get("measured_low") <= r.get("accuracy") && r.get("accuracy") <= r.get("measured_high"), "the interval shown does not hold %v", r.get("accuracy"))
		}))
}

// seedsTo is 1 to n.
func seedsTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

func aucOfAQuarter() error {
	var all []error
	// A hundredth of the AUC less and more does not give the share any better.
	for _, c := range []struct {
		questions string
		auc, want float64
	}{{"mmlu", 0.66, 25}, {"mmlu", 0.79, 12.5}, {"gsm8k", 0.69, 25}, {"gsm8k", 0.89, 12.5}} {
		off := func(auc float64) float64 {
			share, err := metric("router-frontier", "v=1&curve=shown&workload="+c.questions+"&auc="+strconv.FormatFloat(auc, 'f', 2, 64), "cpt50")
			all = append(all, err)
			return math.Abs(share - c.want)
		}
		if here, less, more := off(c.auc), off(c.auc-0.01), off(c.auc+0.01); here > less || here > more {
			all = append(all, fmt.Errorf("%s: an AUC of %v is not the nearest for %v%% of the calls", c.questions, c.auc, c.want))
		}
	}
	return first(all...)
}

func nearACoin() error {
	return page("router-frontier", "v=1&curve=shown&auc=0.53", span{"match_part", 99.5, 100})
}

func matchAt066() error {
	r, err := runAt("router-frontier", "v=1&curve=shown&auc=0.66")
	if err != nil {
		return err
	}
	r.in("match_part", 92.5, 93.5)
	r.in("cpt50", 24.5, 25.5)
	// The bill is 0.9 and 19.1 for each call.
	second := 100*(r.get("match_cost")-0.9)/19.1 - r.get("cpt50")
	return first(r.err, between("calls for the second half of the gap", second, 67.5, 68.5))
}

func mixMoves() error {
	return first(
		page("moving-mix", "v=1&easy=80", span{"sent", 34, 36}, span{"best_share", 9, 11}, span{"wasted", 27, 31}),
		page("moving-mix", "v=1&easy=0", span{"wasted", 0, 1}))
}

func labelsCostLess() error {
	const bill = labeled * (0.9 + 20) / 1000
	lost, err := metric("moving-mix", "v=1&easy=80", "lost")
	return first(err, between("$ of 500 requests at both models", bill, 10.44, 10.46), between("requests until the drift has cost that", 1000*bill/lost, 4500, 5000))
}

func crossOver() error {
	return first(page("cascade", "v=1&strong=20", span{"cross", 95.4, 95.6}), page("cascade", "v=1", span{"cross", 66.6, 66.7}),
		page("cascade", "v=1&auc=0.95&noise=0", span{"cross", 66.6, 66.7}))
}

func paysBoth() error {
	less, err := metric("cascade", "v=1&escalate=60", "accuracy")
	return first(err, asked("cascade", "v=1&escalate=75", []int{7}, func(r *run) {
		r.in("cost_part", 107, 110)
		r.hold(r.get("accuracy") < r.get("strong_accuracy")-0.5, "%v right, the strong model %v", r.get("accuracy"), r.get("strong_accuracy"))
		r.hold(less < r.get("accuracy")-0.5, "60%% escalated: %v, 75%%: %v", less, r.get("accuracy"))
	}))
}

func escalatedInVain() error {
	return page("cascade", "v=1", span{"repaired_of_100", 22, 26}, span{"spoiled_of_100", 4, 5})
}

func repairable() error {
	return first(page("cascade", "v=1", span{"repairable", 55.6, 55.8}),
		between("the strong model right, where the weak one is", 100*route.MMLU().Rates().StrongGivenWeakRight(), 91.5, 92.5))
}

func cascadeWinsFar() error {
	return asked("cascade", "v=1&strong=20&noise=0&auc=0.8&router=0.7", []int{7}, func(r *run) {
		r.in("accuracy", 79, 79.5)
		r.hold(!(r.get("accuracy") < r.get("router_accuracy")+1) && r.get("accuracy") < r.get("router_accuracy")+2, "%v and %v", r.get("accuracy"), r.get("router_accuracy"))
	})
}

// cascadeNeedsMore: what is left of the cascade's advantage without the better signal.
func cascadeNeedsMore() error {
	return first(
		asked("cascade", "v=1&strong=20&noise=0&router=0.76", []int{7}, func(r *run) {
			r.hold(math.Abs(r.get("accuracy")-r.get("router_accuracy")) < 0.1, "%v and %v", r.get("accuracy"), r.get("router_accuracy"))
		}),
		asked("cascade", "v=1&strong=20&noise=0&router=0.8", []int{7}, func(r *run) {
			r.in("router_accuracy", 80, 80.4)
			r.hold(r.get("router_accuracy") > r.get("accuracy")+0.5, "%v and %v", r.get("router_accuracy"), r.get("accuracy"))
		}),
		asked("cascade", "v=1&noise=0", []int{7}, func(r *run) {
			r.in("router_accuracy", 79.4, 79.8)
			r.hold(r.get("router_accuracy") > r.get("accuracy")+0.1, "%v and %v", r.get("router_accuracy"), r.get("accuracy"))
		}))
}

func falseHits() error {
	var all []error
	for _, threshold := range []string{"-1", "0", "1", "2"} {
		all = append(all, page("semantic-cache", "v=1&threshold="+threshold, span{"true_hits", 0, 30}))
	}
	return first(append(all, page("semantic-cache", "v=1",
		span{"hits", 38, 39}, span{"false_hits", 10.5, 11.5}, span{"behind_accuracy", 77.5, 78.1}, span{"accuracy", 71, 71.9}))...)
}

func pastTheRepeats() error {
	hits, bill := 101.0, -1.0
	var all []error
	for _, threshold := range []string{"-1", "0", "1", "2", "3"} {
		all = append(all, asked("semantic-cache", "v=1&threshold="+threshold, []int{7}, func(r *run) {
			r.hold(r.get("hits") < hits && r.get("cost") > bill, "a stricter threshold: %v hits for %v, after %v for %v", r.get("hits"), r.get("cost"), hits, bill)
			hits, bill = r.get("hits"), r.get("cost")
		}))
	}
	return first(append(all, page("semantic-cache", "v=1", span{"added_true_45", 24, 28}))...)
}

// cacheCap: no share reaches more than the one of the page, which the curve's
// top is next to.
func cacheCap() error {
	top, err := metric("semantic-cache", "v=1&share=71", "accuracy")
	all := []error{err, between("the cap", top, 74.4, 74.7), page("semantic-cache", "v=1&share=71", span{"behind_accuracy", 81.3, 81.5})}
	for _, share := range []string{"0", "25", "50", "65", "77", "85", "100"} {
		all = append(all, page("semantic-cache", "v=1&share="+share, span{"accuracy", 0, top}))
	}
	return first(all...)
}

func diverseTraffic() error {
	return first(page("semantic-cache", "v=1", span{"precision", 70, 72}), page("semantic-cache", "v=1&repeats=5", span{"precision", 22, 25}))
}

func volatileTTL() error {
	return first(page("cache-classes", "v=1&ttl=24", span{"volatile_stale", 20, 22}, span{"volatile_worth", -100, -1}),
		page("cache-classes", "v=1&ttl=0.5", span{"volatile_worth", 1, 10}))
}

func seldomAsked() error {
	often, err1 := metric("cache-classes", "v=1&ttl=24", "stable_worth")
	seldom, err2 := metric("cache-classes", "v=1&ttl=24&often=0.1", "stable_worth")
	return first(err1, err2, between("worth of a stable class that is seldom asked, less", 1-seldom/often, 0.303, 0.313))
}

func riskyNever() error {
	return first(
		asked("cache-classes", "v=1", []int{7}, func(r *run) {
			r.in("risky_ttl", 0, 0)
			r.hold(!apart(r.get("risky_false"), r.get("stable_false"), 0.07), "false hits %v and %v", r.get("risky_false"), r.get("stable_false"))
			r.hold(!apart(r.get("volatile_false"), r.get("stable_false"), 0.07), "false hits %v and %v", r.get("volatile_false"), r.get("stable_false"))
		}),
		page("cache-classes", "v=1&threshold=3.2", span{"risky_best", 0.1, 5}))
}

func onlyTheWorthy() error {
	return page("cache-classes", "v=1&ttl=24", span{"all", 0.4, 0.6}, span{"only", 2.3, 2.5})
}

func ownFleetSavesMore() error {
	return overSeeds(3, "batch-tier", "v=1", span{"gpus", 7, 7}, span{"gpus_all", 10, 10}, span{"p99", 20, 500}, span{"list_saved", 17.4, 17.6}, span{"full", 37.4, 37.6}, span{"gpus_alone", 6, 7})
}

func batchForNothing() error {
	// That it is one fewer for some seeds is allowed with the claim before.
	return page("batch-tier", "v=1", span{"gpus_alone", 7, 7}, span{"gpus", 7, 7})
}

// withinADay: hours of a day, and seconds of its 120.
func withinADay() error {
	return overSeeds(3, "batch-tier", "v=1", span{"longest", 8.5, 10.5})
}

func nightIsFull() error {
	return first(
		page("batch-tier", "v=1", span{"gpus", 7, 7}),
		page("batch-tier", "v=1&waits=60", span{"gpus", 7, 7}, span{"list_saved", 29.9, 30.1}),
		overSeeds(1, "batch-tier", "v=1&waits=60", span{"gpus", 7, 8}),
		page("batch-tier", "v=1&waits=60&night=100", span{"saved", 0, 0}, span{"gpus", 10, 10}, span{"gpus_all", 10, 10}),
		overSeeds(2, "batch-tier", "v=1&waits=60&night=100", span{"gpus", 10, 11}, span{"gpus_all", 10, 11}))
}

func stackBill() error {
	return overSeeds(10, "stack", "v=1", span{"strong_cost", 20, 20}, span{"cost", 3.64, 3.66}, span{"strong_accuracy", 80.5, 80.7}, span{"accuracy", 76.9, 77.1}, span{"drawn_off", 0, 1.6})
}

func savingsDoNotAdd() error {
	return asked("stack", "v=1", []int{7}, func(r *run) {
		r.in("cache_alone", 3.9, 4)
		r.in("cache_last", 0.85, 0.93)
		r.hold(r.get("cache_alone")+r.get("way_alone")+r.get("tier_alone") > 20, "the sum is %v", r.get("cache_alone")+r.get("way_alone")+r.get("tier_alone"))
		for _, part := range []string{"cache", "way", "tier"} {
			r.hold(r.get(part+"_alone") > r.get(part+"_last")+1, "%s saves %v alone and %v last", part, r.get(part+"_alone"), r.get(part+"_last"))
		}
	})
}

func stackPoints() error {
	all := []error{page("stack", "v=1", span{"cache_points", 0.8, 1}, span{"tier_points", 0, 0}), page("stack", "v=1&hits=45", span{"cache_points", 9.5, 11})}
	for _, share := range []string{"0", "50", "71", "100"} { // nothing behind the cache brings them back
		all = append(all, page("stack", "v=1&hits=45&share="+share, span{"accuracy", 50, 72}))
	}
	return first(all...)
}

func plateau() error {
	a, err1 := runAt("router-frontier", "v=1&curve=shown&auc=0.6")
	b, err2 := runAt("router-frontier", "v=1&curve=shown&auc=0.7")
	if err := first(err1, err2); err != nil {
		return err
	}
	a.in("cpt50", 32, 34)
	b.in("cpt50", 19, 21)
	return first(a.err, b.err, between("right answers at half of the calls, AUC 0.7 less 0.6", b.get("accuracy")-a.get("accuracy"), 1.5, 2.5))
}
