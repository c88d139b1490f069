package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClosedLoopKeepsItsClients(t *testing.T) {
	w := Workload{Generator: ClosedLoop{Clients: 5}, Lengths: chat, Requests: 2000}
	all := random(Second, 9999).run(t, mustSource(t, w, 2))
	require.Len(t, all, 2000)
	perClient := map[int32]Nanos{}
	for i, r := range all {
		assert.Equal(t, r.IntendedAt, r.SentAt)
		assert.Equal(t, perClient[r.Client], r.SentAt, "no think time: sent when the one before ended")
		perClient[r.Client] = r.EndedAt
		if i >= 5 && i%50 == 0 {
			assert.Equal(t, 5, inFlight(all, r.SentAt))
			assert.Equal(t, 5, inFlight(all, r.SentAt-1))
		}
	}
	assert.Len(t, perClient, 5)
}

// TestClosedLoopThinks: the interactive response time law, X = N/(R+Z), within
// the random error of the times that go into it.
func TestClosedLoopThinks(t *testing.T) {
	for _, think := range []ThinkTime{{2 * Second, false}, {2 * Second, true}} {
		w := Workload{Generator: ClosedLoop{Clients: 6, Think: think, StartEvery: Second}, Lengths: chat, Requests: 20_000}
		all := random(Second, 99_999).run(t, mustSource(t, w, 2))
		x := float64(len(all)) / all[len(all)-1].SentAt.Seconds()
		assert.InEpsilon(t, 6.0/3, x, 0.02)
		last := map[int32]Nanos{}
		for _, r := range all {
			switch end, ok := last[r.Client]; {
			case !ok:
				assert.Equal(t, Nanos(r.Client)*Second, r.SentAt)
			case !think.Exponential:
				assert.Equal(t, end+2*Second, r.SentAt)
			}
			last[r.Client] = r.EndedAt
		}
	}
}

// TestRefusedClientsPause: a server that refuses everything at once is asked
// once a millisecond, not endlessly at one instant.
func TestRefusedClientsPause(t *testing.T) {
	refuse := toy{func(int32, *Spec) (Nanos, Status) { return 0, Dropped }, 99_999}
	for _, g := range []Generator{ClosedLoop{Clients: 10}, MLPerfMultiStream{10}} {
		all := refuse.run(t, mustSource(t, Workload{Generator: g, Lengths: chat, Until: Second}, 1))
		assert.Len(t, all, 10_000)
	}
}

func TestMoreClientsThanRequests(t *testing.T) {
	w := Workload{Generator: ClosedLoop{Clients: MaxClients}, Lengths: chat, Requests: 3}
	assert.Len(t, fixed(Second, 99).run(t, mustSource(t, w, 1)), 3)
}

func TestThrottledKeepsItsCap(t *testing.T) {
	const limit = 4
	w := Workload{Generator: Throttled{Poisson{8}, limit}, Lengths: chat, Requests: 3000}
	all := random(Second, 99_999).run(t, mustSource(t, w, 2)) // can do 4 a second
	require.Len(t, all, 3000)
	plan := fixed(0, 3000).run(t, mustSource(t, Workload{Generator: OpenLoop{Poisson{8}}, Lengths: chat, Requests: 3000}, 2))
	waited := 0
	for i, r := range all {
		assert.Equal(t, plan[i].IntendedAt, r.IntendedAt, "the plan is the open loop's")
		assert.Equal(t, plan[i].Prompt, r.Prompt)
		assert.LessOrEqual(t, inFlight(all[:i+1], r.SentAt), limit)
		if r.SentAt > r.IntendedAt {
			waited++
			assert.Equal(t, limit, inFlight(all[:i+1], r.SentAt), "waits only for a slot")
		}
	}
	assert.Greater(t, waited, 2900)
	// The wait in the client grows by 1/4 - 1/8 s with each request: the queue
	// that a clock from SentAt does not see.
	last := all[2999]
	assert.InEpsilon(t, 3000*(0.25-0.125), (last.SentAt - last.IntendedAt).Seconds(), 0.1)
}

func TestThrottledBelowItsCapIsOpen(t *testing.T) {
	for _, a := range []Arrivals{Poisson{8}, Burst{}, Gamma{8, 0.5}} {
		w := Workload{Generator: OpenLoop{a}, Lengths: chat, Requests: 500}
		open := random(Second, 999).run(t, mustSource(t, w, 2))
		w.Generator = Throttled{a, 500}
		assert.Equal(t, open, random(Second, 999).run(t, mustSource(t, w, 2)))
	}
}

// TestThrottledBurstIsClosed: rate inf with a cap is a closed loop without
// think time, seen from the server.
func TestThrottledBurstIsClosed(t *testing.T) {
	w := Workload{Generator: Throttled{Burst{}, 7}, Lengths: chat, Requests: 500}
	capped := random(Second, 999).run(t, mustSource(t, w, 2))
	w.Generator = ClosedLoop{Clients: 7}
	closed := random(Second, 999).run(t, mustSource(t, w, 2))
	for i := range capped {
		assert.Zero(t, capped[i].IntendedAt)
		assert.Equal(t, closed[i].SentAt, capped[i].SentAt)
		assert.Equal(t, closed[i].Prompt, capped[i].Prompt)
	}
}

