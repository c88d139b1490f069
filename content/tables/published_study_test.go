package tables_test

import (
	"fmt"
	"go/format"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"openloop/content/tables"
	"openloop/planner"
)

// What a fit is worth: predictions of what it has not seen, how well each
// parameter is known, and what becomes of the error if something else is assumed.

// choice is a parameter that is not fitted, and what else it could be.
type choice struct {
	name, unit, source string
	other              [2]float64
	at                 func(*planner.Efficiency) *float64
}

var choices = []choice{
	{"BF16 MFU", "", planner.ChosenBF16MFU, [2]float64{0.6, 0.8}, func(e *planner.Efficiency) *float64 { return &e.BF16MFU }},
	{"MBU", "", planner.ChosenMBU, [2]float64{0.7, 0.9}, func(e *planner.Efficiency) *float64 { return &e.MBU }},
	{"MBU of attention in decode", "", "the same; one published slope of an H100 says 0.83 to 0.90", [2]float64{0.6, 0.9}, func(e *planner.Efficiency) *float64 { return &e.Engine.AttentionMBU }},
	{"MFU of attention in prefill", "", planner.ChosenAttentionMFU, [2]float64{0.5, 1}, func(e *planner.Efficiency) *float64 { return &e.Engine.AttentionMFU }},
	{"time added to a step", "s", planner.ChosenStep, [2]float64{0, 0.004}, func(e *planner.Efficiency) *float64 { return &e.Engine.StepSeconds }},
	{"latency of an all-reduce", "s", planner.ChosenLatency, [2]float64{4e-6, 16e-6}, func(e *planner.Efficiency) *float64 { return &e.Engine.LatencySeconds }},
	{"share of memory for weights and KV", "", planner.ChosenMemoryFrac, [2]float64{0.9, 1}, func(e *planner.Efficiency) *float64 { return &e.MemoryFrac }},
}

// form is the equation with something taken out.
type form struct {
	name  string
	drop  func(*planner.Efficiency)
	frees []free
}

var forms = []form{
	{"Arithmetic of decode hidden behind reading, as in a roofline", func(e *planner.Efficiency) { e.Engine.AddCompute = false }, freeDense},
	{"All-reduces cost nothing", func(e *planner.Efficiency) { e.Engine.LinkFrac, e.Engine.LatencySeconds = 0, 0 }, freeDense[:2]},
	{"Attention of prefill as fast as the matrices", func(e *planner.Efficiency) { e.Engine.AttentionMFU = 0 }, freeDense},
	{"All peaks reached, nothing fitted", func(e *planner.Efficiency) {
		*e = planner.Efficiency{BF16MFU: 1, FP8MFU: 1, FP4MFU: 1, MBU: 1, MemoryFrac: 0.95, MaxNumSeqs: 2048, ChunkTokens: 8192}
	}, nil},
}

type studied struct {
	folds   []tables.PublishedFold
	frees   []tables.PublishedFree
	choices []tables.PublishedChoice
	forms   []tables.PublishedForm
	fit     planner.EfficiencyFit
}

func gpuOf(p *pub) string   { return p.gpu.ID }
func modelOf(p *pub) string { return p.model.ID }

// study does all of it at the fitted efficiency.
func study(rows []pub, e planner.Efficiency) studied {
	var s studied
	d, x := of(rows, dense), of(rows, experts)
	s.fit = planner.EfficiencyFit{
		DenseRows: len(d), DenseMAPEFrac: digits(mape(d, e), 3), ExpertRows: len(x), ExpertMAPEFrac: digits(mape(x, e), 3),
		Sources: []string{"published_results", "NVIDIA/TensorRT-LLM, performance overview of v0.17, v1.0 and later"},
	}
	s.fit.DenseLeftOutFrac = s.leaveOut(d, e, dense, freeDense, gpuOf)
	s.fit.ExpertLeftOutFrac = s.leaveOut(x, e, experts, freeExperts, modelOf)
	for _, f := range s.frees {
		s.fit.Free = append(s.fit.Free, f.Name)
	}
	for _, c := range choices {
		out := tables.PublishedChoice{Name: c.name, Unit: c.unit, Value: *c.at(&e), Source: c.source, Other: c.other}
		for i, v := range c.other {
			other := e
			*c.at(&other) = v
			out.MAPE[i] = digits(mape(d, fit(d, other, freeDense)), 3)
		}
		s.choices = append(s.choices, out)
	}
	for _, f := range forms {
		other := e
		f.drop(&other)
		if f.frees != nil {
			other = fit(d, other, f.frees)
		}
		s.forms = append(s.forms, tables.PublishedForm{Without: f.name, MAPE: digits(mape(d, other), 3)})
	}
	return s
}

