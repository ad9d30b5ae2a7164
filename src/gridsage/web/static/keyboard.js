// A game played like a terminal, where every key means something: keys typed ahead are sent one by one, the page's own
// shortcuts stand back while the board has the focus, and for fingers and mice there are buttons.
import { h, placeOf, said, say, t } from './dom.js';

const FIRST_COMMANDS = 16; // named keys shown at once; the others, and keys without a name, are behind "more keys"
const MANY_KEYS = 40; // a room with more single keys than this is played like a terminal
/** @type {Record<string, string>} */
const CALLED = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'home',
  End: 'end',
  PageUp: 'pageup',
  PageDown: 'pagedown',
  Escape: 'escape',
  Enter: 'enter',
  Backspace: 'backspace',
};
const BROWSERS_OWN = new Set(['ctrl-r', 'ctrl-t', 'ctrl-n', 'ctrl-w']); // reload and tabs stay the browser's
const LINE_KEYS = new Set(['enter', 'escape', 'backspace']); // those that mean something in a line of text
const COMPASS = ['northwest', 'north', 'northeast', 'west', 'wait', 'east', 'southwest', 'south', 'southeast'];
/** @type {Record<string, string>} */
const ARROW_OF = {
  northwest: '↖',
  north: '↑',
  northeast: '↗',
  west: '←',
  east: '→',
  southwest: '↙',
  south: '↓',
  southeast: '↘',
  wait: '·',
};

/** @param {Room} room */
export function isTerminal(room) {
  return Object.keys(room.keys ?? {}).filter((key) => key.length === 1).length > MANY_KEYS;
}

export class Keyboard {
  /**
   * `act` plays an action. It is called with the next key typed each time the game is ready for one.
   * @param {Room} room
   * @param {(action: number) => void} act
   */
  constructor(room, act) {
    this.room = room;
    this.act = act;
    /** @type {string[]} */
    this.queue = [];
    /** @type {Map<string, number>} */
    this.actions = new Map();
    this.ready = false;
    this.kind = ''; // of the question that is open
    this.askedKey = '';
    this.note = h('p', { class: 'note' }, t('keys_to_game', { game: room.title }));
    this.asked = h('div', { class: 'asked', role: 'group', hidden: true });
    this.plain = h('div', { class: 'plain-keys' });
    this.box = h(
      'fieldset',
      { class: 'keyboard-box', 'aria-label': t('keyboard', { game: room.title }) },
      this.asked,
      this.plain,
    );
    this.element = h('div', { class: 'keyboard' }, this.note, this.box);
    /** @param {KeyboardEvent} event */
    this.keyed = (event) => this.key(event);
    document.addEventListener('keydown', this.keyed, true);
  }

  leave() {
    document.removeEventListener('keydown', this.keyed, true);
  }

  /**
   * Whose turn it is (as the server told it), and the picture: what the game asks comes first among the buttons.
   * @param {Turn | null} turn
   * @param {FrameMessage | undefined} frame
   */
  show(turn, frame) {
    this.ready = Boolean(turn?.legal.length) && !turn?.mover;
    this.box.disabled = !turn || Boolean(turn.mover) || Boolean(turn.over);
    if (this.box.disabled) {
      this.queue = [];
      this.ask(null); // it is not ours to answer
    }
    if (this.ready) {
      if (!this.actions.size) this.build(turn?.legal ?? []);
      this.ask(frame?.ask);
      if (document.activeElement === document.body) focusBoard();
      queueMicrotask(() => this.pump());
    }
    return this.element;
  }

  /** @param {...string} labels */
  type(...labels) {
    this.queue.push(...labels.filter((label) => this.actions.has(label)));
    this.pump();
  }

  pump() {
    if (!this.ready || !this.queue.length) return;
    this.ready = false; // one key a turn: the next goes when the game has answered
    const action = this.actions.get(this.queue.shift() ?? '');
    if (action !== undefined) this.act(action);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (
      this.box.disabled ||
      !this.actions.size ||
      event.metaKey ||
      event.isComposing ||
      document.querySelector('dialog[open]')
    )
      return;
    const place = placeOf(event);
    if (place.matches?.('input:not([type=checkbox]), select, textarea')) return;
    if (place.matches?.('button, a, summary, input') && [' ', 'Enter', '?'].includes(event.key)) return;
    const label = this.label(event);
    if (!label || !this.actions.has(label)) return;
    event.preventDefault();
    event.stopPropagation();
    this.type(label);
  }

  /** @param {KeyboardEvent} event */
  label(event) {
    const { keys } = this.room;
    const called = CALLED[event.key];
    if (event.ctrlKey || event.altKey) {
      const name = `${event.ctrlKey ? 'ctrl' : 'alt'}-${event.ctrlKey ? event.key.toLowerCase() : event.key}`;
      if (keys[name] && !BROWSERS_OWN.has(name)) return keys[name];
      return event.ctrlKey && event.altKey ? keys[event.key] : undefined; // AltGr writes characters
    }
    if (this.kind === 'text' && called && !LINE_KEYS.has(called)) return undefined;
    if (called) return (event.shiftKey && keys[`shift-${called}`]) || keys[called];
    return event.key.length === 1 ? keys[event.key] : undefined;
  }

