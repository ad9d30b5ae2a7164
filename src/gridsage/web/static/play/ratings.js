// Puzzles with ratings: one's own rating is kept in this browser, and the next puzzle is one near it.
import { h, t } from '../dom.js';

const KEY = 'gridsage-ratings';
export const PUZZLE = 'puzzle/';
export const FIRST_RATING = 1000;
const SCALE = 400; // points of difference that mean odds of ten to one
const QUICK = { games: 10, step: 48 }; // the first results say most
const STEP = 24;
const LEAST = 100;

/** @typedef {{ rating: number, games: number, done: Record<string, number> }} Standing done: number of a puzzle -> score */

/** @returns {Record<string, Standing>} */
function all() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return found && typeof found === 'object' ? found : {};
  } catch {
    return {};
  }
}

/**
 * How somebody stands in a game.
 * @param {string} game
 * @returns {Standing}
 */
export function standing(game) {
  const found = /** @type {Partial<Standing> | undefined} */ (all()[game]);
  return { rating: FIRST_RATING, games: 0, ...found, done: { ...found?.done } };
}

/**
 * The standing after a puzzle: solved alone counts 1, with help a half, lost nothing. Only the first result counts.
 * @param {Standing} before
 * @param {number} number
 * @param {number} rating of the puzzle
 * @param {number} score
 * @returns {Standing}
 */
export function settled(before, number, rating, score) {
  if (number in before.done) return before;
  const expected = 1 / (1 + 10 ** ((rating - before.rating) / SCALE));
  const step = before.games < QUICK.games ? QUICK.step : STEP;
  return {
    rating: Math.max(LEAST, Math.round(before.rating + step * (score - expected))),
    games: before.games + 1,
    done: { ...before.done, [number]: score },
  };
}

/**
 * The number of the puzzle nearest to one's rating that was not played yet; when all were, one that was not solved.
 * @param {number[]} ratings by number, from 1 on
 * @param {Standing} own
 */
export function nextPuzzle(ratings, own) {
  const numbers = ratings.map((_, i) => i + 1);
  const fresh = numbers.filter((number) => !(number in own.done));
  const open = fresh.length ? fresh : numbers.filter((number) => own.done[number] < 1);
  const distance = (/** @type {number} */ number) => Math.abs(ratings[number - 1] - own.rating);
  return (open.length ? open : numbers).reduce((best, number) => (distance(number) < distance(best) ? number : best));
}

/**
 * @param {string} game
 * @param {number} number
 */
export function puzzleAddress(game, number) {
  return `/play/${encodeURIComponent(game)}?level=${encodeURIComponent(PUZZLE + number)}`;
}

/**
 * Count a puzzle that has ended, and say how one stands now.
 * @param {string} game
 * @param {{ number: number, ratings: number[] }} puzzle
 * @param {number} score
 */
export function resultOfPuzzle(game, { number, ratings }, score) {
  const before = standing(game);
  const after = settled(before, number, ratings[number - 1], score);
  if (after !== before) localStorage.setItem(KEY, JSON.stringify({ ...all(), [game]: after }));
  const change = after.rating - before.rating;
  const words =
    after === before ? 'puzzle_again' : score === 1 ? 'puzzle_solved' : score ? 'puzzle_helped' : 'puzzle_lost';
  return [
    h(
      'p',
      {},
      t(words, { n: number, rating: ratings[number - 1], own: after.rating, change: (change > 0 ? '+' : '') + change }),
    ),
    h('a', { class: 'button strong', href: puzzleAddress(game, nextPuzzle(ratings, after)) }, t('puzzle_next')),
  ];
}
