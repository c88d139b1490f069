package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
	"openloop/planner/profile"
)

// From the price of a token to that of a solved task. The price list is that of
// a fleet for plain chat; the task is what a conversation of several turns, with
// thinking and failures, costs on a fleet sized for it.

// served are models with the hardware that serves them here.
var served = []struct {
	model, gpu string
	tp         int
	label      string
}{
	{"llama-3.1-70b", "h100-sxm", 4, "Llama 3.1 70B on 4 H100"},
	{"llama-3.1-8b", "h100-sxm", 1, "Llama 3.1 8B on 1 H100"},
	{"gpt-oss-120b", "h100-sxm", 2, "gpt-oss 120B on 2 H100"},
	{"deepseek-v3", "h200-sxm", 8, "DeepSeek V3 on 8 H200"},
}

// The chat whose prices are the list, and what all fleets promise.
const (
	listPrompt, listOutput = 2000, 300
	taskTPOT, taskBusy     = 0.05, 0.7
	taskRate               = 20 // tasks/s; the price of one hardly depends on it
)

// taskAgent is the agent of the bet.
const taskAgent = "turns=10&thinking=1500&success=70"

func taskCost() *demo.Demo {
	var models []string
	for _, s := range served {
		models = append(models, s.model, s.label)
	}
	group := func(title string, knobs ...demo.Knob) []demo.Knob {
		for i := range knobs {
			knobs[i].Group = title
		}
		return knobs
	}
	const conversation, tokens, outcome = "The conversation", "Tokens", "The outcome"
	var knobs []demo.Knob
	knobs = append(knobs, demo.Choice("model", "Served", "The list is its price for plain chat.", models...))
	knobs = append(knobs, group(conversation,
		whole("turns", "Turns", "Of one attempt; each reads all that was said before.", 1, 1, 100),
		picking(demo.Choice("cache", "Prefix cache", "What was read before is not computed again.", "off", "off", "on", "on"), "on"),
		demo.Knob{Name: "thinking", Label: "Thinking", Unit: "tokens a turn", Doc: "Decoded before each answer, and dropped after it.", Max: 20_000, Step: 100, Whole: true})...)
	knobs = append(knobs, group(outcome,
		demo.Knob{Name: "success", Label: "Attempts that succeed", Unit: "%", Doc: "The others are paid for too.", Default: 100, Max: 100, Min: 1, Step: 5},
		demo.Knob{Name: "attempts", Label: "Attempts at most", Doc: "Then the task is given up.", Default: 3, Min: 1, Max: 100, Step: 1, Whole: true})...)
	knobs = append(knobs, group(tokens,
		demo.Knob{Name: "system", Label: "System prompt", Unit: "tokens", Doc: "Before the first turn.", Default: 2000, Max: 100_000, Step: 500, Whole: true},
		whole("user", "Question", "Tokens that the user adds in a turn.", 300, 1, 100_000),
		whole("answer", "Answer", "Tokens that are kept, in a turn.", 400, 1, 20_000))...)
	return &demo.Demo{
		ID: "task-cost", Version: 1, NoChance: true, Title: "From a token to a task",
		Lead:   "A price list says what a token costs. Turn it into what a solved task costs: with the conversation read again in each turn, thinking that nobody sees, and attempts that fail.",
		Limits: "Every turn is of mean length, and an attempt succeeds or not whatever was tried before. The fleets are first-order plans, their GPUs taken as real numbers so that rounding does not hide the rest. The list is the price of plain chat on the same model and hardware, prompts of 2,000 tokens and answers of 300; a seller's list is another.",
		Knobs:  knobs, Groups: []demo.Group{{Title: conversation, Open: true}, {Title: outcome, Open: true}, {Title: tokens}},
		Presets: []demo.Preset{
			{Name: "One question", State: "", Says: "One turn, no thinking, no failure: the token price is the task price."},
			{Name: "Agent that thinks", State: taskAgent, Says: "Ten turns, with thinking, seven attempts in ten succeed."},
			{Name: "No cache", State: taskAgent + "&cache=off", Says: "Every turn computes the whole conversation again."},
			{Name: "Long agent", State: "turns=40&thinking=1500&success=40", Says: "Forty turns, and six attempts in ten are thrown away."},
		},
		Bet: &demo.Bet{
			Question: "An agent takes ten turns, thinks 1,500 tokens in each, and succeeds in seven attempts of ten; a prefix cache is on. What does a solved task cost, against the words that are read and written times their list price?",
			Options:  []string{"about the same", "two to three times as much", "four to eight times as much", "over eight times as much"},
			Reveal:   taskAgent,
			By:       []string{"once", "solved", "ratio"},
			Answer: func(t demo.Task) int {
				switch x := t.(*taskRun).ratio(); {
				case x < 1.5:
					return 0
				case x < 3.5:
					return 1
				case x <= 8:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"The list counts each word once. The conversation is read in each turn, thinking is decoded in each, and three attempts in ten are thrown away.",
				"Failures and rereading alone would be about that; the thinking comes on top.",
				"Thinking is most of it: nearly four tokens for each one that is kept. Failures and rereading come on top.",
				"Without the prefix cache it would be more; with it, the conversation is cheap to read again.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Read in an attempt", TeX: `N_\text{read} = T s + u\,\tfrac{T(T+1)}{2} + a\,\tfrac{T(T-1)}{2}`, Says: "T turns, s system prompt, u question, a answer; a prefix cache leaves s + T u + (T − 1) a to compute, since thinking that is dropped moves the answers"},
			{Name: "Written in an attempt", TeX: `N_\text{written} = T\,(a + r)`, Says: "r thinking"},
			{Name: "A solved task", TeX: `\$_\text{solved} = \frac{\$_\text{attempt}}{p}`, Says: "p the share of attempts that succeed, however many are tried"},
		},
		Start: startTaskCost,
	}
}

type taskRun struct {
	demo.Instant
	demo.Quiet
	on     string // the model and the GPUs that serve it
	price  string // of a GPU hour, with its source
	fit    string // how far the step times are off
	task   planner.Task
	cached bool
	tokens planner.TaskTokens
	list   planner.Cost // of plain chat
	rows   []taskRow
	cost   planner.TaskCost
	wrong  string
	sweep  []taskPoint
}

// taskRow is the price of a task with one more thing counted.
type taskRow struct {
	label, says string
	usd         float64
	open        demo.Step
}

// taskPoint is a task of so many turns, in $ a solved one.
type taskPoint struct{ turns, listed, cached, uncached float64 }

func startTaskCost(v demo.Values, _ uint32) (demo.Task, error) {
	s := served[v.Int("model")]
	r := &taskRun{cached: v.On("cache"), task: planner.Task{
		Turns: v.Int("turns"), SystemTokens: v.Num("system"), UserTokens: v.Num("user"), AnswerTokens: v.Num("answer"), ThinkingTokens: v.Num("thinking"),
		SuccessFrac: v.Num("success") / 100, MaxAttempts: v.Int("attempts"),
	}}
	var d planner.Deployment
	d.GPU, _ = profile.FindGPU(s.gpu)
	d.Model, _ = profile.FindModel(s.model)
	d.TP = s.tp
	a := asked{deployment: d}
	a.store("native")
	d = a.deployment
	e := planner.PublishedEfficiency()
	e.Set(&d)
	var from string
	d.USDPerGPUHour, from, _ = ListPrice(d.GPU)
	r.on, r.fit = s.label, FitError(d.Model.MoE())
	r.price = text.USD(d.USDPerGPUHour) + " an hour of a GPU, " + from
	var err error
	if r.list, err = priced(d, planner.Class{PromptTokens: listPrompt, OutputTokens: listOutput}, taskRate); err != nil {
		return nil, err
	}
	if r.tokens, err = r.task.Tokens(); err != nil {
		return nil, err
	}
	attempt, err := r.attempt(d, r.task, r.cached)
	if err == nil {
		r.cost, err = r.task.Cost(attempt)
	}
	if err != nil {
		a.deployment, a.objective = d, planner.Objective{TPOTSeconds: taskTPOT}
		a.workload = planner.Workload{Classes: []planner.Class{{}}}
		r.wrong = blame(&a, valueError(err))
	}
	r.count(attempt)
	for _, turns := range []int{1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64, 80, 100} {
		t := r.task
		t.Turns = turns
		p := taskPoint{turns: float64(turns), listed: r.once(t)}
		cached, err1 := r.attempt(d, t, true)
		uncached, err2 := r.attempt(d, t, false)
		if err1 == nil && err2 == nil {
			p.cached, p.uncached = cached/t.SuccessFrac, uncached/t.SuccessFrac
			r.sweep = append(r.sweep, p)
		}
	}
	return r, nil
}

// priced is the bill of one class of requests, its GPUs as a real number.
func priced(d planner.Deployment, c planner.Class, rate float64) (planner.Cost, error) {
	c.RequestsPerSec, c.PeakToMean, c.ArrivalCV2, c.ServiceCV2 = rate, 1, 1, 1
	p, err := planner.Evaluate(planner.Workload{Classes: []planner.Class{c}}, d, planner.Objective{TPOTSeconds: taskTPOT, TargetFrac: taskBusy})
	if err != nil {
		return planner.Cost{}, err
	}
	exact := p.GPUsFractional / float64(p.GPUs)
	out := p.Cost
	out.PerRequest *= exact
	out.PerMInput *= exact
	out.PerMOutput *= exact
	return out, nil
}

// attempt is the bill of one attempt on a fleet for turns like these.
func (r *taskRun) attempt(d planner.Deployment, t planner.Task, cached bool) (float64, error) {
	tokens, err := t.Tokens()
	if err != nil {
		return 0, err
	}
	turns := float64(t.Turns)
	c := planner.Class{PromptTokens: tokens.PrefillNoCache / turns, OutputTokens: tokens.Decode / turns, ThinkingTokens: t.ThinkingTokens}
	if cached {
		c.HitFrac = min(tokens.HitFrac, 1-1/c.PromptTokens)
	}
	cost, err := priced(d, c, float64(taskRate*turns))
	return float64(turns * cost.PerRequest), err
}

// listed is a number of tokens at the prices of the list.
func (r *taskRun) listed(read, written float64) float64 {
	return (float64(read*r.list.PerMInput) + float64(written*r.list.PerMOutput)) / 1e6
}

// once is a task by the words that are read and written, each once.
func (r *taskRun) once(t planner.Task) float64 {
	turns := float64(t.Turns)
	return r.listed(t.SystemTokens+float64(turns*t.UserTokens), float64(turns*t.AnswerTokens))
}

// count fills the rows, each with one thing more.
func (r *taskRun) count(attempt float64) {
	t, n := &r.task, r.tokens
	turns := float64(t.Turns)
	read, says := n.PrefillNoCache, "each turn reads the conversation anew"
	if r.cached {
		read, says = n.PrefillRecomputed, "the cache leaves the new words and the last answer to compute"
	}
	written := float64(turns * t.AnswerTokens)
	said := t.SystemTokens + float64(turns*t.UserTokens)
	list := []demo.Term{{Symbol: "in", Value: text.USD(r.list.PerMInput), From: "a million input tokens, of the list"}, {Symbol: "out", Value: text.USD(r.list.PerMOutput), From: "a million output tokens, of the list"}}
	listed := "The list is a plan of the planner for chat with prompts of " + text.Whole(listPrompt) + " and answers of " + text.Whole(listOutput) + " tokens: " + r.on + ", busy for " + percent(taskBusy) + " of the time, GPUs as a real number, " + r.price + "."
	own := "A plan of its own: " + text.Whole(taskRate) + " tasks a second, each turn a request of the mean length, with at most " + text.Seconds(taskTPOT) + " a token; otherwise as the list."
	off := r.fit + " The price is off by what yours differs."
	tokens := func(symbol string, x float64, from string) demo.Term {
		return demo.Term{Symbol: symbol, Value: text.WithUnit(text.Num(x, 7), "tokens"), From: from}
	}
	row := func(label, says string, usd float64, key, formula, source string, terms ...demo.Term) {
		r.rows = append(r.rows, taskRow{label, says, usd, demo.Step{Key: key, Formula: formula, Terms: terms, Source: source, Error: off}})
	}
	row("What is said, once", "each word of the conversation at its list price", r.once(*t), "once", "said × in + kept × out", listed,
		append([]demo.Term{tokens("said", said, "system prompt, and a question for each turn"), tokens("kept", written, "an answer for each turn")}, list...)...)
	row("… read in every turn", says, r.listed(read, written), "reread", "read × in + kept × out", listed,
		append([]demo.Term{tokens("conversation", n.PrefillNoCache, "read in all turns, without a cache"), {Symbol: "spared", Value: percent(n.HitFrac), From: "of it by a prefix cache, if it is on"}, tokens("read", read, "by the equation below"), tokens("kept", written, "")}, list...)...)
	row("… with thinking", "decoded in each turn, and seen by nobody", r.listed(read, n.Decode), "thought", "read × in + written × out", listed,
		append([]demo.Term{tokens("read", read, ""), tokens("written", n.Decode, "answers and thinking of all turns")}, list...)...)
	row("… on a fleet for it", "longer contexts fill memory, and each step reads them", attempt, "attempt", "attempt = turns × request", own,
		demo.Term{Symbol: "turns", Value: text.Whole(t.Turns)}, demo.Term{Symbol: "request", Value: text.USD(attempt / turns), From: "by the planner's equations; one reads " + text.Num(n.PrefillNoCache/turns, 5) + " tokens on average and writes " + text.Num(n.Decode/turns, 5)})
	row("… with failures", "all attempts over those that succeed", attempt/t.SuccessFrac, "solved", "solved = attempt / p", own,
		demo.Term{Symbol: "attempt", Value: text.USD(attempt)}, demo.Term{Symbol: "p", Value: percent(t.SuccessFrac), From: "attempts that succeed"},
		demo.Term{Symbol: "n", Value: text.Whole(t.MaxAttempts), From: "attempts at most"}, demo.Term{Symbol: "ended well", Value: percent(r.cost.SuccessFrac), From: "of the tasks: 1 − (1 − p)^n"},
		demo.Term{Symbol: "tried", Value: text.USD(r.cost.PerTask), From: "a task that is tried: solved × ended well"})
}

// ratio is a solved task over what the list says.
func (r *taskRun) ratio() float64 { return r.rows[len(r.rows)-1].usd / r.rows[0].usd }
