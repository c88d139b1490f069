package demo

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/text"
)

// scribe is a demo with a number, a text that links carry and one that they do
// not.
var scribe = &Demo{
	ID: "scribe", Version: 1, Title: "Scribe", Lead: "Write.", Limits: "None.",
	Groups: []Group{{Title: "All"}},
	Knobs: []Knob{
		{Name: "size", Label: "Size", Doc: "How large.", Default: 1, Max: 9, Group: "All"},
		{Name: "line", Label: "Line", Doc: "What.", Writing: &Writing{Default: "a b", Max: 2000, Lines: 3}, Group: "All"},
		{Name: "log", Label: "Log", Doc: "A long one.", Writing: &Writing{Max: 200_000, Lines: 9, Loose: true}},
	},
	Start: func(Values, uint32) (Task, error) { return nil, nil },
}

func TestWritingInLinks(t *testing.T) {
	require.Empty(t, scribe.Check())
	for _, c := range []struct {
		name, link, want, line string
		problems               []string
	}{
		{"default", "", "v=1&seed=7", "a b", nil},
		{"its default written out", "line=a%20b", "v=1&seed=7", "a b", nil},
		{"empty", "line=", "v=1&seed=7&line=", "", nil},
		{"markup and quotes", "line=%3Cb%3E%26%22'", "v=1&seed=7&line=%3Cb%3E%26%22%27", `<b>&"'`, nil},
		{"a minus sign stays what it is", "line=%E2%88%92%E2%88%92rate", "v=1&seed=7&line=%E2%88%92%E2%88%92rate", "−−rate", nil},
		{"line ends and blanks around", "line=%0D%0A a%0D%0Ab%0Dc ", "v=1&seed=7&line=a%0Ab%0Ac", "a\nb\nc", nil},
		{"no UTF-8", "line=%FF", "v=1&seed=7", "a b", []string{`line: "\xff" is not UTF-8; legal: text of at most 2000 bytes`}},
		{"too long", "line=" + strings.Repeat("x", 2001), "v=1&seed=7", "a b", []string{`line: "` + strings.Repeat("x", 40) + `…" is too long; legal: text of at most 2000 bytes`}},
		{"loose", "log=short&size=2", "v=1&seed=7&size=2", "a b", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, problems := Parse(scribe, c.link)
			assert.Equal(t, c.want, s.String())
			assert.Equal(t, c.line, s.Values.Written("line"))
			assert.Equal(t, c.problems, sentences(problems))
		})
	}
}

// The longest text, all of it escaped, still has a link; what does not fit is
// refused or dropped, never cut.
func TestWritingAtTheCap(t *testing.T) {
	longest := strings.Repeat("#", 2000)
	s, p := NewState(scribe).Set("line", longest)
	require.Nil(t, p)
	again, problems := Parse(scribe, s.String())
	require.Empty(t, problems)
	assert.Equal(t, longest, again.Values.Written("line"))

	full, problems := Parse(scribe, "x="+strings.Repeat("y", 4000))
	require.Empty(t, problems)
	same, p := full.Set("line", longest)
	require.NotNil(t, p)
	assert.Equal(t, text.TooLong, p.Kind)
	assert.Equal(t, full, same)

	crowded, problems := Parse(scribe, "hide="+strings.Repeat("name"+strings.Repeat("z", 55)+",", 1)+manyNames()+"&line="+strings.Repeat("!", 2000))
	require.NotEmpty(t, problems)
	assert.Equal(t, "a b", crowded.Values.Written("line"))
	assert.LessOrEqual(t, len(crowded.String()), MaxLink)
}

// manyNames is as much as hide takes.
func manyNames() string {
	var b strings.Builder
	for i := range 62 {
		b.WriteString("n" + text.Whole(100+i) + strings.Repeat("q", 55) + ",")
	}
	return b.String()
}

func TestLooseText(t *testing.T) {
	s, p := NewState(scribe).Set("log", "one\r\ntwo")
	require.Nil(t, p)
	assert.Equal(t, "one\ntwo", s.Values.Written("log"))
	assert.Equal(t, "v=1&seed=7", s.String())
	assert.False(t, s.SameRun(NewState(scribe)), "another text is another run")
	back, _ := Parse(scribe, "size=3")
	kept := back.WithLoose(s)
	assert.Equal(t, "one\ntwo", kept.Values.Written("log"))
	assert.InDelta(t, 3, kept.Values.Num("size"), 0)
	assert.Empty(t, back.Values.Written("log"), "WithLoose changed the state it was called on")
	hash := fnv.New64a()
	_, err := hash.Write([]byte("one\ntwo"))
	require.NoError(t, err)
	assert.Equal(t, []Pair{{"log", fmt.Sprintf("7 bytes, FNV-1a %016x", hash.Sum64())}}, s.loose())
	assert.Empty(t, back.loose())
	long, p := s.Set("log", strings.Repeat("x", 200_001))
	require.NotNil(t, p)
	assert.Equal(t, s, long)
}

func TestWritingElsewhere(t *testing.T) {
	_, p := ParseSweep(scribe, "line=a,b")
	require.NotNil(t, p)
	assert.Contains(t, p.Error(), "a text stands in the state")
	s, p := NewState(scribe).Set("line", "<i>")
	require.Nil(t, p)
	s, p = s.Set("size", "2")
	require.Nil(t, p)
	assert.Equal(t, "Size 2, Line", s.GroupSays("All"), "what a reader wrote is no setting to be repeated")
	assert.Equal(t, "v=1&seed=7&size=2&line=%3Ci%3E", s.Slide("line", 0).String(), "a text has no positions")
	assert.Panics(t, func() { s.Values.Written("none") })
}

func TestCheckFindsBadWriting(t *testing.T) {
	for name, w := range map[string]Writing{
		"no room":          {Lines: 1},
		"no line":          {Max: 1},
		"beyond links":     {Max: maxWriting + 1, Lines: 1},
		"blanks":           {Default: " a", Max: 9, Lines: 1},
		"default too long": {Default: "abc", Max: 2, Lines: 1},
		"loose default":    {Default: "a", Max: 9, Lines: 1, Loose: true},
	} {
		d := *scribe
		d.Knobs = []Knob{{Name: "a", Label: "A", Doc: "A.", Writing: &w}}
		d.Groups = nil
		assert.NotEmpty(t, d.Check(), name)
	}
	d := *scribe
	d.Knobs = []Knob{{Name: "a", Label: "A", Doc: "A.", Unit: "s", Writing: &Writing{Max: 1, Lines: 1}}}
	assert.NotEmpty(t, d.Check(), "a unit")
}

func FuzzWriting(f *testing.F) {
	f.Add("vllm bench serve --request-rate inf")
	f.Add("\r\n %FF\x00é")
	f.Fuzz(func(t *testing.T, in string) {
		s, p := NewState(scribe).Set("line", in)
		if p != nil {
			require.NotEmpty(t, p.Error())
			require.Equal(t, "v=1&seed=7", s.String())
			return
		}
		again, problems := Parse(scribe, s.String())
		require.Empty(t, problems)
		require.Equal(t, s, again)
	})
}
