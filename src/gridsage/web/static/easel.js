// A board to paint on by mouse, finger or keyboard. It knows a level only as a drawing; a stroke is one change.
import { Board, lookOf } from './board.js';
import { read } from './drawing.js';
import { boardTheme, h, say, t } from './dom.js';

const SIDES = ['N', 'E', 'S', 'W'];
const SIDE_WAYS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];
/** @type {Record<string, [down: number, across: number]>} */
const KEY_WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
export const TOOLS = ['pencil', 'box', 'fill', 'pick', 'erase'];
/** @type {Record<string, string>} */
const TOOL_KEYS = { b: 'pencil', r: 'box', f: 'fill', p: 'pick', x: 'erase' };
/** @type {Tile} */
export const MISSION = { sign: '!', sprite: 'target-any-plain', name: 'mission', group: 'walls' };

// A board that also shows what is under the pointer, what is wrong, and the rectangle that is being drawn.
class MarkedBoard extends Board {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {BoardSettings} [settings]
   */
  constructor(canvas, settings) {
    super(canvas, settings);
    /** @type {number[]} */
    this.faults = [];
    this.hover = -1;
    this.side = '';
    this.corner = -1;
  }

  /** @param {boolean} above */
  drawMarks(above) {
    super.drawMarks(above);
    if (!above) return;
    const { pen, wide, tall } = this;
    const size = this.w * this.h;
    for (const cell of this.faults) {
      if (cell >= size) continue;
      const [x, y] = this.centre(cell);
      const [left, top] = [x - wide / 2, y - tall / 2];
      pen.fillStyle = 'rgba(214, 40, 40, .3)';
      pen.fillRect(left, top, wide, tall);
      for (const [colour, width] of /** @type {[string, number][]} */ ([
        ['#fff', Math.max(3, tall * 0.14)],
        ['#d62828', Math.max(1.5, tall * 0.08)],
      ])) {
        pen.strokeStyle = colour;
        pen.lineWidth = width;
        pen.strokeRect(left + width / 2, top + width / 2, wide - width, tall - width);
        this.cross(left + wide * 0.55, top + tall * 0.05, 0.4);
      }
    }
    for (const cell of [this.corner, this.hover]) {
      if (cell < 0 || cell >= size) continue;
      const [x, y] = this.centre(cell);
      if (this.side && cell === this.hover) this.drawSide(x, y);
      else {
        pen.lineWidth = Math.max(1.5, tall * 0.07);
        pen.strokeStyle = 'rgba(12, 17, 25, .8)';
        pen.strokeRect(x - wide * 0.5, y - tall * 0.5, wide, tall);
        pen.strokeStyle = '#fff';
        pen.strokeRect(x - wide * 0.44, y - tall * 0.44, wide * 0.88, tall * 0.88);
      }
    }
  }

