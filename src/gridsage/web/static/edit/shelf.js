// Where levels come from and go to: one's own, files, links, the clipboard.
import { button, choice, fetchJson, field, h, notice, t } from '../dom.js';

const LONGEST_LINK = 30_000; // characters that servers and chats still take
export const OWN = 'own/';
export const DRAWN = '*'; // in the list of levels: none of them, but what is drawn here

/** @param {string} name */
export const goodName = (name) =>
  name
    .replaceAll(/[^A-Za-z0-9 _-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60) || 'level';

export class Shelf {
  /**
   * text(): the level as it is; chosen(): another one was chosen in the list; opened(text): one came from a file;
   * kept(level): it is among one's own now; offered(words, action, act): something may be done with what was opened.
   * @param {Room} room
   * @param {ShelfTold} given
   */
  constructor(room, { text, chosen, opened, kept, leaving, offered }) {
    this.room = room;
    this.text = text;
    this.opened = opened;
    this.kept = kept;
    this.leaving = leaving;
    this.offered = offered;
    this.level = h('select', { onchange: () => chosen() });
    this.name = h('input', {
      type: 'text',
      maxlength: '60',
      pattern: '[A-Za-z0-9][A-Za-z0-9 _\\-]*',
      placeholder: t('level_name_hint'),
    });
    this.ownTools = h(
      'div',
      { class: 'row', hidden: true },
      button(t('rename'), { kind: 'small', onclick: () => this.rename() }),
      button(t('delete'), { kind: 'small', onclick: () => this.drop() }),
    );
    /** @type {HTMLInputElement} */
    this.file = h('input', {
      type: 'file',
      class: 'only-heard',
      tabindex: '-1',
      id: 'level-file',
      'aria-label': t('import_level'),
      onchange: () => this.read(this.file.files?.[0]),
    });
    this.format = choice(
      [['text', t('format_text')], ...room.write.filter((name) => name !== 'text').map((name) => [name, name])],
      'text',
    );
    this.several = h('div', { class: 'several', hidden: true });
    this.panel = this.buildPanel();
    this.fill(new URLSearchParams(location.search).get('level') ?? room.levels[0] ?? '');
  }

  buildPanel() {
    return h(
      'section',
      { class: 'panel setup' },
      h(
        'div',
        { class: 'pair' },
        field(t('level_name'), this.name),
        button(t('save'), { label: true, icon: 'keep', onclick: () => this.save() }),
      ),
      h(
        'div',
        { class: 'pair' },
        field(t('format'), this.format),
        button(t('download'), { label: true, icon: 'down', onclick: () => this.write() }),
      ),
      h(
        'div',
        { class: 'row' },
        this.room.read
          ? button(t('import_level'), { label: true, icon: 'up', kind: 'small', onclick: () => this.file.click() })
          : null,
        button(t('level_link'), { label: true, icon: 'link', kind: 'small', onclick: () => this.copyLink() }),
      ),
      this.file,
      this.several,
    );
  }

  get first() {
    return this.room.levels[0] ?? '';
  }

  /**
   * List every level, with `chosen` as the one that is open.
   * @param {string} [chosen]
   */
  fill(chosen = this.level.value) {
    const { room } = this;
    /** @type {Choices} */
    const groups = [];
    if (chosen === DRAWN) groups.push([DRAWN, t('level_drawn_here')]);
    if (room.seeds) groups.push(['', t('level_of_seed')]);
    if (room.levels.length) groups.push({ group: t('levels_shipped'), values: room.levels });
    for (const book of room.books) groups.push({ group: book.title, values: book.levels });
    if (room.own.length)
      groups.push({ group: t('levels_own'), values: room.own.map((name) => [name, name.slice(OWN.length)]) });
    this.level.replaceChildren(...choice(groups, chosen).children);
    this.level.value = chosen;
    this.showOwn();
  }

  showOwn() {
    const mine = this.level.value.startsWith(OWN);
    this.ownTools.hidden = !mine;
    if (mine) this.name.value = this.level.value.slice(OWN.length);
  }

  // Links

  /**
   * @param {string} page
   * @param {string} [text]
   * @param {string} [room]
   */
  link(page, text = this.text(), room = this.room.name) {
    const address = `${location.origin}/${page}/${room}?${new URLSearchParams({ text })}`;
    if (address.length <= LONGEST_LINK) return address;
    notice(t('too_long'));
    return '';
  }

  /** @param {string} page */
  visit(page) {
    const address = this.link(page);
    if (!address) return;
    this.leaving();
    location.href = `${address}&from=edit`;
  }

  copyLink() {
    const address = this.link('edit');
    if (address) this.copy(address, t('copied'));
  }

  /**
   * @param {string} words
   * @param {string} told
   */
  async copy(words, told) {
    try {
      await navigator.clipboard.writeText(words);
      notice(told, 'good');
    } catch {
      const shown = h('textarea', { rows: '2', readonly: true, 'aria-label': told });
      shown.value = words;
      notice(t('copy_by_hand')).append(shown);
      shown.select();
    }
  }

  // One's own levels

  /**
   * @param {string} path
   * @param {string} [body]
   */
  async ask(path, body = '') {
    try {
      const answer = await fetchJson(`/api/levels/${this.room.name}/${path}`, { method: 'POST', body });
      if (answer.own) this.room.own = answer.own;
      return answer;
    } catch (error) {
      notice(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  askedName() {
    const name = this.name.value.trim();
    if (name && this.name.reportValidity()) return name;
    notice(t('level_name_missing'));
    this.name.focus();
    return '';
  }

  /** @param {boolean} [replace] */
  async save(replace = false) {
    const name = this.askedName();
    if (!name) return;
    const mine = this.level.value === OWN + name;
    const answer = await this.ask(
      `keep/${encodeURIComponent(name)}${replace || mine ? '?replace=true' : ''}`,
      this.text(),
    );
    if (!answer) return;
    if (answer.taken) {
      const line = notice(t('level_taken', { name }));
      line.append(
        button(t('replace'), {
          kind: 'small',
          onclick: () => {
            line.remove();
            this.save(true);
          },
        }),
      );
      return;
    }
    this.fill(answer.level);
    this.kept(answer.level);
    notice(t('level_kept'), 'good').append(
      h('a', { href: `/play/${this.room.name}?level=${encodeURIComponent(answer.level)}` }, t('play_it')),
    );
  }

  async rename() {
    const name = this.askedName();
    const old = this.level.value.slice(OWN.length);
    if (!name || name === old) return;
    const answer = await this.ask(`rename/${encodeURIComponent(old)}/${encodeURIComponent(name)}`);
    if (!answer) return;
    this.fill(answer.level);
    notice(t('level_renamed', { name }), 'good');
  }

  async drop() {
    const name = this.level.value.slice(OWN.length);
    const answer = await this.ask(`drop/${encodeURIComponent(name)}`);
    if (!answer) return;
    this.leaving(); // what is drawn stays as a draft
    this.fill(DRAWN);
    const line = notice(t('level_dropped', { name }), 'good');
    line.append(
      button(t('edit_undo'), {
        kind: 'small',
        onclick: async () => {
          line.remove();
          const kept = await this.ask(`keep/${encodeURIComponent(name)}`, answer.text);
          if (kept) this.fill(kept.level);
        },
      }),
    );
  }

  // Files

  async write() {
    const format = this.format.value;
    const data =
      format === 'text' ? { text: this.text() } : await this.ask(`write/${encodeURIComponent(format)}`, this.text());
    if (!data) return;
    const link = h('a', {
      href: URL.createObjectURL(new Blob([data.text], { type: 'text/plain' })),
      download: `${this.name.value.trim() || this.room.name}.${format === 'text' ? 'txt' : format}`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /** @param {DragEvent} event */
  dragged(event) {
    if (!event.dataTransfer?.types.includes('Files') || !this.room.read) return;
    event.preventDefault();
    if (event.type === 'drop') this.read(event.dataTransfer.files[0]);
  }

  /** @param {File | undefined} chosen */
  async read(chosen) {
    if (!chosen) return;
    this.several.hidden = true;
    this.several.replaceChildren();
    try {
      const { levels, home } = await this.readFile(chosen, this.room.name);
      if (levels.length === 1) this.open(levels[0]);
      else this.offer(levels, chosen.name);
      if (home)
        this.offered(
          t('made_elsewhere', { name: chosen.name, title: home.title, here: this.room.title }),
          t('open_there'),
          () => this.openThere(chosen, home.name),
        );
    } catch (error) {
      notice(error instanceof Error ? error.message : String(error));
    } finally {
      this.file.value = '';
    }
  }

  /**
   * @param {File} file
   * @param {string} room
   * @returns {Promise<{ levels: ReadLevel[], home: Pick<Room, 'name' | 'title'> | null }>}
   */
  readFile(file, room) {
    return fetchJson(`/api/levels/${room}/read`, {
      method: 'POST',
      body: file,
      headers: { 'x-file-name': encodeURIComponent(file.name) },
    });
  }

  /**
   * Open a file, or the level of it that is chosen, in the room whose rules it is made for.
   * @param {File} file
   * @param {string} room
   */
  async openThere(file, room) {
    const chosen = this.several.querySelector('select');
    try {
      const { levels } = await this.readFile(file, room);
      const address = this.link('edit', levels[Number(chosen?.value ?? 0)].text, room);
      if (!address) return;
      this.leaving();
      location.href = address;
    } catch (error) {
      notice(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {ReadLevel} level */
  open(level) {
    this.name.value = goodName(level.name);
    this.opened(level.text);
    notice(t('level_read', { name: level.name }), 'good');
    level.warnings.slice(0, 3).forEach((warning) => notice(warning));
  }

  /**
   * A file with many levels: open one of them, or keep all.
   * @param {ReadLevel[]} levels
   * @param {string} file
   */
  offer(levels, file) {
    const list = choice(
      levels.map((level, i) => [i, level.name]),
      0,
    );
    const open = () => this.open(levels[Number(list.value)]);
    this.several.replaceChildren(
      field(t('levels_in', { name: file, n: levels.length }), list),
      h(
        'div',
        { class: 'row' },
        button(t('open'), { kind: 'small', onclick: open }),
        button(t('keep_all'), { kind: 'small', onclick: () => this.keepAll(levels) }),
      ),
    );
    this.several.hidden = false;
    list.focus();
  }

  /** @param {ReadLevel[]} levels */
  async keepAll(levels) {
    let kept = 0;
    for (const level of levels)
      if ((await this.ask(`keep/${encodeURIComponent(goodName(level.name))}`, level.text))?.level) kept += 1;
    this.fill();
    notice(t(kept === levels.length ? 'kept_all' : 'kept_some', { kept, n: levels.length }), kept ? 'good' : 'error');
  }
}
