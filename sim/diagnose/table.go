package diagnose

import "openloop/sim"

// The evidence: what each failure does to each sign that tells of it.
//
// A line gives its first number of points if the sign moved as it says, in
// proportion to how clearly it did, and takes the second if the sign is known
// and did not. For a sign that should stay where it is, the first is given if
// it did. What is not known gives and takes nothing. A key is a sign without
// which a failure is not one: known and still, it rules the failure out.
//
// What comes from outside weighs most: arrivals, lengths, drafts and replicas
// move by themselves, gaps and queues follow.

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
	up      = sim.Up
	down    = sim.Down
	flat    = sim.Flat
	notUp   = sim.Move(2)  // flat or down
	notDown = sim.Move(-2) // flat or up
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
		{FirstAttempts, up, 8, 4, true},  // more come; it is what the name says
		{RampUp, flat, 0, 6, false},      // bit by bit it is a day, no surge
		{promptRate, up, 1, 0, false},    // and bring their prompts
		{batch, up, 1, 0.5, false},       // the batch fills
		{queue, up, 1, 0, false},         // then they wait
		{QueueLong, up, 2, 0, false},     // for long
		{FallsBehind, up, 2, 0, false},   // because more come than leave
		{ttft, up, 0.5, 0, false},        // which the first token shows
		{KVFull, flat, 1, 0.5, false},    // seats or compute run out, not blocks
		{prompts, notUp, 0.5, 3, false},  // requests are as before
		{outputs, notUp, 0.5, 3, false},  //
		{PerPrompt, flat, 0, 1, false},   //
		{accepted, notDown, 0, 2, false}, //
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}},
	{"long_prompt_flood", []line{
		{prompts, up, 9, 4, true},
		{promptRate, up, 1, 1, false},
		{PerPrompt, down, 2, 1, false},
		{ttft, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{KVPerRequest, up, 1, 0.5, false},
		{hit, down, 0.5, 0, false},
		{DecodeStarved, up, 4, 0, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}},
	{"long_output_drift", []line{
		{outputs, up, 9, 4, true},
		{PerPrompt, up, 2, 1, false},
		{batch, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{prompts, notUp, 0.5, 3, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}},
	{"kv_squeeze", []line{
		{KVPerRequest, up, 6, 3, false},
		{kv, up, 1, 0, false},
		{KVFull, up, 2, 0, false},
		{Preempting, up, 3, 0, false},
		{prompts, notUp, 1, 5, false},
		{outputs, notUp, 1, 5, false},
		{PerPrompt, flat, 0, 1, false},
		{hit, flat, 0.5, 0, false},
		{FirstAttempts, notUp, 0.5, 3, false},
		{DecodeKV, notDown, 0, 4, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}},
	{"prefix_collapse", []line{
		{hit, down, 8, 5, true},
		{prompts, notUp, 1, 5, false},
		{promptRate, flat, 0, 1, false},
		{FirstAttempts, notUp, 0, 2, false},
		{ttft, up, 0.5, 0, false},
		{ReplicasDown, flat, 0.5, 5, false},
		{ShareApart, notUp, 0, 5, false},
		{ITLApart, notUp, 0, 4, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, KVPerRequest, DecodeWaiting}},
	{"draft_collapse", []line{
		{accepted, down, 9, 2, false},
		{DraftWasted, up, 4, 0, false},
		{batch, up, 0.5, 0, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, DecodeWaiting}},
	{"all_gpus_throttled", []line{
		{ITLLeast, up, 3, 3, true},
		{MeanGap, up, 2, 0, false},
		{GapsAlike, up, 2, 3, false},
		{itl, up, 1, 2, false},
		{GapsFirst, up, 1, 2, false},
		{WornOff, flat, 0.5, 5, false},
		{FirstAttempts, notUp, 0.5, 3, false},
		{prompts, notUp, 0.5, 3, false},
		{outputs, notUp, 0.5, 3, false},
		{hit, notDown, 0.5, 3, false},
		{accepted, notDown, 0.5, 5, false},
		{ReplicasDown, flat, 0.5, 6, false},
	}, []Sign{RetryShare, DecodeWaiting}},
	{"straggler", []line{
		{ITLApart, up, 8, 4, true},
		{SlowReplica, up, 5, 0, false},
		{itl, up, 1, 0.5, false},
		{ITLLeast, notUp, 1, 4, false},
		{ShareApart, notUp, 1, 3, false},
		{ReplicasDown, flat, 0, 3, false},
	}, []Sign{RetryShare, MeanGap, uneven, DecodeWaiting}},
	{"replica_restart", []line{
		{Restarted, up, 10, 0, false},
		{ReplicasDown, up, 12, 4, true},
		{Rolling, flat, 0, 12, false},
	}, []Sign{RetryShare, hit, MeanGap, itl, ITLLeast, KVPerRequest, DecodeWaiting}},
	{"retry_storm", []line{
		{RetryShare, up, 6, 4, true},
		{Stalled, up, 5, 4, false},
		{queue, up, 2, 2, false},
		{FirstAttempts, notUp, 1, 3, false},
		{prompts, notUp, 0.5, 3, false},
	}, []Sign{MeanGap, itl, ITLLeast, outputs, KVPerRequest, DecodeWaiting}},
	{"cold_start", []line{
		{itl, up, 2, 3, true},
		{WornOff, up, 6, 4, true},
		{GapsFirst, up, 0, 6, false},
		{ITLLeast, up, 1, 2, false},
		{ttft, up, 1, 0.5, false},
		{FirstAttempts, notUp, 0.5, 3, false},
		{hit, down, 1, 0, false},
		{ReplicasDown, flat, 0, 6, false},
	}, []Sign{RetryShare, MeanGap, ITLLeast, DecodeWaiting}},
	{"skewed_routing", []line{
		{ShareApart, up, 8, 4, true},
		{FavoredOne, up, 5, 0, false},
		{uneven, up, 1, 1, false},
		{kv, up, 0.5, 0, false},
		{ReplicasDown, flat, 0, 3, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, ITLApart, hit}},
	{"slow_kv_link", []line{
		{PoolsApart, up, 0, 9, true},
		{DecodeWaiting, up, 6, 4, true},
		{DecodeKV, notUp, 1, 4, false},
		{KVPerRequest, up, 1, 0, false},
		{batch, notUp, 1, 3, false},
		{queue, up, 1, 2, false},
		{itl, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{FirstAttempts, notUp, 0.5, 3, false},
		{prompts, notUp, 0.5, 3, false},
		{outputs, notUp, 0.5, 3, false},
	}, []Sign{RetryShare, KVPerRequest, ITLLeast}},
	{"chunking_off", []line{
		{itl, up, 4, 4, true},
		{GapsAlike, flat, 2, 3, false},
		{queue, notUp, 0.5, 2, false},
		{DecodeWaiting, notUp, 0, 5, false},
		{batch, notUp, 1, 1, false},
		{FirstAttempts, notUp, 0.5, 3, false},
		{prompts, notUp, 0.5, 3, false},
		{accepted, notDown, 0, 3, false},
		{ReplicasDown, flat, 0, 6, false},
		{hit, notDown, 0, 2, false},
		{ITLLeast, up, 1, 2, false},
		{WornOff, flat, 0.5, 5, false},
	}, []Sign{RetryShare}},

	// Nothing is broken.
	{Healthy, []line{
		{Rolling, up, 14, 0, true}, // replicas come back one after the other: somebody wants that
	}, nil},
	{Healthy, []line{
		{RampUp, up, 8, 0, true}, // as every day; and there is room for it
		{FirstAttempts, up, 2, 0, true},
		{QueueLong, flat, 1, 6, false},
		{FallsBehind, flat, 1, 3, false},
		{prompts, notUp, 0, 5, false},
		{accepted, notDown, 0, 5, false},
	}, nil},
}
