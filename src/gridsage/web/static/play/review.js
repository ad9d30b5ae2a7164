// What has been played: the moves as a list, and the end of a game, said on the board.
import { button, h, say, t } from '../dom.js';

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
  }

  // Called whenever a move was made, taken back, or another moment is shown.
  show() {
    const { frames } = this.game.view.recording;
    const now = this.game.transport.pos;
    const key = `${frames.length}|${frames.at(-1)?.a}`;
    if (key !== this.drawn) this.draw(frames, key);
    for (const step of this.list.querySelectorAll('button')) {
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
    this.list.replaceChildren(
      ...moves.map((frame) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'step',
              'data-step': String(frame.t),
              'aria-label': t('history_move', { n: frame.t, label: frame.a }),
              onclick: () => this.game.transport.go(frame.t),
            },
            h('span', { class: 'count' }, String(frame.t)),
            ` ${frame.a}`,
          ),
        ),
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
    this.solutionButton = button(t('solutions'), {
      icon: 'check',
      label: true,
      kind: 'small',
      hidden: true,
      onclick: () => this.showSolutions(),
    });
    this.watchLink = h('a', { class: 'button small' });
    this.element = h(
      'section',
      { class: 'ending', 'aria-label': t('ending'), hidden: true },
      this.title,
      this.reason,
      this.best,
      h(
        'div',
        { class: 'row' },
        this.nextButton,
        button(t('ending_again'), { icon: 'restart', label: true, kind: 'small', onclick: () => game.restart() }),
        this.solutionButton,
        this.watchLink,
        button(t('ending_share'), { icon: 'link', label: true, kind: 'small', onclick: () => game.share() }),
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
    this.title.textContent = headline(over, players, seats);
    this.element.className = `ending ${won ? 'good' : players.length === 1 ? 'bad' : ''}`;
    const moves = this.game.view.recording.length - 1;
    this.reason.textContent = t('ending_reason', { reason: capital(over.reason), steps: t('steps', { n: moves }) });
    this.best.hidden = this.solutionButton.hidden = true;
    this.nextButton.hidden = players.length > 1 || !this.game.setup.next();
    this.watchLink.hidden = this.game.room.seats !== 1;
    this.watchLink.href = this.game.advice.watchLink();
    this.watchLink.textContent = t('watch_best', { name: this.game.advice.agent.value });
    this.element.hidden = false;
    say(`${this.title.textContent} ${this.reason.textContent}`);
    this.asked = this.game.room.solutions && players.length === 1;
    if (this.asked) this.game.send({ m: 'solutions', t: 0 });
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
