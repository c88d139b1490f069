package command

import "math"

// SGLang's client: vLLM's in an earlier shape, with defaults of its own.

func sglangServing() tool {
	return tool{
		name: "sglang.bench_serving", words: []string{"sglang.bench_serving", "sglang.benchmark.serving", "bench_serving.py"}, shorten: true, use: regressions,
		flags: "--request-rate= --max-concurrency= --num-prompts= --dataset-name= --dataset-path= --dataset-offset= --random-input-len= --random-output-len= --random-range-ratio= " +
			"--sharegpt-output-len= --sharegpt-context-len= --warmup-requests= --flush-cache --flush-cache-timeout= --output-file= --output-details --print-requests --disable-tqdm --disable-stream " +
			"--use-trace-timestamps --mooncake-slowdown-factor= --mooncake-num-rounds= --mooncake-workload= --gsp-num-groups= --gsp-prompts-per-group= --gsp-system-prompt-len= --gsp-question-len= --gsp-output-len= " +
			"--gsp-group-distribution= --gsp-zipf-alpha= --agentic-max-turns= --speed-bench-category= --speed-bench-output-len= --image-count= --image-resolution= --random-image-count --image-format= --image-content= " +
			"--return-logprob --top-logprobs-num= --token-ids-logprob* --logprob-start-len= --return-routed-experts --cache-report --seed= --disable-ignore-eos --temperature= --top-p= --extra-request-body= --apply-chat-template " +
			"--profile --plot-throughput --profile-activities* --profile-start-step= --profile-steps= --profile-num-steps= --profile-by-stage --profile-stages* --profile-output-dir= --profile-prefix= " +
			"--profile-prefill-url* --profile-decode-url* --pd-separated --lora-name* --lora-request-distribution= --lora-zipf-alpha= --prompt-suffix= --tokenize-prompt --tag= --header* " +
			"--backend= --base-url= --host= --port= --ready-check-timeout-sec= --model= --served-model-name= --tokenizer=",
		read: readSGLang,
	}
}

func readSGLang(g *given, r *Reading) {
	r.Requests = g.whole("--num-prompts", 1000, 1)
	if !g.has("--num-prompts") {
		r.byDefault("--num-prompts", "1000", "")
	}
	limit, capped := g.limit("--max-concurrency")
	rate, ok := g.num("--request-rate")
	finite := ok && !math.IsInf(rate, 1)
	switch {
	case g.has("--use-trace-timestamps"):
		if g.has("--request-rate") {
			g.problem(NoEffect, "--request-rate", g.text("--request-rate", ""), "the times of the trace are used instead")
		}
		r.Runs = []Run{{Loop: Replay, Clients: limit}}
	case g.has("--request-rate") && !ok:
		r.Runs = []Run{{Clients: limit}}
	case finite && rate <= 0:
		g.problem(BadValue, "--request-rate", g.text("--request-rate", ""), "it takes a number above 0, or inf")
		r.Runs = []Run{{Clients: limit}}
	default:
		if !g.has("--request-rate") {
			r.byDefault("--request-rate", "inf", "no rate at all: every request leaves at the start, or as soon as there is a slot")
		}
		r.Runs = []Run{schedule(rate, finite, limit, capped, 1)}
	}
	if capped {
		r.Clock = AfterCap
		r.silent("how long requests waited in the client for a slot")
	}
	r.sglangLengths(g)
	r.Reports = []string{ttft, tpot, itl, e2e}
	if g.has("--disable-stream") {
		r.Reports = []string{e2e}
		r.silent("a time to first token: without a stream it comes out as 0, which means that it is missing")
	}
	switch n := g.whole("--warmup-requests", 1, 0); {
	case !g.has("--warmup-requests"):
		r.byDefault("--warmup-requests", "1", "one request warms up no batch")
		r.WarmUp = "one request"
	case n > 0 || g.hasLost("--warmup-requests"):
		r.WarmUp = "requests before the clock starts"
	}
	if !g.has("--flush-cache") {
		r.byDefault("--flush-cache", "off", "prompts of the run before may still be in the prefix cache")
	}
	r.silent("how many requests failed: only the completed ones are counted", "any promise: it knows no limits", "a window after warm-up: ramp-up and drain are part of every rate")
}

func (r *Reading) sglangLengths(g *given) {
	name := g.text("--dataset-name", "sharegpt")
	if !g.has("--dataset-name") {
		r.byDefault("--dataset-name", "sharegpt", "")
	}
	if name != "random" && name != "random-ids" {
		r.Dataset = name
		if path := g.text("--dataset-path", ""); path != "" {
			r.Dataset += ", " + path
		}
		return
	}
	ratio, ok := g.num("--random-range-ratio")
	switch {
	case !g.has("--random-range-ratio"):
		r.byDefault("--random-range-ratio", "0", "lengths are uniform from 1 token up to the one asked for, so their mean is half of it")
	case ok && !(ratio >= 0 && ratio <= 1):
		g.cannot("--random-range-ratio", "it is from 0 to 1")
	}
	upTo := func(n int) Tokens {
		if n == 0 || g.hasLost("--random-range-ratio") {
			return Tokens{}
		}
		return between(max(1, int(float64(n)*ratio)), n)
	}
	r.Prompt = upTo(g.whole("--random-input-len", 1024, 1))
	r.Output = upTo(g.whole("--random-output-len", 1024, 1))
	if !g.has("--random-output-len") {
		r.byDefault("--random-output-len", "1024", "")
	}
}
