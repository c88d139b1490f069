package sim

import (
	"slices"
	"strconv"
)

// The steps of a run tell everything that the scheduler did. Here they are
// told again with a pencil, to see that the story holds together: where the
// pieces of a request join, how many blocks they need, and that nobody waited
// who could have been admitted.

// ledger is what is known of one request of one replica while its steps are
// read.
type ledger struct {
	next    int32 // computed so far
	target  int32 // tokens of this pass
	tokens  int32 // generated once every piece has ended, without accepted drafts
	blocks  int
	running bool
	seen    bool // was admitted once
	queued  bool
}

type bookkeeper struct {
	c      Config
	specs  []Spec
	r      *Results
	of     []ledger
	queue  []int32 // first come first served: who waits, in order
	known  int     // requests that have been put in the queue or skipped
	number int
}

// replayed reads the steps of every replica. Drafts and prefix hits and
// asynchronous steps leave things open that cannot be told from the pieces, so
// their checks are weaker.
func replayed(c Config, specs []Spec, r *Results) string {
	return bySteps(c, r, func(number int, steps []StepTrace) string {
		p := &bookkeeper{c: c, specs: specs, r: r, of: make([]ledger, len(r.SentAt)), number: number}
		for k, s := range steps {
			if wrong := p.step(s); wrong != "" {
				return wrong + ": step " + strconv.Itoa(k) + " of replica " + strconv.Itoa(number)
			}
		}
		return ""
	})
}

func (p *bookkeeper) step(s StepTrace) string {
	p.endedBefore(s)
	p.arrivedBefore(s)
	for _, i := range s.Preempt {
		p.preempt(s, i)
	}
	for _, piece := range s.Pieces {
		if wrong := p.piece(s, piece); wrong != "" {
			return wrong
		}
	}
	if wrong := p.memory(s); wrong != "" {
		return wrong
	}
	return p.admissible(s)
}

// endedBefore frees the requests that ended before the step.
func (p *bookkeeper) endedBefore(s StepTrace) {
	for i := range p.of {
		if p.gone(int32(i), s) {
			p.of[i].running, p.of[i].blocks = false, 0
			p.leaveQueue(int32(i))
		}
	}
}

// arrivedBefore queues the requests that were there when the call was made.
func (p *bookkeeper) arrivedBefore(s StepTrace) {
	for ; p.known < len(p.of) && p.r.SentAt[p.known] <= s.Start; p.known++ {
		i := p.known
		mine := int(p.r.Replica[i]) == p.number
		if mine && p.r.Status[i] != Dropped && !p.gone(int32(i), s) {
			p.queue = append(p.queue, int32(i))
			p.of[i].queued = true
		}
	}
}

// gone says whether a request has certainly ended when a step starts.
func (p *bookkeeper) gone(i int32, s StepTrace) bool {
	done := p.r.DoneAt[i]
	return done < s.Start || done == s.Start && !p.subNanos()
}

func (p *bookkeeper) leaveQueue(i int32) {
	p.queue = slices.DeleteFunc(p.queue, func(x int32) bool { return x == i })
	p.of[i].queued = false
}

func (p *bookkeeper) preempt(s StepTrace, i int32) {
	q := &p.of[i]
	q.next, q.blocks, q.running = 0, 0, false
	if !p.gone(i, s) {
		p.queue = slices.Insert(p.queue, 0, i)
		q.queued = true
	}
}

// piece: a request starts at its hit and goes on where it stopped, and its
// pieces are as large as rule 3 allows at most.
func (p *bookkeeper) piece(s StepTrace, piece Piece) string {
	q, i := &p.of[piece.Request], piece.Request
	drafts := int32(len(p.c.Engine.Draft.Accept))
	if int(p.r.Replica[i]) != p.number {
		return "a piece of another replica's request"
	}
	if p.gone(i, s) {
		if !p.c.Engine.Async || drafts == 0 {
			return "a piece of a request that has ended"
		}
		return "" // all its drafts were accepted in the step before
	}
	if !q.running {
		if !p.c.Engine.PrefixCache && piece.From != 0 {
			return "starts in the middle"
		}
		if !q.seen && piece.From != p.r.Cached[i] {
			return "does not start at its hit"
		}
		q.running, q.seen = true, true
		q.target = p.r.Prompt[i] + q.tokens
		q.next = piece.From
		p.leaveQueue(i)
	}
	switch {
	case drafts == 0 && piece.From != q.next:
		return "does not go on where it stopped"
	case drafts > 0 && (piece.From > q.next || piece.From < q.next-2*drafts):
		return "does not go on near where it stopped"
	case drafts == 0 && piece.From >= q.target && piece.Tokens > 1:
		return "a decode with too many tokens"
	case piece.From < q.target && piece.From+piece.Tokens > q.target && drafts == 0:
		return "computes tokens that do not exist"
	case piece.From < q.target && p.c.Engine.PrefillChunkTokens > 0 && int(piece.Tokens) > p.c.Engine.PrefillChunkTokens:
		return "a chunk above the limit"
	}
	q.next = piece.From + piece.Tokens
	if q.next >= q.target {
		q.tokens++
	}
	q.blocks = max(q.blocks, ceilDiv(int(q.next), p.c.Engine.BlockTokens))
	return ""
}

