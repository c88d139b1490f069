package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Levers pulled at random: whatever is legal runs to its end and keeps the
// laws; whatever is not is refused by name.

// TestLossDuringARun: blocks are lost while a step is in progress that needs one
// more than the step before. It has its block; the loss takes what is left.
func TestLossDuringARun(t *testing.T) {
	for _, prefixes := range []bool{false, true} {
		for at := Nanos(0); at < 9*sec; at += 250 * Millisecond {
			c := Config{Engine: unit(), Replicas: 1, Changes: []Change{{Span: Span{at, at + 20*sec}, Replica: All, LostKV: 0.9}}}
			c.Engine.KVBlocks, c.Engine.PrefixCache = 6, prefixes
			assert.Empty(t, disagreement(c, []Spec{ask(0, 3, 12), ask(0, 2, 9)}, 1), "lost at %v, prefix cache %v", at, prefixes)
		}
	}
}

// pulledScenario is a small version of a base server, and levers for it.
func pulledScenario(pick chooser) (Scenario, []Pull) {
	s := Healthy(levers[pick(len(levers))].ID)
	s.Config.Horizon, s.Workload.Until = 20*Second, 20*Second
	s.Config.SampleEvery = oneOf(pick, 0, Second, 4*Second)
	e := &s.Config.Engine
	e.KVBlocks = oneOf(pick, 2750, 400, 140)
	e.MaxNumSeqs = oneOf(pick, 48, 8, 2)
	e.PrefixCache = pick(4) > 0
	if !e.PrefixCache {
		s.Workload.Shared = SharedPrefixes{}
	}
	if pick(2) == 0 {
		e.Draft = Draft{}
	}
	e.Async = pick(4) == 0 && s.Config.Pools.Prefill == 0
	if pick(4) == 0 {
		e.PrefillChunkTokens = 0
		e.MaxModelLen = e.MaxBatchedTokens
	}
	if s.Config.Pools.Prefill == 0 {
		s.Config.Replicas = 1 + pick(4)
		s.Config.Routing = oneOf(pick, RoundRobin, LeastRequests, LeastKV)
	}
	s.Config.Timeout = oneOf(pick, 20*Second, 3*Second, 0)
	s.Workload.Retry = oneOf(pick, Retry{}, Retry{Attempts: 3}, Retry{Attempts: 4, Backoff: Second, Factor: 2, Jitter: 1, Budget: 0.2})
	var pulls []Pull
	for range 1 + pick(3) {
		l := levers[pick(len(levers))]
		from := Nanos(pick(200)) * Second / 10
		p := Pull{Lever: l.ID, Span: Span{from, from + 1 + Nanos(pick(200))*Second/10}, Replica: pick(4)}
		p.Intensity = l.Low + float64(float64(pick(256))/255*float64(min(l.High, 4*l.Default)-l.Low))
		switch l.ID {
		case chunkingOff.ID, replicaRestart.ID, retryStorm.ID:
			p.Intensity = float64(int(p.Intensity))
		}
		pulls = append(pulls, p)
	}
	return s, pulls
}

// lawfulPull runs levers if they are legal, and says whether they were.
func lawfulPull(t *testing.T, pick chooser, seed uint64) bool {
	t.Helper()
	s, pulls := pulledScenario(pick)
	pulled, err := s.Pulled(pulls...)
	if err != nil {
		requireValueError(t, err)
		return false
	}
	x, err := pulled.New(seed)
	require.NoError(t, err)
	x.Run()
	lawsOf(t, s.Config, x.Results(), literal(s), pulls...)
	return true
}

func TestPulledAtRandom(t *testing.T) {
	legal := 0
	n := runs() / 20
	for seed := range n {
		legal += b2i(lawfulPull(t, seededChooser(seed^9<<40), seed))
	}
	assert.Greater(t, legal, int(n)/5)
}

// FuzzPulled reads a server and up to three levers from bytes.
func FuzzPulled(f *testing.F) {
	for _, seed := range []string{"", "\x03\x02\x01\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b", "a leak of blocks while requests decode, and a crash"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { lawfulPull(t, bytesChooser(data), 1) })
}
