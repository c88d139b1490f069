package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadErrors: what is wrong with a trace is said with its line.
func TestReadErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":    "the trace is empty",
		" \n": "the trace is empty",
		"{}":  `line 1: timestamp is ""; it is a number of milliseconds`,
		"{\"timestamp\": 0, \"input_length\": 5, \"output_length\": 1}\n{":       "line 2 is no JSON object",
		`{"timestamp": 0, "input_length": -5, "output_length": 1}`:               `line 1: input_length is "-5"; it is a whole number of tokens, 0 to 16777216`,
		`{"timestamp": 0, "input_length": 5, "output_length": 1.5}`:              `line 1: output_length is "1.5"`,
		`{"timestamp": 0, "input_length": 5, "output_length": 1, "hash_ids": 3}`: "line 1: hash_ids is no list",
		"a,b\n1,2\n": "neither JSONL nor CSV with the columns TIMESTAMP, ContextTokens and GeneratedTokens",
		"TIMESTAMP,ContextTokens,GeneratedTokens\n":                      "the trace has no requests",
		"TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,2\n":       `line 2: TIMESTAMP is "yesterday"; it is a time such as`,
		"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:00:00\n": "line 2 has 1 fields, too few",
	} {
		_, err := Read(strings.NewReader(in))
		require.Error(t, err, in)
		assert.Contains(t, err.Error(), want)
		assert.Less(t, len(err.Error()), 300)
	}
}

func TestForms(t *testing.T) {
	trace, err := Read(strings.NewReader("\ufeffTIMESTAMP,ContextTokens,GeneratedTokens,Who\n2023-11-16 18:17:04.5,3,4,me\n2023-11-16 18:17:03.25+00:00,1,2,you"))
	require.NoError(t, err)
	assert.True(t, trace.Sorted)
	assert.Equal(t, []string{"Who"}, trace.Dropped)
	assert.InDelta(t, 1250, trace.Rows[1].At-trace.Rows[0].At, 1e-6)
	assert.Equal(t, 1, trace.Rows[0].Input)

	// Chats that go on under another id are one session.
	trace, err = Read(strings.NewReader(`{"timestamp": 1, "input_length": 1, "output_length": 1, "chat_id": 1, "parent_chat_id": -1, "prompt": "secret"}
{"timestamp": 2, "input_length": 1, "output_length": 1, "chat_id": 2, "parent_chat_id": 1}
{"timestamp": 3, "input_length": 1, "output_length": 1, "chat_id": 3, "parent_chat_id": 2}
`))
	require.NoError(t, err)
	for _, row := range trace.Rows {
		assert.Equal(t, "1", row.Session)
	}
	assert.Equal(t, []string{"prompt"}, trace.Dropped)
}

func TestRefusals(t *testing.T) {
	trace := made(t, false)
	bare := &Trace{Rows: []Row{{Input: 1}, {At: 1000, Input: 2}}, Form: "csv"}
	for want, try := range map[string]struct {
		t *Trace
		o Options
	}{
		"the salt has 5 bytes; it takes 16 or more": {trace, Options{Salt: []byte("short"), Windows: 1, Share: 1}},
		"a share of 0 of the sessions":              {trace, Options{Salt: salt, Windows: 1}},
		"a share of 1.5 of the sessions":            {trace, Options{Salt: salt, Windows: 1, Share: 1.5}},
		"a window of -1 s":                          {trace, Options{Salt: salt, Window: -1, Windows: 1, Share: 1}},
		"0 windows; 1 or more":                      {trace, Options{Salt: salt, Share: 1}},
		"4 × 3600 s do not fit":                     {trace, Options{Salt: salt, Window: 3600, Windows: 4, Share: 1}},
		"so that a share of its requests would thin it: take windows of time": {bare, Options{Salt: salt, Windows: 1, Share: 0.5}},
	} {
		_, err := Redact(try.t, try.o)
		require.Error(t, err, want)
		assert.Contains(t, err.Error(), want)
		assert.NotContains(t, err.Error(), string(salt))
	}
}
