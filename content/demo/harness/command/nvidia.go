package command

import (
	"math"
	"strconv"
)

// AIPerf, and GenAI-Perf before it.

func aiperf() tool {
	return tool{
		name: "aiperf profile", words: []string{"aiperf profile"}, use: endpoints,
		flags: "--concurrency= --request-rate= --request-rate-mode,--arrival-pattern= --vllm-burstiness,--arrival-smoothness= --user-centric-rate= --num-users= --prefill-concurrency= " +
			"--fixed-schedule --fixed-schedule-auto-offset --fixed-schedule-start-offset= --fixed-schedule-end-offset= --num-requests,--request-count= --benchmark-duration= --benchmark-grace-period= " +
			"--num-warmup-requests,--warmup-request-count= --warmup-duration= --num-warmup-sessions= --warmup-concurrency= --warmup-prefill-concurrency= --warmup-request-rate= --warmup-arrival-pattern= --warmup-grace-period= " +
			"--concurrency-ramp-duration= --prefill-concurrency-ramp-duration= --request-rate-ramp-duration= --warmup-concurrency-ramp-duration= --warmup-request-rate-ramp-duration= " +
			"--request-cancellation-rate= --request-cancellation-delay= --num-profile-runs= --profile-run-cooldown-seconds= --confidence-level= " +
			"--synthetic-input-tokens-mean,--prompt-input-tokens-mean,--isl= --synthetic-input-tokens-stddev,--prompt-input-tokens-stddev,--isl-stddev= --isl-block-size,--prompt-input-tokens-block-size= " +
			"--output-tokens-mean,--prompt-output-tokens-mean,--osl= --output-tokens-stddev,--prompt-output-tokens-stddev,--osl-stddev= --seq-dist,--sequence-distribution= " +
			"--num-prefix-prompts,--prefix-prompt-pool-size,--prompt-prefix-pool-size= --prefix-prompt-length,--prompt-prefix-length= --shared-system-prompt-length= --user-context-prompt-length= " +
			"--num-conversations,--conversation-num,--num-sessions= --num-prompts,--num-dataset-entries= --conversation-turn-mean,--session-turns-mean= --conversation-turn-stddev,--session-turns-stddev= " +
			"--session-turn-delay-mean= --session-turn-delay-stddev= --session-delay-ratio= --public-dataset= --custom-dataset-type= --dataset-sampling-strategy= --input-file= --random-seed= " +
			"-m,--model-names,--model= --model-selection-strategy= -u,--url= --custom-endpoint,--endpoint= --endpoint-type= --streaming --request-timeout-seconds= --api-key= --extra-inputs* -H,--header= --transport= " +
			"-g,--goodput= --slice-duration= --output-artifact-dir,--artifact-dir= --profile-export-prefix,--profile-export-file= --export-level,--profile-export-level= --export-http-trace --show-trace-timing " +
			"--tokenizer= --tokenizer-revision= --tokenizer-trust-remote-code -b,--batch-size,--batch-size-text= --batch-size-audio= --batch-size-image= --gpu-telemetry* --no-gpu-telemetry --server-metrics* --no-server-metrics --server-metrics-formats* " +
			"--synthesis-speedup-ratio= --synthesis-max-isl= --synthesis-max-osl= --ui,--ui-type= --workers-max,--max-workers= --record-processors= --log-level= -v,--verbose -vv,--extra-verbose --use-server-token-count",
		read: readAIPerf,
	}
}

func readAIPerf(g *given, r *Reading) {
	run := aiperfRun(g, r)
	r.Runs = []Run{run}
	if g.has("--request-count") && g.has("--num-sessions") {
		g.problem(Contradiction, "--request-count", "", "it and --num-sessions both say when to stop; give one")
	}
	r.Seconds = g.seconds("--benchmark-duration")
	r.Requests = g.whole("--request-count", 0, 1)
	switch {
	case g.has("--request-count") || g.has("--benchmark-duration") || run.Loop == Replay:
	case g.hasLost("--concurrency", "--num-users"):
		r.byDefault("--request-count", "twice the concurrency", "or 10, if that is more: two waves at most")
	default:
		r.Requests = max(10, 2*run.Clients)
		r.byDefault("--request-count", strconv.Itoa(r.Requests), "the larger of 10 and twice the concurrency: two waves at most")
	}
	if g.has("--benchmark-grace-period") && !g.has("--benchmark-duration") {
		g.problem(Contradiction, "--benchmark-grace-period", g.text("--benchmark-grace-period", ""), "it needs --benchmark-duration")
	}
	if g.has("--prefill-concurrency") && !g.has("--streaming") {
		g.problem(Contradiction, "--prefill-concurrency", g.text("--prefill-concurrency", ""), "it needs --streaming")
	}
	r.synthetic(g, "--isl", "--isl-stddev", "--osl", "--osl-stddev")
	r.streamed(g)
	r.nvidiaWarmUp(g)
	r.silent("engine, version and parallelism")
}

