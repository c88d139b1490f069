// Package demotest has what the tests of demos have in common. It stands
// outside of content/demo because that is pure, and tests are not.
package demotest

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Find returns the demo with this id, which must be there.
func Find(t testing.TB, demos []*demo.Demo, id string) *demo.Demo {
	t.Helper()
	d, ok := demo.Find(demos, id)
	if !ok {
		t.Fatalf("no demo is called %s", id)
	}
	return d
}

// Run runs a demo to the end in the state of a link, which must be without
// problems.
func Run(t testing.TB, d *demo.Demo, link string) (demo.State, demo.Task) {
	t.Helper()
	s, problems := demo.Parse(d, link)
	if len(problems) > 0 {
		t.Fatalf("%s: %s: %v", d.ID, link, problems)
	}
	task, err := demo.Run(s)
	if err != nil {
		t.Fatalf("%s: %s: %v", d.ID, link, err)
	}
	if p := task.Progress(); p != 1 {
		t.Fatalf("%s: %s: progress is %v after the run", d.ID, link, p)
	}
	return s, task
}

// Light is the state of a demo that asks for the least work: whole numbers
// behind "more settings", such as how many seeds to run, rates there, and lengths
// of runs at their smallest.
func Light(d *demo.Demo) demo.State {
	s := demo.NewState(d)
	for _, k := range d.Knobs {
		if k.Whole && (k.More || k.Unit == "s") || k.More && k.Unit == "requests/s" {
			s = s.Slide(k.Name, 0)
		}
	}
	return s
}

// Long says whether the tests may take as long as they like.
func Long() bool { return os.Getenv("OPENLOOP_LONG") != "" }

// Lightest is where a test begins that takes every demo through many runs: its
// first state in the long test, otherwise Light.
func Lightest(d *demo.Demo) demo.State {
	if Long() {
		return demo.NewState(d)
	}
	return Light(d)
}

// Metric is a number of a finished run, which must have it.
func Metric(t testing.TB, task demo.Task, name string) float64 {
	t.Helper()
	m, ok := demo.MetricNamed(task, name)
	if !ok {
		t.Fatalf("no metric is called %s", name)
	}
	return m.Value
}

// Answers checks the right options of bets, by "id" in the state that reveals
// the answer, or "id&seed=5" with another seed. Every bet among the demos needs
// one, and none of their first states may give the answer away: it is another state
// than the one that reveals it, or says none of the numbers that decide it.
func Answers(t *testing.T, demos []*demo.Demo, answers map[string]int) {
	t.Helper()
	asked := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		id, more, _ := strings.Cut(key, "&")
		d := Find(t, demos, id)
		link := d.Bet.Reveal + "&" + more
		reveal, task := Run(t, d, strings.TrimSuffix(link, "&"))
		if got := d.Bet.Answer(task); got != answers[key] {
			t.Errorf("%s: the right option is %d, not %d", key, got, answers[key])
		}
		if demo.NewState(d).SameRun(reveal) && tells(d, task) {
			t.Errorf("%s: the first state gives the answer away", id)
		}
		asked[id] = true
	}
	for _, d := range demos {
		if d.Bet != nil && !asked[d.ID] {
			t.Errorf("the answer of %s is not tested", d.ID)
		}
	}
}

// tells says whether a run shows one of the numbers that decide its bet.
func tells(d *demo.Demo, task demo.Task) bool {
	said := task.Summary().String()
	for _, f := range task.Figures() {
		said += " " + f.Alt + " " + strings.Join(f.Notes, " ")
		for _, row := range f.Table.Rows {
			for i, c := range row {
				said += " " + c.Text + " " + text.Num(c.Num, f.Table.Columns[i].Digits)
			}
		}
	}
	for _, name := range d.Bet.By {
		m, _ := demo.MetricNamed(task, name)
		_, value, _ := strings.Cut(m.Says(), ": ")
		if strings.Contains(said, value) {
			return true
		}
	}
	return false
}
