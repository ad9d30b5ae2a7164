// The play page: one game at this screen, whose turn it is, take-backs, take-overs, links. Its parts are in play/.
import { Transport, View } from '../player.js';
import { addKeys } from '../shell.js';
import { button, copyLink, h, notice, placeOf, said, t } from '../dom.js';
import { Setup } from '../setup.js';
import { tone } from '../sounds.js';
import { setUpTable } from '../play/seats.js';
import { Shown } from '../play/shown.js';
import { Advice } from '../play/advice.js';
import { Campaign } from '../play/campaign.js';
import { Claims } from '../play/claims.js';
import { Clock } from '../play/clock.js';
import { Hands, KEY_NAMES, Moves } from '../play/moves.js';
import { Description, Ending, History, Mistakes } from '../play/review.js';

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { room }) {
  if (room.missing) {
    main.append(h('h1', {}, room.title), h('p', { class: 'empty' }, room.missing));
    return null;
  }
  const drawn = new URLSearchParams(location.search).get('from') === 'edit'; // its draft is still there
  const game = new Game(main, room);
  if (drawn)
    main
      .querySelector('h1')
      ?.after(h('p', { class: 'back-link' }, h('a', { href: `/edit/${room.name}` }, t('back_to_drawing'))));
  if (game.setup.practice) main.querySelector('h1')?.after(puzzleLine(room, game.setup.practice));
  const campaign = new URLSearchParams(location.search).get('campaign');
  if (campaign) game.campaign.begin(campaign);
  if (!game.campaign.on) game.start();
  window.gridsage = game;
  return () => game.leave();
}

/**
 * @param {Room} room
 * @param {NonNullable<Room['practice']>} puzzle
 */
function puzzleLine({ seats }, { number, best, ratings }) {
  const rating = ratings[number - 1];
  return h('p', { class: 'note' }, t(seats > 1 ? 'puzzle_line_turns' : 'puzzle_line', { number, rating, n: best }));
}

const UNDO_MS = 2000; // how far Undo goes back where time runs

export class Game {
  undoButton = button(t('undo'), { icon: 'undo', label: true, kind: 'small', onclick: () => this.undo() });
  restartButton = button(t('restart'), { icon: 'restart', label: true, kind: 'small', onclick: () => this.restart() });
  keepButton = button(t('keep'), { icon: 'keep', kind: 'small', onclick: () => this.send({ m: 'keep' }) });
  nextButton = button(t('next_level'), { icon: 'forward', label: true, hidden: true, onclick: () => this.next() });

  /**
   * A `setup` of one's own says what is played, for pages that let nobody choose; its address then stays as it is.
   * @param {HTMLElement} main
   * @param {Room} room
   * @param {{ setup?: Chooser | null }} [given]
   */
  constructor(main, room, { setup = null } = {}) {
    this.room = room;
    this.fixed = Boolean(setup);
    this.seq = 0;
    this.lastTurn = -1;
    this.sent = false; // a move is on its way, and the game has not answered
    this.latency = this.sentAt = 0; // milliseconds from the last key to its frame, and when it was pressed
    /** @type {number[]} */
    this.latencies = [];
    /** @param {KeyboardEvent} event */
    this.keyed = (event) => this.key(event);
    /** @param {KeyboardEvent} event */
    this.special = (event) => this.specialKey(event);
    /** @param {KeyboardEvent} event */
    this.released = (event) => this.clock.release(event);
    /** @type {Turn | null} */
    this.turn = null;
    this.taken = ''; // the agent that plays for the person
    this.pure = true; // moves can be taken back
    /** @type {Set<number>} */
    this.humanTurns = new Set(); // in their order
    this.helped = false; // a move was taken back, or an agent moved
    this.view = new View({ ahead: 0 });
    this.transport = new Transport([this.view], { autoplay: false, keys: false });
    this.setup = setup ?? new Setup(room, { kind: 'play', onstart: () => this.start(), oninvite: () => this.invite() });
    this.stages = h('div', { class: 'stages' });
    this.controls = h('div', { class: 'play-controls' });
    this.turnLine = h('p', { class: 'turn', role: 'status' });
    this.panels = h('div', { class: 'panels' });
    this.moves = new Moves(this);
    this.clock = new Clock(this);
    this.hands = new Hands(this);
    this.claims = new Claims(this);
    this.advice = new Advice(this);
    this.history = new History(this);
    this.campaign = new Campaign(this);
    this.ending = new Ending(this);
    this.mistakes = new Mistakes(this);
    this.description = new Description(this);
    this.shown = new Shown((message) => this.send(message));
    this.tools = this.fixed ? null : this.buildTools();
    if (this.fixed) this.arrangeLesson(main);
    else this.arrange(main);
    this.listenToKeys();
  }

