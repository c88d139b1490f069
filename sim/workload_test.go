package sim

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updateGolden = flag.Bool("update-workloads", false, "write testdata/workloads.golden anew")

// kinds is one workload of each kind; laws and goldens run over all of them.
var kinds = []struct {
	name string
	w    Workload
}{
	{"constant", Workload{Generator: OpenLoop{Constant{8}}, Lengths: chat, Requests: 300}},
	{"poisson", Workload{Generator: OpenLoop{Poisson{8}}, Lengths: chat, Requests: 300}},
	{"gamma", Workload{Generator: OpenLoop{Gamma{8, 0.5}}, Lengths: chat, Requests: 300}},
	{"burst", Workload{Generator: OpenLoop{Burst{}}, Lengths: chat, Requests: 300}},
	{"mmpp", Workload{Generator: OpenLoop{MMPP{[2]float64{2, 40}, [2]Nanos{10 * Second, 2 * Second}}}, Lengths: chat, Until: 60 * Second}},
	{"curve", Workload{Generator: OpenLoop{Curve{RatePerSec: []float64{0, 10, 0, 0}, Every: Second, Repeat: true}}, Lengths: chat, Requests: 300}},
	{"diurnal", Workload{Generator: OpenLoop{Diurnal{1, 9, 60 * Second}}, Lengths: chat, Requests: 300}},
	{"ramp", Workload{Generator: OpenLoop{Ramp{1, 20, 30 * Second}}, Lengths: chat, Requests: 300}},
	{"closed", Workload{Generator: ClosedLoop{Clients: 8}, Lengths: chat, Requests: 300}},
	{"closed thinking", Workload{Generator: ClosedLoop{Clients: 8, Think: ThinkTime{Second, true}, StartEvery: 100 * Millisecond}, Lengths: chat, Until: 60 * Second}},
	{"throttled", Workload{Generator: Throttled{Poisson{8}, 4}, Lengths: chat, Requests: 300}},
	{"sessions", Workload{Generator: Sessions{Starts: Poisson{2}, Turns: GeometricCount{4}, Think: ThinkTime{Second, true}, MaxContext: 8192},
		Lengths: chat, Shared: SharedPrefixes{Prefixes: 3, Tokens: 100, Zipf: 1, Share: 1}, Requests: 300}},
	{"replay", Trace{
		At: []Nanos{0, 0, 0, 3 * Second, 3 * Second, 9 * Second}, Prompt: []int32{700, 1200, 512, 1, 900, 30}, Output: []int32{1, 2, 3, 4, 5, 6},
		Hashes: [][]uint64{{1, 2}, {1, 2, 3}, {1}, {4}, {1, 5}, {6}}, HashTokens: 512,
	}.Replay(1.5, 3*Second)},
	{"offline", Workload{Generator: MLPerfOffline{}, Lengths: Joint{[]int32{10, 20, 30}, []int32{1, 2, 3}}, Requests: 300}},
	{"server", Workload{Generator: MLPerfServer{8}, Lengths: chat, Requests: 300}},
	{"single stream", Workload{Generator: MLPerfSingleStream{}, Lengths: chat, Requests: 300}},
	{"multi stream", Workload{Generator: MLPerfMultiStream{8}, Lengths: chat, Requests: 304}},
	{"shared and tiers", Workload{Generator: OpenLoop{Poisson{8}}, Lengths: Separate{UniformCount{10, 20}, LogNormalCount{100, 1, 1, 2000}},
		Shared: SharedPrefixes{Prefixes: 8, Tokens: 256, Zipf: 1, Share: 0.5}, Batch: BatchTier{0.3, 5}, Requests: 300}},
}

// specText is a request in one line of a golden.
func specText(r *Spec) string {
	var b strings.Builder
	for _, v := range []int64{int64(r.IntendedAt), int64(r.SentAt), int64(r.Prompt), int64(r.Output), int64(r.Priority),
		int64(r.Session), int64(r.Turn), int64(r.Client), int64(r.OutputID)} {
		b.WriteString(strconv.FormatInt(v, 10) + " ")
	}
	for _, s := range r.Prefix {
		b.WriteString(strconv.FormatUint(s.ID, 16) + ":" + strconv.Itoa(int(s.Tokens)) + " ")
	}
	return strings.TrimSpace(b.String())
}

