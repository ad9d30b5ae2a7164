// Draw levels: paint with the room's tiles, see at once what is wrong, ask the solver, play, keep.
import { paintSprite } from '../board.js';
import { PALETTES } from '../tiles.js';
import { Line } from '../socket.js';
import { Transport, View } from '../player.js';
import { Drawing } from '../drawing.js';
import { button, choice, fetchJson, field, h, notice, say, t, themeNow } from '../dom.js';

const QUIET_MS = 220; // after the last stroke the level is looked at
const SWATCH = 34;

export function build(main, { room }) {
  if (room.missing) {
    main.append(h('h1', {}, room.title), h('p', { class: 'empty' }, room.missing));
    return null;
  }
  const editor = new Editor(main, room);
  window.gridsage = editor;
  return () => editor.leave();
}

class Editor {
  constructor(main, room) {
    this.room = room;
    this.past = [];
    this.future = [];
    this.text = '';
    this.brush = Object.keys(room.palette)[0] ?? '';
    this.view = new View();
    this.view.canvas.setAttribute('role', 'application');
    this.solution = h('div', {});
    const given = new URLSearchParams(location.search);
    const names = [...(room.seeds ? [['', t('level_of_seed')]] : []), ...(room.levels.length ? [{ group: t('levels_shipped'), values: room.levels }] : []), ...(room.own.length ? [{ group: t('levels_own'), values: room.own.map((name) => [name, name.replace(/^own\//, '')]) }] : [])];
    this.level = choice(names, given.get('level') ?? room.levels[0] ?? '', () => this.load());
    this.seed = h('input', { type: 'number', min: '0', step: '1', value: given.get('seed') ?? '1', onchange: () => this.load() });
    this.area = h('textarea', { rows: '14', spellcheck: false, wrap: 'off', autocomplete: 'off', oninput: () => this.change(this.area.value, true) });
    this.verdict = h('p', { class: 'mark', role: 'status' });
    this.name = h('input', { type: 'text', maxlength: '60', pattern: '[A-Za-z0-9][A-Za-z0-9 _\\-]*', placeholder: t('level_name_hint') });
    this.undoButton = button(t('undo'), { icon: 'undo', onclick: () => this.undo() });
    this.redoButton = button(t('redo'), { icon: 'redo', onclick: () => this.redo() });
    this.checkButton = button(t('can_it_be_won'), { label: true, icon: 'check', kind: 'strong', hidden: !room.check, onclick: () => this.check() });
    this.file = h('input', { type: 'file', class: 'only-heard', tabindex: '-1', id: 'level-file', 'aria-label': t('import_level'), onchange: () => this.read() });
    this.format = choice([['text', t('format_text')], ...room.write.map((name) => [name, name])], 'text');
    this.palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': t('palette') });
    this.buildPalette();
    main.append(
      h('div', { class: 'left' }, h('h1', { class: 'small' }, t('edit_title', { game: room.title })),
        this.palette,
        h('div', { class: 'row edit-bar' }, this.undoButton, this.redoButton,
          ...['row_more', 'row_less', 'col_more', 'col_less'].map((name) => button(t(name), { kind: 'small resize', onclick: () => this.resize(name) }))),
        this.verdict, h('div', { class: 'stages' }, this.view.stage), this.solution),
      h('aside', { class: 'right', 'aria-label': t('choices') },
        h('section', { class: 'panel setup' }, field(t('level'), this.level), room.seeds ? field(t('seed'), this.seed) : null,
          h('div', { class: 'row' }, this.checkButton, button(t('test_play'), { label: true, icon: 'play', onclick: () => { location.href = `/play/${room.name}?text=${encodeURIComponent(this.text)}`; } })),
          h('div', { class: 'pair' }, field(t('level_name'), this.name), button(t('save'), { label: true, icon: 'keep', onclick: () => this.save() })),
          h('div', { class: 'pair' }, field(t('format'), this.format), button(t('download'), { label: true, icon: 'down', onclick: () => this.write() })),
          room.read ? button(t('import_level'), { label: true, icon: 'up', onclick: () => this.file.click() }) : null, this.file),
        h('section', { class: 'panel' }, field(t('level_text'), this.area, room.palette && Object.keys(room.palette).length ? '' : t('text_only')))));
    this.view.canvas.addEventListener('pointerdown', (event) => this.stroke(event, true));
    this.view.canvas.addEventListener('pointermove', (event) => { if (event.buttons & 1) this.stroke(event, false); });
    this.view.canvas.addEventListener('keydown', (event) => this.key(event));
    this.keyed = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target === this.area) return;
      if (event.key === 'z') { event.preventDefault(); if (event.shiftKey) this.redo(); else this.undo(); }
      if (event.key === 'y') { event.preventDefault(); this.redo(); }
    };
    document.addEventListener('keydown', this.keyed);
    if (given.get('text')) this.set(given.get('text'));
    else this.load();
  }

  leave() {
    document.removeEventListener('keydown', this.keyed);
    this.looking?.leave();
    this.closeSolution();
    this.view.destroy();
  }

  buildPalette() {
    const entries = Object.entries(this.room.palette);
    if (this.room.palette.R && this.room.palette.rc) entries.push(['wall', 'wall'], ['', 'floor']);
    this.palette.hidden = entries.length === 0;
    this.palette.replaceChildren(...entries.map(([sign, sprite]) => {
      const canvas = h('canvas', { width: String(SWATCH * 2), height: String(SWATCH * 2), 'aria-hidden': 'true' });
      const pen = canvas.getContext('2d');
      pen.scale(SWATCH * 2, SWATCH * 2);
      paintSprite(pen, sprite, { variant: 0, dx: 0, dy: 0, pal: PALETTES[themeNow()] }, { game: this.room.name });
      const words = sign === 'wall' && this.room.palette.R ? t('brush_side') : sign === '' ? t('brush_clear') : sprite.replaceAll(/[-_]/g, ' ');
      return h('button', { type: 'button', class: 'swatch', role: 'radio', 'aria-checked': String(sign === this.brush), 'aria-label': words, title: words, onclick: () => this.choose(sign) }, canvas);
    }));
    this.signs = entries.map(([sign]) => sign);
  }

  choose(sign) {
    this.brush = sign;
    [...this.palette.children].forEach((swatch, i) => swatch.setAttribute('aria-checked', String(this.signs[i] === sign)));
  }

  // Fetch the text of the chosen level.
  load() {
    this.past = [];
    this.future = [];
    this.look({ level: this.level.value, seed: Number(this.seed.value) || 0 }, (hello) => { if (hello.text !== undefined) this.show(hello.text); });
  }

  set(text) {
    this.show(text);
    this.look({ text });
  }

  show(text) {
    this.text = text;
    if (this.area.value !== text) this.area.value = text;
    this.undoButton.disabled = this.past.length === 0;
    this.redoButton.disabled = this.future.length === 0;
  }

  // A new text: remembered, and looked at once the hand rests.
  change(text, typed = false) {
    if (text === this.text) return;
    if (!typed || performance.now() - (this.lastTyped ?? 0) > 800) this.past.push(this.text);
    if (typed) this.lastTyped = performance.now();
    this.future = [];
    this.show(text);
    this.closeSolution();
    clearTimeout(this.wait);
    this.wait = setTimeout(() => this.look({ text: this.text }), typed ? QUIET_MS : 60);
  }

  undo() {
    if (!this.past.length) return;
    this.future.push(this.text);
    this.set(this.past.pop());
    this.closeSolution();
  }

  redo() {
    if (!this.future.length) return;
    this.past.push(this.text);
    this.set(this.future.pop());
    this.closeSolution();
  }

  look(setting, greeted = null) {
    this.looking?.leave();
    this.looking = new Line({ m: 'look', game: this.room.name, ...setting }, (message) => {
      if (message.m === 'error') this.tell(message.text, false);
      else if (message.m === 'hello') {
        greeted?.(message);
        this.view.hear(message);
      } else if (message.m === 'frame') {
        this.view.hear(message);
        this.view.shown = -1;
        this.view.shownKey = '';
        this.view.show(0, 0);
        this.tell(t('level_good', { w: this.view.recording.hello.w, h: this.view.recording.hello.h }), true);
      }
    }, () => {});
  }

  // Errors in place: the line that is meant is marked in the text.
  tell(words, good) {
    this.verdict.textContent = words;
    this.verdict.className = `mark ${good ? 'good' : 'bad'}`;
    this.checkButton.disabled = !good;
    this.area.setAttribute('aria-invalid', String(!good));
    if (!good) say(words);
    const found = /line (\d+)/.exec(good ? '' : words);
    if (found && document.activeElement !== this.area) {
      const lines = this.text.split('\n');
      const start = lines.slice(0, Number(found[1]) - 1).join('\n').length + (found[1] > 1 ? 1 : 0);
      this.area.setSelectionRange(start, start + (lines[Number(found[1]) - 1]?.length ?? 0));
    }
  }

  stroke(event, first) {
    const { board } = this.view;
    const cell = board.cellAt(event);
    if (cell < 0 || !this.signs.length) return;
    if (!first && cell === this.strokeCell) return;
    this.strokeCell = cell;
    const box = this.view.canvas.getBoundingClientRect();
    const x = (((event.clientX - box.left) / box.width) * board.w) % 1;
    const y = (((event.clientY - box.top) / box.height) * board.h) % 1;
    if (this.brush === 'wall' && !first) return;
    this.paint(cell, x, y);
  }

  paint(cell, x = 0.5, y = 0) {
    const { board } = this.view;
    const drawing = new Drawing(this.text, board.h, board.w, this.room.palette);
    const row = Math.floor(cell / board.w);
    const col = cell % board.w;
    if (this.brush === 'wall' && drawing.boxed) {
      const sides = [[y, 'N'], [1 - x, 'E'], [1 - y, 'S'], [x, 'W']].sort((a, b) => a[0] - b[0]);
      drawing.toggleSide(row, col, sides[0][1]);
    } else drawing.paint(row, col, this.brush);
    this.change(drawing.text);
  }

  resize(name) {
    const drawing = new Drawing(this.text, this.view.board.h, this.view.board.w, this.room.palette);
    drawing.resize(name.startsWith('row') ? 'row' : 'col', name.endsWith('more') ? 1 : -1);
    this.change(drawing.text);
  }

  // Drawing by keyboard alone: arrows move the cursor, space paints, N E S W put walls, + and - choose the tile.
  key(event) {
    const { board } = this.view;
    const ways = { ArrowUp: -board.w, ArrowDown: board.w, ArrowLeft: -1, ArrowRight: 1 };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (ways[event.key]) {
      const next = board.cursor < 0 ? 0 : board.cursor + ways[event.key];
      if (next >= 0 && next < board.w * board.h) board.set('cursor', next);
      say(t('cursor_at', { row: Math.floor(board.cursor / board.w), col: board.cursor % board.w, what: this.view.recording.tiles[board.cells[board.cursor]] ?? '' }));
    } else if (event.key === ' ' && board.cursor >= 0) this.paint(board.cursor);
    else if ('nesw'.includes(event.key) && this.room.palette.rc && board.cursor >= 0) {
      const drawing = new Drawing(this.text, board.h, board.w, this.room.palette);
      drawing.toggleSide(Math.floor(board.cursor / board.w), board.cursor % board.w, event.key.toUpperCase());
      this.change(drawing.text);
    } else if (event.key === '+' || event.key === '-') {
      const at = this.signs.indexOf(this.brush) + (event.key === '+' ? 1 : -1);
      this.choose(this.signs[(at + this.signs.length) % this.signs.length]);
      say(this.palette.children[this.signs.indexOf(this.brush)].getAttribute('aria-label'));
    } else return;
    event.preventDefault();
  }

  check() {
    this.closeSolution();
    const view = new View();
    this.transport = new Transport([view], { keys: false });
    const report = h('p', { class: 'mark', role: 'status' }, t('solving'));
    this.solution.replaceChildren(report);
    view.listeners.push((message) => {
      if (message.m === 'report') {
        report.textContent = message.text;
        report.className = `mark ${message.verdict === 'won' ? 'good' : 'bad'}`;
        if (message.steps) this.solution.append(h('h2', {}, t('solution')), view.stage, this.transport.controls);
      } else if (message.m === 'error') {
        report.textContent = message.text;
        report.className = 'mark bad';
      } else if (message.m === 'progress' && message.done < message.total) report.textContent = t('compiling', { words: message.words, done: message.done + 1, total: message.total });
    });
    view.open({ m: 'check', game: this.room.name, text: this.text });
  }

  closeSolution() {
    this.transport?.destroy();
    this.transport = null;
    this.solution.replaceChildren();
  }

  async save() {
    const name = this.name.value.trim();
    if (!name || !this.name.reportValidity()) {
      notice(t('level_name_missing'));
      this.name.focus();
      return;
    }
    try {
      const { level } = await fetchJson(`/api/levels/${this.room.name}/keep/${encodeURIComponent(name)}`, { method: 'POST', body: this.text });
      notice(t('level_kept'), 'good').append(h('a', { href: `/play/${this.room.name}?level=${encodeURIComponent(level)}` }, t('play_it')));
    } catch (error) {
      notice(error.message);
    }
  }

  async write() {
    const format = this.format.value;
    try {
      const data = format === 'text' ? { text: this.text } : await fetchJson(`/api/levels/${this.room.name}/write/${encodeURIComponent(format)}`, { method: 'POST', body: this.text });
      const link = h('a', { href: URL.createObjectURL(new Blob([data.text], { type: 'text/plain' })), download: `${this.name.value.trim() || this.room.name}.${format === 'text' ? 'txt' : format}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch (error) {
      notice(error.message);
    }
  }

  async read() {
    const chosen = this.file.files[0];
    this.file.value = '';
    if (!chosen) return;
    try {
      const { levels } = await fetchJson(`/api/levels/${this.room.name}/read`, { method: 'POST', body: chosen, headers: { 'x-file-name': encodeURIComponent(chosen.name) } });
      this.past.push(this.text);
      this.set(levels[0].text);
      notice(t('level_read', { name: levels[0].name, n: levels.length }), 'good');
      levels[0].warnings.slice(0, 3).forEach((warning) => notice(warning));
    } catch (error) {
      notice(error.message);
    }
  }
}
