package numerics_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/numerics"
)

func TestOrderNames(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range allOrders() {
		name := o.String()
		assert.NotEmpty(t, name)
		assert.False(t, seen[name], "%s stands for two orders", name)
		seen[name] = true
		got, ok := numerics.ParseOrder(name)
		assert.True(t, ok, name)
		assert.Equal(t, o, got, name)
	}
	assert.Equal(t, "seq", numerics.Order(0).String(), "the zero value")
	assert.Equal(t, 4, numerics.SplitK(4).Parts())
	assert.Equal(t, 256, numerics.Block(256).Parts())
	assert.Equal(t, 0, numerics.Pairwise.Parts())
	assert.NotEqual(t, numerics.SplitK(32), numerics.Block(32))
	assert.Equal(t, "splitk1048576", numerics.SplitK(numerics.MaxParts).String())
}

func TestParseOrderRefuses(t *testing.T) {
	for _, name := range []string{
		"", "Seq", "sequential", "splitk", "splitk0", "splitk-1", "splitk+4", "splitk04", "splitk4 ", "splitk1048577", "splitk99999999999999999999",
		"block", "block0", "block31", "block33", "block 32", "block2097152", "kahan2", "f64seq", "exact32",
	} {
		_, ok := numerics.ParseOrder(name)
		assert.False(t, ok, "ParseOrder(%q)", name)
	}
}

func TestOrdersRefuse(t *testing.T) {
	for _, k := range []int{0, -1, numerics.MaxParts + 1} {
		assert.Panics(t, func() { numerics.SplitK(k) }, "SplitK(%d)", k)
	}
	for _, n := range []int{0, -32, 1, 31, 33, numerics.MaxParts + 32} {
		assert.Panics(t, func() { numerics.Block(n) }, "Block(%d)", n)
	}
	bad := numerics.Order(15)
	assert.Empty(t, bad.String())
	assert.Panics(t, func() { numerics.Sum(bad, []float32{1}, nil) })
	assert.Panics(t, func() { numerics.Sum(numerics.Block(32), make([]float32, 8), make([]float32, 7)) }, "short scratch")
}

func TestSumOfNothingAndOne(t *testing.T) {
	for _, o := range allOrders() {
		s, ok := numerics.Sum(o, nil, nil)
		assert.True(t, ok, "%s", o)
		assert.Equal(t, "00000000", hex32(s), "%s of nothing", o)
		s, ok = numerics.Sum(o, []float32{0.1}, nil)
		assert.True(t, ok, "%s", o)
		assert.Equal(t, float32(0.1), s, "%s of one", o)
	}
	for _, n := range []int{3, 6, 12, 1023} {
		s, ok := numerics.Sum(numerics.Strided, make([]float32, n), nil)
		assert.False(t, ok, "strided of %d", n)
		assert.Zero(t, s)
	}
}

func TestDotOrder(t *testing.T) {
	a := fill(numerics.Sym, 1, 300)
	b := fill(numerics.Sym, 2, 300)
	products := make([]float32, 300)
	for i := range a {
		products[i] = float32(a[i] * b[i])
	}
	for _, o := range allOrders() {
		if !o.Defined(300) {
			assert.Panics(t, func() { numerics.DotOrder(o, a, b, nil) }, "%s", o)
			continue
		}
		want := sum(t, o, products)
		assert.Equal(t, want, numerics.DotOrder(o, a, b, nil), "%s", o)
		assert.Equal(t, want, numerics.DotOrder(o, a, b, make([]float32, 300)), "%s", o)
	}
	assert.Equal(t, sum(t, numerics.Strided, products[:256]), numerics.DotOrder(numerics.Strided, a[:256], b[:256], nil))
	assert.Zero(t, numerics.DotOrder(numerics.Sequential, nil, nil, nil))
	assert.Panics(t, func() { numerics.DotOrder(numerics.Sequential, a, b[1:], nil) })
	assert.Panics(t, func() { numerics.DotOrder(numerics.Sequential, a, b, make([]float32, 299)) })
	assert.Equal(t, fill(numerics.Sym, 1, 300), a, "inputs stay")
	assert.Equal(t, fill(numerics.Sym, 2, 300), b, "inputs stay")
}

func TestArgmax(t *testing.T) {
	minusZero := float32(math.Copysign(0, -1))
	for _, c := range []struct {
		name string
		in   []float32
		want int
	}{
		{"nothing", nil, -1},
		{"one", []float32{-3}, 0},
		{"plain", []float32{1, 3, 2}, 1},
		{"tie takes the lowest", []float32{1, 5, 5, 5}, 1},
		{"all equal", []float32{2, 2, 2}, 0},
		{"nan first", []float32{nan32, 1, 2}, 2},
		{"nan last", []float32{1, 2, nan32}, 1},
		{"only nan", []float32{nan32, nan32}, -1},
		{"minus infinity beats nan", []float32{nan32, -inf32}, 1},
		{"infinity", []float32{max32, inf32, inf32}, 1},
		{"zeros tie", []float32{-0.5, minusZero, 0}, 1},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, numerics.Argmax(c.in)) })
	}
}
