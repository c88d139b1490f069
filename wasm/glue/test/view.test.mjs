import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { MAX_LINK } from '../src/hash.js';

const { dataset } = (globalThis.document = { documentElement: { dataset: {} } }).documentElement;
globalThis.localStorage = { getItem: () => 'light', setItem() {} };
const { PARTS, currentPreset, markPresets, theme } = await import('../src/view.js');
const { THEMES } = await import('../src/theme.js');

test('a link themes once; auto gives back what the reader had', () => {
  const demo = {};
  theme(demo, 'auto');
  assert.equal(dataset.theme, undefined, 'a link without a theme touches nothing');
  theme(demo, 'dark');
  assert.equal(dataset.theme, 'dark');
  dataset.theme = 'projector'; // the reader
  theme(demo, 'dark');
  assert.equal(dataset.theme, 'projector');
  theme(demo, 'auto');
  assert.equal(dataset.theme, 'light');
});

test('unknown keys do not unmark a preset', () => {
  const links = ['v=1&seed=7&a=1', 'v=1&seed=7&a=2'];
  assert.equal(currentPreset(links, 'v=1&seed=7&a=2&lock=a&own=x', ['a']), 1);
  assert.equal(currentPreset(links, 'v=1&seed=9&a=1&own=x', ['a']), 0);
  assert.equal(currentPreset(links, 'v=1&seed=7&a=3', ['a']), -1);
});

test('the preset that a reader presses says what it shows', () => {
  const preset = (state, title, current) => ({
    title, current, getAttribute: () => `#demo=x&${state}`,
    hasAttribute() { return this.current; }, setAttribute() { this.current = true; }, removeAttribute() { this.current = false; },
  });
  const presets = [preset('v=1&a=1', 'As it is.', true), preset('v=1&a=2', 'Twice as much.', false)];
  const says = { textContent: '' };
  const root = { dataset: { demo: 'x' }, querySelectorAll: () => presets, querySelector: () => says };
  const shows = (state) => {
    markPresets(root, { state, knobs: [{ name: 'a' }] });
    return says.textContent;
  };
  assert.equal(shows('v=1&seed=7&a=1'), '');
  assert.equal(shows('v=1&seed=7&a=2'), 'Twice as much.');
  assert.equal(shows('v=1&seed=7&a=3'), '');
  assert.deepEqual(presets.map((p) => p.current), [false, false]);
});

test('names and limits are those of content/demo', () => {
  const go = readFileSync(new URL('../../../content/demo/state.go', import.meta.url), 'utf8');
  const list = (name) => go.match(new RegExp(`var ${name} = \\[\\]string\\{([^}]*)`))[1].match(/\w+/g);
  assert.deepEqual(list('Themes'), ['auto', ...THEMES]);
  assert.deepEqual(list('Parts'), Object.keys(PARTS));
  const [, n, shift] = go.match(/MaxLink\s+= (\d+) << (\d+)/);
  assert.equal(n << shift, MAX_LINK);
});
