package numerics_test

import (
	"strconv"
	"testing"

	"openloop/numerics"
)

// BenchmarkSum reports bytes a second: Sequential and Kahan wait for each
// addition, the others do not.
func BenchmarkSum(b *testing.B) {
	orders := []numerics.Order{
		numerics.Sequential, numerics.Pairwise, numerics.Halving, numerics.Strided, numerics.SplitK(4), numerics.SplitK(16),
		numerics.Block(256), numerics.Block(1024), numerics.Kahan,
	}
	for _, n := range []int{64, 4096} {
		v, scratch := fill(numerics.BF16Dot, 1, n), make([]float32, n)
		for _, o := range orders {
			b.Run(o.String()+"/"+strconv.Itoa(n), func(b *testing.B) {
				b.SetBytes(int64(4 * n))
				for b.Loop() {
					numerics.Sum(o, v, scratch)
				}
			})
		}
	}
}

func BenchmarkExact(b *testing.B) {
	for _, k := range allKinds {
		v := fill(k, 1, 4096)
		b.Run(k.String(), func(b *testing.B) {
			b.SetBytes(4 * 4096)
			for b.Loop() {
				numerics.ExactSum(v)
			}
		})
	}
}

func BenchmarkDotOrder(b *testing.B) {
	v, w, scratch := fill(numerics.Sym, 1, 4096), fill(numerics.Sym, 2, 4096), make([]float32, 4096)
	for _, o := range []numerics.Order{numerics.Sequential, numerics.SplitK(4)} {
		b.Run(o.String(), func(b *testing.B) {
			b.SetBytes(2 * 4 * 4096)
			for b.Loop() {
				numerics.DotOrder(o, v, w, scratch)
			}
		})
	}
}

func BenchmarkFill(b *testing.B) {
	v := make([]float32, 4096)
	for _, k := range allKinds {
		b.Run(k.String(), func(b *testing.B) {
			b.SetBytes(4 * 4096)
			for b.Loop() {
				numerics.Fill(k, 7, v)
			}
		})
	}
}
