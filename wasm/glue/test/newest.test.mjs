// The newest change wins, whatever the order in which keys, answers and runs come:
// the real panel, flow, client and loop over a fake module, with every message in a
// queue from which a seeded reader and a seeded world take turns. What is shown is
// dimmed only while an answer is awaited, and never stays so.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Client } from '../src/client.js';
import { Engine } from '../src/engine.js';
import { Flow } from '../src/flow.js';
import { Knobs } from '../src/knobs.js';
import { Loop } from '../src/loop.js';
import { Stale } from '../src/stale.js';
import { fakeExports } from './fake.mjs';
import { formOf } from './form.mjs';

const START = '1';

/** Numbers from 0 to n-1 in an order that a seed says. */
function dice(seed) {
  let x = seed * 2654435761 >>> 0;
  return (n) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return Math.floor((x / 2 ** 32) * n);
  };
}

const settled = () => new Promise((go) => { setImmediate(go); }); // every promise that can has gone on

function world() {
  const [toWorker, toPage, later, timers] = [[], [], [], []];
  const valueOf = (state) => /batch=(\d+)/.exec(state)[1];
  const fake = fakeExports({
    units: 3000,
    knobs: (state) => [{ name: 'batch', text: valueOf(state), pos: Number(valueOf(state)), positions: 99, valueText: '', locked: false }],
  });
  let loop;
  const client = new Client(async () => {
    const worker = { terminate() {}, postMessage: (m) => (m.op === 'start' ? toPage.push({ id: m.id, status: 0 }) : toWorker.push(m)) };
    loop = new Loop(new Engine(fake.exports), (m) => toPage.push(m), (fn) => later.push(fn), () => 0);
    return { worker, wasm: 'bytes' };
  });
  const queues = [
    [toWorker, (m) => loop.receive(m)],
    [toPage, (m) => client.worker.onmessage({ data: m })],
    [later, (fn) => fn()],
    [timers, (fn) => fn()], // time passes while nothing else does, or before it
  ];
  const page = formOf('batch');
  const w = { ...page, shown: null, problems: [], dim: false, dims: 0, timers };
  const stale = new Stale((dim) => { w.dim = dim; w.dims += dim; }, (fn) => timers.push(fn) && fn, (fn) => { if (timers.includes(fn)) timers.splice(timers.indexOf(fn), 1); });
  w.flow = new Flow(client.session('demo'), `v=1&batch=${START}`, {
    head: (head, changed) => w.knobs.show(head, changed),
    frame: async (got) => {
      if (w.torn) throw new Error('the page could not show it');
      w.shown = got.frame.state;
      w.fresh = true;
    },
    refuse: (c, problems) => {
      w.knobs.back(c);
      for (const p of problems) w.knobs.problem(p.key, p.text, true);
    },
    touched() {}, report() {}, dismiss() {}, busy() {}, stale: (on) => stale.set(on),
    notify: (n) => w.problems.push(n.text),
  });
  w.knobs = new Knobs(page.form, w.flow);
  w.box.value = w.slider.value = START;
  /** Lets one thing happen that waits; false if nothing does. */
  w.one = async (pick) => {
    const ready = queues.filter(([q]) => q.length);
    if (!ready.length) return false;
    const [q, go] = ready[pick(ready.length)];
    go(q.shift());
    await settled();
    if (w.fresh) assert.ok(!w.dim, 'an answer is there, and dimmed');
    w.fresh = false;
    if (w.dim) assert.ok(w.flow.wants && w.flow.under > 0, 'it is dimmed, and nothing is awaited');
    return true;
  };
  w.client = client;
  /** The worker dies, and with it all that it was told or would have said. */
  w.die = () => {
    if (!client.worker) return;
    for (const q of [toWorker, toPage, later]) q.length = 0;
    client.worker.onerror({ message: 'it is gone' });
  };
  w.rest = async () => { do await settled(); while (await w.one(() => 0)); };
  return w;
}

