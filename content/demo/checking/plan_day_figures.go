package checking

import (
	"math"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// The pictures and words of the day.

func demoNumber(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}

// Figures are those of Task.
func (r *dayRun) Figures() []demo.Figure {
	return []demo.Figure{r.loadFigure(), r.waitFigure(), r.ledgerFigure()}
}

// hours are the places of hourly values: the middle of each hour, or its beginning.
func hours(at float64) (x []float64) {
	for h := range planner.DayHours {
		x = append(x, float64(h)+at)
	}
	return x
}

func hourAxis() demo.Axis { return demo.Axis{Label: "hour of the day", Unit: "h", Min: 0, Max: 24} }

// outage shades the hours in which replicas are gone.
func (r *dayRun) outage() []demo.Band {
	if r.fails == 0 {
		return nil
	}
	return []demo.Band{{From: float64(r.at), To: float64(min(r.at+r.gone, planner.DayHours)), Label: text.Count(r.fails, "replica", "replicas") + " gone"}}
}

func (r *dayRun) loadFigure() demo.Figure {
	f := demo.Figure{ID: "load", Title: "What comes, and what the plan says that fleets carry", Kind: demo.Chart, X: hourAxis(), Y: demo.Axis{Label: "requests", Unit: "/s", Digits: 3},
		Series: []demo.Series{{ID: "load", Name: "what comes", Role: demo.Open, Shape: demo.Line}, {ID: "yours", Name: "yours, at most", Role: demo.Ink, Shape: demo.StepLine}, {ID: "peak", Name: "for the peak", Role: demo.Soft, Shape: demo.StepLine}}}
	if r.wrong != "" {
		return f.Empty(r.wrong)
	}
	rates := append(append([]float64(nil), r.result.Rates[:]...), r.result.Rates[0])
	f.Series[0].X, f.Series[0].Y = append(hours(0), 24), rates
	f.Bands = r.outage()
	if r.replicas[ofPeak] != r.replicas[yours] { // else two lines would lie on each other
		f.Series[2].X, f.Series[2].Y = r.carried(r.replicas[ofPeak])
	}
	f.Y.Max = demo.Top(float64(1.15 * max(r.result.Rates[12], r.most(max(r.replicas[ofPeak], r.replicas[yours])))))
	says := "nothing of yours yet"
	if n := r.replicas[yours]; n > 0 {
		f.Series[1].X, f.Series[1].Y = r.carried(n)
		says = "yours carries at most " + text.Num(r.most(n), 3)
	}
	f.Table = demo.Table{Caption: f.Title, Columns: []demo.Column{{Name: "Hour"}, {Name: "Requests/s", Digits: 3}}}
	for h := 0; h < planner.DayHours; h += 2 {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(float64(h)), demo.N(r.result.Rates[h])})
	}
	f.Notes = []string{"A replica carries 1 / T = " + text.Num(r.most(1), 3) + " requests/s by the plan, with T = " + text.Seconds(r.result.Plan.ReplicaSeconds) + " of it for a request; beyond that the queue grows."}
	f.Pages = r.fleet.pages()
	for _, b := range f.Bands {
		says += "; " + b.Label + " from " + text.Whole(int(b.From)) + " to " + text.Whole(int(b.To)) + " h"
	}
	f.Alt = "From " + text.Num(r.result.Rates[0], 3) + " requests/s at midnight to " + text.Num(r.result.Rates[12], 3) + " at noon; " + says + "."
	return f
}

// most is what so many replicas carry by the plan, in requests/s.
func (r *dayRun) most(replicas int) float64 { return float64(replicas) / r.result.Plan.ReplicaSeconds }

// carried is what a fleet carries by the plan through the day.
func (r *dayRun) carried(replicas int) (x, y []float64) {
	for h := range planner.DayHours + 1 {
		n := replicas
		if r.fails > 0 && h >= r.at && h < r.at+r.gone {
			n = max(0, n-r.fails)
		}
		x, y = append(x, float64(h)), append(y, r.most(n))
	}
	return x, y
}

