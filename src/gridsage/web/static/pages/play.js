// Play: a person's moves by keys, clicks and touch; agents at the other seats, hints, take-backs, take-overs.
import { Transport, View } from '../player.js';
import { addKeys } from '../shell.js';
import { button, choice, field, h, icon, notice, say, t } from '../dom.js';
import { Setup } from '../setup.js';

// What a key may be called in a room's list of keys.
const NAMES = {
  ArrowUp: ['ArrowUp', 'up'],
  ArrowDown: ['ArrowDown', 'down'],
  ArrowLeft: ['ArrowLeft', 'left'],
  ArrowRight: ['ArrowRight', 'right'],
  ' ': [' ', 'space'],
  Enter: ['Enter', 'enter'],
  Escape: ['Escape', 'escape'],
};
const ARROWS = { ArrowUp: '^', ArrowDown: 'v', ArrowLeft: '<', ArrowRight: '>' }; // after the letter of who moves
const PACES = [0, 2, 4, 6, 8, 12];
const MOST_BUTTONS = 24;
const SWIPE_PIXELS = 24;

export function build(main, { room }) {
  if (room.missing) {
    main.append(h('h1', {}, room.title), h('p', { class: 'empty' }, room.missing));
    return null;
  }
  const game = new Game(main, room);
  game.start();
  window.gridsage = game;
  return () => game.leave();
}

class Game {
  constructor(main, room) {
    this.room = room;
    this.seq = 0;
    this.held = null;
    this.setup = new Setup(room, { kind: 'play', onstart: () => this.start() });
    this.stages = h('div', { class: 'stages' });
    this.controls = h('div', {});
    this.turnLine = h('p', { class: 'turn', role: 'status' });
    this.moves = h('div', { class: 'moves' });
    this.hintBox = h('div', { class: 'hint', 'aria-live': 'polite' });
    this.panels = h('div', { class: 'panels' });
    this.rounds = new Claims(this);
    this.buildTools();
    const side = h('aside', { class: 'right', 'aria-label': t('choices') },
      h('section', { class: 'panel', 'aria-label': t('your_moves') }, this.turnLine, this.rounds.element, this.moves, this.tools, this.hintBox), this.panels, this.setup.element);
    main.append(h('div', { class: 'left' }, h('h1', { class: 'small' }, t('play_title', { game: room.title })), this.stages, this.controls), side);
    this.keyed = (event) => this.key(event);
    this.released = (event) => { if (this.held === event.key) this.held = null; };
    document.addEventListener('keydown', this.keyed);
    document.addEventListener('keyup', this.released);
    const shown = new Map();
    for (const [key, label] of Object.entries(room.keys)) if (key.length <= 2 || NAMES[key]) shown.set(label, [...(shown.get(label) ?? []), key]);
    addKeys(t('keys_of', { game: room.title }), [...shown].slice(0, 40).map(([label, keys]) => [keys.slice(0, 3).join('  '), label]));
  }

  leave() {
    clearInterval(this.clock);
    document.removeEventListener('keydown', this.keyed);
    document.removeEventListener('keyup', this.released);
    this.rounds.stop();
    this.transport?.destroy();
  }

  buildTools() {
    const names = this.room.agents.map(({ name }) => name);
    const best = names.includes('master') ? 'master' : this.room.default_agent;
    this.advisor = choice(names, best);
    this.undoButton = button(t('undo'), { icon: 'undo', label: true, onclick: () => this.undo() });
    this.restartButton = button(t('restart'), { icon: 'restart', label: true, onclick: () => this.restart() });
    this.hintButton = button(t('hint'), { icon: 'bulb', label: true, onclick: () => this.hint() });
    this.overButton = button(t('take_over'), { icon: 'robot', label: true, onclick: () => this.takeOver() });
    this.keepButton = button(t('keep'), { icon: 'keep', label: true, onclick: () => this.send({ m: 'keep' }) });
    this.linkButton = button(t('share'), { icon: 'link', label: true, onclick: () => this.share() });
    this.pace = choice(PACES.map((pace) => [pace, pace ? t('pace_value', { n: pace }) : t('pace_turns')]), 0, (value) => this.setPace(Number(value)));
    const idle = this.idleLabel();
    this.tools = h('div', { class: 'tools-box' },
      h('div', { class: 'row' }, this.undoButton, this.restartButton, this.keepButton, this.linkButton),
      h('div', { class: 'pair' }, field(t('advisor'), this.advisor), idle ? field(t('pace'), this.pace) : null),
      h('div', { class: 'row' }, this.hintButton, this.overButton));
  }

