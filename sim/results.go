package sim

// Results is everything that a run recorded. Columns are indexed by request,
// in the order in which they were sent; an event that did not happen is Never.
type Results struct {
	IntendedAt   []Nanos
	SentAt       []Nanos
	AdmittedAt   []Nanos // start of the schedule call of its first admission
	FirstTokenAt []Nanos
	DoneAt       []Nanos // when it ended, however it ended

	Prompt      []int32
	Output      []int32 // asked
	Generated   []int32
	Cached      []int32 // prompt tokens that the prefix cache gave at the first admission
	Preemptions []int32
	Replica     []int32 // -1 if it never reached one
	Session     []int32
	Turn        []int32
	Client      []int32
	Status      []Status

	// ITL is every gap between two tokens of one request, pooled. Tokens that
	// come out of one step together (accepted drafts) share one instant: the
	// gap before the first of them counts, the zero gaps after it do not.
	ITL Hist

	Totals  Totals
	Samples []Sample // one row per window and replica, replica by replica within a window
	Steps   []StepTrace

	// StepsNotKept is how many steps ended that are not in Steps, if steps are
	// kept at all: those after the first Config.TraceSteps.
	StepsNotKept int64

	PutBacks []PutBack // one row per preemption, in order

	EndAt Nanos // instant at which the run stopped
}

// PutBack is a request that was preempted: from At to Again it waits in the
// queue a second time. Again is when it was admitted again or its client gave
// up; Never if the run stopped before.
type PutBack struct {
	Request   int32
	At, Again Nanos
}

// Totals are counters over the whole run, all replicas.
type Totals struct {
	Steps         int64
	PrefillTokens int64 // computed, recomputation included
	Recomputed    int64 // of those, computed again after a preemption
	DecodeTokens  int64 // generated tokens, first tokens not among them
	LookedUp      int64 // prompt tokens asked of the prefix cache, at every admission
	Hit           int64 // of those, found
	Drafted       int64
	Accepted      int64
	Preempted     int64
	BusyPicos     Picos // summed over replicas
	WarmUpPicos   Picos // of those, paid to WarmUp
}

// Sample is one replica in the window that ends at At. Counters are of the
// window, gauges of its end unless their names say Mean.
type Sample struct {
	At          Nanos
	Replica     int32
	Waiting     int32
	Running     int32
	WaitingMean float64 // over time
	RunningMean float64
	UsedBlocks  int32 // held by running requests
	Steps       int32
	Busy        float64 // share of the window with a step in progress: what GPU utilization shows

	Arrived     int32
	FirstTokens int32
	Completed   int32
	Preempted   int32
	Tokens      int64 // generated in the window
	LookedUp    int64
	Hit         int64
	DraftSteps  int64 // sequence-steps with drafts
	Accepted    int64

	TTFTp99 Nanos // nearest rank over first tokens in the window, from SentAt; Never if there was none
	ITLp99  Nanos // upper edge of the bin; Never if there was none
}

// StepTrace is one step as the scheduler decided it.
type StepTrace struct {
	Replica int32
	Start   Nanos
	End     Nanos
	Pieces  []Piece // in the order scheduled
	Used    int32   // blocks held once it is scheduled
	Preempt []int32 // requests put back, in order
	Waiting int32   // queue once it is scheduled
}

// Piece is a request in a step: Tokens new ones on top of From computed.
type Piece struct {
	Request int32
	Tokens  int32
	From    int32
}
