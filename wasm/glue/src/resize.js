// Tells the page around a frame how high the demo is.
//
// The guard decides whether a height is worth a message: a change under 2 px is
// not, and neither is a frame whose content follows its own height (it would
// grow for ever), seen as many messages in a row without a pause.

const SMALL = 2; // px
const BURST = 24; // messages in a row
const PAUSE = 1000; // ms that end a burst

export class ResizeGuard {
  constructor() {
    this.sent = 0; // last height sent, px
    this.when = -PAUSE;
    this.burst = 0;
    this.ended = false; // the burst's last height was sent
  }

  /** The height to send at a time in ms, or 0 for none. */
  next(height, now) {
    const h = Math.ceil(height);
    if (Math.abs(h - this.sent) < SMALL) return 0;
    this.burst = now - this.when < PAUSE ? this.burst + 1 : 1;
    this.when = now;
    if (this.burst === 1) this.ended = false;
    if (this.burst > BURST) return 0;
    this.sent = h;
    return h;
  }

  /** The height to send when a burst that was cut off is over; once, because a frame that grows by it goes on. */
  last(height, now) {
    const h = Math.ceil(height);
    if (this.ended || Math.abs(h - this.sent) < SMALL) return 0;
    Object.assign(this, { ended: true, when: now, sent: h });
    return h;
  }
}

/** Watches the document and calls send(height) at most once a frame. */
export function watchHeight(send) {
  const guard = new ResizeGuard();
  let asked = false;
  let timer = 0;
  const tell = (which) => {
    const h = guard[which](document.documentElement.getBoundingClientRect().height, performance.now());
    if (h) send(h);
  };
  const measure = () => {
    asked = false;
    tell('next');
    clearTimeout(timer);
    if (guard.burst > BURST) timer = setTimeout(tell, PAUSE, 'last');
  };
  new ResizeObserver(() => {
    if (!asked) requestAnimationFrame(measure);
    asked = true;
  }).observe(document.documentElement);
}
