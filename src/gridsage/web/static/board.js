// The board on a canvas, without any framework: cells repainted one by one from differences, moving things tweened
// above them, and what agents think above all.
import { boardTheme } from './dom.js';
import { paintPicture } from './glyphs.js';
import { PALETTES, glyph, painter, paintGlyph } from './tiles.js';

/**
 * What draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 * @returns {Pen}
 */
export function penOf(canvas, settings) {
  return /** @type {Pen} */ (canvas.getContext('2d', settings));
}

const GLYPH_ASPECT = 0.58; // width by height of a character's cell
const TWEEN_MS = 110;
const TWEEN_MS_PER_CELL = 22;
const FALL_MS = 90; // for the first cell of a fall: twice as far takes root two as long
const MOST_GLIDE_MS = 220; // of a cell's content to its neighbour
const BRISK_MS = 80; // of a step to the neighbour that a person makes: it is over before the next key
const VANISH_MS = 340; // what leaves the board shrinks for so long
const READABLE_PICTURE = 20; // as READABLE, where pictures stand for characters
const FOLLOW_PICTURE = 30; // as FOLLOW_CELL there
const LEAST_CELL = 5;
const MOST_CELL = 64;
const COORDINATES_FROM = 24; // pixels a cell: smaller ones could not be read
const READABLE = 11; // pixels: where the whole board would have smaller cells, a part of it is shown
const FOLLOW_CELL = 18; // and this is the size of its cells then
const BOXED_CELL = 14; // or this one in a small picture
const PHONE_PART = 0.4; // of a phone's height for that part: buttons want to be seen too
const FREE_PART = 0.3; // of the window on each side that the one followed does not enter
const CAMERA_EASE = 0.18; // of the way left, a frame
const FIXED_FONT = '"DejaVu Sans Mono", ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace';

/**
 * One sprite in a box of 1 by 1: a tile, or the room's character where there is none.
 * @param {Pen} pen
 * @param {string} name
 * @param {Look} look
 * @param {{ moving?: boolean, game?: string, glyphs?: Record<string, [string, string]>, aspect?: number }} [given]
 */
export function paintSprite(pen, name, look, { moving = false, game = '', glyphs = {}, aspect = 1 } = {}) {
  if (name.startsWith('text:')) return paintGlyph(pen, name, aspect);
  const paint = painter(name, moving, game);
  if (paint) return paint(pen, look);
  const [character, style] = glyphs[name] ?? [name[0] ?? '?', ''];
  return paintGlyph(pen, `text:${character}:${style}`, 1);
}

/**
 * The name of the game whose pictures a room uses: a variant looks like the game it belongs to.
 * @param {Pick<Room, 'name' | 'variant_of'>} room
 */
export function lookOf({ name, variant_of }) {
  return variant_of || name;
}

/**
 * A sprite as a small picture of its own, for buttons and lists.
 * @param {string} sprite
 * @param {string} game
 * @param {number} [size]
 */
export function picture(sprite, game, size = 22) {
  const canvas = document.createElement('canvas');
  const dpr = window.devicePixelRatio || 1;
  canvas.width = canvas.height = size * dpr;
  canvas.style.width = canvas.style.height = `${size}px`;
  canvas.setAttribute('aria-hidden', 'true');
  const pen = penOf(canvas);
  pen.scale(size * dpr, size * dpr);
  paintSprite(
    pen,
    sprite,
    { variant: 0, dx: 0, dy: 0, pal: PALETTES[boardTheme()] ?? PALETTES.dark },
    { moving: true, game },
  );
  return canvas;
}

/** @type {Record<string, (part: number) => number>} */
const EASES = {
  steady: (part) => part, // a walk that goes on
  stop: (part) => 1 - (1 - part) * (1 - part), // a step that ends
  fall: (part) => part * part,
};

/**
 * How long a move lasts and how it goes: a fall of several cells accelerates, a walk that goes on in the same way keeps
 * its pace, and what ends slows down.
 * @param {number} dx
 * @param {number} dy
 * @param {number} interval milliseconds until the next step
 * @param {boolean} onward
 */
export function motion(dx, dy, interval, onward) {
  const distance = Math.abs(dx) + Math.abs(dy);
  if (onward) return { lasts: interval, ease: 'steady' };
  if (dx === 0 && dy > 1.5) return { lasts: Math.min(interval * 0.9, 2 * FALL_MS * Math.sqrt(dy)), ease: 'fall' };
  return { lasts: Math.min(interval * 0.9, TWEEN_MS + TWEEN_MS_PER_CELL * distance), ease: 'stop' };
}

