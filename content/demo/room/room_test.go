package room

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
)

// busy is a cluster in which everything happens: requests wait, share a prefix,
// are put back, give up and come again; one replica is down for a while.
func busy(t testing.TB) (*Replay, *sim.Results) {
	t.Helper()
	c := sim.Config{
		Replicas: 3, SampleEvery: sim.Second,
		Engine: sim.Engine{
			MaxNumSeqs: 16, MaxBatchedTokens: 256, PrefillChunkTokens: 256, BlockTokens: 16, KVBlocks: 60, PrefixCache: true,
			Cost: sim.LinearCost{Base: 10 * sim.Millisecond.Picos(), PerPrefillToken: 20_000_000},
		},
		Timeout: 7 * sim.Second,
		Changes: []sim.Change{{Span: sim.Span{From: 4 * sim.Second, To: 6 * sim.Second}, Replica: 1, Down: true}},
	}
	load := sim.Workload{
		Retry:     sim.Retry{Attempts: 3, Budget: 0.5, Backoff: sim.Second / 2, Factor: 2, Jitter: 0.5},
		Generator: sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: 40}}, Requests: 400, Shared: sim.SharedPrefixes{Prefixes: 2, Tokens: 40, Share: 0.5}, Lengths: sim.Separate{
			Prompt: sim.UniformCount{Min: 20, Max: 200}, Output: sim.UniformCount{Min: 5, Max: 90},
		}}
	source := func() sim.Source {
		s, err := sim.NewSource(load, 3)
		require.NoError(t, err)
		return s
	}
	s, err := sim.New(c, source(), 3)
	require.NoError(t, err)
	s.Run()
	return New(c, source, 3), s.Results()
}

func TestLayout(t *testing.T) {
	r, _ := busy(t)
	r.Stand(5 * sim.Second)
	f := r.Frame()
	require.NotEmpty(t, f.Requests)
	x := r.Room([]float64{7, 7})
	assert.Equal(t, []float64{7, 7}, x[:2], "Append appends")
	x = x[2:]
	got := Frame{Requests: make([]Request, 3)}
	require.True(t, got.Read(x))
	assert.Equal(t, *f, got)
	assert.Equal(t, headNumbers+3*replicaNumbers+len(f.Requests)*requestNumbers, len(x))
	for _, bad := range [][]float64{nil, {}, x[:5], x[:len(x)-1], append(x[:len(x):len(x)], 0), append([]float64{Version + 1}, x[1:]...), append([]float64{math.NaN()}, x[1:]...)} {
		assert.False(t, got.Read(bad))
	}
	wild := append([]float64(nil), x...)
	wild[11], wild[12] = math.NaN(), -1
	assert.False(t, got.Read(wild))
	wild[11], wild[12] = 1e300, 1e300
	assert.False(t, got.Read(wild))
	assert.Equal(t, *f, got, "what cannot be read changes nothing")
}

// Attempts at a request are counted, and named after the first.
func TestAttempts(t *testing.T) {
	r, results := busy(t)
	r.Stand(results.EndAt)
	again := 0
	for i := range results.Status {
		if results.Repeats(i) {
			again++
		}
	}
	require.Positive(t, again)
	assert.Equal(t, again, r.Frame().Again)
	assert.Contains(t, r.RoomSays(-1).Says.String(), " sent again")
	last := len(results.Status) - 1
	for ; !results.Repeats(last); last-- {
	}
	first := int(results.Origin[last])
	assert.Contains(t, r.RoomSays(last).Picked.Rows[0][0].Text, "Sent again, attempt ")
	assert.Contains(t, r.RoomSays(last).Picked.Rows[0][0].Text, " of request "+r.Frame().Name(first)+": ")

	_, from, to, ok := r.Asked()
	assert.True(t, ok)
	assert.Equal(t, []float64{seconds(results.SentAt[last]), seconds(results.DoneAt[last])}, []float64{from, to})
	r.Stand(results.SentAt[last])
	_, from, to, ok = r.Asked()
	assert.True(t, ok && from == to, "it has just been sent: %v to %v", from, to)
	assert.Contains(t, []int{2, 3}, r.Frame().Find(last).Attempt)
	r.Stand(results.SentAt[last] - 1)
	_, _, _, ok = r.Asked()
	assert.False(t, ok, "it is not there yet")
	r.RoomSays(-1)
	r.Stand(results.EndAt)
	_, _, _, ok = r.Asked()
	assert.False(t, ok, "nobody is asked about")
}

