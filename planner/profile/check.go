package profile

import (
	"strconv"

	"openloop/sim/legal"
)

// A reader may bring a GPU, a price or a model of their own. What cannot be is
// refused here, once and by name, so that nothing behind has to look.

// ValueError is a setting that cannot be used: where it stands, what it is,
// what it may be and, if there is one, the nearest value that would do.
type ValueError = legal.ValueError

// checker offers the nearest legal value.
type checker struct{ legal.Checker }

func (c *checker) result() error                            { return c.Result() }
func (c *checker) fail(field, value, legal, nearest string) { c.Fail(field, value, legal, nearest) }

// float wants lo <= v <= hi; NaN is neither, and near to nothing.
func (c *checker) float(field string, v, lo, hi float64) {
	if lo <= v && v <= hi {
		return
	}
	nearest := ""
	if v == v {
		nearest = floatText(min(max(v, lo), hi))
	}
	c.fail(field, floatText(v), floatText(lo)+" to "+floatText(hi), nearest)
}

// orZero is float where 0 means that it is not known or cannot be.
func (c *checker) orZero(field string, v, lo, hi float64) {
	if v == 0 {
		return
	}
	c.float(field, v, lo, hi)
	if c.Err != nil && c.Err.Field == field {
		c.Err.Legal = "0 or " + c.Err.Legal
	}
}

func (c *checker) int(field string, v, lo, hi int) {
	if v < lo || v > hi {
		c.fail(field, intText(v), intText(lo)+" to "+intText(hi), intText(min(max(v, lo), hi)))
	}
}

func floatText(v float64) string { return legal.Text(v) }
func intText(v int) string       { return strconv.Itoa(v) }

// The limits are wide of anything built, and keep all sums of parameters and
// bytes within 64 bits.
const (
	maxLayers  = 1 << 10
	maxWidth   = 1 << 17 // of the stream, of an MLP
	maxHeads   = 1 << 10
	maxHeadDim = 1 << 10
	maxRank    = 1 << 14
	maxExperts = 1 << 12
	maxVocab   = 1 << 24
	maxContext = 1 << 28
	maxParams  = 1e15
)

// Check refuses a GPU that cannot be; an error is a *ValueError.
func (g *GPU) Check() error {
	c := &checker{}
	c.float("MemoryBytes", float64(g.MemoryBytes), 1e9, 1e13)
	c.float("HBMBytesPerSec", g.HBMBytesPerSec, 1e9, 1e15)
	c.float("BF16FLOPsPerSec", g.BF16FLOPsPerSec, 1e11, 1e18)
	c.orZero("FP8FLOPsPerSec", g.FP8FLOPsPerSec, 1e11, 1e18)
	c.orZero("FP4FLOPsPerSec", g.FP4FLOPsPerSec, 1e11, 1e18)
	c.orZero("INT8FLOPsPerSec", g.INT8FLOPsPerSec, 1e11, 1e18)
	c.orZero("LinkBytesPerSec", g.LinkBytesPerSec, 1e6, 1e14)
	c.orZero("PowerWatts", g.PowerWatts, 1, 1e5)
	for i := range g.Prices {
		field := "Prices[" + intText(i) + "]."
		c.float(field+"LowUSDPerGPUHour", g.Prices[i].LowUSDPerGPUHour, 0, MaxUSDPerGPUHour)
		c.float(field+"HighUSDPerGPUHour", g.Prices[i].HighUSDPerGPUHour, g.Prices[i].LowUSDPerGPUHour, MaxUSDPerGPUHour)
	}
	return c.result()
}

// MaxUSDPerGPUHour is the highest price that is accepted.
const MaxUSDPerGPUHour = 1e4

// CheckPrice refuses a price that cannot be; 0 is legal, the GPU is then paid for.
func CheckPrice(usdPerGPUHour float64) error {
	c := &checker{}
	c.float("USDPerGPUHour", usdPerGPUHour, 0, MaxUSDPerGPUHour)
	return c.result()
}
