package command

import (
	"math"
	"strings"
)

// A user.conf of MLPerf's LoadGen: lines such as *.Server.target_qps = 10.

// scenarios are those whose lines are looked for.
var scenarios = []string{"Server", "Offline", "SingleStream", "MultiStream", "Interactive"}

// readUserConf reads the text as such a file; ok is false if it is none.
func readUserConf(s string) (r Reading, ok bool) {
	values := map[string]string{}
	scenario := ""
	for line := range strings.Lines(s) {
		line, _, _ = strings.Cut(line, "#")
		key, value, isSetting := strings.Cut(line, "=")
		parts := strings.Split(strings.TrimSpace(key), ".")
		if !isSetting || len(parts) < 3 {
			continue
		}
		which, name := parts[len(parts)-2], parts[len(parts)-1]
		for _, s := range scenarios {
			if which == s && (scenario == "" || scenario == s) {
				scenario, values[name] = s, strings.TrimSpace(value)
			}
		}
	}
	if scenario == "" {
		return r, false
	}
	r = Reading{Tool: "MLPerf LoadGen, " + scenario, For: procurement, Dataset: "the one that the benchmark prescribes"}
	r.conf(scenario, values)
	return r, true
}

func (r *Reading) conf(scenario string, values map[string]string) {
	num := func(name string, otherwise float64) float64 {
		v, given := values[name]
		x, ok := number(v)
		switch {
		case !given:
			return otherwise
		case !ok || !(x > 0) || math.IsInf(x, 0):
			r.Problems = append(r.Problems, Problem{BadValue, name, v, "it takes a number above 0"})
			r.Unread = append(r.Unread, name)
			return 0
		}
		return x
	}
	r.Seconds = num("min_duration", 600_000) / 1000
	if _, given := values["min_duration"]; !given {
		r.byDefault("min_duration", "600000", "ms: ten minutes at least")
	}
	if n := num("min_query_count", 0); n > 0 && n < 1e9 {
		r.Requests = int(n)
	}
	r.Clock = FromSchedule
	switch scenario {
	case "Offline":
		r.Runs, r.Clock = []Run{{Loop: Burst}}, NoLatency
		r.Reports = []string{"samples/s and tokens/s, over the time of the slowest sample"}
		r.silent("any latency that counts", "input lengths")
		if qps := num("target_qps", 0); qps > 0 {
			r.Requests = int(min(qps*r.Seconds*1.1, 1e9)) // LoadGen asks for a tenth more
		}
	case "SingleStream":
		r.Runs, r.Clock = []Run{{Loop: Closed, Clients: 1}}, FromSend
		r.Reports = []string{"the 90th percentile of the latency"}
	case "MultiStream":
		n := int(min(num("samples_per_query", 8), 1e6))
		r.Runs, r.Clock = []Run{{Loop: Batches, Clients: n}}, FromSend
		r.Reports = []string{"the 99th percentile of the latency of a query, which is that of its slowest sample"}
	default:
		rate := num("target_qps", 0)
		r.Runs = []Run{{Loop: Open, Rate: rate, Shape: 1}}
		if _, given := values["target_qps"]; !given {
			r.Runs = []Run{{}}
			r.Problems = append(r.Problems, Problem{Contradiction, "target_qps", "", "the scenario needs it"})
		}
		r.Reports = []string{"scheduled samples/s, if the p99 of the time to first token and of the time per output token keep their limits", "VALID or INVALID"}
		r.silent("input lengths", "mean output lengths but for tokens/s over samples/s")
	}
	r.silent("engine, version and parallelism: they are in another file of the submission")
}
