package command

import "strconv"

// llmperf and inference-perf.

func llmperf() tool {
	return tool{
		name: "llmperf token_benchmark_ray.py", words: []string{"token_benchmark_ray.py"}, shorten: true, use: endpoints,
		flags: "--model= --mean-input-tokens= --stddev-input-tokens= --mean-output-tokens= --stddev-output-tokens= --num-concurrent-requests= --max-num-completed-requests= --timeout= --results-dir= --llm-api= --additional-sampling-params= --metadata=",
		read: func(g *given, r *Reading) {
			n := g.whole("--num-concurrent-requests", 10, 1)
			r.Runs = []Run{{Loop: Closed, Clients: n}}
			r.Requests = g.whole("--max-num-completed-requests", 10, 1)
			if !g.has("--num-concurrent-requests") {
				r.byDefault("--num-concurrent-requests", "10", "")
			}
			if !g.has("--max-num-completed-requests") {
				r.byDefault("--max-num-completed-requests", "10", "a p99 of ten requests is their largest")
			}
			r.byDefault("--timeout", "90", "seconds, after which a request is lost")
			with := func(flag string, otherwise float64) float64 {
				if g.has(flag) {
					x, _ := g.num(flag)
					return x
				}
				r.byDefault(flag, strconv.FormatFloat(otherwise, 'g', -1, 64), "")
				return otherwise
			}
			lengths := func(mean, sd string, m, s float64) Tokens {
				if m, s = with(mean, m), with(sd, s); g.hasLost(mean, sd) {
					return Tokens{}
				}
				return normal(max(1, m), s)
			}
			r.Prompt = lengths("--mean-input-tokens", "--stddev-input-tokens", 550, 250)
			r.Output = lengths("--mean-output-tokens", "--stddev-output-tokens", 150, 80)
			r.Reports = []string{ttft, "inter-token latency, with the time to first token in it", e2e, "failed requests, apart"}
			r.silent("a warm-up", "any promise: it knows no limits", "engine, version and parallelism")
		},
	}
}

func inferencePerf() tool {
	return tool{
		name: "inference-perf", words: []string{"inference-perf"}, use: endpoints,
		flags: "-c,--config_file,--config-file= --log-level= --analyze*",
		read: func(g *given, r *Reading) {
			r.Runs = []Run{{}}
			r.Reports = []string{ttft, tpot, itl, e2e, "how late each request was sent", "failed requests, apart"}
			r.silent("the caps num_workers and worker_max_concurrency, which stand in the file only")
			if !g.has("--config-file") {
				g.problem(Contradiction, "--config_file", "", "the load is in that file, and it must be given")
			}
			r.byDefault("load.type", "in the file", "constant and poisson are open up to num_workers × worker_max_concurrency requests in flight, and throttled beyond; concurrent is closed")
		},
	}
}
