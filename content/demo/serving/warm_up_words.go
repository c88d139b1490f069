package serving

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// What warm-up says: its sentence, its numbers, its log.

// awayText is "34% below", "2.1% above".
func awayText(percent float64) string {
	way := "above"
	if percent < 0 {
		way = "below"
	}
	return text.Num(math.Abs(percent), 2) + "% " + way
}

func (r *warmUpRun) windowText() string {
	return text.Whole(r.cut) + " s to " + text.Whole(r.cut+r.length) + " s"
}

func (r *warmUpRun) Summary() demo.Sentence {
	s := &r.seeds[0]
	if s.unsteady != "" {
		return r.overloadText()
	}
	a := off(s.window[warmTokens], s.long[warmTokens])
	out := demo.Say("Measured from "+r.windowText()+": "+text.Num(s.window[warmTokens], 3)+" output tokens/s, ", awayText(a), " the long run, and a mean time to first token of "+duration(s.window[warmTTFT], 2)+
		", "+times(s.window[warmTTFT]/s.long[warmTTFT])+" that of the long run.")
	if r.many() {
		o := r.over(warmTokens)
		out = append(out, demo.Say(" Over "+text.Whole(len(r.seeds))+" seeds this window reports ", awayText(o.mean)+" on average", ", from "+awayText(o.lowest)+" to "+awayText(o.highest)+".")...)
	}
	return out
}

// overloadText is the summary of a run that never becomes steady.
func (r *warmUpRun) overloadText() demo.Sentence {
	s, more := &r.seeds[0], ""
	if r.many() {
		n := 0
		for i := range r.seeds {
			if r.seeds[i].unsteady != "" {
				n++
			}
		}
		more = " It is so in " + text.Whole(n) + " of " + text.Whole(len(r.seeds)) + " seeds."
	}
	return demo.Say("Measured from "+r.windowText()+": "+text.Num(s.window[warmTokens], 3)+" output tokens/s and a mean time to first token of "+duration(s.window[warmTTFT], 2)+". The server is ", s.unsteady,
		". A request sent in the last "+text.Whole(warmUpEnd-warmUpShown)+" s waited "+duration(s.long[warmTTFT], 2)+" in the mean."+more)
}

// against is a number that compares to the long run; none if there is no such.
func (s *warmSeed) against(x float64) float64 {
	if s.unsteady != "" {
		return math.NaN()
	}
	return x
}

