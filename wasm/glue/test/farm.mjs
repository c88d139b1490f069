// Workers without threads: the real client and the real loop over fake modules, by
// a clock that only their work moves on, so that no load of the machine is felt.

import { Client } from '../src/client.js';
import { Engine } from '../src/engine.js';
import { Loop } from '../src/loop.js';
import { fakeExports } from './fake.mjs';

const MS = 0.001; // that a unit of work takes

/** Lets everything that is due have its turn, and what that asks for, for a while. */
export async function turns(n = 50) {
  for (; n > 0; n--) await new Promise((go) => { setImmediate(go); });
}

/** A worker that runs the real loop over the fake module in this thread; each spawn is a new module. */
export function farm(opts = {}) {
  const f = { modules: [], terminated: 0, fail: null, time: 0, waiting: [] };
  /** Resolves when a run takes its next step. */
  f.step = () => new Promise((go) => { f.waiting.push(go); });
  f.spawn = async () => {
    if (f.fail) throw new Error(f.fail);
    const fake = fakeExports(opts);
    fake.work = (units) => {
      f.time += units * MS;
      for (const go of f.waiting.splice(0)) go();
    };
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
    const loop = new Loop(new Engine(fake.exports), post, setImmediate, () => f.time);
    worker.postMessage = (m) => setImmediate(() => (m.op === 'start' ? post({ id: m.id, status: 0 }) : loop.receive(m)));
    return { worker, wasm: 'bytes' };
  };
  f.client = new Client(f.spawn);
  return f;
}
