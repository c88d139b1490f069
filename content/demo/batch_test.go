package demo

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The spread is that of the single runs.
func TestSpread(t *testing.T) {
	s := stateOf(t, "seed=4294967290")
	task, err := Spread(s, SeedsFrom(s.Seed, 10))
	require.NoError(t, err)
	Finish(task)
	var values []float64
	for _, seed := range []uint32{4294967290, 4294967291, 4294967292, 4294967293, 4294967294, 4294967295, 1, 2, 3, 4} {
		one := s
		one.Seed = seed
		run, err := Run(one)
		require.NoError(t, err)
		m, _ := MetricNamed(run, "sum")
		values = append(values, m.Value)
		row := task.Records().Rows[len(values)-1]
		assert.Equal(t, []Cell{typable(float64(seed)), N(m.Value), N(8)}, row)
	}
	at := func(name string) float64 {
		m, ok := MetricNamed(task, name)
		require.True(t, ok, name)
		return m.Value
	}
	assert.Equal(t, slices.Min(values), at("sum_min"))
	assert.Equal(t, slices.Max(values), at("sum_max"))
	slices.Sort(values)
	assert.Equal(t, (values[4]+values[5])/2, at("sum_median"))
	assert.Equal(t, 10.0, at("runs"))
	assert.Equal(t, 0.0, at("failed"))
	_, ok := MetricNamed(task, "count_min")
	assert.False(t, ok, "count is not a metric that spreads")

	require.Len(t, task.Figures(), 1)
	f := task.Figures()[0]
	assert.Len(t, f.Series[0].Y, 10)
	assert.Equal(t, at("sum_median"), f.Marks[0].At)
	golden(t, "spread.csv", CSV(s, task))
	golden(t, "spread.txt", Text(s, task))
}

// However it is cut, a spread gives the same bytes, and a slice is bounded.
func TestSpreadSlicing(t *testing.T) {
	s := stateOf(t, "batch=1200")
	var want []byte
	for _, budget := range []int{1, 500, 501, 20_000, 1_000_000} {
		task, err := Spread(s, SeedsFrom(7, 5))
		require.NoError(t, err)
		steps, before := 1, 0.0
		for !task.Step(budget) {
			require.GreaterOrEqual(t, task.Progress(), before)
			require.Less(t, task.Progress(), 1.0)
			before = task.Progress()
			steps++
		}
		assert.Equal(t, 1.0, task.Progress())
		assert.GreaterOrEqual(t, steps, 5*1200/budget)
		if want == nil {
			want = CSV(s, task)
		}
		assert.Equal(t, want, CSV(s, task))
	}
}

// A seed that cannot run is counted, not hidden.
func TestSpreadFailures(t *testing.T) {
	d := *toy
	d.Start = func(v Values, seed uint32) (Task, error) {
		if seed%2 == 0 {
			return nil, errors.New("odd seeds only")
		}
		return startToy(v, seed)
	}
	task, err := Spread(NewState(&d), SeedsFrom(1, 3))
	require.NoError(t, err)
	Finish(task)
	failed, _ := MetricNamed(task, "failed")
	assert.Equal(t, 1.0, failed.Value)
	assert.Contains(t, task.Summary().String(), "Over 2 seeds:")
	assert.Contains(t, task.Summary().String(), "1 seed could not run")
	rows := task.Records().Rows
	assert.True(t, math.IsNaN(rows[1][1].Num))
	assert.Equal(t, W("odd seeds only"), rows[1][3])
	assert.Equal(t, W(""), rows[0][3])

	_, err = Spread(NewState(&d), SeedsFrom(2, 3))
	assert.Error(t, err)
	_, err = Spread(NewState(&d), nil)
	assert.EqualError(t, err, `seeds: "0" is out of range; legal: 1 to 100000`)
}

func TestParseSweep(t *testing.T) {
	for in, want := range map[string][]float64{
		"rate=1:3:1":                      {1, 2, 3},
		"rate=1:3.9:1":                    {1, 2, 3},
		"rate=3:1:-0.5":                   {3, 2.5, 2, 1.5, 1},
		"rate=0.5:0.8:0.1":                {0.5, 0.6, 0.7, 0.8},
		"rate=5:5:1":                      {5},
		"rate=8, 2,20":                    {8, 2, 20},
		"offset=−2:2:2":                   {-2, 0, 2},
		"policy=priority,fifo":            {1, 0},
		"batch=16":                        {16},
		"scale=0.12345678901234:0.2:0.05": {0.12345678901234, 0.173456789012},
	} {
		r, p := ParseSweep(toy, in)
		require.Nil(t, p, in)
		assert.Equal(t, want, r.Values, in)
	}
	for in, want := range map[string]string{
		"rate":                             `set: "rate" cannot be read; legal: knob=first:last:step, knob=a,b,c or knob=value`,
		"speed=1":                          `toy: "speed" is not known here; legal: rate, batch, scale, policy, fused or offset`,
		"seed=1:3:1":                       `set: "seed=1:3:1" cannot be read; legal: seeds as a list of their own, such as -seeds 1-3`,
		"rate=1:21:1":                      `rate: "21" is out of range; legal: 0.5 to 20 requests/s; the nearest is 20 requests/s`,
		"rate=":                            `rate: "" is not a number; legal: 0.5 to 20 requests/s`,
		"rate=1:3:0":                       `rate: "1:3:0" cannot be read; legal: first:last:step, with a step that leads from the first to the last; 0.5 to 20 requests/s`,
		"rate=3:1:1":                       `rate: "3:1:1" cannot be read; legal: first:last:step, with a step that leads from the first to the last; 0.5 to 20 requests/s`,
		"scale=0.1:0.5:-5e-324":            `scale: "0.1:0.5:-5e-324" cannot be read; legal: first:last:step, with a step that leads from the first to the last; 0.001 to 10`,
		"scale=0.1:0.10000000000002:1e-14": `scale: "0.1" is given twice; legal: each value once`,
		"rate=5,6,5.0":                     `rate: "5" is given twice; legal: each value once`,
		"policy=fifo,fifo":                 `policy: "fifo" is given twice; legal: each value once`,
		"rate=1:3":                         `rate: "1:3" cannot be read; legal: first:last:step, with a step that leads from the first to the last; 0.5 to 20 requests/s`,
		"rate=1:3:1e999":                   `rate: "1:3:1e999" cannot be read; legal: first:last:step, with a step that leads from the first to the last; 0.5 to 20 requests/s`,
		"rate=1:20:1e-9":                   `rate: "1:20:1e-9" is more than is allowed; legal: at most 100000 values`,
		"batch=1:4:0.5":                    `batch: "1.5" is not a whole number; legal: a whole number, 1 to 4096 requests; the nearest is 2 requests`,
		"policy=fifo:lifo":                 `policy: "fifo:lifo" is not an option; legal: fifo, priority or broken`,
	} {
		_, p := ParseSweep(toy, in)
		if assert.NotNil(t, p, in) {
			assert.EqualError(t, *p, want)
		}
	}
}

