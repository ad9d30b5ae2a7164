// What has been played: the moves as a list, the end of a game on the board, its mistakes, and any position in words.
import { button, fill, h, number, reasonWords, reword, said, say, t } from '../dom.js';
import { tone } from '../sounds.js';
import { contestLine, furthest, keepMet, met } from './contests.js';
import { keepSolved, resultBox, resultLine } from './days.js';
import { resultOfPuzzle } from './ratings.js';

// The moves as a list: the one that is shown is marked, and each can be clicked to see the board after it.
const MOST = 400; // the newest ones: a list of thousands is of no use

export class History {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.list = h('ol', { class: 'history-list' });
    this.element = h(
      'details',
      { class: 'panel history', open: true, hidden: true },
      h('summary', {}, t('history')),
      this.list,
    );
    this.drawn = '';
    /** @type {FrameMessage[]} */
    this.steps = []; // those in the list
    this.waiting = 0;
  }

  // Called whenever a move was made, taken back, or another moment is shown. The board comes first.
  show() {
    this.waiting ||= requestAnimationFrame(() => {
      this.waiting = 0;
      this.update();
    });
  }

  // Nobody reads it while time runs.
  update() {
    if (this.game.clock.running) return;
    const { frames } = this.game.view.recording;
    const now = this.game.transport.pos;
    const key = `${frames.length}|${frames.at(-1)?.a}`;
    if (key !== this.drawn) this.draw(frames, key);
    const wrong = new Map(this.game.mistakes?.found.map((mistake) => [mistake.t + 1, mistake]));
    for (const step of this.list.querySelectorAll('button')) {
      const mistake = wrong.get(Number(step.dataset.step));
      step.classList.toggle('mistake', Boolean(mistake));
      step.title = mistake ? lossWords(mistake, this.game.room.seats) : '';
      const here = Number(step.dataset.step) === now;
      if (here) step.setAttribute('aria-current', 'step');
      else step.removeAttribute('aria-current');
      if (here) keepInSight(this.list, step);
    }
  }

  /**
   * @param {FrameMessage[]} frames
   * @param {string} key
   */
  draw(frames, key) {
    this.drawn = key;
    const moves = frames
      .slice(1)
      .filter((frame) => frame?.a)
      .slice(-MOST);
    this.element.hidden = !moves.length;
    let same = 0;
    while (same < moves.length && moves[same] === this.steps[same]) same++;
    this.steps = moves;
    while (this.list.children.length > same) this.list.lastElementChild?.remove();
    this.list.append(...moves.slice(same).map((frame) => this.entry(frame)));
  }

  /** @param {FrameMessage} frame */
  entry(frame) {
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'step',
          'data-step': String(frame.t),
          'aria-label': t('history_move', { n: frame.t, label: said(frame.a ?? '') }),
          onclick: () => this.game.transport.go(frame.t),
        },
        h('span', { class: 'count' }, String(frame.t)),
        ` ${said(frame.a ?? '')}`,
      ),
    );
  }
}

/**
 * Scrolls the list alone, never the page.
 * @param {HTMLElement} list
 * @param {HTMLElement} step
 */
function keepInSight(list, step) {
  const top = step.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + step.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 2;
}

