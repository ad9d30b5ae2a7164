// Small tools for building pages: elements, texts, icons, and one line that screen readers hear.
import { Phrasebook } from './phrases.js';

/** @type {Record<string, string>} */
let TEXTS = {};
let language = 'en';
let plurals = new Intl.PluralRules(language);
/** @param {number} n */
const isOne = (n) => plurals.select(Math.abs(n)) === 'one';
let book = new Phrasebook({}, isOne);
/**
 * @param {Record<string, string>} texts
 * @param {Record<string, string>} [phrases] what the server and rooms say, where it is not said in English
 */
export function useTexts(texts, phrases = {}) {
  TEXTS = texts;
  language = document.documentElement.lang || 'en';
  plurals = new Intl.PluralRules(language);
  book = new Phrasebook(phrases, isOne);
}
export function languageNow() {
  return language;
}
/**
 * What the server or a room says, in the language of the page.
 * @param {string} text
 */
export function said(text) {
  return book.said(text);
}
/** @param {number} n people who watch */
export function watchingWords(n) {
  return n ? t('watching_now', { n }) : t('watching_nobody');
}
/**
 * Why a game ended.
 * @param {string} reason
 */
export function reasonWords(reason) {
  return { left: t('reason_left'), timeout: t('reason_timeout') }[reason] ?? said(reason);
}
/**
 * A text of the page by name, with {words} filled in. All texts live in the server's folder `texts`.
 * @param {string} name
 * @param {Record<string, string | number | undefined | null>} [values]
 */
export function t(name, values = {}) {
  let text = TEXTS[name] ?? name;
  if ('n' in values && text.includes('|')) text = text.split('|')[isOne(Number(values.n)) ? 0 : 1]; // one|many
  return text.replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ''));
}

