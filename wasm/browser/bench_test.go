package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// BenchmarkSimInChromium runs the simulator's own benchmarks in Chromium.
func BenchmarkSimInChromium(b *testing.B) {
	benchmarkInChromium(b, "openloop/sim", "P8|Dashboard", 50)
}

// BenchmarkPresetsInChromium runs those of the demos about failing clusters.
func BenchmarkPresetsInChromium(b *testing.B) {
	benchmarkInChromium(b, "openloop/content/demo/failing", "ClusterPresets|Remedy|Seek", 20)
}

// benchmarkInChromium runs the benchmarks of a package as WebAssembly in a worker
// of Chromium, where demos run, each so many times, and prints what they print.
func benchmarkInChromium(b *testing.B, pkg, match string, times int) {
	dir := b.TempDir()
	build := exec.Command("go", "test", "-c", "-o", filepath.Join(dir, "bench.wasm"), pkg)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	msg, err := build.CombinedOutput()
	require.NoError(b, err, "%s", msg)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(b, err)
	support, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	require.NoError(b, err)
	for name, text := range map[string]string{"wasm_exec.js": string(support), "worker.js": fmt.Sprintf(benchWorker, match, times), "index.html": benchPage} {
		require.NoError(b, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	url := serve(b, dir, "/")
	tb := newTab(b, url)
	ctx, cancel := context.WithTimeout(tb.ctx, 10*time.Minute)
	defer cancel()
	for b.Loop() {
		require.NoError(b, chromedp.Do(ctx, chromedp.Navigate(url+"index.html")))
		out, err := chromedp.Run(ctx, chromedp.Evaluate[string]("run()", func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
		require.NoError(b, err)
		require.Contains(b, out, "PASS")
		b.Logf("\n%s", out)
	}
}

// dragged moves a slider through its positions, a frame each, and gives the length
// of the longest task of the main thread meanwhile, which the browser reports from
// 50 ms on: shorter ones count as nothing.
const dragged = `async (slider) => {
	let longest = 0;
	const seen = new PerformanceObserver(list => { for (const e of list.getEntries()) longest = Math.max(longest, e.duration) });
	seen.observe({type: 'longtask'});
	const e = document.querySelector(slider), n = Math.min(60, e.max);
	for (let i = 0; i <= n; i++) {
		e.value = Math.round(i / n * e.max);
		e.dispatchEvent(new Event('input', {bubbles: true}));
		await new Promise(done => requestAnimationFrame(done));
	}
	e.dispatchEvent(new Event('change', {bubbles: true}));
	for (let i = 0; i < 60; i++) await new Promise(done => requestAnimationFrame(done));
	seen.disconnect();
	return longest;
}`

// BenchmarkLongestTask drags the first slider of the demo of the eight signals from end
// to end.
func BenchmarkLongestTask(b *testing.B) {
	s := builtSite(b)
	d := find(b, "eight-signals")
	tb, visitPage := modes[0].enter(b, s)
	p := demoPage{visitPage(tb.in(b), embedPage(d.ID), ""), d}
	p.ready()
	start := read(b, d, s.data(b, embedPage(d.ID)).Demos[d.ID].State)
	p.set(changes(b, start)[0].Knob, changes(b, start)[0].Text)
	p.shows(expect(b, changes(b, start)[0].To))
	slider := ""
	for _, k := range d.Knobs {
		if !k.Choice() && k.Writing == nil && slider == "" {
			p.reveal(k)
			slider = p.knob(k.Name, "[data-slider]")
		}
	}
	for b.Loop() {
		b.ReportMetric(call[float64](p.frame, dragged, slider), "ms/task")
	}
}

// followed drags a slider by one position after the other, twelve a second, and gives
// for each the milliseconds from the event to the last change of a figure that is drawn
// for it. So many a second that nothing is drawn for being at rest.
const followed = `async (slider) => {
	const e = document.querySelector(slider), plots = [...document.querySelectorAll('[data-plot]')].filter(p => p.offsetParent);
	let drawn = 0;
	const seen = new MutationObserver(() => { drawn = performance.now() });
	for (const p of plots) seen.observe(p, {childList: true, subtree: true, attributes: true, characterData: true});
	const took = [];
	const from = Math.round(0.2 * e.max);
	for (let i = 0; i < 60; i++) {
		await new Promise(done => requestAnimationFrame(done));
		const start = performance.now();
		drawn = 0;
		e.value = from + i;
		e.dispatchEvent(new Event('input', {bubbles: true}));
		await new Promise(done => setTimeout(done, 80));
		if (drawn) took.push(drawn - start);
	}
	seen.disconnect();
	took.sort((a, b) => a - b);
	return took;
}`

// BenchmarkFollows drags the threshold of the frontier and of the cascade: how long
// the figures need to follow, for the middle of all moves and for 19 in 20 of them.
func BenchmarkFollows(b *testing.B) {
	s := builtSite(b)
	for _, link := range []string{"router-frontier#v=1&curve=shown", "cascade#v=1"} {
		id, state, _ := strings.Cut(link, "#")
		b.Run(id, func(b *testing.B) {
			d := find(b, id)
			tb, visitPage := modes[0].enter(b, s)
			start := read(b, d, state)
			p := demoPage{visitPage(tb.in(b), embedPage(id), "#"+start.String()), d}
			p.ready()
			p.shows(expect(b, start))
			for b.Loop() {
				took := call[[]float64](p.frame, followed, p.knob(d.Knobs[0].Name, "[data-slider]"))
				require.Greater(b, len(took), 50, "moves that changed a figure within 80 ms, of 60")
				b.ReportMetric(took[len(took)/2], "ms/move")
				b.ReportMetric(took[len(took)*19/20], "ms/slow-move")
			}
		})
	}
}

// BenchmarkPlayInChromium plays the run of a cluster from its start to its end and
// says how long the longest task of the page's own thread was meanwhile; tasks
// below 50 ms are not reported by the browser and count as 0.
func BenchmarkPlayInChromium(b *testing.B) {
	s := builtSite(b)
	d := find(b, "eight-signals")
	tb, visitPage := modes[0].enter(b, s)
	start := read(b, d, "v=1&at=0")
	longest := 0.0
	for b.Loop() {
		p := demoPage{visitPage(tb, embedPage(d.ID), "#"+start.String()), d}
		p.ready()
		p.shows(expect(b, start))
		call[bool](p.frame, `() => {
			window.longest = 0;
			new PerformanceObserver(l => { for (const e of l.getEntries()) longest = Math.max(longest, e.duration) }).observe({type: 'longtask'});
			return true }`)
		call[string](p.frame, `s => document.querySelector(s).value = '5'`, p.at("[data-clock-speed]"))
		p.bar("play")
		p.moves("after Play")
		p.halts("at the end", false)
		longest = max(longest, call[float64](p.frame, `() => longest`))
	}
	b.ReportMetric(longest, "longest-task-ms")
}

const benchPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>benchmark</title><link rel="icon" href="data:,">
<script>
const run = () => new Promise((done) => { new Worker('worker.js').onmessage = (e) => done(e.data); });
</script>`

const benchWorker = `importScripts('wasm_exec.js');
let out = '';
globalThis.fs.writeSync = (fd, bytes) => { out += new TextDecoder().decode(bytes); return bytes.length; };
globalThis.fs.write = (fd, bytes, from, n, at, then) => { globalThis.fs.writeSync(fd, bytes.subarray(from, from + n)); then(null, n); };
const go = new Go();
go.argv = ['bench.test', '-test.run=^$', '-test.bench=%s', '-test.benchtime=%dx'];
go.exit = () => {};
fetch('bench.wasm').then((r) => r.arrayBuffer()).then((b) => WebAssembly.instantiate(b, go.importObject)).then(({ instance }) => go.run(instance)).then(() => postMessage(out));
`
