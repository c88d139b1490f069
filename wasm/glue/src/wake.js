// Demos and small figures on a page that is read: their script comes when a reader
// reaches for one, or at once where the address carries a state for one. What a reader does
// until it has come is kept and done again; nobody has to click twice.
//
// Embed pages name the script in their head; there it is only missed if it has
// not come.

import { named } from './hash.js';
import { loadScript } from './load.js';

const REACH = ['pointerover', 'pointerdown', 'focusin'];
const ANY = 'ol-demo,[data-still]';
const PRESS = '[data-still] [data-plot],[data-preset],[data-action],[data-bet-option],[data-show],[data-seed-prev],[data-seed-next]';

const within = ({ target }) => target instanceof Element && target.closest(ANY);

function dead(why) {
  for (const box of document.querySelectorAll('[data-notices]')) box.textContent = `The demo could not start: ${why}. Its pictures and tables show the settings that it opens with.`;
}

/** @param src address of demo.js; none on a page without demos, or that names it itself */
export function wake(src) {
  if (!document.querySelector(ANY)) return;
  if (!src) {
    addEventListener('load', () => { if (!window['openloop/demos']) dead('demo.js could not be loaded'); });
    return;
  }
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
    dead(err.message);
  }

  for (const [type, fn] of ears) addEventListener(type, fn, true);
  linked();
}
