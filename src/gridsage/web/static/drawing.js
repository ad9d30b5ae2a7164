// The text of a level as something to paint on: one character a cell, or cells drawn with walls between them.

const HEADER = /^\s*[A-Za-z ]+:/;
const ALONE = new Set(['runner', 'miner']); // there is one of them: painting it moves it

export class Drawing {
  // rows and cols are those of the board, which may have a border that the text has not.
  constructor(text, rows, cols, palette) {
    this.palette = palette;
    this.lines = text.replace(/\n$/, '').split('\n');
    this.boxed = this.lines.some((line) => line.startsWith('+-'));
    const inside = this.lines.map((line, i) => [line, i]).filter(([line]) => (this.boxed ? /^[+|]/.test(line) : line !== '' && !line.startsWith(';') && !HEADER.test(line)));
    this.start = inside[0]?.[1] ?? 0;
    let end = this.start;
    while (end + 1 < this.lines.length && inside.some(([, i]) => i === end + 1)) end++;
    this.count = inside.length ? end - this.start + 1 : 0;
    this.width = Math.max(0, ...this.lines.slice(this.start, this.start + this.count).map((line) => line.length));
    this.border = !this.boxed && rows === this.count + 2 && cols === this.width + 2 ? 1 : 0;
  }

  get text() {
    return `${this.lines.join('\n')}\n`;
  }

  put(line, at, signs) {
    const before = (this.lines[line] ?? '').padEnd(at + signs.length, ' ');
    this.lines[line] = before.slice(0, at) + signs + before.slice(at + signs.length);
  }

  paint(row, col, sign) {
    if (this.boxed) this.paintBoxed(row, col, sign);
    else {
      const r = row - this.border;
      const c = col - this.border;
      if (r < 0 || c < 0 || r >= this.count || c >= this.width) return;
      if (ALONE.has(this.palette[sign])) this.clear(sign);
      this.put(this.start + r, c, sign);
    }
  }

  clear(sign) {
    const empty = Object.keys(this.palette)[0];
    for (let i = this.start; i < this.start + this.count; i++) this.lines[i] = this.lines[i].replaceAll(sign, empty);
  }

  // Three characters a cell: robot, colour of the goal, its shape.
  paintBoxed(row, col, sign) {
    const line = this.start + 1 + 2 * row;
    const at = 4 * col + 1;
    if (sign === '') this.put(line, at, '   ');
    else if (sign.length === 2) this.put(line, at + 1, sign);
    else if (/^[A-Z]$/.test(sign)) {
      for (let i = this.start + 1; i < this.start + this.count; i += 2) this.lines[i] = this.lines[i].replaceAll(sign, ' ');
      this.put(line, at, sign);
    }
  }

  toggleSide(row, col, side) {
    const rows = (this.count - 1) / 2;
    const cols = (this.width - 1) / 4;
    if ((side === 'N' && row === 0) || (side === 'S' && row === rows - 1) || (side === 'W' && col === 0) || (side === 'E' && col === cols - 1)) return;
    if (side === 'N' || side === 'S') {
      const line = this.start + 2 * row + (side === 'S' ? 2 : 0);
      this.put(line, 4 * col + 1, this.lines[line].slice(4 * col + 1, 4 * col + 4) === '---' ? '   ' : '---');
    } else {
      const line = this.start + 2 * row + 1;
      const at = 4 * col + (side === 'E' ? 4 : 0);
      this.put(line, at, this.lines[line][at] === '|' ? ' ' : '|');
    }
  }

  // A row or column more or less, inside the last one, which often is a wall.
  resize(what, by) {
    const [rowLines, colSigns] = this.boxed ? [2, 4] : [1, 1];
    const last = this.start + this.count - 1;
    if (what === 'row') {
      if (by > 0) this.lines.splice(last, 0, ...this.emptyRow());
      else if (this.count > 2 * rowLines + 1) this.lines.splice(last - rowLines, rowLines);
      return;
    }
    for (let i = this.start; i <= last; i++) {
      const line = this.lines[i].padEnd(this.width, ' ');
      const at = this.width - colSigns;
      if (by < 0) {
        if (this.width > 2 * colSigns + 1) this.lines[i] = line.slice(0, at - 1) + line.slice(-1);
      } else if (this.boxed) this.lines[i] = line.slice(0, -1) + (i === this.start || i === last ? '+---' : line[0] === '+' ? '+   ' : '    ') + line.slice(-1);
      else this.lines[i] = line.slice(0, -1) + (i === this.start || i === last ? line.at(-2) : Object.keys(this.palette)[0] ?? ' ') + line.slice(-1);
    }
  }

  emptyRow() {
    if (this.boxed) {
      const cols = (this.width - 1) / 4;
      return [`+${'   +'.repeat(cols)}`, `|${'    '.repeat(cols - 1)}   |`];
    }
    const above = this.lines[this.start + this.count - 2].padEnd(this.width, ' ');
    return [above[0] + (Object.keys(this.palette)[0] ?? ' ').repeat(Math.max(0, this.width - 2)) + above.at(-1)];
  }
}
