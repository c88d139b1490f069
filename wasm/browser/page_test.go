package browser

import (
	"fmt"
	"strings"
	"testing"

	"openloop/content/demo"
)

// demoPage is one demo on a page that is shown: the words of the markup that
// the site writes and the glue fills.
type demoPage struct {
	frame
	demo *demo.Demo
}

// with is the same page, whose failures are a subtest's.
func (p demoPage) with(t testing.TB) demoPage {
	tb := *p.tab
	tb.t = t
	p.frame.tab = &tb
	return p
}

// at is the selector of something inside the demo.
func (p demoPage) at(selector string) string { return "#demo-" + p.demo.ID + " " + selector }

// knob is the selector of something inside one of its knobs, :is() so that a
// list of selectors stays inside.
func (p demoPage) knob(name, selector string) string {
	return p.at(`[data-knob="` + name + `"] :is(` + selector + `)`)
}

// ready waits until the page's script has taken the demo over, which on a page
// that is read it does when a reader reaches for a demo.
func (p demoPage) ready() {
	p.tab.t.Helper()
	p.wait("the demo to be there to reach for", `s => document.readyState === 'complete' && !!document.querySelector(s)`, "#demo-"+p.demo.ID)
	call[bool](p.frame, `s => document.querySelector(s).dispatchEvent(new Event('pointerover', {bubbles: true}))`, "#demo-"+p.demo.ID)
	p.wait("the element ol-demo to be defined", `s => customElements.get('ol-demo') && document.querySelector(s)?.isConnected`, "#demo-"+p.demo.ID)
}

// reveal opens what a knob is folded into.
func (p demoPage) reveal(k demo.Knob) {
	p.tab.t.Helper()
	call[bool](p.frame, `s => { for (let d = document.querySelector(s)?.closest('details'); d; d = d.parentElement.closest('details')) d.open = true; return true }`, p.knob(k.Name, "*"))
}

// set gives a knob a value the way a reader does: typed with Enter, picked
// from a list, or switched.
func (p demoPage) set(k demo.Knob, text string) {
	p.tab.t.Helper()
	p.reveal(k)
	switch {
	case !k.Choice():
		p.typeInto(p.knob(k.Name, "[data-box]"), text)
	case p.has(p.knob(k.Name, "[data-switch]")):
		p.click(p.knob(k.Name, "[data-switch]"))
	default:
		call[bool](p.frame, `(s, v) => {
			const e = document.querySelector(s);
			e.focus(); e.value = v;
			for (const type of ['input', 'change']) e.dispatchEvent(new Event(type, {bubbles: true}));
			return e.value === v }`, p.knob(k.Name, "[data-choice]"), text)
	}
}

// setting is what the control of a knob shows, as it stands in a link.
func (p demoPage) setting(k demo.Knob) string {
	p.tab.t.Helper()
	return call[string](p.frame, `s => { const e = document.querySelector(s); return e.type === 'checkbox' ? (e.checked ? 'on' : 'off') : e.value }`, p.knob(k.Name, "[data-box],[data-choice],[data-switch]"))
}

// state is the state that the address of an embed page carries.
func (p demoPage) state() demo.State {
	p.tab.t.Helper()
	return read(p.tab.t, p.demo, call[string](p.frame, `() => location.hash.slice(1)`))
}

// follow goes to a state by the address, as an edited or pasted link does. A
// change that was made before is first given the time to reach the address, or
// it could get there after the link and take its place.
func (p demoPage) follow(s demo.State) {
	p.tab.t.Helper()
	p.written()
	call[bool](p.frame, `h => { location.hash = h; return true }`, "#"+s.String())
	p.wait("the seed of the link", `(s, seed) => document.querySelector(s).head.seed === seed`, "#demo-"+p.demo.ID, s.Seed) // which need not change what is shown
	p.shows(expect(p.tab.t, s))
}

// written waits until the address carries the newest change.
func (p demoPage) written() {
	p.tab.t.Helper()
	p.wait("the address to be written", `s => !document.querySelector(s).writing`, "#demo-"+p.demo.ID)
}

// has says whether the page has an element.
func (f frame) has(selector string) bool {
	f.tab.t.Helper()
	return call[bool](f, `s => !!document.querySelector(s)`, selector)
}

// action presses a button of the demo's foot.
func (p demoPage) action(name string) {
	p.tab.t.Helper()
	p.click(p.at(`[data-action="` + name + `"]`))
}

// differing compares elements with the HTML that they should hold, after the
// browser's own parser has read both, and lists those that differ.
const differing = `(root, parts) => parts.filter(p => {
	const t = document.createElement('template');
	t.innerHTML = p.HTML;
	const e = document.querySelector(root + p.Selector);
	const markup = e => e.innerHTML.replace(/<!--.*?-->/gs, '').trim(); // lit leaves comments
	p.got = e ? markup(e) : '(no such element)';
	p.HTML = markup(t);
	return p.got !== p.HTML;
})`

// shows waits until the demo says exactly what the engine says natively:
// sentence, tables, bit patterns and strips.
func (p demoPage) shows(w words) {
	p.tab.t.Helper()
	parts := append([]part{{"[data-say]", w.Say}}, w.Parts...)
	a := p.poll(patience, `(root, parts) => parts.every(p => (`+differing+`)(root, [p]).length === 0)`, p.at(""), parts)
	if a.OK {
		return
	}
	type difference struct {
		part
		Got string `json:"got"`
	}
	var b strings.Builder
	for _, d := range call[[]difference](p.frame, differing, p.at(""), parts) {
		fmt.Fprintf(&b, "\n%s\n  page:   %s\n  engine: %s", d.Selector, clip(d.Got), clip(d.HTML))
	}
	p.tab.t.Fatalf("%s does not show %s:%s\nnotices: %s%s", p.demo.ID, w.Link, b.String(), p.text(p.at("[data-notices]")), p.tab.story())
}

// clip keeps a failure message readable.
func clip(s string) string {
	if len(s) > 600 {
		return s[:600] + "..."
	}
	return s
}

// notice waits for a visible notice that contains every one of some texts.
func (p demoPage) notice(texts ...string) {
	p.tab.t.Helper()
	for _, want := range texts {
		a := p.poll(patience, `(s, want) => { const e = document.querySelector(s); return e.checkVisibility() && e.textContent.replace(/\s+/g, ' ').includes(want) }`, p.at("[data-notices]"), strings.Join(strings.Fields(want), " "))
		if !a.OK {
			p.tab.t.Fatalf("%s has no notice %q; it says %q%s", p.demo.ID, want, p.text(p.at("[data-notices]")), p.tab.story())
		}
	}
}

// address waits until the address bar carries a state.
func (p demoPage) address(link string) {
	p.tab.t.Helper()
	p.wait("the address to carry "+link, `(link) => location.hash.endsWith(link)`, link)
}

// hash is the fragment that opens a state of a demo on a page.
func hash(page string, d *demo.Demo, link string) string {
	if embedded(page) {
		return "#" + link
	}
	return "#demo=" + d.ID + "&" + link
}
