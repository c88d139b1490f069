package field

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
)

// The hit rate fell when replicas were added. Reported, by three sources: that
// ties between idle ranks spread a session over all of them (vllm-project/vllm
// issues 52463, 52464), hit rates of 63.4% with round robin and 82.6% with
// consistent hashing (vime issue 120), and 5.47 to 7.88 requests/s with a mean
// time to first token of 3,511 to 789 ms (sgl-project/sglang issue 31170).

// prefixCase has hit rates by replicas, and times to first token by load.
type prefixCase struct {
	hits     [2][]float64 // by routing: round robin, by prefix
	computed [2]float64   // share of the prompt tokens, with four replicas
	same     float64      // share of later turns on the replica of the turn before
	ttft     [2][]float64
	done     [2][]float64 // requests/s
}

func prefixReplicas() []int        { return []int{1, 2, 4, 8} }
func prefixLoads() []float64       { return []float64{16, 20, 24, 32} } // sessions/s, for four replicas
func prefixRoutes() [2]sim.Routing { return [2]sim.Routing{sim.RoundRobin, sim.PrefixAffinity} }

// conversations are sessions of three turns, of 300 new tokens and 220 of answer
// each, after 976 tokens that all share. With one replica they have the reported
// 82.6% of consistent hashing, which is what they were chosen for.
func conversations(replicas int, routing sim.Routing, perSec, perPrefill float64, seconds sim.Nanos) sim.Scenario {
	e := oneEngine(400_000, 64, 2048, 9.28, perPrefill, 0.0082)
	e.PrefixCache = true
	return sim.Scenario{
		Config: sim.Config{Replicas: replicas, Routing: routing, Affinity: sim.Affinity{Blocks: 1024, Guard: 16}, Horizon: seconds, Engine: e},
		Workload: sim.Workload{
			Generator: sim.Sessions{Starts: sim.Poisson{RatePerSec: perSec}, Turns: sim.FixedCount(3), Think: sim.ThinkTime{Mean: 5 * sim.Second, Exponential: true}},
			Lengths:   sim.Separate{Prompt: sim.FixedCount(300), Output: sim.FixedCount(220)},
			Shared:    sim.SharedPrefixes{Prefixes: 1, Tokens: 976, Share: 1},
			Until:     seconds,
		},
	}
}

const (
	prefixSpan = 60 * sim.Second
	prefixFrom = 20 * sim.Second // for times to first token
)

func (c *prefixCase) jobs(r *fieldRun) {
	for i, routing := range prefixRoutes() {
		c.hits[i] = make([]float64, len(prefixReplicas()))
		c.ttft[i], c.done[i] = make([]float64, len(prefixLoads())), make([]float64, len(prefixLoads()))
		for k, n := range prefixReplicas() {
			r.run(conversations(n, routing, 3, 0.016, 2*prefixSpan), func(res *sim.Results) {
				t := res.Totals
				c.hits[i][k] = float64(t.Hit) / float64(t.LookedUp)
				if n == 4 {
					c.computed[i] = 1 - c.hits[i][k]
					if i == 0 {
						c.same = sameReplica(res)
					}
				}
			})
		}
		for k, load := range prefixLoads() {
			r.run(conversations(4, routing, load, 0.064, prefixSpan), func(res *sim.Results) {
				c.ttft[i][k], c.done[i][k] = mean(firstTokens(res, prefixFrom)), completedRate(res, prefixFrom)
			})
		}
	}
}

// sameReplica is the share of the turns after the first that were routed where
// the turn before was.
func sameReplica(r *sim.Results) float64 {
	var last []int32 // replica of the newest turn, by session
	same, n := 0, 0
	for i, s := range r.Session {
		for int(s) >= len(last) {
			last = append(last, -1)
		}
		if r.Turn[i] > 0 && last[s] >= 0 {
			n++
			if last[s] == r.Replica[i] {
				same++
			}
		}
		last[s] = r.Replica[i]
	}
	return float64(same) / float64(max(n, 1))
}

