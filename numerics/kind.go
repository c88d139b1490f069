package numerics

import "math"

// Kind says how a random draw becomes a float32 value. The kinds differ in how
// many bits a value carries and whether signs cancel, which decides how often
// two orders of addition disagree.
type Kind uint8

// The kinds. One draw is one step of Rand; sym(x) is the mapping of Sym and
// bf16 is RoundBF16.
const (
	U01     Kind = iota // one draw: (x>>8) * 2^-24, exact, in [0,1)
	Sym                 // one draw: ((x>>8) - 2^23) * 2^-23, exact, in [-1,1)
	Wide                // two draws: sym(x1) * 2^((x2&15)-8), exact, in [-128,128)
	Dot                 // two draws: sym(x1)*sym(x2) rounded once, in [-1,1]
	BF16Dot             // two draws: bf16(sym(x1))*bf16(sym(x2)), exact, in [-1,1]
	Sq                  // one draw: the square of bf16(sym(x)), exact, in [0,1]
	kindEnd
)

// kindName is a switch and not a table so that the package holds no variables.
func kindName(k Kind) string {
	switch k {
	case U01:
		return "u01"
	case Sym:
		return "sym"
	case Wide:
		return "wide"
	case Dot:
		return "dot"
	case BF16Dot:
		return "bf16dot"
	case Sq:
		return "sq"
	}
	return ""
}

// String is the name that ParseKind reads; "" for a value that is no kind.
func (k Kind) String() string { return kindName(k) }

// ParseKind reads a name: u01, sym, wide, dot, bf16dot or sq.
func ParseKind(name string) (Kind, bool) {
	for k := U01; k < kindEnd; k++ {
		if kindName(k) == name {
			return k, true
		}
	}
	return 0, false
}

// Fill writes the first len(dst) values of a kind for a seed in 1..2^32-1. It
// panics on seed 0 and on a value that is no kind. It does not allocate.
func Fill(k Kind, seed uint32, dst []float32) {
	r := NewRand(seed)
	r.Fill(k, dst)
}

// Fill writes the next len(dst) values of a kind and moves the generator past
// them, so that a long row can be made in pieces.
func (r *Rand) Fill(k Kind, dst []float32) {
	g := *r // a local copy stays in a register
	switch k {
	case U01:
		for i := range dst {
			dst[i] = u01(g.Uint32())
		}
	case Sym:
		for i := range dst {
			dst[i] = sym(g.Uint32())
		}
	case Wide:
		for i := range dst {
			a := sym(g.Uint32())
			dst[i] = float32(a * scale2(int32(g.Uint32()&15)-8))
		}
	case Dot:
		for i := range dst {
			a := sym(g.Uint32())
			dst[i] = float32(a * sym(g.Uint32()))
		}
	case BF16Dot:
		for i := range dst {
			a := RoundBF16(sym(g.Uint32()))
			dst[i] = float32(a * RoundBF16(sym(g.Uint32())))
		}
	case Sq:
		for i := range dst {
			a := RoundBF16(sym(g.Uint32()))
			dst[i] = float32(a * a)
		}
	default:
		panic("numerics: Fill got a value that is no Kind")
	}
	*r = g
}

func u01(x uint32) float32 { return float32(float32(x>>8) * 0x1p-24) }

func sym(x uint32) float32 { return float32(float32(int32(x>>8)-1<<23) * 0x1p-23) }

// scale2 is 2^e for e in -126..127.
func scale2(e int32) float32 { return math.Float32frombits(uint32(e+127) << 23) }

// RoundBF16 rounds to the nearest bfloat16 (8 exponent bits, 7 stored fraction
// bits), ties to even, and returns it as a float32. A finite value above the
// largest bfloat16 becomes an infinity, as IEEE 754 rounding does; NaN stays
// NaN.
func RoundBF16(x float32) float32 {
	if x != x {
		return x
	}
	b := math.Float32bits(x)
	b += 0x7fff + b>>16&1
	return math.Float32frombits(b &^ 0xffff)
}
