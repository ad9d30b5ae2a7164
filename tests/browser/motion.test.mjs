import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

const { Board, glidesBetween, isOnward, motion } = await import('../../src/gridsage/web/static/board.js');

test('a fall of several cells accelerates, and twice as far takes less than twice as long', () => {
  const short = motion(0, 2, 2000, false);
  const long = motion(0, 4, 2000, false);
  assert.equal(short.ease, 'fall');
  assert.ok(long.lasts > short.lasts && long.lasts < 2 * short.lasts);
  assert.equal(motion(0, -4, 2000, false).ease, 'stop'); // up is no fall
  assert.equal(motion(3, 4, 2000, false).ease, 'stop');
});

test('a walk that goes on keeps its pace until the next step', () => {
  assert.deepEqual(motion(1, 0, 250, true), { lasts: 250, ease: 'steady' });
  const old = { x: 3, y: 1, fx: 2, fy: 1 };
  assert.equal(isOnward(old, 4, 1), true);
  assert.equal(isOnward(old, 2, 1), false); // it turned
  assert.equal(isOnward(old, 3, 2), false);
  assert.equal(isOnward(old, 5, 1), false); // it jumped
  assert.equal(isOnward(old, 3, 1), false); // it stopped
  assert.equal(isOnward({ x: 2.2, y: 1, fx: 2, fy: 1 }, 2.4, 1), true); // a part of a cell
  assert.equal(isOnward({ x: 2.2, y: 1, fx: 2, fy: 1 }, 2, 1), false);
});

test('no move lasts longer than the time until the next one', () => {
  for (const way of [motion(16, 0, 100, false), motion(0, 9, 100, false)]) assert.ok(way.lasts <= 90);
});

const KINDS = [0, 1, 1, 2]; // void, stone, falling stone, diamond
const cells = (...rows) => Uint16Array.from(rows.join(''), Number);

test('a step that a person makes is over before the next key', () => {
  const { get } = Object.getOwnPropertyDescriptor(Board.prototype, 'stepMs');
  assert.equal(get.call({ brisk: true, interval: 220 }), 80);
  assert.equal(get.call({ brisk: true, interval: 40 }), 40);
  assert.equal(get.call({ brisk: false, interval: 220 }), 220);
});

test('what falls, rolls or is pushed glides from where it was', () => {
  assert.deepEqual(glidesBetween(cells('010', '000'), cells('000', '020'), 3, KINDS), [{ from: 1, to: 4 }]);
  assert.deepEqual(glidesBetween(cells('100'), cells('010'), 3, KINDS), [{ from: 0, to: 1 }]);
  assert.deepEqual(glidesBetween(cells('000', '010'), cells('010', '000'), 3, KINDS), [{ from: 4, to: 1 }]);
});

test('a column that falls moves as one', () => {
  const found = glidesBetween(cells('1', '1', '0'), cells('0', '2', '2'), 1, KINDS);
  assert.deepEqual(found, [
    { from: 1, to: 2 },
    { from: 0, to: 1 },
  ]);
});

test('a stone does not come from a diamond, nor two from one place, nor out of nothing', () => {
  assert.deepEqual(glidesBetween(cells('3', '0'), cells('0', '2'), 1, KINDS), []);
  assert.equal(glidesBetween(cells('010', '000'), cells('000', '202'), 3, KINDS).length, 1);
  assert.deepEqual(glidesBetween(cells('000'), cells('010'), 3, KINDS), []);
  assert.deepEqual(glidesBetween(cells('100'), cells('200'), 3, KINDS), []); // it only looks different
});
