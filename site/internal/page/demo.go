package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/content/demo/text"
	"openloop/site/internal/engine"
)

// shownDemo is a demo in one state, as it stands on a page: its HTML around
// the fallback text, and what its scripts need to know.
type shownDemo struct {
	demo          *demo.Demo
	state         string
	run           engine.Result
	reveal        string // state that answers the bet, or ""
	before, after string
	needs         needs
	timed         bool // has a clock
	charts        map[string]json.RawMessage
}

// The view that demo.html renders.
type (
	demoView struct {
		ID, Title, Limits string
		Lead, Question    template.HTML
		SeedName          template.HTML
		Module            string // that its script has to load
		State             string
		Wide              bool // has figures side by side
		Many              bool // has more settings than stand beside a figure
		Writes            bool // has a setting of text, which stands before the figures
		NoChance          bool // has no use for a seed
		Answers           bool // has knobs that are answers to the run of a seed
		Alone             bool // on a page of its own, right under its title
		Presets           []presetView
		Bet               *demo.Bet
		Figures           []figureView
		Knobs, More       []knobView
		Groups            []groupView
		Clock             *clockView
		Say               template.HTML
		SayText           string
		Seed              string
		Equations         []equationView
		Events            template.HTML
	}
	presetView struct {
		Name, Says, State string
		Href              template.URL
		Current           bool
	}
	figureView struct {
		ID, Title, Alt string
		Key            string // prefix of ids
		Chart          bool
		Picture        bool // its drawing is one to look at, not to read
		Pair           bool // stands beside another one where there is room
		Kind           string
		Away, Paper    bool
		Wide, Narrow   template.HTML
		Drawing        template.HTML // of what is not a chart
		Notes          template.HTML
		Table          template.HTML
	}
	knobView struct {
		demo.Knob
		Doc            template.HTML
		Key            string // prefix of ids
		Value, Says    string
		Pos, Positions int
		Options        []optionView
		Switch, On     bool
		Shows          string // what a button shows or hides; "" for other choices
		CanIdle, Away  bool
		IdleSays       string
	}
	groupView struct {
		demo.Group
		Says  string
		Knobs []knobView
		Away  bool // as all of its knobs are
	}
	clockView struct {
		From, To, Step string // as a script reads them
		Steps, Pos     int    // positions of the slider, and where it stands
		Says           string
		Room           bool // has an engine room
	}
	optionView struct {
		Name, Label string
		Picked      bool
	}
	equationView struct {
		Name string
		Math template.HTML
		Says string
	}
)

// show draws a demo. Its words lead to the glossary by say, whose root is "" on a
// page without others around it.
func (b *builder) show(s demo.State, say explainer) (*shownDemo, error) {
	d := s.Demo
	run, err := b.in.Engine.Run(s)
	if err != nil {
		return nil, err
	}
	out := &shownDemo{demo: d, state: s.String(), run: run, charts: map[string]json.RawMessage{}}
	v := demoView{
		ID: d.ID, Title: d.Title, Lead: say.explain(d.Lead), SeedName: say.explain("Seed"), Limits: d.Limits, Bet: d.Bet, Alone: say.root == "", NoChance: d.NoChance, Module: b.in.Engine.Module(d.ID),
		State: out.state, Many: len(d.Groups) > 0,
		Say: template.HTML(draw.Sentence(run.Summary)), SayText: run.Summary.String(),
		Seed: text.Shortest(float64(s.Seed)),
	}
	if d.Bet != nil {
		reveal, err := engine.State(d, d.Bet.Reveal)
		if err != nil {
			return nil, err
		}
		out.reveal, v.Question = reveal.String(), say.explain(d.Bet.Question)
	}
	if len(run.Events) > 0 && len(run.Figures) > 0 {
		v.Events = template.HTML(draw.Events(run.Events, run.Figures[0].X))
	}
	if run.Clock != nil {
		out.timed, v.Clock = true, clock(*run.Clock, s)
		v.Clock.Room = run.Scenic
	}
	if v.Presets, err = presets(s); err != nil {
		return nil, err
	}
	for _, f := range run.Figures {
		out.needs.add(f)
		fv, err := b.figure("demo-"+d.ID, f, out.charts)
		if err != nil {
			return nil, fmt.Errorf("demo %s: %w", d.ID, err)
		}
		v.Figures = append(v.Figures, fv)
		if n := len(v.Figures); f.Beside && n > 1 {
			v.Figures[n-2].Pair, v.Figures[n-1].Pair, v.Wide = true, true, true
		}
	}
	for _, g := range d.Groups {
		v.Groups = append(v.Groups, groupView{Group: g, Says: s.GroupSays(g.Title)})
	}
	for i, k := range d.Knobs {
		shown := knobOf(s, i, "demo-"+d.ID)
		v.Writes, v.Answers = v.Writes || k.Writing != nil, v.Answers || k.Answer
		at := slices.IndexFunc(d.Groups, func(g demo.Group) bool { return g.Title == k.Group })
		switch {
		case at >= 0:
			v.Groups[at].Knobs = append(v.Groups[at].Knobs, shown)
		case k.More:
			v.More = append(v.More, shown)
		default:
			v.Knobs = append(v.Knobs, shown)
		}
	}
	for i := range v.Groups {
		v.Groups[i].Away = !slices.ContainsFunc(v.Groups[i].Knobs, func(k knobView) bool { return !k.Away })
	}
	for _, e := range d.Equations {
		m, err := b.in.Math.Set(e.TeX, true)
		if err != nil {
			return nil, fmt.Errorf("demo %s: equation %s: %w", d.ID, e.Name, err)
		}
		v.Equations = append(v.Equations, equationView{e.Name, template.HTML(m), e.Says})
	}
	if out.before, err = b.execute("demo-before", v); err != nil {
		return nil, err
	}
	out.after, err = b.execute("demo-after", v)
	return out, err
}