  /**
   * @param {number} left
   * @param {number} top
   * @param {number} size
   */
  cross(left, top, size) {
    const { pen, wide, tall } = this;
    pen.beginPath();
    for (const [a, b] of [
      [0.25, 0.75],
      [0.75, 0.25],
    ]) {
      pen.moveTo(left + wide * size * 0.25, top + tall * size * a);
      pen.lineTo(left + wide * size * 0.75, top + tall * size * b);
    }
    pen.stroke();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  drawSide(x, y) {
    const { pen, wide, tall } = this;
    const [dx, dy] = SIDE_WAYS[SIDES.indexOf(this.side)];
    pen.strokeStyle = '#fff';
    pen.lineWidth = Math.max(3, tall * 0.16);
    pen.lineCap = 'round';
    pen.beginPath();
    pen.moveTo(x + (dx * wide) / 2 - (dy * wide) / 2, y + (dy * tall) / 2 - (dx * tall) / 2);
    pen.lineTo(x + (dx * wide) / 2 + (dy * wide) / 2, y + (dy * tall) / 2 + (dx * tall) / 2);
    pen.stroke();
  }
}

export class Easel {
  /**
   * changed(text, part): a stroke is done; at(cell): where the pointer or the cursor is; picked(tile), tool(name).
   * @param {Room} room
   * @param {EaselTold} given
   */
  constructor(room, { changed, at, picked, tool }) {
    this.room = room;
    this.sheet = /** @type {Sheet} */ (room.sheet);
    this.changed = changed;
    this.at = at;
    this.picked = picked;
    this.toolChosen = tool;
    this.text = '';
    this.part = 0;
    /** @type {Drawn | null} */
    this.drawing = null;
    /**
     * What is being painted while the button is down.
     * @type {{ tool: string, tile: Tile, erasing: boolean, from: number, last: number, drawing: Drawn, on?: boolean } | null}
     */
    this.stroke = null;
    this.tiles =
      this.sheet.form === 'walled'
        ? [...this.sheet.tiles.slice(0, 3), MISSION, ...this.sheet.tiles.slice(3)]
        : this.sheet.tiles;
    this.brush = this.tiles[1];
    this.tool = 'pencil';
    /** @type {string[]} */
    this.names = []; // sprites by number; it only grows, so that painted cells stay right
    this.canvas = h('canvas', {
      tabindex: '0',
      role: 'application',
      'aria-label': t('easel'),
      'aria-describedby': 'easel-keys',
    });
    this.stage = h('div', { class: 'stage easel' }, h('div', { class: 'screen' }, this.canvas));
    this.board = new MarkedBoard(this.canvas, { theme: boardTheme() });
    if (room.size) this.board.shape(...room.size); // its place stays free until the level comes
    this.onTheme = () => this.board.setTheme(boardTheme());
    addEventListener('gridsage-theme', this.onTheme);
    this.canvas.addEventListener('pointerdown', (event) => this.press(event));
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', () => this.release());
    this.canvas.addEventListener('pointercancel', () => this.drop());
    this.canvas.addEventListener('pointerleave', () => {
      if (!this.stroke) this.point(-1);
    });
    this.canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    this.canvas.addEventListener('keydown', (event) => this.key(event));
  }

  destroy() {
    this.board.destroy();
    removeEventListener('gridsage-theme', this.onTheme);
  }

  /**
   * Show a text; false when it cannot be drawn on.
   * @param {string} text
   * @param {number} [part]
   */
  show(text, part = 0) {
    this.stroke = null;
    this.text = text;
    this.drawing = read(text, this.sheet, part);
    this.part = this.drawing.part;
    this.canvas.classList.toggle('undrawable', !this.drawing.drawable);
    if (this.drawing.drawable) this.render(this.drawing);
    return this.drawing.drawable;
  }

  /** @param {Drawn} drawing */
  render(drawing) {
    const { board } = this;
    const { cells, things, edges } = drawing.picture;
    for (const name of cells) if (!this.names.includes(name)) this.names.push(name);
    if (board.w !== drawing.cols || board.h !== drawing.rows || !board.game)
      board.setup({ w: drawing.cols, h: drawing.rows, tiles: this.names, edges, game: lookOf(this.room) });
    board.names = this.names;
    if (board.cursor >= drawing.size) board.set('cursor', -1);
    board.apply({ cells: cells.map((name) => this.names.indexOf(name)), things, edges }, false);
    this.canvas.dataset.ready = 'yes';
  }

  /** @param {number[]} cells */
  setFaults(cells) {
    this.board.set('faults', cells);
    this.canvas.dataset.faults = cells.join(' ');
  }

  /** @param {Tile} tile */
  choose(tile) {
    this.brush = tile;
    if (this.tool === 'pick' || this.tool === 'erase') this.setTool('pencil');
  }

  /** @param {string} name */
  setTool(name) {
    this.tool = name;
    this.board.set('corner', -1);
    this.toolChosen(name);
  }

  get walling() {
    return this.sheet.form === 'walled' && this.brush.sign === '|' && this.tool !== 'pick';
  }

  /**
   * Which side of its cell the pointer is nearest to.
   * @param {PointerEvent} event
   */
  sideAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (((event.clientX - box.left) / box.width) * this.board.w) % 1;
    const y = (((event.clientY - box.top) / box.height) * this.board.h) % 1;
    const far = [y, 1 - x, 1 - y, x];
    return SIDES[far.indexOf(Math.min(...far))];
  }

