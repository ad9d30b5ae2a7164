// Real time: a clock that makes a move at every beat, keys that are held or latch, and a gamepad.
import { choice, field, h, t, toggle } from '../dom.js';
import { KEY_NAMES } from './moves.js';

const PACES = [0, 2, 4, 6, 8, 12]; // moves per second, where a game says nothing about it
const FACTORS = [0.5, 1, 1.5]; // of a pace that the game itself sets
const OWN = 'own'; // the pace that every frame brings
const FIRE = 'Shift';
const PAUSE = 'p';
const TILT = 0.5; // of a stick that counts as a direction
const LATCH_KEY = 'gridsage-latch';

/**
 * The key that a gamepad's cross or stick stands for, or null.
 * @param {Pick<Gamepad, 'axes' | 'buttons'>} pad
 */
export function padDirection({ axes, buttons }) {
  const [up, down, left, right] = [12, 13, 14, 15].map((place) => Boolean(buttons[place]?.pressed));
  const [x, y] = [axes[0] ?? 0, axes[1] ?? 0];
  const across = Math.abs(x) >= Math.abs(y);
  if (left || (across && x < -TILT)) return 'ArrowLeft';
  if (right || (across && x > TILT)) return 'ArrowRight';
  if (up || (!across && y < -TILT)) return 'ArrowUp';
  if (down || (!across && y > TILT)) return 'ArrowDown';
  return null;
}

