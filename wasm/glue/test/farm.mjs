// Workers without threads: the real client and the real loop over fake modules.

import { Client } from '../src/client.js';
import { Engine } from '../src/engine.js';
import { Loop } from '../src/loop.js';
import { fakeExports } from './fake.mjs';

/** A worker that runs the real loop over the fake module in this thread; each spawn is a new module. */
export function farm(opts = {}) {
  const f = { modules: [], terminated: 0, fail: null };
  f.spawn = async () => {
    if (f.fail) throw new Error(f.fail);
    const fake = fakeExports(opts);
    if (f.onModule) f.onModule(fake, f.modules.length);
    f.modules.push(fake);
    const worker = {
      terminate() {
        f.terminated++;
        worker.gone = true;
        loop.paused = true;
      },
    };
    const post = (data) => setImmediate(() => { if (!worker.gone) worker.onmessage({ data }); });
    const loop = new Loop(new Engine(fake.exports), post, setImmediate, () => performance.now());
    worker.postMessage = (m) => setImmediate(() => (m.op === 'start' ? post({ id: m.id, status: 0 }) : loop.receive(m)));
    return { worker, wasm: 'bytes' };
  };
  f.client = new Client(f.spawn);
  return f;
}
