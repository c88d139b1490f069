package sim

// Shift is what clients do otherwise for a while: data of a Workload, as Change
// is of a Config. It concerns what is planned in [From, To). Zero fields change
// nothing; where shifts overlap, Rate and Outputs multiply, and the other
// fields act one after the other.
//
// Each request draws two numbers of its own for all shifts, from a stream of
// its own, so that a shift changes nothing else, and a stronger one changes the
// requests that a weaker one did.
type Shift struct {
	Span

	// Rate makes the plan go so many times as fast: its gaps are divided. For
	// OpenLoop, Throttled, MLPerfServer and the starts of Sessions.
	Rate float64

	// LongShare is the share of the requests whose prompts have at least
	// LongTokens tokens.
	LongShare  float64
	LongTokens int32

	// Outputs makes answers longer, by a factor that grows evenly from 1 at
	// From to Outputs at To.
	Outputs float64

	// PrefixLoss is the share of the requests that share no text any more,
	// although they are as long: as with a time stamp at the head of the prompt.
	PrefixLoss float64
}

func (x *Shift) check(c *checker, field string, w *Workload) {
	c.span(field+".From", x.From, 0, maxNanos)
	c.span(field+".To", x.To, x.From+1, maxNanos+1)
	if x.Rate != 0 {
		c.float(field+".Rate", x.Rate, 0.01, 100)
		switch w.Generator.(type) {
		case OpenLoop, Throttled, MLPerfServer, Sessions:
		default:
			c.fail(field+".Rate", floatText(x.Rate), "0 for a generator without a plan")
		}
	}
	c.float(field+".LongShare", x.LongShare, 0, 1)
	if x.LongShare > 0 || x.LongTokens != 0 {
		c.int(field+".LongTokens", int64(x.LongTokens), 1, MaxTokens)
	}
	if x.Outputs != 0 {
		c.float(field+".Outputs", x.Outputs, 1, 1000)
	}
	c.float(field+".PrefixLoss", x.PrefixLoss, 0, 1)
	if _, ok := w.Generator.(Sessions); ok && (x.LongShare > 0 || x.Outputs != 0 || x.PrefixLoss > 0) {
		c.fail(field, "a shift of lengths or prefixes", "Rate alone with Sessions, whose turns follow answers")
	}
}

func (x *Shift) has(at Nanos) bool { return x.From <= at && at < x.To }

// shift makes a request what the shifts of its instant want it to be.
func (p *plan) shift(r *Spec) {
	long, loss := p.faults.Float64(), p.faults.Float64()
	output := float64(r.Output)
	for i := range p.shifts {
		x := &p.shifts[i]
		if !x.has(r.IntendedAt) {
			continue
		}
		if long < x.LongShare {
			r.Prompt = max(r.Prompt, x.LongTokens)
		}
		if x.Outputs > 1 {
			done := float64(r.IntendedAt-x.From) / float64(x.To-x.From)
			output *= 1 + float64((x.Outputs-1)*done)
		}
		if loss < x.PrefixLoss {
			r.Prefix = nil
		}
	}
	r.Output = int32(min(output+0.5, MaxTokens))
}

// warp turns the time of a plan into the time of the run: where the rate is
// twice as high, the plan's clock runs twice as fast.
type warp struct {
	pieces []warpPiece
}

type warpPiece struct {
	plan, run float64 // where it begins, ns
	rate      float64
}

// newWarp is nil if no shift has a Rate.
func newWarp(shifts []Shift) *warp {
	var changes []Change
	for i := range shifts {
		if shifts[i].Rate != 0 {
			changes = append(changes, Change{Span: shifts[i].Span})
		}
	}
	if changes == nil {
		return nil
	}
	w := &warp{pieces: []warpPiece{{0, 0, rateAt(shifts, 0)}}}
	for _, p := range boundaries(changes) {
		if p == 0 {
			continue
		}
		last := w.pieces[len(w.pieces)-1]
		at := float64(p.Nanos())
		w.pieces = append(w.pieces, warpPiece{last.plan + float64((at-last.run)*last.rate), at, rateAt(shifts, p.Nanos())})
	}
	return w
}

func rateAt(shifts []Shift, at Nanos) float64 {
	rate := 1.0
	for i := range shifts {
		if x := &shifts[i]; x.Rate != 0 && x.has(at) {
			rate *= x.Rate
		}
	}
	return rate
}

// run is the instant of the run at which the plan's clock shows at.
func (w *warp) run(at Nanos) (Nanos, bool) {
	for len(w.pieces) > 1 && float64(at) >= w.pieces[1].plan {
		w.pieces = w.pieces[1:]
	}
	p := w.pieces[0]
	x := p.run + float64((float64(at)-p.plan)/p.rate)
	return Nanos(x + 0.5), x < float64(maxNanos)
}
