// What is taken as a number with groups, and what is left for the engine to refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Knobs } from '../src/knobs.js';
import { ungrouped } from '../src/number.js';
import { formOf } from './form.mjs';

globalThis.document ??= { activeElement: null };

test('a number is read as pages print it', () => {
  for (const [text, plain] of [
    ['1,024', '1024'], ['1 024', '1024'], ['1\u00a0024', '1024'], ['1\u202f024', '1024'], ['1\u2009024', '1024'],
    ['12,345,678', '12345678'], ['1,024.5', '1024.5'], ['-1,024', '-1024'], ['−131,072', '−131072'],
  ]) assert.equal(ungrouped(text), plain, text);
});

test('what could mean something else stays as it was written', () => {
  for (const text of ['', '8', '1.5', '1e3', '1,5', '1,50', '0,512', '012,345', '1,0244', '1024,000', '1,024,5', '1,024 576', '1.024,5', '1,024e3', ',024', '1,,024', '1, 024', 'bad'])
    assert.equal(ungrouped(text), text, text);
});

test('every number that this language prints in groups comes back', () => {
  for (const locale of ['en-US', 'fr-FR'])
    for (let n = 1; n < 1e12; n = n * 7 + 3) assert.equal(ungrouped(n.toLocaleString(locale)), String(n));
});

function box() {
  const set = [];
  const w = formOf('batch');
  const knobs = new Knobs(w.form, { set: (name, text) => set.push([name, text]), awaits: () => false, draining: false });
  knobs.show({ knobs: [{ name: 'batch', text: '8', pos: 8, positions: 99, valueText: '', locked: false }] }, 'all');
  const type = (text, field = w.box) => {
    field.value = text;
    w.fire('input', field);
    w.fire('change', field);
  };
  return { ...w, knobs, set, type };
}

test('a box takes it without its groups, and what it refused stays refused', () => {
  const w = box();
  w.type('1,024');
  w.type('1,5');
  assert.deepEqual(w.set, [['batch', '1024'], ['batch', '1,5']]);
  w.knobs.problem('batch', 'no number', true);
  assert.equal(w.box.value, '1,5', 'the engine refuses it, and the text stands');
  w.type('1,5');
  assert.equal(w.set.length, 2, 'not asked again');
});

test('the value that a box already has is not asked for again', () => {
  const w = box();
  w.knobs.show({ knobs: [{ name: 'batch', text: '1024', pos: 8, positions: 99, valueText: '', locked: false }] }, 'all');
  w.type('1 024');
  assert.deepEqual(w.set, []);
  assert.equal(w.box.value, '1024');
});

test('text of several lines is never taken for a number', () => {
  const w = box();
  w.box.type = 'textarea';
  w.type('1,024');
  assert.deepEqual(w.set, [['batch', '1,024']]);
  clearTimeout(w.knobs.pauses.get('batch'));
});
