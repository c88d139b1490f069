package catalog

import (
	"fmt"
	"hash/crc32"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demotest"
)

// Every knob counts: somewhere it is not idle, and moved from there it changes
// what a reader or a file is told. To look for such a move takes long, so the list
// keeps one for each knob: demo, knob, state before, value after. Here each knob
// must have one, and one in thirty-two is made again; in the long test all are.
// With -update, knobs that are not in the list are looked for.
const countsFile = "testdata/counts.txt"

func TestKnobsCount(t *testing.T) {
	raw, err := os.ReadFile(countsFile)
	require.True(t, err == nil || *update, err)
	listed := map[string][]string{}
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		require.Len(t, f, 4, line)
		listed[f[0]+" "+f[1]] = f[2:]
	}
	var lines []string
	for _, d := range All() {
		for i, k := range d.Knobs {
			if k.Writing != nil {
				continue // no move finds a text that means something; its demo's own tests do
			}
			id := d.ID + " " + k.Name
			move, ok := listed[id]
			delete(listed, id)
			switch {
			case !ok && *update:
				if move = findMove(t, d, i); !assert.NotNil(t, move, "%s: no value that was tried changes anything", id) {
					continue
				}
			case !assert.True(t, ok, "%s: a new knob, which must change something: go test ./content/demo/catalog -run KnobsCount -update", id):
				continue
			case demotest.Long() || runtime.GOOS != "js" && crc32.ChecksumIEEE([]byte(id))%32 == 0:
				s, problems := demo.Parse(d, move[0])
				require.Empty(t, problems, id)
				assert.True(t, counts(t, s, i, move[1]), "%s: %s changes nothing in %s", id, move[1], move[0])
			}
			lines = append(lines, fmt.Sprintf("%s %s %s", id, move[0], move[1]))
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(countsFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
		return
	}
	assert.Empty(t, listed, "knobs that are not there")
}

// findMove looks for a state and a value of knob i that changes what it says; the
// states that the page offers, and small moves, first. It is nil if there is none.
func findMove(t *testing.T, d *demo.Demo, i int) []string {
	var bases []demo.State
	values := tried(d.Knobs[i])
	for _, link := range states(d) {
		s, problems := demo.Parse(d, link)
		require.Empty(t, problems, link)
		bases = append(bases, s)
		values = append(values, s.Values.Text(i))
	}
	for _, s := range bases {
		if move := moveFrom(t, s, i, values); move != nil {
			return move
		}
	}
	for j, other := range d.Knobs { // what wakes it, or shows what it does
		if j == i || other.Writing != nil {
			continue
		}
		for _, v := range tried(other) {
			if s, problem := bases[0].Set(other.Name, v); problem == nil {
				if move := moveFrom(t, s, i, values); move != nil {
					return move
				}
			}
		}
	}
	return nil
}

func moveFrom(t *testing.T, s demo.State, i int, values []string) []string {
	for _, v := range values {
		if v != s.Values.Text(i) && s.Idle(i) == "" && counts(t, s, i, v) {
			return []string{s.String(), v}
		}
	}
	return nil
}

// tried are values of a knob, near ones first.
func tried(k demo.Knob) (values []string) {
	at, last := demo.PositionOf(k, k.Default), demo.Positions(k)
	for _, pos := range []int{at + 1, at - 1, at + last/8, at - last/8, last / 2, 0, last, 1, 2, 3} {
		if x, ok := demo.ValueAt(k, pos); ok {
			values = append(values, k.Text(x))
		}
	}
	return values
}

// counts says whether a value of knob i changes what a state tells; one that does
// not go with the rest does not.
func counts(t *testing.T, s demo.State, i int, value string) bool {
	t.Helper()
	to, problem := s.Set(s.Demo.Knobs[i].Name, value)
	if problem != nil || to.String() == s.String() {
		return false
	}
	run, err := demo.Run(s)
	if err != nil {
		return false
	}
	before := told(run)
	task, err := demo.StartFrom(run, to) // as on a page
	if err != nil {
		return false
	}
	demo.Finish(task)
	return told(task) != before
}

// told is what a run says, without its settings and without the marks that stand
// at their values.
func told(task demo.Task) string {
	var b strings.Builder
	table := func(x demo.Table) {
		for _, row := range x.Rows {
			if row[0].Text != "input" {
				fmt.Fprintln(&b, row)
			}
		}
	}
	fmt.Fprintln(&b, task.Summary().String())
	for _, m := range task.Metrics() {
		fmt.Fprintln(&b, m.Name, m.Value)
	}
	table(task.Records())
	for _, f := range task.Figures() {
		fmt.Fprintln(&b, f.ID, f.Title)
		table(f.Table)
		for _, s := range f.Series {
			fmt.Fprintln(&b, s.Name, s.X, s.Y, s.Lo, s.Hi)
		}
	}
	return b.String()
}
