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
	bare  bool // counts only where the eight signals are all there is
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
		{FirstAttempts, up, 7, 4, true, false},  // more come; it is what the name says
		{RampUp, flat, 0, 6, false, false},      // bit by bit it is a day, no surge
		{promptRate, up, 1, 0, false, false},    // and bring their prompts
		{batch, up, 1, 0.5, false, false},       // the batch fills
		{queue, up, 1, 0, false, false},         // then they wait
		{QueueLong, up, 2, 0, false, false},     // for long
		{FallsBehind, up, 2, 0, false, false},   // because more come than leave
		{ttft, up, 0.5, 0, false, false},        // which the first token shows
		{KVFull, flat, 1, 0.5, false, false},    // seats or compute run out, not blocks
		{prompts, notUp, 0.5, 3, false, false},  // requests are as before
		{outputs, notUp, 0.5, 3, false, false},  //
		{PerPrompt, flat, 0, 1, false, false},   //
		{accepted, notDown, 0, 2, false, false}, //
		{batch, up, 4, 2, false, true},
		{queue, up, 1, 0, false, true},
		{KVPerRequest, notUp, 1, 3, false, true},
		{GapsFirst, flat, 1, 2, false, true},
		{hit, notDown, 0.5, 2, false, true},
		{GapsLead, flat, 1, 3, false, true},
		{Stalled, flat, 0, 5, false, true},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}},
	{"long_prompt_flood", []line{
		{prompts, up, 9, 4, true, false},
		{promptRate, up, 1, 1, false, false},
		{PerPrompt, down, 2, 1, false, false},
		{ttft, up, 1, 0.5, false, false},
		{kv, up, 1, 0.5, false, false},
		{KVPerRequest, up, 1, 0.5, false, false},
		{hit, down, 0.5, 0, false, false},
		{DecodeStarved, up, 4, 0, false, false},
		{KVPerRequest, up, 3, 2, false, true},
		{hit, down, 2, 1, false, true},
		{ttft, up, 2, 2, false, true},
		{itl, up, 1, 1, false, true},
		{batch, notDown, 0, 1, false, true},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}},
	{"long_output_drift", []line{
		{outputs, up, 9, 4, true, false},
		{PerPrompt, up, 2, 1, false, false},
		{batch, up, 1, 0.5, false, false},
		{kv, up, 1, 0.5, false, false},
		{prompts, notUp, 0.5, 3, false, false},
		{KVPerRequest, up, 2, 1, false, true},
		{batch, up, 4, 2, false, true},
		{hit, notDown, 1, 1, false, true},
		{GapsFirst, flat, 0.5, 1, false, true},
	}, []Sign{RetryShare, KVPerRequest, MeanGap, itl, ITLLeast, hit, DecodeWaiting}},
	{"kv_squeeze", []line{
		{KVPerRequest, up, 6, 3, false, false},
		{kv, up, 2, 2, false, false},
		{KVFull, up, 2, 0, false, false},
		{Preempting, up, 3, 0, false, false},
		{prompts, notUp, 1, 5, false, false},
		{outputs, notUp, 1, 5, false, false},
		{PerPrompt, flat, 0, 1, false, false},
		{hit, notDown, 0.5, 4, false, false},
		{HoldsMore, up, 5, 0, false, false},
		{FirstAttempts, notUp, 0.5, 3, false, false},
		{DecodeRoom, flat, 0, 8, false, false},
		{LeaksAway, up, 1, 0, false, false},
		{Stalled, flat, 0, 4, false, false},
		{batch, notUp, 1, 2, false, true},
		{itl, notUp, 1, 3, false, true},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}},
	{"prefix_collapse", []line{
		{hit, down, 8, 5, true, false},
		{prompts, notUp, 1, 5, false, false},
		{promptRate, flat, 0, 1, false, false},
		{FirstAttempts, notUp, 0, 5, false, false},
		{ttft, up, 0.5, 0, false, false},
		{ReplicasDown, flat, 0.5, 5, false, false},
		{ShareApart, notUp, 0, 5, false, false},
		{ITLApart, notUp, 0, 4, false, false},
		{HoldsMore, flat, 0, 5, false, false},
		{LeaksAway, flat, 0, 3, false, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, KVPerRequest, DecodeWaiting}},
	{"draft_collapse", []line{
		{accepted, down, 9, 2, false, false},
		{DraftWasted, up, 4, 0, false, false},
		{batch, up, 0.5, 0, false, false},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, DecodeWaiting}},
	{"all_gpus_throttled", []line{
		{itl, up, 2, 3, true, false},
		{ITLLeast, up, 2, 1, false, false},
		{MeanGap, up, 2, 0, false, false},
		{GapsAlike, up, 2, 3, false, false},
		{GapsLead, up, 1, 4, false, false},
		{AllSlow, up, 1, 1, false, false},
		{GapsFirst, up, 1, 2, false, false},
		{Stalled, flat, 0, 4, false, false},
		{WornOff, flat, 0.5, 5, false, false},
		{ITLApart, notUp, 0, 5, false, false},
		{FirstAttempts, notUp, 0.5, 3, false, false},
		{prompts, notUp, 0.5, 3, false, false},
		{outputs, notUp, 0.5, 3, false, false},
		{hit, notDown, 0.5, 3, false, false},
		{accepted, notDown, 0.5, 5, false, false},
		{ReplicasDown, flat, 0.5, 6, false, false},
		{GapsAreWaits, flat, 0, 6, false, false},
		{GapsStay, up, 0, 3, false, false},
		{itl, up, 3, 3, false, true},
		{GapsFirst, up, 2, 3, false, true},
		{batch, up, 1, 1, false, true},
		{KVPerRequest, notUp, 1, 2, false, true},
		{GapsLead, up, 1, 3, false, true},
		{GapsAlone, flat, 0.5, 2, false, true},
	}, []Sign{RetryShare, DecodeWaiting}},
	{"straggler", []line{
		{ITLApart, up, 9, 4, true, false},
		{SlowReplica, up, 5, 0, false, false},
		{itl, up, 2, 6, false, false},
		{AllSlow, flat, 1, 8, false, false},
		{SlowFavored, flat, 1, 5, false, false},
		{SlowSpared, up, 1, 0, false, false},
		{ReplicasDown, flat, 0, 3, false, false},
		{WornOff, flat, 0, 4, false, false},
		{DecodeWaiting, notUp, 0, 5, false, false},
		{GapsAreWaits, flat, 0, 6, false, false},
		{GapsStay, up, 0, 3, false, false},
		{itl, up, 3, 3, false, true},
		{batch, up, 1, 0.5, false, true},
		{KVFull, flat, 1, 1, false, true},
		{queue, flat, 1, 1, false, true},
		{KVPerRequest, notUp, 0.5, 2, false, true},
		{GapsAlone, up, 2, 2, false, true},
	}, []Sign{RetryShare, MeanGap, uneven, DecodeWaiting}},
	{"replica_restart", []line{
		{Restarted, up, 10, 0, false, false},
		{ReplicasDown, up, 12, 4, true, false},
		{Rolling, flat, 0, 12, false, false},
		{kv, up, 3, 2, false, true},
		{KVPerRequest, up, 1, 0, false, true},
		{batch, notUp, 1, 1, false, true},
		{queue, flat, 1, 1, false, true},
		{hit, notDown, 0, 1, false, true},
		{itl, notUp, 1, 1, false, true},
		{KVFull, flat, 1, 1, false, true},
	}, []Sign{RetryShare, hit, MeanGap, itl, ITLLeast, KVPerRequest, DecodeWaiting}},
	{"retry_storm", []line{
		{RetryShare, up, 6, 4, true, false},
		{Stalled, up, 5, 4, false, false},
		{queue, up, 2, 2, false, false},
		{FirstAttempts, notUp, 1, 3, false, false},
		{prompts, notUp, 0.5, 6, false, false},
		{Stalled, up, 4, 2, false, true},
	}, []Sign{MeanGap, itl, ITLLeast, outputs, KVPerRequest, DecodeWaiting}},
	{"cold_start", []line{
		{itl, up, 2, 3, true, false},
		{WornOff, up, 6, 4, true, false},
		{GapsFirst, up, 0, 4, false, false},
		{ITLLeast, up, 1, 1, false, false},
		{ttft, up, 1, 0.5, false, false},
		{FirstAttempts, notUp, 0.5, 3, false, false},
		{ITLApart, notUp, 0, 5, false, false},
		{hit, down, 1, 0, false, false},
		{ReplicasDown, flat, 0, 6, false, false},
		{DecodeRoom, flat, 0, 1, false, false},
		{KVPerRequest, notUp, 0, 4, false, false},
		{GapsAreWaits, flat, 0, 6, false, false},
	}, []Sign{RetryShare, MeanGap, ITLLeast, DecodeWaiting}},
	{"skewed_routing", []line{
		{ShareApart, up, 8, 4, true, false},
		{FavoredOne, up, 5, 0, false, false},
		{SlowSpared, flat, 1, 9, false, false},
		{uneven, up, 2, 2, false, false},
		{kv, up, 1, 0.5, false, false},
		{ReplicasDown, flat, 0, 3, false, false},
		{kv, up, 2, 2, false, true},
		{KVPerRequest, up, 2, 1, false, true},
		{batch, flat, 1, 1, false, true},
		{queue, up, 1.5, 1, false, true},
		{ttft, up, 1, 0.5, false, true},
		{KVFull, flat, 1, 1, false, true},
		{itl, notUp, 0.5, 1, false, true},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, ITLApart, hit}},
	{"slow_kv_link", []line{
		{PoolsApart, up, 0, 9, true, false},
		{DecodeWaiting, up, 6, 4, true, false},
		{DecodeRoom, up, 4, 5, false, false},
		{KVPerRequest, up, 1, 0, false, false},
		{batch, notUp, 1, 3, false, false},
		{queue, up, 1, 2, false, false},
		{itl, up, 1, 0.5, false, false},
		{kv, up, 1, 0.5, false, false},
		{FirstAttempts, notUp, 0.5, 3, false, false},
		{prompts, notUp, 0.5, 3, false, false},
		{outputs, notUp, 0.5, 3, false, false},
		{RetryShare, notUp, 0, 2, false, false},
		{WornOff, flat, 0, 5, false, false},
		{batch, down, 4, 2, false, true},
		{itl, up, 2, 1, false, true},
		{GapsAlone, up, 2, 2, false, true},
	}, []Sign{RetryShare, KVPerRequest, ITLLeast}},
	{"chunking_off", []line{
		{itl, up, 4, 4, true, false},
		{GapsAlike, flat, 2, 3, false, false},
		{queue, notUp, 0.5, 2, false, false},
		{DecodeWaiting, notUp, 0, 5, false, false},
		{batch, notUp, 1, 1, false, false},
		{FirstAttempts, notUp, 0.5, 3, false, false},
		{prompts, notUp, 0.5, 3, false, false},
		{accepted, notDown, 0, 3, false, false},
		{ReplicasDown, flat, 0, 6, false, false},
		{hit, notDown, 0, 2, false, false},
		{ITLLeast, up, 1, 2, false, false},
		{ITLApart, notUp, 0, 4, false, false},
		{WornOff, flat, 0.5, 5, false, false},
		{GapsAreWaits, flat, 0, 6, false, false},
		{GapsStay, up, 0, 3, false, false},
		{ttft, notUp, 1, 2, false, true},
		{batch, notUp, 1, 2, false, true},
		{kv, notUp, 1, 2, false, true},
		{GapsAlone, up, 1, 2, false, true},
	}, []Sign{RetryShare}},

	// Nothing is broken.
	{Healthy, []line{
		{Rolling, up, 14, 0, true, false}, // replicas come back one after the other: somebody wants that
	}, nil},
	{Healthy, []line{
		{RampUp, up, 8, 0, true, false}, // as every day; and there is room for it
		{FirstAttempts, up, 2, 0, true, false},
		{QueueLong, flat, 1, 6, false, false},
		{queue, notUp, 0, 3, false, false},
		{Hurts, flat, 1, 8, false, false},
		{FallsBehind, flat, 1, 3, false, false},
		{prompts, notUp, 0, 5, false, false},
		{accepted, notDown, 0, 5, false, false},
	}, nil},
}
