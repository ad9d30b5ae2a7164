// Play: a person's moves by keys, clicks and touch; agents at the other seats, advice, take-backs, take-overs.
import { h } from '../dom.js';
import { Game } from '../play/game.js';

export function build(main, { room }) {
  if (room.missing) {
    main.append(h('h1', {}, room.title), h('p', { class: 'empty' }, room.missing));
    return null;
  }
  const game = new Game(main, room);
  game.start();
  window.gridsage = game;
  return () => game.leave();
}
