package profile

import "testing"

func BenchmarkInterpolate(b *testing.B) {
	g, _ := FindGPU("h200-sxm")
	m, _ := FindModel("llama-2-13b")
	b.ReportAllocs()
	for b.Loop() {
		c := Interpolate(g, m, FP8, 1)
		_ = c.DecodeSeconds(1, 1)
	}
}

func BenchmarkStep(b *testing.B) {
	m, _ := FindModel("deepseek-v3")
	b.ReportAllocs()
	for b.Loop() {
		_ = m.StepWeightBytes(37, 1) + m.KVBytes(4096, 2) + m.DecodeFLOPs(4096)
	}
}
