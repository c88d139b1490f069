// What is shown while an answer is awaited is of the settings before. It keeps its
// strength for a while, so that nothing flickers where answers come at once; then it
// is dimmed, and marked as busy, until the answer is there or nothing is to come.

export const LASTS = 150; // ms

export class Stale {
  /**
   * @param mark  (on) => void, dims what is shown, or no longer
   * @param later setTimeout, and never its clearTimeout, or stand-ins
   */
  constructor(mark, later = (fn, ms) => setTimeout(fn, ms), never = (timer) => clearTimeout(timer)) {
    Object.assign(this, { mark, later, never, timer: null, dim: false });
  }

  /** Says whether an answer is awaited. Again true changes nothing. */
  set(on) {
    if (on && this.timer === null && !this.dim) {
      this.timer = this.later(() => {
        this.timer = null;
        this.put(true);
      }, LASTS);
    } else if (!on) {
      this.never(this.timer);
      this.timer = null;
      this.put(false);
    }
  }

  put(dim) {
    if (dim !== this.dim) this.mark(dim);
    this.dim = dim;
  }
}
