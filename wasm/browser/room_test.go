package browser

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/content/demo/room"
)

// The engine room, whose picture a program of its own draws in a frame of its
// own. Whether it moves is read off its counter of frames, never off a clock.

// roomLink is a cluster with a replica down, while the run goes on.
const roomLink = "v=1&seed=1&lever=replica_restart&at=44"

// standing is the room of a state, run natively.
func standing(t testing.TB, s demo.State) (room.Frame, demo.Scenic) {
	t.Helper()
	task, err := demo.Run(s)
	require.NoError(t, err)
	scenic, ok := task.(demo.Scenic)
	require.True(t, ok, "%s has no engine room", s.Demo.ID)
	var f room.Frame
	require.True(t, f.Read(scenic.Room(nil)))
	return f, scenic
}

// enterRoom opens the engine room and waits for its picture.
func (p demoPage) enterRoom() frame {
	p.tab.t.Helper()
	p.action("room")
	f := p.tab.child("scene.html")
	f.wait("the first frames of the picture", `() => window.openloopScene?.frames > 0 && document.querySelectorAll('#labels .zone').length === 4`)
	return f
}

// frames is how many times the picture has been drawn.
func frames(f frame) int { return call[int](f, `() => openloopScene.frames`) }

// rests waits until the picture is drawn no more, and returns how often it was.
func rests(f frame) (n int) {
	f.tab.t.Helper()
	for now := -1; now != n; {
		now = n
		f.idle()
		f.idle()
		n = frames(f)
	}
	return n
}

// roomShows waits until words and picture are those of a state.
func (p demoPage) roomShows(scene frame, s demo.State) room.Frame {
	p.tab.t.Helper()
	f, task := standing(p.tab.t, s)
	want := task.RoomSays(-1).Says
	p.wait("the room in words", `(s, want) => document.querySelector(s).textContent === want`, p.at("[data-room-says]"), want.String())
	waiting := 0
	for _, r := range f.Replicas {
		waiting += r.Waiting
	}
	scene.wait("the labels of the picture", `(want) => [...document.querySelectorAll('#labels .zone')].some(e => e.textContent === want)`, "Queue "+strconv.Itoa(waiting))
	return f
}

// TestRoom goes through the engine room of a cluster as a reader does.
func TestRoom(t *testing.T) {
	t.Parallel()
	d := find(t, "eight-signals")
	s := read(t, d, roomLink)
	p := opened(t, d, roomLink)
	p.tab.size(800, 700)
	t.Cleanup(func() { send(p.tab, emulation.ClearDeviceMetricsOverride, cdp.Empty{}) })
	p.shows(expect(t, s))
	require.Empty(t, p.tab.rec.sent(sceneFiles), "the picture's program was asked for before anybody wanted it")

	scene := p.enterRoom()
	p.roomShows(scene, s)
	scene.wait("the replica that is down", `() => [...document.querySelectorAll('#labels .bad')].some(e => e.textContent === 'down')`)
	still := rests(scene)

	t.Run("words", func(t *testing.T) { p.with(t).roomInWords(t, s) })
	t.Run("request", func(t *testing.T) { p.with(t).roomRequest(t, scene, s) })
	t.Run("keys and wheel", func(t *testing.T) { p.with(t).roomLetsGo(t, scene) })
	t.Run("a step", func(t *testing.T) {
		p := p.with(t)
		before := rests(scene)
		p.bar("step")
		p.roomShows(scene, later(s, 48))
		assert.Greater(t, rests(scene), before, "a step draws")
	})
	t.Run("playing", func(t *testing.T) { p.with(t).roomPlays(t, scene) })
	t.Run("less motion", func(t *testing.T) {
		p := p.with(t)
		p.tab.media("prefers-color-scheme", "dark")
		rests(scene)
		before := frames(scene)
		p.bar("first")
		p.roomShows(scene, later(s, 0))
		assert.LessOrEqual(t, rests(scene)-before, 8, "for who asks for less motion the room is drawn as it is, not on its way")
	})
	t.Run("closed", func(t *testing.T) {
		p := p.with(t)
		p.action("room-close")
		p.wait("the frame to go", `() => !document.querySelector('iframe')`)
		assert.Equal(t, "Show the engine room", call[string](p.frame, `() => document.activeElement.textContent`), "the focus is where the room was opened")
		p.bar("step")
		p.shows(expect(t, later(s, 4)))
	})
	assert.Positive(t, still)
}

