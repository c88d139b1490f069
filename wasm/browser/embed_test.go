package browser

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// guest is a demo in an iframe on a host's page of another origin.
type guest struct {
	demoPage
	host frame // the host's page; its array got keeps what it heard
	url  string
}

// invite frames a demo's embed page; more is HTML of the host after the frame.
func invite(t *testing.T, d *demo.Demo, link, attrs, more string) guest {
	t.Helper()
	base := serve(t, builtSite(t).dir, "/site/")
	host := hostServer(t)
	tb := newTab(t, base, host)
	url := base + embedPage(d.ID)
	src := url
	if link != "" {
		src += "#" + link
	}
	top := tb.open(hosting(host, src, attrs, more))
	g := guest{demoPage{tb.child(url), d}, top, url}
	g.ready()
	return g
}

// hears waits until the host got a message for which a JavaScript test of m,
// its data, holds.
func (g guest) hears(what, test string) {
	g.tab.t.Helper()
	g.host.wait("the host to hear "+what, `() => got.some(({data: m, from}) => from === 0 && m && (`+test+`))`)
}

// tell posts a message from the host to the demo.
func (g guest) tell(data string) {
	g.tab.t.Helper()
	call[bool](g.host, `() => { document.querySelector('iframe').contentWindow.postMessage(`+data+`, '*'); return true }`)
}

// height is how high the document in the frame is, in CSS pixels, rounded up.
func (g guest) height() int {
	g.tab.t.Helper()
	return call[int](g.frame, `() => Math.ceil(document.documentElement.getBoundingClientRect().height)`)
}

// lastHeight is the newest height that the host heard.
const lastHeight = `() => got.filter(m => m.data?.subject === 'lti.frameResize').at(-1)?.data.height`

// TestResize opens and closes a part of the demo in every kind of frame: the
// host hears of each height, larger and smaller.
func TestResize(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	for _, box := range sandboxes {
		t.Run(box.name, func(t *testing.T) {
			g := invite(t, d, "", box.attr, "")
			same := func(what string) int {
				h := g.height()
				g.host.wait("the host to hear the height "+what, `h => Math.abs((`+lastHeight+`)() - h) < 3`, h)
				return h
			}
			before := same("at first")
			g.click(g.at(".demo-limits > summary"))
			g.wait("the text to open", `h => document.documentElement.getBoundingClientRect().height > h + 8`, before)
			opened := same("after more text")
			g.click(g.at(".demo-limits > summary"))
			g.wait("the text to close", `h => document.documentElement.getBoundingClientRect().height < h - 8`, opened)
			assert.InDelta(t, before, same("after less text"), 2)
		})
	}
}

// TestH5PResizer plays the host's half of the handshake that h5p-resizer.js speaks.
func TestH5PResizer(t *testing.T) {
	t.Parallel()
	g := invite(t, numeric(t), "", sandboxes[0].attr, "")
	g.hears("hello", `m.context === 'h5p' && m.action === 'hello'`)
	g.tell(`{context: 'h5p', action: 'hello'}`)
	g.hears("prepareResize", `m.context === 'h5p' && m.action === 'prepareResize' && m.scrollHeight > 0 && m.clientHeight > 0`)
	g.tell(`{context: 'h5p', action: 'resizePrepared'}`)
	g.hears("resize", `m.context === 'h5p' && m.action === 'resize' && Math.abs(m.scrollHeight - `+strconv.Itoa(g.height())+`) < 3`)
}

// betting is a demo that asks for a bet.
func betting(t testing.TB) *demo.Demo {
	t.Helper()
	for _, d := range catalog.All() {
		if d.Bet != nil {
			return d
		}
	}
	t.Fatal("no demo asks for a bet")
	return nil
}

