package sim

// A lever breaks something for a while: a failure in virtual time. It is data:
// pulling it changes a Config or a Workload, and the run does the rest.
//
// Levers may overlap, also the same one twice. What then holds is said at Change
// and Shift. A window of no length is refused; so is a lever that could change
// nothing, as the draft lever on a server without drafts.

// Lever is a row of the table.
type Lever struct {
	ID     string
	Name   string
	Breaks string // what goes wrong, as a phrase

	Unit       string // of the intensity
	Low, High  float64
	Default    float64 // an intensity that a base server feels
	Start, End Nanos   // default window

	pull func(p *Pull, s *Scenario, c *checker)
}

// The default window, in a run of 100 s.
const (
	leverStart = 40 * Second
	leverEnd   = 80 * Second
)

// levers points to its rows, so that it is made before the program starts: a module
// that pulls no lever has none in it.
var levers = [...]*Lever{
	&trafficSurge,
	&longPromptFlood,
	&longOutputDrift,
	&kvSqueeze,
	&prefixCollapse,
	&draftCollapse,
	&allGPUsThrottled,
	&straggler,
	&replicaRestart,
	&retryStorm,
	&coldStart,
	&skewedRouting,
	&slowKVLink,
	&chunkingOff,
}

// Levers is the table, in the order of the matrix.
func Levers() []Lever {
	out := make([]Lever, len(levers))
	for i, l := range levers {
		out[i] = *l
	}
	return out
}

// Pull is a lever, pulled from From to To. Replica is the one that is broken,
// for a lever that breaks one; it is 0 otherwise.
type Pull struct {
	Lever string
	Span
	Intensity float64
	Replica   int
}

// Scenario is a cluster and who uses it.
type Scenario struct {
	Config   Config
	Workload Workload
}

// Pulled is the scenario with levers pulled. What it was made from is not
// changed. An error is a *ValueError.
func (s Scenario) Pulled(pulls ...Pull) (Scenario, error) {
	c := &checker{}
	s.Config.Changes = append([]Change(nil), s.Config.Changes...)
	s.Config.Pauses = append([]Span(nil), s.Config.Pauses...)
	s.Workload.Shifts = append([]Shift(nil), s.Workload.Shifts...)
	for i := range pulls {
		p := &pulls[i]
		field := indexed("Pulls", i)
		l := findLever(p.Lever)
		if l == nil {
			c.fail(field+".Lever", p.Lever, "the ID of a lever")
			break
		}
		c.span(field+".From", p.From, 0, maxNanos)
		c.span(field+".To", p.To, p.From+1, maxNanos+1)
		c.float(field+".Intensity", p.Intensity, l.Low, l.High)
		c.int(field+".Replica", int64(p.Replica), 0, int64(s.Config.Replicas-1))
		if c.Err == nil {
			l.pull(p, &s, c)
		}
	}
	if c.Err == nil {
		s.Workload.check(c)
	}
	if err := c.result(); err != nil {
		return Scenario{}, err
	}
	return s, s.Config.validate()
}

// New makes the simulation of a scenario.
func (s Scenario) New(seed uint64) (*ServingSim, error) {
	source, err := NewSource(s.Workload, seed)
	if err != nil {
		return nil, err
	}
	return New(s.Config, source, seed)
}

func findLever(id string) *Lever {
	for _, l := range levers {
		if l.ID == id {
			return l
		}
	}
	return nil
}

// change adds a change to the scenario, for the window of the pull.
func (s *Scenario) change(p *Pull, x Change) {
	x.Span = p.Span
	s.Config.Changes = append(s.Config.Changes, x)
}

func (s *Scenario) shift(p *Pull, x Shift) {
	x.Span = p.Span
	s.Workload.Shifts = append(s.Workload.Shifts, x)
}
