import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

const { evenTicks, percent, roundTicks, short } = await import('../../src/gridsage/web/static/plots.js');

test('ticks of an axis that grows by factors are round numbers', () => {
  assert.deepEqual(roundTicks(1, 1000, 6), [1, 10, 100, 1000]);
  assert.deepEqual(roundTicks(2.2, 11, 6), [5, 10]);
  assert.deepEqual(roundTicks(0.01, 0.25, 6), [0.01, 0.02, 0.05, 0.1, 0.2]);
});

test('there are never more ticks than wished, and always two', () => {
  for (const [low, high] of [
    [1, 1e9],
    [3, 90],
    [0.4, 7000],
    [2, 50],
  ])
    for (const most of [3, 6]) {
      const ticks = roundTicks(low, high, most);
      assert.ok(ticks.length >= 2 && ticks.length <= most, `${ticks}`);
      assert.ok(ticks.every((tick) => tick >= low * 0.999 && tick <= high * 1.001));
    }
});

test('a long name loses its middle', () => {
  assert.equal(short('abcdefghij', 10), 'abcdefghij');
  assert.equal(short('abcdefghijklmnop', 8).length, 8);
  assert.match(short('abcdefghijklmnop', 8), /^abcd….*nop$/);
});

test('ticks of an even axis are round numbers too', () => {
  assert.deepEqual(evenTicks(0, 11, 6), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(evenTicks(-0.5, 0.5, 3), [-0.5, 0, 0.5]);
  for (const [low, high] of [
    [0, 1],
    [3, 97],
    [-61, -4],
    [1000, 1003.5],
  ])
    for (const most of [3, 6]) {
      const ticks = evenTicks(low, high, most);
      assert.ok(ticks.length >= 2 && ticks.length <= most, `${ticks}`);
      assert.ok(
        ticks.every((tick) => tick >= low && tick <= high),
        `${ticks}`,
      );
    }
});

test('a share that is next to nothing is nothing', () => {
  assert.equal(percent(2.8e-17), '0 %');
  assert.equal(percent(0.39), '39 %');
  assert.equal(percent(0.005), '0.5 %');
});
