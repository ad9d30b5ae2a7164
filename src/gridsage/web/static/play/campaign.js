// A campaign: the levels of a pack in order, with lives, points and best times; the browser keeps how far one is.
import { button, choice, field, fill, h, number, t } from '../dom.js';

const LIVES = 5;
const LEVEL_POINTS = 1000;
const LIFE_POINTS = 100; // for each life that is left when a level is won
const OWN = 'own';
const SHIPPED = 'shipped';

/** @returns {Progress} */
export const fresh = () => ({ at: 0, lives: LIVES, points: 0 });

/**
 * Where one is after a game of `progress.at`, the level of that number among `levels`.
 * @param {Progress} progress
 * @param {boolean} won
 */
export function after({ at, lives, points }, won) {
  if (!won) return { at, lives: lives - 1, points };
  return { at: at + 1, lives, points: points + LEVEL_POINTS + LIFE_POINTS * lives };
}

/**
 * The better of two wins of a level: fewer moves, and of equal ones the quicker.
 * @param {Best | undefined} old
 * @param {Best} now
 */
export function better(old, now) {
  if (!old || now.steps < old.steps) return now;
  return now.steps === old.steps && now.ms < old.ms ? now : old;
}

/** What the browser keeps of a game's campaigns and best times. */
class Kept {
  /** @param {string} game */
  constructor(game) {
    this.key = `gridsage-campaign-${game}`;
    /** @type {{ packs: Record<string, Progress>, best: Record<string, Best> }} */
    this.data = { packs: {}, best: {} };
    try {
      Object.assign(this.data, JSON.parse(localStorage.getItem(this.key) ?? '{}'));
    } catch {
      // Somebody else's words under our name: begin anew.
    }
  }

  keep() {
    localStorage.setItem(this.key, JSON.stringify(this.data));
  }
}

export class Campaign {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.kept = new Kept(game.room.name);
    this.pack = ''; // empty: no campaign is played
    this.began = 0;
    /** @type {Outcome | null} */
    this.counted = null; // the end that was counted last
    const { levels, books, own } = game.room;
    this.packs = /** @type {[string, string][]} */ ([]);
    if (levels.length > 1) this.packs.push([SHIPPED, t('levels_shipped')]);
    for (const { name, title } of books) this.packs.push([name, title]);
    if (own.length > 1) this.packs.push([OWN, t('levels_own')]);
    this.choice = choice(this.packs, this.packs[0]?.[0]);
    this.content = h('div', { class: 'campaign-content' });
    this.element =
      game.room.seats === 1 && game.room.check && this.packs.length
        ? h('details', { class: 'panel campaign' }, h('summary', {}, t('campaign')), this.content)
        : null;
    this.show();
  }

  get on() {
    return this.pack !== '';
  }

  get levels() {
    const { books, levels, own } = this.game.room;
    if (this.pack === OWN) return own;
    return books.find(({ name }) => name === this.pack)?.levels ?? levels;
  }

  /** @returns {Progress} */
  get progress() {
    return this.kept.data.packs[this.pack] ?? fresh();
  }

  // The words of a link that leads back here.
  get query() {
    return this.on ? `&campaign=${this.pack}` : '';
  }

  /**
   * Go on where one was, or begin.
   * @param {string} pack
   */
  begin(pack) {
    if (!this.element || !this.packs.some(([name]) => name === pack)) return;
    this.pack = pack;
    const { at, lives } = this.progress;
    if (at >= this.levels.length || lives <= 0) this.set(fresh());
    if (this.element) this.element.open = true;
    this.enter();
  }

  leave() {
    this.pack = '';
    this.game.start();
  }

  /** @param {Progress} progress */
  set(progress) {
    this.kept.data.packs[this.pack] = progress;
    this.kept.keep();
  }

  // Set up the level at which one is.
  enter() {
    this.game.setup.choose?.(this.levels[Math.min(this.progress.at, this.levels.length - 1)]);
    this.game.start();
  }

  // After an end: the next level, the same one again, or everything from the beginning.
  next() {
    if (this.progress.lives <= 0 || this.progress.at >= this.levels.length) this.set(fresh());
    this.enter();
  }

  // A game begins.
  started() {
    this.began = performance.now();
    this.counted = null;
    this.show();
  }

  /**
   * A game is over; it counts once.
   * @param {Outcome} over
   */
  ended(over) {
    if (this.counted === over || this.game.fixed) return;
    this.counted = over;
    const won = over.winner === 0;
    const level = this.game.setup.settings()[0].level;
    if (won && level && !this.game.helped) {
      const now = { steps: this.game.view.recording.length - 1, ms: Math.round(performance.now() - this.began) };
      this.kept.data.best[level] = better(this.kept.data.best[level], now);
      this.kept.keep();
    }
    if (this.on) this.set(after(this.progress, won));
    this.show();
  }

  // How it stands, in a sentence.
  words() {
    const { at, lives, points } = this.progress;
    const values = { level: Math.min(at + 1, this.levels.length), n: this.levels.length, points: number(points) };
    if (lives <= 0) return t('campaign_lost', values);
    if (at >= this.levels.length) return t('campaign_won', values);
    return `${t('campaign_at', values)} ${t('campaign_lives', { n: lives })}`;
  }

  // The words of the button that goes on.
  nextWords() {
    const { at, lives } = this.progress;
    if (lives <= 0 || at >= this.levels.length) return t('campaign_again');
    return t(this.counted?.winner === 0 ? 'next_level' : 'campaign_retry');
  }

  show() {
    if (!this.element) return;
    if (!this.on) {
      fill(
        this.content,
        h('p', { class: 'note' }, t('campaign_text', { n: LIVES })),
        this.packs.length > 1 ? field(t('campaign_pack'), this.choice) : null,
        button(t('campaign_start'), {
          icon: 'play',
          label: true,
          kind: 'small',
          onclick: () => this.begin(this.choice.value),
        }),
      );
      return;
    }
    const { at, lives } = this.progress;
    fill(
      this.content,
      h('p', { class: 'campaign-words' }, this.words()),
      h('p', { class: 'lives', 'aria-hidden': 'true' }, '♥'.repeat(Math.max(0, lives))),
      h(
        'ol',
        { class: 'campaign-levels' },
        this.levels.map((name, i) => this.row(name, i, at)),
      ),
      button(t('campaign_leave'), { label: true, icon: 'stop', kind: 'small', onclick: () => this.leave() }),
    );
  }

  /**
   * @param {string} name
   * @param {number} i
   * @param {number} at
   */
  row(name, i, at) {
    const best = this.kept.data.best[name];
    const words = best ? t('campaign_best', { n: best.steps, seconds: number(Math.round(best.ms / 100) / 10) }) : '';
    return h(
      'li',
      { class: i < at ? 'done' : '', 'aria-current': i === at ? 'step' : undefined },
      h('span', {}, name.replace(/^own\//, '').replaceAll('_', ' ')),
      h('span', { class: 'note' }, words),
    );
  }
}
