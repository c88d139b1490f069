// The beat of the engine room: it lets the picture draw only while there is
// something to draw and somebody to see it. Ebitengine asks for an animation frame
// after each one; the asking is held back here until it makes sense again. A
// picture at rest costs nothing.

const ENOUGH = 2; // frames after news: one may have been begun before it

export class Pulse {
  /**
   * @param next   (fn) => void, the browser's requestAnimationFrame
   * @param moving () => whether the last frame wants another
   */
  constructor(next, moving) {
    Object.assign(this, { next, moving, shown: true, due: ENOUGH, held: null });
  }

  /** What stands in for requestAnimationFrame. */
  ask(fn) {
    if (this.shown && (this.due > 0 || this.moving())) {
      if (this.due > 0) this.due--;
      this.next(fn);
    } else {
      this.held = fn;
    }
    return 0;
  }

  /** There is news: draws it, now or when it can be seen. */
  wake() {
    this.due = ENOUGH;
    this.go();
  }

  show(on) {
    this.shown = on;
    if (on) this.wake();
  }

  go() {
    if (!this.held || !this.shown) return;
    const fn = this.held;
    this.held = null;
    this.ask(fn);
  }
}
