// The settings panel: native controls in, typed text or slider positions out.
//
// The server has rendered every control; this listens on their form and writes
// back what the engine made of a change (its head). It never decides whether a
// value is legal: bad text stays in its box, with the engine's words under it,
// until it is corrected or Esc brings the old value back. A locked control can
// be reached and says why it does not move.

import { ungrouped } from './number.js';

export const LOCKED = 'Locked by whoever made this link';
const PAGE = 10; // positions that PageUp and PageDown move
const PAUSE = 400; // ms after which text that is being written is taken

/** Writes a property that says something else: after any writing to a list, Chromium lays out the whole page at once, to see whether its form was sent. */
function mend(el, name, value) {
  if (el[name] !== value) el[name] = value;
}

/** Marks a control as locked, or not, without taking it out of the tab order. */
export function setLocked(control, locked, id) {
  if (!locked && !control.hasAttribute('aria-disabled')) return;
  const ids = (control.getAttribute('aria-describedby') || '').split(' ').filter((x) => x && x !== id);
  if (locked) {
    control.setAttribute('aria-disabled', 'true');
    ids.push(id);
  } else {
    control.removeAttribute('aria-disabled');
  }
  if (ids.length) control.setAttribute('aria-describedby', ids.join(' '));
  else control.removeAttribute('aria-describedby');
  if (control.type === 'text' || control.type === 'textarea') control.readOnly = locked;
}

export class Knobs {
  /**
   * @param {HTMLElement} form data-knobs
   * @param on {set(name, text), slide(name, pos), settle(), draining, awaits(name)}, the last whether a change of the knob has no answer yet
   */
  constructor(form, on) {
    this.form = form;
    this.knobs = new Map([...form.querySelectorAll('[data-knob]')].map((k) => [k.dataset.knob, k]));
    this.on = on;
    this.shown = {}; // knob heads by name, as last shown
    this.dragged = null; // knob whose slider is being moved
    this.sent = new Map(); // the text of boxes that was last committed, by knob
    this.edited = new Set(); // knobs whose box was written in since it was last committed or filled
    this.heard = new Set(); // knobs whose box was ever heard to be written in
    this.pauses = new Map(); // timers of text that is being written, by knob
    const events = { input: this.input, change: this.change, keydown: this.keydown, focusout: this.leave, pointerdown: this.hold, click: this.hold };
    for (const [type, fn] of Object.entries(events)) form.addEventListener(type, fn.bind(this));
    form.addEventListener('submit', (e) => e.preventDefault());
  }

  knob(name) { return this.knobs.get(name); }

  name(control) {
    return control.closest('[data-knob]').dataset.knob;
  }

  locked(control) {
    return control.getAttribute('aria-disabled') === 'true';
  }

  input({ target }) {
    if (!target.matches('[data-slider],[data-box]')) return;
    const name = this.name(target);
    if (target.matches('[data-box]')) {
      this.hear(name);
      return target.type === 'textarea' && this.pause(name, target);
    }
    if (this.locked(target)) return this.put(name, true);
    this.dragged = name;
    this.on.slide(name, Number(target.value)); // at once: while a change is under way, the flow keeps the newest only
  }

  hear(name) {
    this.heard.add(name);
    this.edited.add(name);
  }

  /** What was written is taken when its box is left; the browser itself says nothing of text that was there before. */
  leave({ target }) {
    if (target.matches('[data-box]') && this.edited.has(this.name(target))) this.commit(target);
  }

  /** Takes written text once the reader stops for a moment: there is no Enter that ends it. */
  pause(name, box) {
    clearTimeout(this.pauses.get(name));
    this.pauses.set(name, setTimeout(() => this.commit(box), PAUSE));
  }

  change({ target }) {
    if (!target.closest('[data-knob]')) return;
    const name = this.name(target);
    if (this.locked(target)) return this.put(name, true);
    if (target.matches('[data-slider]')) {
      this.dragged = null;
      if (this.shown[name]) this.place(name); // where the engine has it, if that is known
      this.on.settle();
    } else if (target.matches('[data-choice]')) {
      this.on.set(name, target.value);
    } else if (target.matches('[data-switch]')) {
      this.on.set(name, target.checked ? 'on' : 'off');
    } else if (target.matches('[data-box]')) {
      if (!this.heard.has(name)) this.hear(name); // it was written in before this script was here
      this.commit(target);
    }
  }

  keydown(e) {
    const { target, key } = e;
    if (target.matches('[data-box]')) {
      if (key === 'Enter' && (target.type !== 'textarea' || e.ctrlKey || e.metaKey)) {
        e.preventDefault();
        this.commit(target);
      } else if (key === 'Escape') {
        clearTimeout(this.pauses.get(this.name(target)));
        this.edited.delete(this.name(target));
        this.put(this.name(target), true);
      }
    } else if (target.matches('[data-slider]')) {
      const by = { PageUp: PAGE, PageDown: -PAGE }[key];
      if (this.locked(target)) {
        if (key !== 'Tab') e.preventDefault();
      } else if (by) {
        e.preventDefault();
        target.value = String(Number(target.value) + by); // the range itself stops at its ends
        target.dispatchEvent(new Event('input', { bubbles: true }));
        target.dispatchEvent(new Event('change', { bubbles: true }));
      }
    } else if (this.locked(target) && key !== 'Tab') {
      e.preventDefault();
    }
  }