func presets(s demo.State) ([]presetView, error) {
	var out []presetView
	for _, p := range s.Demo.Presets {
		state, err := engine.State(s.Demo, p.State)
		if err != nil {
			return nil, fmt.Errorf("preset %s: %w", p.Name, err)
		}
		out = append(out, presetView{
			Name: p.Name, Says: p.Says, State: state.String(), Current: state.SameRun(s),
			Href: template.URL(stateLink(state)),
		})
	}
	return out, nil
}

// needs are the style sheets that the figures of a page need beside its own.
type needs struct {
	reads  bool // equations, rankings
	digits bool // bits, tokens
}

func (n *needs) add(f demo.Figure) {
	n.join(needs{reads: f.Kind == demo.Steps || f.Kind == demo.Ranks, digits: f.Kind == demo.Bits || f.Kind == demo.Strips})
}

func (n *needs) join(o needs) { n.reads, n.digits = n.reads || o.reads, n.digits || o.digits }

// figure is one picture with its table. The prefix makes its ids its own;
// options, if not nil, gets what a script needs to draw it again.
func (b *builder) figure(prefix string, f demo.Figure, options map[string]json.RawMessage) (figureView, error) {
	v := figureView{
		ID: f.ID, Title: f.Title, Alt: f.Alt, Key: prefix + "-" + f.ID, Away: f.Away, Paper: f.Paper,
		Notes: template.HTML(draw.Notes(f.Notes, f.Pages)), Table: template.HTML(draw.Table(f.Table)),
	}
	switch f.Kind {
	case demo.Bits:
		v.Kind, v.Drawing = "bits", template.HTML(draw.Bits(f))
	case demo.Strips:
		v.Kind, v.Drawing = "strips", template.HTML(draw.Strips(f))
	case demo.Steps:
		v.Kind, v.Drawing = "steps", template.HTML(draw.Steps(f))
	case demo.Ranks:
		v.Kind, v.Drawing = "ranks", template.HTML(draw.Ranks(f))
	case demo.Traces:
		v.Kind, v.Picture, v.Drawing = "traces", true, template.HTML(draw.Traces(f))
	default:
		v.Kind, v.Chart = "chart", true
		c, err := b.in.Charts.Draw(strings.TrimPrefix(prefix, "demo-")+"-"+f.ID, f)
		if err != nil {
			return v, err
		}
		v.Wide, v.Narrow = template.HTML(c.Wide), template.HTML(c.Narrow)
		if options != nil {
			options[f.ID] = c.Option
		}
	}
	return v, nil
}

// clock is the bar of a run, at its end or where the state says.
func clock(c demo.Clock, s demo.State) *clockView {
	at := c.To
	if s.HasAt {
		at = s.At
	}
	v := &clockView{
		From: text.Shortest(c.From), To: text.Shortest(c.To), Step: text.Shortest(c.Step), Says: c.Says(at),
		Steps: max(1, int(math.Ceil((c.To-c.From)/c.Step-1e-9))),
	}
	v.Pos = v.Steps
	if at < c.To {
		v.Pos = min(v.Steps-1, int((at-c.From)/c.Step+0.5))
	}
	return v
}

// knobOf is a control of a setting; the prefix makes its ids its own.
func knobOf(s demo.State, at int, prefix string) knobView {
	k, x := s.Demo.Knobs[at], s.Values.At(at)
	v := knobView{
		CanIdle: k.Idle != nil, IdleSays: s.Idle(at),
		Knob: k, Doc: template.HTML(text.AppendWords(nil, k.Doc)), Key: prefix + "-" + k.Name, Value: s.Values.Text(at),
	}
	v.Away = v.IdleSays != "" && s.Values.IsDefault(at)
	if k.Writing != nil {
		return v
	}
	v.Says, v.Pos, v.Positions = k.Says(x), demo.PositionOf(k, x), demo.Positions(k)
	for i, o := range k.Options {
		v.Options = append(v.Options, optionView{o.Name, o.Label, i == int(x)})
	}
	v.Switch = len(k.Options) == 2 && k.Options[0].Name == "off" && k.Options[1].Name == "on"
	v.On = v.Switch && x == 1
	if len(k.Options) == 2 && k.Options[0].Name == "hidden" && k.Options[1].Name == "shown" {
		v.Shows = strings.ToLower(k.Label[:1]) + k.Label[1:]
	}
	return v
}

func (b *builder) execute(name string, v any) (string, error) {
	var w strings.Builder
	if err := b.tmpl.ExecuteTemplate(&w, name, v); err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	return w.String(), nil
}
