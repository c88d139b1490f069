// A small figure beside the text, which one setting moves where it stands: the same
// engine, flow and charts as a demo's, without what a demo has around them. Nothing
// is loaded before somebody presses its picture or reaches for the setting. Its link
// opens the demo where the reader left the figure.

import { Flow } from './flow.js';
import { Knobs } from './knobs.js';
import { Live } from './live.js';
import { Stale } from './stale.js';
import { notices } from './fragments.js';
import { put, redraw } from './figures.js';
import { hashOf } from './hash.js';
import { loadScript } from './load.js';

const PATIENCE = 300; // ms before a wait is shown

export class Still {
  /**
   * @param el     figure data-still
   * @param page   data of #ol-page
   * @param engine clients by module
   */
  constructor(el, page, engine) {
    Object.assign(this, { el, page, notes: [], said: null });
    const { demo, module, state } = el.dataset;
    this.live = new Live(this.part('live'));
    this.stale = new Stale((on) => this.part('plot').setAttribute('aria-busy', String(on)));
    this.flow = new Flow(engine.of(module).session(demo), state, this.host());
    this.knobs = new Knobs(this.part('knobs'), this.flow);
    for (const type of ['pointerdown', 'keydown', 'input']) this.part('knobs').addEventListener(type, (e) => { if (e.key !== 'Tab') this.start(); });
    this.part('plot').addEventListener('click', () => this.start());
  }

  part(name) { return this.el.querySelector(`[data-${name}]`); }

  /** The picture becomes one that can be worked with; again changes nothing. */
  start() {
    if (this.started) return;
    this.started = true;
    this.flow.ready().catch((err) => {
      this.started = false;
      return this.flow.trouble(err);
    });
  }

  host() {
    return {
      head: (head, changed) => {
        this.knobs.show(head, changed);
        const link = this.el.querySelector('.still-open a');
        link.href = link.href.split('#')[0] + hashOf(head.state, this.el.dataset.demo, false);
      },
      frame: (got) => this.show(got),
      touched: () => {},
      refuse: (c, problems) => {
        this.knobs.back(c);
        for (const p of problems) if (!this.knobs.problem(p.key || c.key, p.text, true)) this.notify({ text: p.text });
      },
      report: (problems) => problems.forEach((p) => this.notify({ text: p.text })),
      notify: (note) => this.notify(note),
      dismiss: (kind) => this.tell(this.notes.filter((n) => n.kind !== kind)),
      busy: (text) => this.busy(text),
      stale: (on) => this.stale.set(on),
    };
  }

  async show({ frame, nums }) {
    const fig = frame.figures.find((f) => f.id === this.el.dataset.shows);
    this.live.say(frame.sayText);
    this.said = fig.alt;
    this.part('say').textContent = fig.alt;
    put(this.part('notes'), fig.notesHTML);
    put(this.part('table'), fig.table);
    this.el.querySelector('.fig-title').textContent = fig.title;
    const plot = this.part('plot');
    if (fig.kind !== 'chart') {
      put(plot, fig.html, (html) => redraw(plot, html));
      return plot.setAttribute('aria-label', fig.alt);
    }
    try {
      (await this.chart(plot)).draw(fig, nums);
    } catch (err) {
      this.failed(err);
    }
    return null;
  }

  async chart(plot) {
    const echarts = await loadScript(this.page.assets + this.page.chart, 'openloopChart');
    this.drawing ??= new echarts.SmallChart(echarts, plot, this.page.stills[this.el.dataset.still], (text) => this.live.say(text, 0), {
      slide: (knob, pos) => this.flow.slide(knob, pos),
      settle: () => this.flow.settle(),
      failed: (err) => this.failed(err),
    });
    return this.drawing;
  }

  failed(err) {
    this.notify({ kind: 'chart', text: `The chart could not be drawn: ${err.message}. Its picture shows earlier settings; the words and the data table are up to date.` });
  }

  /** Says in the place of the figure's own words what is waited for, if it takes long enough to notice. */
  busy(text) {
    clearTimeout(this.waiting);
    this.said ??= this.part('say').textContent;
    if (text) this.waiting = setTimeout(() => { this.part('say').textContent = text; }, PATIENCE);
    else this.part('say').textContent = this.said;
  }

  notify(note) {
    this.tell([...this.notes.filter((n) => (note.kind ? n.kind !== note.kind : n.text !== note.text)), note]);
  }

  tell(list) {
    if (!list.length && !this.notes.length) return;
    this.notes = list;
    notices(this.part('notices'), list, (note) => this.tell(this.notes.filter((n) => n !== note)));
  }
}
