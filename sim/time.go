package sim

// Nanos is a simulated instant or span: nanoseconds, with 0 the start of the
// run. Integers order exactly and add without drift on every machine.
type Nanos int64

// Spans that are handy to write.
const (
	Microsecond Nanos = 1e3
	Millisecond Nanos = 1e6
	Second      Nanos = 1e9
)

// Never is later than every instant of a run; as a time stamp of a request it
// says that the event did not happen.
const Never Nanos = 1<<63 - 1

// Seconds converts a span in seconds to Nanos, to the nearest nanosecond.
// It is the only place where float seconds become simulated time. The caller
// has checked that s is finite and below MaxSeconds in magnitude.
func Seconds(s float64) Nanos {
	x := float64(s * 1e9)
	if x < 0 {
		return -Nanos(-x + 0.5)
	}
	return Nanos(x + 0.5)
}

// MaxSeconds is the longest span that a run may last: 10^6 s, 11.6 days.
const MaxSeconds = 1e6

// Seconds is the span in seconds.
func (n Nanos) Seconds() float64 { return float64(n) / 1e9 }

// Picos is a span in picoseconds: the unit of step costs and of a replica's
// clock, fine enough that the cost of one KV token (tens of picoseconds to
// nanoseconds) is a whole number, so that sums over steps are exact.
type Picos int64

// Nanos is the instant in whole nanoseconds, rounded down; rounding down is
// monotone, so it never reorders two instants.
func (p Picos) Nanos() Nanos { return Nanos(p / 1000) }

// Picos is the instant in picoseconds.
func (n Nanos) Picos() Picos { return Picos(n) * 1000 }