  idleLabel() {
    const { keys } = this.room;
    return this.room.seats === 1 && !this.room.keys['1'] ? keys[' '] ?? keys.space ?? null : null;
  }

  start() {
    this.rounds.stop();
    this.transport?.destroy();
    history.replaceState(null, '', `${location.pathname}?${this.setup.query()}`);
    this.view = new View({ ahead: 0 });
    this.transport = new Transport([this.view], { autoplay: false, keys: false });
    this.transport.timeline.classList.add('low');
    this.turn = null;
    this.taken = '';
    this.humanTurns = new Set();
    this.chosen = '';
    this.buffer = '';
    this.answer = null;
    this.hintBox.replaceChildren();
    this.stages.replaceChildren(this.view.stage);
    this.controls.replaceChildren(this.transport.controls);
    this.panels.replaceChildren(this.view.panel, this.transport.overlays);
    this.view.canvas.setAttribute('role', 'application');
    this.view.canvas.addEventListener('pointerdown', (event) => { this.pressed = event; });
    this.view.canvas.addEventListener('pointerup', (event) => this.pointer(event));
    this.view.listeners.push((message) => this.hear(message));
    this.view.open({ m: 'play', ...this.setup.settings()[0] });
    this.showTurn();
  }

  send(message) {
    this.view.line?.send(message);
  }

  hear(message) {
    if (message.m === 'hello') {
      this.pure = message.pure;
      this.undoButton.hidden = !message.pure;
      this.hintButton.hidden = this.overButton.hidden = this.room.agents.length === 0;
    } else if (message.m === 'frame') {
      if (message.q !== undefined && this.sentAt) {
        this.latency = performance.now() - this.sentAt;
        (this.latencies ??= []).push(this.latency);
      }
      const human = message.q !== undefined || message.k !== undefined && message.t === 0;
      if (human || message.t < this.transport.pos) {
        this.transport.pause();
        this.transport.set(message.t);
      } else if (!this.transport.playing) this.transport.play();
    } else if (message.m === 'turn') {
      this.turn = message;
      this.transport.resting = message.legal.length > 0;
      if (message.legal.length) this.humanTurns.add(message.t);
      this.humanTurns = new Set([...this.humanTurns].filter((time) => time <= message.t));
      if (message.over) this.view.hear({ m: 'end', ...message.over });
      this.answer = null;
      this.view.board.set('marks', []);
      this.showTurn();
    } else if (message.m === 'hint') this.showHint(message);
    else if (message.m === 'refused') notice(message.text);
    else if (message.m === 'kept') notice(t('kept'), 'good').append(h('a', { href: `/replay/${message.id}` }, t('open_replay')));
  }

  get mine() {
    return Boolean(this.turn?.legal.length) && !this.turn.mover;
  }

  // Whose turn it is, what can be done, and where one can point.
  showTurn() {
    const { turn } = this;
    const players = this.view.recording.hello?.players ?? [];
    let words = t('starting');
    if (turn?.over) words = t('game_over');
    else if (turn?.mover) words = this.taken ? t('taken_over', { name: this.taken }) : t('is_thinking', { name: turn.mover });
    else if (turn) words = players.filter((name) => name === 'human').length > 1 ? t('your_move_n', { n: turn.seat + 1 }) : t('your_move');
    this.turnLine.textContent = words;
    this.turnLine.dataset.turn = this.mine ? `mine-${turn.t}` : turn?.over ? 'over' : 'other';
    this.overButton.querySelector('span:last-child').textContent = t(this.taken ? 'give_back' : 'take_over');
    this.hintButton.disabled = !this.mine;
    this.undoButton.disabled = !this.undoTarget();
    this.rounds.show(turn);
    this.showMoves();
    this.showMarks();
  }

  legal() {
    return this.mine ? this.turn.legal.map(([action, label, from, to, who]) => ({ action, label, from, to, who })) : [];
  }

