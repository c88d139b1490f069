package catalog

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/harness/command"
)

// TestCommandsAreRead: what the planner prints to be run next is read by the
// demo that reads command lines, as an open loop and without a complaint.
func TestCommandsAreRead(t *testing.T) {
	d, ok := Find("capacity-planner")
	require.True(t, ok)
	states := []string{"v=1&plan=shown", "v=1&plan=shown&bursts=3&hit=50", "v=1&plan=shown&apart=on&bursts=0.5"}
	for _, p := range d.Presets {
		states = append(states, p.State+"&plan=shown")
	}
	for _, link := range states {
		s, problems := demo.Parse(d, link)
		require.Empty(t, problems, link)
		task, err := demo.Run(s)
		require.NoError(t, err, link)
		figures := task.Figures()
		i := slices.IndexFunc(figures, func(f demo.Figure) bool { return f.ID == "bench" })
		require.Len(t, figures[i].Steps, 6, link)
		require.Empty(t, figures[i].Steps[5].Code, "where the numbers are from")
		for _, step := range figures[i].Steps[:5] {
			text := ""
			for _, line := range step.Code {
				text += line + "\n"
			}
			r := command.Read(text)
			assert.Empty(t, r.Why, "%s\n%s", link, text)
			for _, p := range r.Problems { // older versions of vLLM need --ignore-eos
				assert.Equal(t, "--ignore-eos", p.Flag, "%s\n%s", link, text)
			}
			if assert.Len(t, r.Runs, 1, "%s\n%s", link, text) {
				assert.Equal(t, command.Open, r.Runs[0].Loop, "%s\n%s", link, text)
				assert.Positive(t, r.Runs[0].Rate, "%s\n%s", link, text)
			}
		}
	}
}