  /**
   * @param {number} cell
   * @param {string} [side]
   */
  point(cell, side = '') {
    if (cell === this.board.hover && side === this.board.side) return;
    this.board.set('hover', cell);
    this.board.set('side', side);
    this.at(cell);
  }

  /** @param {PointerEvent} event */
  press(event) {
    const cell = this.board.cellAt(event);
    if (cell < 0 || !this.drawing?.drawable || this.stroke) return;
    event.preventDefault();
    this.canvas.focus({ preventScroll: true });
    const erasing = event.button === 2 || event.altKey || this.tool === 'erase';
    const tool =
      event.button === 1 ? 'pick' : erasing ? (event.shiftKey ? 'box' : 'erase') : event.shiftKey ? 'box' : this.tool;
    if (tool === 'pick') this.pick(cell);
    else if (tool === 'fill') this.fill(cell);
    else {
      this.canvas.setPointerCapture(event.pointerId);
      this.stroke = {
        tool,
        tile: erasing ? this.drawing.empty : this.brush,
        erasing,
        from: cell,
        last: cell,
        drawing: read(this.text, this.sheet, this.part),
      };
      this.extend(cell, event);
    }
  }

  /** @param {PointerEvent} event */
  move(event) {
    const cell = this.board.cellAt(event);
    this.point(cell, cell >= 0 && this.walling ? this.sideAt(event) : '');
    if (this.stroke && cell >= 0) this.extend(cell, event);
  }

  /**
   * @param {number} cell
   * @param {PointerEvent} event
   */
  extend(cell, event) {
    const { stroke } = this;
    if (!stroke) return;
    if (stroke.tool === 'box') {
      stroke.drawing = read(this.text, this.sheet, this.part);
      this.paintBox(stroke.drawing, stroke.from, cell, stroke.tile, stroke.erasing);
    } else if (this.walling) {
      const side = this.sideAt(event);
      stroke.on ??= !stroke.erasing && !stroke.drawing.hasSide(cell, side);
      stroke.drawing.setSide(cell, side, stroke.on);
    } else {
      for (const passed of stroke.drawing.line(stroke.last, cell)) this.put(stroke.drawing, passed, stroke.tile);
      stroke.last = cell;
    }
    this.render(stroke.drawing);
  }

  release() {
    const { stroke } = this;
    this.stroke = null;
    if (stroke) this.commit(stroke.drawing);
  }

  // The browser took the gesture away: nothing was painted.
  drop() {
    this.stroke = null;
    if (this.drawing?.drawable) this.render(this.drawing);
  }

  /** @param {Drawn} drawing */
  commit(drawing) {
    this.changed(drawing.text, drawing.part);
  }

  /**
   * @param {Drawn} drawing
   * @param {number} cell
   * @param {Tile} tile
   */
  put(drawing, cell, tile) {
    if (tile === MISSION) {
      if (drawing.goalAt(cell)) drawing.choose(cell);
    } else drawing.paint(cell, tile);
  }

  /**
   * All cells between two corners; walls go around them.
   * @param {Drawn} drawing
   * @param {number} from
   * @param {number} to
   * @param {Tile} tile
   * @param {boolean} erasing
   */
  paintBox(drawing, from, to, tile, erasing) {
    const cells = drawing.box(from, to);
    if (tile.sign === '|') {
      const [first, last] = [cells[0], cells[cells.length - 1]];
      const rows = [Math.floor(first / drawing.cols), Math.floor(last / drawing.cols)];
      const cols = [first % drawing.cols, last % drawing.cols];
      for (const cell of cells) {
        const [row, col] = [Math.floor(cell / drawing.cols), cell % drawing.cols];
        if (row === rows[0]) drawing.setSide(cell, 'N', !erasing);
        if (row === rows[1]) drawing.setSide(cell, 'S', !erasing);
        if (col === cols[0]) drawing.setSide(cell, 'W', !erasing);
        if (col === cols[1]) drawing.setSide(cell, 'E', !erasing);
      }
    } else if (tile.alone) drawing.paint(to, tile);
    else for (const cell of cells) this.put(drawing, cell, tile);
  }

