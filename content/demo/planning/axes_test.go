package planning

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTidy(t *testing.T) {
	for _, c := range []struct{ low, high, bottom, top float64 }{
		{67.6, 86.4, 65, 90}, {60.58, 72.15, 60, 75}, {0.1, 0.93, 0, 1.2}, {-0.02, 4.4, -2, 6}, {-1600, 310, -2000, 500}, {66, 81, 66, 81},
	} {
		bottom, top := tidy(c.low, c.high)
		assert.Equal(t, []float64{c.bottom, c.top}, []float64{bottom, top}, "%v to %v", c.low, c.high)
	}
	for _, x := range []float64{0, 3e-9, 1, 7, 1e9} {
		bottom, top := tidy(x, x)
		assert.Less(t, bottom, top)
	}
}

// step is how far apart ticks stand when an axis is cut into about n parts:
// what echarts' nice does.
func step(span float64, n int) float64 {
	size := math.Pow10(int(math.Floor(math.Log10(span/float64(n)) + 1e-12)))
	switch f := span / float64(n) / size; {
	case f < 1.5:
		return size
	case f < 2.5:
		return 2 * size
	case f < 4:
		return 3 * size
	case f < 7:
		return 5 * size
	}
	return 10 * size
}

// Whatever is drawn, both ends are ticks in a wide and in a narrow chart, and the
// picture is not mostly empty. Math.Pow10 and Log10 only pick a decade here, and
// ends may miss a tick by a millionth of its distance.
func TestTidyEndsAreTicks(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 5000 {
		low := (r.Float64() - 0.3) * math.Pow10(r.IntN(6)-2)
		high := low + r.Float64()*math.Pow10(r.IntN(6)-2) + 1e-3
		bottom, top := tidy(low, high)
		span := top - bottom
		require.LessOrEqual(t, bottom, low+1e-6*span)
		require.GreaterOrEqual(t, top, high-1e-6*span)
		require.LessOrEqual(t, span, max(5*(high-low), 0.05*math.Abs(low)), "%v to %v in %v to %v", low, high, bottom, top)
		for _, parts := range []int{4, 6} {
			each := step(span, parts)
			for _, end := range []float64{bottom, top} {
				require.InDelta(t, math.Round(end/each), end/each, 1e-6, "%v to %v in %v to %v, %d parts", low, high, bottom, top, parts)
			}
		}
	}
}