  /** @param {LegalMove[]} legal */
  build(legal) {
    for (const [action, label] of legal) this.actions.set(label, action);
    const { keys } = this.room;
    const labels = [...new Set(Object.values(keys))].filter((label) => this.actions.has(label));
    const words = new Set(
      Object.entries(keys)
        .filter(([key]) => key.length > 2 && !key.includes('-'))
        .map(([, label]) => label),
    );
    const named = labels.filter((label) => !COMPASS.includes(label) && !/^(key |#)/.test(label) && !words.has(label));
    const common = labels.filter(
      (label) => !COMPASS.includes(label) && (words.has(label) || named.slice(0, FIRST_COMMANDS).includes(label)),
    );
    const rest = labels.filter((label) => !COMPASS.includes(label) && !common.includes(label));
    const pad = COMPASS.filter((label) => this.actions.has(label));
    this.plain.replaceChildren(
      pad.length === COMPASS.length
        ? h(
            'div',
            { class: 'compass', role: 'group', 'aria-label': t('directions') },
            pad.map((label) =>
              this.button(label, [h('span', { 'aria-hidden': 'true' }, ARROW_OF[label])], said(label)),
            ),
          )
        : '',
      h(
        'div',
        { class: 'commands', role: 'group', 'aria-label': t('commands') },
        common.map((label) => this.button(label, [said(label), this.cap(label)])),
      ),
      h(
        'details',
        { class: 'more-keys' },
        h('summary', {}, t('more_keys')),
        h(
          'div',
          { class: 'commands' },
          rest.map((label) => this.button(label, [said(label).replace(/^key /, '')], said(label))),
        ),
      ),
    );
  }

  /**
   * @param {string} label
   * @param {Child[]} content
   * @param {string} [spoken]
   */
  button(label, content, spoken) {
    return h(
      'button',
      { type: 'button', class: 'button small', 'aria-label': spoken, title: spoken, onclick: () => this.type(label) },
      content,
    );
  }

  /**
   * The key of a command, as written on a keyboard.
   * @param {string} label
   */
  cap(label) {
    const key = Object.entries(this.room.keys).find(
      ([name, known]) => known === label && (name.length === 1 || name.startsWith('ctrl-')),
    )?.[0];
    return key && key !== ' ' ? h('kbd', { 'aria-hidden': 'true' }, key.replace('ctrl-', '^')) : null;
  }

  /** @param {Question | null | undefined} question */
  ask(question) {
    const [kind, words, answers] = question ?? ['', '', []];
    this.kind = kind;
    const key = JSON.stringify(question ?? null);
    if (key === this.askedKey) return;
    this.askedKey = key;
    this.asked.hidden = !kind;
    if (!kind) {
      this.asked.replaceChildren();
      return;
    }
    const title = kind === 'menu' ? t('menu_open') : words;
    this.asked.setAttribute('aria-label', title);
    const wanted = answers.filter(
      ([typed]) => !(kind === 'way' && COMPASS.includes(this.room.keys[typed]) && this.room.keys[typed] !== 'wait'),
    );
    /** @param {[typed: string, meaning: string]} given */
    const face = ([typed, meaning]) => {
      const label = this.room.keys[typed];
      return label && this.actions.has(label)
        ? h(
            'button',
            { type: 'button', class: 'button small', onclick: () => this.type(label) },
            h('kbd', {}, typed),
            meaning ? h('span', {}, said(meaning)) : null,
          )
        : null;
    };
    /** @param {[typed: string, meaning: string]} given */
    const last = ([typed]) => typed.length > 1 || (kind === 'menu' && '<>'.includes(typed)); // always in sight below the others
    this.asked.replaceChildren(
      h('p', { class: 'question' }, title),
      kind === 'way' ? h('p', { class: 'note' }, t('choose_way')) : '',
      kind === 'text' ? this.line() : '',
      h('div', { class: 'answers' }, wanted.filter((answer) => !last(answer)).map(face)),
      h('div', { class: 'answers' }, wanted.filter(last).map(face)),
    );
    say(title);
  }

  // A line of text, for those who have no keyboard before them; with one, typing on the board does the same.
  line() {
    const input = h('input', {
      type: 'text',
      'aria-label': t('text_answer'),
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
    });
    /** @param {SubmitEvent} event */
    const send = (event) => {
      event.preventDefault();
      this.type(...[...input.value].map((character) => this.room.keys[character]), this.room.keys.enter);
      focusBoard();
    };
    return h(
      'form',
      { class: 'pair', onsubmit: send },
      input,
      h('button', { type: 'submit', class: 'button small' }, t('text_send')),
    );
  }
}

function focusBoard() {
  /** @type {HTMLElement | null} */ (document.querySelector('.stage canvas'))?.focus({ preventScroll: true });
}
