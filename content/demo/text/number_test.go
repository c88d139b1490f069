package text

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNum(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0, 3, "0"},
		{math.Copysign(0, -1), 3, "0"},
		{8, 3, "8"},
		{8.5, 3, "8.5"},
		{0.1 + 0.2, 3, "0.3"},
		{1234.56, 6, "1,234.56"},
		{1234567, 3, "1,230,000"},
		{999.96, 3, "1,000"},
		{-1234.5, 5, "−1,234.5"},
		{0.0001, 3, "0.0001"},
		{0.00012345, 3, "0.000123"},
		{0.0000999999, 3, "0.0001"}, // rounding carries it back into the plain range
		{0.000012, 3, "1.2×10⁻⁵"},
		{1.2e-6, 2, "1.2×10⁻⁶"},
		{1e-310, 2, "1×10⁻³¹⁰"},
		{123456789012, 12, "123,456,789,012"},
		{1e12, 3, "1×10¹²"},
		{-6.5e15, 2, "−6.5×10¹⁵"},
		{1.0 / 3, 99, "0.33333333333333331"},
		{math.NaN(), 3, "n/a"},
		{math.Inf(1), 3, "∞"},
		{math.Inf(-1), 0, "−∞"},
		{12345.5, 0, "12,346"},
		{0.5, 0, "0"}, // ties to even
		{-0.4, 0, "0"},
		{-1.6, 0, "−2"},
		{1e15, 0, "1,000,000,000,000,000"},
		{2.5, -1, "2"},
	} {
		assert.Equal(t, c.want, Num(c.x, c.digits), "Num(%v, %d)", c.x, c.digits)
	}
}

// Num rounds as strconv does, wherever the digits end up.
func TestExact(t *testing.T) {
	for x, want := range map[float64]string{
		0.1: "0.1", 0.12345678901234: "0.12345678901234", 1234567.5: "1,234,567.5", -3: "−3", 1e12: "1×10¹²", math.Inf(1): "∞",
	} {
		assert.Equal(t, want, Exact(x))
	}
}

func FuzzNum(f *testing.F) {
	f.Add(1234.5, 3)
	f.Add(-9.999e-5, 2)
	f.Add(9.99999e11, 4)
	f.Fuzz(func(t *testing.T, x float64, digits int) {
		got := Num(x, digits)
		if digits < 1 || math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		want, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', min(digits, 17)-1, 64), 64)
		if err != nil {
			return // rounding up has left the range of float64
		}
		back, err := strconv.ParseFloat(machine(got), 64)
		require.NoError(t, err, got)
		require.Equal(t, want, back+0, got)
	})
}

// machine turns prose back into what strconv reads.
func machine(s string) string {
	r := strings.NewReplacer(",", "", minus, "-", "×10", "e", "⁻", "-", "⁰", "0", "¹", "1", "²", "2",
		"³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")
	return r.Replace(s)
}

func TestCountsAndShares(t *testing.T) {
	assert.Equal(t, "12,345", Whole(12345))
	assert.Equal(t, "−1,000", Whole(-1000))
	assert.Equal(t, "−9,223,372,036,854,775,808", Whole(math.MinInt))
	assert.Equal(t, "+3", Signed(3))
	assert.Equal(t, "−3", Signed(-3))
	assert.Equal(t, "0", Signed(0))
	assert.Equal(t, "7%", Percent(0.07, 3))
	assert.Equal(t, "0.123%", Percent(0.001234, 3))
	assert.Equal(t, "42%", Percent(0.4249, 0))
}

func TestShortest(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "-0"},
		{8.5, "8.5"},
		{0.30000000000000004, "0.30000000000000004"},
		{1e-6, "0.000001"},
		{1e-7, "1e-7"},
		{1.5e-300, "1.5e-300"},
		{5e-324, "5e-324"},
		{1e20, "100000000000000000000"},
		{1e21, "1e+21"},
		{math.MaxFloat64, "1.7976931348623157e+308"},
		{math.NaN(), "NaN"},
		{math.Inf(1), "Infinity"},
		{math.Inf(-1), "-Infinity"},
	} {
		assert.Equal(t, c.want, Shortest(c.x))
	}
}

func FuzzShortest(f *testing.F) {
	f.Add(1e-7)
	f.Add(-3.25)
	f.Fuzz(func(t *testing.T, x float64) {
		back, err := strconv.ParseFloat(Shortest(x), 64)
		require.NoError(t, err)
		if math.IsNaN(x) {
			require.True(t, math.IsNaN(back))
			return
		}
		require.Equal(t, math.Float64bits(x), math.Float64bits(back))
	})
}

func TestPatterns(t *testing.T) {
	assert.Equal(t, "0x42f92bfb", Hex32(0x42f92bfb))
	assert.Equal(t, "0x00000000", Hex32(0))
	assert.Equal(t, "0xffffffff", Hex32(math.MaxUint32))
}
