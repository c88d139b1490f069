package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/planner"
)

// TestNothingIsAllocated: plans and ablations of every case take no memory, though
// a lever makes some of them impossible, so a page may make one at each move of a slider.
func TestNothingIsAllocated(t *testing.T) {
	for _, c := range planCases(t) {
		targets := planner.DefaultTargets(c.d)
		assert.Zero(t, testing.AllocsPerRun(20, func() { planner.Evaluate(c.w, c.d, c.o) }), "%s: a plan", c.name)
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
