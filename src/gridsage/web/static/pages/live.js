// A game or a bench that somebody else has on their screen: the same one, with its past, as it goes on.
import { Transport, View } from '../player.js';
import { Bench } from '../bench.js';
import { Line } from '../recording.js';
import { copyLink, h, button, t, toggle } from '../dom.js';

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { id }) {
  const page = new Live(main, id);
  window.gridsage = page;
  return () => page.leave();
}

class Live {
  view = new View();
  following = true; // the newest moment is shown, whatever comes
  over = false;
  title = h('h1', { class: 'small' }, t('live_title'));
  news = h('p', { class: 'note live-news', role: 'status' }, t('live_on'));

  /**
   * @param {HTMLElement} main
   * @param {string} id
   */
  constructor(main, id) {
    this.transport = new Transport([this.view], {
      autoplay: false,
      onmove: (pos) => this.moved(pos),
    });
    this.follow = toggle(t('live_follow'), true, (on) => {
      this.following = on;
      if (on) this.catchUp();
    });
    this.bench = new Bench({ grown() {} });
    this.left = h('div', { class: 'left' }, this.title, this.news);
    this.right = h('aside', { class: 'right', 'aria-label': t('state') });
    main.append(this.left, this.right);
    this.line = new Line(
      { m: 'join', table: id },
      (message) => this.hear(message),
      (reason) => this.lost(reason),
    );
    const copy = () => copyLink(location.pathname);
    this.right.append(
      h(
        'div',
        { class: 'row' },
        this.follow,
        button(t('copy_watch_link'), { icon: 'link', label: true, kind: 'small', onclick: copy }),
      ),
    );
  }

  leave() {
    this.line.leave();
    this.transport.destroy();
  }

  /** @param {Message} message */
  hear(message) {
    if (message.m === 'plan' || message.m === 'played' || message.m === 'table') this.hearBench(message);
    else {
      if (message.m === 'hello') this.greet(message);
      this.view.hear(message);
      if (message.m === 'turn' && message.over) this.view.hear({ m: 'end', ...message.over });
      if (message.m === 'frame' && this.following) this.catchUp();
    }
  }

  /** @param {Hello} hello */
  greet(hello) {
    this.title.textContent = t('live_of', { game: hello.title });
    if (this.view.stage.isConnected) return;
    this.left.append(h('div', { class: 'stages' }, this.view.stage), this.transport.controls);
    this.right.append(this.view.panel, this.transport.overlays);
    this.view.board.resize();
  }

  /** @param {Message} message */
  hearBench(message) {
    const { bench } = this;
    if (!bench.words.isConnected || bench.form.contains(bench.words)) {
      this.left.append(bench.progress, bench.words, bench.table);
      bench.progress.hidden = false;
      this.title.textContent = t('live_bench');
      this.follow.hidden = true;
    }
    if (message.m === 'table') {
      bench.showTable(message.lines);
      if (message.final) this.end(t('bench_done', { n: message.total }));
    } else bench.hear(message);
  }

  // The newest moment, without ending the wish to see the next ones.
  catchUp() {
    this.transport.pos = Math.max(0, this.view.recording.length - 1);
    this.transport.stale = true;
  }

  /** @param {number} pos */
  moved(pos) {
    const newest = pos >= this.view.recording.length - 1;
    if (newest === this.following) return;
    this.following = newest;
    const input = /** @type {HTMLInputElement} */ (this.follow.querySelector('input'));
    input.checked = newest;
  }

  /** @param {string} reason */
  lost(reason) {
    if (!this.over) this.end(reason || t('live_over'));
  }

  /** @param {string} words */
  end(words) {
    this.over = true;
    this.news.textContent = words;
    this.view.setBadge('');
  }
}
