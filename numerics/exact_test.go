package numerics_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics"
)

var (
	inf32  = float32(math.Inf(1))
	nan32  = float32(math.NaN())
	max32  = float32(math.MaxFloat32)
	tiny32 = float32(math.SmallestNonzeroFloat32)
)

// checkExact compares every reading of an exact sum with math/big.
func checkExact(t *testing.T, v []float32) {
	t.Helper()
	var e numerics.Exact
	e.AddAll(v)
	want := bigSum(v)
	want32, _ := want.Float32()
	want64, _ := want.Float64()
	require.Equal(t, hex32(want32+0), hex32(e.Float32()), "float32 of the sum of %v", v)
	require.Equal(t, hex64(want64+0), hex64(e.Float64()), "float64 of the sum of %v", v)
	require.Equal(t, want.Sign(), e.Sign(), "sign of the sum of %v", v)
}

// anyFinite draws finite bit patterns evenly, so every exponent is as likely.
func anyFinite(r *rand.Rand) float32 {
	for {
		if x := math.Float32frombits(r.Uint32()); x-x == 0 {
			return x
		}
	}
}

func TestExactAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		v := make([]float32, r.IntN(40))
		for i := range v {
			v[i] = anyFinite(r)
			if i > 0 && r.IntN(3) == 0 {
				v[i] = -v[i-1] // cancel, so that small values decide
			}
		}
		checkExact(t, v)
	}
}

// TestExactTies sums to halves between neighbors, and to just beside them.
func TestExactTies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		x := anyFinite(r)
		half := numerics.Spacing(x) / 2
		if half == 0 {
			continue
		}
		if x < 0 {
			half = -half
		}
		checkExact(t, []float32{x, half})
		checkExact(t, []float32{x, half, tiny32})
		checkExact(t, []float32{x, half, -tiny32})
		checkExact(t, []float32{-x, half, tiny32})
	}
}

func TestExactEdges(t *testing.T) {
	for name, v := range map[string][]float32{
		"nothing":                  {},
		"zero":                     {0},
		"minus zero":               {float32(math.Copysign(0, -1))},
		"cancels":                  {1, -1},
		"smallest":                 {tiny32},
		"subnormals":               {tiny32, tiny32, -3 * tiny32},
		"into the normal numbers":  {0x1p-127, 0x1p-127},
		"largest":                  {max32},
		"rounds to infinity":       {max32, 0x1p103},
		"just below infinity":      {max32, 0x1p103, -tiny32},
		"far above":                {max32, max32, max32},
		"comes back":               {max32, max32, 1, -max32, -max32},
		"negative far":             {-max32, -max32},
		"all the width":            {max32, tiny32, -max32},
		"borrows through the word": {0x1p100, -tiny32},
		"carry to the next binade": {0x1.fffffep0, 0x1p-24},
	} {
		t.Run(name, func(t *testing.T) { checkExact(t, v) })
	}
}

func TestExactNotFinite(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []float32
		want float32
		sign int
	}{
		{"inf", []float32{1, inf32, -5}, inf32, 1},
		{"minus inf", []float32{-inf32, max32}, -inf32, -1},
		{"both", []float32{inf32, -inf32}, nan32, 0},
		{"nan", []float32{nan32, 1}, nan32, 0},
		{"nan and inf", []float32{nan32, inf32}, nan32, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e, f numerics.Exact
			e.AddAll(c.in)
			check := func(got float64) {
				t.Helper()
				if c.want != c.want {
					assert.True(t, math.IsNaN(got), "got %v", got)
					return
				}
				assert.Equal(t, float64(c.want), got)
			}
			check(float64(e.Float32()))
			check(e.Float64())
			assert.Equal(t, c.sign, e.Sign())
			f.AddExact(&e)
			check(f.Float64())
			f.Reset()
			f.SubExact(&e)
			check(-f.Float64())
			assert.Equal(t, -c.sign, f.Sign())
			f.Reset()
			assert.Zero(t, f.Float64())
		})
	}
}

