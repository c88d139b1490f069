// Package data makes the pages that say where the numbers of this guide come
// from: one for each data set that package dataset knows, one with every GPU and
// one with every model of the planner, and their index.
//
// The pages are Markdown, as if somebody had written them; nothing on them is
// written by hand but the words of the tables. Start at Pages. A new data set gets
// its page by being registered; what only a page of its own can show, such as a
// figure, is in the table extras.
package data

import (
	"strings"

	"openloop/content/demo/text"
	"openloop/content/prose"
	"openloop/planner/profile/dataset"
)

// Pages lists the index first, then GPUs and models, then data sets by id.
func Pages() []prose.Page {
	out := []prose.Page{index(), gpus(), models()}
	for _, e := range dataset.Entries() {
		out = append(out, page(e))
	}
	return out
}

// file is the page of a data set.
func file(id string) string { return "data/" + prose.Anchor(id) + ".md" }

// near is file as a page beside it links to it.
func near(id string) string { return prose.Anchor(id) + ".md" }

func index() prose.Page {
	var b strings.Builder
	b.WriteString("Two pages hold what the planner knows of hardware and of models:\n[GPUs](gpus.md) and [models](models.md), each number with its source.\n\n## Data sets\n\n")
	for kind, head := range kinds {
		b.WriteString("### " + head + "\n\n")
		t := table{heads: []string{"Data set, by whom, when, license", "What for"}}
		for _, e := range dataset.Entries() {
			if int(e.Kind) == kind {
				t.row(link(e.Title, near(e.ID))+"; "+plain(e.Who+"; "+e.When+"; ")+solid(license(e)), plain(e.Use))
			}
		}
		t.write(&b)
	}
	return prose.Page{
		File: "data/index.md", Title: "Where the numbers come from", Nav: "All data",
		Description: "The data sets, GPUs and models behind the planner and the simulator, with sources, licenses and known problems.",
		Lede:        "What was measured, by whom, when and with which engine; what this guide takes from it, and what is wrong with it.",
		Body:        b.String(),
	}
}

// kinds head the tables of the index, by dataset.Kind.
var kinds = [...]string{"Times of kernels, layers and steps", "Engines under load", "Traces of requests", "Answers and prices of models", "Computed here"}

// unfitted is why nothing was fitted to a data set, by its kind.
var unfitted = [...]string{
	dataset.Profile: ": the times of its parts do not make whole steps of one engine",
	dataset.Serving: ": it has whole runs under load, in which steps, waits and lengths are mixed",
	dataset.Trace:   ": it has arrivals and lengths, and no times of an engine",
	dataset.Routing: ": it has answers and prices, which are counted and not fitted",
	dataset.Derived: "",
}

func license(e dataset.Entry) string {
	switch {
	case e.Kind == dataset.Derived:
		return "ours"
	case e.License == "":
		return "by source"
	}
	return e.License
}

// page is one data set.
func page(e dataset.Entry) prose.Page {
	var b strings.Builder
	t := table{heads: []string{"Question", "Answer"}}
	add := func(what, text string) {
		if text != "" {
			t.row("**"+solid(what)+"**", text)
		}
	}
	add("By whom", plain(e.Who))
	add("When", plain(e.When))
	add("Hardware", plain(e.Hardware))
	add("Engine", plain(e.Engine))
	add("License", plain(license(e)))
	switch to := e.Link(); {
	case to != "":
		add("Source", link(e.Repository+" at "+e.Commit[:12], to))
	case len(e.Sources) > 0:
		add("Source", text.Whole(len(e.Sources))+", [below](#sources), each with its license")
	default:
		add("Source", fittedPages()+", each with its source")
	}
	add("Content", plain(e.Content))
	add("Used for", plain(e.Use))
	t.write(&b)

	if len(e.Sources) > 0 {
		b.WriteString("## Sources\n\n")
		s := table{heads: []string{"Rows", "From", "Engine", "License"}}
		for i := range e.Sources {
			x := &e.Sources[i]
			rows := text.Whole(x.Rows)
			if x.First != "" {
				rows += ": " + x.First + " to " + x.Last
			}
			s.row(solid(rows), plain(x.Title+": ")+link(x.Repository+" at "+x.Commit[:12], x.Link()), plain(x.Engine), plain(x.License))
		}
		s.write(&b)
	}

	b.WriteString("## Fields\n\n")
	f := table{heads: []string{"Field", "Meaning (unit)"}}
	for _, c := range dataset.Columns(e.ID) {
		name := plain(c.Name)
		if c.File != "" {
			name = "*" + plain(c.File) + "*: " + name
		}
		says := plain(c.Says)
		if c.Unit != "" {
			says += " (" + solid(c.Unit) + ")"
		}
		f.row(name, says)
	}
	f.write(&b)

	if len(e.Problems) > 0 {
		b.WriteString("## Known problems\n\n")
		for _, p := range e.Problems {
			b.WriteString("- " + plain(p) + "\n")
		}
		b.WriteByte('\n')
	}
	if extra, ok := extras[e.ID]; ok {
		extra(&b)
	} else {
		b.WriteString("## Our fit\n\nNothing was fitted to it" + unfitted[e.Kind] + ".\n")
	}
	return prose.Page{File: file(e.ID), Title: e.Title, Nav: e.Title, Description: e.Title + ": what was measured, what it is used for here, and its known problems.", Body: b.String()}
}
