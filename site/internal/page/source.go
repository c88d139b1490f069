package page

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"openloop/content/demo"
	"openloop/content/prose"
	"openloop/site/internal/markdown"
)

const (
	homeFile     = "guide/00-home.md"
	glossaryFile = "glossary.md"
)

// The folders of pages, in the content and in the output.
const (
	guideFolder = "guide"
	dataFolder  = "data"
	aboutFolder = "about"
)

// source is one page of the content.
type source struct {
	file      string // in the content
	path      string // in the output
	front     front
	body      []byte
	line      int // of file at which body begins
	doc       markdown.Document
	demos     []*shownDemo
	explained map[string]bool // entries of the glossary that are linked to so far
	figures   []keptFigure    // outside of demos
	stills    int             // figures of demos in a state so far
	live      []liveStill     // those of them that can be moved
	needs     needs           // of its figures outside of demos
}

// keptFigure is a figure outside of a demo, and the prefix of its ids.
type keptFigure struct {
	demo.Figure
	key string
}

// in says whether the page is in a folder.
func (s *source) in(folder string) bool { return strings.HasPrefix(s.path, folder+"/") }

// chapter says whether the page is in the list of chapters.
func (s *source) chapter() bool { return s.in(guideFolder) }

// root is the way from the page to the top of the site: "" or "../".
func (s *source) root() string { return strings.Repeat("../", strings.Count(s.path, "/")) }

var pageName = regexp.MustCompile(`^\d\d-([a-z0-9]+(?:-[a-z0-9]+)*)\.md$`)

// readPages reads every page, in the order of the site: home, chapters by
// number, pages about the guide, glossary.
func readPages(content fs.FS) ([]*source, error) {
	pages, err := readFolder(content, guideFolder)
	if err != nil {
		return nil, fmt.Errorf("reading the guide: %w", err)
	}
	if _, err := fs.Stat(content, aboutFolder); err == nil {
		about, err := readFolder(content, aboutFolder)
		if err != nil {
			return nil, err
		}
		pages = append(pages, about...)
	}
	if _, err := fs.Stat(content, glossaryFile); err == nil {
		p, err := readPage(content, glossaryFile, "glossary.html")
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	if !slices.ContainsFunc(pages, func(p *source) bool { return p.path == "index.html" }) {
		pages = slices.Insert(pages, 0, contents())
	}
	return pages, nil
}

// readFolder reads the pages of a folder, NN-name.md each, by number.
func readFolder(content fs.FS, folder string) ([]*source, error) {
	entries, err := fs.ReadDir(content, folder)
	if err != nil {
		return nil, err
	}
	var pages []*source
	numbers := map[string]string{}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".md" {
			continue
		}
		file := folder + "/" + e.Name()
		m := pageName.FindStringSubmatch(e.Name())
		if m == nil {
			return nil, fmt.Errorf("%s: pages are named NN-name.md, in lower case with hyphens", file)
		}
		if other, ok := numbers[e.Name()[:2]]; ok {
			return nil, fmt.Errorf("%s: its number is taken by %s", file, other)
		}
		numbers[e.Name()[:2]] = e.Name()
		to := folder + "/" + m[1] + ".html"
		if file == homeFile {
			to = "index.html"
		}
		p, err := readPage(content, file, to)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, nil
}

func readPage(content fs.FS, file, to string) (*source, error) {
	raw, err := fs.ReadFile(content, file)
	if err != nil {
		return nil, err
	}
	f, body, line, err := cutFront(file, raw)
	return &source{file: file, path: to, front: f, body: body, line: line}, err
}

// madePage is a page that is made from tables; its file is a name to link to.
func madePage(p prose.Page) *source {
	return &source{
		file: p.File, path: strings.TrimSuffix(p.File, ".md") + ".html", line: 1, body: []byte(p.Body),
		front: front{Title: p.Title, Nav: p.Nav, Description: p.Description, Lede: p.Lede},
	}
}

// contents stands in for a home page that is not written: a title over the
// list of chapters, which the layout adds.
func contents() *source {
	return &source{file: homeFile, path: "index.html", line: 1, front: front{
		Title: "Openloop", Nav: "Home",
		Description: "A field guide to benchmarking, costing and sizing LLM serving, in which every number is computed in front of you.",
		Lede:        "A field guide to benchmarking, costing and sizing LLM serving, in which every number is computed in front of you.",
	}}
}
