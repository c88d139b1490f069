package route

import (
	"math"

	"openloop/numerics/detmath"
)

// Class is a part of the traffic that a cache can treat in its own way: stable
// questions, volatile ones, risky ones.
type Class struct {
	Name    string
	Share   float64 // of the traffic, 0 to 1; over all classes they sum to 1
	Repeats float64 // share of its requests that ask for a recurring question, 0 to 1

	RepeatPerHour float64 // requests for one recurring question, 0 to 1e9 per hour
	ChangePerHour float64 // changes of its right answer, 0 to 1e9 per hour
	CostOfWrong   float64 // of one wrong answer, in the unit of Prices, 0 to 1e12

	TTLHours float64 // how long its answers are kept, 0 to +Inf; at 0 it is not cached and not looked up
	Sliding  bool    // see Lifetime
}

func (c Class) lifetime() Lifetime {
	return Lifetime{Hours: c.TTLHours, Sliding: c.Sliding, RepeatPerHour: c.RepeatPerHour, ChangePerHour: c.ChangePerHour}
}

// CheckClasses wants the ranges above and shares that sum to 1 within 1e-9.
func CheckClasses(classes []Class) error {
	var k checker
	sum := 0.0
	for _, c := range classes {
		at := "Class " + c.Name + "."
		k.share(at+"Share", c.Share)
		k.share(at+"Repeats", c.Repeats)
		k.money(at+"CostOfWrong", c.CostOfWrong)
		k.lifetime(at, c.lifetime())
		sum += c.Share
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		k.fail("Classes", "shares with sum "+floatText(sum), "shares with sum 1")
	}
	return k.result()
}

// ClassPoint is what a cache does to a class, per request of the class; in a
// total, per request of all.
type ClassPoint struct {
	CachePoint
	Saved float64 // money not spent on models, less the lookups
	Harm  float64 // wrong answers that the model would have got right, net, times their cost
}

// Net is what caching is worth: Saved - Harm.
func (p ClassPoint) Net() float64 { return p.Saved - p.Harm }

// For is the cache for one class: its repeats are those that find their answer
// kept, and of these some are stale. A recurring question without a kept answer
// is like any other.
func (c Cache) For(class Class) Cache {
	life := class.lifetime()
	c.Repeats = float64(class.Repeats * life.Live())
	c.Stale = life.Stale()
	return c
}

// AtClass is one class behind a threshold. Repeats and Stale of the cache do not
// count; of behind, Accuracy and Cost do.
func (c Cache) AtClass(class Class, threshold float64, behind Point) ClassPoint {
	var out ClassPoint
	if class.TTLHours == 0 {
		c.Embed = 0
		threshold = math.Inf(1)
	}
	out.CachePoint = c.For(class).At(threshold, behind)
	out.Saved = behind.Cost - out.Cost
	out.Harm = float64((behind.Accuracy - out.Accuracy) * class.CostOfWrong)
	return out
}

// AtClasses is all classes behind one threshold: dst, of the length of classes,
// gets one row each, the result is the mean over the traffic.
func (c Cache) AtClasses(classes []Class, threshold float64, behind Point, dst []ClassPoint) ClassPoint {
	var sum ClassPoint
	sum.Threshold = threshold
	for i, class := range classes {
		p := c.AtClass(class, threshold, behind)
		dst[i] = p
		sum.Hit += float64(class.Share * p.Hit)
		sum.True += float64(class.Share * p.True)
		sum.False += float64(class.Share * p.False)
		sum.Stale += float64(class.Share * p.Stale)
		sum.Accuracy += float64(class.Share * p.Accuracy)
		sum.Cost += float64(class.Share * p.Cost)
		sum.Saved += float64(class.Share * p.Saved)
		sum.Harm += float64(class.Share * p.Harm)
	}
	if sum.Hit > 0 {
		sum.Precision = sum.True / sum.Hit
	}
	return sum
}

// The lifetimes that BestTTL looks through: 0.001 to 100000 hours, 3.6 seconds to
// 11 years.
const (
	shortestTTL = 1e-3
	ttlDecades  = 8
	ttlSteps    = 20 // to a decade
	ttlGrid     = ttlDecades*ttlSteps + 1
)

// BestTTL is the lifetime in hours with the most net worth for a class, behind a
// threshold: 0 if it is better not cached, +Inf if its answers are best kept for
// ever. It looks at 20 lifetimes a decade from 0.001 to 100000 hours and closes
// in on the best to a relative 1e-6; net worth may have a second top between
// two of them only by a hair.
func (c Cache) BestTTL(class Class, threshold float64, behind Point) (hours float64, best ClassPoint) {
	at := func(h float64) ClassPoint {
		class.TTLHours = h
		return c.AtClass(class, threshold, behind)
	}
	grid := func(i int) float64 {
		return float64(shortestTTL * detmath.Pow(10, float64(i)/ttlSteps))
	}
	hours, best = 0, at(0)
	top := -1
	for i := range ttlGrid {
		if p := at(grid(i)); p.Net() > best.Net() {
			hours, best, top = grid(i), p, i
		}
	}
	if top > 0 && top < ttlGrid-1 {
		lo, hi := grid(top-1), grid(top+1)
		for hi-lo > float64(1e-6*hi) {
			third := float64((hi - lo) * (1.0 / 3))
			a, b := lo+third, hi-third
			if at(a).Net() < at(b).Net() {
				lo = a
			} else {
				hi = b
			}
		}
		hours = lo + float64(0.5*(hi-lo))
		best = at(hours)
	}
	if p := at(math.Inf(1)); p.Net() > best.Net() {
		hours, best = math.Inf(1), p
	}
	return hours, best
}
