// The charts of a demo as one SVG file: stacked, titled, with real colors and a
// background, so that it looks the same outside the page.

import { colorAt } from './color.js';
import { escapeHTML } from './share.js';
import { resolve } from './option.js';

const TITLE = 34; // px above each chart
const MARGIN = 16;

/** The charts below an element, in the order of the page; '' if there is none. Part of chart.js, so that a page that is only read does not carry it. */
export function saved(root) {
  const color = colorAt(root);
  const charts = [...root.querySelectorAll('[data-figure]')].map((el) => {
    const svg = [...el.querySelectorAll('[data-plot] svg')].find((s) => s.getClientRects().length);
    if (!svg) return null;
    const { width, height } = svg.viewBox.baseVal && svg.viewBox.baseVal.width ? svg.viewBox.baseVal : { width: svg.clientWidth, height: svg.clientHeight };
    return { title: el.querySelector('figcaption').textContent.trim(), svg: svg.outerHTML, width, height };
  }).filter(Boolean);
  const text = charts.length ? sheet(charts, color) : '';
  color.done();
  return text;
}

/**
 * @param charts [{title, svg, width, height}], svg being markup, sizes in px
 * @param color  (name) => color of a CSS variable
 */
function sheet(charts, color) {
  const width = Math.max(...charts.map((c) => c.width)) + 2 * MARGIN;
  let y = MARGIN;
  const body = charts.map((c) => {
    const title = `<text x="${MARGIN}" y="${y + 16}" font-family="sans-serif" font-size="15" font-weight="600" fill="${color('--ink')}">${escapeHTML(c.title)}</text>`;
    const open = `<svg x="${MARGIN}" y="${y + TITLE}" width="${c.width}" height="${c.height}"`;
    y += TITLE + c.height + MARGIN;
    return title + inner(c.svg, open);
  });
  const back = `<rect width="100%" height="100%" fill="${color('--card')}"/>`;
  return resolve(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${y}">${back}${body.join('')}</svg>\n`, color);
}

/** The markup with its outer tag's size and place replaced; a viewBox is kept. */
function inner(svg, open) {
  return svg.replace(/^\s*<svg\b[^>]*>/, (tag) => {
    const box = /viewBox="[^"]*"/.exec(tag);
    return `${open}${box ? ` ${box[0]}` : ''}>`;
  });
}
