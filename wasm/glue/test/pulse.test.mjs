import test from 'node:test';
import assert from 'node:assert/strict';
import { Pulse } from '../src/pulse.js';

/** A picture that asks for a frame after each one, as Ebitengine does. */
function rig() {
  const r = { moving: false, frames: 0, todo: [] };
  r.p = new Pulse((fn) => r.todo.push(fn), () => r.moving);
  const frame = () => { r.frames++; r.p.ask(frame); };
  r.run = (most = 50) => { for (let i = 0; i < most && r.todo.length; i++) r.todo.shift()(); return r.frames; };
  r.p.ask(frame);
  return r;
}

test('a picture at rest is not drawn, news are, movement goes on until it ends', () => {
  const r = rig();
  assert.equal(r.run(), 2);
  assert.equal(r.run(), 2);
  r.p.wake();
  assert.equal(r.run(), 4);
  r.moving = true;
  r.p.wake();
  assert.equal(r.run(20), 24);
  r.moving = false;
  assert.ok(r.run() <= 26);
});

test('out of sight nothing is drawn; what came meanwhile is drawn afterwards', () => {
  const r = rig();
  r.run();
  r.p.show(false);
  r.moving = true;
  r.p.wake();
  const before = r.run();
  assert.equal(before, 2);
  r.moving = false;
  r.p.show(true);
  assert.ok(r.run() > before);
});
