package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/site/internal/cache"
	"openloop/site/internal/fixture"
)

func TestValue(t *testing.T) {
	e := New(fixture.Modules(), cache.Open(""), nil)
	for _, c := range []struct {
		link, metric string
		digits       int
		want         string
	}{
		{"powers", "last", -1, "8"},
		{"powers#v=1&base=3", "last", -1, "27"},
		{"powers#base=10&count=7", "last", 0, "1,000,000"},
		{"powers#seed=12345", "origin", -1, "12,345"},
	} {
		got, err := e.Value(c.link, c.metric, c.digits)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%s %s", c.link, c.metric)
	}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	e := New(fixture.Modules(), cache.Open(""), nil)
	for _, c := range []struct{ link, metric, want string }{
		{"power", "last", `no demo is called "power"; there are powers and plain`},
		{"powers", "first", `demo powers has no metric "first"; there are last, count and origin`},
		{"powers#base=11", "last", "base"},
		{"powers#base=11", "last", "1 to 10"},
		{"powers#speed=1", "last", "speed"},
		{"powers#base=10&count=32", "last", "overflows the picture"},
		{"powers#hide=curv", "last", `hide: "curv" is not known here`},
	} {
		_, err := e.Value(c.link, c.metric, -1)
		assert.ErrorContains(t, err, c.want, "%s %s", c.link, c.metric)
	}
	_, err := New(nil, cache.Open(""), nil).Find("x")
	assert.ErrorContains(t, err, "the catalog is empty")
}

func TestPreset(t *testing.T) {
	s, err := Preset(fixture.Powers(), "Tripling")
	require.NoError(t, err)
	assert.Equal(t, "v=1&seed=7&base=3", s.String())
	_, err = Preset(fixture.Powers(), "Halving")
	assert.ErrorContains(t, err, `no preset "Halving"; there are "Doubling" and "Tripling"`)
	_, err = Preset(fixture.Plain(), "x")
	assert.ErrorContains(t, err, "has no presets")
}

// TestRunsAreKept: by what changes the run, and by nothing else.
func TestRunsAreKept(t *testing.T) {
	store := cache.Open(t.TempDir())
	e := New(fixture.Modules(), store, map[string]string{"curves": "1", "words": "1"})
	run := func(e *Engine, link string) Result {
		s, err := e.Open(link)
		require.NoError(t, err)
		r, err := e.Run(s)
		require.NoError(t, err)
		return r
	}
	first := run(e, "powers#base=3")
	assert.Equal(t, first, run(e, "powers#base=3&hide=bet&theme=dark"))
	assert.Equal(t, 1, store.Made())
	run(e, "powers#base=3&seed=8")
	assert.Equal(t, 2, store.Made())
	run(New(fixture.Modules(), store, map[string]string{"curves": "1", "words": "2"}), "powers#base=3")
	assert.Equal(t, 2, store.Made(), "another module has changed")
	run(New(fixture.Modules(), store, map[string]string{"curves": "2", "words": "2"}), "powers#base=3")
	assert.Equal(t, 3, store.Made(), "another engine")
}

// An interval without points yet is still one: gob alone would lose it.
func TestEmptyIntervals(t *testing.T) {
	none := demo.Series{}
	empty := demo.Series{Lo: []float64{}, Hi: []float64{}}
	full := demo.Series{X: []float64{1}, Y: []float64{1}, Lo: []float64{1}, Hi: []float64{1}}
	figures := []demo.Figure{{Series: []demo.Series{none, full}}, {Series: []demo.Series{full, none, empty}}}
	assert.Equal(t, [][2]int{{1, 2}}, emptyIntervals(figures))
}

func TestModule(t *testing.T) {
	e := New(fixture.Modules(), cache.Open(""), nil)
	assert.Equal(t, "curves", e.Module("powers"))
	assert.Equal(t, "words", e.Module("plain"))
	assert.Empty(t, e.Module("roots"))
}
