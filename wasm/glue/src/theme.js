// The reader's theme: auto, light, dark or projector (large and high contrast).
// It is an attribute of the root element, which style.css reads; auto is none.

import { recall, remember } from './store.js';

const KEY = 'openloop-theme';
const NAMES = { auto: 'Auto', light: 'Light', dark: 'Dark', projector: 'Projector' };
const root = document.documentElement;

/** Applies the remembered theme. Called before the page is drawn, if the script stands in its head. */
export function restoreTheme() {
  apply(recall(KEY));
}

function apply(name) {
  if (name in NAMES && name !== 'auto') root.dataset.theme = name;
  else delete root.dataset.theme;
}

/** Puts the choice into the page's head, where there is room for it; without JavaScript it is not there. */
export function themePick() {
  const room = document.querySelector('.site-head .tools');
  let select = document.querySelector('.theme-pick select');
  if (!select && !room) return;
  if (!select) {
    const label = document.createElement('label');
    label.className = 'theme-pick';
    label.textContent = 'Theme ';
    select = document.createElement('select');
    for (const [value, text] of Object.entries(NAMES)) select.append(new Option(text, value));
    label.append(select);
    room.append(label);
  }
  select.value = root.dataset.theme || 'auto';
  select.addEventListener('change', () => {
    apply(select.value);
    remember(KEY, select.value === 'auto' ? null : select.value);
  });
  // A link with theme= changes the root too; the choice shows what is true.
  new MutationObserver(() => { select.value = root.dataset.theme || 'auto'; }).observe(root, { attributeFilter: ['data-theme'] });
}
