package serving

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// Throughput and latency of a closed loop against the number of its clients,
// under the bound that no endless run can cross.

func closedLoop() *demo.Demo {
	return &demo.Demo{
		ID: "closed-loop", Version: 1, Title: "The ceiling of a closed loop",
		Lead:   "Requests per second against the number of clients. Each dot is a simulated run; the line is what no endless run can cross. Move the clients, then slow the server down.",
		Limits: "Think time is the same for every client and request. Dots are runs of finite length: near the line one may lie a few per cent above it. The bound for capacity counts a full batch in every step and nothing recomputed; a server that preempts stays below it.",
		Knobs: []demo.Knob{
			{Name: "clients", Label: "Clients", Unit: "clients", Doc: "The number that is marked.", Default: 64, Min: 1, Max: 4096, Step: 2, Log: true, Whole: true},
			{Name: "think", Label: "Think time", Unit: "s", Doc: "From an answer to the next request of its client.", Default: 30, Max: 60, Step: 1},
			{Name: "slower", Label: "Server slower by", Unit: "times", Doc: "Every step takes so many times as long.", Default: 1, Min: 1, Max: 20, Step: 1},
		},
		Presets: []demo.Preset{
			{Name: "No think time", State: "clients=32&think=0", Says: "A load test with 32 streams: it shows less than a third of what the server can do, and no sign of a limit."},
			{Name: "Ten times slower", State: "slower=10", Says: "A server ten times slower, and the rate falls by less than half: the clients' pauses hide it."},
			{Name: "Slower, many clients", State: "clients=1024&slower=10", Says: "With 1,024 clients the same slowdown cannot hide: the rate is the server's, and latency is what the clients make it."},
			{Name: "The knee", State: "clients=1432", Says: "Where both bounds meet, a run stays furthest below them."},
		},
		Bet: &demo.Bet{
			Question: "64 clients read each answer for 30 s. The server becomes ten times slower. What is left of the request rate?",
			Options:  []string{"a tenth", "about a quarter", "more than half", "nearly all"},
			Reveal:   "slower=10",
			By:       []string{"kept"},
			Answer: func(t demo.Task) int {
				switch kept := t.(*ceilingRun).kept(); {
				case kept < 0.15:
					return 0
				case kept < 0.5:
					return 1
				case kept < 0.9:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"That is what a server would show under more work than it can do. Here most of a cycle is the reader's half minute, which has not changed.",
				"Fewer requests are lost than that: a cycle was 32 s and is 52 s now, because only the answer takes longer and the pause does not.",
				"A cycle was 32 s and is 52 s now. The rate is the clients' as much as the server's.",
				"It would take a longer pause. The answer took 2 s of a cycle of 32 s; now it takes 22 s of 52 s.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Bound", TeX: `X \le \min\!\left(\frac{N}{Z + R_1},\ C\right)`, Says: "N clients, think time Z, mean latency of a request alone R₁ (nothing is faster than alone), capacity C of the server"},
			{Name: "Capacity", TeX: `\frac{1}{C} = \frac{a\,\bar o}{S} + \overline{b\,p + c\,q + d\,(o-1) + e\,k}`, Says: "seconds a request at least: each step costs a and gives one token to at most S requests; a request of p prompt and o output tokens pays for its tokens, its q pairs and the k cache tokens that its decode steps read"},
			{Name: "Latency", TeX: `R \ge \max\!\left(R_1,\ \frac{N}{C} - Z\right)`, Says: "the same bound, by Little's law N = X (R + Z)"},
			replica.StepEquation(),
		},
		Start: startClosedLoop,
	}
}

// ceilingDot is one number of clients.
type ceilingDot struct {
	clients   int
	perSecond float64
	latency   float64 // s, mean end to end
	bound     float64 // of this dot's own requests
	sent      int
	seconds   float64 // in which they were sent
	ended     [sim.NumStatuses]int
}

type ceilingRun struct {
	replica.Queue
	seed     uint32
	clients  int
	think    float64
	slower   float64
	alone    float64 // s: R1 at this speed
	capacity float64 // requests/s at this speed
	dots     []ceilingDot
	current  ceilingDot
	healthy  ceilingDot // the current clients on a server that is not slowed
}

func startClosedLoop(v demo.Values, seed uint32) (demo.Task, error) {
	r := &ceilingRun{seed: seed, clients: v.Int("clients"), think: v.Num("think"), slower: v.Num("slower")}
	alone, busy := requestCost(sampleLengths(seed), replica.Server())
	r.alone, r.capacity = float64(alone*r.slower), 1/(busy*r.slower)
	grid := r.grid()
	r.Planned = len(grid) + 2
	for _, n := range grid {
		r.dot(n, r.slower, func(d ceilingDot) { r.dots = append(r.dots, d) })
	}
	r.dot(r.clients, r.slower, func(d ceilingDot) { r.current = d })
	r.dot(r.clients, 1, func(d ceilingDot) { r.healthy = d })
	return r, nil
}

// grid is powers of two up to past the knee and past the seats.
func (r *ceilingRun) grid() (grid []int) {
	most := max(512, float64(1.25*r.bounds(1).Knee))
	for n := 1; ; n *= 2 {
		grid = append(grid, n)
		if float64(n) >= most {
			return grid
		}
	}
}

// bounds are those of a closed loop with so many clients.
func (r *ceilingRun) bounds(clients float64) sim.ClosedBounds {
	return sim.BoundClosed(clients, r.think, r.alone, r.capacity)
}

// dot runs so many clients. Each has gone once around before what counts
// begins, with the first requests spread over a cycle; what counts ends while
// all are still at it.
func (r *ceilingRun) dot(clients int, slower float64, done func(ceilingDot)) {
	skipped := clients + 40
	total := skipped + max(400, clients) + 1
	alone := float64(r.alone / r.slower * slower)
	loop := sim.ClosedLoop{
		Clients:    clients,
		Think:      sim.ThinkTime{Mean: sim.Seconds(r.think)},
		StartEvery: sim.Seconds((r.think + alone) / float64(clients)),
	}
	load := sim.Workload{Generator: loop, Lengths: replica.Lengths(), Requests: total}
	config := replica.Slowed(replica.Server(), slower)
	r.Add(replica.Job{Config: config, Load: load, Seed: uint64(r.seed), Done: func(res *sim.Results) {
		from, to := res.SentAt[skipped], res.SentAt[total-1]
		counted := sentIn(res, from, to)
		d := ceilingDot{clients: clients, sent: len(counted)}
		d.seconds = (to - from).Seconds()
		d.perSecond = float64(len(counted)) / d.seconds
		d.latency = latencies(res, sim.E2E, sim.FromSent, counted).mean()
		d.ended = ended(res, counted)
		one, busy := requestCost(sizesOf(res, counted), config)
		d.bound = min(float64(clients)/(r.think+one), 1/busy)
		done(d)
	}})
}

// kept is the share of the rate that the slowed server keeps.
func (r *ceilingRun) kept() float64 { return r.current.perSecond / r.healthy.perSecond }

// size is the size of a request.
type size struct{ prompt, output int64 }

func sizesOf(r *sim.Results, of []int) (out []size) {
	for _, i := range of {
		out = append(out, size{int64(r.Prompt[i]), int64(r.Output[i])})
	}
	return out
}

// sampleLengths draws many sizes of the default workload.
func sampleLengths(seed uint32) (out []size) {
	source, err := sim.NewSource(sim.Workload{Generator: sim.OpenLoop{Arrivals: sim.Burst{}}, Lengths: replica.Lengths(), Requests: 4000}, uint64(seed))
	if err != nil {
		panic("demo: " + err.Error())
	}
	for {
		if _, more := source.Next(); !more {
			return out
		}
		var s sim.Spec
		source.Take(&s)
		out = append(out, size{int64(s.Prompt), int64(s.Output)})
	}
}

// requestCost is what requests cost in the mean, in seconds: alone is the
// latency of one with nobody beside it, busy its least share of a server that
// always has a full batch. Prompts are cut as the engine cuts them.
func requestCost(sizes []size, c sim.Config) (alone, busy float64) {
	cost := c.Engine.Cost.(sim.LinearCost)
	var single, work sim.Picos
	var tokens int64
	for _, s := range sizes {
		steps := (s.prompt + int64(c.Engine.MaxBatchedTokens) - 1) / int64(c.Engine.MaxBatchedTokens)
		own := cost.Picos(sim.Load{
			PrefillTokens: s.prompt, PrefillPairs: s.prompt * (s.prompt + 1) / 2,
			Decodes: s.output - 1, DecodeTokens: s.output - 1,
			KVTokens: (s.output-1)*s.prompt + s.output*(s.output-1)/2,
		}) - cost.Base
		work += own
		single += own + sim.Picos(steps+s.output-1)*cost.Base
		tokens += s.output
	}
	n := float64(len(sizes)) * 1e12
	least := float64(cost.Base) * float64(tokens) / float64(c.Engine.MaxNumSeqs)
	return float64(single) / n, (float64(work) + least) / n
}

func (r *ceilingRun) Summary() demo.Sentence {
	d := r.current
	out := demo.Say(text.Count(r.clients, "client that thinks", "clients that think")+" for "+text.Num(r.think, 3)+" s "+text.Verb(r.clients, "gets ", "get "), text.Num(d.perSecond, 3)+" requests/s",
		" and "+text.Verb(r.clients, "waits ", "wait ")+duration(d.latency, 3)+" in the mean; the bound of an endless run is "+text.Num(r.bounds(float64(r.clients)).PerSec, 3)+" requests/s. "+r.littleText())
	if r.slower == 1 {
		return append(out, demo.Say(" The server itself could do up to "+text.Num(r.capacity, 3)+" requests/s.")...)
	}
	return append(out, demo.Say(" The server is "+text.Num(r.slower, 3)+" times slower, and ", text.Percent(r.kept(), 2)+" of the rate is left", ".")...)
}

// littleText is Little's law with what was counted, which fits but for what was
// under way at the ends.
func (r *ceilingRun) littleText() string {
	d := r.current
	n := text.Num(d.perSecond*(r.think+d.latency), 3)
	out := "Little: " + text.Num(d.perSecond, 3) + " × (" + text.Num(r.think, 3) + " s + " + text.Num(d.latency, 3) + " s) = " + n + text.Verb(r.clients, " client", " clients")
	if n == text.Num(float64(r.clients), 3) {
		return out + "."
	}
	return out + ", counted over " + text.Num(d.seconds, 3) + " s."
}

func (r *ceilingRun) Metrics() []demo.Metric {
	d := r.current
	most := 0.0
	for _, x := range append([]ceilingDot{d}, r.dots...) {
		most = max(most, x.perSecond/x.bound)
	}
	plateau := 0.0
	for _, x := range r.dots {
		plateau = max(plateau, x.perSecond)
	}
	return []demo.Metric{
		{Name: "throughput", Label: "Throughput", Unit: "requests/s", Value: d.perSecond, Digits: 3, Spread: true},
		{Name: "latency", Label: "Mean end-to-end latency", Unit: "s", Value: d.latency, Digits: 3, Spread: true},
		{Name: "bound", Label: "Bound for these clients", Unit: "requests/s", Value: r.bounds(float64(r.clients)).PerSec, Digits: 3},
		{Name: "capacity", Label: "Bound of the server", Unit: "requests/s", Value: r.capacity, Digits: 3},
		{Name: "plateau", Label: "Largest throughput of all dots", Unit: "requests/s", Value: plateau, Digits: 3, Spread: true},
		{Name: "share", Label: "Throughput, of the server's bound", Unit: "%", Value: 100 * d.perSecond / r.capacity, Digits: 2},
		{Name: "alone", Label: "Latency alone", Unit: "s", Value: r.alone, Digits: 3},
		{Name: "knee", Label: "Clients at the knee", Unit: "clients", Value: r.bounds(1).Knee, Digits: 3},
		{Name: "little", Label: "Throughput times cycle", Unit: "clients", Value: d.perSecond * (r.think + d.latency), Digits: 3},
		{Name: "healthy", Label: "Throughput of the server that is not slowed", Unit: "requests/s", Value: r.healthy.perSecond, Digits: 3},
		{Name: "healthy_latency", Label: "Latency of the server that is not slowed", Unit: "s", Value: r.healthy.latency, Digits: 3},
		{Name: "kept", Label: "Rate left after the slowdown", Unit: "%", Value: 100 * r.kept(), Digits: 2, Spread: true},
		{Name: "nearest", Label: "Largest throughput over its bound", Unit: "%", Value: 100 * most, Digits: 3, Spread: true},
	}
}

func (r *ceilingRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{
		{Name: "clients", Unit: "clients"}, {Name: "throughput", Unit: "requests/s", Digits: 4}, {Name: "bound", Unit: "requests/s", Digits: 4},
		{Name: "latency", Unit: "s", Digits: 4}, {Name: "latency_bound", Unit: "s", Digits: 4}, {Name: "requests"}, {Name: "completed"},
	}}
	for _, d := range append(r.dots, r.current) {
		t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(d.clients)), demo.N(d.perSecond), demo.N(d.bound), demo.N(d.latency),
			demo.N(r.bounds(float64(d.clients)).Seconds), demo.N(float64(d.sent)), demo.N(float64(d.ended[sim.Completed]))})
	}
	return t
}

func (r *ceilingRun) Events() []demo.Event {
	out := []demo.Event{{At: math.NaN(), Says: demo.Say("At " + text.Num(r.bounds(1).Knee, 3) + " clients both bounds meet. To the left the clients set the rate, to the right the server does.")}}
	if r.slower > 1 {
		out = append(out, demo.Event{At: math.NaN(), Says: demo.Say("A cycle of a client was " + duration(r.think+r.healthy.latency, 3) + " and is " +
			duration(r.think+r.current.latency, 3) + " on the slower server.")})
	}
	return out
}