// TestGoldenSpecs holds the first 20 requests of each kind under one seed, on a
// server that takes 700 ms for each. The laws below are what they must obey.
func TestGoldenSpecs(t *testing.T) {
	var b strings.Builder
	b.WriteString("# intended sent prompt output priority session turn client outputID prefix...\n")
	for _, k := range kinds {
		b.WriteString("\n" + k.name + "\n")
		for _, r := range fixed(700*Millisecond, 20).run(t, mustSource(t, k.w, 7)) {
			b.WriteString(specText(&r.Spec) + "\n")
		}
	}
	file := filepath.Join("testdata", "workloads.golden")
	if *updateGolden {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
}

func TestLawsOfEveryKind(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			// run checks that sends are in order and not before their plan.
			all := random(700*Millisecond, 1000).run(t, mustSource(t, k.w, 7))
			assert.Equal(t, all, random(700*Millisecond, 1000).run(t, mustSource(t, k.w, 7)), "same seed, same requests")
			if k.w.Requests > 0 {
				assert.Len(t, all, k.w.Requests)
			}
			before := Nanos(0)
			for i, r := range all {
				if k.w.Until > 0 {
					assert.Less(t, r.IntendedAt, k.w.Until)
				}
				assert.GreaterOrEqual(t, r.IntendedAt, before, "plans are in order")
				before = r.IntendedAt
				total := int32(0)
				for _, s := range r.Prefix {
					assert.Positive(t, s.Tokens)
					total += s.Tokens
				}
				assert.LessOrEqual(t, total, r.Prompt, "request %d shares more than its prompt", i)
			}
			if k.name != "replay" {
				other := random(700*Millisecond, 1000).run(t, mustSource(t, k.w, 8))
				assert.NotEqual(t, all, other, "another seed, other requests")
			}
		})
	}
}

// TestStreamsAreIndependent: lengths, prefixes and tiers can change and leave
// the instants as they were; prompts can change and leave the outputs.
func TestStreamsAreIndependent(t *testing.T) {
	w := Workload{Generator: OpenLoop{Gamma{8, 0.5}}, Lengths: chat, Requests: 500}
	base := fixed(0, 500).run(t, mustSource(t, w, 3))
	w.Lengths = Separate{Prompt: LogNormalCount{300, 1.5, 1, 9000}, Output: chat.Output}
	w.Shared = SharedPrefixes{Prefixes: 5, Tokens: 64, Zipf: 1, Share: 0.5}
	w.Batch = BatchTier{0.5, 1}
	changed := fixed(0, 500).run(t, mustSource(t, w, 3))
	for i := range base {
		assert.Equal(t, base[i].SentAt, changed[i].SentAt)
		assert.Equal(t, base[i].Output, changed[i].Output)
	}
}

// TestSharesHold: tiers and prefixes come as often as they should.
func TestSharesHold(t *testing.T) {
	const n = 20_000
	w := Workload{Generator: OpenLoop{Constant{100}}, Lengths: Separate{FixedCount(10), FixedCount(1)}, Requests: n,
		Shared: SharedPrefixes{Prefixes: 4, Tokens: 32, Zipf: 1, Share: 0.25}, Batch: BatchTier{0.4, 3}}
	batch, has, first := 0, 0, 0
	for _, r := range fixed(0, n).run(t, mustSource(t, w, 1)) {
		if r.Priority == 3 {
			batch++
		}
		if len(r.Prefix) == 0 {
			assert.EqualValues(t, 10, r.Prompt)
			continue
		}
		has++
		assert.EqualValues(t, 42, r.Prompt)
		if r.Prefix[0].ID == segmentID(sharedText, 0, 0) {
			first++
		}
	}
	assert.InDelta(t, 0.4, float64(batch)/n, sigmas*math.Sqrt(0.24/n))
	assert.InDelta(t, 0.25, float64(has)/n, sigmas*math.Sqrt(0.1875/n))
	assert.InDelta(t, 12.0/25, float64(first)/float64(has), sigmas*math.Sqrt(0.25/float64(has)))
}

func TestCounts(t *testing.T) {
	r := NewRand(1, StreamPrompts, 0)
	low, high := 0, 0
	for range 1000 {
		assert.EqualValues(t, 5, FixedCount(5).draw(&r))
		u := UniformCount{3, 4}.draw(&r)
		assert.True(t, u == 3 || u == 4)
		switch n := (NormalCount{Mean: 10, SD: 100, Min: 2, Max: 20}).draw(&r); {
		case n == 2:
			low++
		case n == 20:
			high++
		default:
			assert.True(t, n > 2 && n < 20)
		}
		assert.LessOrEqual(t, LogNormalCount{10, 20, 1, 100}.draw(&r), int32(100))
	}
	// P(N <= 2.5) = 0.470, P(N >= 19.5) = 0.462: mass beyond a bound is on it.
	assert.InDelta(t, 0.470, float64(low)/1000, sigmas*0.0158)
	assert.InDelta(t, 0.462, float64(high)/1000, sigmas*0.0158)
	assert.EqualValues(t, 7, NormalCount{Mean: 6.5, Min: 1, Max: 9}.draw(&r), "halves round up")
}

