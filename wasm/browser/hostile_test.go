package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
)

// What goes wrong around a demo: files that are missing or cut off, an engine
// that dies at work, several frames on one page, messages to the picture. Each
// ends in words and a page that works. Other hostile tests are in link_test.go
// (addresses), embed_test.go (messages) and recovery_test.go (a dead engine).

// damage is what a host has done to files: by their path below the site, how much
// of each is left, 0 to 1; 0 is a file that is not there.
type damage struct {
	mu   sync.Mutex
	left map[string]float64
}

func (d *damage) do(file string, left float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = map[string]float64{file: left}
}

// heal brings all files back.
func (d *damage) heal() { d.do("", 0) }

// serve serves the site with its damage.
func (d *damage) serve(t testing.TB, s site) string {
	t.Helper()
	whole := zipped(s.dir)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file := strings.TrimPrefix(r.URL.Path, "/")
		d.mu.Lock()
		left, hurt := d.left[file]
		d.mu.Unlock()
		switch {
		case !hurt:
			whole.ServeHTTP(w, r)
		case left == 0:
			http.NotFound(w, r)
		default:
			b, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(file)))
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(b[:int(left*float64(len(b)))])
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

// TestDamagedFiles: a page whose host has lost a file, or half of it, says which
// and, once the file is back, works without being loaded again.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	d := numeric(t)
	start := read(t, d, "v=1&seed=3")
	to := stepped(t, start, 1)
	var hurt damage
	base := hurt.serve(t, s)
	tb := openTab(t, base)
	module := "assets/modules/" + moduleOf(d) + ".js"
	for _, c := range []struct {
		name, file string
		left       float64
		says       []string
	}{
		{"no engine", module, 0, []string{"engine could not start", "could not be loaded"}},
		{"half an engine", module, 0.5, []string{"engine could not start", "is not what it should be"}},
		{"no charts", "assets/chart.js", 0, []string{"chart could not be drawn", "chart.js could not be loaded"}},
		{"half the charts", "assets/chart.js", 0.5, []string{"chart could not be drawn", "is not what it should be"}},
	} {
		visit(t, tb, c.name, func(t *testing.T, tb *tab) {
			tb.allow(`.`)
			hurt.do(c.file, c.left)
			p := demoPage{tb.open(base + embedPage(d.ID) + "#" + start.String()), d}
			p.ready()
			p.notice(c.says...)
			hurt.heal()
			p.typeInto(p.knob(knobOf(d).Name, "[data-box]"), knobText(to))
			p.shows(expect(t, to))
			p.draws(t, to)
		})
	}
	for _, page := range []string{embedPage(d.ID), s.chapter(t)} {
		visit(t, tb, "no script of demos on "+page, func(t *testing.T, tb *tab) {
			tb.allow(`.`)
			hurt.do("assets/demo.js", 0)
			f := tb.open(base + page)
			f.wait("the demo to be there", `() => !!document.querySelector('ol-demo')`)
			call[bool](f, `() => document.querySelector('ol-demo').dispatchEvent(new Event('pointerover', {bubbles: true}))`)
			f.wait("words about it", `() => document.querySelector('[data-notices]').textContent.includes('demo.js could not be loaded')`)
			assert.NotEmpty(t, call[string](f, `() => document.querySelector('[data-say]').textContent`), "the page can still be read")
		})
	}
	hurt.heal()
}

// TestDamagedPage: a page whose own script has not come says that nothing works, as
// soon as it would have; a search without its index says so in its list.
func TestDamagedPage(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	var hurt damage
	base := hurt.serve(t, s)
	tb := openTab(t, base)
	tb.in(t).allow(`.`)
	tb.allow(`.`)
	seen := `() => { const e = document.querySelector('.unscripted'); return !!e && getComputedStyle(e).visibility === 'visible' && e.getBoundingClientRect().height > 0 }`
	for _, page := range []string{embedPage(numeric(t).ID), s.chapter(t)} {
		hurt.do("assets/page.js", 0)
		tb.open(base+page).wait("words about the script on "+page, seen)
		hurt.heal()
		f := tb.open(base + page)
		f.wait("the script to take them away", `() => !document.querySelector('.unscripted')`)
	}
	hurt.do("assets/search.js", 0.5)
	f := tb.open(base + s.chapter(t))
	f.focusOn("[data-find]")
	tb.press("k")
	f.wait("words about the search", `() => { const e = document.querySelector('#found'); return !e.hidden && e.textContent.includes('search.js') }`)
}

// TestOldModule: a module that a browser has kept from another edition gives no
// numbers, but words.
func TestOldModule(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	d := numeric(t)
	whole := zipped(s.dir)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/assets/modules/") {
			whole.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(strings.Replace(s.source(t, r.URL.Path[1:]), `,edition:"`, `,edition:"x`, 1)))
	}))
	defer srv.Close()
	tb := openTab(t, srv.URL+"/")
	tb.allow(`.`)
	p := demoPage{tb.open(srv.URL + "/" + embedPage(d.ID)), d}
	p.ready()
	c := changes(t, demo.NewState(d))[0]
	p.set(c.Knob, c.Text)
	p.notice("is of another edition than this page", "reload the page")
}

