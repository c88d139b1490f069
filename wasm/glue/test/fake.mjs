// A stand-in for the Go module's exports: linear memory, input, call, text and
// nums, with one demo whose run takes `units` of work (a number, or a function of
// its state). It keeps the same rules
// as wasm/internal/protocol and can be told to die.

const MEM = 1 << 17;
const IN = 0;
const TEXT = 65536;
const NUMS = 98304;

export function fakeExports({ units = 10000, protocol = 1, knobs = () => [] } = {}) {
  const mem = { buffer: new ArrayBuffer(MEM) };
  const tasks = new Map();
  const f = { calls: [], die: null, exited: false, text: 0, nums: 0, units };
  const say = (value) => {
    const bytes = new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
    new Uint8Array(mem.buffer, TEXT, bytes.length).set(bytes);
    f.text = bytes.length;
  };
  const head = (h) => say({ handle: h, state: tasks.get(h).state, seed: 7, hide: [], lock: (/lock=([^&]*)/.exec(tasks.get(h).state) || [, ''])[1].split(',').filter(Boolean), problems: [], knobs: knobs(tasks.get(h).state) });
  const restart = (t, state) => Object.assign(t, { state, done: 0, seeds: 0 });
  const ops = {
    1: (h, input) => {
      const handle = tasks.size + 1;
      tasks.set(handle, restart({}, input.split('\n')[1]));
      head(handle);
      return 0;
    },
    2: (h, input) => {
      if (/=.*bad/.test(input)) {
        say({ problems: [{ key: input.split('=')[0], text: 'bad is not a number' }] });
        return 2;
      }
      if (input.startsWith('paste=')) { // a loose text: the state does not hold it
        const t = restart(tasks.get(h), tasks.get(h).state);
        t.paste = input.slice(6);
        say({ handle: h, state: t.state, lock: [], knobs: [{ name: 'paste', loose: true }] });
        return 0;
      }
      restart(tasks.get(h), `v=1&${input}`);
      head(h);
      return 0;
    },
    3: (h, input, arg) => { restart(tasks.get(h), `v=1&${input}=${arg}`); head(h); return 0; },
    4: (h, input, arg) => {
      const lock = /&lock=[^&]*/.exec(tasks.get(h).state);
      restart(tasks.get(h), arg === 1 && lock ? input.replace(/&lock=[^&]*/, '') + lock[0] : input);
      head(h);
      return 0;
    },
    5: (h, input, arg) => work(h, 'done', arg),
    6: (h) => {
      new Float64Array(mem.buffer, NUMS, 2).set([1, tasks.get(h).done]);
      f.nums = 2;
      const t = tasks.get(h);
      if (f.forget) t.state = t.state.replace(f.forget, ''); // a time that the run does not have
      say({ state: t.state, paste: t.paste, figures: [] });
      return 0;
    },
    7: (h) => {
      if (!tasks.get(h).done) return 1;
      say(`# state: ${tasks.get(h).state}\n`);
      return 0;
    },
    9: () => { say({}); return 1; },
    10: (h, input, arg) => work(h, 'seeds', arg),
    11: () => { say({ html: '<table></table>' }); return 0; },
    13: (h) => { tasks.delete(h); say(''); return 0; },
    14: (h, input) => {
      if (input === 'bad') {
        say({ problems: [{ key: 'at', text: 'bad is not a number' }] });
        return 2;
      }
      const t = tasks.get(h);
      t.state = t.state.replace(/&at=[^&]*/, '') + (input ? `&at=${input}` : '');
      head(h);
      return 0;
    },
    15: (h) => {
      new Float64Array(mem.buffer, NUMS, 1)[0] = Number((/&at=([^&]*)/.exec(tasks.get(h).state) || [, -1])[1]);
      f.nums = 1;
      return 0;
    },
    99: () => { say('on purpose'); return 4; },
  };
  function work(h, key, arg) {
    const t = tasks.get(h);
    const units = typeof f.units === 'function' ? f.units(t.state) : f.units;
    t[key] = Math.min(units, t[key] + arg);
    say({ progress: t[key] / units });
    if (f.work) f.work(arg);
    if (f.onStep) f.onStep(arg);
    return t[key] < units ? 1 : 0;
  }
  f.exports = {
    mem,
    protocol_version: () => protocol,
    engine_version: () => 1,
    input: (n) => (n <= 65536 ? IN || 1 : 0),
    call(op, h, n, arg) {
      const input = n ? new TextDecoder().decode(new Uint8Array(mem.buffer, 1, n)) : '';
      f.calls.push({ op, h, input, arg });
      f.nums = 0;
      if (f.die) return f.die(op);
      if (h && !tasks.has(h)) return 3;
      return ops[op](h, input, arg);
    },
    tidy() {
      f.calls.push({ op: 'tidy' });
      if (f.die) f.die('tidy');
    },
    text_ptr: () => TEXT,
    text_len: () => f.text,
    nums_ptr: () => NUMS,
    nums_len: () => f.nums,
  };
  return f;
}
