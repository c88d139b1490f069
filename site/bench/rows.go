package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// A row is a budget. look says what was found and whether that is within the
// budget; "" means that nothing was measured.
type row struct {
	what, target string
	look         func(f found) (says string, ok bool)
}

// rows are the budgets, in the order of the design.
var rows = []row{
	{"p8: 10,000 requests on one replica, native", ">= 500,000 requests/s", atLeast("native", "BenchmarkP8", "requests/s", 500_000)},
	{"p8 in a worker of Chromium", ">= 150,000 requests/s", atLeast("chromium", "BenchmarkP8", "requests/s", 150_000)},
	{"p8c: eight replicas, prefix affinity, native", ">= 100,000 requests/s", atLeast("native", "BenchmarkP8cAffinity", "requests/s", 100_000)},
	{"p8c: requests that are preempted", ">= 1%", atLeast("native", "BenchmarkP8cAffinity", "preempted-%", 1)},
	{"time per request from 1,000 to 1,000,000 requests", "flat within 20%", flat},
	{"dashboard of 2,000 requests, node", "< 16 ms", below("node", "BenchmarkDashboard", "ns/op", 16e6, 1e6, "ms")},
	{"dashboard of 2,000 requests, worker of Chromium", "< 16 ms", below("chromium", "BenchmarkDashboard", "ns/op", 16e6, 1e6, "ms")},
	{"dashboard of a cluster preset, node, slowest", "< 60 ms", below("node", clusterPreset, "ns/op", 60e6, 1e6, "ms")},
	{"dashboard of a cluster preset, worker of Chromium, slowest", "< 60 ms", below("chromium", clusterPreset, "ns/op", 60e6, 1e6, "ms")},
	{"longest task of a page's main thread while a slider moves", "<= 50 ms", below("chromium", "BenchmarkLongestTask", "ms/task", 50.5, 1, "ms")},
	{"figures of the frontier follow its threshold: the middle of 60 moves", "<= a frame, 16.7 ms", below("chromium", "BenchmarkFollows", "ms/move", 16.75, 1, "ms")},
	{"the same: 19 moves of 20", "<= two frames", below("chromium", "BenchmarkFollows", "ms/slow-move", 33.5, 1, "ms")},
	{"plan, every lever, ranking: native, slowest case", "< 200 us", below("native", "BenchmarkAblate", "ns/op", 200e3, 1e3, "us")},
	{"the same as WebAssembly in node", "< 1 ms", below("node", "BenchmarkAblate", "ns/op", 1e6, 1e3, "us")},
	{"allocations of the same", "0", below("native", "BenchmarkAblate", "allocs/op", 0.5, 1, "")},
	{"largest module, gzip", "<= 921,600 bytes", size("modules", 900<<10)},
	{"scene, gzip", "<= 2,831,155 bytes", size("scene", 27<<20/10)},
	{"echarts, gzip", "<= 245,760 bytes", size("charts", 240<<10)},
	{"largest page before a demo starts, compressed", "<= 60,000 bytes", size("page", 60_000)},
	{"build after one page was edited", "< 1 s", below("build", "page", "s", 1, 1, "s")},
	{"build from nothing, downloads aside", "< 180 s", below("build", "cold", "s", 180, 1, "s")},
	{"files that two builds of the same sources make otherwise", "0", below("build", "differing", "files", 0.5, 1, "")},
	{"Lighthouse, mobile, lowest page: accessibility", "100", atLeast("lighthouse", "BenchmarkLighthouse", "accessibility", 100)},
	{"Lighthouse: best practices", "100", atLeast("lighthouse", "BenchmarkLighthouse", "best-practices", 100)},
	{"Lighthouse: SEO", "100", atLeast("lighthouse", "BenchmarkLighthouse", "seo", 100)},
	{"Lighthouse: performance, of a busy machine", ">= 98", atLeast("lighthouse", "BenchmarkLighthouse", "performance", 98)},
	{"diagnosis: right verdicts on fresh runs", ">= 95%", atLeast("kept", "diagnosis-right", "%", 95)},
	{"diagnosis: false alarms on healthy runs", "<= 2%", below("kept", "diagnosis-alarms", "%", 2+1e-9, 1, "%")},
	{"planner against published throughput, dense: mean error", "<= 10%", below("kept", "dense", "%", 10+1e-9, 1, "%")},
	{"the same, each GPU by a fit without it", "<= 15%", below("kept", "dense-left-out", "%", 15+1e-9, 1, "%")},
	{"the same, mixtures of experts", "<= 25%", below("kept", "experts", "%", 25+1e-9, 1, "%")},
	{"simulator against measured runs of vLLM: TPOT, E2E, throughput", "2%, TTFT 5% (next edition)", func(found) (string, bool) { return "", false }},
	{"./build.sh test, last time here", "<= 12 min", below("kept", "test", "s", 12*60+1e-9, 60, "min")},
}

// atLeast is a row whose smallest number has to reach a limit.
func atLeast(where, name, unit string, limit float64) func(found) (string, bool) {
	return func(f found) (string, bool) {
		list := f.all(where, name, unit)
		if len(list) == 0 {
			return "", false
		}
		x := slices.Min(list)
		return number(x), x >= limit
	}
}

// below is a row whose largest number has to stay under a limit; it is printed
// divided, in a unit.
func below(where, name, unit string, limit, by float64, says string) func(found) (string, bool) {
	return func(f found) (string, bool) {
		list := f.all(where, name, unit)
		if len(list) == 0 {
			return "", false
		}
		x := slices.Max(list)
		return strings.TrimSpace(number(x/by) + " " + says), x < limit
	}
}

// size is a row about bytes of the finished site.
func size(what string, limit float64) func(found) (string, bool) {
	return below("size", what, "bytes", limit+0.5, 1, "bytes")
}

// flat compares the times per request of runs of any length.
func flat(f found) (string, bool) {
	list := f.all("native", "BenchmarkScale", "ns/request")
	if len(list) < 2 {
		return "", false
	}
	lo, hi := slices.Min(list), slices.Max(list)
	return fmt.Sprintf("%.0f to %.0f ns, %.0f%%", lo, hi, 100*(hi/lo-1)), hi <= 1.2*lo
}

// number prints three digits at least, and thousands apart.
func number(x float64) string {
	if x != float64(int64(x)) && x < 1000 {
		return fmt.Sprintf("%.3g", x)
	}
	s := fmt.Sprintf("%.0f", x)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// table is every row.
func table(f found) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, r := range rows {
		says, ok := r.look(f)
		verdict := "MISSED"
		switch {
		case says == "":
			says, verdict = "not measured", ""
		case ok:
			verdict = "met"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.what, r.target, says, verdict)
	}
	_ = w.Flush() // to memory
	return b.String()
}