// later is a state at a time.
func later(s demo.State, at float64) demo.State {
	s.At, s.HasAt = at, true
	return s
}

// roomInWords: what the picture shows is there as words and tables.
func (p demoPage) roomInWords(t *testing.T, s demo.State) {
	_, task := standing(t, s)
	says := task.RoomSays(-1)
	p.click(p.at("[data-room-open] details > summary"))
	parts := []part{{"[data-room-says]", draw.Sentence(says.Says)}, {"[data-room-tables]", draw.Table(says.Replicas) + draw.Table(says.Requests)}}
	p.wait("the tables of the room", `(root, parts) => parts.every(p => (`+differing+`)(root, [p]).length === 0)`, p.at(""), parts)
	p.click(p.at("[data-room-open] details > summary"))
}

// roomRequest picks a request in the picture and by its name: its story is told,
// and the charts have its times.
func (p demoPage) roomRequest(t *testing.T, scene frame, s demo.State) {
	f, task := standing(t, s)
	id := f.Requests[0].ID
	story := draw.Table(task.RoomSays(id).Picked)
	p.typeInto(p.at("[data-room-request]"), f.Name(id))
	told := func(what string) {
		t.Helper()
		p.wait(what, `(root, parts) => (`+differing+`)(root, parts).length === 0`, p.at(""), []part{{"[data-room-picked]", story}})
	}
	told("the story of a request")
	p.wait("its marks in the charts", `(s, name) => document.querySelector(s).textContent.includes('request ' + name + ' of the engine room')`, p.at(`[data-figure="signals"] [data-notes]`), f.Name(id))
	scene.wait("its name in the picture", `name => [...document.querySelectorAll('#labels .picked')].some(e => e.textContent === name)`, f.Name(id))
	at := call[[2]float64](scene, `() => { const m = /translate\(([\d.]+)px, ([\d.]+)px\)/.exec(document.querySelector('#labels .picked').style.transform); return [Number(m[1]), Number(m[2]) + 12] }`)

	p.action("room-none")
	p.wait("no story", `s => document.querySelector(s).hidden`, p.at("[data-room-picked]"))
	p.wait("no marks", `s => !document.querySelector(s).textContent.includes('of the engine room')`, p.at(`[data-figure="signals"] [data-notes]`))
	call[bool](scene, `(x, y) => document.querySelector('canvas').dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y}))`, at[0], at[1])
	told("the story of the request that was clicked")

	p.typeInto(p.at("[data-room-request]"), "nobody")
	p.wait("words about a request that is not there", `s => document.querySelector(s).textContent.startsWith('nobody is not in the room; there are ')`, p.at("[data-room-problem]"))
	p.action("room-none")
}

// roomLetsGo: Tab goes past the picture, and the wheel over it scrolls the page.
func (p demoPage) roomLetsGo(t *testing.T, scene frame) {
	p.focusOn(p.at("[data-clock-speed]"))
	for range 3 {
		p.tab.press(kb.Tab)
	}
	now := call[string](p.frame, `() => document.activeElement.tagName`)
	assert.NotEqual(t, "IFRAME", now, "Tab stays in the picture")
	call[bool](p.frame, `() => { document.querySelector('.room-frame').scrollIntoView({block: 'center'}); return true }`)
	at := call[[3]float64](p.frame, `() => { const r = document.querySelector('.room-frame').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2, scrollY] }`)
	send(p.tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: at[0], Y: at[1], DeltaX: 1, DeltaY: 120})
	p.wait("the page to scroll", `y => scrollY > y`, at[2])
	p.tab.must("click into the picture", chromedp.Do(p.tab.ctx, chromedp.MouseClickXY(at[0], at[1]-100)))
	p.tab.press(kb.Tab)
	p.tab.press(kb.Tab)
	assert.NotEqual(t, "IFRAME", call[string](p.frame, `() => document.activeElement.tagName`), "Tab after a click stays in the picture")
	assert.Equal(t, -1, call[int](scene, `() => document.querySelector('canvas').tabIndex`))
}

