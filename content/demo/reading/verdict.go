package reading

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/demo/verdict"
	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// The verdict: what it is, why, what to do. The words of the rules are those of
// package verdict.

func (t *task) verdictFigure() demo.Figure {
	if t.wrong != "" {
		return demo.Figure{ID: "verdict", Title: "Why", Kind: demo.Ranks}.Empty(t.wrong)
	}
	found := t.said()
	f := verdict.Figure("verdict", "Why", &found, t.w)
	f.Notes = append(f.Notes, t.caveats()...)
	if len(found.Reasons) == 0 && found.Since == diagnose.WithNothing {
		f.Ranking.Rows = []demo.Rank{{Label: "states", Note: "all that one look can show", Says: "none that names a failure", Cells: []demo.RankCell{{Text: "0"}}}}
		f.Table = demo.RankTable(f)
	}
	f.Alt = text.Count(len(t.found.Reasons), "reason", "reasons") + " for the verdict: " + verdict.Name(t.found.Verdict) + "."
	return f
}

// said is the reading without what its text cannot show: what moved first, and
// signs that one scrape alone never tells.
func (t *task) said() diagnose.Reading {
	found := t.found
	if found.Since == diagnose.WithNothing {
		found.Missing = nil
	}
	if found.Since == diagnose.WithLifetime || found.Since == diagnose.WithNothing {
		found.Reasons = append([]diagnose.Reason(nil), found.Reasons...)
		for i := range found.Reasons {
			if found.Reasons[i].Kind == diagnose.First {
				found.Reasons[i].Kind = diagnose.Moved
			}
		}
	}
	return found
}

// caveats are what to know before acting on it.
func (t *task) caveats() (out []string) {
	if s := flags(t.read, t.found.Remedy.ID); s != "" {
		out = append(out, "On "+t.read.Engine.String()+": "+s+".")
	}
	if t.read.Restart.Seen {
		out = append(out, "Counters fell or their start moved: a process began again, and rates are lower bounds. If the address leads to several replicas, the two scrapes may be of two of them: ask one replica directly.")
	}
	if len(t.read.Came)+len(t.read.Left) > 0 {
		out = append(out, "What is waiting and running is added up over the replicas that write at the time: where one comes or leaves, the sum makes a step that is no change of theirs.")
	}
	switch t.found.Since {
	case diagnose.WithLifetime:
		out = append(out, "Compared with the mean of everything before the first scrape; two scrapes cannot show what moved first.")
	case diagnose.WithFirst:
		out = append(out, "Few lines: compared with the first of them, whether that was a good one or not.")
	case diagnose.WithNothing:
		out = append(out, "There is nothing to compare with: only states are judged, such as a full cache.")
	case diagnose.WithNormal:
		out = append(out, "Compared with the first part of the log, which is taken for normal.")
	}
	return out
}

// Summary is that of Task.
func (t *task) Summary() demo.Sentence {
	if t.wrong != "" {
		return demo.Say("", "Nothing could be read.", " "+t.wrong)
	}
	lead, found := "", t.said()
	if !t.pasted {
		lead = "Example: "
	}
	var out demo.Sentence
	if n := t.report.Same; n > 0 {
		both := "Both texts are the same scrape"
		if t.seconds > 0 {
			both += ", or nothing happened in between"
		}
		out = demo.Say("", both, ": none of "+text.Count(n, "series", "series")+" differs. ")
	}
	out = append(out, demo.Say(upper(lead+source(t.read))+t.ofWhat()+". ")...)
	if t.read.Mix == scrape.Inseparable {
		out = append(out, demo.Say("", "Several processes wrote these lines", ", for one engine says two things at one instant, and nothing tells them apart: paste the lines of one, or all with their names in front, as kubectl logs --prefix writes them. Of the mixture: ")...)
	}
	if x := t.comings(); x != "" {
		out = append(out, demo.Say(x+" ")...)
	}
	out = append(out, verdict.Says(&found)...)
	if why := t.because(); why != "" {
		out = append(out, demo.Say(" "+why)...)
	}
	if t.found.Verdict == diagnose.Healthy {
		out = append(out, demo.Say(t.headroom())...)
	}
	if t.found.Remedy.Setting != diagnose.NoSetting && t.found.Remedy.Setting != diagnose.MoreWindows {
		out = append(out, demo.Say(" What to do: ", verdict.Remedy(t.found.Remedy), ".")...)
	}
	switch names := t.lackNames(); {
	case t.read.Source == scrape.OneScrape:
		out = append(out, demo.Say(" One scrape shows a moment and the mean since the start: ", "scrape again a minute later", " and paste both.")...)
	case t.read.Source == scrape.TwoScrapes && !t.read.Seconds.Known:
		out = append(out, demo.Say(" There are no rates: ", "type the seconds between the two", ".")...)
	case len(names) > 0:
		out = append(out, demo.Say(" Missing of the eight signals: "+text.List(names, "and")+".")...)
	}
	return append(out, demo.Say(t.others())...)
}

