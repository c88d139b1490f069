package field

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
)

// TTFT grows by 0.1 s with every user. Reported: times to first token by
// concurrency, on one prefill and one decode worker (ai-dynamo/dynamo issue
// 4425), prompts of 1,000 tokens and answers of 200.

// ttftCase has times to first token by clients, with one and two prefill workers.
type ttftCase struct {
	ttft [2][]float64 // s
	rate [2][]float64 // requests/s
}

// ttftReport is clients and seconds.
func ttftReport() (clients, ttft []float64) {
	return []float64{1, 2, 5, 10, 50, 100, 250}, []float64{0.1, 0.2, 1, 2, 6.5, 10, 25}
}

func ttftClients() []int { return []int{1, 5, 10, 25, 50, 100, 150, 200, 250, 500} }

func (c *ttftCase) jobs(r *fieldRun) {
	for i := range c.ttft {
		n := len(ttftClients())
		c.ttft[i], c.rate[i] = make([]float64, n), make([]float64, n)
		for k, clients := range ttftClients() {
			// Chosen: a prompt takes 105 ms, one after the other, and a step
			// that decodes 5 ms, so that an answer takes a second.
			e := oneEngine(6_400_000, 1024, 1024, 5, 0.1, 0)
			s := sim.Scenario{
				Config: sim.Config{Replicas: 2 + i, Routing: sim.LeastRequests, Engine: e, Pools: sim.Pools{Prefill: 1 + i, BytesPerToken: 70 << 10, BytesPerSec: 50e9}},
				Workload: sim.Workload{
					Generator: sim.ClosedLoop{Clients: clients}, Requests: 3*clients + 60,
					Lengths: sim.Separate{Prompt: sim.FixedCount(1000), Output: sim.FixedCount(200)},
				},
			}
			r.run(s, func(res *sim.Results) { c.ttft[i][k], c.rate[i][k] = afterFirst(res, clients) })
		}
	}
}

// afterFirst is the mean time to first token of the requests after each
// client's first two, which come all at once, but for its last; and the rate at
// which they were sent.
func afterFirst(r *sim.Results, clients int) (ttft, rate float64) {
	from, to := 2*clients, len(r.SentAt)-clients/2
	sum := 0.0
	for i := from; i < to; i++ {
		sum += (r.FirstTokenAt[i] - r.SentAt[i]).Seconds()
	}
	return sum / float64(to-from), float64(to-1-from) / (r.SentAt[to-1] - r.SentAt[from]).Seconds()
}

func (c *ttftCase) at(i, clients int) float64 {
	for k, n := range ttftClients() {
		if n == clients {
			return c.ttft[i][k]
		}
	}
	return 0
}

func (c *ttftCase) slope() float64 { return (c.at(0, 250) - c.at(0, 100)) / 150 }

// saturated is the rate at 250 clients.
func (c *ttftCase) saturated() float64 { return c.rate[0][8] }

func (c *ttftCase) metrics() []demo.Metric {
	return []demo.Metric{
		value("slope", c.slope()),
		value("saturated", c.saturated()),
		value("ttft_100", c.at(0, 100)),
		value("ttft_500", c.at(0, 500)),
		value("ttft_100_remedy", c.at(1, 100)),
	}
}

func (c *ttftCase) summary(remedy bool) demo.Sentence {
	out := demo.Say("From 100 to 250 users the time to first token grows by ", text.Num(c.slope(), 3)+" s for each", ", because the prefill worker is full at "+
		text.Num(c.saturated(), 3)+" requests/s. At 500 users it will be "+text.Num(c.at(0, 500), 3)+" s.")
	if remedy {
		return append(out, demo.Say(" With two prefill workers it is ", text.Num(c.at(1, 100), 3)+" s", " at 100 users instead of "+text.Num(c.at(0, 100), 3)+" s.")...)
	}
	return out
}

func (c *ttftCase) line(i int, name string, most int) demo.Series {
	s := demo.Series{Name: name}
	for k, n := range ttftClients() {
		if n <= most {
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, c.ttft[i][k])
		}
	}
	return s
}

func (c *ttftCase) figures(remedy bool) (shape, remedied demo.Figure) {
	clients, reported := ttftReport()
	shape = demo.Figure{Title: "Time to first token by users"}
	shape.X = demo.Axis{Label: "Users in a closed loop", Min: 0, Max: 500, Digits: 3}
	shape.Y = demo.Axis{Label: "Mean time to first token", Unit: "s", Min: 0, Max: 60, Digits: 3}
	other := demo.Series{Name: "two prefill workers"}
	if remedy {
		other = c.line(1, other.Name, 500)
	}
	shape.Series = fieldSeries(demo.Series{Name: "reported", X: clients, Y: reported}, c.line(0, "one prefill worker", 500), other)
	shape.Alt = "Reported: 10 s at 100 users and 25 s at 250. Simulated: " + text.Num(c.at(0, 100), 3) + " s and " + text.Num(c.at(0, 250), 3) + " s, and " + text.Num(c.at(0, 500), 3) + " s at 500."
	shape.Notes = []string{"In a closed loop the time to first token says how many users there are. It is no property of the server."}

	remedied = demo.Figure{Title: "Up to 100 users, and what was hoped for"}
	remedied.X = demo.Axis{Label: "Users in a closed loop", Min: 0, Max: 100, Digits: 3}
	remedied.Y = demo.Axis{Label: "Mean time to first token", Unit: "s", Min: 0, Max: 12, Digits: 3}
	other = demo.Series{Name: "two prefill workers"}
	if remedy {
		other = c.line(1, other.Name, 100)
	}
	remedied.Series = fieldSeries(demo.Series{Name: "hoped for", X: []float64{50, 100}, Y: []float64{0.5, 1}}, c.line(0, "one prefill worker", 100), other)
	remedied.Alt = "Hoped for: 1 s at 100 users. Simulated: " + text.Num(c.at(0, 100), 3) + " s with one prefill worker and " + text.Num(c.at(1, 100), 3) + " s with two."
	remedied.Notes = []string{"The report has 2 s at 10 users, where the simulation has 0.1 s: something there takes prompts one by one, with a pause that these numbers do not explain."}
	return shape, remedied
}
