// A game as frames: key frames and differences, kept whole in the browser, so that any moment is found without asking.

export class Recording {
  constructor() {
    this.clear();
  }

  clear() {
    this.frames = [];
    this.tiles = [];
    this.hello = null;
    this.end = null;
    this.cache = { t: -1 };
    this.curves = new Map();
    this.varied = new Set(); // names of curves that are not flat
    this.spent = []; // nodes and milliseconds up to each step
    this.events = [];
  }

  greet(hello) {
    this.clear();
    this.hello = hello;
    this.tiles = [...hello.tiles];
  }

  get length() {
    return this.frames.length;
  }

  // A frame that is not the next one cuts the recording off there (a move was taken back).
  add(frame) {
    if (frame.n) this.tiles.push(...frame.n);
    if (frame.t < this.frames.length) this.cut(frame.t);
    const before = this.frames[frame.t - 1];
    frame.w ??= before?.w ?? this.hello.w;
    frame.h ??= before?.h ?? this.hello.h;
    frame.g ??= before?.g ?? this.hello.edges;
    this.frames[frame.t] = frame;
    const { t, s, o, ev } = frame;
    for (const [name, words] of Object.entries(s ?? {})) this.note(name, t, parseFloat(words));
    if (o) for (const name of ['nodes', 'ms']) this.note(`${name}*`, t, o[name]);
    // Each side estimates in its own way: two curves, both from the first player's side, and no proved win flattens them.
    if (o?.score !== undefined && frame.by === undefined) this.note('score*', t, o.score);
    else if (o?.score !== undefined) this.note(frame.by === 0 ? 'first*' : 'second*', t, Math.tanh((frame.by === 0 ? o.score : -o.score) / 4));
    this.spent[t] = { nodes: (this.spent[t - 1]?.nodes ?? 0) + (o?.nodes ?? 0), ms: (this.spent[t - 1]?.ms ?? 0) + (o?.ms ?? 0) };
    for (const [kind, cell, to, who] of ev ?? []) this.events.push({ t, kind, cell, to, who });
  }

  cut(length) {
    this.frames.length = length;
    for (const values of this.curves.values()) values.length = Math.min(values.length, length);
    this.events = this.events.filter((event) => event.t < length);
    if (this.cache.t >= length) this.cache = { t: -1 };
    this.end = null;
  }

  // Every number that changes over the game can be drawn as a curve: name -> values by step.
  note(name, t, value) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return;
    if (!this.curves.has(name)) this.curves.set(name, []);
    const values = this.curves.get(name);
    values[t] = value;
    if (!this.varied.has(name) && values.find((other) => other !== undefined) !== value) this.varied.add(name);
  }

  // The whole position after `t` steps.
  at(t) {
    const frame = this.frames[t];
    let from = t;
    while (from > 0 && !this.frames[from].k && this.cache.t !== from - 1) from--;
    const cells = this.frames[from].k ? Uint16Array.from(this.frames[from].k) : Uint16Array.from(this.cache.cells);
    if (this.frames[from].k) from++;
    for (let i = from; i <= t; i++) {
      const changes = this.frames[i].d ?? [];
      for (let j = 0; j < changes.length; j += 2) cells[changes[j]] = changes[j + 1];
    }
    this.cache = { t, cells };
    return { cells, things: frame.e, edges: frame.g, thoughts: frame.o, focus: frame.f, cursor: !frame.ask, w: frame.w, h: frame.h };
  }
}
