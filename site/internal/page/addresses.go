package page

import (
	"io/fs"
	"slices"
	"strings"

	"openloop/content/prose"
	"openloop/site/internal/markdown"
)

// Addresses lists every page that the content makes, with the sections of each
// as page#id, at their present and at their old addresses, with the lists of
// folders, and nothing that is
// made of demos but where they stand.
func Addresses(content fs.FS, made []prose.Page) ([]string, error) {
	pages, err := readPages(content)
	if err != nil {
		return nil, err
	}
	for _, m := range made {
		pages = append(pages, madePage(m))
	}
	moves, err := readMoves(content)
	if err != nil {
		return nil, err
	}
	md := markdown.New()
	var out []string
	for _, p := range pages {
		out = append(out, p.path)
		for _, id := range md.Anchors(p.body) {
			out = append(out, p.path+"#"+id)
		}
	}
	out = append(out, standing(pages)...)
	for _, m := range moves {
		out = append(out, strings.TrimSuffix(m.from+"#"+m.part, "#"))
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