// The end: who won and why, how good it was, and what can be done next.
export class Ending {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    /** @type {Outcome | null} */
    this.shown = null;
    /** @type {Solutions | null} */
    this.solutions = null;
    this.asked = false; // whether the solver's answer is meant for here
    this.title = h('h2', {});
    this.reason = h('p', {});
    this.best = h('p', { class: 'best', hidden: true });
    this.nextButton = button(t('next_level'), {
      icon: 'forward',
      label: true,
      kind: 'strong',
      onclick: () => game.next(),
    });
    this.againButton = button(t('ending_again'), {
      icon: 'restart',
      label: true,
      kind: 'small',
      onclick: () => game.restart(),
    });
    this.solutionButton = button(t('solutions'), {
      icon: 'check',
      label: true,
      kind: 'small',
      hidden: true,
      onclick: () => this.showSolutions(),
    });
    this.reviewButton = button(t('mistakes_show'), {
      icon: 'bulb',
      label: true,
      kind: 'small',
      onclick: () => this.askReview(),
    });
    this.watchLink = h('a', { class: 'button small' });
    this.daily = h('div', { hidden: true });
    this.element = h(
      'section',
      { class: 'ending', 'aria-label': t('ending'), hidden: true },
      this.title,
      this.reason,
      this.best,
      this.daily,
      h(
        'div',
        { class: 'row' },
        this.nextButton,
        this.againButton,
        this.solutionButton,
        this.reviewButton,
        this.watchLink,
        button(t('ending_share'), { icon: 'link', label: true, kind: 'small', onclick: () => game.share() }),
        button(t('ending_files'), {
          icon: 'down',
          label: true,
          kind: 'small',
          onclick: () => game.send({ m: 'keep' }),
        }),
        button(t('ending_look'), { label: true, kind: 'small', onclick: () => this.hide() }),
      ),
    );
  }

  get open() {
    return !this.element.hidden;
  }

  // Put it away; what it offered is offered beside the board again.
  hide() {
    this.element.hidden = true;
    this.game.showTurn();
  }

  /**
   * Shown once per end: whoever wants to look at the board again puts it away.
   * @param {Outcome} over
   * @param {string[]} players
   */
  show(over, players) {
    if (this.shown === over) return;
    this.shown = over;
    this.solutions = null;
    const seats = players.map((name, seat) => (name === 'human' ? seat : -1)).filter((seat) => seat >= 0);
    const won = seats.length === 1 && over.winner === seats[0];
    const lost = players.length === 1 ? !won : seats.length === 1 && !won;
    tone(lost ? 'loss' : 'win');
    this.title.textContent = headline(over, players, seats);
    this.element.className = `ending ${won ? 'good' : players.length === 1 ? 'bad' : ''}`;
    const moves = this.game.view.recording.length - 1;
    this.reason.textContent = t('ending_reason', {
      reason: capital(reasonWords(over.reason)),
      steps: t('steps', { n: moves }),
    });
    this.best.hidden = this.solutionButton.hidden = true;
    this.nextButton.hidden = players.length > 1 || !(this.game.campaign.on || this.game.setup.next());
    this.showCampaign();
    this.showDaily(over, players.length > 1 ? this.ownTurns() : moves);
    this.showPractice(over);
    this.reviewButton.hidden = !this.game.pure || !seats.length || !this.game.room.agents.length;
    this.watchLink.hidden = this.game.room.seats !== 1;
    this.watchLink.href = this.game.advice.watchLink();
    this.watchLink.textContent = t('watch_best', { name: this.game.advice.agent.value });
    this.element.hidden = false;
    say(`${this.title.textContent} ${this.reason.textContent}`);
    this.asked = this.game.room.solutions && players.length === 1;
    if (this.asked) this.game.send({ m: 'solutions', t: 0 });
  }

  /**
   * A puzzle of the day that is solved counts for the calendar, and a line tells others.
   * @param {Outcome} over
   * @param {number} steps
   */
  showDaily(over, steps) {
    const { puzzle, practice } = this.game.setup;
    if (practice) return;
    if (this.showContest(over)) return;
    this.daily.hidden = !puzzle || over.winner !== 0;
    if (!puzzle || over.winner !== 0) return;
    const helped = this.game.helped || this.game.advice.told;
    keepSolved(this.game.room.name, puzzle.date, steps, helped);
    const line = resultLine(this.game.room, puzzle.date, { steps, helped }, puzzle.best);
    fill(this.daily, resultBox(line), h('a', { href: '/daily' }, t('daily')));
  }

  /**
   * In the game of the day it counts how far one got. Return true if this was one.
   * @param {Outcome} over
   */
  showContest(over) {
    const { room, setup, view } = this.game;
    if (!room.contest || !setup.contest) return false;
    const { date, against } = setup.contest;
    const helped = this.game.helped || this.game.advice.told;
    const [own, other] = over.scores;
    if (room.seats === 1) keepMet(room.name, date, { own: furthest(view.recording, room.contest.name), helped });
    else if (against === room.default_agent) keepMet(room.name, date, { own, helped, name: against, other });
    const line = contestLine(room, date, met(room.name, date));
    this.daily.hidden = false;
    fill(this.daily, line ? resultBox(line) : null, h('a', { href: '/daily' }, t('daily')));
    return true;
  }

  // How often the first seat had the move, where a turn may consist of several actions.
  ownTurns() {
    const { frames } = this.game.view.recording;
    return frames.filter((frame, i) => frame.by === 0 && frames[i - 1]?.by !== 0).length;
  }

  /**
   * A puzzle with a rating changes one's own, solved or not, and the next one is near it.
   * @param {Outcome} over
   */
  showPractice(over) {
    const { practice } = this.game.setup;
    if (!practice) return;
    const helped = this.game.helped || this.game.advice.told;
    const score = over.winner === 0 ? (helped ? 0.5 : 1) : 0;
    this.daily.hidden = false;
    this.nextButton.hidden = true; // its own button goes on
    fill(this.daily, ...resultOfPuzzle(this.game.room.name, practice, score));
  }

  // In a campaign the end says how it stands, and one button goes on.
  showCampaign() {
    const { campaign } = this.game;
    reword(this.nextButton, campaign.on ? campaign.nextWords() : t('next_level'));
    this.againButton.hidden = campaign.on;
    if (campaign.on) this.reason.textContent += ` ${campaign.words()}`;
  }

  /**
   * What the solver says about the whole game; true if this answer was asked for here.
   * @param {Message} message
   */
  hear(message) {
    if (message.m !== 'solutions' || !this.asked) return false;
    this.asked = false;
    this.solutions = message;
    const shortest = message.lines[0]?.labels.length;
    if (shortest) {
      const moves = this.game.view.recording.length - 1;
      const won = this.shown?.winner === 0;
      this.best.textContent =
        won && moves === shortest ? t('ending_perfect') : t(won ? 'ending_best' : 'ending_possible', { n: shortest });
      this.best.hidden = this.solutionButton.hidden = false;
    }
    return true;
  }

  askReview() {
    this.hide();
    this.game.mistakes.ask();
  }

  showSolutions() {
    this.hide();
    if (this.solutions) this.game.advice.tellSolutions(this.solutions);
  }

  clear() {
    this.shown = null;
    this.asked = false;
    this.element.hidden = true;
  }
}