func TestMLPerf(t *testing.T) {
	w := Workload{Generator: MLPerfServer{8}, Lengths: chat, Requests: 100}
	server := fixed(0, 999).run(t, mustSource(t, w, 2))
	w.Generator = OpenLoop{Poisson{8}}
	assert.Equal(t, fixed(0, 999).run(t, mustSource(t, w, 2)), server)
	w.Generator = MLPerfOffline{}
	for _, r := range fixed(Second, 999).run(t, mustSource(t, w, 2)) {
		assert.Zero(t, r.SentAt)
	}
	w.Generator = MLPerfSingleStream{}
	single := fixed(Second, 999).run(t, mustSource(t, w, 2))
	for i, r := range single {
		assert.Equal(t, Nanos(i)*Second, r.SentAt)
	}
}

func TestMultiStreamWaitsForTheWholeQuery(t *testing.T) {
	w := Workload{Generator: MLPerfMultiStream{8}, Lengths: chat, Requests: 800}
	all := random(Second, 999).run(t, mustSource(t, w, 2))
	require.Len(t, all, 800)
	end := Nanos(0)
	for q := 0; q < 800; q += 8 {
		start := end
		for i, r := range all[q : q+8] {
			assert.Equal(t, start, r.SentAt)
			assert.EqualValues(t, i, r.Client)
			assert.EqualValues(t, q/8, r.Turn)
			end = max(end, r.EndedAt)
		}
	}
}

// chatting has every kind of thing that a session can have.
var chatting = Workload{
	Generator: Sessions{Starts: Poisson{1}, Turns: UniformCount{1, 6}, Think: ThinkTime{Second, true}},
	Lengths:   chat,
	Shared:    SharedPrefixes{Prefixes: 3, Tokens: 100, Zipf: 1, Share: 0.5},
	Batch:     BatchTier{0.5, 9},
	Requests:  1000,
}

func TestSessionsChain(t *testing.T) {
	all := random(3*Second, 9999).run(t, mustSource(t, chatting, 5))
	require.Len(t, all, 1000)
	last := map[int32]sent{}
	for _, r := range all {
		total := int32(0)
		for _, s := range r.Prefix {
			total += s.Tokens
		}
		assert.Equal(t, r.Prompt, total, "the prompt is named to its end")
		before, ok := last[r.Session]
		last[r.Session] = r
		if !ok {
			assert.Zero(t, r.Turn)
			continue
		}
		assert.Equal(t, before.Turn+1, r.Turn)
		assert.Equal(t, before.Priority, r.Priority)
		assert.GreaterOrEqual(t, r.SentAt, before.EndedAt)
		require.NotZero(t, before.OutputID)
		want := append(append([]Segment{}, before.Prefix...), Segment{before.OutputID, before.Output})
		require.Equal(t, want, r.Prefix[:len(r.Prefix)-1], "all that was said, then the new text")
	}
	ids := map[uint64]bool{}
	for _, r := range all {
		id := r.Prefix[len(r.Prefix)-1].ID
		assert.False(t, ids[id], "each new text is new")
		ids[id] = true
	}
}

// TestSessionsDoNotDependOnTheServer: a session says the same things to a slow
// server as to a fast one.
func TestSessionsDoNotDependOnTheServer(t *testing.T) {
	w := chatting
	w.Requests, w.Until = 0, 100*Second
	type turn struct{ session, turn int32 }
	said := map[turn]Spec{}
	for _, r := range fixed(Millisecond, 9999).run(t, mustSource(t, w, 5)) {
		r.IntendedAt, r.SentAt = 0, 0
		said[turn{r.Session, r.Turn}] = r.Spec
	}
	same := 0
	for _, r := range random(5*Second, 9999).run(t, mustSource(t, w, 5)) {
		r.IntendedAt, r.SentAt = 0, 0
		if fast, ok := said[turn{r.Session, r.Turn}]; ok {
			assert.Equal(t, fast, r.Spec)
			same++
		}
	}
	assert.Greater(t, same, 200)
}

func TestSessionsEnd(t *testing.T) {
	w := chatting
	w.Requests = 0
	w.Generator = Sessions{Starts: Burst{}, Turns: FixedCount(5), Count: 20}
	assert.Len(t, fixed(Second, 9999).run(t, mustSource(t, w, 5)), 100, "20 sessions of 5 turns")

	giveUp := toy{func(i int32, r *Spec) (Nanos, Status) {
		if r.Turn == 2 {
			return Second, TimedOut
		}
		return Second, Completed
	}, 9999}
	assert.Len(t, giveUp.run(t, mustSource(t, w, 5)), 60, "a turn that does not complete is the last")

	w.Generator = Sessions{Starts: Burst{}, Turns: FixedCount(50), Count: 20, MaxContext: 4096}
	all := fixed(Second, 9999).run(t, mustSource(t, w, 5))
	assert.Less(t, len(all), 400)
	for _, r := range all {
		assert.LessOrEqual(t, r.Prompt+r.Output, int32(4096))
	}
}

func TestWakeupsAreInOrder(t *testing.T) {
	var w wakeups
	r := NewRand(1, StreamThink, 0)
	for round := range 200 {
		for range r.IntN(20) {
			w.push(Nanos(round+r.IntN(10)), int32(w.seq))
		}
		before := wakeup{}
		for range r.IntN(20) {
			first, ok := w.first()
			if !ok {
				break
			}
			assert.True(t, before.before(first))
			before = first
			w.pop()
		}
	}
}
