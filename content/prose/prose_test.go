package prose

import (
	"errors"
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestClaims runs the check of every claim in the table.
func TestClaims(t *testing.T) {
	for _, problem := range problems(Claims()) {
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
