// Learn a game: its goal, lessons on real boards, its rules with pictures that move, and its cards.
import { View } from '../player.js';
import { button, fetchJson, h, reasonWords, say, t } from '../dom.js';
import { Game } from './play.js';

const SHOW_MS = 700; // between two moves that are shown
const WHOLE_MS = 5000; // no lesson takes longer to be shown
const STEP_MS = 900; // of a picture
const REST_MS = 1500; // at the end of a picture that moves quickly
const REST = 3; // beats at the end of a picture before it begins again

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export async function build(main, { room }) {
  const title = h('h1', {}, t('learn_game', { game: room.title }));
  main.append(title);
  if (room.missing) {
    main.append(h('p', { class: 'empty' }, room.missing));
    return null;
  }
  /** @type {Guide} */
  let guide;
  try {
    guide = await fetchJson(`/api/guide/${room.name}`);
  } catch (error) {
    main.append(h('p', { class: 'empty' }, error instanceof Error ? error.message : String(error)));
    return null;
  }
  /** @type {(() => void)[]} */
  const leaving = [];
  main.append(h('p', { class: 'goal' }, guide.goal));
  if (guide.lessons.length) leaving.push(lessons(main, room, guide.lessons));
  const rules = h(
    'section',
    { class: 'rules', 'aria-labelledby': 'rules-title' },
    h('h2', { id: 'rules-title' }, t('learn_rules')),
  );
  main.append(rules);
  for (const rule of guide.rules) rules.append(ruleCard(rule, leaving));
  if (guide.cards.length) main.append(cards(guide.cards));
  main.append(
    h(
      'p',
      { class: 'actions' },
      h('a', { class: 'button strong', href: `/play/${room.name}` }, t('learn_play')),
      h('a', { class: 'button', href: `/watch/${room.name}` }, t('learn_watch')),
    ),
  );
  return () => leaving.forEach((leave) => leave());
}

/**
 * The lessons one after the other; a finished one is ticked and the next one is offered.
 * @param {HTMLElement} main
 * @param {Room} room
 * @param {LessonText[]} list
 */
function lessons(main, room, list) {
  const place = h('div', { class: 'lesson' });
  const tabs = list.map((lesson, index) =>
    button(`${index + 1}. ${lesson.title}`, { kind: 'small', onclick: () => show(index) }),
  );
  main.append(
    h(
      'section',
      { class: 'lessons', 'aria-labelledby': 'lessons-title' },
      h('h2', { id: 'lessons-title' }, t('learn_lessons')),
      h('div', { class: 'row lesson-tabs' }, tabs),
      place,
    ),
  );
  /** @type {Lesson | null} */
  let current = null;
  /**
   * @param {number} index
   * @param {boolean} [focus]
   */
  function show(index, focus = true) {
    current?.leave();
    tabs.forEach((tab, other) => {
      tab.classList.toggle('chosen', other === index);
      tab.setAttribute('aria-current', other === index ? 'step' : 'false');
    });
    current = new Lesson(place, room, list[index], {
      done: () => tabs[index].classList.add('finished'),
      next: index + 1 < list.length ? () => show(index + 1) : null,
    });
    if (focus) current.focus();
    say(`${t('learn_lesson', { n: index + 1 })}${t('colon')}${list[index].text}`);
  }
  show(0, false);
  window.gridsage = {
    get lesson() {
      return current;
    },
  };
  return () => current?.leave();
}

/**
 * @param {Guide['rules'][number]} rule
 * @param {(() => void)[]} leaving
 */
function ruleCard(rule, leaving) {
  const words = h('div', {}, h('h3', {}, rule.title), h('p', {}, rule.text));
  if (!rule.picture) return h('article', { class: 'rule' }, words);
  const view = new View();
  leaving.push(picture(view, rule.picture, t('learn_picture', { title: rule.title })));
  return h('article', { class: 'rule pictured' }, h('div', { class: 'rule-picture' }, view.stage), words);
}

/** @param {Card[]} list */
function cards(list) {
  return h(
    'section',
    { class: 'deck', 'aria-labelledby': 'cards-title' },
    h('h2', { id: 'cards-title' }, t('learn_cards')),
    h(
      'ul',
      { class: 'deck-cards' },
      list.map((card) =>
        h(
          'li',
          { class: `playing-card card-${card.name}` },
          h('span', { class: 'sign', 'aria-hidden': 'true' }, card.sign),
          h('h3', {}, card.title),
          h('p', {}, card.text),
        ),
      ),
    ),
  );
}

