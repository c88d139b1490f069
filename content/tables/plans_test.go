package tables_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/tables"
	"openloop/planner"
)

const plansGenerated = "plans.gen.go"

// Seeds of the table, the first of those that the ranking is repeated with, and
// how many sets of seeds the smallest fleet is searched with, that far apart.
const planSeeds, otherSeeds, searchSets = 5, 101, 5

func work(w interface{ Work(int) bool }) {
	for !w.Work(1 << 30) {
	}
}

// planInputs hashes the preset, all that its plan and its levers give, and a
// short run: whatever changes in planner and simulator, they are the same to the
// table as long as these are.
func planInputs(t *testing.T, p planner.Preset) string {
	t.Helper()
	a, err := planner.Ablate(p.Workload, p.Deployment, p.Objective, p.Targets())
	require.NoError(t, err)
	k, err := planner.NewCheck(p.Workload, p.Deployment, p.Objective, planner.CheckOptions{Seeds: 1, Sim: planner.SimOptions{Requests: 100}})
	require.NoError(t, err)
	work(k)
	r, err := k.Result()
	require.NoError(t, err)
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d %d %+v %+v %+v", p.ID, planSeeds, otherSeeds, p.Workload, p.Objective, r.Runs)
	fmt.Fprintf(h, " %v %v %v", r.Plan.Replicas, r.Plan.Step, a.Ranked)
	for _, s := range a.Savings {
		fmt.Fprintf(h, " %v %v %v %v", s.On, s.Without, s.With, s.LastIn)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// planRun makes a row of the table; a quick one searches with fewer sets.
func planRun(t *testing.T, p planner.Preset, sets int) tables.PlanRun {
	t.Helper()
	out := tables.PlanRun{Preset: p.ID, Inputs: planInputs(t, p)}
	k, err := planner.NewCheck(p.Workload, p.Deployment, p.Objective, planner.CheckOptions{Seeds: planSeeds, Explain: true})
	require.NoError(t, err)
	work(k)
	r, err := k.Result()
	require.NoError(t, err)
	fillCheck(&out, &r)
	searched(t, p, &out, sets)
	ranked(t, p, &out)
	return out
}

// fillCheck writes what the check found.
func fillCheck(out *tables.PlanRun, r *planner.CheckResult) {
	out.Replicas, out.GPUs, out.Outcome = r.Plan.Replicas, r.Plan.Replicas*r.Plan.TP, r.Outcome.String()
	out.Runs, out.Kept = len(r.Runs), r.Kept
	for _, x := range r.Promises {
		out.Promises = append(out.Promises, tables.PlanPromise{
			Metric: x.Metric.String(), Limit: x.Limit, Mean: x.Simulated.Mean, Least: x.Simulated.Least, Most: x.Simulated.Most, P99: x.P99.Mean, Kept: x.Kept, Outcome: x.Outcome.String(),
		})
	}
	for _, x := range r.Rows {
		row := tables.PlanRow{Metric: x.Metric.String(), Full: x.Full, Plan: x.Plan, Mean: x.Simulated.Mean, Least: x.Simulated.Least, Most: x.Simulated.Most}
		for _, part := range x.Parts {
			row.Parts = append(row.Parts, tables.PlanPart{Cause: part.Cause.String(), Adds: part.Adds.Mean, Least: part.Adds.Least, Most: part.Adds.Most})
		}
		out.Rows = append(out.Rows, row)
	}
}

func searched(t *testing.T, p planner.Preset, out *tables.PlanRun, sets int) {
	t.Helper()
	out.Monotone = true
	for set := range sets {
		s, err := planner.NewSearch(p.Workload, p.Deployment, p.Objective, planner.SearchOptions{CheckOptions: planner.CheckOptions{Seeds: planSeeds, FirstSeed: uint64(1 + (otherSeeds-1)*set)}})
		require.NoError(t, err)
		work(s)
		r, err := s.Result()
		require.NoError(t, err)
		require.NoError(t, r.Fleets[0].Err)
		out.Fewests, out.Monotone = append(out.Fewests, r.Fleets[0].Replicas), out.Monotone && r.Fleets[0].Monotone
		if set > 0 {
			continue
		}
		out.Fewest = r.Fleets[0].Replicas
		for _, c := range r.Candidates {
			out.Simulated = append(out.Simulated, tables.PlanFleet{Replicas: c.Replicas, Holds: c.Holds})
		}
	}
}

func ranked(t *testing.T, p planner.Preset, out *tables.PlanRun) {
	t.Helper()
	rank := func(first uint64) planner.RankResult {
		k, err := planner.NewRanking(p.Workload, p.Deployment, p.Objective, p.Targets(), planner.RankOptions{CapacityOptions: planner.CapacityOptions{FirstSeed: first}})
		require.NoError(t, err)
		work(k)
		r, err := k.Result()
		require.NoError(t, err)
		return r
	}
	r, other := rank(1), rank(otherSeeds)
	out.PlannedGPUs, out.SimulatedGPUs, out.Resolution = r.Base.PlannedGPUs, r.Base.SimulatedGPUs, r.Resolution
	for _, id := range r.Ablation.Ranked {
		l := r.Levers[id]
		out.Levers = append(out.Levers, tables.PlanLever{
			Lever: id.Lever().Slug, BuiltIn: id.Lever().BuiltIn, On: l.On, Compared: l.Compared,
			PlannedSaved: l.PlannedSaved, SimulatedSaved: l.SimulatedSaved, PlannedFrac: l.PlannedFrac, SimulatedFrac: l.SimulatedFrac,
		})
	}
	out.All, out.Choices = rankings(&r, &other, false), rankings(&r, &other, true)
}

func rankings(r, other *planner.RankResult, choices bool) tables.PlanRanking {
	a, b := r.All, other.All
	if choices {
		a, b = r.Choices, other.Choices
	}
	out := tables.PlanRanking{
		Compared: a.Compared, PlannedTop: a.PlannedTop.Lever().Slug, SimulatedTop: a.SimulatedTop.Lever().Slug,
		TopAgrees: a.TopAgrees, TopWithin: a.TopWithin, Tau: a.Tau, OtherTau: b.Tau, SelfTop: a.SimulatedTop == b.SimulatedTop,
	}
	var one, two []float64
	for id := range r.Levers {
		l, m := r.Levers[id], other.Levers[id]
		if l.Compared && m.Compared && !(choices && l.Lever.Lever().BuiltIn) {
			one, two = append(one, l.SimulatedSaved), append(two, m.SimulatedSaved)
		}
	}
	out.SelfTau = planner.KendallTau(one, two, r.Resolution)
	return out
}

// TestPlans compares the table with planner and simulator: the inputs of every
// preset, and all of the quickest; of all with OPENLOOP_LONG=1.
func TestPlans(t *testing.T) {
	if *update {
		writePlans(t)
		t.Skip("table written; run the test again without -update")
	}
	presets, runs := planner.Presets(), tables.PlanRuns()
	require.Len(t, runs, len(presets))
	for i, p := range presets {
		require.Equal(t, p.ID, runs[i].Preset)
		if !assert.Equal(t, planInputs(t, p), runs[i].Inputs, "%s was made by another planner or simulator: run with -update", p.ID) {
			continue
		}
		if os.Getenv("OPENLOOP_LONG") == "1" || p.ID == "code-completion" {
			sets := 1
			if os.Getenv("OPENLOOP_LONG") == "1" {
				sets = searchSets
			}
			want := runs[i]
			require.Len(t, want.Fewests, searchSets)
			want.Fewests = want.Fewests[:sets]
			got := planRun(t, p, sets)
			got.Monotone = got.Monotone && want.Monotone // of all sets
			assert.Equal(t, want, got)
		}
	}
}

// TestPlanTable: what a reader is told about the table follows from its rows.
func TestPlanTable(t *testing.T) {
	for _, r := range tables.PlanRuns() {
		found, ok := tables.FindPlanRun(r.Preset)
		require.True(t, ok)
		assert.Equal(t, r, found)
		brief, ok := tables.FindPlanBrief(r.Preset)
		require.True(t, ok)
		assert.Equal(t, r.Brief(), brief)
		for _, a := range []tables.PlanRanking{r.All, r.Choices} {
			best, top, n := math.Inf(-1), "", 0
			for _, l := range r.Levers {
				if !l.Compared || l.BuiltIn && a == r.Choices {
					continue
				}
				if n++; l.SimulatedSaved > best {
					best, top = l.SimulatedSaved, l.Lever
				}
			}
			assert.Equal(t, top, a.SimulatedTop)
			assert.Equal(t, n, a.Compared)
			assert.Equal(t, a.PlannedTop == a.SimulatedTop, a.TopAgrees)
		}
		for _, row := range r.Rows {
			sum := row.Full
			for _, p := range row.Parts {
				sum += p.Adds
			}
			assert.InDelta(t, row.Mean, sum, 1e-9*(1+row.Mean), "%s %s", r.Preset, row.Metric)
		}
		assert.Equal(t, r.Fewest, r.Fewests[0])
		least, most := r.FewestRange()
		for _, n := range r.Fewests {
			assert.True(t, n*r.GPUs/r.Replicas >= least && n*r.GPUs/r.Replicas <= most)
		}
		if r.Fewest > 0 {
			assert.Contains(t, r.Simulated, tables.PlanFleet{Replicas: r.Fewest, Holds: true})
		}
		if r.Fewest > 1 {
			assert.Contains(t, r.Simulated, tables.PlanFleet{Replicas: r.Fewest - 1})
		}
		held := true
		for _, p := range r.Promises {
			held = held && p.Outcome == "held"
		}
		assert.Equal(t, held, r.Outcome == "held", r.Preset)
		assert.Equal(t, planSeeds, r.Runs)
		assert.Equal(t, r.Kept == r.Runs, r.Outcome == "held", r.Preset)
		// The search asks of its first set what the check asks of its runs.
		assert.Equal(t, r.Kept == r.Runs, slices.Contains(r.Simulated, tables.PlanFleet{Replicas: r.Replicas, Holds: true}), r.Preset)
	}
	for _, choices := range []bool{false, true} {
		a := tables.PlanAgreement(choices)
		assert.LessOrEqual(t, a.Tops, a.TopsWithin)
		assert.LessOrEqual(t, a.TopsWithin, a.Presets)
		assert.LessOrEqual(t, math.Abs(a.MeanTau), 1.0)
		t.Logf("plan against simulation over %d presets (choices only: %v): first lever right %d, as good %d, mean tau %.3f; simulation against itself: %d, %.3f",
			a.Presets, choices, a.Tops, a.TopsWithin, a.MeanTau, a.SelfTops, a.MeanSelfTau)
	}
	_, ok := tables.FindPlanRun("none")
	assert.False(t, ok)
}

func writePlans(t *testing.T) {
	t.Helper()
	presets := planner.Presets()
	rows := make([]tables.PlanRun, len(presets))
	sideBySide(len(presets), func(i int) { rows[i] = planRun(t, presets[i], searchSets) })
	writePlanRows(t, rows)
}

func writePlanRows(t *testing.T, rows []tables.PlanRun) {
	t.Helper()
	var b strings.Builder
	for i := range rows {
		sourceOf(&b, reflect.ValueOf(rows[i]))
		b.WriteString(",\n")
	}
	b.WriteString("}\n\nvar planBriefs = []PlanBrief{\n")
	for i := range rows {
		sourceOf(&b, reflect.ValueOf(rows[i].Brief()))
		b.WriteString(",\n")
	}
	head := "// Code generated by TestPlans -update. DO NOT EDIT.\n\npackage tables\n\n"
	if strings.Contains(b.String(), "math.") {
		head += "import \"math\"\n\n"
	}
	writeSource(t, plansGenerated, head+"var planRuns = []PlanRun{\n"+b.String()+"}\n")
}

// sourceOf writes a value as source, to the last bit; what is zero is left out.
func sourceOf(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				continue
			}
			fmt.Fprintf(b, "%s: ", v.Type().Field(i).Name)
			if v.Field(i).Kind() == reflect.Struct {
				b.WriteString(v.Field(i).Type().Name())
			}
			sourceOf(b, v.Field(i))
			b.WriteString(", ")
		}
		b.WriteString("}")
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Int {
			fmt.Fprintf(b, "%#v", v.Interface())
			return
		}
		fmt.Fprintf(b, "[]%s{\n", v.Type().Elem().Name())
		for i := range v.Len() {
			sourceOf(b, v.Index(i))
			b.WriteString(",\n")
		}
		b.WriteString("}")
	case reflect.Float64:
		switch x := v.Float(); {
		case math.IsInf(x, 1):
			b.WriteString("math.Inf(1)")
		case math.IsInf(x, -1):
			b.WriteString("math.Inf(-1)")
		case math.IsNaN(x):
			b.WriteString("math.NaN()")
		default:
			fmt.Fprintf(b, "%v", x)
		}
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}
