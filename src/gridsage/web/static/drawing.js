// The text of a level as something to paint on. The text stays the truth: a drawing is read from it and written back,
// and what it does not understand it leaves alone.

/**
 * The drawing in `text`; `part` chooses one of several maps. Check `drawable` before painting.
 * @param {string} text
 * @param {Sheet} sheet
 * @param {number} [part]
 */
export function read(text, sheet, part = 0) {
  return sheet.form === 'walled' ? new Walled(text, sheet) : new Characters(text, sheet, part);
}

/** @param {string} sign */
const UNKNOWN = (sign) => `text:${sign}:bold reverse red`;

class Drawing {
  rows = 0;
  cols = 0;
  drawable = false;

  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.parts = 1;
    this.part = 0;
    this.bySign = new Map(
      sheet.tiles.flatMap((tile) =>
        [tile.sign, ...(tile.also ?? '')].map((sign) => /** @type {const} */ ([sign, tile])),
      ),
    );
    this.empty = sheet.tiles[0];
  }

  /**
   * What stands on a cell, as one sign: cells of the same kind make a region.
   * @param {number} cell
   */
  kind(cell) {
    return String(cell);
  }

  /**
   * @param {number} cell
   * @returns {Tile[]}
   */
  tilesAt(cell) {
    return cell < 0 ? [] : [this.empty];
  }

  // Walls and goals: a drawing that has none leaves all of this alone.

  /**
   * @param {number} _cell
   * @returns {Tile | null}
   */
  goalAt(_cell) {
    return null;
  }

  /** @param {number} _cell */
  choose(_cell) {}

  /**
   * @param {number} _cell
   * @param {string} _side
   */
  hasSide(_cell, _side) {
    return false;
  }

  /**
   * @param {number} _cell
   * @param {string} _side
   * @param {boolean} _on
   */
  setSide(_cell, _side, _on) {}

  get size() {
    return this.rows * this.cols;
  }

  /**
   * Cells of the same kind around `cell`, as far as they touch.
   * @param {number} cell
   */
  region(cell) {
    const kind = this.kind(cell);
    const found = new Set([cell]);
    for (const at of found) {
      const col = at % this.cols;
      const near = [at - this.cols, col + 1 < this.cols ? at + 1 : -1, at + this.cols, col ? at - 1 : -1];
      near.forEach((next, side) => {
        if (next >= 0 && next < this.size && !found.has(next) && this.kind(next) === kind && !this.parted(at, side))
          found.add(next);
      });
    }
    return [...found];
  }

  /**
   * Return true if a wall stands on this side of the cell.
   * @param {number} _cell
   * @param {number} _side
   */
  parted(_cell, _side) {
    return false;
  }

  /**
   * Cells of the rectangle with these two corners.
   * @param {number} a
   * @param {number} b
   */
  box(a, b) {
    const rows = [Math.floor(a / this.cols), Math.floor(b / this.cols)].sort((x, y) => x - y);
    const cols = [a % this.cols, b % this.cols].sort((x, y) => x - y);
    const cells = [];
    for (let row = rows[0]; row <= rows[1]; row++)
      for (let col = cols[0]; col <= cols[1]; col++) cells.push(row * this.cols + col);
    return cells;
  }

  /**
   * Cells that a stroke from one cell to another passes: a quick hand leaves no gaps.
   * @param {number} a
   * @param {number} b
   */
  line(a, b) {
    let [col, row] = [a % this.cols, Math.floor(a / this.cols)];
    const [toCol, toRow] = [b % this.cols, Math.floor(b / this.cols)];
    const [across, down] = [Math.abs(toCol - col), -Math.abs(toRow - row)];
    const cells = [a];
    let rest = across + down;
    while (row !== toRow || col !== toCol) {
      const twice = 2 * rest;
      if (twice >= down) {
        rest += down;
        col += Math.sign(toCol - col);
      }
      if (twice <= across) {
        rest += across;
        row += Math.sign(toRow - row);
      }
      cells.push(row * this.cols + col);
    }
    return cells;
  }

  // Tiles a level needs and this one has not.
  get lacking() {
    const there = new Set(Array.from({ length: this.size }, (_, cell) => this.tilesAt(cell)).flat());
    return this.sheet.tiles.filter((tile) => tile.needed && !there.has(tile));
  }

  /** @param {number} cell */
  nameAt(cell) {
    return this.tilesAt(cell)
      .map((tile) => tile.name)
      .join(', ');
  }
}

