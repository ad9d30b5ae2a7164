// Kept games: filter, sort, open, check by playing them again, bring in trace files.
import { Line } from '../recording.js';
import {
  button,
  choice,
  duration,
  fetchJson,
  field,
  h,
  notice,
  number,
  reasonWords,
  say,
  scoreWords,
  t,
} from '../dom.js';
import { short } from '../plots.js';

const ROWS = 100; // on one page
const FILTERS = ['game', 'agent', 'level', 'outcome', 'seeds', 'verdict'];
const FROM_COMPARE = ['agents', 'opponent', 'budget', 'rules']; // filters that links bring along
/** @type {[name: string, words: string, first: number][]} */
const COLUMNS = [
  ['game', 'game', 1],
  ['level', 'level', 1],
  ['seed', 'seed', 1],
  ['agents', 'agents', 1],
  ['outcome', 'outcome', 1],
  ['score', 'scores_head', -1],
  ['steps', 'steps_head', -1],
  ['seconds', 'column_seconds', -1],
  ['stored', 'stored', -1],
];
const VERDICTS = ['verified', 'differs', 'cannot be checked', 'unchecked'];
const MOST_FILES = 50;
/** @type {('dragover' | 'dragleave')[]} */
const DRAGS = ['dragover', 'dragleave'];

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export async function build(main, { rooms }) {
  const page = new Replays(main, rooms);
  await page.load();
  return () => page.leave();
}

