package field

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
)

// KV usage creeps up. Reported: a log of vLLM with six lines, ten seconds apart
// (vllm-project/vllm issue 18115, pull request 21809), and a table of runs with
// blocks kept free at admission (pull request 44594).

// kvCase has the log's server, without headroom and with it, and the table's.
type kvCase struct {
	log    [2][]sim.Window // without headroom, with it
	shift  float64         // s of the run at which the log begins
	frees  [4]headroom     // by share kept free
	eights float64
}

type headroom struct {
	preemptions, tokens, ttft float64
}

// The log: time in s, occupancy in %.
func kvLog() (t, u []float64) {
	return []float64{0, 10, 20, 30, 40, 50}, []float64{93.9, 94.3, 94.7, 95.0, 95.4, 95.8}
}

// The table: blocks kept free in %, and how often requests were preempted.
func kvTable() (free, preemptions []float64) {
	return []float64{0, 2, 5, 10}, []float64{1065, 400, 187, 168}
}

// Of the log: 8 requests that get 240.8 tokens/s, and a cache that those fill by
// 0.038 points a second, so 634,000 tokens. Chosen: prompts as long as it takes
// for 93.9%, answers that do not end, 0.05 ms a prompt token.
const (
	kvTokens   = 634_000
	kvRequests = 8
	kvPrompt   = 74_000
	kvStep     = 33.2 // ms: 8 tokens in 240.8ths of a second
)

func (c *kvCase) jobs(r *fieldRun) {
	for i := range c.log {
		e := oneEngine(kvTokens, 256, 8192, kvStep, 0.05, 0)
		if i == 1 {
			e.Watermark, e.FullPromptGate = 0.05, true
		}
		s := sim.Scenario{
			Config: sim.Config{Replicas: 1, Horizon: 360 * sim.Second, SampleEvery: 5 * sim.Second, Engine: e},
			Workload: sim.Workload{
				Generator: sim.ClosedLoop{Clients: kvRequests}, Until: sim.Second,
				Lengths: sim.Separate{Prompt: sim.FixedCount(kvPrompt), Output: sim.FixedCount(40_000)},
			},
		}
		r.run(s, func(res *sim.Results) {
			c.log[i] = sim.NewWindows(res, sim.SeriesOptions{KVBlocks: e.KVBlocks})
			if i == 0 {
				c.align()
			}
		})
	}
	// Of the table: 450 requests, 128 at a time, 299,584 tokens of KV, 11,582
	// tokens/s and 2.3 requests/s, so 5,000 tokens an answer. Chosen: prompts of
	// 900 tokens, the spread of the answers, steps of 5 ms and 0.01 ms a sequence.
	free, _ := kvTable()
	for i := range c.frees {
		e := oneEngine(299_584, 256, 8192, 5, 0.008, 0.01)
		e.Watermark = free[i] / 100
		s := sim.Scenario{
			Config: sim.Config{Replicas: 1, Engine: e},
			Workload: sim.Workload{
				Generator: sim.ClosedLoop{Clients: 128}, Requests: 450,
				Lengths: sim.Separate{Prompt: sim.FixedCount(900), Output: sim.LogNormalCount{Median: 5000, Sigma: 0.2, Min: 16, Max: 20_000}},
			},
		}
		r.run(s, func(res *sim.Results) {
			c.frees[i] = headroom{float64(res.Totals.Preempted), outputRate(res), quantile(firstTokens(res, 0), 0.5)}
		})
	}
}

// align finds when the run is where the log begins.
func (c *kvCase) align() {
	for _, w := range c.log[0] {
		if occupied(w) >= 93.9 {
			c.shift = w.End
			return
		}
	}
}

// occupied is a window's KV occupancy in %.
func occupied(w sim.Window) float64 { return 100 * w.Signal[sim.KVOccupancy].Value }

// full is when the cache is first full, from the begin of the log, in s.
func (c *kvCase) full() float64 {
	for _, w := range c.log[0] {
		if w.Signal[sim.PreemptionRate].Value > 0 {
			return w.Start - c.shift
		}
	}
	return 0
}

// rate is the tokens generated a second over (from, to], from the begin of the log.
func (c *kvCase) rate(i int, from, to float64) float64 {
	sum, n := 0.0, 0
	for _, w := range c.log[i] {
		if w.Start-c.shift >= from && w.End-c.shift <= to {
			sum, n = sum+w.Strip[sim.GenerationRate].Value, n+1
		}
	}
	return sum / float64(max(n, 1))
}

// occupancy is that at a time from the begin of the log, in points.
func (c *kvCase) occupancy(at float64) float64 {
	for _, w := range c.log[0] {
		if w.End-c.shift >= at {
			return occupied(w)
		}
	}
	return 0
}

