package page

import (
	"encoding/json"
	"fmt"
	"html/template"

	"openloop/content/demo"
)

// linkBuilder is the tool that makes links for a course: "what will students
// see". A page shows it under its text if its front matter says tool: link-builder.
const linkBuilder = "link-builder"

// parts of a demo that a link may hide, in words.
var partNames = map[string]string{
	"bet": "The bet", "presets": "Presets", "knobs": "All settings", "summary": "The sentence above the figures",
	"table": "Data tables", "foot": "The row of buttons", "clock": "The bar of time", "room": "The engine room", "events": "What happened",
}

// builderView is what the tool's template and its script get.
type builderView struct {
	Groups []builderGroup // of demos, by the page that explains them
	Data   template.JS
}

type builderGroup struct {
	Name  string
	Demos []*demo.Demo
}

// builderDemo is what the script knows of a demo.
type builderDemo struct {
	Title   string     `json:"title"`
	Embed   string     `json:"embed"`
	Page    string     `json:"page"` // that explains it, or ""
	Chance  bool       `json:"chance"`
	Start   string     `json:"start"`
	Presets [][]string `json:"presets"` // name, state, what to see
	Knobs   [][]string `json:"knobs"`   // name, label
	Hide    [][]string `json:"hide"`    // name, label
}

// tool makes the tool that a page asks for; nil if it asks for none.
func (b *builder) tool(p *source) (*builderView, error) {
	switch p.front.Tool {
	case "":
		return nil, nil
	case linkBuilder:
	default:
		return nil, fmt.Errorf("%s: there is no tool %q; there is %s", p.file, p.front.Tool, linkBuilder)
	}
	v := &builderView{}
	all := map[string]builderDemo{}
	place := map[*source]int{}
	for _, d := range b.in.Engine.Demos() {
		about := b.about(d)
		if _, ok := place[about]; !ok {
			place[about] = len(v.Groups)
			name := "Others"
			if about != nil {
				name = about.front.Nav
			}
			v.Groups = append(v.Groups, builderGroup{Name: name})
		}
		g := &v.Groups[place[about]]
		g.Demos = append(g.Demos, d)
		one, err := b.forBuilder(d, about, p.root())
		if err != nil {
			return nil, err
		}
		all[d.ID] = one
	}
	raw, err := json.Marshal(map[string]any{"top": p.root(), "demos": all})
	v.Data = template.JS(raw)
	return v, err
}

func (b *builder) forBuilder(d *demo.Demo, about *source, root string) (builderDemo, error) {
	start := demo.NewState(d)
	run, err := b.in.Engine.Run(start)
	if err != nil {
		return builderDemo{}, err
	}
	out := builderDemo{Title: d.Title, Embed: embedPath(d), Chance: !d.NoChance, Start: start.String(), Presets: [][]string{}, Knobs: [][]string{}}
	if about != nil {
		out.Page = about.path
	}
	shown, err := presets(start)
	if err != nil {
		return builderDemo{}, err
	}
	for _, p := range shown {
		out.Presets = append(out.Presets, []string{p.Name, p.State, p.Says})
	}
	for _, part := range demo.Parts {
		switch {
		case part == "bet" && d.Bet == nil, part == "presets" && len(d.Presets) == 0, part == "knobs" && len(d.Knobs) == 0, part == "events" && len(run.Events) == 0,
			part == "clock" && run.Clock == nil, part == "room" && !run.Scenic:
		default:
			out.Hide = append(out.Hide, []string{part, partNames[part]})
		}
	}
	for _, f := range run.Figures {
		out.Hide = append(out.Hide, []string{f.ID, "Figure: " + f.Title})
	}
	for _, k := range d.Knobs {
		out.Knobs = append(out.Knobs, []string{k.Name, k.Label})
		out.Hide = append(out.Hide, []string{k.Name, "Setting: " + k.Label})
	}
	return out, nil
}
