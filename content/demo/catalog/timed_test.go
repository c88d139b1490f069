package catalog

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/draw"
)

// Laws of runs that have a clock: a time looks the same however one comes to it,
// the last one is the whole run, and nothing but what is shown depends on it.
func TestTimed(t *testing.T) {
	count := 0
	for _, d := range All() {
		links := []string{""}
		if len(d.Presets) > 0 {
			links = append(links, d.Presets[0].State)
		}
		for _, link := range links {
			s, problems := demo.Parse(d, link)
			require.Empty(t, problems, d.ID)
			task, err := demo.Start(s)
			require.NoError(t, err, d.ID)
			if timed, ok := task.(demo.Timed); ok {
				count++
				demo.Finish(task)
				keepsTime(t, s, timed)
			}
		}
	}
	assert.Positive(t, count, "no demo has a clock")
}

func keepsTime(t *testing.T, s demo.State, task demo.Timed) {
	t.Helper()
	c := task.Clock()
	require.Less(t, c.From, c.To, s.Demo.ID)
	require.Positive(t, c.Step, s.Demo.ID)
	require.NotEmpty(t, c.Unit, s.Demo.ID)
	shown := func(s demo.State) (string, []float64) {
		require.Nil(t, demo.Stand(s, task), s.String())
		doc, nums := draw.Frame(s, task)
		return string(doc), nums
	}
	at := func(share float64) demo.State {
		s.At, s.HasAt = c.From+float64(share*(c.To-c.From)), true
		return s
	}
	whole, wholeNums := shown(demo.State{Demo: s.Demo, Values: s.Values, Seed: s.Seed, Theme: s.Theme})
	files := string(demo.CSV(s, task))
	metrics := fmt.Sprint(task.Metrics())
	figures := task.Figures()
	middle, nums := shown(at(0.5))
	assert.NotEqual(t, whole, middle, "%s looks the same in the middle of its run", s.Demo.ID)
	for _, share := range []float64{0, 1, 0.25, 0.9} {
		shown(at(share))
		sameShape(t, s.Demo.ID, figures, task.Figures())
	}
	again, numsAgain := shown(at(0.5))
	assert.Equal(t, middle, again, s.Demo.ID)
	assert.Equal(t, len(nums), len(numsAgain), s.Demo.ID)
	if scenic, ok := task.(demo.Scenic); ok {
		first := scenic.Room(nil)
		shown(at(1))
		shown(at(0.5))
		assert.Equal(t, first, scenic.Room(nil), s.Demo.ID)
	}
	s.HasAt, s.At = false, 0
	last, lastNums := shown(s)
	assert.Equal(t, whole, last, s.Demo.ID)
	assert.Equal(t, len(wholeNums), len(lastNums), s.Demo.ID)
	shown(at(0.5))
	s.HasAt, s.At = false, 0
	assert.Equal(t, files, string(demo.CSV(s, task)), "%s: the file depends on the time", s.Demo.ID)
	assert.Equal(t, metrics, fmt.Sprint(task.Metrics()), s.Demo.ID)
}

// sameShape compares what must not move while a run is played.
func sameShape(t *testing.T, id string, want, got []demo.Figure) {
	t.Helper()
	require.Len(t, got, len(want), id)
	for i, w := range want {
		g := got[i]
		assert.Equal(t, []any{w.ID, w.Kind, w.X, w.Y, w.Beside}, []any{g.ID, g.Kind, g.X, g.Y, g.Beside}, "%s: figure %s", id, w.ID)
		require.Len(t, g.Series, len(w.Series), "%s: figure %s", id, w.ID)
		for k, s := range w.Series {
			assert.Equal(t, s.ID, g.Series[k].ID, "%s: figure %s", id, w.ID)
			assert.Equal(t, s.Lo == nil, g.Series[k].Lo == nil, "%s: figure %s", id, w.ID)
		}
	}
}
