package text

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQuantities(t *testing.T) {
	for x, want := range map[float64]string{0: "$0", 5.678: "$5.68", -3: "−$3", 1234.5: "$1,230", 1e-5: "$1×10⁻⁵"} {
		assert.Equal(t, want, USD(x))
	}
	for x, want := range map[float64]string{0: "0 s", 1: "1 s", 0.0532: "53.2 ms", 2e-6: "2 µs", 3e-10: "0.3 ns", -0.5: "−500 ms"} {
		assert.Equal(t, want, Seconds(x))
	}
}