  /** @param {HTMLElement} main */
  arrangeLesson(main) {
    main.append(
      h('div', { class: 'left' }, this.stages),
      h(
        'div',
        { class: 'right' },
        this.turnLine,
        this.claims.element,
        this.moves.element,
        this.hands.element,
        this.clock.words,
      ),
    );
  }

  /**
   * What one does comes before the controls of the film, for eyes, fingers and ears.
   * @param {HTMLElement} main
   */
  arrange(main) {
    const { room } = this;
    const typed = Boolean(this.moves.keyboard);
    this.undoButton.hidden = typed; // until the game says if moves can be taken back
    const moves = h(
      'section',
      {
        class: `panel moves-panel ${typed ? 'typed' : room.cards.length ? 'carded' : ''}`,
        'aria-label': t('your_moves'),
      },
      this.turnLine,
      this.claims.element,
      this.moves.element,
      this.hands.element,
      this.tools,
      h('p', { class: 'note keys-note' }, t(typed ? 'keys_note_terminal' : 'keys_note', { words: this.wordsKey })),
    );
    const title = h('h1', { class: 'small' }, t('play_title', { game: room.title }));
    main.append(
      h('div', { class: 'left' }, title, this.stages, this.description.element),
      h(
        'aside',
        { class: 'right', 'aria-label': t('choices') },
        moves,
        this.mistakes.element,
        this.advice.element,
        this.history.element,
        this.campaign.element,
        this.setup.element,
        this.panels,
      ),
      this.controls,
    );
  }

  listenToKeys() {
    this.clock.listen();
    document.addEventListener('keydown', this.special, true); // before a game that takes every key
    document.addEventListener('keydown', this.keyed);
    document.addEventListener('keyup', this.released);
    addKeys(
      t('keys_of', { game: this.room.title }),
      [
        ...this.keyWords(),
        ['Backspace', t('undo')],
        [this.wordsKey, t('keys_words')],
        ...(this.moves.keyboard ? [/** @type {[string, string]} */ (['F2', t('keys_tiles')])] : []),
        ['?', t('keys_list')],
        ['Tab', t('keys_tab')],
      ],
      { alone: true },
    );
  }

  /**
   * The keys of the room in words: one line a move; letters that choose who moves are told once.
   * @returns {[keys: string, words: string][]}
   */
  keyWords() {
    /** @type {Map<string, string[]>} */
    const shown = new Map();
    const letters = new Set();
    for (const [key, label] of Object.entries(this.room.keys)) {
      if (key.length === 2 && key.endsWith('^')) letters.add(key[0].toUpperCase());
      if (key.length === 1 || KEY_NAMES[key])
        shown.set(label, [...(shown.get(label) ?? []), key === ' ' ? '␣' : key.replace('Arrow', '')]);
    }
    /** @type {[string, string][]} */
    const pairs = letters.size
      ? [
          [[...letters].join('  '), t('keys_who')],
          ['← ↑ ↓ →', t('keys_way')],
        ]
      : [];
    return [
      ...pairs,
      ...[...shown]
        .slice(0, 40)
        .map(
          ([label, keys]) =>
            /** @type {[string, string]} */ ([keys.slice(0, 3).join('  '), this.room.meanings[label] ?? said(label)]),
        ),
    ];
  }

  leave() {
    this.clock.leave();
    document.removeEventListener('keydown', this.special, true);
    document.removeEventListener('keydown', this.keyed);
    document.removeEventListener('keyup', this.released);
    this.claims.stop();
    this.advice.stop();
    this.moves.keyboard?.leave();
    this.transport?.destroy();
  }

