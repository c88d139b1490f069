import test from 'node:test';
import assert from 'node:assert/strict';
import { compose, folder, isSeed, pastes, settings } from '../src/compose.js';

test('a link has settings first, then what a course adds', () => {
  assert.equal(settings('#v=1&seed=7&rate=8&lock=rate&hide=bet&theme=dark&engine=2&own=x'), 'v=1&seed=7&rate=8&own=x');
  assert.equal(compose('v=1&seed=7&rate=8&lock=rate', {}), 'v=1&seed=7&rate=8');
  assert.equal(compose('v=1&seed=7&rate=8', { seed: '12', lock: ['seed', 'rate'], hide: ['bet'], theme: 'projector' }), 'v=1&seed=12&rate=8&lock=seed,rate&hide=bet&theme=projector');
});

test('seeds and addresses', () => {
  for (const yes of ['1', '4294967295']) assert.ok(isSeed(yes));
  for (const no of ['', '0', '-1', '4294967296', '1.5', 'x', '01']) assert.ok(!isSeed(no), no);
  assert.equal(folder('https://example.org/x'), 'https://example.org/x/');
  assert.equal(folder('https://example.org/x/index.html?q=1#y'), 'https://example.org/x/');
  for (const none of ['', 'example.org', 'file:///x/', 'javascript:x']) assert.equal(folder(none), '');
});

test('what can be pasted is quoted', () => {
  const demo = { id: 'a-b', title: 'One & "two"', embed: 'embed/a-b.html', page: 'guide/x.html' };
  const [alone, chapter, frame, element] = pastes('https://example.org/', demo, 'v=1&lock=a', 500).map(([, text]) => text);
  assert.equal(alone, 'https://example.org/embed/a-b.html#v=1&lock=a');
  assert.equal(chapter, 'https://example.org/guide/x.html#demo=a-b&v=1&lock=a');
  assert.match(frame, /src="https:\/\/example\.org\/embed\/a-b\.html#v=1&amp;lock=a"\s+title="One &amp; &quot;two&quot;, interactive" width="100%" height="500"/);
  assert.match(element, /<script src="https:\/\/example\.org\/assets\/embed\.js" defer><\/script>\n<openloop-demo name="a-b" state="v=1&amp;lock=a" label="One &amp; &quot;two&quot;"><\/openloop-demo>/);
  assert.equal(pastes('', { ...demo, page: '' }, 'v=1', 500).length, 3);
  assert.equal(pastes('', demo, 'v=1', 500)[0][1], 'embed/a-b.html#v=1');
  assert.match(pastes('', demo, 'v=1', 500)[2][1], /src="embed\/a-b\.html#v=1"/);
});
