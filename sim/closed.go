package sim

// ClosedLoop is a number of clients, each of which sends, waits for the end of
// its request, thinks, and sends again: what --max-concurrency without a rate,
// --concurrency and streams mean. It sends no more than the server answers, so
// there is no plan to fall behind: IntendedAt and SentAt are equal.
//
// A client that got no answer, because its request was refused or it gave up,
// waits at least 1 ms, the time of a round trip, so that a full server is not
// asked endlessly at one instant.
type ClosedLoop struct {
	Clients    int
	Think      ThinkTime
	StartEvery Nanos // client i sends first at i*StartEvery; 0 starts all at once, as tools do
}

// ThinkTime is the pause between an answer and the next request of its client:
// Mean, or exponential with that mean. Zero is none.
type ThinkTime struct {
	Mean        Nanos
	Exponential bool
}

// MaxClients is the most clients of a closed loop, and the largest cap.
const MaxClients = 1_000_000

const noAnswerPause = Millisecond

func (t ThinkTime) check(c *checker, field string) { c.span(field+".Mean", t.Mean, 0, maxNanos) }

func (t ThinkTime) draw(r *Rand) Nanos {
	if !t.Exponential {
		return t.Mean
	}
	// The largest draw is 37 times the mean, which Nanos can hold.
	return Nanos(float64(r.Exponential() * float64(t.Mean)))
}

func (g ClosedLoop) check(c *checker, field string, _ *Workload) {
	c.int(field+".Clients", int64(g.Clients), 1, MaxClients)
	g.Think.check(c, field+".Think")
	c.span(field+".StartEvery", g.StartEvery, 0, maxNanos)
	if c.Err == nil && g.StartEvery > maxNanos/Nanos(g.Clients) {
		c.span(field+".StartEvery", g.StartEvery, 0, maxNanos/Nanos(g.Clients))
	}
}

func (g ClosedLoop) source(w Workload, seed uint64) Source {
	s := &closedSource{plan: newPlan(w, seed), think: g.Think, thinking: NewRand(seed, StreamThink, 0)}
	// Clients beyond the number of requests never send.
	for i := range min(int32(g.Clients), s.limit) {
		s.ready.push(Nanos(i)*g.StartEvery, i)
	}
	return s
}

type closedSource struct {
	plan
	think    ThinkTime
	thinking Rand
	ready    wakeups
	clientOf []int32 // by request
}

func (s *closedSource) Next() (Nanos, bool) {
	w, ok := s.ready.first()
	return w.at, ok && s.more(w.at)
}

func (s *closedSource) Take(r *Spec) {
	at, ok := s.Next()
	due(ok)
	client := s.ready.heap[0].who
	s.ready.pop()
	s.write(r, at, at)
	r.Client = client
	s.clientOf = append(s.clientOf, client)
}

func (s *closedSource) Ended(i int32, at Nanos, status Status) {
	pause := s.think.draw(&s.thinking)
	if status != Completed {
		pause = max(pause, noAnswerPause)
	}
	s.ready.push(at+pause, s.clientOf[i])
}
