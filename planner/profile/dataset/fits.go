package dataset

import "openloop/planner/profile"

// Fits that a planner should not use as step times, each for its reason; pages
// show them.

// EndToEnd is a whole step of an engine of 2023, its own overhead included:
// two thirds of a decode step of 70B on 8 GPUs. It shows how far engines came.
type EndToEnd struct {
	GPUID   string
	Model   string // id of package profile, or "bloom-176b"
	TP      int
	Prefill profile.Fit
	Decode  profile.Fit

	// Shares of the peaks: of arithmetic for a prompt of 2,048 tokens, of
	// bandwidth for a batch of one.
	MFU2048, MBUBatch1 float64
}

// Layer is the linear operators of one layer, without attention and without
// what GPUs tell each other: not a step.
type Layer struct {
	GPU, Model string // as the source names them
	TP, Points int

	// From 2,048 tokens: A s + B s/token. To 128: A s + B s/sequence.
	PrefillA, PrefillB, PrefillR2, PrefillMAPEFrac float64
	DecodeA, DecodeB, DecodeR2, DecodeMAPEFrac     float64

	// Matrix products alone: share of peak arithmetic at 4,096 tokens, of peak
	// bandwidth at 1 and at 64.
	MFU4096, MBU1, MBU64 float64
}

// PerToken is the latency of a whole batch over its output tokens, prefill
// included: not a step. A s + B s/sequence + C s for each sequence and token of
// its length, which input and output have alike.
type PerToken struct {
	Hardware         string // as the source names it
	Devices          int
	Framework, Model string
	Fit              profile.Fit
	Batch1Seconds    float64 // measured at batch 1, for each output token
}

// Splitwise lists the end-to-end steps, a copy like those below.
func Splitwise() []EndToEnd { return append([]EndToEnd{}, splitwise...) }

// Vidur lists the layers.
func Vidur() []Layer { return append([]Layer{}, vidur...) }

// Argonne lists the batches.
func Argonne() []PerToken { return append([]PerToken{}, argonne...) }
