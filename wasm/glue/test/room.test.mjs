import test from 'node:test';
import assert from 'node:assert/strict';

globalThis.matchMedia = () => ({ matches: false });
const { Room } = await import('../src/room.js');

/** A room that is opened while the first run of a link is under way. */
function opened({ frame, ids }) {
  const did = [];
  const clock = { says: undefined, at: 100, clock: { from: 0, to: 100 }, seek: async (at) => { did.push(`seek ${at}`); } };
  const room = Object.assign(Object.create(Room.prototype), { clock, ids: [], frame: {} });
  room.demo = { flow: { ready: async () => {
    did.push('ready');
    if (frame) Object.assign(clock, frame);
  } } };
  room.refresh = async () => { room.ids = ids; };
  return room.fill().then(() => did);
}

test('a room that is opened before the first run is shown at the time of its link', async () => {
  assert.deepEqual(await opened({ frame: { says: '52 s', at: 52 }, ids: [1, 2] }), ['ready']);
  assert.deepEqual(await opened({ frame: { says: '52 s', at: 52 }, ids: [] }), ['ready'], 'empty, but asked for');
  assert.deepEqual(await opened({ frame: { says: '100 s', at: 100 }, ids: [] }), ['ready', 'seek 0'], 'nobody is there at the end');
  assert.deepEqual(await opened({ frame: null, ids: [] }), ['ready'], 'no run was shown');
});
