// What each seat holds, as cards; those that can be played now are buttons.
import { picture } from '../board.js';
import { h, t } from '../dom.js';

export class Hands {
  constructor(game) {
    this.game = game;
    this.element = h('div', { class: 'hands', hidden: true });
  }

  get hands() {
    return this.game.view?.recording.frames.at(-1)?.hd ?? [];
  }

  // Every card somebody holds: these need no other button.
  labels() {
    return new Set(this.hands.flat());
  }

  show() {
    const { hands, game } = this;
    this.element.hidden = hands.length === 0;
    if (!hands.length) return;
    const legal = new Map(game.legal().map(({ label, action }) => [label, action]));
    const { meanings } = game.room;
    const sides = game.view.recording.hello?.sides ?? [];
    this.element.replaceChildren(...hands.map((hand, seat) => {
      const now = game.turn?.seat === seat && !game.turn.over;
      const cards = hand.map((label, i) => {
        const usable = now && legal.has(label);
        const played = now && game.begun.includes(label);
        return h('button', { type: 'button', class: `card-button ${played ? 'played' : ''}`, disabled: !usable, 'aria-pressed': played ? 'true' : undefined, title: meanings[label], onclick: () => game.act(legal.get(label)) }, h('span', {}, label), usable ? h('kbd', { 'aria-hidden': 'true' }, String(i + 1)) : null);
      });
      return h('div', { class: `hand ${now ? 'now' : ''}`, role: 'group', 'aria-label': t('hand_of', { n: seat + 1 }) },
        h('span', { class: 'note row owner' }, sides[seat] ? picture(sides[seat], game.room.name) : null, this.owner(seat)), h('div', { class: 'row' }, cards.length ? cards : h('span', { class: 'note' }, t('hand_empty'))));
    }));
    const known = [...new Set(hands.flat())].filter((label) => meanings[label]);
    if (known.length) this.element.append(h('details', { class: 'meanings', open: this.explained, ontoggle: (event) => { this.explained = event.target.open; } }, h('summary', {}, t('cards_explained')), h('dl', {}, known.flatMap((label) => [h('dt', {}, label), h('dd', {}, meanings[label])]))));
  }

  owner(seat) {
    const name = this.game.view.recording.hello?.players?.[seat] ?? '';
    const people = this.game.view.recording.hello?.players.filter((other) => other === 'human').length;
    return t('hand_title', { n: seat + 1, name: name === 'human' ? t(people > 1 ? 'human' : 'you') : name });
  }

  // The card at place `i` of the hand whose turn it is.
  play(i) {
    const label = this.hands[this.game.turn?.seat]?.[i];
    return label !== undefined && this.game.actLabel(label);
  }
}
