package draw

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

type fixed struct{ figures []demo.Figure }

func (f fixed) Step(int) bool          { return true }
func (f fixed) Progress() float64      { return 1 }
func (f fixed) Figures() []demo.Figure { return f.figures }
func (f fixed) Summary() demo.Sentence { return demo.Say("It is ", "<8>", ".") }
func (f fixed) Records() demo.Table    { return demo.Table{} }
func (f fixed) Events() []demo.Event   { return []demo.Event{{At: 2, Says: demo.Say("a ", "b")}} }
func (f fixed) Metrics() []demo.Metric {
	return []demo.Metric{{Name: "x", Label: "X", Unit: "ms", Value: 1234.5678, Digits: 3}, {Name: "none", Value: math.NaN()}}
}

type frameDoc struct {
	State, Say, SayText string
	Problems            []struct{ Key, Text string }
	Metrics             []struct {
		Name, Label, Unit, Text string
		Value                   any
	}
	Events []struct {
		At   float64
		HTML string
	}
	Figures []struct {
		ID, Title, Alt, Kind, HTML, Table, NotesHTML string
		X, Y                                         struct {
			Min, Max    float64
			Label, Unit string
			Names       []string
		}
		Series []struct {
			ID, Name string
			Off, N   int
			Interval bool
		}
		Bands []struct {
			From, To float64
			Label    string
		}
		Marks []struct {
			At          float64
			Level       bool
			Label, Knob string
			Off, N      int
		}
		Notes []string
	}
}

func TestFrame(t *testing.T) {
	d := &demo.Demo{ID: "d", Version: 1}
	s, problems := demo.Parse(d, "hide=table,words,ghost")
	require.Empty(t, problems)
	chart := demo.Figure{ID: "curve", Title: "C & D", Alt: "It <rises>.", X: demo.Axis{Min: 0, Max: 3, Unit: "s", Names: []string{"one"}},
		Series: []demo.Series{
			{ID: "a", Name: "A", X: []float64{1, 2}, Y: []float64{3, math.NaN()}},
			{ID: "empty"},
			{ID: "band", X: []float64{5}, Y: []float64{6}, Lo: []float64{7}, Hi: []float64{8}},
			{ID: "last", X: []float64{9}, Y: []float64{10}},
		},
		Bands: []demo.Band{{From: 1, To: 2, Label: "b"}}, Marks: []demo.Mark{{At: 4, Level: true, Label: "m"}},
		Notes: []string{"a < b"}, Table: sampleTable()}
	out, nums := Frame(s, fixed{[]demo.Figure{chart, sampleBits(), sampleStrips()}})

	var doc frameDoc
	require.NoError(t, json.Unmarshal(out, &doc))
	assert.Equal(t, "v=1&seed=7&hide=table,ghost,words", doc.State)
	assert.Equal(t, "It is <strong>&lt;8&gt;</strong>.", doc.Say)
	assert.Equal(t, "It is <8>.", doc.SayText)
	require.Len(t, doc.Problems, 1)
	assert.Contains(t, doc.Problems[0].Text, `hide: "ghost" is not known here`)
	assert.Equal(t, "1,230 ms", doc.Metrics[0].Text)
	assert.Equal(t, 1234.5678, doc.Metrics[0].Value)
	assert.Equal(t, "NaN", doc.Metrics[1].Value)
	assert.Equal(t, `<span class="event-at">2 s</span> a <strong>b</strong>`, doc.Events[0].HTML)
	assert.Equal(t, "<li>"+doc.Events[0].HTML+"</li>", Events(fixed{}.Events(), chart.X))

	require.Len(t, doc.Figures, 3)
	f := doc.Figures[0]
	assert.Equal(t, "chart", f.Kind)
	assert.Equal(t, "It <rises>.", f.Alt)
	assert.Equal(t, 3.0, f.X.Max)
	assert.Equal(t, []string{"one"}, f.X.Names)
	assert.Equal(t, "b", f.Bands[0].Label)
	assert.True(t, f.Marks[0].Level)
	assert.Equal(t, []string{"a < b"}, f.Notes)
	assert.Equal(t, "<li>a &lt; b</li>", f.NotesHTML)
	assert.Equal(t, Table(sampleTable()), f.Table)
	assert.Equal(t, Bits(sampleBits()), doc.Figures[1].HTML)
	assert.Equal(t, "bits", doc.Figures[1].Kind)
	assert.Equal(t, Strips(sampleStrips()), doc.Figures[2].HTML)
	assert.Equal(t, "strips", doc.Figures[2].Kind)

	// The array is read as a page does, by offset and length.
	require.Len(t, f.Series, 4)
	used := 0
	for i, want := range chart.Series {
		got := f.Series[i]
		assert.Equal(t, want.ID, got.ID)
		assert.Equal(t, used, got.Off)
		assert.Equal(t, len(want.X), got.N)
		at := got.Off
		columns := [][]float64{want.X, want.Y}
		if got.Interval {
			columns = append(columns, want.Lo, want.Hi)
		}
		for _, column := range columns {
			for k, x := range column {
				assert.Equal(t, math.Float64bits(x), math.Float64bits(nums[at+k]))
			}
			at += got.N
		}
		used = at
	}
	assert.Equal(t, used, len(nums))
}

// A mark that moves a knob carries the values at which the slider stops,
// unless the knob is locked.
func TestFrameHandles(t *testing.T) {
	d := &demo.Demo{ID: "d", Version: 1, Knobs: []demo.Knob{{Name: "batch", Label: "B", Doc: "D", Default: 4, Min: 1, Max: 64, Log: true, Step: 2, Whole: true}}}
	chart := demo.Figure{ID: "curve", Series: []demo.Series{{ID: "a", X: []float64{1}, Y: []float64{2}}},
		Marks: []demo.Mark{{At: 4, Knob: "batch"}, {At: 4}, {At: 4, Knob: "other"}}}
	for link, want := range map[string][]float64{"": {1, 2, 4, 8, 16, 32, 64}, "lock=batch": nil} {
		s, problems := demo.Parse(d, link)
		require.Empty(t, problems)
		out, nums := Frame(s, fixed{[]demo.Figure{chart}})
		var doc frameDoc
		require.NoError(t, json.Unmarshal(out, &doc))
		marks := doc.Figures[0].Marks
		require.Len(t, marks, 3)
		assert.Empty(t, marks[1].Knob+marks[2].Knob)
		m := marks[0]
		assert.Equal(t, want != nil, m.Knob == "batch")
		assert.Equal(t, len(want), m.N)
		if want != nil {
			assert.Equal(t, want, nums[m.Off:m.Off+m.N])
		}
	}
}
