package command

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// loops are commands and the harness that each of them is. Those marked public
// are from bug reports and documentation, as their authors typed them.
var loops = []struct {
	name, in, tool string
	runs           []Run
	requests       int
	seconds        float64
}{
	{"public: ShareGPT without a rate", "vllm bench serve --model meta-llama/Llama-3.1-8B-Instruct --endpoint-type openai-chat --endpoint /v1/chat/completions --dataset-name hf --dataset-path Aeala/ShareGPT_Vicuna_unfiltered",
		"vllm bench serve", []Run{{Loop: Burst}}, 1000, 0},
	{"public: nearly even gaps", "python3 benchmark_serving.py --dataset-name random --random-input-len 8000 --random-output-len 200 --num-prompts 200 --burstiness 100 --request-rate 1 --metric-percentiles 95 --backend openai-chat --endpoint /v1/chat/completions --ignore-eos",
		"vllm bench serve", []Run{{Loop: Open, Rate: 1, Shape: 100}}, 200, 0},
	{"public: AIPerf's tutorial", `aiperf profile -m Qwen/Qwen3-0.6B --endpoint-type chat --streaming --request-count 20 --goodput "time_to_first_token:100 inter_token_latency:3.40"`,
		"aiperf profile", []Run{{Loop: Closed, Clients: 1}}, 20, 0},
	{"public: embeddings", "genai-perf profile -m intfloat/e5-mistral-7b-instruct --endpoint-type embeddings --batch-size-text 2 --input-file embeddings.jsonl --measurement-interval 1000 --goodput request_latency:22.5",
		"genai-perf profile", []Run{{Loop: Closed, Clients: 1}}, 0, 3},
	{"public: flags cut short", "python3 -m sglang.bench_serving \\\n  --backend sglang \\\n  --dataset-name random \\\n  --random-range-ratio 1 \\\n  --num-prompt 2400 \\\n  --request-rate 8 \\\n  --random-input 1024 \\\n  --random-output 1024  \\\n",
		"sglang.bench_serving", []Run{{Loop: Open, Rate: 8, Shape: 1}}, 2400, 0},
	{"public: GuideLLM's first example", "guidellm benchmark \\\n  --target \"http://localhost:8000\" \\\n  --data \"prompt_tokens=256,output_tokens=128\" \\\n  --max-seconds 60\n",
		"guidellm benchmark", []Run{{Loop: Closed, Clients: 1, Name: "synchronous"}, {Loop: Burst, Name: "throughput"}}, 0, 60},
	{"public: even gaps under a cap", "aiperf profile --url localhost:8000 --model llama \\\n    --request-rate 20 \\\n    --arrival-pattern constant \\\n    --concurrency 5 \\\n    --benchmark-duration 60",
		"aiperf profile", []Run{{Loop: Throttled, Rate: 20, Clients: 5}}, 0, 60},

	{"rate inf", "vllm bench serve --request-rate inf", "vllm bench serve", []Run{{Loop: Burst}}, 1000, 0},
	{"rate inf with a cap", "vllm bench serve --request-rate=inf --max-concurrency=64", "vllm bench serve", []Run{{Loop: Closed, Clients: 64}}, 1000, 0},
	{"a cap alone", "vllm bench serve --max-concurrency 8", "vllm bench serve", []Run{{Loop: Closed, Clients: 8}}, 1000, 0},
	{"rate and cap", "vllm bench serve --request-rate 28 --max_concurrency 64", "vllm bench serve", []Run{{Loop: Throttled, Rate: 28, Shape: 1, Clients: 64}}, 1000, 0},
	{"even gaps", "vllm bench serve --request-rate 2 --burstiness inf", "vllm bench serve", []Run{{Loop: Open, Rate: 2}}, 1000, 0},
	{"a ramp", "vllm bench serve --ramp-up-strategy linear --ramp-up-start-rps 1 --ramp-up-end-rps 20", "vllm bench serve", []Run{{Loop: Ramp, Rate: 1, RateEnd: 20, Shape: 1}}, 1000, 0},
	{"a timed trace", "vllm bench serve --dataset-name timed_trace --dataset-path t.jsonl", "vllm bench serve", []Run{{Loop: Replay}}, 1000, 0},
	{"a timed trace with a rate of its own", "vllm bench serve --dataset-name timed_trace --no-self-timed --request-rate 3", "vllm bench serve", []Run{{Loop: Open, Rate: 3, Shape: 1}}, 1000, 0},
	{"a rate of the shell", "vllm bench serve --request-rate $RATE --max-concurrency 8", "vllm bench serve", []Run{{Clients: 8}}, 1000, 0},
	{"in the engine's process", "vllm bench throughput --model m --tensor-parallel-size 4 --gpu-memory-utilization 0.9 --num-prompts 50", "vllm bench throughput", []Run{{Loop: Burst}}, 50, 0},
	{"one batch after another", "vllm bench latency --model m", "vllm bench latency", []Run{{Loop: Batches, Clients: 8}}, 240, 0},
	{"SGLang's default", "python -m sglang.bench_serving --backend sglang", "sglang.bench_serving", []Run{{Loop: Burst}}, 1000, 0},
	{"SGLang replays", "python3 -m sglang.bench_serving --dataset-name mooncake --use-trace-timestamps", "sglang.bench_serving", []Run{{Loop: Replay}}, 1000, 0},
	{"AIPerf's default number of requests", "aiperf profile --concurrency 32", "aiperf profile", []Run{{Loop: Closed, Clients: 32}}, 64, 0},
	{"AIPerf with gamma gaps", "aiperf profile --request-rate 5 --arrival-pattern gamma --vllm-burstiness 0.5 --request-count 9", "aiperf profile", []Run{{Loop: Open, Rate: 5, Shape: 0.5}}, 9, 0},
	{"AIPerf replays", "aiperf profile --input-file t.jsonl --custom-dataset-type mooncake_trace", "aiperf profile", []Run{{Loop: Replay}}, 0, 0},
	{"AIPerf's users", "aiperf profile --user-centric-rate 1.0 --num-users 15 --session-turns-mean 20 --benchmark-duration 300", "aiperf profile", []Run{{Loop: Throttled, Rate: 1, Clients: 15}}, 0, 300},
	{"GenAI-Perf with a rate", "genai-perf profile --request-rate 12 --request-count 300", "genai-perf profile", []Run{{Loop: Open, Rate: 12, Shape: 1}}, 300, 0},
	{"GuideLLM, streams", "guidellm benchmark --profile concurrent --rate 10,20 --max-seconds 30", "guidellm benchmark", []Run{{Loop: Closed, Clients: 10, Name: "10"}, {Loop: Closed, Clients: 20, Name: "20"}}, 0, 30},
	{"GuideLLM, four rates", "guidellm benchmark run --rate-type poisson --rate 1,2,3,4", "guidellm benchmark", []Run{{Loop: Open, Rate: 1, Shape: 1, Name: "1"}, {Loop: Open, Rate: 2, Shape: 1, Name: "2"}, {Loop: Open, Rate: 3, Shape: 1, Name: "3"}}, 0, 0},
	{"GuideLLM, even gaps", "guidellm benchmark --profile constant --rate 5 --max-requests 100", "guidellm benchmark", []Run{{Loop: Open, Rate: 5}}, 100, 0},
	{"GuideLLM 0.7, Poisson", `guidellm run --backend "kind=openai_http,target=http://localhost:8000,model=$MODEL" --profile kind=poisson,rate=8.127,warmup=0.1 --constraint kind=max_duration,seconds=600 --data kind=synthetic_text,prompt_tokens=1155,output_tokens=211 --seed kind=static,value=1 --output kind=json,path=guidellm.json`,
		"guidellm run", []Run{{Loop: Open, Rate: 8.127, Shape: 1}}, 0, 600},
	{"GuideLLM 0.7, streams", "guidellm run --profile kind=concurrent,streams=4 --profile kind=concurrent,streams=8 --constraint kind=max_requests,count=50", "guidellm run", []Run{{Loop: Closed, Clients: 4, Name: "4"}, {Loop: Closed, Clients: 8, Name: "8"}}, 50, 0},
	{"GuideLLM 0.7, a sweep", "guidellm run --profile kind=sweep,sweep_size=8 --output kind=html,path=a.html --output kind=json,path=a.json", "guidellm run", []Run{{Loop: Closed, Clients: 1, Name: "synchronous"}, {Loop: Burst, Name: "throughput"}}, 0, 0},
	{"llmperf", "python token_benchmark_ray.py --model x --num-concurrent-requests 5 --max-num-completed-requests 150", "llmperf token_benchmark_ray.py", []Run{{Loop: Closed, Clients: 5}}, 150, 0},
	{"inference-perf", "inference-perf --config_file config.yml", "inference-perf", []Run{{}}, 0, 0},
	{"LoadGen, Server", "# mine\n*.Server.target_qps = 114.24\n*.Server.min_duration = 2400000\n", "MLPerf LoadGen, Server", []Run{{Loop: Open, Rate: 114.24, Shape: 1}}, 0, 2400},
	{"LoadGen, Offline", "llama2-70b.Offline.target_qps = 150\nllama2-70b.Offline.min_duration = 2400000", "MLPerf LoadGen, Offline", []Run{{Loop: Burst}}, 396_000, 2400},
	{"LoadGen, MultiStream", "*.MultiStream.samples_per_query = 8", "MLPerf LoadGen, MultiStream", []Run{{Loop: Batches, Clients: 8}}, 0, 600},
	{"LoadGen, SingleStream", "*.SingleStream.target_latency = 10", "MLPerf LoadGen, SingleStream", []Run{{Loop: Closed, Clients: 1}}, 0, 600},

	{"a prompt, an environment and a pipe", "$ CUDA_VISIBLE_DEVICES=0 HF_TOKEN='a b' vllm bench serve --request-rate 4 2>&1 | tee log.txt", "vllm bench serve", []Run{{Loop: Open, Rate: 4, Shape: 1}}, 1000, 0},
	{"a container and a path", "docker run --rm img /opt/venv/bin/guidellm benchmark --profile synchronous --max-requests 3", "guidellm benchmark", []Run{{Loop: Closed, Clients: 1}}, 3, 0},
	{"a word processor was here", "vllm bench serve —request-rate 4 –max-concurrency “16”", "vllm bench serve", []Run{{Loop: Throttled, Rate: 4, Shape: 1, Clients: 16}}, 1000, 0},
	{"a paste that lost its backslashes", "vllm bench serve\n  --request-rate 4\n  --num-prompts 10\n", "vllm bench serve", []Run{{Loop: Open, Rate: 4, Shape: 1}}, 10, 0},
	{"the prompts of continued lines", "vllm bench serve \\\n> --request-rate 4 \\\n> --num-prompts 10", "vllm bench serve", []Run{{Loop: Open, Rate: 4, Shape: 1}}, 10, 0},
	{"the last of two", "vllm bench serve --request-rate 4 --request-rate 5", "vllm bench serve", []Run{{Loop: Open, Rate: 5, Shape: 1}}, 1000, 0},
}

