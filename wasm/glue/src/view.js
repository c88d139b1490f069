// What a link hides and how it looks: hide=, theme= and the presets that are
// current. Names come from links, so they are compared, never put in a selector.

import { get, same } from './hash.js';

const PARTS = {
  bet: '[data-bet]', presets: '.demo-presets', knobs: '[data-knobs]', summary: '[data-say]',
  table: '.fig-table', foot: '.demo-foot', events: '[data-events]',
};
const THEMES = ['light', 'dark', 'projector'];

/** Hides exactly what names list: parts, figures or knobs. What is hidden for another reason stays so. */
export function hide(root, names) {
  const on = (el, hidden) => {
    if (hidden === ('linkHides' in el.dataset)) return;
    if (hidden && el.hidden) return;
    el.hidden = hidden;
    if (hidden) el.dataset.linkHides = '';
    else delete el.dataset.linkHides;
  };
  for (const [name, selector] of Object.entries(PARTS)) {
    for (const el of root.querySelectorAll(selector)) on(el, names.includes(name));
  }
  for (const el of root.querySelectorAll('[data-figure],[data-knob]')) {
    on(el, names.includes(el.dataset.figure || el.dataset.knob));
  }
}

/** Applies a theme that a link asks for; auto leaves the page as the reader set it. */
export function theme(name) {
  if (THEMES.includes(name)) document.documentElement.dataset.theme = name;
}

/** Hides and themes from the raw link, before the engine has read it, so that nothing flashes. */
export function early(root, link) {
  hide(root, get(link, 'hide').replace(/%2c/gi, ',').split(','));
  theme(get(link, 'theme'));
}

/** The index of the preset that a state is, or -1: with its seed if one fits so, else whatever the seed. */
export function currentPreset(links, state) {
  const exact = links.findIndex((l) => same(l, state, true));
  return exact >= 0 ? exact : links.findIndex((l) => same(l, state, false));
}

export function markPresets(root, state) {
  const presets = [...root.querySelectorAll('[data-preset]')];
  const at = currentPreset(presets.map((p) => p.dataset.preset), state);
  presets.forEach((p, i) => (i === at ? p.setAttribute('aria-current', 'true') : p.removeAttribute('aria-current')));
}
