// Watching: a view is one game on one board with what is known about it; a transport moves one or two views through time.
import { Board, penOf } from './board.js';
import { Camera } from './camera.js';
import { Mind } from './mind.js';
import { Line, Recording } from './recording.js';
import { tone } from './sounds.js';
import {
  boardTheme,
  button,
  choice,
  duration,
  h,
  notice,
  number,
  placeOf,
  reasonWords,
  said,
  say,
  scoreWords,
  t,
  themeNow,
  toggle,
} from './dom.js';

/** @type {[cols: number, rows: number]} */
const TERMINAL = [79, 21]; // of the one game that every terminal shows
const MANY_KEYS = 40; // such a room is played like a terminal
const CERTAIN = 250; // points ahead: no estimate is that high, a win that is proved is
const AHEAD_OF_EYES = 3000; // frames kept beyond the moment shown; then the server waits
const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30, 60];
const WORDS_MS = 90;
const STILL_MS = 220; // the time a step takes to be seen when it is not played
const PLOT_SIDE = 8; // pixels left and right of the curve: half a thumb of the slider
const PLOT_MS = 300; // a growing curve is not drawn more often
const CLOCKS = new Set(['round', 'ticks', 'time', 'turn', 'ply', 'moves', 'steps']); // curves that only say how far one is
const OVERLAYS = ['path', 'heat', 'values', 'figures', 'text'];
/** @type {Record<string, string[]>} */
const TOLD_BY = { figures: ['figures', 'nodes', 'score'], text: ['text', 'line'] }; // kinds of thoughts behind a switch
const QUIET = new Set(['moved', 'move', 'step', 'turned', 'stopped']); // too frequent to jump to

export class View {
  /** @param {{ label?: string, ahead?: number, room?: Room | null }} [given] */
  constructor({ label = '', ahead = AHEAD_OF_EYES, room = null } = {}) {
    this.ahead = ahead; // frames wanted beyond the moment shown
    this.recording = new Recording();
    this.canvas = h('canvas', { tabindex: '0', role: 'img', 'aria-label': t('board_empty') });
    this.badge = h('div', { class: 'badge', hidden: true });
    this.above = h('pre', { class: 'term above', hidden: true });
    this.below = h('pre', { class: 'term below', hidden: true });
    this.evaluation = h(
      'div',
      { class: 'evaluation', role: 'img', hidden: true, 'aria-label': t('evaluation_none') },
      h('div', { class: 'evaluation-first' }),
      h('span', { 'aria-hidden': 'true' }),
    );
    this.screen = h('div', { class: 'screen' }, this.evaluation, this.above, this.canvas, this.below);
    this.stage = h('div', { class: 'stage' }, this.screen, this.badge);
    this.board = new Board(this.canvas, { theme: boardTheme() });
    this.camera = new Camera(this.board, this.stage);
    if (room) this.reserve(room);
    this.mind = new Mind();
    this.title = h('h2', { class: 'view-title', hidden: !label }, label);
    this.verdict = h('p', { class: 'verdict', hidden: true });
    this.status = h('dl', { class: 'status' });
    this.sentence = h('p', { class: 'sentence' });
    this.principal = h('p', { class: 'principal' });
    this.figures = h('dl', { class: 'figures' });
    this.panel = h(
      'section',
      { class: 'panel view-panel', 'aria-label': t('state') },
      this.title,
      this.verdict,
      this.status,
      h('div', { class: 'thoughts' }, this.sentence, this.principal, this.figures),
      this.mind.element,
    );
    this.shown = -1;
    /** @type {((message: Message) => void)[]} */
    this.listeners = [];
    /** @type {Transport | null} */
    this.transport = null;
    /** @type {Line | null} */
    this.line = null;
    /** @type {FrameMessage | null} */
    this.shownFrame = null;
    this.shownKey = '';
    this.owed = 0; // the last frame that was not acknowledged, because nobody has looked at those before
    this.wordsAt = 0;
    this.wordsStale = false;
    this.onTheme = () => this.board.setTheme(boardTheme());
    addEventListener('gridsage-theme', this.onTheme);
  }

