package command

import (
	"strconv"
	"strings"
)

// GuideLLM: "guidellm benchmark", and "guidellm run" from 0.7 on, which says the
// same in lists of key=value.

func guidellm() tool {
	return tool{
		name: "guidellm benchmark", words: []string{"guidellm benchmark run", "guidellm benchmark"}, use: regressions,
		flags: "--rate-type,--profile= --rate= --rampup= --max-seconds= --max-requests= --max-errors= --max-error-rate= --max-global-error-rate= --warmup,--warmup-percent= --cooldown,--cooldown-percent= " +
			"--target= --model= --processor= --processor-args= --data= --data-args= --data-column-mapper= --data-sampler= --data-num-workers= --data-samples= --backend,--backend-type= --backend-args,--backend-kwargs= --request-type= --request-format= " +
			"--output-path= --output-dir= --output-formats,--outputs* --output-extras= --output-sampling= --random-seed= --scenario= --sample-requests= --detect-saturation,--over-saturation= --images-per-request= " +
			"--disable-console --disable-console-outputs --disable-console-interactive --display-scheduler-stats --disable-progress",
		read: func(g *given, r *Reading) {
			x := guided{profile: g.text("--profile", ""), rates: g.list("--rate"), rate: "--rate", size: "--rate", end: "--max-seconds", cut: "--warmup", warm: g.has("--warmup-percent")}
			if x.profile == "synchronous" && g.has("--rate") {
				g.problem(Contradiction, "--rate", g.text("--rate", ""), "one request at a time has no rate")
			}
			x.wrong = g.hasLost("--rate")
			x.requests, x.seconds = g.whole("--max-requests", 0, 1), g.seconds("--max-seconds")
			x.ends = g.has("--max-requests") || g.has("--max-seconds")
			x.data = g.text("--data", "")
			r.guided(g, x)
		},
	}
}

func guidellmRun() tool {
	return tool{
		name: "guidellm run", words: []string{"guidellm run"}, use: regressions,
		flags: "--backend= --profile* --constraint* --data* --tokenizer= --seed= --output* --metrics* --config= --scenario= --label* --override* --disable-console --disable-console-interactive",
		read: func(g *given, r *Reading) {
			x := guided{kind: "kind", rate: "rate", size: "sweep_size", end: "--constraint", cut: "warmup"}
			for i, list := range g.values["--profile"] {
				kind, _ := entry(list, "kind")
				if i > 0 && kind != x.profile {
					g.problem(NoEffect, "--profile", list, "several profiles are several runs; those of the first kind are read here")
					continue
				}
				x.profile = kind
				for _, key := range []string{"rate", "streams", "max_concurrency", "sweep_size"} {
					if value, ok := entry(list, key); ok {
						x.take(g, key, value)
					}
				}
				_, warm := entry(list, "warmup")
				x.warm = x.warm || warm
			}
			for _, list := range g.values["--constraint"] {
				switch kind, _ := entry(list, "kind"); kind {
				case "max_duration":
					x.seconds = max(0, g.setting("--constraint", list, "seconds"))
					x.ends = true
				case "max_requests":
					x.requests = int(max(0, min(g.setting("--constraint", list, "count"), 1e9)))
					x.ends = true
				}
			}
			x.data = strings.Join(g.values["--data"], ",")
			r.guided(g, x)
		},
	}
}

// guided is what both commands say, with what each calls it.
type guided struct {
	profile         string // "" if it is not given
	rates           []float64
	wrong           bool // rates were given of which one cannot be read
	ends            bool // it is said when a run ends
	requests        int
	seconds         float64
	data            string
	warm            bool
	kind            string // the key of the profile in a list; "" if it is the value itself
	rate, size, end string // what sets the rate, the size of a sweep, the end of a run
	cut             string // and the share that is not counted
}

// take reads a rate of a list.
func (x *guided) take(g *given, key, value string) {
	n, ok := number(value)
	if ok && n > 0 && n <= 1e6 {
		x.rates = append(x.rates, n)
		return
	}
	x.wrong = true
	g.unreadable("--profile", key, value, "it takes numbers above 0")
}

// unreadable is cannot for what stands in a list.
func (g *given) unreadable(flag, key, value, says string) {
	if variable(value) {
		g.problem(Variable, flag, value, "")
	} else {
		g.problem(BadValue, flag, value, says)
	}
	g.lose(strings.TrimSpace(flag + " " + key))
}