// TestWithoutWebGL: the words say why there is no picture and go on saying it,
// while the run goes on.
func TestWithoutWebGL(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	d := find(t, "step-trace")
	whole := zipped(s.dir)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/assets/scene.js" {
			whole.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte("HTMLCanvasElement.prototype.getContext = () => null;\n" + s.source(t, "assets/scene.js")))
	}))
	defer srv.Close()
	tb := openTab(t, srv.URL+"/")
	tb.in(t).allow(`.`)
	tb.allow(`.`)
	state := read(t, d, "v=1&at=20")
	p := demoPage{tb.open(srv.URL + "/" + embedPage(d.ID) + "#" + state.String()), d}
	p.ready()
	p.shows(expect(t, state))
	p.action("room")
	says := `s => document.querySelector(s).textContent.startsWith('The picture cannot be drawn here')`
	p.wait("the room in words", `s => document.querySelector(s).textContent.startsWith('At 20 ms ')`, p.at("[data-room-says]"))
	p.wait("words about the picture", says, p.at("[data-room-state]"))
	p.bar("step")
	p.wait("the room a step later", `s => document.querySelector(s).textContent.startsWith('At 30 ms ')`, p.at("[data-room-says]"))
	p.idle()
	assert.True(t, call[bool](p.frame, says, p.at("[data-room-state]")), "the reason is gone")
	assert.False(t, p.visible(p.at(".room-key")), "a key to nothing")
}

// TestDamagedClockAndRoom: without the bar's script the run is shown; without a
// file of the picture its words are. Closed and opened again, the picture is
// there. What is no order does nothing to it.
func TestDamagedClockAndRoom(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	d := find(t, "step-trace")
	var hurt damage
	base := hurt.serve(t, s)
	tb := openTab(t, base)
	tb.in(t).allow(`.`)
	tb.allow(`.`)
	tb.size(480, 700)
	defer send(tb, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	state := read(t, d, "v=1&at=20")
	hurt.do("assets/clock.js", 0)
	p := demoPage{tb.open(base + embedPage(d.ID) + "#" + state.String()), d}
	p.ready()
	p.notice("cannot be played", "clock.js could not be loaded")
	p.shows(expect(t, state))

	type hurtFile struct {
		file string
		left float64
	}
	list := []hurtFile{{"assets/scene.js", 0}, {"assets/scene-engine.js", 0.5}}
	if long() {
		list = append(list, hurtFile{"scene.html", 0}, hurtFile{"assets/scene.js", 0.5}, hurtFile{"assets/scene-engine.js", 0})
	}
	for _, c := range list {
		hurt.do(c.file, c.left)
		p.action("room")
		p.wait("words about "+c.file, `s => document.querySelector(s).textContent.startsWith('The picture cannot be drawn here')`, p.at("[data-room-state]"))
		p.wait("the room in words", `s => document.querySelector(s).textContent.startsWith('At 20 ms ')`, p.at("[data-room-says]"))
		p.action("room-close")
	}
	hurt.heal()
	scene := p.enterRoom()
	before := rests(scene)
	for _, order := range hostileOrders {
		call[bool](p.frame, `() => { document.querySelector('.room-frame').contentWindow.postMessage(`+order+`, '*'); window.postMessage(`+order+`, '*'); return true }`)
	}
	p.bar("step")
	scene.wait("the picture to be drawn", `n => openloopScene.frames > n`, before)
	p.wait("the room a step later", `s => document.querySelector(s).textContent.startsWith('At 30 ms ')`, p.at("[data-room-says]"))
	assert.Empty(t, p.text(p.at("[data-room-state]")))
}

// hostileOrders are messages to the picture and to the demo around it.
var hostileOrders = []string{
	`null`, `'room'`, `{openloop: 'toString'}`, `{openloop: '__proto__'}`, `{openloop: 'room'}`, `{openloop: 'room', nums: 'x'}`, `{openloop: 'room', nums: {length: 1e9}}`,
	`{openloop: 'room', nums: new Float64Array(3)}`, `{openloop: 'room', nums: new Float64Array(1000).fill(NaN)}`, `{openloop: 'look', colors: new Float64Array(2)}`, `{openloop: 'look'}`,
	`{openloop: 'mark', request: 1e300}`, `{openloop: 'mark', request: 'x'}`, `{openloop: 'shown'}`, `{openloop: 'shown', on: {}}`,
	`{openloop: 'pick', request: -7}`, `{openloop: 'failed', text: {}}`, `{openloop: 'ready'}`,
}

// TestTwoEmbeds puts two demos of one kind on a page of somebody else: each has
// its settings, and when the engine of one dies at work the other does not notice.
func TestTwoEmbeds(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	base := serve(t, builtSite(t).dir, "/")
	host := hostServer(t)
	tb := newTab(t, base, host)
	tb.allow(`panic|fault|Go program|exit code`)
	states := [2]demo.State{read(t, d, "v=1&seed=11"), read(t, d, "v=1&seed=12")}
	frames := ""
	for _, s := range states {
		frames += iframe(base+embedPage(d.ID)+"#"+s.String(), ` sandbox="allow-scripts"`)
	}
	tb.open(hostBody(host, frames))
	a, b := demoPage{tb.child(states[0].String()), d}, demoPage{tb.child(states[1].String()), d}
	for i, p := range []demoPage{a, b} {
		p.ready()
		p.shows(expect(t, states[i]))
	}
	next := stepped(t, states[0], 1)
	a.typeInto(a.knob(knobOf(d).Name, "[data-box]"), knobText(next))
	a.shows(expect(t, next))
	b.shows(expect(t, states[1]))
	a.action("seeds") // thirty runs, in the middle of which the engine dies
	a.kill()
	a.notice("engine stopped", "settings are kept")
	a.shows(expect(t, next))
	assert.Empty(t, b.text(b.at("[data-notices]")))
	last := stepped(t, states[1], 2)
	b.typeInto(b.knob(knobOf(d).Name, "[data-box]"), knobText(last))
	b.shows(expect(t, last))
}