  /**
   * Keep the place of the board free until it comes.
   * @param {Room} room
   */
  reserve(room) {
    const terminal = !room.size && Object.keys(room.keys).length > MANY_KEYS;
    const [cols, rows] = room.size ?? (terminal ? TERMINAL : [0, 0]);
    if (!cols) return;
    this.board.text = terminal;
    this.above.hidden = this.below.hidden = !terminal;
    if (terminal) this.below.textContent = '\n\u00a0'; // its two lines of figures
    this.evaluation.hidden = room.seats !== 2;
    this.board.shape(cols, rows);
  }

  destroy() {
    this.line?.leave();
    this.board.destroy();
    removeEventListener('gridsage-theme', this.onTheme);
  }

  /** @param {{ m: string, [more: string]: unknown }} opening */
  open(opening) {
    this.line?.leave();
    this.recording.clear();
    this.shown = -1;
    this.note = '';
    this.setBadge(t('starting'));
    this.verdict.hidden = true;
    this.line = new Line(
      opening,
      (message) => this.hear(message),
      (reason, code) => this.lost(reason, code),
    );
  }

  /** @param {Message} message */
  hear(message) {
    const { recording } = this;
    if (message.m === 'hello') {
      recording.greet(message);
      this.board.setup(message);
      this.canvas.dataset.ready = 'no';
      this.camera.face();
      this.evaluation.hidden = (message.players ?? []).length !== 2 || message.sides.length !== 2;
      const people = (message.players ?? []).filter((name) => name === 'human').length;
      /** @param {string} name */
      const called = (name) => (name === 'human' ? t(people > 1 ? 'human' : 'you') : name);
      const players = message.players ?? [];
      this.title.textContent =
        players
          .map((name, seat) => (players.length > 1 ? `${seat + 1}${t('colon')}${called(name)}` : called(name)))
          .join('  ·  ') ||
        message.title ||
        '';
      this.title.hidden = !this.title.textContent;
    } else if (message.m === 'frame') {
      recording.add(message);
      this.mind.note(message);
      if (message.t <= (this.transport?.pos ?? 0) + this.ahead) this.line?.ack(message.t, this.ahead === 0);
      else this.owed = message.t;
    } else if (message.m === 'progress') {
      this.setBadge(
        message.done < message.total
          ? t('compiling', { words: message.words, done: message.done + 1, total: message.total })
          : '',
      );
    } else if (message.m === 'end') {
      recording.end = message;
      this.setBadge('');
    } else if (message.m === 'error') {
      this.setBadge(message.text, 'problem');
      say(message.text);
    }
    for (const listener of this.listeners) listener(message);
    this.transport?.grown(this, message);
  }

  /**
   * @param {string} reason
   * @param {number} _code why the connection was closed, for pages that try again
   */
  lost(reason, _code) {
    if (this.recording.end || this.badge.classList.contains('problem')) return;
    this.setBadge(reason || t('lost'), 'problem');
  }

  /**
   * @param {string} text
   * @param {string} [kind]
   */
  setBadge(text, kind = '') {
    this.badge.textContent = text;
    this.badge.className = `badge ${kind}`;
    this.badge.hidden = !text;
  }

  /**
   * Show the position after `pos` steps; one step forward is moved to, everything else is jumped to.
   * @param {number} pos
   * @param {number} interval
   */
  show(pos, interval) {
    const last = this.recording.length - 1;
    if (last < 0) return;
    const now = Math.min(pos, last);
    const key = `${now}|${now + 1 < this.recording.length}|${Boolean(this.recording.end)}`;
    const quick = interval < WORDS_MS;
    if (key === this.shownKey && this.shownFrame === this.recording.frames[now]) {
      if (this.wordsStale && !quick) this.showWords(this.shownFrame);
      this.showEnd(now);
      return;
    }
    this.shownKey = key;
    const smooth = Math.abs(now - this.shown) <= 1;
    this.board.interval = interval;
    this.board.names = this.recording.tiles;
    const position = this.recording.at(now);
    position.thoughts = (this.recording.frames[now + 1] ?? (this.recording.end ? null : this.recording.frames[now]))?.o;
    this.board.shape(position.w ?? this.board.w, position.h ?? this.board.h);
    this.board.apply(position, smooth);
    this.sound(now);
    this.shown = now;
    this.shownFrame = this.recording.frames[now];
    this.canvas.dataset.ready = 'yes';
    this.canvas.dataset.t = String(now);
    if (this.owed) {
      this.line?.ack(Math.min(this.owed, now + this.ahead), this.ahead === 0 || this.owed <= now + this.ahead);
      if (this.owed <= now + this.ahead) this.owed = 0;
    }
    if (this.badge.textContent === t('starting')) this.setBadge('');
    // Nobody reads sixty sentences a second: while it runs fast, words follow some ten times a second.
    if (!quick || performance.now() - this.wordsAt > WORDS_MS) this.showWords(this.shownFrame);
    else this.wordsStale = true;
    this.showEnd(now);
  }

