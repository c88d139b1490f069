package browser

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// policy is the content security policy of every page: nothing from another
// host, no inline script, the engine's WebAssembly and its Blob worker.
const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self' blob:; ` +
	`style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'`

var (
	policyMeta = regexp.MustCompile(`(?i)<meta http-equiv="Content-Security-Policy" content="([^"]*)"`)
	anyTag     = regexp.MustCompile(`<([a-zA-Z][\w-]*)((?:\s[^<>]*)?)/?>`)
	attribute  = regexp.MustCompile(`([\w:-]+)\s*=\s*"([^"]*)"`)
	schemed    = regexp.MustCompile(`^\s*([a-zA-Z][a-zA-Z0-9+.-]*:|//)`)
	cssURL     = regexp.MustCompile(`(?i)url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)`)
)

// TestPolicy reads every page as it was built: the policy is there, exactly,
// before anything that it governs; no inline script, style element or handler;
// and nothing is loaded by an address that names a scheme or a host.
func TestPolicy(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for _, page := range s.pages(t) {
		t.Run(strings.ReplaceAll(page, "/", " "), func(t *testing.T) {
			src := s.source(t, page)
			m := policyMeta.FindStringSubmatchIndex(src)
			if !assert.NotNil(t, m, "no policy") {
				return
			}
			assert.Equal(t, directives(policy), directives(html.UnescapeString(src[m[2]:m[3]])))
			for _, tag := range anyTag.FindAllStringSubmatchIndex(src, -1) {
				checkTag(t, src[tag[0]:tag[1]], strings.ToLower(src[tag[2]:tag[3]]), attributes(src[tag[4]:tag[5]]), tag[0] < m[0])
			}
		})
	}
}

// loading are the attributes by which an element loads something.
var loading = []string{"src", "srcset", "poster", "data", "xlink:href", "action", "formaction", "manifest", "background"}

func checkTag(t *testing.T, tag, name string, attrs map[string]string, early bool) {
	t.Helper()
	tag = shorten(tag)
	if early {
		assert.NotContains(t, []string{"script", "link", "img", "style", "body"}, name, "before the policy: %s", tag)
	}
	for a, v := range attrs {
		assert.False(t, strings.HasPrefix(a, "on"), "handler in %s", tag)
		loads := slices.Contains(loading, a) || a == "href" && slices.Contains([]string{"link", "use", "image"}, name) && attrs["rel"] != "canonical"
		if loads && schemed.MatchString(v) {
			assert.True(t, strings.HasPrefix(v, "data:"), "loads by a scheme: %s", tag)
		}
	}
	switch name {
	case "style":
		t.Errorf("style element: %s", tag)
	case "script":
		if attrs["src"] == "" {
			assert.Contains(t, []string{"application/json", "application/ld+json"}, attrs["type"], "inline script: %s", tag)
		}
		assert.NotEqual(t, "module", attrs["type"], "module scripts do not load from file://: %s", tag)
	case "base":
		t.Errorf("base element: %s", tag)
	}
}

func attributes(s string) map[string]string {
	m := map[string]string{}
	for _, a := range attribute.FindAllStringSubmatch(s, -1) {
		m[strings.ToLower(a[1])] = html.UnescapeString(a[2])
	}
	return m
}

// directives takes a policy apart; the order of directives and sources means nothing.
func directives(p string) map[string][]string {
	m := map[string][]string{}
	for _, d := range strings.Split(p, ";") {
		words := strings.Fields(d)
		if len(words) > 0 {
			slices.Sort(words[1:])
			m[words[0]] = words[1:]
		}
	}
	return m
}

// TestStyleSheetsLoadNothing reads every style sheet.
func TestStyleSheetsLoadNothing(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for _, name := range s.files(t, ".css") {
		for _, m := range cssURL.FindAllStringSubmatch(s.source(t, name), -1) {
			u := m[1] + m[2]
			assert.False(t, schemed.MatchString(u) && !strings.HasPrefix(u, "data:"), "%s loads %s", name, shorten(u))
		}
	}
}

// TestDataIsNoScript: what a page says of itself to search engines, as a build
// with -site-url has it, is data: the policy stops none of it, and would stop the
// same element if it were a script.
func TestDataIsNoScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, kind := range map[string]string{"data.html": "application/ld+json", "script.html": "text/javascript"} {
		page := `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(policy) + `">
<title>Policy</title><link rel="icon" href="data:,"><script src="watch.js"></script><script type="` + kind + `">{"@context": "https://schema.org"}</script></head><body></body></html>`
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "watch.js"), []byte(`window.stopped = []; addEventListener('securitypolicyviolation', e => stopped.push(e.effectiveDirective));`), 0o644))
	tb, visitPage := modes[0].enter(t, site{dir})
	tb = tb.in(t)
	tb.allow(`(?i)content security policy`)
	f := visitPage(tb, "data.html", "")
	assert.Empty(t, call[[]string](f, `() => stopped`))
	assert.Equal(t, "https://schema.org", call[string](f, `() => JSON.parse(document.querySelector('[type="application/ld+json"]').textContent)['@context']`))
	f = visitPage(tb, "script.html", "")
	assert.Equal(t, []string{"script-src-elem"}, call[[]string](f, `() => stopped`))
}
