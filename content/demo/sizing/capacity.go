package sizing

import (
	"errors"
	"math"

	"openloop/content/demo"
	"openloop/planner"
)

// The planner: from a workload to a number of GPUs, to its bill, to what a
// solved task costs; every equation with its values, and the levers by what each
// saves now. The reader says a number before the plan shows.

func capacityPlanner() *demo.Demo {
	return &demo.Demo{
		ID: plannerID, Version: plannerVersion, NoChance: true, Title: "How many GPUs?",
		Lead:   "Say what you want to serve, on what, and what you promise. Guess how many GPUs it takes; then show the plan. Every line of it opens: its formula, where each value is from, and how far it can be off.",
		Limits: capacityLimits(),
		Knobs:  capacityKnobs(), Groups: capacityGroups(),
		Presets: []demo.Preset{
			{Name: "Chat, 70B", State: "", Says: "A conversation trace of Azure, a 70B model, a token every 50 ms: what is your guess?"},
			{Name: "Code completion", State: "gpu=l40s&model=qwen2.5-7b&tp=1&rate=10&prompt=2048&output=28&peak=4.2&bursts=10.2&spread=0.81&tpot=30&ttft=0.5", Says: "Long prompts, answers of a line, bursts, and half a second for the first token."},
			{Name: "RAG, long prompts", State: "gpu=h200-sxm&kv=fp8&rate=3.4&prompt=12035&output=343&bursts=1&spread=1.1&tpot=60&ttft=3", Says: "Twelve thousand tokens to read for an answer of three hundred: prefill pays the bill."},
			{Name: "Reasoning", State: "gpu=h200-sxm&model=deepseek-r1&tp=8&rate=4&prompt=1596&output=290&thinking=1400&bursts=1&spread=2.1&tpot=60&ttft=2", Says: "Four tokens of thinking for each one that a reader sees."},
			{Name: "Agents", State: "model=qwen3-32b&tp=2&rate=3.9&prompt=15325&output=149&cache=mooncake-synthetic&cached=25.6&bursts=1&spread=0.93&ttft=2&turns=15&success=60", Says: "Turns over a context that is mostly shared, and six tasks in ten that end well."},
			{Name: "Offline batch", State: "model=llama-3.1-8b&weights=bf16&tp=1&rate=50&prompt=2573&output=300&peak=1&bursts=0&spread=0.52&tpot=0&ttft=0&busy=95", Says: "Nobody waits, so nothing is promised but throughput."},
		},
		Equations: []demo.Equation{
			{Name: "Time per token", TeX: `\text{TPOT} = \frac{w}{1 - r\,(P + o\,b)}`, Says: "w what a step takes whatever its batch, b what a sequence adds to it, P prefill of a request, o its output tokens, r requests a second of one replica: prefills stretch the steps between them"},
			{Name: "Replica-seconds of a request", TeX: `T = \max\Bigl(P + o\,\bigl(\tfrac{w}{B} + b\bigr),\ \frac{P + o\,b}{1 - w/s},\ \ldots\Bigr)`, Says: "by memory, which holds B sequences; by the time per token s that is promised; by arithmetic. The longest counts"},
			{Name: "GPUs", TeX: `\text{GPUs} = \Bigl\lceil \frac{\lambda\,T}{\rho} \Bigr\rceil \times \text{TP}`, Says: "λ requests a second at the peak, ρ how busy a replica may be"},
			{Name: "A lever", TeX: `\Delta = G_{\text{without}} - G_{\text{with}}`, Says: "GPUs as real numbers, since whole ones tie and jump; the other levers as they stand. Savings do not add"},
			{Name: "A solved task", TeX: `\$_{\text{solved}} = \frac{\text{turns} \times \$_{\text{request}}}{p}`, Says: "p the share of attempts that succeed, however often it is tried"},
		},
		Start: startCapacity,
	}
}

// capacityLimits is what every plan takes for granted.
func capacityLimits() string {
	says := "A first-order plan, no substitute for a measured run."
	for _, a := range planner.Assumptions() {
		says += " " + a.Text
	}
	return says
}

type capacityRun struct {
	demo.Instant
	demo.Quiet
	values demo.Values
	guess  float64 // GPUs; 0 is none
	shown  bool

	a, b     asked
	ablation planner.Ablation // with the plan of A
	wrong    *planner.ValueError
	links    []planner.Link
	planB    planner.Plan
	linksB   []planner.Link
	moves    []planner.Influence
	powerA   *planner.Power
	powerB   *planner.Power
	both     bool
	wrongB   *planner.ValueError
	taskA    planner.TaskCost
	taskB    planner.TaskCost
	wrongT   *planner.ValueError // success 0: the fleet is planned, a task has no price
}

func startCapacity(v demo.Values, _ uint32) (demo.Task, error) {
	r := &capacityRun{values: v, guess: v.Num("guess"), shown: v.Option("plan") == "shown", both: differs(v)}
	r.a = askedFor(v, false)
	var err error
	r.ablation, err = planner.Ablate(r.a.workload, r.a.deployment, r.a.objective, r.a.levers())
	if r.wrong = valueError(err); r.wrong != nil {
		r.unpromised()
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.links = r.ablation.Plan.Links()
	r.powerA = powerOf(&r.a, r.plan())
	if r.shown {
		r.moves, _ = planner.Sensitivities(r.a.workload, r.a.deployment, r.a.objective, moveFrac)
	}
	r.taskA, err = r.a.task.Cost(r.perAttempt(&r.ablation.Plan))
	r.wrongT = valueError(err)
	if !r.both {
		return r, nil
	}
	r.b = askedFor(v, true)
	r.planB, err = planner.Evaluate(r.b.workload, r.b.deployment, r.b.objective)
	if r.wrongB = valueError(err); r.wrongB != nil {
		return r, nil
	}
	r.linksB, r.powerB = r.planB.Links(), powerOf(&r.b, &r.planB)
	if r.wrongT == nil {
		r.taskB, _ = r.b.task.Cost(r.perAttempt(&r.planB))
	}
	return r, nil
}

// unpromised keeps, of a plan that cannot be, the equations that hold whatever is
// promised, if it is the promise that is impossible.
func (r *capacityRun) unpromised() {
	p, err := planner.Evaluate(r.a.workload, r.a.deployment, planner.Objective{TargetFrac: 1})
	if err == nil {
		r.ablation.Plan, r.links = p, p.Links()
	}
}

func valueError(err error) *planner.ValueError {
	var e *planner.ValueError
	errors.As(err, &e)
	return e
}

// perAttempt is the bill of one attempt at a task: so many requests of the mix.
func (r *capacityRun) perAttempt(p *planner.Plan) float64 {
	return float64(r.a.task.Turns) * p.Cost.PerRequest
}

func (r *capacityRun) plan() *planner.Plan { return &r.ablation.Plan }

// off is how far the guess is from the plan: 2 if it is twice as many or half;
// not a number if nobody has guessed.
func (r *capacityRun) off() float64 {
	if r.guess == 0 {
		return math.NaN()
	}
	got := float64(r.plan().GPUs)
	return max(r.guess/got, got/r.guess)
}