/**
 * An element with attributes, listeners (`onclick`) and children; what is null or false is left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  const properties = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = String(value);
    else if (name in element && typeof value !== 'string') properties[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...kept(children));
  return element;
}

/**
 * Children without those that are nothing, in one list.
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function kept(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return kept(child);
    return [child instanceof Node ? child : String(child)];
  });
}

/**
 * Put these children into an element instead of those it has.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...kept(children));
}

/** @type {Record<string, string>} */
const ICONS = {
  play: '<path d="M7 4.5v15l12-7.5z"/>',
  pause: '<path d="M6 4.5h4v15H6zM14 4.5h4v15h-4z"/>',
  forward: '<path d="M5 5v14l9-7zM15.5 5H19v14h-3.5z"/>',
  back: '<path d="M19 5v14l-9-7zM5 5h3.5v14H5z"/>',
  first: '<path d="M20 5v14l-7-7zM12.5 5v14l-7-7zM3.5 5H6v14H3.5z"/>',
  last: '<path d="M4 5v14l7-7zM11.5 5v14l7-7zM18 5h2.5v14H18z"/>',
  previous: '<path d="M12 3 3 12l9 9 1.8-1.8L6.6 12l7.2-7.2zM20 5h-3v14h3z"/>',
  next: '<path d="m12 3 9 9-9 9-1.8-1.8 7.2-7.2-7.2-7.2zM4 5h3v14H4z"/>',
  undo: '<path d="M9 4 3 10l6 6v-4h5a4 4 0 0 1 0 8h-3v2.5h3a6.5 6.5 0 0 0 0-13H9z"/>',
  redo: '<path d="m15 4 6 6-6 6v-4h-5a4 4 0 0 0 0 8h3v2.5h-3a6.5 6.5 0 0 1 0-13h5z"/>',
  restart: '<path d="M12 4a8 8 0 1 1-7.7 5.8l2.4.7A5.5 5.5 0 1 0 12 6.5V10L6.5 5.2 12 .5z"/>',
  theme:
    '<path d="M12 3a9 9 0 1 0 0 18zM12 5.5v13a6.5 6.5 0 0 1 0-13z" fill-rule="evenodd"/><path d="M12 3v18a9 9 0 0 0 0-18z"/>',
  help: '<path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2.2a7.8 7.8 0 1 1 0 15.6 7.8 7.8 0 0 1 0-15.6zm-.2 2.6c-2.2 0-3.7 1.3-3.8 3.3h2.3c.1-.8.6-1.3 1.5-1.3.8 0 1.4.5 1.4 1.2 0 .7-.3 1-1.2 1.6-1 .6-1.4 1.3-1.3 2.4v.5h2.2v-.4c0-.7.3-1 1.2-1.6 1-.6 1.6-1.4 1.6-2.6 0-1.8-1.6-3.1-3.9-3.1zM10.5 15.8h2.5v2.4h-2.5z" fill-rule="evenodd"/>',
  bulb: '<path d="M12 2a7 7 0 0 0-4 12.7V17h8v-2.3A7 7 0 0 0 12 2zM8.5 18.5h7V20h-7zM10 21h4v1.5h-4z"/>',
  robot:
    '<path d="M11 2h2v3h5a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h5zM8.5 9.5a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zm7 0a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM8 15.5h8V17H8z" fill-rule="evenodd"/>',
  keep: '<path d="M5 3h11l4 4v14H4V4a1 1 0 0 1 1-1zm2 2v5h8V5zm1 9v5h8v-5z" fill-rule="evenodd"/>',
  link: '<path d="M10.6 13.4a1 1 0 0 1 0-1.4l3-3a1 1 0 1 1 1.4 1.4l-3 3a1 1 0 0 1-1.4 0zM7 19.5a4.5 4.5 0 0 1-3.2-7.7l3-3 1.6 1.6-3 3a2.2 2.2 0 1 0 3.1 3.1l3-3 1.6 1.6-3 3A4.500 4.500 0 0 1 7 19.500zM17.200 15.200l-1.600-1.600 3-3a2.200 2.200 0 1 0-3.100-3.100l-3 3-1.600-1.600 3-3a4.500 4.500 0 0 1 6.400 6.400z"/>',
  down: '<path d="M10.800 3h2.400v9.500l3.400-3.400 1.700 1.700L12 17.100l-6.300-6.300 1.700-1.700 3.400 3.400zM4 19h16v2.400H4z"/>',
  up: '<path d="M13.200 17h-2.400V7.500L7.400 10.900 5.700 9.200 12 2.900l6.300 6.300-1.700 1.700-3.400-3.400zM4 19h16v2.400H4z"/>',
  settings:
    '<path d="M4 6h9v2H4zm13 0h3v2h-3zM4 11h3v2H4zm7 0h9v2h-9zM4 16h9v2H4zm13 0h3v2h-3z"/><path d="M14 4h2v6h-2zM8 9h2v6H8zm6 5h2v6h-2z"/>',
  check: '<path d="m9.500 18.500-6-6 2-2 4 4 9-9 2 2z"/>',
  day: '<path d="M7 2h2v2h6V2h2v2h4v18H3V4h4zm12 8H5v10h14zM7 12h4v4H7z" fill-rule="evenodd"/>',
  stop: '<path d="M5 5h14v14H5z"/>',
  plus: '<path d="M10.700 4h2.600v6.700H20v2.600h-6.700V20h-2.600v-6.700H4v-2.600h6.700z"/>',
  pencil: '<path d="m4 16.500 10.500-10.500 3.500 3.500L7.500 20H4zM15.700 4.800l2-2 3.500 3.500-2 2z"/>',
  box: '<path d="M3 5h18v14H3zm2.200 2.200v9.600h13.600V7.200z" fill-rule="evenodd"/><path d="M7 9h10v6H7z" opacity=".55"/>',
  fill: '<path d="M10.500 2.500 20 12l-8 8-8-8 6-6-1.500-1.500zM7 12h10l-5-5zM20.500 15.500c1 1.500 1.500 2.400 1.500 3.300a1.900 1.900 0 0 1-3.800 0c0-.9.9-1.900 2.300-3.300z" fill-rule="evenodd"/>',
  pick: '<path d="M17.500 2.500a2.800 2.800 0 0 1 4 4l-2.900 2.900 1 1-1.700 1.700-6-6 1.700-1.700 1 1zM11 7.600l5.400 5.400L9 20.400l-3.300.6L3.400 21.400l-.8-.8 1-2.300.4-3.300zm0 3.200-5 5-.2 2.400 2.400-.2 5-5z" fill-rule="evenodd"/>',
  erase:
    '<path d="M14.500 3.500 21 10l-9 9h8v2H8.500L3 15.500zM5.900 15.500 9.400 19h.2l3.400-3.400-3.700-3.600z" fill-rule="evenodd"/>',
  clear:
    '<path d="M4 4h16v16H4zm2 2v12h12V6z" fill-rule="evenodd"/><path d="m8.500 7.200 3.500 3.500 3.500-3.500 1.300 1.300-3.500 3.500 3.500 3.500-1.300 1.300-3.500-3.500-3.500 3.500-1.300-1.300 3.500-3.500-3.500-3.500z"/>',
  trash:
    '<path d="M9 2.500h6v2h5v2H4v-2h5zM5.500 8h13l-1 13.500h-11zM9 10.500l.5 8.500h1.600l-.4-8.500zm4.300 0-.4 8.500h1.600l.5-8.500z" fill-rule="evenodd"/>',
  arrowUp: '<path d="m12 4 7 8h-4.500v8h-5v-8H5z"/>',
  arrowDown: '<path d="m12 20-7-8h4.500V4h5v8H19z"/>',
  arrowLeft: '<path d="m4 12 8-7v4.500h8v5h-8V19z"/>',
  arrowRight: '<path d="m20 12-8 7v-4.500H4v-5h8V5z"/>',
};
/** @param {string} name */
export function icon(name) {
  const holder = document.createElement('span');
  holder.className = 'icon';
  holder.innerHTML = `<svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true" focusable="false">${ICONS[name] ?? ''}</svg>`;
  return holder;
}

