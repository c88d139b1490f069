package sim

import "math"

// MaxTokens is the most tokens of one drawn prompt or output.
const MaxTokens = 1 << 24

// Lengths says how many tokens requests have: Separate, Joint or Rows.
type Lengths interface {
	check(c *checker, field string)
	// draw gives the sizes of request i.
	draw(i int32, prompts, outputs *Rand) (prompt, output int32)
}

// Separate draws prompt and output independently of each other.
type Separate struct {
	Prompt Count
	Output Count
}

func (l Separate) check(c *checker, field string) {
	checkCount(c, field+".Prompt", l.Prompt, MaxTokens)
	checkCount(c, field+".Output", l.Output, MaxTokens)
}

func (l Separate) draw(_ int32, prompts, outputs *Rand) (int32, int32) {
	return l.Prompt.draw(prompts), l.Output.draw(outputs)
}

// Joint draws pairs from a sample, each as likely as any other, with
// replacement. Prompt and output of a pair stay together, as they were seen.
type Joint struct {
	Prompt []int32
	Output []int32
}

func (l Joint) check(c *checker, field string) { checkPairs(c, field, l.Prompt, l.Output) }

func (l Joint) draw(_ int32, prompts, _ *Rand) (int32, int32) {
	i := prompts.IntN(len(l.Prompt))
	return l.Prompt[i], l.Output[i]
}

// Rows gives request i the sizes of row i: a trace in its own order. A run has
// no more requests than there are rows.
type Rows struct {
	Prompt []int32
	Output []int32

	// Hashes says which prompts begin alike: row i begins with the texts
	// Hashes[i], HashTokens tokens each (the last may be cut by the prompt's
	// end), where equal numbers are equal texts. Mooncake's hash_ids, with
	// 512 tokens each, are meant so. Empty means that nothing is shared.
	Hashes     [][]uint64
	HashTokens int32
}

func (l Rows) check(c *checker, field string) {
	checkPairs(c, field, l.Prompt, l.Output)
	if len(l.Hashes) == 0 {
		return
	}
	if len(l.Hashes) != len(l.Prompt) {
		c.fail(field+".Hashes", intText(int64(len(l.Hashes)))+" rows", "none, or one for each row")
	}
	c.int(field+".HashTokens", int64(l.HashTokens), 1, MaxTokens)
}

func (l Rows) draw(i int32, _, _ *Rand) (int32, int32) { return l.Prompt[i], l.Output[i] }

// prefix appends the segments of row i.
func (l Rows) prefix(to []Segment, i int32) []Segment {
	if len(l.Hashes) == 0 {
		return to
	}
	left := l.Prompt[i]
	for _, h := range l.Hashes[i] {
		if left <= 0 {
			break
		}
		to = append(to, Segment{ID: h, Tokens: min(left, l.HashTokens)})
		left -= l.HashTokens
	}
	return to
}

func checkPairs(c *checker, field string, prompt, output []int32) {
	if len(prompt) == 0 || len(prompt) > MaxRequests {
		c.int(field+".Prompt rows", int64(len(prompt)), 1, MaxRequests)
		return
	}
	if len(output) != len(prompt) {
		c.fail(field+".Output", intText(int64(len(output)))+" rows", "as many as Prompt, "+intText(int64(len(prompt))))
		return
	}
	for i := range prompt {
		// indexed makes a string: only for those that are wrong.
		if prompt[i] < 1 || prompt[i] > MaxTokens {
			c.int(indexed(field+".Prompt", i), int64(prompt[i]), 1, MaxTokens)
			return
		}
		if output[i] < 1 || output[i] > MaxTokens {
			c.int(indexed(field+".Output", i), int64(output[i]), 1, MaxTokens)
			return
		}
	}
}

// Count is a distribution over whole numbers from 1 up.
type Count interface {
	check(c *checker, field string, most int64)
	draw(r *Rand) int32
}

func checkCount(c *checker, field string, n Count, most int64) {
	if n == nil {
		c.fail(field, "missing", "a Count, as FixedCount(128)")
		return
	}
	n.check(c, field, most)
}

// FixedCount is always the same number.
type FixedCount int32

func (n FixedCount) check(c *checker, field string, most int64) { c.int(field, int64(n), 1, most) }

func (n FixedCount) draw(*Rand) int32 { return int32(n) }

// UniformCount is each number from Min to Max, both included, equally often.
type UniformCount struct{ Min, Max int32 }

func (n UniformCount) check(c *checker, field string, most int64) {
	checkBounds(c, field, n.Min, n.Max, most)
}

func (n UniformCount) draw(r *Rand) int32 { return n.Min + int32(r.IntN(int(n.Max-n.Min)+1)) }

// NormalCount is a normal variable, rounded to the nearest whole number, and
// the bound where it lies beyond one. Mean and SD are those before that.
type NormalCount struct {
	Mean, SD float64
	Min, Max int32
}

func (n NormalCount) check(c *checker, field string, most int64) {
	checkBounds(c, field, n.Min, n.Max, most)
	c.float(field+".Mean", n.Mean, -1e9, 1e9)
	c.float(field+".SD", n.SD, 0, 1e9)
}

func (n NormalCount) draw(r *Rand) int32 {
	return clip(n.Mean+float64(n.SD*r.Normal()), n.Min, n.Max)
}

// LogNormalCount is Median*exp(Sigma*N) with a standard normal N, rounded to
// the nearest whole number, and the bound where it lies beyond one. Before that
// its mean is Median*exp(Sigma^2/2).
type LogNormalCount struct {
	Median, Sigma float64
	Min, Max      int32
}

func (n LogNormalCount) check(c *checker, field string, most int64) {
	checkBounds(c, field, n.Min, n.Max, most)
	c.float(field+".Median", n.Median, 1e-3, 1e9)
	c.float(field+".Sigma", n.Sigma, 0, 20)
}

func (n LogNormalCount) draw(r *Rand) int32 {
	return clip(r.LogNormal(n.Median, n.Sigma), n.Min, n.Max)
}

// GeometricCount counts trials up to the first success: n has probability
// (1-1/Mean)^(n-1)/Mean. It is what makes service times memoryless, for
// comparison with queueing theory, and is not cut.
type GeometricCount struct{ Mean float64 }

// 37 times that, the largest number drawn, is within MaxTokens.
const maxGeometricMean = 4e5

func (n GeometricCount) check(c *checker, field string, most int64) {
	c.float(field+".Mean", n.Mean, 1, min(maxGeometricMean, float64(most)))
}

func (n GeometricCount) draw(r *Rand) int32 { return int32(r.Geometric(n.Mean)) }

func checkBounds(c *checker, field string, lo, hi int32, most int64) {
	c.int(field+".Min", int64(lo), 1, most)
	c.int(field+".Max", int64(hi), int64(lo), most)
}

// clip is x rounded, within [lo, hi].
func clip(x float64, lo, hi int32) int32 {
	switch {
	case x <= float64(lo):
		return lo
	case x >= float64(hi):
		return hi
	}
	return int32(math.Floor(x + 0.5))
}
