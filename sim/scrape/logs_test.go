package scrape

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
)

func readOne(t *testing.T, lines ...string) *Reading {
	t.Helper()
	report, err := Read(Input{First: strings.Join(lines, "\n")})
	require.NoError(t, err)
	require.Len(t, report.Readings, 1)
	assert.Zero(t, report.Pastes[0].NotUnderstood, "%v", report.Pastes[0].Problems)
	consistent(t, &report.Readings[0])
	return &report.Readings[0]
}

const stats = "Engine 000: Avg prompt throughput: 10.0 tokens/s, Avg generation throughput: 20.0 tokens/s, Running: 3 reqs, Waiting: 4 reqs, GPU KV cache usage: 36.1%, Prefix cache hit rate: 27.4%"

// TestPrefixes: whatever stands in front, the figures and the instant are read.
func TestPrefixes(t *testing.T) {
	for name, prefix := range map[string]string{
		"plain":      "INFO 05-06 06:11:23 [loggers.py:271] ",
		"api server": "(APIServer pid=1) INFO 05-06 06:11:23 [loggers.py:271] ",
		"old":        "INFO 05-06 06:11:23 loggers.py:271] ",
		"docker":     "2026-05-06T04:11:23.123456789Z INFO 05-06 06:11:23 [loggers.py:271] ",
		"k8s pod":    "[pod/vllm-0/server] 2026-05-06T04:11:23.123Z (APIServer pid=1) INFO 05-06 06:11:23 [loggers.py:271] ",
		"colors":     "\x1b[32mINFO\x1b[0m 05-06 06:11:23 \x1b[1;34m[loggers.py:271]\x1b[0m ",
		"compose":    "vllm-1  | INFO 05-06 06:11:23 [loggers.py:271] ",
	} {
		r := readOne(t, prefix+stats, strings.ReplaceAll(prefix, ":23 ", ":33 ")+stats)
		assert.Equal(t, 10.0, r.Seconds.Value, name)
		assert.InDeltaSlice(t, []float64{4, 3, 0.361, 0.274}, []float64{r.Now[Queue].Value, r.Now[Running].Value, r.Now[KV].Value, r.Now[Hit].Value}, 1e-12, name)
		assert.Equal(t, []float64{10, 20}, []float64{r.Now[PromptRate].Value, r.Now[GenerationRate].Value}, name)
		assert.Len(t, r.Windows(), 2, name)
	}
	bare := readOne(t, stats, stats)
	assert.Equal(t, NeedsSeconds, bare.Seconds.Why, "no stamps, no seconds")
	assert.Len(t, bare.Windows(), 2)
	assert.False(t, bare.Windows()[1].Timed)
	past := readOne(t, "INFO 12-31 23:59:55 [a.py:1] "+stats, "INFO 01-01 00:00:05 [a.py:1] "+stats)
	assert.Equal(t, 10.0, past.Seconds.Value, "over the new year")
}