func sweepOf(t *testing.T, s State, seeds []uint32, ranges ...string) (Task, error) {
	t.Helper()
	var list []Range
	for _, r := range ranges {
		one, p := ParseSweep(s.Demo, r)
		require.Nil(t, p)
		list = append(list, one)
	}
	return Sweep(s, list, seeds)
}

func TestSweep(t *testing.T) {
	s := stateOf(t, "scale=1")
	task, err := sweepOf(t, s, SeedsFrom(1, 2), "rate=1:3:1", "policy=fifo,broken")
	require.NoError(t, err)
	Finish(task)
	rows := task.Records().Rows
	require.Len(t, rows, 12)
	assert.Equal(t, "6 runs; 6 combinations could not run.", task.Summary().String())
	one, _ := s.Set("rate", "2")
	one, _ = one.Set("seed", "2")
	run, err := Run(one)
	require.NoError(t, err)
	sum, _ := MetricNamed(run, "sum")
	assert.Equal(t, []Cell{typable(2), W("fifo"), typable(2), N(sum.Value), N(8), W("")}, rows[5])
	assert.Equal(t, W("policy broken needs a batch of two <or more>"), rows[6][5])
	golden(t, "sweep.csv", CSV(s, task))
	assert.Contains(t, string(CSV(s, task)), "\n# seeds: 1-2\n")

	alone, err := sweepOf(t, s, nil)
	require.NoError(t, err)
	Finish(alone)
	assert.Len(t, alone.Records().Rows, 1)
}

func TestSweepLimits(t *testing.T) {
	s := NewState(toy)
	_, err := sweepOf(t, s, SeedsFrom(1, 100), "rate=1:20:1", "offset=-10:10:1", "batch=1:100:1")
	assert.EqualError(t, err, `sweep: "20 × 21 × 100 × 100 runs" is more than is allowed; legal: 1 to 100000 runs`)
	_, err = sweepOf(t, s, nil, "batch=1:4096:1", "rate=0.5:20:0.5")
	assert.EqualError(t, err, `sweep: "4096 × 40 × 1 runs" is more than is allowed; legal: 1 to 100000 runs`)
	_, err = sweepOf(t, s, nil, "rate=1", "rate=2")
	assert.EqualError(t, err, `rate: "rate=2" is given twice; legal: each knob once`)
}

// What was swept can be told apart and typed again from the text.
func TestSweepShowsExactValues(t *testing.T) {
	s := NewState(toy)
	task, err := sweepOf(t, s, []uint32{4294967295}, "scale=0.1234567,0.12345671", "batch=1024")
	require.NoError(t, err)
	Finish(task)
	out := string(Text(s, task))
	assert.Regexp(t, `\n +0\.1234567 +1024 +4294967295 `, out)
	assert.Regexp(t, `\n+ *0\.12345671 +1024 +4294967295 `, out)
	assert.Contains(t, string(JSON(s, task)), "[[0.1234567,1024,4294967295,")
}

func TestMedian(t *testing.T) {
	assert.True(t, math.IsNaN(median(nil)))
	assert.Equal(t, 2.0, median([]float64{3, 1, 2}))
	assert.Equal(t, 2.5, median([]float64{4, 1, 2, 3}))
	assert.Equal(t, math.MaxFloat64, median([]float64{math.MaxFloat64, math.MaxFloat64}))
}

func FuzzParseSweep(f *testing.F) {
	f.Add("rate=0.5:20:0.0003", "1-3,9")
	f.Add("scale=0.1:0.5:-5e-324", "1")
	f.Fuzz(func(t *testing.T, s, seeds string) {
		r, p := ParseSweep(toy, s)
		if p == nil {
			k := toy.Knobs[toy.Index(r.Knob)]
			require.NotEmpty(t, r.Values)
			for _, x := range r.Values {
				_, p := k.read(k.Text(x))
				require.Nil(t, p)
			}
		}
		list, p := ParseSeeds(seeds)
		require.True(t, p != nil || len(list) > 0 && len(list) <= MaxRuns && !slices.Contains(list, 0))
	})
}
