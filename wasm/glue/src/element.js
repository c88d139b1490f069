// <ol-demo>: brings a demo to life that the server has rendered whole.
//
// Nothing is loaded before the first interaction, unless the address carries a
// state for this demo. The element binds parts to each other: controls
// (knobs.js, seed.js, bet.js) to the flow of changes (flow.js), and the flow to
// figures and notices. lit's ReactiveElement batches what is drawn from state.

import { ReactiveElement } from '@lit/reactive-element';
import { Flow } from './flow.js';
import { Knobs } from './knobs.js';
import { Seed } from './seed.js';
import { Bet } from './bet.js';
import { Figures } from './figures.js';
import { Live } from './live.js';
import { Stale } from './stale.js';
import { steady } from './steady.js';
import { loadScript } from './load.js';
import { actions, copyOut } from './actions.js';
import { notices, outBox, spread } from './fragments.js';
import { hashOf, stateFor, keepSeed, sameRun } from './hash.js';
import { early, hide, markPresets, presetState, theme } from './view.js';

const WRITE = 300; // ms of rest after which the address is written, which may take longer than a frame
const PATIENCE = 300; // ms before a wait is shown
const CONTROLS = '[data-clock],[data-knobs] input,[data-knobs] select,[data-knobs] textarea,[data-seed],[data-seed-prev],[data-seed-next],[data-bet-option],[data-preset]';
const IDLE_KEYS = ['Tab', 'Escape', 'Shift', 'Control', 'Alt', 'Meta'];

/**
 * Makes the class for a page.
 * @param page     data of #ol-page
 * @param engine   clients by module
 * @param embedded whether the page is there for one demo in somebody's frame
 * @param onBet    (demo, {score, link, option}) => void; without an option if the answer is in the link
 * @param onTouch  (demo) => void, after a change that a reader made
 */