// aiperfRun takes the first of four ways to schedule that is asked for.
func aiperfRun(g *given, r *Reading) Run {
	limit, capped := g.limit("--concurrency")
	switch {
	case g.has("--fixed-schedule") || g.text("--custom-dataset-type", "") == "mooncake_trace":
		return Run{Loop: Replay, Clients: limit}
	case g.has("--user-centric-rate"):
		if g.has("--request-rate") || g.has("--arrival-pattern") {
			g.problem(Contradiction, "--user-centric-rate", "", "it goes with neither --request-rate nor --arrival-pattern")
		}
		users, said := g.limit("--num-users")
		if !said {
			g.problem(Contradiction, "--user-centric-rate", "", "it needs --num-users")
		}
		rate, _ := g.num("--user-centric-rate")
		return Run{Loop: Throttled, Rate: rate, Clients: users}
	case g.has("--num-users"):
		g.problem(NoEffect, "--num-users", "", "it counts for --user-centric-rate only, and the tool refuses it otherwise")
	}
	rate, ok := g.num("--request-rate")
	if !g.has("--request-rate") {
		if g.has("--arrival-pattern") {
			g.problem(NoEffect, "--arrival-pattern", g.text("--arrival-pattern", ""), "without --request-rate there is no schedule")
		}
		if !capped {
			limit = 1
			r.byDefault("--concurrency", "1", "one client: the server never has two requests at once")
		}
		return Run{Loop: Closed, Clients: limit}
	}
	if !ok || rate <= 0 {
		return Run{Clients: limit}
	}
	shape := 1.0
	pattern := g.text("--arrival-pattern", "poisson")
	switch pattern {
	case "constant":
		shape = 0
	case "gamma":
		switch s, ok := g.num("--arrival-smoothness"); {
		case ok && s > 0:
			shape = s
		case ok:
			g.cannot("--arrival-smoothness", "it takes a number above 0")
		}
	case "poisson":
		if !g.has("--arrival-pattern") {
			r.byDefault("--arrival-pattern", "poisson", "")
		}
	default:
		g.cannot("--arrival-pattern", "it is constant, poisson or gamma")
	}
	if g.has("--arrival-smoothness") && pattern != "gamma" {
		g.problem(Contradiction, "--arrival-smoothness", g.text("--arrival-smoothness", ""), "it goes with --arrival-pattern gamma only")
	}
	return schedule(rate, true, limit, capped, shape)
}

func genaiPerf() tool {
	return tool{
		name: "genai-perf profile", words: []string{"genai-perf profile", "genai-perf"}, shorten: true, use: endpoints,
		flags: "--concurrency= --request-rate= --num-requests,--request-count= -p,--measurement-interval= -s,--stability-percentage= --num-warmup-requests,--warmup-request-count= --fixed-schedule " +
			"--isl,--synthetic-input-tokens-mean= --synthetic-input-tokens-stddev= --osl,--output-tokens-mean= --output-tokens-stddev= --output-tokens-mean-deterministic " +
			"--num-prefix-prompts= --prefix-prompt-length= --num-sessions= --session-concurrency= --session-delay-ratio= --session-turn-delay-mean= --session-turn-delay-stddev= --session-turns-mean= --session-turns-stddev= " +
			"--num-prompts,--num-dataset-entries= --input-file= --random-seed= --extra-inputs= -H,--header= -m,--model* --model-selection-strategy= --backend= --service-kind= --endpoint= --endpoint-type= --streaming " +
			"-u,--url= --grpc-method= --server-metrics-url,--server-metrics-urls* -g,--goodput* --artifact-dir= --checkpoint-dir= --generate-plots --profile-export-file= --enable-checkpointing --tokenizer= --tokenizer-revision= " +
			"--tokenizer-trust-remote-code -b,--batch-size,--batch-size-text= --batch-size-audio= --batch-size-image= --image-width-mean= --image-height-mean= --image-format= --audio-length-mean= -v,--verbose",
		read: readGenAIPerf,
	}
}

