package prose

import (
	"fmt"
	"os"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// How checks ask the engine: a number, a range, a count over seeds.

// runAt runs a demo at a link.
func runAt(id, link string) (*run, error) {
	d, ok := catalog.Find(id)
	if !ok {
		return nil, fmt.Errorf("no demo is called %s", id)
	}
	state, problems := demo.Parse(d, link)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	task, err := demo.Run(state)
	if err != nil {
		return nil, err
	}
	return &run{what: id + "#" + link, task: task}, nil
}

// run is the finished run of a demo, to be asked for its numbers.
type run struct {
	what string
	task demo.Task
	err  error // the first
}

func (r *run) get(name string) float64 {
	m, ok := demo.MetricNamed(r.task, name)
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%s has no metric %s", r.what, name)
	}
	return m.Value
}

// in notes a metric that is not in [lo, hi].
func (r *run) in(name string, lo, hi float64) {
	got := r.get(name)
	if r.err == nil {
		r.err = between(r.what+": "+name, got, lo, hi)
	}
}

// hold notes what does not hold.
func (r *run) hold(ok bool, what string, args ...any) {
	if !ok && r.err == nil {
		r.err = fmt.Errorf(r.what+": "+what, args...)
	}
}

// asked runs a demo at a link with each of the seeds and lets check look.
func asked(id, link string, seeds []int, check func(*run)) error {
	for _, seed := range seeds {
		r, err := runAt(id, link+"&seed="+strconv.Itoa(seed))
		if err != nil {
			return err
		}
		check(r)
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// span is where a metric has to lie.
type span struct {
	name   string
	lo, hi float64
}

// repeated are the seeds that a check is asked for: all in the long test, and where
// one claim is named; otherwise the page's own, which is the first, and one more.
func repeated(seeds []int) []int {
	if os.Getenv("OPENLOOP_LONG") == "" {
		return seeds[:min(2, len(seeds))]
	}
	return seeds
}

// overSeeds checks metrics of one run for the seed of the page and for seeds
// 1..seeds.
func overSeeds(seeds int, id, link string, spans ...span) error {
	list := []int{demo.DefaultSeed}
	for seed := 1; seed <= seeds; seed++ {
		list = append(list, seed)
	}
	return asked(id, link, repeated(list), func(r *run) {
		for _, s := range spans {
			r.in(s.name, s.lo, s.hi)
		}
	})
}

// page is overSeeds for the seed of the page alone.
func page(id, link string, spans ...span) error { return overSeeds(0, id, link, spans...) }

// metric runs a demo at a link and returns one of its numbers.
func metric(id, link, name string) (float64, error) {
	r, err := runAt(id, link)
	if err != nil {
		return 0, err
	}
	x := r.get(name)
	return x, r.err
}

// within fails unless a metric lies in [lo, hi].
func within(id, link, name string, lo, hi float64) error {
	got, err := metric(id, link, name)
	return first(err, between(id+"#"+link+": "+name, got, lo, hi))
}

// between fails unless got lies in [lo, hi].
func between(what string, got, lo, hi float64) error {
	if !(got >= lo && got <= hi) {
		return fmt.Errorf("%s is %v, not in %v to %v", what, got, lo, hi)
	}
	return nil
}

// countSeeds counts the seeds 1..seeds for which a metric is as asked.
func countSeeds(seeds int, id, link, name string, is func(float64) bool) (float64, error) {
	count := 0.0
	for seed := 1; seed <= seeds; seed++ {
		x, err := metric(id, link+"&seed="+strconv.Itoa(seed), name)
		if err != nil {
			return 0, err
		}
		if is(x) {
			count++
		}
	}
	return count, nil
}

// first is the first check that failed.
func first(checks ...error) error {
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}
