// Advice: hints by steps, what an agent would do and expects, analysis of any moment, all best solutions; and lines
// of moves that can be looked at on the board without being played.
import { Recording } from '../recording.js';
import { button, choice, h, reword, said, say, t, toggle } from '../dom.js';

const SECONDS = 1;
const ANALYSIS_SECONDS = [0.3, 1, 3]; // an analysis deepens while one looks
const STEP_MS = 650;

export class Advice {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.room = game.room;
    /** @type {{ t: number, steps: string[], shown: number } | null} */
    this.steps = null; // of a hint, and how many of them have been told
    this.round = { t: 0, name: 0 }; // the last one that is over
    this.told = false; // somebody has helped in this game
    this.depth = 0;
    this.later = 0;
    const names = this.room.agents.map(({ name }) => name);
    this.agent = choice(names, names.includes('master') ? 'master' : this.room.default_agent, () => {
      this.name();
      this.clear();
    });
    this.agent.setAttribute('aria-label', t('advisor'));
    this.hintButton = button(t('hint'), {
      icon: 'bulb',
      label: true,
      kind: 'small',
      hidden: !this.room.hints,
      onclick: () => this.hint(),
    });
    this.askButton = button('', { icon: 'robot', label: true, kind: 'small', onclick: () => this.ask() });
    this.overButton = button('', {
      icon: 'play',
      label: true,
      kind: 'small',
      onclick: () => game.takeOver(this.agent.value),
    });
    this.analysis = toggle(t('analysis'), false, (on) => {
      if (on) this.analyse();
      else this.clear();
    });
    this.solveButton = button('', {
      icon: 'check',
      label: true,
      kind: 'small',
      hidden: true,
      onclick: () => this.solve(),
    });
    this.best = h('a', { class: 'button small', hidden: true });
    this.box = h('div', { class: 'hint', 'aria-live': 'polite' });
    this.line = new LineBox(game);
    this.element = h(
      'section',
      { class: 'panel advice', 'aria-label': t('advice'), hidden: names.length === 0 },
      h('div', { class: 'row' }, h('h2', {}, t('advice')), this.agent),
      h('div', { class: 'row' }, this.hintButton, this.askButton, this.overButton, this.solveButton, this.best),
      this.analysis,
      this.box,
    );
    this.name();
  }

  get analysing() {
    return Boolean(this.analysis.querySelector('input')?.checked);
  }

  name() {
    reword(this.askButton, t('what_would', { name: this.agent.value }));
    reword(this.overButton, this.game.taken ? t('give_back') : t('take_over', { name: this.agent.value }));
  }

  stop() {
    clearTimeout(this.later);
    this.line.close();
  }

  clear() {
    this.stop();
    this.steps = null;
    this.box.replaceChildren();
  }

  leaveLine() {
    return this.line.close();
  }

  show() {
    const { turn, mine, pure } = this.game;
    this.hintButton.disabled = this.askButton.disabled = !mine;
    this.overButton.disabled = !turn || (Boolean(turn.over) && !(this.game.taken && !this.game.atEnd));
    this.analysis.hidden = pure === false;
    this.name();
    const round = this.finishedRound();
    this.solveButton.hidden =
      !this.room.solutions || round === null || (this.game.ending.open && this.room.seats === 1);
    if (round) {
      this.round = round;
      reword(this.solveButton, round.name ? t('solutions_of_round', { n: round.name }) : t('solutions'));
    }
    this.best.hidden =
      !turn?.over || this.game.ending.open || this.overButton.disabled === false || this.room.seats !== 1;
    if (turn?.over) {
      this.best.href = this.watchLink();
      this.best.textContent = t('watch_best', { name: this.agent.value });
    }
    if (this.analysing) this.analyse();
  }

  // The same game from its beginning, played by the one who is asked.
  watchLink() {
    const query = new URLSearchParams(this.game.setup.query());
    query.set('agents', this.agent.value);
    query.set('seconds', '2');
    return `/watch/${this.room.name}?${query}`;
  }

  /**
   * The last round that is over: where it began, and its number in rooms that have rounds.
   * @returns {{ t: number, name: number } | null}
   */
  finishedRound() {
    const { turn, view } = this.game;
    const rounds = view.recording.frames.map((frame) => frame.s?.round);
    const now = rounds.at(-1);
    const wanted = turn?.over ? now : rounds.findLast((round) => round !== now);
    if (wanted === undefined) return turn?.over ? { t: 0, name: 0 } : null;
    return { t: rounds.indexOf(wanted), name: parseInt(wanted, 10) };
  }

  wait() {
    this.told = true;
    this.clear();
    this.box.replaceChildren(h('p', { class: 'note' }, t('is_thinking', { name: this.agent.value })));
  }

  // A hint tells a little more each time it is asked for.
  hint() {
    if (this.steps && this.steps.t === this.game.turn?.t) {
      this.steps.shown++;
      this.tellSteps();
    } else {
      this.wait();
      this.game.send({ m: 'hint' });
    }
  }

  ask() {
    this.wait();
    this.game.send({ m: 'analyse', t: this.game.turn?.t, agent: this.agent.value, seconds: SECONDS });
  }

  solve() {
    this.wait();
    this.game.send({ m: 'solutions', t: this.round.t });
  }

  // Another moment is shown: an analysis follows it.
  moved() {
    if (this.analysing && !this.line.open) this.analyse();
  }

  /** @param {number} [depth] */
  analyse(depth = 0) {
    clearTimeout(this.later);
    const { pos, views } = this.game.transport;
    if (!views[0].recording.length || (this.game.turn?.over && pos >= views[0].recording.length - 1)) return;
    this.depth = depth;
    this.game.send({ m: 'analyse', t: pos, agent: this.agent.value, seconds: ANALYSIS_SECONDS[depth] });
  }

  /** @param {Message} message */
  hear(message) {
    if (message.m === 'hint' && message.t === this.game.turn?.t) {
      this.steps = { ...message, shown: 1 };
      this.tellSteps();
    } else if (message.m === 'analysis') {
      const here = message.t === this.game.transport.pos;
      if (!here || this.line.open) return;
      this.tellAnalysis(message);
      if (this.analysing && this.depth + 1 < ANALYSIS_SECONDS.length)
        this.later = window.setTimeout(() => this.analyse(this.depth + 1), 0);
    } else if (message.m === 'solutions') this.tellSolutions(message);
  }

  tellSteps() {
    const { steps, shown } = this.steps ?? { steps: [], shown: 0 };
    const more =
      shown < steps.length
        ? button(t('hint_more'), { label: true, icon: 'bulb', kind: 'small', onclick: () => this.hint() })
        : null;
    this.box.replaceChildren(...steps.slice(0, shown).map((words) => h('p', {}, words)), ...(more ? [more] : []));
    this.box.scrollIntoView({ block: 'nearest' });
  }

  /** @param {Analysis} given */
  tellAnalysis({ a, o = {}, agent, seat, line, action }) {
    /** @type {HTMLElement[]} */
    const parts = [h('p', {}, t('hint_move', { a: said(line?.labels[0] ?? a), agent }))];
    if (this.room.seats === 2 && o.score !== undefined) this.game.view.setEvaluation(seat === 0 ? o.score : -o.score);
    this.game.view.recording.hearThoughts(o);
    if (o.text) parts.push(h('p', { class: 'note' }, said(o.text)));
    if (line && line.labels.length) parts.push(this.line.list(line, t('line')));
    this.box.replaceChildren(...parts);
    if (!this.analysing) this.box.scrollIntoView({ block: 'nearest' });
    this.game.view.board.set('thoughts', o);
    const aimed = this.game.legal().find((entry) => entry.action === action);
    if (aimed) this.game.moves.mark(aimed);
  }

  /** @param {Solutions} given */
  tellSolutions({ text, lines }) {
    this.box.replaceChildren(
      h('p', {}, text),
      ...lines.map((line, i) => this.line.list(line, t('solution_n', { n: i + 1 }))),
    );
    this.box.scrollIntoView({ block: 'nearest' });
    say(text);
  }
}