func (r *dayRun) waitFigure() demo.Figure {
	f := demo.Figure{ID: "first", Title: "The first token, 99th percentile by hour", Kind: demo.Chart, Beside: true, X: hourAxis(), Y: demo.Axis{Label: "time to first token, p99", Unit: "s", Log: true, Digits: 2}}
	roles := [dayFleets]demo.Role{demo.Bad, demo.Closed, demo.Open, demo.Ink}
	for i, id := range fleetIDs {
		f.Series = append(f.Series, demo.Series{ID: id, Name: fleetNames[i], Role: roles[i], Shape: demo.Line, Lo: []float64{}, Hi: []float64{}})
	}
	if r.wrong != "" || !r.played {
		return f.Empty(r.why())
	}
	f.Table = demo.Table{Caption: f.Title + ", s", Columns: []demo.Column{{Name: "Hour"}}}
	for _, name := range fleetNames {
		f.Table.Columns = append(f.Table.Columns, demo.Column{Name: name})
	}
	for h := 0; h < planner.DayHours; h += 2 {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(float64(h))})
	}
	for i := range dayFleets {
		fleet := r.of(i)
		for h := range planner.DayHours {
			cell := "none"
			if fleet != nil {
				x := overDays(fleet, func(d *planner.DayRun) float64 { return d.Hours[h].TTFTp99Seconds })
				cell = text.Seconds(x.Mean)
				if s := &f.Series[i]; r.first(i) && x.Least > 0 && !math.IsInf(x.Most, 1) {
					s.X, s.Y, s.Lo, s.Hi = append(s.X, float64(h)+0.5), append(s.Y, x.Mean), append(s.Lo, x.Least), append(s.Hi, x.Most)
				}
			}
			if h%2 == 0 {
				f.Table.Rows[h/2] = append(f.Table.Rows[h/2], demo.W(cell))
			}
		}
	}
	f.Bands = r.outage()
	if limit := r.fleet.objective.TTFTSeconds; limit > 0 {
		f.Marks = []demo.Mark{{At: limit, Level: true, Label: "promised, as a mean"}}
	}
	f.Notes = []string{"Of the requests that were sent in the hour; with the least and the most of " + text.Count(r.runs, "day", "days") + ". An hour is simulated in " + text.Seconds(r.result.HourSeconds) + "."}
	f.Alt = "By hour; " + r.ledgerText() + "."
	return f
}

// first says whether no fleet before this one is of the same size: two lines would lie
// on each other.
func (r *dayRun) first(which int) bool {
	for i := range which {
		if r.replicas[i] == r.replicas[which] {
			return false
		}
	}
	return true
}

// why is why there is nothing to see.
func (r *dayRun) why() string {
	if r.wrong != "" {
		return r.wrong
	}
	return "Say how many replicas you would pay for, then play the day."
}

func (r *dayRun) ledgerFigure() demo.Figure {
	f := demo.Figure{ID: "ledger", Title: "What each fleet costs, and what it keeps", Kind: demo.Ranks}
	if r.wrong != "" || !r.played {
		return f.Empty(r.why())
	}
	f.Ranking = demo.Ranking{Head: "Fleet", Says: "Kept", Columns: []demo.RankColumn{{Name: "GPUs"}, {Name: "A day"}, {Name: "Hours kept"}, {Name: "Within limits"}, {Name: "Lost"}, {Name: "Worst p99"}}}
	for i := range dayFleets {
		fleet := r.of(i)
		if fleet == nil {
			continue
		}
		kept := overDays(fleet, keptHours)
		says := "not every hour"
		if kept.Least == planner.DayHours {
			says = "every hour, in every day played"
		}
		usd := "no price"
		if x := r.usd(fleet.GPUs); !math.IsNaN(x) {
			usd = text.USD(x)
		}
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: text.Count(fleet.Replicas, "replica", "replicas"), Note: fleetNames[i], Says: says, Strong: i == yours, Open: r.opensFleet(i, fleet),
			Cells: []demo.RankCell{{Text: text.Whole(fleet.GPUs)}, {Text: usd}, {Text: fromTo(kept.Least, kept.Most)}, {Text: shareText(overDays(fleet, withinShare).Mean)}, {Text: text.Num(overDays(fleet, lostRequests).Mean, 3)}, {Text: text.Seconds(overDays(fleet, worstP99).Mean)}}})
	}
	f.Notes = []string{"An hour is kept if nothing is lost and the means of its requests are within the limits, which is what a plan promises. Within limits are the requests of which each is, and that is harder. Means over " + text.Count(r.runs, "day", "days") + "; hours from the least to the most."}
	f.Alt = r.ledgerText() + "."
	f.Table = demo.RankTable(f)
	return f
}

func fromTo(least, most float64) string {
	if least == most {
		return text.Num(least, 3) + " of 24"
	}
	return text.Num(least, 3) + " to " + text.Num(most, 3) + " of 24"
}

