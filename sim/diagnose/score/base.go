// Package score draws runs of known failures, to score the rules of package
// diagnose: which cluster, whose load, which lever, how hard and when comes
// from a seed. It knows what was broken; the rules see the windows alone.
//
// To follow it: base.go (clusters in good health), lowest.go (how hard a lever
// must be pulled to be seen at all), draw.go (a run of a lever), fine.go (runs
// in which nothing is broken), tally.go (what is counted).
package score

import "openloop/sim"

// Base is a cluster in good health and who uses it.
type Base struct {
	ID    string
	Users string // chat, documents, answers or sessions
	sim.Scenario

	Every sim.Nanos // a window
}

// Windows is how many windows of a run are shown, and lead how many there are
// before them, at most: a dashboard that is opened while a server runs.
const (
	Windows = 40
	lead    = 20
)

// Bases are all of them. Their loads are between a third and three quarters of
// what they can serve (TestLoads).
func Bases() []Base {
	return []Base{
		chat("chat-1", 1, 5, func(s *sim.Scenario) { s.Config.Engine.Draft = sim.Draft{} }),
		chat("chat-4", 4, 30, func(s *sim.Scenario) { s.Config.Timeout = 10 * sim.Second }),
		chat("chat-8", 8, 44, func(s *sim.Scenario) {
			s.Config.Routing, s.Config.Affinity = sim.PrefixAffinity, sim.Affinity{Blocks: 16, Guard: 6}
			s.Workload.Shared.Prefixes = 24
		}),
		chat("chat-bursty-4", 4, 21, func(s *sim.Scenario) {
			s.Workload.Generator = sim.OpenLoop{Arrivals: sim.Gamma{RatePerSec: 21, Burstiness: 0.4}}
			s.Config.Routing = sim.LeastKV
		}),
		chat("chat-retry-4", 4, 38, func(s *sim.Scenario) {
			s.Config.Timeout = 8 * sim.Second
			s.Workload.Retry = sim.Retry{Attempts: 2, Backoff: sim.Second, Factor: 2, Jitter: 0.5}
		}),
		documents("documents-2", 2, 3.6, func(s *sim.Scenario) {
			s.Config.Routing, s.Config.Engine.Draft = sim.RoundRobin, sim.Draft{}
		}),
		documents("documents-4", 4, 11, func(s *sim.Scenario) { s.Config.Routing = sim.LeastKV }),
		documents("documents-alone-2", 2, 2.6, func(s *sim.Scenario) {
			s.Config.Engine.PrefixCache = false
			s.Workload.Shared = sim.SharedPrefixes{}
			s.Workload.Lengths = sim.Separate{
				Prompt: sim.LogNormalCount{Median: 2200, Sigma: 0.5, Min: 64, Max: 7000},
				Output: sim.LogNormalCount{Median: 240, Sigma: 0.4, Min: 8, Max: 800},
			}
		}),
		answers("answers-2", 2, 5, func(*sim.Scenario) {}),
		answers("answers-4", 4, 6.5, func(s *sim.Scenario) {
			s.Config.Routing = sim.RoundRobin
			s.Config.Engine.PrefixCache, s.Config.Engine.Draft = false, sim.Draft{}
			s.Workload.Shared = sim.SharedPrefixes{}
		}),
		sessions("sessions-2", 2, 3.2, func(*sim.Scenario) {}),
		sessions("sessions-4", 4, 5.5, func(s *sim.Scenario) {
			s.Config.Routing, s.Config.Affinity = sim.PrefixAffinity, sim.Affinity{Blocks: 64, Guard: 8}
			s.Config.Engine.Draft = sim.Draft{}
		}),
		chat("chat-pools-4", 4, 18, func(s *sim.Scenario) { s.Config.Pools = link(2) }),
		documents("documents-pools-6", 6, 7.5, func(s *sim.Scenario) {
			s.Config.Pools = link(4)
			s.Config.Engine.Draft = sim.Draft{}
		}),
	}
}

// FindBase gives a base by its ID.
func FindBase(id string) (Base, bool) {
	for _, b := range Bases() {
		if b.ID == id {
			return b, true
		}
	}
	return Base{}, false
}

func link(prefill int) sim.Pools {
	return sim.Pools{Prefill: prefill, BytesPerToken: 128 << 10, BytesPerSec: 25e9}
}

