// Play: a person's moves by keys, clicks and touch; agents at the other seats, advice, take-backs, take-overs.
import { h, t } from '../dom.js';
import { Game } from '../play/game.js';

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { room }) {
  if (room.missing) {
    main.append(h('h1', {}, room.title), h('p', { class: 'empty' }, room.missing));
    return null;
  }
  const drawn = new URLSearchParams(location.search).get('from') === 'edit'; // its draft is still there
  const game = new Game(main, room);
  if (drawn)
    main
      .querySelector('h1')
      ?.after(h('p', { class: 'back-link' }, h('a', { href: `/edit/${room.name}` }, t('back_to_drawing'))));
  game.start();
  window.gridsage = game;
  return () => game.leave();
}
