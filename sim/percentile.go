package sim

import (
	"math/bits"
	"slices"
)

// Percentiles here are exact: order statistics of the requests themselves,
// never an average of other percentiles. A percentile of a percentile, or of
// replicas, has no meaning; pool the requests instead.

// Rule says which number stands for the q-quantile of n values. Tools differ,
// and for few values the difference is large.
type Rule uint8

// The rules.
const (
	// NearestRank is the ceil(q*n)-th smallest value: one that was observed.
	// The default here and in Hist.
	NearestRank Rule = iota
	// Linear lies at rank (n-1)*q, counted from 0, interpolated between the
	// two values around it (Hyndman and Fan's type 7): numpy's default, hence
	// that of vLLM's and SGLang's benchmark tools. It may be a value that
	// nobody saw.
	Linear
)

// Quantile is a quantile with what it rests on.
type Quantile struct {
	Q     float64
	Value Nanos // Never if there is no value, or if it falls among the lost ones

	// Beyond is the number of values ranked above it. Below 10, a repeated
	// run moves it a lot.
	Beyond int64

	// Lo and Hi are the order statistics between which the true quantile lies
	// with at least the asked confidence, whatever the distribution, if the
	// values are independent. Those of a queue are not: neighbors wait
	// together, so this interval is the narrowest honest one, and seeds give
	// a better one. Lo is 0 and Hi is Never where n is too small for a bound.
	Lo, Hi Nanos
}

// Selector finds quantiles of a set of spans without sorting all of it. Its
// buffer is reused; the zero value is ready.
type Selector struct {
	values []int64
	ranks  []int      // places asked for, from 0
	bounds [][2]int64 // RankInterval of each quantile
}

// Reset forgets all values.
func (s *Selector) Reset() { s.values = s.values[:0] }

// Add adds a value.
func (s *Selector) Add(x Nanos) { s.values = append(s.values, int64(x)) }

// Len is the number of values.
func (s *Selector) Len() int { return len(s.values) }

// grow makes room for n more values.
func (s *Selector) grow(n int) { s.values = slices.Grow(s.values, n) }

// seconds is the i-th value as it was added, before Quantiles.
func (s *Selector) seconds(i int) float64 { return Nanos(s.values[i]).Seconds() }

// Quantiles appends the quantiles qs, each in [0,1], to dst, with intervals of
// confidence level in (0,1). It changes the order of the values.
func (s *Selector) Quantiles(dst []Quantile, qs []float64, rule Rule, level float64) []Quantile {
	n := int64(len(s.values))
	s.ranks, s.bounds = s.ranks[:0], s.bounds[:0]
	for _, q := range qs {
		if !(q >= 0 && q <= 1) {
			panic("sim: quantile outside [0,1]")
		}
		out := Quantile{Q: q, Value: Never, Hi: Never}
		if n > 0 {
			out.Beyond = n - rank(q, n)
			s.need(q, n, level)
		}
		dst = append(dst, out)
	}
	if n == 0 {
		return dst
	}
	ascending(s.ranks)
	selectRanks(s.values, slices.Compact(s.ranks))
	asked := dst[len(dst)-len(qs):]
	for i := range asked {
		s.read(&asked[i], rule, s.bounds[i])
	}
	return dst
}

// ascending sorts a few numbers, without the kilobytes of a sort for many.
func ascending(few []int) {
	for i := range few {
		for k := i; k > 0 && few[k] < few[k-1]; k-- {
			few[k], few[k-1] = few[k-1], few[k]
		}
	}
}

// need asks for every place that read will look at.
func (s *Selector) need(q float64, n int64, level float64) {
	below, _ := linearRank(q, n)
	lo, hi := RankInterval(n, q, level)
	s.bounds = append(s.bounds, [2]int64{lo, hi})
	for _, k := range [...]int64{rank(q, n) - 1, below, below + 1, lo - 1, hi - 1} {
		if k >= 0 && k < n {
			s.ranks = append(s.ranks, int(k))
		}
	}
}

func (s *Selector) read(out *Quantile, rule Rule, bounds [2]int64) {
	n := int64(len(s.values))
	out.Value = Nanos(s.values[rank(out.Q, n)-1])
	if rule == Linear {
		out.Value = s.interpolated(out.Q, n)
	}
	if lo := bounds[0]; lo >= 1 {
		out.Lo = Nanos(s.values[lo-1])
	}
	if hi := bounds[1]; hi <= n {
		out.Hi = Nanos(s.values[hi-1])
	}
}

func (s *Selector) interpolated(q float64, n int64) Nanos {
	below, frac := linearRank(q, n)
	a := s.values[below]
	if frac == 0 {
		return Nanos(a)
	}
	b := s.values[below+1]
	if Nanos(b) == Never {
		return Never // halfway to never is never
	}
	return Nanos(a + int64(float64(frac*float64(b-a))+0.5))
}