class Replays {
  /**
   * @param {HTMLElement} main
   * @param {RoomCard[]} rooms
   */
  constructor(main, rooms) {
    this.rooms = rooms;
    this.asked = 0;
    this.bad = 0;
    /** @type {Set<string>} */
    this.warned = new Set();
    /** @type {Line | null} */
    this.line = null;
    this.state = new URLSearchParams(location.search);
    if (!this.state.has('seeds')) this.state.set('seeds', this.state.get('seed') ?? '');
    this.inputs = this.buildInputs();
    this.known = Object.fromEntries(
      ['agent', 'level', 'outcome'].map((name) => [name, h('datalist', { id: `known-${name}` })]),
    );
    this.file = this.fileInput();
    this.chips = h('div', { class: 'row chips' });
    this.count = h('p', { class: 'note', role: 'status' });
    this.uploads = h('ul', { class: 'uploads', 'aria-label': t('uploads') });
    this.box = h('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': t('replays_title') });
    this.pager = h('nav', { class: 'row pager', 'aria-label': t('pager') });
    this.check = button(t('check_games'), { icon: 'check', label: true, onclick: () => this.audit() });
    this.halt = button(t('bench_stop'), {
      icon: 'stop',
      label: true,
      hidden: true,
      onclick: () => this.audited(t('check_stopped')),
    });
    this.progress = h('progress', { max: '1', value: '0', hidden: true, 'aria-label': t('check_progress') });
    this.words = h('span', { class: 'note', role: 'status' });
    this.arrange(main);
    /** @param {DragEvent} event */
    this.dragged = (event) => {
      if ([...(event.dataTransfer?.types ?? [])].includes('Files')) {
        event.preventDefault();
        main.classList.toggle('dropping', event.type === 'dragover');
      }
    };
    /** @param {DragEvent} event */
    this.dropped = (event) => {
      this.dragged(event);
      this.upload([...(event.dataTransfer?.files ?? [])]);
    };
    for (const kind of DRAGS) document.addEventListener(kind, this.dragged);
    document.addEventListener('drop', this.dropped);
    this.back = () => location.reload();
    addEventListener('popstate', this.back);
  }

  fileInput() {
    /** @type {HTMLInputElement} */
    const file = h('input', {
      type: 'file',
      accept: '.trace,.json,.gz',
      multiple: true,
      class: 'only-heard',
      id: 'trace-file',
      tabindex: '-1',
      'aria-label': t('open_trace'),
      onchange: () => {
        const files = [...(file.files ?? [])];
        file.value = '';
        this.upload(files);
      },
    });
    return file;
  }

  /** @returns {Record<string, FormInput>} */
  buildInputs() {
    /** @param {string} name */
    const typed = (name) =>
      h('input', {
        type: 'search',
        value: this.state.get(name) ?? '',
        placeholder: t('any'),
        maxlength: '200',
        list: `known-${name}`,
        autocomplete: 'off',
        onchange: () => this.filter(),
      });
    /**
     * @param {string} name
     * @param {string} none
     * @param {[string, string][]} values
     */
    const listed = (name, none, values) =>
      choice([['', none], ...values], this.state.get(name) ?? '', () => this.filter());
    const game = this.state.get('game');
    /** @type {[string, string][]} */
    const games = this.rooms.map((room) => [room.name, room.title]);
    if (game && !this.rooms.some((room) => room.name === game)) games.push([game, short(game, 30)]); // it was here once
    return {
      game: listed('game', t('all_games'), games),
      agent: typed('agent'),
      level: typed('level'),
      outcome: typed('outcome'),
      seeds: typed('seeds'),
      verdict: listed(
        'verdict',
        t('any'),
        VERDICTS.map((name) => [name, verdictWords(name)]),
      ),
    };
  }

  /** @param {HTMLElement} main */
  arrange(main) {
    const filters = h(
      'form',
      {
        class: 'filters',
        onsubmit: (event) => {
          event.preventDefault();
          this.filter();
        },
      },
      FILTERS.map((name) => field(t(name === 'verdict' ? 'mark_head' : name), this.inputs[name])),
      ...Object.values(this.known),
    );
    const tools = h(
      'div',
      { class: 'row tools-row' },
      button(t('open_trace'), { icon: 'up', label: true, onclick: () => this.file.click() }),
      this.file,
      this.check,
      this.halt,
      h('span', { class: 'note drop-note' }, t('drop_note')),
      this.progress,
      this.words,
    );
    main.append(
      h('h1', {}, t('replays_title')),
      filters,
      this.chips,
      tools,
      this.uploads,
      this.count,
      this.box,
      this.pager,
    );
  }

  leave() {
    this.line?.leave();
    for (const kind of DRAGS) document.removeEventListener(kind, this.dragged);
    document.removeEventListener('drop', this.dropped);
    removeEventListener('popstate', this.back);
  }

  get order() {
    return this.state.get('order') ?? '-stored';
  }

  get offset() {
    const page = Number(this.state.get('page'));
    return Number.isInteger(page) && page > 1 && page < 1e7 ? (page - 1) * ROWS : 0;
  }

  filter() {
    for (const name of FILTERS) this.state.set(name, this.inputs[name].value.trim());
    this.state.delete('seed');
    this.state.delete('page');
    this.load();
  }

  wanted() {
    /** @type {Record<string, string>} */
    const wanted = {};
    for (const name of [...FILTERS, ...FROM_COMPARE]) {
      const value = this.state.get(name);
      if (value) wanted[name] = value.slice(0, 200);
    }
    return wanted;
  }

  async load() {
    const turn = ++this.asked;
    for (const [name, value] of [...this.state]) if (!value) this.state.delete(name);
    history.replaceState(null, '', this.state.size ? `?${this.state}` : location.pathname);
    this.showChips();
    try {
      const data = await fetchJson(
        `/api/traces?${new URLSearchParams({ ...this.wanted(), order: this.order, offset: String(this.offset), limit: String(ROWS) })}`,
      );
      if (turn !== this.asked) return;
      if (!data.rows.length && data.total) {
        // a page beyond the last one
        this.state.set('page', String(Math.ceil(data.total / ROWS)));
        this.load();
        return;
      }
      this.show(data);
    } catch (error) {
      if (turn !== this.asked) return;
      this.count.textContent = error instanceof Error ? error.message : String(error);
      this.box.replaceChildren();
      this.pager.replaceChildren();
      this.check.disabled = true;
    }
  }

  showChips() {
    const found = FROM_COMPARE.filter((name) => this.state.get(name));
    this.chips.hidden = !found.length;
    this.chips.replaceChildren(
      ...found.map((name) =>
        h(
          'button',
          {
            type: 'button',
            class: 'button small chip',
            title: t('chip_remove'),
            onclick: () => {
              this.state.delete(name);
              this.state.delete('page');
              this.load();
            },
          },
          `${t(`chip_${name}`)}: ${short(this.state.get(name) ?? '', 40)}`,
          h('span', { 'aria-hidden': 'true' }, ' ✕'),
          h('span', { class: 'only-heard' }, t('chip_remove')),
        ),
      ),
    );
  }

  /** @param {Listing} given */
  show({ rows, total, kept, offset, facets, warnings }) {
    for (const [name, values] of Object.entries({
      agent: facets.agents,
      level: facets.levels,
      outcome: facets.outcomes,
    }))
      this.known[name].replaceChildren(...values.slice(0, 500).map((value) => h('option', { value })));
    const filtered = Object.keys(this.wanted()).length > 0;
    this.count.textContent = !total
      ? t(filtered ? 'rows_none_here' : 'rows_none')
      : total > rows.length
        ? t('rows_part', { first: number(offset + 1), last: number(offset + rows.length), n: number(total) })
        : t('rows', { n: number(total) });
    this.check.disabled = !total || this.line !== null;
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.key;
    this.box.replaceChildren(
      ...(rows.length
        ? [
            h(
              'table',
              { class: 'list dense' },
              h(
                'thead',
                {},
                h(
                  'tr',
                  {},
                  COLUMNS.map((column) => this.head(column)),
                  h('th', { scope: 'col' }, t('mark_head')),
                ),
              ),
              h(
                'tbody',
                {},
                rows.map((row) => this.row(row)),
              ),
            ),
          ]
        : []),
    );
    if (focus) /** @type {HTMLElement | null} */ (this.box.querySelector(`[data-key="${focus}"]`))?.focus();
    this.showPager(offset, total);
    for (const warning of warnings) {
      if (!this.warned.has(warning)) notice(warning);
      this.warned.add(warning);
    }
  }

  /** @param {(typeof COLUMNS)[number]} column */
  head([name, words, first]) {
    const by = this.order.replace('-', '');
    const way = this.order.startsWith('-') ? -1 : 1;
    const sorter = h(
      'button',
      {
        type: 'button',
        class: 'sorter',
        'data-key': name,
        onclick: () => {
          this.state.set('order', `${(by === name ? -way : first) < 0 ? '-' : ''}${name}`);
          this.state.delete('page');
          this.load();
        },
      },
      t(words),
      h('span', { 'aria-hidden': 'true' }, by === name ? (way > 0 ? ' ▲' : ' ▼') : ''),
    );
    const order = by === name ? (way > 0 ? 'ascending' : 'descending') : undefined;
    return h('th', { scope: 'col', 'aria-sort': order }, sorter);
  }

  /** @param {KeptRow} row */
  row(row) {
    const when = new Date(row.stored * 1000);
    const local = `${when.getFullYear()}-${String(when.getMonth() + 1).padStart(2, '0')}-${String(when.getDate()).padStart(2, '0')} ${String(when.getHours()).padStart(2, '0')}:${String(when.getMinutes()).padStart(2, '0')}`;
    const title = this.rooms.find((room) => room.name === row.game)?.title ?? row.game;
    const options = Object.entries(row.options)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ');
    const cells = [
      h(
        'a',
        {
          href: `/replay/${row.trace}`,
          'aria-label': t('open_game', { game: title, level: row.level, seed: row.seed }),
        },
        title,
      ),
      h('span', { title: row.level }, short(row.level, 28)),
      String(row.seed),
      h(
        'span',
        { class: 'named', title: `${row.agents.join(' – ')} · ${row.budget}${options ? ` · ${options}` : ''}` },
        short(row.players, 44),
        h('span', { class: 'note' }, ` ${row.budget}`),
      ),
      h('span', { class: row.winner === 0 ? 'won' : '' }, reasonWords(row.outcome)),
      scoreWords(row.scores) || '–',
      number(row.steps),
      row.seconds ? duration(row.seconds * 1000) : '–',
      local,
    ];
    return h(
      'tr',
      { 'data-trace': row.trace },
      cells.map((cell) => h('td', {}, cell)),
      h('td', { class: 'mark-cell' }, markOf(row.check)),
    );
  }

  /**
   * @param {number} offset
   * @param {number} total
   */
  showPager(offset, total) {
    const pages = Math.ceil(total / ROWS);
    const here = Math.floor(offset / ROWS) + 1;
    this.pager.hidden = pages < 2;
    /** @param {number} page */
    const to = (page) => {
      this.state.set('page', page === 1 ? '' : String(page));
      this.load().then(() => this.box.focus());
    };
    this.pager.replaceChildren(
      button(t('page_first'), { icon: 'first', disabled: here === 1, onclick: () => to(1) }),
      button(t('page_before'), { icon: 'arrowLeft', disabled: here === 1, onclick: () => to(here - 1) }),
      h('span', {}, t('page_of', { page: number(here), pages: number(pages) })),
      button(t('page_after'), { icon: 'arrowRight', disabled: here >= pages, onclick: () => to(here + 1) }),
      button(t('page_last'), { icon: 'last', disabled: here >= pages, onclick: () => to(pages) }),
    );
  }

  // Playing kept games again

  audit() {
    this.check.hidden = true;
    this.halt.hidden = this.progress.hidden = false;
    this.progress.removeAttribute('value');
    this.words.textContent = t('starting');
    this.bad = 0;
    this.line = new Line(
      { m: 'audit', ...this.wanted() },
      (message) => this.hear(message),
      (reason) => {
        if (this.line) this.audited(reason || t('lost'));
      },
    );
  }

  /** @param {Message} message */
  hear(message) {
    if (message.m === 'audit') this.progress.max = message.total || 1;
    else if (message.m === 'progress')
      this.words.textContent = t('compiling', { words: message.words, done: message.done + 1, total: message.total });
    else if (message.m === 'checked') {
      this.progress.value = message.done;
      if (message.verdict !== 'verified') this.bad += 1;
      this.words.textContent = t('check_done', { done: number(message.done), n: number(message.total) });
      this.box
        .querySelector(`tr[data-trace="${message.id}"] .mark-cell`)
        ?.replaceChildren(markOf({ verdict: message.verdict, text: message.text }));
    } else if (message.m === 'audited') {
      const sum = message.total
        ? t(this.bad ? 'check_bad' : 'check_good', { n: number(message.total), bad: number(this.bad) })
        : '';
      this.audited(
        [sum, message.skipped ? t('check_skipped', { n: number(message.skipped) }) : ''].filter(Boolean).join(' '),
      );
    } else if (message.m === 'error') this.audited(message.text);
  }

  /** @param {string} words */
  audited(words) {
    const { line } = this;
    const focused = document.activeElement === this.halt;
    this.line = null;
    line?.leave();
    this.check.hidden = false;
    this.halt.hidden = this.progress.hidden = true;
    this.words.textContent = words;
    if (focused) this.check.focus();
    this.load();
  }

  // Files: each is played again before it is shown

  /** @param {File[]} files */
  async upload(files) {
    if (!files.length) return;
    if (files.length > MOST_FILES) {
      notice(t('upload_many', { most: MOST_FILES }));
      return;
    }
    const lines = files.map((file) => h('li', {}, t('checking', { name: file.name })));
    this.uploads.replaceChildren(...lines);
    let good = null;
    let failed = 0;
    for (const [i, file] of files.entries()) {
      say(t('checking', { name: file.name }));
      try {
        const data = await fetchJson('/api/traces', {
          method: 'POST',
          body: file,
          headers: { 'x-file-name': encodeURIComponent(file.name) },
        });
        good = data.id;
        lines[i].replaceChildren(
          h('span', { class: 'won' }, '✓ '),
          t('upload_good', { name: file.name, n: data.steps }),
          ' ',
          h('a', { href: `/replay/${data.id}` }, t('open_replay')),
        );
      } catch (error) {
        failed += 1;
        lines[i].className = 'mark bad';
        const why = error instanceof Error ? error.message : String(error);
        const words = `✗ ${why.includes(file.name) ? '' : `${file.name}: `}${why}`;
        lines[i].textContent = words;
        say(words);
      }
    }
    if (files.length === 1 && good) location.href = `/replay/${good}`;
    else if (failed < files.length) this.load();
  }
}

/** @param {string} verdict */
function verdictWords(verdict) {
  return t(`mark_${verdict.replaceAll(' ', '_')}`);
}

/**
 * The mark of a row: a sign and a word, and the whole sentence for those who point at it.
 * @param {Check} given
 */
function markOf({ verdict, text }) {
  /** @type {Record<string, [sign: string, kind: string]>} */
  const signs = {
    verified: ['✓', 'good'],
    differs: ['✗', 'bad'],
    'cannot be checked': ['?', 'bad'],
    unchecked: ['–', ''],
  };
  const [sign, kind] = signs[verdict] ?? signs.unchecked;
  return h(
    'span',
    { class: `row-mark ${kind}`, title: text || verdictWords(verdict) },
    h('span', { 'aria-hidden': 'true' }, `${sign} `),
    verdictWords(verdict),
    text ? h('span', { class: 'only-heard' }, `: ${text}`) : null,
  );
}
