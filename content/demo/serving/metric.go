package serving

import (
	"openloop/content/demo"
	"openloop/sim"
)

// The latencies that a reader can pick.

type metric struct {
	option demo.Option
	name   string // in a sentence
	short  string // on an axis
	of     sim.Metric
}

func metrics() []metric {
	return []metric{
		{demo.Option{Name: "ttft", Label: "time to first token"}, "time to first token", "Time to first token", sim.TTFT},
		{demo.Option{Name: "e2e", Label: "end to end"}, "end-to-end latency", "End-to-end latency", sim.E2E},
		{demo.Option{Name: "tpot", Label: "time per output token"}, "time per output token", "Time per output token", sim.TPOT},
	}
}

func metricKnob() demo.Knob {
	k := demo.Knob{Name: "metric", Label: "Latency", Doc: "Which latency is drawn."}
	for _, m := range metrics() {
		k.Options = append(k.Options, m.option)
	}
	k.Max = float64(len(k.Options) - 1)
	return k
}

func pickedMetric(v demo.Values) metric {
	name := v.Option("metric")
	for _, m := range metrics() {
		if m.option.Name == name {
			return m
		}
	}
	panic("demo: no metric is called " + name)
}