func (r *warmUpRun) Metrics() []demo.Metric {
	s := &r.seeds[0]
	tokens, ttft := r.over(warmTokens), r.over(warmTTFT)
	if !r.many() {
		tokens, ttft = overSeeds{mean: math.NaN(), lowest: math.NaN(), highest: math.NaN()}, overSeeds{mean: math.NaN()}
	}
	mser := math.NaN()
	if s.mser.Found {
		mser = s.mser.Until.Seconds()
	}
	return []demo.Metric{
		{Name: "tokens", Label: "Output rate reported", Unit: "tokens/s", Value: s.window[warmTokens], Digits: 3},
		{Name: "tokens_long", Label: "Output rate of the long run", Unit: "tokens/s", Value: s.long[warmTokens], Digits: 3},
		{Name: "tokens_off", Label: "Output rate against the long run", Unit: "%", Value: s.against(off(s.window[warmTokens], s.long[warmTokens])), Digits: 2, Spread: true},
		{Name: "ttft", Label: "Mean time to first token reported", Unit: "s", Value: s.window[warmTTFT], Digits: 2, Spread: true},
		{Name: "ttft_long", Label: "Mean time to first token of the long run", Unit: "s", Value: s.long[warmTTFT], Digits: 2},
		{Name: "ttft_ratio", Label: "Mean time to first token, reported / long run", Value: s.against(s.window[warmTTFT] / s.long[warmTTFT]), Digits: 2, Spread: true},
		{Name: "ttft_p99", Label: "p99 time to first token reported", Unit: "s", Value: s.window[warmTail], Digits: 2, Spread: true},
		{Name: "ttft_p99_long", Label: "p99 time to first token of the long run", Unit: "s", Value: s.long[warmTail], Digits: 2},
		{Name: "e2e", Label: "Mean end-to-end latency reported", Unit: "s", Value: s.window[warmE2E], Digits: 2},
		{Name: "e2e_long", Label: "Mean end-to-end latency of the long run", Unit: "s", Value: s.long[warmE2E], Digits: 2},
		{Name: "mser", Label: "Cut by MSER-5", Unit: "s", Value: mser, Digits: 3, Spread: true},
		{Name: "paid", Label: "Compiling and capturing", Unit: "s", Value: s.paid, Digits: 2},
		{Name: "tokens_off_seeds", Label: "Output rate against the long run, mean over seeds", Unit: "%", Value: tokens.mean, Digits: 2},
		{Name: "tokens_off_lowest", Label: "Output rate against the long run, lowest seed", Unit: "%", Value: tokens.lowest, Digits: 2},
		{Name: "tokens_off_highest", Label: "Output rate against the long run, highest seed", Unit: "%", Value: tokens.highest, Digits: 2},
		{Name: "ttft_off_seeds", Label: "Mean time to first token against the long run, mean over seeds", Unit: "%", Value: ttft.mean, Digits: 2},
		{Name: "sent", Label: "Requests sent in the window", Unit: "requests", Value: float64(s.counts.Sent)},
		{Name: "completed", Label: "Of those, completed", Unit: "requests", Value: float64(s.counts.Completed)},
		{Name: "lost", Label: "Of those, failed, timed out or dropped", Unit: "requests", Value: float64(s.counts.Lost())},
		{Name: "unfinished", Label: "Of those, still running at the end", Unit: "requests", Value: float64(s.counts.Unfinished())},
	}
}

// Records has the shown run by the second.
func (r *warmUpRun) Records() demo.Table {
	s := &r.seeds[0]
	t := demo.Table{Columns: []demo.Column{{Name: "second"}, {Name: "output_tokens"}, {Name: "ttft_mean", Unit: "s", Digits: 6}, {Name: "running", Unit: "requests"}, {Name: "waiting", Unit: "requests"}}}
	for k := range warmUpShown {
		t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(k)), demo.N(s.tokens[k]), demo.N(s.ttft[k]), demo.N(s.running[k]), demo.N(s.waiting[k])})
	}
	return t
}

func (r *warmUpRun) Events() []demo.Event {
	s := &r.seeds[0]
	var out []demo.Event
	if s.paid > 0 {
		later := ""
		if left := s.paid - r.paidEarly; left > 0.001 {
			later = " Sizes that come first after that take another " + duration(left, 2) + "."
		}
		out = append(out, demo.Event{Says: demo.Say("The first step of each size compiles and captures, for " + duration(r.paidEarly, 2) + " of the first " + text.Whole(warmUpEarly) +
			" s. While a step compiles nobody gets a token; between such steps tokens come." + later)})
	}
	most := 0
	for k := range warmUpShown {
		if s.waiting[k] > s.waiting[most] {
			most = k
		}
	}
	if n := int(s.waiting[most]); n > 10 && most < warmUpShown/2 {
		out = append(out, demo.Event{At: float64(most + 1), Says: demo.Say(text.Count(n, "request waits", "requests wait") + " for a first token, the most of this run.")})
	}
	usual := meanOf(s.running[warmUpShown:])
	for k, n := range s.running {
		if n >= usual {
			out = append(out, demo.Event{At: float64(k + 1), Says: demo.Say("The batch has reached " + text.Num(n, 3) + " requests; the long run's mean is " + text.Num(usual, 3) + ".")})
			break
		}
	}
	if s.mser.Found {
		out = append(out, demo.Event{At: s.mser.Until.Seconds(), Says: demo.Say("MSER-5 on the times to first token would measure from here, " + text.Count(s.mser.Requests, "request", "requests") + " into the run.")})
	}
	return out
}
