package kernel

import "math"

// FlashBlockTokens is how many KV tokens FlashAttention-2 counts as one block
// when the head dimension is 65 to 128.
const FlashBlockTokens = 128

const flashMaxSplits = 128

// FlashSplits is the number of parts into which FlashAttention-2 cuts the KV
// cache of a decode step on a GPU of sms multiprocessors. The step holds batch
// sequences; each has kvHeads KV heads (query heads that share a KV head are
// packed into its rows) and qBlocks blocks of query rows, and the longest has
// kvTokens tokens in its cache. All arguments are at least 1.
//
// The rule: one part if the heads alone fill 80% of twice the multiprocessors;
// else the smallest count whose wave efficiency reaches 85% of the best. The
// efficiency is w/ceil(w), where w is the work in waves, in float32 as in the
// source; in float64 some shapes come out one part apart. The partial results
// are then combined in float32, so another count is another order of addition.
//
// Source: Dao-AILab/flash-attention, csrc/flash_attn/flash_api.cpp,
// num_splits_heuristic and its caller set_params_splitkv (which passes twice
// the number of multiprocessors and at most 128 parts).
func FlashSplits(batch, kvHeads, qBlocks, kvTokens, sms int) int {
	work, slots := batch*kvHeads*qBlocks, 2*sms
	if float32(work) >= float32(float32(0.8)*float32(slots)) {
		return 1
	}
	blocks := ceilDiv(kvTokens, FlashBlockTokens)
	most := min(flashMaxSplits, slots, blocks)
	best := float32(0)
	for s := 1; s <= most; s++ {
		if candidate(blocks, s) {
			best = max(best, efficiency(work, s, slots))
		}
	}
	for s := 1; s <= most; s++ {
		// 0.85 is a double in the source, so the comparison is made in float64.
		if candidate(blocks, s) && float64(efficiency(work, s, slots)) >= 0.85*float64(best) {
			return s
		}
	}
	return 1
}

// candidate says whether s parts differ from s-1 parts: 64 blocks in 12 parts
// of 6 blocks are 11 parts.
func candidate(blocks, s int) bool {
	return s == 1 || ceilDiv(blocks, s) != ceilDiv(blocks, s-1)
}

// efficiency is how full the last wave makes the average wave, in (0,1].
func efficiency(work, s, slots int) float32 {
	waves := float32(work*s) / float32(slots)
	return waves / float32(math.Ceil(float64(waves)))
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
