// Keeps the labels of a chart apart from each other and from its axes.
//
// The names of lines are moved down by echarts where two of them would overlap, as far
// as the edge of the picture: the lowest would stand among the labels of the x axis.
// They are brought back up. The label of a level stands at the right, above its line;
// where the name of a line has that place, it stands at the left.

const BELOW = 7; // px that half a line of text may stand under the plot

/**
 * @param chart what echarts has just laid out; bottom is where its plot ends, in px of the picture
 * @returns whether anything was moved, which a chart on a screen has to paint
 */
export function apart(chart, bottom) {
  const names = chart._chartsViews.map((v) => v._endLabel).filter((el) => el && !el.ignore);
  if (!names.length) return false;
  let moved = lift(names, bottom + BELOW);
  let known = false;
  for (const view of chart._componentsViews) {
    if (!view.markerGroupMap) continue;
    view.markerGroupMap.each((draw) => draw.group.traverse((el) => {
      const label = el.getTextContent && el.getTextContent();
      if (!label || !/^insideEnd/.test(label.__position)) return;
      if (!known) chart.getZr().storage.getDisplayList(true); // echarts places it only when it paints
      known = true;
      if (!names.some((n) => meet(box(n), box(label)))) return;
      label.__position = label.__position.replace('End', 'Start');
      label.dirty();
      moved = true;
    }));
  }
  return moved;
}

/** Moves names up, from the lowest, until each is above what is under it. Says whether any moved. */
function lift(names, bottom) {
  const placed = [];
  let moved = false;
  for (const el of [...names].sort((a, b) => b.y - a.y)) {
    const at = box(el);
    const under = placed.filter((p) => p.left < at.right && at.left < p.right).map((p) => p.top);
    const over = at.bottom - Math.min(bottom, ...under);
    if (over > 0) el.attr('y', el.y - over);
    moved ||= over > 0;
    placed.push(box(el));
  }
  return moved;
}

function box(el) {
  const r = el.getBoundingRect();
  return { left: el.x + r.x, right: el.x + r.x + r.width, top: el.y + r.y, bottom: el.y + r.y + r.height };
}

function meet(a, b) { return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }
