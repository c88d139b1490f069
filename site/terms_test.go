package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/catalog"
)

// fieldTerms are words of the field that tools do not agree on, or that a
// newcomer does not know: how a text says them, and the entry that defines them.
var fieldTerms = []struct{ said, entry string }{
	{`time to first token|TTFT`, "time to first token"},
	{`time per output token|TPOT`, "time per output token"},
	{`inter-token latency|ITL`, "inter-token latency"},
	{`end[- ]to[- ]end latency|E2E`, "end-to-end latency"},
	{`goodput`, "goodput"},
	{`throughput`, "throughput"},
	{`prefills?`, "prefill"}, {`decodes?`, "decode"},
	{`chunked prefill`, "chunked prefill"},
	{`disaggregation`, "disaggregation"},
	{`KV (cache|occupancy)`, "KV cache"}, {`KV blocks?`, "KV block"},
	{`prefix cach(e|ing)`, "prefix cache"},
	{`preempt(ions?|s|ed)`, "preemption"},
	{`continuous batching`, "continuous batching"},
	{`open loops?`, "open loop"}, {`closed loops?`, "closed loop"},
	{`throttled`, "throttled"}, {`bursts?`, "burst"},
	{`think time`, "think time"},
	{`concurrency`, "concurrency"},
	{`coordinated omission`, "coordinated omission"},
	{`Little's law`, "Little's law"},
	{`Poisson`, "Poisson arrivals"},
	{`coefficient of variation`, "coefficient of variation"},
	{`p99|percentiles?`, "p99"},
	{`steady state`, "steady state"}, {`warm-up`, "warm-up"},
	{`SLOs?`, "SLO"},
	{`MFU|MBU`, "MFU"}, {`roofline`, "roofline"}, {`memory bandwidth`, "memory bandwidth"},
	{`GQA|grouped quer(y|ies)`, "GQA"}, {`MLA|latent attention`, "MLA"},
	{`mixtures? of experts|MoE`, "mixture of experts"},
	{`quantization|quantized`, "quantization"}, {`fp8`, "fp8"}, {`bf16`, "bf16"},
	{`speculati(on|ve decoding)`, "speculative decoding"}, {`accepted lengths?`, "accepted length"},
	{`tensor parallel(ism)?`, "tensor parallel"}, {`all-reduces?`, "all-reduce"},
	{`semantic cache`, "semantic cache"}, {`cascades?`, "cascade"}, {`batch tier`, "batch tier"},
	{`ULPs?`, "ULP"}, {`logits?`, "logit"}, {`argmax`, "argmax"},
	{`Kendall's τ`, "Kendall's τ"},
}

var (
	glossaryEntry = regexp.MustCompile(`(?m)^## (.+)$`)
	marked        = regexp.MustCompile(`\[([^\]\[]+)\]\{\.term(?: is="([^"]+)")?\}`)
)

// TestTermsAreDefined: every term of the field that a chapter or a demo uses has
// an entry, the table names no entry that is not there, and each entry is linked
// to from some chapter.
func TestTermsAreDefined(t *testing.T) {
	raw, err := os.ReadFile("../content/glossary.md")
	require.NoError(t, err)
	var entries []string
	for _, m := range glossaryEntry.FindAllStringSubmatch(string(raw), -1) {
		entries = append(entries, m[1])
	}
	assert.True(t, slices.IsSortedFunc(entries, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }), "entries are in the order of the alphabet")
	var texts []string
	linked := map[string]bool{}
	files, err := filepath.Glob("../content/*/*.md")
	require.NoError(t, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		texts = append(texts, string(raw))
		for _, m := range marked.FindAllStringSubmatch(string(raw), -1) {
			name := strings.ToLower(strings.Join(strings.Fields(m[1]), " "))
			if m[2] != "" {
				name = strings.ToLower(m[2])
			}
			for _, n := range []string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es")} {
				linked[n] = true
			}
		}
	}
	for _, d := range catalog.All() {
		says := []string{d.Title, d.Lead, d.Limits}
		for _, k := range d.Knobs {
			says = append(says, k.Label, k.Doc)
		}
		texts = append(texts, strings.Join(says, "\n"))
	}
	all := strings.Join(texts, "\n")
	for _, f := range fieldTerms {
		if regexp.MustCompile(`(?i)\b(?:` + f.said + `)`).MatchString(all) {
			assert.Contains(t, entries, f.entry, "chapters or demos say %q and the glossary does not define it", f.said)
		}
	}
	for _, e := range entries {
		assert.Contains(t, linked, strings.ToLower(e), "no chapter links to the entry")
	}
}
