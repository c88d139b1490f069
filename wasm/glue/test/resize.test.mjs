import test from 'node:test';
import assert from 'node:assert/strict';
import { ResizeGuard } from '../src/resize.js';

test('rounds up, ignores less than 2 px, tells of shrinking', () => {
  const g = new ResizeGuard();
  assert.equal(g.next(400.2, 0), 401);
  assert.equal(g.next(401.9, 10), 0);
  assert.equal(g.next(402.1, 20), 403);
  assert.equal(g.next(300, 30), 300);
  assert.equal(g.next(300, 40), 0);
});

test('a page that grows with its frame is cut off, and heard again after a pause', () => {
  const g = new ResizeGuard();
  let sent = 0;
  for (let i = 1; i <= 500; i++) if (g.next(400 + 10 * i, i * 16)) sent++;
  assert.ok(sent >= 10 && sent <= 30, `${sent} messages`);
  assert.equal(g.next(500, 500 * 16 + 1500), 500);
});

test('the height that a burst ends with is sent, once', () => {
  const g = new ResizeGuard();
  let now = 0;
  for (let i = 1; i <= 100; i++) g.next(400 + 10 * i, now = i * 16);
  assert.equal(g.last(1400, now += 1000), 1400);
  assert.equal(g.next(1410, now += 16), 0, 'it grew by that');
  assert.equal(g.last(1410, now += 1000), 0);
  assert.equal(g.next(1420, now += 1000), 1420, 'a pause ends all that');
});

test('slow changes are never cut off', () => {
  const g = new ResizeGuard();
  for (let i = 1; i <= 100; i++) assert.equal(g.next(400 + 10 * i, i * 1100), 400 + 10 * i);
});
