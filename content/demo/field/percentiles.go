package field

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/numerics/detmath"
	"openloop/sim"
	"openloop/sim/scrape"
)

// A percentile four times over: exact and from the buckets of a histogram, of
// each replica, averaged, and of all requests together.

func percentiles() *demo.Demo {
	return &demo.Demo{
		ID: "percentiles-of-replicas", Version: 1, Title: "Four p99s do not make a p99",
		Lead:   "Four replicas, each with its own p99, and a dashboard that has one number for all. Compare what it could show: the mean of four, the largest, or the p99 of all requests; exact, or out of the buckets that an engine exports.",
		Limits: "The requests of one simulated minute and a quarter. Buckets are the default bounds of two engines; both let operators set others. Tools that read histograms assume, as here, that observations are spread evenly inside a bucket.",
		Knobs: []demo.Knob{
			demo.Choice("cluster", "Cluster", "Four replicas, routed by the fewest requests; the first may get 40% of them, or be four times as slow.",
				"skewed", "replica 1 gets 40%", "slow", "replica 1 four times slower", "alike", "all alike"),
			demo.Choice("metric", "Latency", "Of requests whose first token came from 24 s on, or that completed then.", "ttft", "time to first token", "e2e", "end to end"),
			{Name: "percentile", Label: "Percentile", Doc: "By nearest rank where it is exact.", Default: 99, Min: 50, Max: 99.9, Step: 0.1},
			demo.Choice("buckets", "Buckets", "Default bounds of the histograms.", "vllm", "vLLM's", "sglang", "SGLang's"),
		},
		Presets: []demo.Preset{
			{Name: "Uneven traffic", State: "", Says: "The mean of four p99s is far from the p99."},
			{Name: "One is slow", State: "cluster=slow", Says: "The slow one has fewer requests, and a mean gives it a quarter of the weight."},
			{Name: "All alike", State: "cluster=alike", Says: "Only here may it pass; what is left is the bucket."},
			{Name: "Whole answers", State: "metric=e2e&cluster=slow", Says: "Buckets from 15 to 20, from 20 to 30 and from 30 to 40 s."},
		},
		Equations: []demo.Equation{
			{Name: "From buckets", TeX: `\hat x_q = l + (h - l)\,\frac{q\,n - c_l}{c_h - c_l}`, Says: "l and h are the bounds of the bucket in which the q n-th of n observations lies, and c the counts up to them: as Prometheus' histogram_quantile has it"},
			{Name: "Pooled", TeX: `c_b = \sum_i c_{b,i}`, Says: "counts of a bucket add over replicas, so a percentile of all can be had from the buckets of each; it cannot be had from their percentiles"},
		},
		Start: startPercentiles,
	}
}

// Bounds of histograms, in seconds: vLLM V1's vllm/v1/metrics/buckets.py at
// 139b1c3f, SGLang's python/sglang/srt/observability/metrics_collector.py at
// 44cedc2b.
func bucketBounds(engine, metric string) []float64 {
	inf := math.Inf(1)
	switch {
	case engine == "vllm" && metric == "ttft":
		return []float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560, inf}
	case engine == "vllm":
		return []float64{0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680, inf}
	case metric == "ttft":
		return []float64{0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, inf}
	}
	return []float64{0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 1200, 1800, 2400, inf}
}

// countedFrom is when counting begins.
const countedFrom = 24 * sim.Second

type percentilesRun struct {
	replica.Queue
	demo.Quiet
	metric  sim.Metric
	name    string
	q       float64
	bounds  []float64
	each    [4]observed
	pooled  observed
	largest float64 // of the axis
}

// observed is the latencies of some requests, in seconds, rising, and what is
// read off them.
type observed struct {
	x                   []float64
	exact               float64
	low, bucketed, high float64
}