// TestScore bets in a sandboxed frame, once right and once wrong: the host
// hears a score in the shape of the SPLICE protocol, with the state.
func TestScore(t *testing.T) {
	t.Parallel()
	d := betting(t)
	reveal, problems := demo.Parse(d, d.Bet.Reveal)
	require.Empty(t, problems)
	task, err := demo.Run(reveal)
	require.NoError(t, err)
	right := d.Bet.Answer(task)
	for name, option := range map[string]int{"right": right, "wrong": (right + 1) % len(d.Bet.Options)} {
		t.Run(name, func(t *testing.T) {
			_, score, err := demo.Score(reveal, task, option)
			require.NoError(t, err)
			g := invite(t, d, "", ` sandbox="allow-scripts"`, "")
			g.click(g.at(fmt.Sprintf("[data-bet-option=\"%d\"]", option)))
			g.shows(expect(t, reveal))
			g.hears("the score", `m.subject === 'SPLICE.reportScoreAndState' && typeof m.message_id === 'string' && m.score === `+strconv.Itoa(int(score)))
			state := call[string](g.host, `() => { const s = got.find(m => m.data?.subject === 'SPLICE.reportScoreAndState').data.state; return typeof s === 'string' ? s : s.link }`)
			marked := reveal
			marked.Engine = demo.EngineVersion // the link says who marked it
			assert.Equal(t, marked.String(), state)
			g.wait("the answer beside the bet", `(s, says) => document.querySelector(s).textContent.includes(says)`, g.at("[data-bet-result]"), d.Bet.Feedback[option])
		})
	}
}

// TestResumes gives back a state that the host has kept, and refuses one from
// a frame that is not the host.
func TestResumes(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	kept := stepped(t, read(t, d, "v=1&seed=77"), 1)
	answer := `{subject: 'SPLICE.getState.response', message_id: got.find(m => m.data?.subject === 'SPLICE.getState').data.message_id, state: {link: ` + strconv.Quote(kept.String()) + `}}`
	t.Run("from the host", func(t *testing.T) {
		g := invite(t, d, "", ` sandbox="allow-scripts"`, "")
		g.hears("the question", `m.subject === 'SPLICE.getState'`)
		g.tell(answer)
		g.shows(expect(t, kept))
	})
	t.Run("from a sibling", func(t *testing.T) {
		g := invite(t, d, "", ` sandbox="allow-scripts"`, sibling)
		g.hears("the question", `m.subject === 'SPLICE.getState'`)
		g.siblingTells(t, answer)
		g.untouched(t)
	})
}

// sibling is another frame of the host that passes on what it is told to.
const sibling = `<iframe title="sibling" srcdoc="<script>onmessage = e => { parent.frames[0].postMessage(e.data, '*'); parent.postMessage('passed on', '*') }</script>"></iframe>`

// siblingTells lets the sibling post a message to the demo.
func (g guest) siblingTells(t *testing.T, data string) {
	t.Helper()
	g.tab.child("about:srcdoc")
	call[bool](g.host, `() => { window.heard = got.length; document.querySelectorAll('iframe')[1].contentWindow.postMessage(`+data+`, '*'); return true }`)
	g.host.wait("the sibling to pass it on", `() => got.slice(heard).some(m => m.data === 'passed on')`)
}

// untouched checks that the demo is still at rest and works.
func (g guest) untouched(t *testing.T) {
	t.Helper()
	g.idle()
	assert.Empty(t, g.tab.rec.sent(lazy), "a message started the engine")
	g.clean(t)
	start := read(t, g.demo, builtSite(t).data(t, embedPage(g.demo.ID)).Demos[g.demo.ID].State)
	g.usable(t, start)
}

// hostileMessages are things that a page around a demo may send.
var hostileMessages = []string{
	`null`, `undefined`, `0`, `NaN`, `''`, `'slide:nowhere'`, `[]`, `[[[]]]`, `true`, `new Date(0)`, `new Map([[1, 2]])`,
	`{}`, `{subject: {}}`, `{subject: 'SPLICE.getState.response'}`, `{subject: 'SPLICE.getState.response', message_id: 'openloop-1', state: {link: 'v=1&seed=5'}}`,
	`{subject: 'SPLICE.getState.response', message_id: {toString: 1}, state: null}`,
	`{context: 'h5p'}`, `{context: 'h5p', action: ['hello']}`, `{context: 'h5p', action: '__proto__'}`,
	`{__proto__: null, constructor: 'x', subject: '__proto__'}`,
	`{op: 'start', id: 1, wasm: 'AAAA'}`, `{op: 'fault', handle: 1}`, `'x'.repeat(1 << 20)`,
	`{subject: 'lti.frameResize', height: -1}`, `new Uint8Array(1 << 16)`, `(() => { const o = {}; o.o = o; return o })()`,
}

