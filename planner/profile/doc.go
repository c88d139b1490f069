// Package profile knows hardware and models: what a GPU can do at best, what a
// model weighs, keeps and computes, and how long a step was measured to take.
// It decides nothing; package planner does.
//
// Start at model.go for the shape of a model and at gpu.go for a GPU. What
// follows from a shape is computed, in params.go (how many parameters), kv.go
// (bytes that a sequence keeps) and flops.go (arithmetic), so that a reader's
// own model is treated like those of the tables. The tables (model_*.go,
// gpu_*.go) hold only what somebody published, with the source beside it.
// Measured times are in calibration.go, with their engine, error and caveats,
// and what lies between two measured models in interpolate.go. check.go refuses
// what no GPU and no model can be.
//
// Units are SI: bytes, seconds, FLOP/s, watts; a GB is 1e9 bytes. Nothing here
// can be changed by a caller: what is returned is a copy.
package profile