func startPercentiles(v demo.Values, seed uint32) (demo.Task, error) {
	r := &percentilesRun{metric: sim.TTFT, name: "time to first token", q: v.Num("percentile") / 100, bounds: bucketBounds(v.Option("buckets"), v.Option("metric"))}
	if v.Option("metric") == "e2e" {
		r.metric, r.name = sim.E2E, "end-to-end latency"
	}
	s := sim.Healthy("")
	span := sim.Span{From: 0, To: sim.HealthySpan}
	var err error
	switch v.Option("cluster") {
	case "skewed":
		s, err = s.Pulled(sim.Pull{Lever: "skewed_routing", Span: span, Intensity: 0.4})
	case "slow":
		s, err = s.Pulled(sim.Pull{Lever: "straggler", Span: span, Intensity: 4})
	}
	if err != nil {
		return nil, err
	}
	r.Add(replica.Job{Config: s.Config, Load: s.Workload, Seed: uint64(seed), Done: r.read})
	return r, nil
}

func (r *percentilesRun) read(res *sim.Results) {
	for i := range res.Status {
		span, ok := res.Latency(r.metric, i, sim.FromSent)
		at := res.FirstTokenAt[i]
		if r.metric == sim.E2E {
			at = res.DoneAt[i]
			ok = ok && res.Status[i] == sim.Completed
		}
		if where := res.Replica[i]; ok && where >= 0 && at >= countedFrom {
			r.each[where].x = append(r.each[where].x, span.Seconds())
			r.pooled.x = append(r.pooled.x, span.Seconds())
		}
	}
	for i := range r.each {
		r.each[i].take(r.q, r.bounds)
	}
	r.pooled.take(r.q, r.bounds)
}

// take reads the percentile off, both ways; NaN of nothing.
func (o *observed) take(q float64, bounds []float64) {
	slices.Sort(o.x)
	n := len(o.x)
	o.exact, o.low, o.bucketed, o.high = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if n == 0 {
		return
	}
	o.exact = quantile(o.x, q)
	h := scrape.Histogram{Bounds: bounds, At: make([]float64, len(bounds)), Sum: math.NaN()}
	for i, b := range bounds {
		h.At[i] = float64(upTo(o.x, b))
	}
	o.low, o.bucketed, o.high, _ = h.Quantile(q)
}

// upTo is how many of rising values are at most b.
func upTo(x []float64, b float64) int {
	n := 0
	for n < len(x) && x[n] <= b {
		n++
	}
	return n
}

// means of the four replicas' percentiles: plain, by their requests, and the largest.
func (r *percentilesRun) means(of func(o *observed) float64) (plain, weighted, largest float64) {
	n := 0
	for i := range r.each {
		o := &r.each[i]
		if x := of(o); !math.IsNaN(x) {
			plain += x
			weighted += float64(x * float64(len(o.x)))
			largest = max(largest, x)
			n++
		}
	}
	return plain / float64(n), weighted / float64(len(r.pooled.x)), largest
}

func exactly(o *observed) float64  { return o.exact }
func bucketed(o *observed) float64 { return o.bucketed }

// label is the percentile: "p99".
func (r *percentilesRun) label() string { return "p" + text.Num(100*r.q, 4) }

func (r *percentilesRun) Figures() []demo.Figure {
	return []demo.Figure{r.rowsFigure(), r.curveFigure()}
}

func seconds(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return text.Seconds(x)
}

