package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSameSeedSameRun: a run is a function of its configuration and seed.
func TestSameSeedSameRun(t *testing.T) {
	for seed := range min(runs(), 100) {
		pick := seededChooser(seed)
		c := cornerConfig(pick)
		specs := cornerSpecs(pick, c)
		for _, j := range judged {
			assert.Equal(t, openLoop(j.from)(c, specs, seed), openLoop(j.from)(c, specs, seed), "%s, seed %d", j.name, seed)
		}
	}
}

// loopSource is a closed loop: each client sends, waits for the end, thinks,
// and sends again, until an instant.
type loopSource struct {
	due   []loopDue // by instant
	until Nanos
	think Nanos
	spec  Spec
	of    []int32 // client of each request
}

type loopDue struct {
	at     Nanos
	client int32
}

func newLoopSource(clients int, think, until Nanos, spec Spec) *loopSource {
	l := &loopSource{until: until, think: think, spec: spec}
	for i := range clients {
		l.due = append(l.due, loopDue{0, int32(i)})
	}
	return l
}

func (l *loopSource) Next() (Nanos, bool) {
	if len(l.due) == 0 {
		return Never, false
	}
	return l.due[0].at, true
}

func (l *loopSource) Take(r *Spec) {
	*r = l.spec
	r.SentAt, r.IntendedAt, r.Client = l.due[0].at, l.due[0].at, l.due[0].client
	l.of = append(l.of, r.Client)
	l.due = l.due[1:]
}

func (l *loopSource) Ended(i int32, at Nanos, _ Status) {
	next := loopDue{at + l.think, l.of[i]}
	if next.at > l.until {
		return
	}
	k := 0
	for k < len(l.due) && l.due[k].at <= next.at {
		k++
	}
	l.due = slices.Insert(l.due, k, next)
}

// TestClosedLoopBound: N clients that think for Z complete at most one request
// per (Z + R1)/N, with R1 the latency of a request that is alone; and not more
// than the engine makes when every seat is taken.
func TestClosedLoopBound(t *testing.T) {
	const until = 200 * sec
	for seed := range min(runs(), 40) {
		pick := seededChooser(seed)
		c := sceneConfig()
		c.TraceSteps = 0
		c.Engine.MaxNumSeqs = oneOf(pick, 1, 2, 4)
		c.Engine.KVBlocks = oneOf(pick, 4, 6, 100)
		c.Engine.Async = pick(2) == 0
		c.Engine.PrefillChunkTokens = oneOf(pick, 0, 2, 1<<20)
		c.Engine.Cost = LinearCost{Base: 1e12, PerPrefillToken: 1e10, PerDecode: 3e10, PerKVToken: 1e9}
		spec := arrive(0, int32(1+pick(8)), int32(1+pick(6)))
		clients, think := 1+pick(6), oneOf[Nanos](pick, 0, 1, 5)*sec
		for _, j := range judged {
			alone := j.from(c, &listSource{specs: []Spec{spec}}, seed)
			r1 := alone.DoneAt[0].Seconds()
			r := j.from(c, newLoopSource(clients, think, until, spec), seed)
			span := r.EndAt.Seconds()
			completed := float64(len(r.Status))
			for _, s := range r.Status {
				assert.Equal(t, Completed, s)
			}
			z := think.Seconds()
			byClients := float64(clients) * (span + z) / (z + r1) // the first request needs no thinking
			bySeats := float64(c.Engine.MaxNumSeqs) * span / float64(spec.Output)
			assert.LessOrEqual(t, completed, math.Min(byClients, bySeats)+1e-6, "%s, seed %d", j.name, seed)
			assert.Greater(t, completed, 0.0)
			if clients == 1 {
				assert.Greater(t, completed, byClients-2, "%s, seed %d: a lone client meets the bound", j.name, seed)
			}
		}
	}
}
