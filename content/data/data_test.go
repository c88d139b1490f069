package data_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/data"
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
