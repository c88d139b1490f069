package tables

// ComposedPoint is a step of a whole model put together from measured operators:
// what one of profile.Calibrations was laid through. The points here are those of
// Llama-3.1-8B on one GPU.
type ComposedPoint struct {
	GPU       string // id of package profile
	FP8       bool   // else bf16
	Prefill   bool
	Batch     int
	NewTokens int // of each sequence
	KVTokens  int // of each sequence
	Seconds   float64
}

// ComposedPoints returns them by GPU.
func ComposedPoints() []ComposedPoint { return append([]ComposedPoint(nil), composedPoints...) }

// ComposedPointsHash is the SHA-256 of the file of all points.
func ComposedPointsHash() string { return composedPointsHash }
