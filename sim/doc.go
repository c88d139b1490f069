// Package sim is a discrete-event simulator of LLM serving: replicas with
// continuous batching, chunked prefill and a paged KV cache, in front of them
// a load generator, after them a report.
//
//	Workload -> Source -> ServingSim(Config) -> Results -> Report
//
// What goes in: config.go (the cluster and its engine), cost.go (how long a step
// takes), workload.go (who sends what, and when; one file for each kind of load
// generator and of arrivals), request.go (one request). What comes out:
// results.go (columns, counters, samples), report.go (numbers, intervals and
// doubts), verdict.go (does it keep up), signals.go (the eight series of a
// dashboard), window.go (the same, as far as they are known, of a run or of a
// real server: package scrape reads those), theory.go (closed forms to hold it against).
//
// To follow the engine, read sim.go (the loop over instants), then schedule.go,
// which states the scheduler's rules by number and says why there is always
// progress, admit.go, launch.go and stepend.go (the parts of a step), kvcache.go
// and prefix.go (blocks), and last jump.go: how many equal steps are taken as
// one, with the same result to the last bit.
//
// Around the engines: router.go (who gets a request), pools.go (prefill and
// decode apart), swap.go, autoscale.go, updown.go, retry.go (clients that ask
// again); events.go says in which order an instant has them. Failures are levers
// (lever.go, one file each): they add a Change (config_cluster.go) or a Shift
// (shift.go), which are data. matrix.go says which signals each lever moves.
//
// What holds for every run is in laws_test.go: nothing is lost or made, no
// instant lies before its cause, no block is held twice, nobody waits who could
// be admitted, the same seed gives the same bytes. A second simulator without
// any shortcut (reference_test.go) must agree in every number.
//
// The package is pure: it reads no clock, file, environment or network, and
// gives the same bytes on every machine. It does not model the network, the
// tokenizer, the front end or the kernels inside a step.
package sim
