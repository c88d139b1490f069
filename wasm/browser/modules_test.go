package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// twin is the site with every demo of a page but the first moved to a second
// module, which is a copy of theirs.
func twin(t *testing.T, s site, page string) site {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dist")
	require.NoError(t, os.CopyFS(dir, os.DirFS(s.dir)))
	path := filepath.Join(dir, filepath.FromSlash(page))
	html := s.source(t, page)
	of := regexp.MustCompile(`data-module="([^"]+)"`)
	module := of.FindStringSubmatch(html)[1]
	n := 0
	html = of.ReplaceAllStringFunc(html, func(attr string) string {
		if n++; n == 1 {
			return attr
		}
		return `data-module="twin"`
	})
	html = regexp.MustCompile(`"editions":\{"`+module+`":("[^"]*")`).ReplaceAllString(html, `$0,"twin":$1`)
	require.Greater(t, n, 1)
	require.NoError(t, os.WriteFile(path, []byte(html), 0o644))
	script, err := os.ReadFile(filepath.Join(dir, "assets", "modules", module+".js"))
	require.NoError(t, err)
	other := strings.Replace(string(script), `window["openloop/`+module+`"]`, `window["openloop/twin"]`, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "assets", "modules", "twin.js"), []byte(other), 0o644))
	return site{dir}
}

// TestTwoModules: a module is loaded when one of its demos is used, the demos
// of a module share a worker, and a module that dies takes no other with it.
func TestTwoModules(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	page := s.chapter(t)
	s = twin(t, s, page)
	ids := s.demos(t, page)
	require.GreaterOrEqual(t, len(ids), 3)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	tb.allow(`panic|fault|Go program|exit code`)
	f := visitPage(tb, page, "")
	modules := regexp.MustCompile(`/assets/modules/`)
	var demos [3]demoPage
	var now [3]demo.State
	use := func(i int) {
		t.Helper()
		c := changes(t, now[i])[0]
		demos[i].set(c.Knob, c.Text)
		demos[i].shows(expect(t, c.To))
		now[i] = c.To
	}
	for i := range demos {
		demos[i] = demoPage{f, find(t, ids[i])}
		demos[i].ready()
		now[i] = read(t, demos[i].demo, s.data(t, page).Demos[ids[i]].State)
	}
	for i, want := range []int{1, 2, 2} {
		use(i)
		assert.Len(t, tb.rec.sent(modules), want, "scripts of modules after the use of demo %d", i+1)
	}
	alive := `() => [...document.querySelectorAll('ol-demo')].slice(0, 3).map(d => d.session.alive).join()`
	demos[1].kill()
	demos[1].notice("engine stopped")
	demos[1].shows(expect(t, now[1]))
	assert.Equal(t, "true,true,false", call[string](f, alive), "the first demo has another worker; the last one opens itself again when it is used")
	for i := range demos {
		use(i)
	}
}