func (r *Reading) guided(g *given, x guided) {
	profile := x.profile
	switch {
	case profile != "":
	case g.has("--profile"):
		profile = g.text("--profile", "")
	default:
		profile = "sweep"
		r.byDefault("--profile", "sweep", "one request at a time, then as many as it can, then even rates between the two")
	}
	switch profile {
	case "synchronous":
		r.Runs = []Run{{Loop: Closed, Clients: 1}}
	case "concurrent":
		if x.wrong {
			r.Runs = []Run{{Loop: Closed}}
			break
		}
		r.several(x.rates, func(n float64) Run { return Run{Loop: Closed, Clients: int(n)} })
		x.needs(g, r, "the number of streams must be given")
	case "throughput":
		run := Run{Loop: Burst}
		switch {
		case x.wrong:
			run = Run{Loop: Closed}
		case len(x.rates) > 0:
			run = Run{Loop: Closed, Clients: int(x.rates[0])}
		}
		r.Runs = []Run{run}
	case "constant", "async":
		if x.wrong {
			r.Runs = []Run{{Loop: Open}}
			break
		}
		r.several(x.rates, func(n float64) Run { return Run{Loop: Open, Rate: n} })
		x.needs(g, r, "a constant rate needs "+x.rate)
	case "poisson":
		if x.wrong {
			r.Runs = []Run{{Loop: Open, Shape: 1}}
			break
		}
		r.several(x.rates, func(n float64) Run { return Run{Loop: Open, Rate: n, Shape: 1} })
		x.needs(g, r, "a Poisson process needs "+x.rate)
	case "sweep":
		steps := 10
		switch {
		case x.wrong:
			steps = 1 // which is -1 beyond the two
		case len(x.rates) > 0:
			steps = max(2, int(x.rates[0]))
		default:
			r.byDefault(x.size, "10", "here it is the number of runs of the sweep, and not a rate")
		}
		r.Runs = []Run{{Loop: Closed, Clients: 1, Name: "synchronous"}, {Loop: Burst, Name: "throughput"}}
		r.More = steps - 2
	default:
		r.Runs = []Run{{}}
		g.unreadable("--profile", x.kind, profile, "it is synchronous, concurrent, throughput, constant, poisson or sweep")
	}
	r.Requests, r.Seconds = x.requests, x.seconds
	if !x.ends {
		r.byDefault(x.end, "none", "a run goes on until its data end")
	}
	r.guideLengths(g, x.data)
	r.Reports = []string{ttft, "time per output token, the first one included", "inter-token latency, one mean for each request", e2e, "requests in flight", "successful, incomplete and failed requests apart"}
	if x.warm {
		r.WarmUp = "cut off by share or time, and recorded"
	} else {
		r.byDefault(x.cut, "none", "it can be cut off, and the report would say so")
	}
	r.silent("any promise: it knows no limits", "engine, version and parallelism")
}

// needs reports what a profile must be told and was not.
func (x *guided) needs(g *given, r *Reading, says string) {
	if len(x.rates) > 0 {
		return
	}
	r.Runs = []Run{{}}
	g.problem(Contradiction, "--profile", x.profile, says)
}

// guideLengths reads prompt_tokens=256,output_tokens=128, also as JSON.
func (r *Reading) guideLengths(g *given, data string) {
	if _, ok := entry(data, "prompt_tokens"); !ok {
		r.Dataset = data
		return
	}
	lost := len(g.unread)
	in := g.setting("--data", data, "prompt_tokens") + g.setting("--data", data, "prefix_tokens")
	if sd := g.setting("--data", data, "prompt_tokens_stdev"); len(g.unread) == lost {
		r.Prompt = normal(max(1, in), sd)
	}
	if _, ok := entry(data, "output_tokens"); !ok {
		return
	}
	lost = len(g.unread)
	out := g.setting("--data", data, "output_tokens")
	if sd := g.setting("--data", data, "output_tokens_stdev"); len(g.unread) == lost {
		r.Output = normal(max(1, out), sd)
	}
}

// setting is the number of a key in a list; 0 if it is not there or cannot be
// read.
func (g *given) setting(flag, list, key string) float64 {
	value, ok := entry(list, key)
	if !ok {
		return 0
	}
	x, ok := number(value)
	if !ok {
		g.unreadable(flag, key, value, "it is not a number")
	}
	return x
}

// entry finds key=value or "key": value in a list.
func entry(list, key string) (string, bool) {
	for part := range strings.SplitSeq(strings.Trim(list, "{} "), ",") {
		k, v, ok := strings.Cut(part, "=")
		if !ok {
			k, v, ok = strings.Cut(part, ":")
		}
		if ok && strings.Trim(k, "\"' ") == key {
			return strings.Trim(v, "\"' "), true
		}
	}
	return "", false
}

// list is the numbers of a flag with commas between them; none if one of them
// cannot be read.
func (g *given) list(name string) (out []float64) {
	if !g.has(name) {
		return nil
	}
	if g.bare[name] {
		g.cannot(name, "")
		return nil
	}
	for part := range strings.SplitSeq(strings.Trim(g.text(name, ""), "[] "), ",") {
		x, ok := number(strings.TrimSpace(part))
		switch {
		case variable(part):
			g.problem(Variable, g.typed[name], part, "")
		case !ok || !(x > 0) || x > 1e6:
			g.problem(BadValue, g.typed[name], part, "it takes numbers above 0")
		default:
			out = append(out, x)
			continue
		}
		g.lost = append(g.lost, name)
		g.lose(g.typed[name])
	}
	if g.hasLost(name) {
		return nil
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
