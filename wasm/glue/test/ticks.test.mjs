import { test } from 'node:test';
import assert from 'node:assert/strict';
import { digits, ends, power, powers } from '../src/ticks.js';

test('ticks as digits and as powers', () => {
  for (const [v, want] of [[1, '1'], [0.001, '0.001'], [1000, '1,000'], [1e6, '1,000,000'], [0.12345, '0.1235'], [12345.6, '12,350']]) assert.equal(digits(v), want);
  for (const [v, want] of [[0.0001, '10⁻⁴'], [1e-12, '10⁻¹²'], [1, '10⁰'], [1000, '10³'], [2.5e7, '2.5×10⁷']]) assert.equal(power(v), want);
});

const log = (more) => ({ type: 'log', logBase: 10, axisLabel: { color: 'red' }, ...more });
const ruled = (x, y, data) => {
  const option = { xAxis: [x], yAxis: [y], series: [{ id: 'a', data }, { id: 'a:hi', data: [[1, 1e-9]] }] };
  powers(option);
  return [x, y].map((axis) => axis.axisLabel && axis.axisLabel.formatter);
};

test('only decimal log axes are rewritten', () => {
  assert.deepEqual(ruled({ type: 'value' }, log({ logBase: 2, axisLabel: undefined }), []), [undefined, undefined]);
  const axis = log();
  ruled({ type: 'category' }, axis, []);
  assert.equal(axis.axisLabel.color, 'red');
});

test('one way of writing on an axis, by its range or its data', () => {
  assert.deepEqual(ruled(log({ min: 0.001, max: 1e6 }), log({ min: 1000, max: 1e8 }), []), [digits, power]);
  assert.deepEqual(ruled(log({ min: 1e-4, max: 10 }), log({ min: null, max: null }), [[1, 5], [2, NaN]]), [power, digits]);
  assert.deepEqual(ruled(log(), log(), [[1e-4, 5], [2, 2e6]]), [power, power]);
  assert.deepEqual(ruled(log(), log(), [[1, 5], [2, null]]), [digits, digits], 'what is missing is no small number');
});

test('the end of an axis that is no step has no label', () => {
  const of = (min, max, splitNumber = 6) => {
    const axis = () => [{ type: 'value', min, max, splitNumber, axisLabel: {} }];
    const option = { xAxis: axis(), yAxis: axis() };
    ends(option);
    assert.deepEqual(option.xAxis, option.yAxis);
    const { showMinLabel, showMaxLabel } = option.xAxis[0].axisLabel;
    return [showMinLabel, showMaxLabel];
  };
  assert.deepEqual(of(0, 60), [null, null]);
  assert.deepEqual(of(0, 37), [null, false]);
  assert.deepEqual(of(0.013, 0.06), [false, null]);
  assert.deepEqual(of(0, 0.3, 4), [null, null], 'steps of 0.1');
  assert.deepEqual(of(0, 0.35, 4), [null, false], 'steps of 0.1');
  assert.deepEqual(of(null, null), [null, null], 'an axis that follows its data');
  const powersOf = (min, max) => {
    const axis = () => [{ ...log({ min, max }), axisLabel: {} }];
    const option = { xAxis: axis(), yAxis: axis() };
    ends(option);
    return [option.yAxis[0].axisLabel.showMinLabel, option.yAxis[0].axisLabel.showMaxLabel];
  };
  assert.deepEqual(powersOf(0.01, 1000), [null, null]);
  assert.deepEqual(powersOf(100, 200000), [null, false], 'right above 100,000');
  assert.deepEqual(powersOf(0.5, 10000), [false, null], 'right below 1');
  assert.deepEqual(powersOf(0.5, 100), [null, null], 'far enough below 1');
});