export function demoElement({ page, engine, embedded, onBet = () => {}, onTouch = () => {} }) {
  return class OlDemo extends ReactiveElement {
    static get properties() {
      return { head: { state: true }, notes: { state: true }, out: { state: true }, progress: { state: true } };
    }

    constructor() {
      super();
      this.notes = [];
      this.rounds = new Set(); // questions whose answer was marked
      this.follow = this.follow.bind(this);
    }

    createRenderRoot() { return this; }

    connectedCallback() {
      super.connectedCallback();
      addEventListener('hashchange', this.follow);
      if (this.flow) return;
      this.demo = this.dataset.demo;
      this.info = page.demos[this.demo];
      this.embedded = embedded;
      this.session = engine.of(this.dataset.module).session(this.demo);
      this.live = new Live(this.part('live'));
      this.figures = new Figures(this, this.info, page.assets + page.chart, (text) => this.live.say(text, 0), {
        slide: (knob, pos) => this.flow.slide(knob, pos),
        settle: () => this.flow.settle(),
        failed: (err) => this.noChart(err),
      });
      this.stale = new Stale((on) => { for (const el of this.querySelectorAll('[data-say],.demo-figures')) el.setAttribute('aria-busy', String(on)); });
      this.flow = new Flow(this.session, this.info.state, this.host());
      this.wire();
      const link = this.linked();
      if (link !== null) this.arrive(link);
    }

    disconnectedCallback() {
      super.disconnectedCallback();
      removeEventListener('hashchange', this.follow);
    }

    part(name) { return this.querySelector(`[data-${name}]`); }

    wire() {
      const { flow } = this;
      this.knobs = new Knobs(this.part('knobs'), flow);
      this.seed = new Seed(this, this.info.state, (text) => flow.set('seed', text), (button, shown) => this.nextCase(button, shown));
      if (this.part('bet')) this.bet = new Bet(this.part('bet'), (option) => this.wager(option));
      this.part('cancel').addEventListener('click', () => flow.cancel());
      this.addEventListener('click', (e) => this.click(e));
      for (const type of ['pointerdown', 'keydown', 'input']) this.addEventListener(type, (e) => this.warm(e));
    }

    /** Starts loading while the reader's finger is still down. */
    warm(e) {
      const idle = e.type === 'keydown' && (IDLE_KEYS.includes(e.key) || e.altKey || e.ctrlKey || e.metaKey);
      if (idle || !e.target.closest(CONTROLS)) return;
      this.figures.prepare();
      if (e.target.closest('[data-clock]')) this.clockBar().catch((err) => this.flow.trouble(err));
      this.flow.begin().catch((err) => this.flow.trouble(err));
    }

    click(e) {
      const [preset, button] = [e.target.closest('[data-preset]'), e.target.closest('[data-action]')];
      const hit = preset || button;
      if (!hit || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
      e.preventDefault();
      if (hit.getAttribute('aria-disabled') === 'true') return;
      if (preset) this.flow.restore(presetState(this, preset));
      else this.act(button.dataset.action);
    }

    /** The bar of a run that has a clock; its script comes when somebody first needs it. */
    async clockBar() {
      const { Clock } = await loadScript(`${page.assets}clock.js`, 'openloopClock');
      if (!this.clock) {
        this.clock = new Clock(this.part('clock'), this);
        if (this.timed) this.clock.show(this.timed); // what was shown before the script came
      }
      return this.clock;
    }

    async act(name) {
      try {
        if (actions[name]) await actions[name](this);
        else await (await this.clockBar()).press(name);
      } catch (err) {
        this.flow.trouble(err);
      }
    }

    /** Brings whoever asked for the next case to where it begins, once it is there, unless they have gone elsewhere. */
    async nextCase(button, shown) {
      this.newCase = true;
      const there = await shown;
      const at = document.activeElement;
      if (!there || (at !== button && at !== document.body)) return;
      this.stand();
    }

    /** Puts the focus where the demo begins. */
    stand() {
      const title = this.querySelector('h3');
      title.tabIndex = -1;
      title.focus();
    }

    // The address.

    /** The state that the address has for this demo, or null. */
    linked(hash = location.hash) {
      const alone = Object.keys(page.demos).length === 1;
      return stateFor(hash, this.demo, embedded ? 'any' : alone ? 'v' : '');
    }

    /**
     * Goes to a link from outside. An embed is reset to the link that its address
     * came with: where the page has written over that, the entry of the history,
     * which a reload keeps and a new address does not have, remembers it.
     */
    arrive(link, addressed = true) {
      early(this, link);
      clearTimeout(this.writing); // what was to be written is older than the link
      this.writing = 0;
      this.figures.prepare();
      if (embedded && addressed) this.flow.base = (history.state && history.state.base) || link;
      if (!embedded) this.scrollIntoView({ block: 'start' });
      return this.flow.arrive(link, !this.head && sameRun(link, this.info.state));
    }

    /**
     * The address was edited, pasted or gone back to. By now a pending write may
     * have replaced it; the event remembers.
     */
    follow(event) {
      const link = this.linked(new URL(event.newURL).hash);
      if (link === null || link === this.flow.state) return;
      this.arrive(link);
      if (!embedded) this.stand();
    }

    writeAddress() {
      clearTimeout(this.writing);
      this.writing = setTimeout(() => {
        this.writing = 0;
        try {
          history.replaceState(embedded ? { base: this.flow.base } : history.state, '', hashOf(this.flow.state, this.demo, embedded));
        } catch { /* an address that cannot be written is only less convenient */ }
      }, WRITE);
    }

    // What the flow asks of its host.

    host() {
      return {
        head: (head, changed) => {
          if (this.spread && this.spread.state !== head.state) this.showSeeds(null);
          this.head = head;
          this.moved = changed;
          if (changed === 'at') return;
          if (changed === 'all' && this.clock) this.clock.pause();
          this.knobs.show(head, changed);
          this.seed.show(head, changed);
        },
        frame: (got) => this.show(got),
        touched: () => {
          this.writeAddress();
          onTouch(this);
        },
        refuse: (c, problems) => this.refuse(c, problems),
        report: (problems) => {
          this.dismiss('link');
          this.report(problems);
        },
        notify: (note) => this.notify(note),
        dismiss: (kind) => this.dismiss(kind),
        busy: (text, share) => this.busy(text, share),
        stale: (on) => this.stale.set(on),
      };
    }

    async show(got) {
      const hidden = this.head.hide;
      const bring = steady(this);
      this.report(got.frame.problems);
      if (!hidden.includes('summary')) this.live.say(`${this.newCase ? `Case ${this.head.seed}. ` : ''}${got.frame.sayText}`);
      this.newCase = false;
      this.marked(got.frame.round);
      const timed = got.frame.clock;
      try {
        this.timed = timed;
        if (timed) (await this.clockBar()).show(timed);
      } catch (err) {
        this.notify({ kind: 'clock', text: `The run cannot be played: ${err.message}. What is shown is up to date.` });
      }
      try {
        await this.figures.show(got, timed ? null : this.head.at);
      } catch (err) {
        this.noChart(err);
      }
      hide(this, hidden);
      requestAnimationFrame(bring);
    }

    noChart(err) {
      this.notify({ kind: 'chart', text: `A chart could not be drawn: ${err.message}. Its picture shows earlier settings; the sentence and the data table are up to date.` });
    }

    /** Reports what an answer is worth: the first to each question, and only if it was marked here. */
    marked(round) {
      const says = this.part('round'); // in sight of who marked it; the sentence may not be
      if (says) says.textContent = round ? `Score ${round.score} of 1` : '';
      if (!round || this.rounds.has(round.asked)) return;
      this.rounds.add(round.asked);
      if (this.moved !== 'all' && this.moved !== 'open') onBet(this, round);
    }

    /** Problems go under the knob that they name, else into the notices. */
    refuse(c, problems) {
      this.knobs.back(c);
      for (const p of problems) {
        const key = p.key || c.key;
        const here = key === 'seed' ? this.seed.problem(p.text) : this.knobs.problem(key, p.text, key === c.key);
        if (!here) this.notify({ text: p.text });
      }
    }

    /** Bad parts of a link: all of them, beside a demo that works. */
    report(problems) {
      if (!problems.length) return;
      const known = this.notes.find((n) => n.kind === 'link');
      const items = new Set([...(known ? known.items : []), ...problems.map((p) => p.text)]);
      this.notify({ kind: 'link', text: 'Parts of this link could not be used:', items: [...items] });
    }

    notify(note) {
      const same = (n) => (note.kind ? n.kind === note.kind : n.text === note.text);
      this.notes = [...this.notes.filter((n) => !same(n)), note];
    }

    dismiss(kind) {
      if (this.notes.some((n) => n.kind === kind)) this.notes = this.notes.filter((n) => n.kind !== kind);
    }

    /** Says what is being waited for, if it takes long enough to notice; '' ends it. */
    busy(text, share) {
      clearTimeout(this.waiting);
      if (!text) this.progress = null;
      else if (this.progress || share !== undefined) this.progress = { text, share };
      else this.waiting = setTimeout(() => { this.progress = { text }; }, PATIENCE);
    }

    /** Runs the state that reveals the answer, with a seed that is locked, then asks the engine what the bet was worth. */
    async wager(option) {
      try {
        if (!(await this.flow.restore(this.info.reveal, keepSeed))) return null;
        const result = await this.session.bet(option);
        onBet(this, { option, ...result });
        return result;
      } catch (err) {
        await this.flow.trouble(err);
        return null;
      }
    }

    /** Shows a spread over seeds until the settings change; null takes it away. */
    showSeeds(got) {
      this.spread = got && { state: this.flow.state, generation: this.session.generation };
      spread(this.part('seeds'), got && got.frame, { csv: () => this.act('seedsCSV'), close: () => this.showSeeds(null) });
      if (got) this.live.say(got.frame.sayText, 0);
    }

    // What lit batches.

    updated(changed) {
      if (changed.has('head') && this.head) this.showHead();
      if (changed.has('notes')) notices(this.part('notices'), this.notes, (note) => { this.notes = this.notes.filter((n) => n !== note); });
      if (changed.has('progress')) this.showProgress();
      if (changed.has('out')) outBox(this.part('out'), this.out, { copy: () => copyOut(this), close: () => { this.out = null; } });
    }

    showHead() {
      hide(this, this.head.hide);
      this.dataset.state = this.head.state;
      theme(this, this.head.theme);
      markPresets(this, this.head);
      const { history: past } = this.flow;
      const off = { undo: !past.canUndo, redo: !past.canRedo, reset: this.flow.atBase };
      for (const [name, value] of Object.entries(off)) {
        const button = this.querySelector(`[data-action=${name}]`);
        if (!button) continue;
        button.disabled = false; // it keeps its place in the tab order
        button.setAttribute('aria-disabled', String(value));
      }
      const all = this.head.lock.includes('all');
      for (const p of this.querySelectorAll('[data-preset]')) {
        if (all) p.setAttribute('aria-disabled', 'true');
        else p.removeAttribute('aria-disabled');
      }
    }

    showProgress() {
      const box = this.part('progress');
      box.hidden = !this.progress;
      if (!this.progress) return;
      const { text, share } = this.progress;
      const bar = box.querySelector('progress');
      if (share === undefined) bar.removeAttribute('value');
      else bar.value = share;
      box.querySelector('span').textContent = share === undefined ? text : `${text}, ${Math.round(share * 100)}%`;
      this.part('cancel').hidden = share === undefined;
    }
  };
}
