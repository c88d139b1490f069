package route_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

// TestSampleDrawn: requests that are drawn once give what drawing them for each
// threshold gives, bit for bit, whatever the router is.
func TestSampleDrawn(t *testing.T) {
	r := drawn(54)
	for seed := range uint64(60) {
		n := 1 + r.IntN(700)
		d := route.Draw(seed, n)
		for range 4 {
			router := route.Router{Pair: drawPair(r), AUC: corner(r)}
			f := corner(r)
			require.Equal(t, router.Sample(f, seed, n), router.SampleDrawn(f, d), "%+v at %v", router, f)
		}
	}
}
