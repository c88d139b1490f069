import test from 'node:test';
import assert from 'node:assert/strict';
import { destination } from '../src/destination.js';

test('an old address keeps what it asked for', () => {
  assert.equal(destination('../guide/a.html', '', ''), '../guide/a.html');
  assert.equal(destination('../guide/a.html', '?q=x', '#demo=b&v=1'), '../guide/a.html?q=x#demo=b&v=1');
  assert.equal(destination('a.html#part', '', ''), 'a.html#part');
  assert.equal(destination('a.html#part', '', '#'), 'a.html#part');
  assert.equal(destination('a.html#part', '', '#other'), 'a.html#other');
  assert.equal(destination('a.html', '', '#part', { part: 'b.html#there' }), 'b.html#there');
  assert.equal(destination('a.html', '?q=x', '#other', { part: 'b.html#there' }), 'a.html?q=x#other');
  assert.equal(destination('a.html', '', '#toString', {}), 'a.html#toString');
});
