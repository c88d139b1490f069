// Entry of assets/builder.js: the tool that makes links for a course. The
// choices and a live preview both say what students see: a change of a choice
// goes to the preview, a change in the preview comes back as its settings.

import { compose, folder, isSeed, pastes, settings } from './compose.js';
import { get } from './hash.js';
import { qr } from './qr.js';
import { copy, download } from './share.js';

const MOST = 20000; // px, larger heights are not believed

const { top, demos } = JSON.parse(document.getElementById('ol-builder').textContent);
const root = document.querySelector('[data-builder]');
const at = (name) => root.querySelector(`[data-b=${name}]`);
const here = folder(new URL(top || '.', location.href).href);

let demo; // of demos, with its id
let link = ''; // settings that the preview has
let seed = ''; // the last that can be used
let reached = false;
let shown = ''; // address that the preview was last sent to
let height = 640;

function el(tag, props, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

const checked = (name) => [...at(name).querySelectorAll('input:checked')].map((box) => box.value);

function boxes(name, list) {
  at(name).replaceChildren(at(name).querySelector('legend'), ...list.map(([value, label]) => (
    el('label', {}, el('input', { type: 'checkbox', value, autocomplete: 'off' }), el('span', {}, label)))));
}

/** Another demo: its presets, what it can lock and hide, its settings. */
function choose(id) {
  demo = { id, ...demos[id] };
  at('preset').replaceChildren(el('option', { value: demo.start }, 'as the demo opens'), ...demo.presets.map(([name, state]) => el('option', { value: state }, name)));
  at('chance').hidden = !demo.chance;
  const lockable = [...(demo.chance ? [['seed', 'Seed']] : []), ...demo.knobs];
  boxes('lock', lockable.length > 1 ? [['all', 'Everything'], ...lockable] : lockable);
  boxes('hide', demo.hide);
  begin(demo.start);
}

/** Settings to begin with. */
function begin(state) {
  link = settings(state);
  seed = get(link, 'seed');
  at('seed').value = seed;
  update(true);
}

/** What is chosen, as a link; a seed that cannot be used leaves the one before. */
function chosen() {
  const typed = at('seed').value.trim();
  if (isSeed(typed)) seed = typed;
  at('seed').setAttribute('aria-invalid', String(demo.chance && !isSeed(typed)));
  const lock = checked('lock');
  return compose(link, {
    seed,
    lock: lock.includes('all') ? ['all'] : lock,
    hide: checked('hide'),
    theme: at('theme').value,
  });
}

function problem() {
  if (demo.chance && !isSeed(at('seed').value.trim())) return `The seed must be a whole number from 1 to 4294967295; the links keep ${seed}.`;
  if (checked('lock').length && demo.hide.some(([part]) => part === 'bet') && !checked('hide').includes('bet')) return 'The answer of the bet shows its own settings, held or not: leave out the bet to hold these.';
  if (at('top').value.trim() && !folder(at('top').value.trim())) return 'Where the site is must begin with https:// or http://.';
  return '';
}

/** Shows what comes of the choices; show says that the preview has to follow. */
function update(show) {
  const state = chosen();
  const site = folder(at('top').value.trim());
  const count = (n) => (n ? `(${n})` : '');
  at('locked').textContent = count(checked('lock').length);
  at('hidden').textContent = count(checked('hide').length);
  const preset = demo.presets.find(([, s]) => settings(s) === link);
  at('preset').value = preset ? preset[1] : settings(demo.start) === link ? demo.start : '';
  at('says').textContent = preset ? preset[2] : at('preset').value ? '' : 'The settings are those of the preview.';
  at('problem').textContent = problem();
  at('preview').title = `Preview: ${demo.title}`;
  if (show) preview(state);
  const list = pastes(site, demo, state, Math.min(1100, Math.max(480, Math.ceil(height / 20) * 20)));
  at('out').replaceChildren(...list.map(([what, text], i) => paste(`b-out-${i}`, what, text)));
  draw(site ? list[0][1] : '');
}

/** Nothing is loaded before a reader reaches for the tool, and no engine for a demo that stands as it opens. */
function preview(state) {
  if (!reached) return;
  const rests = state === settings(demo.start);
  const url = new URL(`${top}${demo.embed}${rests ? '' : `#${state}`}`, location.href).href;
  if (url !== shown) at('preview').contentWindow.location.replace(url);
  shown = url;
}

function paste(id, what, text) {
  const button = el('button', { type: 'button', className: 'button' }, 'Copy');
  button.setAttribute('aria-label', `Copy: ${what}`);
  const area = el('textarea', { id, readOnly: true, rows: text.includes('\n') ? 5 : 3, value: text, spellcheck: false });
  button.addEventListener('click', async () => {
    button.textContent = (await copy(text)) ? 'Copied' : 'Select and copy';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  return el('div', { className: 'builder-out' }, el('div', {}, el('label', { htmlFor: id }, what), button), area);
}

/** The QR code of a link, as SVG; without an address on the web there is nothing to scan. */
function draw(text) {
  at('svg').hidden = true;
  if (!text) return at('qr').replaceChildren(el('p', {}, 'Say where the site is, and there is a QR code of the link too.'));
  let code;
  try {
    code = qr(text);
  } catch {
    return at('qr').replaceChildren(el('p', {}, 'The link is too long for a QR code.'));
  }
  const { size, path } = code;
  const box = el('div', {});
  box.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR code of the link to the demo alone"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path d="${path}"/></svg>`;
  at('qr').replaceChildren(box.firstChild);
  at('svg').hidden = false;
}

root.querySelector('form').addEventListener('submit', (e) => e.preventDefault());
at('demo').addEventListener('change', () => choose(at('demo').value));
at('preset').addEventListener('change', () => begin(at('preset').value));
for (const name of ['seed', 'theme', 'lock', 'hide']) at(name).addEventListener('change', () => update(true));
at('top').addEventListener('input', () => update(false));
at('svg').addEventListener('click', () => download(`openloop-${demo.id}-qr.svg`, 'image/svg+xml', at('qr').innerHTML));
addEventListener('message', ({ source, data }) => {
  if (source !== at('preview').contentWindow || !data || typeof data !== 'object') return;
  if (data.subject === 'lti.frameResize' && data.height > 0 && data.height <= MOST) {
    height = Math.ceil(data.height);
    at('preview').height = String(height);
  }
  if (data.subject === 'SPLICE.sendEvent' && data.name === 'state' && data.activity_id === demo.id && data.data && typeof data.data.link === 'string') {
    link = settings(data.data.link);
    seed = get(link, 'seed');
    at('seed').value = seed;
    update(false);
  }
});

for (const type of ['pointerover', 'focusin', 'change']) { // a choice can be made by voice, without pointer or focus
  root.addEventListener(type, () => {
    if (reached) return;
    reached = true;
    at('waits').hidden = true;
    at('preview').hidden = false;
    preview(chosen());
  });
}

at('top').value = here;
const wanted = get(location.hash, 'demo');
if (Object.hasOwn(demos, wanted)) at('demo').value = wanted;
choose(at('demo').value);
