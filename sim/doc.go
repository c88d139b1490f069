// Package sim is a discrete-event simulator of LLM serving: replicas with
// continuous batching, chunked prefill and a paged KV cache, in front of them
// a load generator, after them a report.
//
// Start at config.go (what is simulated), request.go (what goes in) and
// results.go (what comes out).
//
// The package is pure: it reads no clock, file, environment or network, and
// gives the same bytes on every machine. It does not model the network, the
// tokenizer, the front end or the kernels inside a step.
package sim
