// CSS variables as plain colors, which drawings outside of CSS need.

/**
 * A function (name) => color at an element, such as color('--ink'); its done()
 * cleans up. seen keeps what was asked before. A probe is asked rather than the
 * variable, so that color-mix() and light-dark() arrive as numbers.
 */
export function colorAt(el, seen = {}) {
  const probe = document.createElement('span');
  probe.hidden = true;
  const color = (name) => {
    if (!seen[name]) {
      if (!probe.isConnected) el.append(probe);
      probe.style.color = `var(${name})`;
      seen[name] = getComputedStyle(probe).color;
    }
    return seen[name];
  };
  color.done = () => probe.remove();
  return color;
}
