package catalog

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demotest"
)

var update = flag.Bool("update", false, "write the golden CSV of every demo anew")

// zeroMeans finds a setting whose 0 is no amount, by its own words.
var zeroMeans = regexp.MustCompile(`\b0 (is|are|for|if|leaves|promises|means)\b`)

func TestCatalog(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range All() {
		assert.Empty(t, d.Check(), d.ID)
		assert.False(t, seen[d.ID], "%s is there twice", d.ID)
		seen[d.ID] = true
		assert.NotEmpty(t, d.Equations, d.ID)
		assert.True(t, len(d.Presets) >= 2 && len(d.Presets) <= 8, "%s has %d presets", d.ID, len(d.Presets))
		shown := 0
		for _, k := range d.Knobs {
			if zeroMeans.MatchString(k.Doc) {
				assert.NotEmpty(t, k.Zero, "%s: %s says what 0 stands for, and shows 0", d.ID, k.Name)
			}
			if !k.More && k.Group == "" {
				shown++
			}
		}
		for _, g := range d.Groups {
			if g.Open {
				assert.LessOrEqual(t, inGroup(d, g.Title), 3, "%s: %s shows too many knobs", d.ID, g.Title)
			}
			assert.Positive(t, inGroup(d, g.Title), "%s: %s is empty", d.ID, g.Title)
		}
		assert.LessOrEqual(t, shown, 4, "%s shows too many knobs", d.ID)
	}
	_, ok := Find("no-such-demo")
	assert.False(t, ok)
	All()[0] = nil // a copy: the catalog does not change
	assert.NotNil(t, All()[0])
}

func inGroup(d *demo.Demo, title string) (n int) {
	for _, k := range d.Knobs {
		if k.Group == title {
			n++
		}
	}
	return n
}

// states are the links of a demo that its page offers.
func states(d *demo.Demo) []string {
	links := []string{""}
	for _, p := range d.Presets {
		links = append(links, p.State)
	}
	if d.Bet != nil && !slices.Contains(links, d.Bet.Reveal) {
		links = append(links, d.Bet.Reveal)
	}
	return links
}

// farSeed is another seed than a demo's first, and the largest.
const farSeed = "seed=4294967295"

// kept has the runs that several tests read.
var kept = map[string]demo.Task{}

// keep is a finished run of the first state of a demo, or of that with the far
// seed, made once for all tests. Nobody may change it: who moves its clock, or uses
// it again for other settings, makes a run of their own.
func keep(t *testing.T, d *demo.Demo, link string) (demo.State, demo.Task) {
	t.Helper()
	key := d.ID + "#" + link
	if task, ok := kept[key]; ok {
		s, _ := demo.Parse(d, link)
		return s, task
	}
	s, task := demotest.Run(t, d, link)
	kept[key] = task
	return s, task
}

// goOn is the run of the next state that a test looks at: in the long test a new
// one, otherwise made from the last one where that can be used again, as on a page.
func goOn(t *testing.T, last demo.Task, d *demo.Demo, link string) demo.Task {
	t.Helper()
	s, problems := demo.Parse(d, link)
	require.Empty(t, problems, link)
	if demotest.Long() {
		last = nil
	}
	task, err := demo.StartFrom(last, s)
	require.NoError(t, err, link)
	demo.Finish(task)
	require.InDelta(t, 1, task.Progress(), 0, link)
	return task
}

// Every state of a demo fills the same slots, so that the browser can patch
// numbers into a chart that is there.
func TestEveryState(t *testing.T) {
	for _, d := range All() {
		t.Run(d.ID, func(t *testing.T) {
			_, task := keep(t, d, "")
			require.False(t, task.Figures()[0].Beside, "beside what?")
			want := slots(task.Figures())
			names := metricNames(task)
			for _, name := range names {
				require.False(t, name == "seed" || name == "problem" || strings.HasPrefix(name, "set_"), "%s is a column of every sweep", name)
			}
			var last demo.Task
			for _, link := range append(states(d), farSeed) {
				if link == "" || link == farSeed {
					_, task = keep(t, d, link)
				} else {
					last = goOn(t, last, d, link)
					task = last
				}
				require.Equal(t, want, slots(task.Figures()), link)
				require.Equal(t, names, metricNames(task), link)
				says := task.Summary().String()
				require.NotEmpty(t, says, link)
				require.Equal(t, strings.TrimSpace(says), says, "a blank at an end: %s", link)
				require.NotEmpty(t, task.Records().Rows, link)
				if d.Bet != nil && link == d.Bet.Reveal {
					checkBet(t, d, task)
				}
				for _, f := range task.Figures() {
					checkFigure(t, f, link)
					checkHandles(t, d, f, link)
				}
			}
		})
	}
}

