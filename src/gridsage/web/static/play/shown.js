// Let others watch what this tab plays: a switch, an address, and whether everybody may find it.
import { button, copyLink, h, notice, t, toggle } from '../dom.js';

export class Shown {
  /** @param {(message: { m: string, [more: string]: unknown }) => void} send */
  constructor(send) {
    this.send = send;
    this.address = '';
    this.listed = false;
    this.list = toggle(t('show_listed'), false, (on) => {
      this.listed = on;
      if (this.address) this.send({ m: 'show', on: true, listed: on });
    });
    this.list.hidden = true;
    this.element = h(
      'div',
      { class: 'row shown' },
      button(t('show_others'), { icon: 'link', label: true, kind: 'small', onclick: () => this.show() }),
      this.list,
    );
  }

  show() {
    if (this.address) void copyLink(this.address);
    else this.send({ m: 'show', on: true, listed: this.listed });
  }

  // Another game begins: it is not the one that was shown.
  clear() {
    this.address = '';
    this.list.hidden = true;
  }

  /** @param {Message} message */
  hear(message) {
    if (message.m !== 'shown') return;
    const first = !this.address;
    this.address = message.address;
    this.list.hidden = false;
    if (first) {
      void copyLink(this.address);
      notice(t('shown_note'), 'good');
    }
  }
}
