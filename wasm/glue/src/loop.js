// The worker's message loop: requests in, answers out, long work in slices.
//
// A run is stepped for about 10 ms, then the loop yields, so that a newer
// change for the same handle is seen at once and cancels it. Runs of several
// handles take turns. Nothing here knows of WebAssembly or of a browser: it is
// given an engine, a way to post, a clock and a way to come back later.
//
// In:  {id, op, handle, text, arg}
// Out: {id, status, text, nums} | {id, canceled} | {id, progress} | {id, dead}

import { Op, Status, Dead } from './engine.js';

const SLICE = [8, 12]; // ms that a slice should take
const BUDGET = [200, 10e6]; // units of work, about 1 µs of native time each; the engine takes no more
const QUIET = 300; // ms before the first progress message
const EVERY = 100; // ms between later ones

/** The next budget, after a slice with this one took ms: near the middle of SLICE, never more than doubled. */
export function adapt(budget, ms) {
  if (ms >= SLICE[0] && ms <= SLICE[1]) return budget;
  const want = (SLICE[0] + SLICE[1]) / 2 / Math.max(ms, 0.5);
  const next = Math.round(budget * Math.min(2, Math.max(0.1, want)));
  return Math.min(BUDGET[1], Math.max(BUDGET[0], next));
}

export class Loop {
  /**
   * @param engine {call, text, nums}
   * @param post   (message, transfer) => void
   * @param later  (fn) => void, runs fn after other messages had their turn
   * @param now    () => ms
   */
  constructor(engine, post, later, now) {
    Object.assign(this, { engine, post, later, now });
    this.runs = []; // in turn order: {id, handle, step, finish, budget, since, told}
    this.waiting = false;
    this.paused = false;
    this.dead = false;
  }

  receive(msg) {
    if (this.dead) return this.post({ id: msg.id, dead: 'the engine has stopped' });
    try {
      this.handle(msg);
    } catch (err) {
      this.fail(msg.id, err);
    }
  }

  handle({ id, op, handle, text = '', arg = 0 }) {
    switch (op) {
      case 'pause':
        this.paused = !!arg;
        this.wake();
        return this.post({ id, status: Status.done });
      case 'cancel':
        this.cancel(handle);
        return this.post({ id, status: Status.done });
      case 'run':
        return this.start({ id, handle, step: Op.step, finish: Op.frame });
      case 'seeds': {
        const status = this.engine.call(Op.seeds, handle, text, arg);
        if (status > Status.more) return this.answer(id, status);
        return this.start({ id, handle, step: Op.seedsStep, finish: Op.seedsFrame });
      }
      default: {
        const code = Op[op];
        if (!code) throw new Error(`no operation is called ${op}`);
        const status = this.engine.call(code, handle, text, arg);
        const changes = op === 'set' || op === 'slide' || op === 'restore' || op === 'seek' || op === 'close';
        if (changes && status === Status.done) this.cancel(handle);
        return this.answer(id, status);
      }
    }
  }

  /** Posts the result of the last call. */
  answer(id, status) {
    const text = this.engine.text();
    const nums = this.engine.nums();
    this.post({ id, status, text, nums }, [nums.buffer]);
  }

  /** A handle has at most one run and one spread over seeds; a newer one of a kind replaces the older. */
  start(run) {
    this.cancel(run.handle, run.step);
    this.runs.push({ ...run, budget: 4000, since: this.now(), told: 0 });
    this.wake();
  }

  cancel(handle, step) {
    const gone = (r) => r.handle === handle && (!step || r.step === step);
    for (const r of this.runs.filter(gone)) this.post({ id: r.id, canceled: true });
    this.runs = this.runs.filter((r) => !gone(r));
  }

  wake() {
    if (this.waiting || this.paused || this.dead || !this.runs.length) return;
    this.waiting = true;
    this.later(() => {
      this.waiting = false;
      this.slice();
      this.wake();
    });
  }

  slice() {
    if (this.paused || this.dead || !this.runs.length) return;
    const run = this.runs.shift();
    try {
      const t = this.now();
      const status = this.engine.call(run.step, run.handle, '', run.budget);
      const end = this.now();
      run.budget = adapt(run.budget, end - t);
      if (status === Status.more) {
        this.runs.push(run);
        this.tell(run, end);
      } else if (status === Status.done) {
        this.answer(run.id, this.engine.call(run.finish, run.handle));
      } else {
        this.answer(run.id, status);
      }
    } catch (err) {
      this.fail(run.id, err);
    }
  }

  tell(run, now) {
    if (now - run.since < QUIET || now - run.told < EVERY) return;
    run.told = now;
    this.post({ id: run.id, progress: JSON.parse(this.engine.text()).progress });
  }

  /** An engine that died answers nothing any more; any other error is only this request's. */
  fail(id, err) {
    if (err instanceof Dead) {
      this.dead = true;
      this.runs = [];
      this.post({ id, dead: err.message });
    } else {
      this.post({ id, error: String((err && err.message) || err) });
    }
  }
}
