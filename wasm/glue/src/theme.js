// The reader's theme: auto, light, dark or projector (large and high contrast).
// It is an attribute of the root element, which style.css reads; auto is none.

import { recall, remember } from './store.js';

const KEY = 'openloop-theme';
export const THEMES = ['light', 'dark', 'projector'];

/** Applies the remembered theme. Called before the page is drawn, if the script stands in its head. */
export function restoreTheme() {
  apply(recall(KEY));
}

/** Any other name is auto. */
export function apply(name) {
  const root = document.documentElement;
  if (THEMES.includes(name)) root.dataset.theme = name;
  else delete root.dataset.theme;
}

/** Binds the choice in the page's head. A link with theme= changes the root too; the choice shows what is true. */
export function themePick() {
  const select = document.querySelector('[data-theme-pick]');
  if (!select) return;
  const root = document.documentElement;
  const show = () => { select.value = root.dataset.theme || 'auto'; };
  show();
  new MutationObserver(show).observe(root, { attributeFilter: ['data-theme'] });
  select.addEventListener('change', () => {
    apply(select.value);
    remember(KEY, select.value === 'auto' ? null : select.value);
  });
}
