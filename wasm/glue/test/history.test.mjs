import test from 'node:test';
import assert from 'node:assert/strict';
import { History } from '../src/history.js';

function past(...states) {
  const h = new History();
  for (const s of states) h.push(s);
  return h;
}

test('undo and redo walk the states, ends give undefined', () => {
  const h = past('a', 'b', 'c');
  assert.equal(h.undo(), 'b');
  assert.equal(h.undo(), 'a');
  assert.equal(h.undo(), undefined);
  assert.equal(h.current, 'a');
  assert.deepEqual([h.canUndo, h.canRedo], [false, true]);
  assert.equal(h.redo(), 'b');
  assert.equal(h.redo(), 'c');
  assert.equal(h.redo(), undefined);
});

test('a new state after undo forgets the redone ones', () => {
  const h = past('a', 'b', 'c');
  h.undo();
  h.push('d');
  assert.deepEqual(h.list, ['a', 'b', 'd']);
  assert.equal(h.canRedo, false);
});

test('the same state again is no step', () => {
  const h = past('a', 'b', 'b');
  assert.deepEqual(h.list, ['a', 'b']);
});

test('a drag is one step, even when it passes its start', () => {
  const h = past('a', 'b');
  for (const s of ['c', 'b', 'd', 'e']) h.push(s, 'batch');
  assert.deepEqual(h.list, ['a', 'b', 'e']);
  h.settle();
  h.push('f', 'batch');
  assert.deepEqual(h.list, ['a', 'b', 'e', 'f']);
  h.push('g', 'rate');
  assert.deepEqual(h.list, ['a', 'b', 'e', 'f', 'g']);
});

test('a drag that ends where it began leaves nothing', () => {
  const h = past('a');
  h.push('b', 'batch');
  h.push('a', 'batch');
  assert.deepEqual(h.list, ['a']);
});

test('drop forgets the present, never the first', () => {
  const h = past('a', 'b');
  h.drop();
  assert.equal(h.current, 'a');
  h.drop();
  assert.equal(h.current, 'a');
});

test('a long visit is bounded', () => {
  const h = new History();
  for (let i = 0; i < 2000; i++) h.push(String(i));
  assert.ok(h.list.length <= 500);
  assert.equal(h.current, '1999');
  assert.equal(h.undo(), '1998');
});