  /**
   * A step that is seen is heard too, where somebody wants that; small pictures beside a text are silent.
   * @param {number} now
   */
  sound(now) {
    if (!this.transport || now !== this.shown + 1 || now === 0) return;
    const { hello, end, frames } = this.recording;
    const takes = hello?.takes ?? [];
    if (end?.reason && now === frames.length - 1)
      tone(end.winner === null || end.winner === undefined ? 'loss' : 'win');
    else tone((frames[now].ev ?? []).some(([kind]) => takes.includes(kind)) ? 'take' : 'move');
  }

  // Whatever the board shows now, the next `show` draws it anew.
  forget() {
    this.shownKey = '';
    this.shownFrame = null;
  }

  /** @param {FrameMessage} frame */
  showWords(frame) {
    this.wordsAt = performance.now();
    this.wordsStale = false;
    const { recording } = this;
    // Where the game has lines of its own for it, the panel need not say it again.
    const [above, below] = frame.l ?? [[], []];
    this.above.textContent = above.join('  ') || '\u00a0';
    this.below.textContent = below.join('\n');
    if (this.above.hidden === Boolean(frame.l)) {
      this.above.hidden = this.below.hidden = !frame.l;
      this.board.resize();
    }
    this.status.hidden = below.some((line) => line.trim());
    this.status.replaceChildren(
      ...Object.entries(frame.s ?? {}).flatMap(([name, words]) => [h('dt', {}, said(name)), h('dd', {}, said(words))]),
    );
    // What is told at a position is the decision made there; while it is not made yet, the one before.
    const next = recording.frames[frame.t + 1] ?? (recording.end ? null : frame);
    const told = next?.o ?? {};
    this.mind.show(recording, next?.t ?? frame.t);
    this.sentence.textContent = said(told.text ?? '');
    this.principal.textContent = told.line?.length
      ? `${t('line')}${t('colon')}${inRuns(told.line.map(said)).slice(0, 24).join(' · ')}`
      : '';
    const rows = [];
    const coming = next && next !== frame ? next.a : '';
    if (frame.a || coming) {
      // Both lines stand there from the first move on: what comes below must not jump.
      rows.push([t('action_before'), said(frame.a ?? '') || '–'], [t('action'), said(coming ?? '') || '–']);
    }
    if (told.nodes) rows.push([t('nodes'), number(told.nodes)]);
    if (told.ms !== undefined) rows.push([t('time'), duration(told.ms)]);
    if (told.nodes && told.ms) rows.push([t('rate'), `${number((told.nodes / told.ms) * 1000)} /s`]);
    if (told.score !== undefined) rows.push([t('score'), number(told.score)]);
    for (const [name, value] of Object.entries(told.figures ?? {}))
      rows.push([said(name.replaceAll('_', ' ')), number(value)]);
    const { nodes, ms } = recording.spent[frame.t];
    if (told.nodes || nodes) rows.push([t('nodes_total'), nodes ? number(nodes) : '–']);
    if (told.ms !== undefined || ms) rows.push([t('time_total'), ms ? duration(ms) : '–']);
    this.figures.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
    const label =
      said(frame.x ?? '') ||
      Object.entries(frame.s ?? {})
        .map(([name, words]) => `${said(name)} ${said(words)}`)
        .join(', ');
    this.canvas.setAttribute(
      'aria-label',
      t('board_label', { game: recording.hello?.title ?? recording.hello?.game, t: frame.t, text: label }),
    );
  }

  /**
   * The bar beside the board in games for two: what was last thought of the position at `now`, or shortly before.
   * @param {number} now
   */
  showEvaluation(now) {
    if (this.evaluation.hidden) return;
    const { frames, end } = this.recording;
    const over = end && now === frames.length - 1 ? end.winner : null;
    if (over === 0 || over === 1) this.setEvaluation(over === 0 ? Infinity : -Infinity);
    else {
      const told = frames.slice(0, now + 2).findLast((frame) => frame.o?.score !== undefined && frame.by !== undefined);
      if (told) this.setEvaluation((told.by === 0 ? 1 : -1) * (told.o?.score ?? 0));
    }
  }

