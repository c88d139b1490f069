package profile

import "slices"

// GPU is one accelerator as its vendor describes it: peaks, which nobody
// reaches. What share of them is reached is for the planner to say.
type GPU struct {
	ID, Name, Vendor string

	MemoryBytes    int64 // the vendor's label x 1e9; what an engine finds free is less
	MemoryType     string
	HBMBytesPerSec float64 // peak bandwidth of that memory, whatever its type

	// Peak arithmetic without sparsity, in FLOP/s; 0: the part cannot.
	BF16FLOPsPerSec, FP8FLOPsPerSec, FP4FLOPsPerSec, INT8FLOPsPerSec float64

	LinkBytesPerSec float64 // to other GPUs, one direction, one GPU; 0: unknown
	Interconnect    string
	PowerWatts      float64 // thermal design power; 0: unknown

	// The best matrix product that somebody found, in FLOP/s; 0: not measured.
	MatmulBF16FLOPsPerSec, MatmulFP8FLOPsPerSec float64
	MatmulSource                                string

	Prices  []Price
	Sources []Source
	Notes   string // where sources disagree
}

// Price is what one GPU was seen to cost: an example, never advice.
type Price struct {
	LowUSDPerGPUHour, HighUSDPerGPUHour float64
	What, Source, Date                  string
}

// Source says where a group of fields is from.
type Source struct{ What, Where string }

// PeakFLOPsPerSec is the peak when the arithmetic runs in that type; false if
// the part cannot. Nothing here computes in int4: such weights are expanded.
func (g *GPU) PeakFLOPsPerSec(compute DType) (float64, bool) {
	peak := 0.0
	switch compute {
	case BF16:
		peak = g.BF16FLOPsPerSec
	case FP8:
		peak = g.FP8FLOPsPerSec
	case FP4:
		peak = g.FP4FLOPsPerSec
	case INT8:
		peak = g.INT8FLOPsPerSec
	}
	return peak, peak > 0
}

func (g *GPU) copy() *GPU {
	own := *g
	own.Prices, own.Sources = slices.Clone(g.Prices), slices.Clone(g.Sources)
	return &own
}

// gpuTables are the tables in the order in which they are listed.
var gpuTables = [...][]GPU{ampereHopper, blackwell, pcieGPUs, amdGPUs}

// GPUs lists the table, each a copy.
func GPUs() []*GPU {
	var all []*GPU
	for _, table := range gpuTables {
		for i := range table {
			all = append(all, table[i].copy())
		}
	}
	return all
}

// FindGPU is a copy of the one of that id.
func FindGPU(id string) (*GPU, bool) {
	if own := lookupGPU(id); own != nil {
		return own.copy(), true
	}
	return nil, false
}

// lookupGPU is the row itself, or nil: not for callers, who could change it.
func lookupGPU(id string) *GPU {
	for _, table := range gpuTables {
		for i := range table {
			if table[i].ID == id {
				return &table[i]
			}
		}
	}
	return nil
}
