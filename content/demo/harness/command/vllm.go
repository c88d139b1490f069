package command

import (
	"math"
	"strings"
)

// vLLM: a client for endpoints, and two that run the engine in their own
// process.

// vllmScript is what vllm bench serve was before it was a command. Its parser in
// vLLM's benchmarks/benchmark_serving.py had sharegpt as the default data set.
const vllmScript = "benchmark_serving.py"

func vllmServe() tool {
	return tool{
		name: "vllm bench serve", words: []string{"vllm bench serve", vllmScript}, shorten: true, use: regressions,
		flags: "--request-rate= --max-concurrency= --burstiness= --ramp-up-strategy= --ramp-up-start-rps= --ramp-up-end-rps= --self-timed --no-self-timed --probe-request-rate= " +
			"--num-prompts= --num-warmups= --seed= --dataset-name= --dataset-path= --input-len= --output-len= --random-input-len= --random-output-len= --random-range-ratio= " +
			"--random-prefix-len= --random-batch-size= --no-reranker --no-oversample --no-stream --disable-shuffle " +
			"--sharegpt-output-len= --sonnet-input-len= --sonnet-output-len= --sonnet-prefix-len= --custom-output-len= --skip-chat-template --spec-bench-output-len= --spec-bench-category= " +
			"--hf-subset= --hf-split= --hf-name= --hf-output-len= --prefix-repetition-prefix-len= --prefix-repetition-suffix-len= --prefix-repetition-num-prefixes= --prefix-repetition-output-len= " +
			"--percentile-metrics= --metric-percentiles= --goodput* --save-result --save-detailed --append-result --metadata* --result-dir= --result-filename= " +
			"--label= --backend,--endpoint-type= --base-url= --host= --port= --endpoint= --header* --model= --served-model-name= --tokenizer= --tokenizer-mode= --trust-remote-code --use-beam-search --logprobs= " +
			"--best-of= --disable-tqdm --profile --ignore-eos --request-id-prefix= --top-p= --top-k= --min-p= --temperature= --frequency-penalty= --presence-penalty= --repetition-penalty= " +
			"--lora-modules* --lora-assignment= --ready-check-timeout-sec= --chat-template-kwargs= --extra-body= --skip-tokenizer-init --insecure --plot-timeline --timeline-itl-thresholds= --plot-dataset-stats",
		read: readVLLMServe,
	}
}

func readVLLMServe(g *given, r *Reading) {
	r.Requests = g.whole("--num-prompts", 1000, 1)
	if !g.has("--num-prompts") {
		r.byDefault("--num-prompts", "1000", "")
	}
	r.Runs = []Run{vllmRun(g, r)}
	r.vllmLengths(g)
	r.vllmOutput(g)
	if !g.has("--seed") {
		r.byDefault("--seed", "0", "the same prompts in every run: a second run finds them in the prefix cache of the same server")
	}
	if n := g.whole("--num-warmups", 0, 0); n > 0 || g.hasLost("--num-warmups") {
		r.WarmUp = "repeats of the first prompt, which is then cached"
	} else {
		r.byDefault("--num-warmups", "0", "the first requests are part of what is measured")
	}
}

// vllmRun is the loop of a client that takes a rate and a cap.
func vllmRun(g *given, r *Reading) Run {
	limit, capped := g.limit("--max-concurrency")
	if g.text("--ramp-up-strategy", "") != "" {
		return vllmRamp(g, limit)
	}
	if g.text("--dataset-name", "") == "timed_trace" && !g.has("--no-self-timed") {
		return Run{Loop: Replay, Clients: limit}
	}
	rate, ok := g.num("--request-rate")
	finite := ok && !math.IsInf(rate, 1)
	switch {
	case !g.has("--request-rate"):
		r.byDefault("--request-rate", "inf", "no rate at all: every request leaves at the start, or as soon as there is a slot")
	case finite && rate <= 0:
		g.problem(BadValue, "--request-rate", g.text("--request-rate", ""), "it takes a number above 0, or inf")
		return Run{Clients: limit}
	case !ok:
		return Run{Clients: limit} // a rate that nobody here knows
	}
	shape := 1.0
	switch {
	case g.has("--burstiness") && !finite:
		g.problem(NoEffect, "--burstiness", g.text("--burstiness", ""), "without a rate there are no gaps")
	case g.has("--burstiness"):
		b, ok := g.num("--burstiness")
		switch {
		case ok && !(b > 0):
			g.cannot("--burstiness", "it takes a number above 0")
		case math.IsInf(b, 1):
			shape = 0
		case ok:
			shape = b
		}
	case finite:
		r.byDefault("--burstiness", "1", "Poisson arrivals")
	}
	if capped {
		r.Clock = AfterCap
	}
	return schedule(rate, finite, limit, capped, shape)
}

