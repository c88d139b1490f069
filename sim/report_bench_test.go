package sim

import (
	"slices"
	"strconv"
	"testing"
)

// BenchmarkReport is the report of a run near saturation, percentiles, verdict
// and warm-up included. Its target for 10,000 requests is 2 ms natively.
func BenchmarkReport(b *testing.B) {
	for _, n := range []int{2_000, 10_000, 1_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			due, service := fifoRandom(1, n, 64, 0.95)
			r := fifo{servers: 64}.run(due, service)
			b.ReportAllocs()
			for b.Loop() {
				NewReport(r, ReportOptions{SLO: SLO{TTFT: Second}})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/request")
		})
	}
}

// BenchmarkQuantiles compares selection with sorting on the data that the
// report sees: p50, p90 and p99 with their intervals.
func BenchmarkQuantiles(b *testing.B) {
	const n = 10_000
	due, service := fifoRandom(1, n, 64, 0.95)
	r := fifo{servers: 64}.run(due, service)
	for _, c := range []struct {
		name string
		m    Metric
	}{{"TTFT", TTFT}, {"E2E", E2E}} {
		fill := func(s *Selector) {
			s.Reset()
			for i := range n {
				x, _ := r.Latency(c.m, i, FromSent)
				s.Add(x)
			}
		}
		b.Run(c.name+"/select", func(b *testing.B) {
			var s Selector
			dst := make([]Quantile, 0, 3)
			for b.Loop() {
				fill(&s)
				dst = s.Quantiles(dst[:0], []float64{0.5, 0.9, 0.99}, NearestRank, 0.95)
			}
		})
		b.Run(c.name+"/sort", func(b *testing.B) {
			var s Selector
			for b.Loop() {
				fill(&s)
				slices.Sort(s.values)
			}
		})
	}
}

func BenchmarkSeries(b *testing.B) {
	due, service := fifoRandom(1, 2000, 64, 0.95)
	r := fifo{servers: 64}.run(due, service)
	for k := range Nanos(200) {
		r.Samples = append(r.Samples, Sample{At: r.EndAt * (k + 1) / 200, ITLp99: Never})
	}
	b.ReportAllocs()
	for b.Loop() {
		NewSeries(r, SeriesOptions{KVBlocks: 100})
	}
}