/**
 * Return true if a thing goes on by one cell or a part of it in the direction in which it went before.
 * @param {Moving} old
 * @param {number} x
 * @param {number} y
 */
export function isOnward(old, x, y) {
  const [dx, dy] = [x - old.x, y - old.y];
  const step = Math.abs(dx) + Math.abs(dy);
  const same = Math.sign(dx) === Math.sign(old.x - old.fx) && Math.sign(dy) === Math.sign(old.y - old.fy);
  return step > 0 && step <= 1 && same;
}

/**
 * Where the contents of cells have come from that moved by one cell between two positions: from above, from a side, from
 * below; a column that falls moves as one.
 * @param {Uint16Array} before
 * @param {ArrayLike<number>} after
 * @param {number} w
 * @param {number[]} kinds by tile; 0: it does not glide
 * @returns {Glide[]}
 */
export function glidesBetween(before, after, w, kinds) {
  if (!kinds.some(Boolean) || before.length !== after.length) return [];
  const glides = [];
  const taken = new Set();
  for (let to = 0; to < after.length; to++) {
    const kind = kinds[after[to]];
    if (!kind || kinds[before[to]] === kind) continue;
    const column = columnAbove(before, after, w, kinds, to);
    if (column.length && !taken.has(column.at(-1))) {
      taken.add(column.at(-1));
      column.forEach((from) => glides.push({ from, to: from + w }));
      continue;
    }
    const from = [to - 1, to + 1, to + w, to - w - 1, to - w + 1].find(
      (cell) => kinds[before[cell]] === kind && kinds[after[cell]] !== kind && !taken.has(cell),
    );
    if (from === undefined) continue;
    taken.add(from);
    glides.push({ from, to });
  }
  return glides;
}

/**
 * The cells above `to` whose content has fallen by one: up to the first that is empty of it now, or none.
 * @param {Uint16Array} before
 * @param {ArrayLike<number>} after
 * @param {number} w
 * @param {number[]} kinds
 * @param {number} to
 */
function columnAbove(before, after, w, kinds, to) {
  const kind = kinds[after[to]];
  const cells = [];
  for (let cell = to - w; cell >= 0 && kinds[before[cell]] === kind; cell -= w) {
    cells.push(cell);
    if (kinds[after[cell]] !== kind) return cells;
  }
  return [];
}

/**
 * A character on whole pixels: a scaled or half-pixel glyph would be blurred.
 * @param {Pen} pen
 * @param {string} name
 * @param {number} wide
 * @param {number} tall
 */
function paintCharacter(pen, name, wide, tall) {
  const { character, colour, bold, reverse } = glyph(name);
  pen.fillStyle = reverse ? colour : '#10141d';
  pen.fillRect(0, 0, wide, tall);
  if (character === ' ') return;
  const size = Math.max(4, Math.round(Math.min(tall * 0.9, wide * 1.62)));
  pen.font = `${bold ? 700 : 500} ${size}px ${FIXED_FONT}`;
  pen.fillStyle = reverse ? '#10141d' : colour;
  pen.fillText(
    character,
    Math.round((wide - pen.measureText(character).width) / 2),
    Math.round(tall / 2 + size * 0.34),
  );
}