/** What a reader does, each giving what they now want to see, or null if that stays. */
const doing = {
  type(w, pick) { // selects all and types, or adds a digit
    const text = pick(9) === 0 ? 'bad' : String(1 + pick(9));
    w.box.value = pick(4) === 0 && w.box.value.length < 2 ? w.box.value + text : text;
    document.activeElement = w.box;
    w.fire('input', w.box);
    w.typed = w.box.value;
    return null;
  },
  enter(w) { return w.typed === undefined ? null : take(w, () => w.fire('keydown', w.box, { key: 'Enter' })); },
  leave(w) {
    document.activeElement = null;
    return take(w, () => {
      w.fire('change', w.box); // browsers tell of a change or do not, as the box was filled by script meanwhile
      w.fire('focusout', w.box);
    });
  },
  slide(w, pick) {
    const pos = 1 + pick(99);
    for (const at of [1 + pick(99), pos]) {
      w.slider.value = String(at);
      w.fire('input', w.slider);
    }
    if (pick(2)) w.fire('change', w.slider);
    return String(pos);
  },
  arrow(w) { // from where the slider stands
    const to = String(Math.min(99, Number(w.slider.value) + 1));
    w.slider.value = to;
    w.fire('input', w.slider);
    w.fire('change', w.slider);
    return to;
  },
};

/** Ends an edit; what was typed is what is wanted, unless it is no number. */
function take(w, end) {
  const { typed } = w;
  w.typed = undefined;
  end();
  return typed === undefined || !/^\d+$/.test(typed) ? null : typed;
}

test('whatever the order of keys, answers and runs, the newest change is what the page ends at', async () => {
  globalThis.document = { activeElement: null, createElement: () => ({}) };
  let dims = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const pick = dice(seed);
    const w = world();
    const said = [];
    let want = START;
    for (let i = 0; i < 12; i++) {
      const name = Object.keys(doing)[pick(5)];
      const now = doing[name](w, pick);
      want = now ?? want;
      said.push(`${name} ${w.box.value || ''}${now ? ` -> ${now}` : ''}`);
      await settled();
      for (let n = pick(6); n > 0; n--) await w.one(pick);
      if (w.typed !== undefined) assert.equal(w.box.value, w.typed, `seed ${seed}: text that is being typed stays\n${said.join('\n')}`);
    }
    want = doing.leave(w) ?? want;
    w.fire('change', w.slider);
    await w.rest();
    const story = `seed ${seed}, ${said.join('; ')}`;
    assert.equal(w.flow.state, `v=1&batch=${want}`, story);
    assert.ok(w.shown === w.flow.state || (w.shown === null && want === START), `${story}: the figures show ${w.shown}`);
    assert.equal(w.slider.value, want, story);
    if (w.box.attributes['aria-invalid']) assert.match(w.box.value, /bad/, story);
    else assert.equal(w.box.value, want, story);
    assert.deepEqual(w.problems, [], story);
    assert.ok(!w.dim && !w.timers.length, `${story}: the figures stay dimmed`);
    dims += w.dims;
  }
  assert.ok(dims > 50, `dimmed ${dims} times: the order of things never lets time pass`);
});

test('whatever dies, is refused, stopped or cannot be shown, the figures do not stay dimmed', async () => {
  globalThis.document = { activeElement: null, createElement: () => ({}) };
  const ends = { die: (w) => w.die(), stop: (w) => { if (w.client.worker) w.flow.cancel(); }, tear: (w) => { w.torn = !w.torn; }, run: (w) => { if (w.flow.opened) w.flow.run(); }, seek: (w, pick) => { w.flow.seek(String(pick(9)), true); } };
  let dims = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const pick = dice(seed);
    const w = world();
    const said = [];
    for (let i = 0; i < 10; i++) {
      const way = pick(2) ? doing : ends;
      const name = Object.keys(way)[pick(5)];
      way[name](w, pick);
      said.push(name);
      await settled();
      for (let n = pick(8); n > 0; n--) await w.one(pick);
      if (pick(4)) continue;
      await w.rest();
      assert.ok(!w.dim && !w.timers.length && !w.flow.under, `seed ${seed}, ${said}: the figures stay dimmed`);
    }
    await w.rest();
    assert.ok(!w.dim && !w.timers.length && !w.flow.under, `seed ${seed}, ${said}: the figures stay dimmed`);
    dims += w.dims;
  }
  assert.ok(dims > 50, `dimmed ${dims} times`);
});
