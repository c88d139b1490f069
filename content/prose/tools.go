package prose

import (
	"fmt"
	"math"
	"strconv"

	"openloop/content/demo"
	"openloop/sim"
)

// Checks of the chapter on tools.

var toolClaims = []Claim{
	{"four-flag-sets", "Of four flag sets the largest printed p99 TTFT is over 200 times the smallest, for 4 seeds.", fourFlagSets},
	{"burst-is-no-rate", "A burst of 1,000 is worked off at 31 to 35 requests/s with a p99 TTFT of 26 to 30 s; at 80% of that rate Poisson has less than 0.6 s, for 4 seeds.", burstIsNoRate},
	{"ten-requests", "AIPerf and GenAI-Perf send ten requests by default, and the p99 of ten is nearer to the largest than to the second.", tenRequests},
	{"tpot-itl-twice", "77.86 ms and 38.13 ms; rebuilt from the first a request takes 1.4 to 1.55 times as long as from the second.", tpotITLTwice},
	{"tokens-per-event", "168.08 ms over 19.76 ms is 8.5, and that ITL would need more requests in flight than there were.", tokensPerEvent},
	{"single-stream", "Offline does 65 to 100 times the requests of SingleStream, for 2 seeds.", singleStream},
	{"four-scores", "SingleStream has 0.4 to 0.7 requests/s and Offline 40 to 44, for 2 seeds.", fourScores},
	{"limits-cost", "Server keeps 90% to 100% of Offline at 500 ms and 30 ms, 35% to 52% at 15 ms, for 4 seeds.", limitsCost},
	{"published-pair", "113.35 of 120.831 is 93.8%, and 113.35/s times 49.75 s is 5,640.", publishedPair},
	{"published-latency", "394.7 ms and 292.3 times 169.1 ms are within 2% of 49.75 s.", publishedLatency},
	{"short-run-flatters", "With limits of 2 s and 100 ms a run of 60 s has more in Server than in Offline, for 4 seeds, one of 240 s has not.", shortRunFlatters},
	{"thinning-reuse", "All requests find 45% to 55%, a tenth of them one by one 7% to 9%, a tenth of the conversations 45% to 55%.", thinningReuse},
	{"thinning-bursts", "Gaps with a CV of 3.16 have one of 1.38 when each request is kept with a chance of 0.1.", thinningBursts},
}

// bench is the state of a vllm bench serve with these flags.
func bench(flags string) string { return "v=1&command=" + demo.Escaped("vllm bench serve"+flags) }

func fourFlagSets() error {
	for _, seed := range fewSeeds() {
		lo, hi := math.Inf(1), 0.0
		for _, flags := range []string{"", " --max-concurrency 64", " --request-rate 20", " --request-rate 20 --max-concurrency 32"} {
			x, err := metric("which-harness", bench(flags)+"&seed="+strconv.Itoa(seed), "ttft99")
			if err != nil {
				return err
			}
			lo, hi = min(lo, x), max(hi, x)
		}
		if err := between("largest p99 over smallest", hi/lo, 200, 1000); err != nil {
			return err
		}
	}
	return nil
}

func burstIsNoRate() error {
	return asked("which-harness", bench(""), fewSeeds(), func(r *run) {
		r.in("rate_out", 31, 35)
		r.in("ttft99", 26, 30)
		r.in("open99", 0.1, 0.6)
		r.hold(!apart(r.get("open_rate"), 0.8*r.get("rate_out"), 1e-9), "the open loop has another rate")
	})
}

func tenRequests() error {
	for _, command := range []string{"aiperf profile", "genai-perf profile"} {
		r, err := runAt("which-harness", "v=1&command="+demo.Escaped(command))
		if err != nil {
			return err
		}
		r.in("requests", 10, 10)
		if r.err != nil {
			return r.err
		}
	}
	// numpy's rank of p99 in ten: 0.99*9 = 8.91 of 0 to 9.
	return between("rank of p99 among ten, counted from 0", 0.99*9, 8.5, 9)
}

// The published figures are those of the text blocks in the requests that the
// page names: seconds, means over 1,000 requests.

func tpotITLTwice() error {
	const ttft, tpot, itl, output = 9.62613, 0.07786, 0.03813, 203.068
	byTPOT, byITL := ttft+tpot*(output-1), ttft+itl*(output-1)
	return first(between("TPOT over ITL", tpot/itl, 2, 2.1), between("end to end by TPOT over that by ITL", byTPOT/byITL, 1.4, 1.55))
}

func tokensPerEvent() error {
	const ttft, tpot, itl, output, perSec = 4.21285, 0.01976, 0.16808, 127.912, 51.34
	inFlight := func(gap float64) float64 { return perSec * (ttft + gap*(output-1)) }
	return first(between("ITL over TPOT", itl/tpot, 8.4, 8.6), between("in flight by TPOT, of 1,000", inFlight(tpot), 300, 400), between("in flight if each event were a token", inFlight(itl), 1200, 1500))
}

func singleStream() error {
	return asked("mlperf-scenarios", "v=1", []int{7, 2}, func(r *run) { r.in("times_single", 65, 100) })
}

