package sim

// The lever matrix: what each failure does to each of the eight signals.
//
// Expected was written from reasoning, before the first run with any lever, and
// stands as it was written. The engine is then held against it
// (matrix_test.go): a signal that moves leaves the 99% band of healthy windows,
// one that is flat stays inside. Where the engine disagrees, the row stays and
// its correction, with the reason why the reasoning was wrong, is in
// Corrections. Signature joins the two: it is what the engine does.
//
// The reasoning is about this server: four equal replicas at about half of what
// they can serve, seats that run out before the KV cache does, prompts of which
// half is one of eight shared prefixes, three drafts a step, requests routed to
// the fewest. A lever is pulled hard enough to matter. For slow_kv_link two
// replicas prefill and two decode.

// Move is where a signal goes.
type Move int8

// The moves.
const (
	Flat Move = 0
	Up   Move = 1
	Down Move = -1
)

// Expectation is a row of the matrix.
type Expectation struct {
	Lever  string
	Moves  [NumSignals]Move
	First  SignalID // leaves its band in the earliest window, perhaps with others
	Reason string
}

// Expected gives the rows as they were reasoned, in the order of the levers.
func Expected() []Expectation { return expected[:] }

var expected = [...]Expectation{
	{
		"traffic_surge",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up},
		RunningBatch,
		"more requests are inside at once, so the batch fills up to its seats before anybody waits; then the queue grows and TTFT with it; steps with more sequences and more prompts are longer; seats run out before blocks, so nobody is preempted",
	},
	{
		"long_prompt_flood",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up, PreemptionRate: Up, PrefixHit: Down},
		KVOccupancy,
		"a long prompt takes the blocks of ten ordinary ones as soon as it is admitted; every step carries a chunk, so everybody stays longer; when the blocks are gone requests are thrown back and the head waits; the shared part is a smaller share of what is looked up",
	},
	{
		"long_output_drift",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up, PreemptionRate: Up},
		RunningBatch,
		"arrivals are as before and each stays longer, so the batch grows slowly, and with it the blocks, which also grow with each answer; late in the drift seats and blocks run out; the rest follows",
	},
	{
		"kv_squeeze",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, RunningBatch: Down, KVOccupancy: Up, PreemptionRate: Up, PrefixHit: Down},
		KVOccupancy,
		"blocks that leaked read as used; then running requests lack blocks and are thrown back, fewer run at once and the rest waits; what is recomputed rides in everybody's steps; cached blocks that nobody holds are the first to go",
	},
	{
		"prefix_collapse",
		[NumSignals]Move{TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up, PrefixHit: Down},
		PrefixHit,
		"nothing is found, so twice as many prompt tokens are computed: longer steps, longer stays; and each request holds its own copy of what was shared; there is room for that, so nobody waits long or is preempted",
	},
	{
		"draft_collapse",
		[NumSignals]Move{ITLp99: Up, RunningBatch: Up, KVOccupancy: Up, AcceptedLength: Down},
		AcceptedLength,
		"each step gives one token instead of two, so answers take twice the steps and twice as many requests run at once; steps grow a little with the batch; there are seats for them, so nobody waits",
	},
	{
		"all_gpus_throttled",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up},
		ITLp99,
		"every step is longer at once, before the batch has had time to fill; then as with a surge, because capacity has fallen below the load",
	},
	{
		"straggler",
		[NumSignals]Move{TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up},
		ITLp99,
		"the slow replica's gaps are the worst of the cluster at once; routing by the fewest requests gives it fewer, and the others more; its requests are more than one in a hundred, so the pooled TTFT shows them; there are seats for all",
	},
	{
		"replica_restart",
		[NumSignals]Move{TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up},
		KVOccupancy,
		"three replicas do the work of four: each runs more, so its blocks fill and its steps are longer, and the sum of the batches grows because residence does; what it held is lost at once, but comes back within seconds; its cold cache is filled by a few prompts",
	},
	{
		"retry_storm",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up, PrefixHit: Up},
		QueueDepth,
		"nothing is served during the stall, so the queue grows first; what gives up comes again, on top of the new load, and keeps the seats full; a second attempt finds what the first one computed",
	},
	{
		"cold_start",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, RunningBatch: Up, KVOccupancy: Up, PrefixHit: Down},
		ITLp99,
		"the first steps of each size pay a compilation in the middle of everybody's answers; requests pile up behind them; each shared prefix is computed once more",
	},
	{
		"skewed_routing",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, KVOccupancy: Up},
		KVOccupancy,
		"one replica fills to its seats and its queue grows, while the others empty: the worst replica's blocks and gaps rise, the sum of the batches stays about the same",
	},
	{
		"slow_kv_link",
		[NumSignals]Move{QueueDepth: Up, TTFTp99: Up, ITLp99: Up, RunningBatch: Down, KVOccupancy: Up},
		QueueDepth,
		"requests whose KV is on the way wait for it; the decode pool starves; the first gap of each answer holds the transfer; blocks stay at the source until sent, and when those are gone prompts wait too",
	},
	{
		"chunking_off",
		[NumSignals]Move{ITLp99: Up},
		ITLp99,
		"a whole prompt, or several, sits in one step, and all who decode wait for it; the same tokens are computed, so nothing else changes much",
	},
}

