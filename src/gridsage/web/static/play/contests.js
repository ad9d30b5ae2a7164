// The game of the day where a day has no puzzle: how far one got, kept in this browser, and how far the best agent did.
import { t } from '../dom.js';

const KEY = 'gridsage-contests';
const DAY = /^(\d{4})(\d\d)(\d\d)$/;

/** @typedef {{ own?: number, helped?: boolean, name?: string, other?: number }} Met */

/** @returns {Record<string, Record<string, Met>>} game -> date -> how far both got */
function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * @param {string} game
 * @param {string} date
 * @returns {Met}
 */
export function met(game, date) {
  return all()[game]?.[date] ?? {};
}

/**
 * The day whose game is set up: its seed is a date, and nothing else is changed.
 * @param {{ seed: { value: string }, text: string, level: { value: string }, chosenOptions: () => object }} setup
 */
export function dayOf(setup) {
  const found = DAY.exec(setup.seed.value);
  if (!found || setup.text || setup.level.value || Object.keys(setup.chosenOptions()).length) return '';
  const date = found.slice(1).join('-');
  return Number.isNaN(Date.parse(`${date}T00:00:00Z`)) ? '' : date;
}

/**
 * Keep how far somebody got; what is less than before changes nothing.
 * @param {string} game
 * @param {string} date
 * @param {Met} now either one's own or the other's part
 */
export function keepMet(game, date, now) {
  const kept = all();
  const before = kept[game]?.[date] ?? {};
  const further = (now.own ?? -Infinity) > (before.own ?? -Infinity);
  const own = further ? { own: now.own, helped: Boolean(now.helped) } : {};
  const other = now.name === undefined ? {} : { name: now.name, other: now.other };
  kept[game] = { ...kept[game], [date]: { ...before, ...own, ...other } };
  localStorage.setItem(KEY, JSON.stringify(kept));
}

/**
 * The most that a number reached in a game.
 * @param {{ curves: Map<string, number[]> }} recording
 * @param {string} name
 */
export function furthest(recording, name) {
  return (recording.curves.get(name) ?? []).reduce((most, value) => Math.max(most, value ?? -Infinity), -Infinity);
}

/**
 * How it stands in a line for others; empty until both have played.
 * @param {{ title: string, contest: { words: string } | null }} room
 * @param {string} date
 */
export function contestLine({ title, contest }, date, { own, helped, name, other } = /** @type {Met} */ ({})) {
  if (own === undefined || other === undefined) return '';
  const line = t('contest_result', { game: title, date, what: contest?.words ?? '', n: own, name: name ?? '', other });
  return helped ? `${line} ${t('daily_helped')}` : line;
}