  /**
   * Show who is ahead, never by colour alone.
   * @param {number} score from the first player's side
   */
  setEvaluation(score) {
    const words =
      Math.abs(score) >= CERTAIN
        ? t(score > 0 ? 'certain_first' : 'certain_second')
        : t('ahead', { n: `${score > 0 ? '+' : ''}${number(score)}` });
    const share = 100 / (1 + Math.exp(-Math.max(-20, Math.min(20, score)) / 1.5));
    this.evaluation.setAttribute('aria-label', words);
    this.evaluation.title = words;
    this.evaluation.style.setProperty('--first', `${Math.round(share)}%`);
    const figure =
      Math.abs(score) >= CERTAIN
        ? score > 0
          ? '1'
          : '2'
        : `${score > 0 ? '+' : ''}${number(Math.round(score * 10) / 10)}`;
    /** @type {HTMLElement} */ (this.evaluation.lastElementChild).textContent = figure;
  }

  /** @param {number} now */
  showEnd(now) {
    this.showEvaluation(now);
    const end = this.recording.end;
    const here = Boolean(end?.reason) && now === this.recording.length - 1;
    this.verdict.hidden = !here;
    if (!here || !end) return;
    const won = end.winner === 0;
    const scores = scoreWords(end.scores ?? []);
    const players = this.recording.hello?.players ?? [];
    const seats = players.length || 1;
    const who =
      seats > 1 && end.winner !== null && end.winner !== undefined ? t('winner', { name: players[end.winner] }) : '';
    const fault = end.figures?.fault ? `${t('colon')}${end.figures.fault}` : '';
    this.verdict.className = `verdict ${seats > 1 ? '' : won ? 'good' : 'bad'}`;
    this.verdict.textContent = `${reasonWords(end.reason ?? '')}${fault}${who ? `, ${who}` : ''} · ${t('steps', { n: this.recording.length - 1 })}${scores ? ` · ${t('scores')} ${scores}` : ''}`;
  }
}

export class Transport {
  playButton = button(t('play'), { icon: 'play', kind: 'strong', onclick: () => this.toggle() });
  output = h('output', { class: 'time' }, '0 / 0');
  speedKey = 'gridsage-speed';
  fps = Number(localStorage.getItem('gridsage-speed')) || 4;
  /** @type {(() => void) | null} */
  onrest = null; // told when the end of a game was shown
  /** @type {number | null} */
  stepMs = null; // the time a step takes to be seen when it is not played; null: the usual one
  speed = choice(
    SPEEDS.map((fps) => [fps, t('speed_value', { fps })]),
    this.fps,
    (value) => this.setSpeed(Number(value)),
  );
  speeds = SPEEDS;
  curveChoice = h('select', {
    'aria-label': t('curve'),
    class: 'curve',
    hidden: true,
    onchange: () => this.chooseCurve(),
  });
  eventChoice = h('select', {
    'aria-label': t('event_kind'),
    class: 'events',
    hidden: true,
    onchange: () => this.chooseEvents(),
  });
  plot = h('canvas', { class: 'plot', 'aria-hidden': 'true' });
  curveLayer = h('canvas');
  range = h('input', {
    type: 'range',
    min: '0',
    max: '0',
    value: '0',
    step: '1',
    'aria-label': t('timeline'),
    oninput: () => this.scrub(),
  });
  curve = '';
  curveChosen = '';
  curveKey = '';
  eventKind = '';
  eventKey = '';
  /** @type {string | null} */
  drawn = null; // what the curve was drawn from
  isStale = false;
  request = 0;
  before = 0;
  plotSize = [0, 0];

  /**
   * @param {View[]} views
   * @param {{ start?: number, autoplay?: boolean, keys?: boolean, onmove?: ((pos: number) => void) | null }} [given]
   */
  constructor(views, { start = 0, autoplay = true, keys = true, onmove = null } = {}) {
    this.views = views;
    for (const view of views) {
      view.transport = this;
      view.camera.allow();
    }
    /** @type {Record<string, string>} */
    this.colours = {};
    this.pos = 0;
    this.wanted = start; // a moment to go to as soon as it has arrived
    this.autoplay = autoplay;
    this.playing = false;
    this.resting = false; // the end shown is not the end of the game, but nothing will come by itself
    this.onmove = onmove;
    this.bar = this.buildBar();
    this.timeline = h('div', { class: 'timeline' }, this.plot, this.range);
    this.overlays = this.buildOverlays();
    this.controls = h('div', { class: 'controls' }, this.timeline, this.bar);
    this.watcher = new ResizeObserver(() => {
      this.plotSize = [this.plot.clientWidth, this.plot.clientHeight];
      this.drawPlot();
    });
    this.watcher.observe(this.timeline);
    /** @param {KeyboardEvent} event */
    this.keyed = (event) => this.key(event);
    if (keys) document.addEventListener('keydown', this.keyed);
  }

