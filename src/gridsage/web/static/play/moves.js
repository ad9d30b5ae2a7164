// What can be done now: buttons, the pad of directions, cards, marks on the board, clicks, swipes and keys.
import { lookOf, picture } from '../board.js';
import { fill, h, icon, said, say, t } from '../dom.js';
import { Keyboard, isTerminal } from '../keyboard.js';

// What a key may be called in a room's list of keys.
/** @type {Record<string, string[]>} */
export const KEY_NAMES = {
  ArrowUp: ['ArrowUp', 'up'],
  ArrowDown: ['ArrowDown', 'down'],
  ArrowLeft: ['ArrowLeft', 'left'],
  ArrowRight: ['ArrowRight', 'right'],
  ' ': [' ', 'space'],
  Enter: ['Enter', 'enter'],
  Escape: ['Escape', 'escape'],
};
/** @type {Record<string, string>} */
const ARROWS = { ArrowUp: '^', ArrowDown: 'v', ArrowLeft: '<', ArrowRight: '>' }; // after the letter of who moves
/** @type {Record<string, [dx: number, dy: number]>} */
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const MOST_BUTTONS = 24;
const SWIPE_PIXELS = 24;
const MOST_TYPED = 16; // keys ahead of the game

export class Moves {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.room = game.room;
    this.element = h('div', { class: 'moves' });
    this.keyboard = isTerminal(this.room) ? new Keyboard(this.room, (action) => game.act(action)) : null;
    this.arrows = Object.keys(ARROWS).filter((key) =>
      Object.keys(this.room.keys).some(
        (known) => KEY_NAMES[key].includes(known) || (known.length === 2 && known.endsWith(ARROWS[key])),
      ),
    );
    this.twoKeys = new Set(
      Object.entries(this.room.keys)
        .filter(([key]) => key.length === 2)
        .map(([, label]) => label),
    );
    this.chosen = ''; // who moves next
    this.buffer = ''; // its letter
    /** @type {string[]} */
    this.typed = []; // keys pressed before the game answered the last move
    this.offered = ''; // the moves whose buttons are shown while time runs
    /** @type {Set<string> | null} */
    this.narrowed = null; // the only moves that are offered
    /** @type {PointerEvent | null} */
    this.pressed = null;
  }

  begin() {
    this.chosen = '';
    this.buffer = '';
    this.typed = [];
    this.narrowed = null;
  }

  // The game has answered: what was typed meanwhile is pressed now, unless somebody else is to move.
  answered() {
    while (this.typed.length && this.game.mine) this.press(this.typed.shift() ?? '');
    if (!this.game.sent) this.typed = [];
  }

  /** @param {HTMLCanvasElement} canvas */
  listen(canvas) {
    canvas.addEventListener('pointerdown', (event) => {
      this.pressed = event;
    });
    canvas.addEventListener('pointerup', (event) => this.pointer(event));
  }

  // The move that lets time pass, in rooms that can be played at a pace.
  idleLabel() {
    const { keys, seats, real_time } = this.room;
    if (real_time) return real_time.idle;
    return seats === 1 && !keys['1'] ? (keys[' '] ?? keys.space ?? null) : null;
  }

  /** @param {string} key */
  arrowLabel(key) {
    const { keys } = this.room;
    return keys[KEY_NAMES[key].find((name) => keys[name]) ?? ''] ?? keys[this.buffer + ARROWS[key]];
  }

  show() {
    if (this.keyboard) {
      const keys = this.keyboard.show(this.game.turn, this.game.view?.recording.frames.at(-1));
      if (keys.parentElement !== this.element) this.element.replaceChildren(keys);
      return;
    }
    const legal = this.game.legal();
    const labels = new Set(legal.map(({ label }) => label));
    const claiming = legal.some(({ label }) => this.game.isBid(label)); // then the buttons above say it all
    const over = this.game.turn?.over;
    // While time runs the same buttons stay, under the finger that may be on one of them.
    const now = this.game.clock.running ? [...labels].join('|') : '';
    if (now && now === this.offered) return;
    this.offered = now;
    fill(
      this.element,
      this.movers(),
      over || claiming ? null : this.pad(labels),
      claiming ? null : this.game.turn ? this.choices(legal) : this.outlined(),
    );
    this.mark();
  }

  /** @param {Set<string>} labels */
  pad(labels) {
    if (this.arrows.length !== 4) return null;
    const useful = this.arrows.some((key) => labels.has(this.arrowLabel(key))) || !this.game.mine || this.buffer === '';
    if (!useful) return null;
    return h(
      'div',
      { class: 'pad', role: 'group', 'aria-label': t('directions') },
      this.arrows.map((key) => {
        const way = key.slice(5);
        const label = this.arrowLabel(key);
        return h(
          'button',
          {
            type: 'button',
            class: `button only-icon pad-${way.toLowerCase()}`,
            'aria-label': t(`way_${way.toLowerCase()}`),
            title: this.room.meanings[label],
            disabled: this.game.mine && label !== undefined && !labels.has(label),
            ...this.touched(label, () => this.press(key)),
          },
          icon(`arrow${way}`),
        );
      }),
    );
  }

  /**
   * What happens when a button is touched: a move at once, or while time runs what the next beats do until it is let go.
   * @param {string} label
   * @param {() => unknown} act
   */
  touched(label, act) {
    const { clock } = this.game;
    const drop = () => {
      clock.drop(label);
      this.mark();
    };
    return {
      /** @param {MouseEvent} event */
      onclick: (event) => {
        if (!clock.active) act();
        else if (event.detail === 0) {
          clock.hold(label); // by keyboard: a tap
          clock.drop(label);
        }
      },
      onpointerdown: () => (clock.active ? clock.hold(label) : null),
      onpointerup: drop,
      onpointerleave: drop,
      onpointercancel: drop,
    };
  }

  /**
   * Buttons for everything that has no other place: no arrow, no card in a hand, no cell to point at.
   * @param {Move[]} legal
   */
  choices(legal) {
    const inKeys = new Set(Object.values(this.room.keys));
    const byArrow = new Set(this.arrows.map((key) => this.arrowLabel(key)).filter(Boolean));
    const held = this.game.hands.labels();
    let plain = legal.filter(
      ({ label, from, to }) =>
        !byArrow.has(label) && !this.twoKeys.has(label) && !held.has(label) && !(from < 0 && to >= 0),
    );
    const { narrowed } = this;
    if (narrowed) plain = plain.filter(({ label }) => narrowed.has(label));
    if (plain.length > MOST_BUTTONS) plain = plain.filter(({ label }) => inKeys.has(label));
    if (!plain.length) return null;
    /** @param {string} label */
    const key = (label) =>
      Object.entries(this.room.keys).find(([known, name]) => name === label && known.length === 1)?.[0];
    return h(
      'div',
      { class: 'row' },
      plain.slice(0, 60).map((entry) => {
        /** @param {boolean} on */
        const touch = (on) => () => this.mark(on ? entry : null);
        return h(
          'button',
          {
            type: 'button',
            class: 'button small',
            title: this.room.meanings[entry.label],
            onpointerenter: touch(true),
            ...this.touched(entry.label, () => this.game.act(entry.action)),
            onfocus: touch(true),
            onblur: touch(false),
          },
          this.worded(entry.label),
          key(entry.label)
            ? h('kbd', { 'aria-hidden': 'true' }, key(entry.label) === ' ' ? '␣' : key(entry.label))
            : null,
        );
      }),
    );
  }

  // The buttons that a game of one person will have, before its first turn: nothing moves when they can be pressed.
  outlined() {
    if (!this.idleLabel()) return null;
    const labels = [...new Set(Object.values(this.room.keys))];
    const row = this.choices(labels.map((label) => ({ label, action: -1, from: -1, to: -1, who: '', area: [] })));
    row?.setAttribute('inert', '');
    return row;
  }

  /**
   * A label as people write it on a button.
   * @param {string} label
   */
  worded(label) {
    if (label === this.idleLabel()) return t('wait');
    const words = said(label);
    if (words !== label) return words[0].toUpperCase() + words.slice(1);
    return /^[a-z]{2,}([- ][a-z]+)*$/.test(label)
      ? (label[0].toUpperCase() + label.slice(1)).replaceAll('-', ' ')
      : label;
  }

  moverNames() {
    return [
      ...new Set(
        this.game
          .legal()
          .filter(({ from, who }) => from >= 0 && who)
          .map(({ who }) => who),
      ),
    ];
  }

  movers() {
    const names = this.moverNames();
    if (names.length < 2) return null;
    const { board } = this.game.view;
    /** @param {string} name */
    const face = (name) => {
      const thing = board.things.get(name);
      return thing ? picture(thing.name, board.game) : null;
    };
    return h(
      'div',
      { class: 'row', role: 'group', 'aria-label': t('who_moves') },
      names.map((name) =>
        h(
          'button',
          {
            type: 'button',
            class: 'button small mover',
            'aria-label': said(name),
            title: said(name),
            'aria-pressed': String(name === this.chosen),
            onclick: () => this.choose(name),
          },
          face(name) ?? said(name),
        ),
      ),
    );
  }

  /**
   * Where one can point now; `entry` shows one move more clearly.
   * @param {Move | null} [entry]
   */
  mark(entry = null) {
    const legal = this.game.legal();
    const movers = new Set(legal.filter(({ from }) => from >= 0).map(({ who }) => who));
    const marks = [];
    for (const { from, to, who } of legal) {
      if (to < 0) continue;
      if (from < 0) marks.push({ cell: to, kind: 'target' });
      else if (movers.size === 1 || who === this.chosen) {
        if (movers.size > 1) marks.push({ cell: from, kind: 'chosen' });
        if (to !== from) marks.push({ cell: to, kind: movers.size === 1 ? '' : 'target' });
      }
    }
    for (const cell of this.game.newest?.c ?? []) marks.push({ cell, kind: 'chosen' }); // the first of two targets
    for (const cell of entry?.area ?? []) marks.push({ cell, kind: 'chosen' });
    if (entry && entry.to >= 0) marks.push({ cell: entry.to, kind: 'chosen' });
    this.game.view?.board.set('marks', marks);
  }

  /** @param {string} who */
  choose(who) {
    this.chosen = who;
    this.buffer = who.toLowerCase();
    this.game.turnLine.textContent = this.game.turnWords(); // no more asking for a choice
    this.show();
    say(t('chosen', { who: said(who) }));
  }

  /** @param {string} key */
  knows(key) {
    return Boolean(ARROWS[key]) || (KEY_NAMES[key] ?? [key]).some((name) => this.room.keys[name]);
  }

  /**
   * A key as the room knows it: alone, or after the letter that chose who moves; or one that picks a card or a target.
   * One that comes before the game has answered the last move waits for the answer, but a key held down does not pile up.
   * @param {string} key
   * @param {boolean} [repeated]
   */
  press(key, repeated = false) {
    const { game } = this;
    const { keys } = this.room;
    if (game.sent) {
      if (!repeated && this.typed.length < MOST_TYPED && (key.length === 1 || KEY_NAMES[key])) this.typed.push(key);
      return this.knows(key);
    }
    const names = KEY_NAMES[key] ?? [key];
    // The letter of one that can move always chooses it: r means red, also when red is chosen and could go right.
    const who = game.legal().find((entry) => entry.who && entry.who.toLowerCase() === key.toLowerCase())?.who;
    if (who && Object.keys(keys).some((known) => known.length === 2 && known.startsWith(key.toLowerCase()))) {
      this.choose(who);
      return true;
    }
    const pair = keys[this.buffer + (ARROWS[key] ?? key)];
    if (this.buffer && pair && game.actLabel(pair)) return true;
    if (this.buffer && pair && ARROWS[key]) return false; // the chosen one is blocked that way
    for (const name of names) if (keys[name] && game.actLabel(keys[name])) return true;
    if (this.aim(key)) return true;
    if (ARROWS[key] && !this.buffer && this.moverNames().length > 1) {
      game.turnLine.textContent = t('choose_who', { who: this.moverNames().map(said).join(', ') });
      return true;
    }
    if (/^[1-9]$/.test(key) && game.hands.play(Number(key) - 1)) return true;
    return key.length === 1 && game.actLabel(key);
  }

  /**
   * Targets by keyboard: arrows go from one to the next in that direction, Enter or space takes it.
   * @param {string} key
   */
  aim(key) {
    const targets = this.game.legal().filter(({ from, to }) => from < 0 && to >= 0);
    if (!targets.length) return false;
    const { board } = this.game.view;
    if (key === 'Enter' || key === ' ') {
      const found = targets.find(({ to }) => to === board.cursor);
      if (!found) return false;
      board.set('cursor', -1);
      this.game.act(found.action);
      return true;
    }
    if (!WAYS[key]) return false;
    const [dx, dy] = WAYS[key];
    /** @param {number} cell */
    const at = (cell) => [cell % board.w, Math.floor(cell / board.w)];
    const here = targets.some(({ to }) => to === board.cursor) ? at(board.cursor) : null;
    const rated = targets
      .map((entry) => {
        const [x, y] = at(entry.to);
        if (!here) return { far: y * board.w + x, entry };
        const along = (x - here[0]) * dx + (y - here[1]) * dy;
        const aside = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
        return { far: along > 0 ? along + 2 * aside : Infinity, entry };
      })
      .sort((a, b) => a.far - b.far);
    if (rated[0].far !== Infinity) {
      board.set('cursor', rated[0].entry.to);
      say(said(rated[0].entry.label));
    }
    return true;
  }

  /** @param {PointerEvent} event */
  pointer(event) {
    const { game } = this;
    const { board } = game.view;
    const from = this.pressed;
    this.pressed = null;
    if (from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > SWIPE_PIXELS) {
      const dx = event.clientX - from.clientX;
      const dy = event.clientY - from.clientY;
      const cell = board.cellAt(from);
      const mover = game.legal().find((entry) => entry.from === cell && entry.who);
      if (mover) this.choose(mover.who);
      this.press(
        Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'ArrowRight' : 'ArrowLeft') : dy > 0 ? 'ArrowDown' : 'ArrowUp',
      );
      return;
    }
    const cell = board.cellAt(event);
    const legal = game.legal();
    const movers = new Set(legal.filter((entry) => entry.from >= 0).map(({ who }) => who));
    const aimed = legal.find(
      (entry) => entry.to === cell && (entry.from < 0 || movers.size === 1 || entry.who === this.chosen),
    );
    const around = legal.filter((entry) => entry.area.includes(cell));
    if (aimed) game.act(aimed.action);
    else if (around.length === 1) game.act(around[0].action);
    else if (around.length) this.narrow(around);
    else {
      const mover = legal.find((entry) => entry.from === cell && entry.who);
      if (mover) this.choose(mover.who);
      else if (movers.size) this.towards(cell, legal, movers);
    }
  }

  /**
   * A click that can mean several moves leaves only those to choose from.
   * @param {Move[]} entries
   */
  narrow(entries) {
    this.narrowed = new Set(entries.map(({ label }) => label));
    this.show();
    this.narrowed = null;
    /** @type {HTMLElement | null} */ (this.element.querySelector('.row:last-child button'))?.focus();
  }

  /**
   * A click beside: the way of the chosen one whose line the click lies on.
   * @param {number} cell
   * @param {Move[]} legal
   * @param {Set<string>} movers
   */
  towards(cell, legal, movers) {
    const who = movers.size === 1 ? [...movers][0] : this.chosen;
    const w = this.game.view.board.w;
    const own = legal.filter((entry) => entry.who === who && entry.from >= 0);
    if (!own.length) return;
    const [x, y] = [cell % w, Math.floor(cell / w)];
    const [fx, fy] = [own[0].from % w, Math.floor(own[0].from / w)];
    if (x !== fx && y !== fy) return;
    this.press(x > fx ? 'ArrowRight' : x < fx ? 'ArrowLeft' : y > fy ? 'ArrowDown' : 'ArrowUp');
  }
}

