package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"openloop/content/demo"
	"openloop/site/internal/markdown"
)

// policy is the content security policy of every page: own files only, no
// inline script, the engine in a Blob worker. Styles in attributes are needed by
// echarts.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self' blob:; " +
	"style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'"

// layoutView is what layout.html renders.
type layoutView struct {
	Root, Path   string
	Policy       string
	Front        front
	Home         bool
	Nav          []linkView // of the whole site
	Shelf        shelfView  // that the page stands on, or else the chapters
	Chapters     []linkView
	Crumbs       []linkView // the way from the home page; the last is the page itself
	Foot         []linkView // pages about the guide
	Parts        string     // on pages that lead on: where sections went, as JSON by id; or ""
	PartLinks    []linkView // the same, to follow by hand
	First        string     // on embed pages: link to where the demo is explained, or ""
	Headings     []headingView
	Prev, Next   *linkView
	Body         template.HTML
	Data         template.JS // page data; "" without demos
	Reads        bool        // has figures that are read: equations, rankings
	Digits       bool        // has figures of bits, or of tokens
	Stills       bool        // has small figures of demos
	Timed        bool        // has a demo with a clock
	Sets         string      // id of the first setting of its first demo, or ""
	Canonical    string
	Says         template.JS  // what the page is, as JSON-LD, or ""
	Card         string       // picture for previews of links, or ""
	Twin         string       // link to the page as Markdown, or ""
	Lazy         bool         // its demo script comes when somebody reaches for a demo
	Builder      *builderView // the tool under the text, or nil
	EmbedOf      string       // id of the demo that an embed page shows
	NoIndex      bool
	Licenses     []string   // file names, on the page that lists them
	ChaptersList bool       // the body is followed by the list of chapters
	List         []listView // of the pages of a folder
}

type linkView struct {
	Href, Text string
	Current    bool
}

// headingView is a second level heading with the third level ones under it.
type headingView struct {
	ID, Text string
	Sub      []markdown.Heading
}

func (b *builder) write(p *source, i int) (err error) {
	v := b.layout(p.path, p.front)
	v.Body = template.HTML(p.doc.HTML)
	v.Home = p.path == "index.html"
	v.Twin = p.root() + twinPath(p.path)
	if v.Canonical != "" {
		v.Card = b.address(cardPath(p.path))
	}
	if v.Says, err = b.describe(p); err != nil {
		return err
	}
	v.ChaptersList = v.Home
	v.Headings = nest(p.doc.Headings)
	if p.file == glossaryFile {
		v.Headings = nil // it is a list of headings already
	}
	if p.chapter() {
		v.Prev, v.Next = b.neighbor(p, i, -1), b.neighbor(p, i, 1)
	}
	v.Stills = p.stills > 0
	needs := p.needs
	for _, d := range p.demos {
		needs.join(d.needs)
		v.Timed = v.Timed || d.timed
	}
	if len(p.demos) > 0 && len(p.demos[0].demo.Knobs) > 0 {
		d := p.demos[0].demo
		v.Sets = "demo-" + d.ID + "-" + d.Knobs[0].Name
	}
	v.Reads, v.Digits = needs.reads, needs.digits
	if v.Builder, err = b.tool(p); err != nil {
		return err
	}
	data, err := b.pageData(p.root(), p.demos, p.live)
	if err != nil {
		return err
	}
	v.Data, v.Lazy = data, data != ""
	return b.put(p.path, "layout", v)
}

// layout is what all pages have in common.
func (b *builder) layout(path string, f front) layoutView {
	root := strings.Repeat("../", strings.Count(path, "/"))
	v := layoutView{Root: root, Path: path, Policy: policy, Front: f}
	b.shelve(&v)
	if b.in.SiteURL != "" {
		v.Canonical = b.address(path)
	}
	return v
}

func (b *builder) neighbor(p *source, i, by int) *linkView {
	if i += by; i < 0 || i >= len(b.pages) || !b.pages[i].chapter() {
		return nil
	}
	return &linkView{Href: p.root() + b.pages[i].path, Text: b.pages[i].front.Nav}
}

