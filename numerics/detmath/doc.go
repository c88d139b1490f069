// Package detmath holds the functions that package math does not compute alike
// on every machine: exp, log, pow, erf and the normal distribution. A result
// here has the same bits on amd64, arm64 and WebAssembly.
//
// Package math cannot promise that: it uses assembly on some processors, and
// elsewhere the compiler may fuse x*y + z into one rounding. This package uses
// only +, -, *, /, the exact functions of package math (Floor, Abs, bit
// patterns) and Sqrt, which IEEE 754 defines to the last bit; each product that
// feeds an addition passes through a float64 conversion, which forbids fusing.
//
// Start reading at dd.go: most functions carry a result as an unevaluated sum
// of two float64, which leaves one rounding at the end. Exp and Log reduce
// their argument with a table (tables.gen.go, made by the test with -update
// from 320-bit arithmetic) and finish with a short Taylor series. Pow is exp of
// y*log(x) with both halves kept. Erfc is exp(-x*x) times a smooth function
// that is a polynomial on each half unit.
//
// Special cases are those of package math. The error bounds in the comments
// are measured against 320-bit arithmetic, in ULPs (units in the last place of
// the true result), and a test holds the functions to them. The package does
// not aim at speed: a call costs some tens of nanoseconds.
package detmath
