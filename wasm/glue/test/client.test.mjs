import test from 'node:test';
import assert from 'node:assert/strict';
import { clients, EngineDied, Refused, RESTARTS } from '../src/client.js';
import { farm, turns } from './farm.mjs';

test('sessions share one worker', async () => {
  const f = farm();
  const [a, b] = [f.client.session('a'), f.client.session('b')];
  const heads = await Promise.all([a.open('v=1'), b.open('v=1')]);
  assert.equal(f.modules.length, 1);
  assert.notEqual(heads[0].handle, heads[1].handle);
});

test('a change overtakes a run, whose promise resolves with null', async () => {
  const f = farm({ units: Infinity });
  const s = f.client.session('a');
  await s.open('v=1');
  const run = s.run();
  await s.slide('batch', 3);
  assert.equal(await run, null);
  assert.equal(s.state, 'v=1&batch=3');
  f.modules[0].units = 10;
  assert.equal((await s.run()).frame.state, 'v=1&batch=3');
  assert.equal(s.good, 'v=1&batch=3');
});

test('a refused value rejects with its problems and changes nothing', async () => {
  const s = farm().client.session('a');
  await s.open('v=1');
  await assert.rejects(s.set('batch', 'bad'), (err) => err instanceof Refused && err.problems[0].key === 'batch');
  assert.equal(s.state, 'v=1');
});

test('after a death there is a new worker, and the message says what was being done', async () => {
  const f = farm();
  const s = f.client.session('a');
  await s.open('v=1');
  await s.run();
  f.modules[0].die = () => 4;
  await s.set('batch', '9').then(() => assert.fail('no death'), (err) => {
    assert.ok(err instanceof EngineDied);
    assert.match(err.message, /The engine stopped while setting batch and was restarted\./);
  });
  assert.equal(f.terminated, 1);
  assert.equal((await s.open(s.good)).state, 'v=1');
  assert.equal(f.modules.length, 2);
  assert.equal((await s.run()).frame.state, 'v=1');
});

test('an engine that dies while nobody waits is replaced without a word', async () => {
  const f = farm();
  const s = f.client.session('a');
  await s.open('v=1');
  await s.run();
  f.modules[0].die = () => { throw new Error('unreachable'); }; // it is about to collect its garbage
  await turns();
  assert.equal((await s.set('batch', '9')).state, 'v=1&batch=9');
  assert.deepEqual([f.modules.length, f.terminated, s.deaths], [2, 1, 0]);
});

test('a death is not felt by the other session, at rest or at work', async () => {
  const f = farm({ units: (state) => (state === 'v=1&slow=1' ? 200e6 : 1000) });
  const [a, b] = [f.client.session('a'), f.client.session('b')];
  await a.open('v=1');
  await b.open('v=1&slow=1');
  for (let i = 0; i < RESTARTS + 2; i++) {
    const run = b.run();
    await assert.rejects(a.fault(), EngineDied);
    assert.equal((await run).frame.state, 'v=1&slow=1');
    assert.equal((await b.slide('slow', 1)).state, 'v=1&slow=1');
    await a.open('v=1');
    await a.run();
  }
  assert.equal(b.deaths, 0);
});

test('an innocent open is repeated, within bounds', async () => {
  for (const [faults, deaths] of [[RESTARTS, 0], [RESTARTS + 1, 1]]) {
    const { client } = farm();
    const { send } = client;
    let left = faults;
    client.send = (msg, ...rest) => {
      const got = send.call(client, msg, ...rest);
      if (msg.op === 'open' && left-- > 0) client.fell('another demo failed', -1);
      return got;
    };
    const s = client.session('a');
    const open = s.open('v=1');
    if (deaths) await assert.rejects(open, EngineDied);
    else assert.equal((await open).state, 'v=1');
    assert.equal(s.deaths, deaths);
  }
});

test('a session at rest knows that its worker is gone', async () => {
  const f = farm();
  const [a, b] = [f.client.session('a'), f.client.session('b')];
  await a.open('v=1');
  await b.open('v=1');
  await assert.rejects(a.fault(), EngineDied);
  assert.equal(b.alive, false);
});

test('many requests after a death open a session once', async () => {
  const f = farm();
  const [a, b] = [f.client.session('a'), f.client.session('b')];
  await a.open('v=1');
  await b.open('v=1&x=1');
  await assert.rejects(a.fault(), EngineDied);
  await Promise.all([b.slide('x', 2), b.slide('x', 3), b.set('y', '4')]);
  assert.equal(f.modules[1].calls.filter((c) => c.op === 1).length, 1);
});

