package float

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/numerics/decoder"
	"openloop/numerics/kernel"
)

// One request decoded twice at temperature 0: alone, and among neighbors. The
// tokens of one seed, and how many of many seeds have parted after m tokens.

func greedyDecoder() *demo.Demo {
	return &demo.Demo{
		ID: "greedy-decoder", Version: 1, Title: "Greedy decoding, alone and in company",
		Lead: "The same model, prompt and seed, always the most likely token: once alone on the GPU, once among neighbors that come and go. Watch where the texts part.",
		Limits: "A random model of 4 layers and width 128 without attention; its syllables mean nothing, and it may fall into a loop. Only the number of neighbors acts on our row. " +
			"Its rates are its own: a real model has more and longer sums, and another spread of logits. Nothing but the tokens is carried from step to step, so a difference that flips no token is forgotten; a real KV cache keeps it.",
		Knobs: []demo.Knob{
			{Name: "neighbors", Label: "Largest batch", Unit: "requests", Doc: "Each step's batch is drawn evenly from 1 to this; 1 is alone.", Default: 64, Min: 1, Max: 512, Whole: true, Log: true, Step: 2},
			{Name: "invariant", Label: "Batch-invariant kernels", Doc: "One order whatever the batch.", Max: 1, Options: demo.OnOff()},
			{Name: "activations", Label: "Between the layers", Doc: "How values are rounded when one part hands them to the next.", Default: 2, Max: 2, Options: precisionOptions()},
			{Name: "tokens", Label: "Tokens", Unit: "tokens", Doc: "Length of the answer.", Default: 64, Min: 8, Max: 128, Whole: true, Step: 8},
			{Name: "seeds", Label: "Seeds to run", Unit: "seeds", Doc: "How many seeds the share is taken over, from the one shown upward.", Default: 40, Min: 10, Max: 1000, Whole: true, Log: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "bf16, sums in float32", State: "activations=bf16", Says: "None of these 40 seeds parts within 64 tokens; of 1,000, 3 do. Most steps come out equal to the last bit."},
			{Name: "float32 throughout", State: "activations=float32", Says: "Differences stay at a millionth of a logit; no seed parts."},
			{Name: "Batch-invariant", State: "invariant=on", Says: "One order for every batch: no seed can part."},
			{Name: "A few neighbors", State: "neighbors=16", Says: "Up to 16 requests every product is cut as for one: nothing differs."},
			{Name: "bf16 parts too (picked)", State: "activations=bf16&seed=922", Says: "Seed 922 is picked: one of the 7 in 1,000 whose texts part within 128 tokens though every sum is float32."},
		},
		Bet: &demo.Bet{
			Question: "Keep bf16 between the layers, but leave the parts of a sum in float32. After 64 tokens, how many of the 40 seeds have parted?",
			Options:  []string{"none", "under 10%", "10% to 50%", "more than half"},
			Reveal:   "activations=bf16",
			By:       []string{"parted"},
			Answer: func(t demo.Task) int {
				share := t.(*greedyRun).parted(t.(*greedyRun).tokens)
				switch {
				case share == 0:
					return 0
				case share < 0.1:
					return 1
				case share <= 0.5:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"In float32 a part of a sum seldom lies near a bf16 boundary: one or two steps in 100 differ in any logit. Of 1,000 seeds 3 part, so most sets of 40 show none and some show one.",
				"Some sets of 40 seeds do have one that parts; 3 in 1,000 do. One or two steps in 100 differ in any logit, and few of those are near ties.",
				"That many need parts of sums rounded to bf16. In float32 only one or two steps in 100 differ in any logit at all.",
				"That is the setting before this one, where each part of a sum is rounded to bf16 and three steps in four differ somewhere.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Greedy", TeX: `t_{m+1} = \arg\max_k z_k(t_{m-3}, \dots, t_m;\ b_m)`, Says: "the next token depends on the last four and, through the order of the sums, on the batch"},
			{Name: "Over a text", TeX: `P(\text{parted by } m) = 1 - (1 - q)^m`, Says: "if each token flips with the same chance q, independently"},
		},
		Start: startGreedy,
	}
}

// token writes a token as a syllable, so that a text can be read.
func token(t int) string {
	onsets := "bdfghklmnprstvwz"
	rimes := [16]string{"a", "e", "i", "o", "u", "ai", "au", "ei", "eu", "oi", "an", "en", "in", "on", "un", "ar"}
	return onsets[t/16:t/16+1] + rimes[t%16]
}

type greedyRun struct {
	most      int
	invariant bool
	prec      decoder.Precision
	tokens    int
	seeds     []uint32 // the first is the one shown

	alone, among, batch []int // the shown seed, token by token
	parting             []demo.Event
	partings            []int // per seed: its first different token, or tokens

	pair *decoder.Pair // of the seed that is running, nil between seeds
	at   int           // its tokens so far
	gone int           // its first different token, or tokens
}

func startGreedy(v demo.Values, seed uint32) (demo.Task, error) {
	return &greedyRun{
		most: v.Int("neighbors"), invariant: v.On("invariant"),
		prec: decoder.Precision(v.Int("activations")), tokens: v.Int("tokens"), seeds: demo.SeedsFrom(seed, v.Int("seeds")),
	}, nil
}

func (r *greedyRun) choice() decoder.Choice {
	if r.invariant {
		return decoder.Invariant
	}
	return decoder.Usual(kernel.GPUs()[0].SMs)
}

func (r *greedyRun) Step(budget int) bool {
	const modelMicroseconds, tokenMicroseconds = 2000, 220
	for spent := 0; len(r.partings) < len(r.seeds) && spent <= budget; spent += tokenMicroseconds {
		if r.pair == nil {
			r.open(r.seeds[len(r.partings)])
			spent += modelMicroseconds
		}
		r.token()
		// Only the shown seed goes on after its texts have parted.
		if r.at == r.tokens || r.gone < r.tokens && len(r.partings) > 0 {
			r.partings = append(r.partings, r.gone)
			r.pair = nil
		}
	}
	return len(r.partings) == len(r.seeds)
}

func (r *greedyRun) open(seed uint32) {
	m, err := decoder.New(decoder.Small(), seed)
	if err != nil {
		panic("demo: " + err.Error()) // the seed is legal and the shape is ours
	}
	r.pair = decoder.NewPair(m, seed, r.most, r.choice(), r.prec)
	r.at, r.gone = 0, r.tokens
}

func (r *greedyRun) token() {
	a, b, batch := r.pair.Step()
	if a != b && r.gone == r.tokens {
		r.gone = r.at
		if len(r.partings) == 0 {
			r.parting = []demo.Event{r.explain(a, b, batch)}
		}
	}
	if len(r.partings) == 0 {
		r.alone, r.among, r.batch = append(r.alone, a), append(r.among, b), append(r.batch, batch)
	}
	r.at++
}

// explain says what happened at the token where the texts part.
func (r *greedyRun) explain(a, b, batch int) demo.Event {
	one, many := r.pair.Logits()
	parts := func(batch int) int { return r.choice()(decoder.Product, batch).Parts() }
	cut := "cut in " + text.Count(parts(batch), "part", "parts") + " instead of " + text.Whole(parts(1))
	if parts(batch) == 1 {
		cut = "uncut instead of cut in " + text.Whole(parts(1))
	}
	return demo.Event{
		At: float64(r.at + 1),
		Says: demo.Say("Token "+text.Whole(r.at+1)+" shares its step with "+text.Count(batch-1, "neighbor", "neighbors")+": products are "+cut+
			". Alone, “"+token(a)+"” has "+text.Num(float64(one[a]), 6)+" and “"+token(b)+"” "+text.Num(float64(one[b]), 6)+
			"; in company "+text.Num(float64(many[a]), 6)+" and "+text.Num(float64(many[b]), 6)+". ", "The texts part here", "."),
	}
}

func (r *greedyRun) Progress() float64 { return float64(len(r.partings)) / float64(len(r.seeds)) }

// parted is the share of the seeds whose texts differ within m tokens.
func (r *greedyRun) parted(m int) float64 {
	return float64(r.partedCount(m)) / float64(len(r.partings))
}

func (r *greedyRun) partedCount(m int) int {
	n := 0
	for _, p := range r.partings {
		if p < m {
			n++
		}
	}
	return n
}

// table is the committed long run for these settings, if there is one.
func (r *greedyRun) table() (t *tables.Parting, ok bool) {
	if r.invariant || r.most != tables.PartingNeighbors {
		return nil, false
	}
	return tables.FindParting(precisionOptions()[r.prec].Name)
}
