// Can it be won? The solver's answer, its progress, and its solution to watch in place of the drawing.
import { Transport, View } from '../player.js';
import { button, choice, h, say, t } from '../dom.js';

const SECONDS = [2, 5, 10, 20, 60];
const USUAL_SECONDS = 10;
const CLOCK_MS = 100;
/** @type {Record<string, [words: string, kind: string]>} */
const VERDICTS = { won: ['check_won', 'good'], impossible: ['check_impossible', 'bad'] };

export class Solving {
  /**
   * text(): the level to solve; covers(on): the solution stands in the drawing's place.
   * @param {Room} room
   * @param {{ text: () => string, covers: (on: boolean) => void }} given
   */
  constructor(room, { text, covers }) {
    this.room = room;
    this.text = text;
    this.covers = covers;
    this.clock = 0;
    this.report = h('p', { class: 'mark', role: 'status' });
    this.bar = h('progress');
    this.work = h('div', { class: 'row solving' });
    this.back = button(t('back_to_drawing'), {
      label: true,
      icon: 'pencil',
      hidden: true,
      onclick: () => this.close(),
    });
    this.view = new View();
    /** @type {Transport | null} */
    this.transport = null;
    this.button = button(t('can_it_be_won'), {
      label: true,
      icon: 'check',
      kind: 'strong',
      onclick: () => this.start(),
    });
    this.seconds = choice(
      SECONDS.map((n) => [n, t('seconds_value', { n })]),
      USUAL_SECONDS,
    );
    this.seconds.setAttribute('aria-label', t('seconds'));
    this.panel = room.check
      ? h('section', { class: 'panel setup' }, h('div', { class: 'row within' }, this.button, this.seconds))
      : null;
    this.box = h('div', { class: 'solution', hidden: true });
  }

  start() {
    this.close();
    const seconds = Number(this.seconds.value);
    this.report.className = 'mark';
    this.report.textContent = t('solving');
    this.bar = h('progress', { max: String(seconds), value: '0', 'aria-label': t('solving') });
    const stop = () => this.finish(t('solving_stopped', { n: Math.round(this.bar.value) }), '');
    this.work = h(
      'div',
      { class: 'row solving' },
      this.bar,
      button(t('stop'), { label: true, icon: 'stop', onclick: stop }),
    );
    this.back.hidden = true;
    this.box.replaceChildren(h('div', { class: 'row' }, this.report, this.back), this.work);
    this.box.hidden = false;
    this.view = new View();
    this.view.listeners.push((message) => this.hear(message, seconds));
    this.transport = new Transport([this.view], { keys: false });
    this.view.open({ m: 'check', game: this.room.name, text: this.text(), seconds });
  }

  /**
   * @param {Message} message
   * @param {number} seconds
   */
  hear(message, seconds) {
    if (message.m === 'solving') {
      const began = performance.now();
      this.clock = window.setInterval(() => {
        this.bar.value = Math.min(seconds, (performance.now() - began) / 1000);
      }, CLOCK_MS);
    } else if (message.m === 'progress' && message.done < message.total) {
      this.report.textContent = t('compiling', { words: message.words, done: message.done + 1, total: message.total });
    } else if (message.m === 'error') this.finish(message.text, 'bad');
    else if (message.m === 'report') {
      const [name, kind] = VERDICTS[message.verdict] ?? ['check_open', 'warn'];
      this.finish(t(name, { text: message.text, n: seconds }), kind);
      if (message.steps) this.showSolution();
    }
  }

  /**
   * @param {string} words
   * @param {string} kind
   */
  finish(words, kind) {
    clearInterval(this.clock);
    this.work.remove();
    this.report.textContent = words;
    this.report.className = `mark ${kind}`;
    say(words);
    if (kind !== 'good') this.view.line?.leave();
  }

  showSolution() {
    this.back.hidden = false;
    this.box.append(h('h2', { class: 'only-heard' }, t('solution')), this.view.stage, this.transport?.controls ?? '');
    this.covers(true);
  }

  close() {
    clearInterval(this.clock);
    this.transport?.destroy();
    this.transport = null;
    this.box.hidden = true;
    this.box.replaceChildren();
    this.covers(false);
  }
}
