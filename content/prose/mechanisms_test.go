package prose

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demo/sizing"
	"openloop/planner"
)

// TestEveryLeverHasItsPicture: the chapter on mechanisms draws each lever of the
// planner, under words of its own, and nothing that is none; the demo under the
// pictures has a preset for it.
func TestEveryLeverHasItsPicture(t *testing.T) {
	raw, err := os.ReadFile("../guide/01-mechanisms.md")
	require.NoError(t, err)
	drawn := map[string]string{}
	for _, m := range regexp.MustCompile(`(?s)\n:::figure mechanism#v=1&lever=([a-z]+)\n(.*?)\n:::\n`).FindAllStringSubmatch(string(raw), -1) {
		require.NotContains(t, drawn, m[1], "drawn twice")
		drawn[m[1]] = m[2]
	}
	assert.Equal(t, len(drawn), strings.Count(string(raw), ":::figure mechanism"), "figures in a state of another form")
	d, ok := catalog.Find("mechanism")
	require.True(t, ok)
	preset := map[string]bool{}
	for _, p := range d.Presets {
		s, problems := demo.Parse(d, p.State)
		require.Empty(t, problems)
		preset[s.Values.Option("lever")] = true
	}
	wanted := map[string]bool{}
	for _, l := range planner.AllLevers() {
		option := sizing.MechanismOf(l.ID)
		wanted[option] = true
		assert.Regexp(t, `^\*\*\[?[A-Z]`, drawn[option], "%s has no picture of its own", l.Name)
		assert.True(t, preset[option], "%s has no preset", l.Name)
	}
	for option := range drawn {
		assert.True(t, wanted[option], "%s is drawn and no lever of the planner", option)
	}
}