func TestLoops(t *testing.T) {
	for _, c := range loops {
		t.Run(c.name, func(t *testing.T) {
			r := Read(c.in)
			require.Empty(t, r.Why)
			assert.Equal(t, c.tool, r.Tool)
			assert.Equal(t, c.runs, r.Runs)
			assert.Equal(t, c.requests, r.Requests)
			assert.InDelta(t, c.seconds, r.Seconds, 0)
			assert.NotEmpty(t, r.For)
			assert.NotEmpty(t, r.Reports)
			assert.NotEmpty(t, r.Silent)
			if strings.HasPrefix(c.name, "public") {
				for _, p := range r.Problems {
					assert.Equal(t, NoEffect, p.Trouble, "%+v", p)
				}
			}
		})
	}
}

func TestSeveralCommands(t *testing.T) {
	r := Read("cd x && pip install vllm; vllm bench serve --request-rate 1\nvllm bench serve --request-rate 2\naiperf profile")
	assert.InDelta(t, 1, r.Runs[0].Rate, 0)
	assert.Equal(t, 2, r.Others)
	assert.Equal(t, 8, Read("guidellm benchmark --profile sweep --rate 10").More)
	assert.Equal(t, 1, Read("guidellm benchmark --profile poisson --rate 1,2,3,4").More)
}