func vllmRamp(g *given, limit int) Run {
	if g.has("--request-rate") {
		g.problem(Contradiction, "--ramp-up-strategy", "", "the ramp sets the rate, so --request-rate must go")
	}
	from, ok1 := g.num("--ramp-up-start-rps")
	to, ok2 := g.num("--ramp-up-end-rps")
	switch {
	case !g.has("--ramp-up-start-rps") || !g.has("--ramp-up-end-rps"):
		g.problem(Contradiction, "--ramp-up-strategy", "", "it needs --ramp-up-start-rps and --ramp-up-end-rps")
	case ok1 && ok2 && from > to:
		g.problem(BadValue, "--ramp-up-start-rps", g.text("--ramp-up-start-rps", ""), "a ramp climbs, so it starts below --ramp-up-end-rps")
	case ok1 && from <= 0 && g.text("--ramp-up-strategy", "") == "exponential":
		g.problem(BadValue, "--ramp-up-start-rps", g.text("--ramp-up-start-rps", ""), "an exponential ramp starts above 0")
	}
	if s := g.text("--ramp-up-strategy", ""); s != "linear" && s != "exponential" {
		g.cannot("--ramp-up-strategy", "it is linear or exponential")
	}
	if g.hasLost("--ramp-up-start-rps", "--ramp-up-end-rps") {
		from, to = 0, 0
	}
	return Run{Loop: Ramp, Rate: from, RateEnd: to, Shape: 1, Clients: limit}
}

// vllmLengths reads what prompts and answers are.
func (r *Reading) vllmLengths(g *given) {
	name := g.text("--dataset-name", "random")
	if !g.has("--dataset-name") {
		says := "made-up prompts that share nothing"
		if g.said == vllmScript {
			says += ", if the script is that of today; until it became vllm bench serve it took sharegpt, and needed its file"
		}
		r.byDefault("--dataset-name", "random", says)
	}
	if name != "random" {
		r.Dataset = name
		if path := g.text("--dataset-path", ""); path != "" {
			r.Dataset += ", " + path
		}
		return
	}
	if g.has("--dataset-path") {
		g.problem(Contradiction, "--dataset-path", g.text("--dataset-path", ""), "a random data set has no file; name the one that reads it, such as sharegpt, custom or hf")
	}
	if g.has("--ignore-eos") {
		g.problem(NoEffect, "--ignore-eos", "", "with random prompts it is on already, so every answer has the length asked for")
	}
	in := g.whole("--random-input-len", g.whole("--input-len", 1024, 1), 1)
	out := g.whole("--random-output-len", g.whole("--output-len", 128, 1), 1)
	if !g.has("--random-input-len") && !g.has("--input-len") {
		r.byDefault("--random-input-len", "1024", "")
	}
	if !g.has("--random-output-len") && !g.has("--output-len") {
		r.byDefault("--random-output-len", "128", "")
	}
	ratio, ok := g.num("--random-range-ratio")
	switch {
	case !g.has("--random-range-ratio"):
		r.byDefault("--random-range-ratio", "0", "every prompt and every answer has the same length")
	case ok && !(ratio >= 0 && ratio < 1):
		g.cannot("--random-range-ratio", "it is from 0 up to 1, 1 not included")
	}
	if prefix := g.whole("--random-prefix-len", 0, 0); in > 0 {
		in += prefix
	}
	if g.hasLost("--random-prefix-len") {
		in = 0
	}
	around := func(n int) Tokens {
		if n == 0 || g.hasLost("--random-range-ratio") {
			return Tokens{}
		}
		return between(max(1, int(float64(n)*(1-ratio))), max(1, int(float64(n)*(1+ratio))))
	}
	r.Prompt, r.Output = around(in), around(out)
}

