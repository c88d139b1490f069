package sim

// Warning is a doubt about a number in a report: a code and the numbers behind
// it. Whoever shows the report makes the sentence.
type Warning struct {
	Code     WarningCode
	Metric   Metric  // of a distribution; ITL is not a Metric, its code says so
	Quantile float64 // where one is meant
	Value    float64 // what was found
	Limit    float64 // what it is held against
}

// WarningCode is the kind of doubt.
type WarningCode uint8

// The doubts. Unless said, Value and Limit are as the names of the report's
// fields that they come from.
const (
	EmptyWindow      WarningCode = iota // no request was sent in the window, or it has no length
	FewBeyond                           // Metric, Quantile: fewer than 10 values rank above it (Value)
	IsMaximum                           // Metric, Quantile: of Value values it is the maximum; at least Limit are needed
	BatchesTooShort                     // Metric: neighboring batch means correlate by Value > Limit: its interval is too narrow
	StartsInWarmUp                      // Metric: the window starts at Value seconds, the warm-up ends at Limit, and moves the mean by more than 1%
	WarmUpNotFound                      // Metric: the run shows no steady part
	ShortWindow                         // the window is Value mean E2E long; below 10 its ends count
	UnfinishedAtEnd                     // Value of the Limit requests sent in the window had not ended: those missing are the slow ones
	LossAboveOne                        // a share Value > 1% of the requests sent in the window failed, timed out or was dropped
	LossAboveFive                       // the same, > 5%: percentiles of the rest say little
	SentLate                            // the client held requests back by Value seconds on average (Limit: 10 ms or 5% of mean TTFT), not in the chosen clock
	SentVeryLate                        // the same by more than half of mean TTFT
	MeansGrowWithRun                    // the verdict is Overloaded: means and percentiles depend on how long the run was
	NoOverloadShown                     // a closed loop: nothing follows about an arrival rate
	ITLIsWholeRun                       // gaps are kept for the whole run only, the window is shorter
	BusyIsUnknown                       // the window is not the whole run and no samples were kept
	StepsNotKept                        // the trace has the first Limit steps, Value more have ended
)