  // The key that says the position in words: v, unless the game has another use for it; F4 does it everywhere.
  get wordsKey() {
    return this.moves.keyboard || this.moves.knows('v') ? 'F4' : 'v';
  }

  buildTools() {
    const share = t(this.room.position ? 'share_position' : 'share');
    const today = { icon: 'day', label: true, kind: 'small', onclick: () => this.setup.today?.() };
    return h(
      'div',
      { class: 'tools-box' },
      this.nextButton,
      h(
        'div',
        { class: 'row' },
        this.undoButton,
        this.restartButton,
        this.keepButton,
        button(share, { icon: 'link', kind: 'small', onclick: () => this.share() }),
        this.room.seeds || this.room.daily ? button(t('today'), today) : null,
      ),
      this.clock.element,
      this.shown.element,
    );
  }

  // The same game at a table of its own, for people at other devices.
  invite() {
    const [{ agents = [], ...rest }] = this.setup.settings();
    const open = agents.filter((name) => name === 'human').length > 1 ? agents : ['human', 'human', ...agents.slice(2)];
    void setUpTable({ ...rest, agents: open }, Math.min(180, Math.max(0, Number(this.setup.minutes?.value) || 0)));
  }

  next() {
    if (this.campaign.on) {
      this.campaign.next();
      return;
    }
    this.setup.next()?.();
    this.start();
  }

  start() {
    this.ending.clear();
    this.shown.clear();
    this.claims.stop();
    this.advice.clear();
    this.transport?.destroy();
    this.setup.tell();
    if (!this.fixed) history.replaceState(null, '', `${location.pathname}?${this.setup.query()}${this.campaign.query}`);
    this.view = new View({ ahead: 0, room: this.fixed ? null : this.room });
    this.transport = new Transport([this.view], { autoplay: false, keys: false, onmove: () => this.moved() });
    this.transport.timeline.classList.add('low');
    this.turn = null;
    this.sent = false;
    this.taken = '';
    this.humanTurns = new Set();
    this.moves.begin();
    this.view.stage.append(this.advice.line.element, ...(this.fixed ? [] : [this.ending.element]));
    this.stages.replaceChildren(this.view.stage);
    this.view.board.resize(); // at once: nothing below it moves when the board comes
    this.controls.replaceChildren(this.transport.controls);
    this.panels.replaceChildren(this.view.panel, this.transport.overlays);
    this.view.canvas.setAttribute('role', 'application');
    this.moves.listen(this.view.canvas);
    this.view.listeners.push((message) => this.hear(message));
    this.view.open({ m: 'play', ...this.setup.settings()[0] });
    this.clock.begin();
    this.helped = this.advice.told = false;
    this.campaign.started();
    this.showTurn();
  }

  /**
   * Another moment is shown. The end of a game that an agent plays for us is the end when we see it.
   */
  moved() {
    this.advice.moved();
    this.history.show();
    this.description.follow();
    if (!this.atEnd) this.clock.pause(); // whoever looks back has time to
    if (this.taken && this.turn?.over && this.atEnd) this.showTurn();
  }

  get atEnd() {
    return this.transport.pos >= this.view.recording.length - 1;
  }

  /** @param {{ m: string, [more: string]: unknown }} message */
  send(message) {
    this.view.line?.send(message);
  }

