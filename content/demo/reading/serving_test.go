package reading

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"openloop/sim"
)

// What a simulated server would have exported: the texts of the examples are
// made of it. A scrape at an instant is a run that ends there, so every counter
// is that of the run.

// server is one replica, scraped at instants of its life.
type server struct {
	scenario sim.Scenario
	seed     uint64
	born     float64 // unix seconds at which its process began
	model    string
}

// run is the server's life up to an instant.
func (s server) run(t testing.TB, at sim.Nanos) *sim.Results {
	t.Helper()
	c := s.scenario
	c.Config.Horizon, c.Workload.Until = at, at+sim.Second
	c.Config.SampleEvery = 10 * sim.Second
	x, err := c.New(s.seed)
	require.NoError(t, err)
	x.Run()
	require.Equal(t, at, x.Results().EndAt)
	return x.Results()
}

// exposition is the text of a scrape in the making.
type exposition struct {
	strings.Builder
	labels string
}

// put is one series, its number as the Python client writes it.
func (e *exposition) put(name, more string, v float64) {
	e.WriteString(name + "{" + more + e.labels + "} " + plainFloat(v) + "\n")
}

func plainFloat(v float64) string {
	if v >= 1e6 {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	out := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(out, ".") {
		out += ".0"
	}
	return out
}

// histogram is the buckets of observations: at says how many are at most a bound.
func (e *exposition) histogram(name string, bounds []float64, at func(float64) int64, sum float64) {
	n := at(math.Inf(1))
	for _, b := range bounds {
		e.put(name+"_bucket", `le="`+plainFloat(b)+`",`, float64(at(b)))
	}
	e.put(name+"_bucket", `le="+Inf",`, float64(n))
	e.put(name+"_count", "", float64(n))
	e.put(name+"_sum", "", math.Round(sum*1e6)/1e6)
}

// counts is what a run's columns hold at its end.
type counts struct {
	done                          float64
	prompt, generated             float64 // tokens of all requests so far
	donePrompt, doneOutput        float64 // of requests that ended well
	ttft                          []float64
	waiting, running, usedPerSeat float64
}

func countsOf(r *sim.Results, blocks int) (c counts) {
	for i := range r.Status {
		if r.FirstTokenAt[i] != sim.Never {
			c.prompt += float64(r.Prompt[i])
			c.ttft = append(c.ttft, (r.FirstTokenAt[i] - r.SentAt[i]).Seconds())
		}
		c.generated += float64(r.Generated[i])
		if r.Status[i] == sim.Completed {
			c.done++
			c.donePrompt += float64(r.Prompt[i])
			c.doneOutput += float64(r.Generated[i])
		}
	}
	last := r.Samples[len(r.Samples)-1]
	c.waiting, c.running = float64(last.Waiting), float64(last.Running)
	c.usedPerSeat = float64(last.UsedBlocks) / float64(blocks)
	return c
}

func atMost(x []float64) func(float64) int64 {
	return func(b float64) (n int64) {
		for _, v := range x {
			if v <= b {
				n++
			}
		}
		return n
	}
}

// gapsAtMost counts gaps by asking for quantiles, which know them to within a bin.
func gapsAtMost(h *sim.Hist) func(float64) int64 {
	return func(b float64) int64 {
		lo, hi := int64(0), h.Count() // ranks up to lo are within b
		for lo < hi {
			mid := (lo + hi + 1) / 2
			if _, edge := h.Quantile(float64(mid) / float64(h.Count())); edge.Nanos().Seconds() <= b {
				lo = mid
			} else {
				hi = mid - 1
			}
		}
		return lo
	}
}

func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

var (
	vllmTTFT = []float64{.001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560}
	vllmITL  = []float64{.01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80}
	sgTTFT   = []float64{.1, .2, .4, .6, .8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400}
	sgITL    = []float64{.002, .004, .006, .008, .01, .015, .02, .025, .03, .035, .04, .06, .08, .1, .2, .4, .6, .8, 1, 2, 4, 6, 8}
)

// vllm is the server's /metrics at an instant, in the names of vLLM V1.
func (s server) vllm(t testing.TB, at sim.Nanos) string {
	t.Helper()
	r := s.run(t, at)
	c := countsOf(r, s.scenario.Config.Engine.KVBlocks)
	e := exposition{labels: `engine="0",model_name="` + s.model + `"`}
	e.WriteString("process_start_time_seconds " + plainFloat(s.born) + "\n")
	e.put("vllm:num_requests_running", "", c.running)
	e.put("vllm:num_requests_waiting", "", c.waiting)
	e.put("vllm:kv_cache_usage_perc", "", c.usedPerSeat)
	e.put("vllm:prefix_cache_queries_total", "", float64(r.Totals.LookedUp))
	e.put("vllm:prefix_cache_hits_total", "", float64(r.Totals.Hit))
	e.put("vllm:num_preemptions_total", "", float64(r.Totals.Preempted))
	e.put("vllm:prompt_tokens_total", "", c.prompt)
	e.put("vllm:generation_tokens_total", "", c.generated)
	e.put("vllm:request_success_total", `finished_reason="stop",`, c.done)
	e.put("vllm:request_prompt_tokens_count", "", c.done)
	e.put("vllm:request_prompt_tokens_sum", "", c.donePrompt)
	e.put("vllm:request_generation_tokens_count", "", c.done)
	e.put("vllm:request_generation_tokens_sum", "", c.doneOutput)
	e.histogram("vllm:time_to_first_token_seconds", vllmTTFT, atMost(c.ttft), total(c.ttft))
	e.histogram("vllm:inter_token_latency_seconds", vllmITL, gapsAtMost(&r.ITL), float64(r.ITL.Count())*r.ITL.Mean())
	e.WriteString("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} " + strconv.Itoa(int(math.Round(100*r.Samples[len(r.Samples)-1].Busy))) + "\n")
	return e.String()
}

// sglang is the same in the names of SGLang, which writes the sum first.
func (s server) sglang(t testing.TB, at sim.Nanos) string {
	t.Helper()
	r := s.run(t, at)
	blocks := s.scenario.Config.Engine.KVBlocks
	c := countsOf(r, blocks)
	pool := float64(blocks * s.scenario.Config.Engine.BlockTokens)
	e := exposition{labels: `engine_type="unified",model_name="` + s.model + `",tp_rank="0"`}
	e.put("sglang:num_running_reqs", "", c.running)
	e.put("sglang:num_queue_reqs", "", c.waiting)
	e.put("sglang:token_usage", "", math.Round(100*c.usedPerSeat)/100)
	e.put("sglang:num_used_tokens", "", math.Round(c.usedPerSeat*pool))
	e.put("sglang:max_total_num_tokens", "", pool)
	e.put("sglang:num_requests_total", "", c.done)
	e.put("sglang:prompt_tokens_total", "", c.donePrompt)
	e.put("sglang:generation_tokens_total", "", c.doneOutput)
	e.put("sglang:cache_hit_rate", "", 0)
	e.histogram("sglang:time_to_first_token_seconds", sgTTFT, atMost(c.ttft), total(c.ttft))
	e.histogram("sglang:inter_token_latency_seconds", sgITL, gapsAtMost(&r.ITL), float64(r.ITL.Count())*r.ITL.Mean())
	return e.String()
}
