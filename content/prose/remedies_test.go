package prose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo/verdict"
	"openloop/sim/diagnose"
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
