import test from 'node:test';
import assert from 'node:assert/strict';
import { handles, narrow, nearest, patch, position, resolve, same, short, stops } from '../src/option.js';

const template = () => ({
  grid: { left: 62, right: 150, top: 46, bottom: 50 },
  legend: { show: false, data: [] },
  xAxis: [{ type: 'log', logBase: 2, name: 'batch (requests)', min: 1, max: 64, splitNumber: 8 }],
  yAxis: [{ type: 'value', name: 'error (ULPs)', min: 0, max: 5, splitNumber: 6, nameTextStyle: { align: 'left' } }],
  series: [
    { id: 'a', type: 'line', name: 'old', data: [], showSymbol: true, lineStyle: { color: 'var(--open)' }, endLabel: { width: 100 } },
    { id: 'b', type: 'bar', name: 'b', data: [] },
    { id: 'a:lo', type: 'line', stack: 'a', data: [[0, 0]] },
    { id: 'a:hi', type: 'line', stack: 'a', data: [[0, 0]] },
    { id: 'ol:marks', type: 'line', data: [], markLine: { label: { formatter: '{b}' }, data: [] }, markArea: { data: [] } },
  ],
});

const nums = Float64Array.from([1, 2, 4, 10, 20, 40, 9, 18, 36, 11, 22, 44, /* b */ 1, 2, 7, 8]);
const figure = () => ({
  id: 'f',
  x: { min: 1, max: 4, label: 'batch', unit: 'requests' }, y: { min: 0, max: 0, label: 'error', unit: 'ULPs' },
  series: [{ id: 'a', name: 'new', off: 0, n: 3, interval: true }, { id: 'b', name: 'bars', off: 12, n: 2, interval: false }],
  marks: [{ at: 2, level: false, label: 'here' }, { at: 20, level: true, label: 'limit' }],
  bands: [{ from: 1, to: 2, label: 'stall' }],
});

test('patch puts data, names, intervals, marks, bands and ranges into their slots', () => {
  const t = template();
  const o = patch(t, figure(), nums);
  const by = Object.fromEntries(o.series.map((s) => [s.id, s]));
  assert.deepEqual(by.a.data, [[1, 10], [2, 20], [4, 40]]);
  assert.equal(by.a.name, 'new');
  assert.deepEqual(by.b.data, [[1, 7], [2, 8]]);
  assert.deepEqual(by['a:lo'].data, [[1, 9], [2, 18], [4, 36]]);
  assert.deepEqual(by['a:hi'].data, [[1, 2], [2, 4], [4, 8]], 'the upper end is a height over the lower');
  assert.deepEqual(by['ol:marks'].markLine.data.map(({ name, xAxis, yAxis }) => [name, xAxis, yAxis]), [['here', 2, undefined], ['limit', undefined, 20]]);
  assert.deepEqual(by['ol:marks'].markArea.data, [[{ name: 'stall', xAxis: 1 }, { xAxis: 2 }]]);
  assert.deepEqual([o.xAxis[0].min, o.xAxis[0].max], [1, 4]);
  assert.deepEqual([o.yAxis[0].min, o.yAxis[0].max], [null, null], 'a range of zeros is left to the data');
  assert.deepEqual(t, template(), 'the template is not changed');
});

test('patch empties what a state does not have', () => {
  const f = figure();
  f.series[0] = { id: 'a', name: 'none', off: 0, n: 0, interval: false };
  f.marks = [];
  f.bands = null;
  const o = patch(template(), f, nums);
  const by = Object.fromEntries(o.series.map((s) => [s.id, s]));
  assert.deepEqual([by.a.data, by['a:lo'].data, by['a:hi'].data, by['ol:marks'].markLine.data, by['ol:marks'].markArea.data], [[], [], [], [], []]);
});

test('the name of a band in the right half of its axis stands to the left of its end', () => {
  const area = (from, min, max) => {
    const f = figure();
    f.x = { ...f.x, min, max };
    f.bands = [{ from, to: max, label: 'gone' }];
    return patch(template(), f, nums).series.find((s) => s.id === 'ol:marks').markArea.data[0][0].label?.position;
  };
  assert.equal(area(23, 0, 24), 'insideTopRight');
  assert.equal(area(12, 0, 24), undefined);
  assert.equal(area(2, 0, 0), undefined, 'an axis that is left to the data');
});

test('patch refuses offsets outside of the numbers', () => {
  const f = figure();
  f.series[1].off = 15;
  assert.throws(() => patch(template(), f, nums), /numbers up to/);
});

test('symbols only on short lines, never dropped from points without a line', () => {
  const long = Float64Array.from({ length: 400 }, (_, i) => i);
  const f = { ...figure(), series: [{ id: 'a', name: 'a', off: 0, n: 100, interval: false }] };
  assert.equal(patch(template(), f, long).series[0].showSymbol, false);
  const t = template();
  t.series[0].lineStyle.opacity = 0;
  assert.equal(patch(t, f, long).series[0].showSymbol, true);
});

