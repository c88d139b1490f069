package decoder

import "openloop/numerics"

// product sets out[i] to the dot product of row i of w with x, in order o.
func (r *Row) product(o numerics.Order, w, x, out []float32) {
	if o.Parts() > 0 && o == numerics.SplitK(o.Parts()) {
		splitRows(o.Parts(), r.prec == BF16Partials && o.Parts() > 1, w, x, out)
		return
	}
	n := len(x)
	for i := range out {
		out[i] = numerics.DotOrder(o, w[i*n:(i+1)*n], x, r.scratch)
	}
}

// splitRows is the product with rows cut into parts, four rows at a time: the
// four sums do not wait for each other, and none of them changes.
func splitRows(parts int, narrow bool, w, x, out []float32) {
	n := len(x)
	run := (n + parts - 1) / parts
	for ; len(out) >= 4; out, w = out[4:], w[4*n:] {
		var s0, s1, s2, s3 float32
		for from := 0; from < n; from += run {
			to := min(from+run, n)
			v := x[from:to]
			a := w[from:to][:len(v)]
			b := w[n+from : n+to][:len(v)]
			c := w[2*n+from : 2*n+to][:len(v)]
			d := w[3*n+from : 3*n+to][:len(v)]
			var p0, p1, p2, p3 float32
			for i, y := range v {
				p0 += float32(a[i] * y)
				p1 += float32(b[i] * y)
				p2 += float32(c[i] * y)
				p3 += float32(d[i] * y)
			}
			if narrow {
				p0, p1, p2, p3 = numerics.RoundBF16(p0), numerics.RoundBF16(p1), numerics.RoundBF16(p2), numerics.RoundBF16(p3)
			}
			s0 += p0
			s1 += p1
			s2 += p2
			s3 += p3
		}
		out[0], out[1], out[2], out[3] = s0, s1, s2, s3
	}
	for i := range out {
		out[i] = splitRow(run, narrow, w[i*n:(i+1)*n], x)
	}
}

func splitRow(run int, narrow bool, w, x []float32) float32 {
	var sum float32
	for from := 0; from < len(x); from += run {
		var part float32
		for i := from; i < min(from+run, len(x)); i++ {
			part += float32(w[i] * x[i])
		}
		if narrow {
			part = numerics.RoundBF16(part)
		}
		sum += part
	}
	return sum
}
