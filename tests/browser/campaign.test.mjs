import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

const { after, better, fresh } = await import('../../src/gridsage/web/static/play/campaign.js');

test('a level that is won leads to the next one, and lives that are left bring points', () => {
  assert.deepEqual(fresh(), { at: 0, lives: 5, points: 0 });
  assert.deepEqual(after({ at: 2, lives: 3, points: 500 }, true), { at: 3, lives: 3, points: 1800 });
});

test('a level that is lost costs a life and is played again', () => {
  assert.deepEqual(after({ at: 2, lives: 3, points: 500 }, false), { at: 2, lives: 2, points: 500 });
});

test('the best win has the fewest moves, then the shortest time', () => {
  const old = { steps: 20, ms: 900 };
  assert.deepEqual(better(undefined, old), old);
  assert.deepEqual(better(old, { steps: 19, ms: 5000 }), { steps: 19, ms: 5000 });
  assert.deepEqual(better(old, { steps: 20, ms: 800 }), { steps: 20, ms: 800 });
  assert.deepEqual(better(old, { steps: 20, ms: 1000 }), old);
  assert.deepEqual(better(old, { steps: 21, ms: 1 }), old);
});
