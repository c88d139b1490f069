// An embed page and the page around it. What is said goes to the parent; what
// is heard is believed only from the parent, checked for its shape, and never
// shown. Origins are no help: they are "null" from file:// and in sandboxes.

import { watchHeight } from './resize.js';
import { Splice } from './splice.js';

const SETTLE = 300; // ms without a change

/** Starts the conversation. engine is what the host may pause. */
export function talkToHost(engine) {
  const { parent, top } = window;
  if (parent === window) return { onBet() {}, onTouch() {}, resume() {} };
  const post = (msg) => parent.postMessage(msg, '*');
  const splice = new Splice(post);
  const h5p = h5pResizer(post);

  let settling = 0;
  let first = true;
  watchHeight((height) => {
    const msg = { subject: 'lti.frameResize', height };
    post(msg);
    if (first && top !== parent) top.postMessage(msg, '*'); // some LMS players do not pass it on
    first = false;
    h5p.resize();
  });

  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    if (data === 'slide:stop' || data === 'slide:start') {
      engine.pause(data === 'slide:stop');
      window.openloopSlide = data;
      return dispatchEvent(new Event('openloop-slide')); // for what is playing
    }
    if (!data || typeof data !== 'object') return;
    if (data.context === 'h5p') h5p.receive(data);
    else splice.receive(data);
  });

  return {
    /** Reports a bet, or an answer of knobs, and where it was made: a link that says which engine marked it. */
    onBet(demo, { option, score, link }) {
      splice.report(demo.demo, score, option === undefined ? { link } : { link, option });
    },
    /** Says which state a reader has brought the demo to, when it has settled. */
    onTouch(demo) {
      clearTimeout(settling);
      settling = setTimeout(() => splice.event(demo.demo, 'state', { link: demo.flow.state }), SETTLE);
    },
    /** Goes on where the host says that this reader was, unless the reader or the address got ahead. */
    async resume(demo) {
      if (demo.linked() !== null) return;
      const link = await splice.getState(demo.demo);
      const { flow } = demo;
      if (link !== null && !flow.opened && !flow.queue.length) demo.arrive(link, false);
    },
  };
}

/** The child's half of h5p-resizer's handshake: hello, prepareResize, resize. */
function h5pResizer(post) {
  let met = false;
  const say = (action, fields) => post({ context: 'h5p', action, ...fields });
  const height = () => Math.ceil(document.documentElement.getBoundingClientRect().height);
  const resize = () => {
    if (met) say('prepareResize', { scrollHeight: height(), clientHeight: window.innerHeight });
  };
  say('hello');
  return {
    resize,
    receive({ action }) {
      if (action === 'hello') {
        met = true;
        resize();
      } else if (action === 'resizePrepared') {
        say('resize', { scrollHeight: height() });
      }
    },
  };
}
