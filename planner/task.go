package planner

import "openloop/numerics/detmath"

// From tokens to tasks: a task is some turns of one conversation, tried until it
// succeeds or attempts run out.

// Task is one attempt at a task. Tokens are means.
type Task struct {
	Turns          int
	SystemTokens   float64 // before the first turn, shared by all
	UserTokens     float64 // new in each turn
	AnswerTokens   float64 // kept in the conversation
	ThinkingTokens float64 // decoded in each turn besides
	ThinkingKept   bool    // thinking stays in the conversation and is read again

	SuccessFrac float64 // chance that an attempt succeeds, independently; 1e-6 to 1
	MaxAttempts int     // >= 1
}

func (c *checker) task(t *Task) {
	c.count("Task.Turns", t.Turns, 1, 1e6)
	c.within("Task.SystemTokens", t.SystemTokens, 0, mostTokens)
	c.within("Task.UserTokens", t.UserTokens, 0, mostTokens)
	c.within("Task.AnswerTokens", t.AnswerTokens, 0, mostTokens)
	c.within("Task.ThinkingTokens", t.ThinkingTokens, 0, mostTokens)
	c.within("Task.SuccessFrac", t.SuccessFrac, 1e-6, 1)
	c.count("Task.MaxAttempts", t.MaxAttempts, 1, 1e6)
	if c.Err == nil && t.SystemTokens+t.UserTokens == 0 {
		c.fail("Task.UserTokens", "0", "more than 0 without SystemTokens: a prompt has a token", "1")
	}
}

// TaskTokens are the tokens of one attempt.
type TaskTokens struct {
	PrefillNoCache    float64 // every turn reads the conversation anew
	PrefillRecomputed float64 // a prefix cache spares all but the new words and the last answer
	PrefillAllKept    float64 // the KV of answers is kept as well
	Decode            float64
	HitFrac           float64 // share of prompt tokens that the cache spares, answers recomputed
}

// Tokens counts one attempt of T turns, with s system, u user, o answer and r
// thinking tokens: prefill Ts + uT(T+1)/2 + oT(T-1)/2 without a cache, s + Tu
// with one, and (T-1)o more if answers are computed again, which is forced when
// thinking is dropped, since that shifts their positions. Thinking that is kept
// counts with the answer. Decode T(o+r).
func (t Task) Tokens() (TaskTokens, error) {
	c := &checker{}
	c.task(&t)
	if c.Err != nil {
		return TaskTokens{}, c.Err
	}
	turns := float64(t.Turns)
	stays := t.AnswerTokens
	if t.ThinkingKept {
		stays += t.ThinkingTokens
	}
	var out TaskTokens
	out.PrefillNoCache = float64(turns*t.SystemTokens) + float64(t.UserTokens*turns*(turns+1)*0.5) + float64(stays*turns*(turns-1)*0.5)
	out.PrefillAllKept = t.SystemTokens + float64(turns*t.UserTokens)
	out.PrefillRecomputed = out.PrefillAllKept + float64((turns-1)*stays)
	out.Decode = float64(turns * (t.AnswerTokens + t.ThinkingTokens))
	out.HitFrac = 1 - out.PrefillRecomputed/out.PrefillNoCache
	return out, nil
}

// TaskCost is what a task costs, in USD.
type TaskCost struct {
	PerAttempt  float64
	Attempts    float64 // mean
	SuccessFrac float64 // after all attempts
	PerTask     float64
	PerSuccess  float64 // does not depend on MaxAttempts
}

// Cost prices a task from an attempt: E[attempts] = (1-(1-p)^R)/p for success p
// and at most R attempts, P(success) = 1-(1-p)^R, so a success costs c/p for
// every R.
func (t Task) Cost(usdPerAttempt float64) (TaskCost, error) {
	c := &checker{}
	c.task(&t)
	c.within("usdPerAttempt", usdPerAttempt, 0, 1e12)
	if c.Err != nil {
		return TaskCost{}, c.Err
	}
	p := t.SuccessFrac
	out := TaskCost{PerAttempt: usdPerAttempt, SuccessFrac: 1, Attempts: 1 / p}
	if p < 1 {
		out.SuccessFrac = 1 - detmath.Pow(1-p, float64(t.MaxAttempts))
		out.Attempts = out.SuccessFrac / p
	}
	out.PerTask = float64(usdPerAttempt * out.Attempts)
	out.PerSuccess = usdPerAttempt / p
	return out, nil
}

// PriceTask is Cost with the attempt priced by a plan: its prompt tokens at the
// plan's price of a prompt token, cached ones free, and its output tokens at the
// plan's price of an output token. The plan's own workload should look like the
// task's turns, or the prices are of other work.
func (p *Plan) PriceTask(t Task, cached bool) (TaskCost, error) {
	tokens, err := t.Tokens()
	if err != nil {
		return TaskCost{}, err
	}
	read := tokens.PrefillNoCache
	if cached {
		read = tokens.PrefillRecomputed
	}
	// The plan's price is of all prompt tokens; what a computed one costs is
	// that over the share that its own cache does not spare.
	computed := p.Cost.PerMInput / (1 - p.mix.cached/p.mix.prompt)
	usd := (float64(read*computed) + float64(tokens.Decode*p.Cost.PerMOutput)) / million
	return t.Cost(usd)
}
