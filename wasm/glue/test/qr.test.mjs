import test from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { qr } from '../src/qr.js';

const LINK = 'https://example.org/embed/open-closed.html#v=1&seed=7&lock=seed&hide=table';

test('a code has its three marks in their corners and room around it', () => {
  const { size, path } = qr(LINK);
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => `${x} ${y}`));
  const mark = (x, y) => [...Array(49).keys()].every((i) => {
    const [dx, dy] = [i % 7, Math.floor(i / 7)];
    const ring = Math.max(Math.abs(dx - 3), Math.abs(dy - 3));
    return dark.has(`${x + dx} ${y + dy}`) === (ring !== 2);
  });
  assert.ok(mark(4, 4) && mark(size - 11, 4) && mark(4, size - 11));
  assert.ok(!mark(size - 11, size - 11));
  for (const at of dark) for (const v of at.split(' ').map(Number)) assert.ok(v >= 4 && v < size - 4);
});

// A scanner read this code as LINK; another encoding of it needs another look.
test('the code is the one that was scanned', () => {
  assert.equal(createHash('sha256').update(qr(LINK).path).digest('hex').slice(0, 16), '4ea3182dc6b73cec');
});

test('a text that is too long is refused', () => assert.throws(() => qr('x'.repeat(3000))));
