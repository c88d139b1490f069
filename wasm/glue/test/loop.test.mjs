import test from 'node:test';
import assert from 'node:assert/strict';
import { Engine, Dead } from '../src/engine.js';
import { Loop, adapt } from '../src/loop.js';
import { fakeExports } from './fake.mjs';

/** A loop over the fake module, with a clock that a step moves on and a queue in place of message channels. */
function rig({ units = 10000, msPerUnit = 0.001 } = {}) {
  const fake = fakeExports({ units });
  const r = { fake, posted: [], later: [], time: 0 };
  fake.onStep = (budget) => { r.time += budget * msPerUnit; };
  r.loop = new Loop(new Engine(fake.exports, () => fake.exited), (m, t) => r.posted.push({ ...m, transferred: t }), (fn) => r.later.push(fn), () => r.time);
  r.turn = () => { const fn = r.later.shift(); if (fn) fn(); return !!fn; };
  r.drain = () => { while (r.turn()); };
  r.ask = (m) => { r.loop.receive(m); return r.posted.at(-1); };
  r.of = (id) => r.posted.filter((m) => m.id === id);
  return r;
}

const opened = (opts) => {
  const r = rig(opts);
  r.ask({ id: 1, op: 'open', text: 'demo\nv=1' });
  return r;
};

test('a request is answered with status, text and numbers', () => {
  const r = rig();
  const m = r.ask({ id: 1, op: 'open', text: 'demo\nv=1&x=ü' });
  assert.equal(m.status, 0);
  assert.equal(JSON.parse(m.text).state, 'v=1&x=ü');
});

test('a run ends with its frame, the numbers are transferred copies', () => {
  const r = opened();
  r.ask({ id: 2, op: 'run', handle: 1 });
  r.drain();
  const [m] = r.of(2);
  assert.equal(m.status, 0);
  assert.deepEqual([...m.nums], [1, 10000]);
  assert.deepEqual(m.transferred, [m.nums.buffer]);
  assert.notEqual(m.nums.buffer, r.fake.exports.mem.buffer);
});

test('slices settle between 8 and 12 ms, whatever a unit costs', () => {
  for (const msPerUnit of [0.00002, 0.001, 0.02]) {
    const r = opened({ units: 1e9, msPerUnit });
    r.ask({ id: 2, op: 'run', handle: 1 });
    const spans = [];
    for (let i = 0; i < 60; i++) {
      const t = r.time;
      r.turn();
      spans.push(r.time - t);
    }
    for (const ms of spans.slice(-20)) assert.ok(ms >= 8 && ms <= 12, `${ms} ms at ${msPerUnit} ms a unit`);
  }
});

test('adapt never more than doubles and keeps within bounds', () => {
  assert.equal(adapt(1000, 0), 2000);
  assert.equal(adapt(1000, 10), 1000);
  assert.equal(adapt(1000, 100), 200);
  assert.equal(adapt(4000, 40), 1000);
  assert.equal(adapt(10e6, 0), 10e6);
});

test('the newest change cancels the old run of its handle, and only of that', () => {
  const r = opened({ units: 1e6 });
  r.ask({ id: 2, op: 'open', text: 'demo\nv=1' });
  r.ask({ id: 3, op: 'run', handle: 1 });
  r.ask({ id: 4, op: 'run', handle: 2 });
  r.turn();
  r.ask({ id: 5, op: 'slide', handle: 1, text: 'batch', arg: 3 });
  assert.equal(r.of(3).at(-1).canceled, true);
  r.ask({ id: 6, op: 'run', handle: 1 });
  r.drain();
  assert.equal(JSON.parse(r.of(6).at(-1).text).state, 'v=1&batch=3');
  assert.equal(r.of(4).at(-1).status, 0);
  assert.ok(r.of(3).at(-1).canceled, 'a canceled run says nothing more');
});

test('a run begins with the change and goes to the request for it, whether it comes before or after its end', () => {
  for (const turns of [0, 1, 50]) {
    const r = opened({ units: 30000 });
    r.ask({ id: 2, op: 'slide', handle: 1, text: 'batch', arg: 3 });
    for (let i = 0; i < turns; i++) r.turn();
    const before = r.fake.calls.filter((c) => c.op === 5).length;
    assert.equal(before > 0, turns > 0, 'stepped before it was asked for');
    assert.equal(r.posted.length, 2, 'and nobody was told');
    r.ask({ id: 3, op: 'run', handle: 1 });
    r.drain();
    const [m] = r.of(3);
    assert.equal(JSON.parse(m.text).state, 'v=1&batch=3');
    assert.deepEqual([...m.nums], [1, 30000]);
    assert.deepEqual(m.transferred, [m.nums.buffer]);
    r.ask({ id: 4, op: 'run', handle: 1 });
    r.drain();
    assert.equal(r.of(4)[0].status, 0, 'it is given once, and run again for who asks again');
  }
});

test('what was run ahead is dropped by a newer change, a cancel and a close, without a word', () => {
  const drops = { slide: { op: 'slide', text: 'batch', arg: 4 }, cancel: { op: 'cancel' }, close: { op: 'close' } };
  for (const [name, drop] of Object.entries(drops)) {
    for (const turns of [1, 50]) {
      const r = opened({ units: 30000 });
      r.ask({ id: 2, op: 'slide', handle: 1, text: 'batch', arg: 3 });
      for (let i = 0; i < turns; i++) r.turn();
      r.ask({ id: 3, handle: 1, ...drop });
      assert.equal(r.of(0).length, 0, name);
      r.ask({ id: 4, op: 'run', handle: 1 });
      r.drain();
      const [m] = r.of(4);
      if (name === 'close') assert.equal(m.status, 3);
      else assert.equal(JSON.parse(m.text).state, name === 'slide' ? 'v=1&batch=4' : 'v=1&batch=3');
    }
  }
});

