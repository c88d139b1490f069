package catalog

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// TestRefusalsSayWhichAndNearest: a number that a knob does not take is refused by the
// knob's name on the page and in links, with the nearest number that it takes.
func TestRefusalsSayWhichAndNearest(t *testing.T) {
	for _, d := range All() {
		for i, k := range d.Knobs {
			if k.Choice() || k.Writing != nil {
				continue
			}
			step := max(1, k.Max-k.Min)
			tries := map[float64]float64{k.Min - step: k.Min, k.Max + step: k.Max}
			if k.Whole && k.Max > k.Min {
				tries[k.Min+0.25] = k.Min
			}
			for bad, near := range tries {
				s, problem := demo.NewState(d).Set(k.Name, strconv.FormatFloat(bad, 'g', -1, 64))
				require.NotNil(t, problem, "%s: %s of %v", d.ID, k.Name, bad)
				assert.Equal(t, k.Default, s.Values.At(i), "%s: %s", d.ID, k.Name)
				says := problem.Error()
				assert.Contains(t, strings.ToLower(says), strings.ToLower(k.Label), d.ID)
				assert.Regexp(t, `the nearest is .`, says, d.ID)
				assert.True(t, strings.HasSuffix(says, "the nearest is "+text.WithUnit(k.Text(near), k.Unit)), "%s: %s", d.ID, says)
				_, problem = s.Set(k.Name, k.Text(near))
				assert.Nil(t, problem, "%s: the nearest %s is legal", d.ID, k.Name)
			}
		}
	}
}