  /** Keeps a locked slider, list or switch from moving under the pointer; it still takes the focus. */
  hold(e) {
    const control = e.target.closest('[data-slider],[data-choice],[data-switch]');
    if (!control || !this.locked(control)) return;
    e.preventDefault();
    control.focus();
  }

  commit(box) {
    const name = this.name(box);
    clearTimeout(this.pauses.get(name));
    const written = box.value.trim();
    const text = box.type === 'textarea' ? written : ungrouped(written);
    if (!this.edited.delete(name)) { // taken before; by now another control may have moved on
      if (text !== this.refused(name)) this.put(name, true);
      return;
    }
    if (this.locked(box)) return;
    const known = this.shown[name];
    const holds = known && (known.loose ? this.sent.get(name) ?? '' : known.text);
    if (text === holds && !this.on.draining) return this.put(name, true); // unless an answer is still to come
    if (text === this.refused(name) && !this.on.draining) return;
    this.sent.set(name, text);
    this.on.set(name, text);
  }

  /** The text that the engine refused and that still stands in the box, or undefined. */
  refused(name) {
    const box = this.knob(name).querySelector('[data-box]');
    return box && box.getAttribute('aria-invalid') === 'true' ? box.dataset.refused : undefined;
  }

  /** Shows a head. Text that is being typed, or was refused, is left alone unless it is about this knob or all. */
  show(head, changed) {
    for (const k of head.knobs) {
      this.shown[k.name] = k;
      this.put(k.name, changed === 'all' || changed === k.name);
    }
    for (const el of this.form.querySelectorAll('[data-group]')) {
      const group = (head.groups || []).find((g) => g.title === el.dataset.group);
      if (group) mend(el.querySelector('[data-group-says]'), 'textContent', group.says);
      el.toggleAttribute('data-away', ![...el.querySelectorAll('[data-knob]')].some((k) => k.dataset.idle !== 'away'));
    }
  }

  /** Writes what the engine has last said of a knob, except over what is newer: text not yet taken, a change not yet answered. */
  put(name, force) {
    const el = this.knob(name);
    const k = this.shown[name];
    if (!el || !k) return;
    const box = el.querySelector('[data-box]');
    const free = !this.edited.has(name) && !this.on.awaits(name);
    if (free && (force || !box || (document.activeElement !== box && this.refused(name) === undefined))) {
      if (box && !k.loose) this.write(box, k.text);
      this.problem(name, '');
    }
    this.place(name);
  }

  /** Puts everything of a knob but its box where the engine has it. */
  place(name) {
    const el = this.knob(name);
    const k = this.shown[name];
    const [slider, choice, toggle] = ['slider', 'choice', 'switch'].map((x) => el.querySelector(`[data-${x}]`));
    const newest = !this.on.awaits(name); // an older answer must not turn a slider or a list back under the arrow keys
    if (slider) {
      mend(slider, 'max', String(k.positions));
      if (k.locked || (newest && this.dragged !== name)) mend(slider, 'value', String(k.pos));
      if (slider.getAttribute('aria-valuetext') !== k.valueText) slider.setAttribute('aria-valuetext', k.valueText);
    }
    if (choice && newest) mend(choice, 'selectedIndex', k.option);
    if (toggle && newest) mend(toggle, 'checked', k.option === 1);
    this.lock(el, k.locked);
    this.idle(el, k);
  }

  /** A knob that changes nothing now is away, unless it was moved: then it says why. */
  idle(el, k) {
    const says = el.querySelector('[data-idle-says]');
    if (!says) return;
    mend(says, 'textContent', k.idle);
    if (k.idle) el.dataset.idle = k.default ? 'away' : 'said';
    else delete el.dataset.idle;
  }

  /** Puts text into a box; blanks around what somebody is writing stay, and so does the caret. */
  write(box, text) {
    if ((box.type === 'textarea' ? box.value.trim() : box.value) !== text) box.value = text;
  }

  /** Takes back a move of a control that was refused; refused text stands until it is corrected. */
  back({ key, slide }) {
    const el = this.knob(key);
    if (!el || !this.shown[key]) return;
    if (this.dragged === key) this.dragged = null;
    if (slide || !el.querySelector('[data-box]')) this.put(key, true);
    else this.place(key);
  }

  lock(el, locked) {
    const id = `${this.form.closest('[id]').id || 'demo'}-${el.dataset.knob}-lock`;
    let reason = el.querySelector('.knob-lock');
    if (locked && !reason) {
      reason = document.createElement('p');
      Object.assign(reason, { id, className: 'knob-lock', textContent: LOCKED });
      el.append(reason);
    } else if (!locked && reason) {
      reason.remove();
    }
    for (const c of el.querySelectorAll('input,select,textarea,[data-show]')) setLocked(c, locked, id);
  }

  /**
   * Puts the engine's words under a knob, '' takes them away. Says whether the knob
   * is here. asked says that they are about what was committed, which what stands in
   * the box by now need not be.
   */
  problem(name, text, asked) {
    const el = this.knob(name);
    if (!el) return false;
    const line = el.querySelector('[data-problem]');
    const control = el.querySelector('[data-box],[data-choice],[data-switch]');
    if (line) {
      line.textContent = text;
      line.hidden = !text;
    }
    if (text) {
      control.setAttribute('aria-invalid', 'true');
      control.dataset.refused = (asked && this.sent.get(name)) ?? control.value.trim();
    } else {
      control.removeAttribute('aria-invalid');
      delete control.dataset.refused;
    }
    return true;
  }
}
