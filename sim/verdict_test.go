package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// judgedShare runs a random queue over up to 100 seeds and gives the share of each state.
func judgedShare(n, servers int, load float64) map[State]float64 {
	seeds := max(3, min(100, 200_000/n))
	out := map[State]float64{}
	for seed := range uint64(seeds) {
		due, service := fifoRandom(seed, n, servers, load)
		out[Judge(fifo{servers: servers}.run(due, service), 0, Never, false).State] += 1 / float64(seeds)
	}
	return out
}

// TestVerdictOfRandomQueues: what many runs of a queue are called. Near
// capacity a short run cannot tell, and must not claim overload.
func TestVerdictOfRandomQueues(t *testing.T) {
	for _, c := range []struct {
		name    string
		n       int
		servers int
		load    float64
		want    State
		least   float64 // share of seeds that say so
		wrong   State
		most    float64 // share that may say this
	}{
		{"load 0.5", 2000, 1, 0.5, Stable, 1, Overloaded, 0},
		{"load 0.5, short", 100, 1, 0.5, Stable, 0.96, Overloaded, 0},
		{"load 0.9", 10000, 1, 0.9, Stable, 0.99, Overloaded, 0},
		{"load 0.9, short", 500, 1, 0.9, Stable, 0.85, Overloaded, 0.03},
		{"load 0.9, many servers", 10000, 64, 0.9, Stable, 1, Overloaded, 0},
		{"load 1, long", 10000, 1, 1, Backlogged, 0.4, Overloaded, 0.1},
		{"load 1.2", 10000, 1, 1.2, Overloaded, 1, Stable, 0},
		{"load 1.2, short", 1000, 1, 1.2, Overloaded, 0.7, Stable, 0.02},
		{"load 1.2, many servers", 10000, 64, 1.2, Overloaded, 1, Stable, 0},
		{"load 1.02, very long", 100000, 1, 1.02, Overloaded, 0.9, Stable, 0.02},
		{"load 3", 200, 4, 3, Overloaded, 1, Stable, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judgedShare(c.n, c.servers, c.load)
			t.Log(got)
			assert.GreaterOrEqual(t, got[c.want]+1e-9, c.least, "share of state %d", c.want)
			assert.LessOrEqual(t, got[c.wrong], c.most+1e-9, "share of state %d", c.wrong)
		})
	}
}

// evenly gives n instants with this gap.
func evenly(n int, gap Nanos) []Nanos {
	out := make([]Nanos, n)
	for i := range out {
		out[i] = Nanos(i) * gap
	}
	return out
}

func alike(n int, service Nanos) []Nanos {
	out := make([]Nanos, n)
	for i := range out {
		out[i] = service
	}
	return out
}

func TestVerdictReasons(t *testing.T) {
	const sec = Second
	long := alike(1000, sec)
	long[990] = 2000 * sec
	surge := evenly(1000, sec)
	for i := 400; i < 700; i++ {
		surge[i] = 400 * sec // 300 at once
	}
	for i := 700; i < 1000; i++ {
		surge[i] = 400*sec + Nanos(i-699)*2*sec
	}
	half := evenly(1000, sec) // three times as fast in the last tenth
	for i := 900; i < 1000; i++ {
		half[i] = half[899] + Nanos(i-899)*sec/3
	}
	for _, c := range []struct {
		name string
		f    fifo
		due  []Nanos
		srv  []Nanos
		want [2]uint8
	}{
		{"kept up", fifo{}, evenly(1000, 2*sec), alike(1000, sec), [2]uint8{uint8(Stable), uint8(ReasonKeptUp)}},
		{"one long last answer", fifo{servers: 2}, evenly(1000, sec), long, [2]uint8{uint8(Stable), uint8(ReasonDrainTail)}},
		{"all at once", fifo{}, make([]Nanos, 1000), alike(1000, sec), [2]uint8{uint8(Backlogged), uint8(ReasonBurst)}},
		{"nearly all at once", fifo{}, append(make([]Nanos, 950), evenly(50, 10*sec)...), alike(1000, sec/10), [2]uint8{uint8(Backlogged), uint8(ReasonBurst)}},
		{"a surge that is worked off", fifo{}, surge, alike(1000, sec*4/10), [2]uint8{uint8(Backlogged), uint8(ReasonPiledUp)}},
		{"a surge at the end", fifo{}, half, alike(1000, sec), [2]uint8{uint8(Backlogged), uint8(ReasonGrowthUnsure)}},
		{"no spare capacity", fifo{sentAt: evenly(1000, sec)}, shifted(evenly(1000, sec), 40*sec), alike(1000, sec), [2]uint8{uint8(Backlogged), uint8(ReasonNoneServed)}},
		{"too much", fifo{}, evenly(1000, sec), alike(1000, sec*11/10), [2]uint8{uint8(Overloaded), uint8(ReasonQueueGrows)}},
		{"one percent too much, not visible yet", fifo{}, evenly(1000, sec), alike(1000, sec*101/100), [2]uint8{uint8(Stable), uint8(ReasonKeptUp)}},
		{"too much, a few refused", fifo{maxWaiting: 85}, evenly(1000, sec), alike(1000, sec*11/10), [2]uint8{uint8(Overloaded), uint8(ReasonQueueGrows)}},
		{"too much, stopped at a horizon", fifo{horizon: 500 * sec}, evenly(1000, sec), alike(1000, sec*11/10), [2]uint8{uint8(Overloaded), uint8(ReasonQueueGrows)}},
		{"too much, refused", fifo{maxWaiting: 5}, evenly(1000, sec), alike(1000, sec*11/10), [2]uint8{uint8(Overloaded), uint8(ReasonWorkIsShed)}},
		{"too much, given up", fifo{patience: 3 * sec}, evenly(1000, sec), alike(1000, sec*11/10), [2]uint8{uint8(Overloaded), uint8(ReasonWorkIsShed)}},
		{"too much, held back by the client", fifo{sentAt: evenly(1000, sec*11/10)}, evenly(1000, sec), alike(1000, sec), [2]uint8{uint8(Overloaded), uint8(ReasonQueueGrows)}},
		{"closed loop", fifo{client: func(i int) int32 { return int32(i % 8) }}, evenly(1000, sec), alike(1000, sec*11/10), [2]uint8{uint8(CannotTell), uint8(ReasonClosedLoop)}},
		{"all served at once, but the window is one answer long", fifo{servers: 1000}, evenly(1000, sec), alike(1000, 1000*sec), [2]uint8{uint8(CannotTell), uint8(ReasonTooShort)}},
		{"ten requests", fifo{}, evenly(10, sec), alike(10, 2*sec), [2]uint8{uint8(CannotTell), uint8(ReasonTooFew)}},
		{"ten at once", fifo{}, make([]Nanos, 10), alike(10, sec), [2]uint8{uint8(CannotTell), uint8(ReasonTooFew)}},
		{"nothing", fifo{}, nil, nil, [2]uint8{uint8(CannotTell), uint8(ReasonNoRequests)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Judge(c.f.run(c.due, c.srv), 0, Never, false)
			assert.Equal(t, c.want, [2]uint8{uint8(got.State), uint8(got.Reason)}, "%+v", got)
		})
	}
}