test('long series cost less: lines leave out what cannot be seen, points become one element', () => {
  const long = Float64Array.from({ length: 8000 }, (_, i) => i);
  const f = { ...figure(), series: [{ id: 'a', name: 'a', off: 0, n: 2000, interval: true }] };
  const line = patch(template(), f, long).series;
  assert.deepEqual([line[0].sampling, line[0].data.length], ['lttb', 2000]);
  assert.deepEqual(line[2].data.slice(0, 2), [[0, 4000], [4, 4004]], 'the lowest of each four');
  assert.deepEqual(line[3].data[1], [4, 2003], 'up to the highest of each four');
  assert.deepEqual([line[2].data.length, line[2].data[499][0]], [500, 1999], 'from end to end');
  f.series[0].n = 900;
  assert.equal(patch(template(), f, long).series[0].sampling, 'none');

  const t = template();
  t.series[0].lineStyle.opacity = 0;
  const o = patch(t, f, long);
  assert.deepEqual([o.series[0].type, o.series[0].large, o.legend.show, o.legend.data], ['scatter', true, true, ['a']]);
  const size = (n) => {
    t.series[0].symbolSize = 7;
    f.series[0].n = n;
    return patch(t, f, long).series[0].symbolSize;
  };
  assert.deepEqual([200, 201, 400, 401].map(size), [7, 7, 7, 5], 'smaller only in a crowd');
});

test('a legend follows the names of bars', () => {
  const t = template();
  t.legend.show = true;
  assert.deepEqual(patch(t, figure(), nums).legend.data, ['bars']);
});

test('a legend has the names that stand nowhere else', () => {
  const t = template();
  t.legend.show = true;
  delete t.series[0].endLabel;
  assert.deepEqual(patch(t, figure(), nums).legend.data, ['new', 'bars']);
});

test('same compares words and numbers, wherever these stand', () => {
  const moved = Float64Array.from([99, ...nums]);
  const f = figure();
  f.series.forEach((s) => { s.off++; });
  assert.ok(same(figure(), nums, f, moved));
  assert.ok(same(figure(), nums.map((x) => (x === 40 ? NaN : x)), figure(), nums.map((x) => (x === 40 ? NaN : x))));
  assert.ok(!same(figure(), nums, figure(), nums.map((x) => (x === 8 ? 9 : x))));
  assert.ok(!same(figure(), nums, figure(), nums.map((x) => (x === 44 ? 45 : x))), 'ends of intervals count');
  assert.ok(!same(figure(), nums, { ...figure(), marks: [] }, nums));
});

test('handles are those of the marks that move a knob, and find the position under the pointer', () => {
  const f = figure();
  f.marks = [{ at: 2, level: false, label: 'fixed' }, { at: 4, level: false, label: 'batch', knob: 'batch', off: 0, n: 3 }];
  const [h, none] = handles(f, nums);
  assert.equal(none, undefined);
  assert.deepEqual([h.knob, h.at, [...h.stops]], ['batch', 4, [1, 2, 4]]);
  const places = Array.from(h.stops, (x) => 100 * Math.log2(x));
  assert.deepEqual([-50, 49, 51, 149, 151, 900].map((x) => position(places, x)), [0, 0, 1, 1, 2, 2]);
  assert.deepEqual(handles({ marks: null }, nums), []);
});

test('resolve replaces every variable and nothing else', () => {
  const got = resolve({ a: 'var(--ink)', b: ['1px var(--line)', 3, null], c: { d: false } }, (n) => `<${n}>`);
  assert.deepEqual(got, { a: '<--ink>', b: ['1px <--line>', 3, null], c: { d: false } });
});

test('narrow gives way in margins and ticks, not in text', () => {
  const o = narrow(patch(template(), figure(), nums));
  assert.equal(o.grid.left, 54);
  assert.equal(o.grid.right, 92);
  assert.equal(o.yAxis[0].splitNumber, 4);
  assert.equal(o.xAxis[0].splitNumber, 8, 'powers of two keep their ticks');
  assert.equal(o.yAxis[0].nameTextStyle.align, 'left');
});

test('short: four digits, large whole numbers in full, true minus', () => {
  const cases = [[0, '0'], [1.23456, '1.235'], [-2.5, '−2.5'], [123456.7, '123,457'], [0.00001234, '1.234×10⁻⁵'], [1e15, '1×10¹⁵'], [NaN, 'no value'], [Infinity, 'no value']];
  for (const [v, want] of cases) assert.equal(short(v), want);
});

test('patch keeps the words of the axes up to date', () => {
  const f = figure();
  f.y = { min: 0, max: 0, label: 'gap', unit: '' };
  const o = patch(template(), f, nums);
  assert.deepEqual([o.xAxis[0].name, o.yAxis[0].name], ['batch (requests)', 'gap']);
});

test('stops read a figure by x, with units', () => {
  const s = stops(figure(), nums);
  assert.deepEqual(s.map((p) => p.x), [1, 2, 4]);
  assert.equal(s[1].head, 'batch: 2 requests');
  assert.deepEqual(s[1].rows, ['new: 20 ULPs', 'bars: 8 ULPs']);
  assert.deepEqual([s[1].series, s[1].index], [0, 1]);
});

test('stops name categories, and say where there is no value', () => {
  const fig = { x: { label: '', unit: '', names: ['a', 'b'] }, y: { label: 'n', unit: '' }, series: [{ id: 's', name: 'S', off: 0, n: 2 }] };
  assert.deepEqual(stops(fig, Float64Array.of(0, 1, 5, NaN)).map((p) => [p.head, ...p.rows]), [['a', 'S: 5'], ['b', 'S: no value']]);
});

test('nearest finds the stop of a value', () => {
  const list = [1, 2, 4, 8].map((x) => ({ x }));
  assert.deepEqual([-5, 1, 2.9, 3.1, 100].map((x) => nearest(list, x)), [0, 0, 1, 2, 3]);
  assert.equal(nearest([], 1), -1);
});
