// Live charts: the option that the build made, with a frame's numbers in it,
// drawn by echarts as SVG in the place of the static picture.
//
// It is part of chart.js, which is loaded with the first interaction. The static
// SVG stays until the live chart has drawn once. Nothing is animated: a value
// that changed is there at once, for every reader. While numbers follow each other
// quickly, what can be is only sketched (sketch.js), and what nobody sees waits;
// at rest every chart is drawn whole. The plot can be focused; arrow keys move a
// data cursor, which shows the tooltip and is spoken. The picture itself is hidden
// from screen readers, which get the alternative text and the table.

import { apart } from './apart.js';
import { colorAt } from './color.js';
import { Handles } from './handles.js';
import { patch, resolve, narrow, nearest, same, stops } from './option.js';
import { sketch } from './sketch.js';
import { ends, powers } from './ticks.js';

const NARROW = 480; // px
const PLAIN = 220; // px, height where no static picture gives a shape
const REST = 150; // ms without news after which a sketch is drawn whole
const STOPS = 200; // most key presses from one end of a chart to the other
const HINT = 'Left and right arrow keys read its points.';

const live = new Set();

let watching = false;

function watchTheme() {
  if (watching) return;
  watching = true;
  const again = () => live.forEach((c) => {
    c.colors = {};
    c.render();
  });
  new MutationObserver(again).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
  for (const q of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) matchMedia(q).addEventListener('change', again);
}

export class LiveChart {
  /**
   * @param echarts  core API
   * @param plot     element data-plot
   * @param template option of the figure, from the page's data
   * @param say      (text) => void, speaks where the cursor is
   * @param on       {slide(knob, position), settle()}, moves the knob of a mark; failed(err), a chart could not be drawn
   */
  constructor(echarts, plot, template, say, on) {
    Object.assign(this, { echarts, plot, template, say, on, cursor: -1, colors: {}, inView: true });
  }

  /** Draws a figure; one that says what is drawn already costs nothing. */
  draw(fig, nums) {
    this.plot.setAttribute('aria-label', `${fig.alt} ${HINT}`);
    Object.assign(this, { fig, nums, read: null });
    if (!this.drawn) {
      if (!this.chart) this.mount();
      this.open();
      this.render();
    } else if (!same(fig, nums, this.drawn.fig, this.drawn.nums)) {
      this.redraw();
    }
  }