func TestBadWorkloads(t *testing.T) {
	good := func() Workload { return Workload{Generator: OpenLoop{Poisson{8}}, Lengths: chat, Requests: 10} }
	with := func(change func(*Workload)) Workload { w := good(); change(&w); return w }
	gen := func(g Generator) Workload { return with(func(w *Workload) { w.Generator = g }) }
	arr := func(a Arrivals) Workload { return gen(OpenLoop{a}) }
	lens := func(l Lengths) Workload { return with(func(w *Workload) { w.Lengths = l }) }
	prompt := func(n Count) Workload { return lens(Separate{n, FixedCount(1)}) }
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		w            Workload
		field, value string
	}{
		{Workload{}, "Lengths", "missing"},
		{with(func(w *Workload) { w.Generator = nil }), "Generator", "missing"},
		{with(func(w *Workload) { w.Requests = 0 }), "Requests", "0"},
		{with(func(w *Workload) { w.Requests = -1 }), "Requests", "-1"},
		{with(func(w *Workload) { w.Requests = MaxRequests + 1 }), "Requests", "10000001"},
		{with(func(w *Workload) { w.Until = -1 }), "Until", "-1 ns"},
		{with(func(w *Workload) { w.Batch.Share = nan }), "Batch.Share", "NaN"},
		{with(func(w *Workload) { w.Shared = SharedPrefixes{Prefixes: 1, Share: 1} }), "Shared.Tokens", "0"},
		{with(func(w *Workload) { w.Shared = SharedPrefixes{Tokens: 1, Share: 1} }), "Shared.Prefixes", "0"},
		{with(func(w *Workload) { w.Shared = SharedPrefixes{Prefixes: 1, Tokens: 1, Zipf: inf} }), "Shared.Zipf", "+Inf"},
		{arr(nil), "Generator.Arrivals", "missing"},
		{arr(Constant{0}), "Generator.Arrivals.RatePerSec", "0"},
		{arr(Poisson{-1}), "Generator.Arrivals.RatePerSec", "-1"},
		{arr(Poisson{nan}), "Generator.Arrivals.RatePerSec", "NaN"},
		{arr(Poisson{inf}), "Generator.Arrivals.RatePerSec", "+Inf"},
		{arr(Poisson{1e300}), "Generator.Arrivals.RatePerSec", "1e+300"},
		{arr(Poisson{2e-6}), "Generator.Arrivals.RatePerSec", "2e-06"}, // ten requests take 5e6 s
		{arr(Gamma{8, 0}), "Generator.Arrivals.Burstiness", "0"},
		{arr(Gamma{8, inf}), "Generator.Arrivals.Burstiness", "+Inf"},
		{with(func(w *Workload) { *w = arr(Burst{}); w.Requests, w.Until = 0, Second }), "Requests", "0"},
		{arr(MMPP{}), "Generator.Arrivals.MeanStay[0]", "0 ns"},
		{arr(MMPP{[2]float64{0, 0}, [2]Nanos{Second, Second}}), "Generator.Arrivals.RatePerSec", "0 and 0"},
		{arr(MMPP{[2]float64{1, -1}, [2]Nanos{Second, Second}}), "Generator.Arrivals.RatePerSec[1]", "-1"},
		{arr(Curve{Every: Second}), "Generator.Arrivals.RatePerSec points", "0"},
		{arr(Curve{RatePerSec: []float64{1}}), "Generator.Arrivals.Every", "0 ns"},
		{arr(Curve{RatePerSec: []float64{1, nan}, Every: Second}), "Generator.Arrivals.RatePerSec[1]", "NaN"},
		{arr(Curve{RatePerSec: []float64{0, 0}, Every: Second}), "Generator.Arrivals.RatePerSec", "on average 0"},
		{arr(Diurnal{5, 4, 60 * Second}), "Generator.Arrivals.HighPerSec", "4"},
		{arr(Diurnal{1, 4, 0}), "Generator.Arrivals.Period", "0 ns"},
		{arr(Ramp{0, 0, Second}), "Generator.Arrivals.FromPerSec + ToPerSec", "0"},
		{arr(Ramp{1, inf, Second}), "Generator.Arrivals.ToPerSec", "+Inf"},
		{arr(Stamps{RateScale: 1}), "Generator.Arrivals.At rows", "0"},
		{arr(Stamps{At: []Nanos{5}}), "Generator.Arrivals.RateScale", "0"},
		{arr(Stamps{At: []Nanos{5, 4}, RateScale: 1}), "Generator.Arrivals.At[1]", "4 ns"},
		{arr(Stamps{At: []Nanos{5}, RateScale: 1, Quantum: -1}), "Generator.Arrivals.Quantum", "-1 ns"},
		{arr(Stamps{At: []Nanos{1e14}, RateScale: 0.01}), "Generator.Arrivals.RateScale", "0.01"},
		{gen(ClosedLoop{}), "Generator.Clients", "0"},
		{gen(ClosedLoop{Clients: MaxClients + 1}), "Generator.Clients", "1000001"},
		{gen(ClosedLoop{Clients: 1, Think: ThinkTime{Mean: -1}}), "Generator.Think.Mean", "-1 ns"},
		{gen(ClosedLoop{Clients: 1000, StartEvery: maxNanos}), "Generator.StartEvery", "1000000000000000 ns"},
		{gen(Throttled{Poisson{8}, 0}), "Generator.MaxInFlight", "0"},
		{gen(Throttled{nil, 1}), "Generator.Arrivals", "missing"},
		{gen(Sessions{Turns: FixedCount(1)}), "Generator.Starts", "missing"},
		{gen(Sessions{Starts: Poisson{1}}), "Generator.Turns", "missing"},
		{gen(Sessions{Starts: Poisson{1}, Turns: FixedCount(0)}), "Generator.Turns", "0"},
		{gen(Sessions{Starts: Poisson{1}, Turns: FixedCount(1), MaxContext: -1}), "Generator.MaxContext", "-1"},
		{gen(Sessions{Starts: Poisson{1}, Turns: FixedCount(1), Count: -1}), "Generator.Count", "-1"},
		{gen(MLPerfServer{nan}), "Generator.TargetQPS", "NaN"},
		{gen(MLPerfMultiStream{}), "Generator.SamplesPerQuery", "0"},
		{gen(MLPerfMultiStream{8}), "Requests", "10"},
		{with(func(w *Workload) { w.Generator, w.Requests, w.Until = MLPerfOffline{}, 0, Second }), "Requests", "0"},
		{prompt(nil), "Lengths.Prompt", "missing"},
		{prompt(FixedCount(0)), "Lengths.Prompt", "0"},
		{prompt(UniformCount{0, 1}), "Lengths.Prompt.Min", "0"},
		{prompt(UniformCount{5, 4}), "Lengths.Prompt.Max", "4"},
		{prompt(NormalCount{nan, 1, 1, 2}), "Lengths.Prompt.Mean", "NaN"},
		{prompt(NormalCount{1, -1, 1, 2}), "Lengths.Prompt.SD", "-1"},
		{prompt(LogNormalCount{0, 1, 1, 2}), "Lengths.Prompt.Median", "0"},
		{prompt(LogNormalCount{1, inf, 1, 2}), "Lengths.Prompt.Sigma", "+Inf"},
		{prompt(GeometricCount{0.5}), "Lengths.Prompt.Mean", "0.5"},
		{lens(Joint{}), "Lengths.Prompt rows", "0"},
		{lens(Joint{[]int32{1}, nil}), "Lengths.Output", "0 rows"},
		{lens(Joint{[]int32{1, 0}, []int32{1, 1}}), "Lengths.Prompt[1]", "0"},
		{lens(Rows{Prompt: []int32{1}, Output: []int32{-2}}), "Lengths.Output[0]", "-2"},
		{lens(Rows{Prompt: []int32{1, 1}, Output: []int32{1, 1}, Hashes: [][]uint64{{1}}, HashTokens: 1}), "Lengths.Hashes", "1 rows"},
		{lens(Rows{Prompt: []int32{1}, Output: []int32{1}, Hashes: [][]uint64{{1}}}), "Lengths.HashTokens", "0"},
		{with(func(w *Workload) {
			w.Generator = Sessions{Starts: Poisson{1}, Turns: FixedCount(1)}
			w.Lengths = Rows{Prompt: []int32{1}, Output: []int32{1}}
		}), "Lengths", "Rows"},
	} {
		src, err := NewSource(c.w, 1)
		var bad *ValueError
		if !assert.True(t, errors.As(err, &bad), "want an error about %s = %s, got %v", c.field, c.value, err) {
			continue
		}
		assert.Nil(t, src)
		assert.Equal(t, c.field, bad.Field)
		assert.Equal(t, c.value, bad.Value)
		assert.NotEmpty(t, bad.Legal)
		assert.Equal(t, bad.Field+" is "+bad.Value+"; legal: "+bad.Legal, err.Error())
	}
}