// One sign a cell, `key: value` lines before the map, remarks anywhere; or a map between two lines, and keys around it.
export class Characters extends Drawing {
  /**
   * @param {string} text
   * @param {Sheet} sheet
   * @param {number} part
   */
  constructor(text, sheet, part) {
    super(sheet);
    this.lines = text.replace(/\n$/, '').split('\n');
    const ends = sheet.divider ? this.lines.flatMap((line, i) => (line.trim() === sheet.divider ? [i] : [])) : [];
    this.parts = ends.length + 1;
    this.part = Math.min(part, ends.length);
    this.from = this.part ? ends[this.part - 1] + 1 : 0;
    this.to = ends[this.part] ?? this.lines.length;
    /** @type {Map<string, { line: number, value: string }>} */
    this.heads = new Map();
    /** @type {number[]} */
    this.map = []; // numbers of the lines that are rows of the map
    this.frame = -1; // the number of the line that opens it
    this.readAgain();
    this.rows = this.map.length;
    this.cols = Math.max(
      0,
      Math.min(this.told[0] ?? 0, sheet.largest),
      ...this.map.map((i) => this.lines[i].trimEnd().length),
    );
    this.drawable = this.rows > 0 && this.cols > 0;
  }

  readAgain() {
    this.map = [];
    this.heads.clear();
    if (this.sheet.frame) this.readFramed(this.sheet.frame);
    else this.readLines();
  }

  // Columns and rows as a line of the text tells them.
  get told() {
    const words = (this.get(this.sheet.sized) ?? '').split(/\s+/).filter(Boolean);
    return words.map(Number).filter(Number.isFinite);
  }

  /** @param {[opening: string, closing: string]} frame */
  readFramed([opening, closing]) {
    const key = new RegExp(`^\\s*([A-Za-z0-9.]+)${this.sheet.joins}(.*?)\\s*$`);
    let inside = false;
    for (let i = this.from; i < this.to; i++) {
      const line = this.lines[i];
      if (line.trim() === opening) {
        inside = true;
        this.frame = i;
      } else if (line.trim() === closing) inside = false;
      else if (inside) this.map.push(i);
      else {
        const head = line.trimStart().startsWith(this.sheet.remark) ? null : key.exec(line);
        const name = head?.[1].toLowerCase() ?? '';
        if (head && !this.heads.has(name)) this.heads.set(name, { line: i, value: head[2] });
      }
    }
  }

  readLines() {
    const blankIsRow = this.bySign.has(' ');
    for (let i = this.from; i < this.to; i++) {
      const line = this.lines[i];
      if (line.trimStart().startsWith(this.sheet.remark)) continue;
      const head = this.sheet.entries.length && !this.map.length ? /^\s*([A-Za-z]+)\s*:\s*(.*?)\s*$/.exec(line) : null;
      if (head) this.heads.set(head[1].toLowerCase(), { line: i, value: head[2] });
      else if (line.trim() || (blankIsRow && this.map.length)) this.map.push(i);
    }
    while (this.map.length && !this.lines[this.map[this.map.length - 1]].trim()) this.map.pop();
  }

  get text() {
    return `${this.lines.join('\n')}\n`;
  }

  /** @param {number} cell */
  sign(cell) {
    return this.lines[this.map[Math.floor(cell / this.cols)]][cell % this.cols] ?? this.empty.sign;
  }

  /** @param {number} cell */
  kind(cell) {
    return this.bySign.get(this.sign(cell))?.sign ?? this.sign(cell);
  }

