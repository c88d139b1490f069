package legal

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFirstRefusalCounts(t *testing.T) {
	var c Checker
	c.Float("Rate", 1, 0, 1)
	assert.NoError(t, c.Result(), "the ends are legal, and nil is no error")
	c.Float("Rate", math.Nextafter(1, 2), 0, 1)
	c.Fail("Later", "x", "y", "")
	assert.EqualError(t, c.Result(), "Rate is 1.0000000000000002; legal: 0 to 1")
}

func TestNaNIsNeverLegal(t *testing.T) {
	var c Checker
	c.Float("Rate", math.NaN(), math.Inf(-1), math.Inf(1))
	assert.EqualError(t, c.Result(), "Rate is NaN; legal: -Inf to +Inf")
}

func TestNearestIsSaid(t *testing.T) {
	var c Checker
	c.Fail("TP", "3", "1, 2 or 4", "4")
	assert.EqualError(t, c.Result(), "TP is 3; legal: 1, 2 or 4; nearest: 4")
}