test('a paused client stays paused in its next worker', async () => {
  const f = farm();
  f.client.pause(true);
  const s = f.client.session('a');
  await s.open('v=1');
  let done = false;
  const run = s.run().then(() => { done = true; });
  await turns();
  assert.equal(done, false);
  f.client.pause(false);
  await run;
});

test('a file of an unfinished run is refused', async () => {
  const s = farm().client.session('a');
  await s.open('v=1');
  await assert.rejects(s.csv(), /refused writing CSV \(status 1\)/);
});

test('it gives up after three restarts in a row and says so', async () => {
  const f = farm();
  f.onModule = (fake) => { fake.onStep = () => { throw new Error('out of bounds'); }; };
  const s = f.client.session('a');
  let err;
  for (let i = 0; i <= RESTARTS; i++) {
    await s.open('v=1');
    await s.run().then(() => assert.fail('ran'), (e) => { err = e; });
    assert.equal(err.gaveUp, i === RESTARTS, `death ${i + 1}`);
  }
  assert.match(err.message, /not started again/);
  await assert.rejects(s.open('v=1'), (e) => e.gaveUp);
  assert.equal(f.modules.length, RESTARTS + 1);
});

test('a finished run clears the count', async () => {
  const f = farm();
  const s = f.client.session('a');
  for (let i = 0; i < RESTARTS + 3; i++) {
    await s.open('v=1');
    await s.run();
    await assert.rejects(s.fault(), (e) => e instanceof EngineDied && !e.gaveUp);
  }
});

test('a start that fails can be read, and tried again', async () => {
  const f = farm();
  f.fail = 'float.js could not be loaded';
  const s = f.client.session('a');
  await assert.rejects(s.open('v=1'), /The engine could not start: float\.js could not be loaded\./);
  f.fail = null;
  assert.equal((await s.open('v=1')).state, 'v=1');
});

test('an error event of the worker counts as a death', async () => {
  const f = farm({ units: Infinity });
  const s = f.client.session('a');
  await s.open('v=1');
  const run = s.run();
  await f.step();
  f.client.worker.onerror({ message: 'boom' });
  await assert.rejects(run, EngineDied);
});

test('csv, bet and seeds come back as text and objects', async () => {
  const f = farm();
  const s = f.client.session('a');
  await s.open('v=1');
  await s.run();
  assert.equal(await s.csv(), '# state: v=1\n');
  assert.equal((await s.seeds(30)).frame.html, '<table></table>');
});

test('each module has one worker, started when it is used, and dies alone', async () => {
  const f = farm();
  const asked = [];
  const engine = clients((module) => { asked.push(module); return f.spawn(); });
  const [a, b, other] = [engine.of('float').session('a'), engine.of('float').session('b'), engine.of('serving').session('c')];
  assert.deepEqual(asked, []);
  await a.open('v=1');
  await b.open('v=1');
  assert.deepEqual(asked, ['float']);
  await other.open('v=1');
  assert.deepEqual(asked, ['float', 'serving']);
  await assert.rejects(a.fault(), EngineDied);
  assert.equal(b.alive, false);
  assert.equal(other.alive, true);
  await a.open('v=1');
  assert.deepEqual(asked, ['float', 'serving', 'float']);
});

test('a pause holds for modules that start later', async () => {
  const engine = clients(farm().spawn);
  engine.pause(true);
  const s = engine.of('float').session('a');
  await s.open('v=1');
  let done = false;
  const run = s.run().then(() => { done = true; });
  await turns();
  assert.equal(done, false);
  engine.pause(false);
  await run;
});

test('a text that no link holds comes back with the worker, unless it may be what killed it', async () => {
  const f = farm();
  const s = f.client.session('a');
  await s.open('v=1');
  await s.set('paste', 'a log');
  assert.equal((await s.run()).frame.paste, 'a log');
  f.client.fell('another demo failed', -1);
  assert.equal((await s.run()).frame.paste, 'a log', 'after the death of another');
  await s.set('paste', 'poison');
  f.modules.at(-1).die = () => 4;
  await assert.rejects(s.run(), EngineDied);
  await s.open(s.good);
  assert.equal((await s.run()).frame.paste, 'a log', 'after its own');
});
