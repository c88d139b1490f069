package diagnose

import "openloop/sim"

// The evidence: what each failure does to each sign that tells of it.
//
// A line gives For points if the sign moved as it says, in proportion to how
// clearly it did, and takes Against if the sign is known and did not. For a
// sign that should stay where it is, For is given if it did. What is not known
// gives and takes nothing. Lines with Key say without what a failure is not
// one: such a sign, known and still, rules it out.

type line struct {
	sign         Sign
	move         sim.Move
	for_, agains float64
	key          bool
}

type row struct {
	verdict string
	lines   []line
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

	prompts  = strip + Sign(sim.PromptTokensMean)
	outputs  = strip + Sign(sim.OutputTokensMean)
	replicas = strip + Sign(sim.ReplicasUp)
	uneven   = strip + Sign(sim.Imbalance)
)

var table = [...]row{
	{"traffic_surge", []line{
		{FirstAttempts, up, 4, 4, true},
		{batch, up, 1, 0.5, false},
		{queue, up, 1, 0, false},
		{QueueLong, up, 1, 0, false},
		{ttft, up, 0.5, 0, false},
		{KVFull, flat, 0.5, 0.5, false},
		{prompts, flat, 0.5, 1, false},
		{outputs, flat, 0.5, 1, false},
		{hit, flat, 0.5, 1, false},
	}},
	{"long_prompt_flood", []line{
		{prompts, up, 4, 4, true},
		{ttft, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{KVPerRequest, up, 1, 0.5, false},
		{hit, down, 0.5, 0, false},
		{DecodeStarved, up, 3, 0, false},
		{FirstAttempts, flat, 0.5, 0.5, false},
	}},
	{"long_output_drift", []line{
		{outputs, up, 4, 4, true},
		{batch, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{prompts, flat, 0.5, 1, false},
		{FirstAttempts, flat, 0.5, 0.5, false},
	}},
	{"kv_squeeze", []line{
		{KVPerRequest, up, 3, 3, false},
		{kv, up, 1, 0, false},
		{KVFull, up, 2, 0, false},
		{Preempting, up, 3, 0, false},
		{prompts, flat, 1, 3, false},
		{outputs, flat, 1, 2, false},
		{hit, flat, 0.5, 0, false},
		{FirstAttempts, flat, 0.5, 1, false},
	}},
	{"prefix_collapse", []line{
		{hit, down, 5, 5, true},
		{prompts, flat, 1, 3, false},
		{ttft, up, 0.5, 0, false},
		{replicas, flat, 0.5, 2, false},
	}},
	{"draft_collapse", []line{
		{accepted, down, 5, 2, false},
		{DraftWasted, up, 4, 0, false},
		{batch, up, 0.5, 0, false},
	}},
	{"all_gpus_throttled", []line{
		{MeanGap, up, 3, 3, true},
		{itl, up, 2, 2, false},
		{FirstAttempts, flat, 1, 3, false},
		{prompts, flat, 0.5, 2, false},
		{outputs, flat, 0.5, 1, false},
		{hit, flat, 0.5, 1, false},
		{accepted, flat, 0.5, 3, false},
		{ITLApart, flat, 1, 2, false},
		{replicas, flat, 0.5, 2, false},
	}},
	{"straggler", []line{
		{ITLApart, up, 5, 4, true},
		{itl, up, 1, 0.5, false},
		{ShareApart, flat, 1, 2, false},
		{FirstAttempts, flat, 0.5, 0.5, false},
	}},
	{"replica_restart", []line{
		{Restarted, up, 8, 0, false},
		{replicas, down, 5, 4, true},
		{ReplicasDown, up, 1, 0.5, false},
	}},
	{"retry_storm", []line{
		{RetryShare, up, 4, 4, true},
		{queue, up, 2, 2, false},
		{FirstAttempts, flat, 1, 2, false},
		{prompts, flat, 0.5, 1, false},
	}},
	{"cold_start", []line{
		{itl, up, 2, 3, true},
		{ttft, up, 1, 0.5, false},
		{FirstAttempts, flat, 1, 2, false},
		{ITLApart, flat, 0.5, 1, false},
		{hit, down, 1, 0.5, false},
	}},
	{"skewed_routing", []line{
		{ShareApart, up, 5, 4, true},
		{uneven, up, 1, 1, false},
		{kv, up, 0.5, 0, false},
		{FirstAttempts, flat, 0.5, 0.5, false},
	}},
	{"slow_kv_link", []line{
		{batch, down, 2, 1, false},
		{queue, up, 2, 2, true},
		{itl, up, 1, 0.5, false},
		{kv, up, 1, 0.5, false},
		{FirstAttempts, flat, 1, 1, false},
		{prompts, flat, 0.5, 1, false},
	}},
	{"chunking_off", []line{
		{itl, up, 4, 4, true},
		{MeanGap, flat, 2, 2, false},
		{batch, flat, 1, 1, false},
		{FirstAttempts, flat, 0.5, 1, false},
		{prompts, flat, 0.5, 1, false},
		{ITLApart, flat, 0.5, 1, false},
	}},
}
