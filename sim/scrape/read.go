package scrape

import (
	"math"
	"slices"
	"strconv"

	"openloop/sim"
)

// Input is what a reader gives.
type Input struct {
	First, Second string  // scrapes in order, or one text with one or two, or lines of a log
	Seconds       float64 // between the scrapes, 0 < s <= a year; 0 if the reader does not know
}

// Source is what a reading was made from.
type Source uint8

// The sources.
const (
	OneScrape Source = iota
	TwoScrapes
	LogLines
)

// String is its name.
func (s Source) String() string { return [...]string{"one scrape", "two scrapes", "log lines"}[s] }

// Reading is what one model's series, or the lines of a log, say.
type Reading struct {
	Source  Source
	Engine  Engine
	Model   string
	Seconds Value // between the scrapes, or the first and the last line

	// Now is the window and its end. First is the first scrape: gauges at it,
	// and the mean of everything before it, against which Now shows what
	// changed; of a log, its first line.
	Now, First Row

	// Replicas are told apart by the labels engine, dp_rank, instance and pod;
	// empty if the text has none of them.
	Replicas []Replica

	Restart   Restart
	TTFT, ITL *Histogram // of the window, all replicas; nil from a log

	// Of a log: how many lines with figures it was read from, how many
	// processes wrote them, and their names, if it is several.
	Lines     int
	Mix       Mix
	Processes []string

	// Came and Left are the engines that began or stopped to write while others
	// did. They count in sums only while they are there.
	Came, Left []Life

	windows []sim.Window
}

// Replica is one of them.
type Replica struct {
	Name       string
	Now, First Row
}

// Report is everything that was read.
type Report struct {
	Pastes   []*Paste  // the texts that were not empty
	Same     int       // series of two scrapes of which none differs, with no instants that do; read as one if Seconds is 0
	Readings []Reading // of each model of the scrapes, then of each engine of the log
}

// Read reads what a reader pasted. A text over a limit is a *LimitError; two
// scrapes that cannot belong together, more than two, seconds out of range or
// a text without anything to read are an *InputError.
func Read(in Input) (*Report, error) {
	if !(0 <= in.Seconds && in.Seconds <= MaxSeconds) {
		return nil, &InputError{"seconds", strconv.FormatFloat(in.Seconds, 'g', -1, 64), "above 0 and at most 31622400, or nothing"}
	}
	var out Report
	var pages []*Page
	var events []event
	var at []float64
	for _, text := range [...]string{in.First, in.Second} {
		if text == "" {
			continue
		}
		p, err := Parse(text)
		if err != nil {
			return nil, err
		}
		out.Pastes = append(out.Pastes, p)
		for _, g := range p.Pages {
			if g.Engine != Unknown {
				pages = append(pages, g)
			}
		}
		events = append(events, p.events...)
		at = append(at, p.At...)
	}
	if len(pages) > 2 {
		legal := "one or two"
		for _, p := range out.Pastes {
			if p.Again != "" {
				legal = "one or two; " + p.Again + " is there again with the same labels, where another begins"
				break
			}
		}
		return nil, &InputError{"text", strconv.Itoa(len(pages)) + " scrapes", legal}
	}
	if len(pages) == 2 && (len(at) != 2 || at[0] == at[1]) && pages[0].same(pages[1]) {
		out.Same = len(pages[0].samples)
		if in.Seconds == 0 {
			pages = pages[:1] // nobody says that there is time between them
		}
	}
	if len(pages) > 0 {
		if err := out.readPages(pages, in.Seconds, at); err != nil {
			return nil, err
		}
	}
	if len(events) > 0 {
		for _, own := range engines(events) {
			r, err := readLog(own)
			if err != nil {
				return nil, err
			}
			out.Readings = append(out.Readings, r)
		}
	}
	if len(out.Readings) == 0 {
		return nil, out.nothing()
	}
	return &out, nil
}