// A room is that of the run which the figures show, whichever way one comes to it.
func TestReplayIsTheRun(t *testing.T) {
	r, results := busy(t)
	other, _ := busy(t)
	var waiting, back, down, kept bool
	for _, at := range []sim.Nanos{0, 2 * sim.Second, 5 * sim.Second, 9 * sim.Second, results.EndAt, 3 * sim.Second, 0} {
		r.Stand(at)
		f := *r.Frame()
		fresh, _ := busy(t)
		fresh.Stand(at)
		assert.Equal(t, fresh.Room(nil), r.Room(nil), "at %d", at)
		for i := range results.Status {
			sent, ended := results.SentAt[i] <= at, results.DoneAt[i] <= at
			if q := f.Find(i); q != nil {
				assert.True(t, sent && !ended, "request %d at %d", i, at)
				assert.Equal(t, results.AdmittedAt[i] <= at, q.Admitted != Never, "request %d at %d", i, at)
				assert.Equal(t, results.FirstTokenAt[i] <= at, q.Generated > 0, "request %d at %d", i, at)
				waiting, back = waiting || q.Place == sim.InQueue, back || q.Waits
			} else {
				assert.True(t, !sent || ended || f.Replicas[results.Replica[i]].Waiting > MostQueued, "request %d at %d is nowhere", i, at)
			}
		}
		for _, p := range f.Replicas {
			down, kept = down || p.Presence != sim.IsUp, kept || p.Kept > 0
		}
		assert.Equal(t, f.Sent, f.Completed+f.Refused+f.TimedOut+f.Lost+f.Replicas[0].Waiting+f.Replicas[0].Running+
			f.Replicas[1].Waiting+f.Replicas[1].Running+f.Replicas[2].Waiting+f.Replicas[2].Running)
	}
	assert.True(t, waiting && back && down && kept, "the run has nothing to see: %v %v %v %v", waiting, back, down, kept)
	other.Stand(results.EndAt)
	assert.Empty(t, other.Frame().Requests)
}

func TestWords(t *testing.T) {
	r, results := busy(t)
	r.Stand(5 * sim.Second)
	x := r.RoomSays(-1)
	assert.Contains(t, x.Says.String(), "At 5 s ")
	assert.Contains(t, x.Says.String(), "Replica 2 is down.")
	assert.Len(t, x.Replicas.Rows, 3)
	assert.LessOrEqual(t, len(x.Requests.Rows), 20)
	assert.Len(t, x.Names, len(x.IDs))
	assert.Empty(t, x.Picked.Rows)
	for _, id := range []int{0, len(results.Status) - 1, 1 << 20} {
		assert.Equal(t, id < r.Frame().Sent, len(r.RoomSays(id).Picked.Rows) > 0, "request %d", id)
	}
	for i := range results.Status {
		if results.Preemptions[i] > 0 {
			r.Stand(results.EndAt)
			story := r.RoomSays(i).Picked
			assert.Equal(t, "Request "+r.Frame().Name(i), story.Caption)
			assert.Contains(t, story.Rows[0][0].Text, "Sent: a prompt of ")
			assert.Equal(t, "Put back", story.Rows[3][0].Text)
			assert.Contains(t, story.Rows[len(story.Rows)-1][0].Text, "Complete, with ")
			return
		}
	}
	t.Fatal("nobody is put back")
}
