// The engine room of a demo: a frame with its picture, and the same in words. The
// engine says what is in the room at the time of the clock; here it is passed on.
// The picture's program is large, so it comes when somebody asks for it.

import { colorAt } from './color.js';

const COLORS = ['--card', '--wash', '--line', '--edge', '--soft', '--ink', '--closed', '--open', '--bad']; // as wasm/scene/look.go reads them
const ARRIVES = 2000; // ms that a message of the picture's script may come after the frame has loaded
const REPLICAS = 11; // number of a room that says how many replicas there are (content/demo/room)
const ONE = 280; // px, height of a picture of one replica
const MORE = [54, 74, 560]; // px: around several, for each, at most

const motion = matchMedia('(prefers-reduced-motion: reduce)');

export class Room {
  /**
   * @param box   element data-room
   * @param demo  ol-demo
   * @param clock the demo's clock
   * @param scene address of the picture's page
   */
  constructor(box, demo, clock, scene) {
    Object.assign(this, { box, demo, clock, scene, frame: null, ready: false, request: -1, ids: [], names: [] });
    addEventListener('message', (e) => this.hear(e));
    const look = () => this.look();
    new MutationObserver(look).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
    for (const q of [motion, ...['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((m) => matchMedia(m))]) q.addEventListener('change', look);
    this.input = this.part('request');
    this.input.addEventListener('change', () => this.typed());
    this.input.addEventListener('keydown', (e) => { if (e.key === 'Enter') this.typed(); });
    this.part('tables').closest('details').addEventListener('toggle', () => this.tables());
    this.seen = new IntersectionObserver(([e]) => this.send({ openloop: 'shown', on: e.isIntersecting }));
  }

  part(name) { return this.box.querySelector(`[data-room-${name}]`); }

  press(name) {
    return { room: () => this.open(), 'room-close': () => this.close(), 'room-prev': () => this.step(-1), 'room-next': () => this.step(1), 'room-none': () => this.pick(-1) }[name]();
  }

  open() {
    if (this.frame) return null;
    this.frame = document.createElement('iframe');
    Object.assign(this.frame, { src: this.scene, title: 'Engine room', className: 'room-frame', height: ONE });
    this.here = false;
    const { frame } = this;
    frame.addEventListener('load', () => setTimeout(() => { if (frame === this.frame && !this.here) this.failed('a file of it could not be loaded'); }, ARRIVES));
    this.part('frame').append(frame);
    this.seen.observe(this.frame);
    this.part('offer').hidden = true;
    this.part('open').hidden = false;
    this.part('state').textContent = 'Loading the picture…';
    this.box.querySelector('.room-key').hidden = false;
    this.box.querySelector('[data-action=room-close]').focus();
    return this.fill();
  }

  /** Shows the room as it is now or, if nobody is there at the end of the run, at its beginning. */
  async fill() {
    const { clock } = this;
    if (!clock.says) await this.demo.flow.ready(); // the first run is still to come, at a time that a link may say
    await this.refresh();
    if (this.frame && clock.says && !this.ids.length && clock.at >= clock.clock.to) await clock.seek(clock.clock.from);
  }

  close() {
    this.seen.disconnect();
    this.frame.remove();
    Object.assign(this, { frame: null, ready: false });
    this.part('open').hidden = true;
    this.part('offer').hidden = false;
    this.part('offer').querySelector('button').focus();
  }

  hear({ source, data }) {
    if (!this.frame || source !== this.frame.contentWindow || !data || typeof data !== 'object') return;
    if (data.openloop === 'here') {
      this.here = true;
    } else if (data.openloop === 'ready' && !this.frame.hidden) {
      this.ready = true;
      this.look();
      this.refresh();
    } else if (data.openloop === 'drawn') {
      this.part('state').textContent = '';
    } else if (data.openloop === 'pick' && Number.isInteger(data.request)) {
      this.pick(data.request === this.request ? -1 : data.request);
    } else if (data.openloop === 'failed') {
      this.failed(String(data.text).slice(0, 120));
    }
  }

  /** Only the first reason is one: the program ends because of it. */
  failed(why) {
    if (this.frame.hidden) return;
    this.ready = false;
    this.frame.hidden = true;
    this.box.querySelector('.room-key').hidden = true; // of what cannot be seen
    this.part('state').textContent = `The picture cannot be drawn here: ${why}. Its words and tables are below. Close the room and open it to try again.`;
  }

  send(msg, transfer) {
    if (this.ready) this.frame.contentWindow.postMessage(msg, '*', transfer);
  }

  /** The colors of the page, and whether things may move. */
  look() {
    if (!this.ready) return;
    const color = colorAt(this.box);
    const colors = Float64Array.from(COLORS.flatMap((name) => color(name).match(/[\d.]+/g).slice(0, 3).map(Number)));
    const css = getComputedStyle(this.box);
    const style = { 'color-scheme': css.colorScheme, color: css.color, 'font-family': css.fontFamily, '--halo': color('--card') };
    color.done();
    this.send({ openloop: 'look', colors, still: motion.matches, style }, [colors.buffer]);
  }

  /** Shows the room as it is now; of several calls the last one counts. Resolves when it is shown. */
  refresh() {
    if (!this.frame || !this.clock.says) return null; // the first run is still to come, and opens the session
    this.again = true;
    if (!this.drawing) this.drawing = this.draw();
    return this.drawing;
  }

  async draw() {
    try {
      while (this.again && this.frame) {
        this.again = false;
        this.show(await this.demo.session.room(this.request));
      }
    } catch (err) {
      if (!this.demo.flow.stale) await this.demo.flow.trouble(err); // else another run is on its way
    } finally {
      this.drawing = null;
    }
  }

  show({ doc, nums }) {
    Object.assign(this, { doc, ids: doc.ids, names: doc.names });
    const n = nums[REPLICAS];
    if (this.frame) this.frame.height = n > 1 ? Math.min(MORE[2], MORE[0] + n * MORE[1]) : ONE;
    this.part('says').innerHTML = doc.says;
    this.part('picked').innerHTML = doc.picked;
    this.part('picked').hidden = !doc.picked;
    this.tables();
    if (document.activeElement !== this.input) this.input.value = this.name();
    this.send({ openloop: 'room', nums }, [nums.buffer]);
  }

  /** The tables, when somebody looks at them. */
  tables() {
    const box = this.part('tables');
    if (this.doc && box.closest('details').open) box.innerHTML = this.doc.replicas + this.doc.requests;
  }

  name() {
    const i = this.ids.indexOf(this.request);
    if (i >= 0) this.known = { request: this.request, name: this.names[i] };
    return this.known && this.known.request === this.request ? this.known.name : '';
  }

  /** Marks a request, wherever it is now; -1 is none. */
  pick(request) {
    this.request = request;
    this.part('problem').textContent = '';
    this.input.value = this.name();
    this.send({ openloop: 'mark', request });
    return this.ask();
  }

  /** Tells about the request that is marked, and lets the figures mark its times. */
  async ask() {
    await this.refresh();
    if (this.clock.says) await this.clock.seek(this.clock.at, true);
  }

  step(by) {
    const at = this.ids.indexOf(this.request);
    if (!this.ids.length) return this.none();
    const sorted = [...this.ids].sort((a, b) => a - b);
    const next = at < 0 ? sorted.findIndex((id) => id > this.request) : sorted.indexOf(this.request) + by;
    return this.pick(sorted[(next + sorted.length) % sorted.length]);
  }

  none() { this.part('problem').textContent = 'Nobody is in the room at this time.'; }

  typed() {
    const text = this.input.value.trim();
    if (text === this.name()) return null;
    if (!text) return this.pick(-1);
    const i = this.names.findIndex((n) => n.toLowerCase() === text.toLowerCase() || n.replace(/,/g, '') === text);
    if (i >= 0) return this.pick(this.ids[i]);
    this.part('problem').textContent = this.names.length
      ? `${text.slice(0, 20)} is not in the room; there are ${this.names.slice(0, 8).join(', ')}${this.names.length > 8 ? ` and ${this.names.length - 8} more` : ''}.`
      : 'Nobody is in the room at this time.';
    return null;
  }
}
