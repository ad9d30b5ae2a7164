// The puzzle of the day: what one has solved is kept in this browser, and a line tells others how it went.
import { button, h, notice, t } from '../dom.js';

const KEY = 'gridsage-daily';
export const PREFIX = 'daily/';
const DAY_MS = 86_400_000;

/** @typedef {Record<string, Record<string, { steps: number, helped: boolean }>>} Solved game -> date -> how */

/** @returns {Solved} */
export function solved() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * Keep a puzzle as solved; a better way replaces a longer one.
 * @param {string} game
 * @param {string} date
 * @param {number} steps
 * @param {boolean} helped
 */
export function keepSolved(game, date, steps, helped) {
  const all = solved();
  const before = all[game]?.[date];
  if (before && (before.steps < steps || (before.steps === steps && !before.helped))) return;
  all[game] = { ...all[game], [date]: { steps, helped } };
  localStorage.setItem(KEY, JSON.stringify(all));
}

/**
 * Days in a row up to today that are solved; a day that is not over yet breaks nothing.
 * @param {Record<string, unknown>} days
 * @param {string} today
 */
export function streak(days, today) {
  let at = Date.parse(`${today}T00:00:00Z`);
  const has = () => new Date(at).toISOString().slice(0, 10) in days;
  if (!has()) at -= DAY_MS;
  let count = 0;
  for (; has(); at -= DAY_MS) count += 1;
  return count;
}

/**
 * How it went, in a line for others.
 * @param {{ title: string, seats: number }} room two people count turns instead of moves
 * @param {string} date
 * @param {{ steps: number, helped: boolean }} how
 * @param {number} best
 */
export function resultLine({ title, seats }, date, { steps, helped }, best) {
  const line = t(seats > 1 ? 'daily_result_turns' : 'daily_result', { game: title, date, n: steps, best });
  return helped ? `${line} ${t('daily_helped')}` : line;
}

/** @param {string} line */
export function resultBox(line) {
  const copy = () => {
    const copied = navigator.clipboard?.writeText(line) ?? Promise.reject(new Error('no clipboard'));
    void copied.then(
      () => notice(t('daily_copied'), 'good'),
      () => notice(line, 'good'),
    );
  };
  return h(
    'div',
    { class: 'row daily-result' },
    h('span', {}, line),
    button(t('daily_copy'), { icon: 'link', label: true, kind: 'small', onclick: copy }),
  );
}