  /** @param {number} cell */
  tilesAt(cell) {
    const tile = this.bySign.get(this.sign(cell));
    return tile ? [tile] : [];
  }

  /**
   * @param {number} cell
   * @param {string} sign
   */
  put(cell, sign) {
    const line = this.map[Math.floor(cell / this.cols)];
    const at = cell % this.cols;
    const before = this.lines[line].trimEnd().padEnd(this.cols, this.empty.sign);
    this.lines[line] = before.slice(0, at) + sign + before.slice(at + 1);
  }

  /**
   * @param {number} cell
   * @param {Tile} tile
   */
  paint(cell, tile) {
    if (tile.alone)
      for (let other = 0; other < this.size; other++)
        if (this.kind(other) === tile.sign) this.put(other, this.empty.sign);
    this.put(cell, tile.sign);
  }

  // What a screen shows: a sprite for every cell, and what stands above it.
  get picture() {
    const cells = [];
    /** @type {Thing[]} */
    const things = [];
    for (let cell = 0; cell < this.size; cell++) {
      const tile = this.bySign.get(this.sign(cell));
      cells.push(!tile ? UNKNOWN(this.sign(cell)) : tile.stands ? this.empty.sprite : tile.sprite);
      const [dx, dy] = tile?.faces ?? [0, 0];
      if (tile?.stands)
        things.push([String(cell), tile.sprite, cell % this.cols, Math.floor(cell / this.cols), dx, dy]);
    }
    return { cells, things, edges: /** @type {number[]} */ ([]) };
  }

  /** @param {number} cell */
  isBorder(cell) {
    return this.sheet.border.includes(this.sign(cell));
  }

  /**
   * Whether the edge on this side is all wall.
   * @param {string} side
   */
  closed(side) {
    const { rows, cols } = this;
    const level = side === 'top' || side === 'bottom';
    const first = side === 'bottom' ? (rows - 1) * cols : side === 'right' ? cols - 1 : 0;
    const edge = Array.from({ length: level ? cols : rows }, (_, i) => first + i * (level ? 1 : cols));
    return Boolean(this.sheet.border) && edge.every((at) => this.isBorder(at));
  }

  /**
   * A row or column more or less on one side, inside its wall if there is one.
   * @param {string} side
   * @param {number} by
   */
  resize(side, by) {
    const { empty, sheet } = this;
    const wall = sheet.border[0] ?? empty.sign;
    const inner = this.closed(side) ? 1 : 0;
    const least = sheet.border ? 3 : 1;
    const grid = Array.from({ length: this.rows }, (_, row) =>
      Array.from({ length: this.cols }, (_, col) => this.sign(row * this.cols + col)),
    );
    if (side === 'top' || side === 'bottom') {
      const [left, right] = [this.closed('left'), this.closed('right')];
      const row = Array.from({ length: this.cols }, (_, col) =>
        (col === 0 && left) || (col === this.cols - 1 && right) ? wall : empty.sign,
      );
      const at = side === 'top' ? inner : this.rows - inner - (by < 0 ? 1 : 0);
      if (by > 0 && this.rows < sheet.largest) grid.splice(at, 0, row);
      else if (by < 0 && this.rows > least) grid.splice(at, 1);
    } else {
      const at = side === 'left' ? inner : this.cols - inner - (by < 0 ? 1 : 0);
      const walls = [this.closed('top'), this.closed('bottom')];
      grid.forEach((row, i) => {
        if (by > 0 && this.cols < sheet.largest)
          row.splice(at, 0, (i === 0 && walls[0]) || (i === this.rows - 1 && walls[1]) ? wall : empty.sign);
        else if (by < 0 && this.cols > least) row.splice(at, 1);
      });
    }
    this.setGrid(grid);
  }

  clear() {
    const wall = this.sheet.border[0] ?? this.empty.sign;
    /**
     * @param {number} row
     * @param {number} col
     */
    const edge = (row, col) => row === 0 || col === 0 || row === this.rows - 1 || col === this.cols - 1;
    this.setGrid(
      Array.from({ length: this.rows }, (_, row) =>
        Array.from({ length: this.cols }, (_, col) => (edge(row, col) ? wall : this.empty.sign)),
      ),
    );
  }

