package browser

import (
	archive "archive/zip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// exported runs openloop export on the site and returns the file, under a name
// that ends so.
func (s site) exported(t testing.TB, ending string, args ...string) string {
	t.Helper()
	tool, err := filepath.Abs(filepath.Join("..", "..", "bin", "openloop"))
	require.NoError(t, err)
	if _, err := os.Stat(tool); err != nil {
		lacking(t, "no bin/openloop: run ./build.sh build")
	}
	dir := t.TempDir()
	require.NoError(t, os.Symlink(s.dir, filepath.Join(dir, "dist")))
	file := filepath.Join(dir, "export"+ending)
	out, err := exec.Command(tool, append(append([]string{"export"}, args...), "-root", dir, "-o", file)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return file
}

// TestZipOpens unpacks the whole site and uses it by double click: a page, a
// demo and a change of a knob, with nothing asked of anybody.
func TestZipOpens(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	dir := t.TempDir()
	unpack(t, s.exported(t, ".zip", "zip"), dir)
	unpacked := site{filepath.Join(dir, "openloop")}
	assert.Equal(t, s.files(t, ""), without(unpacked.files(t, ""), "SHA256SUMS"))
	tb, visitPage := direct(t, "file://"+unpacked.dir+"/")
	tb = tb.in(t)
	page := s.chapter(t)
	p := demoPage{visitPage(tb, page, ""), find(t, s.demos(t, page)[0])}
	p.ready()
	useDemo(t, unpacked, p, page)
}

// TestSingleFileOpens opens one demo as one file from a disk: it starts, a knob
// works, a run with a clock is played, links that the engine writes are words, and
// the file itself is all that is ever asked for. One demo without a clock, one
// with, and the one with the most sources; in the long test all.
func TestSingleFileOpens(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	clocked, _ := timed(t)
	demos := []*demo.Demo{numeric(t), clocked, find(t, "capacity-planner")}
	if long() {
		demos = catalog.All()
	}
	for _, d := range demos {
		t.Run(d.ID, func(t *testing.T) {
			url := "file://" + s.exported(t, ".html", "single", "-demo", d.ID)
			tb := newTab(t, url)
			p := demoPage{tb.open(url), d}
			p.ready()
			start := read(t, d, s.data(t, embedPage(d.ID)).Demos[d.ID].State)
			p.shows(inWords(expect(t, start)))
			c := changes(t, start)[0]
			p.set(c.Knob, c.Text)
			p.shows(inWords(expect(t, c.To)))
			p.address(c.To.String())
			p.draws(t, p.state())
			assert.Empty(t, p.text(p.at("[data-notices]")))
			assert.False(t, p.has(p.at("[data-room]")), "an engine room whose picture is elsewhere")
			if p.has(p.at("[data-clock]")) {
				p.plays(t)
			}
			assert.Empty(t, call[[]string](p.frame, `() => [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')).filter((to) => !/^(#|https:)/.test(to))`), "links to files that are not there")
			p.action("embed")
			p.wait("code that names this file", `s => document.querySelector(s)?.value.includes('src="export.html#v=')`, p.at("[data-out] textarea"))
			for _, asked := range tb.rec.sent(anything) {
				assert.True(t, hasAnyPrefix(asked.URL, []string{url, "blob:", "data:"}), "asked for %s", shorten(asked.URL))
			}
		})
	}
}

var nearby = regexp.MustCompile(`<a href="\.\./[^>]*>([^<]*)</a>`)

// inWords is what a page should show without links to pages of the site.
func inWords(w words) words {
	w.Say = nearby.ReplaceAllString(w.Say, "$1")
	w.Parts = slices.Clone(w.Parts)
	for i := range w.Parts {
		w.Parts[i].HTML = nearby.ReplaceAllString(w.Parts[i].HTML, "$1")
	}
	return w
}

// plays goes back and forth in a run, then plays it.
func (p demoPage) plays(t *testing.T) {
	t.Helper()
	now := p.state()
	c := run(t, now).(demo.Timed).Clock()
	p.bar("first")
	p.moment(t, now, c.From)
	p.bar("step")
	p.moment(t, now, c.From+c.Step)
	p.bar("play")
	p.moves("after Play")
	p.bar("play")
	p.halts("after Pause", false)
	assert.Empty(t, p.text(p.at("[data-notices]")))
}

// moment waits for the run as it was at a time.
func (p demoPage) moment(t *testing.T, s demo.State, at float64) {
	t.Helper()
	s.At, s.HasAt = at, true
	p.shows(inWords(expect(t, s)))
}

func unpack(t testing.TB, file, dir string) {
	t.Helper()
	r, err := archive.OpenReader(file)
	require.NoError(t, err)
	defer r.Close()
	for _, f := range r.File {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		in, err := f.Open()
		require.NoError(t, err)
		raw, err := io.ReadAll(in)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, raw, 0o644))
	}
}

// without is a list without one of its members, which must be there.
func without(list []string, what string) []string {
	var out []string
	for _, l := range list {
		if l != what {
			out = append(out, l)
		}
	}
	return out
}
