// Package replica has the simulated server that demos measure, the same in
// every chapter, and how a Task runs simulations of it in slices.
package replica
