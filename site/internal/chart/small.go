package chart

import "openloop/content/demo"

// smallSize is for a picture that stands beside others and is not changed: as
// wide as on a phone, and less high.
var smallSize = size{name: "s", width: 360, height: 236, left: 54, top: 42, bottom: 46, label: 92, split: 4, legend: 64}

// Small draws a figure once, in the small size, for a page that changes nothing
// in it. The name is as for Draw.
func (r *Renderer) Small(name string, f demo.Figure) (string, error) {
	opt, err := Option(f)
	if err != nil {
		return "", err
	}
	return r.svg(name, narrowed(sampled(opt), smallSize), smallSize)
}
