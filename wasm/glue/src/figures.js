// Puts a frame on the page: charts by number, everything else as the HTML that
// Go made (content/demo/draw), which is the same that the build put there.

import { loadScript } from './load.js';

/** Replaces the HTML of a figure. Steps that were open stay open, and keep the focus. */
function redraw(plot, html) {
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
function put(el, html, write = (x) => { el.innerHTML = x; }) {
  if (el.written === html) return;
  write(html);
  el.written = html;
}

/** Ends the task, so that none is long. */
const pause = () => new Promise((go) => { setTimeout(go); });

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

  /** Starts loading what drawing will need. Trouble is reported when drawing. */
  prepare() {
    if (Object.keys(this.options).length) loadScript(this.url, 'openloopChart').catch(() => {});
  }

  /** Shows a frame, with the data cursor of its first chart at x = at when a link brought a new one. Resolves when its charts are drawn; rejects if one could not be, the words and tables being up to date. */
  async show(got, at) {
    const { frame, nums } = got;
    this.latest = got;
    this.root.querySelector('[data-say]').innerHTML = frame.say;
    this.events(frame.events);
    const charts = [];
    let drawn = 0;
    for (const fig of frame.figures) {
      const el = this.figure(fig.id);
      if (!el) continue;
      const part = (name) => el.querySelector(`[data-${name}]`);
      put(part('notes'), fig.notesHTML);
      put(part('table'), fig.table);
      el.toggleAttribute('data-away', fig.away);
      if (fig.kind === 'chart') {
        charts.push({ fig, plot: part('plot') });
      } else {
        if (drawn++) await pause();
        if (got !== this.latest) return; // overtaken
        put(part('plot'), fig.html, (html) => redraw(part('plot'), html));
        part('plot').setAttribute('aria-label', fig.alt);
      }
    }
    if (!charts.length) return;
    const echarts = await loadScript(this.url, 'openloopChart');
    for (const [i, { fig, plot }] of charts.entries()) {
      if (i) await pause();
      if (got !== this.latest) return; // overtaken
      if (!this.charts.has(fig.id)) this.charts.set(fig.id, new echarts.LiveChart(echarts, plot, this.options[fig.id], this.say, this.on));
      const chart = this.charts.get(fig.id);
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
    for (const chart of this.charts.values()) chart.settle();
    return script.saved(this.root);
  }
}
