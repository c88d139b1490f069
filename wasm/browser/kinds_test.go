package browser

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demotest"
)

// What is looked at on the pages of some demos holds for all only if these have
// every kind of thing that a page can show and let a reader do.

// TestTellingDemosHaveEveryKind: a kind that a demo brings, such as a control, a
// figure, a bet or a clock, is on a page that is looked at closely.
func TestTellingDemosHaveEveryKind(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, telling := range []bool{true, false} {
		for _, d := range catalog.All() {
			if isTelling(d) != telling {
				continue
			}
			for _, kind := range kinds(t, d) {
				assert.True(t, telling || seen[kind], "%s has %s, which no demo has that is looked at closely: name it in telling", d.ID, kind)
				seen[kind] = true
			}
		}
	}
}

func isTelling(d *demo.Demo) bool { return telling(embedPage(d.ID)) }

// kinds are what the glue treats apart from the rest in a demo.
func kinds(t *testing.T, d *demo.Demo) (list []string) {
	has := func(yes bool, kind string) {
		if yes {
			list = append(list, kind)
		}
	}
	for _, k := range d.Knobs {
		has(true, "a knob that is "+kindOfKnob(k))
	}
	task := run(t, demotest.Light(d))
	for _, f := range task.Figures() {
		has(true, fmt.Sprintf("a figure of kind %d, beside another: %t", f.Kind, f.Beside))
		has(len(f.Steps) > 0, "steps")
		has(len(f.Pages) > 0, "links to pages")
		for _, s := range f.Series {
			has(s.Lo != nil, "intervals")
		}
		for _, m := range f.Marks {
			has(m.Knob != "", "a mark to drag")
		}
	}
	_, timed := task.(demo.Timed)
	_, scenic := task.(demo.Scenic)
	has(timed, "a clock")
	has(scenic, "an engine room")
	has(d.Bet != nil, "a bet")
	has(len(d.Groups) > 0, "groups of knobs")
	return list
}

// kindOfKnob is what a page makes of a knob.
func kindOfKnob(k demo.Knob) string {
	switch {
	case k.Writing != nil:
		return "a box for text"
	case !k.Choice():
		return "a slider"
	case len(k.Options) == 2 && (k.Options[0].Name == "off" || k.Options[0].Name == "hidden"):
		return k.Options[0].Name + " or not"
	}
	return fmt.Sprintf("a choice of more than two: %t", len(k.Options) > 2)
}
