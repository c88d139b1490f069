package demo

import "math"

// Traces figures: many small plots over one time axis, as a dashboard has them.
// They are drawn in plain SVG by package draw, so that eight of them can change
// ten times a second.

// Trace is one of the plots. Its axis begins at 0.
type Trace struct {
	ID   string // unique in the figure
	Name string
	Unit string // "" for a ratio

	// X and Y are as far as the run is known; a Y that is NaN is not known, and
	// the line has a gap there. Ref is nil, or the same of a run to compare
	// with, drawn dashed; its length may differ from Y's, and RefX are its times.
	X, Y, RefX, Ref []float64

	// Lo and Hi are where the plot is in good health, if Band.
	Band   bool
	Lo, Hi float64

	Top    float64 // end of the axis, above 0; the same at all times of a run
	Left   float64 // when it left its band for good reason; 0 is not
	Digits int     // significant digits of that value
	Says   string  // what stands beside the name; "" is the newest value
}

// Last is the newest value that is known; NaN if none is.
func (t Trace) Last() float64 {
	for i := len(t.Y) - 1; i >= 0; i-- {
		if !math.IsNaN(t.Y[i]) {
			return t.Y[i]
		}
	}
	return math.NaN()
}

// TraceTop is the end of the axis of a trace that shows all these values.
func TraceTop(values ...float64) float64 {
	most := 0.0
	for _, y := range values {
		if y > most && !math.IsInf(y, 0) { // also false for NaN
			most = y
		}
	}
	return Top(most)
}
