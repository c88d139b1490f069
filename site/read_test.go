package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/site/internal/fixture"
)

// TestReadText: a text comes from a file or from standard input, and what is
// wrong with it is said.
func TestReadText(t *testing.T) {
	d := fixture.Plain()
	d.Knobs = []demo.Knob{
		{Name: "line", Label: "Line", Doc: "What.", Writing: &demo.Writing{Max: 100, Lines: 1}},
		{Name: "size", Label: "Size", Doc: "How large.", Max: 9},
	}
	require.Empty(t, d.Check())
	call := func(in string, args ...string) (int, string, string) {
		var out, msg bytes.Buffer
		code := run(app{modules: []demo.Module{{Name: "words", Demos: []*demo.Demo{d}}}, in: strings.NewReader(in), out: &out, err: &msg}, append([]string{"run", "-format", "csv"}, args...))
		return code, out.String(), msg.String()
	}
	name := filepath.Join(t.TempDir(), "line.txt")
	require.NoError(t, os.WriteFile(name, []byte("a <b>\r\nc\n"), 0o600))
	code, out, msg := call("", "plain", "-read", "line="+name)
	require.Zero(t, code, msg)
	assert.Contains(t, out, "&line=a%20%3Cb%3E%0Ac\n")
	code, out, msg = call("from here\n", "plain", "-read", "line=-")
	require.Zero(t, code, msg)
	assert.Contains(t, out, "&line=from%20here\n")
	for in, want := range map[string]string{
		"line":         "is not knob=file",
		"size=" + name: `has no text called "size"`,
		"no=" + name:   `has no text called "no"`,
		"line=/no/x":   "/no/x",
		"line=-":       "at most 100 bytes",
	} {
		code, out, msg := call(strings.Repeat("x", 101), "plain", "-read", in)
		assert.Equal(t, exitUsage, code, in)
		assert.Empty(t, out, in)
		assert.Contains(t, msg, want, in)
	}
}