// TestVerdictOfSteps: an engine admits between steps only, so that under heavy
// traffic somebody always waits; that is not a backlog, not even where a
// request is served in one step and waits longer than that.
func TestVerdictOfSteps(t *testing.T) {
	const stepLength = 50 * Millisecond
	for _, output := range []Nanos{1, 2, 100} {
		due, _ := fifoRandom(11, 5000, 100, 1) // 100 a second
		r := fifo{servers: 5000}.run(due, alike(5000, output*stepLength))
		for i, at := range due {
			wait := stepLength - at%stepLength + stepLength // the step in progress and one already queued
			r.AdmittedAt[i] = at + wait
			r.FirstTokenAt[i] += wait
			r.DoneAt[i] += wait
		}
		got := Judge(r, 0, Never, false)
		assert.Equal(t, Stable, got.State, "output %d: %+v", output, got)
	}
}

// TestVerdictOfBurstyArrivals: groups of 20 at a load of 0.7 look wild, and are
// not overload.
func TestVerdictOfBurstyArrivals(t *testing.T) {
	overloaded, stable := 0, 0
	for seed := range uint64(100) {
		due, service := fifoRandom(seed, 5000, 1, 0.7)
		for i := range due {
			due[i] = due[i/20*20]
		}
		switch Judge(fifo{}.run(due, service), 0, Never, false).State {
		case Overloaded:
			overloaded++
		case Stable:
			stable++
		}
	}
	assert.LessOrEqual(t, overloaded, 1)
	assert.GreaterOrEqual(t, stable, 95)
}

func shifted(xs []Nanos, by Nanos) []Nanos {
	for i := range xs {
		xs[i] = max(xs[i]-by, 0)
	}
	return xs
}

// TestVerdictNumbers checks each number on a queue that can be done by hand:
// one request a second, 1.25 s each, stopped by nothing.
func TestVerdictNumbers(t *testing.T) {
	r := fifo{}.run(evenly(101, Second), alike(101, Second*5/4))
	v := Judge(r, 0, Never, false)
	// By t=100 the starts were at 0, 1.25, ..., 100: 81 of 101.
	assert.Equal(t, int64(101), v.Arrivals)
	assert.Equal(t, int64(0), v.AtStart)
	assert.Equal(t, int64(20), v.AtEnd)
	assert.Equal(t, int64(20), v.Peak)
	assert.Equal(t, 0.2, v.GrowthPerSec)
	assert.InDelta(t, 0, v.GrowthSE, 0.01)
	assert.Equal(t, 20.0/101, v.GrowthFrac)
	assert.Equal(t, 1.01, v.OfferedPerSec)
	assert.Equal(t, 0.81, v.AdmittedPerSec)
	assert.Equal(t, 126250*Millisecond, v.LastEndAt)
	assert.Equal(t, 0.8, v.WholeRunPerSec)
	assert.Equal(t, 0.0, v.PromptFrac)
	assert.InDelta(t, 100/(1.25+50*0.25), v.Turnovers, 1e-9)
	assert.InDelta(t, 15, v.WaitingMean, 0.3)
}

// TestVerdictOfWindow: a standing queue is not growth, seen from its middle.
func TestVerdictOfWindow(t *testing.T) {
	due := shifted(evenly(1000, Second), 100*Second) // 100 at once, then one a second
	r := fifo{}.run(due, alike(1000, Second))
	v := Judge(r, 300*Second, 700*Second, false)
	assert.InDelta(t, 100, v.AtStart, 1)
	assert.InDelta(t, 100, v.AtEnd, 1)
	assert.Equal(t, int64(400), v.Arrivals)
	assert.Equal(t, Backlogged, v.State)
	assert.Equal(t, ReasonNoneServed, v.Reason)
	assert.InDelta(t, 1, v.AdmittedPerSec, 0.01)
}

func TestVerdictLeavesImpossibleRequestsOut(t *testing.T) {
	r := fifo{}.run(evenly(200, Second), alike(200, Second/2))
	for i := range r.Status {
		r.Status[i], r.AdmittedAt[i], r.DoneAt[i] = Failed, Never, r.SentAt[i]
	}
	assert.Equal(t, ReasonNoRequests, Judge(r, 0, Never, false).Reason)
}
