// Entry of assets/demo.js: reads the page's data, makes an engine client for each
// module that its demos need, defines <ol-demo>. An embed page loads it at once,
// a page that is read when somebody reaches for a demo (wake.js).

import { clients } from './client.js';
import { loadScript } from './load.js';
import { demoElement } from './element.js';
import { talkToHost } from './host.js';
import { named } from './hash.js';
import { outward } from './outward.js';
import { shows } from './shows.js';
import { Still } from './still.js';

const page = JSON.parse(document.getElementById('ol-page').textContent);
const embedded = document.body.hasAttribute('data-embed');
if (page.top !== undefined) outward(document.body, page.top); // one file, without a site around it

/** A Blob worker from a module's script: the one kind that also starts from file:// and in a sandbox. */
async function spawn(module) {
  const { worker: source, wasm, edition } = await loadScript(`${page.assets}modules/${module}.js`, `openloop/${module}`);
  if (edition !== page.editions[module]) throw new Error(`${module}.js is of another edition than this page, which an old copy in the browser's cache can be: reload the page`);
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(url);
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  return { worker, wasm };
}

const engine = clients(spawn);
const host = embedded ? talkToHost(engine) : null;

customElements.define('ol-demo', demoElement({ page, engine, embedded, onBet: host ? host.onBet : undefined, onTouch: host ? host.onTouch : undefined }));

for (const el of document.querySelectorAll('[data-still]')) new Still(el, page, engine);

addEventListener('click', shows);

const demos = [...document.querySelectorAll('ol-demo')];
if (host && demos.length) host.resume(demos[0]);

const wanted = named(location.hash);
if (wanted && demos.length && !demos.some((d) => d.dataset.demo === wanted)) {
  demos[0].notify({ text: `This link is for a demo called “${wanted.slice(0, 40)}”, which is not on this page.` });
}

window['openloop/demos'] = demos;
