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
	f.Notes = append(defined(f.Ranking.Rows, r), Notes(r)...)
	f.Alt = text.Count(len(r.Reasons), "reason", "reasons") + " for the verdict: " + Name(r.Verdict) + "."
	f.Table = demo.RankTable(f)
	return f
}

// defined says what the signs of the shown reasons are that no dashboard has.
func defined(rows []demo.Rank, r *diagnose.Reading) (out []string) {
	for i := range rows {
		if i < len(r.Reasons) {
			if d := wordOf(r.Reasons[i].Sign).is; d != "" {
				out = append(out, Sign(r.Reasons[i].Sign)+": "+d+".")
			}
		}
	}
	return out
}

// Notes are the lines under the reasons.
func Notes(r *diagnose.Reading) []string {
	out := []string{"Verdict: " + Name(r.Verdict) + ", " + text.Num(r.Points, 3) + " points."}
	if r.Verdict == diagnose.Healthy || r.Verdict == diagnose.Undetermined {
		out[0] = "Verdict: " + Name(r.Verdict) + "."
	}
	if name, _ := Second(r); name != "" {
		line := "Runner-up: " + name + ", " + text.Num(r.SecondPoints, 3) + " points."
		if s := Separates(r); s != "" {
			line += " They are told apart by " + s + "."
		}
		if r.Among {
			line += " It is about one of several replicas: read the others too."
		}
		out = append(out, line)
	}
	if r.Also != "" {
		out = append(out, "At the same time: "+Name(r.Also)+".")
	}
	if x := Else(r); x != "" {
		out = append(out, x)
	}
	if x := Hidden(r); x != "" {
		out = append(out, x+" What could be hidden would show nothing that is not seen.")
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
