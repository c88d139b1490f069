// Search: which parts of the guide answer a few words, best first. Everything
// about ranking is here, and nothing else; the tests ask the index of the built
// site with it.
//
// A word counts where it stands (in the heading of a part, in the title of its
// page, in the text), less the more parts have it, and less if only its beginning
// or something like it is there. A part that has all words comes before one
// that has some, and a heading that is the query before all.

const HEADING = 5; // weight of a word in the heading of a part
const TITLE = 1.5; // in the title of its page
const SATURATE = 1.2; // occurrences in a text after which more hardly count
const AVERAGE = 90; // words of a text that is neither short nor long
const PART = { exact: 1, prefix: 0.7, stem: 0.55, kin: 0.4, near: 0.3 };
const BREATH = 40; // parts that are indexed in one go
const DATA = 0.6; // of a part on a page about data, beside one that explains
const MEANT = { // what somebody says who does not know the word of the guide
  oom: 'preemption', 'out of memory': 'preemption', 'memory full': 'KV cache preemption', 'slow first token': 'time to first token',
  'first token slow': 'time to first token', 'cost per million token': 'planner bill million output token', 'price per million token': 'planner bill million output token',
  'cost per token': 'planner bill million output token', iteration: 'step', 'forward pass': 'step', parameter: 'weights', slo: 'SLO promise', sla: 'SLO promise', percentile: 'p99',
  qps: 'requests rate load', rps: 'requests rate load', 'tokens per second': 'throughput', 'tail latency': 'p99', timeout: 'retry', crash: 'replica failure', 'gpu count': 'how many gpus', 'number of gpus': 'how many gpus',
};
const PER_PAGE = 3; // results of one page
const SMALL = new Set('a an and are as at be by can do does for from has have how i if in into is it its me my not of on or so that the their there this to what when where which why will with you your'.split(' '));

/** The words of a text as they are compared: lower case, no accents, no plural s. */
export function words(text) {
  const plain = /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  return (plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []).map(singular);
}

function singular(w) {
  if (w.length > 4 && w.endsWith('ies')) return `${w.slice(0, -3)}y`;
  return w.length > 3 && w.endsWith('s') && !/(ss|us|is|os)$/.test(w) ? w.slice(0, -1) : w;
}

/**
 * Makes an index, and stops for breath after every few parts: a page must not
 * stand still for long while it is made. The last step's value is the index.
 * @param data {pages: [[path, title, shelf]], parts: [[page, id, kind, heading, text]]}
 */
export function* indexing(data) {
  const post = new Map(); // word -> Map(part -> weight before rarity)
  const add = (w, part, weight) => {
    if (!post.has(w)) post.set(w, new Map());
    const at = post.get(w);
    at.set(part, (at.get(part) || 0) + weight);
  };
  const said = []; // heading and text of each part as they are compared
  const titles = data.pages.map(([, title]) => new Set(words(title)));
  for (const [part, [page, , , heading, text]] of data.parts.entries()) {
    if (part % BREATH === BREATH - 1) yield null;
    const body = words(text);
    const slack = SATURATE * (0.4 + 0.6 * body.length / AVERAGE);
    const count = new Map();
    for (const w of body) count.set(w, (count.get(w) || 0) + 1);
    for (const [w, n] of count) add(w, part, n / (n + slack));
    const own = words(heading);
    for (const w of new Set(own)) add(w, part, HEADING / (1 + 0.15 * own.length));
    for (const w of titles[page]) add(w, part, TITLE);
    said.push([` ${own.join(' ')} `, ` ${body.join(' ')} `]);
  }
  yield { data, post, said, vocabulary: [...post.keys()].sort() };
}

/** The whole index at once. */
export function index(data) {
  let last = null;
  for (last of indexing(data));
  return last;
}

/** Words of the index that a word of the query may mean, [word, share]. */
function meant({ post, vocabulary }, w) {
  const out = post.has(w) ? [[w, PART.exact]] : [];
  let i = lower(vocabulary, w);
  for (; i < vocabulary.length && vocabulary[i].startsWith(w); i++) {
    const v = vocabulary[i];
    if (v !== w && w.length > 1) out.push([v, PART.prefix * Math.sqrt(w.length / v.length)]);
  }
  out.push(...kin({ post, vocabulary }, w));
  if (!out.length && w.length > 3) {
    const most = w.length > 7 ? 2 : 1;
    for (const v of vocabulary) if (v[0] === w[0] && apart(v, w, most)) out.push([v, PART.near]);
  }
  return out;
}

