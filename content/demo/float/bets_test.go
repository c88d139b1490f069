package float

import (
	"testing"

	"openloop/content/demotest"
)

// The right answers: four that do not depend on the seed, and three that do.
func TestBetAnswers(t *testing.T) {
	demotest.Answers(t, all, map[string]int{
		"three-numbers": 1, "kernel-splits": 2, "near-ties": 2, "logit-drift": 3,
		"sum-orders": 0, "sum-orders&seed=5": 1, "sum-orders&seed=9": 2,
		"batch-invariance": 0, "batch-invariance&seed=4": 0,
		"greedy-decoder": 0, "greedy-decoder&seed=900": 1,
	})
}
