// As much of a browser as the modules under test touch: elements without layout, a pen that notes what it is told.

export class FakeElement {
  constructor(tag = 'div') {
    this.tagName = tag;
    this.children = [];
    this.attributes = {};
    this.dataset = {};
    this.style = { setProperty() {} };
    this.classList = { toggle() {}, contains: () => false, add() {} };
    this.listeners = {};
    this.clientWidth = this.clientHeight = 0;
    this.offsetHeight = 0;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  // Good enough for the words of a button.
  querySelector() {
    return this.children.at(-1) ?? new FakeElement('span');
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  addEventListener(name, listener) {
    (this.listeners[name] ??= []).push(listener);
  }

  // Tell the listeners of an event; one that stops it keeps it from those after it.
  fire(name, event = {}) {
    let stopped = false;
    const told = { ...event, stopImmediatePropagation: () => (stopped = true) };
    for (const listener of this.listeners[name] ?? []) if (!stopped) listener(told);
  }
}

globalThis.Node = FakeElement;
globalThis.document = { createElement: (tag) => new FakeElement(tag), documentElement: new FakeElement('html') };
const kept = new Map();
globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, String(value)),
};
