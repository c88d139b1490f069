package route

// Router looks at a request and sends it to one of two models. Its score is
// N(d,1) for requests that only the strong model answers right and N(0,1) for
// all others: it cannot tell those whom only the weak model answers right from
// those where the choice does not matter.
type Router struct {
	Pair
	AUC float64 // chance that a request of the first kind scores above one of the others, 0 to 1
}

// Check wants a legal pair and an AUC of 0 to 1.
func (r Router) Check() error {
	var c checker
	c.pair(r.Pair)
	c.share("AUC", r.AUC)
	return c.result()
}

func (r Router) screen() screen { return screen{r.Rates.Pi, distance(r.AUC)} }

// point is accuracy = Weak + Pi*T - Lam*F and cost = c_w + f*(c_s - c_w), with
// T and F the shares that are sent on.
func (r Router) point(s screen, q passed) Point {
	f := s.share(q)
	return Point{
		Threshold:  q.t,
		StrongFrac: f,
		Accuracy:   r.Rates.Weak + (float64(r.Rates.Pi*q.wanted) - float64(r.Rates.Lam*q.unwanted)),
		Cost:       r.Prices.Weak + float64(f*r.gap()),
	}
}

// At sends requests whose score exceeds the threshold to the strong model. -Inf
// sends all, +Inf none.
func (r Router) At(threshold float64) Point {
	s := r.screen()
	return r.point(s, s.at(threshold))
}

// AtFrac sends the share f (0 to 1) with the highest scores.
func (r Router) AtFrac(f float64) Point {
	s := r.screen()
	return r.point(s, s.atShare(f))
}

// Curve fills dst with points of equal steps in the share sent to the strong
// model, from none to all; a single one gets none.
func (r Router) Curve(dst []Point) {
	s := r.screen()
	var q passed
	for i := range dst {
		q = s.step(q, i, len(dst))
		dst[i] = r.point(s, q)
	}
}

// Best is the most accurate point; of equal ones that which sends least. For an
// AUC above 1/2 the threshold is d/2 + ln(Lam/Pi)/d, so it moves with the
// traffic: the more requests only the weak model answers right, the higher.
func (r Router) Best() Point {
	s := r.screen()
	return r.point(s, s.best(r.Rates.Pi, r.Rates.Lam))
}

// BestFor is the point with the most net worth, value*accuracy - cost, where
// value (not negative) is the worth of one right answer in the unit of Prices;
// of equal ones that which sends least. The threshold is
// d/2 + ln[(Lam*v + (1-Pi)*g)/(Pi*(v - g))]/d with g = c_s - c_w, +Inf if v <= g.
func (r Router) BestFor(value float64) Point {
	s := r.screen()
	g := r.gap()
	gain := float64(r.Rates.Pi * (value - g))
	loss := float64(r.Rates.Lam*value) + float64((1-r.Rates.Pi)*g)
	return r.point(s, s.best(gain, loss))
}

// Reach is the point that sends least and is at least as accurate as asked; not
// ok if there is none.
func (r Router) Reach(accuracy float64) (Point, bool) {
	s := r.screen()
	q, ok := s.reach(r.Rates.Pi, r.Rates.Lam, accuracy-r.Rates.Weak)
	if !ok {
		return Point{}, false
	}
	return r.point(s, q), true
}

// PGR is the part of the gap between the two models that a point recovers:
// (accuracy - Weak)/(Strong - Weak) (Ong and others, RouteLLM, arXiv
// 2406.18665). Not ok unless the strong model is the more accurate one.
func (p Pair) PGR(accuracy float64) (float64, bool) {
	gap := p.Rates.Pi - p.Rates.Lam
	if gap <= 0 {
		return 0, false
	}
	return (accuracy - p.Rates.Weak) / gap, true
}

// CPT is the least share of strong calls (0 to 1) at which PGR is at least x
// (RouteLLM). Not ok where PGR has no meaning or x is never reached.
func (r Router) CPT(x float64) (float64, bool) {
	gap := r.Rates.Pi - r.Rates.Lam
	if gap <= 0 {
		return 0, false
	}
	s := r.screen()
	q, ok := s.reach(r.Rates.Pi, r.Rates.Lam, float64(x*gap))
	return s.share(q), ok
}

// APGR is the mean of PGR over the share of strong calls (RouteLLM). It is 0.5
// for a router that throws a coin, linear in the AUC, and above 1 if routing
// beats the strong model on the whole. In closed form
// [Pi*(Pi/2 + (1-Pi)*AUC) - Lam*(Pi*(1-AUC) + (1-Pi)/2)]/(Pi - Lam): the mean of
// T over f is half for the wanted and the AUC for the others, and so on. Not ok
// where PGR has no meaning.
func (r Router) APGR() (float64, bool) {
	pi, lam := r.Rates.Pi, r.Rates.Lam
	if pi <= lam {
		return 0, false
	}
	wanted := float64(0.5*pi) + float64((1-pi)*r.AUC)
	unwanted := float64(pi*(1-r.AUC)) + float64(0.5*(1-pi))
	return (float64(pi*wanted) - float64(lam*unwanted)) / (pi - lam), true
}
