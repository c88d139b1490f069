package demo

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/text"
)

func stateOf(t *testing.T, link string) State {
	t.Helper()
	s, problems := Parse(toy, link)
	require.Empty(t, problems)
	return s
}

func runToy(t *testing.T, link string) (State, Task) {
	t.Helper()
	s := stateOf(t, link)
	task, err := Run(s)
	require.NoError(t, err)
	return s, task
}

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata/core.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "core", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), path)
}

func TestFiles(t *testing.T) {
	s, task := runToy(t, "rate=12.5&seed=11&course=%0Anordic&theme=dark")
	golden(t, "run.csv", CSV(s, task))
	golden(t, "run.json", JSON(s, task))
	golden(t, "run.txt", Text(s, task))
}

// A file says what the run says, and other people's readers read it.
func TestFilesReadBack(t *testing.T) {
	s, task := runToy(t, "rate=12.5&seed=11&policy=priority")
	r := csv.NewReader(bytes.NewReader(CSV(s, task)))
	r.Comment = '#'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"index", "sum (ms)", "policy"}, rows[0])
	require.Len(t, rows, 3)
	assert.Equal(t, `a, "b"`, rows[2][2])

	var doc struct {
		Demo, State string
		Engine      int
		Seed        uint32
		Metrics     []struct {
			Name  string
			Value float64
		}
		Records [][]any
	}
	require.NoError(t, json.Unmarshal(JSON(s, task), &doc))
	assert.Equal(t, "toy", doc.Demo)
	assert.Equal(t, s.String(), doc.State)
	assert.Equal(t, EngineVersion, doc.Engine)
	assert.Equal(t, uint32(11), doc.Seed)
	sum, ok := MetricNamed(task, "sum")
	require.True(t, ok)
	assert.Equal(t, sum.Value, doc.Metrics[0].Value)
	assert.Equal(t, sum.Value, doc.Records[0][1])
	assert.Equal(t, text.Shortest(sum.Value), rows[1][1])
	_, ok = MetricNamed(task, "ghost")
	assert.False(t, ok)
}

// How a run is cut into steps does not change it.
func TestSlicing(t *testing.T) {
	s, whole := runToy(t, "batch=2000")
	want := CSV(s, whole)
	for _, budget := range []int{1, 7, 1999, 2000} {
		task, err := Start(s)
		require.NoError(t, err)
		before := 0.0
		for !task.Step(budget) {
			require.GreaterOrEqual(t, task.Progress(), before)
			before = task.Progress()
		}
		assert.Equal(t, 1.0, task.Progress())
		assert.Equal(t, want, CSV(s, task), "budget %d", budget)
	}
}

func TestCannotRun(t *testing.T) {
	_, err := Run(stateOf(t, "policy=broken"))
	var p text.Problem
	require.ErrorAs(t, err, &p)
	assert.Equal(t, text.CannotRun, p.Kind)
	assert.EqualError(t, err, `toy: "v=1&seed=7&policy=broken" cannot run: policy broken needs a batch of two <or more>`)
}

func TestScore(t *testing.T) {
	s, task := runToy(t, toy.Bet.Reveal+"&theme=dark")
	right, score, err := Score(s, task, 1)
	require.NoError(t, err)
	assert.Equal(t, 1, right)
	assert.Equal(t, 1.0, score)
	right, score, err = Score(s, task, 0)
	require.NoError(t, err)
	assert.Equal(t, 1, right)
	assert.Equal(t, 0.0, score)
	assert.Regexp(t, `^Sum: [\d,]+ ms$`, toy.Bet.Found(task))

	for want, m := range map[string]Metric{
		"Bill: $9.8": {Label: "Bill", Unit: "$", Value: 9.8, Digits: 2}, "Lost: −$2.1 per day": {Label: "Lost", Unit: "$ per day", Value: -2.1, Digits: 2},
		"Wait: 36 ms": {Label: "Wait", Unit: "s", Value: 0.036, Digits: 2}, "Wait: 4.6 s": {Label: "Wait", Unit: "s", Value: 4.6, Digits: 2}, "Kept: 61%": {Label: "Kept", Unit: "%", Value: 61, Digits: 2},
	} {
		assert.Equal(t, want, m.Says())
	}

	_, _, err = Score(s, task, 2)
	assert.EqualError(t, err, "the bet has 2 options")
	other, task := runToy(t, "rate=20&seed=4")
	_, score, err = Score(other, task, 1)
	require.NoError(t, err, "the seed is free")
	assert.Equal(t, 1.0, score)
	other, task = runToy(t, "rate=19&seed=3")
	_, _, err = Score(other, task, 1)
	assert.EqualError(t, err, "the answer is in the run of v=1&seed=3&rate=20")
	none := *toy
	none.Bet = nil
	_, _, err = Score(NewState(&none), task, 1)
	assert.EqualError(t, err, "there is no bet")
}

func TestSeedsFrom(t *testing.T) {
	assert.Equal(t, []uint32{7, 8, 9}, SeedsFrom(7, 3))
	assert.Equal(t, []uint32{math.MaxUint32 - 1, math.MaxUint32, 1, 2}, SeedsFrom(math.MaxUint32-1, 4))
}

func TestParseSeeds(t *testing.T) {
	for in, want := range map[string][]uint32{
		"1-3":                     {1, 2, 3},
		"5":                       {5},
		"9, 1-2":                  {9, 1, 2},
		"4294967294-4294967295,1": {4294967294, 4294967295, 1},
	} {
		got, p := ParseSeeds(in)
		require.Nil(t, p, in)
		assert.Equal(t, want, got, in)
		back, p := ParseSeeds(seedList(got))
		require.Nil(t, p)
		assert.Equal(t, want, back, "written as "+seedList(got))
	}
	for in, kind := range map[string]text.ProblemKind{
		"": text.BadSyntax, "a": text.BadSyntax, "3-1": text.BadSyntax, "0-2": text.BadSyntax, "1-2-3": text.BadSyntax, "1,1": text.BadSyntax,
		"1.5": text.BadSyntax, "1-4294967296": text.BadSyntax, "1-100001": text.TooMany, "1-4294967295": text.TooMany, "5,10-100009": text.TooMany,
	} {
		_, p := ParseSeeds(in)
		if assert.NotNil(t, p, in) {
			assert.Equal(t, kind, p.Kind, in)
		}
	}
}
