package prose

import (
	"fmt"
	"strconv"

	"openloop/content/demo"
)

// How checks ask the engine: a run, a range, a count over seeds.

// numbers are the metrics of a run by name.
type numbers map[string]float64

// run runs a demo at a link.
func run(id, link string) (numbers, error) {
	d, ok := demo.Find(id)
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
	out := numbers{}
	for _, m := range task.Metrics() {
		out[m.Name] = m.Value
	}
	return out, nil
}

// within fails unless a metric lies in [lo, hi].
func within(id, link, name string, lo, hi float64) error {
	m, err := run(id, link)
	if err != nil {
		return err
	}
	got, ok := m[name]
	if !ok {
		return fmt.Errorf("%s has no metric %s", id, name)
	}
	return between(id+"#"+link+": "+name, got, lo, hi)
}

// between fails unless got lies in [lo, hi].
func between(what string, got, lo, hi float64) error {
	if !(got >= lo && got <= hi) {
		return fmt.Errorf("%s is %v, not in %v to %v", what, got, lo, hi)
	}
	return nil
}

// countSeeds counts the seeds 1..seeds whose run is as asked.
func countSeeds(seeds int, id, link string, is func(numbers) bool) (float64, error) {
	count := 0.0
	for seed := 1; seed <= seeds; seed++ {
		m, err := run(id, link+"&seed="+strconv.Itoa(seed))
		if err != nil {
			return 0, err
		}
		if is(m) {
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