func TestLengths(t *testing.T) {
	for _, c := range []struct {
		in          string
		prompt, out Tokens
	}{
		{"vllm bench serve", Tokens{Kind: Fixed, Mean: 1024}, Tokens{Kind: Fixed, Mean: 128}},
		{"vllm bench serve --random-input-len 1000 --random-output-len 100 --random-range-ratio 0.5", Tokens{Kind: Uniform, Mean: 1000, Lo: 500, Hi: 1500}, Tokens{Kind: Uniform, Mean: 100, Lo: 50, Hi: 150}},
		{"vllm bench serve --input-len 300 --output-len 30 --random-prefix-len 100", Tokens{Kind: Fixed, Mean: 400}, Tokens{Kind: Fixed, Mean: 30}},
		{"vllm bench serve --dataset-name sharegpt", Tokens{}, Tokens{}},
		{"python -m sglang.bench_serving --dataset-name random --random-input-len 1000 --random-output-len 100", Tokens{Kind: Uniform, Mean: 500.5, Lo: 1, Hi: 1000}, Tokens{Kind: Uniform, Mean: 50.5, Lo: 1, Hi: 100}},
		{"python -m sglang.bench_serving --dataset-name random --random-input-len 1000 --random-output-len 100 --random-range-ratio 1", Tokens{Kind: Fixed, Mean: 1000}, Tokens{Kind: Fixed, Mean: 100}},
		{"aiperf profile --isl 2000 --isl-stddev 100 --osl 50", Tokens{Kind: Normal, Mean: 2000, SD: 100}, Tokens{Kind: Fixed, Mean: 50}},
		{"aiperf profile", Tokens{Kind: Fixed, Mean: 550}, Tokens{}},
		{`guidellm benchmark --data '{"prompt_tokens": 256, "prompt_tokens_stdev": 10, "output_tokens": 128}'`, Tokens{Kind: Normal, Mean: 256, SD: 10}, Tokens{Kind: Fixed, Mean: 128}},
		{"guidellm benchmark --data garage-bAInd/Open-Platypus", Tokens{}, Tokens{}},
		{"python token_benchmark_ray.py", Tokens{Kind: Normal, Mean: 550, SD: 250}, Tokens{Kind: Normal, Mean: 150, SD: 80}},
		{"vllm bench latency", Tokens{Kind: Fixed, Mean: 32}, Tokens{Kind: Fixed, Mean: 128}},
	} {
		r := Read(c.in)
		assert.Equal(t, c.prompt, r.Prompt, c.in)
		assert.Equal(t, c.out, r.Output, c.in)
	}
}

