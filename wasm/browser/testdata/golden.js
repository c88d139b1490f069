// float32 reductions in plain JavaScript, written from the definitions inside
// numerics/testdata/golden/reductions.json and from nothing else: every + and
// * below is rounded to binary32 by Math.fround. The value of this script is an
// object of functions; golden_test.go calls them inside the page.
(() => {
	'use strict';
	const f = Math.fround;
	const view = new DataView(new ArrayBuffer(8));
	const hex32 = x => { view.setFloat32(0, x); return view.getUint32(0).toString(16).padStart(8, '0') };
	const hex64 = x => { view.setFloat64(0, x); return view.getBigUint64(0).toString(16).padStart(16, '0') };

	// xorshift32: the output is the new state.
	const stream = seed => { let x = seed >>> 0; return () => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return x >>>= 0 } };
	const sym = x => f(f((x >>> 8) - 0x800000) * f(2 ** -23));
	const bf16 = x => {
		view.setFloat32(0, x);
		const bits = view.getUint32(0);
		view.setUint32(0, (bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000);
		return view.getFloat32(0);
	};
	const kinds = {
		u01: next => f(f(next() >>> 8) * f(2 ** -24)),
		sym: next => sym(next()),
		wide: next => { const a = sym(next()); return f(a * f(2 ** ((next() & 15) - 8))) },
		dot: next => { const a = sym(next()); return f(a * sym(next())) },
		bf16dot: next => { const a = bf16(sym(next())); return f(a * bf16(sym(next()))) },
		sq: next => { const a = bf16(sym(next())); return f(a * a) },
	};
	const fill = (kind, n, seed) => { const next = stream(seed); return Float32Array.from({length: n}, () => kinds[kind](next)) };

	const seq = v => { let acc = 0; for (const x of v) acc = f(acc + x); return acc };
	const pairwise = v => {
		let row = Array.from(v);
		while (row.length > 1) {
			const up = [];
			for (let j = 0; j + 1 < row.length; j += 2) up.push(f(row[j] + row[j + 1]));
			if (row.length % 2) up.push(row[row.length - 1]);
			row = up;
		}
		return row[0];
	};
	const halving = v => {
		if (v.length === 1) return v[0];
		const m = Math.floor(v.length / 2);
		return f(halving(v.subarray(0, m)) + halving(v.subarray(m)));
	};
	const strided = v => {
		if (v.length & (v.length - 1)) return null;
		const y = Float32Array.from(v);
		for (let w = v.length / 2; w >= 1; w /= 2) for (let i = 0; i < w; i++) y[i] = f(y[i] + y[i + w]);
		return y[0];
	};
	const splitk = k => v => {
		const len = Math.ceil(v.length / k);
		let acc = 0;
		for (let j = 0; j < k; j++) acc = f(acc + seq(v.subarray(Math.min(j * len, v.length), Math.min((j + 1) * len, v.length))));
		return acc;
	};
	const block = threads => v => {
		const part = Float32Array.from({length: threads}, (_, t) => { let acc = 0; for (let i = t; i < v.length; i += threads) acc = f(acc + v[i]); return acc });
		let sum = pairwise(part.subarray(0, 32));
		for (let w = 32; w < threads; w += 32) sum = f(sum + pairwise(part.subarray(w, w + 32)));
		return sum;
	};
	const kahan = v => {
		let s = 0, c = 0;
		for (const x of v) { const y = f(x - c), t = f(s + y); c = f(f(t - s) - y); s = t }
		return s;
	};
	const orders = {
		seq, pairwise, halving, strided, splitk2: splitk(2), splitk4: splitk(4), splitk8: splitk(8), splitk16: splitk(16),
		block256: block(256), block1024: block(1024), kahan,
	};

	// exact counts in units of 2^-149, the smallest binary32, and rounds once.
	const units = x => {
		view.setFloat32(0, x);
		const bits = view.getUint32(0), e = (bits >>> 23) & 255, m = BigInt(bits & 0x7fffff);
		const size = e ? (m | 0x800000n) << BigInt(e - 1) : m;
		return bits >>> 31 ? -size : size;
	};
	const exact = v => {
		let sum = 0n;
		for (const x of v) sum += units(x);
		const sign = sum < 0n ? -1 : 1, size = sum < 0n ? -sum : sum;
		const drop = BigInt(Math.max(0, size.toString(2).length - 24));
		let top = size >> drop;
		const rest = size - (top << drop), half = drop ? 1n << (drop - 1n) : 1n;
		if (drop && (rest > half || (rest === half && top & 1n))) top++;
		return sign * Number(top) * 2 ** (Number(drop) - 149); // exact: top has at most 25 bits
	};
	const wide64 = v => { let acc = 0; for (const x of v) acc += x; return acc };

	const show = x => x === null ? null : hex32(x);
	return {
		// all gives every result of one vector as the file writes it.
		all: (kind, n, seed) => {
			const v = fill(kind, n, seed), bits = {};
			for (const [name, sum] of Object.entries(orders)) bits[name] = show(sum(v));
			bits.f64seq = hex64(wide64(v));
			bits.exact32 = hex32(exact(v));
			return {first: hex32(v[0]), last: hex32(v[n - 1]), bits};
		},
		// choose gives both logits and the argmax of one case in each order.
		choose: (kind, n, seedA, seedB, bOrder, names) => {
			const a = fill(kind, n, seedA), b = fill(kind, n, seedB);
			if (bOrder === 'reverse') b.reverse();
			const bits = {}, argmax = {};
			for (const name of names) {
				const x = orders[name](a), y = orders[name](b);
				bits[name] = [show(x), show(y)];
				argmax[name] = y > x ? 1 : 0;
			}
			return {bits, argmax};
		},
	};
})()
