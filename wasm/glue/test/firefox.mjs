// Firefox visits demos and reports what it saw, as JSON on standard output.
//
// Driven by wasm/browser/firefox_test.go, which serves the site, computes what
// is right and compares. Standard input holds {firefox, visits: [{name, url,
// frame, root, first, box, value, say, slots}]}: url is opened at the top, frame
// is a piece of the address of the iframe to look into ('' for the page itself),
// root the selector of the demo, first the sentence of the state that the link
// opens ('' if nothing is to run before it is used), box the control that gets
// value, say the sentence that ends the wait, slots the elements whose HTML is
// reported; room says that the engine room is opened too. Reported are the file
// that the CSV button saves and the link that the button for it gives, too. A visit
// with still {by, link} is of a small figure: a key moves it to the state of link,
// then its mark is dragged by so many pixels.
//
// node wasm/glue/test/firefox.mjs < visits.json

import puppeteer from 'puppeteer-core';

const PATIENCE = 60000; // ms until a wait fails; nothing depends on its length

// A process for each address, and one that waits for the next, cost more than what
// is done in them: one process has all addresses, as in a Firefox with little memory.
const FEW = {
  'fission.autostart': false,
  'dom.ipc.processCount': 1,
  'dom.ipc.processPrelaunch.enabled': false,
  'dom.ipc.keepProcessesAlive.web': 1,
};

async function input() {
  let text = '';
  for await (const piece of process.stdin) text += piece;
  return JSON.parse(text);
}

/** Everything on the console that is an error, and every uncaught exception. */
function listen(page) {
  const faults = [];
  page.on('console', (m) => { if (m.type() === 'error') faults.push(`console: ${m.text()}`); });
  page.on('pageerror', (e) => faults.push(`exception: ${e.message}`));
  return faults;
}

/** The addresses that a page asks for; data: and blob: ask nobody. */
function follow(page) {
  const asked = [];
  page.on('request', (r) => { if (!/^(data|blob|about):/.test(r.url())) asked.push(r.url()); });
  return asked;
}

async function inside(page, piece) {
  if (!piece) return page.mainFrame();
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    const frame = page.frames().find((f) => f !== page.mainFrame() && f.url().includes(piece));
    if (frame) return frame;
    await new Promise((done) => { setTimeout(done, 20); });
  }
  throw new Error(`no frame with ${piece}`);
}

async function visit(browser, v) {
  if (v.still) return move(browser, v);
  const page = await browser.newPage();
  const faults = listen(page);
  const asked = follow(page);
  try {
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(v.url, { waitUntil: 'load' });
    const frame = await inside(page, v.frame);
    await frame.waitForFunction(() => document.readyState === 'complete' && document.querySelector('ol-demo'), { timeout: PATIENCE, polling: 30 });
    await frame.evaluate(() => document.querySelector('ol-demo').dispatchEvent(new Event('pointerover', { bubbles: true })));
    await frame.waitForFunction(() => customElements.get('ol-demo'), { timeout: PATIENCE, polling: 30 });
    const early = [...asked];

    const says = (root, want) => document.querySelector(`${root} [data-say]`).textContent === want;
    const settles = (say) => frame.waitForFunction(says, { timeout: PATIENCE, polling: 30 }, v.root, say).then(() => true, () => false);
    const began = !v.first || await settles(v.first);
    await give(page, frame, v.box, v.value);
    const settled = await settles(v.say);

    const look = () => frame.evaluate((root, slots) => ({
      say: document.querySelector(`${root} [data-say]`).textContent,
      notices: document.querySelector(`${root} [data-notices]`).textContent.trim(),
      slots: slots.map((s) => {
        const markup = (e) => e.innerHTML.replace(/<!--.*?-->/gs, '').trim(); // lit leaves comments
        const want = document.createElement('template');
        want.innerHTML = s.html;
        const e = document.querySelector(`${root} ${s.selector}`);
        return { selector: s.selector, same: !!e && markup(e) === markup(want), got: e ? markup(e) : '' };
      }),
    }), v.root, v.slots || []);
    let seen = await look();
    for (const end = Date.now() + PATIENCE; settled && Date.now() < end && seen.slots.some((x) => !x.same);) { // figures come after the sentence, a task each
      await new Promise((done) => { setTimeout(done, 50); });
      seen = await look();
    }
    const results = settled ? { csv: await csv(frame, v.root), link: await link(frame, v.root) } : {};
    const room = v.room ? await enter(page, frame, v.root) : undefined;
    return { name: v.name, began, settled, early, asked, room, ...seen, ...results, faults };
  } catch (err) {
    return { name: v.name, error: String(err.stack || err), faults, asked };
  } finally {
    await page.close();
  }
}