func TestClocks(t *testing.T) {
	for in, want := range map[string]Clock{
		"vllm bench serve --request-rate 4":                       FromSend,
		"vllm bench serve --request-rate 4 --max-concurrency 8":   AfterCap,
		"aiperf profile --request-rate 4 --concurrency 8":         FromSend,
		"*.Server.target_qps = 4":                                 FromSchedule,
		"*.Offline.target_qps = 4":                                NoLatency,
		"vllm bench throughput":                                   NoLatency,
		"python -m sglang.bench_serving --max-concurrency 3":      AfterCap,
		"guidellm benchmark --profile constant --rate 3":          FromSend,
		"python token_benchmark_ray.py --num-concurrent-requests": FromSend,
	} {
		assert.Equal(t, want, Read(in).Clock, in)
	}
}

func TestNumbers(t *testing.T) {
	for in, want := range map[string]float64{"8": 8, "1e3": 1000, "1_000": 1000, "-0.5": -0.5, "+inf": math.Inf(1), "Infinity": math.Inf(1)} {
		got, ok := number(in)
		assert.True(t, ok, in)
		assert.InDelta(t, want, got, 0, in)
	}
	for _, in := range []string{"", "x", "0x10", "1e999", "nan", "1,5", "--3"} {
		_, ok := number(in)
		assert.False(t, ok, in)
	}
}

// The script that vllm bench serve was had another data set where none is named.
func TestScriptOfItsDay(t *testing.T) {
	for command, want := range map[string]bool{
		"python3 benchmark_serving.py --request-rate 2":                       true,
		"python3 benchmark_serving.py --request-rate 2 --dataset-name random": false,
		"vllm bench serve --request-rate 2":                                   false,
	} {
		said := ""
		for _, d := range Read(command).Defaults {
			if d.Flag == "--dataset-name" {
				said = d.Says
			}
		}
		assert.Equal(t, want, strings.Contains(said, "sharegpt"), command)
	}
}
