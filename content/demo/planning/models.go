package planning

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner/route"
)

// Two models and what they cost: the same in every demo of routing.

// weakPrice and strongPrice are those that the authors of RouteLLM reckon with,
// in $ per million tokens. A request is taken to have a thousand tokens, so they
// are also $ per thousand requests, the unit of all bills here.
const (
	weakPrice   = 0.9
	strongPrice = 20
)

const perThousand = "$ per 1,000 requests"

// workload is a set of questions whose answers are known.
type workload struct {
	option demo.Option
	rates  route.Rates
}

// workloads are two published sets of results, and two models that are equally
// good but not on the same questions.
func workloads() []workload {
	return []workload{
		{demo.Option{Name: "mmlu", Label: "MMLU"}, route.MMLU().Rates()},
		{demo.Option{Name: "gsm8k", Label: "GSM8K"}, route.GSM8K().Rates()},
		{demo.Option{Name: "equal", Label: "equally good models"}, route.RatesOf(0.75, 0.1, 0.1)},
	}
}

func workloadKnob() demo.Knob {
	k := demo.Knob{Name: "workload", Label: "Questions", Doc: "Whose answers are routed: two benchmarks with published results, or two models of 75% each that err on different questions.", More: true}
	for _, w := range workloads() {
		k.Options = append(k.Options, w.option)
	}
	k.Max = float64(len(k.Options) - 1)
	return k
}

func picked(v demo.Values) workload { return workloads()[v.Int("workload")] }

func aucKnob(name, label, doc string, at float64) demo.Knob {
	return demo.Knob{Name: name, Label: label, Doc: doc, Default: at, Min: 0.5, Max: 1, Step: 0.01}
}

func strongKnob(at float64) demo.Knob {
	return demo.Knob{Name: "strong", Label: "Strong model", Unit: "$", Doc: "Price of a million tokens, or of 1,000 requests.", Default: at, Min: 0.5, Max: 50, Log: true}
}

func weakKnob() demo.Knob {
	return demo.Knob{Name: "weak", Label: "Weak model", Unit: "$", Doc: "Price of a million tokens, or of 1,000 requests.", Default: weakPrice, Min: 0.1, Max: 20, Log: true, More: true}
}

func worthKnob() demo.Knob {
	return demo.Knob{Name: "worth", Label: "A right answer is worth", Unit: "$", Doc: "What you would pay for one answer that is right instead of wrong.", Default: 0.1, Min: 0.001, Max: 10, Log: true, More: true}
}

// net is the worth of 1,000 requests less their bill, if a right answer is worth
// so many dollars.
func net(p route.Point, worth float64) float64 {
	return float64(1000*worth*p.Accuracy) - p.Cost
}

// ratioText compares the prices: "22 times as dear".
func ratioText(p route.Prices) string {
	switch {
	case p.Strong == p.Weak:
		return "The two cost the same"
	case p.Strong < p.Weak:
		return "The strong model is the cheaper one"
	}
	return "The strong model costs " + text.Num(p.Strong/p.Weak, 2) + " times as much as the weak one"
}