/**
 * A button with an icon, its words, or both; without words on it the words become its label.
 * @param {string} words
 * @param {{ icon?: string, onclick?: (event: MouseEvent) => unknown, kind?: string, label?: boolean, [more: string]: any }} [given]
 */
export function button(words, { icon: name, onclick, kind = '', label = false, ...more } = {}) {
  const content = [name ? icon(name) : null, name && !label ? null : h('span', {}, words)];
  return h(
    'button',
    {
      type: 'button',
      class: `button ${kind} ${name && !label ? 'only-icon' : ''}`,
      'aria-label': name && !label ? words : undefined,
      title: name && !label ? words : undefined,
      onclick,
      ...more,
    },
    ...content,
  );
}

/**
 * Where an event happened.
 * @param {Event} event
 */
export function placeOf(event) {
  return /** @type {HTMLElement} */ (event.target);
}

/**
 * Change the words of a button.
 * @param {Element} element
 * @param {string} words
 */
export function reword(element, words) {
  /** @type {Element} */ (element.querySelector('span:last-child')).textContent = words;
}

let count = 0;
/**
 * @param {string} words
 * @param {HTMLElement} input
 * @param {string} [note]
 */
export function field(words, input, note = '') {
  const id = `field-${++count}`;
  input.id = id;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, words),
    input,
    note ? h('small', { class: 'note' }, note) : null,
  );
}

/**
 * @param {Choices} values
 * @param {Value | null | undefined} chosen
 * @param {(value: string) => unknown} [onchange]
 */
export function choice(values, chosen, onchange) {
  const list = h('select', { onchange: (event) => onchange?.(event.target.value) });
  for (const entry of values) {
    if (typeof entry === 'object' && !Array.isArray(entry)) {
      list.append(
        h(
          'optgroup',
          { label: entry.group },
          entry.values.map((inner) => option(inner, chosen)),
        ),
      );
    } else list.append(option(entry, chosen));
  }
  return list;
}
/**
 * @param {Choice} entry
 * @param {Value | null | undefined} chosen
 */
function option(entry, chosen) {
  const [value, words] = Array.isArray(entry) ? entry : [entry, entry];
  return h('option', { value: String(value), selected: String(value) === String(chosen) }, String(words));
}

/**
 * @param {string} words
 * @param {boolean} on
 * @param {(on: boolean) => unknown} onchange
 */
