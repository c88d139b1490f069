package sizing

import (
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
	"openloop/planner/profile"
)

// What is asked for, where it is not plainly a setting; and the pages about what
// the plan counts with.

// asksFor is the heading of what is asked for.
const asksFor = "What is asked"

// askedSteps are the lengths and rates that are made of several settings, and
// what a published trace says.
func (r *capacityRun) askedSteps() []demo.Step {
	var out []demo.Step
	c := &r.a.workload.Classes[0]
	const exact = "None: a sum."
	if c.ThinkingTokens > 0 {
		read := c.OutputTokens - c.ThinkingTokens
		out = append(out, demo.Step{Group: asksFor, Key: "decoded", Name: "Decoded for a request", Numbers: text.Whole(int(read)) + " + " + text.Whole(int(c.ThinkingTokens)), Value: tokens(c.OutputTokens),
			Formula: "o = output + thinking", Source: "Thinking is decoded and paid for like any output.", Error: exact,
			Terms: []demo.Term{{Symbol: "output", Value: tokens(read), From: "from your settings"}, {Symbol: "thinking", Value: tokens(c.ThinkingTokens), From: "from your settings"}}})
	}
	if t := r.a.trace; t != nil {
		out = append(out, demo.Step{Group: asksFor, Key: "found", Name: "Found in the prefix cache", Numbers: t.Title + ", a cache of " + text.Num(r.a.cached/1e6, 3) + " million tokens", Value: percent(c.HitFrac),
			Formula: "hit = the share that the trace finds in a cache of that size", Source: sentence(t.Source), Error: "None for this trace, but a hit rate belongs to its trace: how much is shared, how fast requests come, how many there were. Between two sizes that were computed it is a straight line, which errs low.",
			Terms: []demo.Term{{Symbol: "cache", Value: text.Num(r.a.cached/1e6, 3) + " million tokens", From: "from your settings; one replica of this plan holds at most " + text.Num(r.plan().KVTokens/1e6, 3) + " million"},
				{Symbol: "trace", Value: t.Title, From: text.Whole(t.Requests) + " requests", Page: "data/mooncake.html"}}})
	}
	if r.a.two() {
		d := &r.a.workload.Classes[1]
		rate := c.RequestsPerSec + d.RequestsPerSec
		mean := func(key, name, symbol string, one, two float64) {
			out = append(out, demo.Step{Group: asksFor, Key: key, Name: name, Numbers: "(" + text.Num(c.RequestsPerSec, 4) + " × " + text.Num(one, 4) + " + " + text.Num(d.RequestsPerSec, 4) + " × " + text.Num(two, 4) + ") / " + text.Num(rate, 4),
				Value: tokens((float64(c.RequestsPerSec*one) + float64(d.RequestsPerSec*two)) / rate), Formula: symbol + " = (r1 × " + symbol + "1 + r2 × " + symbol + "2) / (r1 + r2)",
				Source: "The mean request of both kinds. Both are served by the same replicas.", Error: "None for means. Batches hold the kinds in the shares of their tokens, and the longest prompt decides about the first token.",
				Terms: []demo.Term{{Symbol: "r1", Value: perSecond(c.RequestsPerSec), From: "from your settings"}, {Symbol: "r2", Value: perSecond(d.RequestsPerSec), From: "from your settings"},
					{Symbol: symbol + "1", Value: tokens(one), From: "from your settings"}, {Symbol: symbol + "2", Value: tokens(two), From: "from your settings"}}})
		}
		mean("meanprompt", "Prompt of both kinds", "n", c.PromptTokens, d.PromptTokens)
		mean("meanoutput", "Decoded of both kinds", "o", c.OutputTokens, d.OutputTokens)
	}
	return out
}

func tokens(x float64) string    { return text.WithUnit(text.Num(x, 5), "tokens") }
func perSecond(x float64) string { return text.Num(x, 4) + " requests/s" }

// pages lead to what is known of hardware and model, and to the rows behind the
// efficiency.
func (a *asked) pages() []demo.Page {
	var out []demo.Page
	for _, symbol := range []string{"mem", "weights"} {
		if path := a.pageOf(symbol); path != "" {
			name := a.deployment.GPU.Name
			if symbol == "weights" {
				name = a.deployment.Model.Name
			}
			out = append(out, demo.Page{Name: name, Path: path})
		}
	}
	if a.deployment.Reference.Origin != planner.Roofline {
		dataset, _, _ := strings.Cut(a.deployment.Reference.Name, ",")
		return append(out, demo.Page{Name: "the step times that were measured", Path: "data/" + demo.Anchor(dataset) + ".html"}, demo.Page{Name: "how they were fitted", Path: "data/derived-fits.html"})
	}
	if a.efficient {
		out = append(out, demo.Page{Name: "the efficiency, and how wrong it is", Path: "guide/how-wrong.html"})
	}
	return out
}

// pageOf is the page about an input of an equation, "" for none.
func (a *asked) pageOf(symbol string) string {
	switch symbol {
	case "mem", "link", "BW", "BWkv", "F", "Fe", "Fa", "Fd", "price", "rated":
		return gpuPage(a.deployment.GPU)
	case "weights", "always", "routed", "matrices", "experts", "attention", "kv", "seq", "reread":
		return modelPage(a.deployment.Model)
	}
	return ""
}

func gpuPage(g *profile.GPU) string {
	if g.ID == own {
		return ""
	}
	return "data/gpus.html#" + demo.Anchor(g.ID)
}

func modelPage(m *profile.Model) string {
	if m.ID == own {
		return ""
	}
	return "data/models.html#" + demo.Anchor(m.ID)
}
