package route

// Fleet is one's own servers through a day whose load swings as a raised cosine
// between a night and a peak, as a fluid: work arrives and is done without
// lumps. Interactive work is done at once. A share of the work, Batch, may wait
// until there is room. All in units of the servers that the peak of all work
// takes.
type Fleet struct {
	Night float64 // load of the quietest moment over that of the busiest, 0 to 1
	Batch float64 // share of the work that may wait, 0 to 1
}

// Check wants shares of 0 to 1.
func (f Fleet) Check() error {
	var c checker
	c.share("Night", f.Night)
	c.share("Batch", f.Batch)
	return c.result()
}

// Mean is the mean load of the day: (1 + Night)/2, a cosine's.
func (f Fleet) Mean() float64 { return float64(0.5 * (1 + f.Night)) }

// Servers is the size of the smallest fleet that does it all within a day, over
// that of one in which nothing waits: the peak of what cannot wait, or the mean
// of everything, whichever is more.
func (f Fleet) Servers() float64 { return max(1-f.Batch, f.Mean()) }

// Full is the share that has to wait for the fleet to be busy all day. More
// than that saves nothing more.
func (f Fleet) Full() float64 { return 1 - f.Mean() }
