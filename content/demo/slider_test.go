package demo

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/text"
)

var sliders = []Knob{
	toy.Knobs[0], toy.Knobs[1], toy.Knobs[2], toy.Knobs[3], toy.Knobs[5],
	{Name: "tenths", Default: 0.3, Min: 0, Max: 1, Step: 0.1},
	{Name: "short_last", Default: 1, Min: 1, Max: 10, Step: 4},
	{Name: "no_step", Default: 1, Min: 0, Max: 5},
	{Name: "few", Default: 2, Min: 1, Max: 4, Whole: true},
	{Name: "doubling", Default: 8, Min: 1, Max: 4096, Whole: true, Log: true, Step: 2},
	{Name: "doubling_odd", Default: 100, Min: 3, Max: 1000, Whole: true, Log: true, Step: 2},
	{Name: "half_again", Default: 1, Min: 0.01, Max: 50, Log: true, Step: 1.5},
	{Name: "slow_ratio", Default: 3, Min: 1, Max: 30, Whole: true, Log: true, Step: 1.05},
	{Name: "odd_ends", Default: 0.05, Min: 0.0137, Max: 9.77, Log: true},
	{Name: "wide", Default: 1, Min: 1e-12, Max: 1e12, Log: true},
	{Name: "none_or_some", Default: 0, Min: 0, Max: 3000, Log: true, Whole: true, Zero: "none"},
}

// Every position is a legal value, every position moves it, the ends are
// exact, and the position of a position is itself.
func TestSliderLaws(t *testing.T) {
	for _, k := range sliders {
		t.Run(k.Name, func(t *testing.T) {
			last := Positions(k)
			require.Positive(t, last)
			before := math.Inf(-1)
			for pos := 0; pos <= last; pos++ {
				x, ok := ValueAt(k, pos)
				require.True(t, ok)
				require.Greater(t, x, before, "position %d does not move", pos)
				before = x
				back, p := k.read(k.Text(x))
				require.Nil(t, p, "position %d is not legal: %v", pos, x)
				require.Equal(t, x, back)
				require.Equal(t, pos, PositionOf(k, x))
			}
			_, ok := ValueAt(k, -1)
			assert.False(t, ok)
			_, ok = ValueAt(k, last+1)
			assert.False(t, ok)
			if !k.Choice() {
				first, _ := ValueAt(k, 0)
				assert.Equal(t, k.Min, first)
				assert.Equal(t, k.Max, before)
				x, _ := ValueAt(k, PositionOf(k, k.Default))
				assert.Equal(t, k.Default, x, "no position for the default")
			}
		})
	}
}

func TestSliderValues(t *testing.T) {
	for _, c := range []struct {
		name string
		pos  int
		want float64
	}{
		{"rate", 1, 1}, {"rate", 39, 20},
		{"tenths", 3, 0.3},
		{"short_last", 2, 9}, {"short_last", 3, 10},
		{"no_step", 1, 0.05}, {"no_step", 100, 5},
		{"few", 3, 4},
		{"doubling", 12, 4096}, {"doubling", 5, 32},
		{"doubling_odd", 1, 6},
		{"half_again", 1, 0.015}, {"half_again", 3, 0.0338}, // 0.03375 to three digits
		{"batch", 3, 4}, {"batch", 10, 11}, // small whole numbers are all there
		{"scale", 1, 0.00112}, {"scale", 20, 0.01},
		{"odd_ends", 1, 0.014},
	} {
		k := sliderNamed(t, c.name)
		got, ok := ValueAt(k, c.pos)
		assert.True(t, ok)
		assert.Equal(t, c.want, got, "%s at %d", c.name, c.pos)
	}
}

// Between two positions the nearer one counts: by difference on a linear
// slider, by ratio on a logarithmic one.
func TestPositionOfBetween(t *testing.T) {
	for _, c := range []struct {
		name string
		x    float64
		want float64
	}{
		{"rate", 8.2, 8}, {"rate", 8.3, 8.5}, {"rate", 8.25, 8},
		{"short_last", 9.4, 9}, {"short_last", 9.6, 10},
		{"doubling", 45, 32}, {"doubling", 46, 64}, // the middle in ratio is 45.25
		{"scale", 0.0105, 0.01}, {"scale", 0.0107, 0.0112},
	} {
		k := sliderNamed(t, c.name)
		got, _ := ValueAt(k, PositionOf(k, c.x))
		assert.Equal(t, c.want, got, "%s=%v", c.name, c.x)
	}
}

func sliderNamed(t *testing.T, name string) Knob {
	t.Helper()
	for _, k := range sliders {
		if k.Name == name {
			return k
		}
	}
	t.Fatal("no slider " + name)
	return Knob{}
}

// The preferred numbers are equal ratios, rounded: within 1.3% of 10^(i/20).
func TestR20(t *testing.T) {
	for i, m := range r20 {
		assert.InEpsilon(t, math.Pow(10, float64(i)/20), float64(m)/100, 0.013)
	}
}

func FuzzPositionOf(f *testing.F) {
	f.Add(8.3, 0)
	f.Fuzz(func(t *testing.T, x float64, which int) {
		k := sliders[uint(which)%uint(len(sliders))]
		if _, p := k.read(text.Shortest(x)); p != nil || k.Choice() {
			return
		}
		pos := PositionOf(k, x)
		require.GreaterOrEqual(t, pos, 0)
		require.LessOrEqual(t, pos, Positions(k))
		// No neighbor is nearer.
		far := func(pos int) float64 {
			y, ok := ValueAt(k, pos)
			if !ok {
				return math.Inf(1)
			}
			if x == y {
				return 1
			}
			if k.Log {
				return max(x/y, y/x)
			}
			return math.Abs(x - y)
		}
		const tie = 1 + 1e-9 // both ways of measuring round
		require.LessOrEqual(t, far(pos), far(pos+1)*tie)
		require.LessOrEqual(t, far(pos), far(pos-1)*tie)
	})
}

func TestSlide(t *testing.T) {
	s := NewState(toy)
	assert.Equal(t, "v=1&seed=7&rate=0.5", s.Slide("rate", 0).String())
	assert.Equal(t, "v=1&seed=7&policy=priority", s.Slide("policy", 1).String())
	assert.Equal(t, "v=1&seed=7", s.Slide("rate", 40).String())
	assert.Equal(t, "v=1&seed=7", s.Slide("rate", -1).String())
	assert.Equal(t, "v=1&seed=7", s.Slide("ghost", 0).String())
}

func TestKnobSays(t *testing.T) {
	assert.Equal(t, "8 requests/s", toy.Knobs[0].Says(8))
	assert.Equal(t, "1 request", toy.Knobs[1].Says(1))
	assert.Equal(t, "1,024 requests", toy.Knobs[1].Says(1024))
	assert.Equal(t, "First come", toy.Knobs[3].Says(0))
	assert.Equal(t, "−3 ms", toy.Knobs[5].Says(-3))
}