  /** @param {number} cell */
  fill(cell) {
    const drawing = read(this.text, this.sheet, this.part);
    if (this.brush.alone || this.brush.sign === '|' || this.brush === MISSION) this.put(drawing, cell, this.brush);
    else for (const at of drawing.region(cell)) drawing.paint(at, this.brush);
    this.commit(drawing);
  }

  /** @param {number} cell */
  pick(cell) {
    const tile = this.drawing?.tilesAt(cell)[0];
    if (!tile) return;
    this.choose(tile);
    this.picked(tile);
    say(t('picked', { what: tile.name }));
  }

  /**
   * @param {number} cell
   * @param {Tile} tile
   */
  stamp(cell, tile) {
    const drawing = read(this.text, this.sheet, this.part);
    if (tile.sign === '|') drawing.setSide(cell, 'N', !drawing.hasSide(cell, 'N'));
    else this.put(drawing, cell, tile);
    this.commit(drawing);
    this.tell();
  }

  /**
   * Drawing by keyboard alone: arrows move the cursor, space paints, Delete erases, N E S W put walls, letters choose
   * tools, R twice fills a rectangle. F, P work where the pointer or the cursor is.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { board } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.drawing?.drawable) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const here = board.cursor;
    const under = board.hover >= 0 ? board.hover : here;
    if (KEY_WAYS[key]) this.step(...KEY_WAYS[key]);
    else if ((key === ' ' || key === 'Enter') && here >= 0) this.use(here);
    else if ((key === 'Delete' || key === 'Backspace') && here >= 0) this.stamp(here, this.drawing.empty);
    else if (this.sheet.form === 'walled' && SIDES.includes(key.toUpperCase()) && here >= 0) {
      const drawing = read(this.text, this.sheet, this.part);
      drawing.setSide(here, key.toUpperCase(), !drawing.hasSide(here, key.toUpperCase()));
      this.commit(drawing);
    } else if (key === 'r' && here >= 0 && board.hover < 0) this.markCorner(here);
    else if (key === 'f' && under >= 0) this.fill(under);
    else if (key === 'p' && under >= 0) this.pick(under);
    else if (TOOL_KEYS[key]) this.setTool(TOOL_KEYS[key]);
    else if (key === '+' || key === '-') {
      const at = this.tiles.indexOf(this.brush) + (key === '+' ? 1 : -1);
      const tile = this.tiles[(at + this.tiles.length) % this.tiles.length];
      this.choose(tile);
      this.picked(tile);
      say(tile.name);
    } else if (key === 'Escape' && board.corner >= 0) board.set('corner', -1);
    else return;
    event.preventDefault();
  }

  /**
   * @param {number} down
   * @param {number} across
   */
  step(down, across) {
    const { board } = this;
    const [row, col] =
      board.cursor < 0 ? [0, 0] : [Math.floor(board.cursor / board.w) + down, (board.cursor % board.w) + across];
    if (row < 0 || col < 0 || row >= board.h || col >= board.w) return;
    board.set('cursor', row * board.w + col);
    this.tell();
  }

  // What is where the cursor stands, to eyes and ears.
  tell() {
    const { cursor, w } = this.board;
    if (cursor < 0) return;
    this.at(cursor);
    say(t('cursor_at', { row: Math.floor(cursor / w), col: cursor % w, what: this.drawing?.nameAt(cursor) }));
  }

  /** @param {number} cell */
  use(cell) {
    if (this.tool === 'fill') this.fill(cell);
    else if (this.tool === 'pick') this.pick(cell);
    else if (this.tool === 'box') this.markCorner(cell);
    else this.stamp(cell, this.tool === 'erase' && this.drawing ? this.drawing.empty : this.brush);
  }

  /** @param {number} cell */
  markCorner(cell) {
    if (this.board.corner < 0) {
      this.board.set('corner', cell);
      say(t('corner_set'));
      return;
    }
    const drawing = read(this.text, this.sheet, this.part);
    this.paintBox(
      drawing,
      this.board.corner,
      cell,
      this.tool === 'erase' ? drawing.empty : this.brush,
      this.tool === 'erase',
    );
    this.board.set('corner', -1);
    this.commit(drawing);
    this.tell();
  }
}