/**
 * A small board that plays its few steps again and again, or stands still where motion is not wanted.
 * @param {View} view
 * @param {Film} given
 * @param {string} label
 */
function picture(view, { hello, frames }, label) {
  view.board.most = 34;
  view.board.boxed = true;
  view.canvas.tabIndex = -1;
  view.hear(hello);
  frames.forEach((frame) => view.recording.add(frame));
  const step = hello.rate ? 1000 / hello.rate : STEP_MS;
  const rest = Math.max(REST, Math.round(REST_MS / step));
  let at = 0;
  const show = () => {
    view.show(Math.min(at, frames.length - 1), step);
    view.canvas.setAttribute('aria-label', label);
  };
  requestAnimationFrame(show);
  if (frames.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches) return () => view.destroy();
  const clock = setInterval(() => {
    at = (at + 1) % (frames.length + rest);
    if (at < frames.length) show();
  }, step);
  return () => {
    clearInterval(clock);
    view.destroy();
  };
}

// One lesson: a small game with a task, praise when it is done, and help when it is not.
class Lesson {
  /**
   * @param {HTMLElement} place
   * @param {Room} room
   * @param {LessonText} lesson
   * @param {{ done: () => void, next: (() => void) | null }} given
   */
  constructor(place, room, lesson, { done, next }) {
    this.room = room;
    this.lesson = lesson;
    this.done = done;
    this.next = next;
    this.finished = false;
    this.clock = 0;
    this.verdict = h('p', { class: 'lesson-verdict', role: 'status', hidden: true });
    this.nextButton = button(t('learn_next'), {
      icon: 'forward',
      label: true,
      kind: 'strong',
      hidden: true,
      onclick: () => this.next?.(),
    });
    this.playLink = h('a', { class: 'button strong', href: `/play/${room.name}`, hidden: true }, t('learn_play'));
    const tools = h(
      'div',
      { class: 'row' },
      this.nextButton,
      this.playLink,
      button(t('learn_again'), { icon: 'restart', label: true, kind: 'small', onclick: () => this.begin() }),
      button(t('learn_show'), { icon: 'bulb', label: true, kind: 'small', onclick: () => this.demonstrate() }),
    );
    this.task = h('p', { class: 'task' }, lesson.text);
    this.board = h('div', { class: 'lesson-board' });
    if (lesson.size) this.board.style.setProperty('--ratio', lesson.size.join(' / ')); // its place stays free
    place.replaceChildren(this.task, this.board, this.verdict, tools);
    const seats = Number(lesson.options[room.seats_option ?? ''] ?? room.seats);
    const people = ['human', ...Array(Math.max(0, seats - 1)).fill('random')];
    const settings = {
      game: room.name,
      text: lesson.level,
      seed: lesson.seed,
      options: lesson.options,
      agents: people,
      nodes: 1,
    };
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

  /**
   * The lesson is done when its event is seen or its game is won; a game that ends otherwise is lost.
   * @param {Message} message
   */
  hear(message) {
    if (this.finished) return;
    const { until } = this.lesson;
    if (message.m === 'frame' && until && (message.ev ?? []).some(([kind]) => kind === until)) this.praise();
    else if (message.m === 'turn' && message.over) {
      if (!until && message.over.winner === 0) this.praise();
      else this.tell(t('learn_lost', { reason: reasonWords(message.over.reason) }), 'bad');
    }
  }

  praise() {
    this.finished = true;
    this.done();
    this.nextButton.hidden = !this.next;
    this.playLink.hidden = Boolean(this.next);
    this.tell(this.next ? this.lesson.done : `${this.lesson.done} ${t('learn_finished')}`, 'good');
  }

  /**
   * @param {string} text
   * @param {string} kind
   */
  tell(text, kind) {
    this.verdict.textContent = text;
    this.verdict.className = `lesson-verdict ${kind}`;
    this.verdict.hidden = false;
    say(text);
  }

  // Milliseconds between two moves of a lesson that is shown: a game that goes on by itself has a pace of its own.
  stepMs() {
    const { real_time } = this.room;
    const rate = real_time?.speeds[Math.floor(real_time.speeds.length / 2)] ?? 0;
    return rate ? 1000 / rate : Math.min(SHOW_MS, WHOLE_MS / this.lesson.actions.length);
  }

  // Play the way that the guide knows, move by move.
  demonstrate() {
    this.begin();
    const { actions } = this.lesson;
    let at = 0;
    this.clock = window.setInterval(() => {
      if (at >= actions.length) clearInterval(this.clock);
      else if (this.game.actLabel(actions[at])) at += 1;
    }, this.stepMs());
  }
}
