package sim

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// The workloads of the performance table, from a generator of this file.

// p8Cost: 6.09 ms a step, 16.02 us a prefill token, 8.2 us a sequence, 44.3 ns a
// token of KV.
var p8Cost = LinearCost{Base: 6_090_000_000, PerPrefillToken: 16_020_000, PerDecode: 8_200_000, PerKVToken: 44_300}

func p8Config() Config {
	return Config{Replicas: 1, Engine: Engine{
		MaxNumSeqs: 256, MaxBatchedTokens: 2048, PrefillChunkTokens: 2048, BlockTokens: 16, KVBlocks: 400_000 / 16, Cost: p8Cost,
	}}
}

// poisson makes n requests at a rate, with normal lengths that are clipped.
func poisson(n int, ratePerSec float64, seed uint64) []Spec {
	rng := rand.New(rand.NewPCG(seed, 8))
	normal := func(mean, sd, lo, hi float64) int32 {
		return int32(min(max(mean+sd*rng.NormFloat64(), lo), hi))
	}
	out := make([]Spec, n)
	at := 0.0
	for i := range out {
		at += -math.Log(1-rng.Float64()) / ratePerSec
		out[i] = ask(Seconds(at), normal(512, 256, 16, 2048), normal(192, 96, 1, 768))
	}
	return out
}

// p8c: eight replicas, eight shared prefixes of 256 tokens (Zipf 1), and little
// KV. Routed to the fewest requests, as there is no routing by prefix yet.
func p8c(n int) (Config, []Spec) {
	c := p8Config()
	c.Replicas, c.Routing = 8, LeastRequests
	c.Engine.PrefixCache, c.Engine.KVBlocks = true, 500
	specs := poisson(n, 64, 1)
	rng := rand.New(rand.NewPCG(1, 9))
	var prefixes [8][]Segment
	var cumulative [8]float64
	sum := 0.0
	for i := range prefixes {
		prefixes[i] = []Segment{{ID: uint64(i + 1), Tokens: 256}}
		sum += 1 / float64(i+1)
		cumulative[i] = sum
	}
	for i := range specs {
		u := rng.Float64() * sum
		k := 0
		for cumulative[k] < u {
			k++
		}
		specs[i].Prefix = prefixes[k]
	}
	return c, specs
}

// measure runs one list of requests after the other, again and again, and reports
// rates, and the memory that the process has taken for its heap so far: in
// WebAssembly it is never given back, so run a benchmark by itself to know its own.
func measure(b *testing.B, c Config, lists ...[]Spec) {
	b.Helper()
	b.ReportAllocs()
	var requests, preempted, steps int64
	for i := 0; b.Loop(); i++ {
		specs := lists[i%len(lists)]
		s, err := New(c, &list{specs: specs}, 1)
		require.NoError(b, err)
		s.Run()
		t := s.Results().Totals
		requests += int64(len(specs))
		preempted += t.Preempted
		steps += t.Steps
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(requests)/seconds, "requests/s")
	b.ReportMetric(float64(steps)/seconds, "steps/s")
	b.ReportMetric(seconds*1e9/float64(requests), "ns/request")
	b.ReportMetric(float64(preempted)/float64(requests)*100, "preempted-%")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/(1<<20), "heap-MiB")
}

func BenchmarkP8(b *testing.B) { measure(b, p8Config(), poisson(10_000, 8, 1)) }

func BenchmarkP8c(b *testing.B) {
	c, specs := p8c(10_000)
	measure(b, c, specs)
}

// BenchmarkScale asks whether a request takes as long in a long run as in a short
// one. Each size runs at least 100,000 different requests: the same thousand again
// and again would be known to the processor, which guesses their branches.
func BenchmarkScale(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var lists [][]Spec
			for seed := range uint64(max(1, 100_000/n)) {
				lists = append(lists, poisson(n, 8, 1+seed))
			}
			measure(b, p8Config(), lists...)
		})
	}
}

// BenchmarkOverload keeps 256 running and a queue that only grows.
func BenchmarkOverload(b *testing.B) { measure(b, p8Config(), poisson(10_000, 80, 1)) }

// BenchmarkTight is short of blocks, not of seats.
func BenchmarkTight(b *testing.B) {
	c := p8Config()
	c.Engine.KVBlocks = 700
	measure(b, c, poisson(10_000, 8, 1))
}

// BenchmarkDashboard is what a page computes when a slider moves: 2,000
// requests and the signals, a row a second.
func BenchmarkDashboard(b *testing.B) {
	c := p8Config()
	c.SampleEvery = Second
	measure(b, c, poisson(2_000, 8, 1))
}

// BenchmarkAsync is p8 on an asynchronous engine, BenchmarkPrefix with the
// prefix cache on, BenchmarkTable with a cost that is not linear.
func BenchmarkAsync(b *testing.B) {
	c := p8Config()
	c.Engine.Async = true
	measure(b, c, poisson(10_000, 8, 1))
}

func BenchmarkPrefix(b *testing.B) {
	c := p8Config()
	c.Engine.PrefixCache = true
	measure(b, c, poisson(10_000, 8, 1))
}

func BenchmarkBent(b *testing.B) {
	c := p8Config()
	c.Engine.Cost = opaque{p8Cost}
	measure(b, c, poisson(10_000, 8, 1))
}

// opaque hides that a cost is linear.
type opaque struct{ StepCost }

// BenchmarkStep is p8 step by step.
func BenchmarkStep(b *testing.B) {
	specs := poisson(10_000, 8, 1)
	for b.Loop() {
		s, err := New(p8Config(), &list{specs: specs}, 1)
		require.NoError(b, err)
		for s.Step() {
		}
	}
	b.ReportMetric(float64(len(specs)*b.N)/b.Elapsed().Seconds(), "requests/s")
}
