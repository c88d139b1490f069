// A module as its script carries it, made ready to run: no fetch, so that it works
// from file:// and in a sandboxed frame.

/** The bytes of a module that is gzip in base64, or bytes already. */
export function bytes(wasm) {
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

/** An instance of gzip bytes, compiled while they are unpacked where the browser can. */
export async function instantiate(wasm, imports) {
  try {
    return (await WebAssembly.instantiateStreaming(unpacked(wasm), imports)).instance;
  } catch (err) {
    if (err instanceof WebAssembly.LinkError || err instanceof WebAssembly.CompileError) throw err;
    const plain = await unpacked(wasm).arrayBuffer();
    return (await WebAssembly.instantiate(plain, imports)).instance;
  }
}
