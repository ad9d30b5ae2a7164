// Our own vector tiles. What they look like stands in sprites.json, which Python's painter reads too; here it is drawn on
// a canvas. One hue per role, and a shape of its own for everything that matters, so that colour is never alone.
import DATA from './sprites.json' with { type: 'json' };

/** What is drawn, as data: see docs/share.md. */
const { palettes, ansi, names, looks, sprites, characters } = /** @type {SpriteData} */ (/** @type {unknown} */ (DATA));

/** @type {Record<string, Palette>} */
export const PALETTES = palettes;
export const CHARACTERS = characters; // which sprite stands for one
const FIXED_FONT = '"DejaVu Sans Mono", ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace';
const GLYPH_GROUND = '#10141d';

// Drawing a list of operations

/**
 * A number of an operation, moved by where the sprite looks: `[base, per dx, per dy]`.
 * @param {Measure} value
 * @param {Look} look
 */
const measured = (value, { dx, dy }) => (typeof value === 'number' ? value : value[0] + value[1] * dx + value[2] * dy);

/**
 * A colour of an operation: `@name` is bound by the look, or one of the palette.
 * @param {string} value
 * @param {Look} look
 * @returns {string}
 */
function coloured(value, look) {
  if (!value.startsWith('@')) return value;
  const name = value.slice(1);
  const bound = look.bound?.[name];
  return bound === undefined ? look.pal[name] : coloured(bound, look);
}

/**
 * @param {Pen} pen
 * @param {number[]} points x, y, x, y, ...
 */
function trace(pen, points) {
  pen.beginPath();
  for (let i = 0; i < points.length; i += 2) pen[i ? 'lineTo' : 'moveTo'](points[i], points[i + 1]);
}

/**
 * @param {Pen} pen
 * @param {string} colour
 */
function fill(pen, colour) {
  pen.fillStyle = colour;
  pen.fill();
}

/**
 * @param {Pen} pen
 * @param {number} width
 * @param {string} colour
 */
function stroke(pen, width, colour) {
  pen.lineWidth = width;
  pen.lineCap = pen.lineJoin = 'round';
  pen.strokeStyle = colour;
  pen.stroke();
}

/**
 * @param {Pen} pen
 * @param {string} text
 * @param {number} x of its middle
 * @param {number} y
 * @param {number} size
 * @param {number} weight
 * @param {string} colour
 * @param {number} [outline] width of a line around it
 * @param {string} [rim] its colour
 */
