package demo

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRoundRange(t *testing.T) {
	for _, c := range []struct{ low, high, bottom, top float64 }{
		{0, 0, -1, 1}, {0, 8, -1, 9}, {-3, 5, -4, 6}, {0, 9, -2, 12}, {0, 37, -5, 45}, {3, 412, -100, 600},
	} {
		bottom, top := RoundRange(c.low, c.high)
		assert.Equal(t, []float64{c.bottom, c.top}, []float64{bottom, top}, "%v to %v", c.low, c.high)
	}
}

func TestTop(t *testing.T) {
	for high, want := range map[float64]float64{
		-1: 1, 0: 1, 0.04: 0.05, 0.2: 0.25, 1: 1.2, 4: 5, 5: 5, 5.1: 6, 7: 12, 12.5: 25, 19: 25, 26: 30, 31: 50, 50: 50, 51: 60, 70: 120, 1234: 2500,
	} {
		assert.InEpsilon(t, want, Top(high), 1e-12, "%v", high)
	}
}