  /** Shows the figure as soon as it can be seen, whole or as a sketch. */
  redraw() {
    if (this.inView) {
      if (!sketch(this.chart, this.drawn, this)) return this.render();
      this.drawn = { fig: this.fig, nums: this.nums };
      this.grip();
    }
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      try {
        this.settle();
      } catch (err) {
        this.on.failed(err);
      }
    }, REST);
    return null;
  }

  /** Draws whole what was sketched or waits. */
  settle() {
    if (this.resting) this.render();
  }

  /** What the figure says at each x; put in words only for a reader who asks. */
  get stops() {
    if (!this.read) this.read = stops(this.fig, this.nums);
    return this.read;
  }

  /**
   * Does ahead of the first drawing what it would do for any numbers, out of sight and
   * in tasks of its own: the axes, then the rest without numbers. pause ends a task.
   */
  async prime(pause) {
    if (this.chart) return;
    this.mount();
    const color = colorAt(this.plot, this.colors);
    const option = { ...resolve(this.template, color), animation: false };
    color.done();
    const { grid, xAxis, yAxis } = option;
    for (const part of [{ animation: false, grid, xAxis, yAxis }, option]) {
      await pause();
      if (this.fig) return; // drawn meanwhile
      this.chart.setOption(part);
    }
  }

  mount() {
    this.statics = [...this.plot.children];
    this.shapes = this.statics.map((el) => el.querySelector('svg').viewBox.baseVal).map((box) => [box.width, box.height]);
    this.frame = document.createElement('div');
    this.frame.className = 'plot-live';
    this.frame.hidden = true;
    this.frame.setAttribute('aria-hidden', 'true');
    this.box = document.createElement('div');
    this.box.style.transformOrigin = '0 0';
    this.frame.append(this.box);
    this.plot.append(this.frame);
    this.size();
    try {
      this.chart = this.echarts.init(this.box, null, { renderer: 'svg', width: this.width, height: this.height });
    } catch (err) {
      this.frame.remove();
      throw err;
    }
  }

  /** Takes the place of the static picture: from now on the plot can be worked with. */
  open() {
    this.handles = new Handles(this.frame, (x) => this.place(x), this.on);
    this.plot.tabIndex = 0;
    this.plot.setAttribute('role', 'application');
    this.plot.setAttribute('aria-roledescription', 'chart');
    this.plot.addEventListener('keydown', (e) => this.key(e));
    this.plot.addEventListener('blur', () => this.move(-1));
    this.font = getComputedStyle(this.plot).fontFamily; // inherit cannot be measured
    live.add(this);
    watchTheme();
    new IntersectionObserver((seen) => {
      this.inView = seen.at(-1).isIntersecting;
      if (this.inView) this.settle();
    }).observe(this.plot);
    new ResizeObserver(() => this.resized()).observe(this.plot);
  }

  /**
   * Draws in the size of the static picture for this width and scales it to the
   * plot, as the picture is: nothing jumps when the live chart takes its place.
   */
  size() {
    const room = Math.max(200, this.plot.clientWidth);
    this.isNarrow = room < NARROW;
    [this.width, this.height] = this.shapes[this.isNarrow ? 1 : 0] || [room, PLAIN];
    this.scale = room / this.width;
    Object.assign(this.box.style, { width: `${this.width}px`, height: `${this.height}px`, transform: this.scale === 1 ? '' : `scale(${this.scale})` });
    this.frame.style.height = `${this.height * this.scale}px`;
  }

  resized() {
    const now = this.plot.clientWidth;
    if (!now || now === this.seen) return;
    this.seen = now;
    const [width, wasNarrow] = [this.width, this.isNarrow];
    this.size();
    if (width !== this.width) this.chart.resize({ width: this.width, height: this.height });
    if (wasNarrow !== this.isNarrow) return this.render();
    this.spread();
    return this.grip();
  }

  render() {
    clearTimeout(this.resting);
    this.resting = 0;
    this.option = patch(this.template, this.fig, this.nums);
    const color = colorAt(this.plot, this.colors);
    const option = resolve(this.option, color);
    color.done();
    if (this.isNarrow) narrow(option);
    powers(option);
    ends(option);
    option.animation = false;
    option.textStyle = { ...option.textStyle, fontFamily: this.font };
    for (const s of option.series) if (s.endLabel) s.endLabel.width = option.grid.right - 12; // text is measured here, not estimated
    option.tooltip = { ...option.tooltip, ...this.tooltip() };
    this.chart.setOption(option); // into what is there: only the data move, which takes half as long
    this.drawn = { fig: this.fig, nums: this.nums };
    for (const el of this.statics) el.hidden = true;
    this.frame.hidden = false;
    this.bottom = this.height - option.grid.bottom;
    this.spread();
    this.grip();
  }

  /** Moves labels apart and paints them at once, so that nobody sees where echarts put them. */
  spread() { if (apart(this.chart, this.bottom)) this.chart.getZr().flush(); }

  /** Puts the handles on their marks. */
  grip() { this.handles.show(this.fig, this.nums, this.bottom * this.scale); }

  /** Where a value of the x axis is drawn, in px of the frame. */
  place(x) { return this.chart.convertToPixel({ xAxisIndex: 0 }, x) * this.scale; }

  /** Drawn as SVG text, so that it needs no inline style from the page's policy. */
  tooltip() {
    return {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      transitionDuration: 0,
      formatter: (list) => {
        const stop = list.length && this.stops.find((s) => s.x === list[0].value[0]);
        return stop ? [stop.head, ...stop.rows].join('\n') : '';
      },
    };
  }

  key(e) {
    if (e.altKey || e.ctrlKey || e.metaKey || !this.stops.length) return;
    const last = this.stops.length - 1;
    const by = Math.ceil(this.stops.length / STOPS);
    const to = {
      ArrowRight: Math.min(last, this.cursor < 0 ? 0 : this.cursor + by),
      ArrowLeft: Math.max(0, this.cursor - by),
      Home: 0,
      End: last,
      Escape: -1,
    }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    this.move(to);
  }

  /** Puts the data cursor where a link wants it, without a word. */
  pointAt(x) { this.move(nearest(this.stops, x), false); }

  move(to, aloud = true) {
    this.settle();
    this.cursor = to;
    const stop = this.stops[to];
    if (!stop) return this.chart.dispatchAction({ type: 'hideTip' });
    const [x, y] = this.chart.convertToPixel({ seriesIndex: stop.series }, this.option.series[stop.series].data[stop.index]);
    this.chart.dispatchAction({ type: 'showTip', x, y }); // by place, since a long line has not all of its points
    if (aloud) this.say(`${stop.head}. ${stop.rows.join('; ')}`);
  }
}
