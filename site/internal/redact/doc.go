// Package redact makes a trace that may leave the house out of one that may not:
// times, lengths and which prompts begin alike, and nothing else.
//
// Start at Redact. A trace comes as Mooncake writes it (JSONL with timestamp in
// ms, input_length, output_length, hash_ids) or as Azure does (CSV with
// TIMESTAMP, ContextTokens, GeneratedTokens); trace.go reads both. sample.go
// takes whole stretches of time or whole sessions and never single requests,
// because a request out of two leaves half the reuse and half the bursts.
// Hashes are replaced by keyed ones: equal blocks stay equal, and nobody without
// the salt can look up what a block was. stats.go says what a sample kept.
//
// What it does not do: it does not read prompts, and it does not blur lengths
// and times. Who knows the length and the second of a request can find it again.
package redact