test('a run ahead that kills the engine is the fault of its own handle only', () => {
  const r = opened();
  r.ask({ id: 2, op: 'open', text: 'demo\nv=1' });
  r.ask({ id: 3, op: 'slide', handle: 1, text: 'batch', arg: 3 });
  r.fake.die = () => { throw new Error('unreachable'); };
  r.drain();
  assert.equal(r.of(0).length, 0);
  assert.equal(r.ask({ id: 4, op: 'csv', handle: 2 }).innocent, true);
  assert.deepEqual(r.ask({ id: 5, op: 'run', handle: 1 }), { id: 5, dead: 'unreachable', innocent: false, transferred: undefined });
});

test('garbage is collected when a run has ended, unless there is more to do', () => {
  const r = opened();
  r.ask({ id: 2, op: 'run', handle: 1 });
  r.drain();
  assert.deepEqual(r.fake.calls.map((c) => c.op), [1, 5, 5, 6, 'tidy']);
  r.ask({ id: 3, op: 'run', handle: 1 });
  while (!r.of(3).length) r.turn();
  r.ask({ id: 4, op: 'run', handle: 1 });
  const tidied = () => r.fake.calls.filter((c) => c.op === 'tidy').length;
  r.turn();
  assert.equal(tidied(), 1);
  r.drain();
  assert.equal(tidied(), 2);
});

test('a refused change leaves the run alone', () => {
  const r = opened({ units: 1e5 });
  r.ask({ id: 2, op: 'run', handle: 1 });
  r.turn();
  assert.equal(r.ask({ id: 3, op: 'set', handle: 1, text: 'batch=bad' }).status, 2);
  r.drain();
  assert.equal(r.of(2).at(-1).status, 0);
});

test('cancel ends a run, pause halts it', () => {
  const r = opened({ units: 1e6 });
  r.ask({ id: 2, op: 'run', handle: 1 });
  r.turn();
  r.ask({ id: 3, op: 'pause', arg: 1 });
  const steps = r.fake.calls.length;
  r.drain();
  assert.equal(r.fake.calls.length, steps);
  r.ask({ id: 4, op: 'pause', arg: 0 });
  r.turn();
  assert.equal(r.fake.calls.length, steps + 1);
  r.ask({ id: 5, op: 'cancel', handle: 1 });
  r.drain();
  assert.ok(r.of(2).at(-1).canceled);
});

test('progress is told only after 300 ms, then at most ten times a second', () => {
  const quick = opened({ units: 250e3 });
  quick.ask({ id: 2, op: 'run', handle: 1 });
  quick.drain();
  assert.equal(quick.of(2).filter((m) => m.progress !== undefined).length, 0);

  const slow = opened({ units: 2e6 });
  slow.ask({ id: 2, op: 'run', handle: 1 });
  slow.drain();
  const told = slow.of(2).filter((m) => m.progress !== undefined);
  assert.ok(told.length >= 10 && told.length <= 17, `${told.length} messages in ${slow.time} ms`);
  assert.ok(told[0].progress >= 0.15 && told[0].progress < 0.2);
});

test('a spread over seeds steps and ends with its own frame', () => {
  const r = opened();
  r.ask({ id: 2, op: 'seeds', handle: 1, arg: 30 });
  r.drain();
  assert.match(r.of(2)[0].text, /table/);
  assert.equal(r.fake.calls.find((c) => c.op === 9).arg, 30);
});

test('death is told once and remembered: panic status, exit, trap, no value', () => {
  const ways = {
    'status 4': (r) => { r.fake.die = () => 4; },
    'a trap': (r) => { r.fake.die = () => { throw new Error('unreachable'); }; },
    'no value': (r) => { r.fake.die = () => undefined; },
    exit: (r) => { r.fake.die = () => { r.fake.exited = true; return 0; }; },
  };
  for (const [name, kill] of Object.entries(ways)) {
    const r = opened();
    r.ask({ id: 2, op: 'run', handle: 1 });
    kill(r);
    r.drain();
    assert.ok(typeof r.of(2)[0].dead === 'string', name);
    assert.ok(r.ask({ id: 3, op: 'frame', handle: 1 }).dead, name);
  }
});

test('input that is too long, or an unknown operation, is only that request\'s trouble', () => {
  const r = opened();
  assert.match(r.ask({ id: 2, op: 'restore', handle: 1, text: 'x'.repeat(70000) }).error, /70000 bytes/);
  assert.match(r.ask({ id: 3, op: 'dance', handle: 1 }).error, /dance/);
  assert.equal(r.ask({ id: 4, op: 'frame', handle: 1 }).status, 0);
});

test('another protocol version is refused with both numbers', () => {
  assert.throws(() => new Engine(fakeExports({ protocol: 2 }).exports), /protocol 2.*speaks 1/);
});

test('Dead is thrown for a module that has ended before the call', () => {
  const fake = fakeExports();
  const e = new Engine(fake.exports, () => true);
  assert.throws(() => e.call(6, 1), Dead);
});