// ofWhat is how many replicas and which model.
func (t *task) ofWhat() string {
	out := ""
	if n := len(t.read.Replicas); n > 1 {
		out += ", " + text.Whole(n) + " replicas"
	}
	switch t.read.Mix {
	case scrape.SideBySide:
		out += " (lines of several processes: " + t.processes() + ")"
	case scrape.InTurn:
		out += ", of several processes one after another (" + t.processes() + ")"
	}
	if t.read.Model != "" {
		out += ", model " + name(t.read.Model)
	}
	return out
}

// processes names those that wrote a log, at most three.
func (t *task) processes() string {
	const most = 3
	var names []string
	for _, n := range t.read.Processes[:min(most, len(t.read.Processes))] {
		if n == "" {
			n = "one without a name"
		}
		names = append(names, name(n))
	}
	if n := len(t.read.Processes) - most; n > 0 {
		names = append(names, text.Whole(n)+" more")
	}
	return text.List(names, "and")
}

// because is what moved, the strongest first, at most two.
func (t *task) because() string {
	var parts []string
	for i := range t.found.Reasons {
		x := &t.found.Reasons[i]
		if len(parts) < 2 && (x.Kind == diagnose.Holds && x.Move == sim.Up || (x.Kind == diagnose.First || x.Kind == diagnose.Moved) && x.Move != sim.Flat) {
			part := verdict.Sign(x.Sign)
			if x.Replica >= 0 && x.Replica < len(t.read.Replicas) {
				part += " (" + name(t.read.Replicas[x.Replica].Name) + ")"
			}
			if x.Kind != diagnose.Holds {
				part += " " + verdict.Found(x.Finding, t.w)
			}
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Because: " + text.List(parts, "and") + "."
}

// headroom is what a healthy server has left.
func (t *task) headroom() string {
	out := ""
	if v := t.read.Now[scrape.KV]; v.Known && v.Value <= 1 {
		out += " Of the KV cache " + text.Percent(1-v.Value, 2) + " is free."
	}
	if v := t.read.Now[scrape.CompletedOverOffered]; v.Known {
		out += " Of what comes " + text.Percent(v.Value, 3) + " leaves."
	}
	if q, n := t.read.Now[scrape.Queue], t.read.Now[scrape.Running]; q.Known && n.Known {
		out += " " + text.Num(n.Value, 4) + " run and " + text.Num(q.Value, 4) + " wait."
	}
	return out
}

// others says what else is in the text, and what was asked for and is not there.
func (t *task) others() string {
	n, out := len(t.report.Readings), ""
	switch {
	case t.which > n && t.which > 1:
		out = " There is no number " + text.Whole(t.which) + " in the text; this is the first of " + text.Whole(n) + "."
	case n > 1:
		out = " The text holds " + text.Whole(n) + " readings; this is number " + text.Whole(t.which) + ", the setting Which of several picks another."
	}
	for i := range t.report.Readings {
		if r := &t.report.Readings[i]; r != t.read && r.Source == scrape.LogLines {
			out += " " + text.Count(r.Lines, "line", "lines") + " of a log of " + r.Engine.String() + " " + text.Verb(r.Lines, "is", "are") + " not in this one: choose " + text.Whole(i+1) + " to read " + text.Verb(r.Lines, "it", "them") + "."
		}
	}
	if t.pasted && t.example != 0 {
		out += " The example is shown once the boxes are empty."
	}
	return out
}
