package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leverRun runs a scenario with some levers pulled.
func leverRun(t *testing.T, s Scenario, seed uint64, pulls ...Pull) *Results {
	t.Helper()
	s, err := s.Pulled(pulls...)
	require.NoError(t, err)
	x, err := s.New(seed)
	require.NoError(t, err)
	x.Run()
	return x.Results()
}

// lawsOf checks the laws that hold for every cluster, whatever is broken.
func lawsOf(t *testing.T, c Config, r *Results, what string, pulls ...Pull) {
	t.Helper()
	pulled, err := Scenario{c, Healthy(slowKVLink.ID).Workload}.Pulled(pulls...)
	require.NoError(t, err)
	c = pulled.Config
	specs := make([]Spec, len(r.SentAt)) // what was sent is not in question here
	for i := range specs {
		specs[i] = Spec{IntendedAt: r.IntendedAt[i], SentAt: r.SentAt[i]}
	}
	for name, law := range map[string]func(Config, []Spec, *Results) string{
		"requests are conserved": requestsConserved, "tokens are conserved": tokensConserved, "time stamps are causal": causal,
		"steps follow one another": stepsFollow, "no step starts in a pause": pausesKept,
		"Little's law": little, "samples add up to totals": samplesAddUp, "attempts add up": attemptsAddUp,
	} {
		assert.Empty(t, law(c, specs, r), "%s: %s", what, name)
	}
}

// attemptsAddUp: what repeats another comes after it, was sent when that had
// ended without an answer, and asks for the same.
func attemptsAddUp(_ Config, _ []Spec, r *Results) string {
	last := map[int32]int{}
	for i := range r.Origin {
		o := r.Origin[i]
		if before, ok := last[o]; ok {
			switch s := r.Status[before]; {
			case !s.Final() || s == Completed || s == Failed:
				return "again, although it was answered: request " + intText(int64(i))
			case r.DoneAt[before] > r.SentAt[i]:
				return "again before it ended: request " + intText(int64(i))
			case r.Prompt[i] != r.Prompt[before] || r.Output[i] != r.Output[before] || r.IntendedAt[i] != r.IntendedAt[before]:
				return "asks for something else: request " + intText(int64(i))
			}
		} else if o != int32(i) {
			return "repeats what was not: request " + intText(int64(i))
		}
		last[o] = i
	}
	return ""
}

// TestLeversKeepTheLaws: each lever, at its lowest, default and a high
// intensity, keeps the laws and changes something; so do pairs of them.
func TestLeversKeepTheLaws(t *testing.T) {
	for i := range levers {
		l := levers[i]
		base := Healthy(l.ID)
		healthy := leverRun(t, base, 7)
		low := l.Low
		if l.ID == chunkingOff.ID {
			low = 2 * float64(base.Config.Engine.MaxBatchedTokens)
		}
		high := min(l.High, 4*l.Default)
		if l.ID == replicaRestart.ID {
			high = float64(base.Config.Replicas) // all of them
		}
		for _, x := range []float64{low, l.Default, high} {
			p := defaultPull(l)
			p.Intensity = x
			r := leverRun(t, base, 7, p)
			lawsOf(t, base.Config, r, l.ID, p)
			assert.NotEmpty(t, difference(r, healthy), "%s at %v changes nothing", l.ID, x)
			assert.Empty(t, difference(leverRun(t, base, 7, p), r), "the same seed gives the same run")
		}
		other := levers[(i+5)%len(levers)]
		if other.ID == slowKVLink.ID {
			other = levers[0]
		}
		q := defaultPull(other)
		q.From += 10 * Second
		lawsOf(t, base.Config, leverRun(t, base, 8, defaultPull(l), q, defaultPull(l)), l.ID+" with "+other.ID, defaultPull(l), q, defaultPull(l))
	}
}

// TestLeverLeavesThePastAlone: before the window nothing is different. (The
// clients of a retry storm ask again from the start; in good health they have
// no reason to.)
func TestLeverLeavesThePastAlone(t *testing.T) {
	for i := range levers {
		l := levers[i]
		base := Healthy(l.ID)
		healthy := leverRun(t, base, 3)
		r := leverRun(t, base, 3, defaultPull(l))
		for k := range r.SentAt {
			if r.SentAt[k] >= l.Start {
				break
			}
			require.Equal(t, healthy.SentAt[k], r.SentAt[k], l.ID)
			require.Equal(t, healthy.Prompt[k], r.Prompt[k], l.ID)
			if healthy.FirstTokenAt[k] < l.Start {
				require.Equal(t, healthy.FirstTokenAt[k], r.FirstTokenAt[k], "%s: request %d", l.ID, k)
			}
		}
	}
}

