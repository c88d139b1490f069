package diagnose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// What one process says of itself: no other replica is in the evidence.

func readText(t *testing.T, text string) diagnose.Reading {
	t.Helper()
	report, err := scrape.Read(scrape.Input{First: text})
	require.NoError(t, err)
	w := report.Readings[0].Windows()
	r := diagnose.Read(w)
	sound(t, w, &r)
	return r
}

// TestSGLangLog: a cache that fills to the brim and gives requests back, in a log
// of one process, with the lines of prefills or without.
func TestSGLangLog(t *testing.T) {
	for _, prefills := range []bool{false, true} {
		var b strings.Builder
		for k := range 36 {
			usage, wait, cached, gen := 0.52, 0, 4000, 1900
			if bad := k - 20; bad > 0 {
				usage, wait, cached, gen = min(0.99, 0.58+0.07*float64(bad)), 3*bad, 1000, 1000
			}
			at := fmt.Sprintf("[2026-11-30 09:%02d:%02d TP0] ", k/12, 5*(k%12))
			fmt.Fprintf(&b, "%sDecode batch, #running-req: 40, #token: %d, token usage: %.2f, gen throughput (token/s): %d.00, #queue-req: %d\n", at, int(180_000*usage), usage, gen, wait)
			if prefills {
				fmt.Fprintf(&b, "%sPrefill batch, #new-seq: 3, #new-token: %d, #cached-token: %d, token usage: %.2f, #running-req: 40, #queue-req: %d\n", at, 8000-cached, cached, usage, wait)
			}
			if usage > 0.98 {
				fmt.Fprintf(&b, "%sKV cache pool is full. Retract requests. #retracted_reqs: 2, #new_tokens_gained: 6000, #new_token_ratio: 0.30 -> 0.84\n", at)
			}
		}
		r := readText(t, b.String())
		assert.Equal(t, "kv_squeeze", r.Verdict, "prefills %t, second %s, reasons %+v", prefills, r.Second, r.Reasons)
		if r.Second == "skewed_routing" {
			assert.True(t, r.Among, "a text of one process does not show it")
		}
	}
}

// TestVLLMLog: preemptions that a line counts are evidence.
func TestVLLMLog(t *testing.T) {
	log := func(preempted string) string {
		var b strings.Builder
		for k := range 30 {
			usage, wait, gen, lost := 55.0, 0, 1900.0, ""
			if k > 12 {
				usage, wait, gen, lost = 98.5, 5*(k-12), 1100, preempted
			}
			fmt.Fprintf(&b, "INFO 11-30 09:%02d:%02d [loggers.py:1] Engine 000: Avg prompt throughput: 9000.0 tokens/s, Avg generation throughput: %.1f tokens/s, Running: 42 reqs, Waiting: %d reqs, %sGPU KV cache usage: %.1f%%, Prefix cache hit rate: 40.0%%\n", k/6, 10*(k%6), gen, wait, lost, usage)
		}
		return b.String()
	}
	r := readText(t, log("Preemptions: 14, "))
	assert.Equal(t, "kv_squeeze", r.Verdict)
	assert.Equal(t, sim.Up, r.Found[diagnose.Preempting].Move)
	assert.Equal(t, 13, r.Found[diagnose.Preempting].From, "since the line that first counts some")
	assert.False(t, readText(t, log("")).Found[diagnose.Preempting].Known)
}

// TestSomebodyWaits: a batch that fills bit by bit is a day's rise where nobody waits.
// With a queue it may be one or a failure, and a log does not count who comes.
func TestSomebodyWaits(t *testing.T) {
	log := func(waiting int) string {
		var b strings.Builder
		for k := range 33 {
			x := min(1, max(0, float64(k-16)/15))
			fmt.Fprintf(&b, "INFO 11-30 09:%02d:%02d [loggers.py:1] Engine 000: Avg prompt throughput: %d.0 tokens/s, Avg generation throughput: %d.0 tokens/s, Running: %d reqs, Waiting: %d reqs, GPU KV cache usage: %.1f%%, Prefix cache hit rate: 41.0%%\n",
				k/6, 10*(k%6), 1000+10*(k%3), 800+5*(k%4), int(30+28*x)+7*k%4, int(float64(waiting)*max(0, x-0.3)), 42+46*x+0.4*float64(3*k%5))
		}
		return b.String()
	}
	assert.Equal(t, diagnose.Healthy, readText(t, log(0)).Verdict)
	assert.Equal(t, diagnose.Undetermined, readText(t, log(108)).Verdict)
}

// scrapes are two of a vLLM server a minute apart: how full its cache is in the
// second, and its preemptions and hits of the minute.
func scrapes(kv float64, preempted, hits, waiting int) string {
	var b strings.Builder
	for k := range 2 {
		fmt.Fprintf(&b, "%d\n", 1_764_500_000+60*k)
		for _, m := range []struct {
			name string
			v    float64
		}{
			{"num_requests_running", 40 + 4*float64(k)}, {"num_requests_waiting", float64(k * waiting)}, {"kv_cache_usage_perc", 0.6 + float64(k)*(kv-0.6)},
			{"num_preemptions_total", 12 + float64(k*preempted)}, {"prefix_cache_queries_total", 9e6 + 7e5*float64(k)}, {"prefix_cache_hits_total", 4.5e6 + float64(k*hits)},
			{"prompt_tokens_total", 9e6 + 4e5*float64(k)}, {"generation_tokens_total", 1.2e6 + 9e4*float64(k)},
			{`request_success_total{finished_reason="stop"}`, 3000 + 230*float64(k)},
		} {
			fmt.Fprintf(&b, "vllm:%s %g\n", m.name, m.v)
		}
	}
	return b.String()
}

// TestLostHits: a hit rate that falls is a lost prefix where nobody is thrown back,
// and a consequence where the cache is full and requests are.
func TestLostHits(t *testing.T) {
	assert.Equal(t, "prefix_collapse", readText(t, scrapes(0.7, 0, 100_000, 0)).Verdict)
	full := readText(t, scrapes(0.985, 180, 130_000, 61))
	assert.Equal(t, "kv_squeeze", full.Verdict, "second %s", full.Second)
	assert.Equal(t, sim.Down, full.Found[diagnose.SignOf(sim.PrefixHit)].Move)
	assert.Equal(t, sim.Flat, full.Found[diagnose.HitAlone].Move)
}
