package route

// Prices are what one request costs at each model, in one unit throughout: US
// dollars a request, or US dollars per million tokens if all requests are alike.
type Prices struct {
	Weak, Strong float64
	Verify       float64 // judging an answer of the weak model; only a cascade pays it
}

// Point is one way to serve the traffic.
type Point struct {
	// Threshold of the score, in units of its own spread. It is infinite at
	// the ends, and where a score tells perfectly and only a part of those who
	// deserve it is sent: they are then chosen at random.
	Threshold  float64
	StrongFrac float64 // share of requests that the strong model answers
	Accuracy   float64 // share of requests answered right
	Cost       float64 // of the mean request, in the unit of Prices
}

// Pair is two models on offer for one traffic.
type Pair struct {
	Rates  Rates
	Prices Prices
}

// Check wants rates that fit each other and prices from 0 to 1e12.
func (p Pair) Check() error {
	var c checker
	c.pair(p)
	return c.result()
}

func (c *checker) pair(p Pair) {
	c.rates("Rates.", p.Rates)
	c.money("Prices.Weak", p.Prices.Weak)
	c.money("Prices.Strong", p.Prices.Strong)
	c.money("Prices.Verify", p.Prices.Verify)
}

// gap is what the strong model costs more; negative if it is the cheaper one.
func (p Pair) gap() float64 { return p.Prices.Strong - p.Prices.Weak }

// Random is the router that throws a coin: share f (0 to 1) to the strong
// model, whatever the request. In money and accuracy a straight line.
func (p Pair) Random(f float64) Point {
	return Point{
		StrongFrac: f,
		Accuracy:   p.Rates.Weak + float64(f*(p.Rates.Pi-p.Rates.Lam)),
		Cost:       p.Prices.Weak + float64(f*p.gap()),
	}
}

// AlwaysWeak and AlwaysStrong use one model for everything.
func (p Pair) AlwaysWeak() Point   { return p.Random(0) }
func (p Pair) AlwaysStrong() Point { return p.Random(1) }

// Oracle knows which model is right and, where both or none are, takes the
// cheaper one. No choice between the two models can be more accurate.
func (p Pair) Oracle() Point {
	f := p.Rates.Pi
	if p.gap() < 0 {
		f = 1 - p.Rates.Lam
	}
	return p.OracleAt(f)
}

// OracleAt is the most accurate way to send exactly a share f (0 to 1) to the
// strong model: first those whom only it answers right, last those whom only
// the weak one does.
func (p Pair) OracleAt(f float64) Point {
	out := p.Random(f)
	out.Accuracy = p.Rates.Weak + min(f, p.Rates.Pi) - max(0, f-(1-p.Rates.Lam))
	return out
}

// RandomHull and OracleHull are the best that chance and foresight can do for
// any money, written into dst (of capacity 3 to allocate nothing).
func (p Pair) RandomHull(dst Hull) Hull {
	return hullOf(append(dst[:0], p.AlwaysWeak(), p.AlwaysStrong()))
}

func (p Pair) OracleHull(dst Hull) Hull {
	return hullOf(append(dst[:0], p.AlwaysWeak(), p.AlwaysStrong(), p.Oracle()))
}
