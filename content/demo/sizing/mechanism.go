package sizing

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// What each lever of the planner changes, one picture each: the quantity that it
// acts on, without it and with it, against what makes it large.

// mechanism is one lever. Its quantity is a function of the context, in tokens,
// or of the batch, in requests.
type mechanism struct {
	option    demo.Option
	levers    []planner.LeverID // of the planner, that it shows
	title     string
	byBatch   bool
	until     float64 // of the x axis
	y         demo.Axis
	names     [3]string // of the lines; "" for none
	less      bool      // the lever is for less of the quantity
	of        func(x float64, o *other) [3]float64
	steps     func(x float64, o *other) []demo.Step
	says      string // what it does, one sentence
	equations []demo.Equation
}

// other are the settings that a mechanism may use beside its own axis.
type other struct{ context, batch float64 }

func mechanisms() []mechanism {
	return []mechanism{gqa(), mla(), quantization(), prefixCaching(), chunkedPrefill(), disaggregation(), speculation(), experts()}
}

// MechanismOf is the setting of the demo of mechanisms that shows a lever of the
// planner, "" if none does.
func MechanismOf(l planner.LeverID) string {
	for _, m := range mechanisms() {
		if slices.Contains(m.levers, l) {
			return m.option.Name
		}
	}
	return ""
}