export function toggle(words, on, onchange) {
  const input = h('input', { type: 'checkbox', checked: on, onchange: (event) => onchange(event.target.checked) });
  return h('label', { class: 'toggle' }, input, h('span', {}, words));
}

/**
 * A table in a box of its own, which scrolls where it is too wide; heads and cells that are no elements are wrapped.
 * @param {{ label: string, kind?: string, box?: string, caption?: string, heads: Child[], rows: (Child[] | HTMLElement)[] }} given
 */
export function listTable({ label, kind = '', box = '', caption = '', heads, rows }) {
  /** @param {Child} head */
  const column = (head) => (head instanceof HTMLElement ? head : h('th', { scope: 'col' }, head));
  /** @param {Child} cell */
  const data = (cell) => (cell instanceof HTMLTableCellElement ? cell : h('td', {}, cell));
  return h(
    'div',
    { class: `table-box ${box}`, tabindex: '0', role: 'region', 'aria-label': label },
    h(
      'table',
      { class: `list ${kind}` },
      caption ? h('caption', {}, caption) : null,
      h('thead', {}, h('tr', {}, heads.map(column))),
      h(
        'tbody',
        {},
        rows.map((row) => (Array.isArray(row) ? h('tr', {}, row.map(data)) : row)),
      ),
    ),
  );
}

/** @type {HTMLElement | null} */
let voice = null;
export function liveLine() {
  voice = h('p', { class: 'only-heard', role: 'status', 'aria-live': 'polite', id: 'live-line' });
  return voice;
}
/** @param {string} text */
export function say(text) {
  if (voice && text && voice.textContent !== text) voice.textContent = text;
}

/** @type {HTMLElement | null} */
let tray = null;
export function noticeTray() {
  tray = h('div', { class: 'notices', role: 'alert' });
  return tray;
}
/**
 * @param {string} text
 * @param {string} [kind]
 */
export function notice(text, kind = 'error') {
  /** @type {HTMLElement} */
  const line = h(
    'div',
    { class: `notice ${kind}` },
    h('span', {}, text),
    button(t('close'), { onclick: () => line.remove(), kind: 'plain' }),
  );
  tray?.append(line);
  if (kind !== 'error') setTimeout(() => line.remove(), 5000);
  return line;
}

/** @param {number} value */
export function number(value) {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return Math.round(value).toLocaleString(language);
  return value.toLocaleString(language, { maximumSignificantDigits: 3, useGrouping: false });
}
/**
 * A score of one's own that is below zero counts moves and penalties, which are told beside it.
 * @param {number[]} scores
 */
export function scoreWords(scores) {
  return scores.length === 1 && scores[0] < 0 ? '' : scores.map(number).join(' : ');
}
/** @param {number} ms */
export function duration(ms) {
  if (ms < 1) return `${number(ms * 1000)} µs`;
  return ms < 1000 ? `${number(ms)} ms` : `${number(ms / 1000)} s`;
}

/**
 * @param {string} path
 * @param {RequestInit} [request]
 */
export async function fetchJson(path, request) {
  let response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Error(t('no_server'));
  }
  const data = await response.json().catch(() => ({ text: t('bad_answer') }));
  if (!response.ok) throw new Error(data.text ? said(data.text) : t('bad_answer'));
  return data;
}

/**
 * Put a link to a place of this page into the clipboard, or show it where that is not possible.
 * @param {string} path
 */
export function copyLink(path) {
  const link = `${location.origin}${path}`;
  const copied = navigator.clipboard?.writeText(link) ?? Promise.reject(new Error('no clipboard'));
  return copied.then(
    () => notice(t('copied'), 'good'),
    () => notice(link, 'good'),
  );
}

export const BOARD_KEY = 'gridsage-board';
/** The palette of boards: one that somebody has chosen for them, or that of the page. */
export function boardTheme() {
  return localStorage.getItem(BOARD_KEY) || themeNow();
}

export function themeNow() {
  const chosen = document.documentElement.dataset.theme ?? localStorage.getItem('gridsage-theme');
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}
