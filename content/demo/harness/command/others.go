package command

import (
	"strconv"
	"strings"
)

// GuideLLM, llmperf and inference-perf.

func guidellm() tool {
	return tool{
		name: "guidellm benchmark", words: []string{"guidellm benchmark run", "guidellm benchmark"}, use: regressions,
		flags: "--rate-type,--profile= --rate= --rampup= --max-seconds= --max-requests= --max-errors= --max-error-rate= --max-global-error-rate= --warmup,--warmup-percent= --cooldown,--cooldown-percent= " +
			"--target= --model= --processor= --processor-args= --data= --data-args= --data-column-mapper= --data-sampler= --data-num-workers= --data-samples= --backend,--backend-type= --backend-args,--backend-kwargs= --request-type= --request-format= " +
			"--output-path= --output-dir= --output-formats,--outputs* --output-extras= --output-sampling= --random-seed= --scenario= --sample-requests= --detect-saturation,--over-saturation= --images-per-request= " +
			"--disable-console --disable-console-outputs --disable-console-interactive --display-scheduler-stats --disable-progress",
		read: readGuideLLM,
	}
}

func readGuideLLM(g *given, r *Reading) {
	profile := g.text("--profile", "sweep")
	if !g.has("--profile") {
		r.byDefault("--profile", "sweep", "one request at a time, then as many as it can, then even rates between the two")
	}
	rates := g.list("--rate")
	switch profile {
	case "synchronous":
		if g.has("--rate") {
			g.problem(Contradiction, "--rate", g.text("--rate", ""), "one request at a time has no rate")
		}
		r.Runs = []Run{{Loop: Closed, Clients: 1}}
	case "concurrent":
		r.several(rates, func(x float64) Run { return Run{Loop: Closed, Clients: int(x)} })
		r.needs(g, rates, "--rate is the number of streams here, and must be given")
	case "throughput":
		run := Run{Loop: Burst}
		if len(rates) > 0 {
			run = Run{Loop: Closed, Clients: int(rates[0])}
		}
		r.Runs = []Run{run}
	case "constant", "async":
		r.several(rates, func(x float64) Run { return Run{Loop: Open, Rate: x} })
		r.needs(g, rates, "a constant rate needs --rate")
	case "poisson":
		r.several(rates, func(x float64) Run { return Run{Loop: Open, Rate: x, Shape: 1} })
		r.needs(g, rates, "a Poisson process needs --rate")
	case "sweep":
		steps := 10
		if len(rates) > 0 {
			steps = int(rates[0])
		} else {
			r.byDefault("--rate", "10", "here it is the number of runs of the sweep, and not a rate")
		}
		r.Runs = []Run{{Loop: Closed, Clients: 1, Name: "synchronous"}, {Loop: Burst, Name: "throughput"}}
		r.More = max(0, steps-2)
	default:
		g.problem(BadValue, "--profile", profile, "it is synchronous, concurrent, throughput, constant, poisson or sweep")
	}
	r.Requests, r.Seconds = g.whole("--max-requests", 0, 1), g.seconds("--max-seconds")
	if r.Requests == 0 && r.Seconds == 0 {
		r.byDefault("--max-seconds", "none", "a run goes on until its data end")
	}
	r.guideLengths(g)
	r.Reports = []string{ttft, "time per output token, the first one included", "inter-token latency, one mean for each request", e2e, "requests in flight", "successful, incomplete and failed requests apart"}
	if g.has("--warmup-percent") {
		r.WarmUp = "cut off by share or time, and recorded"
	} else {
		r.byDefault("--warmup", "none", "it can be cut off, and the report would say so")
	}
	r.silent("any promise: it knows no limits", "engine, version and parallelism")
}

// guideLengths reads --data prompt_tokens=256,output_tokens=128, also as JSON.
func (r *Reading) guideLengths(g *given) {
	data := g.text("--data", "")
	in, ok := setting(data, "prompt_tokens")
	if !ok {
		r.Dataset = data
		return
	}
	sd, _ := setting(data, "prompt_tokens_stdev")
	r.Prompt = normal(max(1, in), sd)
	if out, ok := setting(data, "output_tokens"); ok {
		sd, _ := setting(data, "output_tokens_stdev")
		r.Output = normal(max(1, out), sd)
	}
}

// setting finds key=number or "key": number in a list.
func setting(list, key string) (float64, bool) {
	for part := range strings.SplitSeq(strings.Trim(list, "{} "), ",") {
		k, v, ok := strings.Cut(part, "=")
		if !ok {
			k, v, ok = strings.Cut(part, ":")
		}
		if ok && strings.Trim(k, "\"' ") == key {
			return number(strings.Trim(v, "\"' "))
		}
	}
	return 0, false
}

// list is the numbers of a flag with commas between them.
func (g *given) list(name string) (out []float64) {
	if !g.has(name) {
		return nil
	}
	for part := range strings.SplitSeq(strings.Trim(g.text(name, ""), "[] "), ",") {
		x, ok := number(strings.TrimSpace(part))
		switch {
		case strings.Contains(part, "$"):
			g.problem(Variable, g.typed[name], part, "")
		case !ok || !(x > 0) || x > 1e6:
			g.problem(BadValue, g.typed[name], part, "it takes numbers above 0")
		default:
			out = append(out, x)
		}
	}
	return out
}

// several makes a run of each number, and counts those beyond three.
func (r *Reading) several(rates []float64, run func(float64) Run) {
	for i, x := range rates {
		if i == 3 {
			r.More = len(rates) - 3
			return
		}
		one := run(x)
		if len(rates) > 1 {
			one.Name = strconv.FormatFloat(x, 'g', -1, 64)
		}
		r.Runs = append(r.Runs, one)
	}
}

// needs reports a flag that is missing.
func (r *Reading) needs(g *given, rates []float64, says string) {
	if len(rates) == 0 {
		r.Runs = []Run{{}}
		if !g.has("--rate") {
			g.problem(Contradiction, "--profile", g.text("--profile", ""), says)
		}
	}
}

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
				if x, ok := g.num(flag); ok {
					return x
				}
				r.byDefault(flag, strconv.FormatFloat(otherwise, 'g', -1, 64), "")
				return otherwise
			}
			r.Prompt = normal(max(1, with("--mean-input-tokens", 550)), with("--stddev-input-tokens", 250))
			r.Output = normal(max(1, with("--mean-output-tokens", 150)), with("--stddev-output-tokens", 80))
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
