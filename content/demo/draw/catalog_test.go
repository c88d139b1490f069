package draw

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demotest"
)

// The frame of every demo of the catalog is a document whose markup is well
// formed and whose numbers are all accounted for.
func TestCatalog(t *testing.T) {
	require.NotEmpty(t, catalog.All())
	for _, d := range catalog.All() {
		t.Run(d.ID, func(t *testing.T) {
			s := demotest.Lightest(d) // its figures have the slots of any other state's
			task, err := demo.Run(s)
			require.NoError(t, err)
			out, nums := Frame(s, task)
			var doc frameDoc
			require.NoError(t, json.Unmarshal(out, &doc))
			wellFormed(t, doc.Say)
			used := 0
			for _, f := range doc.Figures {
				wellFormed(t, f.HTML+f.Table+f.NotesHTML)
				for _, series := range f.Series {
					used += 2 * series.N
					if series.Interval {
						used += 2 * series.N
					}
				}
				for _, m := range f.Marks {
					used += m.N
				}
			}
			assert.Equal(t, used, len(nums))
		})
	}
}

func wellFormed(t *testing.T, markup string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<root>" + markup + "</root>"))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if !assert.NoError(t, err, markup) {
			return
		}
	}
}
