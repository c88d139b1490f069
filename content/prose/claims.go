package prose

// claims is the table: one row for each claim in content/guide. The checks are
// in one file per page.
var claims = []Claim{
	{"three-numbers-brackets", "In float32 (B − B) + 1 is 1 and (−B + 1) + B is 0 for B = 10^8.", threeNumbersBrackets},
	{"two-agree-three-can", "All orders agree on 2 numbers; on 3 halving can differ from left to right.", twoAgreeThreeCan},
	{"bf16-share-differs", "Left to right and pairs differ for 18% to 28% of seeds with 64 bf16 products, for more than 80% with 1,024.", bf16ShareDiffers},
	{"fa2-not-monotone", "FlashAttention-2 on an A100 takes 16 parts at batch 1 and changes up as well as down until batch 32.", fa2NotMonotone},
	{"flip-at-default", "The winner alone is B and the winner at the default batch is A.", flipAtDefault},
	{"flip-needs-near-tie", "A tie flips in a third to a half of pairs, a gap of 10^-5 in under 3%, a gap of 10^-4 in none of 500.", flipNeedsNearTie},
	{"bf16-amplifies", "bf16 between the layers changes logits at least 100 times more than float32 does, for several seeds.", bf16Amplifies},
	{"decoder-parting", "Partial sums in bf16 part most seeds within 64 tokens, bf16 between layers under 2%, float32 none.", decoderParting},
	{"invariant-never-parts", "With one order for every batch no run parts.", invariantNeverParts},
}