  // It ticks with the pictures of the screen as long as there is something to do.
  wake() {
    this.request ||= requestAnimationFrame((now) => {
      this.request = 0;
      this.tick(now);
      if (this.playing || this.isStale) this.wake();
    });
  }

  // What stands around the boards is told with the next tick.
  get stale() {
    return this.isStale;
  }

  set stale(is) {
    this.isStale = is;
    if (is) this.wake();
  }

  destroy() {
    cancelAnimationFrame(this.request);
    document.removeEventListener('keydown', this.keyed);
    this.watcher.disconnect();
    for (const view of this.views) view.destroy();
  }

  buildBar() {
    this.speed.setAttribute('aria-label', t('speed'));
    this.speed.className = 'speed';
    return h(
      'div',
      { class: 'transport', role: 'toolbar', 'aria-label': t('playback') },
      button(t('first'), { icon: 'first', onclick: () => this.go(0) }),
      button(t('event_before'), { icon: 'previous', onclick: () => this.jump(-1) }),
      button(t('step_back'), { icon: 'back', onclick: () => this.step(-1) }),
      this.playButton,
      button(t('step'), { icon: 'forward', onclick: () => this.step(1) }),
      button(t('event_after'), { icon: 'next', onclick: () => this.jump(1) }),
      button(t('last'), { icon: 'last', onclick: () => this.go(this.length - 1) }),
      this.output,
      h('span', { class: 'space' }),
      this.eventChoice,
      this.curveChoice,
      this.speed,
    );
  }

  // What agents tell of their thoughts, switched on one by one; what nobody tells is not offered.
  buildOverlays() {
    /** @type {Map<string, HTMLElement>} */
    this.switches = new Map();
    for (const name of OVERLAYS) {
      const on = localStorage.getItem(`gridsage-${name}`) !== 'off';
      this.switches.set(
        name,
        toggle(t(`overlay_${name}`), on, (wanted) => this.setOverlay(name, wanted)),
      );
      this.setOverlay(name, on, false);
    }
    return h('fieldset', { class: 'overlays', hidden: true }, h('legend', {}, t('overlays')), [
      ...this.switches.values(),
    ]);
  }

  offerOverlays() {
    const told = new Set(this.views.flatMap((view) => [...view.recording.told]));
    for (const [name, element] of this.switches ?? [])
      element.hidden = !(TOLD_BY[name] ?? [name]).some((kind) => told.has(kind));
    this.overlays.hidden = [...(this.switches?.values() ?? [])].every((element) => element.hidden);
  }

  chooseCurve() {
    this.curve = this.curveChosen = this.curveChoice.value;
    this.drawPlot();
  }

  chooseEvents() {
    this.eventKind = this.eventChoice.value;
    this.drawn = null;
    this.drawPlot();
  }

  scrub() {
    this.go(Number(this.range.value));
  }

  get length() {
    return Math.max(0, ...this.views.map((view) => view.recording.length));
  }

  // Everything was shown, and nobody plays it again.
  get rests() {
    return this.ended && !this.playing && this.pos >= this.length - 1;
  }

  get ended() {
    return this.views.every((view) => view.recording.end || view.badge.classList.contains('problem'));
  }

  /**
   * A view has heard something.
   * @param {View} view
   * @param {Message} message
   */
  grown(view, message) {
    if (message.m === 'hello') {
      if (this.views.every((other) => other.recording.length === 0)) this.pos = 0;
      if (message.rate) this.setRate(message.rate);
      this.refresh();
    } else if (message.m === 'frame') {
      if (message.t === 0) view.show(0, 0);
      if (this.wanted > 0 && message.t >= this.wanted) {
        const t = this.wanted;
        this.wanted = 0;
        this.go(t);
      } else if (this.autoplay && message.t === 1 && this.wanted === 0) {
        this.autoplay = false;
        this.play();
      }
      this.stale = true;
    } else if (message.m === 'end') {
      if (this.wanted > 0) this.go(this.length - 1);
      this.wanted = 0;
      this.refresh();
    }
  }

