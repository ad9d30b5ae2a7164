// What an agent wants and remembers, beside the board: its bids as a ranked list, its memory as a small map and a list
// of places. Any agent that tells them gets this panel.
import { penOf } from './board.js';
import { h, t, themeNow } from './dom.js';

const CELL = 4; // pixels of the page
const TALL = 7; // the map has the shape of a terminal's
const FIRST_LETTER = 65; // a whole memory is one string, a letter a cell
// How each role of a cell is painted: colours for dark and light, and a mark that tells it without colour.
/** @type {Record<string, [dark: string, light: string, mark: string]>} */
const ROLES = {
  blank: ['#0c111a', '#ebe7de', ''],
  solid: ['#3d4a61', '#b9b2a4', ''],
  open: ['#5c7394', '#fbfaf7', ''],
  covered: ['#5c7394', '#fbfaf7', 'slash'],
  done: ['#86a3c9', '#d4e0ef', ''],
  edge: ['#0c111a', '#ffffff', 'ring'],
  door: ['#c08a4e', '#9a6427', 'bar'],
  shut: ['#c08a4e', '#9a6427', 'cross'],
  up: ['#6ddc9c', '#176b3c', 'up'],
  down: ['#ffe27a', '#8a5a00', 'down'],
  danger: ['#ff7d7d', '#b02323', 'x'],
  avoid: ['#4a3f6b', '#cfc2ec', 'slash'],
  worked: ['#3d4a61', '#b9b2a4', 'dot'],
  worn: ['#3d4a61', '#b9b2a4', 'dots'],
};
/** @type {Record<string, [dark: string, light: string]>} */
const INK = {
  ring: ['#ff9272', '#b8451f'],
  dot: ['#ffe27a', '#5b3d00'],
  dots: ['#ffe27a', '#5b3d00'],
  slash: ['#b9a8ea', '#54408e'],
};

export class Mind {
  constructor() {
    /** @type {Bid[]} */
    this.bids = [];
    /** @type {Place[]} */
    this.known = [];
    /** @type {Bid[]} */
    this.shownBids = [];
    /** @type {Place[]} */
    this.shownPlaces = [];
    this.legendKey = '';
    this.legendTheme = -1;
    this.needs = h('ol', { class: 'needs' });
    this.map = h('canvas', { class: 'memory-map', role: 'img' });
    this.legend = h('ul', { class: 'legend', 'aria-hidden': 'true' });
    this.places = h('ul', { class: 'places' });
    this.wants = h('div', { hidden: true }, h('h3', {}, t('mind_needs')), this.needs);
    this.remembers = h('div', { hidden: true }, h('h3', {}, t('mind_memory')), this.map, this.legend, this.places);
    this.element = h('div', { class: 'mind', hidden: true }, this.wants, this.remembers);
  }

  /**
   * Lists come as differences: resolved on arrival, so that steps without news share one list.
   * @param {FrameMessage} given
   */
  note({ o }) {
    if (!o) return;
    if (o.bids) this.bids = o.bids = patched(this.bids, o.bids);
    if (o.memory) this.known = o.memory.places = patched(this.known, o.memory.places);
  }

  /**
   * What was told with frame `at`.
   * @param {import('./recording.js').Recording} recording
   * @param {number} at
   */
  show(recording, at) {
    const told = recording.frames[at]?.o;
    const memory = told?.memory ? remembered(recording, at) : null;
    this.element.hidden = !told?.bids && !memory;
    this.wants.hidden = !told?.bids;
    this.remembers.hidden = !memory;
    if (Array.isArray(told?.bids) && told.bids !== this.shownBids) this.showNeeds(told.bids);
    if (memory) this.showMemory(memory);
  }

  /** @param {Bid[]} bids */
  showNeeds(bids) {
    this.shownBids = bids;
    const most = Math.max(1, ...bids.map(([, priority]) => priority));
    this.needs.replaceChildren(
      ...bids.map(([name, priority, words, state]) => {
        const bar = h('span', { class: 'need-bar', 'aria-hidden': 'true' });
        bar.style.setProperty('--share', `${(100 * priority) / most}%`);
        const said = words && (state === 'acts' || state === 'spoke') ? words : t(`need_${state}`);
        const now = state === 'acts';
        return h(
          'li',
          { class: `need ${state}`, 'aria-current': now ? 'true' : undefined },
          h('span', { class: 'need-mark', 'aria-hidden': 'true' }, now ? '▶' : state === 'spoke' ? '…' : ''),
          h('span', { class: 'need-name' }, name),
          bar,
          h('span', { class: 'need-size' }, String(priority)),
          h('span', { class: 'need-words' }, now ? h('b', {}, t('need_acts')) : null, now ? ` ${said}` : said),
        );
      }),
    );
  }

