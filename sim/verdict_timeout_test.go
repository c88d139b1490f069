package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Clients that give up keep the queue short, and must not hide that it is too
// much: answers cut off are not done.
func TestVerdictWithTimeouts(t *testing.T) {
	for _, c := range []struct {
		rate    float64
		timeout Nanos
		want    State
	}{
		{20, 0, Stable},
		{20, 20 * Second, Stable},
		{90, 5 * Second, Overloaded},
		{150, 2 * Second, Overloaded},
		{90, 0, Overloaded},
		{20, 2 * Second, Backlogged}, // no queue, but half of the answers take longer than that
	} {
		src, err := NewSource(Workload{
			Generator: OpenLoop{Poisson{c.rate}}, Until: 300 * Second,
			Lengths: Separate{NormalCount{512, 256, 16, 2048}, NormalCount{192, 96, 1, 768}},
		}, 3)
		require.NoError(t, err)
		cfg := p8Config()
		cfg.Timeout = c.timeout
		s, err := New(cfg, src, 3)
		require.NoError(t, err)
		s.Run()
		v := NewReport(s.Results(), ReportOptions{}).Verdict
		assert.Equal(t, c.want, v.State, "%v/s, timeout %v: reason %v, growth %v, shed %v of %v", c.rate, c.timeout, v.Reason, v.GrowthFrac, v.Shed, v.Arrivals)
		if c.want == Overloaded && c.timeout > 0 {
			assert.Equal(t, ReasonWorkIsShed, v.Reason)
		}
		if c.want == Backlogged {
			assert.Equal(t, ReasonGivenUp, v.Reason)
		}
	}
}
