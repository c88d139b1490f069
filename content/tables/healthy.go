package tables

// HealthyDials is how many values of a window a band is kept for: the eight
// signals of package sim and the eight of the context strip, in the order of
// package content/demo/failing.
const HealthyDials = 16

// HealthyBand is where the windows of healthy runs of one scenario are: for each
// dial the ends of the middle 99%, by nearest rank, over HealthySeeds runs with
// the seeds 1, 2, ... from HealthyFrom on.
type HealthyBand struct {
	Base string // id of the scenario
	Lo   [HealthyDials]float64
	Hi   [HealthyDials]float64
}

// What the bands are made of.
const (
	HealthySeeds = 30
	HealthyFrom  = 20 // s; before, the batch is still filling
)

// HealthyBandOf is the band of a scenario; ok is false if none is kept.
func HealthyBandOf(base string) (b HealthyBand, ok bool) {
	for _, b = range healthyBands {
		if b.Base == base {
			return b, true
		}
	}
	return HealthyBand{}, false
}
