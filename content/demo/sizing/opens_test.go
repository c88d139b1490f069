package sizing

import (
	"strings"
	"testing"

	"openloop/content/demo/text"
	"openloop/content/demotest"

	"github.com/stretchr/testify/assert"
)

// TestNoNumberStandsAlone: whatever the planner says in a table or a sentence opens to an
// equation with values, a source and an error, or is a setting.
func TestNoNumberStandsAlone(t *testing.T) {
	links := []string{
		"", "kwh=0.1&turns=5&success=60&spare=1&thinking=300", "b_gpu=h200-sxm&b_kv=fp8&b_drafts=4", "rate2=10", "busy=0&ttft=0.2",
		"efficiency=measured", "efficiency=measured&model=llama-3.1-8b&tp=1&weights=bf16", "efficiency=own&apart=on&chunk=0", "drafts=4&overlap=50", "gpu=l4&model=llama-3.1-8b&tp=1", "attention=latent&weights=bf16",
	}
	for _, p := range capacityPlanner().Presets {
		links = append(links, p.State)
	}
	for _, link := range links {
		d := capacityPlanner()
		state, task := demotest.Run(t, d, "plan=shown&guess=9&"+link)
		var settings []string
		for i := range d.Knobs {
			settings = append(settings, state.Values.Text(i))
		}
		r := task.(*capacityRun)
		// How far the guess is off stands beside the two numbers that it is made of; a
		// percentile and the numbers of kept runs have their table in the chapter.
		for _, says := range demotest.Unopened(task, settings, text.Num(r.off(), 2), "99", keptNumbers(r)) {
			assert.Fail(t, says, link)
		}
	}
}

// keptNumbers are those of the kept runs, whose table is in the chapter.
func keptNumbers(r *capacityRun) string {
	b, ok := r.a.kept()
	if !ok {
		return ""
	}
	return strings.Join([]string{text.Whole(b.Runs), text.Whole(b.Kept), text.Whole(b.Least), text.Whole(b.Most)}, " ")
}

// The same of a task.
func TestNoNumberOfATaskStandsAlone(t *testing.T) {
	d := taskCost()
	for _, p := range d.Presets {
		state, task := demotest.Run(t, d, p.State)
		var settings []string
		for i := range d.Knobs {
			settings = append(settings, state.Values.Text(i))
		}
		r := task.(*taskRun)
		// Attempts for a success are one over their share; the ratio stands in the last row, rounded less.
		for _, says := range demotest.Unopened(task, settings, text.Num(1/r.task.SuccessFrac, 3), text.Num(r.ratio(), 2)) {
			assert.Fail(t, says, p.State)
		}
	}
}