  /** @param {string[][]} grid */
  setGrid(grid) {
    const [first] = this.map;
    const rest = this.lines.filter((_, i) => !this.map.includes(i));
    rest.splice(first, 0, ...grid.map((row) => row.join('')));
    this.lines = rest;
    this.to += grid.length - this.map.length;
    this.readAgain();
    this.rows = grid.length;
    this.cols = grid[0].length;
    if (this.sheet.sized) this.set(this.sheet.sized, this.sizeWords);
  }

  // Columns and rows, and which part of them a screen of 1984 showed where the text tells that: now all of it.
  get sizeWords() {
    const { rows, cols } = this;
    return this.told.length > 2 ? `${cols} ${rows} 0 0 ${cols - 1} ${rows - 1}` : `${cols} ${rows}`;
  }

  /** @param {string} key */
  get(key) {
    return this.heads.get(key.toLowerCase())?.value;
  }

  /**
   * @param {string} key
   * @param {string | undefined} [value]
   */
  set(key, value) {
    const head = this.heads.get(key.toLowerCase());
    const line = `${key}${this.sheet.joins}${value}`;
    const before = this.lines.length;
    if (head && value === undefined) this.lines.splice(head.line, 1);
    else if (head) this.lines[head.line] = line;
    else if (value !== undefined) this.lines.splice(this.frame < 0 ? (this.map[0] ?? this.to) : this.frame, 0, line);
    this.to += this.lines.length - before;
    this.readAgain();
  }

  addPart() {
    const copy = new Characters(this.lines.slice(this.from, this.to).join('\n'), this.sheet, 0);
    copy.clear();
    this.lines.splice(this.to, 0, this.sheet.divider, ...copy.lines);
    this.part += 1;
  }

  removePart() {
    if (this.parts < 2) return;
    if (this.part) this.lines.splice(this.from - 1, this.to - this.from + 1);
    else this.lines.splice(this.from, this.to - this.from + 1);
    this.part = Math.max(0, this.part - 1);
  }

  /**
   * Cells and the key that an error message means.
   * @param {string} words
   */
  faults(words) {
    const offset = this.sheet.border && !['top', 'bottom', 'left', 'right'].every((side) => this.closed(side)) ? 1 : 0;
    const cells = [
      ...[...words.matchAll(/line (\d+),? column (\d+)/g)].map(([, line, column]) =>
        this.cellAt(Number(line), Number(column) - 1),
      ),
      ...[...words.matchAll(/line (\d+), cell ([a-z])\d/g)].map(([, line, letter]) =>
        this.cellAt(Number(line), letter.charCodeAt(0) - 97),
      ),
      ...[...words.matchAll(/row (\d+),? column (\d+)/g)].map(([, row, col]) =>
        this.inside(Number(row) - offset, Number(col) - offset),
      ),
    ].filter((cell) => cell >= 0);
    const line = Number(/line (\d+)/.exec(words)?.[1]);
    const row = this.map.indexOf(line - 1);
    if (!cells.length && row >= 0 && !/^line \d+: (no|\d+) miner/.test(words))
      for (let col = 0; col < this.cols; col++) cells.push(row * this.cols + col);
    return { cells, line, key: [...this.heads].find(([, head]) => head.line === line - 1)?.[0] };
  }

  /**
   * @param {number} line
   * @param {number} col
   */
  cellAt(line, col) {
    return this.inside(this.map.indexOf(line - 1), col);
  }

  /**
   * @param {number} row
   * @param {number} col
   */
  inside(row, col) {
    return row >= 0 && col >= 0 && row < this.rows && col < this.cols ? row * this.cols + col : -1;
  }
}

const SIDES = ['N', 'E', 'S', 'W'];
const PLAIN = 'plain';