/** Words with another ending: batch for batching, speculative for speculation. */
function kin({ post, vocabulary }, w) {
  const out = [];
  for (let n = w.length - 1; n >= Math.max(4, w.length - 3); n--) {
    if (post.has(w.slice(0, n))) out.push([w.slice(0, n), PART.stem]);
  }
  if (w.length < 7) return out;
  const root = w.slice(0, Math.ceil(w.length * 0.6));
  for (let i = lower(vocabulary, root); i < vocabulary.length && vocabulary[i].startsWith(root); i++) {
    const v = vocabulary[i];
    if (v.length <= root.length + 5 && !v.startsWith(w) && !w.startsWith(v)) out.push([v, PART.kin]);
  }
  return out;
}

function lower(list, w) {
  let [lo, hi] = [0, list.length];
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (list[mid] < w) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/** Whether two words differ by at most so many letters: one more, one less, another or two swapped. */
function apart(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return false;
  let [before, last] = [[], [...Array(b.length + 1).keys()]];
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      now[j] = Math.min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) now[j] = Math.min(now[j], before[j - 2] + 1);
    }
    if (Math.min(...now) > most) return false;
    [before, last] = [last, now];
  }
  return last[b.length] <= most;
}

/** A query with the guide's own words in the place of others. */
function said(query) {
  let out = ` ${words(query).join(' ')} `;
  for (const [other, own] of Object.entries(MEANT)) out = out.replace(` ${words(other).join(' ')} `, ` ${own} `);
  return out;
}

/** The parts that answer a query, best first: [{part, score, words}]; words are those of the index that were found. */
export function rank(ix, query, most = 12) {
  const all = [...new Set(words(said(query)))].slice(0, 12);
  const asked = all.filter((w) => !SMALL.has(w));
  const terms = asked.length ? asked : all;
  if (!terms.length) return [];
  const total = ix.data.parts.length;
  const score = new Map(); // part -> {sum, hit}
  const found = new Set();
  for (const term of terms) {
    const best = new Map();
    for (const [w, share] of meant(ix, term)) {
      found.add(w);
      const at = ix.post.get(w);
      const rare = Math.log(1 + total / at.size);
      for (const [part, weight] of at) best.set(part, Math.max(best.get(part) || 0, weight * share * rare));
    }
    for (const [part, s] of best) {
      const was = score.get(part) || { sum: 0, hit: 0 };
      score.set(part, { sum: was.sum + s, hit: was.hit + 1 });
    }
  }
  const phrase = ` ${all.join(' ')} `;
  const list = [...score].map(([part, { sum, hit }]) => {
    const [heading, text] = ix.said[part];
    let s = sum * (hit / terms.length) ** 2 * (ix.data.pages[ix.data.parts[part][0]][2] === 'Data' ? DATA : 1);
    if (heading === phrase) s *= 3;
    else if (all.length > 1 && heading.includes(phrase)) s *= 1.6;
    else if (all.length > 1 && text.includes(phrase)) s *= 1.3;
    return { part, score: s, words: found };
  });
  list.sort((a, b) => b.score - a.score || a.part - b.part);
  const seen = new Map();
  return list.filter(({ part }) => {
    const page = ix.data.parts[part][0];
    seen.set(page, (seen.get(page) || 0) + 1);
    return seen.get(page) <= PER_PAGE;
  }).slice(0, most);
}

/** Text around the first word that was found, in pieces [text, whether it was]. */
export function excerpt(text, found, length = 150) {
  const pieces = text.split(/([\p{L}\p{N}]+)/u);
  const hit = (p, i) => i % 2 === 1 && found.has(words(p)[0]);
  const first = Math.max(0, pieces.findIndex(hit));
  let [from, size] = [first, 0];
  while (from > 0 && size < length / 3) size += pieces[--from].length;
  let to = from;
  for (size = 0; to < pieces.length && size < length; to++) size += pieces[to].length;
  const out = pieces.slice(from, to).map((p, i) => [p, hit(p, from + i)]);
  if (from > 0) out.unshift(['… ', false]);
  if (to < pieces.length) out.push([' …', false]);
  return out.filter(([p]) => p);
}
