// A game as frames, kept whole in the browser, so that any moment is found without asking; and the line they come by.
import { said } from './dom.js';

const VERBATIM = new Set(['hello', 'position', 'made']); // messages whose text is a level

export class Recording {
  constructor() {
    /** @type {FrameMessage[]} */
    this.frames = [];
    /** @type {string[]} */
    this.tiles = [];
    /** @type {Hello | null} */
    this.hello = null;
    /** @type {End | null} */
    this.end = null;
    this.cache = { t: -1, cells: new Uint16Array(0) }; // the last position that was asked for
    /** @type {Map<string, number[]>} */
    this.curves = new Map();
    /** @type {Set<string>} */
    this.varied = new Set(); // names of curves that are not flat
    /** @type {{ nodes: number, ms: number }[]} */
    this.spent = []; // up to each step
    /** @type {GameEvent[]} */
    this.events = [];
    /** @type {Set<string>} */
    this.told = new Set(); // kinds of thoughts that somebody has told: only these can be shown
  }

  clear() {
    Object.assign(this, new Recording());
  }

  /** @param {Hello} hello */
  greet(hello) {
    this.clear();
    this.hello = hello;
    this.tiles = [...hello.tiles];
  }

  get length() {
    return this.frames.length;
  }

  /**
   * A frame that is not the next one cuts the recording off there (a move was taken back).
   * @param {FrameMessage} frame
   */
  add(frame) {
    if (frame.t > this.frames.length) this.bridge(frame.t);
    if (frame.n) this.tiles.push(...frame.n);
    if (frame.t < this.frames.length) this.cut(frame.t);
    const before = this.frames[frame.t - 1];
    frame.w ??= before?.w ?? this.hello?.w;
    frame.h ??= before?.h ?? this.hello?.h;
    frame.g ??= before?.g ?? this.hello?.edges;
    this.frames[frame.t] = frame;
    const { t, s, o, ev } = frame;
    this.hearThoughts(o);
    for (const [name, words] of Object.entries(s ?? {})) this.note(name, t, parseFloat(words));
    if (o) this.note('nodes*', t, o.nodes);
    if (o) this.note('ms*', t, o.ms);
    // Each side estimates in its own way: two curves, both from the first player's side, and no proved win flattens them.
    if (o?.score !== undefined && frame.by === undefined) this.note('score*', t, o.score);
    else if (o?.score !== undefined)
      this.note(frame.by === 0 ? 'first*' : 'second*', t, Math.tanh((frame.by === 0 ? o.score : -o.score) / 4));
    this.spent[t] = {
      nodes: (this.spent[t - 1]?.nodes ?? 0) + (o?.nodes ?? 0),
      ms: (this.spent[t - 1]?.ms ?? 0) + (o?.ms ?? 0),
    };
    for (const [kind, cell, to, who] of ev ?? []) this.events.push({ t, kind, cell, to, who });
  }

  /**
   * Whoever watches over a slow line is not shown every frame: the board stood still for them meanwhile.
   * @param {number} length
   */
  bridge(length) {
    const { e = [], f, s, x, w, h, g } = this.frames.at(-1) ?? {};
    const cells = this.frames.length ? undefined : Array((this.hello?.w ?? 0) * (this.hello?.h ?? 0)).fill(0);
    for (let t = this.frames.length; t < length; t++)
      this.add({ m: 'frame', t, e, f, s, x, w, h, g, ...(t === 0 && cells ? { k: cells } : { d: [] }) });
  }

  /**
   * Remember which kinds of thoughts there are.
   * @param {Thoughts | undefined} thoughts
   */
  hearThoughts(thoughts) {
    for (const kind of Object.keys(thoughts ?? {})) this.told.add(kind);
  }

  /** @param {number} length */
  cut(length) {
    this.frames.length = length;
    for (const values of this.curves.values()) values.length = Math.min(values.length, length);
    this.events = this.events.filter((event) => event.t < length);
    if (this.cache.t >= length) this.cache.t = -1;
    this.end = null;
  }

  /**
   * Every number that changes over the game can be drawn as a curve: name -> values by step.
   * @param {string} name
   * @param {number} t
   * @param {number | undefined} value
   */
  note(name, t, value) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return;
    const values = this.curves.get(name) ?? [];
    this.curves.set(name, values);
    values[t] = value;
    if (!this.varied.has(name) && values.find((other) => other !== undefined) !== value) this.varied.add(name);
  }

  /**
   * The whole position after `t` steps.
   * @param {number} t
   */
  at(t) {
    const frame = this.frames[t];
    let from = t;
    while (from > 0 && !this.frames[from].k && this.cache.t !== from - 1) from--;
    const cells = Uint16Array.from(this.frames[from].k ?? this.cache.cells);
    if (this.frames[from].k) from++;
    for (let i = from; i <= t; i++) {
      const changes = this.frames[i].d ?? [];
      for (let j = 0; j < changes.length; j += 2) cells[changes[j]] = changes[j + 1];
    }
    this.cache = { t, cells };
    return {
      cells,
      things: frame.e,
      edges: frame.g,
      thoughts: frame.o,
      focus: frame.f,
      cursor: !frame.ask,
      w: frame.w,
      h: frame.h,
    };
  }
}

/**
 * A message whose sentences are in the language of the page; labels and names, which the server knows games by, stay.
 * @param {any} message
 */
export function inOurWords(message) {
  if (message.m !== 'frame' && typeof message.text === 'string' && !VERBATIM.has(message.m)) {
    message.plain = message.text; // tells where in a level an error is
    message.text = said(message.text);
  }
  if (message.m === 'hello' && message.title) message.title = said(message.title);
  if (message.m === 'hint') message.steps = message.steps.map(said);
  if (message.m === 'progress') message.words = said(message.words);
  if (message.mismatch) message.mismatch = said(message.mismatch);
  if (message.doubts) {
    message.plain = message.doubts.join('; ');
    message.doubts = message.doubts.map(said);
  }
  return message;
}

// One board, one WebSocket: JSON messages both ways, and an answer for whoever listens.
export class Line {
  /**
   * @param {{ m: string, [more: string]: unknown }} opening
   * @param {(message: any) => void} heard
   * @param {(reason: string, code: number) => void} lost
   */
  constructor(opening, heard, lost) {
    this.acked = 0;
    this.socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
    this.socket.onopen = () => this.send(opening);
    this.socket.onmessage = (event) => {
      const told = JSON.parse(event.data);
      for (const message of Array.isArray(told) ? told : [told]) heard(inOurWords(message));
    };
    this.socket.onclose = (event) => {
      if (!this.left) lost(said(event.reason), event.code);
    };
  }

  /** @param {{ m: string, [more: string]: unknown }} message */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * Tell the server what has arrived, not for every frame; it never is more than 60 ahead.
   * @param {number} t
   * @param {boolean} [now]
   */
  ack(t, now = false) {
    if (now || t - this.acked >= 15) {
      this.acked = t;
      this.send({ m: 'ack', t });
    }
  }

  leave() {
    this.left = true;
    this.socket.close();
  }
}
