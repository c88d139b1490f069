package decoder

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"openloop/numerics"
)

// reference is the model written the slow and plain way: one dot product at a
// time, new slices everywhere.
type reference struct {
	m       *Model
	prec    Precision
	product numerics.Order
	norm    numerics.Order
}

func (f reference) logits(window []int) []float32 {
	var in []float32
	for _, t := range window {
		in = append(in, f.m.embed[t*f.m.Width:(t+1)*f.m.Width]...)
	}
	x := f.round(f.mul(f.m.mix, in))
	for l := range f.m.Layers {
		size := f.m.Hidden * f.m.Width
		u := f.round(f.mul(f.m.up[l*size:(l+1)*size], f.rms(x)))
		for i := range u {
			if u[i] < 0 {
				u[i] = 0
			}
			u[i] *= u[i]
		}
		d := f.round(f.mul(f.m.down[l*size:(l+1)*size], f.round(u)))
		for i := range d {
			d[i] += x[i]
		}
		x = f.round(d)
	}
	return f.round(f.mul(f.m.head, f.rms(x)))
}

func (f reference) mul(w, x []float32) (out []float32) {
	for ; len(w) > 0; w = w[len(x):] {
		products := make([]float32, len(x))
		for i := range x {
			products[i] = w[i] * x[i]
		}
		out = append(out, f.sum(products))
	}
	return out
}

func (f reference) sum(v []float32) float32 {
	parts := f.product.Parts()
	if f.prec != BF16Partials || parts == 1 {
		s, _ := numerics.Sum(f.product, v, nil)
		return s
	}
	run := (len(v) + parts - 1) / parts
	var total float32
	for len(v) > 0 {
		n := min(run, len(v))
		part, _ := numerics.Sum(numerics.Sequential, v[:n], nil)
		total += numerics.RoundBF16(part)
		v = v[n:]
	}
	return total
}

func (f reference) rms(x []float32) []float32 {
	squares := make([]float32, len(x))
	for i := range x {
		squares[i] = x[i] * x[i]
	}
	s, _ := numerics.Sum(f.norm, squares, nil)
	mean := s / float32(len(x))
	root := float32(math.Sqrt(float64(mean + 1e-6)))
	out := make([]float32, len(x))
	for i := range x {
		out[i] = x[i] * (1 / root)
	}
	return f.round(out)
}

func (f reference) round(v []float32) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = x
		if f.prec != Float32 {
			out[i] = numerics.RoundBF16(x)
		}
	}
	return out
}

func TestAgainstReference(t *testing.T) {
	// Sizes that do not divide by four or by the parts; and the real one.
	for _, c := range []Config{{Width: 37, Hidden: 51, Layers: 3, Vocab: 29, Window: 3}, Small()} {
		m, err := New(c, 11)
		require.NoError(t, err)
		for _, product := range []numerics.Order{numerics.SplitK(1), numerics.SplitK(4), numerics.SplitK(7), numerics.Sequential, numerics.Pairwise} {
			for prec := Float32; prec <= BF16Partials; prec++ {
				if prec == BF16Partials && product.Parts() == 0 {
					continue // only a product in parts has partial sums
				}
				f := reference{m, prec, product, numerics.Block(64)}
				row := m.NewRow(func(r Reduction, _ int) numerics.Order {
					if r == Norm {
						return f.norm
					}
					return f.product
				}, prec)
				row.Start(m.Prompt(11))
				for range 4 {
					want := f.logits(row.window)
					require.Equal(t, numerics.Argmax(want), row.Step(1))
					require.Equal(t, want, row.Logits(), "%v, precision %d, width %d", product, prec, c.Width)
				}
			}
		}
	}
}

// The weights are scaled so that the logits spread as stated.
func TestLogitSpread(t *testing.T) {
	m, err := New(Small(), 3)
	require.NoError(t, err)
	row := m.NewRow(Invariant, Float32)
	row.Start(m.Prompt(3))
	var squares float64
	n := 0
	for range 200 {
		row.Step(1)
		for _, x := range row.Logits() {
			squares += float64(x) * float64(x)
			n++
		}
	}
	require.InDelta(t, LogitStd, math.Sqrt(squares/float64(n)), 0.1*LogitStd)
}
