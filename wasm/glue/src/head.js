// The tools in the head of a page, search and the list of keys: what they are
// made of is loaded with their first use, by focus, press or shortcut.

import { loadScript } from './load.js';
import { shortcut } from './keys.js';

/** @param src address of tools.js; none on embed pages */
export function head(src) {
  const box = document.querySelector('[data-find]');
  const button = document.querySelector('[data-help]');
  if (!src || !box || !button) return;
  const load = () => loadScript(src, 'openloop/tools');
  const help = () => load().then((tools) => tools.help(), (err) => { button.title = `Not there: ${err.message}.`; });
  const search = () => load().then((tools) => tools.search(box, src)).catch((err) => {
    box.placeholder = `No search: ${err.message}`;
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
