package page

import (
	"path"
	"strings"
)

// Who cuts an address off, or mistypes its end, is on no page. Two kinds of page
// wait there: a list in every folder, and one that a server shows for whatever it
// does not have.

// embedFolder has a page for each demo, for other people's frames.
const embedFolder = "embed"

// listView is a page in the list of a folder.
type listView struct{ Href, Text, Says string }

// folders writes a list of its pages into every folder that has no first page.
func (b *builder) folders() error {
	for _, s := range shelves {
		var list []listView
		for _, p := range b.on(s.folder) {
			list = append(list, listView{path.Base(p.path), p.front.Title, p.front.Description})
		}
		if err := b.folder(s.folder, front{Title: s.list, Nav: s.list, Description: "All pages under " + s.name + "."}, list); err != nil {
			return err
		}
	}
	var list []listView
	for _, d := range b.in.Engine.Demos() {
		list = append(list, listView{path.Base(embedPath(d)), d.Title, d.Lead})
	}
	return b.folder(embedFolder, front{Title: "Demos", Nav: "Demos", Description: "Each demo alone, as others may put it into a frame."}, list)
}

func (b *builder) folder(folder string, f front, list []listView) error {
	file := indexOf(folder)
	if _, there := b.files[file]; there || len(list) == 0 {
		return nil
	}
	v := b.layout(file, f)
	v.NoIndex, v.List = true, list
	return b.put(file, "layout", v)
}

func indexOf(folder string) string { return folder + "/index.html" }

// notFound writes the page for addresses that have none. A server shows it at any
// depth, so it asks for nothing and names nothing that is near it: its links are
// whole addresses, if the build knows where the site will be, and else words.
func (b *builder) notFound() error {
	v := b.layout("404.html", front{Title: "Page not found", Description: "There is no page at this address."})
	if b.in.SiteURL == "" {
		v.Chapters = nil
	}
	for i, c := range v.Chapters {
		v.Chapters[i].Href = b.address(c.Href)
	}
	v.First = b.address("index.html")
	return b.put("404.html", "lost", v)
}

// standing are the folders whose lists have an address for ever.
func standing(pages []*source) []string {
	out := []string{indexOf(embedFolder)}
	for _, s := range shelves {
		for _, p := range pages {
			if strings.HasPrefix(p.path, s.folder+"/") {
				out = append(out, indexOf(s.folder))
				break
			}
		}
	}
	return out
}
