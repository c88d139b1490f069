package page

import (
	"html/template"
	"regexp"
	"strings"

	"openloop/content/demo/text"
)

// Words of the field in what a demo says: its lead and its bet are read before the
// chapter has explained them, so they lead to the glossary as words of the text do.

// explained are the words, and the entry of each; of two that begin alike the longer
// one stands first.
var explained = [][2]string{
	{`times? to first tokens?|TTFT`, "time to first token"}, {`times? per output token|TPOT`, "time per output token"},
	{`ITL`, "inter-token latency"}, {`end[- ]to[- ]end latency`, "end-to-end latency"},
	{`goodput`, "goodput"}, {`throughput`, "throughput"}, {`prefill`, "prefill"},
	{`KV cache`, "KV cache"}, {`KV blocks?`, "KV block"}, {`prefix cache`, "prefix cache"}, {`preempt(?:ions?|s|ed)`, "preemption"},
	{`open loops?`, "open loop"}, {`closed loops?`, "closed loop"}, {`Little's law`, "Little's law"},
	{`p99|percentiles?`, "p99"}, {`warm-up`, "warm-up"}, {`SLOs?`, "SLO"}, {`concurrency`, "concurrency"},
	{`GQA`, "GQA"}, {`mixture of experts`, "mixture of experts"}, {`speculation`, "speculative decoding"},
	{`semantic cache`, "semantic cache"}, {`cascade`, "cascade"}, {`batch tier`, "batch tier"}, {`AUC`, "AUC"}, {`frontier`, "frontier"},
	{`ULPs?`, "ULP"}, {`logits?`, "logit"}, {`bf16`, "bf16"}, {`float32`, "float32"}, {`batch-invariant kernels?`, "batch-invariant kernel"},
	{`replicas?`, "replica"}, {`straggler`, "straggler"}, {`think time`, "think time"}, {`seeds?`, "seed"}, {`tokens?`, "token"},
}

var explainedWords = func() *regexp.Regexp {
	var all []string
	for _, e := range explained {
		all = append(all, "("+e[0]+")")
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}()

// explainer links the first use of each word in the demos of a page.
type explainer struct {
	terms glossary
	root  string          // of the site from the page; "" links nothing
	seen  map[string]bool // entries that the page has linked to so far: a page has a budget
}

// mostExplained is how many words of a lead or a question are linked, which is no list
// of terms; enough how many entries a page has linked to when its demos need no more: a
// page has a budget.
const mostExplained, enough = 2, 6

func (e explainer) explain(says string) template.HTML {
	var b []byte
	at, links := 0, 0
	for _, m := range explainedWords.FindAllStringSubmatchIndex(says, -1) {
		entry := ""
		for i, w := range explained {
			if m[2*i+2] >= 0 {
				entry = w[1]
			}
		}
		t, err := e.terms.find(entry)
		if e.root == "" || err != nil || e.seen[entry] || links == mostExplained || len(e.seen) >= enough {
			continue
		}
		e.seen[entry] = true
		links++
		b = text.AppendWords(b, says[at:m[0]])
		b = append(b, `<a class="term" href="`...)
		b = text.AppendEscape(b, strings.TrimPrefix(e.root, "./")+"glossary.html#"+t.ID)
		b = append(b, `" data-definition="`...)
		b = text.AppendEscape(b, t.Definition)
		b = append(text.AppendEscape(append(b, `">`...), says[m[0]:m[1]]), "</a>"...)
		at = m[1]
	}
	return template.HTML(text.AppendWords(b, says[at:]))
}
