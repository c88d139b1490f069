package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

// TestNothingIsAllocated: plans and ablations of every case that is possible as
// it stands take no memory, so a page may make one at each move of a slider.
func TestNothingIsAllocated(t *testing.T) {
	for _, c := range planCases(t) {
		targets := planner.DefaultTargets(c.d)
		a, err := planner.Ablate(c.w, c.d, c.o, targets)
		require.NoError(t, err)
		assert.Zero(t, testing.AllocsPerRun(20, func() { planner.Evaluate(c.w, c.d, c.o) }), "%s: a plan", c.name)
		impossible := !a.Known
		for _, s := range a.Savings {
			impossible = impossible || s.Needed || s.Harmful || !s.LastInKnown || s.WithTP != c.d.TP || s.WithoutTP != c.d.TP
		}
		if impossible {
			continue // errors take memory
		}
		assert.Zero(t, testing.AllocsPerRun(20, func() { planner.Ablate(c.w, c.d, c.o, targets) }), "%s: an ablation", c.name)
	}
}

// BenchmarkAblate is a plan, every lever turned, and the ranking. The budget is
// 200 us native and 1 ms in the browser.
func BenchmarkAblate(b *testing.B) {
	for _, c := range planCases(b) {
		targets := planner.DefaultTargets(c.d)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := planner.Ablate(c.w, c.d, c.o, targets); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEvaluate(b *testing.B) {
	c := chat70B(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := planner.Evaluate(c.w, c.d, c.o); err != nil {
			b.Fatal(err)
		}
	}
}
