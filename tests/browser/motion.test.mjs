import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

const { isOnward, motion } = await import('../../src/gridsage/web/static/board.js');

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
});

test('no move lasts longer than the time until the next one', () => {
  for (const way of [motion(16, 0, 100, false), motion(0, 9, 100, false)]) assert.ok(way.lasts <= 90);
});
