package data_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/data"
	"openloop/content/demo/catalog"
	"openloop/content/demotest"
	"openloop/content/prose"
	"openloop/planner/profile"
	"openloop/planner/profile/dataset"
)

func pages() map[string]prose.Page {
	out := map[string]prose.Page{}
	for _, p := range data.Pages() {
		out[p.File] = p
	}
	return out
}

// Every data set has a page that says all that the registry knows, and the index
// leads to it.
func TestEveryDataSetHasAPage(t *testing.T) {
	all := pages()
	assert.Len(t, all, len(dataset.Entries())+3, "a file name is taken twice")
	for _, e := range dataset.Entries() {
		p, ok := all["data/"+prose.Anchor(e.ID)+".md"]
		if !assert.True(t, ok, e.ID) {
			continue
		}
		assert.Equal(t, e.Title, p.Title)
		assert.Contains(t, all["data/index.md"].Body, "("+prose.Anchor(e.ID)+".md)")
		assert.Equal(t, len(e.Problems), strings.Count(p.Body, "\n- ")-strings.Count(p.Body, "\n- **"), e.ID)
		assert.Contains(t, p.Body, "## Fields")
		if e.Link() != "" {
			assert.Contains(t, p.Body, e.Link())
		}
	}
}

// Each page of a data set has every part that its reader asks for, filled: who, when, in
// which engine and version, under which license, where; and its rows have sources where
// they have several.
func TestEveryPageHasEveryPart(t *testing.T) {
	all := pages()
	version := regexp.MustCompile(`[0-9]+\.[0-9]+`)
	for _, e := range dataset.Entries() {
		body := all["data/"+prose.Anchor(e.ID)+".md"].Body
		for _, part := range []string{"By whom", "When", "Engine", "License", "Source", "Content", "Used for"} {
			assert.True(t, regexp.MustCompile(`\| \*\*`+strings.ReplaceAll(part, " ", ".{1,6}")+`\*\* \| [^|\n]{3,} \|`).MatchString(body), "%s: %s", e.ID, part)
		}
		for _, head := range []string{"## Fields", "## Known problems", "## Our fit"} {
			if e.Kind != dataset.Derived || head != "## Our fit" {
				assert.Contains(t, body, head, e.ID)
			}
		}
		assert.Truef(t, version.MatchString(e.Engine) || strings.Contains(e.Engine, dataset.NotStated) || e.Kind == dataset.Derived, "%s: which version of %s?", e.ID, e.Engine)
		if e.License == "" && e.Kind != dataset.Derived {
			assert.Contains(t, body, "## Sources", e.ID)
			for _, s := range e.Sources {
				assert.NotEmpty(t, s.License, s.Title)
				assert.Contains(t, body, s.Link())
				assert.Truef(t, version.MatchString(s.Engine) || strings.Contains(s.Engine, dataset.NotStated), s.Title)
			}
		}
	}
}

// The page of all fits names as its source each data set whose page shows one, and no
// list of data sets.
func TestFitsLeadToTheirData(t *testing.T) {
	all := pages()
	source := regexp.MustCompile(`\| \*\*Source\*\* \| (.*) \|`).FindStringSubmatch(all["data/derived-fits.md"].Body)[1]
	assert.NotContains(t, source, "index.md")
	for _, e := range dataset.Entries() {
		page := prose.Anchor(e.ID) + ".md"
		_, fit, _ := strings.Cut(all["data/"+page].Body, "## Our fit")
		fits := e.Kind != dataset.Derived && e.ID != "published_results" && strings.Contains(fit, ":::figure")
		assert.Equal(t, fits, strings.Contains(source, "]("+page+")"), e.ID)
	}
}

// What was fitted is shown with what the fit misses; else the page says that nothing
// was, or that it gathers the fits of others.
func TestEveryFitHasItsPicture(t *testing.T) {
	all := pages()
	with, figure := 0, regexp.MustCompile(`:::figure ([a-z-]+)`)
	for _, e := range dataset.Entries() {
		body := all["data/"+prose.Anchor(e.ID)+".md"].Body
		_, fit, _ := strings.Cut(body, "## Our fit")
		switch {
		case e.Kind == dataset.Derived:
			assert.Contains(t, body, "Pages with fits")
		case strings.Contains(fit, "Nothing was fitted to it: "):
			assert.NotRegexp(t, figure, fit, e.ID)
		default:
			with++
			assert.Regexp(t, figure, fit, e.ID)
		}
	}
	assert.Equal(t, 6, with)
	for _, c := range profile.Calibrations() {
		assert.Regexp(t, figure, all["data/"+prose.Anchor(c.Dataset)+".md"].Body, c.Dataset)
	}
}