// TestRequestsAreAMost: a plan ends with its rows or stamps if they end first.
func TestRequestsAreAMost(t *testing.T) {
	w := Workload{Generator: OpenLoop{Stamps{At: []Nanos{1, 2}, RateScale: 1}}, Lengths: chat, Requests: 9}
	assert.Len(t, fixed(0, 99).run(t, mustSource(t, w, 1)), 2)
	w = Workload{Generator: OpenLoop{Poisson{1}}, Lengths: Rows{Prompt: []int32{5, 6}, Output: []int32{1, 2}}}
	all := fixed(0, 99).run(t, mustSource(t, w, 1))
	require.Len(t, all, 2)
	assert.EqualValues(t, 6, all[1].Prompt)
}

func TestTakeBeforeDue(t *testing.T) {
	for _, k := range kinds {
		src := mustSource(t, k.w, 1)
		n := 0
		for ; n < 2000; n++ { // no request ever ends: closed loops stop soon
			if _, ok := src.Next(); !ok {
				break
			}
			src.Take(&Spec{})
		}
		assert.Panics(t, func() { src.Take(&Spec{}) }, k.name)
	}
}

func FuzzWorkload(f *testing.F) {
	f.Add(uint8(1), 8.0, 0.5, int64(1e9), int64(5), int64(100), uint64(1))
	f.Add(uint8(3), 1e6, 1e-3, int64(1), int64(0), int64(-1), uint64(2))
	f.Add(uint8(4), 0.0, 9.0, int64(3e6), int64(1), int64(1), uint64(3))
	f.Add(uint8(9), math.NaN(), math.Inf(1), int64(-5), int64(1<<62), int64(1<<40), uint64(4))
	f.Fuzz(func(t *testing.T, kind uint8, a, b float64, span, n, tokens int64, seed uint64) {
		arrivals := []Arrivals{
			Constant{a}, Poisson{a}, Gamma{a, b}, Burst{}, MMPP{[2]float64{a, b}, [2]Nanos{Nanos(span), Second}},
			Curve{RatePerSec: []float64{a, b, a}, Every: Nanos(span), Repeat: n%2 == 0}, Diurnal{a, b, Nanos(span)}, Ramp{a, b, Nanos(span)},
			Stamps{At: []Nanos{0, 0, Nanos(span)}, RateScale: a, Quantum: Nanos(n)},
		}[kind%9]
		counts := []Count{
			FixedCount(int32(tokens)), UniformCount{int32(n), int32(tokens)}, NormalCount{a, b, int32(n), int32(tokens)},
			LogNormalCount{a, b, int32(n), int32(tokens)}, GeometricCount{b},
		}
		prompt, turns := counts[int(kind/9)%5], counts[int(kind/45)%5]
		think := ThinkTime{Nanos(span), n%3 == 0}
		for _, g := range []Generator{
			OpenLoop{arrivals}, Throttled{arrivals, int(n)}, ClosedLoop{Clients: int(n), Think: think, StartEvery: Nanos(tokens)},
			Sessions{Starts: arrivals, Turns: turns, Think: think, MaxContext: int32(tokens), Count: int(n)},
			MLPerfOffline{}, MLPerfServer{a}, MLPerfMultiStream{int(n)},
		} {
			w := Workload{Generator: g, Lengths: Separate{prompt, FixedCount(1)}, Requests: 50, Until: Nanos(span),
				Shared: SharedPrefixes{Prefixes: int(n % 50), Tokens: int32(tokens), Zipf: a, Share: b}}
			src, err := NewSource(w, seed)
			if err != nil {
				assert.IsType(t, &ValueError{}, err)
				continue
			}
			// run checks order and sizes, and must come to an end.
			all := random(Second, 100).run(t, src)
			assert.LessOrEqual(t, len(all), 50)
		}
	})
}
