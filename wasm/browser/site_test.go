package browser

import (
	"encoding/json"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// site is a built site: the folder that build.sh writes.
type site struct{ dir string }

// builtSite finds the site to test, or ends the test.
func builtSite(t testing.TB) site {
	t.Helper()
	dir := os.Getenv("OPENLOOP_DIST")
	if dir == "" {
		dir = filepath.Join("..", "..", "dist")
	}
	dir, err := filepath.Abs(dir)
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		lacking(t, "no built site at "+dir+": run ./build.sh build, or set OPENLOOP_DIST")
	}
	return site{dir}
}

// pages lists every HTML page, as a path below the site, sorted. The document of
// the engine room is none: it is loaded into a frame of a page, when asked for.
func (s site) pages(t testing.TB) []string {
	t.Helper()
	return slices.DeleteFunc(s.files(t, ".html"), func(p string) bool { return p == "scene.html" })
}

// files lists every file with an ending, as a path below the site, sorted.
func (s site) files(t testing.TB, ending string) []string {
	t.Helper()
	var list []string
	require.NoError(t, filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ending) {
			rel, _ := filepath.Rel(s.dir, p)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	}))
	sort.Strings(list)
	require.NotEmpty(t, list, "files %s in %s", ending, s.dir)
	return list
}

// source is the HTML of a page as it was built.
func (s site) source(t testing.TB, page string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(page)))
	require.NoError(t, err)
	return string(b)
}

var demoAttr = regexp.MustCompile(`<ol-demo[^>]*\sdata-demo="([^"]+)"`)

// demos lists the ids of the demos on a page, in order.
func (s site) demos(t testing.TB, page string) []string {
	t.Helper()
	var ids []string
	for _, m := range demoAttr.FindAllStringSubmatch(s.source(t, page), -1) {
		ids = append(ids, html.UnescapeString(m[1]))
	}
	return ids
}

// withDemos lists the pages that hold at least one demo.
func (s site) withDemos(t testing.TB) []string {
	t.Helper()
	var list []string
	for _, p := range s.pages(t) {
		if len(s.demos(t, p)) > 0 {
			list = append(list, p)
		}
	}
	require.NotEmpty(t, list, "pages with demos")
	return list
}

// chapter is a page with several demos, on which links must name theirs.
func (s site) chapter(t testing.TB) string {
	t.Helper()
	for _, p := range s.withDemos(t) {
		if len(s.demos(t, p)) > 1 {
			return p
		}
	}
	t.Fatal("no page has more than one demo")
	return ""
}

// embedded says whether a page is the page of a single demo for an iframe.
func embedded(page string) bool {
	return strings.HasPrefix(page, "embed/") && page != "embed/index.html"
}

// embedPage is the page of one demo for an iframe.
func embedPage(demo string) string { return "embed/" + demo + ".html" }

// lazy matches what a page must not ask for before somebody uses a demo.
var lazy = regexp.MustCompile(`/assets/(modules/|(chart|clock)\b)[^/]*\.js|\.wasm`)

// sceneFiles matches what only an engine room that somebody opens asks for.
var sceneFiles = regexp.MustCompile(`/scene\.html|/assets/scene`)

// driver matches the script that drives demos.
var driver = regexp.MustCompile(`/assets/demo\.js`)

// anything matches every address.
var anything = regexp.MustCompile(``)

// pageData is what a page tells its scripts.
type pageData struct {
	Assets string `json:"assets"`
	Chart  string `json:"chart"`
	Demos  map[string]struct {
		State string `json:"state"` // where the page opens the demo
		Embed string `json:"embed"`
	} `json:"demos"`
}

var dataScript = regexp.MustCompile(`(?s)<script type="application/json" id="ol-page">(.*?)</script>`)

// data reads a page's data.
func (s site) data(t testing.TB, page string) pageData {
	t.Helper()
	m := dataScript.FindStringSubmatch(s.source(t, page))
	require.NotNil(t, m, "%s has no data for its demos", page)
	var d pageData
	require.NoError(t, json.Unmarshal([]byte(m[1]), &d), page)
	return d
}