// Cells in boxes of three signs (what stands there, colour of a goal, its shape) with walls between them, and a line that names
// the goal that is meant.
export class Walled extends Drawing {
  /** @type {string[][]} */
  boxes = [];
  /** @type {boolean[][]} */
  across = []; // walls above each row of cells, and below the last
  /** @type {boolean[][]} */
  down = []; // walls left of each cell of a row, and right of the last
  wish = '';
  mission = -1;

  /**
   * @param {string} text
   * @param {Sheet} sheet
   */
  constructor(text, sheet) {
    super(sheet);
    const lines = text.replace(/\n$/, '').split('\n');
    const board = lines.flatMap((line, i) => (/^[+|]/.test(line) ? [i] : []));
    this.start = board[0] ?? 0;
    this.before = lines.slice(0, this.start).filter((line) => !line.startsWith('mission:'));
    this.after = lines.slice((board.at(-1) ?? -1) + 1).filter((line) => !line.startsWith('mission:'));
    this.missionLine = lines.findIndex((line) => line.startsWith('mission:'));
    this.rows = (board.length - 1) / 2;
    this.cols = ((lines[this.start]?.trimEnd().length ?? 0) - 1) / 4;
    this.drawable =
      Number.isInteger(this.rows) &&
      Number.isInteger(this.cols) &&
      this.rows > 0 &&
      this.cols > 0 &&
      board.length === (board.at(-1) ?? 0) - this.start + 1;
    if (!this.drawable) return;
    /** @param {number} i */
    const line = (i) => lines[this.start + i].padEnd(4 * this.cols + 1, ' ');
    /** @param {number} n */
    const span = (n) => Array.from({ length: n }, (_, i) => i);
    this.boxes = span(this.rows).map((row) =>
      span(this.cols).map((col) => line(2 * row + 1).slice(4 * col + 1, 4 * col + 4)),
    );
    this.across = span(this.rows + 1).map((row) =>
      span(this.cols).map((col) => line(2 * row).slice(4 * col + 1, 4 * col + 4) === '---'),
    );
    this.down = span(this.rows).map((row) => span(this.cols + 1).map((col) => line(2 * row + 1)[4 * col] === '|'));
    this.wish = this.missionLine >= 0 ? lines[this.missionLine].slice('mission:'.length).trim() : '';
    this.mission = this.find(this.wish);
  }

  get goals() {
    return Array.from({ length: this.size }, (_, cell) => cell).flatMap((cell) => {
      const tile = this.goalAt(cell);
      return tile ? [{ cell, tile }] : [];
    });
  }

  /** @param {number} cell */
  goalAt(cell) {
    return this.bySign.get(this.boxOf(cell).slice(1)) ?? null;
  }

  /** @param {number} cell */
  boxOf(cell) {
    return this.boxes[Math.floor(cell / this.cols)][cell % this.cols];
  }

  /**
   * The cell of the goal that these words name, or -1.
   * @param {string} words
   */
  find(words) {
    const place = /^(\d+)\s*,\s*(\d+)$/.exec(words);
    if (place) return Number(place[1]) * this.cols + Number(place[2]);
    const fitting = this.goals.filter(({ tile }) => (words ? this.wordsOf(tile) === words.replace(/\s+/g, ' ') : true));
    return fitting.length === 1 ? fitting[0].cell : -1;
  }

  /** @param {Tile} tile */
  wordsOf(tile) {
    const [, colour, shape] = tile.sprite.split('-');
    const whose = colour === 'any' ? tile.name.split("'")[0] : colour; // a goal for anybody is called "anybody's goal"
    return `${whose} ${shape === PLAIN ? '' : shape}`.trim();
  }

  get missionWords() {
    const { goals } = this;
    const chosen = goals.find(({ cell }) => cell === this.mission) ?? null;
    if (!chosen) return this.wish;
    const words = this.wordsOf(chosen.tile);
    const same = goals.filter(({ tile }) => this.wordsOf(tile) === words).length > 1;
    return same ? `${Math.floor(this.mission / this.cols)},${this.mission % this.cols}` : words;
  }