// TestHostileMessages sends them from the host and from a sibling.
func TestHostileMessages(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	g := invite(t, d, "", ` sandbox="allow-scripts"`, sibling)
	for _, m := range hostileMessages {
		g.tell(m)
		g.siblingTells(t, m)
	}
	g.siblingTells(t, `'slide:stop'`)
	g.untouched(t)
}

// TestHostileState answers the question for a kept state with markup.
func TestHostileState(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	g := invite(t, d, "", ` sandbox="allow-scripts"`, "")
	g.hears("the question", `m.subject === 'SPLICE.getState'`)
	g.tell(`{subject: 'SPLICE.getState.response', message_id: got.find(m => m.data?.subject === 'SPLICE.getState').data.message_id, state: {link: 'v=1&` + knobOf(d).Name + `=' + encodeURIComponent(` + strconv.Quote(hostile) + `)}}`)
	g.notice(knobOf(d).Name)
	g.clean(t)
	g.usable(t, demo.NewState(d))
}

// TestSlides stops and starts the demo as reveal.js does when its slide goes
// and comes: a change waits until the slide is shown again.
func TestSlides(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	start := read(t, d, "v=1&seed=31")
	g := invite(t, d, start.String(), ` sandbox="allow-scripts"`, "")
	g.shows(expect(t, start))
	before := g.text(g.at("[data-say]"))
	g.tell(`'slide:stop'`)
	to := stepped(t, start, 2)
	require.NotEqual(t, expect(t, start).Say, expect(t, to).Say, "the sentence must tell the states apart")
	g.typeInto(g.knob(knobOf(d).Name, "[data-box]"), knobText(to))
	g.address(to.String()) // the change was taken
	g.idle()
	assert.Equal(t, before, g.text(g.at("[data-say]")), "a slide that is not shown computes nothing")
	g.tell(`'slide:start'`)
	g.shows(expect(t, to))
}

// TestEmbedElement puts embed.js and its element on a page of another origin:
// it makes a frame at the state, and keeps it as high as its content.
func TestEmbedElement(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	base := serve(t, builtSite(t).dir, "/x/y/")
	host := hostServer(t)
	tb := newTab(t, base, host)
	state := stepped(t, read(t, d, "v=1&seed=9"), 1)
	top := tb.open(hostBody(host, fmt.Sprintf(`<script src="%sassets/embed.js" defer></script><openloop-demo name="%s" state="%s">a link</openloop-demo><openloop-demo name="../evil">b</openloop-demo><openloop-demo name="no-such-demo">c</openloop-demo>`,
		base, d.ID, attr(state.String()))))
	f := tb.child(base + embedPage(d.ID))
	p := demoPage{f, d}
	p.shows(expect(t, state))
	assert.NotEmpty(t, call[string](top, `() => document.querySelector('iframe').title`))
	assert.Equal(t, 1, call[int](top, `() => document.querySelectorAll('iframe').length`), "a name that is no name makes no frame")
	for _, name := range []string{"../evil", "no-such-demo"} { // says which it was, which there are, and where they are shown
		said := `[name="` + name + `"]`
		assert.Equal(t, `openloop-demo: no demo is called "`+name+`".`, call[string](top, `s => document.querySelector(s).textContent.split(' There are ')[0]`, said))
		assert.Contains(t, call[string](top, `s => document.querySelector(s).textContent`, said), ", "+d.ID+", ")
		assert.Equal(t, base+"embed/index.html", call[string](top, `s => document.querySelector(s + ' a').href`, said))
	}
	fits := func(what string) {
		t.Helper()
		h := call[int](f, `() => Math.ceil(document.documentElement.getBoundingClientRect().height)`)
		top.wait(what, `h => Math.abs(document.querySelector('iframe').clientHeight - h) < 3`, h)
	}
	fits("the frame to be as high as the demo")
	p.click(p.at(".demo-limits > summary"))
	p.wait("the text to open", `s => document.querySelector(s).open`, p.at(".demo-limits"))
	fits("the frame to grow")
}
