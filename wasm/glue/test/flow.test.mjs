import test from 'node:test';
import assert from 'node:assert/strict';
import { Flow } from '../src/flow.js';
import { farm } from './farm.mjs';

function rig(opts) {
  const f = farm(opts);
  const seen = { heads: [], frames: [], notes: [], problems: [], refused: [], touched: 0, busy: '' };
  const host = {
    head: (head) => seen.heads.push(head.state),
    frame: async (got) => { seen.frames.push(got.frame.state); },
    touched: () => { seen.touched++; },
    refuse: (c, problems) => seen.refused.push([c.key, problems[0].text]),
    report: (problems) => seen.problems.push(...problems),
    notify: (n) => seen.notes.push(n),
    dismiss: () => {},
    busy: (text) => { seen.busy = text; },
    stale: (on) => { seen.stale = on; },
  };
  const flow = new Flow(f.client.session('demo'), 'v=1&base=1', host);
  return { ...f, f, flow, seen };
}

test('a change opens, applies, runs and shows', async () => {
  const { flow, seen } = rig();
  assert.equal(await flow.set('batch', '8'), true);
  assert.deepEqual(seen.heads, ['v=1&base=1', 'v=1&batch=8']);
  assert.deepEqual(seen.frames, ['v=1&batch=8']);
  assert.equal(seen.touched, 1);
  assert.equal(seen.busy, '');
});

test('opening early runs nothing', async () => {
  const { flow, seen } = rig();
  await flow.begin();
  await flow.begin();
  assert.deepEqual(seen.heads, ['v=1&base=1']);
  assert.deepEqual(seen.frames, []);
});

test('of many slides the last one is shown, and one undo takes the drag back', async () => {
  const { flow, seen } = rig();
  await flow.begin();
  const moves = [];
  for (let pos = 1; pos <= 20; pos++) moves.push(flow.slide('batch', pos));
  await Promise.all(moves);
  await flow.settle();
  assert.equal(seen.frames.at(-1), 'v=1&batch=20');
  assert.ok(seen.heads.length <= 4, `${seen.heads.length} heads for 20 moves in one frame`);
  assert.equal(await flow.undo(), true);
  assert.equal(seen.frames.at(-1), 'v=1&base=1');
  await flow.redo();
  assert.equal(seen.frames.at(-1), 'v=1&batch=20');
  const heads = seen.heads.length;
  await flow.redo();
  assert.equal(seen.heads.length, heads, 'there is nothing to redo');
});

test('a newer change overtakes a long run without a word', async () => {
  const { f, flow, seen } = rig({ units: (state) => (state === 'v=1&batch=8' ? Infinity : 10) });
  const first = flow.set('batch', '8');
  await f.step();
  assert.equal(await flow.set('batch', '9'), true);
  assert.equal(await first, false);
  assert.deepEqual(seen.frames, ['v=1&batch=9']);
  assert.deepEqual(seen.notes, []);
});

test('a refused value keeps settings and picture', async () => {
  const { flow, seen } = rig();
  await flow.set('batch', '8');
  await flow.set('batch', 'bad');
  assert.deepEqual(seen.refused, [['batch', 'bad is not a number']]);
  assert.equal(flow.state, 'v=1&batch=8');
  assert.deepEqual(seen.frames, ['v=1&batch=8']);
});

test('stopping says so and offers to run', async () => {
  const { f, flow, seen } = rig({ units: Infinity });
  const run = flow.set('batch', '8');
  await f.step();
  await flow.cancel();
  assert.equal(await run, false);
  assert.equal(seen.notes[0].kind, 'stopped');
  f.modules[0].units = 10;
  await seen.notes[0].run();
  assert.deepEqual(seen.frames, ['v=1&batch=8']);
});

