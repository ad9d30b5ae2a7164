// Draw levels: paint with the room's tiles, see at once what is wrong, ask the solver, play, keep.
import { Line } from '../recording.js';
import { View } from '../player.js';
import { read } from '../drawing.js';
import { Easel } from '../easel.js';
import { Entries } from '../edit/entries.js';
import { Making } from '../edit/making.js';
import { Palette } from '../edit/palette.js';
import { DRAWN, goodName, Shelf } from '../edit/shelf.js';
import { Solving } from '../edit/solving.js';
import { addKeys } from '../shell.js';
import { button, choice, fetchJson, field, h, placeOf, say, t } from '../dom.js';

const TYPED_MS = 220; // after the last key the level is looked at
const PAINTED_MS = 40;
const TYPING_MS = 800; // what is typed without a longer rest is undone together
const PATIENCE_MS = 500; // a verdict that takes longer is announced
const MOST_UNDO = 300;
const SIDES = ['top', 'bottom', 'left', 'right'];

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
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
  /**
   * @param {HTMLElement} main
   * @param {Room} room
   */
  constructor(main, room) {
    this.room = room;
    this.sheet = /** @type {Sheet} */ (room.sheet); // null where levels are not painted: then there is no easel
    /** @type {{ text: string, part: number }[]} */
    this.past = [];
    /** @type {{ text: string, part: number }[]} */
    this.future = [];
    this.wait = this.patience = 0;
    this.lastTyped = -Infinity;
    this.gone = false;
    /** @type {Line | null} */
    this.looking = null;
    this.text = this.undrawable = ''; // the level, and the last one that had to be written in another form
    this.part = 0;
    this.draftKey = `gridsage-draft-${room.name}`;
    const { sheet } = this;
    this.verdict = h('p', { class: 'mark', role: 'status' });
    this.banner = h('div', { class: 'banner', hidden: true });
    /** @type {HTMLTextAreaElement} */
    this.area = h('textarea', {
      rows: sheet ? '12' : '22',
      spellcheck: false,
      wrap: 'off',
      autocomplete: 'off',
      oninput: () => this.change(this.area.value, { typed: true }),
    });
    this.undoButton = button(t('edit_undo'), { icon: 'undo', disabled: true, onclick: () => this.undo() });
    this.redoButton = button(t('redo'), { icon: 'redo', disabled: true, onclick: () => this.redo() });
    this.seed = h('input', { type: 'number', min: '0', step: '1', value: '1', onchange: () => this.load() });
    this.shelf = this.newShelf();
    this.solving = new Solving(room, {
      text: () => this.text,
      covers: (on) => {
        if (this.easel) this.easel.stage.hidden = this.place.hidden = on;
      },
    });
    this.making = new Making(room, ({ name, text }) => {
      this.shelf.name.value = goodName(name);
      this.change(text, { part: 0 });
    });
    this.view = sheet ? null : new View({ room });
    this.place = h('p', { class: 'place note' }, t('place_none'));
    this.parts = h('div', { class: 'row parts', hidden: !sheet?.divider });
    const [w, tall] = room.size ?? [];
    this.sizeWords = h('span', {}, w ? t('size_value', { w, h: tall }) : t('size'));
    if (sheet?.divider) this.showParts({ part: 0, parts: 1 });
    this.easel = /** @type {Easel} */ (sheet ? this.newEasel() : null);
    this.palette = /** @type {Palette} */ (sheet ? new Palette(room, this.easel) : null);
    this.entries = /** @type {Entries} */ (sheet ? new Entries(sheet, (work) => this.edit(work)) : null);
    this.arrange(main);
    (this.easel ?? this.view)?.board.resize(); // at once: nothing below it moves when the level comes
    /** @param {KeyboardEvent} event */
    this.keyed = (event) => this.key(event);
    document.addEventListener('keydown', this.keyed);
    for (const name of ['dragover', 'drop'])
      main.addEventListener(name, (event) => this.shelf.dragged(/** @type {DragEvent} */ (event)));
    this.tellKeys();
    this.begin(new URLSearchParams(location.search));
  }

  newShelf() {
    return new Shelf(this.room, {
      text: () => this.text,
      chosen: () => this.load(),
      opened: (text) => this.change(text, { part: 0 }),
      kept: (level) => {
        this.forget();
        this.setAddress({ level });
      },
      leaving: () => this.keepDraft(),
      offered: (words, action, act) => this.tellBanner(words, action, act),
    });
  }

  tellKeys() {
    if (!this.sheet) return;
    addKeys(
      t('keys_edit'),
      t(this.sheet.form === 'walled' ? 'keys_edit_walled' : 'keys_edit_list')
        .split('\n')
        .map((line) => /** @type {[string, string]} */ (line.split('|'))),
    );
  }

  leave() {
    this.gone = true;
    document.removeEventListener('keydown', this.keyed);
    clearTimeout(this.wait);
    clearTimeout(this.patience);
    this.looking?.leave();
    this.making.end();
    this.solving.close();
    this.palette?.destroy();
    this.easel?.destroy();
    this.view?.destroy();
  }

  // What is on the page

  newEasel() {
    return new Easel(this.room, {
      changed: (text, part) => this.change(text, { part }),
      at: (cell) => this.showPlace(cell),
      picked: (tile) => this.palette.showBrush(tile),
      tool: (name) => this.palette.showTool(name),
    });
  }

  /** @param {HTMLElement} main */
  arrange(main) {
    const { room, sheet } = this;
    const title = h('h1', { class: 'small' }, t('edit_title', { game: room.title }));
    const textField = field(t('level_text'), this.area, sheet ? '' : t('text_only'));
    const left = sheet
      ? [
          title,
          this.banner,
          this.palette.element,
          this.toolbar(),
          this.verdict,
          h('div', { class: 'stages' }, this.easel.stage),
          this.place,
          this.solving.box,
          h('p', { class: 'only-heard', id: 'easel-keys' }, t('easel_keys')),
        ]
      : [title, this.banner, this.verdict, h('div', { class: 'stages' }, this.view?.stage), textField];
    main.classList.toggle('written', !sheet);
    main.append(
      h('div', { class: 'left' }, left),
      h(
        'aside',
        { class: 'right', 'aria-label': t('choices') },
        h(
          'section',
          { class: 'panel setup' },
          h(
            'div',
            { class: 'pair' },
            field(t('level'), this.shelf.level),
            room.seeds ? h('div', { class: 'seed' }, field(t('seed'), this.seed)) : null,
          ),
          this.shelf.ownTools,
          h(
            'div',
            { class: 'row' },
            button(t('test_play'), { label: true, icon: 'play', onclick: () => this.shelf.visit('play') }),
            button(t('test_watch'), { label: true, icon: 'robot', onclick: () => this.shelf.visit('watch') }),
          ),
        ),
        ...[
          this.entries?.element,
          this.solving.panel,
          this.making.panel,
          this.shelf.panel,
          sheet ? this.textPanel(textField) : null,
        ].filter(Boolean),
      ),
    );
  }

  /** @param {HTMLElement} textField */
  textPanel(textField) {
    /** @type {HTMLElement} */ (textField.querySelector('label')).className = 'only-heard';
    return h(
      'details',
      { class: 'panel', open: innerWidth >= 900 },
      h('summary', {}, t('level_text')),
      h(
        'div',
        { class: 'row text-tools' },
        button(t('copy_text'), { kind: 'small', onclick: () => this.shelf.copy(this.text, t('text_copied')) }),
      ),
      textField,
    );
  }

  toolbar() {
    /** @param {string} name */
    const side = (name) => [
      h('dt', {}, t(`side_${name}`)),
      h(
        'dd',
        {},
        [-1, 1].map((by) =>
          button(by > 0 ? '+' : '−', {
            kind: 'small',
            'aria-label': t(by > 0 ? `more_${name}` : `less_${name}`),
            onclick: () => this.edit((drawing) => drawing.resize(name, by)),
          }),
        ),
      ),
    ];
    const size = h(
      'details',
      { class: 'menu', hidden: Boolean(this.sheet.fixed) },
      h('summary', { class: 'button' }, this.sizeWords),
      h('dl', { class: 'sides' }, SIDES.map(side)),
    );
    return h(
      'div',
      { class: 'row edit-bar' },
      this.palette.tools,
      this.undoButton,
      this.redoButton,
      button(t('clear'), { icon: 'clear', onclick: () => this.edit((drawing) => drawing.clear()) }),
      size,
      this.parts,
    );
  }

  /** @param {number} cell */
  showPlace(cell) {
    const { drawing } = this.easel;
    this.place.textContent =
      drawing?.drawable && cell >= 0 && cell < drawing.size
        ? t('cursor_at', { row: Math.floor(cell / drawing.cols), col: cell % drawing.cols, what: drawing.nameAt(cell) })
        : t('place_none');
  }

  /** @param {Pick<Drawn, 'part' | 'parts'>} drawing */
  showParts(drawing) {
    /** @param {string} value */
    const choose = (value) => {
      this.part = Number(value);
      this.show(this.text);
      this.look();
    };
    const list = choice(
      Array.from({ length: drawing.parts }, (_, i) => [i, t('part', { n: i + 1, of: drawing.parts })]),
      drawing.part,
      choose,
    );
    list.setAttribute('aria-label', t('parts'));
    this.parts.replaceChildren(
      list,
      button(t('part_more'), { icon: 'plus', onclick: () => this.edit((made) => made.addPart()) }),
      button(t('part_less'), {
        icon: 'trash',
        disabled: drawing.parts < 2,
        onclick: () => this.edit((made) => made.removePart()),
      }),
    );
  }

  // Where the level comes from

  /** @param {URLSearchParams} given */
  begin(given) {
    const draft = this.draft();
    const text = given.get('text');
    this.seed.value = given.get('seed') || this.seed.value;
    if (text === null && !given.has('level') && !given.has('seed') && draft) {
      this.shelf.fill(DRAWN);
      this.shelf.name.value = draft.name ?? '';
      this.set(draft.text, draft.part ?? 0);
      this.tellBanner(t('draft_restored'), t('draft_discard'), () => {
        this.forget();
        this.shelf.fill(this.shelf.first);
        this.load();
      });
      return;
    }
    if (draft && draft.text !== text) {
      this.past.push({ text: draft.text, part: 0 });
      this.tellBanner(t('draft_behind'), t('draft_take'), () => this.undo());
    }
    if (text) {
      this.shelf.fill(DRAWN);
      this.set(text);
    } else {
      if (given.has('seed') && !given.has('level') && this.room.seeds) this.shelf.fill('');
      this.load();
    }
  }

  /**
   * @param {string} words
   * @param {string} action
   * @param {() => void} act
   */
  tellBanner(words, action, act) {
    const close = () => {
      this.banner.hidden = true;
    };
    this.banner.replaceChildren(
      h('span', {}, words),
      button(action, {
        kind: 'small',
        onclick: () => {
          close();
          act();
        },
      }),
      button(t('close'), { kind: 'plain small', onclick: close }),
    );
    this.banner.hidden = false;
  }

  draft() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.draftKey) ?? 'null');
      return kept?.text ? kept : null;
    } catch {
      return null;
    }
  }

  // A draft comes back with a reload that asks for nothing else.
  keepDraft() {
    try {
      localStorage.setItem(
        this.draftKey,
        JSON.stringify({ text: this.text, part: this.part, name: this.shelf.name.value }),
      );
      this.setAddress({});
    } catch {
      /* a full storage: the level is still on the page */
    }
  }

  forget() {
    localStorage.removeItem(this.draftKey);
  }

  /** @param {Record<string, string>} query */
  setAddress(query) {
    const words = new URLSearchParams(query).toString();
    history.replaceState(null, '', words ? `${location.pathname}?${words}` : location.pathname);
  }

  // Fetch the text of the chosen level; what was drawn before is one undo away.
  async load() {
    const level = this.shelf.level.value;
    this.shelf.showOwn();
    if (level === DRAWN) return;
    this.solving.close();
    /** @type {Record<string, string>} */
    const query = level ? { level } : { seed: this.seed.value };
    try {
      const { text } = await fetchJson(`/api/levels/${this.room.name}/text?${new URLSearchParams(query)}`);
      if (this.shelf.level.value !== level || this.gone) return;
      this.setAddress(query);
      if (this.text && text !== this.text) this.remember();
      this.undrawable = '';
      this.set(text);
    } catch (error) {
      this.tell(error instanceof Error ? error.message : String(error), 'bad');
    }
  }

  /**
   * @param {string} text
   * @param {number} [part]
   */
  set(text, part = 0) {
    this.part = part;
    this.show(text);
    this.look();
  }

  /** @param {string} text */
  show(text) {
    this.text = text;
    if (this.area.value !== text) this.area.value = text;
    this.undoButton.disabled = this.past.length === 0;
    this.redoButton.disabled = this.future.length === 0;
    if (!this.easel?.show(text, this.part)) return;
    const { drawing, board } = this.easel;
    if (!drawing) return;
    this.part = drawing.part;
    this.sizeWords.textContent = t('size_value', { w: drawing.cols, h: drawing.rows });
    this.entries.show(drawing);
    if (this.sheet.divider) this.showParts(drawing);
    this.showPlace(board.hover >= 0 ? board.hover : board.cursor);
  }

  // Changes, and back

  remember() {
    this.past.push({ text: this.text, part: this.part });
    if (this.past.length > MOST_UNDO) this.past.shift();
    this.future = [];
  }

  /**
   * A new text: remembered, and looked at once the hand rests.
   * @param {string} text
   * @param {{ typed?: boolean, part?: number }} [given]
   */
  change(text, { typed = false, part = this.part } = {}) {
    if (text === this.text && part === this.part) {
      this.show(text);
      return;
    }
    const now = performance.now();
    if (!typed || now - this.lastTyped > TYPING_MS) this.remember();
    this.lastTyped = typed ? now : -Infinity;
    this.part = part;
    this.show(text);
    this.keepDraft();
    this.solving.close();
    clearTimeout(this.wait);
    this.wait = window.setTimeout(() => this.look(), typed ? TYPED_MS : PAINTED_MS);
  }

  /**
   * Change the drawing by something else than a stroke.
   * @param {(drawing: any) => void} work
   */
  edit(work) {
    const drawing = read(this.text, this.sheet, this.part);
    if (!drawing.drawable) return;
    work(drawing);
    this.change(drawing.text, { part: drawing.part });
  }

  undo() {
    this.go(this.past, this.future);
  }

  redo() {
    this.go(this.future, this.past);
  }

  /**
   * @param {{ text: string, part: number }[]} from
   * @param {{ text: string, part: number }[]} to
   */
  go(from, to) {
    const step = from.pop();
    if (!step) return;
    to.push({ text: this.text, part: this.part });
    const { text, part } = step;
    this.lastTyped = -Infinity;
    this.solving.close();
    this.set(text, part);
    this.keepDraft();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || placeOf(event).matches?.('textarea, select, input:not([type=checkbox])')) return;
    if (!(event.ctrlKey || event.metaKey)) {
      if (event.key.length === 1 && event.key !== ' ' && this.easel?.board.hover >= 0) this.easel.key(event); // letters work where the pointer is
      return;
    }
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) this.redo();
    else this.undo();
  }

  // What the game says of it

  look() {
    this.looking?.leave();
    clearTimeout(this.patience);
    if (!this.text && this.sheet) {
      this.tell(t('level_empty'), 'bad');
      return;
    }
    this.patience = window.setTimeout(() => {
      this.verdict.textContent = t('level_checking');
      this.verdict.className = 'mark';
    }, PATIENCE_MS);
    const setting = { text: this.text, seed: Number(this.seed.value) || 0 };
    this.looking = new Line(
      { m: 'look', game: this.room.name, ...setting },
      (message) => this.hear(message),
      (reason) => {
        if (reason) this.tell(reason, 'bad');
      },
    );
  }

  /** @param {Message} message */
  hear(message) {
    clearTimeout(this.patience);
    if (message.m === 'error') this.tell(message.text, 'bad', message.plain);
    else if (message.m === 'hello') {
      this.view?.hear(message);
      if (message.doubts?.length)
        this.tell(t('level_doubt', { text: message.doubts.join('; ') }), 'warn', message.plain);
      else this.tell(t('level_good', { w: message.w, h: message.h }), 'good');
      if (this.easel && !this.easel.drawing?.drawable) this.redraw();
    } else if (message.m === 'frame' && this.view) {
      this.view.hear(message);
      this.view.shownKey = '';
      this.view.show(0, 0);
    }
  }

  // A level in another form of writing is turned into the one that can be painted on, once: that can be undone.
  async redraw() {
    if (this.text === this.undrawable) return;
    this.undrawable = this.text;
    const answer = this.sheet.drawn ? await this.shelf.ask(`write/${this.sheet.drawn}`, this.text) : null;
    if (answer && answer.text !== this.text) this.change(answer.text, { part: 0 });
  }

  /**
   * Errors in words and in place: on the board, in the field, in the palette, in the text.
   * @param {string} words
   * @param {string} kind
   * @param {string} [plain] the same as the server said it: it names the place
   */
  tell(words, kind, plain = words) {
    this.verdict.textContent = words && words[0].toUpperCase() + words.slice(1);
    this.verdict.className = `mark ${kind}`;
    this.solving.button.disabled = kind === 'bad';
    this.area.setAttribute('aria-invalid', String(kind === 'bad'));
    if (kind !== 'good') say(words);
    const fine = kind === 'good';
    let line = fine ? NaN : Number(/line (\d+)/.exec(plain)?.[1]);
    if (this.easel?.drawing?.drawable) {
      const { drawing } = this.easel;
      const found = fine ? { cells: [], line: NaN, key: undefined } : drawing.faults(plain);
      this.easel.setFaults(found.cells);
      this.entries.showFault(found.key);
      this.palette.showLacking(fine ? [] : drawing.lacking);
      line = found.line;
    }
    if (line && document.activeElement !== this.area) this.selectLine(line);
  }

  /** @param {number} number */
  selectLine(number) {
    const lines = this.text.split('\n');
    const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    this.area.setSelectionRange(start, start + (lines[number - 1]?.length ?? 0));
    this.area.scrollTop = (this.area.scrollHeight / lines.length) * Math.max(0, number - 4);
  }
}
