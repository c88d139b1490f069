package verdict

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// rows are how many reasons a figure shows.
const rows = 8

// Figure is a reading as rows: the reasons, the strongest first; runner-up,
// separator, remedy and what is missing stand under it.
func Figure(id, title string, r *diagnose.Reading, w []sim.Window) demo.Figure {
	f := demo.Figure{ID: id, Title: title, Kind: demo.Ranks}
	f.Ranking = demo.Ranking{Head: "Sign", Says: "What it did", Columns: []demo.RankColumn{{Name: "Counts for", Bar: true}}}
	for _, x := range r.Reasons {
		if len(f.Ranking.Rows) == rows {
			break
		}
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{
			Label: Sign(x.Sign), Note: Kind(x), Says: Found(x.Finding, w), Strong: x.Kind == diagnose.First,
			Cells: []demo.RankCell{{Num: x.Points, Text: text.Num(x.Points, 2)}},
		})
	}
	if len(f.Ranking.Rows) == 0 {
		f.Ranking.Rows = []demo.Rank{{Label: "all signs", Note: "within their noise", Says: "nothing to explain", Cells: []demo.RankCell{{Text: "0"}}}}
	}
	f.Notes = Notes(r)
	f.Alt = text.Count(len(r.Reasons), "reason", "reasons") + " for the verdict: " + Name(r.Verdict) + "."
	f.Table = demo.RankTable(f)
	return f
}

// Notes are the lines under the reasons.
func Notes(r *diagnose.Reading) []string {
	out := []string{"Verdict: " + Name(r.Verdict) + ", " + text.Num(r.Points, 3) + " points."}
	if r.Verdict == diagnose.Healthy || r.Verdict == diagnose.Undetermined {
		out[0] = "Verdict: " + Name(r.Verdict) + "."
	}
	if r.Second != "" {
		line := "Runner-up: " + Name(r.Second) + ", " + text.Num(r.SecondPoints, 3) + " points."
		if s := Separates(r); s != "" {
			line += " They are told apart by " + s + "."
		}
		out = append(out, line)
	}
	if r.Also != "" {
		out = append(out, "At the same time: "+Name(r.Also)+".")
	}
	if r.Remedy.Setting != diagnose.NoSetting {
		out = append(out, "Remedy: "+Remedy(r.Remedy)+".")
	}
	if len(r.Missing) > 0 {
		var names []string
		for _, s := range r.Missing {
			names = append(names, Sign(s))
		}
		out = append(out, "Not known, and it would have counted: "+text.List(names, "and")+".")
	}
	return out
}
