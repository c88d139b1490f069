package verdict

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// Way is a move as a word; of what is only ruled out, as two.
func Way(m sim.Move) string {
	switch m {
	case sim.Up:
		return "up"
	case sim.Down:
		return "down"
	case sim.Flat:
		return "as before"
	}
	if m > 0 {
		return "not up"
	}
	return "not down"
}

// Found is what a sign did: "up from 35% to 97%, from 44 s on, 12 times its
// noise"; of one that did not do enough to count, how much that was.
func Found(f diagnose.Finding, w []sim.Window) string {
	if !f.Known {
		return "not known"
	}
	if f.Sign.State() {
		if f.Move == sim.Up {
			return "it is so" + since(f, w)
		}
		return "it is not so"
	}
	before, after := Value(f.Sign, f.Before), Value(f.Sign, f.After)
	if f.Move == sim.Flat {
		if before == after {
			return "as before, " + before
		}
		return "hardly moved: " + before + ", at its furthest " + after + in(f, w) + ", too little to count"
	}
	out := Way(f.Move) + " from " + before + " to " + after + since(f, w)
	if f.Widths > 0 {
		out += ", " + text.Num(f.Widths, 2) + " times its noise"
	}
	return out
}

// since is where it began, and whether it ended. A window is named by its end,
// as in the figures.
func since(f diagnose.Finding, w []sim.Window) string {
	if f.From <= 0 || f.From >= len(w) || !w[f.From].Timed || w[f.From].Start == 0 {
		return ""
	}
	if f.Back && f.To > f.From && f.To <= len(w) {
		return in(f, w)
	}
	return ", from " + text.Num(w[f.From].End, 4) + " s on"
}

// in is the windows of a stretch.
func in(f diagnose.Finding, w []sim.Window) string {
	if f.To <= f.From || f.To > len(w) || !w[f.From].Timed || w[f.From].Start == 0 {
		return ""
	}
	if f.To == f.From+1 {
		return ", at " + text.Num(w[f.From].End, 4) + " s"
	}
	return ", from " + text.Num(w[f.From].End, 4) + " s to " + text.Num(w[f.To-1].End, 4) + " s"
}

// Kind is what a reason is, in a word or two.
func Kind(x diagnose.Reason) string {
	switch x.Kind {
	case diagnose.First:
		return "moved first"
	case diagnose.Stays:
		switch x.Wanted {
		case sim.Flat:
			return "stayed"
		case sim.Up, sim.Down:
			return "moved"
		}
		if x.Wanted > 0 {
			return "did not rise"
		}
		return "did not fall"
	case diagnose.Holds:
		if x.Move == sim.Flat {
			return "would count against it"
		}
		return "is so"
	}
	return "moved"
}

// Separates says which sign tells the verdict from its runner-up, and how; ""
// if nothing does.
func Separates(r *diagnose.Reading) string {
	if r.Second == "" {
		return ""
	}
	return Apart(&r.Separator, r.Verdict, r.Second)
}

// Apart says what a sign does under the two verdicts that it tells apart; "" if
// nothing does. Of a verdict that expects nothing of the sign it says nothing.
func Apart(s *diagnose.Separator, verdict, second string) string {
	if !s.HasSign {
		return ""
	}
	out := Sign(s.Sign)
	if s.Sign.State() {
		out = "whether this is so: " + out
	} else {
		expects := func(which int, name string, m sim.Move) string {
			if !s.Expects[which] && name != diagnose.Healthy {
				return Name(name) + " does not need it"
			}
			return Way(m) + " under " + Name(name)
		}
		out += ": " + expects(0, verdict, s.Verdict) + ", " + expects(1, second, s.Second)
	}
	if !s.Found.Known {
		out += "; it is not known here"
	}
	return out
}

// Shares of the verdict's points from which a runner-up is close, and from which
// it is worth naming.
const (
	closeFrom = 0.6
	namedFrom = 0.3
)