func TestVLLMLines(t *testing.T) {
	v0 := "INFO 01-02 03:04:05 metrics.py:345] Avg prompt throughput: 1.5 tokens/s, Avg generation throughput: 2.5 tokens/s, Running: 7 reqs, Swapped: 1 reqs, Pending: 9 reqs, GPU KV cache usage: 99.5%, CPU KV cache usage: 12.0%."
	spec := func(clock, drafted, emitted string) string {
		return "INFO 01-02 " + clock + " metrics.py:373] Speculative metrics: Draft acceptance rate: 0.642, System efficiency: 0.598, Number of speculative tokens: 3, Number of accepted tokens: 642, Number of draft tokens tokens: " + drafted + ", Number of emitted tokens tokens: " + emitted + "."
	}
	preempt := func(n string) string {
		return "WARNING 01-02 03:04:09 scheduler.py:1754] Sequence group cmpl-1 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. total_num_cumulative_preemption=" + n
	}
	r := readOne(t, v0, spec("03:04:05", "1000", "800"), preempt("1"), strings.Replace(v0, "03:04:05", "03:04:15", 1), spec("03:04:15", "4000", "3200"), preempt("151"))
	assert.Equal(t, []float64{9, 7, 1, 0.995}, []float64{r.Now[Queue].Value, r.Now[Running].Value, r.Now[Swapped].Value, r.Now[KV].Value})
	assert.Equal(t, 150.0, r.Now[Preemptions].Value, "differences of the total, not lines")
	assert.Equal(t, 2.4, r.Now[Accepted].Value, "2400 emitted in 1000 rounds of 3")
	assert.Equal(t, 3.0, r.Now[SpecK].Value)

	for _, form := range []string{
		"SpecDecoding metrics: Draft acceptance rate: 50.0%, Mean acceptance length: 2.00, Accepted: 20 tokens, Drafted: 40 tokens, Per-position acceptance rate: 0.700, 0.300",
		"SpecDecoding metrics: Mean acceptance length: 2.00, Accepted throughput: 2.00 tokens/s, Drafted throughput: 4.00 tokens/s, Accepted: 20 tokens, Drafted: 40 tokens, Per-position acceptance rate: 0.700, 0.300, Avg Draft acceptance rate: 50.0%",
	} {
		r = readOne(t, stats, form)
		assert.Equal(t, []float64{2, 2, 20, 0.5}, []float64{r.Now[Accepted].Value, r.Now[SpecK].Value, r.Now[Drafts].Value, r.Now[DraftAcceptance].Value}, form)
	}
	r = readOne(t, stats, "SpecDecoding metrics: Draft acceptance rate: nan%, Accepted: 0 tokens, Drafted: 0 tokens")
	assert.False(t, r.Now[Accepted].Known)
	assert.False(t, r.Now[DraftAcceptance].Known)

	r = readOne(t, "INFO 05-06 06:11:23 [kv.py:1] GPU KV cache size: 37,765 tokens, Maximum concurrency for 8,192 tokens per request: 4.61x", stats)
	assert.Equal(t, 37765.0, r.Now[KVPool].Value)

	two := readOne(t, "INFO 05-06 06:11:23 [l.py:1] "+stats, "INFO 05-06 06:11:23 [l.py:1] "+strings.ReplaceAll(stats, "Engine 000", "Engine 001"))
	assert.Equal(t, []float64{6, 2, 1}, []float64{two.Now[Running].Value, two.Now[Replicas].Value, two.Now[Imbalance].Value})
	assert.Equal(t, "engine 1", two.Replicas[1].Name)
	apart := readOne(t, "INFO 05-06 06:11:23 [l.py:1] "+stats, "INFO 05-06 06:11:23 [l.py:1] "+strings.NewReplacer("Engine 000", "Engine 001", "27.4%", "41.0%").Replace(stats))
	assert.InDeltaSlice(t, []float64{0.274, 0.41}, []float64{apart.Now[Hit].Low, apart.Now[Hit].High}, 1e-12, "hit rates of two engines have no weights: only bounds are known")
	agg := readOne(t, "INFO 05-06 06:11:23 [l.py:1] "+strings.ReplaceAll(stats, "Engine 000", "004 Engines Aggregated"))
	assert.Equal(t, 4.0, agg.Now[Replicas].Value)
	assert.Equal(t, MeanOfReplicas, agg.Now[KV].Doubts)
}

