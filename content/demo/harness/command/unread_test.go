package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUnreadableIsNoDefault: a flag that decides the load, given with a value
// that nobody here can read, is named in Unread, and the loop is what it is with
// that flag, of an unknown size: never what it would be without.
func TestUnreadableIsNoDefault(t *testing.T) {
	closed, one := Run{Loop: Closed}, Run{Loop: Closed, Clients: 1}
	for _, c := range []struct {
		command string // with %s for the value
		want    Run
		unread  string
	}{
		{"vllm bench serve --max-concurrency %s", closed, "--max-concurrency"},
		{"vllm bench serve --max-concurrency=%s --request-rate inf", closed, "--max-concurrency"},
		{"vllm bench serve --max_concurrency %s --request-rate 4", Run{Loop: Throttled, Rate: 4, Shape: 1}, "--max_concurrency"},
		{"vllm bench serve --num-prompts %s", Run{Loop: Burst}, "--num-prompts"},
		{"vllm bench serve --request-rate 4 --burstiness %s", Run{Loop: Open, Rate: 4, Shape: 1}, "--burstiness"},
		{"vllm bench serve --ramp-up-strategy linear --ramp-up-start-rps %s --ramp-up-end-rps 9", Run{Loop: Ramp, Shape: 1}, "--ramp-up-start-rps"},
		{"vllm bench serve --ramp-up-strategy linear --ramp-up-start-rps 1 --ramp-up-end-rps %s", Run{Loop: Ramp, Shape: 1}, "--ramp-up-end-rps"},
		{"vllm bench serve --ramp-up-strategy %s --ramp-up-start-rps 1 --ramp-up-end-rps 9", Run{Loop: Ramp, Rate: 1, RateEnd: 9, Shape: 1}, "--ramp-up-strategy"},
		{"vllm bench serve --request-rate %s", Run{}, "--request-rate"},
		{"vllm bench latency --batch-size %s", Run{Loop: Batches}, "--batch-size"},
		{"vllm bench throughput --num-prompts %s", Run{Loop: Burst}, "--num-prompts"},
		{"python -m sglang.bench_serving --max-concurrency %s", closed, "--max-concurrency"},
		{"python -m sglang.bench_serving --max-concurrency %s --request-rate 3", Run{Loop: Throttled, Rate: 3, Shape: 1}, "--max-concurrency"},
		{"python -m sglang.bench_serving --num-prompts %s", Run{Loop: Burst}, "--num-prompts"},
		{"aiperf profile --concurrency %s", closed, "--concurrency"},
		{"aiperf profile --concurrency %s --request-rate 3", Run{Loop: Throttled, Rate: 3, Shape: 1}, "--concurrency"},
		{"aiperf profile --user-centric-rate 2 --num-users %s", Run{Loop: Throttled, Rate: 2}, "--num-users"},
		{"aiperf profile --user-centric-rate %s --num-users 7", Run{Loop: Throttled, Clients: 7}, "--user-centric-rate"},
		{"aiperf profile --concurrency 1 --request-count %s", one, "--request-count"},
		{"aiperf profile --concurrency 1 --benchmark-duration %s", one, "--benchmark-duration"},
		{"aiperf profile --request-rate 3 --arrival-pattern %s", Run{Loop: Open, Rate: 3, Shape: 1}, "--arrival-pattern"},
		{"aiperf profile --request-rate 3 --arrival-pattern gamma --arrival-smoothness %s", Run{Loop: Open, Rate: 3, Shape: 1}, "--arrival-smoothness"},
		{"genai-perf profile --concurrency %s", closed, "--concurrency"},
		{"genai-perf profile --concurrency 1 --request-count %s", one, "--request-count"},
		{"genai-perf profile --concurrency 1 --measurement-interval %s", one, "--measurement-interval"},
		{"guidellm benchmark --profile concurrent --rate %s", closed, "--rate"},
		{"guidellm benchmark --profile concurrent --rate 4,%s,8", closed, "--rate"},
		{"guidellm benchmark --profile throughput --rate %s", closed, "--rate"},
		{"guidellm benchmark --profile constant --rate %s", Run{Loop: Open}, "--rate"},
		{"guidellm benchmark --profile poisson --rate 1,%s", Run{Loop: Open, Shape: 1}, "--rate"},
		{"guidellm benchmark --profile synchronous --max-requests %s", one, "--max-requests"},
		{"guidellm benchmark --profile synchronous --max-seconds %s", one, "--max-seconds"},
		{"guidellm benchmark --profile %s", Run{}, "--profile"},
		{"guidellm run --profile kind=concurrent,streams=%s", closed, "--profile streams"},
		{"guidellm run --profile kind=poisson,rate=%s", Run{Loop: Open, Shape: 1}, "--profile rate"},
		{"guidellm run --profile kind=%s", Run{}, "--profile kind"},
		{"guidellm run --profile %s", Run{}, "--profile kind"},
		{"guidellm run --profile kind=synchronous --constraint kind=max_requests,count=%s", one, "--constraint count"},
		{"guidellm run --profile kind=synchronous --constraint kind=max_duration,seconds=%s", one, "--constraint seconds"},
		{"python token_benchmark_ray.py --num-concurrent-requests %s", closed, "--num-concurrent-requests"},
		{"python token_benchmark_ray.py --num-concurrent-requests 1 --max-num-completed-requests %s", one, "--max-num-completed-requests"},
		{"*.Server.target_qps = %s", Run{Loop: Open, Shape: 1}, "target_qps"},
		{"*.MultiStream.samples_per_query = %s", Run{Loop: Batches}, "samples_per_query"},
		{"*.SingleStream.min_duration = %s", one, "min_duration"},
		{"*.Offline.target_qps = %s", Run{Loop: Burst}, "target_qps"},
	} {
		for _, value := range []string{"$C", `"${MC:-8}"`, "'$(nproc)'", "'`nproc`'", "abc", "'{{ clients }}'"} {
			in := fmt.Sprintf(c.command, value)
			if strings.Contains(in, "{run") || strings.HasPrefix(in, "*") {
				in = fmt.Sprintf(c.command, strings.Trim(value, `"'`))
			}
			r := Read(in)
			require.Empty(t, r.Why, in)
			assert.Equal(t, []string{c.unread}, r.Unread, in)
			assert.Equal(t, c.want, r.Runs[0], in)
			assert.Len(t, r.Problems, 1, "%s: %+v", in, r.Problems)
			for _, d := range r.Defaults {
				assert.NotEqual(t, c.unread, d.Flag, "%s: it was given", in)
			}
			if strings.Contains(c.unread, "num-prompts") || strings.Contains(c.unread, "count") || strings.Contains(c.unread, "requests") && c.want == one {
				assert.Zero(t, r.Requests, "%s: how many is not known", in)
			}
		}
	}
}

