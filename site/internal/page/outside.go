package page

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html/template"
	"path"
	"strings"

	"openloop/content/demo"
	"openloop/site/internal/card"
)

// What the site says of itself to others: search engines, previews of links.
// All of it needs absolute addresses, so there is none of it unless the build is
// told where the site will be (-site-url).

const siteMap = "sitemap.xml"

// cardPath is where the picture lies that previews of links to a page show.
func cardPath(page string) string { return "cards/" + strings.TrimSuffix(page, ".html") + ".png" }

// address is the absolute address of a file of the site, or only its path if
// nobody knows where the site will be. Pages that are an index are named by
// their folder.
func (b *builder) address(file string) string {
	if b.in.SiteURL == "" {
		return file
	}
	if path.Base(file) == "index.html" {
		file = strings.TrimSuffix(file, "index.html")
	}
	return strings.TrimSuffix(b.in.SiteURL, "/") + "/" + file
}

// describe says what a page is to programs that look for material to learn from
// (JSON-LD, schema.org). It is data, which no policy for scripts concerns.
func (b *builder) describe(p *source) (template.JS, error) {
	if b.in.SiteURL == "" {
		return "", nil
	}
	guide := map[string]any{"@type": "Book", "name": "Openloop", "url": b.address("index.html")}
	says := map[string]any{
		"@context": "https://schema.org", "@type": "LearningResource", "name": p.front.Title, "description": p.front.Description,
		"url": b.address(p.path), "inLanguage": "en", "isAccessibleForFree": true, "license": "https://creativecommons.org/licenses/by/4.0/", "isPartOf": guide,
	}
	if p.path == "index.html" {
		says["@type"] = []string{"LearningResource", "Book"}
		delete(says, "isPartOf")
	}
	raw, err := json.Marshal(says)
	return template.JS(raw), err
}

func embedPath(d *demo.Demo) string { return "embed/" + d.ID + ".html" }

// mapOut lists the pages for search engines. It has no dates: a build that knew
// one would not give the same bytes tomorrow.
func (b *builder) mapOut() error {
	if b.in.SiteURL == "" {
		return nil
	}
	type url struct {
		Loc string `xml:"loc"`
	}
	set := struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []url    `xml:"url"`
	}{}
	for _, p := range b.pages {
		set.URLs = append(set.URLs, url{b.address(p.path)})
	}
	raw, err := xml.MarshalIndent(set, "", " ")
	b.files[siteMap] = append(append([]byte(xml.Header), bytes.TrimSpace(raw)...), '\n')
	return err
}

// cards draws the picture of every page.
func (b *builder) cards() error {
	if b.in.SiteURL == "" {
		return nil
	}
	for _, p := range b.pages {
		place := ""
		if s := shelfOf(p.path); s != nil {
			place = s.name
		}
		title, says := p.front.Title, p.front.Description
		raw, err := b.in.Store.Do("card", func() ([]byte, error) { return card.Draw(title, says, place) }, title, says, place, card.Revision)
		if err != nil {
			return err
		}
		b.files[cardPath(p.path)] = raw
	}
	return nil
}
