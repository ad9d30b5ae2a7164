// Watch agents play: choose, then move through the game as through a film. Two agents can play side by side.
import { Transport, View } from '../player.js';
import { button, fill, h, notice, say, t } from '../dom.js';
import { Setup } from '../setup.js';

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { room }) {
  if (room.missing) {
    main.append(h('h1', {}, room.title), h('p', { class: 'empty' }, room.missing));
    return null;
  }
  const stages = h('div', { class: 'stages' });
  const controls = h('div', {});
  const below = h('div', { class: 'stages two below' });
  const panels = h('div', { class: 'panels' });
  const extras = h('div', { class: 'row' });
  const quick = h('div', { class: 'row quick' });
  /** @type {Transport | null} */
  let transport = null;
  let moment = Number(new URLSearchParams(location.search).get('t')) || 0; // a link may lead to one
  const setup = new Setup(room, { onstart: start });
  main.append(
    h(
      'div',
      { class: 'left' },
      h('h1', { class: 'small' }, t('watch_title', { game: room.title })),
      stages,
      controls,
      quick,
      below,
    ),
    h('aside', { class: 'right', 'aria-label': t('choices') }, setup.element, panels),
  );

  function start() {
    transport?.destroy();
    const settings = setup.settings();
    setup.tell();
    history.replaceState(null, '', `${location.pathname}?${setup.query()}`);
    const views = settings.map(() => new View({ room: settings.length > 1 ? null : room }));
    transport = new Transport(views, { start: moment });
    moment = 0;
    stages.replaceChildren(...views.map((view) => view.stage));
    stages.classList.toggle('two', views.length > 1);
    for (const view of views) view.board.resize();
    controls.replaceChildren(transport.controls);
    // Two games are read side by side too: their words stand below their boards.
    below.replaceChildren(...(views.length > 1 ? views.map((view) => view.panel) : []));
    panels.replaceChildren(extras, ...(views.length > 1 ? [] : views.map((view) => view.panel)), transport.overlays);
    const keep = button(t('keep'), {
      icon: 'keep',
      label: true,
      disabled: true,
      onclick: () => views.forEach((view) => view.line?.send({ m: 'keep' })),
    });
    extras.replaceChildren(keep);
    views.forEach((view, i) => {
      view.listeners.push((message) => {
        if (message.m === 'end' && views.every((other) => other.recording.end)) keep.disabled = false;
        if (message.m === 'kept') {
          keep.disabled = true;
          notice(
            views.length > 1 ? t('kept_of', { name: view.recording.hello?.players?.join(', ') }) : t('kept'),
            'good',
          ).append(h('a', { href: `/replay/${message.id}` }, t('open_replay')));
        }
        if (message.m === 'hello')
          say(t('watching', { game: room.title, level: message.level, players: message.players?.join(', ') }));
      });
      view.open({ m: 'watch', ...settings[i] });
    });
    showQuick();
    window.gridsage = { transport, views };
  }

  // One click to something else to watch.
  function showQuick() {
    const next = setup.next();
    /** @param {() => void} change */
    const go = (change) => () => {
      change();
      start();
    };
    fill(
      quick,
      next ? button(t('next_level'), { icon: 'forward', label: true, kind: 'small', onclick: go(next) }) : null,
      button(t('next_seed'), { icon: 'plus', label: true, kind: 'small', onclick: go(() => setup.nextSeed()) }),
      room.agents.length > 1
        ? button(t('another_agent'), {
            icon: 'robot',
            label: true,
            kind: 'small',
            onclick: go(() => setup.nextAgent()),
          })
        : null,
      h('a', { class: 'button small', href: `/play/${room.name}?${setup.query()}` }, t('play_level')),
      room.guide
        ? h('a', { class: 'button small', href: `/learn/${room.name}` }, t('learn_game', { game: room.title }))
        : null,
    );
  }
  start();
  return () => transport?.destroy();
}
