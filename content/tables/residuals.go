package tables

// Residuals are what fits of ours miss of the points that they were laid through,
// for a picture: relative errors only, the times themselves stay at their source.
// An error is fit over measured time, less 1.
type Residuals struct {
	ID     string // of the figure
	Groups []ResidualGroup
	Dots   []ResidualDot
	Edges  []ResidualEdge // nil where a dot is nearly one point
}

// ResidualGroup is what has a color of its own, and its errors over all points.
type ResidualGroup struct {
	Name   string
	Fits   int
	Points int

	MeanFrac           float64 // mean size of an error
	LowFrac, HighFrac  float64 // a twentieth of the points is below, a twentieth above
	WorstFrac          float64 // the largest error, with its sign
	WithinATenthPoints int     // points whose error is at most 0.1
}

// ResidualDot is the median error of a group's points in one bin.
type ResidualDot struct {
	Group int
	X     float64 // tokens
	Off   float64
}

// ResidualEdge is the median error of all groups' points near X, and between
// which errors nine of ten of them lie.
type ResidualEdge struct{ X, Mid, Lo, Hi float64 }

// ResidualsOf is one figure's.
func ResidualsOf(id string) (Residuals, bool) {
	for _, r := range residuals {
		if r.ID == id {
			return r, true
		}
	}
	return Residuals{}, false
}

// ResidualInputs is a hash of the coefficients and of the files that the errors
// were computed from.
func ResidualInputs() (fits, files string) { return residualFits, residualFiles }
