// One lesson: a small game with a task, praise when it is done, and help when it is not.
import { button, h, say, t } from '../dom.js';
import { Game } from '../play/game.js';

const SHOW_MS = 700; // between two moves that are shown

export class Lesson {
  constructor(place, room, lesson, { done, next }) {
    Object.assign(this, { room, lesson, done, next, finished: false });
    this.verdict = h('p', { class: 'lesson-verdict', role: 'status', hidden: true });
    this.nextButton = button(t('learn_next'), { icon: 'forward', label: true, kind: 'strong', hidden: true, onclick: () => this.next() });
    this.playLink = h('a', { class: 'button strong', href: `/play/${room.name}`, hidden: true }, t('learn_play'));
    const tools = h('div', { class: 'row' }, this.nextButton, this.playLink,
      button(t('learn_again'), { icon: 'restart', label: true, kind: 'small', onclick: () => this.begin() }),
      button(t('learn_show'), { icon: 'bulb', label: true, kind: 'small', onclick: () => this.demonstrate() }));
    this.task = h('p', { class: 'task' }, lesson.text);
    this.board = h('div', { class: 'lesson-board' });
    place.replaceChildren(this.task, this.board, this.verdict, tools);
    const people = ['human', ...Array(Math.max(0, room.seats - 1)).fill('random')];
    const settings = { game: room.name, text: lesson.level, seed: lesson.seed, options: lesson.options, agents: people, nodes: 1 };
    const setup = { settings: () => [settings], query: () => '', tell() {}, next: () => null };
    this.game = new Game(this.board, room, { setup });
    this.begin();
  }

  begin() {
    clearInterval(this.clock);
    this.finished = false;
    this.verdict.hidden = this.nextButton.hidden = this.playLink.hidden = true;
    this.game.start();
    this.game.view.listeners.push((message) => this.hear(message));
  }

  focus() {
    this.game.view.canvas.focus();
  }

  leave() {
    clearInterval(this.clock);
    this.game.leave();
  }

  // The lesson is done when its event is seen or its game is won; a game that ends otherwise is lost.
  hear(message) {
    if (this.finished) return;
    const { until } = this.lesson;
    if (message.m === 'frame' && until && (message.ev ?? []).some(([kind]) => kind === until)) this.praise();
    else if (message.m === 'turn' && message.over) {
      if (!until && message.over.winner === 0) this.praise();
      else this.tell(t('learn_lost', { reason: message.over.reason }), 'bad');
    }
  }

  praise() {
    this.finished = true;
    this.done();
    this.nextButton.hidden = !this.next;
    this.playLink.hidden = Boolean(this.next);
    this.tell(this.next ? this.lesson.done : `${this.lesson.done} ${t('learn_finished')}`, 'good');
  }

  tell(text, kind) {
    this.verdict.textContent = text;
    this.verdict.className = `lesson-verdict ${kind}`;
    this.verdict.hidden = false;
    say(text);
  }

  // Play the way that the guide knows, move by move.
  demonstrate() {
    this.begin();
    let at = 0;
    this.clock = setInterval(() => {
      if (at >= this.lesson.actions.length) clearInterval(this.clock);
      else if (this.game.actLabel(this.lesson.actions[at])) at += 1;
    }, SHOW_MS);
  }
}
