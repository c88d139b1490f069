// Chart options as data: a frame's numbers go into the option that the build
// made, by slot. Pure functions; charts.js does the drawing.
//
// Slot i of option.series is series i of the figure. Helpers follow: ID:lo and
// ID:hi are the ends of its interval, ol:marks carries marks and bands (made by
// site/internal/chart, which says more). Colors stand in the option as
// var(--name) and are resolved as late as possible, so that a theme can change.

import { raised } from './ticks.js';

const MARKS = 'ol:marks';
const SYMBOLS = 40; // points up to which a line shows each of them
const ELEMENTS = 200; // points up to which each is an element of its own
const CROWD = 400; // points beyond which each is smaller
const MOST = 1000; // points of a line beyond which those that cannot be seen are left out

const each = (x) => (Array.isArray(x) ? x : x ? [x] : []);

export function clone(x) {
  if (Array.isArray(x)) return x.map(clone);
  if (x && typeof x === 'object') return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, clone(v)]));
  return x;
}

/** A copy of value with every var(--name) in its strings replaced by color('--name'); lists of points are not copied. */
export function resolve(value, color) {
  if (typeof value === 'string') return value.replace(/var\((--[\w-]+)\)/g, (_, name) => color(name));
  if (Array.isArray(value)) return Array.isArray(value[0]) && typeof value[0][0] === 'number' ? value : value.map((v) => resolve(v, color));
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolve(v, color)]));
  }
  return value;
}

function column(nums, off, n) {
  if (off + n > nums.length) throw new RangeError(`a series wants numbers up to ${off + n}, the frame has ${nums.length}`);
  return nums.subarray(off, off + n);
}

function points(xs, ys) {
  return Array.from(xs, (x, i) => [x, ys[i]]);
}

/** Whether the chart of a figure is that of another one, with its numbers. */
export function same(a, numsA, b, numsB) {
  const words = ({ x, y, series, marks, bands }) => JSON.stringify([x, y, marks, bands, series.map((s) => ({ ...s, off: 0 }))]);
  if (words(a) !== words(b)) return false;
  return a.series.every((s, i) => {
    const n = s.n * (s.interval ? 4 : 2);
    const [xs, ys] = [column(numsA, s.off, n), column(numsB, b.series[i].off, n)];
    return xs.every((x, k) => Object.is(x, ys[k]));
  });
}

/** The option with a frame's figure in it: data, names, marks, bands and ranges. */
export function patch(template, fig, nums) {
  const option = clone(template);
  const series = new Map(each(option.series).map((s) => [s.id, s]));
  fig.series.forEach((s, i) => {
    const slot = each(option.series)[i];
    const part = (k) => column(nums, s.off + k * s.n, s.n);
    slot.name = s.name;
    slot.data = points(part(0), part(1));
    const hidden = slot.lineStyle && slot.lineStyle.opacity === 0; // points without a line
    const [lo, hi] = [series.get(`${s.id}:lo`), series.get(`${s.id}:hi`)];
    if (slot.type === 'line' && !hidden) {
      slot.showSymbol = s.n <= SYMBOLS;
      slot.sampling = s.n > MOST ? 'lttb' : 'none';
    }
    if (hidden && s.n > ELEMENTS) dots(slot, option);
    if (!lo || !hi) return;
    const [xs, low, high] = s.interval ? envelope(part(0), part(2), part(3)) : [[], [], []];
    lo.data = points(xs, low);
    hi.data = points(xs, high.map((v, k) => v - low[k])); // stacked on lo
  });
  if (series.has(MARKS)) mark(series.get(MARKS), fig);
  if (option.legend && option.legend.show) {
    option.legend.data = fig.series.filter((s, i) => !each(option.series)[i].endLabel).map((s) => s.name); // those without another place for their name
  }
  range(each(option.xAxis)[0], fig.x);
  range(each(option.yAxis)[0], fig.y);
  return option;
}

/** An interval with at most MOST ends: of neighbors in a longer one, the lowest and the highest. */
function envelope(xs, lo, hi) {
  if (xs.length <= MOST) return [xs, lo, hi];
  const by = Math.ceil((xs.length / MOST) * 2);
  const out = [[], [], []];
  for (let i = 0; i < xs.length; i += by) {
    out[0].push(i + by < xs.length ? xs[i] : xs[xs.length - 1]);
    out[1].push(Math.min(...lo.subarray(i, i + by)));
    out[2].push(Math.max(...hi.subarray(i, i + by)));
  }
  return out;
}

