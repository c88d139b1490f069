// Whoever looks for something finds it: queries, and where one of the first
// three answers has to lead. The index is the built site's, the ranking the page's.

import test from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { excerpt, index, indexing, rank, words } from '../src/rank.js';

const built = new URL('../../../dist/assets/search.js', import.meta.url);

const WANTED = [
  ['ttft', 'glossary.html#time-to-first-token'],
  ['time to first token', 'glossary.html#time-to-first-token'],
  ['kv cache', 'glossary.html#kv-cache'],
  ['open loop', 'glossary.html#open-loop'],
  ['open loop vs closed loop', 'glossary.html#closed-loop'],
  ['coordinated omission', 'glossary.html#coordinated-omission'],
  ['which harness', 'guide/load-generator.html'],
  ["Little's law", 'glossary.html#littles-law'],
  ['littles law', 'guide/load-generator.html'],
  ['warm up', 'guide/measurement.html'],
  ['how long should a run be', 'guide/measurement.html#how-long-did-you-run'],
  ['five things beside a number', 'guide/measurement.html'],
  ['throughput', 'guide/measurement.html'],
  ['real traces', 'guide/measurement.html'],
  ['batch invariance', 'guide/batch-invariance.html'],
  ['why is temperature 0 not deterministic', 'guide/batch-invariance.html'],
  ['nondeterminism', 'guide/batch-invariance.html'],
  ['order of floating point additions', 'guide/batch-invariance.html'],
  ['split k kernel', 'guide/batch-invariance.html'],
  ['ulp', 'glossary.html#ulp'],
  ['bfloat bf16', 'glossary.html#bf16'],
  ['greedy decoder', 'guide/batch-invariance.html#demo-greedy-decoder'],
  ['cascade', 'glossary.html#cascade'],
  ['router threshold', 'guide/spend.html'],
  ['semantic cache', 'glossary.html#semantic-cache'],
  ['cache threshold false hits', 'guide/cache-and-batch.html'],
  ['batch tier discount', 'glossary.html#batch-tier'],
  ['how many gpus', 'guide/planner.html#demo-capacity-planner'],
  ['capacity planner', 'guide/planner.html'],
  ['speculation', 'glossary.html#speculative-decoding'],
  ['chunked prefills', 'glossary.html#chunked-prefill'],
  ['planner error', 'guide/how-wrong.html'],
  ['published results', 'data/published-results.html'],
  ['how good is the simulator', 'guide/simulator.html'],
  ['queueing theory', 'guide/simulator.html'],
  ['preemption', 'glossary.html#preemption'],
  ['preemptoin', 'glossary.html#preemption'], // mistyped
  ['h200 bandwidth', 'data/gpus.html#h200-sxm'],
  ['Llama 3.1 70B', 'data/models.html#llama-3-1-70b'],
  ['azure trace', 'data/azure-llm-2023.html'],
  ['mooncake', 'data/mooncake.html'],
  ['goodput', 'guide/load-generator.html'],
  ['OOM', 'glossary.html#preemption'],
  ['out of memory', 'glossary.html#preemption'],
  ['slow first token', 'glossary.html#time-to-first-token'],
  ['cost per million tokens', 'guide/planner.html'],
  ['step', 'glossary.html#step'],
  ['iteration', 'glossary.html#step'],
  ['h100', 'glossary.html#h100'],
  ['queue', 'glossary.html#queue'],
  ['weights', 'glossary.html#weights'],
  ['percentile', 'glossary.html#p99'],
  ['tokens per second', 'glossary.html#throughput'],
  ['MMLU', 'glossary.html#mmlu'],
  ['scrape', 'glossary.html#scrape'],
  ['number of gpus', 'guide/planner.html'],
  ['strided', 'guide/batch-invariance.html#demo-sum-orders'], // these stand in figures only
  ['predicted against published', 'guide/how-wrong.html#figure-published-scatter-t'],
  ['the server stands still', 'index.html#demo-open-closed'],
  ['no drafts', 'guide/mechanisms.html#still-9-effect-t'],
];

test('readers find what they look for', { skip: !existsSync(built) && 'there is no built site' }, () => {
  const window = {};
  new Function('window', readFileSync(built, 'utf8'))(window); // eslint-disable-line no-new-func
  const ix = index(window['openloop/search']);
  const wrong = WANTED.flatMap(([query, want]) => {
    const got = rank(ix, query).slice(0, 3).map(({ part }) => {
      const [page, id] = ix.data.parts[part];
      return ix.data.pages[page][0] + (id ? `#${id}` : '');
    });
    return got.some((g) => g === want || g.startsWith(`${want}#`)) ? [] : [`${query}: ${want} is not among ${got.join(', ')}`];
  });
  assert.deepEqual(wrong, []);
});

const small = {
  pages: [['a.html', 'Queues', 'Guide'], ['b.html', 'Caches', 'Guide'], ['g.html', 'Glossary', '']],
  parts: [
    [0, '', '', 'Queues', 'Requests wait in a queue. Batching makes them wait less.'],
    [0, 'b', '', 'Batches', 'A batch is served together.'],
    [0, 'c', '', 'More', 'queue'], [0, 'd', '', 'Still more', 'queue'], [0, 'e', '', 'Even more', 'queue'],
    [1, '', '', 'Caches', 'A cache holds a queue of blocks; cafés too.'],
    [2, 'queue', 'term', 'queue', 'Requests that wait.'],
  ],
};
const ask = (query) => rank(index(small), query).map(({ part }) => small.parts[part].slice(0, 2).join('#'));

test('a heading that is the query comes first, a page at most three times', () => {
  assert.deepEqual(ask('queue').slice(0, 2), ['0#', '2#queue']);
  assert.equal(ask('queue').filter((r) => r.startsWith('0#')).length, 3);
  assert.deepEqual(ask('why'), []);
  assert.deepEqual(ask(' ?! '), []);
});

test('exact before beginning before another ending before a slip', () => {
  assert.equal(ask('batch')[0], '0#b');
  assert.ok(ask('batc').includes('0#b'));
  assert.ok(ask('batched').includes('0#b'));
  assert.ok(ask('qeue').includes('2#queue'));
  assert.deepEqual(ask('xylophone'), []);
});

test('words are compared without case, accents and plural', () => {
  assert.deepEqual(words('Cafés, QUEUES; policies p99 bus loss'), ['cafe', 'queue', 'policy', 'p99', 'bus', 'loss']);
  assert.equal(ask('cafe')[0], '1#');
});

test('indexing in steps gives the same index', () => {
  const many = { pages: small.pages, parts: Array(20).fill(small.parts).flat() };
  const steps = [...indexing(many)];
  assert.ok(steps.length > 3);
  assert.deepEqual(rank(steps.at(-1), 'wait'), rank(index(many), 'wait'));
});

test('an excerpt shows where the word is, and marks it', () => {
  const text = `${'before '.repeat(60)}a Queue there ${'after '.repeat(60)}`;
  const got = excerpt(text, new Set(['queue']));
  assert.ok(got.some(([t, hit]) => hit && t === 'Queue'));
  assert.equal(got.filter(([, hit]) => hit).length, 1);
  assert.ok(got.map(([t]) => t).join('').length < 260);
  assert.equal(got[0][0], '… ');
  assert.equal(excerpt('short text', new Set()).map(([t]) => t).join(''), 'short text');
});
