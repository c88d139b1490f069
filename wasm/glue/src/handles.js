// Handles on the marks that a reader can drag along the x axis. A handle moves
// its knob as the knob's slider does: a position at a time, the newest change
// wins, one drag is one step of undo. It is for pointers only; the slider is
// there for everybody else, so assistive technology is not told of it.

import { handles, position } from './option.js';

export class Handles {
  /**
   * @param frame element over which they lie
   * @param place (x) => px in the frame, or NaN
   * @param on    {slide(knob, position), settle() resolves when the change is drawn or refused}
   */
  constructor(frame, place, on) {
    Object.assign(this, { frame, place, on, all: [], held: null });
  }

  /** Shows the handles of a figure; the one that is held stays under the pointer. */
  show(fig, nums, bottom) {
    const wanted = handles(fig, nums);
    while (this.all.length > wanted.length) this.all.pop().el.remove();
    while (this.all.length < wanted.length) this.all.push(this.make());
    wanted.forEach((w, i) => {
      const h = this.all[i];
      Object.assign(h, w);
      h.el.dataset.handle = w.knob;
      h.el.style.top = `${bottom}px`;
      if (h !== this.held) this.put(h, this.place(w.at));
    });
    if (this.held && !this.all.includes(this.held)) this.held = null;
  }

  put(h, left) {
    h.el.hidden = !Number.isFinite(left);
    h.el.style.left = `${left}px`;
  }

  make() {
    const el = document.createElement('div');
    el.className = 'mark-handle';
    this.frame.append(el);
    const h = { el };
    el.addEventListener('pointerdown', (e) => {
      if (!e.isPrimary || e.button) return;
      e.preventDefault();
      el.setPointerCapture(e.pointerId);
      this.held = h;
      h.pos = -1;
      h.places = Array.from(h.stops, this.place); // as they are now: an axis that follows the knob must not run away
    });
    el.addEventListener('pointermove', (e) => { if (this.held === h) this.drag(h, e.clientX - this.frame.getBoundingClientRect().left); });
    for (const end of ['pointerup', 'pointercancel']) el.addEventListener(end, () => this.drop(h));
    return h;
  }

  drag(h, x) {
    const pos = position(h.places, x);
    if (pos === h.pos) return;
    h.pos = pos;
    this.put(h, h.places[pos]);
    this.on.slide(h.knob, pos);
  }

  async drop(h) {
    if (this.held !== h) return;
    this.held = null;
    await this.on.settle();
    if (this.held !== h) this.put(h, this.place(h.at));
  }
}
