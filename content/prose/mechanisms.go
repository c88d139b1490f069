package prose

import (
	"openloop/content/demo/serving"
	"openloop/sim"
)

// Checks of the chapter on mechanisms, whose demo draws nothing: its numbers are
// formulas, and are the same for any seed.

var mechanismClaims = []Claim{
	{"mech-batch", "On the server of the guide a decode step of 30 requests with 1,000 tokens each takes 5% to 25% longer than one of a single request.", mechBatch},
	{"mech-seats", "Three requests take 70 ms with two seats and 60 with four, and the third waits for a seat.", mechSeats},
	{"mech-blocks", "With 6 blocks one of three is put back and 8 tokens are computed again; with 9 none.", mechBlocks},
	{"mech-gqa", "Grouped queries make the KV of Llama 3.1 70B 8 times smaller.", mechGQA},
	{"mech-mla", "The latent vector of DeepSeek-V3 is 70 to 72 times smaller than keys and values for each head, and 0.25 to 0.35 of those of 8 groups.", mechMLA},
	{"mech-prefix", "With three quarters of 4,096 tokens found prefill takes 28 to 32 ms instead of 80 to 90.", mechPrefix},
	{"mech-chunked", "The longest gap falls from 80 to 92 ms to 19 to 23 ms.", mechChunked},
	{"mech-apart", "A token every 10 to 11 ms apart, 13.5 to 14.5 together.", mechApart},
	{"mech-speculation", "Good drafts: 2.5 to 2.7 times the speed in a batch of 32, 1.7 to 1.9 in one of 256; poor ones are above 1 in the first and below in the second.", mechSpeculation},
	{"mech-moe", "8 of 128 experts are 6.25% for a token; a batch of 32 reads 86% to 88%.", mechMoE},
}

func mechBatch() error {
	cost, overhead, _ := serving.Costs()
	step := func(n int64) float64 { return float64(cost.Picos(sim.Load{Decodes: n, KVTokens: 1000 * n}) + overhead) }
	return between("a step of 30 over a step of one", step(30)/step(1), 1.05, 1.25)
}

func mechSeats() error {
	return first(within("step-trace", "v=1&blocks=24&seats=2", "end", 70, 70), within("step-trace", "v=1&blocks=24", "end", 60, 60),
		within("step-trace", "v=1&blocks=24&seats=2", "put_back", 0, 0))
}

func mechBlocks() error {
	return first(within("step-trace", "v=1", "put_back", 1, 1), within("step-trace", "v=1", "recomputed", 8, 8),
		within("step-trace", "v=1&blocks=9", "put_back", 0, 0))
}

const mech = "v=1&lever="

func mechGQA() error { return within("mechanism", mech+"gqa", "ratio", 8, 8) }

func mechMLA() error {
	own, err := metric("mechanism", mech+"mla", "with")
	if err != nil {
		return err
	}
	groups, err := metric("mechanism", mech+"mla", "third")
	return first(err, within("mechanism", mech+"mla", "ratio", 70, 72), between("of eight groups", own/groups, 0.25, 0.35))
}

func mechPrefix() error {
	return first(within("mechanism", mech+"prefix", "with", 28, 32), within("mechanism", mech+"prefix", "without", 80, 90))
}

func mechChunked() error {
	return first(within("mechanism", mech+"chunked", "with", 19, 23), within("mechanism", mech+"chunked", "without", 80, 92))
}

func mechApart() error {
	return first(within("mechanism", mech+"apart", "with", 10, 11), within("mechanism", mech+"apart", "without", 13.5, 14.5))
}

func mechSpeculation() error {
	const full = mech + "speculation&batch=256"
	return first(
		within("mechanism", mech+"speculation", "with", 2.5, 2.7), within("mechanism", mech+"speculation", "third", 1, 2.5),
		within("mechanism", full, "with", 1.7, 1.9), within("mechanism", full, "third", 0.5, 0.999))
}

func mechMoE() error {
	return first(within("mechanism", mech+"moe", "with", 86, 88), within("mechanism", mech+"moe", "third", 6.25, 6.25))
}
