package prose

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
	"openloop/content/tables"
)

// TestFigures: every figure has a name of its own, says what can be seen, and has
// as many x as y.
func TestFigures(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Figures() {
		assert.Regexp(t, idForm, f.ID)
		assert.False(t, seen[f.ID], f.ID)
		seen[f.ID] = true
		made := f.Make()
		assert.NotEmpty(t, made.Title, f.ID)
		assert.NotEmpty(t, made.Alt, f.ID)
		assert.NotEmpty(t, made.Table.Rows, f.ID)
		for _, s := range made.Series {
			assert.Len(t, s.Y, len(s.X), "%s %s", f.ID, s.ID)
			assert.NotEmpty(t, s.X, "%s %s", f.ID, s.ID)
		}
	}
}

// Every row is drawn or in seconds, and in one of the two tables.
func TestEveryRowIsShown(t *testing.T) {
	drawn := 0
	for _, s := range publishedScatter().Series[2:] {
		drawn += len(s.X)
	}
	seconds := 0
	for _, r := range predicted() {
		if r.Unit == "s" || r.Unit == "ms" || r.Unit == "ms per context token" {
			seconds++
		}
	}
	assert.Equal(t, len(predicted()), drawn+seconds)
	assert.Len(t, publishedRows().Rows, len(predicted()))
	assert.Equal(t, len(tables.Published()), len(publishedRows().Rows)+len(publishedSilent().Rows))
}

// The data table of a figure has a row for each of its points.
func TestTablesHoldThePoints(t *testing.T) {
	scatter, errors := publishedScatter(), publishedErrors()
	for name, f := range map[string]demo.Figure{"scatter": {Table: scatter.Table, Series: scatter.Series[2:]}, "errors": errors} {
		points := 0
		for _, s := range f.Series {
			points += len(s.X)
		}
		assert.Len(t, f.Table.Rows, points, name)
	}
}

// A point of the figures lies inside of the axes, unless its group is left out.
func TestPointsLieInside(t *testing.T) {
	for _, f := range []string{"published-scatter", "published-errors"} {
		for _, own := range Figures() {
			if own.ID != f {
				continue
			}
			made := own.Make()
			for _, s := range made.Series {
				for i, x := range s.X {
					assert.True(t, x >= made.X.Min && x <= made.X.Max, "%s %s: x %v", f, s.ID, x)
					if y := s.Y[i]; y == y {
						assert.True(t, y >= made.Y.Min && y <= made.Y.Max*1.0001, "%s %s: y %v", f, s.ID, y)
					}
				}
			}
		}
	}
}

func TestPercent(t *testing.T) {
	assert.Equal(t, "+12.3", percent(0.1234))
	assert.Equal(t, "+0.0", percent(-0.0004))
	assert.Equal(t, "−0.5", percent(-0.0051))
	assert.Equal(t, "gpt-oss-20b a-b-c", Anchor("gpt-oss-20b a.b_c"))
}
