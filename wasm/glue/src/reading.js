// Small helps for reading a page: the present section in the table of contents,
// copying code, everything opened for print.

import { copy } from './share.js';

/** Marks the section being read in the table of contents. */
export function sections() {
  const links = new Map();
  for (const a of document.querySelectorAll('.toc a[href^="#"]')) {
    const heading = document.getElementById(decodeURIComponent(a.hash.slice(1)));
    if (heading) links.set(heading, a);
  }
  if (!links.size) return;
  const nav = [...links.values()][0].closest('nav');
  const mark = () => {
    const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const line = innerHeight * (end ? 1 : 0.3); // the last sections may be too short to get up there
    let now = null;
    for (const h of links.keys()) if (h.getBoundingClientRect().top <= line) now = h;
    for (const [h, a] of links) {
      if (h === now) a.setAttribute('aria-current', 'location');
      else a.removeAttribute('aria-current');
    }
    const a = links.get(now) || nav.querySelector('[aria-current]');
    if (a && nav.scrollHeight > nav.clientHeight) nav.scrollTop = a.offsetTop - nav.offsetTop - nav.clientHeight / 2;
  };
  // The lower edge of the watched strip is the line, so that every passing of a heading is seen.
  const watch = new IntersectionObserver(mark, { rootMargin: '0px 0px -70% 0px' });
  for (const h of links.keys()) watch.observe(h);
  const tail = new IntersectionObserver(mark); // the end of the page comes into view, and leaves it
  tail.observe(document.querySelector('.site-foot'));
}

/** A copy button at each block of code. */
export function codeCopies() {
  for (const pre of document.querySelectorAll('main pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy-code';
    button.textContent = 'Copy';
    const code = pre.textContent;
    button.addEventListener('click', async () => {
      button.textContent = (await copy(code)) ? 'Copied' : 'Select and copy';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    pre.append(button);
  }
}

/** Opens every disclosure for print and closes them again; a closed group of settings says which of them count. */
export function printAll() {
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open], .group)')];
    for (const d of opened) d.open = true;
  });
  addEventListener('afterprint', () => {
    for (const d of opened) d.open = false;
    opened = [];
  });
}
