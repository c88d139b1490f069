package browser

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// violation is one finding of axe-core.
type violation struct {
	Rule string `json:"rule"`
	Help string `json:"help"`
	Node string `json:"node"`
	Why  string `json:"why"`
}

// axeRun looks at what a selector names: with one rule alone, or with all rules
// and, if asked, those of contrast and of the size of targets. (What is loaded ahead
// is style sheets, for a rule about the orientation of the screen, of which ours say
// nothing.)
const axeRun = `async (within, only, styles) => {
	const options = only ? {runOnly: {type: 'rule', values: [only]}} : {rules: {'target-size': {enabled: styles}, 'color-contrast': {enabled: styles}}};
	const {violations} = await axe.run(within, {...options, resultTypes: ['violations'], selectors: false, preload: false});
	return violations.flatMap(v => v.nodes.map(n => ({rule: v.id, help: v.help, node: n.html.slice(0, 200), why: n.failureSummary})));
}`

// axeSource is the script of axe-core, from the glue's packages.
func axeSource(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "glue", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		lacking(t, "no axe-core: run npm ci in wasm/glue")
	}
	return string(b)
}

// theme makes the page's automatic theme light or dark.
func (tb *tab) theme(name string) {
	tb.t.Helper()
	tb.media("prefers-color-scheme", name)
}

// media sets media features, each a name and a value, with motion reduced so that
// nothing is half way through a transition.
func (tb *tab) media(pairs ...string) {
	tb.t.Helper()
	list := []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	send(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: list})
}

// accessible fails the test on each finding of axe-core in what a selector
// names: all rules in the light theme and, if asked, contrast again in the dark
// one, where nothing else can differ.
func (f frame) accessible(t *testing.T, within string, dark bool) {
	t.Helper()
	f.axe(t, "light", within, "", true)
	if dark {
		f.axe(t, "dark", within, "color-contrast", true)
		f.tab.theme("light")
	}
}

// axe runs axe-core in a theme.
func (f frame) axe(t *testing.T, theme, within, only string, styles bool) {
	t.Helper()
	f.loadAxe(t)
	f.tab.theme(theme)
	for _, v := range call[[]violation](f, axeRun, within, only, styles) {
		t.Errorf("%s: %s (%s)\n  %s\n  %s", theme, v.Rule, v.Help, v.Node, strings.ReplaceAll(v.Why, "\n", "\n  "))
	}
}

// loadAxe puts axe-core into the frame.
func (f frame) loadAxe(t *testing.T) {
	t.Helper()
	if call[bool](f, `() => 'axe' in window`) {
		return
	}
	id, _ := f.tab.rec.context(f.id)
	_, err := chromedp.Run(f.tab.ctx, chromedp.Evaluate[bool](axeSource(t)+"; true", func(p *runtime.EvaluateParams) { p.UniqueContextID = id }))
	require.NoError(t, err)
}

// axeAtRest looks at a whole page that nobody has used. Contrast in both themes and
// the size of targets, for which axe takes three quarters of its time, come from the
// style sheets that all pages share: they are looked at on demos and one in three of
// the other pages and, in the long test, on all.
func (v look) axeAtRest(t *testing.T) {
	if long() || embedded(v.page) || crc32.ChecksumIEEE([]byte(v.page))%3 == 0 {
		v.f.accessible(t, "html", true)
	} else {
		v.f.axe(t, "light", "html", "", false)
	}
}

// axeAtWork looks at a demo in use, with words about a mistake beside a knob and
// a notice above it. It has been looked at at rest on its own page or in its
// chapter. The long test looks at the demos of chapters too.
func (v look) axeAtWork(t *testing.T) {
	if v.alone() {
		v.demo().mistake(t)
		v.f.accessible(t, "html", true)
		return
	}
	for _, p := range v.demos {
		p.mistake(t)
		v.f.accessible(t, "#demo-"+p.demo.ID, true)
	}
}

// mistake brings up what a demo shows when something is wrong: words beside a
// knob, and a notice.
func (p demoPage) mistake(t *testing.T) {
	t.Helper()
	if k := knobOf(p.demo); k.Name != "" {
		p.typeInto(p.knob(k.Name, "[data-box]"), "nonsense")
		p.wait("words about nonsense", `s => document.querySelector(s).checkVisibility()`, p.knob(k.Name, "[data-problem]"))
	}
	call[bool](p.frame, `s => { document.querySelector(s).notify({text: 'Something is wrong.'}); return true }`, "#demo-"+p.demo.ID)
	p.notice("Something is wrong.")
}

// TestLiveRegion makes several changes in a row: the live region speaks once,
// when all is settled, and says the sentence.
func TestLiveRegion(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	start := read(t, d, "v=1&seed=7")
	p := opened(t, d, start.String())
	p.shows(expect(t, start))
	live := p.at("[data-live]")
	p.wait("the first sentence to be spoken", `s => document.querySelector(s).textContent.trim()`, live)
	call[bool](p.frame, `s => {
		window.spoken = [];
		const e = document.querySelector(s);
		new MutationObserver(() => spoken.push(e.textContent)).observe(e, {childList: true, characterData: true, subtree: true});
		return true }`, live)
	k := knobOf(d)
	var texts []string
	for by := 1; by <= 3; by++ {
		texts = append(texts, knobText(stepped(t, start, by)))
	}
	call[bool](p.frame, `(s, texts) => { // at once: on a busy machine typing would leave pauses to speak in
		const e = document.querySelector(s);
		for (const text of texts) {
			e.value = text;
			for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {bubbles: true}));
		}
		return true }`, p.knob(k.Name, "[data-box]"), texts)
	last := stepped(t, start, 3)
	p.shows(expect(t, last))
	want := plain(t, last)
	p.wait(fmt.Sprintf("the live region to say %q", want), `(s, want) => document.querySelector(s).textContent.trim() === want`, live, want)
	p.idle()
	assert.Equal(t, []string{want}, call[[]string](p.frame, `() => spoken`), "spoken once")
}
