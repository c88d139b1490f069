// Package check looks at the finished site as a browser would: every page is
// parsed, every link followed, every size weighed. The build refuses to replace
// a good site by one with a problem.
//
// The checks see only files, so that they can be run on any folder that claims
// to be the site. They do not run scripts; the browser tests do.
package check

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Site returns what is wrong with the site in fsys, sorted; nothing if it is
// fine.
func Site(fsys fs.FS) ([]string, error) {
	pages := map[string]*page{}
	files := map[string]int64{}
	texts := map[string][]byte{} // in Markdown
	var problems []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files[name] = info.Size()
		kind := path.Ext(name)
		if kind != ".html" && kind != ".md" && name != introduction {
			return nil
		}
		raw, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if kind != ".html" {
			texts[name] = raw
			return nil
		}
		p, err := parse(raw)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: not well formed: %v", name, err))
			return nil
		}
		pages[name] = p
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the site: %w", err)
	}
	if len(pages) == 0 {
		return []string{"there is no page"}, nil
	}
	for name, p := range pages {
		for _, problem := range append(slices.Clip(p.problems), links(name, p, pages, files)...) {
			problems = append(problems, name+": "+problem)
		}
		for _, m := range p.modules {
			if script := modulesDir + m + ".js"; files[script] == 0 {
				problems = append(problems, fmt.Sprintf("%s: a demo needs the module %q: there is no %s", name, m, script))
			}
		}
	}
	for name, raw := range texts {
		for _, to := range markdownLinks(raw) {
			if what := follow(name, link{tag: "a", to: to}, pages, files); what != "" {
				problems = append(problems, fmt.Sprintf("%s: link to %s: %s", name, to, what))
			}
		}
	}
	sort.Strings(problems)
	return problems, nil
}

// introduction is the list of the pages in Markdown.
const introduction = "llms.txt"

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// markdownLinks are the addresses in a text of Markdown, without their
// fragments where they lead to such a text: it has no ids.
func markdownLinks(raw []byte) []string {
	var out []string
	for _, m := range markdownLink.FindAllSubmatch(raw, -1) {
		to := string(m[1])
		if file, _, _ := strings.Cut(to, "#"); path.Ext(file) == ".md" {
			to = file
		}
		if !strings.HasPrefix(to, "#") {
			out = append(out, to)
		}
	}
	return out
}

// links follows every address of a page.
func links(name string, p *page, pages map[string]*page, files map[string]int64) []string {
	var out []string
	for _, l := range p.links {
		if what := follow(name, l, pages, files); what != "" {
			out = append(out, fmt.Sprintf("<%s %s=%q>: %s", l.tag, l.attr, l.to, what))
		}
	}
	return out
}

func follow(from string, l link, pages map[string]*page, files map[string]int64) string {
	to := l.to
	switch {
	case to == "":
		return "is empty"
	case strings.HasPrefix(to, "data:"):
		return ""
	case strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://") || strings.HasPrefix(to, "mailto:"):
		if l.tag == "a" || l.rel == "canonical" {
			return "" // a source to read, or where we are; nothing is fetched
		}
		return "asks another host"
	case strings.HasPrefix(to, "/"):
		return "begins with a slash; it would fail under a sub-path and from file://"
	case scheme(to):
		return "has a scheme that a page does not use"
	}
	file, fragment, _ := strings.Cut(to, "#")
	target := from
	if file != "" {
		target = path.Join(path.Dir(from), file)
		if _, ok := files[target]; !ok {
			return "there is no " + target
		}
	}
	if state, ok := strings.CutPrefix(fragment, "demo="); ok {
		id, _, _ := strings.Cut(state, "&") // the demo reads the rest
		fragment = "demo-" + id
	} else if strings.HasPrefix(fragment, "v=") {
		return "" // the only demo of the page reads it
	}
	if t := pages[target]; fragment != "" && (t == nil || !t.ids[fragment]) {
		return "there is no #" + fragment + " in " + target
	}
	return ""
}

func scheme(to string) bool {
	i := strings.IndexAny(to, ":/?#")
	return i > 0 && to[i] == ':'
}
