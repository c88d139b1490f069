package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/content/demo/text"
	"openloop/site/internal/markdown"
)

// A small figure of a demo in a state stands beside the words about it. It can be
// moved where it stands, by one setting: the one that a mark of the figure belongs
// to, or that the author names. For the others its link opens the demo, where its
// reader left it.

type stillView struct {
	figureView
	Small  template.HTML // of a chart
	Href   template.URL
	Demo   string
	Module string
	State  string
	Still  string    // prefix of its ids
	Move   *knobView // the setting that moves it, nil if none does
}

// liveStill is what the scripts need to draw one again.
type liveStill struct {
	key, module string
	chart       json.RawMessage // nil for what is not a chart
}

// Still draws what the demo would show.
func (g guide) Still(link, id, at, knob string) (markdown.Kept, error) {
	s, err := g.in.Engine.Open(link)
	if err != nil {
		return markdown.Kept{}, err
	}
	run, err := g.in.Engine.Run(s)
	if err != nil {
		return markdown.Kept{}, err
	}
	f, err := pick(s.Demo.ID, run.Figures, id)
	if err != nil {
		return markdown.Kept{}, err
	}
	to := ""
	if at != "" {
		if to, err = g.Link(at); err != nil {
			return markdown.Kept{}, err
		}
	}
	g.page.stills++
	g.page.figures = append(g.page.figures, keptFigure{f, "still-" + strconv.Itoa(g.page.stills) + "-" + f.ID})
	g.page.needs.add(f)
	key := "still-" + strconv.Itoa(g.page.stills)
	v := stillView{Href: template.URL(to + stateLink(s)), Demo: s.Demo.ID, Module: g.in.Engine.Module(s.Demo.ID), State: s.String(), Still: key}
	move, err := moves(s, f, knob)
	if err != nil {
		return markdown.Kept{}, err
	}
	live := liveStill{key: key, module: v.Module}
	if f.Kind == demo.Chart {
		v.figureView = figureView{ID: f.ID, Title: f.Title, Alt: f.Alt, Key: key + "-" + f.ID, Kind: "chart", Chart: true, Notes: template.HTML(draw.Notes(f.Notes, f.Pages)), Table: template.HTML(draw.Table(f.Table))}
		svg, option, err := g.in.Charts.Small(key, f)
		if err != nil {
			return markdown.Kept{}, err
		}
		v.Small, live.chart = template.HTML(svg), option
	} else if v.figureView, err = g.figure(key, f, nil); err != nil {
		return markdown.Kept{}, err
	}
	if move >= 0 {
		k := knobOf(s, move, key)
		v.Move = &k
		g.page.live = append(g.page.live, live)
	}
	html, err := g.execute("still", v)
	return markdown.Kept{HTML: html, Caption: f.Title, Markdown: sayFigure(f)}, err
}

// moves is the index of the setting that moves a figure, -1 if none does.
func moves(s demo.State, f demo.Figure, name string) (int, error) {
	for _, m := range f.Marks {
		name = cmp.Or(name, m.Knob)
	}
	if name == "" {
		return -1, nil
	}
	i := s.Demo.Index(name)
	if i < 0 {
		var names []string
		for _, k := range s.Demo.Knobs {
			names = append(names, k.Name)
		}
		return i, fmt.Errorf("demo %s has no setting %q to move its figure %s; it has %s", s.Demo.ID, name, f.ID, text.List(names, "and"))
	}
	return i, nil
}

// pick finds a figure by its id, or the first one.
func pick(of string, figures []demo.Figure, id string) (demo.Figure, error) {
	var ids []string
	for _, f := range figures {
		if !f.Away && f.ID == cmp.Or(id, f.ID) {
			return f, nil
		}
		ids = append(ids, f.ID)
	}
	return demo.Figure{}, fmt.Errorf("demo %s shows no figure %q in this state; it has %s", of, id, text.List(ids, "and"))
}
