package prose

import (
	"fmt"
	"math"

	"openloop/content/demo"
	"openloop/numerics"
)

// Checks of the chapter on batch non-invariance. Each asks the engine again,
// over more seeds than the page shows where a sentence speaks of many.

// metric runs a demo at a link and returns one of its numbers.
func metric(id, link, name string) (float64, error) {
	d, ok := demo.Find(id)
	if !ok {
		return 0, fmt.Errorf("no demo is called %s", id)
	}
	state, problems := demo.Parse(d, link)
	if len(problems) > 0 {
		return 0, problems[0]
	}
	task, err := demo.Run(state)
	if err != nil {
		return 0, err
	}
	for _, m := range task.Metrics() {
		if m.Name == name {
			return m.Value, nil
		}
	}
	return 0, fmt.Errorf("%s has no metric %s", id, name)
}

// within fails unless a metric lies in [lo, hi].
func within(id, link, name string, lo, hi float64) error {
	got, err := metric(id, link, name)
	if err != nil {
		return err
	}
	if !(got >= lo && got <= hi) {
		return fmt.Errorf("%s#%s: %s is %v, not in %v to %v", id, link, name, got, lo, hi)
	}
	return nil
}

func first(checks ...error) error {
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
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

func twoAgreeThreeCan() error {
	orders := []numerics.Order{
		numerics.Pairwise, numerics.Halving, numerics.Strided, numerics.Kahan,
		numerics.SplitK(2), numerics.SplitK(4), numerics.SplitK(16), numerics.Block(256), numerics.Block(1024),
	}
	for _, o := range orders {
		for _, k := range []numerics.Kind{numerics.U01, numerics.Sym, numerics.Dot} {
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
	if short < 0.18 || short > 0.28 || long < 0.8 {
		return fmt.Errorf("64 products differ for %v of seeds, 1,024 for %v", short, long)
	}
	return nil
}

func fa2NotMonotone() error {
	return first(
		within("kernel-splits", "v=1", "at_1", 16, 16),
		within("kernel-splits", "v=1", "rises", 1, 13),
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
		within("near-ties", "v=1", "flip_at_0", 33, 50),
		within("near-ties", "v=1", "flip_at_1e5", 0.1, 3),
		within("near-ties", "v=1", "flip_at_1e4", 0, 0),
		within("near-ties", "v=1", "pairs", 500, 500),
	)
}

func bf16Amplifies() error {
	for _, seed := range []string{"7", "8", "9", "10"} {
		if err := within("logit-drift", "v=1&seed="+seed, "ratio", 100, 1e6); err != nil {
			return err
		}
	}
	return nil
}

func decoderParting() error {
	return first(
		within("greedy-decoder", "v=1&seeds=10", "parted_long", 50, 75),
		within("greedy-decoder", "v=1&seeds=10&activations=bf16", "parted_long", 0.01, 2),
		within("greedy-decoder", "v=1&seeds=10&activations=float32", "parted_long", 0, 0),
	)
}

func invariantNeverParts() error {
	return first(
		within("greedy-decoder", "v=1&invariant=on&seeds=10", "parted", 0, 0),
		within("greedy-decoder", "v=1&invariant=on&seeds=10&neighbors=512&seed=922", "parted", 0, 0),
	)
}
