package scrape

import (
	"math"

	"openloop/sim"
)

// ID numbers what is read. The first eight are the signals, with the numbers
// of package sim.
type ID uint8

// What stands beside the signals.
const (
	Preemptions ID = iota + ID(sim.NumSignals)
	TTFTCount
	ITLCount
	TTFTMean
	ITLMean
	TTFTBeyond
	FirstTokenRate
	CompletedRate
	OfferedRate
	CompletedOverOffered
	ShedRate
	OfferedWithShed
	RetryRate
	PromptRate
	ComputedRate
	GenerationRate
	PromptMean
	OutputMean
	QueueGrowth
	PreemptionsPerCompleted
	SpecK
	Drafts
	DraftAcceptance
	GPUUtil
	Replicas
	Imbalance
	KVMean
	KVPool
	Swapped
	E2EBeyondTTFT
	AdmittedRate
	PromptPerAdmission
	KVFullIn
	DecodePerRunning
	ITLEstimate
	TokensPerRunning
	FreedPerRetraction
	ReservedShare
	NumIDs
)

// The signals under their short names.
const (
	Queue    = ID(sim.QueueDepth)
	TTFT     = ID(sim.TTFTp99)
	ITL      = ID(sim.ITLp99)
	Running  = ID(sim.RunningBatch)
	KV       = ID(sim.KVOccupancy)
	Preempts = ID(sim.PreemptionRate)
	Hit      = ID(sim.PrefixHit)
	Accepted = ID(sim.AcceptedLength)
)

// Quantity describes one.
type Quantity struct {
	Key        string // in files
	Unit       string // empty for a ratio
	Definition string
}

// Describe gives the row of a quantity.
func (id ID) Describe() Quantity { return quantities[id] }

var quantities = [NumIDs]Quantity{
	Queue:    {"queue_depth", "requests", "waiting, at the end"},
	TTFT:     {"ttft_p99_s", "s", "99th percentile of the time to first token, from buckets"},
	ITL:      {"itl_p99_s", "s", "99th percentile of the gaps between outputs of one request, from buckets"},
	Running:  {"running", "requests", "in the running batch, at the end"},
	KV:       {"kv_used_frac", "", "KV cache in use, of the fullest replica, at the end"},
	Preempts: {"preemptions_per_s", "1/s", "requests put back, their KV thrown away"},
	Hit:      {"prefix_hit_frac", "", "prompt tokens found in the prefix cache over those looked up"},
	Accepted: {"accepted_len", "tokens", "tokens that one verification step gives, its own included"},

	Preemptions:             {"preemptions", "count", "requests put back in the window"},
	TTFTCount:               {"ttft_observations", "count", "first tokens in the window"},
	ITLCount:                {"itl_observations", "count", "gaps in the window"},
	TTFTMean:                {"ttft_mean_s", "s", "sum over count of the TTFT histogram"},
	ITLMean:                 {"itl_mean_s", "s", "sum over count of the ITL histogram"},
	TTFTBeyond:              {"ttft_beyond_last_bound_frac", "", "first tokens above the last finite bound: not resolved"},
	FirstTokenRate:          {"first_tokens_per_s", "1/s", "first tokens"},
	CompletedRate:           {"completed_per_s", "1/s", "requests that ended well, aborts and errors left out"},
	OfferedRate:             {"offered_accepted_per_s", "1/s", "accepted arrivals: requests ended + growth of waiting and running"},
	CompletedOverOffered:    {"completed_over_offered", "", "completions over accepted arrivals"},
	ShedRate:                {"shed_per_s", "1/s", "answers with status 429 and 5xx at the HTTP front end; an error and a refusal look alike there"},
	OfferedWithShed:         {"offered_with_shed_per_s", "1/s", "accepted arrivals and shed"},
	RetryRate:               {"retries_per_s", "1/s", "attempts after the first"},
	PromptRate:              {"prompt_tok_per_s", "tokens/s", "prompt tokens, cached ones included"},
	ComputedRate:            {"computed_prefill_tok_per_s", "tokens/s", "prompt tokens not found in the prefix cache"},
	GenerationRate:          {"generation_tok_per_s", "tokens/s", "tokens generated"},
	PromptMean:              {"prompt_tokens_mean", "tokens", "prompt of requests that ended"},
	OutputMean:              {"output_tokens_mean", "tokens", "output of requests that ended"},
	QueueGrowth:             {"queue_growth_per_s", "1/s", "change of waiting"},
	PreemptionsPerCompleted: {"preemptions_per_completed", "", "preemptions over completions"},
	SpecK:                   {"spec_k", "tokens", "drafts a step"},
	Drafts:                  {"drafts_total", "count", "steps with drafts, one for each sequence"},
	DraftAcceptance:         {"draft_acceptance_frac", "", "accepted over drafted tokens"},
	GPUUtil:                 {"gpu_util_frac", "", "share of time with work on the GPU; full in good and bad states"},
	Replicas:                {"replicas", "count", "engines in view"},
	Imbalance:               {"imbalance", "", "largest waiting + running of a replica over the mean"},
	KVMean:                  {"kv_used_mean_frac", "", "KV cache in use, mean over replicas"},
	KVPool:                  {"kv_pool_tokens_estimate", "tokens", "KV cache of a replica"},
	Swapped:                 {"swapped", "requests", "swapped out to the host"},
	E2EBeyondTTFT:           {"e2e_count_minus_ttft_count", "count", "requests with an end-to-end time beyond those with a first token: not streamed, or aborted"},
	AdmittedRate:            {"admitted_per_s", "1/s", "requests that went from waiting to running, if none came or ended"},
	PromptPerAdmission:      {"prompt_tokens_per_admission", "tokens", "prompt tokens computed for each of them"},
	KVFullIn:                {"kv_full_in_s_at_this_pace", "s", "until the KV cache is full, if it grows on"},
	DecodePerRunning:        {"decode_tok_per_s_per_running", "tokens/s", "tokens generated for each running request"},
	ITLEstimate:             {"mean_itl_from_throughput_s", "s", "running over generated tokens per second: a mean that is blind to stalls"},
	TokensPerRunning:        {"tokens_per_running", "tokens", "KV tokens for each running request"},
	FreedPerRetraction:      {"tokens_freed_per_retraction", "tokens", "KV tokens that a retraction gave back"},
	ReservedShare:           {"new_token_ratio", "", "share of the allowed output that the scheduler reserves"},
}

