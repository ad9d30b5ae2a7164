// Watch agents play: choose, then move through the game as through a film. Two agents can play side by side.
import { Transport, View } from '../player.js';
import { button, fill, h, notice, say, t, toggle } from '../dom.js';
import { Setup } from '../setup.js';
import { furthest, keepMet } from '../play/contests.js';
import { Shown } from '../play/shown.js';

const DEMO_MS = 3000; // between two levels that are shown one after the other

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { room }) {
  if (room.missing) {
    main.append(h('h1', {}, room.title), h('p', { class: 'empty' }, room.missing));
    return null;
  }
  const page = new Watch(main, room);
  page.start();
  return () => page.leave();
}

class Watch {
  stages = h('div', { class: 'stages' });
  controls = h('div', {});
  below = h('div', { class: 'stages two below' });
  panels = h('div', { class: 'panels' });
  extras = h('div', { class: 'row' });
  quick = h('div', { class: 'row quick' });
  /** @type {Transport | null} */
  transport = null;
  demo = new URLSearchParams(location.search).has('demo');
  waiting = 0;
  moment = Number(new URLSearchParams(location.search).get('t')) || 0; // a link may lead to one

  /**
   * @param {HTMLElement} main
   * @param {Room} room
   */
  constructor(main, room) {
    this.room = room;
    this.setup = new Setup(room, { onstart: () => this.start() });
    main.append(
      h(
        'div',
        { class: 'left' },
        h('h1', { class: 'small' }, t('watch_title', { game: room.title })),
        this.stages,
        this.controls,
        this.quick,
        this.below,
      ),
      h('aside', { class: 'right', 'aria-label': t('choices') }, this.setup.element, this.panels),
    );
  }

  leave() {
    clearTimeout(this.waiting);
    this.transport?.destroy();
  }

  start() {
    clearTimeout(this.waiting);
    this.transport?.destroy();
    const settings = this.setup.settings();
    this.setup.tell();
    this.setAddress();
    const several = settings.length > 1;
    const views = settings.map(() => new View({ room: several ? null : this.room }));
    const transport = new Transport(views, { start: this.moment });
    this.transport = transport;
    this.moment = 0;
    this.stages.replaceChildren(...views.map((view) => view.stage));
    this.stages.classList.toggle('two', several);
    for (const view of views) view.board.resize();
    this.controls.replaceChildren(transport.controls);
    // Two games are read side by side too: their words stand below their boards.
    const words = views.map((view) => view.panel);
    fill(this.below, several ? words : []);
    fill(this.panels, this.extras, several ? [] : words, transport.overlays);
    this.offerToKeep(views);
    transport.onrest = () => this.goOn();
    views.forEach((view, i) => view.open({ m: 'watch', ...settings[i] }));
    this.showQuick();
    window.gridsage = { transport, views };
  }

  /** @param {View[]} views */
  offerToKeep(views) {
    const keep = button(t('keep'), {
      icon: 'keep',
      label: true,
      disabled: true,
      onclick: () => views.forEach((view) => view.line?.send({ m: 'keep' })),
    });
    const shown = views.map((view) => new Shown((message) => view.line?.send(message)));
    this.extras.replaceChildren(keep, ...shown.map((one) => one.element));
    views.forEach((view, i) => view.listeners.push((message) => shown[i].hear(message)));
    for (const view of views)
      view.listeners.push((message) => {
        if (message.m === 'end' && views.every((other) => other.recording.end)) keep.disabled = false;
        if (message.m === 'end') this.noteContest(view);
        if (message.m === 'kept') {
          keep.disabled = true;
          const names = view.recording.hello?.players?.join(', ');
          const words = views.length > 1 ? t('kept_of', { name: names }) : t('kept');
          notice(words, 'good').append(h('a', { href: `/replay/${message.id}` }, t('open_replay')));
        }
        if (message.m === 'hello')
          say(t('watching', { game: this.room.title, level: message.level, players: message.players?.join(', ') }));
      });
  }

  /**
   * In the game of the day it counts how far the best agent gets.
   * @param {View} view
   */
  noteContest({ recording }) {
    const { contest, name: game, default_agent: best, seats } = this.room;
    const name = recording.hello?.players?.[0];
    if (contest && this.setup.contest && seats === 1 && name === best)
      keepMet(game, this.setup.contest.date, { name, other: furthest(recording, contest.name) });
  }

  setAddress() {
    history.replaceState(null, '', `${location.pathname}?${this.setup.query()}${this.demo ? '&demo=' : ''}`);
  }

  // As a demonstration it goes on by itself: level after level, and round again.
  goOn() {
    if (!this.demo) return;
    this.waiting = window.setTimeout(() => {
      const next = this.setup.next();
      if (next) next();
      else this.setup.choose(this.room.levels[0] ?? '');
      this.start();
    }, DEMO_MS);
  }

  // One click to something else to watch.
  showQuick() {
    const { room, setup } = this;
    const next = setup.next();
    /**
     * @param {string} words
     * @param {string} icon
     * @param {() => void} change
     */
    const go = (words, icon, change) => {
      const onclick = () => {
        change();
        this.start();
      };
      return button(t(words), { icon, label: true, kind: 'small', onclick });
    };
    fill(
      this.quick,
      next ? go('next_level', 'forward', next) : null,
      go('next_seed', 'plus', () => setup.nextSeed()),
      room.agents.length > 1 ? go('another_agent', 'robot', () => setup.nextAgent()) : null,
      h('a', { class: 'button small', href: `/play/${room.name}?${setup.query()}` }, t('play_level')),
      toggle(t('demo'), this.demo, (on) => {
        this.demo = on;
        this.setAddress();
        clearTimeout(this.waiting);
        if (on && this.transport?.rests) this.goOn();
      }),
      room.guide
        ? h('a', { class: 'button small', href: `/learn/${room.name}` }, t('learn_game', { game: room.title }))
        : null,
    );
  }
}
