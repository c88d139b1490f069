// Undo and redo over canonical states. States are short strings, so the whole
// past of a visit fits; LIMIT only bounds a page that is left open for days.
//
// A drag of one slider is one step: pushes that carry the same tag replace each
// other until settle() ends the gesture.

const LIMIT = 500;

export class History {
  constructor() {
    this.list = [];
    this.at = -1;
    this.gesture = null; // {tag, base}: base is the index of the state before it
  }

  get current() { return this.list[this.at]; }
  get canUndo() { return this.at > 0; }
  get canRedo() { return this.at < this.list.length - 1; }

  push(state, tag = null) {
    if (this.gesture && this.gesture.tag === tag) {
      this.at = this.gesture.base;
      this.list.length = this.at + 1;
    } else {
      this.gesture = tag !== null && this.at >= 0 ? { tag, base: this.at } : null;
    }
    if (state === this.current) return;
    this.list.length = this.at + 1;
    this.list.push(state);
    if (this.list.length > LIMIT) {
      this.list.shift();
      this.gesture = null;
    }
    this.at = this.list.length - 1;
  }

  /** Puts another state in the place of the current one: the same settings at another time. */
  replace(state) {
    if (this.at >= 0) this.list[this.at] = state;
  }

  settle() { this.gesture = null; }

  /** Forgets the current state and all after it, unless it is the only one. */
  drop() {
    this.gesture = null;
    if (this.at < 1) return;
    this.list.length = this.at;
    this.at--;
  }

  undo() { return this.move(-1); }
  redo() { return this.move(1); }

  /** The state one step away, which is then current; undefined at the end. */
  move(by) {
    this.gesture = null;
    if (this.list[this.at + by] === undefined) return undefined;
    this.at += by;
    return this.current;
  }
}
