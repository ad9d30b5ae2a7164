// Seats at a table for people at several devices: setting one up, the token that proves whose seat it is, clocks.
import { button, copyLink, fetchJson, fill, h, notice, t, watchingWords } from '../dom.js';

const NAME_KEY = 'gridsage-name';
const TICK_MS = 250;

/**
 * The token of one's own seat, kept in this browser so that a reload comes back to it.
 * @param {string} id
 */
export function tokenOf(id) {
  return localStorage.getItem(`gridsage-seat-${id}`) ?? '';
}
/**
 * @param {string} id
 * @param {string} token
 */
export function keepToken(id, token) {
  if (token) localStorage.setItem(`gridsage-seat-${id}`, token);
}

/** What one is called at tables; asked once. */
export function ownName() {
  return localStorage.getItem(NAME_KEY) ?? '';
}
/** @param {string} name */
export function keepName(name) {
  localStorage.setItem(NAME_KEY, name);
}

/**
 * Have a table set up and go to it.
 * @param {Setting} setting
 * @param {number} time minutes that a person has for all moves; 0: as much as they want
 */
export async function setUpTable(setting, time) {
  try {
    const made = await fetchJson('/api/tables', {
      method: 'POST',
      body: JSON.stringify({ m: 'invite', ...setting, name: ownName(), minutes: time }),
    });
    keepToken(made.id, made.token);
    sessionStorage.setItem(`gridsage-address-${made.id}`, made.address); // with what lets others in
    location.href = `/table/${made.id}`;
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error));
  }
}

// Who sits where, who is there, how much time they have, and how to bring somebody to an empty chair.
export class Seats {
  /**
   * @param {string} id
   * @param {(invitation: string, name: string) => void} sit
   */
  constructor(id, sit) {
    this.id = id;
    this.sit = sit;
    this.list = h('ol', { class: 'chairs' });
    this.watching = h('p', { class: 'note' });
    this.name = h('input', { type: 'text', maxlength: '24', value: ownName(), autocomplete: 'nickname' });
    this.entry = h(
      'form',
      { class: 'pair', hidden: true, onsubmit: (event) => this.enter(event) },
      h('label', { class: 'field' }, h('span', {}, t('your_name')), this.name),
      h('button', { type: 'submit', class: 'button strong' }, t('sit_down')),
    );
    this.element = h(
      'section',
      { class: 'panel seats-panel', 'aria-label': t('seats_at_table') },
      h('h2', {}, t('seats_at_table')),
      this.list,
      this.entry,
      this.watching,
    );
    /** @type {Turn | null} */
    this.turn = null;
    this.heardAt = 0;
    /** @type {TableNews | null} */
    this.news = null;
    this.timer = window.setInterval(() => this.showClocks(), TICK_MS);
  }

  leave() {
    clearInterval(this.timer);
  }

  /** @param {SubmitEvent} event */
  enter(event) {
    event.preventDefault();
    keepName(this.name.value.trim());
    this.sit(location.hash.slice(1), this.name.value.trim());
  }

  /** @param {TableNews} news */
  show(news) {
    this.news = news;
    const invited = location.hash.length > 1 && news.you === null && news.chairs.some((chair) => !chair.taken);
    this.entry.hidden = !invited;
    this.watching.textContent = watchingWords(news.watching);
    fill(
      this.list,
      news.chairs.map((chair, seat) => this.chair(chair, seat)),
    );
    this.showClocks();
  }

  /**
   * @param {TableNews['chairs'][number]} chair
   * @param {number} seat
   */
  chair(chair, seat) {
    const here = !chair.person
      ? 'chair_agent'
      : !chair.taken
        ? 'chair_free'
        : chair.there
          ? 'chair_here'
          : 'chair_away';
    const own = this.news?.you === seat ? ` (${t('you')})` : '';
    return h(
      'li',
      { class: `chair ${here}`, 'data-seat': String(seat) },
      h(
        'span',
        { class: 'chair-name' },
        `${seat + 1}${t('colon')}${chair.taken ? chair.name : t('chair_empty')}${own}`,
      ),
      h('span', { class: 'note' }, t(here)),
      h('span', { class: 'chair-clock' }),
      chair.again ? h('span', { class: 'note' }, t('wants_rematch')) : null,
      chair.invitation
        ? button(t('copy_invitation'), {
            icon: 'link',
            label: true,
            kind: 'small',
            onclick: () => copyLink(this.invitation(chair.invitation ?? '')),
          })
        : null,
    );
  }

  /**
   * The address that leads to a chair. What stands after # is sent to nobody but the one who opens it.
   * @param {string} invitation
   */
  invitation(invitation) {
    const address = sessionStorage.getItem(`gridsage-address-${this.id}`) ?? `/table/${this.id}`;
    return `${address}#${invitation}`;
  }

  /** @param {Turn} turn */
  hear(turn) {
    this.turn = turn;
    this.heardAt = performance.now();
    this.showClocks();
  }

  showClocks() {
    const { turn } = this;
    for (const item of this.list.querySelectorAll('li')) {
      const seat = Number(item.dataset.seat);
      const told = turn?.clocks?.[seat];
      const spent = turn?.running === seat && !turn.over ? performance.now() - this.heardAt : 0;
      const place = /** @type {HTMLElement} */ (item.querySelector('.chair-clock'));
      place.textContent = told === null || told === undefined ? '' : minutes(Math.max(0, told - spent));
      item.classList.toggle('running', turn?.running === seat && !turn.over);
    }
  }
}

/** @param {number} ms */
export function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