// leaveOut fits without each name in turn, predicts what was left out, and
// notes how far each parameter moved.
func (s *studied) leaveOut(rows []*pub, e planner.Efficiency, group string, frees []free, name func(*pub) string) float64 {
	var moved []planner.Efficiency
	sum := 0.0
	for _, n := range names(rows, name) {
		train, test := fold(rows, name, n)
		other := fit(train, e, frees)
		moved = append(moved, other)
		off := mape(test, other)
		sum += off * float64(len(test))
		s.folds = append(s.folds, tables.PublishedFold{Group: group, Without: n, Rows: len(test), MAPE: digits(off, 3)})
	}
	for _, f := range frees {
		out := tables.PublishedFree{Name: f.name, Unit: f.unit, Group: group, Value: *f.at(&e), Lo: math.Inf(1)}
		for _, m := range moved {
			out.Lo, out.Hi = min(out.Lo, *f.at(&m)), max(out.Hi, *f.at(&m))
		}
		more := e
		*f.at(&more) *= 1.2
		out.MoreMAPE = digits(mape(rows, more), 3)
		s.frees = append(s.frees, out)
	}
	return digits(sum/float64(len(rows)), 3)
}

// writePublished makes both generated files.
func writePublished(t *testing.T, rows []pub, hashes [][2]string) {
	t.Helper()
	e := fit(of(rows, dense), fixed(), freeDense)
	e = fit(of(rows, experts), e, freeExperts)
	all := made(t, rows, e)
	s := study(rows, e)

	var b strings.Builder
	b.WriteString("// Code generated by TestPublished -update. DO NOT EDIT.\n\npackage tables\n\n")
	b.WriteString("// Made from these files by hash; of the second one only what follows from it is here.\n")
	fmt.Fprintf(&b, "var publishedInputs = %#v\n\n", hashes)
	listed(&b, "published", "PublishedRow", all)
	listed(&b, "publishedGroups", "PublishedGroup", summed(all))
	listed(&b, "publishedFolds", "PublishedFold", s.folds)
	listed(&b, "publishedFrees", "PublishedFree", s.frees)
	listed(&b, "publishedChoices", "PublishedChoice", s.choices)
	listed(&b, "publishedForms", "PublishedForm", s.forms)
	writeSource(t, publishedGenerated, b.String())

	b.Reset()
	b.WriteString("// Code generated by TestPublished -update in content/tables. DO NOT EDIT.\n\npackage planner\n\n")
	fmt.Fprintf(&b, "var published = %s\n\n", literal(e, "planner."))
	fmt.Fprintf(&b, "var publishedFit = %s\n", literal(s.fit, "planner."))
	writeSource(t, efficiencyGenerated, b.String())
}

func writeSource(t *testing.T, name, source string) {
	t.Helper()
	out, err := format.Source([]byte(source))
	require.NoError(t, err, source)
	require.NoError(t, os.WriteFile(name, out, 0o644))
}

// listed writes a slice of structs, one a line.
func listed[T any](b *strings.Builder, name, kind string, all []T) {
	fmt.Fprintf(b, "var %s = []%s{\n", name, kind)
	for _, x := range all {
		_, fields, _ := strings.Cut(literal(x, "tables."), "{")
		fmt.Fprintf(b, "{%s,\n", fields)
	}
	b.WriteString("}\n\n")
}

// literal is a value as source, without the name of its own package.
func literal(x any, own string) string {
	return strings.ReplaceAll(fmt.Sprintf("%#v", x), own, "")
}