func TestBadPulls(t *testing.T) {
	window := Span{10 * Second, 20 * Second}
	plain := Healthy("")
	single := Healthy("")
	single.Config.Replicas = 1
	noDrafts, noPrefix, noShare, noTimeout, noChunks := Healthy(""), Healthy(""), Healthy(""), Healthy(""), Healthy("")
	noDrafts.Config.Engine.Draft = Draft{}
	noPrefix.Config.Engine.PrefixCache = false
	noShare.Workload.Shared = SharedPrefixes{}
	noTimeout.Config.Timeout = 0
	noChunks.Config.Engine.PrefillChunkTokens = 0
	closed := Healthy("")
	closed.Workload.Generator = ClosedLoop{Clients: 10}
	for _, c := range []struct {
		name  string
		s     Scenario
		p     Pull
		wrong string
	}{
		{"unknown", plain, Pull{"gremlins", window, 1, 0}, "Pulls[0].Lever is gremlins; legal: the ID of a lever"},
		{"no length", plain, Pull{"straggler", Span{5, 5}, 4, 0}, "Pulls[0].To is 5 ns; legal: 6 to 1000000000000001 ns"},
		{"backwards", plain, Pull{"straggler", Span{9, 5}, 4, 0}, "Pulls[0].To is 5 ns; legal: 10 to 1000000000000001 ns"},
		{"too weak", plain, Pull{"straggler", window, 1, 0}, "Pulls[0].Intensity is 1; legal: 1.01 to 100"},
		{"no such replica", plain, Pull{"straggler", window, 4, 4}, "Pulls[0].Replica is 4; legal: 0 to 3"},
		{"one replica", single, Pull{"straggler", window, 4, 0}, "Replicas is 1; legal: 2 to 4096"},
		{"one replica", single, Pull{"skewed_routing", window, 0.5, 0}, "Replicas is 1; legal: 2 to 4096"},
		{"more than there are", plain, Pull{"replica_restart", window, 5, 0}, "Intensity is 5; legal: a whole number up to Replicas, 4"},
		{"half a replica", plain, Pull{"replica_restart", window, 1.5, 0}, "Intensity is 1.5; legal: a whole number up to Replicas, 4"},
		{"no drafts", noDrafts, Pull{"draft_collapse", window, 1, 0}, "len(Engine.Draft.Accept) is 0; legal: 1 to 64 for draft_collapse"},
		{"no cache", noPrefix, Pull{"prefix_collapse", window, 1, 0}, "Engine.PrefixCache is false; legal: true for prefix_collapse"},
		{"nothing shared", noShare, Pull{"prefix_collapse", window, 1, 0}, "Shared.Share is 0; legal: above 0 for prefix_collapse"},
		{"patient", noTimeout, Pull{"retry_storm", window, 4, 0}, "Timeout is 0 ns; legal: above 0 for retry_storm: clients that wait for ever do not ask again"},
		{"no pools", plain, Pull{"slow_kv_link", window, 4, 0}, "Pools.Prefill is 0; legal: 1 or more for slow_kv_link"},
		{"off already", noChunks, Pull{"chunking_off", window, 4096, 0}, "Engine.PrefillChunkTokens is 0; legal: above 0 for chunking_off"},
		{"no larger step", plain, Pull{"chunking_off", window, 1024, 0}, "Intensity is 1024; legal: a whole number above Engine.MaxBatchedTokens, 1024"},
		{"no plan", closed, Pull{"traffic_surge", window, 2, 0}, "Shifts[0].Rate is 2; legal: 0 for a generator without a plan"},
	} {
		t.Run(c.name+" "+c.p.Lever, func(t *testing.T) {
			_, err := c.s.Pulled(c.p)
			var wrong *ValueError
			require.ErrorAs(t, err, &wrong)
			assert.Equal(t, c.wrong, wrong.Error())
		})
	}
}

// TestAllDown: while no replica is up every request is refused, and after the
// restart the cluster serves again. A straggler that is down is down.
func TestAllDown(t *testing.T) {
	base := Healthy("")
	window := Span{40 * Second, 60 * Second}
	r := leverRun(t, base, 1, Pull{"replica_restart", window, 4, 0}, Pull{"straggler", window, 4, 0})
	var before, during, after, aborted int
	for i, at := range r.SentAt {
		switch {
		case r.Status[i] == Aborted:
			aborted++
			assert.Equal(t, window.From, r.DoneAt[i])
		case at >= window.From && at < window.To:
			during++
			assert.Equal(t, Dropped, r.Status[i])
		case r.Status[i] == Completed && at < window.From:
			before++
		case r.Status[i] == Completed:
			after++
		}
	}
	for _, n := range []int{before, during, after, aborted} {
		assert.Greater(t, n, 20)
	}
	assert.Equal(t, 4*20*Second.Picos(), r.Totals.DownPicos)
	s := NewSeries(r, SeriesOptions{KVBlocks: base.Config.Engine.KVBlocks})
	for k, at := range s.At {
		up := 4.0
		if at > window.From && at <= window.To {
			up = 0
		}
		assert.Equal(t, up, s.Up[k])
	}
	assert.InDelta(t, 20, s.Shed[12], 8)
}

func TestLeverTable(t *testing.T) {
	ids := map[string]bool{}
	for _, l := range Levers() {
		assert.False(t, ids[l.ID])
		ids[l.ID] = true
		assert.NotEmpty(t, l.Name)
		assert.NotEmpty(t, l.Breaks)
		assert.NotEmpty(t, l.Unit)
		assert.True(t, l.Low < l.Default && l.Default <= l.High || l.Low == l.Default, l.ID)
		assert.Less(t, l.Start, l.End)
	}
	assert.Len(t, ids, 14)
}

func TestJoinPause(t *testing.T) {
	for _, c := range []struct{ pauses, want []Span }{
		{nil, []Span{{10, 20}}},
		{[]Span{{0, 5}, {30, 40}}, []Span{{0, 5}, {10, 20}, {30, 40}}},
		{[]Span{{0, 12}, {15, 16}, {20, 21}}, []Span{{0, 21}}},
	} {
		assert.Equal(t, c.want, joinPause(c.pauses, Span{10, 20}))
	}
}
