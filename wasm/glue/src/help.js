// The list of keys. All of them act on what has the focus, but for two that
// need a modifier and can be switched off.

import { keysOn, modifier, switchKeys } from './keys.js';

const KEYS = [
  ['Anywhere', [
    [[modifier, 'K'], 'search the guide'],
    [[modifier, '/'], 'this list'],
  ]],
  ['In a list of what was found', [[['↑', '↓'], 'choose'], [['Enter'], 'go there'], [['Esc'], 'close']]],
  ['On a slider', [[['←', '→'], 'one step'], [['PgUp', 'PgDn'], 'ten steps'], [['Home', 'End'], 'least and most']]],
  ['In a number box', [[['Enter'], 'use the number'], [['Esc'], 'go back to the last good one']]],
  ['On a chart', [[['←', '→'], 'read its points'], [['Home', 'End'], 'first and last point'], [['Esc'], 'stop reading']]],
  ['On an underlined word', [[['Enter'], 'what it means'], [['Esc'], 'close']]],
];

function el(tag, props, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

let dialog = null;

function make() {
  const list = KEYS.map(([where, keys]) => [
    el('h3', {}, where),
    el('dl', {}, ...keys.flatMap(([names, what]) => [
      el('dt', {}, ...names.flatMap((n, i) => (i ? [' ', el('kbd', {}, n)] : [el('kbd', {}, n)]))),
      el('dd', {}, what),
    ])),
  ]).flat();
  const on = el('input', { type: 'checkbox', checked: keysOn() });
  on.addEventListener('change', () => switchKeys(on.checked));
  const title = el('h2', { id: 'keys-t' }, 'Keys');
  const close = el('button', { className: 'button', autofocus: true }, 'Close');
  const made = el('dialog', { className: 'keys' }, title, ...list,
    el('form', { method: 'dialog' }, el('label', {}, on, ' Keys that work anywhere'), close));
  made.setAttribute('aria-labelledby', 'keys-t');
  made.querySelector('form').addEventListener('submit', (e) => { // form-action 'none' refuses the native way
    e.preventDefault();
    made.close();
  });
  made.addEventListener('click', (e) => { if (e.target === made) made.close(); });
  document.body.append(made);
  return made;
}

/** Opens the list; the browser gives the focus back when it is closed. */
export function help() {
  dialog = dialog || make();
  if (!dialog.open) dialog.showModal();
}
