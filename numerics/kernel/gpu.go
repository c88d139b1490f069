package kernel

// GPU is what a split rule needs to know of a card.
type GPU struct {
	ID     string // in links
	Name   string
	SMs    int // streaming multiprocessors
	Source string
}

// GPUs lists the cards, the first being the one that the guide uses.
func GPUs() []GPU {
	return []GPU{
		{ID: "a100", Name: "A100", SMs: 108, Source: "NVIDIA A100 Tensor Core GPU Architecture, whitepaper, 2020: 108 SMs enabled"},
		{ID: "h100", Name: "H100 SXM", SMs: 132, Source: "NVIDIA H100 Tensor Core GPU Architecture, whitepaper, 2022: 132 SMs in the SXM5 version"},
	}
}

// FindGPU returns the card with this id.
func FindGPU(id string) (GPU, bool) {
	for _, g := range GPUs() {
		if g.ID == id {
			return g, true
		}
	}
	return GPU{}, false
}