// Second is the runner-up if it has enough points to be looked at, and whether
// they are few beside those of the verdict.
func Second(r *diagnose.Reading) (name string, far bool) {
	if r.Second == "" || r.SecondPoints < namedFrom*r.Points {
		return "", false
	}
	return Name(r.Second), r.SecondPoints < closeFrom*r.Points
}

// Remedy is what to change, as a request.
func Remedy(r diagnose.Remedy) string {
	switch r.Setting {
	case diagnose.DoorAndReplicas:
		return "refuse at the door what cannot be served in time, and add replicas"
	case diagnose.LongPrompts:
		return "keep long prompts apart: replicas of their own, or a limit on how many are in at once"
	case diagnose.Answers:
		return "cap the answers, or take back what made them grow"
	case diagnose.Blocks:
		return "find what takes the blocks and stop it; until then give more of them"
	case diagnose.Affinity:
		return "let prompts begin alike again, and send them where their beginning is cached"
	case diagnose.Drafts:
		return "switch drafting off, or give it a draft model that fits"
	case diagnose.Machine:
		return "look at clocks, power and heat"
	case diagnose.Rotation:
		return "take the slow replica out of rotation"
	case diagnose.RetryBudget:
		return "give retries a budget, a tenth of the first attempts"
	case diagnose.WarmUpFirst:
		return "warm replicas up before they get traffic"
	case diagnose.Routing:
		return "route by load, not by a key that most requests share"
	case diagnose.Link:
		return "mend or widen the link between prefill and decode"
	case diagnose.Chunking:
		return "compute prompts in chunks, in smaller steps"
	case diagnose.Seats:
		return "raise the limit on requests that run at once"
	case diagnose.ProcessLogs:
		return "read the logs of the process that ended; keep a replica to spare"
	case diagnose.MoreWindows:
		return "watch longer"
	}
	return "nothing"
}

// Says is the reading in a few sentences.
func Says(r *diagnose.Reading) demo.Sentence {
	switch r.Verdict {
	case diagnose.Healthy:
		return demo.Say("The rules read this as ", "healthy", ".")
	case diagnose.Undetermined:
		return demo.Say("The rules ", "cannot tell", " what this is.")
	}
	out := demo.Say("The rules read it as ", Name(r.Verdict), "")
	if r.Also != "" {
		out = append(out, demo.Say(" and ", Name(r.Also), "")...)
	}
	if name, far := Second(r); name != "" && r.Also == "" {
		if far {
			name = "far behind, " + name
		}
		out = append(out, demo.Say(" (runner-up: "+name+")")...)
	}
	out = append(out, demo.Span{Text: "."})
	more := Else(r)
	if x := Hidden(r); more != "" && x != "" {
		more += " " + x
	} else {
		more += x
	}
	if more != "" {
		out = append(out, demo.Span{Text: " " + more})
	}
	return out
}

// Hidden says which failures the windows cannot exclude beside those that are
// named: "Could be hidden behind it: KV squeeze or cold start."; "" where nothing
// is named, or only two looks or fewer were taken.
func Hidden(r *diagnose.Reading) string {
	if r.Since != diagnose.WithNormal || r.Verdict == diagnose.Healthy || r.Verdict == diagnose.Undetermined {
		return ""
	}
	behind := "it"
	if r.Also != "" {
		behind = "them"
	}
	if len(r.Hidden) == 0 {
		return "No other failure that the rules know could be hidden behind " + behind + "."
	}
	var names []string
	for _, id := range r.Hidden {
		names = append(names, Name(id))
	}
	return "Could be hidden behind " + behind + ": " + text.List(names, "or") + "."
}

// Else says that something else is going on, and by which sign: "Something else
// is going on too: mean answer is up, which it does not explain."; "" if nothing
// is left over.
func Else(r *diagnose.Reading) string {
	if len(r.Else) == 0 {
		return ""
	}
	s := r.Else[0]
	whom := "which it does not explain"
	if r.Also != "" {
		whom = "which neither explains"
	}
	return "Something else is going on too: " + Sign(s) + " " + Way(r.Found[s].Move) + ", " + whom + "."
}
