package diagnose

import "openloop/sim"

// The evidence: what each failure does to each sign that tells of it.
//
// A line gives its first number of points if the sign moved as it says, in
// proportion to how clearly it did, and takes the second if the sign is known
// and did not. For a sign that should stay where it is, the first is given if
// it did. What is not known gives and takes nothing. A key is a sign without
// which a failure is not one: known and still, it rules the failure out.

type line struct {
	sign  Sign
	move  sim.Move
	plus  float64
	minus float64
	key   bool
}

type row struct {
	verdict string
	lines   []line
	brings  []Sign // moves that this failure may bring along: no sign of another
}

const (
	up   = sim.Up
	down = sim.Down
	flat = sim.Flat
)

const (
	queue    = Sign(sim.QueueDepth)
	ttft     = Sign(sim.TTFTp99)
	itl      = Sign(sim.ITLp99)
	batch    = Sign(sim.RunningBatch)
	kv       = Sign(sim.KVOccupancy)
	preempts = Sign(sim.PreemptionRate)
	hit      = Sign(sim.PrefixHit)
	accepted = Sign(sim.AcceptedLength)

	prompts    = strip + Sign(sim.PromptTokensMean)
	outputs    = strip + Sign(sim.OutputTokensMean)
	promptRate = strip + Sign(sim.PromptRate)
	uneven     = strip + Sign(sim.Imbalance)
)

var table = [...]row{
	{"traffic_surge", []line{
		{FirstAttempts, up, 4, 4, true}, // more come; it is what the name says
		{RampUp, flat, 0, 5, false},     // a day's rise is no surge
		{promptRate, up, 1, 0, false},   // and bring their prompts
		{batch, up, 1, 0.5, false},      // the batch fills
		{queue, up, 1, 0, false},        // then they wait
		{QueueLong, up, 2, 0, false},    // for long
		{FallsBehind, up, 2, 0, false},  // because more come than leave
		{ttft, up, 0.5, 0, false},       // which the first token shows
		{KVFull, flat, 1, 0.5, false},   // seats or compute run out, not blocks
		{prompts, flat, 0.5, 1, false},  // requests are as before
		{outputs, flat, 0.5, 1, false},  //
		{PerPrompt, flat, 0, 1, false},  //
		{hit, flat, 0.5, 1, false},      //
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast}},
	{"long_prompt_flood", []line{
		{prompts, up, 4, 4, true},
		{promptRate, up, 1, 1, false},
		{PerPrompt, down, 2, 1, false},
		{ttft, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{KVPerRequest, up, 1, 0.5, false},
		{hit, down, 0.5, 0, false},
		{DecodeStarved, up, 4, 0, false},
		{FirstAttempts, flat, 0.5, 0.5, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit}},
	{"long_output_drift", []line{
		{outputs, up, 4, 4, true},
		{PerPrompt, up, 2, 1, false},
		{batch, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{prompts, flat, 0.5, 1, false},
		{FirstAttempts, flat, 0.5, 0.5, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit}},
	{"kv_squeeze", []line{
		{KVPerRequest, up, 3, 3, false},
		{kv, up, 1, 0, false},
		{KVFull, up, 2, 0, false},
		{Preempting, up, 3, 0, false},
		{prompts, flat, 1, 3, false},
		{outputs, flat, 1, 2, false},
		{PerPrompt, flat, 0, 1, false},
		{hit, flat, 0.5, 0, false},
		{FirstAttempts, flat, 0.5, 1, false},
		{PoolsApart, flat, 0, 1, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit}},
	{"prefix_collapse", []line{
		{hit, down, 5, 5, true},
		{prompts, flat, 1, 3, false},
		{promptRate, flat, 0, 1, false},
		{PerPrompt, flat, 0, 1, false},
		{ttft, up, 0.5, 0, false},
		{ReplicasDown, flat, 0.5, 2, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, KVPerRequest}},
	{"draft_collapse", []line{
		{accepted, down, 5, 2, false},
		{DraftWasted, up, 4, 0, false},
		{batch, up, 0.5, 0, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast}},
	{"all_gpus_throttled", []line{
		{MeanGap, up, 3, 3, true},
		{itl, up, 2, 2, false},
		{FirstAttempts, flat, 1, 3, false},
		{prompts, flat, 0.5, 2, false},
		{outputs, flat, 0.5, 1, false},
		{hit, flat, 0.5, 1, false},
		{accepted, flat, 0.5, 3, false},
		{ITLLeast, up, 2, 3, false},
		{GapsFirst, up, 1, 2, false},
		{WornOff, flat, 0.5, 5, false},
		{ReplicasDown, flat, 0.5, 2, false},
	}, []Sign{RetryShare}},
	{"straggler", []line{
		{ITLApart, up, 5, 4, true},
		{SlowReplica, up, 5, 0, false},
		{itl, up, 1, 0.5, false},
		{ITLLeast, flat, 1, 3, false},
		{ShareApart, flat, 1, 2, false},
		{FirstAttempts, flat, 0.5, 0.5, false},
	}, []Sign{RetryShare, MeanGap, uneven}},
	{"replica_restart", []line{
		{Restarted, up, 8, 0, false},
		{ReplicasDown, up, 6, 4, true},
		{Rolling, flat, 0, 9, false},
	}, []Sign{RetryShare, hit, MeanGap, itl, ITLLeast, KVPerRequest}},
	{"retry_storm", []line{
		{RetryShare, up, 4, 4, true},
		{Stalled, up, 3, 2, false},
		{queue, up, 2, 2, false},
		{FirstAttempts, flat, 1, 2, false},
		{prompts, flat, 0.5, 1, false},
	}, []Sign{MeanGap, itl, ITLLeast, outputs, KVPerRequest}},
	{"cold_start", []line{
		{itl, up, 2, 3, true},
		{WornOff, up, 6, 4, true},
		{GapsFirst, up, 0, 6, false},
		{ITLLeast, up, 1, 2, false},
		{Stalled, flat, 0, 3, false},
		{ttft, up, 1, 0.5, false},
		{FirstAttempts, flat, 1, 2, false},
		{hit, down, 1, 0.5, false},
	}, []Sign{RetryShare, MeanGap, ITLLeast}},
	{"skewed_routing", []line{
		{ShareApart, up, 5, 4, true},
		{FavoredOne, up, 5, 0, false},
		{uneven, up, 1, 1, false},
		{kv, up, 0.5, 0, false},
		{FirstAttempts, flat, 0.5, 0.5, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, ITLApart, hit}},
	{"slow_kv_link", []line{
		{PoolsApart, up, 1, 9, true},
		{DecodeWaiting, up, 4, 4, true},
		{batch, down, 2, 1, false},
		{queue, up, 2, 2, false},
		{itl, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{FirstAttempts, flat, 1, 1, false},
		{prompts, flat, 0.5, 1, false},
	}, []Sign{RetryShare, KVPerRequest, ITLLeast, outputs}},
	{"chunking_off", []line{
		{itl, up, 4, 4, true},
		{MeanGap, flat, 2, 2, false},
		{batch, flat, 1, 1, false},
		{FirstAttempts, flat, 0.5, 1, false},
		{prompts, flat, 0.5, 1, false},
		{ITLLeast, up, 1, 2, false},
		{WornOff, flat, 0.5, 5, false},
	}, []Sign{RetryShare}},
}