// What each seat holds, as cards; those that can be played now are buttons.
export class Hands {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.element = h('div', { class: 'hands', hidden: true });
    this.explained = false;
  }

  get hands() {
    return this.game.view?.recording.frames.at(-1)?.hd ?? [];
  }

  // Every card somebody holds: these need no other button.
  labels() {
    return new Set(this.hands.flat());
  }

  show() {
    const { hands, game } = this;
    this.element.hidden = hands.length === 0;
    if (!hands.length) return;
    const legal = new Map(game.legal().map(({ label, action }) => [label, action]));
    const { meanings } = game.room;
    const sides = game.view.recording.hello?.sides ?? [];
    this.element.replaceChildren(
      ...hands.map((hand, seat) => {
        const now = game.turn?.seat === seat && !game.turn.over;
        const cards = hand.map((label, i) => this.card(label, i, now, now && legal.has(label)));
        return h(
          'div',
          { class: `hand ${now ? 'now' : ''}`, role: 'group', 'aria-label': t('hand_of', { n: seat + 1 }) },
          h(
            'span',
            { class: 'note row owner' },
            sides[seat] ? picture(sides[seat], lookOf(game.room)) : null,
            this.owner(seat),
          ),
          h('div', { class: 'row' }, cards.length ? cards : h('span', { class: 'note' }, t('hand_empty'))),
        );
      }),
    );
    const known = [...new Set(hands.flat())].filter((label) => meanings[label]);
    if (known.length)
      this.element.append(
        h(
          'details',
          {
            class: 'meanings',
            open: this.explained,
            ontoggle: (event) => {
              this.explained = event.target.open;
            },
          },
          h('summary', {}, t('cards_explained')),
          h(
            'dl',
            {},
            known.flatMap((label) => [h('dt', {}, said(label)), h('dd', {}, meanings[label])]),
          ),
        ),
      );
  }

  /**
   * One card: its sign, its name, and the key that plays it.
   * @param {string} label
   * @param {number} i
   * @param {boolean} now
   * @param {boolean} usable
   */
  card(label, i, now, usable) {
    const { game } = this;
    const known = game.room.cards.find(({ name }) => name === label);
    const played = now && game.begun.includes(label);
    return h(
      'button',
      {
        type: 'button',
        class: `card-button card-${label} ${played ? 'played' : ''}`,
        disabled: !usable,
        'aria-label': known?.title ?? said(label),
        'aria-pressed': played ? 'true' : undefined,
        title: known?.text ?? game.room.meanings[label],
        onclick: () => game.actLabel(label),
      },
      known ? h('span', { class: 'sign', 'aria-hidden': 'true' }, known.sign) : null,
      h('span', { class: 'card-name' }, known?.title ?? said(label)),
      usable ? h('kbd', { 'aria-hidden': 'true' }, String(i + 1)) : null,
    );
  }

  /** @param {number} seat */
  owner(seat) {
    const name = this.game.view.recording.hello?.players?.[seat] ?? '';
    const people = (this.game.view.recording.hello?.players ?? []).filter((other) => other === 'human').length;
    return t('hand_title', { n: seat + 1, name: name === 'human' ? t(people > 1 ? 'human' : 'you') : name });
  }

  /**
   * The card at place `i` of the hand whose turn it is.
   * @param {number} i
   */
  play(i) {
    const label = this.hands[this.game.turn?.seat ?? -1]?.[i];
    return label !== undefined && this.game.actLabel(label);
  }
}