func readGenAIPerf(g *given, r *Reading) {
	limit, capped := g.limit("--concurrency")
	rate, ok := g.num("--request-rate")
	if g.has("--concurrency") && g.has("--request-rate") {
		g.problem(Contradiction, "--request-rate", g.text("--request-rate", ""), "it or --concurrency; its successor AIPerf takes both")
	}
	switch {
	case g.has("--fixed-schedule"):
		r.Runs = []Run{{Loop: Replay}}
	case ok && rate > 0:
		r.Runs = []Run{{Loop: Open, Rate: rate, Shape: 1}}
	case g.has("--request-rate"):
		r.Runs = []Run{{}}
	default:
		if !capped {
			limit = 1
			r.byDefault("--concurrency", "1", "one client: the server never has two requests at once")
		}
		r.Runs = []Run{{Loop: Closed, Clients: limit}}
	}
	r.Requests = g.whole("--request-count", 0, 1)
	switch {
	case g.has("--request-count"):
	case g.has("--measurement-interval"):
		ms, _ := g.num("--measurement-interval")
		r.Seconds = 3 * ms / 1000
		r.silent("requests that do not end inside a window: with long ones in flight, few are counted, and fast ones first")
	default:
		r.Requests = 10
		r.byDefault("--request-count", "10", "a p99 of ten requests is their largest")
	}
	r.synthetic(g, "--synthetic-input-tokens-mean", "--synthetic-input-tokens-stddev", "--output-tokens-mean", "--output-tokens-stddev")
	r.streamed(g)
	r.nvidiaWarmUp(g)
	r.silent("how many requests failed", "engine, version and parallelism")
}

// seconds is the value of a flag that is a time; 0 if there is none.
func (g *given) seconds(name string) float64 {
	x, ok := g.num(name)
	if ok && (!(x > 0) || math.IsInf(x, 0)) {
		g.cannot(name, "it takes a number of seconds above 0")
		return 0
	}
	return x
}

// datasetEntries is how many different prompts are made up if nothing else is asked for.
const datasetEntries = 100

// synthetic reads the lengths of prompts that are made up.
func (r *Reading) synthetic(g *given, in, inSD, out, outSD string) {
	for _, from := range []string{"--input-file", "--public-dataset", "--sequence-distribution"} {
		if g.has(from) {
			r.Dataset = g.text(from, "")
			return
		}
	}
	r.Prompt = g.normal(in, inSD, 550)
	if !g.has(in) {
		r.byDefault(in, "550", "")
	}
	if r.Prompt.Kind == Fixed {
		r.byDefault(inSD, "0", "every prompt has the same length")
	}
	if !g.has("--num-dataset-entries") && !g.has("--num-sessions") && (r.Requests == 0 || r.Requests > datasetEntries) {
		r.byDefault("--num-dataset-entries", strconv.Itoa(datasetEntries), "the same prompts again and again, which a prefix cache finds")
	}
	if g.has(out) {
		r.Output = g.normal(out, outSD, 0)
	} else {
		r.byDefault(out, "none", "the model decides when an answer ends")
	}
}

// normal reads a mean and a deviation of tokens, or takes the mean that holds
// where none is given; not said if either cannot be read.
func (g *given) normal(mean, sd string, otherwise float64) Tokens {
	m, ok := g.num(mean)
	switch {
	case !g.has(mean):
		m = otherwise
	case ok && m < 1:
		g.cannot(mean, "it takes a number of tokens, 1 or more")
	}
	s, _ := g.num(sd)
	if g.hasLost(mean, sd) {
		return Tokens{}
	}
	return normal(m, s)
}

// streamed is what AIPerf and GenAI-Perf print. Without a stream nobody sees
// the first token.
func (r *Reading) streamed(g *given) {
	switch kind := g.text("--endpoint-type", "chat"); {
	case kind == "embeddings" || kind == "rankings":
		r.Reports = []string{"request latency", "requests/s"}
	case g.has("--streaming"):
		r.Reports = []string{ttft, "time to second token", "inter-token latency, one mean for each request", e2e, "tokens/s of a user"}
	default:
		r.Reports = []string{e2e, "output tokens/s"}
		r.byDefault("--streaming", "off", "")
		r.silent("time to first token and between tokens: without --streaming an answer comes in one piece")
	}
	for _, v := range g.values["--goodput"] {
		r.Limits = append(r.Limits, v)
	}
	if len(r.Limits) == 0 {
		r.silent("any promise: without --goodput no latency is good or bad")
	}
}

func (r *Reading) nvidiaWarmUp(g *given) {
	for _, by := range []string{"--warmup-request-count", "--warmup-duration", "--num-warmup-sessions"} {
		if g.has(by) {
			r.WarmUp = by + " " + g.text(by, "")
			return
		}
	}
	r.byDefault("--warmup-request-count", "none", "the first requests are part of what is measured")
}
