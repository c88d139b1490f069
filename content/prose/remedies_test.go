package prose

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo/verdict"
	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// TestRemediesHelp: what is recommended against a failure leaves no less of the
// goodput than nothing does, by the table of remedies, and what leaves less is not
// recommended. A failure that breaks no promise is mended for its own sake.
func TestRemediesHelp(t *testing.T) {
	const noise = 0.005           // of three runs
	means := map[string][]string{ // settings of the demo that do what the words say
		"traffic_surge": {"limit", "replicas"}, "long_output_drift": {"mend"}, "kv_squeeze": {"mend", "kv"}, "prefix_collapse": {"mend", "affinity"},
		"draft_collapse": {"mend", "drafts"}, "all_gpus_throttled": {"mend"}, "straggler": {"drain"}, "replica_restart": {"replicas"}, "retry_storm": {"budget"},
		"cold_start": {"warm"}, "skewed_routing": {"mend"}, "slow_kv_link": {"mend"}, "chunking_off": {"mend"},
	}
	words := map[string]string{"headroom": "headroom", "kv": "give more of them", "replicas": "add replicas", "limit": "refuse at the door", "budget": "budget"}
	for lever, remedies := range means {
		says := verdict.Remedy(diagnose.RemedyOf(lever))
		for _, remedy := range remedies {
			assert.GreaterOrEqual(t, keptBy(lever, remedy), keptBy(lever, "none")-noise, "%s: %s", lever, remedy)
		}
		for remedy, word := range words {
			if strings.Contains(says, word) {
				assert.GreaterOrEqual(t, keptBy(lever, remedy), keptBy(lever, "none")-noise, "%s is told to %q, which makes it worse", lever, says)
			}
		}
	}
}

// TestSheetRemedies: each of the eight rows of the cheat sheet ends with the remedy
// of its signal in the chapter's table, or with how that begins.
func TestSheetRemedies(t *testing.T) {
	sheet, all := signalRemedies(), signalTable()
	for i, x := range diagnose.Isolates() {
		says := sheet.Rows[i][1].Text
		remedy := shortRemedy(x.Remedy)
		assert.True(t, strings.HasSuffix(says, verdict.Name(x.Verdict)+": "+remedy), says)
		assert.GreaterOrEqual(t, len(remedy), 20)
		assert.True(t, strings.HasPrefix(all.Rows[i][len(all.Rows[i])-1].Text, remedy), remedy)
	}
}

// TestEightRemediesDiffer: no three words in a row of a remedy of table A stand in
// another one's, so that they differ in each of their parts; each has a flag or a
// setting for both engines.
func TestEightRemediesDiffer(t *testing.T) {
	said := map[string]int{}
	for i, x := range diagnose.Isolates() {
		words := strings.FieldsFunc(verdict.Remedy(x.Remedy), func(r rune) bool { return !unicode.IsLetter(r) })
		for k := range len(words) - 2 {
			three := strings.Join(words[k:k+3], " ")
			if j, ok := said[three]; ok {
				assert.Equal(t, i, j, "%q is in the remedies of two signals", three)
			}
			said[three] = i
		}
	}
	for _, row := range signalFlags().Rows {
		for _, engine := range row[2:4] { // a flag, a field of requests, or what stands before the engine
			assert.Regexp(t, `--[a-z]+-|max_(new_)?tokens|routing`, engine.Text, row[0].Text)
		}
	}
}

// TestWindows: the window of each signal in table A is how the query that is given
// for vLLM takes it.
func TestWindows(t *testing.T) {
	takes := map[string]string{"none": "_over_time(", "percentile": "histogram_quantile(", "rate": "rate(", "ratio": "rate("}
	for id := range sim.NumSignals {
		kind, _, _ := strings.Cut(strings.ReplaceAll(windowOf(id), ":", " "), " ")
		for _, x := range scrape.Table() {
			if x.Signal != id || x.Engine != scrape.VLLM {
				continue
			}
			assert.Contains(t, x.PromQL, takes[kind], "%s: %s", id.Describe().Name, kind)
			assert.Equal(t, kind == "ratio", strings.Contains(x.PromQL, "/"), "%s: %s", id.Describe().Name, kind)
		}
		assert.Equal(t, kind == "none", strings.Contains(id.Describe().Definition, "at the end of the window"), id.Describe().Name)
	}
}