export class Clock {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.real = game.room.real_time;
    /** @type {string[]} */
    this.down = []; // labels of keys that are held, the last one counts
    /** @type {string | null} */
    this.wished = null; // pressed since the last beat: a short tap counts once
    /** @type {string | null} */
    this.latched = null; // the direction that counts until another one is pressed
    this.fire = false;
    this.waiting = false; // for the first key
    this.paused = false;
    this.timer = 0;
    this.due = 0;
    this.owed = false; // a beat came before the answer to the last one
    this.pace = choice(this.choices(), this.usual, (value) => this.set(value));
    this.latch = this.real
      ? toggle(t('latch'), this.latches, (on) => {
          localStorage.setItem(LATCH_KEY, on ? 'on' : 'off');
          this.latched = null;
        })
      : null;
    this.words = h('p', { class: 'note clock-words', role: 'status' });
    this.element = game.moves.idleLabel()
      ? h('div', { class: 'clock' }, field(t('pace'), this.pace), this.latch, this.words)
      : null;
    /** @param {Event} event */
    this.away = (event) => {
      this.down = [];
      this.fire = false;
      if (event.type === 'blur' || document.hidden) this.pause();
    };
  }

  // Nobody plays in a window that is not looked at.
  listen() {
    addEventListener('blur', this.away);
    document.addEventListener('visibilitychange', this.away);
  }

  leave() {
    clearTimeout(this.timer);
    this.timer = 0;
    removeEventListener('blur', this.away);
    document.removeEventListener('visibilitychange', this.away);
  }

  // As the keyboards of 1983 did it, unless somebody wants it otherwise.
  get latches() {
    const chosen = localStorage.getItem(LATCH_KEY);
    return Boolean(this.real && (chosen === null ? this.real.latch : chosen === 'on'));
  }

  get usual() {
    if (!this.real) return '0';
    return this.real.speeds.length ? String(this.real.speeds[Math.floor(this.real.speeds.length / 2)]) : OWN;
  }

  /** @returns {[value: string, words: string][]} */
  choices() {
    /** @param {number} n */
    const rate = (n) => /** @type {[string, string]} */ ([String(n), t('pace_value', { n })]);
    if (!this.real) return PACES.map((n) => (n ? rate(n) : ['0', t('pace_turns')]));
    const own = /** @type {[string, string][]} */ (
      FACTORS.map((part) => [part === 1 ? OWN : `${OWN}${part}`, t(part === 1 ? 'pace_own' : 'pace_part', { n: part })])
    );
    return [['0', t('pace_turns')], ...(this.real.speeds.length ? this.real.speeds.map(rate) : own)];
  }

  // Milliseconds until the next beat; 0: it is played turn by turn.
  get interval() {
    const { value } = this.pace;
    if (!value.startsWith(OWN)) return Number(value) ? 1000 / Number(value) : 0;
    return (this.game.newest?.ms ?? 0) / (Number(value.slice(OWN.length)) || 1);
  }

  get running() {
    return this.timer !== 0;
  }

  // A game begins: time starts with the first key where it is quick, at once where somebody chose a pace before.
  begin() {
    this.down = [];
    this.wished = this.latched = null;
    this.fire = this.owed = this.paused = false;
    this.set(this.pace.value);
  }

  /** @param {string} value */
  set(value) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.pace.value = value;
    this.paused = false;
    this.waiting = value !== '0' && Boolean(this.real);
    if (value !== '0' && !this.real) this.go();
    if (value !== '0') this.game.view.canvas.focus({ preventScroll: true });
    this.tell();
  }

  go() {
    if (this.running || !this.active) return;
    this.waiting = this.paused = false;
    this.due = performance.now();
    this.next();
    this.tell();
  }

  pause() {
    if (!this.running || !this.real) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.paused = true;
    this.game.history.show();
    this.tell();
  }

  tell() {
    const over = Boolean(this.game.turn?.over);
    this.words.textContent = over ? '' : this.waiting ? t('clock_waits') : this.paused ? t('clock_paused') : '';
    this.words.hidden = !this.words.textContent;
    this.game.transport.stepMs = this.running ? this.interval : null;
  }

  next() {
    const interval = this.interval || 1000 / PACES[2];
    this.due = Math.max(this.due + interval, performance.now());
    this.timer = window.setTimeout(() => this.beat(), this.due - performance.now());
  }

  beat() {
    if (this.game.turn?.over) {
      this.timer = 0;
      this.game.history.show();
      return;
    }
    if (this.game.mine) this.act();
    else this.owed = !this.game.taken;
    this.next();
  }

  // The answer to a move is here; a beat that came too early is made up for.
  turned() {
    if (this.game.turn?.over) this.tell();
    if (!this.owed || !this.game.mine || !this.running) return;
    this.owed = false;
    this.act();
  }

  act() {
    this.game.transport.stepMs = this.interval;
    const label = this.label();
    this.wished = null;
    if (!label || !this.game.actLabel(label)) this.game.actLabel(this.game.moves.idleLabel() ?? '');
  }

  // What is wanted now: by gamepad, by the keys that are down, or by the one that still counts.
  label() {
    const pad = this.pad();
    const label = this.wished ?? pad.label ?? this.down.at(-1) ?? (this.latches ? this.latched : null);
    return label && (this.fire || pad.fire) ? (this.real?.fire[label] ?? label) : label;
  }

  /**
   * What a key means in this room, or null.
   * @param {string} key
   */
  labelOf(key) {
    const { keys } = this.game.room;
    const name = (KEY_NAMES[key] ?? [key, key.toLowerCase()]).find((one) => keys[one]);
    return name === undefined ? null : keys[name];
  }

  /** @param {string} label */
  isDirection(label) {
    return ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].some((arrow) => this.labelOf(arrow) === label);
  }

  /** @returns {{ label: string | null, fire: boolean }} */
  pad() {
    const found = [...(globalThis.navigator?.getGamepads?.() ?? [])].find((one) => one?.connected);
    if (!found) return { label: null, fire: false };
    const pressed = found.buttons.slice(0, 4).findIndex((one) => one.pressed);
    const way = padDirection(found);
    const fires = Object.keys(this.real?.fire ?? {}).length > 0;
    const button = pressed >= 0 && !fires ? this.real?.buttons[pressed] : undefined;
    return { label: button ?? (way && this.labelOf(way)), fire: pressed >= 0 && fires };
  }

  // Whether moves are made by beats; then keys and buttons say what the next ones are.
  get active() {
    return this.pace.value !== '0';
  }

  /**
   * A key or a button goes down.
   * @param {string} label
   */
  hold(label) {
    this.down = [...this.down.filter((other) => other !== label), label];
    this.wished = label;
    this.latched = this.isDirection(label) ? label : null;
    this.go();
  }

  /** @param {string} label */
  drop(label) {
    this.down = this.down.filter((other) => other !== label);
  }

  /**
   * A key goes down; return true if the clock takes it.
   * @param {KeyboardEvent} event
   */
  press(event) {
    if (!this.active) return false;
    if (event.key === FIRE && this.real) {
      this.fire = true;
      return true;
    }
    if (event.key === PAUSE && this.real && !this.game.moves.knows(PAUSE)) {
      if (this.running) this.pause();
      else this.go();
      return true;
    }
    const label = this.labelOf(event.key);
    if (label === null) return false;
    if (!event.repeat) this.hold(label);
    return true;
  }

  /** @param {KeyboardEvent} event */
  release(event) {
    if (event.key === FIRE) this.fire = false;
    const label = this.labelOf(event.key);
    if (label !== null) this.drop(label);
  }
}