/** Draws very many points as one element. Their name goes into the legend. */
function dots(slot, option) {
  Object.assign(slot, { type: 'scatter', large: true, largeThreshold: ELEMENTS, symbolSize: slot.symbolSize - (slot.data.length > CROWD ? 2 : 0) });
  slot.itemStyle = { ...slot.itemStyle, opacity: 1 }; // as without it
  option.legend.itemWidth = option.legend.itemHeight; // else a square would be wide
  if (slot.endLabel) option.legend.show = true;
  for (const key of ['endLabel', 'lineStyle', 'showSymbol']) delete slot[key];
}

function mark(carrier, { x, marks, bands }) {
  const levels = (marks || []).filter((m) => m.level).map((m) => m.at);
  const above = Math.max(...levels); // labels of the others stand below their line, so that two close ones can be read
  carrier.markLine.data = (marks || []).map((m) => (m.level
    ? { name: m.label, yAxis: m.at, label: { position: m.at === above ? 'insideEndTop' : 'insideEndBottom' } }
    : { name: m.label, xAxis: m.at }));
  carrier.markArea.data = (bands || []).map((b) => {
    const from = { name: b.label, xAxis: b.from };
    if (b.from > (x.min + x.max) / 2 && x.max > x.min) from.label = { position: 'insideTopRight' }; // its name goes to the left, where there is room
    return [from, { xAxis: b.to }];
  });
}

/** Sets the words of an axis, and the range of a numeric one; both ends zero leaves it to the data. */
function range(axis, r) {
  axis.name = r.unit ? `${r.label} (${r.unit})` : r.label;
  if (axis.type === 'category') {
    axis.data = r.names;
    return;
  }
  const free = r.min === 0 && r.max === 0;
  Object.assign(axis, free ? { min: null, max: null } : { min: r.min, max: r.max }); // null undoes an earlier range
}

const NARROW = { left: 54, label: 92, split: 4 }; // as narrowSize in site/internal/chart/look.go

/** The handles of a figure's marks: {knob, at, stops}, stops being the knob's value at each position of its slider. */
export function handles(fig, nums) {
  return (fig.marks || []).filter((m) => m.knob).map((m) => ({ knob: m.knob, at: m.at, stops: column(nums, m.off, m.n) }));
}

/** The index of the place that is nearest to x. */
export function position(places, x) {
  return places.reduce((best, p, i) => (Math.abs(p - x) < Math.abs(places[best] - x) ? i : best), 0);
}

/** The same chart for a narrow container: text keeps its size, margins and ticks give way. */
export function narrow(option) {
  const room = Math.min(option.grid.right, NARROW.label);
  Object.assign(option.grid, { left: NARROW.left, right: room });
  const [x] = each(option.xAxis);
  const [y] = each(option.yAxis);
  y.nameTextStyle = { ...y.nameTextStyle, padding: [0, 0, 0, 4 - NARROW.left] };
  for (const axis of [x, y]) if (!axis.logBase || axis.logBase === 10) axis.splitNumber = NARROW.split;
  return option;
}

/** A number for a tooltip or an announcement: 4 significant digits, written as content/demo/text writes it. */
export function short(v) {
  if (!Number.isFinite(v)) return 'no value';
  const size = Math.abs(v);
  const text = size !== 0 && (size < 1e-4 || size >= 1e12)
    ? v.toExponential(3).replace(/\.?0+e/, 'e').replace(/e\+?(-?\d+)/, (_, exp) => `×10${raised(exp)}`)
    : v.toLocaleString('en-US', { maximumSignificantDigits: size >= 1000 ? Math.floor(Math.log10(size)) + 1 : 4 });
  return text.replace(/-/g, '−');
}

/**
 * What a figure says at each of its x values, in order: {x, head, rows, series,
 * index}; series and index point at one datum there.
 */
export function stops(fig, nums) {
  const sayX = reader(fig.x);
  const sayY = reader(fig.y);
  const at = new Map();
  fig.series.forEach((s, series) => {
    const [xs, ys] = [column(nums, s.off, s.n), column(nums, s.off + s.n, s.n)];
    xs.forEach((x, index) => {
      if (!at.has(x)) at.set(x, { x, head: fig.x.label ? `${fig.x.label}: ${sayX(x)}` : sayX(x), rows: [], series, index });
      at.get(x).rows.push(`${s.name}: ${sayY(ys[index])}`);
    });
  });
  return [...at.values()].sort((a, b) => a.x - b.x);
}

/** The index of the stop that is nearest to x; -1 if there is none. */
export function nearest(list, x) {
  return list.reduce((best, s, i) => (best < 0 || Math.abs(s.x - x) < Math.abs(list[best].x - x) ? i : best), -1);
}

/** Puts a value of an axis in words. */
function reader({ names, unit }) {
  if (names) return (v) => String(names[v]);
  return (v) => (unit ? `${short(v)} ${unit}` : short(v));
}
