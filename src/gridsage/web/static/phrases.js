// Sentences of the server and of rooms in the language of the page: found whole, by their pattern, or part by part.
// web/texts/phrasebook.py does the same; a test holds the two together.

const PLACE = /\{(\w+)\}/g;
const NUMBERED = /^n\d*$/; // places of these names take numbers only
const NUMBER = '[-+]?\\d[\\d,.]*';
const CLOSE = '(?:[^,;]|, (?=column ))+?'; // what a place usually holds: a word, or a square
const LONG = 8; // letters of a phrase that says enough to hold a list as well
const SENTENCES = ['\n', '. ']; // each is looked up for itself
const CLAUSE = '; ';
const COMMA = ', '; // between parts, where no phrase is known for the whole
const MOST_KEPT = 5000;

/** @typedef {{ pattern: RegExp, words: string }} Entry */

export class Phrasebook {
  /**
   * @param {Record<string, string>} phrases English, and what it means; none: everything stays as it is
   * @param {(n: number) => boolean} isOne whether so many are spoken of in the singular
   */
  constructor(phrases, isOne) {
    this.isOne = isOne;
    /** @type {Map<string, string>} */
    this.exact = new Map();
    /** @type {Map<string, string>} */
    this.known = new Map(); // what was asked before
    /** @type {string[]} */
    const open = [];
    for (const [key, words] of Object.entries(phrases)) {
      if (key.search(PLACE) < 0) this.exact.set(key, words);
      else open.push(key);
    }
    open.sort((a, b) => letters(b) - letters(a)); // the one that says most decides
    this.close = open.map((key) => ({ pattern: patternOf(key, CLOSE), words: phrases[key] }));
    this.wide = open
      .filter((key) => !key.startsWith('{') || letters(key) >= LONG)
      .map((key) => ({ pattern: patternOf(key, '[^]+?'), words: phrases[key] }));
  }

  /**
   * What a text means in this language; what nobody has translated stays as it is.
   * @param {string} text
   * @returns {string}
   */
  said(text) {
    if (!this.exact.size || !/[A-Za-z]/.test(text)) return text;
    const before = this.exact.get(text) ?? this.known.get(text);
    if (before !== undefined) return before;
    if (this.known.size >= MOST_KEPT) this.known.clear();
    const found = this.lookUp(text);
    this.known.set(text, found);
    return found;
  }

  /**
   * @param {string} text
   * @returns {string}
   */
  lookUp(text) {
    const mark = SENTENCES.find((sign) => text.includes(sign));
    if (mark) return this.parts(text, mark, mark);
    if (text.endsWith('.') && !text.endsWith('..')) return `${this.said(text.slice(0, -1))}.`;
    const near = this.matched(text, this.close);
    if (near !== null) return near;
    if (text.includes(CLAUSE)) return this.parts(text, CLAUSE, this.exact.get(CLAUSE) ?? CLAUSE);
    const far = this.matched(text, this.wide);
    if (far !== null) return far;
    return text.includes(COMMA) ? this.parts(text, COMMA, COMMA) : text;
  }

  /**
   * @param {string} text
   * @param {string} mark between its parts
   * @param {string} join the same in this language
   */
  parts(text, mark, join) {
    return text
      .split(mark)
      .map((part) => this.said(part))
      .join(join);
  }

  /**
   * @param {string} text
   * @param {Entry[]} entries
   */
  matched(text, entries) {
    for (const { pattern, words } of entries) {
      const found = pattern.exec(text);
      if (found) return this.filled(words, found.groups ?? {});
    }
    return null;
  }

  /**
   * @param {string} words
   * @param {Record<string, string>} values
   */
  filled(words, values) {
    const [one, many] = words.split('|');
    const chosen =
      many !== undefined && 'n' in values && !this.isOne(Number(values.n.replaceAll(',', ''))) ? many : one;
    return chosen.replace(PLACE, (_, name) => this.said(values[name]));
  }
}

/** @param {string} key */
function letters(key) {
  return key.replace(PLACE, '').length;
}

/**
 * @param {string} key
 * @param {string} anything
 */
function patternOf(key, anything) {
  const parts = key.split(PLACE); // literal, name, literal, name, ..., literal
  const texts = parts.map((part, i) =>
    i % 2 ? `(?<${part}>${NUMBERED.test(part) ? NUMBER : anything})` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${texts.join('')}$`, 'u');
}
