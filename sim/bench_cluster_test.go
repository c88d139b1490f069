package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkLever is what a page computes when a lever is pulled: four replicas,
// 100 s, some 2,000 requests, and all signals.
func BenchmarkLever(b *testing.B) {
	for i := range levers {
		l := levers[i]
		s, err := Healthy(l.ID).Pulled(defaultPull(l))
		require.NoError(b, err)
		b.Run(l.ID, func(b *testing.B) { benchScenario(b, s) })
	}
}

func benchScenario(b *testing.B, s Scenario) {
	n := 0
	for b.Loop() {
		x, err := s.New(1)
		require.NoError(b, err)
		x.Run()
		n += len(x.Results().SentAt)
		NewSeries(x.Results(), SeriesOptions{KVBlocks: s.Config.Engine.KVBlocks, SLO: HealthySLO})
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/run")
}

// BenchmarkP8cAffinity is the row p8c of the performance table, with its
// routing.
func BenchmarkP8cAffinity(b *testing.B) {
	c, specs := p8c(10_000)
	c.Routing, c.Affinity = PrefixAffinity, Affinity{Blocks: 4, Guard: 8}
	c.Engine.KVBlocks = 460 // of which more than 1 request in 100 is preempted
	measure(b, c, specs)
}
