// Runs in the Blob worker, after Go's wasm_exec.js: unpacks the module that the
// page sends, starts Go and hands every further message to the loop.
//
// The first message is {id, op: 'start', wasm}, wasm being gzip in base64 (as
// the module's script carries it) or gzip bytes. Unpacking happens here so that the page's
// own thread does not stop for it. No fetch: this works from file:// and in a
// sandboxed frame, where only a Blob worker and inline bytes are allowed.

/* global Go */
import { Engine } from './engine.js';
import { Loop } from './loop.js';
import { bytes, instantiate } from './unpack.js';

async function start(wasm) {
  const go = new Go();
  let exited = false;
  go.exit = () => { exited = true; };
  const instance = await instantiate(bytes(wasm), go.importObject);
  go.run(instance).then(() => { exited = true; }, () => { exited = true; });
  if (exited) throw new Error('the Go program ended at once');
  const engine = new Engine(instance.exports, () => exited);

  const channel = new MessageChannel();
  const next = [];
  channel.port1.onmessage = () => next.shift()();
  const later = (fn) => { next.push(fn); channel.port2.postMessage(0); };
  return new Loop(engine, (msg, transfer) => postMessage(msg, transfer || []), later, () => performance.now());
}

let loop;
onmessage = async ({ data }) => {
  if (loop) return loop.receive(data);
  try {
    loop = await start(data.wasm);
    postMessage({ id: data.id, status: 0 });
  } catch (err) {
    postMessage({ id: data.id, error: String((err && err.message) || err) });
  }
};