  /** @param {number} now */
  tick(now) {
    const interval = 1000 / this.fps;
    // Half a millisecond of grace, so that 60 a second are not halved by a late frame.
    if (this.playing && now - this.before >= interval - 0.5) {
      this.before = now - this.before > 3 * interval ? now : this.before + interval;
      if (this.pos < this.length - 1) this.set(this.pos + 1);
      else if (this.ended || this.resting) {
        this.pause();
        if (this.ended) this.onrest?.();
      }
    }
    if (this.stale) this.refresh();
  }

  showBoards() {
    const interval = this.playing ? 1000 / this.fps : (this.stepMs ?? STILL_MS);
    for (const view of this.views) {
      view.board.brisk = !this.playing && this.stepMs === null;
      view.show(this.pos, interval);
    }
    return interval;
  }

  refresh() {
    this.stale = false;
    const interval = this.showBoards();
    const now = performance.now();
    if (interval < WORDS_MS && now - (this.toldAt ?? 0) < WORDS_MS) {
      this.stale = true; // told with the next ticks
      return;
    }
    this.toldAt = now;
    const last = Math.max(0, this.length - 1);
    const total = Math.max(last, ...this.views.map((view) => view.recording.hello?.total ?? 0));
    this.range.max = String(last);
    this.range.value = String(this.pos);
    this.output.textContent = `${this.pos} / ${this.ended ? last : total > last ? total : `${last}…`}`;
    this.range.setAttribute('aria-valuetext', t('moment', { t: this.pos, n: last }));
    this.thinking();
    this.offerOverlays();
    this.listCurves();
    this.listEvents();
    this.drawPlot();
  }

  thinking() {
    for (const view of this.views) {
      const live =
        !view.recording.end && view.recording.length > 0 && this.pos >= view.recording.length - 1 && this.playing;
      if (view.badge.classList.contains('problem')) continue;
      const waiting = !view.recording.end && view.recording.length === 1 && this.autoplay;
      if ((live || waiting) && view.badge.hidden) view.setBadge(t(waiting ? 'preparing' : 'thinking'), 'quiet');
      else if (!live && !waiting && view.badge.classList.contains('quiet')) view.setBadge('');
    }
  }

  /** @param {number} pos */
  set(pos) {
    this.pos = Math.max(0, Math.min(pos, this.length - 1));
    this.showBoards();
    this.stale = true; // what stands around the boards follows with the next tick
    this.onmove?.(this.pos);
    if (!this.playing) {
      const frame = this.views[0].recording.frames[this.pos];
      if (frame) say(said(frame.x ?? '') || t('moment', { t: this.pos, n: this.length - 1 }));
    }
  }

  /** @param {number} pos */
  go(pos) {
    this.pause();
    this.set(pos);
  }

  /** @param {number} by */
  step(by) {
    this.go(this.pos + by);
  }

  /**
   * What the events on the timeline are: of the kind that was chosen, or all that are worth seeing.
   * @param {GameEvent} event
   */
  isShown(event) {
    return this.eventKind ? event.kind === this.eventKind : !QUIET.has(event.kind);
  }

  listEvents() {
    const counts = new Map();
    for (const view of this.views)
      for (const { kind } of view.recording.events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const key = [...counts].join('|');
    if (key === this.eventKey) return;
    this.eventKey = key;
    const kinds = [...counts].sort((a, b) => a[0].localeCompare(b[0]));
    this.eventChoice.replaceChildren(
      h('option', { value: '' }, t('event_all')),
      ...kinds.map(([kind, n]) =>
        h('option', { value: kind, selected: kind === this.eventKind }, `${said(kind)} (${n})`),
      ),
    );
    this.eventChoice.hidden = kinds.length < 2;
  }

  /**
   * To the next or last moment at which something worth seeing happens.
   * @param {number} way
   */
  jump(way) {
    const moments = this.views.flatMap((view) => view.recording.events).filter((event) => this.isShown(event));
    const times = [...new Set(moments.map((event) => event.t))].sort((a, b) => a - b);
    const found = way > 0 ? times.find((time) => time > this.pos) : times.filter((time) => time < this.pos).at(-1);
    this.go(found ?? (way > 0 ? this.length - 1 : 0));
    const here = moments.filter((event) => event.t === this.pos);
    if (here.length)
      say(t('event_at', { t: this.pos, kinds: [...new Set(here.map((event) => said(event.kind)))].join(', ') }));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.pos >= this.length - 1 && this.ended) this.set(0);
    this.playing = true;
    this.before = performance.now();
    this.wake();
    this.face();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.stale = true;
    this.face();
  }

