package demo

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lacking is a run of which some numbers there are not.
type lacking struct{ Task }

func (lacking) Metrics() []Metric {
	return []Metric{{Name: "none", Value: math.NaN()}, {Name: "most", Value: math.Inf(1)}, {Name: "one", Value: 1.5}}
}

func (lacking) Records() Table {
	return Table{Columns: []Column{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}, Rows: [][]Cell{{N(math.NaN()), N(math.Inf(-1)), N(2), W("NaN")}}}
}

// A number that there is not is JSON's null in every file of JSON, in a metric, a
// record and a line; a word stays a word.
func TestNoNumberIsNull(t *testing.T) {
	s, task := runToy(t, "")
	for _, file := range [][]byte{JSON(s, lacking{task}), JSONL(s, lacking{task})} {
		assert.Equal(t, 1, strings.Count(string(file), `"NaN"`), "the word: %s", file)
		assert.Contains(t, string(file), "null")
	}
	var line map[string]any
	require.NoError(t, json.Unmarshal(JSONL(s, lacking{task}), &line))
	assert.Equal(t, []any{nil, "-Infinity", 2.0, "NaN"}, []any{line["a"], line["b"], line["c"], line["d"]})
	_, is := line["a"]
	assert.True(t, is, "the column is there")
	var doc struct {
		Metrics []map[string]any `json:"metrics"`
		Records [][]any          `json:"records"`
	}
	require.NoError(t, json.Unmarshal(JSON(s, lacking{task}), &doc))
	assert.Equal(t, []any{nil, "Infinity", 1.5}, []any{doc.Metrics[0]["value"], doc.Metrics[1]["value"], doc.Metrics[2]["value"]})
	assert.Equal(t, [][]any{{nil, "-Infinity", 2.0, "NaN"}}, doc.Records)
}