function letter(pen, text, x, y, size, weight, colour, outline = 0, rim = '') {
  if (!text) return;
  // A font below a few pixels is not drawn by every browser: write big and scale down.
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 100, size / 100);
  pen.font = `${weight} 100px ${FIXED_FONT}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  if (outline) {
    pen.lineWidth = (outline / size) * 100;
    pen.strokeStyle = rim;
    pen.strokeText(text, 0, 0);
  }
  pen.fillStyle = colour;
  pen.fillText(text, 0, 0);
  pen.restore();
}

/** @type {Record<string, (pen: Pen, look: Look, op: any[]) => void>} What each operation does with what it is given. */
const OPERATIONS = {
  box(pen, look, [x, y, w, h, r, colour]) {
    pen.beginPath();
    pen.roundRect(measured(x, look), measured(y, look), w, h, r);
    fill(pen, coloured(colour, look));
  },
  area(pen, look, [points, colour]) {
    trace(pen, points);
    pen.closePath();
    fill(pen, coloured(colour, look));
  },
  disc(pen, look, [x, y, r, colour]) {
    pen.beginPath();
    pen.arc(measured(x, look), measured(y, look), r, 0, Math.PI * 2);
    fill(pen, coloured(colour, look));
  },
  oval(pen, look, [x, y, rx, ry, colour]) {
    pen.beginPath();
    pen.ellipse(x, y, rx, ry, 0, 0, Math.PI * 2);
    fill(pen, coloured(colour, look));
  },
  dome(pen, look, [x, y, r, colour]) {
    pen.beginPath();
    pen.arc(x, y, r, Math.PI, 0);
    pen.closePath();
    fill(pen, coloured(colour, look));
  },
  ring(pen, look, [x, y, r, width, colour]) {
    pen.beginPath();
    pen.arc(x, y, r, 0, Math.PI * 2);
    stroke(pen, width, coloured(colour, look));
  },
  line(pen, look, [points, width, colour]) {
    trace(pen, points);
    stroke(pen, width, coloured(colour, look));
  },
  letter(pen, look, [text, x, y, size, weight, colour, outline, rim]) {
    const words = text.startsWith('$') ? (look.bound?.[text.slice(1)] ?? '') : text;
    letter(pen, words, x, y, size, weight, coloured(colour, look), outline, rim);
  },
  fade(pen, look, [alpha, operations]) {
    pen.globalAlpha = alpha;
    paintOperations(pen, operations, look);
    pen.globalAlpha = 1;
  },
  by(pen, look, [what, choices]) {
    const chosen = what === 'variant' ? look.variant : Math.sign(what === 'dx' ? look.dx : look.dy) + 1;
    paintOperations(pen, choices[chosen], look);
  },
  when(pen, look, [name, operations]) {
    if (look.bound?.[name]) paintOperations(pen, operations, look);
  },
};

/**
 * @param {Pen} pen
 * @param {Operation[]} operations
 * @param {Look} look
 */
function paintOperations(pen, operations, look) {
  for (const [kind, ...given] of operations) OPERATIONS[kind](pen, look, given);
}

/**
 * Paint sprites of sprites.json above each other into a box of 1 by 1.
 * @param {Pen} pen
 * @param {Layer[]} layers
 * @param {Look} look
 */
export function paintLayers(pen, layers, look) {
  for (const { sprite, bound } of layers) paintOperations(pen, sprites[sprite], { ...look, bound });
}

// Finding sprites by name

/**
 * A tile by name. Names are words joined by `-`, `_`, `:` or spaces; the words say what to paint, so `robot-red`,
 * `target:red:circle` and `hole-7` need no entry each. Null when nothing fits: the board then writes the room's glyph.
 * @param {string} name
 * @param {boolean} [moving]
 * @param {string} [game]
 * @returns {Painter | null}
 */
export function painter(name, moving = false, game = '') {
  const layers = layersOf(name, moving, game);
  return layers && ((pen, look) => paintLayers(pen, layers, look));
}

/**
 * The sprites that a name stands for, the lowest first. A thing that does not move stands on empty space.
 * @param {string} name
 * @param {boolean} moving
 * @param {string} game
 * @returns {Layer[] | null}
 */
export function layersOf(name, moving, game) {
  const own = names.own[game]?.[name];
  if (own) return own.map((sprite) => ({ sprite }));
  const found = thing(name);
  if (found) return moving ? found : [{ sprite: 'space' }, ...found];
  return ground(name);
}

/**
 * @param {string} name
 * @returns {Layer[] | null}
 */
function thing(name) {
  if (names.things[name]) return [{ sprite: names.things[name] }];
  const { has, colour, words } = read(name);
  if (has('robot')) return looks.robot[colour] ? [{ sprite: 'robot', bound: looks.robot[colour] }] : null;
  if (has('pawn', 'first', 'second')) {
    const pawn = { sprite: has('second') ? 'pawn-2' : 'pawn-1' };
    return has('frozen') ? [pawn, { sprite: 'ice' }] : [pawn];
  }
  if ((has('monster') || words.length === 1) && sprites[`monster-${colour}`]) return [{ sprite: `monster-${colour}` }];
  if (has('exit') && has('closed', 'shut', 'locked')) return [{ sprite: 'closed-exit' }];
  const word = has('dead') ?? words.find((word) => names.things[word]);
  return word ? [{ sprite: names.things[word] }] : null;
}

/**
 * @param {string} name
 * @returns {Layer[] | null}
 */
function ground(name) {
  if (names.grounds[name]) return [{ sprite: names.grounds[name] }];
  const { has, colour, number, words } = read(name);
  const shape = words.find((word) => sprites[`goal-${word}`]);
  if (shape || has('target', 'goal', 'mission')) {
    const wanted = has('target', 'active', 'wanted', 'mission') ? '-wanted' : '';
    return [{ sprite: `goal-${shape ?? 'star'}${wanted}`, bound: looks.goal[names.colours[colour] ?? 'any'] }];
  }
  if (has('sturdy', 'stw')) return [{ sprite: 'sturdy', bound: { n: String(number ?? '') } }];
  if (has('hole', 'pit')) {
    if (has('closing') && number === undefined) return [{ sprite: 'closing-hole' }];
    return [{ sprite: 'hole', bound: { n: String(number || '') } }];
  }
  const word = words.find((word) => names.grounds[word]);
  return word ? [{ sprite: names.grounds[word] }] : null;
}

/** @param {string} name */
function read(name) {
  const words = name.toLowerCase().split(/[-_: ]+/);
  return {
    words,
    /** @param {...string} any */
    has: (...any) => any.find((word) => words.includes(word)),
    colour: words.find((word) => names.colours[word] || sprites[`monster-${word}`]) ?? '',
    number: words.map((word) => parseInt(word.replace(/^\D+/, ''), 10)).find((n) => !Number.isNaN(n)),
  };
}

// Characters

/**
 * `text:<character>:<colour>` as a glyph in a fixed font; the character itself may be a colon.
 * @param {string} name
 */
export function glyph(name) {
  const found = /^text:(.+?)(?::([^:]*))?$/su.exec(name) ?? [null, '?', ''];
  const wish = (found[2] ?? '').trim();
  const words = wish.split(/\s+/);
  const colour = ansi[words.find((word) => ansi[word]) ?? ''] ?? (/^#[0-9a-f]{3,8}$/i.test(wish) ? wish : ansi.white);
  return { character: found[1], colour, bold: words.includes('bold'), reverse: words.includes('reverse') };
}

/**
 * @param {Pen} pen
 * @param {string} name
 * @param {number} aspect
 */
export function paintGlyph(pen, name, aspect) {
  const { character, colour, bold, reverse } = glyph(name);
  pen.fillStyle = reverse ? colour : GLYPH_GROUND;
  pen.fillRect(0, 0, aspect, 1);
  if (character === ' ') return;
  letter(pen, character, aspect / 2, 0.5344, 0.86, bold ? 700 : 500, reverse ? GLYPH_GROUND : colour);
}
