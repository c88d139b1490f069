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
	"openloop/content/demo/draw"
)

// canary stands in the pasted texts for what is nobody's business.
const canary = "canary-5417"

// server reads a scrape that the parser's own tests have, of a server whose
// model is called something else.
func server(t *testing.T, file, model string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "sim", "scrape", "testdata", "cases", "m-kv-thrash", file))
	require.NoError(t, err)
	return "# " + canary + "\n" + strings.ReplaceAll(string(raw), "example/llama-13b-chat", model)
}

// pasted is what the page should show for texts in its boxes.
func pasted(t *testing.T, d *demo.Demo, texts map[string]string) words {
	t.Helper()
	s := demo.NewState(d)
	for name, text := range texts {
		next, p := s.Set(name, text)
		require.Nil(t, p)
		s = next
	}
	task, err := demo.Run(s)
	require.NoError(t, err)
	w := words{State: s, Link: s.String(), Say: draw.Sentence(task.Summary())}
	for _, f := range task.Figures() {
		at := `[data-figure="` + f.ID + `"] `
		w.Parts = append(w.Parts, part{at + "[data-table]", draw.Table(f.Table)}, part{at + "[data-notes]", draw.Notes(f.Notes, f.Pages)})
	}
	return w
}

// TestPaste pastes two scrapes and then garbage into a frame on somebody else's
// page: it says what the engine says natively, and the text gets into no link,
// message, storage or request.
func TestPaste(t *testing.T) {
	t.Parallel()
	d := find(t, "diagnose-mine")
	for _, box := range sandboxes[:2] {
		t.Run(box.name, func(t *testing.T) {
			g := invite(t, d, "", box.attr, "")
			texts := map[string]string{"paste": server(t, "scrape-1.txt", canary), "second": server(t, "scrape-2.txt", canary), "seconds": "60"}
			for _, name := range []string{"paste", "second"} {
				g.fill(g.knob(name, "[data-box]"), texts[name])
			}
			g.typeInto(g.knob("seconds", "[data-box]"), "60")
			w := pasted(t, d, texts)
			require.Contains(t, w.Say, "KV squeeze")
			require.Contains(t, w.Say, canary)
			g.shows(w)
			g.written()
			assert.Equal(t, "#v=1&seed=7&seconds=60", call[string](g.frame, `() => location.hash`))
			g.keepsToItself(t)

			g.fill(g.knob("second", "[data-box]"), "")
			g.click(g.at("[data-say]"))
			g.fill(g.knob("paste", "[data-box]"), "<html>"+canary)
			g.shows(pasted(t, d, map[string]string{"paste": "<html>" + canary, "seconds": "60"}))
			g.keepsToItself(t)
		})
	}
}

// keepsToItself looks for the canary wherever a page could have put it.
func (g guest) keepsToItself(t *testing.T) {
	t.Helper()
	assert.True(t, call[bool](g.frame, `c => [...document.querySelectorAll('textarea')].some(e => e.value.includes(c))`, canary), "it is in its box")
	for _, f := range []frame{g.frame, g.host} {
		assert.False(t, call[bool](f, `c => (location.href + document.title + JSON.stringify(history.state)).includes(c)`, canary), "a link has it")
		assert.False(t, call[bool](f, `c => { try { return (document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)).includes(c) } catch { return false } }`, canary), "a storage has it")
	}
	assert.NotZero(t, call[int](g.host, `() => got.length`), "the host hears the frame")
	assert.False(t, call[bool](g.host, `c => JSON.stringify(got).includes(c)`, canary), "a message has it")
	assert.Empty(t, g.tab.rec.sent(regexp.MustCompile(canary)), "a request has it")
}

// TestHostilePaste: names and lines of a pasted text are shown, and are no markup.
func TestHostilePaste(t *testing.T) {
	t.Parallel()
	d := find(t, "diagnose-mine")
	const evil = `</td><img src=x onerror=hacked=1><script>hacked=1</script>`
	g := invite(t, d, "", ` sandbox="allow-scripts"`, "")
	texts := map[string]string{"paste": server(t, "scrape-1.txt", evil) + evil + "\nvllm:" + evil + " 1\n"}
	g.fill(g.knob("paste", "[data-box]"), texts["paste"])
	w := pasted(t, d, texts)
	require.Contains(t, w.Say, "&lt;img")
	g.shows(w)
	g.clean(t)
	assert.Zero(t, call[int](g.frame, `() => document.querySelectorAll('td script, p script, li script').length`))
}
