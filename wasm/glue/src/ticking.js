// How simulated time passes while a run is played, without a page: which time
// comes next, and when it may.
//
// Times are on a grid of a tenth of the clock's step, so that the link of a time
// is short; the slider and the step buttons move by whole steps.

export const EVERY = 125; // ms between two times that are shown: 8 a second
const MOST = 1000; // ms of the reader's time that one tick makes up for; beyond it the run is played slower
const FINE = 10; // parts of a step

/** A sum of decimal fractions without the noise of their last bits. */
const clean = (x) => Number(x.toPrecision(12));

/** How many presses of "step" a run has. */
export function steps({ from, to, step }) {
  return Math.max(1, Math.ceil((to - from) / step - 1e-9));
}

/** The time at a position of the slider. */
export function timeAt(clock, position) {
  return position >= steps(clock) ? clock.to : clean(clock.from + position * clock.step);
}

/** The position of the slider that is nearest to a time. */
export function positionOf(clock, at) {
  return at >= clock.to ? steps(clock) : Math.min(steps(clock) - 1, Math.round((at - clock.from) / clock.step));
}

/** The time one press away: the next whole step, or the last one before. */
export function pressed(clock, at, by) {
  const place = (at - clock.from) / clock.step;
  const next = by > 0 ? Math.floor(place + 1e-9) + 1 : Math.ceil(place - 1e-9) - 1;
  return timeAt(clock, Math.max(0, by < 0 && at >= clock.to ? Math.min(next, steps(clock) - 1) : next));
}

/** A time on the fine grid, not after the end. */
export function fine(clock, t) {
  const part = clock.step / FINE;
  return Math.min(clock.to, clean(clock.from + Math.floor((t - clock.from) / part + 1e-9) * part));
}

/** A time as it goes to the engine; the end is said without one. */
export function words(clock, at) {
  return at >= clock.to ? '' : String(at);
}

export class Ticking {
  /**
   * @param show  (at) => Promise, draws the run as it was then; the next tick waits for it
   * @param ended () => void, the run has come to its end
   * @param now   () => ms
   * @param later (fn, ms) => id; clear(id)
   */
  constructor({ show, ended, now = () => performance.now(), later = setTimeout, clear = clearTimeout }) {
    Object.assign(this, { show, ended, now, later: (...a) => later(...a), clear: (id) => clear(id) });
    this.timer = 0;
    this.run = 0; // counts starts, so that an old tick knows that it is over
  }

  get going() { return this.timer !== 0; }

  /** Plays a clock from a time on; seconds is how long the whole run takes the reader. */
  start(clock, at, seconds) {
    this.stop();
    Object.assign(this, { clock, t: at, shown: null, last: this.now(), rate: (clock.to - clock.from) / (seconds * 1000) });
    this.wait(++this.run, 0);
  }

  stop() {
    this.clear(this.timer);
    this.timer = 0;
    this.run++;
  }

  wait(run, ms) {
    this.timer = this.later(() => this.tick(run), ms);
  }

  async tick(run) {
    if (run !== this.run) return;
    const now = this.now();
    this.t = Math.min(this.clock.to, this.t + Math.min(now - this.last, MOST) * this.rate);
    this.last = now;
    const at = this.t >= this.clock.to ? this.clock.to : fine(this.clock, this.t);
    if (at !== this.shown) {
      const first = this.shown === null;
      this.shown = at;
      await this.show(at);
      if (first) this.last = this.now(); // the engine may have been loaded for it
    }
    if (run !== this.run) return;
    if (at >= this.clock.to) {
      this.stop();
      return this.ended();
    }
    this.wait(run, Math.max(0, EVERY - (this.now() - now)));
  }
}
