package planner

// The smallest fleet that holds what is promised, by simulating fleets: a load
// divided by a capacity does not know how requests bunch, that lengths differ or
// that replicas are whole. The search starts at the plan's number, goes out from
// it in growing strides to one that holds and one that does not, halves what lies
// between, and then looks at the neighbors, since nothing guarantees that a
// larger fleet does better with the same requests. A fleet holds if every seed
// keeps up and has its means within the limits.

// SearchOptions bound a search.
type SearchOptions struct {
	CheckOptions

	TPs          []int // GPUs of a replica to try; none: that of the deployment
	MostReplicas int   // 0: four times the plan's, and 8
	MostRuns     int   // of the simulator, for each TP; 0: 200
}

// Candidate is one fleet that was simulated.
type Candidate struct {
	TP, Replicas, GPUs int
	Runs               []Numbers // by seed, up to the first that does not hold
	Holds              bool
}

// Fleet is what the search found for one TP.
type Fleet struct {
	TP       int
	Err      error // why no plan is possible; the rest is empty
	Planned  int   // replicas of the plan, without spares
	Replicas int   // fewest that hold; 0: none did
	GPUs     int

	Monotone bool // no larger fleet that was tried does worse
	Bounded  bool // the search ended at MostReplicas or MostRuns
}

// SearchResult is what a search found.
type SearchResult struct {
	Fleets     []Fleet // by TP, in the order given
	Candidates []Candidate
	Best       int // index of the fleet with fewest GPUs; -1: none holds
}

// Search is a search in progress.
type Search struct {
	work
	result SearchResult
}

// NewSearch makes a search, to be worked. An error is a *ValueError. Plans with
// prefill and decode apart are refused: what one pool needs depends on the other.
func NewSearch(w Workload, d Deployment, o Objective, opts SearchOptions) (*Search, error) {
	c := &checker{}
	c.workload(&w)
	c.deployment(&d)
	c.objective(&o)
	c.checks(&opts.CheckOptions)
	if d.Disaggregated {
		c.fail("Deployment.Disaggregated", "true", "false for a search", "false")
	}
	c.count("SearchOptions.MostReplicas", opts.MostReplicas, 0, 4096)
	c.count("SearchOptions.MostRuns", opts.MostRuns, 0, 1e6)
	c.count("SearchOptions.TPs", len(opts.TPs), 0, 16)
	for _, tp := range opts.TPs {
		c.count("SearchOptions.TPs", tp, 1, mostTP)
	}
	if c.Err != nil {
		return nil, c.Err
	}
	opts.fill()
	if opts.MostRuns == 0 {
		opts.MostRuns = 200
	}
	if len(opts.TPs) == 0 {
		opts.TPs = []int{d.TP}
	}
	opts.TPs = append([]int(nil), opts.TPs...)
	k := &Search{result: SearchResult{Best: -1}}
	w = w.own()
	k.start(func(t *turns) { k.do(t, &w, &d, &o, &opts) })
	return k, nil
}

// Result is complete when Work has said so.
func (k *Search) Result() (SearchResult, error) { return k.result, k.turns.err }

func (k *Search) do(t *turns, w *Workload, d *Deployment, o *Objective, opts *SearchOptions) {
	for _, tp := range opts.TPs {
		own := *d
		own.TP = tp
		f := Fleet{TP: tp}
		p, err := Evaluate(*w, own, *o)
		if err != nil {
			f.Err = err
			k.result.Fleets = append(k.result.Fleets, f)
			continue
		}
		s := &searcher{t: t, p: &p, w: w, o: o, opts: opts, most: opts.MostReplicas, tried: map[int]bool{}, all: &k.result.Candidates}
		if s.most == 0 {
			s.most = 4*p.Replicas + 8
		}
		f.Planned = p.Replicas
		s.search(&f)
		f.GPUs = f.Replicas * tp
		f.Bounded = s.bounded
		k.result.Fleets = append(k.result.Fleets, f)
		if best := k.result.Best; f.Replicas > 0 && (best < 0 || f.GPUs < k.result.Fleets[best].GPUs) {
			k.result.Best = len(k.result.Fleets) - 1
		}
		if s.stopped {
			return
		}
	}
}

// searcher is the search for one TP.
type searcher struct {
	t                *turns
	p                *Plan
	w                *Workload
	o                *Objective
	opts             *SearchOptions
	most             int
	tried            map[int]bool
	all              *[]Candidate
	runs             int
	stopped, bounded bool
}

// holds simulates a fleet, once.
func (s *searcher) holds(replicas int) bool {
	if held, ok := s.tried[replicas]; ok || s.stopped {
		return held
	}
	c := Candidate{TP: s.p.TP, Replicas: replicas, GPUs: replicas * s.p.TP, Holds: true}
	so := s.opts.Sim
	so.Replicas = replicas
	for seed := range s.opts.Seeds {
		if s.runs == s.opts.MostRuns {
			s.stopped, s.bounded = true, true
			return false
		}
		n, ok := s.t.simulate(s.p, s.w, &so, s.opts.FirstSeed+uint64(seed))
		if !ok {
			s.stopped = true
			return false
		}
		s.runs++
		c.Runs = append(c.Runs, n)
		if c.Holds = n.Within(*s.o); !c.Holds {
			break
		}
	}
	s.tried[replicas] = c.Holds
	*s.all = append(*s.all, c)
	return c.Holds
}

func (s *searcher) search(f *Fleet) {
	lo, hi := s.bracket()
	for hi-lo > 1 && !s.stopped {
		if mid := lo + (hi-lo)/2; s.holds(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	if hi > s.most {
		s.bounded = true
		return
	}
	if s.stopped {
		return
	}
	// The neighbors: one above that fails moves the answer up, one below that
	// holds was luck.
	for hi < s.most && !s.holds(hi+1) && !s.stopped {
		hi += 2
		for hi <= s.most && !s.holds(hi) && !s.stopped {
			hi++
		}
	}
	if hi > s.most || s.stopped {
		s.bounded = true
		return
	}
	if lo > 1 {
		s.holds(lo - 1)
	}
	f.Replicas = hi
	f.Monotone = s.monotone()
}

// bracket is a number that does not hold, or 0, and one that does, or more than
// the most.
func (s *searcher) bracket() (lo, hi int) {
	at := min(max(s.p.Replicas, 1), s.most)
	if s.holds(at) {
		hi = at
		for stride := 1; ; stride *= 2 {
			at = max(hi-stride, 0)
			if at == 0 || !s.holds(at) {
				return at, hi
			}
			hi = at
		}
	}
	lo = at
	for stride := 1; !s.stopped; stride *= 2 {
		if at = min(lo+stride, s.most); at == lo {
			break
		}
		if s.holds(at) {
			return lo, at
		}
		lo = at
	}
	return lo, s.most + 1
}

// monotone says whether all that hold are larger than all that do not.
func (s *searcher) monotone() bool {
	fails, holds := 0, s.most+1
	for n, held := range s.tried {
		if held {
			holds = min(holds, n)
		} else {
			fails = max(fails, n)
		}
	}
	return fails < holds
}
