package tables

// Parting is one long run of the demo greedy-decoder: how many of PartingSeeds
// seeds (1 upward) give different texts alone and in company within m tokens.
type Parting struct {
	Activations string // option of the demo's knob of that name
	Inputs      string // hash of everything that the counts depend on
	// First is, by seed from 1 up, the index of its first different token, or
	// PartingTokens if there is none.
	First [PartingSeeds]uint8
}

// The settings of the long runs; the others are the demo's defaults.
const (
	PartingNeighbors = 64
	PartingTokens    = 128
	PartingSeeds     = 1000
)

// FindParting returns the long run with these activations.
func FindParting(activations string) (*Parting, bool) {
	for i := range partings {
		if partings[i].Activations == activations {
			return &partings[i], true
		}
	}
	return nil, false
}

// Parted is how many of the seeds differ within the first m tokens, m up to
// PartingTokens.
func (p *Parting) Parted(m int) int {
	n := 0
	for _, f := range p.First {
		if int(f) < m {
			n++
		}
	}
	return n
}