  face() {
    const words = t(this.playing ? 'pause' : 'play');
    const other = button(words, { icon: this.playing ? 'pause' : 'play' });
    this.playButton.replaceChildren(...other.childNodes);
    this.playButton.setAttribute('aria-label', words);
    this.playButton.title = words;
    this.thinking();
  }

  /**
   * A game that goes on by itself is shown at its own pace, unless somebody has chosen another one for such games.
   * @param {number} rate
   */
  setRate(rate) {
    const usual = Math.round(rate);
    this.speedKey = 'gridsage-speed-running';
    this.fps = Number(localStorage.getItem(this.speedKey)) || usual;
    this.speeds = [...new Set([...SPEEDS, usual, this.fps])].sort((a, b) => a - b);
    this.speed.replaceChildren(
      ...this.speeds.map((fps) =>
        h('option', { value: String(fps), selected: fps === this.fps }, t('speed_value', { fps })),
      ),
    );
  }

  /** @param {number} fps */
  setSpeed(fps) {
    this.fps = fps;
    this.speed.value = String(fps);
    localStorage.setItem(this.speedKey, String(fps));
    say(t('speed_value', { fps }));
  }

  /**
   * @param {string} name
   * @param {boolean} on
   * @param {boolean} [remember]
   */
  setOverlay(name, on, remember = true) {
    if (remember) localStorage.setItem(`gridsage-${name}`, on ? 'on' : 'off');
    for (const view of this.views) {
      if (name === 'figures') view.figures.hidden = !on;
      else if (name === 'text') view.sentence.hidden = view.principal.hidden = !on;
      else {
        Object.assign(view.board.show, { [name]: on });
        view.board.dirty = true;
      }
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const place = placeOf(event);
    if (place.matches?.('input:not([type=range]):not([type=checkbox]), select, textarea')) return;
    /** @type {Record<string, () => unknown>} */
    const keys = {
      ' ': () => (place.matches?.('button, a, summary, [type=checkbox]') ? null : (this.toggle() ?? true)),
      k: () => this.toggle() ?? true,
      ArrowLeft: () => (place === this.range ? null : (this.step(-1) ?? true)),
      ArrowRight: () => (place === this.range ? null : (this.step(1) ?? true)),
      Home: () => this.go(0) ?? true,
      End: () => this.go(this.length - 1) ?? true,
      '[': () => this.setSpeed(this.speeds[Math.max(0, this.speeds.indexOf(this.fps) - 1)]) ?? true,
      ']': () =>
        this.setSpeed(this.speeds[Math.min(this.speeds.length - 1, this.speeds.indexOf(this.fps) + 1)]) ?? true,
      ',': () => this.jump(-1) ?? true,
      '.': () => this.jump(1) ?? true,
    };
    if (keys[event.key]?.()) event.preventDefault();
  }

  listCurves() {
    const names = new Set(this.views.flatMap((view) => [...view.recording.varied]));
    const key = [...names].join('|');
    if (key === this.curveKey) return;
    this.curveKey = key;
    const telling = [...names].filter((name) => !CLOCKS.has(name));
    const chosen = names.has(this.curveChosen)
      ? this.curveChosen
      : (['score', 'score*', 'first*', 'second*'].find((name) => names.has(name)) ??
        telling.find((name) => !name.endsWith('*')) ??
        [...names][0]);
    this.curve = chosen;
    this.curveChoice.replaceChildren(
      ...[...names].map((name) =>
        h('option', { value: name, selected: name === chosen }, CURVE_WORDS[name] ? t(CURVE_WORDS[name]) : said(name)),
      ),
    );
    this.curveChoice.hidden = names.size === 0;
  }

  // The curve is drawn anew only when the game has grown; the moment shown moves over it.
  drawPlot() {
    const dpr = window.devicePixelRatio || 1;
    const [w, height] = this.plotSize; // asking for it here would make the browser lay out the page for every frame
    if (!w) return;
    for (const layer of [this.plot, this.curveLayer]) {
      if (layer.width !== Math.round(w * dpr) || layer.height !== Math.round(height * dpr)) {
        layer.width = Math.round(w * dpr);
        layer.height = Math.round(height * dpr);
        this.drawn = null;
      }
    }
    const last = Math.max(1, this.length - 1);
    /** @param {number} time */
    const x = (time) => PLOT_SIDE + (time / last) * (w - 2 * PLOT_SIDE);
    const theme = themeNow();
    const key = [this.length, this.ended, this.curve, this.eventKind, theme, w, height].join('|');
    if (key !== this.drawn && (this.ended || performance.now() - (this.drawnAt ?? 0) > PLOT_MS || this.length < 200)) {
      this.drawn = key;
      this.drawnAt = performance.now();
      this.drawCurves(penOf(this.curveLayer), dpr, w, height, x);
    }
    const pen = penOf(this.plot);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.plot.width, this.plot.height);
    pen.drawImage(this.curveLayer, 0, 0);
    pen.setTransform(dpr, 0, 0, dpr, 0, 0);
    pen.fillStyle = this.colour('--accent');
    pen.fillRect(PLOT_SIDE, height - 6, x(this.pos) - PLOT_SIDE, 2);
    pen.fillStyle = this.colour('--text');
    pen.fillRect(x(this.pos) - 1, 0, 2, height);
  }

