package diagnose_test

import (
	"testing"

	"openloop/sim"
	"openloop/sim/diagnose"
)

// BenchmarkRead reads a hundred windows of eight replicas, one of which fails.
func BenchmarkRead(b *testing.B) {
	s := sim.Healthy("")
	s.Config.Replicas = 8
	s.Config.SampleEvery = sim.Second
	w := run(b, s, 1, sim.Pull{Lever: "straggler", Span: sim.Span{From: 40 * sim.Second, To: 80 * sim.Second}, Intensity: 8})
	b.ReportAllocs()
	for b.Loop() {
		if r := diagnose.Read(w); len(r.Reasons) == 0 {
			b.Fatal(r.Verdict)
		}
	}
}
