// While a slider moves, most figures change in little: some points and marks go
// elsewhere between axes that stand. That much is put straight into the elements
// that echarts has drawn, at about a fifth of what a drawing costs, by the rules
// that it draws them by; whatever it would need more for is left to it. charts.js
// draws the figure whole when the numbers rest.

const MARKS = 'ol:marks';

/** The figure's words without what a sketch can move: two figures with the same frame differ in places only. */
function frame({ x, y, series, marks, bands }) {
  const above = Math.max(...(marks || []).filter((m) => m.level).map((m) => m.at));
  return JSON.stringify([x, y, bands,
    series.map(({ id, name, n, interval }) => [id, name, n, interval]),
    (marks || []).map((m) => [m.level, m.level && m.at === above, m.knob])]);
}

const free = (axis) => !axis.names && axis.min === 0 && axis.max === 0;

/**
 * What moves from a drawn figure to another, {series, marks} by index; null if more
 * changes than places, or the axes follow the numbers.
 * @param was {fig, nums}
 * @param now {fig, nums}
 */
export function moved(was, now) {
  if (free(now.fig.x) || free(now.fig.y) || frame(was.fig) !== frame(now.fig)) return null;
  const differs = (s, i) => {
    const t = was.fig.series[i];
    for (let k = 0; k < s.n * (s.interval ? 4 : 2); k++) if (!Object.is(now.nums[s.off + k], was.nums[t.off + k])) return true;
    return false;
  };
  const series = now.fig.series.map((s, i) => (differs(s, i) ? i : -1)).filter((i) => i >= 0);
  const marks = (now.fig.marks || []).map((m, i) => {
    const old = was.fig.marks[i];
    return m.at !== old.at || m.label !== old.label ? i : -1;
  }).filter((i) => i >= 0);
  return { series, marks };
}

/** Shows now in a chart that shows was. Says whether it did; if not, nothing is changed. */
export function sketch(chart, was, now) {
  const change = moved(was, now);
  if (!change) return false;
  const steps = [
    ...change.series.map((i) => points(chart, now.fig.series[i], i, now)),
    ...change.marks.map((i) => mark(chart, now.fig.marks, i)),
  ];
  if (!steps.every(Boolean)) return false;
  for (const step of steps) step();
  chart.getZr().flush();
  return true;
}

/** How to move the points of a series, or null: labels at its end, gaps and what is cut off are echarts's. */
function points(chart, s, i, { fig, nums }) {
  const model = chart.getModel().getSeriesByIndex(i);
  const [view, data, grid] = [chart.getViewOfSeriesModel(model), model.getData(), model.coordinateSystem];
  const simple = model.subType === 'line' && data.count() === s.n && s.n > 0 && !s.interval && !model.get('step') && model.get('sampling') === 'none';
  if (!simple || !view._points || view._points.length !== 2 * s.n) return null;
  const area = grid.getArea();
  const to = new Float32Array(2 * s.n); // echarts keeps places so
  for (let k = 0; k < s.n; k++) {
    const place = grid.dataToPoint([nums[s.off + k], nums[s.off + s.n + k]]);
    to.set(place, 2 * k);
    if (!inside(area, place) || !inside(area, view._points.slice(2 * k, 2 * k + 2))) return null;
    if (fig.x.names && to[2 * k] !== view._points[2 * k]) return null;
  }
  const last = 2 * s.n - 2;
  if (model.get(['endLabel', 'show']) && (to[last] !== view._points[last] || to[last + 1] !== view._points[last + 1])) return null;
  return () => {
    view.group.traverse((el) => { if (el.type === 'ec-polyline') el.setShape({ points: to }); });
    view._points = to; // else the next drawing would take the line for where it was
    for (let k = 0; k < s.n; k++) {
      const symbol = data.getItemGraphicEl(k);
      if (symbol) symbol.attr({ x: to[2 * k], y: to[2 * k + 1] });
    }
  };
}

function inside(area, [x, y]) {
  return x >= area.x && x <= area.x + area.width && y >= area.y && y <= area.y + area.height;
}

/** How to move a mark, or null if it comes into or goes out of the axis. */
function mark(chart, marks, i) {
  const model = chart.getModel();
  const drawn = chart.getViewOfComponentModel(model.getComponent('markLine')).markerGroupMap.get(MARKS);
  const lines = drawn && drawn._lineData;
  if (!lines || lines.count() !== marks.length) return null;
  const el = lines.getItemGraphicEl(i);
  const { at, level, label } = marks[i];
  const axis = model.getSeries().at(-1).coordinateSystem.getAxis(level ? 'y' : 'x');
  if (!el || !axis.containData(at)) return null;
  const to = axis.toGlobalCoord(axis.dataToCoord(at));
  return () => {
    const { x1, y1, x2, y2 } = el.childOfName('line').shape;
    el.setLinePoints(level ? [[x1, to], [x2, to]] : [[to, y1], [to, y2]]);
    const text = el.getTextContent();
    if (text) text.setStyle({ text: label });
  };
}
