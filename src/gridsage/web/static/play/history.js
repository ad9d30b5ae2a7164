// The moves of a game as a list: the one that is shown is marked, and each can be clicked to see the board after it.
import { h, t } from '../dom.js';

const MOST = 400; // the newest ones: a list of thousands is of no use

export class History {
  constructor(game) {
    this.game = game;
    this.list = h('ol', { class: 'history-list' });
    this.element = h('details', { class: 'panel history', open: true, hidden: true }, h('summary', {}, t('history')), this.list);
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

  draw(frames, key) {
    this.drawn = key;
    const moves = frames.slice(1).filter((frame) => frame?.a).slice(-MOST);
    this.element.hidden = !moves.length;
    this.list.replaceChildren(...moves.map((frame) => h('li', {},
      h('button', { type: 'button', class: 'step', 'data-step': String(frame.t), 'aria-label': t('history_move', { n: frame.t, label: frame.a }), onclick: () => this.game.transport.go(frame.t) },
        h('span', { class: 'count' }, String(frame.t)), ` ${frame.a}`))));
  }
}

// Scrolls the list alone, never the page.
function keepInSight(list, step) {
  const top = step.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + step.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}