func (c *kvCase) growth() float64 { return (c.occupancy(50) - c.occupancy(0)) / 50 }

// kvEnd is where the figure and the averages end, in s from the begin of the log.
const kvEnd = 300

func (c *kvCase) metrics() []demo.Metric {
	before := c.rate(0, 0, 100)
	return []demo.Metric{
		value("kv_growth", c.growth()),
		value("seconds_to_full", (100-95.8)/c.growth()),
		value("kv_tokens", before/(c.growth()/100)),
		value("tokens_each", before/kvRequests),
		value("tokens_before", before),
		value("tokens_after", c.rate(0, c.full()+10, kvEnd)),
		value("tokens_after_remedy", c.rate(1, c.full()+10, kvEnd)),
		value("preemptions_0", c.frees[0].preemptions),
		value("preemptions_5", c.frees[2].preemptions),
		value("preemption_cut", 100*(1-c.frees[2].preemptions/c.frees[0].preemptions)),
		value("throughput_gain", 100*(c.frees[2].tokens/c.frees[0].tokens-1)),
		value("ttft_rise", c.frees[2].ttft/c.frees[0].ttft),
	}
}

func (c *kvCase) summary(remedy bool) demo.Sentence {
	out := demo.Say("KV occupancy grows by "+text.Num(c.growth(), 3)+" points a second, and nothing waits. From the last line of the log it takes ",
		text.Num((100-95.8)/c.growth(), 3)+" s", " until it is full. Then "+text.Num(c.rate(0, 0, 100), 3)+" tokens a second become ", text.Num(c.rate(0, c.full()+10, kvEnd), 3), ".")
	if remedy {
		out = append(out, demo.Say(" If whoever was put back is let in again only when all of him fits and 5% is still free, they become ", text.Num(c.rate(1, c.full()+10, kvEnd), 3), ".")...)
	}
	return out
}

func (c *kvCase) curve(i int, name string) demo.Series {
	s := demo.Series{Name: name}
	for _, w := range c.log[i] {
		if at := w.End - c.shift; at >= -20 && at <= kvEnd {
			s.X, s.Y = append(s.X, at), append(s.Y, occupied(w))
		}
	}
	return s
}

func (c *kvCase) figures(remedy bool) (shape, remedied demo.Figure) {
	t, u := kvLog()
	shape = demo.Figure{Title: "KV occupancy of 8 long requests"}
	shape.X = demo.Axis{Label: "Time from the first line of the log", Unit: "s", Min: -20, Max: kvEnd, Digits: 3}
	shape.Y = demo.Axis{Label: "KV occupancy", Unit: "%", Min: 80, Max: 100, Digits: 3}
	other := demo.Series{Name: "with headroom"}
	if remedy {
		other = c.curve(1, other.Name)
	}
	shape.Series = fieldSeries(demo.Series{Name: "reported", X: t, Y: u}, c.curve(0, "simulated"), other)
	shape.Alt = "Six reported points from 93.9% to 95.8%; the simulation goes on to 100% at " + text.Num(c.full(), 3) + " s and preempts from there on."
	shape.Notes = []string{"When it is full, the last who came is put back and computed again, 74,000 tokens of prompt; when that is done it is full again. Headroom: only who fits whole is admitted, with 5% left free; 5% alone would look at his first chunk and let him in."}

	free, reported := kvTable()
	remedied = demo.Figure{Title: "Blocks kept free at admission, and preemptions"}
	remedied.X = demo.Axis{Label: "Kept free", Unit: "% of the blocks", Min: 0, Max: 10, Digits: 2}
	remedied.Y = demo.Axis{Label: "Preemptions of 450 requests", Min: 0, Max: 1500, Digits: 3}
	simulated := demo.Series{Name: "simulated", X: free}
	for _, h := range c.frees {
		simulated.Y = append(simulated.Y, h.preemptions)
	}
	remedied.Series = fieldSeries(demo.Series{Name: "reported", X: free, Y: reported}, simulated, demo.Series{Name: "other"})
	remedied.Alt = "Preemptions fall from " + text.Num(c.frees[0].preemptions, 4) + " to " + text.Num(c.frees[2].preemptions, 3) + " with 5% kept free; reported were 1,065 and 187."
	remedied.Notes = []string{"Another server: 128 requests at a time, 299,584 tokens of KV. Output tokens change by " + text.Num(100*(c.frees[2].tokens/c.frees[0].tokens-1), 2) +
		"% (reported +5.1%), the median time to first token is " + text.Num(c.frees[2].ttft/c.frees[0].ttft, 2) + " times as long (reported 1.7)."}
	return shape, remedied
}
