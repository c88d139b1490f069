package profile

// DType is how one weight or one element of KV is stored, or in what the
// arithmetic runs.
type DType uint8

// The storage types. The first is the zero value and what models are trained in.
const (
	BF16 DType = iota // also float16: the same size and the same peak
	FP8
	FP4
	INT8
	INT4
	dtypes
)

// Bytes of a parameter where small blocks share an 8-bit scale: 4 bits and the
// share of the scale. The block sizes, 32 and 16, are those of the formats'
// names as commonly used; we found no source that we could cite for them.
const (
	MXFP4BytesPerParam = 0.5 + 1.0/32
	NVFP4BytesPerParam = 0.5 + 1.0/16
)

// Bytes is the size of one element, scales not counted; 0 for a type that does
// not exist.
func (d DType) Bytes() float64 {
	switch d {
	case BF16:
		return 2
	case FP8, INT8:
		return 1
	case FP4, INT4:
		return 0.5
	}
	return 0
}

// String is the name that links and tables use: bf16, fp8, fp4, int8, int4.
func (d DType) String() string {
	switch d {
	case BF16:
		return "bf16"
	case FP8:
		return "fp8"
	case FP4:
		return "fp4"
	case INT8:
		return "int8"
	case INT4:
		return "int4"
	}
	return "unknown"
}

// ParseDType is the inverse of String.
func ParseDType(name string) (DType, bool) {
	for d := range dtypes {
		if d.String() == name {
			return d, true
		}
	}
	return 0, false
}

// DTypes lists all types in their order.
func DTypes() []DType {
	all := make([]DType, dtypes)
	for d := range dtypes {
		all[d] = d
	}
	return all
}
