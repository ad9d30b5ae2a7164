import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

const { FIRST_RATING, nextPuzzle, settled, standing } = await import('../../src/gridsage/web/static/play/ratings.js');

const fresh = () => ({ rating: 1000, games: 0, done: {} });

test('whoever solves gains, the more the harder it was; whoever loses, loses; help is worth half', () => {
  const equal = settled(fresh(), 1, 1000, 1);
  assert.deepEqual(equal, { rating: 1024, games: 1, done: { 1: 1 } });
  assert.ok(settled(fresh(), 1, 1400, 1).rating > 1040);
  assert.ok(settled(fresh(), 1, 600, 1).rating < 1010);
  assert.equal(settled(fresh(), 1, 1000, 0).rating, 976);
  assert.equal(settled(fresh(), 1, 1000, 0.5).rating, 1000);
});

test('later results say less, and nobody falls below the floor', () => {
  assert.equal(settled({ rating: 1000, games: 10, done: {} }, 1, 1000, 1).rating, 1012);
  assert.equal(settled({ rating: 100, games: 3, done: {} }, 1, 100, 0).rating, 100);
});

test('only the first result of a puzzle counts', () => {
  const once = settled(fresh(), 7, 1000, 0);
  assert.equal(settled(once, 7, 1000, 1), once);
});

test('the next puzzle is the nearest that was not played, then one that was not solved', () => {
  const ratings = [600, 900, 1050, 1300];
  assert.equal(nextPuzzle(ratings, fresh()), 3);
  assert.equal(nextPuzzle(ratings, { rating: 1000, games: 1, done: { 3: 1 } }), 2);
  assert.equal(nextPuzzle(ratings, { rating: 1000, games: 4, done: { 1: 0, 2: 1, 3: 1, 4: 1 } }), 1);
  assert.equal(nextPuzzle(ratings, { rating: 1000, games: 4, done: { 1: 1, 2: 1, 3: 1, 4: 1 } }), 3);
});

test('a standing that is broken in the browser begins anew', () => {
  localStorage.setItem('gridsage-ratings', 'nonsense');
  assert.deepEqual(standing('ricochet'), { rating: FIRST_RATING, games: 0, done: {} });
  localStorage.setItem('gridsage-ratings', '{"ricochet": {"rating": 1200, "games": 2}}');
  assert.deepEqual(standing('ricochet'), { rating: 1200, games: 2, done: {} });
});
