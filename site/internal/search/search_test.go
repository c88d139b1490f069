package search

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScript(t *testing.T) {
	var ix Index
	ix.Add("index.html", "Home", "", nil)
	ix.Add("guide/a.html", "A <b>", "Guide", []Part{{"", Text, "A", "one\n  two"}, {"demo-x", Demo, "X", "\"</script>\""}})
	got, err := ix.Script()
	require.NoError(t, err)
	text, ok := strings.CutPrefix(string(got), `window["openloop/search"]=`)
	require.True(t, ok)
	var data struct {
		Pages [][3]string
		Parts [][]any
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(text, ";\n")), &data))
	assert.Equal(t, [][3]string{{"index.html", "Home", ""}, {"guide/a.html", "A <b>", "Guide"}}, data.Pages)
	assert.Equal(t, [][]any{{1.0, "", "", "A", "one two"}, {1.0, "demo-x", "demo", "X", "\"</script>\""}}, data.Parts)
}