// roomPlays: while the run is played the picture is drawn, out of sight it is not.
func (p demoPage) roomPlays(t *testing.T, scene frame) {
	send(p.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	call[string](p.frame, `s => document.querySelector(s).value = '80'`, p.at("[data-clock-speed]"))
	call[bool](p.frame, `() => { document.querySelector('.room-frame').scrollIntoView({block: 'center'}); return true }`)
	before := frames(scene)
	p.bar("play")
	scene.wait("the picture to move", `n => openloopScene.frames > n + 4`, before)
	p.frame.loadAxe(t)
	assert.Empty(t, call[[]violation](p.frame, axeRun, p.at("[data-room]"), ""), "axe-core while it is played")
	call[bool](p.frame, `() => { document.querySelector('[data-room-frame]').style.cssText = 'position: absolute; top: 9000px'; return true }`)
	p.moves("while the picture is out of sight")
	out := rests(scene)
	p.moves("with nobody who sees the picture")
	assert.Equal(t, out, frames(scene), "a picture that nobody sees is drawn")
	call[bool](p.frame, `() => { document.querySelector('[data-room-frame]').style.cssText = ''; document.querySelector('.room-frame').scrollIntoView({block: 'center'}); return true }`)
	scene.wait("the picture to move again", `n => openloopScene.frames > n`, out)
	p.bar("play")
	p.halts("after Pause", false)
}

// roomAccessible looks at the room with axe-core, light and dark.
func (p demoPage) roomAccessible(t *testing.T, when string) {
	t.Helper()
	t.Run("axe "+when, func(t *testing.T) { p.with(t).frame.accessible(t, p.at("[data-room]"), true) })
}

// TestRoomEverywhere opens the room on a narrow screen, in each theme, in a sandbox
// and, in the long test, under a sub-path and from a folder.
func TestRoomEverywhere(t *testing.T) {
	t.Parallel()
	d := find(t, "step-trace")
	s := builtSite(t)
	link := "v=1&blocks=5&at=20"
	where := modes[3:] // the strictest of them
	if long() {
		where = modes[1:]
	}
	for _, m := range where {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			tb, visitPage := m.enter(t, s)
			p := demoPage{visitPage(tb.in(t), embedPage(d.ID), "#"+link), d}
			p.tab.size(320, 700)
			t.Cleanup(func() { send(p.tab, emulation.ClearDeviceMetricsOverride, cdp.Empty{}) })
			p.ready()
			state := read(t, d, link)
			p.shows(expect(t, state))
			served := m.name == "sub-path" // elsewhere axe-core may not read the style sheets
			if served {
				p.roomAccessible(t, "closed")
			}
			scene := p.enterRoom()
			f, task := standing(t, state)
			p.wait("the room in words", `(s, want) => document.querySelector(s).textContent === want`, p.at("[data-room-says]"), task.RoomSays(-1).Says.String())
			require.NotEmpty(t, f.Requests)
			if served {
				p.roomAccessible(t, "open")
			}
			p.fits(t, "with the room")
			for _, theme := range []string{"projector", "dark", "light"} {
				before := rests(scene)
				call[bool](p.frame, `t => { document.documentElement.dataset.theme = t; return true }`, theme)
				scene.wait("the picture to take the colors of "+theme, `n => openloopScene.frames > n`, before)
			}
		})
	}
}