  showMoves() {
    const legal = this.legal();
    const arrows = Object.keys(ARROWS).filter((key) => Object.keys(this.room.keys).some((known) => NAMES[key].includes(known) || (known.length === 2 && known.endsWith(ARROWS[key]))));
    const pad = arrows.length === 4 ? h('div', { class: 'pad', role: 'group', 'aria-label': t('directions') }, arrows.map((key) => {
      const way = key.slice(5);
      return h('button', { type: 'button', class: `button only-icon pad-${way.toLowerCase()}`, 'aria-label': t(`way_${way.toLowerCase()}`), onclick: () => this.press(key) }, icon(`arrow${way}`));
    })) : null;
    const inKeys = new Set(Object.values(this.room.keys));
    const byArrow = new Set(arrows.map((key) => this.room.keys[NAMES[key].find((name) => this.room.keys[name])]).filter(Boolean));
    const twoKeys = new Set(Object.entries(this.room.keys).filter(([key]) => key.length === 2).map(([, label]) => label));
    const claiming = legal.some(({ label }) => label.startsWith('claim ')); // then the buttons above say it all
    let plain = claiming ? [] : legal.filter(({ label, from, to }) => !byArrow.has(label) && !twoKeys.has(label) && !label.startsWith('claim ') && !(from < 0 && to >= 0));
    if (plain.length > MOST_BUTTONS) plain = plain.filter(({ label }) => inKeys.has(label));
    const key = (label) => Object.entries(this.room.keys).find(([known, name]) => name === label && known.length === 1)?.[0];
    const choices = h('div', { class: 'row' }, plain.slice(0, 60).map(({ action, label }) => h('button', { type: 'button', class: 'button small', onclick: () => this.act(action) }, label, key(label) ? h('kbd', { 'aria-hidden': 'true' }, key(label) === ' ' ? '␣' : key(label)) : null)));
    const movers = [...new Set(legal.filter(({ from, who }) => from >= 0 && who).map(({ who }) => who))];
    const who = movers.length > 1 ? h('div', { class: 'row', role: 'group', 'aria-label': t('who_moves') }, movers.map((name) => h('button', { type: 'button', class: 'button small', 'aria-pressed': String(name === this.chosen), onclick: () => this.choose(name) }, name))) : null;
    const best = this.turn?.over && this.room.seats === 1 ? h('a', { class: 'button', href: this.watchLink() }, t('watch_best', { name: this.advisor.value })) : null;
    this.moves.replaceChildren(...[best, who, this.turn?.over || claiming ? null : pad, choices.childElementCount ? choices : null].filter(Boolean));
  }

  // The same game from its beginning, played by the one who is asked for hints.
  watchLink() {
    const query = new URLSearchParams(this.setup.query());
    query.set('agents', this.advisor.value);
    query.set('seconds', '2');
    return `/watch/${this.room.name}?${query}`;
  }

  showMarks() {
    const legal = this.legal();
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
    this.view.board.set('marks', marks);
  }

  choose(who) {
    this.chosen = who;
    this.buffer = who.toLowerCase();
    this.showMoves();
    this.showMarks();
    say(t('chosen', { who }));
  }

  act(action) {
    if (!this.mine) return;
    this.transport.pause();
    if (this.transport.pos !== this.turn.t) this.transport.set(this.turn.t);
    this.sentAt = performance.now();
    this.hintBox.replaceChildren();
    this.send({ m: 'action', seq: ++this.seq, action });
    this.turn = { ...this.turn, legal: [] }; // one move a turn
    this.turnLine.dataset.turn = 'sent';
  }

  actLabel(label) {
    const found = this.legal().find((entry) => entry.label === label);
    if (found) this.act(found.action);
    return Boolean(found);
  }

  // A key as the room knows it: alone, or after the letter that chose who moves.
  press(key) {
    const { keys } = this.room;
    const names = NAMES[key] ?? [key];
    const pair = keys[this.buffer + (ARROWS[key] ?? key)];
    if (this.buffer && pair && this.actLabel(pair)) return true;
    if (this.buffer && pair && ARROWS[key]) return false; // the chosen one is blocked that way
    for (const name of names) if (keys[name] && this.actLabel(keys[name])) return true;
    const who = this.legal().find((entry) => entry.who && entry.who.toLowerCase() === key.toLowerCase())?.who;
    if (who && Object.keys(keys).some((known) => known.length === 2 && known.startsWith(key.toLowerCase()))) {
      this.choose(who);
      return true;
    }
    return key.length === 1 && this.actLabel(key);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const place = event.target;
    if (place.matches?.('input:not([type=checkbox]), select, textarea')) return;
    if ((event.key === ' ' || event.key === 'Enter') && place.matches?.('button, a, summary, input')) return;
    if (event.key === 'Backspace') {
      event.preventDefault();
      this.undo();
      return;
    }
    const known = NAMES[event.key] ?? [event.key];
    const used = Boolean(ARROWS[event.key]) || known.some((name) => this.room.keys[name]);
    if (used && event.key.startsWith('Arrow')) event.preventDefault();
    if (Number(this.pace.value) && used) {
      this.held = event.key;
      this.wished = event.key;
      event.preventDefault();
      return;
    }
    if (this.press(event.key)) event.preventDefault();
  }

