// Package diagnose names a failure from the shape of a windowed series, and
// from nothing else: it sees what a dashboard sees and no configuration.
//
//	[]sim.Window -> Read -> Reading
//
// A reading is data: a verdict, the runner-up, the sign that separates the two,
// the reasons, a remedy, and what was missing. The words for them are made
// elsewhere.
//
// To follow it: sign.go (what is looked at), measure.go (from windows to one
// column for each sign), noise.go and spans.go (what
// is normal, and since when it is not),
// replicas.go (which replica is apart), level.go (what needs no comparison) and
// rises.go (steps and ramps),
// table.go (the evidence: one line for each failure and sign, with its reason),
// judge.go (points, verdict, runner-up), besides.go (what they leave
// unexplained), hidden.go (what they could hide), remedy.go.
//
// The rules are few and can be read: every point that a verdict has comes from
// a line of the table. They were tuned on runs whose seeds and workloads are
// not those that they are scored on.
package diagnose
