// Puts a frame on the page: charts by number, everything else as the HTML that
// Go made (content/demo/draw), which is the same that the build put there.

import { loadScript } from './load.js';

/** Replaces the HTML of a figure. Steps that were open stay open, and keep the focus. */
export function redraw(plot, html) {
  const step = (el) => el && plot.contains(el) && el.closest('[data-step]');
  const open = new Set([...plot.querySelectorAll('[data-step][open]')].map((el) => el.dataset.step));
  const at = step(document.activeElement);
  plot.innerHTML = html;
  for (const el of plot.querySelectorAll('[data-step]')) {
    el.open = open.has(el.dataset.step);
    if (at && el.dataset.step === at.dataset.step) el.firstElementChild.focus({ preventScroll: true });
  }
}

/** Writes markup where it is not what was written there last: while a run is played most of it stays. */
export function put(el, html, write = (x) => { el.innerHTML = x; }) {
  if (el.written === html) return;
  write(html);
  el.written = html;
}

const LONG = 8; // ms of a task after which the next figure gets its own

/** Ends the task, so that none is long. */
const pause = () => new Promise((go) => { setTimeout(go); });

/** A function to wait for between figures: it ends the task if that has become long. */
function breath() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONG) return;
    await pause();
    since = performance.now();
  };
}

export class Figures {
  /**
   * @param root  ol-demo element
   * @param info  the demo's entry of the page data
   * @param url   address of chart.js
   * @param say   (text) => void for the data cursor
   * @param on    {slide(knob, position), settle()} for marks that are dragged; failed(err) when a chart could not be drawn whole
   */
  constructor(root, info, url, say, on) {
    Object.assign(this, { root, url, say, on, options: info.charts || {} });
    this.charts = new Map(); // drawn charts by figure id
    this.at = null; // where a link put the data cursor
  }

  figure(id) {
    return [...this.root.querySelectorAll('[data-figure]')].find((el) => el.dataset.figure === id);
  }

  /** Starts loading what drawing will need, and draws charts without numbers out of sight. Trouble is reported when drawing. */
  prepare() {
    if (!this.prepared && Object.keys(this.options).length) this.prepared = this.prime().catch(() => {});
  }

  async prime() {
    const echarts = await loadScript(this.url, 'openloopChart');
    for (const id of Object.keys(this.options)) {
      await pause();
      const el = this.figure(id);
      if (el) await this.chart(echarts, id, el.querySelector('[data-plot]')).prime(pause);
    }
  }

  chart(echarts, id, plot) {
    if (!this.charts.has(id)) this.charts.set(id, new echarts.LiveChart(echarts, plot, this.options[id], this.say, this.on));
    return this.charts.get(id);
  }

  /** Shows a frame, with the data cursor of its first chart at x = at when a link brought a new one. Resolves when its charts are drawn; rejects if one could not be, the words and tables being up to date. */
  async show(got, at) {
    const { frame, nums } = got;
    this.latest = got;
    this.root.querySelector('[data-say]').innerHTML = frame.say;
    this.events(frame.events);
    const charts = [];
    const rest = breath();
    for (const fig of frame.figures) {
      const el = this.figure(fig.id);
      if (!el) continue;
      await rest();
      if (got !== this.latest) return; // overtaken
      const part = (name) => el.querySelector(`[data-${name}]`);
      put(part('notes'), fig.notesHTML);
      put(part('table'), fig.table);
      put(el.querySelector('.fig-title'), fig.title, (x) => { el.querySelector('.fig-title').textContent = x; });
      el.toggleAttribute('data-away', fig.away);
      if (fig.kind === 'chart') {
        charts.push({ fig, plot: part('plot') });
      } else {
        put(part('plot'), fig.html, (html) => redraw(part('plot'), html));
        part('plot').setAttribute('aria-label', fig.alt);
      }
    }
    if (!charts.length) return;
    const echarts = await loadScript(this.url, 'openloopChart');
    for (const [i, { fig, plot }] of charts.entries()) {
      await rest();
      if (got !== this.latest) return; // overtaken
      const chart = this.chart(echarts, fig.id, plot);
      chart.draw(fig, nums);
      if (i || at === this.at) continue;
      this.at = at;
      if (at !== null) chart.pointAt(at);
    }
  }

  events(list) {
    const box = this.root.querySelector('[data-events]');
    if (!('linkHides' in box.dataset)) box.hidden = !list.length;
    box.querySelector('ol').innerHTML = list.map((e) => `<li>${e.html}</li>`).join('');
  }

  /** All charts as one SVG file, in the order of the page, or '' if there is none to draw. */
  async svg() {
    if (!Object.keys(this.options).length && !this.root.querySelector('[data-figure].fig-traces')) return '';
    const script = await loadScript(this.url, 'openloopChart');
    for (const chart of this.charts.values()) chart.settle(); // what was only prepared stays so
    return script.saved(this.root);
  }
}
