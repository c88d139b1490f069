package sizing

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// Every number of a shown plan opens: equations name their source, their error and
// where each term is from, and every row of a ranking opens to as much.
func TestEveryNumberOpens(t *testing.T) {
	links := []string{"b_gpu=h200-sxm&b_kv=fp8", "rate2=5&hit2=50&thinking=500&kwh=0.1", "apart=on&ttft=2", "efficiency=measured&gpu=h100-sxm&model=llama-3.1-8b&tp=1", "gpu=own&model=own&own_power=0"}
	for _, p := range capacityPlanner().Presets {
		links = append(links, p.State)
	}
	opens := func(s *demo.Step, where string) {
		assert.NotEmpty(t, s.Source, where)
		assert.NotEmpty(t, s.Error, where)
		assert.NotEmpty(t, s.Formula, where)
		for _, term := range s.Terms {
			assert.NotEmpty(t, term.Value, "%s of %s", term.Symbol, where)
		}
	}
	for _, link := range links {
		task := started(t, "capacity-planner", link+"&plan=shown")
		require.Nil(t, task.(*capacityRun).wrong, link)
		for _, f := range task.Figures() {
			require.False(t, f.Away, "%s of %s", f.ID, link)
			keys := map[string]bool{}
			switch f.ID {
			case "bench", "inputs":
				continue // commands, and settings
			case "chain":
				for i := range f.Steps {
					s := &f.Steps[i]
					assert.False(t, keys[s.Key], "%s stands twice", s.Key)
					keys[s.Key] = true
					if s.Value == "not known" || s.Value == "no price" {
						continue
					}
					opens(s, f.ID+" "+s.Name+" of "+link)
					for _, term := range s.Terms {
						assert.NotEmpty(t, term.From, "%s of %s", term.Symbol, s.Name)
					}
				}
			default:
				assert.NotEmpty(t, f.Ranking.Rows, f.ID)
				for i := range f.Ranking.Rows {
					row := &f.Ranking.Rows[i]
					where := f.ID + " " + row.Label + " of " + link
					if slices.Contains([]string{"none", "not known", "no price"}, row.Cells[0].Text) {
						continue
					}
					if assert.NotNil(t, row.Open, where) {
						assert.NotEmpty(t, row.Says, where)
						assert.False(t, keys[row.Open.Key], where)
						keys[row.Open.Key] = true
						opens(row.Open, where)
					}
				}
			}
		}
	}
}

// What nobody has named a price for costs nothing nowhere: it has no price.
func TestNoPriceIsNotZero(t *testing.T) {
	for _, link := range []string{"gpu=l4&model=llama-3.1-8b&tp=1", "gpu=mi355x", "gpu=own&own_power=0", "gpu=l4&model=llama-3.1-8b&tp=1&b_gpu=h200-sxm"} {
		task := started(t, "capacity-planner", link+"&plan=shown").(*capacityRun)
		require.Nil(t, task.wrong, link)
		require.False(t, task.a.priced, link)
		said := fmt.Sprintf("%+v %+v %+v", task.Figures(), task.Summary(), task.Records())
		for f := range strings.FieldsSeq(said) {
			assert.NotEqual(t, "$0", strings.Trim(f, ".,:;()[]{}"), link)
			assert.NotEqual(t, "$0/h", strings.Trim(f, ".,:;()[]{}"), link)
		}
		assert.Contains(t, said, "no price", link)
		assert.NotContains(t, said, "Price of a request", link)
	}
}

// Until the reader has guessed, nothing says how many GPUs it takes: no figure, no
// metric, no file.
func TestHidden(t *testing.T) {
	for _, p := range capacityPlanner().Presets {
		d := capacityPlanner()
		s, problems := demo.Parse(d, p.State)
		require.Empty(t, problems)
		task, err := demo.Run(s)
		require.NoError(t, err)
		for _, f := range task.Figures() {
			assert.Equal(t, f.ID != "chain", f.Away, f.ID)
			assert.Empty(t, f.Ranking.Rows)
		}
		for _, step := range task.Figures()[0].Steps {
			assert.NotContains(t, []string{"GPUs", "R", "T", "G", "usd"}, step.Key)
		}
		shown := started(t, "capacity-planner", p.State+"&plan=shown")
		for i, m := range task.Metrics() {
			if !math.IsNaN(m.Value) {
				assert.Contains(t, []string{"weights", "free", "kv_sequence", "seats", "step", "prefill", "sequence", "found"}, m.Name)
				assert.Equal(t, shown.Metrics()[i].Value, m.Value, m.Name)
			}
		}
		for name, file := range map[string]string{"csv": string(demo.CSV(s, task)), "json": string(demo.JSON(s, task)), "text": string(demo.Text(s, task))} {
			assert.Contains(t, file, "the plan is hidden until you have guessed", name)
			for _, part := range []string{"chain", "lever", "benchmark", "replica_seconds,"} {
				assert.NotContains(t, file, "\n"+part, name)
			}
		}
		for _, row := range task.Records().Rows {
			assert.Equal(t, "input", row[0].Text)
		}
		a := figure(t, shown, "bill").Ranking.Rows[0].Cells[0].Text
		assert.NotContains(t, task.Summary().String(), "take "+a+" GPU")
	}
}

