package sizing

import (
	"testing"

	"openloop/content/demo"
	"openloop/content/demo/draw"
)

// What one move of a slider costs: the plan, all levers, every figure as HTML.
func BenchmarkMove(b *testing.B) {
	s, _ := demo.Parse(capacityPlanner(), "plan=shown&b_gpu=h200-sxm")
	for b.Loop() {
		t, err := demo.Run(s)
		if err != nil {
			b.Fatal(err)
		}
		draw.Frame(s, t)
	}
}
