// The search box: a combobox over the list of what was found. The focus stays in
// the box; arrow keys choose, Enter goes there, Esc closes the list.

import { loadScript } from './load.js';
import { excerpt, indexing, rank } from './rank.js';

const KIND = { term: 'Glossary', demo: 'Demo' };

function el(tag, props, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

const marked = (pieces) => pieces.map(([text, hit]) => (hit ? el('mark', {}, text) : text));

/**
 * Loads the index and makes the box answer.
 * @param box input
 * @param src address of tools.js, beside which the index lies
 */
export async function search(box, src) {
  const top = src.replace(/assets\/[^/]*$/, '');
  const list = document.getElementById(box.getAttribute('aria-controls'));
  let ix;
  for (ix of indexing(await loadScript(`${top}assets/search.js`, 'openloop/search'))) await new Promise((go) => setTimeout(go));
  const status = el('p', { className: 'visually-hidden' });
  status.setAttribute('role', 'status');
  box.parentNode.append(status);
  let at = -1;
  let later = 0;

  const options = () => [...list.querySelectorAll('a')];
  const open = (on) => {
    list.hidden = !on;
    box.setAttribute('aria-expanded', String(on));
    if (!on) choose(-1);
  };

  function choose(i) {
    const all = options();
    at = all.length ? Math.max(-1, Math.min(i, all.length - 1)) : -1;
    all.forEach((o, k) => o.setAttribute('aria-selected', String(k === at)));
    if (at < 0) return box.removeAttribute('aria-activedescendant');
    box.setAttribute('aria-activedescendant', all[at].id);
    all[at].scrollIntoView({ block: 'nearest' });
  }

  function option({ part, words }, i) {
    const [page, id, kind, heading, text] = ix.data.parts[part];
    const [path, title, shelf] = ix.data.pages[page];
    const where = [KIND[kind] || shelf, title].filter((w, k, all) => w && w !== heading && all.indexOf(w) === k).join(' › ');
    const a = el('a', { id: `found-${i}`, href: `${top}${path}${id ? `#${id}` : ''}`, tabIndex: -1 },
      ...marked(excerpt(heading, words, 200)), el('small', {}, where), el('small', {}, ...marked(excerpt(text, words))));
    a.setAttribute('role', 'option');
    a.setAttribute('aria-selected', 'false');
    return a;
  }

  function nothing(query) {
    const none = el('div', { className: 'none' }, `Nothing about “${query.slice(0, 60)}”.`);
    for (const [name, value] of [['role', 'option'], ['aria-disabled', 'true'], ['aria-selected', 'false']]) none.setAttribute(name, value);
    return none;
  }

  function answer() {
    const query = box.value.trim();
    if (!query) {
      list.replaceChildren();
      return open(false);
    }
    const got = rank(ix, query);
    list.replaceChildren(...got.map(option));
    if (!got.length) list.append(nothing(query));
    open(true);
    choose(got.length ? 0 : -1);
    clearTimeout(later);
    later = setTimeout(() => { status.textContent = got.length === 1 ? 'One place found.' : `${got.length || 'No'} places found.`; }, 700);
  }

  box.addEventListener('input', answer);
  box.addEventListener('focus', () => { if (options().length) open(true); });
  box.addEventListener('keydown', (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[e.key];
    if (to !== undefined && options().length) {
      e.preventDefault();
      open(true);
      const n = options().length;
      choose((to + n) % n);
    } else if (e.key === 'Enter' && at >= 0 && !list.hidden) {
      e.preventDefault();
      options()[at].click();
    } else if (e.key === 'Escape') {
      e.preventDefault();
      if (list.hidden) box.value = '';
      open(false);
    }
  });
  list.addEventListener('pointerdown', (e) => e.preventDefault()); // the box keeps the focus
  list.addEventListener('click', (e) => { if (e.target.closest('a')) open(false); });
  box.addEventListener('blur', () => open(false));
  if (document.activeElement === box) answer(); // what was typed while this was loading
}
