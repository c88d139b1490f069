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

function bytes(wasm) {
  if (typeof wasm !== 'string') return wasm;
  const raw = atob(wasm);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

/** The gunzipped module as a Response, whose type lets the browser compile while it unpacks. */
function unpacked(wasm) {
  const stream = new Blob([wasm]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream, { headers: { 'Content-Type': 'application/wasm' } });
}

async function instantiate(wasm, imports) {
  try {
    return (await WebAssembly.instantiateStreaming(unpacked(wasm), imports)).instance;
  } catch (err) {
    if (err instanceof WebAssembly.LinkError || err instanceof WebAssembly.CompileError) throw err;
    const plain = await unpacked(wasm).arrayBuffer();
    return (await WebAssembly.instantiate(plain, imports)).instance;
  }
}

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