  get text() {
    const lines = [...this.before, ...(this.missionWords ? [`mission: ${this.missionWords}`] : [])];
    for (let row = 0; row <= this.rows; row++) {
      lines.push(`+${this.across[row].map((wall) => (wall ? '---+' : '   +')).join('')}`);
      if (row < this.rows)
        lines.push(
          this.boxes[row].map((box, col) => (this.down[row][col] ? '|' : ' ') + box).join('') +
            (this.down[row][this.cols] ? '|' : ' '),
        );
    }
    return `${[...lines, ...this.after].join('\n')}\n`;
  }

  /** @param {number} cell */
  walls(cell) {
    const [row, col] = [Math.floor(cell / this.cols), cell % this.cols];
    return (
      (this.across[row][col] ? 1 : 0) |
      (this.down[row][col + 1] ? 2 : 0) |
      (this.across[row + 1][col] ? 4 : 0) |
      (this.down[row][col] ? 8 : 0)
    );
  }

  /**
   * @param {number} cell
   * @param {string} side
   */
  hasSide(cell, side) {
    return Boolean(this.walls(cell) & (1 << SIDES.indexOf(side)));
  }

  /**
   * @param {number} cell
   * @param {string} side
   * @param {boolean} on
   */
  setSide(cell, side, on) {
    const [row, col] = [Math.floor(cell / this.cols), cell % this.cols];
    if (
      (side === 'N' && row === 0) ||
      (side === 'S' && row === this.rows - 1) ||
      (side === 'W' && col === 0) ||
      (side === 'E' && col === this.cols - 1)
    )
      return;
    if (side === 'N' || side === 'S') this.across[row + (side === 'S' ? 1 : 0)][col] = on;
    else this.down[row][col + (side === 'E' ? 1 : 0)] = on;
  }

  /**
   * @param {number} cell
   * @param {number} side
   */
  parted(cell, side) {
    return Boolean(this.walls(cell) & (1 << side));
  }

  /** @param {number} cell */
  kind(cell) {
    return this.walls(cell) === 15 ? '#' : this.boxOf(cell);
  }

  /** @param {number} cell */
  tilesAt(cell) {
    const box = this.boxOf(cell);
    const rock = this.walls(cell) === 15 ? this.bySign.get('#') : null;
    const found = [this.bySign.get(box[0]), this.goalAt(cell), rock].filter((tile) => tile && tile !== this.empty);
    return found.length ? /** @type {Tile[]} */ (found) : [this.empty];
  }

  /**
   * @param {number} cell
   * @param {string} box
   */
  put(cell, box) {
    this.boxes[Math.floor(cell / this.cols)][cell % this.cols] = box;
  }

  /**
   * @param {number} cell
   * @param {Tile} tile
   */
  paint(cell, tile) {
    const box = this.boxOf(cell);
    if (tile.sign === '|') return;
    if (tile.sign === '#' || (tile.sign === '' && this.walls(cell) === 15))
      for (const side of SIDES) this.setSide(cell, side, tile.sign === '#');
    if (tile.sign === '' || tile.sign === '#') this.put(cell, '   ');
    else if (tile.stands) {
      for (let other = 0; other < this.size; other++)
        if (this.boxOf(other)[0] === tile.sign) this.put(other, ` ${this.boxOf(other).slice(1)}`);
      this.put(cell, tile.sign + box.slice(1));
    } else this.put(cell, box[0] + tile.sign);
    if (this.mission < 0 || !this.goalAt(this.mission)) this.choose(this.goals[0]?.cell ?? -1);
  }

  /**
   * Make the goal on `cell` the mission.
   * @param {number} cell
   */
  choose(cell) {
    this.mission = cell;
    if (cell < 0) this.wish = '';
  }