  pointer(event) {
    const from = this.pressed;
    this.pressed = null;
    if (from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > SWIPE_PIXELS) {
      const dx = event.clientX - from.clientX;
      const dy = event.clientY - from.clientY;
      const cell = this.view.board.cellAt(from);
      const mover = this.legal().find((entry) => entry.from === cell && entry.who);
      if (mover) this.choose(mover.who);
      this.press(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'ArrowRight' : 'ArrowLeft') : dy > 0 ? 'ArrowDown' : 'ArrowUp');
      return;
    }
    const cell = this.view.board.cellAt(event);
    const legal = this.legal();
    const movers = new Set(legal.filter((entry) => entry.from >= 0).map(({ who }) => who));
    const aimed = legal.find((entry) => entry.to === cell && (entry.from < 0 || movers.size === 1 || entry.who === this.chosen));
    if (aimed) {
      this.act(aimed.action);
      return;
    }
    const mover = legal.find((entry) => entry.from === cell && entry.who);
    if (mover) this.choose(mover.who);
    else if (movers.size) this.towards(cell, legal, movers);
  }

  // A click beside: the way of the chosen one whose line the click lies on.
  towards(cell, legal, movers) {
    const who = movers.size === 1 ? [...movers][0] : this.chosen;
    const w = this.view.board.w;
    const own = legal.filter((entry) => entry.who === who && entry.from >= 0);
    if (!own.length) return;
    const [x, y] = [cell % w, Math.floor(cell / w)];
    const [fx, fy] = [own[0].from % w, Math.floor(own[0].from / w)];
    if (x !== fx && y !== fy) return;
    this.press(x > fx ? 'ArrowRight' : x < fx ? 'ArrowLeft' : y > fy ? 'ArrowDown' : 'ArrowUp');
  }

  setPace(pace) {
    clearInterval(this.clock);
    this.wished = null;
    if (!pace) return;
    this.view.canvas.focus();
    this.clock = setInterval(() => {
      if (!this.mine) return;
      const wish = this.wished ?? this.held;
      this.wished = null;
      if (wish && this.press(wish)) return;
      const idle = this.idleLabel();
      if (idle) this.actLabel(idle);
    }, 1000 / pace);
  }

  // The last moment at which a person was to move.
  undoTarget() {
    if (!this.turn || !this.pure) return null;
    const times = [...this.humanTurns].filter((time) => time < this.turn.t);
    return times.length ? { t: Math.max(...times) } : null;
  }

  undo() {
    const target = this.undoTarget();
    if (!target) return;
    this.setTaken('');
    this.send({ m: 'undo', t: target.t });
  }

  restart() {
    this.setTaken('');
    this.humanTurns.clear();
    this.send({ m: 'restart' });
  }

  setTaken(name) {
    if (this.taken === name) return;
    this.taken = name;
    this.send({ m: 'takeover', agent: name });
  }

  takeOver() {
    if (!this.taken) this.setTaken(this.advisor.value);
    else {
      const shown = this.transport.pos;
      this.setTaken('');
      // What the agent did beyond the moment shown has not been seen: it did not happen.
      if (this.pure && shown < this.view.recording.length - 1) this.send({ m: 'undo', t: shown });
    }
    this.showTurn();
  }

  hint() {
    if (this.answer && this.answer.t === this.turn.t) {
      this.answer.shown++;
      this.tellHint();
      return;
    }
    this.hintBox.replaceChildren(h('p', { class: 'note' }, t('is_thinking', { name: this.advisor.value })));
    this.send({ m: 'hint', agent: this.advisor.value, seconds: 2 });
  }

  showHint(message) {
    if (message.t !== this.turn?.t) return;
    this.answer = { ...message, shown: 1 };
    this.tellHint();
  }

  // A hint in steps: how long, who begins, the first move, all of it.
  tellHint() {
    const { a, o, shown, agent, action } = this.answer;
    const line = o?.line ?? [];
    const steps = [...(this.answer.steps ?? [])];
    const byRoom = steps.length > 0;
    if (!byRoom && line.length > 1) {
      steps.push(t('hint_length', { n: line.length }));
      if (a.includes(' ')) steps.push(t('hint_who', { who: a.split(' ')[0] }));
    }
    if (!byRoom) steps.push(t('hint_move', { a, agent }));
    if (!byRoom && line.length > 1) steps.push(t('hint_line', { line: line.join(', ') }));
    const told = steps.slice(0, shown);
    const more = shown < steps.length;
    const full = told.length >= steps.length - (line.length > 1 && !byRoom ? 1 : 0);
    this.hintBox.replaceChildren(...told.map((words) => h('p', {}, words)), full && o?.text ? h('p', { class: 'note' }, o.text) : '', more ? button(t('hint_more'), { label: true, icon: 'bulb', onclick: () => this.hint() }) : '');
    if (full) {
      this.view.board.set('thoughts', o ?? {});
      const aimed = this.legal().find((entry) => entry.action === action);
      if (aimed && aimed.to >= 0) this.view.board.set('marks', [...this.view.board.marks, { cell: aimed.to, kind: 'target' }]);
    }
  }

  share() {
    const link = `${location.origin}${location.pathname}?${this.setup.query()}`;
    navigator.clipboard.writeText(link).then(() => notice(t('copied'), 'good'), () => notice(link, 'good'));
  }
}