// The same number everywhere: metrics, equations, the bill of plan A and of plan
// B, the file.
func TestNumbersAgree(t *testing.T) {
	const link = "plan=shown&thinking=300&turns=4&success=60&kwh=0.1&pue=1.2&b_gpu=h200-sxm&b_weights=bf16&b_drafts=4"
	task := started(t, "capacity-planner", link)
	r := task.(*capacityRun)
	metric := func(name string) float64 {
		m, ok := demo.MetricNamed(task, name)
		require.True(t, ok, name)
		require.False(t, math.IsNaN(m.Value), name)
		return m.Value
	}
	record := func(part, symbol string) float64 {
		for _, row := range task.Records().Rows {
			if row[0].Text == part && row[1].Text == symbol {
				return row[3].Num
			}
		}
		require.Fail(t, "no "+symbol+" of "+part)
		return 0
	}
	billed := map[string][]demo.RankCell{}
	for _, row := range figure(t, task, "bill").Ranking.Rows {
		billed[row.Label] = row.Cells
	}
	for _, c := range []struct {
		metric, part, symbol, label string
		scale                       float64
		shown                       func(float64) string
	}{
		{"gpus", "chain", "GPUs", "GPUs", 1, func(x float64) string { return text.Whole(int(x)) }},
		{"gpus_real", "chain", "G", "GPUs, as a real number", 1, func(x float64) string { return text.Num(x, 3) }},
		{"tpot", "chain", "TPOT", "Time per token, full", 1000, text.Seconds},
		{"first", "chain", "first", "First token, no wait", 1000, text.Seconds},
		{"gap", "chain", "gap", "Longest gap of tokens", 1000, text.Seconds},
		{"usd_hour", "chain", "usd", "An hour", 1, text.USD},
		{"usd_input", "chain", "input", "A million input tokens", 1, text.USD},
		{"usd_output", "chain", "output", "A million output tokens", 1, text.USD},
		{"usd_output_all", "chain", "outputAll", "The same, input free", 1, text.USD},
		{"usd_read", "chain", "shown", "The same, of those that are read", 1, text.USD},
		{"usd_request", "chain", "request", "A request", 1, text.USD},
		{"usd_task", "task", "task", "A task, tried", 1, text.USD},
		{"usd_solved", "task", "solved", "A task, solved", 1, text.USD},
		{"kilowatts", "power", "power", "Power, at most", 1e-3, watts},
		{"kwh_output", "power", "energy", "Energy of a million output tokens", 1, func(x float64) string { return text.Num(x, 3) + " kWh" }},
	} {
		value := record(c.part, c.symbol)
		assert.InEpsilon(t, metric(c.metric), value*c.scale, 1e-12, c.metric)
		assert.Equal(t, c.shown(value), billed[c.label][0].Text, c.label)
		if c.part == "chain" {
			assert.Equal(t, c.shown(record("plan B", c.symbol)), billed[c.label][1].Text, c.label)
		}
	}
	assert.Equal(t, metric("b_gpus"), record("plan B", "GPUs"))
	assert.Equal(t, metric("b_usd_hour"), record("plan B", "usd"))
	assert.Equal(t, metric("bench_rate"), record("benchmark", ""))
	assert.Equal(t, text.USD(metric("b_usd_solved")), billed["A task, solved"][1].Text)
	direct, err := planner.Evaluate(r.a.workload, r.a.deployment, r.a.objective)
	require.NoError(t, err)
	assert.Equal(t, float64(direct.GPUs), metric("gpus"))

	d := capacityPlanner()
	s, _ := demo.Parse(d, link)
	for _, m := range task.Metrics() {
		if !math.IsNaN(m.Value) {
			assert.Contains(t, string(demo.JSON(s, task)), `"name":"`+m.Name+`"`)
			assert.Contains(t, string(demo.Text(s, task)), m.Name)
		}
	}
	assert.Contains(t, string(demo.CSV(s, task)), "chain,GPUs,GPUs,"+strconv.Itoa(direct.GPUs)+",GPUs,")
}

// Paper has every input that counts, with its value, and every assumption.
func TestPaper(t *testing.T) {
	task := started(t, "capacity-planner", "plan=shown&rate=40&efficiency=own&mfu=45")
	f := figure(t, task, "inputs")
	assert.True(t, f.Paper)
	seen := map[string]string{}
	for _, s := range f.Steps {
		seen[s.Key] = s.Value
		assert.Equal(t, s.Key == "rate" || s.Key == "efficiency" || s.Key == "mfu", s.Strong, s.Key)
	}
	assert.Equal(t, "40 /s", seen["rate"])
	assert.Equal(t, "45%", seen["mfu"])
	assert.Equal(t, "H100 SXM", seen["gpu"])
	for _, absent := range []string{"own_memory", "layers", "prompt2", "guess", "plan", "b_gpu", "accepted", "attempts"} {
		assert.NotContains(t, seen, absent)
	}
	for _, a := range planner.Assumptions() {
		assert.Contains(t, strings.Join(f.Notes, " "), a.Text)
	}
}

// What is refused before there is any equation shows what was asked for in the place of
// the equations: the page never is a sentence beside nothing.
func TestRefusedShowsWhatWasAsked(t *testing.T) {
	for _, link := range []string{"model=deepseek-r1&tp=1", "plan=shown&model=deepseek-r1&tp=1", "plan=shown&model=own&heads=64&kv_heads=7"} {
		task := started(t, "capacity-planner", link)
		assert.True(t, figure(t, task, "chain").Away, link)
		f := figure(t, task, "inputs")
		assert.False(t, f.Away, link)
		seen := map[string]bool{}
		for _, s := range f.Steps {
			seen[s.Key] = s.Strong
		}
		assert.True(t, seen["model"], link)
		assert.Contains(t, seen, "rate", link)
	}
	for _, link := range []string{"", "plan=shown&tpot=5"} { // there are equations
		task := started(t, "capacity-planner", link)
		assert.False(t, figure(t, task, "chain").Away, link)
		assert.True(t, figure(t, task, "inputs").Away, link)
	}
}
