// What the tool for trainers puts together: a state and what a course does with
// it become a link, and a link becomes what can be pasted somewhere.

import { join, parts } from './hash.js';
import { embedCode, escapeHTML } from './share.js';

const OURS = ['lock', 'hide', 'theme', 'engine'];

/** The settings of a link without what a course adds to them. */
export function settings(link) {
  return join(parts(link).filter(([k]) => !OURS.includes(k)));
}

/** A link: settings, with this seed ('' leaves it), what is locked, what is hidden, the theme. */
export function compose(link, { seed = '', lock = [], hide = [], theme = '' }) {
  const list = parts(settings(link)).map(([k, v]) => [k, k === 'seed' && seed ? seed : v]);
  if (lock.length) list.push(['lock', lock.join(',')]);
  if (hide.length) list.push(['hide', hide.join(',')]);
  if (theme) list.push(['theme', theme]);
  return join(list);
}

/** Whether text is a seed; the engine itself says the same of others. */
export function isSeed(text) {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 4294967295;
}

/** The address as a folder, or '' if it is none on the web. */
export function folder(text) {
  try {
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol)) return '';
    url.hash = '';
    url.search = '';
    return url.href.replace(/[^/]*\.html$/, '').replace(/\/?$/, '/');
  } catch {
    return '';
  }
}

/**
 * Everything that can be pasted, as [what, text].
 * @param top  address of the site, a folder; '' gives relative addresses
 * @param demo {id, title, embed, page}
 */
export function pastes(top, demo, link, height) {
  const embed = `${top}${demo.embed}`;
  const attrs = `name="${demo.id}" state="${escapeHTML(link)}" label="${escapeHTML(demo.title)}"`;
  return [
    ['Link to the demo alone', `${embed}#${link}`],
    ...(demo.page ? [['Link to the demo in its chapter', `${top}${demo.page}#demo=${demo.id}&${link}`]] : []),
    ['Frame for a page or a course', embedCode({ embed, title: demo.title, state: link, height, base: top || 'file:///' }).code],
    ['Element for a page of your own', `<script src="${top}assets/embed.js" defer></script>\n<openloop-demo ${attrs}></openloop-demo>`],
  ];
}