func (c *prefixCase) highest() int { return len(prefixLoads()) - 1 }

func (c *prefixCase) metrics() []demo.Metric {
	k := c.highest()
	return []demo.Metric{
		value("hit_round_robin", 100*c.hits[0][2]),
		value("hit_affinity", 100*c.hits[1][2]),
		value("same_replica", 100*c.same),
		value("prefill_ratio", c.computed[0]/c.computed[1]),
		value("service_gain", c.done[1][k]/c.done[0][k]),
		value("ttft_drop", 100*(1-c.ttft[1][k]/c.ttft[0][k])),
	}
}

func (c *prefixCase) summary(remedy bool) demo.Sentence {
	out := demo.Say("With one replica "+percent(c.hits[0][0])+" of the prompt tokens are found, with four and round robin ", percent(c.hits[0][2]),
		": a turn comes to the replica of the turn before in "+percent(c.same)+" of the cases.")
	if remedy {
		return append(out, demo.Say(" Routed by prefix it is ", percent(c.hits[1][2]), ", and prompts cost "+text.Num(c.computed[0]/c.computed[1], 3)+" times less.")...)
	}
	return out
}

func (c *prefixCase) figures(remedy bool) (shape, remedied demo.Figure) {
	shape = demo.Figure{Title: "Hit rate by the number of replicas"}
	shape.X = demo.Axis{Label: "Replicas", Min: 0, Max: 8, Digits: 2}
	shape.Y = demo.Axis{Label: "Prompt tokens found in a cache", Unit: "%", Min: 0, Max: 100, Digits: 3}
	lines := [2]demo.Series{{Name: "round robin"}, {Name: "by prefix"}}
	for i := range lines {
		for k, n := range prefixReplicas() {
			lines[i].X, lines[i].Y = append(lines[i].X, float64(n)), append(lines[i].Y, 100*c.hits[i][k])
		}
	}
	if !remedy {
		lines[1] = demo.Series{Name: "by prefix"}
	}
	shape.Series = fieldSeries(demo.Series{Name: "reported", X: []float64{4, 4}, Y: []float64{63.4, 82.6}}, lines[0], lines[1])
	shape.Alt = "With round robin the hit rate falls from " + percent(c.hits[0][0]) + " with one replica to " + percent(c.hits[0][2]) + " with four; reported were 63.4% and, by consistent hashing, 82.6%."
	shape.Notes = []string{"The report does not say how many replicas there were; its two points stand over four. Every cache has room to spare: a larger one would change nothing."}

	remedied = demo.Figure{Title: "Time to first token by load, four replicas"}
	remedied.X = demo.Axis{Label: "New conversations", Unit: "1/s", Min: 15, Max: 35, Digits: 2}
	remedied.Y = demo.Axis{Label: "Mean time to first token", Unit: "s", Digits: 2}
	var times [2]demo.Series
	for i, name := range []string{"round robin", "by prefix"} {
		times[i] = demo.Series{Name: name, X: prefixLoads(), Y: c.ttft[i]}
		remedied.Y.Max = max(remedied.Y.Max, demo.TraceTop(c.ttft[i]...))
	}
	if !remedy {
		times[1] = demo.Series{Name: "by prefix"}
	}
	remedied.Series = fieldSeries(demo.Series{Name: "reported"}, times[0], times[1])
	k := c.highest()
	remedied.Alt = "At 32 conversations a second the mean is " + text.Num(c.ttft[0][k], 3) + " s with round robin and " + text.Num(c.ttft[1][k], 3) + " s by prefix."
	remedied.Notes = []string{"A model four times as slow at prefill. At 32 a second " + text.Num(c.done[0][k], 3) + " and " + text.Num(c.done[1][k], 3) +
		" requests/s complete, " + text.Num(c.done[1][k]/c.done[0][k], 3) + " times as many; a report of another server has 1.44 times, and a mean 78% shorter."}
	return shape, remedied
}
