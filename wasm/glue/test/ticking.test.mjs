import test from 'node:test';
import assert from 'node:assert/strict';
import { EVERY, fine, positionOf, pressed, steps, Ticking, timeAt, words } from '../src/ticking.js';

const run = { from: 0, to: 60, step: 10 };
const odd = { from: 5, to: 6.05, step: 0.1 };

test('positions of the slider are steps, and the last is the end', () => {
  assert.equal(steps(run), 6);
  assert.equal(steps(odd), 11);
  assert.equal(steps({ from: 0, to: 0.5, step: 1 }), 1);
  assert.deepEqual([0, 1, 3, 6, 7].map((k) => timeAt(run, k)), [0, 10, 30, 60, 60]);
  assert.deepEqual([3, 10, 11].map((k) => timeAt(odd, k)), [5.3, 6, 6.05]);
  for (const clock of [run, odd]) for (let k = 0; k <= steps(clock); k++) assert.equal(positionOf(clock, timeAt(clock, k)), k);
  assert.equal(positionOf(run, 59.9), 5, 'the end is only the end');
});

test('a press goes to the next whole step, from wherever', () => {
  assert.deepEqual([0, 3, 10, 55, 60].map((at) => pressed(run, at, 1)), [10, 10, 20, 60, 60]);
  assert.deepEqual([60, 55, 50, 3, 0].map((at) => pressed(run, at, -1)), [50, 50, 40, 0, 0]);
  assert.equal(pressed(odd, 6.05, -1), 6);
  assert.equal(pressed(odd, 6, 1), 6.05);
  assert.equal(pressed(odd, 5.3, 1), 5.4);
  let at = odd.from;
  for (let k = 0; k < 20; k++) at = pressed(odd, at, 1);
  for (let k = 0; k < 20; k++) at = pressed(odd, at, -1);
  assert.equal(at, odd.from);
});

test('times have short words', () => {
  assert.equal(fine(run, 23.456), 23);
  assert.equal(fine(odd, 5.3333), 5.33);
  assert.equal(fine(run, 100), 60);
  assert.equal(words(run, 60), '');
  assert.equal(words(odd, fine(odd, 5.3)), '5.3');
});

/** A run that is played by a clock of our own. */
function rig({ slow = 0, clock = run, at = 0, seconds = 6 } = {}) {
  const r = { time: 0, shown: [], ended: 0, todo: [] };
  r.t = new Ticking({
    show: async (x) => { r.shown.push([Math.round(r.time), x]); r.time += slow; },
    ended: () => { r.ended++; },
    now: () => r.time,
    later: (fn, ms) => { r.todo = [{ fn, at: r.time + ms }]; return 1; },
    clear: () => { r.todo = []; },
  });
  r.pass = async () => {
    const next = r.todo.pop();
    if (!next) return false;
    r.time = Math.max(r.time, next.at);
    await next.fn();
    return true;
  };
  r.all = async () => { for (let k = 0; k < 1000 && await r.pass(); k++); };
  r.t.start(clock, at, seconds);
  return r;
}

test('a run is played from its start to its end, 8 times a second, and stops', async () => {
  const r = rig();
  await r.all();
  assert.deepEqual(r.shown.slice(0, 4), [[0, 0], [125, 1], [250, 2], [375, 3]]);
  assert.deepEqual(r.shown.at(-1), [6000, 60]);
  assert.equal(r.ended, 1);
  assert.equal(r.t.going, false);
  const gaps = r.shown.slice(1).map(([ms], k) => ms - r.shown[k][0]);
  assert.ok(Math.min(...gaps) >= EVERY - 1);
});

test('times that look the same are not shown twice', async () => {
  const r = rig({ seconds: 80 });
  await r.all();
  assert.equal(r.shown.length, 61);
  assert.equal(new Set(r.shown.map(([, x]) => x)).size, 61);
});

test('slow pictures make fewer times, not a longer run; very slow ones a slower run', async () => {
  const slow = rig({ slow: 500 });
  await slow.all();
  assert.ok(slow.shown.length <= 15, `${slow.shown.length}`);
  assert.ok(slow.time < 8000, `${slow.time}`);
  const verySlow = rig({ slow: 5000 });
  await verySlow.all();
  assert.equal(verySlow.shown.at(-1)[1], 60);
  const jumps = verySlow.shown.slice(1).map(([, x], k) => x - verySlow.shown[k][1]);
  assert.ok(Math.max(...jumps) <= 10.01, `${jumps}`);
});

test('a stop while a picture is drawn is the end of it; a start replaces the old one', async () => {
  const r = rig();
  await r.pass();
  r.t.show = async () => { r.t.stop(); };
  await r.pass();
  assert.equal(await r.pass(), false);
  assert.equal(r.ended, 0);
  const again = rig({ at: 20 });
  await again.pass();
  again.t.start(run, 50, 7.5); // 1 a tick
  await again.all();
  assert.deepEqual(again.shown.map(([, x]) => x), [20, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
});

test('nothing ticks before it is asked to', () => {
  let timers = 0;
  new Ticking({ show() {}, ended() {}, later: () => ++timers });
  assert.equal(timers, 0);
});
