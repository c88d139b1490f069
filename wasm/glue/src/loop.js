// The worker's message loop: requests in, answers out, long work in slices.
//
// A run is stepped for about 10 ms, then the loop yields, so that a newer
// change for the same handle is seen at once and cancels it. Runs of several
// handles take turns. A change is followed by a request to run, which comes when
// the page has shown the new settings: the run begins ahead of it, with the change,
// and the request takes it over. Nothing here knows of WebAssembly or of a browser:
// it is given an engine, a way to post, a clock and a way to come back later.
//
// In:  {id, op, handle, text, arg}
// Out: {id, status, text, nums} | {id, canceled} | {id, progress} | {id, dead, innocent} | {id, error}

import { Op, Status, Dead } from './engine.js';

const SLICE = [8, 12]; // ms that a slice should take
const BUDGET = [200, 10e6]; // units of work, about 1 µs of native time each; the engine takes no more
const QUIET = 300; // ms before the first progress message
const EVERY = 100; // ms between later ones
const AHEAD = 0; // id of a run that nobody has asked for yet; requests count from 1
const CHANGES = ['set', 'slide', 'restore', 'seek'];

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
    this.ready = new Map(); // messages about runs that ended ahead, by handle
    this.waiting = false;
    this.paused = false;
    this.dead = null; // {why, handle}, whose run killed the engine, if it was one ahead
  }

  receive(msg) {
    if (this.dead) return this.mourn(msg);
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
        return this.take(id, handle) || this.start({ id, handle, step: Op.step, finish: Op.frame });
      case 'seeds': {
        const status = this.engine.call(Op.seeds, handle, text, arg);
        if (status > Status.more) return this.answer(id, status);
        return this.start({ id, handle, step: Op.seedsStep, finish: Op.seedsFrame });
      }
      default: {
        const code = Op[op];
        if (!code) throw new Error(`no operation is called ${op}`);
        const status = this.engine.call(code, handle, text, arg);
        const done = status === Status.done;
        if (done && (op === 'close' || CHANGES.includes(op))) this.cancel(handle);
        this.answer(id, status);
        if (done && CHANGES.includes(op)) this.start({ id: AHEAD, handle, step: Op.step, finish: Op.frame });
        return undefined;
      }
    }
  }

  /** Lets the engine collect its garbage while the page draws, instead of during a later run. */
  rest() {
    this.later(() => {
      if (this.dead || this.runs.length) return;
      try {
        this.engine.tidy();
      } catch (err) {
        this.fail(AHEAD, err);
      }
    });
  }

  /** Posts the result of the last call; keeps that of a run ahead. */
  answer(id, status, handle) {
    this.deliver({ id, status, text: this.engine.text(), nums: this.engine.nums() }, handle);
  }

  deliver(msg, handle) {
    if (msg.id === AHEAD) this.ready.set(handle, msg);
    else this.post(msg, msg.nums ? [msg.nums.buffer] : []);
  }

  /** Gives what was run ahead to the request that it was for. Says whether there was any. */
  take(id, handle) {
    const msg = this.ready.get(handle);
    const run = this.runs.find((r) => r.handle === handle && r.id === AHEAD);
    this.ready.delete(handle);
    if (run) Object.assign(run, { id, since: this.now() });
    if (msg) this.deliver({ ...msg, id });
    return Boolean(run || msg);
  }

  /** A handle has at most one run and one spread over seeds; a newer one of a kind replaces the older. */
  start(run) {
    this.cancel(run.handle, run.step);
    this.runs.push({ ...run, budget: 4000, since: this.now(), told: 0 });
    this.wake();
  }

  cancel(handle, step) {
    const gone = (r) => r.handle === handle && (!step || r.step === step);
    for (const r of this.runs.filter(gone)) if (r.id !== AHEAD) this.post({ id: r.id, canceled: true });
    this.runs = this.runs.filter((r) => !gone(r));
    if (!step || step === Op.step) this.ready.delete(handle);
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
        this.answer(run.id, this.engine.call(run.finish, run.handle), run.handle);
        this.rest();
      } else {
        this.answer(run.id, status, run.handle);
      }
    } catch (err) {
      this.fail(run.id, err, run.handle);
    }
  }

  tell(run, now) {
    if (run.id === AHEAD || now - run.since < QUIET || now - run.told < EVERY) return;
    run.told = now;
    this.post({ id: run.id, progress: JSON.parse(this.engine.text()).progress });
  }

  /** An engine that died answers nothing any more; any other error is only this request's. */
  fail(id, err, handle) {
    if (err instanceof Dead) {
      this.dead = { why: err.message, handle: id === AHEAD ? handle : null };
      this.runs = [];
      if (id !== AHEAD) this.post({ id, dead: err.message });
    } else {
      this.deliver({ id, error: String((err && err.message) || err) }, handle);
    }
  }

  /** Answers from a dead engine. A request of another handle than the one whose run ahead killed it is innocent. */
  mourn({ id, handle }) {
    const { why, handle: culprit } = this.dead;
    if (culprit === null) this.post({ id, dead: 'the engine has stopped' });
    else this.post({ id, dead: why, innocent: handle !== culprit });
  }
}
