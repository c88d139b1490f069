// The tools in the head of a page, search and the list of keys: what they are
// made of is loaded with their first use, by focus, press or shortcut.

import { loadScript } from './load.js';
import { shortcut } from './keys.js';

/** Says in the list of what was found why there is none; it goes with the focus. */
function none(box, text) {
  const list = document.getElementById(box.getAttribute('aria-controls'));
  list.innerHTML = '<div class="none" role="option" aria-disabled="true" aria-selected="false"></div>';
  list.firstChild.textContent = text;
  list.hidden = document.activeElement !== box;
  box.addEventListener('blur', () => { list.hidden = true; }, { once: true });
}

/** @param src address of tools.js; none on embed pages */
export function head(src) {
  const box = document.querySelector('[data-find]');
  const button = document.querySelector('[data-help]');
  if (!src || !box || !button) return;
  const load = () => loadScript(src, 'openloop/tools');
  const help = () => load().then((tools) => tools.help(), (err) => { button.title = `Not there: ${err.message}.`; });
  const search = () => load().then((tools) => tools.search(box, src)).catch((err) => {
    none(box, `The search could not start: ${err.message}.`);
    box.addEventListener('focus', search, { once: true });
  });

  button.addEventListener('click', help);
  box.addEventListener('focus', search, { once: true });
  addEventListener('keydown', (e) => {
    const what = shortcut(e);
    if (!what) return;
    e.preventDefault();
    if (what === 'help') return help();
    box.focus();
    box.select();
  });
  const asked = new URLSearchParams(location.search).get('q'); // a link to a search
  if (asked) {
    box.value = asked.slice(0, 200);
    box.focus();
  }
}
