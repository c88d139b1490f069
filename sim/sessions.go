package sim

// Sessions are conversations: they start like an open loop, and each then goes
// on like one client of a closed loop. A turn's prompt is everything said so
// far, prompts and answers, and a new text of Lengths.Prompt tokens; a shared
// prefix, if the session has one, stands before it all. The texts are named in
// Spec.Prefix and Spec.OutputID, so that a prefix cache can find them.
//
// A turn that does not complete ends its conversation. What a session says,
// and how long it thinks, is drawn from streams of its own: it does not depend
// on how the server mixed the sessions.
type Sessions struct {
	Starts Arrivals  // of first turns
	Turns  Count     // in a session
	Think  ThinkTime // from the end of an answer to the next turn

	// MaxContext ends a session before a turn whose prompt and output together
	// would pass it; the first is always sent. 0 is the most that can be, 2^30.
	MaxContext int32

	// Count is the most sessions that start; 0 leaves it to Workload.Requests
	// and Until.
	Count int
}

const (
	maxTurns   = 10_000
	maxContext = 1 << 30
)

func (g Sessions) check(c *checker, field string, w *Workload) {
	c.int(field+".Count", int64(g.Count), 0, MaxRequests)
	bound := *w
	switch {
	case g.Count > 0:
		bound.Requests = g.Count
	case w.Until == 0:
		bound.Until = maxNanos // Requests are turns: how many starts that takes is not known
	}
	checkArrivals(c, field+".Starts", g.Starts, &bound)
	checkCount(c, field+".Turns", g.Turns, maxTurns)
	g.Think.check(c, field+".Think")
	c.int(field+".MaxContext", int64(g.MaxContext), 0, maxContext)
	if _, isRows := w.Lengths.(Rows); isRows {
		c.fail("Lengths", "Rows", "Separate or Joint where turns follow answers")
	}
}

func (g Sessions) source(w Workload, seed uint64) Source {
	s := &sessionSource{
		plan: newPlan(w, seed), starts: newSchedule(g.Starts, &w, seed), g: g, seed: seed,
		most: int32(g.Count), turns: NewRand(seed, StreamTurns, 0),
	}
	if s.most == 0 {
		s.most = MaxRequests
	}
	if s.g.MaxContext == 0 {
		s.g.MaxContext = maxContext
	}
	return s
}

type sessionSource struct {
	plan
	starts        schedule
	g             Sessions
	seed          uint64
	turns         Rand
	started, most int32

	live   []session // places; those of ended sessions are used again
	free   []int32
	wake   wakeups // turns after the first, by place
	slotOf []int32 // place of a request's session
}

// session is a conversation that goes on.
type session struct {
	number                  int32
	turn, turns             int32
	priority                int32
	context                 int32 // tokens said so far
	prompt, output          int32 // of the turn that comes next or is in flight
	said                    []Segment
	prompts, outputs, think Rand
}

// Next is the earlier of the next later turn and the next start; a
// conversation that goes on comes before one that begins.
func (s *sessionSource) Next() (Nanos, bool) {
	at, ok, _ := s.next()
	return at, ok
}

func (s *sessionSource) next() (at Nanos, ok, start bool) {
	w, ok := s.wake.first()
	at = w.at
	if s.starts.ok && s.started < s.most && (!ok || s.starts.at < at) {
		at, ok, start = s.starts.at, true, true
	}
	return at, ok && s.more(at), start
}

func (s *sessionSource) Take(r *Spec) {
	at, ok, start := s.next()
	due(ok)
	place := int32(0)
	if start {
		place = s.begin()
		s.starts.advance()
	} else {
		place = s.wake.heap[0].who
		s.wake.pop()
	}
	s.send(r, &s.live[place], at)
	s.slotOf = append(s.slotOf, place)
	s.taken++
}

// begin opens a session in a free place, and prepares its first turn.
func (s *sessionSource) begin() int32 {
	if len(s.free) == 0 {
		s.free = append(s.free, int32(len(s.live)))
		s.live = append(s.live, session{})
	}
	place := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	c := &s.live[place]
	sub := uint64(s.started)
	*c = session{
		number:   s.started,
		turns:    s.g.Turns.draw(&s.turns),
		priority: s.priority(),
		said:     c.said[:0],
		prompts:  NewRand(s.seed, StreamPrompts, sub),
		outputs:  NewRand(s.seed, StreamOutputs, sub),
		think:    NewRand(s.seed, StreamThink, sub),
	}
	s.started++
	if shared := s.sharing.draw(&s.prefixes); shared.Tokens > 0 {
		c.say(shared)
	}
	s.prepare(c)
	return place
}

// say adds a text to what has been said.
func (c *session) say(text Segment) {
	c.said = append(c.said, text)
	c.context += text.Tokens
}

// prepare draws the sizes of the next turn and says its new text. ok is false
// if that would pass the longest context.
func (s *sessionSource) prepare(c *session) (ok bool) {
	text, output := s.lengths.draw(c.turn, &c.prompts, &c.outputs)
	// As int64: the sum of three int32 need not be one.
	if int64(c.context)+int64(text)+int64(output) > int64(s.g.MaxContext) && c.turn > 0 {
		return false
	}
	c.say(Segment{ID: segmentID(userText, uint64(c.number), uint64(c.turn)), Tokens: text})
	c.prompt, c.output = c.context, output
	return true
}

func (s *sessionSource) send(r *Spec, c *session, at Nanos) {
	*r = Spec{
		IntendedAt: at, SentAt: at, Prompt: c.prompt, Output: c.output, Priority: c.priority,
		Session: c.number, Turn: c.turn, Client: -1, Prefix: c.said,
	}
	if c.turn+1 < c.turns {
		r.OutputID = c.answer()
	}
}

func (c *session) answer() uint64 {
	return segmentID(answerText, uint64(c.number), uint64(c.turn))
}

func (s *sessionSource) Ended(i int32, at Nanos, status Status) {
	place := s.slotOf[i]
	c := &s.live[place]
	if status != Completed || c.turn+1 == c.turns || !s.goOn(c) {
		s.free = append(s.free, place)
		return
	}
	s.wake.push(at+s.g.Think.draw(&c.think), place)
}

// goOn moves a session to its next turn; false if its context is full.
func (s *sessionSource) goOn(c *session) bool {
	c.say(Segment{ID: c.answer(), Tokens: c.output})
	c.turn++
	return s.prepare(c)
}
