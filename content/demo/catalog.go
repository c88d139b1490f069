package demo

// The catalog. A demo is one file with a function that returns its entry,
// and one line here.
var all = []*Demo{
	threeNumbers(),
	sumOrders(),
	kernelSplits(),
	batchInvariance(),
	nearTies(),
	logitDrift(),
	greedyDecoder(),
}

// All returns every demo, in the order of the guide.
func All() []*Demo { return append([]*Demo(nil), all...) }

// Find returns the demo with this id.
func Find(id string) (*Demo, bool) {
	for _, d := range all {
		if d.ID == id {
			return d, true
		}
	}
	return nil, false
}
