package tables_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/tables"
	"openloop/planner"
)

// spreadOf is the squared coefficients of variation of a trace's prompts and
// outputs and the correlation of the two, in its sample.
func spreadOf(pairs []tables.Pair) (prompt, output, correlation float64) {
	var x, y, xx, yy, xy float64
	n := float64(len(pairs))
	for _, p := range pairs {
		a, b := float64(p.Prompt), float64(p.Output)
		x, y, xx, yy, xy = x+a/n, y+b/n, xx+a*a/n, yy+b*b/n, xy+a*b/n
	}
	xx, yy = xx-x*x, yy-y*y
	return xx / (x * x), yy / (y * y), (xy - x*y) / math.Sqrt(xx*yy)
}

// TestLengthsOfPresets: presets that quote a trace have its mean lengths and the
// spread of its work, and the simulation may draw prompts and outputs apart.
func TestLengthsOfPresets(t *testing.T) {
	traces := tables.Traces()
	require.Len(t, traces, 3)
	for _, trace := range traces {
		_, _, r := spreadOf(trace.Pairs)
		assert.InDelta(t, 0, r, 0.125, trace.Name)
	}
	for name, preset := range map[string]string{"Azure 2023, conversation": "chat-70b", "Azure 2023, code": "code-completion", "Mooncake, conversation": "rag-long-prompts"} {
		found := false
		for _, trace := range traces {
			if trace.Name != name {
				continue
			}
			found = true
			p, ok := planner.FindPreset(preset)
			require.True(t, ok)
			l := p.Workload.Classes[0]
			assert.InDelta(t, trace.Full.Prompt[0], l.PromptTokens, 1, preset)
			assert.InDelta(t, trace.Full.Output[0], l.OutputTokens, 0.6, preset)
			plan, err := planner.Evaluate(p.Workload, p.Deployment, p.Objective)
			require.NoError(t, err)
			prefill, decode := plan.PrefillShownSeconds/plan.ReplicaSeconds, plan.DecodeSeconds/plan.ReplicaSeconds
			prompt, output, _ := spreadOf(trace.Pairs)
			assert.InEpsilon(t, prefill*prefill*prompt+decode*decode*output, l.ServiceCV2, 0.03, preset)
		}
		assert.True(t, found, name)
	}
}