func (r *percentilesRun) rowsFigure() demo.Figure {
	f := demo.Figure{ID: "rows", Title: r.label() + " of the " + r.name, Kind: demo.Ranks}
	f.Ranking = demo.Ranking{Head: "Of", Columns: []demo.RankColumn{{Name: "Requests"}, {Name: "Exact", Bar: true}, {Name: "From buckets", Bar: true}}, Says: "The bucket"}
	cell := func(x float64) demo.RankCell {
		if math.IsNaN(x) {
			return demo.RankCell{Text: "–"}
		}
		return demo.RankCell{Num: x, Text: text.Seconds(x)}
	}
	row := func(label string, o *observed, strong bool) {
		says := ""
		if !math.IsNaN(o.low) {
			says = text.Num(o.low, 4) + " to " + text.Num(o.high, 4) + " s"
		}
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: label, Says: says, Strong: strong, Cells: []demo.RankCell{{Text: text.Whole(len(o.x))}, cell(o.exact), cell(o.bucketed)}})
	}
	for i := range r.each {
		row("replica "+text.Whole(i+1), &r.each[i], false)
	}
	plain, weighted, largest := r.means(exactly)
	plainB, weightedB, largestB := r.means(bucketed)
	wrong := func(label, says string, a, b float64) {
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: label, Says: says, Cells: []demo.RankCell{{}, cell(a), cell(b)}})
	}
	wrong("mean of the four", "no percentile of anything", plain, plainB)
	wrong("mean by requests", "no percentile of anything", weighted, weightedB)
	wrong("largest of the four", "an upper bound", largest, largestB)
	row("all requests", &r.pooled, true)
	f.Alt = r.label() + " of all requests is " + seconds(r.pooled.exact) + ", the mean of the four " + seconds(plain) + ", from buckets " + seconds(r.pooled.bucketed) + "."
	f.Table = demo.RankTable(f)
	return f
}

// curvePoints is how many points the exact curve has.
const curvePoints = 200

func (r *percentilesRun) curveFigure() demo.Figure {
	f := demo.Figure{ID: "curve", Title: "Requests beyond a latency, all replicas", Kind: demo.Chart}
	f.X = demo.Axis{Label: r.axis(), Unit: "s", Log: true, Digits: 2}
	f.Y = demo.Axis{Label: "Requests that take longer", Unit: "%", Log: true, Min: 0.1, Max: 100, Digits: 2}
	exact := demo.Series{ID: "exact", Name: "exact", Shape: demo.Line}
	boxes := demo.Series{ID: "buckets", Name: "buckets", Role: demo.Closed, Shape: demo.Points}
	n := len(r.pooled.x)
	if n == 0 {
		return f.Empty("No request.")
	}
	for i := range curvePoints {
		k := i * (n - 1) / curvePoints
		exact.X, exact.Y = append(exact.X, r.pooled.x[k]), append(exact.Y, 100*float64(n-k)/float64(n))
	}
	f.X.Min, f.X.Max = r.decades()
	for _, b := range r.bounds {
		beyond := 100 * float64(n-upTo(r.pooled.x, b)) / float64(n)
		if b >= f.X.Min && b <= f.X.Max && beyond >= f.Y.Min {
			boxes.X, boxes.Y = append(boxes.X, b), append(boxes.Y, beyond)
		}
	}
	f.Series = []demo.Series{exact, boxes}
	plain, _, _ := r.means(exactly)
	f.Marks = apart(f.X, demo.Mark{At: r.pooled.exact, Label: "exact"}, demo.Mark{At: plain, Label: "mean of four"})
	f.Alt = text.Num(100*(1-r.q), 3) + "% of " + text.Count(n, "request", "requests") + " take longer than " + seconds(r.pooled.exact) + "; the buckets are known at " + text.Count(len(boxes.X), "point", "points") + " of the curve."
	f.Notes = []string{"Points: what the histogram knows. Between them it takes a straight line, in a picture without logarithms."}
	f.Table = demo.Table{Caption: "Buckets that hold requests", Columns: []demo.Column{{Name: "Bound", Unit: "s", Digits: 4}, {Name: "Beyond it", Unit: "%", Digits: 3}}}
	for i, x := range boxes.X {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(x), demo.N(boxes.Y[i])})
	}
	return f
}

// near is the share of an axis within which the names of two upright lines would
// be printed over each other.
const near = 0.2

