package route

import (
	"math"
	"strconv"
)

// Labels counts the questions of a benchmark by which of two models answered
// them right.
type Labels struct{ Both, WeakOnly, StrongOnly, Neither int }

// MMLU and GSM8K return the counts of the per-question results that the authors
// of RouteLLM published (github.com/lm-sys/RouteLLM, routellm/evals/mmlu and
// gsm8k), all questions, before they remove contaminated ones. Weak is
// Mixtral-8x7B-Instruct, strong is gpt-4-1106-preview.
func MMLU() Labels  { return Labels{Both: 8818, WeakOnly: 742, StrongOnly: 2497, Neither: 1985} }
func GSM8K() Labels { return Labels{Both: 747, WeakOnly: 95, StrongOnly: 383, Neither: 94} }

// Total is the number of questions.
func (l Labels) Total() int { return l.Both + l.WeakOnly + l.StrongOnly + l.Neither }

// Check wants counts of 0 to 1e9 and at least one question.
func (l Labels) Check() error {
	var c checker
	for _, f := range []struct {
		name string
		n    int
	}{{"Both", l.Both}, {"WeakOnly", l.WeakOnly}, {"StrongOnly", l.StrongOnly}, {"Neither", l.Neither}} {
		if f.n < 0 || f.n > 1e9 {
			c.fail(f.name, strconv.Itoa(f.n), "0 to 1000000000")
		}
	}
	if c.Err == nil && l.Total() == 0 {
		c.fail("Labels", "0 questions", "at least 1")
	}
	return c.result()
}

// Rates are the shares that the counts give.
func (l Labels) Rates() Rates {
	n := float64(l.Total())
	return Rates{
		Weak:   float64(l.Both+l.WeakOnly) / n,
		Strong: float64(l.Both+l.StrongOnly) / n,
		Pi:     float64(l.StrongOnly) / n,
		Lam:    float64(l.WeakOnly) / n,
	}
}

// Rates say how often two models are right, alone and together. Two accuracies
// are not enough: routing lives on the questions that exactly one answers.
// Strong = Weak + Pi - Lam.
type Rates struct {
	Weak   float64 // share of requests that the weak model answers right
	Strong float64 // the same of the strong model
	Pi     float64 // share that only the strong model answers right
	Lam    float64 // share that only the weak model answers right
}

// RatesOf completes the rates from three of them.
func RatesOf(weak, pi, lam float64) Rates {
	return Rates{Weak: weak, Strong: weak + (pi - lam), Pi: pi, Lam: lam}
}

// Independent are the rates of two models whose errors have nothing to do with
// each other. Real ones are correlated: on MMLU this would make 26% of the
// requests worth routing, and there are 18%.
func Independent(weak, strong float64) Rates {
	return Rates{Weak: weak, Strong: strong, Pi: float64(strong * (1 - weak)), Lam: float64(weak * (1 - strong))}
}

// Mix is traffic of which a share (0 to 1) is b and the rest a. With the same
// scores in both, it is again a traffic of this model.
func Mix(a, b Rates, share float64) Rates {
	m := func(x, y float64) float64 { return float64((1-share)*x) + float64(share*y) }
	return Rates{Weak: m(a.Weak, b.Weak), Strong: m(a.Strong, b.Strong), Pi: m(a.Pi, b.Pi), Lam: m(a.Lam, b.Lam)}
}

// rateTolerance is how far the four rates may disagree; rounding of printed
// shares, not more.
const rateTolerance = 1e-9

// Check wants shares of 0 to 1 that fit each other within 1e-9.
func (r Rates) Check() error {
	var c checker
	c.rates("", r)
	return c.result()
}

func (c *checker) rates(at string, r Rates) {
	c.share(at+"Weak", r.Weak)
	c.share(at+"Strong", r.Strong)
	c.float(at+"Pi", r.Pi, 0, 1-r.Weak+rateTolerance)
	c.float(at+"Lam", r.Lam, 0, r.Weak+rateTolerance)
	if want := r.Weak + (r.Pi - r.Lam); !(math.Abs(r.Strong-want) <= rateTolerance) {
		c.fail(at+"Strong", floatText(r.Strong), "Weak + Pi - Lam, here "+floatText(want))
	}
}

// Both is the share that both models answer right, Neither that none does.
func (r Rates) Both() float64    { return max(0, r.Weak-r.Lam) }
func (r Rates) Neither() float64 { return max(0, 1-r.Weak-r.Pi) }

// StrongGivenWeakRight is how often the strong model is right where the weak
// one is; 1 where that never happens.
func (r Rates) StrongGivenWeakRight() float64 {
	if r.Weak == 0 {
		return 1
	}
	return 1 - r.Lam/r.Weak
}

// StrongGivenWeakWrong is the share of the weak model's errors that the strong
// one repairs; 0 where there are none.
func (r Rates) StrongGivenWeakWrong() float64 {
	if r.Weak >= 1 {
		return 0
	}
	return r.Pi / (1 - r.Weak)
}
