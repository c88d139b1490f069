package prose

import (
	"fmt"
	"math"
	"strconv"

	"openloop/numerics"
	"openloop/numerics/decoder"
	"openloop/numerics/kernel"
)

// Checks of the chapter on batch non-invariance. Each asks the engine again,
// over more seeds than the page shows where a sentence speaks of many.

func spacingAt1e8() error {
	return first(
		within("three-numbers", "v=1", "spacing", 8, 8),
		within("three-numbers", "v=1&big=67108864", "spacing", 8, 8), // 2^26
	)
}

func threeNumbersBrackets() error {
	return first(
		within("three-numbers", "v=1", "result", 1, 1),
		within("three-numbers", "v=1&brackets=small_first", "result", 0, 0),
	)
}

// shareDiffering is the share of seeds 1..seeds for which two orders give
// different bits on n numbers of a kind.
func shareDiffering(k numerics.Kind, n, seeds int, a, b numerics.Order) float64 {
	row := make([]float32, n)
	differ := 0
	for seed := 1; seed <= seeds; seed++ {
		numerics.Fill(k, uint32(seed), row)
		x, _ := numerics.Sum(a, row, nil)
		y, _ := numerics.Sum(b, row, nil)
		if math.Float32bits(x) != math.Float32bits(y) {
			differ++
		}
	}
	return float64(differ) / float64(seeds)
}

func ordersDifferInLastBits() error { return within("sum-orders", "v=1", "worst_ulps", 1, 16) }

// exactSumMissed counts the seeds whose exact sum belongs to no order.
func exactSumMissed() error {
	missed, err := countSeeds(1000, "sum-orders", "v=1", "exact_orders", func(x float64) bool { return x == 0 })
	return first(err, between("seeds of 1,000 without the exact sum", missed, 60, 130))
}

func twoAgreeThreeCan() error {
	orders := []numerics.Order{
		numerics.Pairwise, numerics.Halving, numerics.Strided, numerics.Kahan,
		numerics.SplitK(2), numerics.SplitK(4), numerics.SplitK(16), numerics.Block(256), numerics.Block(1024),
	}
	for _, o := range orders {
		for _, k := range []numerics.Kind{numerics.U01, numerics.Sym, numerics.Wide, numerics.Dot, numerics.BF16Dot, numerics.Sq} {
			if share := shareDiffering(k, 2, 1000, numerics.Sequential, o); share != 0 {
				return fmt.Errorf("%s differs from left to right on 2 numbers of kind %s for %v of the seeds", o, k, share)
			}
		}
	}
	if share := shareDiffering(numerics.U01, 3, 1000, numerics.Sequential, numerics.Halving); share == 0 {
		return fmt.Errorf("no seed of 1,000 differs on 3 numbers")
	}
	return nil
}

func bf16ShareDiffers() error {
	short := shareDiffering(numerics.BF16Dot, 64, 1000, numerics.Sequential, numerics.Pairwise)
	long := shareDiffering(numerics.BF16Dot, 1024, 1000, numerics.Sequential, numerics.Pairwise)
	if short < 0.2 || short > 0.25 || long < 0.8 {
		return fmt.Errorf("64 products differ for %v of seeds, 1,024 for %v", short, long)
	}
	return nil
}

func fa2NotMonotone() error {
	return first(
		within("kernel-splits", "v=1", "at_1", 16, 16),
		within("kernel-splits", "v=1", "changes", 14, 14),
		within("kernel-splits", "v=1", "rises", 5, 5),
	)
}

func normSwitch256() error {
	const hidden = 4096
	below, from := kernel.RMSNormThreads(255, hidden), kernel.RMSNormThreads(256, hidden)
	if below != 1024 || from != 256 {
		return fmt.Errorf("%d threads below 256 tokens, %d from there", below, from)
	}
	return nil
}

func howTheLogitsMoved() error {
	return first(
		within("batch-invariance", "v=1", "moved_a", 3, 3),
		within("batch-invariance", "v=1", "moved_b", -1, -1),
		within("batch-invariance", "v=1", "gap_alone", 2, 2),
	)
}