  /** @param {Message} message */
  hear(message) {
    if (message.m === 'hello') {
      this.pure = Boolean(message.pure);
      this.undoButton.hidden = !message.pure;
      this.advice.clear();
    } else if (message.m === 'frame') {
      if (message.q !== undefined && this.sentAt) {
        this.latency = performance.now() - this.sentAt;
        this.latencies.push(this.latency);
      }
      this.advice.leaveLine();
      const human = message.q !== undefined || (message.k !== undefined && message.t === 0);
      if (human || message.t < this.transport.pos) {
        this.transport.pause();
        this.transport.set(message.t);
      } else if (!this.transport.playing) this.transport.play();
    } else if (message.m === 'turn') {
      this.turn = message;
      this.sent = false;
      this.transport.resting = message.legal.length > 0;
      if (message.legal.length) this.humanTurns.add(message.t);
      if (message.t < this.lastTurn)
        this.humanTurns = new Set([...this.humanTurns].filter((time) => time <= message.t));
      this.lastTurn = message.t;
      if (!this.pure && this.mine && this.transport.pos < message.t) this.transport.go(message.t); // what happened, happened
      if (message.over) this.view.hear({ m: 'end', ...message.over });
      if (this.view.badge.textContent && !this.view.badge.classList.contains('problem')) this.view.setBadge('');
      if (this.mine && !this.advice.analysing) this.view.board.set('thoughts', {}); // an agent's last ones are history
      this.showTurn();
      this.clock.turned();
      this.moves.answered();
    } else if (message.m === 'refused') {
      tone('refused');
      notice(message.text);
    } else if (message.m === 'kept')
      notice(t('kept'), 'good').append(
        h('a', { href: `/replay/${message.id}` }, t('open_replay')),
        ...['html', 'gif', 'png'].map((form) =>
          h('a', { href: `/api/traces/${message.id}/file/${form}`, download: '' }, t(`file_${form}`)),
        ),
      );
    else if (message.m === 'position') {
      if (!message.text) notice(t('no_position'), 'good');
      copyLink(`${location.pathname}?${this.setup.query(message.text ? { text: message.text } : {})}`);
    } else if (message.m === 'words') this.description.hear(message);
    else if (message.m === 'review') this.mistakes.hear(message);
    else if (message.m === 'shown') this.shown.hear(message);
    else if (!this.ending.hear(message)) this.advice.hear(message);
  }

  get mine() {
    return Boolean(this.turn?.legal.length) && !this.turn?.mover;
  }

  /** @returns {FrameMessage | undefined} */
  get newest() {
    return this.view.recording.frames.at(-1);
  }

  // Labels of what the turn at hand consists of so far.
  get begun() {
    return this.newest?.b ?? [];
  }

  // Where seats name numbers: the labels for it, and how it stands.
  get bidding() {
    return this.newest?.bid ?? null;
  }

  /** @param {string} label */
  isBid(label) {
    return this.bidding !== null && label.startsWith(`${this.bidding.call} `);
  }

  // What the agent has done beyond the moment shown is not seen yet.
  get ahead() {
    return Boolean(this.taken) && !this.atEnd;
  }

  // Whose turn it is, in a sentence.
  turnWords() {
    const { turn } = this;
    if (!turn) return t('starting');
    if (turn.over && !this.ahead) return t('game_over');
    if (this.ahead) return t('taken_over', { name: this.taken });
    if (turn.mover) return this.taken ? t('taken_over', { name: this.taken }) : t('is_thinking', { name: turn.mover });
    const people = (this.view.recording.hello?.players ?? []).filter((name) => name === 'human').length;
    const { choose, goal } = this.newest ?? {};
    const wanted = goal ? ` ${t('goal_is', { what: said(goal) })}` : '';
    if (turn.legal.some(([, label]) => this.isBid(label))) return t('think_and_claim') + wanted;
    const mine = people > 1 ? t('your_move_n', { n: turn.seat + 1 }) : t('your_move');
    if (!choose) return mine + wanted;
    return (
      t('move_and_choice', { move: mine.replace(/\.$/, ''), choice: t('choose', { what: said(choose) }) }) + wanted
    );
  }

  // Whose turn it is, what can be done, and where one can point.
  showTurn() {
    const { turn, ahead } = this;
    const players = this.view.recording.hello?.players ?? [];
    this.turnLine.textContent = this.turnWords();
    if (turn?.over && !ahead) this.campaign.ended(turn.over);
    if (turn?.over && !ahead && !this.fixed) this.ending.show(turn.over, players);
    else if (!turn?.over) this.ending.clear();
    this.history.show();
    this.description.follow();
    if (!turn?.over) this.mistakes.clear();
    this.turnLine.dataset.turn = turn && this.mine ? `mine-${turn.t}` : turn?.over && !ahead ? 'over' : 'other';
    this.undoButton.disabled = !this.undoTarget() || this.campaign.on;
    this.advice.element.hidden = this.campaign.on; // a life is won alone
    this.nextButton.hidden = this.ending.open || !turn?.over || ahead || this.room.seats > 1 || !this.setup.next();
    this.nextButton.classList.toggle('strong', turn?.over?.winner === 0);
    this.claims.show(turn);
    this.moves.show();
    this.hands.show();
    this.advice.show();
  }

