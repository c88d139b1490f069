package prose

// claims is the table: one row for each claim in content/guide. The checks are
// in one file per page.
var claims = []Claim{
	{"three-numbers-brackets", "In float32 (B − B) + 1 is 1 and (−B + 1) + B is 0 for B = 10^8.", threeNumbersBrackets},
	{"spacing-at-1e8", "The float32 numbers at 10^8 and at 2^26 are 8 apart.", spacingAt1e8},
	{"orders-differ-in-last-bits", "At the default the furthest order ends 1 to 16 ULPs from the exact sum.", ordersDifferInLastBits},
	{"exact-sum-missed", "For 6% to 13% of seeds 1 to 1,000 no order ends at the exact sum.", exactSumMissed},
	{"two-agree-three-can", "All orders agree on 2 numbers of every kind; on 3 halving can differ from left to right.", twoAgreeThreeCan},
	{"bf16-share-differs", "Left to right and pairs differ for 20% to 25% of seeds with 64 bf16 products, for more than 80% with 1,024.", bf16ShareDiffers},
	{"fa2-not-monotone", "FlashAttention-2 on an A100 takes 16 parts at batch 1 and changes 14 times until batch 32, 5 times upward.", fa2NotMonotone},
	{"norm-switch-256", "vLLM's norm runs 1,024 threads a token of 4,096 values below 256 tokens, 256 from there on.", normSwitch256},
	{"flip-at-default", "The winner alone is B and the winner at the default batch is A.", flipAtDefault},
	{"how-the-logits-moved", "From batch 1 to the default batch A moves by +3 ULPs and B by -1; B led by 2.", howTheLogitsMoved},
	{"two-winners-share", "Of seeds 1 to 60, 30 to 50 have two winners up to batch 32.", twoWinnersShare},
	{"invariant-one-winner", "With one order no seed of 1 to 30 changes winner.", invariantOneWinner},
	{"invariant-not-exact", "With one order some seed of 1 to 60 has a winner that is not the exact one.", invariantNotExact},
	{"cost-range", "The published slowdowns are 1.244 to 1.615 times.", costRange},
	{"flip-needs-near-tie", "A tie flips in 38% to 48% of pairs, a gap of 10^-5 in under 3%, a gap of 10^-4 in none of 500.", flipNeedsNearTie},
	{"bf16-amplifies", "Over 2,000 contexts bf16 between the layers changes logits 600 to 1,300 times more than float32 does, for seeds 7 to 9.", bf16Amplifies},
	{"bf16-mostly-equal", "With bf16 fewer than 8% of contexts have any different logit, for seeds 1 to 5.", bf16MostlyEqual},
	{"bf16-parts-every-step", "With bf16 parts every context differs at batch 64 and none at batch 8.", bf16PartsEveryStep},
	{"decoder-parting", "Within 64 tokens partial sums in bf16 part 61.0% of seeds, bf16 between the layers 0.3%, float32 none.", decoderParting},
	{"invariant-never-parts", "With one order for every batch no run parts.", invariantNeverParts},
}
