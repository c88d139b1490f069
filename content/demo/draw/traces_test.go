package draw

import (
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// Both sizes show everything, and nothing of it lies outside of the picture,
// whatever the numbers are.
func TestTracesStayInside(t *testing.T) {
	for name, f := range map[string]demo.Figure{"wide": sampleTraces(), "dense": dense(sampleTraces())} {
		pictures := strings.SplitAfter(Traces(f), "</svg>")
		require.Len(t, pictures, 3, name)
		for _, p := range pictures[:2] {
			box := regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`).FindStringSubmatch(p)
			require.NotNil(t, box, name)
			w, _ := strconv.ParseFloat(box[1], 64)
			h, _ := strconv.ParseFloat(box[2], 64)
			for _, m := range regexp.MustCompile(` (x|y|x1|x2|y1|y2|cx|cy)="([^"]*)"`).FindAllStringSubmatch(p, -1) {
				v, err := strconv.ParseFloat(m[2], 64)
				require.NoError(t, err, m[0])
				most := w
				if m[1][0] == 'y' || m[1] == "cy" {
					most = h
				}
				assert.True(t, v >= 0 && v <= most, "%s: %s of %v", name, m[0], most)
			}
			for _, x := range f.Traces {
				assert.Contains(t, p, escaped(x.Name))
			}
			assert.Equal(t, 3, strings.Count(p, "<polyline")-strings.Count(p, `stroke-dasharray="4 3"`), "%s: lines of a, b, c", name)
			assert.Equal(t, 1, strings.Count(p, "<circle"), "%s: a value alone", name)
			assert.Equal(t, 1, strings.Count(p, "<path"), "%s: one left its band", name)
		}
	}
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

func TestTickStep(t *testing.T) {
	for _, c := range []struct {
		span float64
		n    int
		want float64
	}{{100, 6, 20}, {100, 3, 50}, {60, 6, 10}, {7, 6, 2}, {0, 3, 1}, {1e6, 5, 2e5}} {
		assert.Equal(t, c.want, tickStep(c.span, c.n), "%v in %d", c.span, c.n)
	}
}

func TestTraceTop(t *testing.T) {
	assert.Equal(t, 1.0, demo.TraceTop())
	assert.Equal(t, 1.0, demo.TraceTop(0, math.NaN(), math.Inf(1)))
	for _, y := range []float64{1e-9, 0.3, 1, 48, 49.5, 51, 120, 1e7} {
		top := demo.TraceTop(0, y, math.NaN())
		assert.True(t, top >= y && top <= 2.5*y, "%v under %v", y, top)
	}
}