test('a link from outside replaces the state; restore keeps its locks', async () => {
  const { flow, seen } = rig();
  await flow.arrive('v=1&seed=3&batch=4&lock=seed');
  assert.equal(flow.state, 'v=1&seed=3&batch=4&lock=seed');
  assert.equal(seen.touched, 0, 'arriving is not an interaction');
  await flow.restore('v=1&seed=9&batch=8');
  assert.equal(flow.state, 'v=1&batch=8&seed=3&lock=seed');
  await flow.arrive('v=1&seed=5');
  assert.equal(flow.state, 'v=1&seed=5');
});

test('locks hold against what was asked before they were known', async () => {
  for (const lock of ['all', 'batch']) {
    const { flow, seen } = rig();
    const link = `v=1&seed=3&batch=4&lock=${lock}`;
    await Promise.all([flow.arrive(link), flow.set('batch', '9'), flow.slide('batch', 9), flow.restore('v=1&batch=8')]);
    assert.match(flow.state, /batch=4/);
    assert.doesNotMatch(flow.state, /batch=[89]/);
    assert.deepEqual(seen.refused, []);
    assert.equal(seen.heads.at(lock === 'all' ? -1 : 0), link);
  }
});

test('a link that arrives while the engine loads waits for it', async () => {
  const { f, flow } = rig();
  flow.begin();
  await flow.arrive('v=1&batch=4');
  assert.equal(flow.state, 'v=1&batch=4');
  assert.equal(f.modules[0].calls.filter((c) => c.op === 1).length, 1);
});

test('reset brings locked values back that a bet has moved', async () => {
  for (const lock of ['all', 'batch']) {
    const { flow } = rig();
    flow.base = `v=1&batch=4&lock=${lock}`;
    await flow.arrive(flow.base);
    await flow.restore('v=1&batch=8', (reveal) => reveal);
    assert.match(flow.state, /batch=8/);
    await flow.restore(flow.base);
    assert.match(flow.state, /batch=4/);
    assert.doesNotMatch(flow.state, /batch=8/);
  }
});

test('undo counts from the changes before it, answered or not', async () => {
  const { flow } = rig();
  await flow.set('batch', '1');
  await flow.set('batch', '2');
  flow.set('batch', '3');
  await flow.undo();
  assert.equal(flow.state, 'v=1&batch=2');
  await flow.redo();
  assert.equal(flow.state, 'v=1&batch=3');
});

test('a file can be had after another demo took the engine down', async () => {
  const { f, flow } = rig();
  await flow.set('batch', '8');
  await f.client.session('other').fault().catch(() => {});
  assert.equal(await flow.ready(), true);
  assert.match(await flow.session.csv(), /batch=8/);
});

test('a death that costs no setting says so', async () => {
  const { flow, seen } = rig();
  await flow.set('batch', '8');
  await flow.change({ key: 'x', go: (s) => s.fault() });
  assert.match(seen.notes[0].text, /The engine stopped while failing on purpose and was restarted\. Your settings are kept\./);
  assert.equal(flow.state, 'v=1&batch=8');
});

test('a run that kills the engine: back to the last good state, with a notice, and not in the past', async () => {
  const { f, flow, seen } = rig();
  await flow.set('batch', '8');
  f.modules[0].onStep = () => { throw new Error('out of bounds'); };
  assert.equal(await flow.set('batch', '9'), false);
  assert.equal(flow.state, 'v=1&batch=8');
  assert.match(seen.notes[0].text, /while running v=1&batch=9 and was restarted\. The demo is back at your last settings that worked\./);
  assert.equal(seen.frames.at(-1), 'v=1&batch=8');
  assert.deepEqual(flow.history.list, ['v=1&base=1', 'v=1&batch=8']);
  assert.equal(await flow.ready(), true);
  assert.equal(await flow.set('batch', '7'), true);
});

test('a demo that always kills the engine ends with one last notice', async () => {
  const { f, flow, seen } = rig();
  f.onModule = (fake) => { fake.onStep = () => { throw new Error('out of bounds'); }; };
  assert.equal(await flow.set('batch', '8'), false);
  assert.match(seen.notes.at(-1).text, /not started again/);
  assert.equal(f.modules.length, 4);
  assert.equal(seen.busy, '');
});

