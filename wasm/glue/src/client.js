// The page's side of the engine: one Blob worker for all demos of a module,
// promises instead of messages, and a new worker when the old one died.
//
// A Session is one demo. It remembers its last good state (the last one whose
// run reached the end), so that after a death it is opened there again. After
// RESTARTS deaths in a row without a finished run it gives up and says so.

export const RESTARTS = 3;
const NOBODY = -1; // no request has this id

/** The engine died during a request; the session has a new worker unless gaveUp. */
export class EngineDied extends Error {
  constructor(doing, gaveUp) {
    super(gaveUp
      ? `The engine stopped ${RESTARTS + 1} times in a row, the last time while ${doing}, and is not started again. What is shown stays as it is; reload the page to try again.`
      : `The engine stopped while ${doing} and was restarted.`);
    this.gaveUp = gaveUp;
  }
}

/** A request that the engine understood and refused: problems is [{key, text}]. */
export class Refused extends Error {
  constructor(problems) {
    super(problems.map((p) => p.text).join(' '));
    this.problems = problems;
  }
}

export class Client {
  /** @param {() => Promise<{worker: Worker, wasm}>} spawn makes a worker and gives what its first message carries */
  constructor(spawn) {
    this.spawn = spawn;
    this.generation = 0; // counts workers that are gone; a handle belongs to one
    this.lastID = 0;
    this.pending = new Map();
    this.paused = false;
  }

  session(demo) {
    return new Session(this, demo);
  }

  /** Starts the worker if there is none. Rejects with an Error that a reader can understand. */
  start() {
    if (!this.started) {
      this.started = this.boot().catch((err) => {
        this.drop();
        throw new Error(`The engine could not start: ${err.message}.`);
      });
    }
    return this.started;
  }

  async boot() {
    const { worker, wasm } = await this.spawn();
    this.worker = worker;
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (e) => {
      if (e.preventDefault) e.preventDefault();
      this.fell(e.message || 'the worker failed');
    };
    await this.send({ op: 'start', wasm });
    if (this.paused) this.pause(true);
  }

  /** Sends one message; resolves with its answer {status, text, nums} or {canceled}. */
  send(msg, onProgress, doing = 'starting') {
    return new Promise((resolve, reject) => {
      const id = ++this.lastID;
      this.pending.set(id, { resolve, reject, onProgress, doing });
      this.worker.postMessage({ ...msg, id });
    });
  }

  receive(msg) {
    const p = this.pending.get(msg.id);
    if (!p) return;
    if (msg.progress !== undefined) {
      if (p.onProgress) p.onProgress(msg.progress);
    } else if (msg.dead !== undefined) {
      this.fell(msg.dead, msg.innocent ? NOBODY : msg.id);
    } else {
      this.pending.delete(msg.id);
      if (msg.error !== undefined) p.reject(new Error(msg.error));
      else p.resolve(msg);
    }
  }

  /** The worker is gone. culprit is the request that killed it, 0 if that is not known; the others were only in the way. */
  fell(why, culprit = 0) {
    const lost = [...this.pending];
    this.drop();
    for (const [id, p] of lost) {
      const err = new Error(why);
      err.died = p.doing;
      err.culprit = id === culprit || !culprit;
      p.reject(err);
    }
  }

  drop() {
    if (this.worker) this.worker.terminate();
    this.worker = null;
    this.started = null;
    this.generation++;
    this.pending.clear();
  }

  /** Halts or resumes all runs, for a slide that is not shown. */
  pause(on) {
    this.paused = on;
    if (this.worker) this.send({ op: 'pause', arg: on ? 1 : 0 }).catch(() => {});
  }
}

/** The clients of a page, one for each module, made when a demo asks. spawn is told the module. */
export function clients(spawn) {
  const all = new Map();
  let paused = false;
  return {
    of(module) {
      if (!all.has(module)) {
        const client = new Client(() => spawn(module));
        client.paused = paused;
        all.set(module, client);
      }
      return all.get(module);
    },
    pause(on) {
      paused = on;
      for (const client of all.values()) client.pause(on);
    },
  };
}

class Session {
  constructor(client, demo) {
    this.client = client;
    this.demo = demo;
    this.generation = 0;
    this.handle = 0;
    this.state = ''; // of the last head
    this.good = ''; // of the last finished run
    this.loose = new Map(); // texts that no state holds, by knob
    this.goodLoose = new Map(); // those of the last finished run
    this.deaths = 0; // in a row
    this.gaveUp = false;
  }

