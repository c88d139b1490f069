package planner

// Why a lever saves what it saves. The longest of three times sets the fleet; a
// lever changes some of their parts. Each part is put alone into the plan without
// the lever: the one that moves the result most is the reason.

// Cause is a part of the chain that a lever changed.
type Cause uint8

// The causes.
const (
	CauseNothing    Cause = iota // the lever changes nothing here
	CauseNotBinding              // it changes parts, none of which sets the fleet
	CausePrefill                 // less or more prefill
	CauseWeights                 // less or more to read, or fixed, in each step
	CauseKVRead                  // less or more that a sequence adds to a step
	CauseBatch                   // memory holds more or fewer sequences
	CauseArithmetic              // less or more arithmetic in decode
	CauseApart                   // prefill no longer stretches the steps of decode
	CauseTogether                // only several parts together
	CauseNeeded                  // impossible without
	CauseHarmful                 // impossible with
)

// String is the name in links and tables.
func (c Cause) String() string {
	names := [...]string{"nothing", "not_binding", "prefill", "weights", "kv_read", "batch", "arithmetic", "apart", "together", "needed", "harmful"}
	if int(c) < len(names) {
		return names[c]
	}
	return "unknown"
}

// Reason is the parts of a sentence. Ratios are with the lever over without: of
// seconds of prefill, of w, of what a sequence adds to a step, of arithmetic of
// a decoded token, and of sequences that memory holds; 1 is unchanged.
type Reason struct {
	Cause                                       Cause
	Share                                       float64 // of the change in T, by that part alone; above 1 if others work against it
	BindsWithout, BindsWith                     Bound
	Prefill, Weights, KVRead, Arithmetic, Batch float64
}

// unchanged is the largest relative change that counts as none.
const unchanged = 1e-12

func reasonOf(s *Saving, without, with *side) Reason {
	r := Reason{BindsWithout: without.b, BindsWith: with.b}
	switch {
	case s.Needed:
		r.Cause = CauseNeeded
		return r
	case s.Harmful:
		r.Cause = CauseHarmful
		return r
	}
	from, to := without.t, with.t
	r.Prefill = to.all / from.all
	r.Weights = to.w / from.w
	r.KVRead = to.ob / from.ob
	r.Arithmetic = to.of / from.of
	r.Batch = to.most / from.most
	before, after := from.total(), to.total()
	if same(before, after) {
		if from != to {
			r.Cause = CauseNotBinding
		}
		return r
	}
	r.Cause = CauseTogether
	for c := CausePrefill; c < CauseTogether; c++ {
		t := from
		t.put(c, &to)
		if share := (before - t.total()) / (before - after); share > r.Share+unchanged {
			r.Cause, r.Share = c, share
		}
	}
	return r
}

// put takes one part from another plan.
func (t *seconds) put(part Cause, from *seconds) {
	switch part {
	case CausePrefill:
		t.all, t.hide = from.all, from.hide
	case CauseWeights:
		t.w, t.ws, t.h = from.w, from.ws, from.h
	case CauseKVRead:
		t.ob = from.ob
	case CauseBatch:
		t.most = from.most
	case CauseArithmetic:
		t.of = from.of
	case CauseApart:
		t.apart = from.apart
	}
}

func same(a, b float64) bool { return a-b <= unchanged*a && b-a <= unchanged*a }
