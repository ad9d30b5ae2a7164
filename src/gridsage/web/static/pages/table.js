// A table for people at several devices: who sits there, the game, and a connection that comes back when it is lost.
import { button, copyLink, h, notice, reasonWords, say, t, toggle } from '../dom.js';
import { Seats, keepToken, tokenOf } from '../play/seats.js';
import { Game } from './play.js';

const FIRST_RETRY_MS = 400;
const LONGEST_RETRY_MS = 8000;
const NOT_ADMITTED = 4003; // the server's word: trying again is of no use

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { room, id }) {
  const page = new TablePage(main, room, id);
  window.gridsage = page;
  return () => page.leave();
}

class TablePage {
  board = h('div', { class: 'table-board', hidden: true });
  news = h('p', { class: 'table-news', role: 'status' });
  verdict = h('p', { class: 'verdict', hidden: true });
  retry = FIRST_RETRY_MS;
  later = 0;
  fresh = true; // what was told before is the past: shown at once, not played
  refused = false;
  away = false; // the connection is lost
  /** @type {TableNews | null} */
  table = null;
  asked = { invitation: '', name: '' };

  leaveButton = button(t('leave_table'), { icon: 'stop', label: true, kind: 'small', onclick: () => this.giveUp() });
  againButton = button(t('rematch'), {
    icon: 'restart',
    label: true,
    kind: 'strong',
    onclick: () => this.game.send({ m: 'rematch' }),
  });
  keepButton = button(t('keep'), {
    icon: 'keep',
    label: true,
    kind: 'small',
    onclick: () => this.game.send({ m: 'keep' }),
  });

  /**
   * @param {HTMLElement} main
   * @param {Room} room
   * @param {string} id
   */
  constructor(main, room, id) {
    this.id = id;
    this.seats = new Seats(id, (invitation, name) => this.sit(invitation, name));
    const watch = button(t('copy_watch_link'), {
      icon: 'link',
      label: true,
      kind: 'small',
      onclick: () => copyLink(this.seats.invitation('').replace(/#$/, '')),
    });
    this.list = toggle(t('show_listed'), false, (on) => this.game.send({ m: 'show', on: true, listed: on }));
    main.append(
      h(
        'div',
        { class: 'table-head' },
        h('h1', { class: 'small' }, t('table_title', { game: room.title })),
        this.news,
        this.verdict,
      ),
      this.board,
      h(
        'aside',
        { class: 'table-side', 'aria-label': t('choices') },
        this.seats.element,
        h('div', { class: 'row' }, this.againButton, this.leaveButton, this.keepButton, watch),
        this.list,
        this.isLocal ? h('p', { class: 'note' }, t('only_this_machine')) : null,
      ),
    );
    const settings = () => [/** @type {Setting} */ (/** @type {unknown} */ (this.opening()))];
    this.game = new Game(this.board, room, {
      setup: { settings, query: () => '', tell() {}, next: () => null },
    });
    this.game.start();
    this.game.view.listeners.push((message) => this.hear(message));
    this.game.view.lost = (reason, code) => this.lost(reason, code);
    this.show();
  }

  get isLocal() {
    return ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  }

  opening() {
    const token = this.asked.invitation ? '' : tokenOf(this.id);
    return { m: 'join', table: this.id, token, ...this.asked };
  }

  leave() {
    clearTimeout(this.later);
    this.seats.leave();
    this.game.leave();
  }

  // Connect again; everything is told anew, and what has happened meanwhile is there.
  open() {
    this.fresh = true;
    this.game.view.open(this.opening());
  }

  /**
   * @param {string} invitation
   * @param {string} name
   */
  sit(invitation, name) {
    this.asked = { invitation, name };
    this.open();
  }

  giveUp() {
    if (window.confirm(t('leave_sure'))) this.game.send({ m: 'leave' });
  }

  /** @param {Message} message */
  hear(message) {
    if (message.m === 'seats') {
      this.table = message;
      this.away = false;
      this.retry = FIRST_RETRY_MS;
      if (message.you !== null) {
        keepToken(this.id, message.token);
        this.asked = { invitation: '', name: '' }; // used up: from now on the token proves it
        if (location.hash) history.replaceState(null, '', location.pathname);
      }
      this.seats.show(message);
      this.show();
    } else if (message.m === 'hello') this.board.hidden = false;
    else if (message.m === 'turn') {
      this.seats.hear(message);
      if (this.fresh) {
        this.fresh = false;
        this.game.transport.pause();
        this.game.transport.set(message.t);
      }
      this.show();
    }
  }

  /**
   * @param {string} reason
   * @param {number} code
   */
  lost(reason, code) {
    this.away = true;
    if (this.game.turn) this.game.turn = { ...this.game.turn, legal: [] }; // nothing that is done now would arrive
    this.game.showTurn();
    if (code === NOT_ADMITTED) {
      notice(reason);
      if (!this.asked.invitation && !tokenOf(this.id)) {
        this.refused = true;
        this.show();
        return;
      }
      // A spectator is always welcome.
      this.asked = { invitation: '', name: '' };
      localStorage.removeItem(`gridsage-seat-${this.id}`);
    }
    this.show();
    this.later = window.setTimeout(() => this.open(), this.retry);
    this.retry = Math.min(LONGEST_RETRY_MS, this.retry * 2);
  }

  // How it stands, in a sentence, and what can be done now.
  show() {
    const { table } = this;
    const seated = table !== null && table.you !== null;
    const over = this.game.turn?.over ?? null;
    this.leaveButton.hidden = !seated || table.state !== 'playing';
    this.againButton.hidden = !seated || table.state !== 'over';
    this.keepButton.hidden = !seated || table.state === 'waiting';
    this.list.hidden = !table?.owner;
    /** @type {HTMLInputElement} */ (this.list.querySelector('input')).checked = Boolean(table?.listed);
    this.news.textContent = this.words();
    this.news.dataset.state = this.away ? 'away' : (table?.state ?? 'away');
    this.verdict.hidden = !over;
    if (over && this.verdict.textContent !== this.endWords(over)) {
      this.verdict.textContent = this.endWords(over);
      say(this.verdict.textContent);
    }
  }

  words() {
    const { table } = this;
    if (this.refused) return t('table_gone');
    if (this.away) return t('connecting_again');
    if (!table) return t('starting');
    if (table.state === 'waiting') return t(table.owner ? 'table_invite' : 'table_waiting');
    if (table.state === 'over') return t('game_over');
    return t(table.you === null ? 'you_watch' : 'you_sit', { n: (table.you ?? 0) + 1 });
  }

  /** @param {Outcome} over */
  endWords(over) {
    const { table } = this;
    const name = over.winner === null ? '' : (table?.chairs[over.winner]?.name ?? '');
    const won = over.winner === null ? t('ending_draw') : t('winner', { name });
    return t('table_end', { reason: reasonWords(over.reason), won });
  }
}
