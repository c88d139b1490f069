import { test } from 'node:test';
import assert from 'node:assert/strict';
import { powers, tick } from '../src/ticks.js';

test('ticks are digits where they are few and powers elsewhere', () => {
  for (const [v, want] of [[1, '1'], [0.001, '0.001'], [1000, '1,000'], [1e6, '1,000,000'], [0.0001, '10⁻⁴'], [1e-12, '10⁻¹²'], [1e9, '10⁹']]) {
    assert.equal(tick(v), want);
  }
});

test('only decimal log axes are rewritten', () => {
  const axes = [{ type: 'value' }, { type: 'log', logBase: 2 }, { type: 'category' }];
  axes.forEach(powers);
  assert.ok(axes.every((a) => a.axisLabel === undefined));
  const log = { type: 'log', logBase: 10, axisLabel: { color: 'red' } };
  powers(log);
  assert.equal(log.axisLabel.color, 'red');
  assert.equal(log.axisLabel.formatter, tick);
});