// TestPreemptionsInLines: newer lines of vLLM count the preemptions of their
// interval, where there are any. Once one does, a line without it has none; a log
// in which none does says nothing of them.
func TestPreemptionsInLines(t *testing.T) {
	at := func(clock, preempted string) string {
		line := "INFO 05-06 " + clock + " [loggers.py:1] " + stats
		if preempted != "" {
			line = strings.Replace(line, "GPU KV", "Preemptions: "+preempted+", GPU KV", 1)
		}
		return line
	}
	r := readOne(t, at("06:11:20", "9"), at("06:11:30", ""), at("06:11:40", "14"), at("06:11:50", "6"))
	assert.Equal(t, 20.0, r.Now[Preemptions].Value, "what the first line counts was before it")
	assert.InDelta(t, 20.0/30, r.Now[Preempts].Value, 1e-12)
	assert.Equal(t, "Preemptions", r.Now[Preempts].From)
	var rates []float64
	for _, w := range r.Windows()[1:] {
		require.True(t, w.Signal[sim.PreemptionRate].Known)
		rates = append(rates, w.Signal[sim.PreemptionRate].Value)
	}
	assert.InDeltaSlice(t, []float64{0, 1.4, 0.6}, rates, 1e-12)

	two := readOne(t, at("06:11:20", ""), strings.Replace(at("06:11:20", ""), "000", "001", 1), at("06:11:30", "4"), strings.Replace(at("06:11:30", "3"), "000", "001", 1))
	assert.Equal(t, 7.0, two.Now[Preemptions].Value, "engines add")

	none := readOne(t, at("06:11:20", ""), at("06:11:30", ""))
	assert.False(t, none.Now[Preempts].Known)
	assert.Equal(t, NotInLog, none.Now[Preempts].Why)
}

func TestSGLangLines(t *testing.T) {
	r := readOne(
		t,
		"[2026-09-13 16:06:00] max_total_num_tokens=90000, chunked_prefill_size=8192, max_running_requests=64",
		"[2026-09-13 16:06:01] Prefill batch. #new-seq: 1, #new-token: 300, #cached-token: 100, cache hit rate: 99.00%, token usage: 0.10, #running-req: 1, #queue-req: 2, ",
		"[2026-09-13 16:06:02] Prefill batch, #new-seq: 1, #new-token: 100, #cached-token: 300, full token usage: 0.20, swa token usage: 0.60, #running-req: 1, #queue-req: 1, input throughput (token/s): 5.0",
		"[2026-09-13 16:06:03] Decode batch. #running-req: 2, #token: 100, token usage: 0.30, accept len: 2.50, accept rate: 0.50, cuda graph: True, gen throughput (token/s): 50.00, #queue-req: 0",
	)
	assert.Equal(t, []float64{0, 2, 0.3, 0.5, 2.5, 90000, 50}, []float64{
		r.Now[Queue].Value, r.Now[Running].Value, r.Now[KV].Value, r.Now[Hit].Value, r.Now[Accepted].Value, r.Now[KVPool].Value, r.Now[TokensPerRunning].Value,
	})
	assert.Equal(t, LastInterval, r.Now[Accepted].Covers)
	w := r.Windows()
	require.Len(t, w, 3)
	assert.Equal(t, 0.6, w[1].Signal[sim.KVOccupancy].Value, "the fullest pool")
	assert.Equal(t, []float64{0.25, 0.75}, []float64{w[0].Signal[sim.PrefixHit].Value, w[1].Signal[sim.PrefixHit].Value})

	line := func(rank string, running string) string {
		return "[2026-09-13 16:06:0" + rank + "] Decode batch, #running-req: " + running + ", #token: 10, token usage: 0.10, gen throughput (token/s): 5.00, #queue-req: 1"
	}
	r = readOne(t, line("1 DP0 TP0", "4"), line("1 DP0 TP1", "4"), line("1 DP1 TP2", "6"), line("1 DP1 TP3", "6"), line("2 DP0 TP0", "8"))
	assert.Equal(t, 14.0, r.Now[Running].Value, "tensor-parallel ranks repeat each other; DP1 as last seen")
	assert.Equal(t, 10.0, r.First[Running].Value)
	require.Len(t, r.Replicas, 2)
	assert.Equal(t, []float64{8, 6}, []float64{r.Replicas[0].Now[Running].Value, r.Replicas[1].Now[Running].Value})
	assert.InDelta(t, 9.0/8, r.Now[Imbalance].Value, 1e-12)
}