/** Moves a small figure: by an arrow key on its slider, then by its mark, dragged with the mouse for as many pixels as still.by. */
async function move(browser, v) {
  const page = await browser.newPage();
  const faults = listen(page);
  const asked = follow(page);
  try {
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(v.url, { waitUntil: 'load' });
    const text = (s) => page.evaluate((at) => document.querySelector(at).textContent, `${v.root} ${s}`);
    const says = (want) => page.waitForFunction((s, w) => document.querySelector(s).textContent === w, { timeout: PATIENCE, polling: 30 }, `${v.root} [data-say]`, want);
    await page.waitForFunction(() => customElements.get('ol-demo') || document.querySelector('[data-still] [data-slider]'), { timeout: PATIENCE, polling: 30 });
    await page.focus(`${v.root} [data-slider]`);
    await page.keyboard.press('ArrowRight');
    await says(v.say);
    await page.waitForFunction((s, end) => document.querySelector(s).href.endsWith(end), { timeout: PATIENCE, polling: 30 }, `${v.root} .still-open a`, v.still.link); // words may stay when their number does
    const link = await page.$eval(`${v.root} .still-open a`, (a) => a.href);
    const mark = await page.waitForSelector(`${v.root} .mark-handle`, { visible: true, timeout: PATIENCE });
    await mark.evaluate((e) => e.scrollIntoView({ block: 'center' }));
    const at = await mark.boundingBox();
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + v.still.by, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((s, was) => document.querySelector(s).href !== was, { timeout: PATIENCE, polling: 30 }, `${v.root} .still-open a`, link);
    await new Promise((done) => { setTimeout(done, 500); }); // the words come after the link, and a drag ends where the mouse does
    return { name: v.name, began: true, settled: true, early: [], asked, link, dragged: { say: await text('[data-say]'), link: await page.$eval(`${v.root} .still-open a`, (a) => a.href) }, faults };
  } catch (err) {
    return { name: v.name, error: String(err.stack || err), faults, asked };
  } finally {
    await page.close();
  }
}

/** Gives a control a value as a reader does: typed with Enter, picked, or switched. */
async function give(page, frame, selector, value) {
  const box = await frame.waitForSelector(selector, { timeout: PATIENCE });
  const kind = await frame.evaluate((e) => {
    for (let d = e.closest('details'); d; d = d.parentElement.closest('details')) d.open = true;
    return e.type;
  }, box);
  if (kind === 'checkbox') return frame.evaluate((e) => e.click(), box);
  if (kind === 'select-one') return frame.select(selector, value);
  await box.focus();
  await frame.evaluate((e) => e.select(), box);
  await page.keyboard.type(value);
  return page.keyboard.press('Enter');
}

/** The link to what is shown, from the text box that the button brings. */
async function link(frame, root) {
  const button = await frame.$(`${root} [data-action=link]`);
  if (!button) return '';
  await frame.evaluate((e) => e.click(), button);
  const given = (r) => document.querySelector(`${r} [data-out] textarea`)?.value;
  await frame.waitForFunction(given, { timeout: PATIENCE, polling: 30 }, root);
  return frame.evaluate(given, root);
}

/** Opens the engine room: how often its picture was drawn, and its words. */
async function enter(page, frame, root) {
  await frame.evaluate((s) => document.querySelector(s).click(), `${root} [data-action=room]`);
  const scene = await inside(page, 'scene.html');
  const text = (name) => frame.evaluate((s) => document.querySelector(s).textContent, `${root} [data-room-${name}]`);
  await frame.waitForFunction((s) => document.querySelector(s).textContent, { timeout: PATIENCE, polling: 30 }, `${root} [data-room-says]`);
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    const frames = await scene.evaluate(() => (window.openloopScene ? window.openloopScene.frames : 0)).catch(() => 0);
    const state = await text('state');
    if (frames > 0 || state.startsWith('The picture cannot')) return { frames, state, says: await text('says') };
    await new Promise((done) => { setTimeout(done, 50); });
  }
  return { frames: 0, state: await text('state'), says: await text('says') };
}

/** The file that the CSV button saves: read from the Blob that is made for it. */
async function csv(frame, root) {
  await frame.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      if (blob.type.startsWith('text/csv')) blob.text().then((text) => { window.savedFile = text; });
      return make.call(URL, blob);
    };
  });
  await frame.evaluate((s) => document.querySelector(s).click(), `${root} [data-action=csv]`);
  await frame.waitForFunction(() => window.savedFile !== undefined, { timeout: PATIENCE, polling: 30 });
  return frame.evaluate(() => window.savedFile);
}

const { firefox, visits } = await input();
const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox, headless: true, extraPrefsFirefox: FEW });
try {
  const results = [];
  for (const v of visits) results.push(await visit(browser, v));
  console.log(JSON.stringify({ version: await browser.version(), results }));
} finally {
  await browser.close();
}