// A loop over numbers, a flag whose value is lost, and numbers that the tool
// refuses are of the same kind. What is sent before the run is not.
func TestUnreadableOtherwise(t *testing.T) {
	for in, unread := range map[string]string{
		"for c in 1 2 4; do vllm bench serve --max-concurrency $c; done":                     "--max-concurrency",
		"for c in 1 2 4; do\n  aiperf profile --concurrency \"$c\" --request-count 10\ndone": "--concurrency",
		"vllm bench serve --max-concurrency --num-prompts 5":                                 "--max-concurrency",
		"vllm bench serve --max-concurrency <N>":                                             "--max-concurrency",
		"vllm bench serve --max-concurrency 0":                                               "--max-concurrency",
		"vllm bench serve --max-concurrency 2.5":                                             "--max-concurrency",
		"aiperf profile --concurrency 1,2,4":                                                 "--concurrency",
		"vllm bench serve --max-concurrency 4 --max-concurrency $C":                          "--max-concurrency",
		"vllm bench serve --max-concurrency $C --max-concurrency 4":                          "",
		"vllm bench serve --num-warmups $W":                                                  "",
		"vllm bench serve --burstiness $B":                                                   "", // without a rate it counts for nothing
		"aiperf profile --concurrency 4 --warmup-request-count $W":                           "",
		"python -m sglang.bench_serving --warmup-requests $W":                                "",
	} {
		assert.Equal(t, unread, strings.Join(Read(in).Unread, ", "), in)
	}
	assert.Equal(t, "repeats of the first prompt, which is then cached", Read("vllm bench serve --num-warmups $W").WarmUp)
	assert.Equal(t, "requests before the clock starts", Read("python -m sglang.bench_serving --warmup-requests $W").WarmUp)
	assert.Equal(t, -1, Read("guidellm benchmark --profile sweep --rate $N").More, "a sweep of how many runs nobody knows")
}

// Lengths that cannot be read are not said; they are not those of the tool.
func TestUnreadableLengths(t *testing.T) {
	for in, unread := range map[string]string{
		"vllm bench serve --random-input-len $I":                                "--random-input-len",
		"vllm bench serve --random-input-len 100 --random-prefix-len $P":        "--random-prefix-len",
		"vllm bench serve --random-range-ratio $R":                              "--random-range-ratio",
		"vllm bench throughput --input-len $I --output-len 5":                   "--input-len",
		"vllm bench latency --input-len $I":                                     "--input-len",
		"sglang.bench_serving --dataset-name random --random-input-len $I":      "--random-input-len",
		"sglang.bench_serving --dataset-name random --random-range-ratio $R":    "--random-range-ratio",
		"aiperf profile --isl $I":                                               "--isl",
		"aiperf profile --isl 0":                                                "--isl",
		"genai-perf profile --isl-stddev $S --synthetic-input-tokens-stddev $S": "--synthetic-input-tokens-stddev",
		"guidellm benchmark --data prompt_tokens=$I,output_tokens=9":            "--data prompt_tokens",
		"token_benchmark_ray.py --mean-input-tokens $I":                         "--mean-input-tokens",
	} {
		r := Read(in)
		assert.Equal(t, []string{unread}, r.Unread, in)
		assert.Equal(t, Tokens{}, r.Prompt, in)
		assert.Empty(t, r.Dataset, in)
	}
}
