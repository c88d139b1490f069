import test from 'node:test';
import assert from 'node:assert/strict';
import { LASTS, Stale } from '../src/stale.js';

function rig() {
  const seen = [];
  const timers = new Map();
  const later = (fn, ms) => {
    assert.equal(ms, LASTS);
    timers.set(fn, fn);
    return fn;
  };
  const stale = new Stale((on) => seen.push(on), later, (fn) => timers.delete(fn));
  const pass = () => {
    for (const fn of timers.values()) fn();
    timers.clear();
  };
  return { stale, seen, timers, pass };
}

test('an answer that comes soon leaves no trace', () => {
  const { stale, seen, pass } = rig();
  for (let i = 0; i < 5; i++) {
    stale.set(true);
    stale.set(false);
  }
  pass();
  assert.deepEqual(seen, []);
});

test('a long wait is shown once, and taken back with the answer', () => {
  const { stale, seen, timers, pass } = rig();
  stale.set(true);
  stale.set(true);
  assert.equal(timers.size, 1, 'another change does not begin the wait anew');
  pass();
  stale.set(true);
  assert.equal(timers.size, 0);
  assert.deepEqual(seen, [true]);
  stale.set(false);
  stale.set(false);
  pass();
  assert.deepEqual(seen, [true, false]);
});
