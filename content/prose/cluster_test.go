package prose

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
)

// TestClusterIsTold: what the simulator has around its engines stands in its
// chapter, and under a heading of the glossary, where the search finds it.
func TestClusterIsTold(t *testing.T) {
	chapter, err := os.ReadFile("../guide/40-simulator.md")
	require.NoError(t, err)
	glossary, err := os.ReadFile("../glossary.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(chapter), "\n## What is around the engines\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	for field, term := range map[string]string{
		"Scale": "autoscaler", "Swap": "swap", "Pools": "disaggregation", "MaxWaiting": "admission limit", "Budget": "retry budget", "Replicas": "replica",
	} {
		has := false
		for _, of := range []any{sim.Config{}, sim.Engine{}, sim.Retry{}} {
			_, in := reflect.TypeOf(of).FieldByName(field)
			has = has || in
		}
		assert.True(t, has, "the simulator has no %s any more", field)
		assert.Contains(t, strings.ToLower(section), "["+term+"]{.term", field)
		assert.Contains(t, string(glossary), "\n## "+term+"\n", field)
	}
}