func twoWinnersShare() error {
	two, err := countSeeds(60, "batch-invariance", "v=1", "winners", func(x float64) bool { return x == 2 })
	return first(err, between("seeds of 60 with two winners", two, 30, 50))
}

func invariantOneWinner() error {
	flips, err := countSeeds(30, "batch-invariance", "v=1&invariant=on", "flips", func(x float64) bool { return x != 0 })
	return first(err, between("seeds of 30 that flip", flips, 0, 0))
}

// invariantNotExact finds a seed whose one winner is not the exact one.
func invariantNotExact() error {
	for seed := 1; seed <= 60; seed++ {
		link := "v=1&invariant=on&seed=" + strconv.Itoa(seed)
		winner, err1 := metric("batch-invariance", link, "winner")
		exact, err2 := metric("batch-invariance", link, "exact_winner")
		if err := first(err1, err2); err != nil || winner != exact {
			return err
		}
	}
	return fmt.Errorf("the one winner is the exact winner for all of 60 seeds")
}

func costRange() error {
	return first(
		within("batch-invariance", "v=1", "cost_least", 1.2435, 1.2445),
		within("batch-invariance", "v=1", "cost_most", 1.6145, 1.6155),
	)
}

func flipAtDefault() error {
	return first(
		within("batch-invariance", "v=1", "winner_alone", 1, 1),
		within("batch-invariance", "v=1", "winner", 0, 0),
	)
}

func flipNeedsNearTie() error {
	return first(
		within("near-ties", "v=1", "flip_at_0", 38, 48),
		within("near-ties", "v=1", "flip_at_1e5", 0.1, 3),
		within("near-ties", "v=1", "flip_at_1e4", 0, 0),
		within("near-ties", "v=1", "pairs", 500, 500),
	)
}

func bf16Amplifies() error {
	for _, seed := range []string{"7", "8", "9"} {
		if err := within("logit-drift", "v=1&contexts=2000&seed="+seed, "ratio", 600, 1300); err != nil {
			return err
		}
	}
	return nil
}

func bf16FewContexts() error {
	all, err1 := metric("logit-drift", "v=1&contexts=5000", "ratio")
	low, err2 := metric("logit-drift", "v=1&contexts=300&seed=2", "ratio")
	high, err3 := metric("logit-drift", "v=1&contexts=300&seed=13", "ratio")
	return first(err1, err2, err3, between("one seed of 300 contexts over 5,000", low/all, 0.2, 0.3), between("another", high/all, 1.4, 1.6))
}

// valuesRounded counts what the decoder rounds for a token: a row after the
// mix, five in each layer, of which two are of the inner width, the last norm and the logits.
func valuesRounded() error {
	c := decoder.Small()
	return between("values", float64(c.Width+c.Layers*(3*c.Width+2*c.Hidden)+c.Width+c.Vocab), 3900, 4200)
}

func bf16MostlyEqual() error {
	many, err := countSeeds(5, "logit-drift", "v=1", "unequal_bf16", func(x float64) bool { return x >= 8 })
	return first(err, between("seeds of 5 with 8% of contexts unequal", many, 0, 0))
}

func bf16PartsEveryStep() error {
	return first(
		within("logit-drift", "v=1&batch=64", "unequal_bf16_partials", 100, 100),
		within("logit-drift", "v=1&batch=8", "unequal_bf16_partials", 0, 0),
	)
}

func decoderParting() error {
	return first(
		within("greedy-decoder", "v=1&seeds=10", "parted_long", 60.9, 61.1),
		within("greedy-decoder", "v=1&seeds=10&activations=bf16", "parted_long", 0.29, 0.31),
		within("greedy-decoder", "v=1&seeds=10&activations=float32", "parted_long", 0, 0),
	)
}

func invariantNeverParts() error {
	return first(
		within("greedy-decoder", "v=1&invariant=on&seeds=10", "parted", 0, 0),
		within("greedy-decoder", "v=1&invariant=on&seeds=10&neighbors=512&seed=922", "parted", 0, 0),
	)
}
