// Package sizing has the demos of the planner: what each lever acts on, how many
// GPUs a workload takes, and what a solved task costs. The check of a plan by simulation is package
// checking, since whoever plans need not load a simulator.
//
// A demo is one file with a function that returns its entry, and one line in
// all. The mathematics is in planner; a demo asks it, draws and finds the words.
// Package demo says what an entry is.
package sizing

import (
	"sync"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// all is in the order of the guide. It is made when somebody asks for it, and not
// as the package starts: package checking takes the settings of the planner alone,
// and what nobody asks for is in no module.
var (
	all  []*demo.Demo
	made sync.Once
)

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo {
	made.Do(func() { all = []*demo.Demo{mechanismDemo(), capacityPlanner(), taskCost()} })
	return append([]*demo.Demo(nil), all...)
}

// percent is a share with three digits: 77.8%.
func percent(share float64) string { return text.Percent(share, 3) }

// none is a series with nothing in it yet.
func none(id, name string, role demo.Role, shape demo.Shape) demo.Series {
	return demo.Series{ID: id, Name: name, Role: role, Shape: shape}
}
