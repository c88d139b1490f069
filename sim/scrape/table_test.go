package scrape

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
)

// exposed writes a metric as an engine does: n events or a state of n, with
// every label value that the reader asks for.
func exposed(t *testing.T, name, n string) string {
	t.Helper()
	m, ok := FindMetric(name)
	require.True(t, ok, "the parser does not know %s", name)
	labels := []string{`model_name="m"`}
	switch name {
	case "sglang:realtime_tokens_total":
		labels = []string{`model_name="m",mode="prefill_cache"`, `model_name="m",mode="prefill_compute"`}
	case "vllm:spec_decode_efficiency":
		n = "0.75" // emitted = drafted in these texts: k/(k+1), k = 3
	}
	out := "# TYPE " + name + " " + m.Kind.String() + "\n"
	for _, l := range labels {
		if m.Kind == Histo {
			out += name + `_bucket{` + l + `,le="1.0"} ` + n + "\n" + name + `_bucket{` + l + `,le="+Inf"} ` + n + "\n"
			out += name + `_count{` + l + `} ` + n + "\n" + name + `_sum{` + l + `} ` + n + "\n"
			continue
		}
		out += name + "{" + l + "} " + n + "\n"
	}
	return out
}

// TestTable: every group of names in the table gives its signal, with nothing
// else in the text, and every row is complete.
func TestTable(t *testing.T) {
	rows := map[[2]int]int{}
	for _, row := range Table() {
		rows[[2]int{int(row.Signal), int(row.Engine)}]++
		for _, names := range row.Names {
			first, second := "", ""
			for _, name := range names {
				first += exposed(t, name, "1.0")
				second += exposed(t, name, "4.0")
				if strings.Contains(name, "max_total") {
					second = strings.TrimSuffix(second, "4.0\n") + "8.0\n"
				}
			}
			r := mustRead(t, Input{First: first, Second: second, Seconds: 10})
			assert.Equal(t, row.Engine, r.Engine)
			v := r.Now[row.Signal]
			assert.True(t, v.Known, "%v do not give %s: %v", names, row.Signal.Describe().Name, v.Why)
			assert.Contains(t, v.From, names[0])
			assert.Equal(t, row.Unit, ID(row.Signal).Describe().Unit)
		}
		assert.Contains(t, row.PromQL, row.Names[0][0])
		assert.Equal(t, strings.Count(row.PromQL, "("), strings.Count(row.PromQL, ")"))
		assert.Regexp(t, pools(row), row.PromQL, "%s of %s over several replicas", row.Signal.Describe().Name, row.Engine)
		names := regexp.MustCompile(`(vllm|sglang):\w+(\{[^}]*\})?`)
		assert.Len(t, names.FindAllString(row.PromQL, -1), strings.Count(row.PromQL, "[w]"), "each name over the window")
		assert.NotContains(t, row.PromQL, "by (engine", "a label that is the same in every pod parts nothing")
		logged := row.Signal != sim.TTFTp99 && row.Signal != sim.ITLp99
		assert.Equal(t, logged, row.Log != "", "a log has everything but percentiles: %s", row.Signal.Describe().Name)
		described := row.Signal.Describe()
		assert.Equal(t, described.Unit, row.Unit)
	}
	for id := range sim.NumSignals {
		for _, e := range []Engine{VLLM, SGLang} {
			assert.Equal(t, 1, rows[[2]int{int(id), int(e)}], "%s of %s", id.Describe().Name, e)
		}
	}
}

// pools is what a query begins with to do with several replicas what the
// definition of the signal says. The one gauge of a ratio is no sum of anything:
// its mean is the best that there is.
func pools(row Exposure) string {
	switch row.Signal.Describe().Pooling {
	case sim.Sum:
		return `^sum\(`
	case sim.Worst:
		return `^max\(max_over_time\(`
	case sim.Recompute, sim.UpperMost:
		return `^histogram_quantile\(0\.99, sum by \(le\) \(rate\(`
	}
	if strings.Contains(row.PromQL, "spec_accept_length") {
		return `^avg\(avg_over_time\(`
	}
	return `sum\(rate\(.*\) / sum\(rate\(`
}

// TestMetricsAreComplete: each name once, with its source, and taken by the parser.
func TestMetricsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics() {
		assert.False(t, seen[m.Name], m.Name)
		seen[m.Name] = true
		assert.NotEmpty(t, m.Source)
		assert.True(t, kept(m.Name))
		if m.Engine != Exporter {
			assert.True(t, ours(m.Name))
		}
	}
}

func TestWords(t *testing.T) {
	for w := range numWhys {
		assert.NotEmpty(t, w.String())
	}
	keys := map[string]bool{}
	for id := range NumIDs {
		q := id.Describe()
		assert.NotEmpty(t, q.Definition, id)
		assert.False(t, keys[q.Key] || q.Key == "", q.Key)
		keys[q.Key] = true
	}
	all := Doubts(1<<len(doubtWords) - 1)
	assert.Len(t, all.Words(), len(doubtWords))
	assert.Equal(t, RepeatsCounted, Doubts(1)<<(len(doubtWords)-1), "each doubt has its words")
	for id := range sim.NumSignals {
		assert.Equal(t, id.Describe().Unit, ID(id).Describe().Unit)
	}
}
