package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoRows = `{"timestamp": 1000, "input_length": 900, "output_length": 7, "hash_ids": [41, 42], "user": "me"}
{"timestamp": 3500, "input_length": 1000, "output_length": 8, "hash_ids": [41, 43]}
`

// TestRedact: the command reads a trace and a salt from where it is told, prints
// the sample and what it kept, and never the salt.
func TestRedact(t *testing.T) {
	dir := t.TempDir()
	secret := "correct horse battery staple"
	trace, salt := filepath.Join(dir, "trace.jsonl"), filepath.Join(dir, "salt")
	require.NoError(t, os.WriteFile(trace, []byte(twoRows), 0o600))
	require.NoError(t, os.WriteFile(salt, []byte(secret+"\n"), 0o600))

	code, out, msg := call("", "redact", trace, "-salt", salt)
	require.Zero(t, code, msg)
	assert.Equal(t, 2, strings.Count(out, "\n"))
	assert.Contains(t, out, `{"timestamp": 0, "input_length": 900, "output_length": 7, "hash_ids": [`)
	assert.Contains(t, out, `{"timestamp": 2500, `)
	assert.NotContains(t, out, "41")
	assert.NotContains(t, out, `"me"`)
	assert.Contains(t, msg, "left out: user")
	assert.Contains(t, msg, "sample: 2 requests")
	assert.NotContains(t, out+msg, secret)

	code, same, msg := call(secret, "redact", "-salt", "-", trace)
	require.Zero(t, code, msg)
	assert.Equal(t, out, same, "a line end is no part of the secret")
	code, same, msg = call(twoRows, "redact", "-salt", salt, "-")
	require.Zero(t, code, msg)
	assert.Equal(t, out, same)

	file := filepath.Join(dir, "sample.jsonl")
	code, none, msg := call("", "redact", trace, "-salt", salt, "-o", file)
	require.Zero(t, code, msg)
	assert.Empty(t, none)
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, out, string(raw))

	code, _, msg = call("", "redact", trace, "-salt", salt, "-sessions", "0.999")
	require.Zero(t, code, msg)
	assert.Contains(t, msg, "kept 1 of 1 sessions")
	alone := filepath.Join(dir, "alone.jsonl")
	require.NoError(t, os.WriteFile(alone, []byte(strings.ReplaceAll(twoRows, "41, ", "")), 0o600))

	for want, args := range map[string][]string{
		"2 requests make 2 sessions, 1 requests a session; below 2": {alone, "-salt", salt, "-sessions", "0.5"},
		"which trace?":                         {},
		"-salt is missing":                     {trace},
		"cannot both come from":                {"-", "-salt", "-"},
		"/no/such":                             {"/no/such", "-salt", salt},
		"/no/salt":                             {trace, "-salt", "/no/salt"},
		"takes 16 or more":                     {trace, "-salt", "-"},
		"do not fit":                           {trace, "-salt", salt, "-window", "60"},
		"a share of 2 of the sessions":         {trace, "-salt", salt, "-sessions", "2"},
		"more than 4096 bytes":                 {trace, "-salt", "-", "-windows", "1"},
		"invalid value \"x\" for flag -window": {trace, "-salt", salt, "-window", "x"},
	} {
		in := "short"
		if strings.HasPrefix(want, "more") {
			in = strings.Repeat("s", 5000)
		}
		code, out, msg := call(in, append([]string{"redact"}, args...)...)
		assert.Equal(t, exitUsage, code, "%s: %s", want, msg)
		assert.Empty(t, out, want)
		assert.Contains(t, msg, want)
		assert.NotContains(t, msg, secret)
		assert.NotContains(t, msg, "short")
	}
}