// TestExactOverflow doubles a sum until the 320 bits are full: the head room is
// 2^42 of the largest values, and after it comes NaN, not a wrong number.
func TestExactOverflow(t *testing.T) {
	for _, x := range []float32{max32, -max32} {
		var e numerics.Exact
		e.Add(x)
		for k := 1; k <= 41; k++ {
			e.AddExact(&e)
			require.Equal(t, math.Ldexp(float64(x), k), e.Float64(), "2^%d times %v", k, x)
		}
		half := e // 2^41 of them; as many again fit, but for one word's end
		half.Add(-x)
		half.AddExact(&e)
		require.False(t, math.IsNaN(half.Float64()), "2^42-1 of %v", x)
		e.AddExact(&e)
		require.Equal(t, math.Ldexp(float64(x), 42), e.Float64())
		e.AddExact(&e)
		require.True(t, math.IsNaN(e.Float64()), "2^43 of %v", x)
		e.Sub(x)
		require.True(t, math.IsNaN(e.Float64()), "an overflow stays")
		require.Zero(t, e.Sign())
	}
	// The single Add that runs over: fill up with 2^319 - 2^277 first.
	var e, step numerics.Exact
	e.Add(0x1p127)
	for range 42 {
		step.AddExact(&e)
		e.AddExact(&e)
	}
	step.AddExact(&e) // (2^43 - 1) * 2^127, 2^127 short of the end
	require.False(t, math.IsNaN(step.Float64()))
	step.Add(0x1p127)
	require.True(t, math.IsNaN(step.Float64()))

	var neg numerics.Exact
	neg.SubExact(&e) // -2^169
	neg.SubExact(&e) // -2^170, the lowest number there is
	require.Equal(t, -0x1p170, neg.Float64())
	require.Equal(t, -inf32, neg.Float32())
	neg.Add(-tiny32)
	require.True(t, math.IsNaN(neg.Float64()))
}

func TestExactSubUndoesAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var e numerics.Exact
	var v []float32
	for range 500 {
		x := anyFinite(r)
		v = append(v, x)
		e.Add(x)
	}
	for _, x := range v {
		e.Sub(x)
	}
	assert.Equal(t, numerics.Exact{}, e)
}

func FuzzExact(f *testing.F) {
	seed := func(v ...float32) {
		var b []byte
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		f.Add(b)
	}
	seed()
	seed(1, -1, tiny32)
	seed(max32, 0x1p103, -tiny32)
	seed(0x1.fffffep0, 0x1p-24, -0x1p-60)
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, finite := floats(raw)
		if finite {
			checkExact(t, v)
			return
		}
		// Not finite: the sum in float64 decides in the same way, as its range
		// cannot be left.
		want := numerics.SumFloat64(v)
		var e numerics.Exact
		e.AddAll(v)
		assert.True(t, e.Float64() == want || e.Float64() != e.Float64() && want != want, "got %v, want %v", e.Float64(), want)
	})
}

// floats reads raw as float32 values and says whether all are finite.
func floats(raw []byte) (v []float32, finite bool) {
	finite = true
	for ; len(raw) >= 4; raw = raw[4:] {
		x := math.Float32frombits(binary.LittleEndian.Uint32(raw))
		finite = finite && x-x == 0
		v = append(v, x)
	}
	return v, finite
}

// FuzzSum holds every order to its plain version and, where no sum can leave
// the range, to the widest error bound.
func FuzzSum(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 128, 51, 0, 0, 128, 51})
	f.Add(make([]byte, 4*70))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, finite := floats(raw)
		total := big.NewFloat(0)
		for _, x := range v {
			if finite {
				total.Add(total, new(big.Float).SetFloat64(math.Abs(float64(x))))
			}
		}
		abs, _ := total.Float64()
		for _, o := range allOrders() {
			want, wantOK := naive(o, v)
			got, ok := numerics.Sum(o, v, nil)
			require.Equal(t, wantOK, ok, "%s", o)
			if want == want || got == got {
				require.Equal(t, hex32(want), hex32(got), "%s of %v", o, v)
			}
			if ok && finite && abs < 0x1p120 && o != numerics.Kahan {
				// An addition never errs by more than u of its result, also in
				// the subnormals, where it is exact.
				n := float64(len(v))
				require.LessOrEqual(t, math.Abs(errorOf(got, v)), n*unit*abs*(1+n*unit*2), "%s of %v", o, v)
			}
		}
	})
}
