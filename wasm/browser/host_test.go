package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A host is somebody else's page that embeds ours: another origin (its own
// port), no policy, and a script that keeps every message it gets.
const hostTop = `<!doctype html><html lang="en"><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">
<script>
const got = [];
addEventListener('message', e => got.push({data: e.data, origin: e.origin,
	from: [...document.querySelectorAll('iframe')].findIndex(f => f.contentWindow === e.source)}));
</script>
<body>`

// sandboxes are the ways in which hosts frame us: the value of the sandbox
// attribute, or none.
var sandboxes = []struct{ name, attr string }{
	{"no sandbox", ""},
	{"sandboxed", ` sandbox="allow-scripts"`},
	{"sandboxed same origin", ` sandbox="allow-scripts allow-same-origin"`},
}

// hostServer serves host pages; the query's body is the HTML around which one
// is made.
func hostServer(t testing.TB) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, hostTop+r.URL.Query().Get("body"))
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}
