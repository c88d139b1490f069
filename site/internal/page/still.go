package page

import (
	"cmp"
	"fmt"
	"html/template"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/content/demo/text"
	"openloop/site/internal/markdown"
)

// stillView is a small figure of a demo in a state, and the way to the demo in
// that state.
type stillView struct {
	figureView
	Small template.HTML // of a chart
	Href  template.URL
}

// Still draws what the demo would show. Nothing of it changes: to move it, the
// reader opens the demo.
func (g guide) Still(link, id, at string) (markdown.Kept, error) {
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
	g.page.reads = g.page.reads || reads(f)
	key := "still-" + strconv.Itoa(g.page.stills)
	v := stillView{Href: template.URL(to + "#demo=" + s.Demo.ID + "&" + s.String())}
	if f.Kind == demo.Chart {
		v.figureView = figureView{ID: f.ID, Title: f.Title, Alt: f.Alt, Key: key + "-" + f.ID, Kind: "chart", Chart: true, Notes: template.HTML(draw.Notes(f.Notes, f.Pages)), Table: template.HTML(draw.Table(f.Table))}
		svg, err := g.in.Charts.Small(key, f)
		if err != nil {
			return markdown.Kept{}, err
		}
		v.Small = template.HTML(svg)
	} else if v.figureView, err = g.figure(key, f, nil); err != nil {
		return markdown.Kept{}, err
	}
	html, err := g.execute("still", v)
	return markdown.Kept{HTML: html, Caption: f.Title, Markdown: sayFigure(f)}, err
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
