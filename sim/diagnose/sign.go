package diagnose

import "openloop/sim"

// Sign numbers what the rules look at: the eight signals, the context strip,
// what is worked out of both, and states that need no comparison.
type Sign uint8

// The first signs are the signals, with the numbers of package sim; then come
// the entries of the strip.
const (
	strip   = Sign(sim.NumSignals)
	derived = strip + Sign(sim.NumStrip)
)

// Signs that are worked out.
const (
	FirstAttempts Sign = derived + iota // arrivals less retries, 1/s
	RetryShare                          // retries over arrivals, 0 to 1
	Backlog                             // completed over arrivals, 1 = as many leave as come
	PerPrompt                           // tokens generated for each prompt token
	MeanGap                             // running batch over tokens generated, s: what a request waits for a token on average
	KVPerRequest                        // share of a replica's cache for each running request: the mean over replicas, or the worst if that is all there is
	ITLApart                            // largest ITL p99 of a replica over the median of the others
	ITLLeast                            // smallest ITL p99 of a replica, s
	ShareApart                          // largest arrival rate of a replica over the median of the others
	ReplicasDown                        // replicas that are not there
	DecodeWaiting                       // requests that wait at replicas that only decode
	DecodeKV                            // mean KV occupancy of replicas that only decode

	// States: Up where they hold, Flat where they do not.

	KVFull        // KV occupancy at 95% or more, mean over what is looked at
	Preempting    // more than one preemption for ten completions, or for a minute
	QueueLong     // more wait than run
	DraftWasted   // a verification gives less than 1.15 tokens
	DecodeStarved // a request gets less than 4 tokens/s, and prompts are computed meanwhile
	Restarted     // a process began again
	Stalled       // for a window next to nothing was generated, by replicas that are there and have work
	WornOff       // gaps were longest when it began, and soon as before
	GapsFirst     // gaps grew no later than anything else
	GapsAlike     // the mean gap grew as the longest ones did, not them alone
	GapsLead      // the longest gaps grew as much as the batch, or more
	GapsAlone     // and much more
	AllSlow       // the fastest replica's gaps grew by at least half of what the slowest's did
	RampUp        // arrivals rose bit by bit, not in a step
	Rolling       // replicas went down and came back one after the other
	FallsBehind   // clearly fewer leave than come
	SlowReplica   // a replica's gaps are much longer than the others', and no more comes to it
	FavoredOne    // much more comes to a replica than to the others
	HoldsMore     // requests hold more of the cache than what they no longer share explains
	SlowFavored   // the replica with the long gaps is the one to which more comes
	SlowSpared    // and is not
	DecodeRoom    // requests wait at replicas that only decode, whose cache has room
	GapsAreWaits  // of requests that wait for a seat where they are decoded: those that run have the gaps of before
	GapsStay      // gaps are long for four windows at least
	LeaksAway     // what a request holds grew bit by bit, not in a step
	HitAlone      // less is found in the prefix cache, and hardly anybody is thrown back
	LossFirst     // less was found in the prefix cache before anybody was thrown back, and that explains all that requests hold more
	Hurts         // clients wait for the first token five times as long, or more wait than run, or fewer leave than come
	PoolsApart    // some replicas only give first tokens, others only the rest
	NumSigns
)

// SignOf is the sign of a signal.
func SignOf(id sim.SignalID) Sign { return Sign(id) }

// StripSign is the sign of an entry of the strip.
func StripSign(id sim.StripID) Sign { return strip + Sign(id) }

// Signal is the signal that a sign is, if it is one.
func (s Sign) Signal() (sim.SignalID, bool) { return sim.SignalID(s), s < strip }

// Strip is the entry of the strip that a sign is, if it is one.
func (s Sign) Strip() (sim.StripID, bool) { return sim.StripID(s - strip), s >= strip && s < derived }

// State says whether a sign is a state, which holds or not, and not a value that moves.
func (s Sign) State() bool { return s >= KVFull }

// gauge says whether a sign is a look at one instant: two of them show what was
// then, not what changed.
func (s Sign) gauge() bool {
	switch s {
	case queue, batch, kv, uneven, MeanGap, KVPerRequest, DecodeWaiting, DecodeKV, strip + Sign(sim.KVMean):
		return true
	}
	return false
}

// scale is how a sign's values are compared.
type scale uint8

const (
	plain   scale = iota // differences
	factors              // ratios: of latencies, lengths
	counts               // a gauge of requests: chance is its square root
	rates                // events per second: chance is the square root of how many a window has
)