  /** @param {Remembered} given */
  showMemory({ w, h: rows, kinds, cells, places }) {
    const counts = new Array(kinds.length).fill(0);
    for (const kind of cells) counts[kind]++;
    const theme = themeNow() === 'light' ? 1 : 0;
    this.drawMap(w, rows, kinds, cells, theme);
    const told = kinds
      .map(([name, role], kind) => ({ name, role, count: counts[kind] }))
      .filter(({ role, count }) => count && role !== 'blank');
    const key = told.map(({ name, count }) => `${name} ${count}`).join(', ');
    if (key !== this.legendKey || theme !== this.legendTheme) {
      this.legendKey = key;
      this.legendTheme = theme;
      this.map.setAttribute('aria-label', t('memory_label', { words: key }));
      this.legend.replaceChildren(
        ...told.map(({ name, role, count }) => h('li', {}, swatch(role, theme), `${name} ${count}`)),
      );
    }
    if (places !== this.shownPlaces) {
      this.shownPlaces = places;
      this.places.replaceChildren(
        ...places.map(([name, words, here]) =>
          h(
            'li',
            { 'aria-current': here ? 'location' : undefined },
            h('b', {}, here ? t('place_here', { name }) : name),
            h('span', {}, words),
          ),
        ),
      );
    }
  }

  /**
   * @param {number} w
   * @param {number} rows
   * @param {Kind[]} kinds
   * @param {Uint8Array} cells
   * @param {number} theme
   */
  drawMap(w, rows, kinds, cells, theme) {
    const dpr = window.devicePixelRatio || 1;
    const [wide, tall] = [Math.round(CELL * dpr), Math.round(TALL * dpr)];
    if (this.map.width !== w * wide || this.map.height !== rows * tall) {
      this.map.width = w * wide;
      this.map.height = rows * tall;
    }
    const pen = penOf(this.map, { alpha: false });
    cells.forEach((kind, cell) =>
      paintCell(pen, kinds[kind]?.[1], (cell % w) * wide, Math.floor(cell / w) * tall, wide, tall, theme),
    );
  }
}

/**
 * A list after a change.
 * @template Entry
 * @param {Entry[]} before
 * @param {Patch<Entry>} change
 * @returns {Entry[]}
 */
function patched(before, change) {
  if (Array.isArray(change)) return change;
  if (!change?.d?.length) return before ?? [];
  const list = [...(before ?? [])];
  for (const [index, entry] of change.d) list[index] = entry;
  return list;
}

/**
 * The whole memory at a frame: back to the last whole one, then the differences since.
 * @param {import('./recording.js').Recording} recording
 * @param {number} at
 * @returns {Remembered | null}
 */
function remembered(recording, at) {
  const { frames } = recording;
  let from = at;
  while (from >= 0 && !frames[from]?.o?.memory?.k) from--;
  const { w = 0, h: rows = 0, kinds = [], k = '' } = frames[from]?.o?.memory ?? {};
  if (!k) return null;
  const cells = Uint8Array.from(k, (letter) => letter.charCodeAt(0) - FIRST_LETTER);
  for (let i = from + 1; i <= at; i++) {
    const changes = frames[i]?.o?.memory?.d ?? [];
    for (let j = 0; j < changes.length; j += 2) cells[changes[j]] = changes[j + 1];
  }
  return { w, h: rows, kinds, cells, places: patched([], frames[at]?.o?.memory?.places ?? []) };
}

/**
 * @param {string} role
 * @param {number} theme
 */
function swatch(role, theme) {
  const picture = h('canvas', { width: 12, height: 14 });
  paintCell(penOf(picture), role, 0, 0, 12, 14, theme);
  return picture;
}

/**
 * @param {Pen} pen
 * @param {string | undefined} role
 * @param {number} x
 * @param {number} y
 * @param {number} wide
 * @param {number} tall
 * @param {number} theme
 */
function paintCell(pen, role, x, y, wide, tall, theme) {
  const look = ROLES[role ?? ''] ?? ROLES.open;
  pen.fillStyle = look[theme];
  pen.fillRect(x, y, wide, tall);
  const mark = look[2];
  if (!mark) return;
  const line = Math.max(1, Math.round(wide / 5));
  pen.fillStyle = pen.strokeStyle = INK[mark]?.[theme] ?? (theme ? '#ffffff' : '#0c111a');
  pen.lineWidth = line;
  const [middle, centre] = [x + wide / 2, y + tall / 2];
  pen.beginPath();
  if (mark === 'ring') pen.strokeRect(x + line / 2, y + line / 2, wide - line, tall - line);
  else if (mark === 'bar') pen.fillRect(x + wide / 2 - line / 2, y, line, tall);
  else if (mark === 'cross') {
    pen.fillRect(x, centre - line / 2, wide, line);
    pen.fillRect(middle - line / 2, y, line, tall);
  } else if (mark === 'dot') pen.fillRect(middle - line / 2, centre - line / 2, line, line);
  else if (mark === 'dots') {
    pen.fillRect(middle - line / 2, y + tall / 4 - line / 2, line, line);
    pen.fillRect(middle - line / 2, y + (3 * tall) / 4 - line / 2, line, line);
  } else if (mark === 'x' || mark === 'slash') {
    pen.moveTo(x, y + tall);
    pen.lineTo(x + wide, y);
    if (mark === 'x') {
      pen.moveTo(x, y);
      pen.lineTo(x + wide, y + tall);
    }
    pen.stroke();
  } else {
    const tip = mark === 'up' ? y + tall * 0.15 : y + tall * 0.85;
    const foot = mark === 'up' ? y + tall * 0.85 : y + tall * 0.15;
    pen.moveTo(middle, tip);
    pen.lineTo(x + wide, foot);
    pen.lineTo(x, foot);
    pen.fill();
  }
}