  /**
   * Asking for a computed style costs more than drawing the curve: asked once a theme.
   * @param {string} name
   */
  colour(name) {
    const key = `${themeNow()}${name}`;
    this.colours[key] ??= getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    return this.colours[key];
  }

  /**
   * @param {Pen} pen
   * @param {number} dpr
   * @param {number} w
   * @param {number} height
   * @param {(time: number) => number} x
   */
  drawCurves(pen, dpr, w, height, x) {
    pen.setTransform(dpr, 0, 0, dpr, 0, 0);
    pen.clearRect(0, 0, w, height);
    const values = this.views.map((view) => view.recording.curves.get(this.curve) ?? []);
    let low = 0;
    let high = -Infinity;
    for (const curve of values)
      for (const value of curve)
        if (value !== undefined) {
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
    if (high <= low) high = low + 1;
    /** @param {number} value */
    const y = (value) => height - 9 - ((value - low) / (high - low)) * (height - 18);
    pen.fillStyle = this.colour('--line');
    pen.fillRect(PLOT_SIDE, height - 6, w - 2 * PLOT_SIDE, 2);
    values.forEach((curve, i) => {
      pen.beginPath();
      /** @type {number | null} */
      let previous = null;
      curve.forEach((value, time) => {
        if (previous !== null) pen.lineTo(x(time), y(previous));
        pen[previous === null ? 'moveTo' : 'lineTo'](x(time), y(value));
        previous = value;
      });
      pen.strokeStyle = this.colour(i ? '--second' : '--accent');
      pen.lineWidth = 1.75;
      pen.setLineDash(i ? [5, 3] : []);
      pen.stroke();
      pen.setLineDash([]);
    });
    pen.fillStyle = this.colour('--muted');
    let before = -10;
    for (const event of this.views[0].recording.events) {
      if (!this.isShown(event) || x(event.t) - before < 3) continue;
      before = x(event.t);
      pen.beginPath();
      pen.arc(before, height - 5, 2.5, 0, Math.PI * 2);
      pen.fill();
    }
  }
}

/**
 * Labels in a row, those that are repeated said once with their number.
 * @param {string[]} labels
 */
export function inRuns(labels) {
  /** @type {[label: string, times: number][]} */
  const runs = [];
  for (const label of labels) {
    const last = runs.at(-1);
    if (last?.[0] === label) last[1] += 1;
    else runs.push([label, 1]);
  }
  return runs.map(([label, times]) => (times > 2 ? `${label} × ${times}` : Array(times).fill(label).join(' · ')));
}

/** @type {Record<string, string>} */
const CURVE_WORDS = {
  'score*': 'curve_score',
  'first*': 'curve_first',
  'second*': 'curve_second',
  'nodes*': 'curve_nodes',
  'ms*': 'curve_time',
};

/** @param {unknown} error */
export function complain(error) {
  notice(error instanceof Error ? error.message : String(error));
}