func mechanismDemo() *demo.Demo {
	pick := demo.Knob{Name: "lever", Label: "Lever", Doc: "Which one is drawn."}
	var equations []demo.Equation
	for _, m := range mechanisms() {
		pick.Options = append(pick.Options, m.option)
		equations = append(equations, m.equations...)
	}
	pick.Max = float64(len(pick.Options) - 1)
	return &demo.Demo{
		ID: "mechanism", Version: 1, Title: "Eight levers, one picture each", NoChance: true,
		Lead:   "Pick a lever and drag the mark. Each acts on one quantity, and what makes that quantity large is on the axis below.",
		Limits: "Formulas and shapes of real models, each lever alone, on hardware that reaches its peaks. What a lever saves in GPUs, beside the others, is the planner's to say.",
		Knobs: []demo.Knob{
			pick,
			{Name: "context", Label: "Context", Unit: "tokens", Doc: "Length of a prompt, or of what a request has in its cache.", Default: 4096, Min: 256, Max: 32_768, Step: 256, Whole: true,
				Idle: demo.OnlyWith("lever", "gqa", "mla", "quant", "prefix", "chunked", "apart")},
			{Name: "batch", Label: "Batch", Unit: "requests", Doc: "Requests that decode together.", Default: 32, Min: 1, Max: 256, Step: 1, Whole: true,
				Idle: demo.OnlyWith("lever", "quant", "chunked", "apart", "speculation", "moe")},
		},
		Presets: []demo.Preset{
			{Name: "Heads that share", State: "lever=gqa", Says: "Eight groups of heads keep an eighth of what a pair for each of 64 heads would."},
			{Name: "One vector for all heads", State: "lever=mla", Says: "DeepSeek's cache is smaller than eight groups of heads would make it."},
			{Name: "Half the bytes", State: "lever=quant&batch=64", Says: "Weights and cache in 8 bits: a step reads half as much."},
			{Name: "A beginning that is known", State: "lever=prefix&context=16384", Says: "Three quarters of a long prompt are found. The last quarter is computed, and looks back at them."},
			{Name: "A prompt that waits for nobody", State: "lever=chunked&context=8192", Says: "Without chunks everybody in the batch waits for a long prompt."},
			{Name: "Prompts on other GPUs", State: "lever=apart&context=8192", Says: "With one pool, prompts as long as these take more than half of the time from those who decode."},
			{Name: "Too busy to guess", State: "lever=speculation&batch=256", Says: "In a full batch good drafts bring less, and poor ones cost more than they bring."},
			{Name: "All experts after all", State: "lever=moe&batch=128", Says: "A token uses 8 of 128 experts; a batch of 128 uses nearly all of them."},
		},
		Bet: &demo.Bet{
			Question: "A server has 100 GB beside the weights of Llama 3.1 70B, whose heads share keys and values in eight groups (GQA). Every request comes with 32,768 tokens. How many fit?",
			Options:  []string{"about 10", "about 75", "about 600", "thousands"},
			Reveal:   "lever=gqa&context=32768",
			By:       []string{"with", "fit"},
			Answer: func(t demo.Task) int {
				switch n := t.(*mechanismRun).fit(); {
				case n < 25:
					return 0
				case n < 200:
					return 1
				case n < 1500:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"A token has a key and a value of 128 numbers of 2 bytes in each of 80 layers and 8 groups: 328 kB, and 32,768 of them are more than ten gigabytes.",
				"So many fit with 4,096 tokens each. The cache grows with every token, so eight times as long is eight times as much.",
				"A tenth as much: a token has a key and a value of 128 numbers of 2 bytes in each of 80 layers and 8 groups, which is 328 kB.",
				"The text of a request is some 100 kB, its cache is not: each of its tokens has a key and a value of 128 numbers in each of 80 layers and 8 groups.",
			},
		},
		Equations: equations,
		Start:     startMechanism,
	}
}

type mechanismRun struct {
	demo.Instant
	demo.Quiet
	m  mechanism
	o  other
	x  float64
	xs []float64
	ys [3][]float64
	at [3]float64 // at the mark
}

func startMechanism(v demo.Values, _ uint32) (demo.Task, error) {
	r := &mechanismRun{o: other{context: v.Num("context"), batch: v.Num("batch")}}
	name := v.Option("lever")
	for _, m := range mechanisms() {
		if m.option.Name == name {
			r.m = m
		}
	}
	r.x = r.o.context
	if r.m.byBatch {
		r.x = r.o.batch
	}
	const points = 64
	for i := 1; i <= points; i++ {
		x := r.m.until * float64(i) / points
		r.xs = append(r.xs, x)
		for k, y := range r.m.of(x, &r.o) {
			r.ys[k] = append(r.ys[k], y)
		}
	}
	r.at = r.m.of(r.x, &r.o)
	return r, nil
}

// ratio is how many times larger the larger of the two is, and not a number
// where one of them is none.
func (r *mechanismRun) ratio() float64 {
	if r.at[0] < 0 {
		return math.NaN()
	}
	if r.m.less {
		return r.at[0] / r.at[1]
	}
	return r.at[1] / r.at[0]
}

// fit is how many caches of requests 100 GB hold; not a number for a lever that
// acts on something else.
func (r *mechanismRun) fit() float64 {
	if r.m.y.Label != cacheOfRequest {
		return math.NaN()
	}
	return 100 / r.at[1]
}

func (r *mechanismRun) amount(k int) string {
	if r.at[k] < 0 {
		return "no time left"
	}
	return text.WithUnit(text.Num(r.at[k], 3), r.m.y.Unit)
}

// where is the place of the mark.
func (r *mechanismRun) where() string {
	if r.m.byBatch {
		return " in a batch of " + text.Whole(int(r.x))
	}
	return " with " + text.Count(int(r.x), "token", "tokens")
}

func (r *mechanismRun) Summary() demo.Sentence {
	end := "."
	if r.at[0] >= 0 {
		end = ", " + text.Num(r.ratio(), 3) + " to 1."
	}
	return demo.Say(r.m.says+" "+r.m.y.Label+r.where()+": ", r.amount(0)+" "+r.m.names[0]+", "+r.amount(1)+" "+r.m.names[1], end)
}

func (r *mechanismRun) Metrics() []demo.Metric {
	third := r.m.names[2]
	if third == "" {
		third = "no third line"
	}
	return []demo.Metric{
		{Name: "without", Label: r.m.y.Label + ", " + r.m.names[0], Unit: r.m.y.Unit, Value: there(r.at[0]), Digits: 3},
		{Name: "with", Label: r.m.y.Label + ", " + r.m.names[1], Unit: r.m.y.Unit, Value: r.at[1], Digits: 3},
		{Name: "third", Label: r.m.y.Label + ", " + third, Unit: r.m.y.Unit, Value: r.at[2], Digits: 3},
		{Name: "fit", Label: "Requests in 100 GB", Value: r.fit(), Digits: 2},
		{Name: "ratio", Label: "Ratio, above 1 for a gain", Value: r.ratio(), Digits: 2},
	}
}

// there is a quantity, not a number where there is none.
func there(y float64) float64 {
	if y < 0 {
		return math.NaN()
	}
	return y
}

func (r *mechanismRun) Records() demo.Table {
	unit := "tokens"
	if r.m.byBatch {
		unit = "requests"
	}
	t := demo.Table{Columns: []demo.Column{{Name: "x", Unit: unit, Digits: 5}, {Name: "without", Unit: r.m.y.Unit, Digits: 4}, {Name: "with", Unit: r.m.y.Unit, Digits: 4}, {Name: "third", Unit: r.m.y.Unit, Digits: 4}}}
	row := func(x float64, y [3]float64) {
		cells := []demo.Cell{demo.N(x), demo.N(there(y[0])), demo.N(y[1]), demo.W("")}
		if r.m.names[2] != "" {
			cells[3] = demo.N(y[2])
		}
		t.Rows = append(t.Rows, cells)
	}
	for i, x := range r.xs {
		row(x, [3]float64{r.ys[0][i], r.ys[1][i], r.ys[2][i]})
	}
	row(r.x, r.at)
	return t
}