// Each GPU and each model has one anchor, and each of its numbers a source.
func TestEveryNumberHasASource(t *testing.T) {
	all := pages()
	gpus, models := all["data/gpus.md"].Body, all["data/models.md"].Body
	for _, g := range profile.GPUs() {
		assert.Equal(t, 1, strings.Count(gpus, "{#"+prose.Anchor(g.ID)+"}"), g.ID)
	}
	for _, m := range profile.Models() {
		assert.Equal(t, 1, strings.Count(models, "{#"+prose.Anchor(m.ID)+"}"), m.ID)
	}
	assert.Equal(t, 1, strings.Count(gpus, "no source of its own"), "PCIe 4 x16 of the RTX 4090, as the facts have it")
	for name, body := range map[string]string{"gpus": gpus, "models": models} {
		for line := range strings.SplitSeq(body, "\n") {
			cells := strings.Split(line, " | ")
			if len(cells) != 3 || strings.HasPrefix(line, "| Property") || strings.HasPrefix(line, "|---") {
				continue
			}
			source := strings.TrimSpace(strings.TrimSuffix(cells[2], " |"))
			if !strings.HasPrefix(cells[1], "unknown") {
				assert.NotEmpty(t, strings.Trim(source, "| "), "%s: %s", name, line)
			}
		}
	}
}

// Whatever GPU and model the planner is asked about, it leads to what is known of
// them, and so do the steps that were measured and the check by simulation.
func TestPlannerLeadsToThePages(t *testing.T) {
	all := pages()
	lead := func(id, link string, least int) {
		t.Helper()
		_, task := demotest.Run(t, demotest.Find(t, catalog.All(), id), link)
		n := 0
		look := func(path string) {
			if path == "" {
				return
			}
			n++
			file, anchor, _ := strings.Cut(path, "#")
			if strings.HasPrefix(file, "guide/") { // a chapter, which the check of links looks after
				return
			}
			p, ok := all[strings.TrimSuffix(file, ".html")+".md"]
			if assert.True(t, ok, "%s of %s", path, link) && anchor != "" {
				assert.Contains(t, p.Body, "{#"+anchor+"}", link)
			}
		}
		for _, f := range task.Figures() {
			for _, p := range f.Pages {
				look(p.Path)
			}
			for _, s := range f.Steps {
				for _, term := range s.Terms {
					look(term.Page)
				}
			}
		}
		assert.GreaterOrEqual(t, n, least, link)
	}
	for _, g := range profile.GPUs() {
		lead("capacity-planner", "plan=shown&model=llama-3.1-8b&tp=1&tpot=0&ttft=0&weights=int4&gpu="+g.ID, 8)
	}
	for _, m := range profile.Models() {
		lead("capacity-planner", "plan=shown&gpu=b200-sxm&tp=32&tpot=0&ttft=0&model="+m.ID, 8)
	}
	lead("capacity-planner", "plan=shown&efficiency=measured&model=llama-3.1-8b&tp=1", 8)
	lead("capacity-planner", "plan=shown&cache=mooncake-synthetic", 9)
	lead("plan-check", "fleet=code-completion", 3)
}

// Links between the pages lead to pages that are there, and to figures that are.
func TestLinksLeadSomewhere(t *testing.T) {
	all := pages()
	figures := map[string]bool{}
	for _, f := range prose.Figures() {
		figures[f.ID] = true
	}
	near := regexp.MustCompile(`\]\(([a-z0-9-]+\.md)`)
	headless := regexp.MustCompile(`\n?\|[^\n]*\|  \|[^\n]*\n\|---`) // which axe refuses
	fence := regexp.MustCompile(`:::figure ([a-z-]+)`)
	for _, p := range all {
		for _, m := range near.FindAllStringSubmatch(p.Body, -1) {
			assert.Contains(t, all, "data/"+m[1], p.File)
		}
		assert.False(t, headless.MatchString(p.Body), "%s: a head of a table is empty", p.File)
		for _, m := range fence.FindAllStringSubmatch(p.Body, -1) {
			assert.True(t, figures[m[1]], m[1])
		}
		if strings.Contains(p.Body, "../guide/36-how-wrong.md") {
			_, err := os.Stat("../guide/36-how-wrong.md")
			assert.NoError(t, err)
		}
	}
}