// nothing says what the texts were instead.
func (r *Report) nothing() error {
	was := "empty"
	for _, p := range r.Pastes {
		was = strconv.Itoa(p.Lines) + " lines without a series or a log figure of vLLM or SGLang"
		if len(p.Problems) > 0 {
			was += " (" + p.Problems[0].String() + ")"
			break
		}
	}
	return &InputError{"text", was, "one or two scrapes of /metrics, or lines of the server's log"}
}

func (r *Report) readPages(pages []*Page, seconds float64, at []float64) error {
	last := pages[len(pages)-1]
	var first *Page
	restarted, restart := map[string]bool{}, Restart{}
	if len(pages) == 2 {
		first = pages[0]
		var err error
		if restarted, restart, err = compare(first, last); err != nil {
			return err
		}
	}
	span := between(first, last, seconds, at)
	for _, model := range last.Models {
		v := &view{a: first, b: last, model: model, only: len(last.Models) == 1, restarted: restarted}
		if err := v.nameRanks(len(last.Models)); err != nil {
			return err
		}
		r.Readings = append(r.Readings, v.reading(span, restart))
	}
	return nil
}

// between finds the seconds: what the reader said, else the text itself (a
// date header, lines with an instant, time stamps of samples, and the gauge of
// vLLM's adapters, whose value is the clock).
func between(a, b *Page, said float64, at []float64) Value {
	const from = "the reader"
	if a == nil {
		return Value{Why: NeedsSecond}
	}
	v := Value{Why: NeedsSeconds, Covers: Span}
	try := func(s float64, from string) {
		if !v.Known && s > 0 && s <= MaxSeconds {
			v = Value{Measured: sim.Exactly(s), Covers: Span, From: from}
		}
	}
	try(said, from)
	if len(at) == 2 {
		try(at[1]-at[0], "instants in the text")
	}
	if x, y := a.stamp(), b.stamp(); x > 0 && y > 0 {
		try(y-x, "time stamps of samples")
	}
	const lora = "vllm:lora_requests_info"
	if x, y := a.all(lora), b.all(lora); len(x) > 0 && len(y) > 0 {
		try(y[0].Value-x[0].Value, lora)
	}
	return v
}

// stamp is the time stamp of the samples, if they share one.
func (g *Page) stamp() float64 {
	if len(g.samples) == 0 {
		return 0
	}
	at := g.samples[0].At
	for i := range g.samples {
		if g.samples[i].At != at {
			return 0
		}
	}
	return at
}

// nameRanks finds the replicas, from the gauges and counters that every
// version has.
func (v *view) nameRanks(models int) error {
	for _, g := range [...]*Page{v.b, v.a} {
		if g == nil {
			continue
		}
		for _, name := range [...]string{
			"vllm:num_requests_running", "vllm:num_requests_waiting", "vllm:generation_tokens_total",
			"sglang:num_running_reqs", "sglang:num_queue_reqs", "sglang:token_usage",
		} {
			all := v.pick(g, name)
			for i := range all {
				if rank := all[i].from; rank != "" {
					v.ranks = append(v.ranks, rank)
				}
			}
		}
		break // replicas are those of the second scrape
	}
	slices.SortFunc(v.ranks, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b) // engine 10 is after engine 9
		}
		if a < b {
			return -1
		}
		return boolInt(a > b)
	})
	v.ranks = slices.Compact(v.ranks)
	if n := max(1, len(v.ranks)) * models; n > MaxGroups {
		return &LimitError{What: "replicas times models", Got: n, Most: MaxGroups}
	}
	return nil
}

