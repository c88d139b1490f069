// Package catalog has every demo, by the module that carries it.
//
// A module is one WebAssembly program, wasm/NAME, with the demos of one
// subject, content/demo/NAME. The Go runtime is most of its size, so there are
// few of them; each must stay below the budget of a module, so there is not
// only one. A page loads those that its reader uses.
package catalog

import (
	"openloop/content/demo"
	"openloop/content/demo/checking"
	"openloop/content/demo/engine"
	"openloop/content/demo/failing"
	"openloop/content/demo/field"
	"openloop/content/demo/float"
	"openloop/content/demo/harness"
	"openloop/content/demo/planning"
	"openloop/content/demo/reading"
	"openloop/content/demo/serving"
	"openloop/content/demo/sizing"
)

// Modules returns the modules that have demos, in the order of the guide.
func Modules() []demo.Module {
	var out []demo.Module
	for _, m := range []demo.Module{
		{Name: "serving", Demos: serving.Demos()},
		{Name: "harness", Demos: harness.Demos()},
		{Name: "float", Demos: float.Demos()},
		{Name: "planning", Demos: planning.Demos()},
		{Name: "sizing", Demos: sizing.Demos()},
		{Name: "checking", Demos: checking.Demos()},
		{Name: "day", Demos: checking.Day()},
		{Name: "failing", Demos: failing.Demos()},
		{Name: "training", Demos: failing.Training()},
		{Name: "field", Demos: field.Demos()},
		{Name: "reading", Demos: reading.Demos()},
		{Name: "engine", Demos: engine.Demos()},
	} {
		if len(m.Demos) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// All returns every demo, in the order of the guide.
func All() []*demo.Demo { return demo.Demos(Modules()) }

// Find returns the demo with this id.
func Find(id string) (*demo.Demo, bool) { return demo.Find(All(), id) }