test('ready waits for what is under way, and runs what was never run', async () => {
  const { flow, seen } = rig();
  assert.equal(await flow.ready(), true);
  assert.deepEqual(seen.frames, ['v=1&base=1']);
  flow.set('batch', '8');
  assert.equal(await flow.ready(), true);
  assert.deepEqual(seen.frames, ['v=1&base=1', 'v=1&batch=8']);
  assert.equal(await flow.ready(), true);
  assert.equal(seen.frames.length, 2, 'nothing is run twice');
});

test('times are no steps of the past, overtake each other, and go through locks', async () => {
  const { flow, seen } = rig();
  await flow.set('batch', '8');
  await Promise.all([1, 2, 3, 4, 5].map((at) => flow.seek(String(at))));
  assert.equal(flow.state, 'v=1&batch=8&at=5');
  assert.equal(seen.frames.at(-1), 'v=1&batch=8&at=5');
  assert.ok(seen.frames.length < 5, `${seen.frames.length} frames for 5 times at once`);
  assert.deepEqual(flow.history.list, ['v=1&base=1', 'v=1&batch=8&at=5']);
  await flow.undo();
  assert.equal(flow.state, 'v=1&base=1');
  await flow.redo();
  assert.equal(flow.state, 'v=1&batch=8&at=5');
  await flow.seek('');
  assert.equal(flow.state, 'v=1&batch=8');
  await flow.arrive('v=1&batch=4&lock=all');
  await flow.seek('3');
  assert.equal(flow.state, 'v=1&batch=4&lock=all&at=3');
  await flow.seek('bad');
  assert.deepEqual(seen.refused.at(-1), ['at', 'bad is not a number']);
  assert.equal(flow.state, 'v=1&batch=4&lock=all&at=3');
});

test('while a run is played the address waits', async () => {
  const { flow, seen } = rig();
  await flow.seek('1', true);
  await flow.seek('2', true);
  assert.equal(seen.touched, 0);
  await flow.seek('3');
  assert.equal(seen.touched, 1);
});

test('a time that the run does not have goes out of the state', async () => {
  const { f, flow, seen } = rig();
  await flow.seek('50');
  f.modules[0].forget = '&at=50';
  await flow.set('batch', '8&at=50');
  assert.equal(flow.state, 'v=1&batch=8');
  assert.equal(flow.history.current, 'v=1&batch=8');
  assert.equal(seen.frames.at(-1), 'v=1&batch=8');
});

test('a reset is to be had exactly when it changes something', async () => {
  const { flow } = rig();
  assert.equal(flow.atBase, true, 'nothing has happened');
  await flow.begin();
  assert.equal(flow.atBase, true);
  flow.head = { ...flow.head, lock: [], knobs: [{ name: 'batch' }, { name: 'base' }] };
  assert.equal(flow.atBase, true);
  flow.head.state = 'v=1&batch=8';
  assert.equal(flow.atBase, false);
  flow.head.state = 'v=1&base=1&hide=bet';
  assert.equal(flow.atBase, true, 'what a link hides is not a setting');
  flow.head.state = 'v=1&seed=3&base=1';
  assert.equal(flow.atBase, false, 'another seed');
  flow.held = 'v=1&seed=3&base=1&lock=seed';
  assert.equal(flow.atBase, true, 'what is locked cannot be reset');
});

test('what is shown is stale while an answer is awaited, and not while a run is played', async () => {
  const { flow, seen } = rig();
  await flow.set('batch', '8');
  assert.equal(seen.stale, false);
  const change = flow.set('batch', '9');
  assert.equal(seen.stale, true);
  await change;
  assert.equal(seen.stale, false);
  seen.stale = 'not told';
  await flow.seek('3', true);
  assert.equal(seen.stale, 'not told');
  await flow.set('batch', 'bad');
  assert.equal(seen.stale, false, 'refused');
});
