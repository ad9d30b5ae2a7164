// Pictures for games that are made of characters: one of our own shapes for every class of character, in its colour. The
// letter stays in a corner of a creature, so that two of one family can be told apart. The shapes are in sprites.json.
import { CHARACTERS, PALETTES, paintLayers } from './tiles.js';

/** @typedef {{ character: string, colour: string, bold: boolean, reverse: boolean }} Glyph */

const GREY = '#c3cad6'; // of what is built, where its colour is a grey
const FAMILY_OF = new Map(
  Object.entries(CHARACTERS.families).flatMap(([family, letters]) => [...letters].map((one) => [one, family])),
);

/**
 * The hue of a colour in degrees, or -1 for a grey.
 * @param {string} colour `#rrggbb`
 */
export function hueOf(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (!(most - least > 0.2)) return -1;
  const turn =
    most === r ? (g - b) / (most - least) : most === g ? 2 + (b - r) / (most - least) : 4 + (r - g) / (most - least);
  return (turn * 60 + 360) % 360;
}
const isWooden = (/** @type {number} */ hue) => hue >= 20 && hue < 62; // brown or yellow: a door, no wall and no book
const isGreen = (/** @type {number} */ hue) => hue >= 90 && hue < 160;

/**
 * Paint a character into a box of 1 by 1 as the picture of what it stands for.
 * @param {Pen} pen
 * @param {Glyph} glyph
 */
export function paintPicture(pen, glyph) {
  paintLayers(pen, pictureOf(glyph), { variant: 0, dx: 0, dy: 0, pal: PALETTES.dark });
}

/**
 * The sprites that stand for a character, the lowest first.
 * @param {Glyph} glyph
 * @returns {Layer[]}
 */
export function pictureOf({ character, colour, reverse }) {
  const hue = hueOf(colour);
  const bound = { colour, sign: character };
  const fixed = fixture(character, hue);
  if (fixed) return [{ sprite: fixed, bound }];
  const built = CHARACTERS.built[character];
  if (built) return [{ sprite: built, bound: { colour: hue < 0 ? GREY : colour } }];
  const ground = [{ sprite: 'char-floor' }, ...(reverse ? [{ sprite: 'char-pet' }] : [])]; // one of ours: a pet
  const thing = CHARACTERS.things[character];
  return [...ground, ...(thing ? [thing] : creature(character)).map((sprite) => ({ sprite, bound }))];
}

/**
 * What a character is part of that its colour decides, or an empty text.
 * @param {string} character
 * @param {number} hue
 */
function fixture(character, hue) {
  if (character === ' ') return 'char-blank';
  if (character === '|' || character === '-') return isWooden(hue) ? 'char-open-door' : 'char-wall';
  if (character === '+' && isWooden(hue)) return 'char-shut-door';
  if (character === '#') return isGreen(hue) ? 'char-tree' : 'char-corridor';
  return character === '}' ? 'char-liquid' : '';
}

/** @param {string} character */
function creature(character) {
  const family = FAMILY_OF.get(character);
  if (!family) return ['char-letter'];
  return character === '@' ? [`char-${family}`] : [`char-${family}`, 'char-tag'];
}
