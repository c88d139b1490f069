package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/site/internal/fixture"
)

// call runs one command line with the demos of the fixture.
func call(in string, args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = run(app{modules: fixture.Modules(), in: strings.NewReader(in), out: &o, err: &e}, args)
	return code, o.String(), e.String()
}

func TestRunPrintsWhatThePageSaves(t *testing.T) {
	s, problems := demo.Parse(fixture.Powers(), "base=3")
	require.Empty(t, problems)
	task, err := demo.Run(s)
	require.NoError(t, err)
	want := string(demo.CSV(s, task))

	for _, args := range [][]string{
		{"run", "-format", "csv", "powers", "v=1&seed=7&base=3"},
		{"run", "powers", "#v=1&seed=7&base=3", "--format", "csv"},
		{"run", "powers", "-format=csv", "#base=3"},
		{"run", "--format=csv", "--", "powers", "base=3"},
	} {
		code, out, msg := call("", args...)
		assert.Zero(t, code, "%v: %s", args, msg)
		assert.Equal(t, want, out, "%v", args)
		assert.Empty(t, msg)
	}
	code, out, _ := call("#base=3\n", "run", "powers", "-", "-format", "csv")
	assert.Zero(t, code)
	assert.Equal(t, want, out, "from standard input")
	assert.Contains(t, out, "# state: v=1&seed=7&base=3\n")
}

func TestRunFormats(t *testing.T) {
	code, out, _ := call("", "run", "powers")
	assert.Zero(t, code)
	assert.Contains(t, out, "The last is a power < all.")
	code, out, _ = call("", "run", "powers", "-format", "json")
	assert.Zero(t, code)
	assert.Contains(t, out, `"state":"v=1&seed=7"`)
}

func TestRunWritesAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.csv")
	code, out, msg := call("", "run", "-format", "csv", "-o", name, "plain")
	require.Zero(t, code, msg)
	assert.Empty(t, out)
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(raw), "# openloop: plain\n"))
	left, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	assert.Len(t, left, 1, "no part of a file is left behind")
}

func TestSweep(t *testing.T) {
	code, out, msg := call("", "sweep", "powers", "-set", "base=2:4:1", "-set", "count=2,3", "-seeds", "1-2", "-format", "csv")
	require.Zero(t, code, msg)
	rows := strings.Split(strings.TrimSpace(out), "\n")
	var data []string
	for _, r := range rows {
		if !strings.HasPrefix(r, "#") {
			data = append(data, r)
		}
	}
	require.Len(t, data, 1+3*2*2)
	assert.Equal(t, "set_base (units),set_count,seed,last (units),count,origin", strings.ReplaceAll(data[0], `"`, ""))
	assert.Equal(t, "4,3,2,16,3,2", data[len(data)-1])
}

func TestSweepLines(t *testing.T) {
	code, out, msg := call("", "sweep", "powers", "-set", "base=2,3", "-seeds", "1-2", "-format", "jsonl")
	require.Zero(t, code, msg)
	lines := strings.SplitAfter(out, "\n")
	require.Len(t, lines, 2*2+1, "one line for each run, and nothing after the last")
	assert.Empty(t, lines[4])
	for i, line := range lines[:4] {
		var row map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &row), line)
		assert.Equal(t, "powers", row["demo"])
		assert.EqualValues(t, 2+i/2, row["set_base"])
		assert.EqualValues(t, 1+i%2, row["seed"])
		assert.Contains(t, row, "last")
	}
}

func TestBadUse(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string // in the message
	}{
		{[]string{}, []string{"no command"}},
		{[]string{"walk"}, []string{`there is no command "walk"`}},
		{[]string{"run"}, []string{"which demo?", "powers and plain"}},
		{[]string{"run", "roots"}, []string{`no demo is called "roots"`}},
		{[]string{"run", "powers", "base=11"}, []string{"base", "11", "1 to 10 units"}},
		{[]string{"run", "powers", "base=2&count=1.5"}, []string{"count", "1.5", "whole"}},
		{[]string{"run", "powers", "mode=left"}, []string{"mode", "left", "up or down"}},
		{[]string{"run", "powers", "seed=0"}, []string{"seed", "1 to 4294967295"}},
		{[]string{"run", "powers", "base=10&count=32"}, []string{"overflows the picture"}},
		{[]string{"run", "powers", "hide=curv"}, []string{"hide", "curv", "curve, bits"}},
		{[]string{"run", "powers", "", "more"}, []string{`"more" is one argument too many`}},
		{[]string{"run", "-format", "xml", "powers"}, []string{`"xml" is none of text, csv, json and jsonl`}},
		{[]string{"run", "-speed", "powers"}, []string{"flag provided but not defined: -speed", "openloop help run"}},
		{[]string{"run", "-o", "/nowhere/at/all.csv", "powers"}, []string{"/nowhere/at/all.csv"}},
		{[]string{"sweep", "powers"}, []string{"nothing to sweep"}},
		{[]string{"sweep", "powers", "-set", "speed=1:2:1"}, []string{"speed"}},
		{[]string{"sweep", "powers", "-set", "base=1:20:1"}, []string{"base", "20", "1 to 10 units"}},
		{[]string{"sweep", "powers", "-set", "base"}, []string{"knob=first:last:step"}},
		{[]string{"sweep", "powers", "-seeds", "3-1"}, []string{"3-1"}},
		{[]string{"serve", "0.0.0.0:80"}, []string{"-public"}},
		{[]string{"build", "here"}, []string{"too many"}},
		{[]string{"build", "-site-url", "example.org"}, []string{"not an http or https address"}},
		{[]string{"exports"}, []string{`there is no command "exports"`}},
	} {
		code, out, msg := call("", c.args...)
		assert.Equal(t, exitUsage, code, "%v: %s", c.args, msg)
		assert.Empty(t, out, "%v", c.args)
		for _, want := range c.want {
			assert.Contains(t, msg, want, "%v", c.args)
		}
	}
}

// TestOldLinksStillRun: what a link says beyond this demo is told, not refused.
func TestOldLinksStillRun(t *testing.T) {
	code, out, msg := call("", "run", "powers", "base=3&speed=2&engine=999", "-format", "csv")
	assert.Zero(t, code)
	assert.Contains(t, out, "speed=2")
	assert.Contains(t, msg, `"speed" is no setting`)
	assert.Contains(t, msg, "999")
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"--help"}} {
		code, out, msg := call("", args...)
		assert.Zero(t, code)
		assert.Empty(t, msg)
		for _, c := range commands() {
			assert.Contains(t, out, "  "+c.name+" ")
		}
	}
	for _, c := range commands() {
		code, out, msg := call("", "help", c.name)
		assert.Zero(t, code, c.name)
		assert.Empty(t, msg)
		assert.Contains(t, out, "usage: openloop "+c.name+" [flags]")
		assert.Contains(t, out, "  -")
	}
}
