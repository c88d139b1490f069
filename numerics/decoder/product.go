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
// four sums do not wait for each other, and none of them changes. With narrow
// each part is rounded to bf16 before it is added.
func splitRows(parts int, narrow bool, w, x, out []float32) {
	n := len(x)
	run := (n + parts - 1) / parts
	for ; len(out) >= 4; out, w = out[4:], w[4*n:] {
		var sum [4]float32
		for from := 0; from < n; from += run {
			to := min(from+run, n)
			part := fourDots(w[from:to], w[n+from:n+to], w[2*n+from:2*n+to], w[3*n+from:3*n+to], x[from:to])
			for i, p := range part {
				if narrow {
					p = numerics.RoundBF16(p)
				}
				sum[i] += p
			}
		}
		copy(out, sum[:])
	}
	for i := range out {
		out[i] = splitRow(run, narrow, w[i*n:(i+1)*n], x)
	}
}

// splitRow is splitRows for one row.
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

// fourDots adds four rows from left to right. Eight columns are read through
// pointers to arrays, which spares WebAssembly most of its address arithmetic.
func fourDots(a, b, c, d, v []float32) [4]float32 {
	var p0, p1, p2, p3 float32
	for len(v) >= 8 && len(a) >= 8 && len(b) >= 8 && len(c) >= 8 && len(d) >= 8 {
		y := (*[8]float32)(v)
		e, f, g, h := (*[8]float32)(a), (*[8]float32)(b), (*[8]float32)(c), (*[8]float32)(d)
		p0, p1, p2, p3 = p0+float32(e[0]*y[0]), p1+float32(f[0]*y[0]), p2+float32(g[0]*y[0]), p3+float32(h[0]*y[0])
		p0, p1, p2, p3 = p0+float32(e[1]*y[1]), p1+float32(f[1]*y[1]), p2+float32(g[1]*y[1]), p3+float32(h[1]*y[1])
		p0, p1, p2, p3 = p0+float32(e[2]*y[2]), p1+float32(f[2]*y[2]), p2+float32(g[2]*y[2]), p3+float32(h[2]*y[2])
		p0, p1, p2, p3 = p0+float32(e[3]*y[3]), p1+float32(f[3]*y[3]), p2+float32(g[3]*y[3]), p3+float32(h[3]*y[3])
		p0, p1, p2, p3 = p0+float32(e[4]*y[4]), p1+float32(f[4]*y[4]), p2+float32(g[4]*y[4]), p3+float32(h[4]*y[4])
		p0, p1, p2, p3 = p0+float32(e[5]*y[5]), p1+float32(f[5]*y[5]), p2+float32(g[5]*y[5]), p3+float32(h[5]*y[5])
		p0, p1, p2, p3 = p0+float32(e[6]*y[6]), p1+float32(f[6]*y[6]), p2+float32(g[6]*y[6]), p3+float32(h[6]*y[6])
		p0, p1, p2, p3 = p0+float32(e[7]*y[7]), p1+float32(f[7]*y[7]), p2+float32(g[7]*y[7]), p3+float32(h[7]*y[7])
		v, a, b, c, d = v[8:], a[8:], b[8:], c[8:], d[8:]
	}
	for i, y := range v {
		p0 += float32(a[i] * y)
		p1 += float32(b[i] * y)
		p2 += float32(c[i] * y)
		p3 += float32(d[i] * y)
	}
	return [4]float32{p0, p1, p2, p3}
}
