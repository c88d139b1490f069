// What happens between a control and a picture, without either of them:
//
//   change() -> engine head -> host.head() -> run() -> host.frame()
//
// The head (canonical state and knob texts) is the only truth about settings.
// Changes are applied in order, slides of one knob overtaking each other; the
// run belongs to the newest, the engine drops older ones. When the engine dies
// the session is opened again at its last good state.

import { EngineDied, Refused } from './client.js';
import { History } from './history.js';
import { keepLocks, same } from './hash.js';

export class Flow {
  /**
   * @param session of the engine client
   * @param base    link that the demo starts from and is reset to
   * @param host    head(head, changed), changed being a knob, 'all', or 'open' for what was there before any change |
   *                frame(got, state) async | touched(head) | refuse(change, problems) | report(problems) |
   *                notify(note) | dismiss(kind) | busy(text, share), text '' when idle | stale(on), whether
   *                what is shown is of settings before those that were asked for
   */
  constructor(session, base, host) {
    Object.assign(this, { session, base, host });
    this.history = new History();
    this.queue = [];
    this.runs = 0; // runs started
    this.stale = true; // the session's run is not the finished one of its state
    this.held = base; // the state whose locked values stay: the one that came with the lock
    this.running = null;
    this.going = null; // the change that the engine is asked for
    this.under = 0; // changes and runs under way
    this.wants = false; // whether the host was told that an answer is awaited
  }

  /** Whether a reset would change nothing. */
  get atBase() {
    return !this.head || same(keepLocks(this.base, this.held), this.state, ['seed', ...this.head.knobs.map((k) => k.name)]);
  }

  get state() { return this.head ? this.head.state : this.base; }

  /** Whether a change of this knob has no answer yet. */
  awaits(key) { return [this.going, ...this.queue].some((q) => q && q.key === key); }

  /** Opens the session once; resolves with its head. */
  begin(link = this.base) {
    if (!this.opened) {
      this.host.busy('Loading the engine…');
      this.opened = this.session.open(link).then((head) => {
        this.host.busy('');
        this.accept(head, 'open'); // the reader may be typing by now
        return head;
      });
      this.opened.catch(() => { this.opened = null; });
    }
    return this.opened;
  }

  /**
   * Queues a change: key names the knob that the reader moved ('all' for a whole
   * link), go(session) asks the engine, slide marks steps of a drag, settle ends
   * one, link marks a link from outside, whose bad parts are reported, quiet what
   * the address can wait for. Resolves with whether the run that shows it finished.
   */
  change(c) {
    if (c.slide) this.queue = this.queue.filter((q) => !(q.slide && q.key === c.key));
    this.queue.push(c);
    if (!c.settle && !c.quiet) this.want();
    if (!this.draining) this.draining = this.during(this.drain().catch((err) => this.trouble(err)));
    return this.draining;
  }

  /** An answer is awaited, until it is there or nothing is under way any more. */
  want() {
    this.wants = true;
    this.host.stale(true);
  }

  got() {
    if (!this.wants) return;
    this.host.stale(false);
    this.wants = Boolean(this.draining); // a newer change waits
    if (this.wants) this.host.stale(true);
  }

  async during(work) {
    this.under++;
    try {
      return await work;
    } finally {
      if (!--this.under && this.wants) {
        this.wants = false;
        this.host.stale(false);
      }
    }
  }

  set(key, text) { return this.change({ key, go: (s) => s.set(key, text) }); }
  slide(key, pos) { return this.change({ key, slide: true, go: (s) => s.slide(key, pos) }); }
  settle() { return this.change({ settle: true }); }

  /** Goes to a link that came from outside; quiet says that what is shown is its run. */
  arrive(link, quiet = false) {
    return this.change({ key: 'all', link, quiet, go: (s) => (this.opened ? s.restore(link) : this.begin(link)) });
  }

  /** Goes to the settings of a link of our own; what the present one locks (or keep keeps), hides and looks like stays. */
  restore(link, keep = keepLocks) {
    return this.change({ key: 'all', go: (s) => s.restore(keep(link, this.held), true) });
  }

  /** Shows the run as it was at a time, '' at its end. quiet while it is played: the address can wait. */
  seek(at, quiet) { return this.change({ key: 'at', slide: true, quiet, go: (s) => s.seek(at) }); }

  undo() { return this.step(-1); }
  redo() { return this.step(1); }

