package page

import (
	"path"
	"slices"
)

// A shelf is a folder of pages that stand together: they are listed beside each
// other's text, and one link at the top of every page leads to them.
type shelf struct {
	folder string
	name   string // in the head of the site and in the way to a page
	list   string // name of the list beside the text
}

var shelves = []shelf{
	{guideFolder, "Guide", "Chapters"},
	{dataFolder, "Data", "Data"},
	{aboutFolder, "About", "About"},
}

// shelfOf is the shelf that a page stands on, or nil.
func shelfOf(page string) *shelf {
	for i := range shelves {
		if path.Dir(page) == shelves[i].folder {
			return &shelves[i]
		}
	}
	return nil
}

// shelfView is the list beside the text.
type shelfView struct {
	Name  string
	Links []linkView
}

// on returns the pages of a folder.
func (b *builder) on(folder string) []*source {
	var out []*source
	for _, p := range b.pages {
		if p.in(folder) {
			out = append(out, p)
		}
	}
	return out
}

// shelve fills in the ways from a page to the others.
func (b *builder) shelve(v *layoutView) {
	for _, s := range shelves {
		pages := b.on(s.folder)
		if len(pages) == 0 {
			continue
		}
		here := path.Dir(v.Path) == s.folder
		v.Nav = append(v.Nav, linkView{Href: v.Root + pages[0].path, Text: s.name, Current: here})
		links := make([]linkView, len(pages))
		for i, p := range pages {
			links[i] = linkView{Href: v.Root + p.path, Text: p.front.Nav, Current: p.path == v.Path}
		}
		switch {
		case s.folder == guideFolder:
			v.Chapters, v.Shelf = links, shelfView{s.list, links}
		case here:
			v.Shelf = shelfView{s.list, links}
		}
		if s.folder == aboutFolder {
			v.Foot = links
		}
	}
	if p := b.bySource[glossaryFile]; p != nil { // it stands on no shelf
		v.Nav = slices.Insert(v.Nav, min(1, len(v.Nav)), linkView{Href: v.Root + p.path, Text: p.front.Nav, Current: p.path == v.Path})
	}
	b.crumbs(v)
}

// crumbs is the way from the home page to a page; none to the home page itself.
func (b *builder) crumbs(v *layoutView) {
	if v.Path == "index.html" {
		return
	}
	v.Crumbs = []linkView{{Href: v.Root + "index.html", Text: "Openloop"}}
	if s := shelfOf(v.Path); s != nil {
		switch first := b.on(s.folder)[0].path; {
		case s.folder == guideFolder:
			v.Crumbs = append(v.Crumbs, linkView{Href: v.Root + "index.html#chapters", Text: s.name})
		case first != v.Path:
			v.Crumbs = append(v.Crumbs, linkView{Href: v.Root + first, Text: s.name})
		}
	}
	v.Crumbs = append(v.Crumbs, linkView{Text: v.Front.Nav, Current: true})
}
