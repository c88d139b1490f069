package route

// Strategy divides requests between two models: a Router or a Cascade.
type Strategy interface {
	AtFrac(f float64) Point        // share f sent on, 0 to 1
	Curve(dst []Point)             // equal steps of the share, none to all
	Best() Point                   // the most accurate point
	BestFor(v float64) Point       // the most net worth, if a right answer is worth v
	Reach(a float64) (Point, bool) // the cheapest share for an accuracy
	Check() error

	sampling(f float64) (judge, Rates)
}

// Batch is traffic that can wait. Answers stay the same, they come later.
type Batch struct {
	Share    float64 // of requests that can wait, 0 to 1
	Discount float64 // on those, 0 to 1; list prices of 2025 say 0.5
}

// Check wants shares of 0 to 1.
func (b Batch) Check() error {
	var k checker
	k.batch("", b)
	return k.result()
}

func (k *checker) batch(at string, b Batch) {
	k.share(at+"Share", b.Share)
	k.share(at+"Discount", b.Discount)
}

// Multiplier is what the bill of the models is multiplied by: 1 - Share*Discount.
func (b Batch) Multiplier() float64 { return 1 - float64(b.Share*b.Discount) }

// Stack is cache, then router or cascade, then batch tier. Hits, difficulty and
// patience are taken to be independent; a lookup is never discounted.
type Stack struct {
	Cache Cache
	Hit   float64 // hit rate of the cache, 0 to 1; 0 with the zero Cache is no cache
	Route Strategy
	Batch Batch
}

// Check wants legal parts.
func (s Stack) Check() error {
	var k checker
	k.cache("Cache.", s.Cache)
	k.share("Hit", s.Hit)
	k.batch("Batch.", s.Batch)
	if k.Err != nil {
		return k.result()
	}
	if s.Route == nil {
		k.fail("Route", "nil", "a Router or a Cascade")
		return k.result()
	}
	return s.Route.Check()
}

// AtFrac sends the share f of what the cache does not answer to the strong
// model. Cost is embed + (1-hit)*cost_route*(1 - share*discount); StrongFrac
// counts among all requests; Threshold is that of the router.
func (s Stack) AtFrac(f float64) Point {
	c := s.Cache.screen()
	q := c.atShare(s.Hit)
	return s.over(c, q, s.Route.AtFrac(f))
}

// Curve fills dst as Router.Curve does, with the stack's accuracy and cost.
func (s Stack) Curve(dst []Point) {
	s.Route.Curve(dst)
	c := s.Cache.screen()
	q := c.atShare(s.Hit)
	for i := range dst {
		dst[i] = s.over(c, q, dst[i])
	}
}

// over puts the cache on top of a routed point and the batch tier below.
func (s Stack) over(c screen, q passed, routed Point) Point {
	behind := routed
	behind.Cost = float64(routed.Cost * s.Batch.Multiplier())
	cached := s.Cache.point(c, q, behind)
	return Point{
		Threshold:  routed.Threshold,
		StrongFrac: float64((1 - cached.Hit) * routed.StrongFrac),
		Accuracy:   cached.Accuracy,
		Cost:       cached.Cost,
	}
}

// CacheAt is the cache of the stack in front of a routed point.
func (s Stack) CacheAt(f float64) CachePoint {
	behind := s.Route.AtFrac(f)
	behind.Cost = float64(behind.Cost * s.Batch.Multiplier())
	return s.Cache.AtHit(s.Hit, behind)
}
