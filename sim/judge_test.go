package sim

// judged are the simulators that the scenarios and laws are run on.
var judged = []struct {
	name string
	from func(c Config, src Source, seed uint64) *Results
}{
	{"reference", refRun},
	{"kernel", kernelRun},
}

func kernelRun(c Config, src Source, seed uint64) *Results {
	s, err := New(c, src, seed)
	if err != nil {
		panic(err)
	}
	s.Run()
	return s.Results()
}

// runner runs an open loop.
type runner = func(c Config, specs []Spec, seed uint64) *Results

func openLoop(from func(c Config, src Source, seed uint64) *Results) runner {
	return func(c Config, specs []Spec, seed uint64) *Results {
		return from(c, &listSource{specs: specs}, seed)
	}
}

// listSource is an open loop: requests in a list, by SentAt.
type listSource struct {
	specs []Spec
	taken int
	ended []ending // what the simulator told, in order
}

type ending struct {
	request int32
	at      Nanos
	status  Status
}

func (l *listSource) Next() (Nanos, bool) {
	if l.taken == len(l.specs) {
		return Never, false
	}
	return l.specs[l.taken].SentAt, true
}

func (l *listSource) Take(r *Spec) {
	*r = l.specs[l.taken]
	l.taken++
}

func (l *listSource) Ended(i int32, at Nanos, s Status) {
	l.ended = append(l.ended, ending{i, at, s})
}
