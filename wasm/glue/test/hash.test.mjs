import test from 'node:test';
import assert from 'node:assert/strict';
import { MAX_LINK, clip, get, hashOf, join, keepLocks, locks, named, parts, same, sameRun, stateFor } from '../src/hash.js';

test('stateFor: which hash is for which demo', () => {
  const cases = [
    ['#demo=a&v=1&seed=7', 'a', '', 'v=1&seed=7'],
    ['#v=1&demo=a&seed=7', 'a', '', 'v=1&seed=7'],
    ['#demo=b&v=1', 'a', '', null],
    ['#demo=b&v=1', 'a', 'any', null],
    ['#v=1&seed=7', 'a', '', null],
    ['#v=1&seed=7', 'a', 'v', 'v=1&seed=7'],
    ['#batch=8', 'a', 'v', null],
    ['#batch=8', 'a', 'any', 'batch=8'],
    ['#a-heading', 'a', 'v', null],
    ['#no-such-setting', 'a', 'any', 'no-such-setting'],
    ['#', 'a', 'any', null],
    ['', 'a', 'any', null],
    ['#demo=a', 'a', '', ''],
  ];
  for (const [hash, id, bare, want] of cases) assert.equal(stateFor(hash, id, bare), want, `${hash} for ${id}, ${bare}`);
});

test('hashOf is read back by stateFor', () => {
  const state = 'v=1&seed=7&batch=8&note=a%3Db';
  assert.equal(stateFor(hashOf(state, 'x', false), 'x', ''), state);
  assert.equal(stateFor(hashOf(state, 'x', true), 'x', 'any'), state);
});

test('a long hash is cut, but stays too long for the engine to accept', () => {
  const hash = `#demo=a&v=1&x=${'y'.repeat(2 << 20)}`;
  const t = process.cpuUsage().user;
  assert.equal(named(hash), 'a');
  const state = stateFor(hash, 'a', '');
  assert.ok(state.length > MAX_LINK && state.length < MAX_LINK + 100, `length ${state.length}`);
  assert.ok(process.cpuUsage().user - t < 1e6, 'took more than a second of work');
  assert.equal(clip('short'), 'short');
});

test('parts keep raw text, valueless and repeated keys', () => {
  assert.deepEqual(parts('#a=1&&b&c=x=y&a=%26'), [['a', '1'], ['b', ''], ['c', 'x=y'], ['a', '%26']]);
  assert.equal(join(parts('a=1&c=x=y')), 'a=1&c=x=y');
  assert.equal(get('a=1&a=2', 'a'), '1');
  assert.equal(get('a=1', 'b'), '');
});

test('keepLocks holds locked values, and nothing else', () => {
  const now = 'v=1&seed=3&batch=4&lock=seed%2Cbatch&hide=bet';
  assert.deepEqual(locks(now), ['seed', 'batch']);
  assert.equal(keepLocks('v=1&seed=9&batch=8&rate=2', now), 'v=1&rate=2&seed=3&batch=4');
  assert.equal(keepLocks('v=1&seed=9', 'v=1&seed=7'), 'v=1&seed=9');
  assert.equal(keepLocks('v=1&seed=9&batch=8', 'v=1&seed=3&lock=all'), 'v=1&seed=3&lock=all');
  assert.equal(keepLocks('v=1&seed=9&batch=8', 'v=1&seed=3&lock=batch'), 'v=1&seed=9', 'a locked default stays the default');
});

test('a link that only looks or locks otherwise is the run of the page', () => {
  assert.ok(sameRun('v=1&theme=projector&lock=seed&hide=bet', 'v=1&seed=7'));
  assert.ok(sameRun('rate=8&seed=7&v=1', 'v=1&seed=7&rate=8'));
  assert.ok(!sameRun('v=1&seed=9', 'v=1&seed=7'));
  assert.ok(!sameRun('v=1&seed=7', 'v=1&seed=7&rate=8'));
  assert.ok(!sameRun('v=1&seed=7&at=3', 'v=1&seed=7'));
});

test('same compares settings, not looks or order', () => {
  assert.ok(same('v=1&seed=7&a=1&b=2', 'b=2&a=1&seed=9&theme=dark&own=x', ['a', 'b']));
  assert.ok(!same('v=1&seed=7&a=1', 'v=1&seed=9&a=1', ['a', 'seed']));
  assert.ok(!same('a=1', 'a=2', ['a']));
  assert.ok(!same('v=1', 'a=2', ['a']));
});
