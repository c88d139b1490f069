// Package page makes the pages of the site: the guide, the glossary, one page
// for each demo to embed, and a page for what is not found.
//
// Start reading at Render. It gets the content as a file system and returns
// files; it writes none. Every address in a page is relative, so that the
// folder works wherever it lies.
package page

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"openloop/content/prose"
	"openloop/site/internal/cache"
	"openloop/site/internal/chart"
	"openloop/site/internal/engine"
	"openloop/site/internal/markdown"
	"openloop/site/internal/tex"
)

//go:embed assets
var assets embed.FS

// Input is what pages are made from.
type Input struct {
	Content fs.FS // guide/NN-name.md and glossary.md
	Engine  *engine.Engine
	Charts  *chart.Renderer
	Math    *tex.Setter
	Claims  []prose.Claim
	Tables  []prose.Table
	Figures []prose.Figure
	Pages   []prose.Page // that are made from tables, beside those of Content
	SiteURL string       // where the site will be, for what needs absolute addresses; may be empty
	Store   *cache.Store // for pictures that take time

	Licenses []string // names of the files in licenses/
}

// Output is the files by path, and what of the content they did not use.
type Output struct {
	Files        map[string][]byte
	UnusedTerms  []string
	UnusedClaims []string
}

// Render makes every page and the static assets that belong to them. Scripts
// come from package bundle. An error lists everything that is wrong.
func Render(in Input) (Output, error) {
	b, err := newBuilder(in)
	if err != nil {
		return Output{}, err
	}
	var errs []error
	for _, p := range b.pages {
		errs = append(errs, b.convert(p))
	}
	if err := errors.Join(errs...); err != nil {
		return Output{}, err
	}
	if err := b.standIns(); err != nil {
		return Output{}, err
	}
	for i, p := range b.pages {
		if err := b.write(p, i); err != nil {
			return Output{}, err
		}
	}
	for _, d := range in.Engine.Demos() {
		if err := b.embed(d); err != nil {
			return Output{}, err
		}
	}
	if err := b.scene(); err != nil {
		return Output{}, err
	}
	if err := b.notFound(); err != nil {
		return Output{}, err
	}
	if err := b.licenses(); err != nil {
		return Output{}, err
	}
	if err := errors.Join(b.find(), b.mapOut(), b.cards(), b.lead(), b.folders()); err != nil {
		return Output{}, err
	}
	b.twins()
	if err := b.statics(); err != nil {
		return Output{}, err
	}
	return Output{Files: b.files, UnusedTerms: b.unusedTerms(), UnusedClaims: b.unusedClaims()}, nil
}

// builder is one Render under way.
type builder struct {
	in       Input
	md       *markdown.Converter
	tmpl     *template.Template
	pages    []*source
	bySource map[string]*source
	places   map[string]string // by the id of a demo: the first page that shows it
	terms    glossary
	files    map[string][]byte
	used     map[string]bool // "term x", "claim y"
	moves    []move
}

func newBuilder(in Input) (*builder, error) {
	tmpl, err := template.ParseFS(assets, "assets/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading templates: %w", err)
	}
	b := &builder{in: in, md: markdown.New(), tmpl: tmpl, files: map[string][]byte{}, used: map[string]bool{}, bySource: map[string]*source{}, places: map[string]string{}}
	if b.pages, err = readPages(in.Content); err != nil {
		return nil, err
	}
	if b.moves, err = readMoves(in.Content); err != nil {
		return nil, err
	}
	for _, p := range in.Pages {
		b.pages = append(b.pages, madePage(p))
	}
	for _, p := range b.pages {
		b.bySource[p.file] = p
		for _, anchor := range b.md.Anchors(p.body) {
			if id, ok := strings.CutPrefix(anchor, "demo-"); ok && b.places[id] == "" {
				b.places[id] = p.path
			}
		}
		if p.file == glossaryFile {
			if b.terms, err = readGlossary(b.md, p); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// statics copies the assets that are not templates.
func (b *builder) statics() error {
	for _, a := range []struct{ from, to string }{{"assets/style.css", "assets/style.css"}, {"assets/site.css", "assets/site.css"}, {"assets/figures.css", "assets/figures.css"}, {"assets/digits.css", "assets/digits.css"}, {"assets/still.css", "assets/still.css"}, {"assets/clock.css", "assets/clock.css"}, {"assets/scene.css", "assets/scene.css"}, {"assets/builder.css", "assets/builder.css"}, {"assets/sheet.css", "assets/sheet.css"}, {"assets/icon.svg", "icon.svg"}} {
		raw, err := assets.ReadFile(a.from)
		if err != nil {
			return err
		}
		b.files[a.to] = raw
	}
	return nil
}
