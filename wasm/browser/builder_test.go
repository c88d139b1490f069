package browser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const builderPage = "about/link-builder.html"

// pick gives a choice of the tool a value the way a reader does.
func (f frame) pick(name, value string) {
	f.tab.t.Helper()
	require.True(f.tab.t, call[bool](f, `(name, value) => {
		const box = document.querySelector('[data-b=' + name + ']'), e = box.tagName === 'FIELDSET' ? box.querySelector('[value="' + value + '"]') : box;
		e.focus();
		if (e.type === 'checkbox') e.checked = !e.checked; else e.value = value;
		e.dispatchEvent(new Event('change', {bubbles: true}));
		return e.type === 'checkbox' || e.value === value }`, name, value), "%s has no %s", name, value)
}

// TestLinkBuilder makes a link as a trainer does, from http and from a disk: the
// preview shows what students get, what is changed in it comes back, and every
// result says the same.
func TestLinkBuilder(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	d := numeric(t)
	k := knobOf(d)
	for _, m := range []mode{modes[0], modes[2]} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			tb, visitPage := m.enter(t, s)
			tb = tb.in(t)
			f := visitPage(tb, builderPage, "#demo="+d.ID)
			f.wait("the tool", `id => document.querySelector('[data-b=demo]').value === id && document.querySelector('[data-b=out] textarea')`, d.ID)
			f.idle()
			assert.Empty(t, tb.rec.sent(driver), "the preview was loaded before anybody reached for it")
			call[bool](f, `() => { const e = document.querySelector('[data-b=seed]'); e.value = '12'; return e.dispatchEvent(new Event('change', {bubbles: true})) }`)
			f.wait("the preview, of a choice made without pointer and focus", `() => !document.querySelector('[data-b=preview]').hidden`)
			f.pick("lock", k.Name)
			f.pick("lock", "seed")
			f.pick("hide", "table")
			f.pick("theme", "projector")
			want := read(t, d, "v=1&seed=12&lock=seed,"+k.Name+"&hide=table&theme=projector")
			results := func() []string {
				return call[[]string](f, `() => [...document.querySelectorAll('[data-b=out] textarea')].map(a => a.value)`)
			}
			require.Len(t, results(), 4)
			assert.Empty(t, call[[]string](f, `() => [...document.querySelectorAll('[data-b=out] textarea')].filter(a => a.scrollHeight > a.clientHeight).map(a => a.id)`), "text that is cut off")
			assert.Contains(t, call[string](f, `() => getComputedStyle(document.querySelector('[data-b=out] textarea')).fontFamily`), "mono")
			for _, r := range results() {
				_, link, _ := strings.Cut(strings.ReplaceAll(r, "&amp;", "&"), "v=")
				link, _, _ = strings.Cut("v="+link, `"`)
				assert.Equal(t, want.String(), read(t, d, link).String())
			}
			p := demoPage{tb.child(embedPage(d.ID)), d}
			p.ready()
			p.shows(expect(t, want))
			p.wait("a knob that is held", `s => document.querySelector(s).getAttribute('aria-disabled') === 'true'`, p.knob(k.Name, "[data-box]"))
			assert.False(t, p.visible(p.at(".fig-table")))

			f.pick("lock", k.Name)
			free := read(t, d, "v=1&seed=12&lock=seed&hide=table&theme=projector")
			p.wait("the knob to be free", `s => !document.querySelector(s).hasAttribute('aria-disabled')`, p.knob(k.Name, "[data-box]"))
			to := stepped(t, free, 1)
			p.set(k, knobText(to))
			f.wait("the change to come back", `link => document.querySelector('[data-b=out] textarea').value.endsWith('#' + link)`, to.String())

			scan := `() => document.querySelector('[data-b=qr] path:last-child')?.getAttribute('d').length || 0`
			if m.name == "file" {
				assert.Zero(t, call[int](f, scan), "an address on a disk is nothing to scan")
				f.fill("[data-b=top]", "https://example.org/course")
			}
			assert.Greater(t, call[int](f, scan), 2000)
			f.pick("demo", s.demos(t, s.chapter(t))[0])
			f.wait("the other demo", `id => document.querySelector('[data-b=out] textarea').value.includes(id)`, s.demos(t, s.chapter(t))[0])
			if m.name == "root" {
				f.accessible(t, "[data-builder]", true)
			}
		})
	}
}