// vllmOutput is what the client prints.
func (r *Reading) vllmOutput(g *given) {
	metrics := g.text("--percentile-metrics", "ttft,tpot,itl")
	names := map[string]string{"ttft": ttft, "tpot": tpot, "itl": itl, "e2el": e2e,
		"client_queue_time": "the wait for a slot in the client", "e2el_including_client_queue": "end-to-end latency with that wait in it"}
	given := map[string]bool{}
	for name := range strings.SplitSeq(metrics, ",") {
		name = strings.TrimSpace(name)
		if says := names[name]; says != "" {
			r.Reports = append(r.Reports, says)
			given[name] = true
		} else {
			g.problem(BadValue, "--percentile-metrics", name, "it takes ttft, tpot, itl, e2el, client_queue_time and e2el_including_client_queue")
		}
	}
	if !g.has("--percentile-metrics") {
		r.byDefault("--percentile-metrics", "ttft,tpot,itl", "")
	}
	if !g.has("--metric-percentiles") {
		r.byDefault("--metric-percentiles", "99", "")
	}
	if !given["e2el"] {
		r.silent("end-to-end latency: it is not among the metrics unless --percentile-metrics has e2el")
	}
	if g.has("--max-concurrency") && !given["client_queue_time"] && !given["e2el_including_client_queue"] {
		r.silent("how long requests waited in the client for a slot")
	}
	for _, limit := range g.values["--goodput"] {
		name, _, _ := strings.Cut(limit, ":")
		if name != "ttft" && name != "tpot" && name != "e2el" {
			g.problem(BadValue, "--goodput", limit, "it takes limits of ttft, tpot and e2el, in milliseconds, such as ttft:500")
			continue
		}
		r.Limits = append(r.Limits, limit)
	}
	if len(r.Limits) > 0 {
		r.silent("the limits of the goodput: the file holds the rate that met them, and not what they were")
	} else {
		r.silent("any promise: without --goodput no latency is good or bad")
	}
	r.silent("engine, version and parallelism, unless --metadata says them", "a window after warm-up: ramp-up and drain are part of every rate")
	if !g.has("--save-result") && !g.has("--append-result") {
		r.silent("a file: without --save-result only the printed block is left")
	}
}

func vllmThroughput() tool {
	return tool{
		name: "vllm bench throughput", words: []string{"vllm bench throughput", "benchmark_throughput.py"}, shorten: true, engine: true, use: regressions,
		flags: "--num-prompts= --input-len= --output-len= --random-range-ratio= --dataset-name= --dataset,--dataset-path= --n= --backend= --async-engine --output-json= --seed= --model= --tokenizer=",
		read: func(g *given, r *Reading) {
			r.Process, r.Clock = true, NoLatency
			r.Runs = []Run{{Loop: Burst}}
			r.Requests = g.whole("--num-prompts", 1000, 1)
			if !g.has("--num-prompts") {
				r.byDefault("--num-prompts", "1000", "all of them are handed to the engine at once")
			}
			if path := g.text("--dataset-path", g.text("--dataset-name", "")); path != "" && path != "random" {
				r.Dataset = path
			} else if g.has("--input-len") {
				r.Prompt, r.Output = fixed(g.whole("--input-len", 0, 1)), fixed(g.whole("--output-len", 0, 1))
			}
			r.Reports = []string{"requests/s", "tokens/s, prompts and answers together", "output tokens/s"}
			r.silent("any latency", "the frontend, the network and the queue of a server: the engine runs inside the tool", "a warm-up", "engine, version and parallelism")
		},
	}
}

func vllmLatency() tool {
	return tool{
		name: "vllm bench latency", words: []string{"vllm bench latency", "benchmark_latency.py"}, shorten: true, engine: true, use: regressions,
		flags: "--batch-size= --input-len= --output-len= --num-iters= --num-iters-warmup= --n= --use-beam-search --profile --output-json= --disable-detokenize --model= --tokenizer= --enable-prefix-caching",
		read: func(g *given, r *Reading) {
			r.Process = true
			batch, iters := g.whole("--batch-size", 8, 1), g.whole("--num-iters", 30, 1)
			in, out := g.whole("--input-len", 32, 1), g.whole("--output-len", 128, 1)
			r.Runs = []Run{{Loop: Batches, Clients: batch}}
			r.Requests = batch * min(iters, 1e9/max(1, batch))
			r.Prompt, r.Output = fixed(in), fixed(out)
			for _, d := range []Default{{"--batch-size", "8", ""}, {"--input-len", "32", "prompts shorter than any that users send"}, {"--output-len", "128", ""}, {"--num-iters", "30", ""}} {
				if !g.has(d.Flag) {
					r.Defaults = append(r.Defaults, d)
				}
			}
			if n := g.whole("--num-iters-warmup", 10, 0); n > 0 || g.hasLost("--num-iters-warmup") {
				r.WarmUp = "whole batches before the clock starts, 10 unless --num-iters-warmup says otherwise"
			}
			if !g.has("--enable-prefix-caching") {
				r.byDefault("--enable-prefix-caching", "off", "unlike in a server, where it is on")
			}
			r.Reports = []string{"the time of a whole batch, mean and percentiles"}
			r.silent("time to first token, and any latency of a single request", "a queue: the next batch waits for the whole one before it", "engine, version and parallelism")
		},
	}
}
