package prose

import (
	"errors"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
)

// slow are the claims whose checks take three quarters of the time of all, for each
// of which another about the same demo stays: the long test runs them, and -claims;
// the ordinary one runs the rest.
var slow = []string{
	"night-is-full", "within-a-day", "own-fleet-saves-more", // batch-for-nothing stays
	"length-near", "length-past", // length-below
	"bf16-amplifies", "half-the-excess", "bf16-few-contexts", // bf16-mostly-equal
	"open-grows", "ratio-e2e-above", "ratio-ttft-below", // ratio-e2e-one, ratio-ttft-above
	"cold-prefixes", "late-size-seeds", // cold-ten-seeds, warm-ten-seeds
	"five-pairs", // pair-slo, and TestFivePairs in content/demo/serving
}

var only = flag.String("claims", "", "check only the claims whose id has this in it")

// TestClaims runs the check of every claim in the table.
func TestClaims(t *testing.T) {
	if *only != "" {
		t.Setenv("OPENLOOP_LONG", "1") // who asks for a claim has time for all of its seeds
	}
	all := Claims()
	for _, id := range slow {
		assert.True(t, slices.ContainsFunc(all, func(c Claim) bool { return c.ID == id }), "no claim is called %s", id)
	}
	all = slices.DeleteFunc(all, func(c Claim) bool {
		skip := *only == "" && os.Getenv("OPENLOOP_LONG") == "" && slices.Contains(slow, c.ID)
		return skip || !strings.Contains(c.ID, *only)
	})
	require.NotEmpty(t, all, "no claim has -claims in its id")
	for _, problem := range problems(all) {
		t.Error(problem)
	}
}

var idForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// failures runs all checks side by side: some ask the engine for many seeds.
func failures(claims []Claim) []error {
	out := make([]error, len(claims))
	var running sync.WaitGroup
	for i, c := range claims {
		if c.Check != nil {
			running.Go(func() { out[i] = c.Check() })
		}
	}
	running.Wait()
	return out
}

func problems(claims []Claim) []string {
	var out []string
	seen := map[string]bool{}
	failed := failures(claims)
	for i, c := range claims {
		switch {
		case !idForm.MatchString(c.ID):
			out = append(out, "claim "+c.ID+": the id is not lower case words joined by hyphens")
		case seen[c.ID]:
			out = append(out, "claim "+c.ID+" is there twice")
		case c.Says == "" || c.Check == nil:
			out = append(out, "claim "+c.ID+" says or checks nothing")
		default:
			if err := failed[i]; err != nil {
				out = append(out, "claim "+c.ID+" ("+c.Says+"): "+err.Error())
			}
		}
		seen[c.ID] = true
	}
	return out
}

// TestProblemsAreFound: the test above can fail.
func TestProblemsAreFound(t *testing.T) {
	fine := func() error { return nil }
	got := problems([]Claim{
		{ID: "fine", Says: "It is so.", Check: fine},
		{ID: "wrong", Says: "Two is three.", Check: func() error { return errors.New("it is 2") }},
		{ID: "fine", Says: "Again.", Check: fine},
		{ID: "Not An Id", Says: "x", Check: fine},
		{ID: "empty", Says: "x"},
	})
	assert.Equal(t, []string{
		"claim wrong (Two is three.): it is 2",
		"claim fine is there twice",
		"claim Not An Id: the id is not lower case words joined by hyphens",
		"claim empty says or checks nothing",
	}, got)
}

// TestTables: every table has a name of its own, a caption, and a cell in every
// column.
func TestTables(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range Tables() {
		assert.Regexp(t, idForm, table.ID)
		assert.False(t, seen[table.ID], "%s is there twice", table.ID)
		seen[table.ID] = true
		made := table.Make()
		assert.NotEmpty(t, made.Caption, table.ID)
		assert.NotEmpty(t, made.Rows, table.ID)
		for _, row := range made.Rows {
			assert.Len(t, row, len(made.Columns), table.ID)
		}
	}
}

func TestTenths(t *testing.T) {
	for x, want := range map[float64]string{0: "0.0", 0.04: "0.0", 1.25: "1.3", 12.36: "12.4", 99.96: "100.0"} {
		assert.Equal(t, want, tenths(x))
	}
	assert.Equal(t, "−2.0\u00a0±\u00a01.5", off(sim.Interval{Mean: 9.8, Lo: 9.65, Hi: 9.95}, 10).Text)
}
