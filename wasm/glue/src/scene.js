// Entry of assets/scene.js, the script of scene.html, in a frame inside a demo:
// starts the picture of the engine room (wasm/scene), gives it what the demo sends,
// writes its words as HTML over it and tells the demo what is clicked. Go's loader
// stands before it in the same file.
//
// Ebitengine takes every key, the wheel and touches for itself. None of them gets
// that far: they are the page's, as they would be over a picture.

/* global Go */
import { loadScript } from './load.js';
import { Pulse } from './pulse.js';
import { bytes, instantiate } from './unpack.js';

const INPUT = [
  'keydown', 'keyup', 'mousedown', 'mouseup', 'mousemove', 'wheel', 'touchstart', 'touchend', 'touchmove', 'contextmenu', 'dragover', 'drop',
];
const host = window.parent;
const tell = (openloop, more) => host.postMessage({ openloop, ...more }, '*');
const labels = document.getElementById('labels');

const scene = { moving: true, frames: 0, words, failed };
window.openloopScene = scene;

const pulse = new Pulse(window.requestAnimationFrame.bind(window), () => scene.moving);
window.requestAnimationFrame = (fn) => pulse.ask(fn);

for (const type of INPUT) addEventListener(type, (e) => e.stopImmediatePropagation(), { capture: true, passive: true });
addEventListener('click', (e) => scene.pick && tell('pick', { request: scene.pick(e.clientX, e.clientY) }));
addEventListener('resize', () => pulse.wake());

let drawn = false; // whether anything was, of a room

/** Writes the labels that the picture wants, a line each: x|y|align|class|text. They come with a frame. */
function words(text) {
  if (!drawn && text) {
    drawn = true;
    tell('drawn');
  }
  const lines = text.split('\n').slice(0, -1);
  while (labels.children.length > lines.length) labels.lastChild.remove();
  lines.forEach((line, i) => {
    const [x, y, align, kind, ...rest] = line.split('|');
    const el = labels.children[i] || labels.appendChild(document.createElement('span'));
    el.className = `${kind} ${align}`;
    el.style.transform = `translate(${x}px, ${y}px)`;
    el.firstChild ? (el.firstChild.textContent = rest.join('|')) : el.append(Object.assign(document.createElement('b'), { textContent: rest.join('|') }));
  });
}

let ended = false; // whether the picture has failed

/** The picture cannot be drawn here; the demo says so, its words and tables go on. Only the first reason is one. */
function failed(why) {
  if (ended) return;
  ended = true;
  tell('failed', { text: why instanceof Error ? why.message : String(why) });
}

// Whoever has this page in a frame can send anything, so each order is looked at.
const orders = {
  room: ({ nums }) => nums instanceof Float64Array && scene.room(nums),
  look: ({ colors, still, style }) => {
    if (!(colors instanceof Float64Array)) return;
    scene.look(colors, !!still);
    for (const [name, value] of Object.entries(style || {})) document.documentElement.style.setProperty(name, value);
  },
  mark: ({ request }) => Number.isInteger(request) && scene.mark(request),
  shown: ({ on }) => pulse.show(!!on),
};

document.getElementById('alone').hidden = host !== window;
tell('here');

async function start() {
  if (!document.createElement('canvas').getContext('webgl2')) throw new Error('this browser has no WebGL 2');
  const { wasm } = await loadScript('assets/scene-engine.js', 'openloop/scene');
  const go = new Go();
  let status = 0;
  go.exit = (code) => { status = code; };
  const instance = await instantiate(bytes(wasm), go.importObject);
  go.run(instance).then(() => failed(`the picture ended with status ${status}`), failed);
  if (ended || go.exited) return; // before it has begun to draw
  const canvas = document.querySelector('canvas');
  canvas.tabIndex = -1;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'The engine room. The same stands in words and tables below it.');
  addEventListener('message', ({ source, data }) => {
    if (ended || source !== host || !data || !Object.hasOwn(orders, data.openloop)) return;
    orders[data.openloop](data);
    pulse.wake();
  });
  tell('ready');
}

start().catch(failed);