// look says how a sign is measured: on which scale, and the least noise that
// is believed, in its unit (of factors: as a share). Rough is the width that
// holds where there are too few windows to see the noise.
type look struct {
	key          string
	scale        scale
	least, rough float64
}

// Key names the sign for files and links.
func (s Sign) Key() string { return looks[s].key }

var looks = [NumSigns]look{
	sim.QueueDepth:     {"queue_depth", counts, 1, 2},
	sim.TTFTp99:        {"ttft_p99", factors, 0.06, 0.2},
	sim.ITLp99:         {"itl_p99", factors, 0.02, 0.15},
	sim.RunningBatch:   {"running_batch", counts, 1, 2},
	sim.KVOccupancy:    {"kv_occupancy", plain, 0.01, 0.04},
	sim.PreemptionRate: {"preemptions", rates, 1, 1},
	sim.PrefixHit:      {"prefix_hit", plain, 0.01, 0.03},
	sim.AcceptedLength: {"accepted_length", plain, 0.008, 0.05},

	strip + Sign(sim.GPUUtilization):   {"gpu_utilization", plain, 0.02, 0.1},
	strip + Sign(sim.KVMean):           {"kv_mean", plain, 0.01, 0.04},
	strip + Sign(sim.OfferedRate):      {"offered", rates, 1, 1},
	strip + Sign(sim.CompletedRate):    {"completed", rates, 1, 1},
	strip + Sign(sim.GoodputRate):      {"goodput", rates, 1, 1},
	strip + Sign(sim.ShedRate):         {"shed", rates, 1, 1},
	strip + Sign(sim.RetryRate):        {"retries", rates, 1, 1},
	strip + Sign(sim.ReplicasUp):       {"replicas_up", plain, 0.05, 0.1},
	strip + Sign(sim.Imbalance):        {"imbalance", factors, 0.04, 0.15},
	strip + Sign(sim.PromptTokensMean): {"prompt_tokens", factors, 0.02, 0.06},
	strip + Sign(sim.OutputTokensMean): {"output_tokens", factors, 0.02, 0.06},
	strip + Sign(sim.GenerationRate):   {"generation", factors, 0.03, 0.1},
	strip + Sign(sim.PromptRate):       {"prompt_rate", factors, 0.05, 0.1},

	FirstAttempts: {"first_attempts", rates, 1, 1},
	RetryShare:    {"retry_share", plain, 0.006, 0.05},
	Backlog:       {"completed_over_offered", plain, 0.05, 0.05},
	PerPrompt:     {"generated_per_prompt", factors, 0.05, 0.4},
	MeanGap:       {"mean_gap", factors, 0.03, 0.4},
	KVPerRequest:  {"kv_per_request", factors, 0.03, 0.25},
	ITLApart:      {"itl_apart", factors, 0.03, 0.15},
	ITLLeast:      {"itl_least", factors, 0.02, 0.15},
	ShareApart:    {"share_apart", factors, 0.04, 0.1},
	ReplicasDown:  {"replicas_down", plain, 0.05, 0.1},
	DecodeWaiting: {"decode_waiting", counts, 1, 2},
	DecodeKV:      {"decode_kv", plain, 0.01, 0.04},

	KVFull:        {key: "kv_full"},
	Preempting:    {key: "preempting"},
	QueueLong:     {key: "queue_long"},
	DraftWasted:   {key: "draft_wasted"},
	DecodeStarved: {key: "decode_starved"},
	Restarted:     {key: "restarted"},
	Stalled:       {key: "stalled"},
	WornOff:       {key: "worn_off"},
	GapsFirst:     {key: "gaps_first"},
	GapsAlike:     {key: "gaps_alike"},
	GapsLead:      {key: "gaps_lead"},
	GapsAlone:     {key: "gaps_alone"},
	AllSlow:       {key: "all_slow"},
	RampUp:        {key: "ramp_up"},
	Rolling:       {key: "rolling"},
	FallsBehind:   {key: "falls_behind"},
	SlowReplica:   {key: "slow_replica"},
	FavoredOne:    {key: "favored_replica"},
	HoldsMore:     {key: "holds_more"},
	SlowFavored:   {key: "slow_favored"},
	SlowSpared:    {key: "slow_spared"},
	DecodeRoom:    {key: "decode_room"},
	GapsAreWaits:  {key: "gaps_are_waits"},
	GapsStay:      {key: "gaps_stay"},
	LeaksAway:     {key: "leaks_away"},
	HitAlone:      {key: "hit_alone"},
	LossFirst:     {key: "loss_first"},
	Hurts:         {key: "hurts"},
	PoolsApart:    {key: "pools_apart"},
}