// checkBet: the numbers that decide a bet are there to be read beside its answer.
func checkBet(t *testing.T, d *demo.Demo, task demo.Task) {
	t.Helper()
	right := d.Bet.Answer(task)
	require.True(t, right >= 0 && right < len(d.Bet.Options), d.ID)
	for _, name := range d.Bet.By {
		m, ok := demo.MetricNamed(task, name)
		require.True(t, ok, "%s: no metric is called %s", d.ID, name)
		require.False(t, math.IsNaN(m.Value), "%s: %s is not a number where the bet is decided", d.ID, name)
		require.Regexp(t, `: .*\d`, m.Says(), d.ID)
	}
}

// slots is what a figure has in every state. The rows of words are no slots: they are
// written anew with each, and there is one for each request that comes.
func slots(figures []demo.Figure) (out [][]string) {
	for _, f := range figures {
		ids := []string{f.ID}
		if f.Beside {
			ids = append(ids, "beside")
		}
		for _, s := range f.Series {
			ids = append(ids, s.ID)
			if s.Lo != nil {
				ids = append(ids, "interval")
			}
		}
		out = append(out, ids)
	}
	return out
}

func metricNames(t demo.Task) (names []string) {
	for _, m := range t.Metrics() {
		names = append(names, m.Name)
	}
	return names
}

func checkFigure(t *testing.T, f demo.Figure, link string) {
	t.Helper()
	where := f.ID + " of " + link
	require.NotEmpty(t, f.Title, where)
	require.Regexp(t, `\d`, f.Alt, "%s: the alternative text has no number", where)
	require.NotEmpty(t, f.Table.Caption, where)
	require.True(t, len(f.Table.Rows) >= 1 && len(f.Table.Rows) <= 20, "%s: table of %d rows", where, len(f.Table.Rows))
	for _, row := range f.Table.Rows {
		require.Len(t, row, len(f.Table.Columns), where)
		for _, c := range row {
			finite(t, c.Num, where)
		}
	}
	if f.Kind == demo.Strips {
		rows := map[string]bool{}
		for _, s := range f.Strips {
			require.Len(t, s.Cells, len(f.Strips[0].Cells), "%s: %s", where, s.Label)
			rows[s.Label] = true
		}
		require.Len(t, rows, len(f.Strips), "%s: two rows of one name", where)
		require.NotEmpty(t, rows, where)
	}
	if f.Kind == demo.Chart {
		require.NotEmpty(t, f.X.Label, where)
		require.NotEmpty(t, f.Y.Label, where)
	}
	for _, s := range f.Series {
		require.Len(t, s.Y, len(s.X), where)
		for i := range s.X {
			finite(t, s.X[i], where)
			finite(t, s.Y[i], where)
			require.False(t, f.Y.Log && s.Y[i] <= 0, "%s: %v on a log axis", where, s.Y[i])
		}
		if s.Lo != nil {
			require.Len(t, s.Lo, len(s.Y), where)
			require.Len(t, s.Hi, len(s.Y), where)
			for i := range s.Lo {
				require.True(t, s.Lo[i] <= s.Y[i]+1e-9 && s.Y[i] <= s.Hi[i]+1e-9, "%s: %v not in %v..%v", where, s.Y[i], s.Lo[i], s.Hi[i])
			}
		}
	}
	for _, m := range f.Marks {
		finite(t, m.At, where)
	}
}

// checkHandles: a mark that moves a knob stands at its value.
func checkHandles(t *testing.T, d *demo.Demo, f demo.Figure, link string) {
	t.Helper()
	for _, m := range f.Marks {
		if m.Knob == "" {
			continue
		}
		i := d.Index(m.Knob)
		require.True(t, i >= 0 && !d.Knobs[i].Choice(), "%s: mark %q moves no number", f.ID, m.Label)
		s, _ := demo.Parse(d, link)
		require.InDelta(t, s.Values.At(i), m.At, 0, "%s: mark %q is not at the value of %s", f.ID, m.Label, m.Knob)
	}
}