// Why is the reason why a value is missing.
type Why uint8

// The reasons.
const (
	Known Why = iota
	NotExposed
	NeedsSecond
	NeedsSeconds
	NoTraffic
	AcrossRestart
	NotInBoth
	TurnedOff
	NotInLog
	NeverSeen
	Misleading
	Unsound
	OneReplica
	NoBasis
	numWhys
)

// String says it.
func (w Why) String() string { return whys[w] }

var whys = [numWhys]string{
	Known:         "known",
	NotExposed:    "no series in the text has it: it is off, or not exported",
	NeedsSecond:   "one scrape holds totals since the start; a second one some time later gives the window",
	NeedsSeconds:  "the time between the scrapes is not known",
	NoTraffic:     "nothing was counted in the window",
	AcrossRestart: "the process began again in the window; what was in flight left no count",
	NotInBoth:     "its series are in one of the two scrapes only",
	TurnedOff:     "the server says that it is off",
	NotInLog:      "a log does not carry it; /metrics does",
	NeverSeen:     "no engine sees it; the gateway or the client does",
	Misleading:    "only a gauge of the last batch or of the whole life is there, which is not the window",
	Unsound:       "the counts contradict each other: not one process, or a cut text",
	OneReplica:    "the text shows one engine, and does not say whether there are others",
	NoBasis:       "what it is computed from does not hold here",
}

// Covers is the span that a value is of.
type Covers uint8

// The spans.
const (
	Moment       Covers = iota // a gauge: one sample at the end of the span
	Span                       // between the two scrapes, or the first and the last line
	SinceStart                 // since the process began
	SinceRestart               // since it began again
	LastInterval               // of the log or of the gauge
	Last1000                   // requests, however long ago
)

// String says it.
func (c Covers) String() string {
	return [...]string{"at the end", "window", "since start", "since restart", "last interval", "last 1,000 requests"}[c]
}

// Doubts are what a reader must know before using a value; a set of bits.
type Doubts uint16

// The doubts.
const (
	LowerBound     Doubts = 1 << iota // a restart or a missing replica: at least this
	FewEvents                         // fewer than ten events
	CoarseStamps                      // stamps of whole seconds in a span of less than ten
	WideBucket                        // high is more than 1.5 times low: the value inside is a convention
	PerOutput                         // with speculation one gap carries several tokens
	Appeared                          // its series were not in the first scrape: counted from 0
	Estimated                         // from other figures, under an assumption that its definition states
	Rising                            // the queue grew: a snapshot of a curve, no steady value
	MeanOfReplicas                    // an aggregated log line gives a mean
	MayBePercent                      // it was above 1.5 and read as percent
	RepeatsCounted                    // tokens computed again after a preemption are in it
)

var doubtWords = [...]string{
	"a lower bound: not everything in the window was counted",
	"fewer than ten events: not a rate of the service",
	"time stamps of whole seconds in so short a span",
	"the bucket is wide; only its bounds are known",
	"per output, and with speculation an output holds several tokens",
	"its series appeared in the window; counted from 0",
	"an estimate from other figures",
	"the queue grew in the window: a snapshot of a rising curve",
	"a mean over replicas; the fullest is not known",
	"above 1.5, so read as percent",
	"tokens computed again after a preemption are counted again",
}

// Words are the doubts, one by one.
func (d Doubts) Words() []string {
	var out []string
	for i, w := range doubtWords {
		if d&(1<<i) != 0 {
			out = append(out, w)
		}
	}
	return out
}

// Value is a quantity as far as it is known.
type Value struct {
	sim.Measured
	Covers Covers
	From   string // metric, expression of metrics, or the label in the log
	Why    Why    // Known, or why it is not
	Doubts Doubts
}

// AtLeast says that only a lower bound is known: a percentile above the last
// finite bound.
func (v Value) AtLeast() bool { return v.Known && math.IsInf(v.High, 1) }

// Row is all quantities, of one replica or of all.
type Row [NumIDs]Value

// set keeps an exact value; NaN and infinite ones are not kept.
func (r *Row) set(id ID, v float64, covers Covers, from string, doubts Doubts) {
	if v != v || math.IsInf(v, 0) {
		r.miss(id, NoTraffic, from)
		return
	}
	r[id] = Value{Measured: sim.Exactly(v), Covers: covers, From: from, Doubts: doubts}
}

// share keeps a part of a whole, unless it is more than that.
func (r *Row) share(id ID, part, whole float64, covers Covers, from string, doubts Doubts) {
	if part > whole {
		r.miss(id, Unsound, from)
		return
	}
	r.set(id, part/whole, covers, from, doubts)
}

func (r *Row) miss(id ID, why Why, from string) { r[id] = Value{Why: why, From: from} }
