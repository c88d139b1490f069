// Lighthouse looks at pages as a phone would and reports its scores, as JSON on
// standard output.
//
// Driven by wasm/browser/lighthouse_test.go, which serves the site. Standard
// input holds {chromium, categories, pages: [{url, skip}]}, where skip names
// audits that a page is not held to; each answer is {url, version, scores:
// {category: 0..100}, failed: [words about an audit that cost points]}, or
// {url, error}.
//
// node wasm/glue/lighthouse/audit.mjs < pages.json

import lighthouse from 'lighthouse';
import { launch } from 'chrome-launcher';

/** Everything that costs a category points. */
function failures(lhr) {
  const where = (item) => item.node?.snippet || item.description || item.url || '';
  return Object.values(lhr.categories).flatMap((c) => c.auditRefs.filter((r) => r.weight > 0).map((r) => lhr.audits[r.id])
    .filter((a) => a.score !== null && a.score < 1)
    .map((a) => [`${c.id}: ${a.id} (${a.title})`, ...(a.details?.items || []).slice(0, 5).map(where)].join('\n  ')));
}

/** One look at a page, by a browser of its own. */
async function look({ url, skip }, chromium, categories) {
  const browser = await launch({ chromePath: chromium, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'], logLevel: 'silent' });
  try {
    const { lhr } = await lighthouse(url, { port: browser.port, onlyCategories: categories, skipAudits: skip, disableFullPageScreenshot: true, logLevel: 'error' });
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    const scores = Object.fromEntries(Object.values(lhr.categories).map((c) => [c.id, Math.round(c.score * 100)]));
    return { url, version: lhr.lighthouseVersion, scores, failed: failures(lhr) };
  } catch (err) {
    return { url, error: String(err.stack || err) };
  } finally {
    browser.kill();
  }
}

/**
 * Looks until there are scores: Lighthouse gives up when a message to the
 * browser takes a minute, which says how busy the machine is and nothing of the
 * page. A page that gives no scores three times has an error.
 */
async function audit(page, chromium, categories) {
  let result;
  for (let tries = 0; tries < 3 && (!result || result.error); tries++) result = await look(page, chromium, categories);
  return result;
}

async function input() {
  let text = '';
  for await (const piece of process.stdin) text += piece;
  return JSON.parse(text);
}

const { chromium, categories, pages } = await input();
const results = [];
for (const page of pages) results.push(await audit(page, chromium, categories));
console.log(JSON.stringify({ results }));
