package demo

// Module is the demos that one WebAssembly program carries. Package catalog
// lists them.
type Module struct {
	Name  string // lower case letters; of its folder wasm/NAME and its script
	Demos []*Demo
}

// Demos returns the demos of all modules.
func Demos(modules []Module) []*Demo {
	var out []*Demo
	for _, m := range modules {
		out = append(out, m.Demos...)
	}
	return out
}

// Find returns the demo with this id.
func Find(demos []*Demo, id string) (*Demo, bool) {
	for _, d := range demos {
		if d.ID == id {
			return d, true
		}
	}
	return nil, false
}
