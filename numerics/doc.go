// Package numerics adds float32 numbers in the orders that GPU kernels use, and
// measures what the order did to the result.
//
// Float32 addition rounds, so it is not associative: the same numbers added in
// another order may end in other bits. A kernel picks its order from the shape
// of the batch, which is why one request can get another answer when the
// server is busy.
//
// Start reading at Order (which tree of additions), then Sum (apply it), then
// Exact (the true sum, rounded once) and ULPs (how far apart two results are).
// Kind and Rand make test rows that any language can repeat from a seed. The
// packages below: detmath holds exp, log, pow and erf with the same bits on
// every machine.
//
// Everything here gives the same bits natively and as WebAssembly: no product
// feeds an addition without a conversion between them, because Go may fuse
// x*y + z into one rounding on some processors and the conversion forbids it.
//
// Tests hold every order to golden bits that other programs made, natively and
// in node:
//
//	go test ./numerics/...
//	GOOS=js GOARCH=wasm go test -exec="$(go env GOROOT)/lib/wasm/go_js_wasm_exec" ./numerics/...
//
// The wrapper fails when the environment is very large; env -i PATH="$PATH"
// HOME="$HOME" in front of the second line helps.
//
// The package does not imitate one real kernel instruction by instruction. The
// order inside a tensor core is not public, so no order here claims to be one.
package numerics