/**
 * @param {Outcome} over
 * @param {string[]} players
 * @param {number[]} seats
 */
function headline(over, players, seats) {
  const decided = over.winner !== null && over.winner !== undefined;
  if (players.length === 1) return t(decided ? 'ending_won' : 'ending_lost');
  if (!decided) return t('ending_draw');
  if (seats.length === 1) return t(over.winner === seats[0] ? 'ending_won' : 'ending_lost');
  return t('ending_seat', { n: (over.winner ?? 0) + 1 });
}

/** @param {string} words */
function capital(words) {
  return words ? words[0].toUpperCase() + words.slice(1) : '';
}

const THROWN_AWAY = 500; // a loss that large is no matter of moves or points: the game was won, and is not any more

/**
 * @param {Mistake} mistake
 * @param {number} seats
 */
function lossWords({ loss }, seats) {
  if (loss >= THROWN_AWAY) return t('mistake_game');
  return seats === 1 ? t('mistake_moves', { n: Math.round(loss) }) : t('mistake_points', { n: number(loss) });
}

// Where the person could have done better, as a list; each entry shows the board and the better line.
export class Mistakes {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    /** @type {Mistake[]} */
    this.found = [];
    this.agent = '';
    this.words = h('p', { class: 'note', role: 'status' });
    this.list = h('ol', { class: 'mistakes-list' });
    this.element = h(
      'section',
      { class: 'panel mistakes', 'aria-labelledby': 'mistakes-title', hidden: true },
      h('h2', { id: 'mistakes-title' }, t('mistakes')),
      this.words,
      this.list,
    );
  }

  ask() {
    this.agent = this.game.advice.agent.value;
    this.element.hidden = false;
    this.list.replaceChildren();
    this.words.textContent = t('mistakes_wait', { name: this.agent });
    this.game.send({ m: 'review', agent: this.agent });
    this.element.scrollIntoView({ block: 'nearest' });
  }

  clear() {
    this.found = [];
    this.element.hidden = true;
  }

  /** @param {Review} review */
  hear({ agent, moves }) {
    if (this.element.hidden) return;
    this.found = moves;
    this.words.textContent = moves.length
      ? t('mistakes_found', { n: moves.length, name: agent })
      : t('mistakes_none', { name: agent });
    fill(
      this.list,
      moves.map((mistake) => this.entry(mistake)),
    );
    this.game.history.show();
  }

  /** @param {Mistake} mistake */
  entry(mistake) {
    const { game } = this;
    const words = t('mistake', { n: mistake.t + 1, played: said(mistake.played), better: said(mistake.better) });
    const look = () => {
      game.advice.leaveLine();
      game.transport.go(mistake.t);
      game.view.canvas.scrollIntoView({ block: 'nearest' });
    };
    return h(
      'li',
      {},
      h('button', { type: 'button', class: 'mistake-words', onclick: look }, words),
      h('span', { class: 'note' }, ` ${lossWords(mistake, game.room.seats)}`),
      mistake.line?.labels.length ? game.advice.line.list(mistake.line, t('mistake_line')) : null,
    );
  }
}

// The position that is shown, in words: every piece with its square. Read out when it opens, and anew after every move.
export class Description {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.asked = -1;
    this.text = h('pre', { class: 'words', tabindex: '0', 'aria-label': t('words_title') });
    this.element = h(
      'section',
      { class: 'panel description', hidden: true },
      h('h2', {}, t('words_title')),
      h('p', { class: 'note' }, t('words_note')),
      this.text,
    );
  }

  toggle() {
    this.element.hidden = !this.element.hidden;
    this.asked = -1;
    if (this.element.hidden) this.game.view.canvas.focus({ preventScroll: true });
    else this.follow();
  }

  // Ask for the moment that is shown, while the words are open.
  follow() {
    const { transport, view } = this.game;
    if (this.element.hidden || !view.recording.length || (this.asked === transport.pos && !this.game.mine)) return;
    this.asked = transport.pos;
    this.game.send({ m: 'words', t: transport.pos });
  }

  /** @param {{ t: number, text: string }} message */
  hear({ t: at, text }) {
    if (this.element.hidden) return;
    this.text.textContent = text;
    this.text.dataset.t = String(at);
    say(text);
  }
}
