package replica

import "openloop/sim"

// Simulations one after another, in slices.

// Job is one simulation and what to do with its results. Done may add jobs.
// With Results at hand nothing is simulated.
type Job struct {
	Config  sim.Config
	Load    sim.Workload
	Seed    uint64
	Results *sim.Results
	Done    func(*sim.Results)
}

// Queue runs jobs one after another; it is the Step and Progress of a Task.
type Queue struct {
	Planned int // jobs that there will be, for Progress

	jobs []Job
	next int
	now  *sim.ServingSim
}

// Add puts a job at the end.
func (q *Queue) Add(j Job) { q.jobs = append(q.jobs, j) }

// Step is that of Task.
func (q *Queue) Step(budget int) bool {
	const (
		most     = 200  // µs for one job before the budget is looked at
		readCost = 1000 // µs, to read some thousand requests again
	)
	for ; budget > 0 && q.next < len(q.jobs); budget -= most {
		j := &q.jobs[q.next]
		if j.Results != nil {
			q.next++
			j.Done(j.Results)
			budget -= readCost
			continue
		}
		if q.now == nil {
			q.now = j.start()
		}
		if q.now.Work(min(budget, most)) {
			q.next++ // before Done, which may add to jobs
			results := q.now.Results()
			q.now = nil
			j.Done(results)
		}
	}
	return q.next == len(q.jobs)
}

// Progress is that of Task. Planned is a guess where a job decides whether there
// will be another.
func (q *Queue) Progress() float64 {
	if q.next == len(q.jobs) && (len(q.jobs) > 0 || q.Planned == 0) {
		return 1
	}
	return float64(q.next) / float64(max(q.Planned, len(q.jobs), 1))
}

// start makes the simulation. What a knob allows must run: an error is a
// mistake in the demo.
func (j *Job) start() *sim.ServingSim {
	source, err := sim.NewSource(j.Load, j.Seed)
	if err != nil {
		panic("demo: " + err.Error())
	}
	s, err := sim.New(j.Config, source, j.Seed)
	if err != nil {
		panic("demo: " + err.Error())
	}
	return s
}

// Seeded is the i-th of several seeds that belong to one of a link; the first
// is that one itself.
func Seeded(seed uint32, i int) uint64 { return uint64(seed) + uint64(i)<<32 }
