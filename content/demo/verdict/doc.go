// Package verdict puts a reading of package sim/diagnose into words: what the
// failure is called, what moved and by how much, what separates it from its
// runner-up, and what to change.
//
// signs.go has the names, says.go the sentences, figure.go the rows of a figure.
// It decides nothing: every number is the reading's.
package verdict