// opensFleet is the days that the numbers of a fleet are made of.
func (r *dayRun) opensFleet(which int, fleet *planner.DayFleet) *demo.Step {
	d, o := &r.fleet.deployment, &r.fleet.objective
	s := demo.Step{Key: "fleet-" + fleetIDs[which], Formula: "a day = 24 × replicas × TP × price; kept = hours with TTFT ≤ limit, TPOT ≤ limit, lost = 0", Error: ofSeeds + " " + r.fleet.steps(&r.result.Plan),
		Source: "Simulated with seeds from " + text.Whole(int(r.seed)) + " on: " + text.Whole(int(fleet.Runs[0].Sent)) + " requests in the first day. The number of replicas is " + [dayFleets]string{"the plan's if the peak were the mean", "the plan's", "the plan's, and one", "your setting"}[which] + "."}
	add := func(symbol, value, from string) {
		s.Terms = append(s.Terms, demo.Term{Symbol: symbol, Value: value, From: from})
	}
	add("replicas", text.Whole(fleet.Replicas), "")
	add("TP", text.Whole(d.TP), "GPUs of a replica")
	if r.price > 0 {
		add("price", text.USD(r.price)+"/h", "of a GPU: "+r.priceFrom)
	}
	add("limits", text.Seconds(o.TTFTSeconds)+" and "+text.Seconds(o.TPOTSeconds), "of the first token and of each other; 0 is nothing promised")
	each := func(symbol string, of func(*planner.DayRun) float64, says func(float64) string) {
		const most = 10
		out := ""
		for i := range fleet.Runs[:min(most, len(fleet.Runs))] {
			if i > 0 {
				out += ", "
			}
			out += says(of(&fleet.Runs[i]))
		}
		from := "by day"
		if len(fleet.Runs) > most {
			from = "the first ten days; all are in the file"
		}
		add(symbol, out, from)
	}
	num := func(x float64) string { return text.Num(x, 3) }
	each("hours kept", keptHours, num)
	each("within limits", withinShare, shareText)
	each("lost", lostRequests, num)
	each("worst p99", worstP99, text.Seconds)
	return &s
}

// shareText is a share of requests, which is all of them only if none is missing.
func shareText(x float64) string {
	if x < 1 && x > 0.9995 {
		return "over 99.9%"
	}
	return text.Percent(x, 3)
}

// ledgerText is the fleets in a few words.
func (r *dayRun) ledgerText() string {
	out := ""
	for i := range dayFleets {
		if f := r.of(i); f != nil && r.first(i) {
			if out != "" {
				out += "; "
			}
			kept := overDays(f, keptHours)
			out += text.Count(f.Replicas, "replica", "replicas") + ", " + fleetNames[i] + ", keep " + fromTo(kept.Least, kept.Most) + " hours"
		}
	}
	return out
}

// Summary is that of Task.
func (r *dayRun) Summary() demo.Sentence {
	switch n := r.replicas[yours]; {
	case r.wrong != "":
		return demo.Say("", r.wrong)
	case !r.played && n == 0:
		return demo.Say("At noon "+text.Num(r.result.Rates[12], 3)+" requests come a second, at midnight "+text.Num(r.result.Rates[0], 3)+". ", "How many replicas would you pay for?", " Say a number, then play the day.")
	case !r.played:
		return demo.Say("You would pay for ", text.Count(n, "replica", "replicas"), ". Now play the day.")
	case n == 0:
		return demo.Say("You have said no number, so nothing of yours is played. Of the others: ", r.ledgerText(), ".")
	}
	f := r.of(yours)
	kept := overDays(f, keptHours)
	verdict := "keeps every hour of the day"
	if kept.Least < planner.DayHours {
		verdict = "keeps " + fromTo(kept.Least, kept.Most) + " hours"
	}
	bill := ""
	if x := r.usd(f.GPUs); !math.IsNaN(x) {
		bill = " and costs " + text.USD(x) + " a day"
	}
	return demo.Say("Your fleet of "+text.Count(f.Replicas, "replica", "replicas")+" ", verdict, bill+"; "+shareText(overDays(f, withinShare).Mean)+" of the requests are within both limits, and "+text.Num(overDays(f, lostRequests).Mean, 3)+" are lost. Beside it: "+r.others()+".")
}

// others are the fleets that are not of the reader's size.
func (r *dayRun) others() string {
	mine := r.replicas[yours]
	keep := r.replicas
	r.replicas[yours] = 0
	for i := range yours {
		if r.replicas[i] == mine {
			r.replicas[i] = 0
		}
	}
	out := r.ledgerText()
	r.replicas = keep
	if out == "" {
		return "all others are of the same size"
	}
	return out
}
