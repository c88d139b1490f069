package route

// Cache answers a request with a stored answer if some stored question is
// similar enough. A share of the requests truly repeat a stored question, with
// similarity N(d,1); the nearest question of the others has N(0,1). A hit on
// one of those is false: the answer belongs to another question. Repeats are
// taken to be as hard as other requests.
type Cache struct {
	Repeats  float64 // share of requests that truly repeat a stored question, 0 to 1
	AUC      float64 // chance that a repeat looks more similar than another request, 0 to 1
	AccFalse float64 // share of false hits that are right all the same, 0 to 1
	Embed    float64 // price of looking up one request, paid by all, in the unit of Prices

	Stale    float64 // share of true hits whose answer is no longer the right one, 0 to 1; see Lifetime
	AccStale float64 // share of stale hits that are right all the same, 0 to 1
}

// CachePoint is a cache at one threshold, with what stands behind it.
type CachePoint struct {
	Threshold float64 // of the similarity, in units of its spread
	Hit       float64 // share of requests answered by the cache: True + False
	True      float64 // share of requests answered with the answer to their own question
	False     float64 // share of requests answered with that to another
	Stale     float64 // share of requests answered with one that has gone wrong; part of True
	Precision float64 // True/Hit; without hits its limit for a rising threshold
	Accuracy  float64 // of all requests
	Cost      float64 // of the mean request, lookup included
}

// Check wants shares of 0 to 1 and a price of 0 to 1e12.
func (c Cache) Check() error {
	var k checker
	k.cache("", c)
	return k.result()
}

func (k *checker) cache(at string, c Cache) {
	k.share(at+"Repeats", c.Repeats)
	k.share(at+"AUC", c.AUC)
	k.share(at+"AccFalse", c.AccFalse)
	k.money(at+"Embed", c.Embed)
	k.share(at+"Stale", c.Stale)
	k.share(at+"AccStale", c.AccStale)
}

func (c Cache) screen() screen { return screen{c.Repeats, distance(c.AUC)} }

// point is hit = r*T + (1-r)*F, with r the repeats; true hits are as accurate
// as what is behind, since that is where the answers came from.
func (c Cache) point(s screen, q passed, behind Point) CachePoint {
	out := CachePoint{
		Threshold: q.t,
		Hit:       s.share(q),
		True:      float64(s.p * q.wanted),
		False:     float64((1 - s.p) * q.unwanted),
	}
	out.Stale = float64(out.True * c.Stale)
	out.Precision = c.precision(out)
	fresh := float64((out.True - out.Stale) * behind.Accuracy)
	wrong := float64(out.Stale*c.AccStale) + float64(out.False*c.AccFalse)
	miss := 1 - out.Hit
	out.Accuracy = fresh + wrong + float64(miss*behind.Accuracy)
	out.Cost = c.Embed + float64(miss*behind.Cost)
	return out
}

// precision without hits is that of the last hit before: all repeats where they
// look more similar, none where they look less, their share where nothing tells.
func (c Cache) precision(p CachePoint) float64 {
	switch {
	case p.Hit > 0:
		return p.True / p.Hit
	case c.AUC == 0.5 || c.Repeats == 0 || c.Repeats == 1:
		return c.Repeats
	case c.AUC > 0.5:
		return 1
	}
	return 0
}

// At answers requests from the cache whose similarity exceeds the threshold.
// -Inf answers all, +Inf none. Of behind, Accuracy and Cost count.
func (c Cache) At(threshold float64, behind Point) CachePoint {
	s := c.screen()
	return c.point(s, s.at(threshold), behind)
}

// AtHit answers the share hit (0 to 1) with the highest similarity.
func (c Cache) AtHit(hit float64, behind Point) CachePoint {
	s := c.screen()
	return c.point(s, s.atShare(hit), behind)
}

// Curve fills dst with points of equal steps in the hit rate, from 0 to 1; a
// single one has no hits.
func (c Cache) Curve(dst []CachePoint, behind Point) {
	s := c.screen()
	var q passed
	for i := range dst {
		q = s.step(q, i, len(dst))
		dst[i] = c.point(s, q, behind)
	}
}

// BestFor is the threshold with the most net worth: a hit saves what is behind,
// a false or stale one loses its accuracy times the worth of a right answer
// (not negative, in the unit of Prices). Of equal ones that which answers least.
func (c Cache) BestFor(value float64, behind Point) CachePoint {
	s := c.screen()
	perTrue := behind.Cost - float64(value*float64(c.Stale*(behind.Accuracy-c.AccStale)))
	perFalse := float64(value*(behind.Accuracy-c.AccFalse)) - behind.Cost
	return c.point(s, s.best(float64(s.p*perTrue), float64((1-s.p)*perFalse)), behind)
}
