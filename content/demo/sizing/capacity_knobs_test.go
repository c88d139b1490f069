package sizing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/planner"
)

// wakes are the settings beside which each idle knob counts.
var wakes = map[string]string{
	"mfu": "efficiency=own", "mbu": "efficiency=own", "memory": "efficiency=own", "seats": "efficiency=own",
	"own_memory": "gpu=own", "own_bandwidth": "gpu=own", "own_bf16": "gpu=own&weights=bf16&tp=8", "own_fp8": "gpu=own", "own_link": "gpu=own", "own_power": "gpu=own",
	"layers": "model=own", "hidden": "model=own", "heads": "model=own", "kv_heads": "model=own", "head_dim": "model=own", "mlp": "model=own", "vocab": "model=own", "experts": "model=own&tp=64", "active": "model=own&experts=8&tp=64",
	"cached": "cache=mooncake-conversation", "prompt2": "rate2=5", "output2": "rate2=5", "hit2": "rate2=5", "accepted": "drafts=4", "attempts": "success=50",
}

// moves are values that differ from the default where its neighbor on the slider
// may change nothing, and settings that a knob needs to be seen at all.
var moves = map[string]string{
	"attention": "attention=every", "moe": "moe=routed", "apart": "apart=on", "b_model": "b_model=llama-3.1-8b", "cache": "cache=mooncake-conversation", "heads": "heads=128", "kv_heads": "kv_heads=16", "active": "active=4",
	"experts": "experts=16", "own_fp8": "own_fp8=1000", "efficiency": "efficiency=own", "seats": "seats=64", "memory": "memory=60", "guess": "guess=16", "weights": "weights=bf16", "chunk": "chunk=512", "ttft": "ttft=0.1",
}

// Each setting changes what is said, unless it says why it does not; then it
// changes nothing at all.
func TestEveryKnobCounts(t *testing.T) {
	d := capacityPlanner()
	told := func(link string) string {
		t.Helper()
		s, problems := demo.Parse(d, "plan=shown&"+link)
		require.Empty(t, problems, link)
		task, err := demo.Run(s)
		require.NoError(t, err)
		clean := demo.NewState(d) // the same head for all
		rows := task.Records()
		rows.Rows = slices.DeleteFunc(rows.Rows, func(row []demo.Cell) bool { return row[0].Text == "input" })
		return string(demo.JSON(clean, stripped{task, rows}))
	}
	idle := 0
	for i, k := range d.Knobs {
		if k.Name == "plan" {
			continue
		}
		move, ok := moves[k.Name]
		if !ok {
			s := demo.NewState(d)
			next := s.Slide(k.Name, demo.PositionOf(k, k.Default)+1)
			if next.Values.At(i) == k.Default {
				next = s.Slide(k.Name, demo.PositionOf(k, k.Default)-1)
			}
			move = k.Name + "=" + k.Text(next.Values.At(i))
		}
		wake := wakes[k.Name]
		if k.Idle != nil && k.Name != "hit" {
			idle++
			assert.NotEmpty(t, demo.NewState(d).Idle(i), "%s counts at the defaults", k.Name)
			assert.True(t, told("") == told(move), "%s changes something, though it says that it does not", move)
			require.NotEmpty(t, wake, "%s never counts", k.Name)
		}
		awake, problems := demo.Parse(d, wake)
		require.Empty(t, problems)
		assert.Empty(t, awake.Idle(i), "%s does not wake %s", wake, k.Name)
		assert.False(t, told(wake) == told(wake+"&"+move), "%s changes nothing beside %q", move, wake)
	}
	assert.Equal(t, len(wakes), idle)
	s, _ := demo.Parse(d, "cache=mooncake-synthetic&hit=50")
	require.Len(t, s.Unused(), 1)
	assert.True(t, told("cache=mooncake-synthetic") == told("cache=mooncake-synthetic&hit=50"))
}

// stripped is a task whose file has no inputs.
type stripped struct {
	demo.Task
	rows demo.Table
}

func (s stripped) Records() demo.Table { return s.rows }

// Thinking is decoded: it costs GPUs and money, and what is left for the reader is
// dearer.
func TestThinking(t *testing.T) {
	plain, thinks := started(t, "capacity-planner", "plan=shown&output=300"), started(t, "capacity-planner", "plan=shown&output=300&thinking=1500")
	whole := started(t, "capacity-planner", "plan=shown&output=1800")
	get := func(task demo.Task, name string) float64 { m, _ := demo.MetricNamed(task, name); return m.Value }
	for _, name := range []string{"gpus_real", "usd_hour", "usd_request", "usd_solved", "usd_read"} {
		assert.Greater(t, get(thinks, name), 2*get(plain, name), name)
	}
	assert.Equal(t, get(whole, "gpus_real"), get(thinks, "gpus_real"), "a token is a token")
	assert.InEpsilon(t, 6*get(whole, "usd_output_all"), get(thinks, "usd_read"), 1e-9, "one token in six is read")
}

// Two kinds of request are planned together: halves of one kind are that kind, and
// another kind is what the planner makes of two classes.
func TestTwoKinds(t *testing.T) {
	one := started(t, "capacity-planner", "plan=shown&rate=20").(*capacityRun)
	halves := started(t, "capacity-planner", "plan=shown&rate=5&rate2=15&prompt2=1155&output2=211").(*capacityRun)
	assert.InEpsilon(t, one.plan().GPUsFractional, halves.plan().GPUsFractional, 1e-9)
	assert.Equal(t, one.plan().GPUs, halves.plan().GPUs)
	both := started(t, "capacity-planner", "plan=shown&rate2=4&prompt2=9000&output2=100&hit2=30").(*capacityRun)
	w := one.a.workload
	w.Classes = append(slices.Clone(w.Classes), w.Classes[0])
	c := &w.Classes[1]
	c.RequestsPerSec, c.PromptTokens, c.OutputTokens, c.HitFrac = 4, 9000, 100, 0.3
	want, err := planner.Evaluate(w, one.a.deployment, one.a.objective)
	require.NoError(t, err)
	assert.Equal(t, want.GPUsFractional, both.plan().GPUsFractional)
	assert.Contains(t, both.Summary().String(), "20 requests/s of 1,155 + 211 tokens and 4 requests/s of 9,000 + 100 tokens take")
}

// What a cache finds is what the published trace has at that size; more finds more,
// and a replica's own memory is named beside it.
func TestFoundInTrace(t *testing.T) {
	for i, trace := range planner.AllTraceHits() {
		last := -1.0
		for _, millions := range []string{"0.5", "5.1", "25.6", "1000"} {
			r := started(t, "capacity-planner", "plan=shown&cache="+trace.ID+"&cached="+millions).(*capacityRun)
			x, _ := number(millions)
			assert.InDelta(t, trace.HitFrac(x*1e6), r.a.workload.Classes[0].HitFrac, 1e-15)
			assert.Greater(t, r.a.workload.Classes[0].HitFrac, last-1e-15, "%d %s", i, millions)
			last = r.a.workload.Classes[0].HitFrac
			step := r.chainFigure().Steps[0]
			assert.Equal(t, "found", step.Key)
			assert.Contains(t, step.Terms[0].From, "holds at most 0.712 million")
		}
	}
	r := started(t, "capacity-planner", "cache=mooncake-synthetic&cached=1000&prompt=1").(*capacityRun)
	assert.Nil(t, r.wrong, "one token is always computed")
}
