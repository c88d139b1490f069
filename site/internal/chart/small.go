package chart

import (
	"encoding/json"

	"openloop/content/demo"
)

// smallSize is for a picture that stands beside others: as wide as on a phone, and
// less high.
var smallSize = size{name: "s", width: 360, height: 236, left: 54, top: 42, bottom: 46, label: 92, split: 4, legend: 64}

// Small draws a figure once, in the small size, and gives the option for the
// browser to draw it again in that size. The name is as for Draw.
func (r *Renderer) Small(name string, f demo.Figure) (svg string, option json.RawMessage, err error) {
	opt, err := Option(f)
	if err != nil {
		return "", nil, err
	}
	if svg, err = r.svg(name, narrowed(sampled(opt), smallSize), smallSize); err != nil {
		return "", nil, err
	}
	option, err = json.Marshal(emptied(narrowed(opt, smallSize)))
	return svg, option, err
}