export class Board {
  /** @type {Record<string, string>} */
  gliding = {}; // sprites of cells that move by a cell -> what they are
  /** @type {Glide[]} */
  glides = []; // on their way now
  glidesFrom = 0;
  ground = ''; // what is seen behind them
  /** @type {string[] | null} */
  kindsOf = null;
  kindsKnown = -1;
  /** @type {number[]} */
  kindList = [];

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {BoardSettings} [given]
   */
  constructor(canvas, { glyphs = {}, theme = 'dark', most = MOST_CELL, boxed = false } = {}) {
    this.canvas = canvas;
    this.holder = /** @type {HTMLElement} */ (canvas.parentElement);
    this.pen = penOf(canvas);
    this.base = document.createElement('canvas');
    this.basePen = penOf(this.base, { alpha: false });
    this.glyphs = glyphs;
    this.most = most;
    this.boxed = boxed;
    this.still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.show = { path: true, heat: true, values: true };
    /** @type {Thoughts} */
    this.thoughts = {};
    /** @type {Mark[]} */
    this.marks = []; // {cell, kind}: where a person may click, what is chosen
    this.cursor = -1;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.atlas = new Map();
    /** @type {Map<string, Moving>} */
    this.things = new Map();
    this.game = '';
    /** @type {string[]} */
    this.names = [];
    /** @type {number[]} */
    this.edges = [];
    /** @type {[string, string]} */
    this.coordinates = ['', ''];
    this.text = this.shapedText = false; // every sprite is a character; and when the shape was chosen
    this.w = this.h = this.cols = this.rows = 0; // in cells: all of the board, and the part shown
    this.wide = this.tall = 0; // pixels of a cell
    this.cells = new Uint16Array(0);
    this.pictured = false; // pictures instead of characters
    /** @type {(Moving & { gone: number })[]} */
    this.leaving = []; // what has left the board and is still seen
    this.tight = this.part = this.moved = this.cursorShown = false;
    this.isDirty = false; // see `dirty`
    this.request = 0;
    this.camera = false; // whether a part may be shown where the whole would be too small
    this.follow = true;
    this.focus = -1;
    this.followed = ''; // what the camera follows where no cell is named
    this.at = { x: 0, y: 0, set: false }; // top left of the part shown, in pixels of the canvas
    /** @type {(() => void) | null} */
    this.onfit = null; // told when it changes whether the whole board can be read
    this.interval = 200; // milliseconds until the next step: no tween lasts longer
    this.brisk = false; // single steps are made by a person, and nothing follows by itself
    this.stats = { frames: 0, applied: 0 };
    this.pal = PALETTES[theme] ?? PALETTES.dark;
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.holder);
    this.onresize = () => this.resize();
    addEventListener('resize', this.onresize);
  }

  // Drawn with the next picture of the screen while it is set. A board at rest asks for no pictures, so that the
  // browser need not paint one before it hands over what the server says.
  get dirty() {
    return this.isDirty;
  }

  set dirty(is) {
    this.isDirty = is;
    if (!is || this.request) return;
    this.request = requestAnimationFrame(() => {
      this.request = 0;
      this.draw();
      if (this.isDirty) this.dirty = true;
    });
  }

  destroy() {
    cancelAnimationFrame(this.request);
    this.watcher.disconnect();
    removeEventListener('resize', this.onresize);
  }

  /** @param {string} theme */
  setTheme(theme) {
    this.pal = PALETTES[theme] ?? PALETTES.dark;
    this.atlas.clear();
    if (this.w) this.repaint();
  }

  /** @param {Pick<Hello, 'w' | 'h' | 'tiles'> & Partial<Hello>} given */
  setup({ w, h, tiles, edges, glyphs, game, look, coordinates, glides, follows }) {
    this.followed = follows ?? '';
    this.gliding = glides?.kinds ?? {};
    this.ground = glides?.ground ?? '';
    this.kindsKnown = -1;
    this.glides = [];
    this.coordinates = coordinates ?? ['', ''];
    const tilesOf = look ?? game ?? ''; // a variant of a game looks like it
    if (tilesOf !== this.game) this.atlas.clear();
    this.game = tilesOf;
    this.names = tiles;
    this.glyphs = glyphs ?? this.glyphs;
    this.text = tiles.length > 0 && tiles.every((name) => name.startsWith('text:'));
    if (!this.shape(w, h)) this.repaint();
    this.edges = edges ?? [];
    this.things.clear();
    this.thoughts = {};
    this.marks = [];
  }

  /**
   * @param {number} w
   * @param {number} h
   */
  shape(w, h) {
    if (this.w === w && this.h === h && this.text === this.shapedText) return false;
    this.shapedText = this.text;
    this.w = w;
    this.h = h;
    this.cells = new Uint16Array(w * h);
    this.resize();
    this.repaint();
    return true;
  }

  resize() {
    if (!this.w) return;
    const place = this.holder;
    const width = place.clientWidth;
    if (!width) return;
    const pictured = this.text && this.pictured && !this.boxed;
    const aspect = this.text && !pictured ? GLYPH_ASPECT : 1;
    const phone = !this.boxed && matchMedia('(max-width: 899px)').matches;
    // On a phone the page scrolls, and the board takes the width; elsewhere its box says how tall it may be.
    const fit = phone
      ? Math.min(width / (this.w * aspect), (innerHeight * 0.72) / this.h)
      : this.fitting(place, width, aspect);
    const tight = (this.camera || (this.boxed && this.text)) && fit < (pictured ? READABLE_PICTURE : READABLE);
    const part = tight && this.follow;
    const css = part
      ? this.boxed
        ? BOXED_CELL
        : pictured
          ? FOLLOW_PICTURE
          : FOLLOW_CELL
      : Math.max(LEAST_CELL, Math.min(this.most, fit < 16 ? fit : Math.floor(fit)));
    const dpr = window.devicePixelRatio || 1;
    const tall = Math.max(2, Math.round(css * dpr));
    const wide = Math.max(2, Math.round(css * aspect * dpr));
    this.cols = part ? Math.min(this.w, Math.floor((width * dpr) / wide)) : this.w;
    place.style.setProperty('--board', `${(wide * this.cols) / dpr}px`); // how tall the lines are depends on it
    const low = phone ? innerHeight * PHONE_PART : this.height(place);
    this.rows = part ? Math.min(this.h, Math.max(5, Math.floor((low * dpr) / tall))) : this.h;
    if (tight !== this.tight || part !== this.part) {
      this.tight = tight;
      this.part = part;
      this.at = { x: 0, y: 0, set: false };
      this.onfit?.();
    }
    const same =
      tall === this.tall &&
      wide === this.wide &&
      this.base.width === wide * this.w &&
      this.base.height === tall * this.h;
    if (same && this.canvas.width === wide * this.cols && this.canvas.height === tall * this.rows) return;
    this.canvas.style.width = `${(wide * this.cols) / dpr}px`;
    this.canvas.style.height = `${(tall * this.rows) / dpr}px`;
    this.canvas.width = wide * this.cols;
    this.canvas.height = tall * this.rows;
    place.style.setProperty('--board-tall', `${(tall * this.rows) / dpr}px`);
    this.dirty = true;
    if (same) return;
    this.tall = tall;
    this.wide = wide;
    this.base.width = wide * this.w;
    this.base.height = tall * this.h;
    this.atlas.clear();
    this.repaint();
  }

  /**
   * How tall a cell may be. The letters of a screen's lines grow with the board, so sizes are tried from the largest
   * down, whatever the size is now: else two of them could follow each other for ever.
   * @param {HTMLElement} place
   * @param {number} width
   * @param {number} aspect
   */
  fitting(place, width, aspect) {
    const widest = width / (this.w * aspect);
    if (!this.text) return Math.min(widest, this.height(place) / this.h);
    const dpr = window.devicePixelRatio || 1; // a cell has whole pixels
    let tall = Math.floor(Math.min(widest, this.most, this.room(place) / this.h || 1e6) * dpr);
    for (; tall > LEAST_CELL * dpr; tall -= 1) {
      const wide = Math.round(tall * aspect);
      place.style.setProperty('--board', `${(wide * this.w) / dpr}px`);
      if (wide * this.w <= width * dpr && (tall * this.h) / dpr <= this.height(place)) break;
    }
    return tall / dpr;
  }

  /**
   * How tall the board itself may be.
   * @param {HTMLElement} place
   */
  height(place) {
    return this.room(place) - this.beside(place, this.canvas) || 1e6;
  }

  /**
   * How tall the board may be with its lines: as its stage may grow, or as it is where it does not.
   * @param {HTMLElement} place
   */
  room(place) {
    const most = parseFloat(getComputedStyle(/** @type {HTMLElement} */ (place.parentElement)).maxHeight);
    return Number.isFinite(most)
      ? most - this.beside(/** @type {HTMLElement} */ (place.parentElement), place)
      : place.clientHeight;
  }

  /**
   * How much height the other children of `place` take, with the gaps between them.
   * @param {HTMLElement} place
   * @param {HTMLElement} child
   */
  beside(place, child) {
    const gap = parseFloat(getComputedStyle(place).rowGap) || 0;
    const others = /** @type {HTMLElement[]} */ ([...place.children]).filter(
      (other) => other !== child && other.getClientRects().length && getComputedStyle(other).position !== 'absolute',
    );
    return others.reduce((sum, other) => sum + other.offsetHeight + gap, 0);
  }

  /**
   * Show characters as pictures of what they stand for.
   * @param {boolean} on
   */
  setPictured(on) {
    this.pictured = on;
    this.atlas.clear();
    this.resize();
    this.repaint();
  }

  /** @param {boolean} on */
  setFollow(on) {
    this.follow = on;
    this.moved = false;
    this.resize();
    this.dirty = true;
  }

  /**
   * Move the part shown by hand, in pixels of the page; it then stays until it is told to follow again.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    if (!this.part) return;
    const dpr = window.devicePixelRatio || 1;
    this.moved = true;
    this.at = { ...this.within(this.at.x - dx * dpr, this.at.y - dy * dpr), set: true };
    this.dirty = true;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  within(x, y) {
    /**
     * @param {number} size
     * @param {number} shown
     */
    const most = (size, shown) => Math.max(0, size - shown);
    return {
      x: Math.min(Math.max(0, x), most(this.base.width, this.canvas.width)),
      y: Math.min(Math.max(0, y), most(this.base.height, this.canvas.height)),
    };
  }

  /**
   * Bring the one followed into the middle part of the window; whether the camera has to move on.
   * @param {number} now
   */
  aim(now) {
    if (!this.part || this.moved) return false;
    const hero = this.things.get(this.followed);
    if (this.focus < 0 && !hero) return false;
    const [x, y] =
      hero && this.focus < 0 ? this.place(hero, now) : [this.focus % this.w, Math.floor(this.focus / this.w)];
    const { width, height } = this.canvas;
    /**
     * @param {number} at
     * @param {number} point
     * @param {number} size
     */
    const pull = (at, point, size) => Math.min(Math.max(at, point - size * (1 - FREE_PART)), point - size * FREE_PART);
    const middle = [(x + 0.5) * this.wide, (y + 0.5) * this.tall];
    const wish = this.at.set
      ? this.within(pull(this.at.x, middle[0], width), pull(this.at.y, middle[1], height))
      : this.within(middle[0] - width / 2, middle[1] - height / 2);
    const [dx, dy] = [wish.x - this.at.x, wish.y - this.at.y];
    const jump = !this.at.set || this.still || Math.abs(dx) > width || Math.abs(dy) > height;
    const near = Math.abs(dx) < 1 && Math.abs(dy) < 1;
    const step = jump || near ? 1 : CAMERA_EASE;
    this.at = { x: this.at.x + dx * step, y: this.at.y + dy * step, set: true };
    return step !== 1;
  }

  /**
   * @param {string} name
   * @param {number} [variant]
   * @param {number} [dx]
   * @param {number} [dy]
   * @param {boolean} [moving]
   */
  sprite(name, variant = 0, dx = 0, dy = 0, moving = false) {
    const key = `${name}|${variant}|${dx}|${dy}|${moving}`;
    let picture = this.atlas.get(key);
    if (picture) return picture;
    picture = document.createElement('canvas');
    picture.width = this.wide;
    picture.height = this.tall;
    const pen = penOf(picture);
    if (this.text && name.startsWith('text:')) {
      if (this.pictured && !this.boxed) {
        pen.scale(this.tall, this.tall);
        paintPicture(pen, glyph(name));
      } else paintCharacter(pen, name, this.wide, this.tall);
      this.atlas.set(key, picture);
      return picture;
    }
    pen.scale(this.tall, this.tall);
    paintSprite(
      pen,
      name,
      { variant, dx, dy, pal: this.pal },
      { moving, game: this.game, glyphs: this.glyphs, aspect: this.wide / this.tall },
    );
    this.atlas.set(key, picture);
    return picture;
  }

  /** @param {number} cell */
  paint(cell) {
    const x = cell % this.w;
    const y = (cell / this.w) | 0;
    this.basePen.drawImage(
      this.sprite(this.names[this.cells[cell]] ?? 'unknown', ((x + y) % 2) + 2 * ((x * 7 + y * 13) % 2)),
      x * this.wide,
      y * this.tall,
    );
  }

  repaint() {
    if (!this.wide) return;
    for (let cell = 0; cell < this.cells.length; cell++) this.paint(cell);
    this.dirty = true;
  }

  /**
   * Show a position. `smooth` moves things from where they are seen now; otherwise they jump.
   * @param {Position} given
   * @param {boolean} [smooth]
   */
  apply({ cells, things, edges, thoughts, focus, cursor }, smooth = true) {
    this.focus = focus ?? -1;
    this.cursorShown = Boolean(cursor);
    this.glides = smooth && !this.still ? glidesBetween(this.cells, cells, this.w, this.kinds()) : [];
    const now = performance.now();
    this.glidesFrom = now;
    for (let i = 0; i < cells.length; i++) {
      if (this.cells[i] !== cells[i]) {
        this.cells[i] = cells[i];
        if (this.wide) this.paint(i);
      }
    }
    if (edges) this.edges = edges;
    const seen = new Set();
    for (const [id, name, col, row, dx, dy, px = 0, py = 0] of things) {
      const [x, y] = [col + px, row + py];
      const old = this.things.get(id);
      const [fx, fy] = old && smooth ? this.place(old, now) : [x, y];
      const near = Math.abs(x - fx) + Math.abs(y - fy) <= 1;
      const way = motion(x - fx, y - fy, near ? this.stepMs : this.interval, old !== undefined && isOnward(old, x, y));
      this.things.set(id, { name, x, y, dx, dy, fx, fy, began: now, ...way });
      seen.add(id);
    }
    for (const [id, thing] of this.things) {
      if (seen.has(id)) continue;
      this.things.delete(id);
      if (smooth && !this.still) this.leaving.push({ ...thing, gone: now });
    }
    this.thoughts = thoughts ?? {};
    this.dirty = true;
    this.stats.applied++;
  }

  /**
   * @param {Moving} thing
   * @param {number} now
   */
  place(thing, now) {
    const part = this.still || thing.lasts <= 0 ? 1 : Math.min(1, (now - thing.began) / thing.lasts);
    const eased = EASES[thing.ease](part);
    return [thing.fx + (thing.x - thing.fx) * eased, thing.fy + (thing.y - thing.fy) * eased];
  }

  // Milliseconds that a step to the neighbour is seen to take at most.
  get stepMs() {
    return this.brisk ? Math.min(this.interval, BRISK_MS) : this.interval;
  }

  /**
   * Change one thing about what is shown.
   * @param {string} name
   * @param {unknown} value
   */
  set(name, value) {
    Object.assign(this, { [name]: value });
    this.dirty = true;
  }

  draw() {
    if (!this.w || !this.wide || !this.dirty) return;
    const now = performance.now();
    const { pen, wide, tall } = this;
    let moving = this.aim(now);
    const x = Math.round(this.at.x);
    const y = Math.round(this.at.y);
    const { width, height } = this.canvas;
    pen.setTransform(1, 0, 0, 1, -x, -y);
    pen.drawImage(this.base, x, y, width, height, x, y, width, height);
    this.drawHeat();
    this.drawCoordinates();
    if (this.edges.length) this.drawEdges();
    this.drawMarks(false);
    if (this.drawGlides(now)) moving = true;
    for (const thing of this.things.values()) {
      const [x, y] = this.place(thing, now);
      if (x !== thing.x || y !== thing.y) moving = true;
      pen.drawImage(this.sprite(thing.name, 0, Math.sign(thing.dx), Math.sign(thing.dy), true), x * wide, y * tall);
    }
    if (this.drawLeaving(now)) moving = true;
    this.drawPath();
    this.drawValues();
    this.drawMarks(true);
    if (this.cursorShown && this.text && this.focus >= 0) {
      pen.fillStyle = '#ffe27a';
      pen.fillRect(
        (this.focus % this.w) * wide,
        (Math.floor(this.focus / this.w) + 1) * tall - Math.max(1, Math.round(tall * 0.1)),
        wide,
        Math.max(1, Math.round(tall * 0.1)),
      );
    }
    this.stats.frames++;
    this.dirty = moving;
  }

  // What each tile is for the eye that follows it: 0 for what does not glide.
  kinds() {
    if (this.kindsOf !== this.names || this.kindsKnown !== this.names.length) {
      this.kindsOf = this.names;
      this.kindsKnown = this.names.length;
      const names = [...new Set(Object.values(this.gliding))];
      this.kindList = this.names.map((name) => names.indexOf(this.gliding[name]) + 1);
    }
    return this.kindList;
  }

  /**
   * Cells whose content has moved by one are seen on their way; return true while there are any.
   * @param {number} now
   */
  drawGlides(now) {
    const lasts = Math.min(this.stepMs, MOST_GLIDE_MS);
    const part = lasts > 0 ? (now - this.glidesFrom) / lasts : 1;
    if (part >= 1) this.glides = [];
    const { pen, wide, tall, w } = this;
    for (const { to } of this.glides) {
      const [x, y] = [to % w, (to / w) | 0];
      pen.drawImage(this.sprite(this.ground, ((x + y) % 2) + 2 * ((x * 7 + y * 13) % 2)), x * wide, y * tall);
    }
    for (const { from, to } of this.glides) {
      const [x, y] = [to % w, (to / w) | 0];
      const [dx, dy] = [(from % w) - x, ((from / w) | 0) - y];
      const left = 1 - part;
      const tile = this.sprite(this.names[this.cells[to]] ?? 'unknown', ((x + y) % 2) + 2 * ((x * 7 + y * 13) % 2));
      pen.drawImage(tile, (x + dx * left) * wide, (y + dy * left) * tall);
    }
    return this.glides.length > 0;
  }

  /**
   * What has left the board shrinks and fades; return true while there is any.
   * @param {number} now
   */
  drawLeaving(now) {
    this.leaving = this.leaving.filter(({ gone }) => now - gone < Math.min(VANISH_MS, this.interval * 2));
    const { pen, wide, tall } = this;
    for (const thing of this.leaving) {
      const part = Math.min(1, (now - thing.gone) / Math.min(VANISH_MS, this.interval * 2));
      pen.save();
      pen.globalAlpha = 1 - part * part;
      pen.translate((thing.x + 0.5) * wide, (thing.y + 0.5) * tall);
      pen.rotate(part * 1.2);
      pen.scale(1 - 0.8 * part, 1 - 0.8 * part);
      pen.drawImage(this.sprite(thing.name, 0, 0, 0, true), -wide / 2, -tall / 2);
      pen.restore();
    }
    return this.leaving.length > 0;
  }

  /** @param {number} cell */
  centre(cell) {
    return [((cell % this.w) + 0.5) * this.wide, (((cell / this.w) | 0) + 0.5) * this.tall];
  }

  // Names of columns and rows, small, in the cells at the rim.
  drawCoordinates() {
    const [columns, rows] = this.coordinates ?? ['', ''];
    if (!columns || this.boxed || this.tall < COORDINATES_FROM) return;
    const { pen, wide, tall } = this;
    pen.font = `600 ${Math.round(tall * 0.17)}px system-ui, sans-serif`;
    pen.fillStyle = this.pal.coordinate;
    pen.textAlign = 'right';
    pen.textBaseline = 'bottom';
    [...columns].forEach((letter, x) => pen.fillText(letter, (x + 0.94) * wide, (this.h - 0.03) * tall));
    pen.textAlign = 'left';
    pen.textBaseline = 'top';
    [...rows].forEach((letter, y) => pen.fillText(letter, 0.06 * wide, (y + 0.06) * tall));
  }

  drawEdges() {
    const { pen, wide, tall } = this;
    pen.strokeStyle = this.pal.edge;
    pen.lineCap = 'round';
    pen.lineWidth = Math.max(1.5, tall * 0.11);
    pen.beginPath();
    this.edges.forEach((sides, cell) => {
      if (!sides) return;
      const x = (cell % this.w) * wide;
      const y = ((cell / this.w) | 0) * tall;
      if (sides & 1) {
        pen.moveTo(x, y);
        pen.lineTo(x + wide, y);
      }
      if (sides & 2) {
        pen.moveTo(x + wide, y);
        pen.lineTo(x + wide, y + tall);
      }
      if (sides & 4) {
        pen.moveTo(x, y + tall);
        pen.lineTo(x + wide, y + tall);
      }
      if (sides & 8) {
        pen.moveTo(x, y);
        pen.lineTo(x, y + tall);
      }
    });
    pen.stroke();
  }

  // Danger: a violet veil with hatching, to be seen over brown and blue alike, and without colour.
  drawHeat() {
    const heat = this.thoughts.heat;
    if (!this.show.heat || !heat) return;
    const { pen, wide, tall } = this;
    for (let cell = 0; cell < heat.length; cell++) {
      if (heat[cell] <= 8) continue;
      const x = (cell % this.w) * wide;
      const y = ((cell / this.w) | 0) * tall;
      const strength = heat[cell] / 255;
      pen.fillStyle = `rgba(226, 40, 160, ${0.1 + 0.4 * strength})`;
      pen.fillRect(x, y, wide, tall);
      pen.strokeStyle = `rgba(255, 190, 235, ${0.15 + 0.6 * strength})`;
      pen.lineWidth = Math.max(1, tall * 0.05);
      pen.beginPath();
      for (const part of strength > 0.5 ? [0.25, 0.75] : [0.5]) {
        pen.moveTo(x + wide * part - wide * 0.2, y + tall * 0.8);
        pen.lineTo(x + wide * part + wide * 0.2, y + tall * 0.2);
      }
      pen.stroke();
    }
  }

  /**
   * Return true if a line between two cells of a path goes where somebody can walk: along a row or a column, or to a
   * neighbour where characters step across corners.
   * @param {number} from
   * @param {number} to
   */
  isStraight(from, to) {
    const [dx, dy] = [
      Math.abs((to % this.w) - (from % this.w)),
      Math.abs(Math.floor(to / this.w) - Math.floor(from / this.w)),
    ];
    return dx === 0 || dy === 0 || (this.text && dx === 1 && dy === 1);
  }

  drawPath() {
    const path = this.thoughts.path;
    if (!this.show.path || !path?.length) return;
    const { pen, tall } = this;
    const points = path.map((cell) => this.centre(cell));
    const trace = () => {
      pen.beginPath();
      points.forEach(([x, y], i) => (i && this.isStraight(path[i - 1], path[i]) ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.stroke();
    };
    pen.lineJoin = pen.lineCap = 'round';
    pen.strokeStyle = 'rgba(12, 17, 25, .75)';
    pen.lineWidth = Math.max(3, tall * 0.2);
    trace();
    pen.setLineDash([tall * 0.28, tall * 0.24]);
    pen.strokeStyle = '#ffe27a';
    pen.lineWidth = Math.max(1.5, tall * 0.11);
    trace();
    pen.setLineDash([]);
    const [x, y] = points[points.length - 1];
    pen.beginPath();
    pen.arc(x, y, tall * 0.2, 0, Math.PI * 2);
    pen.fillStyle = '#ffe27a';
    pen.fill();
    pen.lineWidth = Math.max(1, tall * 0.06);
    pen.strokeStyle = 'rgba(12, 17, 25, .9)';
    pen.stroke();
  }

  /**
   * One more cell of a value that is written elsewhere.
   * @param {number} x
   * @param {number} y
   */
  drawDot(x, y) {
    const { pen, tall } = this;
    pen.beginPath();
    pen.arc(x, y, Math.max(1.5, tall * 0.09), 0, Math.PI * 2);
    pen.fillStyle = '#fff';
    pen.fill();
    pen.lineWidth = Math.max(1, tall * 0.05);
    pen.strokeStyle = 'rgba(12, 17, 25, .85)';
    pen.stroke();
  }

  drawValues() {
    if (!this.show.values || !this.thoughts.values) return;
    const { pen, tall } = this;
    const last = new Map(this.thoughts.values.map(([cell, words]) => [words, cell])); // where each of them ends
    const many = this.thoughts.values.length - last.size;
    for (const [cell, words] of this.thoughts.values) {
      const [x, y] = this.centre(cell);
      if (many && last.get(words) !== cell) {
        this.drawDot(x, y);
        continue;
      }
      const size = Math.min(tall * 0.44, (tall * 1.5) / Math.max(1, words.length));
      pen.font = `700 ${size}px "DejaVu Sans Mono", ui-monospace, monospace`;
      pen.textAlign = 'center';
      pen.textBaseline = 'middle';
      pen.lineWidth = Math.max(2, tall * 0.14);
      pen.lineJoin = 'round';
      pen.strokeStyle = 'rgba(12, 17, 25, .85)';
      pen.strokeText(words, x, y);
      pen.fillStyle = '#fff';
      pen.fillText(words, x, y);
    }
  }

  /** @param {boolean} above */
  drawMarks(above) {
    const { pen, wide, tall } = this;
    for (const { cell, kind, text } of this.marks) {
      const [x, y] = this.centre(cell);
      if (kind === 'chosen' && !above) {
        pen.strokeStyle = '#ffe27a';
        pen.lineWidth = Math.max(2, tall * 0.09);
        pen.strokeRect(x - wide * 0.46, y - tall * 0.46, wide * 0.92, tall * 0.92);
      } else if (kind === 'target' && above) {
        pen.beginPath();
        pen.arc(x, y, tall * 0.17, 0, Math.PI * 2);
        pen.fillStyle = 'rgba(255, 226, 122, .92)';
        pen.fill();
        pen.lineWidth = Math.max(1, tall * 0.05);
        pen.strokeStyle = 'rgba(12, 17, 25, .9)';
        pen.stroke();
        if (text) {
          pen.font = `800 ${tall * 0.26}px ui-sans-serif, system-ui, sans-serif`;
          pen.textAlign = 'center';
          pen.textBaseline = 'middle';
          pen.fillStyle = '#141821';
          pen.fillText(text, x, y + tall * 0.01);
        }
      }
    }
    if (above && this.cursor >= 0) {
      const [x, y] = this.centre(this.cursor);
      pen.setLineDash([tall * 0.2, tall * 0.12]);
      pen.strokeStyle = '#ff8562';
      pen.lineWidth = Math.max(2, tall * 0.08);
      pen.strokeRect(x - wide * 0.48, y - tall * 0.48, wide * 0.96, tall * 0.96);
      pen.setLineDash([]);
    }
  }

  /** @param {{ clientX: number, clientY: number }} event */
  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const inside =
      event.clientX >= box.left && event.clientX < box.right && event.clientY >= box.top && event.clientY < box.bottom;
    if (!inside) return -1;
    const x = Math.floor(
      (((event.clientX - box.left) / box.width) * this.canvas.width + Math.round(this.at.x)) / this.wide,
    );
    const y = Math.floor(
      (((event.clientY - box.top) / box.height) * this.canvas.height + Math.round(this.at.y)) / this.tall,
    );
    return x >= 0 && y >= 0 && x < this.w && y < this.h ? y * this.w + x : -1;
  }
}
