package diagnose

import "openloop/sim"

// Remedy is what to do about a failure: its ID, and the setting that does it.
type Remedy struct {
	ID      string
	Setting Setting
}

// Setting is what a remedy changes.
type Setting uint8

// The settings, with where a simulated cluster has them.
const (
	NoSetting       Setting = iota
	DoorAndReplicas         // Config.MaxWaiting, Config.Replicas
	LongPrompts             // who may send them where, and how many at once: Config.MaxWaiting
	Answers                 // how long answers may be: what users ask for
	Blocks                  // what takes the blocks; until then Engine.KVBlocks
	Affinity                // Config.Routing PrefixAffinity; the head of the prompts
	Drafts                  // Engine.Draft
	Machine                 // hardware: clocks, power, heat
	Rotation                // which replicas get traffic
	RetryBudget             // Workload.Retry.Budget
	WarmUpFirst             // Engine.WarmUp paid before traffic
	Routing                 // Config.Routing by load
	Link                    // Config.Pools.BytesPerSec
	Chunking                // Engine.PrefillChunkTokens, Engine.MaxBatchedTokens
	Seats                   // Engine.MaxNumSeqs
	ProcessLogs             // of the process that ended
	MoreWindows             // a second scrape, a longer series
)

// RemedyOf is the remedy of a verdict.
func RemedyOf(verdict string) Remedy {
	for _, r := range remedies {
		if r.verdict == verdict {
			return r.Remedy
		}
	}
	return Remedy{}
}

var remedies = [...]struct {
	verdict string
	Remedy
}{
	{"traffic_surge", Remedy{"shed_or_scale", DoorAndReplicas}},
	{"long_prompt_flood", Remedy{"isolate_long_prompts", LongPrompts}},
	{"long_output_drift", Remedy{"cap_answers", Answers}},
	{"kv_squeeze", Remedy{"give_blocks_back", Blocks}},
	{"prefix_collapse", Remedy{"restore_prefix_affinity", Affinity}},
	{"draft_collapse", Remedy{"turn_off_or_fix_draft", Drafts}},
	{"all_gpus_throttled", Remedy{"restore_clocks", Machine}},
	{"straggler", Remedy{"drain_slow_replica", Rotation}},
	{"replica_restart", Remedy{"find_why_it_restarted", ProcessLogs}},
	{"retry_storm", Remedy{"budget_retries", RetryBudget}},
	{"cold_start", Remedy{"warm_up_before_traffic", WarmUpFirst}},
	{"skewed_routing", Remedy{"balance_on_load", Routing}},
	{"slow_kv_link", Remedy{"widen_kv_link", Link}},
	{"chunking_off", Remedy{"chunk_prefills", Chunking}},
	{Healthy, Remedy{"none", NoSetting}},
	{Undetermined, Remedy{"watch_longer", MoreWindows}},
}

// Isolated is what a signal isolates when it moves and the others have little
// to say: a failure, and its remedy. There are eight of them, all different.
type Isolated struct {
	Signal  sim.SignalID
	Verdict string // a lever's ID, or SeatLimit
	Remedy  Remedy
}

// SeatLimit is no failure but a setting: the batch is flat and low, requests
// wait, and the cache has room.
const SeatLimit = "seat_limit"

// Isolates gives a row for each signal, in order.
func Isolates() [sim.NumSignals]Isolated {
	var out [sim.NumSignals]Isolated
	for id, verdict := range [sim.NumSignals]string{
		sim.QueueDepth:     "traffic_surge",
		sim.TTFTp99:        "long_prompt_flood",
		sim.ITLp99:         "chunking_off",
		sim.RunningBatch:   SeatLimit,
		sim.KVOccupancy:    "long_output_drift",
		sim.PreemptionRate: "kv_squeeze",
		sim.PrefixHit:      "prefix_collapse",
		sim.AcceptedLength: "draft_collapse",
	} {
		out[id] = Isolated{sim.SignalID(id), verdict, RemedyOf(verdict)}
	}
	out[sim.RunningBatch].Remedy = Remedy{"raise_seats", Seats}
	return out
}
