package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lighthouseVersion is the one of the budgets: another one scores otherwise.
const lighthouseVersion = "12.2.3"

// held are the categories in which every page has to score 100; the
// performance that a busy machine shows is only reported.
var held = []string{"accessibility", "best-practices", "seo"}

// litPage is a page for wasm/glue/lighthouse/audit.mjs to look at.
type litPage struct {
	URL  string   `json:"url"`
	Skip []string `json:"skip"`
}

// lit is what it says of a page.
type lit struct {
	URL, Version, Error string
	Scores              map[string]int
	Failed              []string
}

// lighthouse looks at pages as on a phone.
func (s site) lighthouse(t testing.TB, categories, pages []string) []lit {
	t.Helper()
	folder := filepath.Join("..", "glue", "lighthouse")
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		lacking(t, "no Lighthouse: run npm ci in wasm/glue/lighthouse")
	}
	root := serve(t, s.dir, "/")
	var list []litPage
	for _, p := range pages {
		list = append(list, litPage{root + p, s.unheld(t, p)})
	}
	in, err := json.Marshal(map[string]any{"chromium": chromium(t), "categories": categories, "pages": list})
	require.NoError(t, err)
	out := node(t, in, filepath.Join(folder, "audit.mjs"))
	var got struct{ Results []lit }
	require.NoError(t, json.Unmarshal(out, &got), "%s", out)
	require.Len(t, got.Results, len(pages))
	for i, r := range got.Results {
		require.Empty(t, r.Error, pages[i])
		require.Equal(t, lighthouseVersion, r.Version)
	}
	return got.Results
}

// unheld are the audits that mean nothing for a page: one that asks search
// engines to leave it out, since it is for a frame, is left out.
func (s site) unheld(t testing.TB, page string) []string {
	if strings.Contains(s.source(t, page), `<meta name="robots" content="noindex"`) {
		return []string{"is-crawlable"}
	}
	return []string{}
}

// chromium is the path of the browser.
func chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("OPENLOOP_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	lacking(t, "no Chromium on PATH")
	return ""
}

// templates are one page of each kind: home, a chapter with demos, a page of
// data, a demo for a frame.
func (s site) templates(t testing.TB) []string {
	t.Helper()
	chapter := s.chapter(t)
	return []string{"index.html", chapter, s.dataPages(t)[0], embedPage(s.demos(t, chapter)[0])}
}

// dataPages are the pages about data sets, GPUs and models.
func (s site) dataPages(t testing.TB) []string {
	t.Helper()
	var list []string
	for _, p := range s.pages(t) {
		if strings.HasPrefix(p, "data/") {
			list = append(list, p)
		}
	}
	require.NotEmpty(t, list)
	return list
}

// TestLighthouse: a page of each kind scores 100. BenchmarkLighthouse looks at
// every page.
func TestLighthouse(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for _, r := range s.lighthouse(t, held, s.templates(t)) {
		for _, c := range held {
			assert.Equal(t, 100, r.Scores[c], "%s of %s:\n%s", c, r.URL, strings.Join(r.Failed, "\n"))
		}
	}
}

// BenchmarkLighthouse prints the scores of every page and the lowest of each
// category.
func BenchmarkLighthouse(b *testing.B) {
	s := builtSite(b)
	categories := append([]string{"performance"}, held...)
	for b.Loop() {
		pages := s.pages(b)
		low := map[string]int{}
		for i, r := range s.lighthouse(b, categories, pages) {
			b.Logf("%-44s %v", pages[i], r.Scores)
			for _, f := range r.Failed {
				b.Log(f)
			}
			for _, c := range categories {
				if n, ok := low[c]; !ok || r.Scores[c] < n {
					low[c] = r.Scores[c]
				}
			}
		}
		for _, c := range categories {
			b.ReportMetric(float64(low[c]), c)
		}
		b.ReportMetric(float64(len(pages)), "pages")
	}
}
