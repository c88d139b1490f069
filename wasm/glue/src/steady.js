// A longer sentence or a note above pushes down what is below it. The control that
// somebody works with stays in sight, unless they scroll away themselves.

const LEAVES = ['wheel', 'touchmove'];

/** Looks where the focus is in root; what it returns brings it back into view if it has left. */
export function steady(root) {
  const at = document.activeElement;
  if (!root.contains(at) || !seen(at)) return () => {};
  let left = false;
  const leave = () => { left = true; };
  for (const e of LEAVES) addEventListener(e, leave, { passive: true });
  return () => {
    for (const e of LEAVES) removeEventListener(e, leave);
    if (!left && document.activeElement === at && !seen(at)) at.scrollIntoView({ block: 'center' });
  };
}

function seen(el) {
  const box = el.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight;
}
