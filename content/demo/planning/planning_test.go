package planning

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demotest"
	"openloop/planner/route"
)

// The right options of the bets, from the engine.
func TestBets(t *testing.T) {
	answers := map[string]int{
		"router-frontier": 1, "moving-mix": 2, "cascade": 2, "semantic-cache": 2, "cache-classes": 2, "stack": 2, "batch-tier": 1,
	}
	if demotest.Long() { // simulated: with other crowds, too
		answers["batch-tier&seed=1"], answers["batch-tier&seed=2"] = 1, 1
	}
	demotest.Answers(t, Demos(), answers)
}

// corners are the links with every knob of the list at its ends, all together.
func corners(knobs []demo.Knob) []string {
	links := []string{""}
	for _, k := range knobs {
		ends := []float64{k.Min, k.Max}
		if k.Choice() {
			ends = nil
			for i := range k.Options {
				ends = append(ends, float64(i))
			}
		}
		var more []string
		for _, link := range links {
			for _, x := range ends {
				more = append(more, link+"&"+k.Name+"="+k.Text(x))
			}
		}
		links = more
	}
	return links
}

// Wherever the knobs stand, what is on the screen is numbers and words: a strong
// model that is the cheaper one, a score that tells nothing or everything,
// nothing that repeats, thresholds at either end.
func TestCorners(t *testing.T) {
	for _, d := range Demos() {
		links := corners(d.Knobs)
		if d.ID == "batch-tier" { // simulated: one knob at a time, at a low peak, and at the highest in the long test
			links = nil
			for _, k := range d.Knobs {
				for _, link := range corners([]demo.Knob{k}) {
					if k.Name != "peak" {
						link += "&peak=80"
					}
					if link != "&peak=480" || demotest.Long() {
						links = append(links, link)
					}
				}
			}
		}
		for _, link := range append(links, more(d.ID)...) {
			_, task := demotest.Run(t, d, strings.TrimPrefix(link, "&"))
			onScreen(t, task, d.ID+": "+link)
		}
	}
}

// more are places between the ends at which something is special.
func more(id string) []string {
	switch id {
	case "router-frontier":
		return []string{"strong=0.9&curve=shown", "strong=0.9&curve=shown&workload=equal", "strong=0.9&auc=0.5&curve=shown", "auc=0.5&curve=shown&strong=0.5"}
	case "cascade":
		return []string{"strong=0.9", "strong=0.9&verify=1", "strong=2.7&verify=1.8"}
	case "moving-mix":
		return []string{"strong=0.9", "worth=0.02", "worth=0.0191"}
	}
	return nil
}

// onScreen checks all that a reader sees.
func onScreen(t *testing.T, task demo.Task, where string) {
	t.Helper()
	words := task.Summary().String()
	for _, f := range task.Figures() {
		words += "\n" + f.Title + "\n" + f.Alt + "\n" + strings.Join(f.Notes, "\n")
		for _, m := range f.Marks {
			words += "\n" + m.Label
			number(t, m.At, where)
		}
		for _, s := range f.Series {
			require.Len(t, s.Y, len(s.X), where)
			for i := range s.X {
				number(t, s.X[i], where)
				number(t, s.Y[i], where)
			}
		}
		for _, axis := range []demo.Axis{f.X, f.Y} {
			number(t, axis.Min, where)
			number(t, axis.Max, where)
			require.True(t, axis.Min < axis.Max || axis.Names != nil, "%s: axis %s from %v to %v", where, axis.Label, axis.Min, axis.Max)
		}
		for _, row := range f.Table.Rows {
			for _, c := range row {
				words += "\n" + c.Text
				number(t, c.Num, where)
			}
		}
	}
	for _, bad := range []string{"NaN", "n/a", "∞", "Inf", "−0 ", "-0"} {
		require.NotContains(t, words, bad, where)
	}
	require.NotRegexp(t, nothingMore, words, where)
}

// nothingMore is a difference that is none, told as one.
var nothingMore = regexp.MustCompile(`(^|[^\d.])\$?0( points)? (dearer|cheaper|more right|fewer right|more|less)\b`)

func number(t *testing.T, x float64, where string) {
	t.Helper()
	require.False(t, math.IsNaN(x) || math.IsInf(x, 0), where)
}