// memory: the blocks held are those that the pieces need; shared ones count
// once.
func (p *bookkeeper) memory(s StepTrace) string {
	sum, largest := 0, 0
	for i, q := range p.of {
		sum += q.blocks
		if p.r.DoneAt[i] > s.Start {
			largest = max(largest, q.blocks)
		}
	}
	used := int(s.Used)
	switch {
	case used < largest || used > p.c.Engine.KVBlocks:
		return strconv.Itoa(used) + " blocks used, one request holds " + strconv.Itoa(largest)
	case p.simple() && used != sum:
		return strconv.Itoa(used) + " blocks used, the pieces need " + strconv.Itoa(sum)
	case p.simple() && int(s.Waiting) != len(p.queue):
		return strconv.Itoa(int(s.Waiting)) + " wait, the queue holds " + strconv.Itoa(len(p.queue))
	}
	return ""
}

// simple says whether pieces tell everything: who holds what, and when the
// call was made.
func (p *bookkeeper) simple() bool {
	e := p.c.Engine
	return !e.Async && !e.PrefixCache && len(e.Draft.Accept) == 0 && !p.subNanos()
}

// subNanos says whether instants were rounded down, so that an arrival may
// seem to be at the start of a step and was after it.
func (p *bookkeeper) subNanos() bool {
	e := p.c.Engine
	cost := linearPart(e.Cost)
	for _, v := range []Picos{
		cost.Base, cost.PerPrefillToken, cost.PerPrefillPair, cost.PerDecode, cost.PerDraftToken, cost.PerKVToken,
		e.WarmUp.GraphCapture, e.WarmUp.Autotune, e.WarmUp.AllocatorGrowth,
	} {
		if v%1000 != 0 {
			return true
		}
	}
	return false
}

// admissible: work conservation. If someone waits, and nothing was preempted,
// then the seats are taken, or the budget, or the memory.
func (p *bookkeeper) admissible(s StepTrace) string {
	e := p.c.Engine
	running, budget, free := 0, e.MaxBatchedTokens, e.KVBlocks-int(s.Used)
	for _, q := range p.of {
		running += b2i(q.running)
	}
	for _, piece := range s.Pieces {
		budget -= int(piece.Tokens)
	}
	if !p.simple() || len(s.Preempt) > 0 || len(p.queue) == 0 || running >= e.MaxNumSeqs || budget == 0 {
		return ""
	}
	i := p.head()
	left := int(p.r.Prompt[i] + p.of[i].tokens)
	n := min(left, budget)
	if c := e.PrefillChunkTokens; c > 0 {
		n = min(n, c)
	} else if left > budget && left <= e.MaxBatchedTokens {
		return ""
	}
	need, all := ceilDiv(n, e.BlockTokens), ceilDiv(left, e.BlockTokens)
	reserve := 0
	if running > 0 {
		reserve = int(e.Watermark * float64(e.KVBlocks))
	}
	if need <= free && free-need >= reserve && (!e.FullPromptGate || all <= free) {
		return "request " + strconv.Itoa(int(i)) + " could have been admitted"
	}
	return ""
}

func (p *bookkeeper) head() int32 {
	if p.c.Engine.Policy == FCFS {
		return p.queue[0]
	}
	best := p.queue[0]
	for _, i := range p.queue {
		if a, b := p.specs[i].Priority, p.specs[best].Priority; a < b || a == b && i < best {
			best = i
		}
	}
	return best
}
