// The seed: a box between two buttons. A seed is a whole number from 1 to 2^32-1;
// the engine says so itself when the box holds anything else.

import { get } from './hash.js';
import { LOCKED, setLocked } from './knobs.js';

const LAST = 4294967295;

export class Seed {
  /**
   * @param root ol-demo
   * @param link the state that the demo starts from
   * @param set  (text) => Promise, resolved when the run of that seed is shown
   * @param next (button, shown) => void, after a press on a button for the next case
   */
  constructor(root, link, set, next) {
    this.box = root.querySelector('[data-seed]');
    if (!this.box) return;
    Object.assign(this, { set, next });
    this.group = this.box.closest('.seed') || this.box.parentNode;
    this.id = `${root.id}-seed-lock`;
    this.value = Number(get(link, 'seed')) || 7;
    this.written = this.box.value;
    const all = (sel, by) => [...root.querySelectorAll(sel)].map((button) => ({ button, by }));
    this.steps = [...all('[data-seed-prev]', -1), ...all('[data-seed-next]', 1)];
    for (const { button, by } of this.steps) button.addEventListener('click', () => this.step(button, by));
    this.box.addEventListener('change', () => this.commit());
    this.box.addEventListener('keydown', (e) => {
      if (e.key === 'Enter') {
        e.preventDefault();
        this.commit();
      } else if (e.key === 'Escape') {
        this.write();
      }
    });
  }

  /** Counts from the last seed asked for, so that quick presses are not lost while the engine answers. */
  step(button, by) {
    if (button.getAttribute('aria-disabled') === 'true') return;
    const to = this.value + by;
    if (to < 1 || to > LAST) return;
    this.value = to;
    const shown = this.set(String(to));
    if (button.closest('.knob-next')) this.next(button, shown);
  }

  commit() {
    const text = this.box.value.trim();
    if (this.box.readOnly || text === this.asked) return;
    if (text === String(this.value)) return this.write();
    this.asked = text;
    this.set(text);
  }

  write() {
    this.written = this.box.value = String(this.value);
    this.problem('');
  }

  show(head, changed) {
    if (!this.box) return;
    this.value = head.seed;
    const idle = document.activeElement !== this.box;
    const text = this.box.value.trim();
    const typing = !idle && text !== this.written && text !== this.asked; // neither written here nor committed
    if (!typing && (changed === 'all' || changed === 'seed' || (idle && !this.box.hasAttribute('aria-invalid')))) this.write();
    const locked = head.lock.includes('seed') || head.lock.includes('all');
    this.lock(locked);
    for (const { button, by } of this.steps) {
      const end = by < 0 ? head.seed <= 1 : head.seed >= LAST;
      if (!locked) button.setAttribute('aria-disabled', String(end));
    }
  }

  lock(locked) {
    let reason = this.group.querySelector('.knob-lock');
    if (locked && !reason) {
      reason = Object.assign(document.createElement('span'), { id: this.id, className: 'knob-lock', textContent: LOCKED });
      this.group.append(reason);
    } else if (!locked && reason) {
      reason.remove();
    }
    for (const c of [this.box, ...this.steps.map((s) => s.button)]) setLocked(c, locked, this.id);
  }

  /** Puts the engine's words beside the seed; '' takes them away. */
  problem(text) {
    if (!this.box) return false;
    this.asked = text ? this.asked ?? this.box.value.trim() : undefined; // by now the box may hold newer text
    let line = this.group.querySelector('.knob-problem');
    if (text && !line) {
      line = Object.assign(document.createElement('span'), { className: 'knob-problem' });
      line.setAttribute('role', 'alert');
      this.group.append(line);
    }
    if (line) {
      line.textContent = text;
      line.hidden = !text;
    }
    if (text) this.box.setAttribute('aria-invalid', 'true');
    else this.box.removeAttribute('aria-invalid');
    return true;
  }
}