  get alive() {
    return this.handle > 0 && this.generation === this.client.generation;
  }

  /** Opens the demo at a link; returns its head. Bad parts of the link are in head.problems. */
  async open(link) {
    const head = await this.ask('open', 'opening the demo', { text: `${this.demo}\n${link}` });
    this.generation = this.client.generation;
    this.handle = head.handle;
    let last = head;
    for (const [key, value] of this.loose) last = await this.set(key, value);
    return last === head ? head : { ...last, problems: head.problems };
  }

  async set(key, value) {
    const head = await this.ask('set', `setting ${key}`, { text: `${key}=${value}` });
    if ((head.knobs || []).some((k) => k.name === key && k.loose)) this.loose.set(key, value);
    return head;
  }

  slide(knob, pos) { return this.ask('slide', `setting ${knob}`, { text: knob, arg: pos }); }
  /** Shows the run as it was at a time, '' at its end. */
  seek(at) { return this.ask('seek', 'going to a time', { text: at }); }
  /** The engine room at that time: {doc, nums}, with more about a request if one is named. */
  async room(request = -1) {
    const got = await this.ask('room', 'drawing the engine room', { arg: request + 1, raw: true });
    return { doc: JSON.parse(got.text), nums: got.nums };
  }
  /** Goes to a whole link; keep says that lock, hide, theme and unknown keys of the present state stay. */
  restore(link, keep = false) { return this.ask('restore', 'restoring settings', { text: link, arg: keep ? 1 : 0 }); }

  /** Runs to the end; resolves with {frame, nums}, or null if a newer change or cancel() ended it. */
  async run(onProgress) {
    const state = this.state;
    const got = await this.ask('run', `running ${state}`, { onProgress, raw: true });
    if (!got) return null;
    this.good = state;
    this.goodLoose = new Map(this.loose);
    this.deaths = 0;
    return { frame: JSON.parse(got.text), nums: got.nums };
  }

  /** Repeats the run over n seeds; resolves like run. */
  async seeds(n, onProgress) {
    const got = await this.ask('seeds', `running ${n} seeds`, { arg: n, onProgress, raw: true });
    return got && { frame: JSON.parse(got.text), nums: got.nums };
  }

  /** The file of the run, or of the seeds run. */
  async csv(ofSeeds = false) { return (await this.ask('csv', 'writing CSV', { arg: ofSeeds ? 1 : 0, raw: true })).text; }

  /** Scores a bet on the finished run of its reveal state: {score, answer, feedback, found, link}. */
  async bet(option) { return JSON.parse((await this.ask('bet', 'scoring the bet', { arg: option, raw: true })).text); }

  cancel() { return this.ask('cancel', 'stopping', { raw: true }); }

  /** Makes the engine panic, so that a test can see the recovery. */
  fault() { return this.ask('fault', 'failing on purpose', { raw: true }); }

  /**
   * One request. If the worker was replaced meanwhile, by no fault of this
   * session, the session is opened again and the request repeated without a word,
   * RESTARTS times.
   */
  async ask(op, doing, options = {}) {
    if (this.gaveUp) throw new EngineDied(doing, true);
    for (let tries = 0; ; tries++) {
      try {
        await this.client.start();
        if (op !== 'open' && !this.alive) await this.reopen();
        return await this.request(op, doing, options);
      } catch (err) {
        if (!err.died) throw err;
        if (!err.culprit && tries < RESTARTS) continue;
        this.handle = 0;
        this.loose = new Map(this.goodLoose); // this one may be what killed it
        this.deaths++;
        this.gaveUp = this.deaths > RESTARTS;
        throw new EngineDied(doing, this.gaveUp);
      }
    }
  }

  reopen() {
    if (!this.reopening) this.reopening = this.open(this.state).finally(() => { this.reopening = null; });
    return this.reopening;
  }

  async request(op, doing, { text, arg, onProgress, raw }) {
    const handle = op === 'open' ? 0 : this.handle;
    const got = await this.client.send({ op, handle, text, arg }, onProgress, doing);
    if (got.canceled) return null;
    if (got.status === 2) throw new Refused(JSON.parse(got.text).problems);
    if (got.status !== 0) throw new Error(`The engine refused ${doing} (status ${got.status}).`);
    if (raw) return got;
    const head = JSON.parse(got.text);
    this.state = head.state;
    return head;
  }
}
