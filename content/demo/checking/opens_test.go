package checking

import (
	"testing"

	"openloop/content/demo/sizing"
	"openloop/content/demo/text"
	"openloop/content/demotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoNumberStandsAlone: whatever plan-check says in a table or a sentence opens to
// the runs that it is made of, or to the plan's formula with its values, with a source
// and an error; or it is a setting or a number of the kept table in the chapter.
func TestNoNumberStandsAlone(t *testing.T) {
	for _, link := range []string{"v=1&more=-2&search=on&runs=2", "v=1&fleet=offline-batch&load=150&runs=2", own("v=1&apart=on&chunk=0&efficiency=measured") + "&runs=2"} {
		d := planCheck()
		state, task := demotest.Run(t, d, link)
		r := task.(*checkRun)
		require.Empty(t, r.wrong, link)
		settings := []string{r.size(), text.Percent(r.load, 3), r.foundText(), r.fleet.steps(&r.plan)}
		for i := range d.Knobs {
			if d.Knobs[i].Name != sizing.OwnKnob {
				settings = append(settings, state.Values.Text(i))
			}
		}
		b, _ := r.kept()
		for _, says := range demotest.Unopened(task, settings, "95 99", text.Whole(mostExplained), text.Whole(b.Runs), text.Whole(b.Kept), "1", "5", r.verdicts()) {
			assert.Fail(t, says, link)
		}
	}
}
