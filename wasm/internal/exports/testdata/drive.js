// Runs a module in node as a worker would, for exports_test.go.
// node drive.js wasm_exec.js module.wasm < calls.json > answers.json
// A call is {op, handle, input, arg, repeat}; repeat calls again while the
// status is 1. An answer is {status, text, nums} with nums as 64-bit hex.
"use strict";
const fs = require("fs");
const [exec, wasm] = process.argv.slice(2);
require(exec);

async function main() {
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(fs.readFileSync(wasm), go.importObject);
  go.run(instance);
  const engine = instance.exports;
  const answers = [{ status: engine.protocol_version(), text: String(engine.engine_version()), nums: [] }];
  for (const c of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const bytes = new TextEncoder().encode(c.input);
    const at = engine.input(bytes.length);
    if (at === 0) throw new Error("no room for " + bytes.length + " bytes");
    new Uint8Array(engine.mem.buffer, at, bytes.length).set(bytes);
    let status = engine.call(c.op, c.handle, bytes.length, c.arg);
    while (c.repeat && status === 1) status = engine.call(c.op, c.handle, 0, c.arg);
    const text = Buffer.from(new Uint8Array(engine.mem.buffer, engine.text_ptr(), engine.text_len())).toString();
    const view = new DataView(engine.mem.buffer, engine.nums_ptr(), 8 * engine.nums_len());
    const nums = [];
    for (let i = 0; i < engine.nums_len(); i++) nums.push(view.getBigUint64(8 * i, true).toString(16).padStart(16, "0"));
    answers.push({ status, text, nums });
  }
  if (engine.input(-1) !== 0 || engine.input((1088 << 10) + 1) !== 0) throw new Error("input took an impossible length");
  if (go.exited) throw new Error("the module has exited");
  fs.writeSync(1, JSON.stringify(answers));
  process.exit(0);
}
main().catch((e) => { console.error(e); process.exit(1); });
