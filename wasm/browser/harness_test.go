package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fixture writes a one-page site and returns its folder.
func fixture(t *testing.T, body string) string {
	t.Helper()
	dir := t.TempDir()
	page := `<!doctype html><html lang="en"><meta charset="utf-8"><title>fixture</title><link rel="icon" href="data:,">` + body
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o644))
	return dir
}

// TestHarnessCatches shows that each fault which every other test relies on
// being noticed is noticed.
func TestHarnessCatches(t *testing.T) {
	t.Parallel()
	worker := func(body string) string {
		return `<script>new Worker(URL.createObjectURL(new Blob([` + "`" + body + "`" + `])))</script>`
	}
	for _, c := range []struct{ name, body, want string }{
		{"console error", `<script>console.error('bad thing')</script>`, "bad thing"},
		{"exception", `<script>throw new Error('thrown')</script>`, "thrown"},
		{"rejected promise", `<script>Promise.reject(new Error('rejected'))</script>`, "rejected"},
		{"exception in a worker", worker(`throw new Error('in worker')`), "in worker"},
		{"console error in a worker", worker(`console.error('said in worker')`), "said in worker"},
		{"foreign host", `<img alt="" src="http://127.0.0.2:9/x.png">`, "foreign request: http://127.0.0.2:9/x.png"},
		{"foreign protocol", `<script>new WebSocket('ws://127.0.0.1:9/')</script>`, "foreign request: ws://127.0.0.1:9/"},
		{"missing file", `<script src="none.js"></script>`, "status 404"},
		{"policy", `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><p style="color:red">x</p>`, policyMark},
		{"fault in a frame", `<iframe title="f" srcdoc="<script>console.error('in frame')</script>"></iframe>`, "in frame"},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := serve(t, fixture(t, c.body), "/")
			tb := openTab(t, url)
			tb.open(url)
			tb.until("the fault "+c.want, func() bool { return strings.Contains(strings.Join(tb.trouble(), "\n"), c.want) })
			tb.allow(`.`)
			for _, f := range tb.trouble() {
				assert.True(t, strings.HasPrefix(f, "foreign request"), "not allowed: %s", f)
			}
		})
	}
}

// TestHarnessSeesFrames shows that clicks, keys and JavaScript reach a
// document that a host of another origin has put into a sandbox.
func TestHarnessSeesFrames(t *testing.T) {
	t.Parallel()
	url := serve(t, fixture(t, `<input id="a"><button onclick="a.value += ' clicked'">b</button>`), "/")
	for _, s := range sandboxes {
		t.Run(s.name, func(t *testing.T) {
			host := hostServer(t)
			tb := newTab(t, url, host)
			top := tb.open(hosting(host, url, s.attr+` style="margin:150px"`))
			f := tb.child(url)
			f.fill("#a", "typed")
			f.click("button")
			f.wait("the click", `() => document.querySelector('#a').value === 'typed clicked'`)
			call[bool](f, `() => { parent.postMessage({hello: 1}, '*'); return true }`)
			top.wait("the message", `() => got.some(m => m.data.hello === 1 && m.from === 0)`)
			assert.Equal(t, s.attr == ` sandbox="allow-scripts"`, call[string](f, `() => self.origin`) == "null", "an opaque origin in a sandbox and only there")
		})
	}
}
