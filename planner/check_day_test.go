package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

func played(t testing.TB, p planner.Preset, o planner.DayOptions) planner.DayResult {
	t.Helper()
	k, err := planner.NewDay(p.Workload, p.Deployment, p.Objective, o)
	require.NoError(t, err)
	for !k.Work(1 << 30) {
	}
	r, err := k.Result()
	require.NoError(t, err)
	return r
}

// The rates of a day have the mean and the peak of the workload, whatever they are.
func TestDayRates(t *testing.T) {
	p, _ := planner.FindPreset("chat-70b")
	for _, peak := range []float64{1, 1.5, 2, 4.2, 20} {
		w := p.Workload
		w.Classes = append([]planner.Class(nil), w.Classes...)
		w.Classes[0].PeakToMean = peak
		k, err := planner.NewDay(w, p.Deployment, p.Objective, planner.DayOptions{Replicas: []int{4}})
		require.NoError(t, err)
		r, _ := k.Result()
		k.Stop()
		sum, most := 0.0, 0.0
		for _, x := range r.Rates {
			assert.GreaterOrEqual(t, x, 0.0)
			sum, most = sum+x, max(most, x)
		}
		assert.InEpsilon(t, w.Classes[0].RequestsPerSec, sum/planner.DayHours, 1e-6, peak)
		assert.InEpsilon(t, peak*w.Classes[0].RequestsPerSec, most, 1e-9, peak)
		assert.Equal(t, most, r.Rates[12])
	}
}

// A day is the sum of its hours; the same seeds bring the same requests to each fleet; a
// failure loses what the replica held, in its hour and nowhere else; and more replicas
// keep no fewer hours here.
func TestDay(t *testing.T) {
	p, _ := planner.FindPreset("chat-70b")
	calm := played(t, p, planner.DayOptions{Replicas: []int{2, 4}, Seeds: 1})
	failed := played(t, p, planner.DayOptions{Replicas: []int{2, 4}, Seeds: 1, Failed: 1, FailHour: 12, GoneHours: 2})
	for _, r := range []planner.DayResult{calm, failed} {
		require.Len(t, r.Fleets, 2)
		assert.Equal(t, r.Fleets[0].Runs[0].Sent, r.Fleets[1].Runs[0].Sent)
		assert.InEpsilon(t, 20*24*r.HourSeconds, float64(r.Fleets[0].Runs[0].Sent), 0.05)
		for _, f := range r.Fleets {
			assert.Equal(t, f.Replicas*r.Plan.TP, f.GPUs)
			d := f.Runs[0]
			sent, lost, kept := int64(0), int64(0), 0
			for _, h := range d.Hours {
				sent, lost = sent+h.Sent, lost+h.Lost
				assert.LessOrEqual(t, h.Within, h.Sent-h.Lost)
				if h.Kept {
					kept++
				}
			}
			assert.Equal(t, []any{d.Sent, d.Lost, d.Kept}, []any{sent, lost, kept})
		}
		assert.GreaterOrEqual(t, r.Fleets[1].Runs[0].Kept, r.Fleets[0].Runs[0].Kept)
	}
	assert.Zero(t, calm.Fleets[1].Runs[0].Lost)
	assert.Equal(t, planner.DayHours, calm.Fleets[1].Runs[0].Kept, "the plan holds its peak")
	for h, x := range failed.Fleets[1].Runs[0].Hours {
		if x.Lost > 0 {
			assert.Contains(t, []int{11, 12}, h, "it dies at 12, with what was sent shortly before")
		}
	}
	assert.Positive(t, failed.Fleets[1].Runs[0].Lost)
}

func TestDayRefuses(t *testing.T) {
	p, _ := planner.FindPreset("chat-70b")
	for _, c := range []struct {
		planner.DayOptions
		field string
	}{
		{planner.DayOptions{}, "Replicas"}, {planner.DayOptions{Replicas: []int{0}}, "Replicas"}, {planner.DayOptions{Replicas: []int{4}, Seeds: -1}, "Seeds"},
		{planner.DayOptions{Replicas: []int{4}, FailHour: 24}, "FailHour"}, {planner.DayOptions{Replicas: []int{4}, Failed: -1}, "Failed"}, {planner.DayOptions{Replicas: []int{4}, GoneHours: 24}, "GoneHours"},
	} {
		_, err := planner.NewDay(p.Workload, p.Deployment, p.Objective, c.DayOptions)
		var refused *planner.ValueError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, "DayOptions."+c.field, refused.Field)
		assert.Regexp(t, "[0-9]", refused.Legal)
	}
	d := p.Deployment
	d.Disaggregated, d.ChunkTokens = true, 0
	_, err := planner.NewDay(p.Workload, d, p.Objective, planner.DayOptions{Replicas: []int{4}})
	require.ErrorContains(t, err, "apart")
	w := planner.Workload{Classes: append([]planner.Class(nil), p.Workload.Classes...)}
	w.Classes[0].RequestsPerSec = 2000
	_, err = planner.NewDay(w, p.Deployment, p.Objective, planner.DayOptions{Replicas: []int{400}})
	require.ErrorContains(t, err, "requests of a day")
}

// What the days of the presets are, for whoever changes the demo.
func BenchmarkDay(b *testing.B) {
	for _, p := range planner.Presets() {
		b.Run(p.ID, func(b *testing.B) {
			for range b.N {
				r := played(b, p, planner.DayOptions{Replicas: []int{4, 5, 6}, Seeds: 1, Failed: 1, FailHour: 12, GoneHours: 2})
				b.ReportMetric(float64(r.Fleets[0].Runs[0].Sent), "requests")
			}
		})
	}
}