func finite(t *testing.T, x float64, where string) {
	t.Helper()
	require.False(t, math.IsNaN(x) || math.IsInf(x, 0), where)
}

// A run is the same whether it is stepped in crumbs or at once, and progress
// never goes back: the first run of a demo in the long test, otherwise its lightest.
func TestSmallSteps(t *testing.T) {
	for _, d := range All() {
		s := demotest.Lightest(d)
		whole, err := demo.Run(s)
		require.NoError(t, err)
		task, err := demo.Start(s)
		require.NoError(t, err)
		last := task.Progress()
		for !task.Step(1) {
			p := task.Progress()
			require.True(t, p >= last && p <= 1, "%s: progress from %v to %v", d.ID, last, p)
			last = p
		}
		require.Equal(t, demo.CSV(s, whole), demo.CSV(s, task), d.ID)
		require.True(t, task.Step(1), "%s: a step after the end", d.ID)
	}
}

// A run that is used again gives what a new one gives, for every knob that it
// takes and in every order: at one end of the knob and, in the long test, at three
// values of it.
func TestReuse(t *testing.T) {
	reused := 0
	for _, d := range All() {
		s := demotest.Lightest(d)
		task, err := demo.Run(s)
		require.NoError(t, err)
		if _, ok := task.(demo.Reusable); !ok {
			continue
		}
		for i, k := range d.Knobs {
			values := []float64{k.Max, (k.Min + k.Max) / 2, k.Default}
			if next, ok := demo.ValueAt(k, 1); !demotest.Long() && k.Min != k.Default && s.Values.At(i) == k.Min && ok {
				values = []float64{next} // there already
			} else if !demotest.Long() && k.Min != k.Default {
				values = []float64{k.Min}
			}
			for _, at := range values {
				changed, p := s.Set(k.Name, k.Text(at))
				if p != nil {
					continue // the middle of a choice
				}
				again, ok := task.(demo.Reusable).Reuse(changed.Values, changed.Seed)
				if !ok {
					continue
				}
				demo.Finish(again)
				reused++
				fresh, err := demo.Run(changed)
				require.NoError(t, err)
				sameTask(t, changed, fresh, again)
				task = again
			}
		}
		other, p := s.Set("seed", "8")
		require.Nil(t, p)
		if again, ok := task.(demo.Reusable).Reuse(other.Values, other.Seed); ok {
			demo.Finish(again)
			fresh, err := demo.Run(other)
			require.NoError(t, err)
			sameTask(t, other, fresh, again)
		}
	}
	require.Positive(t, reused)
}

// sameTask compares all that is shown of two finished tasks, as text, since a number
// that is missing does not equal itself.
func sameTask(t *testing.T, s demo.State, want, got demo.Task) {
	t.Helper()
	require.Equal(t, demo.JSON(s, want), demo.JSON(s, got), s.String())
	require.Equal(t, fmt.Sprint(want.Figures()), fmt.Sprint(got.Figures()), s.String())
}

// The same bytes natively and as js/wasm: this test runs on both.
func TestGoldenCSV(t *testing.T) {
	for _, d := range All() {
		s, task := keep(t, d, "")
		got := demo.CSV(s, task)
		path := filepath.Join("testdata", "golden", d.ID+".csv")
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, got, 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), path)
	}
}

func BenchmarkDefault(b *testing.B) {
	for _, d := range All() {
		b.Run(d.ID, func(b *testing.B) {
			for range b.N {
				if _, err := demo.Run(demo.NewState(d)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Links that were published once. Old links are tests for ever: lines are
// added, never changed.
func TestOldLinks(t *testing.T) {
	raw, err := os.ReadFile("testdata/links.txt")
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(raw)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		require.Len(t, fields, 3, "a line is: demo link canonical")
		s, problems := demo.Parse(demotest.Find(t, All(), fields[0]), fields[1])
		assert.Equal(t, fields[2], s.String())
		assert.Empty(t, problems, fields[1])
		n++
	}
	assert.Positive(t, n)
}