// linearRank is the place (n-1)*q, from 0, as a whole part and a rest.
func linearRank(q float64, n int64) (below int64, frac float64) {
	h := float64(q * float64(n-1))
	below = int64(h)
	return below, h - float64(below)
}

// RankInterval gives the ranks lo < hi, from 1, such that the q-quantile of a
// distribution lies between the lo-th and the hi-th smallest of n independent
// values with probability >= level, at most (1-level)/2 missed on each side.
// lo = 0 or hi = n+1 says that n values cannot bound that side.
//
// The number of values below the quantile is binomial(n, q); its tails are
// summed exactly, outwards from the mode.
func RankInterval(n int64, q, level float64) (lo, hi int64) {
	if n < 1 || !(q > 0 && q < 1) {
		return 0, max(n, 0) + 1
	}
	mode := min(int64(q*float64(n+1)), n)
	below, above := binomialSides(n, mode, q)
	allowed := float64((1 - level) / 2 * (below + 1 + above))

	// lo is the largest rank with P(B <= lo-1) <= allowed.
	p, tail := 1.0, below+1 // tail = P(B <= lo-1), in units of P(B = mode)
	for lo = mode + 1; lo > 0 && tail > allowed; lo-- {
		k := lo - 1
		tail -= p
		p = float64(p * binomialDown(n, k, q))
	}
	// hi is the smallest rank with P(B >= hi) <= allowed.
	p, tail = 1.0, above+1
	for hi = mode; hi <= n && tail > allowed; hi++ {
		tail -= p
		p = float64(p * binomialUp(n, hi, q))
	}
	return lo, max(hi, lo+1)
}

// binomialSides sums the probabilities below and above the mode, each in units
// of the mode's.
func binomialSides(n, mode int64, q float64) (below, above float64) {
	p := 1.0
	for k := mode; k > 0 && p > 1e-18; k-- {
		p = float64(p * binomialDown(n, k, q))
		below += p
	}
	p = 1.0
	for k := mode; k < n && p > 1e-18; k++ {
		p = float64(p * binomialUp(n, k, q))
		above += p
	}
	return below, above
}

// binomialDown is P(B = k-1) / P(B = k), binomialUp is P(B = k+1) / P(B = k).
func binomialDown(n, k int64, q float64) float64 {
	return float64(k) / float64(n-k+1) * ((1 - q) / q)
}

func binomialUp(n, k int64, q float64) float64 {
	return float64(n-k) / float64(k+1) * (q / (1 - q))
}

// selectRanks reorders a so that at each place of ranks, which ascend, stands
// what sorting would put there: quickselect for several places at once.
func selectRanks(a []int64, ranks []int) {
	selectIn(a, 0, len(a), ranks, 2*bits.Len(uint(len(a))))
}

// selectIn works on a[lo:hi], whose places of interest are ranks. depth left
// at 0 says that the pivots were bad, and sorts.
func selectIn(a []int64, lo, hi int, ranks []int, depth int) {
	for len(ranks) > 0 {
		if hi-lo <= 24 || depth == 0 {
			slices.Sort(a[lo:hi])
			return
		}
		depth--
		cut := partition(a, lo, hi)
		left, _ := slices.BinarySearch(ranks, cut)
		switch left {
		case 0:
			lo = cut
		case len(ranks):
			hi = cut
		default:
			selectIn(a, lo, cut, ranks[:left], depth)
			lo, ranks = cut, ranks[left:]
		}
	}
}

// partition reorders a[lo:hi] so that nothing in a[lo:cut] exceeds anything in
// a[cut:hi]; neither is empty, because the pivot is a middle one of three.
// Hoare's scheme stops at equal values on both sides, so equal values are
// halved too.
func partition(a []int64, lo, hi int) (cut int) {
	pivot := middle(a, lo, hi)
	i, j := lo-1, hi
	for {
		for i++; a[i] < pivot; i++ {
		}
		for j--; a[j] > pivot; j-- {
		}
		if i >= j {
			return j + 1
		}
		a[i], a[j] = a[j], a[i]
	}
}

func middle(a []int64, lo, hi int) int64 {
	step := (hi - lo) / 8
	return middleOf(
		middleOf(a[lo], a[lo+step], a[lo+2*step]),
		middleOf(a[lo+3*step], a[lo+4*step], a[lo+5*step]),
		middleOf(a[lo+6*step], a[lo+7*step], a[hi-1]))
}

func middleOf(x, y, z int64) int64 { return max(min(x, y), min(max(x, y), z)) }