// What degenerate inputs must say.
func TestDegenerate(t *testing.T) {
	for _, c := range []struct{ id, link, says string }{
		{"router-frontier", "curve=shown&auc=0.5", "the curve is the coin's line"},
		{"router-frontier", "curve=shown&auc=1", "the curve is the oracle's as far as 17.8%"},
		{"router-frontier", "curve=shown&strong=0.5", "The strong model is the cheaper one"},
		{"router-frontier", "curve=shown&strong=0.5&auc=0.5", "send everything there"},
		{"router-frontier", "curve=shown&strong=0.9", "Both models cost the same"},
		{"router-frontier", "curve=shown&strong=0.9&share=20", ": at the same price and "},
		{"router-frontier", "curve=shown&workload=equal&share=0", "equally good alone"},
		{"router-frontier", "curve=shown&share=100", "the curve bends down"},
		{"cascade", "strong=0.5", "dearer than the strong model alone whatever it escalates"},
		{"cascade", "strong=0.9", "a cascade never pays"},
		{"cascade", "escalate=0", "Nothing is escalated"},
		{"moving-mix", "auc=0.5", "the score tells nothing"},
		{"moving-mix", "auc=1", "exactly those that gain"},
		{"moving-mix", "worth=0.001", "to send none"},
		{"semantic-cache", "repeats=0", "every hit is false"},
		{"semantic-cache", "auc=0.5", "hits are true as often as requests repeat"},
		{"semantic-cache", "auc=1&threshold=5", "every repeat is found"},
		{"cache-classes", "harm=10", "worth it for no class"},
		{"batch-tier", "waits=0&peak=40", "as many as when nothing waits"},
		{"stack", "hits=0&share=100&waits=0", "No part saves anything"},
	} {
		d := demotest.Find(t, Demos(), c.id)
		_, task := demotest.Run(t, d, c.link)
		assert.Contains(t, task.Summary().String(), c.says, c.id+"#"+c.link)
	}
}

// Presets show what they say.
func TestPresets(t *testing.T) {
	metric := func(id, link, name string) float64 {
		_, task := demotest.Run(t, demotest.Find(t, Demos(), id), link)
		return demotest.Metric(t, task, name)
	}
	for _, auc := range []string{"0.6"} { // nearer to the coin than to the oracle
		right, coin, oracle := metric("router-frontier", "curve=shown&auc="+auc, "accuracy"), metric("router-frontier", "auc="+auc, "coin_accuracy"), metric("router-frontier", "", "oracle_accuracy")
		assert.Less(t, right-coin, (oracle-coin)/2)
	}
	assert.Greater(t, metric("router-frontier", "curve=shown&workload=equal&auc=0.7", "top_accuracy"), 75.5)
	assert.Less(t, metric("moving-mix", "threshold=1.15", "wasted"), 1.0)
	assert.Greater(t, metric("moving-mix", "worth=1", "best_share"), metric("moving-mix", "", "sent"))
	assert.Greater(t, metric("cascade", "noise=0", "repaired"), metric("cascade", "", "repaired"))
	assert.Less(t, metric("cascade", "verify=0.5", "cross"), metric("cascade", "", "cross"))
	assert.Greater(t, metric("cascade", "strong=20", "cross"), 95.0)
	assert.Less(t, metric("semantic-cache", "repeats=5", "precision"), 50.0)
	assert.Greater(t, metric("semantic-cache", "threshold=2.5", "precision"), 95.0)
	assert.Greater(t, metric("semantic-cache", "auc=0.99&threshold=2", "precision"), metric("semantic-cache", "threshold=2", "precision"))
	assert.Greater(t, metric("cache-classes", "threshold=3.2", "risky_worth"), 0.0)
	assert.Less(t, metric("cache-classes", "ttl=160", "volatile_worth"), 0.0)
	assert.Less(t, metric("cache-classes", "ttl=0.16", "stable_hits"), metric("cache-classes", "", "stable_hits"))
	assert.Greater(t, metric("stack", "hits=45", "cache_points"), 2*metric("stack", "", "cache_points"))
	assert.Zero(t, metric("stack", "share=100", "way_points"))
}

// The parts of the stack bring the bill from one end to the other, and the last
// one added saves what it saves in this order.
func TestPartsAddUp(t *testing.T) {
	for _, link := range []string{"", "order=last", "hits=45", "way=cascade&strong=2.7", "hits=0", "waits=0&share=80"} {
		_, task := demotest.Run(t, stacked(), link)
		r := task.(*stackRun)
		sum, points := 0.0, 0.0
		for _, p := range r.parts {
			sum += p.order.money
			points += p.order.accuracy
		}
		assert.InDelta(t, r.steps[0].Cost-r.steps[3].Cost, sum, 1e-9, link)
		assert.InDelta(t, r.steps[0].Accuracy-r.steps[3].Accuracy, points, 1e-12, link)
		last := r.parts[r.order[2]]
		assert.InDelta(t, last.order.money, last.last.money, 1e-12, link)
	}
}