func nest(list []markdown.Heading) []headingView {
	var out []headingView
	for _, h := range list {
		switch {
		case h.Level == 2:
			out = append(out, headingView{ID: h.ID, Text: h.Text})
		case len(out) > 0:
			last := &out[len(out)-1]
			last.Sub = append(last.Sub, h)
		}
	}
	return out
}

// embed writes the page that shows one demo alone, for other people's frames.
func (b *builder) embed(d *demo.Demo) error {
	shown, err := b.show(demo.NewState(d), explainer{})
	if err != nil {
		return err
	}
	path := embedPath(d)
	v := b.layout(path, front{Title: d.Title, Nav: d.Title, Description: d.Lead})
	v.Body = template.HTML(shown.before + shown.after)
	v.EmbedOf, v.NoIndex, v.Reads, v.Digits, v.Timed = d.ID, true, shown.needs.reads, shown.needs.digits, shown.timed
	if p := b.about(d); p != nil {
		v.First = v.Root + p.path + "#demo-" + d.ID
	}
	data, err := b.pageData(v.Root, []*shownDemo{shown}, nil)
	if err != nil {
		return err
	}
	v.Data = data
	return b.put(path, "embed", v)
}

// about is the first page that shows the demo, or nil.
func (b *builder) about(d *demo.Demo) *source {
	for _, p := range b.pages {
		for _, on := range p.demos {
			if on.demo == d {
				return p
			}
		}
	}
	return nil
}

// scene is the page of the engine room's picture, which demos put into a frame.
func (b *builder) scene() error {
	v := b.layout("scene.html", front{Title: "Engine room", Nav: "Engine room", Description: "The picture of an engine room, for the frame of a demo."})
	return b.put("scene.html", "scene", v)
}

// licenses lists the texts that lie beside it.
func (b *builder) licenses() error {
	v := b.layout("licenses/index.html", front{
		Title: "Licenses", Nav: "Licenses", Description: "Licenses of the software inside these pages.",
		Lede: "The guide's code is under Apache-2.0, its text and figures under CC BY 4.0. It carries work of others, under these licenses.",
	})
	v.Licenses = b.in.Licenses
	return b.put("licenses/index.html", "layout", v)
}

func (b *builder) put(path, tmpl string, v layoutView) error {
	out, err := b.execute(tmpl, v)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	b.files[path] = []byte(out)
	return nil
}

// pageData is what the scripts of a page with demos are told. A module of another
// edition than the page would show other numbers beside the pictures of this one.
func (b *builder) pageData(root string, demos []*shownDemo, stills []liveStill) (template.JS, error) {
	if len(demos)+len(stills) == 0 {
		return "", nil
	}
	type entry struct {
		Version int                        `json:"version"`
		Title   string                     `json:"title"`
		Embed   string                     `json:"embed"`
		State   string                     `json:"state"`
		Reveal  string                     `json:"reveal,omitempty"`
		Charts  map[string]json.RawMessage `json:"charts"`
	}
	list, editions := map[string]entry{}, map[string]string{}
	for _, d := range demos {
		module := b.in.Engine.Module(d.demo.ID)
		editions[module] = b.in.Engine.Edition(module)
		list[d.demo.ID] = entry{
			Version: d.demo.Version, Title: d.demo.Title, Embed: root + embedPath(d.demo),
			State: d.state, Reveal: d.reveal, Charts: d.charts,
		}
	}
	data := map[string]any{
		"assets": root + "assets/", "chart": "chart.js", "home": root + "index.html", "editions": editions, "demos": list,
	}
	if len(stills) > 0 {
		charts := map[string]json.RawMessage{}
		for _, s := range stills {
			editions[s.module] = b.in.Engine.Edition(s.module)
			if s.chart != nil {
				charts[s.key] = s.chart
			}
		}
		data["stills"] = charts
	}
	raw, err := json.Marshal(data)
	return template.JS(raw), err
}
