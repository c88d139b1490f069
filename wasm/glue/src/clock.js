// Entry of assets/clock.js, loaded when somebody uses the clock of a demo, or its
// link says a time: play, pause, step and scrub through a finished run.
//
// The engine has the whole run; to play is to ask for it as it was at one time
// after the other, 8 times a second, each when the last one is on the page. What
// the reader wants (to play) and what there is to see by (the demo on the screen,
// the tab in front, the slide shown) are kept apart: the one stays while the other
// comes and goes. Who asked for less motion steps and scrubs.

import { Room } from './room.js';
import { positionOf, pressed, steps, Ticking, timeAt, words } from './ticking.js';

const PAGE = 10; // steps that PageUp and PageDown move
const STILL = 'Your system asks for less motion, so the run is not played. Step and the slider work.';

const SELF = document.currentScript.src; // none where it stands in the page; then there is no room either
const SCENE = SELF && new URL('../scene.html', SELF).href; // beside assets/

const motion = matchMedia('(prefers-reduced-motion: reduce)');

class Clock {
  /**
   * @param bar  element data-clock
   * @param demo ol-demo
   */
  constructor(bar, demo) {
    Object.assign(this, { bar, demo, wanted: false, seen: true, touched: false, pending: 0, dragging: false });
    this.slider = bar.querySelector('[data-clock-at]');
    this.speed = bar.querySelector('[data-clock-speed]');
    const { from, to, step } = bar.dataset;
    this.clock = { from: Number(from), to: Number(to), step: Number(step) };
    this.at = timeAt(this.clock, Number(this.slider.defaultValue));
    const room = demo.querySelector('[data-room]');
    if (room) this.room = new Room(room, demo, this, SCENE);
    this.ticking = new Ticking({ show: (at) => this.seek(at, true), ended: () => this.pause() });
    this.slider.addEventListener('input', () => this.scrub());
    this.slider.addEventListener('change', () => { this.dragging = false; });
    this.slider.addEventListener('keydown', (e) => this.key(e));
    this.speed.addEventListener('change', () => { if (this.wanted) this.resume(); });
    const look = () => this.look();
    document.addEventListener('visibilitychange', look);
    motion.addEventListener('change', look);
    addEventListener('openloop-slide', () => this.slide());
    new IntersectionObserver(([e]) => {
      this.seen = e.isIntersecting;
      look();
    }).observe(demo);
    this.label();
    if (Number(this.slider.value) !== Number(this.slider.defaultValue)) this.scrub(); // moved while this was loading
  }

  /** Takes the clock of a frame. */
  show(clock) {
    const first = !this.says;
    const length = this.clock.to - this.clock.from;
    Object.assign(this, { clock, says: clock.says });
    if (!this.pending) this.at = clock.at;
    if (this.ticking.going && clock.to - clock.from !== length) this.resume(); // the settings have changed: another run, from this time on
    this.slider.max = String(steps(clock));
    if (!this.dragging) this.slider.value = String(positionOf(clock, clock.at));
    this.slider.setAttribute('aria-valuetext', clock.says);
    this.bar.querySelector('[data-clock-says]').textContent = clock.says;
    this.label();
    if (this.room) this.room.refresh();
    if (this.wanted && this.still) this.pause(); // the browser may tell of it much later than it knows
    if (this.wanted) this.steady();
    if (first && window.openloopSlide) this.slide();
  }

  /** Keeps the answer as high as it was at most, so that nothing below it jumps, not even Pause. */
  steady() {
    const say = this.demo.part('say');
    if (this.width !== say.clientWidth) say.style.minHeight = ''; // another layout
    this.width = say.clientWidth;
    say.style.minHeight = `${say.offsetHeight}px`;
  }

  get still() { return motion.matches; }
  get held() { return window.openloopSlide === 'slide:stop'; }

  press(name) {
    if (name.startsWith('room')) return this.room.press(name);
    this.touched = true;
    if (name === 'play') return this.wanted ? this.pause() : this.play();
    this.pause();
    const { clock } = this;
    if (name === 'first') return this.seek(clock.from);
    const by = name === 'step' ? 1 : -1;
    if (by > 0 ? this.at >= clock.to : this.at <= clock.from) return null;
    return this.seek(pressed(clock, this.at, by));
  }

  play() {
    if (this.still) return this.label();
    if (this.at >= this.clock.to) this.at = this.clock.from;
    this.wanted = true;
    this.label();
    return this.look();
  }

  /** Stops, for good; the address then says where. */
  pause() {
    if (!this.wanted) return;
    this.wanted = false;
    this.demo.part('say').style.minHeight = '';
    this.ticking.stop();
    this.label();
    this.demo.writeAddress();
  }

  /** Goes on or halts, as far as the reader wants it and can see it. */
  look() {
    if (this.still) this.pause();
    this.label();
    const can = this.wanted && this.seen && !document.hidden && !this.held;
    if (can && !this.ticking.going) this.resume();
    if (!can) this.ticking.stop();
  }

  resume() {
    this.ticking.start(this.clock, this.at, Number(this.speed.value));
  }

  /** A deck shows or leaves the slide. A run whose link says a time before its end, and that nobody has touched, is played when its slide comes. */
  slide() {
    if (!this.held && !this.touched && this.at < this.clock.to) this.play();
    else this.look();
  }

  scrub() {
    this.touched = this.dragging = true;
    this.pause();
    if (this.target === undefined) {
      requestAnimationFrame(() => {
        const to = this.target;
        this.target = undefined;
        this.seek(timeAt(this.clock, to));
      });
    }
    this.target = Number(this.slider.value);
  }

  key(e) {
    const by = { PageUp: PAGE, PageDown: -PAGE }[e.key];
    if (!by) return;
    e.preventDefault();
    this.slider.value = String(Number(this.slider.value) + by); // the range itself stops at its ends
    this.scrub();
    this.dragging = false;
  }

  /** Shows the run as it was; the newest call wins. */
  async seek(at, quiet) {
    this.at = at;
    this.label();
    this.pending++;
    this.demo.figures.prepare();
    await this.demo.flow.seek(words(this.clock, at), quiet);
    this.pending--;
    if (!this.pending && this.says) this.at = this.clock.at; // what the engine made of it
    this.label();
  }

  /** Says on the buttons what they do now. */
  label() {
    const button = (name) => this.bar.querySelector(`[data-action=${name}]`);
    const off = (name, is) => button(name).setAttribute('aria-disabled', String(is));
    button('play').textContent = this.wanted ? 'Pause' : 'Play';
    off('play', this.still);
    off('first', this.at <= this.clock.from);
    off('back', this.at <= this.clock.from);
    off('step', this.at >= this.clock.to);
    const why = this.bar.querySelector('[data-clock-why]');
    why.textContent = this.still ? STILL : '';
    why.hidden = !this.still;
  }
}

window.openloopClock = { Clock };