func fourScores() error {
	return asked("mlperf-scenarios", "v=1", []int{7, 2}, func(r *run) {
		r.in("single_rate", 0.4, 0.7)
		r.in("offline_rate", 40, 44)
		r.hold(r.get("single_rate") < r.get("multi_rate") && r.get("multi_rate") < r.get("server_rate"), "the order of the scores has changed")
	})
}

func limitsCost() error {
	return first(
		asked("mlperf-scenarios", "v=1", fewSeeds(), func(r *run) { r.in("share", 90, 100) }),
		asked("mlperf-scenarios", "v=1&limits=deepseek_interactive", fewSeeds(), func(r *run) { r.in("share", 35, 52) }),
	)
}

func publishedPair() error {
	return first(between("Server over Offline", 113.35/120.831, 0.935, 0.941), between("in flight", 113.35*49.754585, 5635, 5645))
}

func publishedLatency() error {
	output := 33244.25 / 113.35
	latency := 0.394677 + 0.16914*(output-1)
	return first(between("tokens an answer", output, 293, 293.5), between("mean latency rebuilt over that reported", latency/49.754585, 0.98, 1.02))
}

func shortRunFlatters() error {
	return first(
		asked("mlperf-scenarios", "v=1&limits=llama8b", fewSeeds(), func(r *run) { r.in("share", 103, 115) }),
		page("mlperf-scenarios", "v=1&limits=llama8b&seconds=240", span{"share", 90, 100}),
	)
}

// asksOf is conversations with a quick server: what each request begins with, by
// the names and lengths of its texts, and which conversation it belongs to.
func asksOf(sessions int) (asks []sim.Spec, err error) {
	source, err := sim.NewSource(sim.Workload{
		Generator: sim.Sessions{Starts: sim.Poisson{RatePerSec: 1}, Turns: sim.GeometricCount{Mean: 2}, Think: sim.ThinkTime{Mean: 20 * sim.Second, Exponential: true}, Count: sessions},
		Lengths:   sim.Separate{Prompt: sim.NormalCount{Mean: 300, SD: 150, Min: 20, Max: 1200}, Output: sim.NormalCount{Mean: 200, SD: 100, Min: 10, Max: 800}},
	}, 7)
	if err != nil {
		return nil, err
	}
	for i := int32(0); ; i++ {
		at, ok := source.Next()
		if !ok {
			return asks, nil
		}
		var s sim.Spec
		source.Take(&s)
		s.Prefix = append([]sim.Segment(nil), s.Prefix...)
		asks = append(asks, s)
		source.Ended(i, at+sim.Second, sim.Completed)
	}
}

// found is the share of the prompt tokens that a cache without limit holds: the
// longest beginning that an earlier request has had.
func found(asks []sim.Spec) float64 {
	seen := map[string]bool{}
	hit, all := 0, 0
	for _, a := range asks {
		key, here := "", 0
		for _, part := range a.Prefix {
			key += fmt.Sprint(part.ID, "/")
			if seen[key] {
				here += int(part.Tokens)
			}
			seen[key] = true
		}
		hit, all = hit+here, all+int(a.Prompt)
	}
	return float64(hit) / float64(all)
}

func thinningReuse() error {
	asks, err := asksOf(20_000)
	if err != nil {
		return err
	}
	r := sim.NewRand(11, sim.StreamFaults, 0)
	kept := map[int32]bool{}
	for i := range int32(20_000) {
		kept[i] = r.Float64() < 0.1
	}
	var thin, whole []sim.Spec
	for _, a := range asks {
		if r.Float64() < 0.1 {
			thin = append(thin, a)
		}
		if kept[a.Session] {
			whole = append(whole, a)
		}
	}
	return first(
		between("% found by all", 100*found(asks), 45, 55),
		between("% found by a tenth of the requests", 100*found(thin), 7, 9),
		between("% found by a tenth of the conversations", 100*found(whole), 45, 55),
	)
}

// thinningBursts: of a renewal process with a coefficient of variation c, kept
// with chance p, the gaps have c'^2 = 1 + p(c^2-1); here drawn.
func thinningBursts() error {
	const p, shape = 0.1, 0.1 // c^2 is 1/shape
	r := sim.NewRand(7, sim.StreamArrivals, 0)
	var all, kept moments
	sum := 0.0
	for range 2_000_000 {
		gap := r.Gamma(shape)
		all.add(gap)
		if sum += gap; r.Float64() < p {
			kept.add(sum)
			sum = 0
		}
	}
	return first(between("CV of all gaps", all.cv(), 3.1, 3.2), between("CV of those kept", kept.cv(), 1.35, 1.41), between("by the formula", math.Sqrt(1+p*(1/shape-1)), 1.37, 1.39))
}

// moments are sums of a sample.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) { m.n, m.sum, m.squares = m.n+1, m.sum+x, m.squares+x*x }

func (m *moments) cv() float64 {
	mean := m.sum / m.n
	return math.Sqrt(m.squares/m.n-mean*mean) / mean
}
