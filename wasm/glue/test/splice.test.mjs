import test from 'node:test';
import assert from 'node:assert/strict';
import { Splice } from '../src/splice.js';

function talk() {
  const sent = [];
  const timers = [];
  const s = new Splice((m) => sent.push(m), (fn, ms) => timers.push({ fn, ms }));
  return { s, sent, timers };
}

test('a score has the shape of the protocol', () => {
  const { s, sent } = talk();
  s.report('batch', 0.5, { link: 'v=1' });
  const [m] = sent;
  assert.equal(m.subject, 'SPLICE.reportScoreAndState');
  assert.equal(m.score, 0.5);
  assert.deepEqual(m.state, { link: 'v=1' });
  assert.ok(m.message_id);
});

test('an event says what happened', () => {
  const { s, sent } = talk();
  s.event('batch', 'state', { link: 'v=1' });
  const { message_id, ...rest } = sent[0];
  assert.deepEqual(rest, { subject: 'SPLICE.sendEvent', activity_id: 'batch', name: 'state', data: { link: 'v=1' } });
  assert.ok(message_id);
});

test('getState resolves with the link of the answer to its own id', async () => {
  const { s, sent } = talk();
  const got = s.getState('batch');
  s.receive({ subject: 'SPLICE.getState.response', message_id: 'another', state: { link: 'v=1&x=1' } });
  s.receive({ subject: 'SPLICE.getState.response', message_id: sent[0].message_id, state: { link: 'v=1&x=2' } });
  assert.equal(await got, 'v=1&x=2');
});

test('no answer is null after 15 s', async () => {
  const { s, timers } = talk();
  const got = s.getState('batch');
  assert.equal(timers[0].ms, 15000);
  timers[0].fn();
  assert.equal(await got, null);
});

test('answers of another shape are null or left alone', async () => {
  const bad = [null, 'v=1', 7, {}, { link: 7 }, { link: '' }, { link: 'x'.repeat(9000) }, { link: { toString: () => 'v=1' } }];
  for (const state of bad) {
    const { s, sent } = talk();
    const got = s.getState('batch');
    for (const junk of [null, 7, 'x', [], { subject: 'SPLICE.getState.response' }, { subject: 'SPLICE.getState.response', message_id: {} }]) s.receive(junk);
    s.receive({ subject: 'SPLICE.getState.response', message_id: sent[0].message_id, state });
    assert.equal(await got, null, JSON.stringify(state));
  }
  const { s, sent } = talk();
  const got = s.getState('batch');
  s.receive({ subject: 'SPLICE.getState.response', message_id: sent[0].message_id, state: { link: 'v=1' }, error: { code: 'no' } });
  assert.equal(await got, null);
});

test('with the real clock an answer still comes', async () => {
  const sent = [];
  const s = new Splice((m) => sent.push(m));
  const strict = setTimeout;
  globalThis.setTimeout = function timeout(fn) { // as in a browser: refuses a foreign this
    if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation');
    return strict(fn, 0);
  };
  try {
    assert.equal(await s.getState('batch'), null);
  } finally {
    globalThis.setTimeout = strict;
  }
});