// Rounds with claims: who says how many moves, and the sand that runs. Shown where a room has such moves.
class Claims {
  constructor(game) {
    this.game = game;
    this.amount = h('input', { type: 'number', min: '1', max: '200', value: '5', step: '1' });
    this.sand = h('div', { class: 'sand', hidden: true });
    this.players = h('div', { class: 'row' });
    this.pass = button(t('pass'), { label: true, onclick: () => this.passNow() });
    this.element = h('div', { class: 'claims', hidden: true }, this.sand, h('div', { class: 'pair' }, field(t('claim_moves'), this.amount)), this.players, this.pass);
    this.wish = null;
  }

  stop() {
    clearInterval(this.clock);
    this.clock = null;
    this.ends = 0;
    this.sand.hidden = true;
    this.wish = null;
  }

  show(turn) {
    const labels = (turn?.legal ?? []).map(([, label]) => label);
    const open = labels.some((label) => label.startsWith('claim '));
    this.element.hidden = !open;
    const status = this.game.view?.recording.frames.at(-1)?.s ?? {};
    if (!open) {
      if (status.phase !== 'hourglass') this.stop();
      return;
    }
    const players = this.game.view.recording.hello.players;
    const people = players.map((name, seat) => [name, seat]).filter(([name]) => name === 'human');
    this.players.replaceChildren(...people.map(([, seat]) => button(people.length > 1 ? t('claim_of', { n: seat + 1 }) : t('claim'), { label: true, kind: 'strong', onclick: () => this.claim(seat) })));
    const options = this.game.view.recording.hello.options;
    const seconds = status.phase === 'hourglass' ? options.hourglass_seconds ?? 60 : options.think_seconds ?? 0;
    const key = `${status.round}|${status.phase}`;
    if (key !== this.phase) {
      this.phase = key;
      this.stop();
      if (seconds) this.turnGlass(seconds);
    }
    this.follow(labels);
  }

  turnGlass(seconds) {
    this.ends = performance.now() + seconds * 1000;
    this.sand.hidden = false;
    const tell = () => {
      const left = Math.max(0, Math.ceil((this.ends - performance.now()) / 1000));
      this.sand.textContent = t('sand', { n: left });
      this.sand.style.setProperty('--left', String(left / seconds));
      if (left === 0) {
        this.stop();
        this.wish = { kind: 'time' };
        this.follow((this.game.turn?.legal ?? []).map(([, label]) => label));
      }
    };
    tell();
    this.clock = setInterval(tell, 250);
  }

  claim(seat) {
    this.wish = { kind: 'claim', seat, moves: Number(this.amount.value) };
    this.follow((this.game.turn?.legal ?? []).map(([, label]) => label));
  }

  passNow() {
    this.wish = { kind: 'time' };
    this.follow((this.game.turn?.legal ?? []).map(([, label]) => label));
  }

  // Seats are asked in turn: those that have nothing to say wait, until the wish can be said.
  follow(labels) {
    const { game, wish } = this;
    if (!wish || !game.mine) return;
    if (wish.kind === 'claim' && game.turn.seat === wish.seat) {
      this.wish = null;
      if (!game.actLabel(`claim ${wish.moves}`)) notice(t('claim_refused', { n: wish.moves }));
    } else if (wish.kind === 'time' && labels.includes('time is up')) {
      this.wish = null;
      game.actLabel('time is up');
    } else if (labels.includes('wait')) game.actLabel('wait');
    else this.wish = null;
  }
}
