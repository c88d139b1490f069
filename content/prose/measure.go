package prose

import (
	"fmt"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// How checks ask the engine: a number, a range, a count over seeds.

// metric runs a demo at a link and returns one of its numbers.
func metric(id, link, name string) (float64, error) {
	d, ok := catalog.Find(id)
	if !ok {
		return 0, fmt.Errorf("no demo is called %s", id)
	}
	state, problems := demo.Parse(d, link)
	if len(problems) > 0 {
		return 0, problems[0]
	}
	task, err := demo.Run(state)
	if err != nil {
		return 0, err
	}
	for _, m := range task.Metrics() {
		if m.Name == name {
			return m.Value, nil
		}
	}
	return 0, fmt.Errorf("%s has no metric %s", id, name)
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