// cluster has the steps of the base server of the levers (package sim,
// healthy.go), and clients who give up after a timeout.
func cluster(replicas, seats, blocks int, timeout sim.Nanos) sim.Config {
	e := sim.Healthy("").Config.Engine
	e.MaxNumSeqs, e.KVBlocks = seats, blocks
	return sim.Config{Replicas: replicas, Routing: sim.LeastRequests, Timeout: timeout, Engine: e}
}

func newBase(id, users string, every sim.Nanos, s sim.Scenario, more func(*sim.Scenario)) Base {
	span := every * (lead + Windows)
	s.Config.SampleEvery, s.Config.Horizon = every, span
	s.Workload.Until = span
	more(&s)
	return Base{ID: id, Users: users, Scenario: s, Every: every}
}

func open(perSec float64) sim.Generator {
	return sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: perSec}}
}

// chat: short prompts behind one of a few instructions, short answers.
func chat(id string, replicas int, perSec float64, more func(*sim.Scenario)) Base {
	return newBase(id, "chat", 4*sim.Second, sim.Scenario{
		Config: cluster(replicas, 48, 1500, 30*sim.Second),
		Workload: sim.Workload{
			Generator: open(perSec),
			Lengths: sim.Separate{
				Prompt: sim.LogNormalCount{Median: 200, Sigma: 0.6, Min: 8, Max: 2048},
				Output: sim.LogNormalCount{Median: 150, Sigma: 0.4, Min: 8, Max: 512},
			},
			Shared: sim.SharedPrefixes{Prefixes: 8, Tokens: 384, Zipf: 1, Share: 1},
		},
	}, more)
}

// documents: long prompts, half of which many ask about, short answers.
func documents(id string, replicas int, perSec float64, more func(*sim.Scenario)) Base {
	return newBase(id, "documents", 5*sim.Second, sim.Scenario{
		Config: cluster(replicas, 32, 4500, 30*sim.Second),
		Workload: sim.Workload{
			Generator: open(perSec),
			Lengths: sim.Separate{
				Prompt: sim.LogNormalCount{Median: 1500, Sigma: 0.4, Min: 64, Max: 6000},
				Output: sim.LogNormalCount{Median: 100, Sigma: 0.4, Min: 8, Max: 400},
			},
			Shared: sim.SharedPrefixes{Prefixes: 12, Tokens: 1536, Zipf: 1, Share: 0.9},
		},
	}, more)
}

// answers: short prompts, long answers.
func answers(id string, replicas int, perSec float64, more func(*sim.Scenario)) Base {
	return newBase(id, "answers", 10*sim.Second, sim.Scenario{
		Config: cluster(replicas, 64, 2200, 120*sim.Second),
		Workload: sim.Workload{
			Generator: open(perSec),
			Lengths: sim.Separate{
				Prompt: sim.LogNormalCount{Median: 180, Sigma: 0.5, Min: 8, Max: 1024},
				Output: sim.LogNormalCount{Median: 500, Sigma: 0.35, Min: 32, Max: 1500},
			},
			Shared: sim.SharedPrefixes{Prefixes: 4, Tokens: 256, Zipf: 1, Share: 1},
		},
	}, more)
}

// sessions: conversations whose turns carry all that was said before.
func sessions(id string, replicas int, startsPerSec float64, more func(*sim.Scenario)) Base {
	return newBase(id, "sessions", 5*sim.Second, sim.Scenario{
		Config: cluster(replicas, 48, 2400, 30*sim.Second),
		Workload: sim.Workload{
			Generator: sim.Sessions{
				Starts: sim.Poisson{RatePerSec: startsPerSec}, Turns: sim.UniformCount{Min: 1, Max: 5},
				Think: sim.ThinkTime{Mean: 6 * sim.Second}, MaxContext: 8000,
			},
			Lengths: sim.Separate{
				Prompt: sim.LogNormalCount{Median: 120, Sigma: 0.6, Min: 8, Max: 1024},
				Output: sim.LogNormalCount{Median: 140, Sigma: 0.4, Min: 8, Max: 512},
			},
			Shared: sim.SharedPrefixes{Prefixes: 4, Tokens: 256, Zipf: 1, Share: 1},
		},
	}, more)
}