  get picture() {
    const cells = [];
    /** @type {Thing[]} */
    const things = [];
    /** @type {number[]} */
    const edges = [];
    for (let cell = 0; cell < this.size; cell++) {
      const box = this.boxOf(cell);
      const goal = this.goalAt(cell);
      const piece = this.bySign.get(box[0]);
      const strange = (box[0] !== ' ' && !piece?.stands) || (box.slice(1).trim() && !goal);
      const ground = this.walls(cell) === 15 ? (this.bySign.get('#') ?? this.empty).sprite : this.empty.sprite;
      cells.push(
        strange
          ? UNKNOWN('?')
          : goal
            ? goal.sprite.replace(/^goal/, cell === this.mission ? 'target' : 'goal')
            : ground,
      );
      if (piece?.stands) things.push([box[0], piece.sprite, cell % this.cols, Math.floor(cell / this.cols), 0, 0]);
      edges.push(this.walls(cell));
    }
    return { cells, things, edges };
  }

  /**
   * @param {string} side
   * @param {number} by
   */
  resize(side, by) {
    const rowwise = side === 'top' || side === 'bottom';
    const many = rowwise ? this.rows : this.cols;
    if ((by > 0 && many >= this.sheet.largest) || (by < 0 && many < 2)) return;
    const aim = this.mission >= 0 ? [Math.floor(this.mission / this.cols), this.mission % this.cols] : null;
    const begin = side === 'top' || side === 'left';
    /** @param {any[]} list */
    const drop = (list) => (begin ? list.shift() : list.pop());
    /**
     * @param {any[]} list
     * @param {any} value
     */
    const add = (list, value) => (begin ? list.unshift(value) : list.push(value));
    if (rowwise) {
      if (by > 0) {
        this.across[begin ? 0 : this.rows] = this.across[begin ? 0 : this.rows].map(() => false);
        add(this.across, Array(this.cols).fill(true));
        add(
          this.down,
          Array.from({ length: this.cols + 1 }, (_, col) => col === 0 || col === this.cols),
        );
        add(this.boxes, Array(this.cols).fill('   '));
      } else [this.across, this.down, this.boxes].forEach(drop);
      this.rows += by;
      this.across[0] = this.across[0].map(() => true);
      this.across[this.rows] = this.across[this.rows].map(() => true);
    } else {
      this.down.forEach((list) => {
        if (by > 0) {
          list[begin ? 0 : this.cols] = false;
          add(list, true);
        } else drop(list);
      });
      this.across.forEach((list, row) => (by > 0 ? add(list, row === 0 || row === this.rows) : drop(list)));
      this.boxes.forEach((list) => (by > 0 ? add(list, '   ') : drop(list)));
      this.cols += by;
      this.down.forEach((list) => {
        list[0] = true;
        list[this.cols] = true;
      });
    }
    if (aim) {
      if (side === 'top') aim[0] += by;
      if (side === 'left') aim[1] += by;
      const there =
        aim[0] >= 0 &&
        aim[1] >= 0 &&
        aim[0] < this.rows &&
        aim[1] < this.cols &&
        this.goalAt(aim[0] * this.cols + aim[1]);
      this.choose(there ? aim[0] * this.cols + aim[1] : (this.goals[0]?.cell ?? -1));
    }
  }

  clear() {
    this.boxes = this.boxes.map((row) => row.map(() => '   '));
    this.across = this.across.map((list, row) => list.map(() => row === 0 || row === this.rows));
    this.down = this.down.map((list) => list.map((_, col) => col === 0 || col === this.cols));
    this.choose(-1);
  }

  /** @param {string} words */
  faults(words) {
    const cells = [...words.matchAll(/line (\d+), column (\d+)/g)]
      .map(([, line, column]) => {
        const row = Math.floor((Number(line) - 2 - this.start) / 2);
        const col = Math.floor((Number(column) - 1) / 4);
        return row >= 0 && row < this.rows && col >= 0 && col < this.cols && Number(line) - 1 >= this.start
          ? row * this.cols + col
          : -1;
      })
      .filter((cell) => cell >= 0);
    const line = Number(/line (\d+)/.exec(words)?.[1]);
    return { cells, line, key: line - 1 === this.missionLine || /mission/.test(words) ? 'mission' : undefined };
  }
}