// Bars, table, file and sentence of the stack tell of the parts in one order, and
// whoever answered the bet sees what the cache saves where the bars have it last.
func TestStackHasOneOrder(t *testing.T) {
	for link, want := range map[string][]string{
		"":                       {"cache", "router", "batch tier"},
		"way=cascade":            {"cache", "cascade", "batch tier"},
		stacked().Bet.Reveal:     {"router", "batch tier", "cache"},
		"order=last&way=cascade": {"cascade", "batch tier", "cache"},
	} {
		_, task := demotest.Run(t, stacked(), link)
		f, said := task.Figures()[0], task.Summary().String()
		said, _, _ = strings.Cut(said[strings.Index(said, "In the order of the bars"):], "Taken away")
		drawn := 20.0
		for at, name := range want {
			assert.Equal(t, "+ "+name, f.X.Names[at+1], link)
			assert.Equal(t, name, f.Table.Rows[at][0].Text, link)
			saved := usd(drawn - f.Series[0].Y[at+1])
			drawn = f.Series[0].Y[at+1]
			assert.Contains(t, f.Alt, usd(drawn)+" with the "+name, link)
			_, rest, found := strings.Cut(said, "the "+name)
			require.True(t, found, "%s: %q before it", link, said)
			assert.Regexp(t, `^( takes off)? `+regexp.QuoteMeta(saved), rest, link)
			said = rest
		}
	}
}

// What lies below the hull is drawn as such, and only that.
func TestSplitOfTheCurve(t *testing.T) {
	for _, link := range []string{"curve=shown", "curve=shown&strong=0.5", "curve=shown&auc=1", "curve=shown&workload=equal"} {
		_, task := demotest.Run(t, routerFrontier(), link)
		r := task.(*frontierRun)
		beaten := r.beaten()
		for _, p := range beaten[min(1, len(beaten)):] {
			best, ok := r.hull.Accuracy(p.Cost)
			assert.True(t, ok && best >= p.Accuracy, link)
		}
	}
	_, task := demotest.Run(t, routerFrontier(), "curve=shown&auc=0.5")
	assert.Empty(t, task.(*frontierRun).beaten(), "a coin's line is its own hull")
}

// The fewest GPUs were found by failing with one fewer, or there is only one: in
// fleets of some GPUs and, in the long test, in those of the demo's first state.
func TestFewestGPUs(t *testing.T) {
	link := "peak=140"
	if demotest.Long() {
		link = ""
	}
	_, task := demotest.Run(t, batchTier(), link)
	r := task.(*tierRun)
	for _, s := range append(append([]*size(nil), r.sizes...), r.alone) {
		n := s.found.gpus
		assert.True(t, s.found.p99 <= r.limit && s.found.drained)
		if n > 1 {
			fewer := s.tried[n-1]
			require.NotNil(t, fewer)
			assert.False(t, fewer.p99 <= r.limit && fewer.drained, "%v would hold with %d", s.waits, n-1)
		}
	}
}

// Money for prose.
func TestMoney(t *testing.T) {
	assert.Equal(t, "$5.68", usd(5.678))
	assert.Equal(t, "−$3", usd(-3))
	assert.Equal(t, "$0", usd(0))
	assert.Equal(t, "77.8%", percent(0.77818))
	assert.Equal(t, "less than 0.01%", percent(1e-5))
	assert.Equal(t, "2.3 points", points(-0.0234))
	assert.Equal(t, "The two cost the same", ratioText(route.Prices{Weak: 1, Strong: 1}))
}

// A run that reuses the drawn evaluations says what one from the start says.
func TestFrontierReuse(t *testing.T) {
	d := routerFrontier()
	_, first := demotest.Run(t, d, "")
	for _, link := range []string{"curve=shown", "curve=shown&share=20&auc=0.7", "curve=shown&workload=gsm8k&strong=3", "share=90", "curve=shown&auc=1"} {
		state, want := demotest.Run(t, d, link)
		again, ok := first.(demo.Reusable).Reuse(state.Values, state.Seed)
		require.True(t, ok, link)
		assert.Equal(t, want.Figures(), again.Figures(), link)
		assert.Equal(t, want.Metrics(), again.Metrics(), link)
		first = again
	}
	for _, link := range []string{"curve=shown&questions=400", "curve=shown&seed=8"} {
		state, _ := demotest.Run(t, d, link)
		_, ok := first.(demo.Reusable).Reuse(state.Values, state.Seed)
		assert.False(t, ok, link)
	}
}