  /** Walks the past as it is when the changes before this one are in it. */
  step(by) {
    return this.change({
      key: 'all',
      go: (s) => {
        const state = this.history.move(by);
        return state === undefined ? null : s.restore(state);
      },
    });
  }

  async drain() {
    let quiet = true; // played on, each time a moment after the last
    try {
      while (this.queue.length) {
        this.going = this.queue.shift();
        quiet = quiet && Boolean(this.going.quiet);
        await this.apply(this.going);
      }
    } finally {
      this.queue = [];
      this.draining = this.going = null;
    }
    return !this.stale || this.run(quiet);
  }

  async apply(c) {
    if (c.settle) return this.history.settle();
    if (!c.link || this.opened) await this.begin();
    const answered = () => { this.going = null; };
    if (c.key !== 'all' && c.key !== 'at' && this.locks(c.key)) { // asked for before the lock was known
      answered();
      return this.host.head(this.head, c.key);
    }
    try {
      const head = await Promise.resolve(c.go(this.session)).finally(answered);
      if (!head) return;
      this.accept(head, c.key, c.slide ? c.key : null);
      if (!c.link) return c.quiet || this.host.touched(head);
      this.held = head.state;
      if (this.base === c.link) this.base = head.state; // as the engine writes it
      this.host.report(head.problems || []);
    } catch (err) {
      if (!(err instanceof Refused)) throw err;
      this.host.refuse(c, err.problems);
    }
  }

  locks(key) { return this.head.lock.includes(key) || this.head.lock.includes('all'); }

  accept(head, changed, tag = null) {
    if (!this.head || String(head.lock) !== String(this.head.lock)) this.held = head.state;
    this.head = head;
    this.stale = true;
    if (changed === 'at') this.history.replace(head.state);
    else this.history.push(head.state, tag);
    this.host.head(head, changed);
  }

  /** Runs the current state and shows it; resolves with whether it got on the page. */
  run(quiet = false) {
    const mine = ++this.runs;
    if (!quiet) this.want();
    this.host.busy('Computing…');
    this.running = this.during(this.attempt(mine).catch((err) => this.trouble(err)).then((ok) => {
      if (mine === this.runs) this.host.busy('');
      return ok;
    }));
    return this.running;
  }

  async attempt(mine) {
    const { state } = this;
    const got = await this.session.run((share) => mine === this.runs && this.host.busy('Computing', share));
    if (mine !== this.runs) return false;
    if (got) {
      this.stale = false;
      if (got.frame.state !== state) this.moved(got.frame.state, state);
      this.host.dismiss('stopped');
      await this.host.frame(got, state);
      if (mine === this.runs) this.got();
      return mine === this.runs;
    }
    if (this.canceled === mine) {
      this.host.notify({ kind: 'stopped', text: 'Stopped. The figures still show the settings before.', action: 'Run', run: () => this.run() });
    }
    return false;
  }

  /** The run has no time that its state named: it stands at its end. */
  moved(to, from) {
    if (this.state !== from) return;
    this.head = { ...this.head, state: to, at: null };
    this.history.replace(to);
    this.host.touched(this.head);
  }

  cancel() {
    this.canceled = this.runs;
    return this.session.cancel().catch((err) => this.trouble(err));
  }

  /** Resolves with true once the session holds the finished run of the current state. */
  async ready() {
    await this.begin();
    if (this.draining) await this.draining;
    if (this.running) await this.running;
    return (!this.stale && this.session.alive) || this.run();
  }

  /** Tells the reader what went wrong and, if the engine died, goes back to its last good state. Resolves with false. */
  async trouble(err) {
    this.host.busy('');
    this.stale = true;
    const kind = err instanceof EngineDied ? 'died' : undefined;
    if (!kind || err.gaveUp) {
      this.host.notify({ text: err.message, kind });
      return false;
    }
    const was = this.state;
    if (this.session.good && this.state !== this.session.good) this.history.drop();
    try {
      this.accept(await this.session.open(this.session.good || this.base), 'all');
    } catch (again) {
      return this.trouble(again);
    }
    const where = this.state === was ? 'Your settings are kept.' : 'The demo is back at your last settings that worked.';
    this.host.notify({ text: `${err.message} ${where}`, kind });
    this.host.touched(this.head);
    await this.run();
    return false;
  }
}
