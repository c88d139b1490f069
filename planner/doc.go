// Package planner goes from a workload to a number of GPUs and its price, and
// says which lever would save most of them.
//
//	Evaluate(Workload, Deployment, Objective) -> Plan
//	Ablate(Workload, Deployment, Objective, Targets) -> Ablation
//
// Read chain.go first: the equations of one replica, from the time of a step to
// seconds of a replica for each request, and the limit that binds. What goes in:
// workload.go (classes of requests), deployment.go (hardware, model and every
// choice), sizes.go (bytes and FLOPs of the shapes), step.go (seconds, as a
// roofline or as measured). What comes out: plan.go (every number), links.go
// (every equation, with its values), cost.go and task.go (money), power.go.
// Beside the chain: queue.go (how busy servers may be), speculation.go,
// chunked.go, prefix.go, collective.go. Then lever.go and its files, ablate.go
// (what each saves) and reason.go (why).
//
// It is a first order: lengths are means, batching is perfect, nothing fails or
// is preempted, efficiency is a number. Assumptions lists what to print beside an
// answer. Check (check.go) simulates the plan and says what differs and why,
// Search finds the smallest fleet that holds, Ranking whether the levers rank as
// planned: all three in turns, since they take long. Sensitivities moves each
// input, Presets are fleets to start from.
//
// The package is pure: it reads no clock, file, environment or network, and gives
// the same bytes on every machine. Planning allocates nothing.
package planner
