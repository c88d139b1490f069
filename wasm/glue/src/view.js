// What a link hides and how it looks: hide=, theme= and the presets that are
// current. Names come from links, so they are compared, never put in a selector.

import { get, same, stateFor } from './hash.js';
import { apply, restoreTheme, THEMES } from './theme.js';

export const PARTS = {
  bet: '[data-bet]', presets: '.demo-presets,[data-preset-says]', knobs: '[data-knobs]', summary: '[data-say]',
  table: '.fig-table', foot: '.demo-foot', clock: '[data-clock]', room: '[data-room]', events: '[data-events]',
};

/** Hides exactly what names list: parts, figures or knobs. What is hidden for another reason stays so. */
export function hide(root, names) {
  if (!names.length && !root.hides) return; // each move asks
  root.hides = names.length > 0;
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

/** Applies the theme of a demo's link when it is another than before; the reader may change it. No theme, or auto, gives back the reader's own. */
export function theme(root, name) {
  const asked = THEMES.includes(name) ? name : undefined;
  if (asked === root.asked) return;
  root.asked = asked;
  if (asked) apply(asked);
  else restoreTheme();
}

/** Hides and themes from the raw link, before the engine has read it, so that nothing flashes. */
export function early(root, link) {
  hide(root, get(link, 'hide').replace(/%2c/gi, ',').split(','));
  theme(root, get(link, 'theme'));
}

/** The state that a preset's link carries. */
export const presetState = (root, link) => stateFor(link.getAttribute('href'), root.dataset.demo);

/** The index of the preset that a state is, or -1: with its seed if one fits so, else whatever the seed. */
export function currentPreset(links, state, knobs) {
  const exact = links.findIndex((l) => same(l, state, ['seed', ...knobs]));
  return exact >= 0 ? exact : links.findIndex((l) => same(l, state, knobs));
}

/** Marks the preset that a state is, and says what it shows unless it is the one that the page came with. */
export function markPresets(root, { state, knobs }) {
  const presets = [...root.querySelectorAll('[data-preset]')];
  root.came ??= presets.findIndex((p) => p.hasAttribute('aria-current'));
  const own = knobs.some((k) => k.loose && !k.default); // a text of the reader's is shown, which is in no preset
  const at = own ? -1 : currentPreset(presets.map((p) => presetState(root, p)), state, knobs.map((k) => k.name));
  presets.forEach((p, i) => (i === at ? p.setAttribute('aria-current', 'true') : p.removeAttribute('aria-current')));
  const says = root.querySelector('[data-preset-says]');
  if (says) says.textContent = at < 0 || at === root.came ? '' : presets[at].title;
}