// Correction is where the engine moves a signal otherwise than was expected,
// and why the reasoning was wrong.
type Correction struct {
	Lever  string
	Signal SignalID
	Move   Move // what the engine does
	Reason string
}

// Corrections are all of them, found with the default intensities.
func Corrections() []Correction { return corrections[:] }

const (
	boundedStep = "a step has no more tokens than its budget, and steps with a full budget are already one in a hundred in good health: ITL p99 sits at the budget and moves with what makes a token dearer, not with how many come"
	roomLeft    = "the base has more room than was reckoned with: "
)

var corrections = [...]Correction{
	{
		"long_prompt_flood", RunningBatch, Flat,
		"longer stays put more requests inside and long prompts leave room for fewer; with a full cache the two cancel",
	},
	{
		"long_output_drift", PrefixHit, Up,
		"a request that was thrown back looks its prompt up again when it is admitted anew, and often finds it: preemptions look like a better cache",
	},
	{"kv_squeeze", ITLp99, Flat, boundedStep + "; the gap of a request that was thrown back is longer, but rarer than one in a hundred"},
	{"prefix_collapse", ITLp99, Flat, boundedStep},
	{"prefix_collapse", RunningBatch, Flat, "computing twice the prompt adds 0.1 s to a stay of 2.5 s: too little to see beside the noise of arrivals"},
	{"draft_collapse", ITLp99, Flat, boundedStep},
	{"straggler", KVOccupancy, Flat, "routing by the fewest requests keeps the slow replica's requests, and so its blocks, within what chance does to the fullest of four"},
	{"replica_restart", TTFTp99, Flat, roomLeft + "three replicas at two thirds of their capacity answer as four at a half"},
	{"replica_restart", ITLp99, Flat, boundedStep},
	{"replica_restart", RunningBatch, Flat, roomLeft + "stays grow by less than the noise of arrivals"},
	{"retry_storm", ITLp99, Flat, boundedStep},
	{
		"retry_storm", PrefixHit, Flat,
		"most attempts die in the queue without having computed anything, so the next one has nothing to find but the shared prefix",
	},
	{"cold_start", PrefixHit, Flat, "each replica computes each shared prefix once, which is done within the first window"},
	{"skewed_routing", ITLp99, Flat, boundedStep},
	{
		"slow_kv_link", PreemptionRate, Up,
		"blocks that wait to be sent crowd out prompts that are half computed: the prefill pool preempts, which was not thought of",
	},
}

// Signature is what the engine does under a lever: Expected with Corrections.
// ok is false for an unknown one.
func Signature(lever string) (e Expectation, ok bool) {
	for _, e = range expected {
		if e.Lever != lever {
			continue
		}
		for _, c := range corrections {
			if c.Lever == lever {
				e.Moves[c.Signal] = c.Move
			}
		}
		return e, true
	}
	return Expectation{}, false
}