// apart are two upright lines on a logarithmic axis, in order; of two that are
// near each other the second has both names.
func apart(x demo.Axis, a, b demo.Mark) []demo.Mark {
	if b.At < a.At {
		a, b = b, a
	}
	if detmath.Log(b.At/a.At) < near*detmath.Log(x.Max/x.Min) {
		a.Label, b.Label = "", "left "+a.Label+", right "+b.Label
	}
	return []demo.Mark{a, b}
}

func (r *percentilesRun) axis() string {
	if r.metric == sim.E2E {
		return "End-to-end latency"
	}
	return "Time to first token"
}

// decades is the range of the latency axis.
func (r *percentilesRun) decades() (lo, hi float64) {
	lo, hi = 0.01, 1
	if r.metric == sim.E2E {
		lo, hi = 0.1, 10
	}
	for hi < r.pooled.x[len(r.pooled.x)-1] {
		hi *= 10
	}
	return lo, hi
}

func (r *percentilesRun) Summary() demo.Sentence {
	plain, _, _ := r.means(exactly)
	out := demo.Say("The "+r.label()+" of all "+text.Whole(len(r.pooled.x))+" requests is ", seconds(r.pooled.exact), ". The mean of the four replicas' is ", seconds(plain),
		", "+off(plain, r.pooled.exact)+". From the buckets of all it is ", seconds(r.pooled.bucketed), ", somewhere from "+text.Num(r.pooled.low, 4)+" to "+text.Num(r.pooled.high, 4)+" s.")
	return out
}

// off is how far a number is from the right one: "37% too low".
func off(x, right float64) string {
	switch by := x/right - 1; {
	case by < -0.005:
		return text.Percent(-by, 2) + " too low"
	case by > 0.005:
		return text.Percent(by, 2) + " too high"
	}
	return "the same"
}

func (r *percentilesRun) Metrics() []demo.Metric {
	plain, weighted, largest := r.means(exactly)
	plainB, _, _ := r.means(bucketed)
	out := []demo.Metric{
		{Name: "pooled", Label: "All requests, exact", Unit: "s", Value: r.pooled.exact, Digits: 3, Spread: true},
		{Name: "pooled_buckets", Label: "All requests, from buckets", Unit: "s", Value: r.pooled.bucketed, Digits: 3, Spread: true},
		{Name: "bucket_low", Label: "Lower bound of its bucket", Unit: "s", Value: r.pooled.low, Digits: 4},
		{Name: "bucket_high", Label: "Upper bound of its bucket", Unit: "s", Value: r.pooled.high, Digits: 4},
		{Name: "mean", Label: "Mean of the replicas'", Unit: "s", Value: plain, Digits: 3, Spread: true},
		{Name: "mean_buckets", Label: "Mean of the replicas', from buckets", Unit: "s", Value: plainB, Digits: 3},
		{Name: "weighted", Label: "Mean by requests", Unit: "s", Value: weighted, Digits: 3},
		{Name: "largest", Label: "Largest of the replicas'", Unit: "s", Value: largest, Digits: 3},
		{Name: "mean_off", Label: "Mean of the replicas', too high by", Unit: "%", Value: 100 * (plain/r.pooled.exact - 1), Digits: 3, Spread: true},
		{Name: "buckets_off", Label: "From buckets, too high by", Unit: "%", Value: 100 * (r.pooled.bucketed/r.pooled.exact - 1), Digits: 3, Spread: true},
	}
	for i := range r.each {
		name := "replica_" + text.Whole(i+1)
		out = append(out, demo.Metric{Name: name, Label: "Replica " + text.Whole(i+1), Unit: "s", Value: r.each[i].exact, Digits: 3},
			demo.Metric{Name: name + "_requests", Label: "Its requests", Value: float64(len(r.each[i].x))})
	}
	return out
}

func (r *percentilesRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "replica"}, {Name: "latency", Unit: "s", Digits: 6}}}
	for i := range r.each {
		for _, x := range r.each[i].x {
			t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(i + 1)), demo.N(x)})
		}
	}
	return t
}
