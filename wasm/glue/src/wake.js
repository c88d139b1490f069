// Demos on a page that is read: their script comes when a reader reaches for
// one, or at once where the address carries a state for one. What a reader does
// until it has come is kept and done again; nobody has to click twice.
//
// Embed pages name the script in their head and need none of this.

import { named } from './hash.js';
import { loadScript } from './load.js';

const REACH = ['pointerover', 'pointerdown', 'focusin'];
const PRESS = '[data-preset],[data-action],[data-bet-option],[data-seed-prev],[data-seed-next]';

const within = ({ target }) => target instanceof Element && target.closest('ol-demo');

/** @param src address of demo.js; none on a page without demos or with a script of its own */
export function wake(src) {
  if (!src || !document.querySelector('ol-demo')) return;
  let deeds = []; // [element, 'click' | 'input' | 'change']

  const keep = (e) => {
    const { target, type } = e;
    if (!within(e) || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    const el = type === 'click' ? target.closest(PRESS) : target;
    if (!el) return;
    if (type === 'click') e.preventDefault();
    deeds = [...deeds.filter(([d, t]) => d !== el || t !== type), [el, type]];
    load();
  };
  const hold = (e) => { if (within(e)) e.preventDefault(); }; // Enter in a box would send its form
  const reach = (e) => { if (within(e)) load(); };
  const linked = () => { if (named(location.hash) || /^#v=\d/.test(location.hash)) load(); };
  const ears = [...REACH.map((type) => [type, reach]), ...['click', 'input', 'change'].map((type) => [type, keep]), ['submit', hold], ['hashchange', linked]];

  function load() {
    loadScript(src, 'openloop/demos').then(again, failed);
  }

  function again() {
    for (const [type, fn] of ears) removeEventListener(type, fn, true);
    for (const [el, type] of deeds) {
      if (type === 'click') el.click();
      else el.dispatchEvent(new Event(type, { bubbles: true }));
    }
    deeds = [];
  }

  function failed(err) {
    deeds = [];
    removeEventListener('pointerover', reach, true); // from now on only on purpose
    for (const box of document.querySelectorAll('[data-notices]')) box.textContent = `The demo could not start: ${err.message}. Its pictures and tables show the settings that it opens with.`;
  }

  for (const [type, fn] of ears) addEventListener(type, fn, true);
  linked();
}
