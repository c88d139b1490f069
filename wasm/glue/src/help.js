// How to use a demo, and the list of keys. All keys act on what has the focus, but
// for two that need a modifier and can be switched off.

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

const DEMO = [
  ['Your bet first', 'say what you expect; the demo then runs it, and its settings show the answer'],
  ['Names at the top', 'settings worth seeing; what each shows is said below them'],
  ['The sentence', 'the result, of the settings that you see'],
  ['Seed', 'the same settings with other luck; 30 seeds says how far luck goes'],
  ['Copy link', 'the demo as it stands now, for somebody else'],
  ['Undo, Reset', 'back by one change, or to how it opened: nothing can be broken'],
  ['At the bottom', 'what happened, the equations, and what the demo does not show'],
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
  const title = el('h2', { id: 'keys-t', tabIndex: -1, autofocus: true }, 'Help'); // it is read from its top
  const use = [el('h3', {}, 'In a demo'), el('dl', {}, ...DEMO.flatMap(([part, what]) => [el('dt', {}, part), el('dd', {}, what)]))];
  const close = el('button', { className: 'button' }, 'Close');
  const made = el('dialog', { className: 'keys' }, title, ...use, ...list,
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