  legal() {
    const legal = this.mine ? (this.turn?.legal ?? []) : [];
    return legal.map(([action, label, from, to, who, area = []]) => ({ action, label, from, to, who, area }));
  }

  /** @param {number} action */
  act(action) {
    if (!this.turn || !this.mine) return;
    this.advice.leaveLine();
    this.transport.pause();
    if (this.transport.pos !== this.turn.t) this.transport.set(this.turn.t);
    this.sentAt = performance.now();
    this.advice.clear();
    this.send({ m: 'action', seq: ++this.seq, action });
    this.turn = { ...this.turn, legal: [] }; // one move a turn
    this.sent = true;
    this.turnLine.dataset.turn = 'sent';
  }

  /** @param {string} label */
  actLabel(label) {
    const found = this.legal().find((entry) => entry.label === label);
    if (found) this.act(found.action);
    return Boolean(found);
  }

  /**
   * Keys that belong to the page even where a game takes all others.
   * @param {KeyboardEvent} event
   */
  specialKey(event) {
    if (event.key === 'F4' && !event.altKey) this.description.toggle();
    else if (event.key === 'F2' && this.view.board.text) this.view.camera.toggleTiles();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const place = placeOf(event);
    if (place.matches?.('input:not([type=checkbox]), select, textarea')) return;
    if ((event.key === ' ' || event.key === 'Enter') && place.matches?.('button, a, summary, input')) return;
    if (event.key === 'Backspace') {
      event.preventDefault();
      this.undo();
      return;
    }
    if (event.key === 'Escape' && this.advice.leaveLine()) return;
    if (event.key === this.wordsKey) {
      this.description.toggle();
      return;
    }
    const used = this.moves.knows(event.key);
    if (used && event.key.startsWith('Arrow')) event.preventDefault();
    if (this.clock.press(event)) {
      event.preventDefault();
      return;
    }
    if (this.moves.press(event.key, event.repeat)) event.preventDefault();
  }

  // A link to the position that is shown, where the room can write one; else to the beginning of this game.
  share() {
    if (this.room.position && this.transport.pos > 0) this.send({ m: 'position', t: this.transport.pos });
    else copyLink(`${location.pathname}?${this.setup.query()}`);
  }

  // The last moment at which a person was to move.
  undoTarget() {
    const now = this.turn?.t;
    if (now === undefined || !this.pure) return null;
    const back = this.clock.active && this.room.real_time ? Math.round(UNDO_MS / (this.clock.interval || UNDO_MS)) : 1;
    let found = -1;
    for (const time of this.humanTurns) if (time <= Math.max(0, now - back) && time < now) found = time;
    return found < 0 ? null : { t: found };
  }

  undo() {
    const target = this.undoTarget();
    if (!target) return;
    this.setTaken('');
    this.advice.clear();
    this.clock.pause();
    this.helped = true;
    this.send({ m: 'undo', t: target.t });
  }

  restart() {
    this.setTaken('');
    this.humanTurns.clear();
    this.advice.clear();
    this.send({ m: 'restart' });
    this.clock.begin();
    this.helped = false;
    this.campaign.started();
  }

  /** @param {string} name */
  setTaken(name) {
    if (this.taken === name) return;
    this.taken = name;
    this.helped = true;
    this.send({ m: 'takeover', agent: name });
  }

  /**
   * An agent plays on from here, or the person has the game back at the moment that is shown.
   * @param {string} name
   */
  takeOver(name) {
    if (!this.taken) this.setTaken(name);
    else {
      const shown = this.transport.pos;
      this.setTaken('');
      // What the agent did beyond the moment shown has not been seen: it did not happen.
      if (this.pure && shown < this.view.recording.length - 1) this.send({ m: 'undo', t: shown });
      if (!this.pure) this.transport.go(this.view.recording.length - 1);
    }
    this.showTurn();
  }
}
