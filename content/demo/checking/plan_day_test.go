package checking

import (
	"math"
	"strings"
	"testing"

	"openloop/content/demo"
	"openloop/content/demo/sizing"
	"openloop/content/demotest"
	"openloop/planner"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pricedPlan is a plan with a price of its own.
func pricedPlan(t *testing.T) demo.Values {
	t.Helper()
	s, problems := sizing.PlannerLink("v=1&price=4")
	require.Empty(t, problems)
	return s.Values
}

func dayOf(t *testing.T, link string) *dayRun {
	t.Helper()
	_, task := demotest.Run(t, planDay(), link)
	return task.(*dayRun)
}

// Until it is played a day tells nothing of any fleet: no figure, no metric, no file.
func TestDayIsHidden(t *testing.T) {
	for _, link := range []string{"v=1", "v=1&yours=4"} {
		r := dayOf(t, link)
		for _, f := range r.Figures() {
			assert.Equal(t, f.ID != "load", f.Away, f.ID)
		}
		for _, m := range r.Metrics() {
			assert.Equal(t, m.Name != "hour", math.IsNaN(m.Value), m.Name)
		}
		assert.Len(t, r.Records().Rows, 1)
	}
	assert.Contains(t, dayOf(t, "v=1").Summary().String(), "How many replicas would you pay for?")
	assert.Contains(t, dayOf(t, "v=1&day=played&runs=1").Summary().String(), "You have said no number")
}

// What is played is the fleets of averages, peak and N+1 and the reader's, each from the
// plan; table, words and file tell the same of them, and each row opens to its days.
func TestDayIsPlayed(t *testing.T) {
	r := dayOf(t, "v=1&yours=7&day=played&runs=2&fleet=agents")
	p, _ := planner.FindPreset("agents")
	plan, err := planner.Evaluate(p.Workload, p.Deployment, p.Objective)
	require.NoError(t, err)
	assert.Equal(t, plan.Replicas, r.replicas[ofPeak])
	assert.Equal(t, plan.Replicas+1, r.replicas[ofSpare])
	assert.Less(t, r.replicas[ofAverages], r.replicas[ofPeak])
	ledger := r.ledgerFigure()
	require.Len(t, ledger.Ranking.Rows, dayFleets)
	rows := r.Records().Rows
	price, from, ok := sizing.ListPrice(p.Deployment.GPU)
	require.True(t, ok)
	assert.Contains(t, from, "examples")
	shared, _, _ := sizing.FleetOf(pricedPlan(t)).Price()
	assert.Equal(t, 4.0, shared, "a price of one's own")
	require.Len(t, rows, dayFleets*2*planner.DayHours)
	for i, row := range ledger.Ranking.Rows {
		require.NotNil(t, row.Open)
		kept, lost := 0.0, 0.0
		for _, x := range rows {
			if x[0].Text == fleetIDs[i] {
				lost += x[5].Num / 2
				if x[10].Text == "yes" {
					kept += 0.5
				}
			}
		}
		for name, want := range map[string]float64{"kept_": kept, "lost_": lost, "usd_": 24 * float64(r.replicas[i]*plan.TP) * price} {
			m, ok := demo.MetricNamed(r, name+fleetIDs[i])
			require.True(t, ok)
			assert.InDelta(t, want, m.Value, 1e-9, name+fleetIDs[i])
		}
	}
	for _, says := range demotest.Unopened(r, []string{"7", "2"}, "24", "99") {
		if !strings.HasPrefix(says, "load, note") && !strings.HasPrefix(says, "first, note") {
			assert.Fail(t, says)
		}
	}
	// An outage that begins late lasts past midnight, and takes what the hour held.
	late := dayOf(t, "v=1&yours=4&day=played&when=23&gone=12&runs=1")
	assert.Positive(t, overDays(late.of(ofPeak), lostRequests).Mean)
	assert.Equal(t, 24.0, late.loadFigure().Bands[0].To)
	// Less fails at night than at noon, and nothing where nothing does.
	assert.Zero(t, overDays(dayOf(t, "v=1&yours=4&day=played&fails=0&runs=1&fleet=agents").of(ofPeak), lostRequests).Mean)
	night := overDays(dayOf(t, "v=1&yours=4&day=played&when=1&runs=1&fleet=agents").of(ofSpare), lostRequests).Mean
	assert.Less(t, night, overDays(r.of(ofSpare), lostRequests).Mean)
}

func TestDayThatCannotBe(t *testing.T) {
	for link, says := range map[string]string{
		"fleet=own": "Paste the link of one", own("v=1&rate=3000") + "&day=played": "too large to be played", own("v=1&apart=on&chunk=0") + "&day=played": "pools of their own", own("v=1&tpot=5"): "9.97 ms",
	} {
		r := dayOf(t, strings.ReplaceAll("v=1&"+strings.TrimPrefix(link, "v=1&"), "&hide=bet", ""))
		assert.Contains(t, r.wrong, says, link)
		assert.Equal(t, r.wrong, r.Summary().String())
		for _, f := range r.Figures() {
			assert.True(t, f.Away)
		}
	}
}
