// Rounds with claims: who says how many moves, and the sand that runs. Shown where a room has such moves.
import { button, choice, field, h, notice, said, t } from '../dom.js';

const PATIENCE = [10, 20, 30, 60, 120, 0]; // seconds until the agents are asked; 0: not before a person has spoken

export class Claims {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.amount = h('input', { type: 'number', min: '1', max: '200', value: '5', step: '1' });
    this.sand = h('div', { class: 'sand', hidden: true });
    this.players = h('div', { class: 'row' });
    this.pass = button(t('pass'), { label: true, onclick: () => this.want({ kind: 'time' }) });
    this.patience = choice(
      PATIENCE.map((n) => [n, n ? t('patience_value', { n }) : t('patience_never')]),
      Number(localStorage.getItem('gridsage-patience') ?? 30),
      (value) => {
        localStorage.setItem('gridsage-patience', value);
        this.phase = '';
        this.show(this.game.turn);
      },
    );
    this.patienceField = field(t('patience'), this.patience);
    this.news = h('p', { class: 'note' });
    this.element = h(
      'div',
      { class: 'claims', hidden: true },
      this.news,
      this.sand,
      h('div', { class: 'pair' }, field(t('claim_moves'), this.amount)),
      this.players,
      this.pass,
      this.patienceField,
    );
    this.amount.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.players.querySelector('button')?.click();
    });
    /** @type {Wish | null} */
    this.wish = null;
    this.phase = '';
    this.clock = 0;
  }

  stop() {
    clearInterval(this.clock);
    this.clock = 0;
    this.sand.hidden = true;
    this.wish = null;
  }

  /** @param {Turn | null} turn */
  show(turn) {
    const labels = (turn?.legal ?? []).map(([, label]) => label);
    const { bidding } = this.game;
    const open = labels.some((label) => this.game.isBid(label));
    this.element.hidden = !open;
    if (!open || !bidding) {
      if (!bidding?.standing) {
        this.stop();
        this.phase = '';
      }
      return;
    }
    const { players = [] } = this.game.view.recording.hello ?? {};
    this.news.textContent = bidding.words.map(said).join(' · ');
    const away = turn?.left !== undefined; // the glass stands on the server, and everybody has a screen of their own
    const people = away ? [turn?.seat ?? 0] : players.flatMap((name, seat) => (name === 'human' ? [seat] : []));
    this.players.replaceChildren(
      ...people.map((seat) =>
        button(people.length > 1 ? t('claim_of', { n: seat + 1 }) : t('claim'), {
          label: true,
          kind: 'strong',
          onclick: () => this.want({ kind: 'claim', seat, moves: Number(this.amount.value) }),
        }),
      ),
    );
    const agents = !away && people.length < players.length;
    this.patienceField.hidden = !agents || bidding.standing;
    this.pass.disabled = away && !labels.includes(bidding.wait);
    if (bidding.phase !== this.phase) {
      this.phase = bidding.phase;
      this.stop();
      if (away) this.turnGlass((turn?.left ?? 0) / 1000, 'sand', null, bidding.seconds);
      else if (bidding.seconds) this.turnGlass(bidding.seconds, 'sand', { kind: 'time' });
      else if (agents && Number(this.patience.value))
        this.turnGlass(Number(this.patience.value), 'agents_speak', { kind: 'ask' });
    }
    this.follow(labels);
  }

  /**
   * @param {number} seconds
   * @param {string} words
   * @param {Wish | null} wish what happens at the end; nothing where the server decides
   * @param {number} [whole] seconds of a full glass
   */
  turnGlass(seconds, words, wish, whole = seconds) {
    const ends = performance.now() + seconds * 1000;
    if (!whole) return;
    this.sand.hidden = false;
    const tell = () => {
      const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
      this.sand.textContent = t(words, { n: left });
      this.sand.style.setProperty('--left', String(left / whole));
      if (left === 0) {
        this.stop();
        if (wish) this.want(wish);
      }
    };
    tell();
    this.clock = window.setInterval(tell, 250);
  }

  /** @param {Wish} wish */
  want(wish) {
    this.wish = wish;
    this.follow((this.game.turn?.legal ?? []).map(([, label]) => label));
  }

  /**
   * Seats are asked in turn: those that have nothing to say wait, until the wish can be said.
   * @param {string[]} labels
   */
  follow(labels) {
    const { game, wish } = this;
    const { bidding } = game;
    if (!wish || !game.mine || !bidding) return;
    const wait = () => {
      if (labels.includes(bidding.wait)) game.actLabel(bidding.wait);
      else this.wish = null;
    };
    if (wish.kind === 'claim' && game.turn?.seat === wish.seat) {
      this.wish = null;
      if (!game.actLabel(`${bidding.call} ${wish.moves}`)) notice(t('claim_refused', { n: wish.moves }));
    } else if (wish.kind === 'time' && labels.includes(bidding.end)) {
      this.wish = null;
      game.actLabel(bidding.end);
    } else if (wish.kind === 'ask') {
      // Every agent is asked once: the people before them wait, and no more when it is a person's turn again after all.
      const people = (game.view.recording.hello?.players ?? []).filter((name) => name === 'human').length;
      wish.waits = (wish.waits ?? 0) + 1;
      if (wish.waits >= people) this.wish = null;
      wait();
    } else wait();
  }
}
