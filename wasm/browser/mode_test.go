package browser

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
)

// mode is one way to host the site. enter opens a tab that stays for all pages
// of the mode and returns the function that shows a page in it.
type mode struct {
	name  string
	enter func(t testing.TB, s site) (*tab, func(tb *tab, page, hash string) frame)
}

// modes are the four ways that the design promises.
var modes = []mode{
	{"root", func(t testing.TB, s site) (*tab, func(*tab, string, string) frame) {
		return direct(t, serve(t, s.dir, "/"))
	}},
	{"sub-path", func(t testing.TB, s site) (*tab, func(*tab, string, string) frame) {
		return direct(t, serve(t, s.dir, "/a/b/"))
	}},
	{"file", func(t testing.TB, s site) (*tab, func(*tab, string, string) frame) {
		return direct(t, "file://"+s.dir+"/")
	}},
	{"sandboxed iframe", func(t testing.TB, s site) (*tab, func(*tab, string, string) frame) {
		return framed(t, serve(t, s.dir, "/"), ` sandbox="allow-scripts"`)
	}},
}

// direct shows pages at the top of the tab.
func direct(t testing.TB, base string) (*tab, func(*tab, string, string) frame) {
	t.Helper()
	return openTab(t, base), func(tb *tab, page, hash string) frame {
		tb.t.Helper()
		return tb.open(base + page + hash)
	}
}

// framed shows pages in an iframe on a page of another origin.
func framed(t testing.TB, base, attrs string) (*tab, func(*tab, string, string) frame) {
	t.Helper()
	host := hostServer(t)
	return openTab(t, base, host), func(tb *tab, page, hash string) frame {
		tb.t.Helper()
		tb.open(hosting(host, base+page+hash, attrs))
		return tb.child(base + page)
	}
}

// hosting is the address of a host's page with our page in an iframe, and
// more HTML after it.
func hosting(host, src, attrs string, more ...string) string {
	return hostBody(host, iframe(src, attrs)+strings.Join(more, ""))
}

// hostBody is the address of a host's page with this HTML in it.
func hostBody(host, body string) string { return host + "?body=" + url.QueryEscape(body) }

// attr quotes text for an HTML attribute.
func attr(s string) string { return html.EscapeString(s) }

// iframe is the element that a host writes.
func iframe(src, attrs string) string {
	return fmt.Sprintf(`<iframe src="%s" title="demo" width="1000" height="700"%s></iframe>`, attr(src), attrs)
}

// visit runs a subtest with a page shown in a mode; the tab's faults during it
// are the subtest's.
func visit(t *testing.T, tb *tab, name string, check func(t *testing.T, tb *tab)) {
	t.Helper()
	t.Run(strings.ReplaceAll(name, "/", " "), func(t *testing.T) { check(t, tb.in(t)) })
}
