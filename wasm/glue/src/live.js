// One polite live region for a demo: what happened, once things have settled.

const SETTLE = 1000; // ms without news before a sentence is spoken

export class Live {
  constructor(region) {
    this.region = region;
    this.timer = 0;
  }

  /** Speaks text after ms without another call. Equal text is not repeated. */
  say(text, ms = SETTLE) {
    clearTimeout(this.timer);
    if (!this.region) return;
    this.timer = setTimeout(() => {
      if (this.region.textContent !== text) this.region.textContent = text;
    }, ms);
  }
}
