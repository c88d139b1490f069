// Score and state without a server, in the shape of the SPLICE protocol: three
// kinds of message to the page around, any of which may get no answer.

import { MAX_LINK } from './hash.js';

const ANSWER = 15000; // ms after which no answer will come

export class Splice {
  /**
   * @param post  (message) => void, to the page around
   * @param later setTimeout or a stand-in
   */
  constructor(post, later = (fn, ms) => setTimeout(fn, ms)) {
    this.post = post;
    this.later = later;
    this.prefix = Math.random().toString(36).slice(2, 10);
    this.count = 0;
    this.waiting = new Map();
  }

  send(subject, fields) {
    const message_id = `openloop-${this.prefix}-${++this.count}`;
    this.post({ subject, message_id, ...fields });
    return message_id;
  }

  /** score is in [0,1]. */
  report(activity_id, score, state) {
    this.send('SPLICE.reportScoreAndState', { activity_id, score, state });
  }

  /** Something that happened, for hosts that want to know. */
  event(activity_id, name, data) {
    this.send('SPLICE.sendEvent', { activity_id, name, data });
  }

  /** Resolves with the link of a state that was reported earlier, or null. */
  getState(activity_id) {
    return new Promise((resolve) => {
      const id = this.send('SPLICE.getState', { activity_id });
      this.waiting.set(id, resolve);
      this.later(() => this.settle(id, null), ANSWER);
    });
  }

  settle(id, link) {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    if (resolve) resolve(link);
  }

  /** Takes a message from the page around; anything of another shape is left alone. */
  receive(data) {
    if (!data || typeof data !== 'object' || data.subject !== 'SPLICE.getState.response') return;
    if (typeof data.message_id !== 'string' || !this.waiting.has(data.message_id)) return;
    const link = !data.error && data.state && typeof data.state === 'object' ? data.state.link : null;
    this.settle(data.message_id, typeof link === 'string' && link && link.length <= MAX_LINK ? link : null);
  }
}