// A line of moves to look at: each move is a button that shows the board after it; the game itself stays where it is.
export class LineBox {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.open = false;
    this.at = 0;
    this.clock = 0;
    this.recording = new Recording();
    /** @type {HTMLElement[]} */
    this.steps = [];
    this.words = h('span', {});
    this.element = h(
      'div',
      { class: 'line-bar', hidden: true },
      this.words,
      button(t('step_back'), { icon: 'back', kind: 'small', onclick: () => this.go(this.at - 1) }),
      button(t('line_play'), { icon: 'play', kind: 'small', onclick: () => this.run() }),
      button(t('step'), { icon: 'forward', kind: 'small', onclick: () => this.go(this.at + 1) }),
      button(t('line_leave'), { label: true, kind: 'small', onclick: () => this.close() }),
    );
  }

  /**
   * @param {MoveLine} line
   * @param {string} title
   */
  list(line, title) {
    const steps = line.labels.map((label, i) =>
      h(
        'button',
        {
          type: 'button',
          class: 'step',
          onclick: () => {
            this.show(line, steps);
            this.go(i + 1);
          },
        },
        said(label),
      ),
    );
    const first = button(t('line_show'), {
      icon: 'play',
      kind: 'plain small',
      onclick: () => {
        this.show(line, steps);
        this.run();
      },
    });
    return h(
      'div',
      { class: 'line', role: 'group', 'aria-label': title },
      h('span', { class: 'note' }, title),
      first,
      ...steps,
    );
  }

  /**
   * @param {MoveLine} line
   * @param {HTMLElement[]} steps
   */
  show(line, steps) {
    this.close();
    this.open = true;
    this.steps = steps;
    this.recording = new Recording();
    this.recording.greet(line.hello);
    line.frames.forEach((frame) => this.recording.add({ ...frame }));
    this.element.hidden = false;
    this.at = 0;
    this.game.transport.pause();
    this.go(0);
  }

  /** @param {number} i */
  go(i) {
    if (!this.open) return;
    this.at = Math.max(0, Math.min(i, this.recording.length - 1));
    const { board } = this.game.view;
    const position = this.recording.at(this.at);
    position.thoughts = {};
    board.names = this.recording.tiles;
    board.interval = STEP_MS;
    board.set('marks', []);
    board.apply(position, true);
    this.words.textContent = t('line_at', { t: this.at, n: this.recording.length - 1 });
    this.steps.forEach((step, n) => step.setAttribute('aria-pressed', String(n < this.at)));
    this.game.view.canvas.dataset.line = String(this.at);
    say(said(this.recording.frames[this.at].x ?? ''));
  }

  run() {
    clearInterval(this.clock);
    if (this.at >= this.recording.length - 1) this.go(0);
    this.clock = window.setInterval(() => {
      if (this.at >= this.recording.length - 1) clearInterval(this.clock);
      else this.go(this.at + 1);
    }, STEP_MS);
  }

  // Back to the game; says whether a line was open.
  close() {
    clearInterval(this.clock);
    if (!this.open) return false;
    this.open = false;
    this.element.hidden = true;
    this.steps.forEach((step) => step.removeAttribute('aria-pressed'));
    delete this.game.view.canvas.dataset.line;
    this.game.view.forget();
    this.game.transport.refresh();
    this.game.moves.mark();
    return true;
  }
}