func (v *view) reading(span Value, restart Restart) Reading {
	r := Reading{Source: OneScrape, Engine: v.b.Engine, Model: v.model, Seconds: span, Restart: restart}
	if v.a != nil {
		r.Source = TwoScrapes
	}
	all := filler{v: v, row: &r.Now, engine: r.Engine, all: true, seconds: span.Value}
	all.fill()
	r.TTFT, r.ITL = all.ttft, all.itl
	old := view{b: v.a, model: v.model, only: v.only}
	if v.a != nil {
		(&filler{v: &old, row: &r.First, engine: r.Engine, all: true}).fill()
	} else {
		r.First.unknown(NeedsSecond)
	}
	r.Replicas = make([]Replica, len(v.ranks))
	for i, name := range v.ranks {
		p := &r.Replicas[i]
		p.Name = name
		(&filler{v: v, row: &p.Now, engine: r.Engine, rank: name, seconds: span.Value}).fill()
		if v.a != nil {
			(&filler{v: &old, row: &p.First, engine: r.Engine, rank: name}).fill()
		} else {
			p.First.unknown(NeedsSecond)
		}
	}
	r.balance()
	return r
}

// unknown makes all of a row missing.
func (r *Row) unknown(why Why) {
	for id := range r {
		r.miss(ID(id), why, "")
	}
}

// balance fills how many replicas there are and how even they are.
func (r *Reading) balance() {
	n := max(1, len(r.Replicas))
	if !r.Now[Replicas].Known {
		r.Now.set(Replicas, float64(n), Moment, "label engine or dp_rank", 0)
	}
	switch {
	case r.Now[Replicas].Value > float64(n): // an aggregated log line
		r.Now.miss(Imbalance, NoBasis, "")
	case r.Now[Running].Known:
		r.Now.miss(Imbalance, OneReplica, "")
	default:
		r.Now.miss(Imbalance, NotExposed, "")
	}
	switch {
	case n > 1:
		total, most := 0.0, 0.0
		for i := range r.Replicas {
			p := &r.Replicas[i].Now
			held := p[Queue].Value + p[Running].Value
			total, most = total+held, max(most, held)
		}
		r.Now.set(Imbalance, most*float64(n)/total, Moment, "waiting + running of each", 0)
	case r.Engine == VLLM && r.Source != LogLines && r.Now[Running].Known:
		// vLLM exports every engine of the server; there is one.
		r.Now.set(Imbalance, 1, Moment, "waiting + running of each", 0)
	}
}

// Goodput is the rate of first tokens within a limit, in seconds: a range if
// the limit is not the bound of a bucket.
func (r *Reading) Goodput(limit float64) Value {
	low, high, ok := 0.0, 0.0, false
	if r.TTFT != nil {
		low, high, ok = r.TTFT.AtMost(limit)
	}
	return r.perSecond(low, high, ok, r.Now[TTFT])
}

// GapsAbove is the rate of gaps longer than a limit, in seconds: what a 99th
// percentile of gaps does not show of preemptions.
func (r *Reading) GapsAbove(limit float64) Value {
	if r.ITL == nil {
		return Value{Why: NotInLog}
	}
	low, high, ok := r.ITL.AtMost(limit)
	return r.perSecond(r.ITL.Count()-high, r.ITL.Count()-low, ok, r.Now[ITL])
}

func (r *Reading) perSecond(low, high float64, ok bool, like Value) Value {
	switch {
	case r.Source == LogLines:
		return Value{Why: NotInLog}
	case !ok:
		return Value{Why: max(like.Why, NotExposed), From: like.From}
	case r.Source == OneScrape:
		return Value{Why: NeedsSecond, From: like.From}
	case !r.Seconds.Known:
		return Value{Why: NeedsSeconds, From: like.From}
	}
	t := r.Seconds.Value
	m := sim.Measured{Value: low / t, Low: low / t, High: high / t, Known: !math.IsNaN(low)}
	return Value{Measured: m, Covers: like.Covers, From: like.From, Doubts: like.Doubts &^ (WideBucket | Rising)}
}

// Missing lists the signals that are not known.
func (r *Reading) Missing() []ID {
	var out []ID
	for id := range ID(sim.NumSignals) {
		if !r.Now[id].Known {
			out = append(out, id)
		}
	}
	return out
}
