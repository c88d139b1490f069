// Entry of assets/demo.js, on every page that has demos: reads the page's data,
// makes the one engine client, defines <ol-demo>.

import { Client } from './client.js';
import { loadScript } from './load.js';
import { demoElement } from './element.js';
import { talkToHost } from './host.js';
import { named } from './hash.js';

const page = JSON.parse(document.getElementById('ol-page').textContent);
const embedded = document.body.hasAttribute('data-embed');

/** A Blob worker from core.js: the one kind that also starts from file:// and in a sandbox. */
async function spawn() {
  const core = await loadScript(page.assets + page.core, 'openloopCore');
  const url = URL.createObjectURL(new Blob([core.worker], { type: 'text/javascript' }));
  const worker = new Worker(url);
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  return { worker, wasm: core.wasm };
}

const client = new Client(spawn);
const host = embedded ? talkToHost(client) : null;

customElements.define('ol-demo', demoElement({ page, client, embedded, onBet: host ? host.onBet : undefined }));

const demos = [...document.querySelectorAll('ol-demo')];
if (host && demos.length) host.resume(demos[0]);

const wanted = named(location.hash);
if (wanted && demos.length && !demos.some((d) => d.dataset.demo === wanted)) {
  demos[0].notify({ text: `This link is for a demo called “${wanted.slice(0, 40)}”, which is not on this page.` });
}
