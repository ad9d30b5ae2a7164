// Results of benches: a sortable table with intervals, plots, levels, two lines side by side; a bench can be run here.
import { Bench } from '../bench.js';
import { crosstables, gamesOf, matchPlot, matchTable } from '../crosstable.js';
import {
  button,
  choice,
  fetchJson,
  field,
  fill,
  h,
  listTable,
  notice,
  number,
  reasonWords,
  t,
  toggle,
} from '../dom.js';
import { curves, percent, short, strips, whiskers } from '../plots.js';

/** @type {[name: string, value: (row: RankedLine) => string | number, first: number][]} */
const COLUMNS = [
  ['agents', (row) => row.agents, 1],
  ['budget', (row) => row.amount.nodes ?? row.amount.seconds ?? Infinity, 1],
  ['rules', (row) => row.rules, 1],
  ['episodes', (row) => row.episodes, -1],
  ['win_rate', (row) => row.win_rate.value, -1],
  ['score', (row) => row.score.value, -1],
  ['steps', (row) => row.steps.value, 1],
  ['seconds', (row) => row.seconds.value, 1],
  ['outcomes', (row) => Object.keys(row.outcomes)[0] ?? '', 1],
];
const FILTERS = ['level', 'budget', 'rules', 'agent']; // as the server names them
const MANY_LINES = 8; // lines drawn unless more are asked for
const MANY_LEVELS = 60;
/** @type {[name: string, place: 3 | 4 | 5][]} */
const METRICS = [
  ['steps', 3],
  ['score', 4],
  ['seconds', 5],
]; // and their place in a point
const GROW_MS = 3000; // between two looks at results that grow

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export async function build(main, { rooms }) {
  const page = new Compare(
    main,
    rooms.filter((room) => !room.missing),
  );
  await page.load();
  return () => page.leave();
}

class Compare {
  /**
   * @param {HTMLElement} main
   * @param {RoomCard[]} rooms
   */
  constructor(main, rooms) {
    this.state = new URLSearchParams(location.search);
    /** @type {import('../plots.js').Plot[]} */
    this.plots = [];
    this.asked = this.pairAsked = 0;
    /** @type {Summary} */
    this.data = {
      seats: 1,
      facets: { levels: [], budgets: [], rules: [], agents: [] },
      levels: [],
      lines: [],
      matches: [],
    };
    /** @type {Set<string> | null} */
    this.chosen = null; // lines that are drawn
    /** @type {Set<string>} */
    this.seen = new Set();
    /** @type {number | null} */
    this.later = null;
    this.allLevels = false;
    this.plotBox = h('div', { class: 'plots' });
    this.levelBox = h('div', {});
    this.pairBox = h('div', { class: 'pair-box' });
    this.first = choice([], '');
    this.second = choice([], '');
    const wanted = this.state.get('game');
    if (wanted && !rooms.some((room) => room.name === wanted)) {
      notice(t('no_such_game', { game: short(wanted, 40) }));
      this.state = new URLSearchParams();
    }
    const asked = this.state.get('sort') ?? '';
    const order = COLUMNS.some(([name]) => name === asked.replace('-', '')) ? asked : '-win_rate';
    /** @type {[by: string, way: number]} */
    this.sort = [order.replace('-', ''), order.startsWith('-') ? -1 : 1];
    this.game = choice(
      rooms.map((room) => [room.name, room.title]),
      wanted ?? rooms[0]?.name,
      () => this.changeGame(),
    );
    this.filters = Object.fromEntries(
      FILTERS.map((name) => [name, choice([['', t('any')]], '', () => this.filter(name))]),
    );
    this.count = h('p', { class: 'note', role: 'status' });
    this.bench = new Bench({ grown: (now) => this.grow(now) });
    this.sections = h('div', { class: 'sections' });
    this.arrange(main);
  }

  /** @param {HTMLElement} main */
  arrange(main) {
    main.append(
      h('h1', {}, t('compare_title')),
      h('p', { class: 'note' }, t('compare_text')),
      h(
        'div',
        { class: 'filters' },
        field(t('game'), this.game),
        FILTERS.map((name) =>
          field(t(name === 'rules' ? 'options' : name === 'budget' ? 'column_budget' : name), this.filters[name]),
        ),
      ),
      this.bench.element,
      this.count,
      this.sections,
    );
  }

  leave() {
    this.bench.leave();
    clearTimeout(this.later ?? undefined);
    this.plots.forEach((plot) => plot.destroy());
  }

  remember() {
    for (const [name, value] of [...this.state]) if (!value) this.state.delete(name);
    history.replaceState(null, '', `?${this.state}`);
  }

  changeGame() {
    this.state = new URLSearchParams({ game: this.game.value });
    this.chosen = null;
    this.load();
  }

  /** @param {string} name */
  filter(name) {
    this.state.set(name, this.filters[name].value);
    this.chosen = null;
    this.load();
  }

  /**
   * A bench tells often that there is more; looking at everything is dear.
   * @param {boolean} [now]
   */
  grow(now = false) {
    if (now) {
      clearTimeout(this.later ?? undefined);
      this.later = null;
      this.load();
    } else
      this.later ??= window.setTimeout(() => {
        this.later = null;
        this.load();
      }, GROW_MS);
  }

  query() {
    const query = new URLSearchParams({ game: this.game.value });
    for (const name of FILTERS) if (this.state.get(name)) query.set(name, this.state.get(name) ?? '');
    return query;
  }

  async load() {
    const turn = ++this.asked;
    this.state.set('game', this.game.value);
    this.remember();
    try {
      const [data] = await Promise.all([fetchJson(`/api/compare?${this.query()}`), this.bench.offer(this.game.value)]);
      if (turn !== this.asked) return; // something else was chosen meanwhile
      this.data = data;
      this.offerFilters();
      this.show();
    } catch (error) {
      if (turn === this.asked) notice(error instanceof Error ? error.message : String(error));
    }
  }

  offerFilters() {
    const { facets } = this.data;
    /** @type {Record<string, string[]>} */
    const known = { level: facets.levels, budget: facets.budgets, rules: facets.rules, agent: facets.agents };
    for (const name of FILTERS) {
      const value = this.state.get(name) ?? '';
      const values = known[name].includes(value) || !value ? known[name] : [value, ...known[name]];
      this.filters[name].replaceChildren(
        ...[['', t('any')], ...values.map((one) => [one, short(one, 40)])].map(([one, words]) =>
          h('option', { value: one, selected: one === value }, words),
        ),
      );
    }
  }

  show() {
    const { lines } = this.data;
    const games = lines.reduce((sum, line) => sum + line.episodes, 0);
    const filtered = FILTERS.some((name) => this.state.get(name));
    this.count.textContent = games
      ? t('compare_rows', { n: number(games) })
      : t(filtered ? 'compare_none_here' : 'compare_none');
    if (!games && !filtered) this.bench.element.open = true;
    const [, value] = COLUMNS.find(([name]) => name === this.sort[0]) ?? COLUMNS[0];
    /** @param {RankedLine} line */
    const rank = (line) => value(line) ?? -Infinity;
    lines.sort((a, b) => (rank(a) < rank(b) ? -this.sort[1] : rank(a) > rank(b) ? this.sort[1] : 0));
    const chosen = this.chosen ?? new Set(lines.slice(0, MANY_LINES).map((line) => line.id));
    for (const line of lines) if (!this.seen.has(line.id) && chosen.size < MANY_LINES) chosen.add(line.id);
    this.chosen = chosen;
    this.seen = new Set(lines.map((line) => line.id));
    this.keepFocus(() => {
      this.plots.forEach((plot) => plot.destroy());
      this.plots = [];
      /**
       * @param {string} title
       * @param {...Child} content
       */
      const section = (title, ...content) =>
        content.flat().some(Boolean)
          ? h('section', { class: 'part' }, title ? h('h2', {}, t(title)) : null, ...content)
          : null;
      this.plotBox = h('div', { class: 'plots' });
      this.levelBox = h('div', {});
      this.pairBox = h('div', { class: 'pair-box' });
      const parts = games
        ? [
            this.matches(),
            section('', this.table()),
            section('plots_title', this.plotBox),
            this.data.levels.length > 1 && section('heat_title', this.levelBox),
            this.data.seats === 1 && lines.length > 1 && section('pair_title', this.pairChoice(), this.pairBox),
          ]
        : [];
      fill(this.sections, parts);
    });
    if (!games) return;
    this.drawPlots();
    this.drawLevels();
    this.loadPair();
  }

  /**
   * What is drawn anew while somebody uses it keeps the focus where it was.
   * @param {() => void} draw
   */
  keepFocus(draw) {
    const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.key;
    draw();
    const again = key ? this.sections.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
    /** @type {HTMLElement | null} */ (again)?.focus();
  }

  /**
   * @param {RankedLine} line
   * @param {Record<string, string>} [more]
   */
  gamesOf(line, more = {}) {
    return `/replays?${new URLSearchParams({ game: line.game, agents: line.agents, budget: line.budget, rules: line.rules, ...more })}`;
  }

  // The table

  table() {
    const [by, way] = this.sort;
    const several = this.data.seats > 1;
    /** @param {string} name */
    const words = (name) =>
      t(
        several && name === 'win_rate'
          ? 'column_won_first'
          : several && name === 'steps'
            ? 'column_steps_all'
            : `column_${name}`,
      );
    /** @param {(typeof COLUMNS)[number]} column */
    const sorter = ([name, , first]) =>
      h(
        'th',
        { scope: 'col', 'aria-sort': by === name ? (way > 0 ? 'ascending' : 'descending') : undefined },
        h(
          'button',
          {
            type: 'button',
            class: 'sorter',
            'data-key': `sort-${name}`,
            onclick: () => {
              this.sort = [name, by === name ? -way : first];
              this.state.set('sort', `${this.sort[1] < 0 ? '-' : ''}${name}`);
              this.remember();
              this.show();
            },
          },
          words(name),
          h('span', { 'aria-hidden': 'true' }, by === name ? (way > 0 ? ' ▲' : ' ▼') : ''),
        ),
      );
    return h(
      'div',
      { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': t('compare_title') },
      h(
        'table',
        { class: 'list lines' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col', title: t('draw_lines') }, h('span', { class: 'only-heard' }, t('draw_lines'))),
            COLUMNS.map(sorter),
          ),
        ),
        h(
          'tbody',
          {},
          this.data.lines.map((line) => this.line(line)),
        ),
      ),
    );
  }

  /** @param {RankedLine} row */
  line(row) {
    const open = this.gamesOf(row);
    const ends = Object.entries(row.outcomes).map(([reason, n]) =>
      h('a', { href: this.gamesOf(row, { outcome: reason }) }, `${reasonWords(reason)} ${number(n)}`),
    );
    const drawn = h('input', {
      type: 'checkbox',
      checked: Boolean(this.chosen?.has(row.id)),
      'data-key': `line-${row.id}`,
      'aria-label': t('draw_line', { agents: `${row.agents}, ${row.budget}` }),
      onchange: (event) => {
        this.chosen?.[event.target.checked ? 'add' : 'delete'](row.id);
        this.drawPlots();
        this.drawLevels();
      },
    });
    const cells = [
      drawn,
      h('span', { class: 'named', title: row.agents }, row.agents),
      row.budget,
      h('span', { class: 'named' }, row.rules),
      h(
        'a',
        {
          href: open,
          'aria-label': t('open_games', { n: number(row.episodes), agents: `${row.agents}, ${row.budget}` }),
        },
        number(row.episodes),
      ),
      range(row.win_rate, percent),
      range(row.score, number),
      range(row.steps, number),
      range(row.seconds, seconds),
      h(
        'span',
        { class: 'ends' },
        ends.flatMap((end, i) => (i ? [', ', end] : [end])),
      ),
    ];
    return h(
      'tr',
      {},
      cells.map((cell) => h('td', {}, cell)),
    );
  }

  // Plots of the chosen lines

  drawn() {
    return this.data.lines.filter((line) => this.chosen?.has(line.id));
  }

  drawPlots() {
    this.plots.filter((plot) => !plot.isMatch).forEach((plot) => plot.destroy());
    this.plots = this.plots.filter((plot) => plot.isMatch);
    const lines = this.drawn();
    const found = lines.length ? [this.ratePlot(lines), this.spreadPlot(lines), ...this.budgetPlots(lines)] : [];
    this.plots.push(...found);
    this.plotBox.replaceChildren(
      ...(found.length ? found.map((plot) => plot.element) : [h('p', { class: 'note' }, t('plots_none'))]),
    );
  }

  /** @param {RankedLine[]} lines */
  ratePlot(lines) {
    const title = t(this.data.seats > 1 ? 'plot_wins_first' : 'plot_wins');
    return whiskers(
      title,
      lines.map((line) => ({ ...line.win_rate, agents: line.agents, budget: line.budget, line })),
      { hrefOf: ({ line }) => (line ? this.gamesOf(line) : '') },
    );
  }

  /** @param {RankedLine[]} lines */
  spreadPlot(lines) {
    const [name, place] = METRICS.find(([one]) => one === this.state.get('metric')) ?? METRICS[0];
    /** @param {Point} point */
    const key = (point) => `${point[0]}|${point[1]}`;
    const shared = lines
      .map((line) => new Set(line.points.map(key)))
      .reduce((a, b) => new Set([...a].filter((one) => b.has(one))));
    const comparable = lines.length > 1 && shared.size > 0;
    const common = comparable && this.state.get('all') !== 'yes';
    const words = name === 'seconds' ? seconds : number;
    /** @param {RankedLine} line */
    const dots = (line) =>
      line.points
        .filter((point) => point[place] !== null && (!common || shared.has(key(point))))
        .map((point) => this.dot(line, point, point[place] ?? 0, words, name));
    const data = lines.map((line) => ({ agents: line.agents, budget: line.budget, points: dots(line) }));
    const games = common
      ? t('same_games_note', { n: number(shared.size) })
      : t(lines.length > 1 && !shared.size ? 'same_games_none' : 'all_games_note');
    const cut = lines.some((line) => line.points.length < line.episodes) ? t('strip_cut') : '';
    return strips(t('plot_spread', { what: t(`metric_${name}`) }), data, {
      words,
      logarithmic: name !== 'score',
      tools: this.spreadTools(name, common, comparable),
      note: [games, t('strip_note'), cut].filter(Boolean).join(' '),
    });
  }

  /**
   * One game in a plot.
   * @param {RankedLine} line
   * @param {Point} point
   * @param {number} value
   * @param {(value: number) => string} words
   * @param {string} metric
   */
  dot(line, point, value, words, metric) {
    const [level, seed, won, , , , trace] = point;
    return {
      value,
      won,
      href: `/replay/${trace}`,
      words: t('point_of', {
        agents: line.agents,
        level: this.data.levels[level],
        seed,
        value: words(value),
        what: t(`metric_${metric}`),
        won: t(won ? 'point_won' : 'point_lost'),
      }),
    };
  }

  /**
   * @param {string} metric
   * @param {boolean} common
   * @param {boolean} comparable
   */
  spreadTools(metric, common, comparable) {
    /**
     * @param {string} name
     * @param {string} value
     */
    const set = (name, value) => {
      this.state.set(name, value);
      this.remember();
      this.keepFocus(() => this.drawPlots());
    };
    const pick = choice(
      METRICS.map(([one]) => [one, t(`metric_${one}`)]),
      metric,
      (value) => set('metric', value),
    );
    pick.setAttribute('aria-label', t('metric'));
    pick.dataset.key = 'metric';
    const same = toggle(t('same_games'), common, (on) => set('all', on ? '' : 'yes'));
    const box = /** @type {HTMLInputElement} */ (same.querySelector('input'));
    box.disabled = !comparable;
    box.dataset.key = 'same';
    return [pick, same];
  }

  /**
   * One agent with several budgets of one kind: does it get stronger?
   * @param {RankedLine[]} lines
   */
  budgetPlots(lines) {
    return /** @type {('nodes' | 'seconds')[]} */ (['nodes', 'seconds']).flatMap((unit) => {
      /** @type {Map<string, SeriesPoint[]>} */
      const series = new Map();
      for (const line of lines) {
        const amount = line.amount[unit];
        if (Object.keys(line.amount).length !== 1 || amount === undefined) continue;
        const name = line.rules === 'standard' ? line.agents : `${line.agents} (${line.rules})`;
        series.set(name, [...(series.get(name) ?? []), { x: amount, ...line.win_rate, href: this.gamesOf(line) }]);
      }
      const found = [...series]
        .filter(([, points]) => points.length > 1)
        .map(([agents, points]) => ({ agents, points: points.sort((a, b) => a.x - b.x) }));
      return found.length
        ? [
            curves(t('plot_budget', { unit: t(`budget_${unit}`) }), found, {
              xWords: (value) => (unit === 'nodes' ? t('nodes_value', { n: number(value) }) : seconds(value)),
              note: t('budget_note'),
            }),
          ]
        : [];
    });
  }

  // Agents and levels

  drawLevels() {
    const lines = this.drawn();
    if (!lines.length) {
      this.levelBox.replaceChildren(h('p', { class: 'note' }, t('plots_none')));
      return;
    }
    const counts = lines.map((line) => new Map(line.levels.map(([level, won, games]) => [level, { won, games }])));
    const { rows, found, total } = this.levelRows(counts);
    const only = this.state.get('differ') === 'yes';
    const all = () => {
      this.allLevels = true;
      this.drawLevels();
    };
    fill(
      this.levelBox,
      h(
        'div',
        { class: 'row heat-tools' },
        this.levelTools(only),
        h('span', { class: 'note', role: 'status' }, only ? t('heat_found', { n: found, total }) : ''),
      ),
      this.levelTable(lines, counts, rows),
      found > rows.length ? button(t('heat_all', { n: found }), { onclick: all }) : null,
    );
  }

  /**
   * The levels to show, in order; how many there are in all, and how many of them are wanted.
   * @param {LevelCount[]} counts
   */
  levelRows(counts) {
    /** @param {number} level */
    const rates = (level) => counts.flatMap((count) => count.get(level) ?? []).map(({ won, games }) => won / games);
    /** @param {number} level */
    const rate = (level) => rates(level).reduce((sum, one) => sum + one, 0) / rates(level).length;
    const played = this.data.levels.map((_, level) => level).filter((level) => rates(level).length);
    if (this.state.get('levels') === 'hard') played.sort((a, b) => rate(a) - rate(b));
    const wanted =
      this.state.get('differ') === 'yes' ? played.filter((level) => new Set(rates(level)).size > 1) : played;
    const rows = this.allLevels ? wanted : wanted.slice(0, MANY_LEVELS);
    return { rows, found: wanted.length, total: played.length };
  }

  /** @param {boolean} only */
  levelTools(only) {
    /**
     * @param {string} name
     * @param {string} value
     */
    const set = (name, value) => {
      this.state.set(name, value);
      this.remember();
      this.keepFocus(() => this.drawLevels());
    };
    const pick = choice(
      [
        ['name', t('heat_by_name')],
        ['hard', t('heat_by_hardness')],
      ],
      this.state.get('levels') === 'hard' ? 'hard' : 'name',
      (value) => set('levels', value === 'name' ? '' : value),
    );
    pick.setAttribute('aria-label', t('heat_order'));
    pick.dataset.key = 'levels';
    const some = toggle(t('heat_differ'), only, (on) => set('differ', on ? 'yes' : ''));
    /** @type {HTMLElement} */ (some.querySelector('input')).dataset.key = 'differ';
    return [pick, some];
  }

  /**
   * @param {RankedLine[]} lines
   * @param {LevelCount[]} counts
   * @param {number[]} rows
   */
  levelTable(lines, counts, rows) {
    const { levels } = this.data;
    const heads = lines.map((line) =>
      h(
        'th',
        { scope: 'col', title: `${line.agents} · ${line.budget} · ${line.rules}` },
        h('span', { class: 'named' }, short(line.agents, 26)),
        h('span', { class: 'note' }, line.budget),
      ),
    );
    return listTable({
      label: t('heat_title'),
      kind: 'dense heat',
      box: 'tall',
      heads: [t('level'), ...heads],
      rows: rows.map((level) => [
        h('th', { scope: 'row', title: levels[level] }, short(levels[level], 34)),
        ...lines.map((line, i) => this.levelCell(line, levels[level], counts[i].get(level))),
      ]),
    });
  }

  /**
   * @param {RankedLine} line
   * @param {string} level
   * @param {{ won: number, games: number } | undefined} count
   */
  levelCell(line, level, count) {
    if (!count) return h('td', { class: 'same' }, '–');
    const { won, games } = count;
    const rate = percent(won / games);
    const link = h(
      'a',
      {
        href: this.gamesOf(line, { level }),
        'aria-label': t('heat_cell', { rate, agents: line.agents, level, won, n: games }),
      },
      rate,
      h('span', { class: 'note' }, ` ${won}/${games}`),
    );
    const td = h('td', { class: 'heat-cell' }, link);
    td.style.setProperty('--rate', String(won / games));
    return td;
  }

  // Two lines on the same games

  pairChoice() {
    const { lines } = this.data;
    const given = (this.state.get('pair') ?? '').split(',');
    /** @param {string} id */
    const known = (id) => lines.some((line) => line.id === id);
    const usual =
      lines.find(
        (line) => line.id !== lines[0].id && line.budget === lines[0].budget && line.rules === lines[0].rules,
      ) ?? lines[1];
    const [first, second] = given.length === 2 && given.every(known) ? given : [lines[0].id, usual.id];
    const names = lines.map((line) => [
      line.id,
      `${short(line.agents, 30)} · ${line.budget}${line.rules === 'standard' ? '' : ` · ${short(line.rules, 24)}`}`,
    ]);
    const changed = () => {
      this.state.set('pair', `${this.first.value},${this.second.value}`);
      this.remember();
      this.loadPair();
    };
    this.first = choice(names, first, changed);
    this.second = choice(names, second, changed);
    this.first.dataset.key = 'pair-first';
    this.second.dataset.key = 'pair-second';
    return h('div', { class: 'filters' }, field(t('pair_first'), this.first), field(t('pair_second'), this.second));
  }

  async loadPair() {
    if (this.data.lines.length < 2 || this.data.seats > 1) return;
    if (this.first.value === this.second.value) {
      this.pairBox.replaceChildren(h('p', { class: 'note' }, t('pair_same')));
      return;
    }
    const query = this.query();
    query.set('first', this.first.value);
    query.set('second', this.second.value);
    const turn = ++this.pairAsked;
    try {
      const found = await fetchJson(`/api/paired?${query}`);
      if (turn === this.pairAsked) this.showPair(found);
    } catch (error) {
      if (turn === this.pairAsked)
        this.pairBox.replaceChildren(
          h('p', { class: 'mark bad' }, error instanceof Error ? error.message : String(error)),
        );
    }
  }

  /** @param {Paired} data */
  showPair(data) {
    const { paired } = data;
    const [a, b] = [pairName(data.first, data.second), pairName(data.second, data.first)];
    if (!paired.pairs) {
      this.pairBox.replaceChildren(h('p', { class: 'note' }, t('pair_nothing')));
      return;
    }
    const differing = data.games.filter((game) => game.first.won !== game.second.won);
    const all = differing.length === 0;
    const list = h('div', {});
    /** @param {boolean} on */
    const draw = (on) =>
      fill(
        list,
        pairTable(on ? data.games : differing, a, b),
        on && data.left_off ? h('p', { class: 'note' }, t('pair_left_off', { n: data.left_off })) : null,
      );
    draw(all);
    const better = paired.only_first > paired.only_second ? a : b;
    const verdict =
      paired.p_value < 0.05
        ? t('pair_stronger', { name: better, n: paired.pairs })
        : t('pair_even', { n: paired.pairs });
    fill(
      this.pairBox,
      h('p', { class: 'verdict' }, verdict),
      pairBar(paired, a, b),
      h(
        'dl',
        { class: 'status pair-facts' },
        pairFacts(data).map(([words, value]) => [h('dt', {}, words), h('dd', {}, value)]),
      ),
      h(
        'div',
        { class: 'row' },
        h('h3', {}, t('pair_games')),
        toggle(t('pair_all', { n: data.games.length + data.left_off }), all, draw),
        differing.length ? null : h('span', { class: 'note' }, t('pair_no_difference')),
      ),
      list,
    );
  }

  // Games for two

  matches() {
    const { matches } = this.data;
    if (!matches.length) return null;
    const plot = matchPlot(matches, (match) => gamesOf(this.game.value, match, match.first, match.second));
    plot.isMatch = true;
    this.plots.push(plot);
    return h(
      'section',
      { class: 'part' },
      h('h2', {}, t('match_title')),
      h('p', { class: 'note' }, t('match_text')),
      matchTable(this.game.value, matches),
      h(
        'div',
        { class: 'plots' },
        plot.element,
        h(
          'div',
          { class: 'figure' },
          h('h3', {}, t('cross_title')),
          h('p', { class: 'note' }, t('cross_text')),
          crosstables(this.game.value, matches),
        ),
      ),
    );
  }
}

/** @param {number} value */
const seconds = (value) => (value < 1 ? `${number(Number((value * 1000).toPrecision(3)))} ms` : `${number(value)} s`);

/**
 * @param {Interval} given
 * @param {(value: number) => string} words
 */
function range({ value, low, high }, words) {
  if (value === null) return '–';
  return h(
    'span',
    { title: t('interval', { low: words(low), high: words(high) }) },
    words(value),
    h('span', { class: 'note reach-words' }, ` [${words(low)}, ${words(high)}]`),
  );
}

/**
 * What tells one of two lines from the other.
 * @param {Paired['first']} line
 * @param {Paired['first']} other
 */
function pairName(line, other) {
  if (line.agents !== other.agents) return line.agents;
  return `${line.agents}, ${line.budget !== other.budget ? line.budget : line.rules}`;
}

/**
 * Who won what, as a bar and in words.
 * @param {Paired['paired']} paired
 * @param {string} a
 * @param {string} b
 */
function pairBar(paired, a, b) {
  /** @type {[kind: string, n: number, words: string][]} */
  const parts = [
    ['both', paired.both, t('pair_both')],
    ['first', paired.only_first, t('pair_only', { name: a })],
    ['second', paired.only_second, t('pair_only', { name: b })],
    ['neither', paired.neither, t('pair_neither')],
  ];
  const pieces = parts.map(([kind, n]) => {
    const piece = h('div', { class: `split-${kind}`, hidden: n === 0 }, String(n));
    piece.style.setProperty('flex-grow', String(n));
    return piece;
  });
  return [
    h('div', { class: 'split', 'aria-hidden': 'true' }, pieces),
    h(
      'ul',
      { class: 'legend' },
      parts.map(([kind, n, words]) =>
        h('li', {}, h('span', { class: `swatch-${kind}`, 'aria-hidden': 'true' }), `${words}: ${number(n)}`),
      ),
    ),
  ];
}

/**
 * @param {Paired} data
 * @returns {[words: string, value: string][]}
 */
function pairFacts({ paired, steps, steps_pairs }) {
  /** @param {number} value */
  const signed = (value) => `${value > 0 ? '+' : ''}${number(value)}`;
  /** @param {number} value */
  const points = (value) => t('points', { n: signed(Math.round(value * 1000) / 10) });
  /**
   * @param {Interval} interval
   * @param {(value: number) => string} words
   */
  const told = ({ value, low, high }, words) =>
    t('pair_interval', { value: words(value), low: words(low), high: words(high) });
  /** @type {[string, string][]} */
  const facts = [
    [t('pair_difference'), told(paired.difference, points)],
    [t('pair_p'), number(paired.p_value)],
  ];
  if (steps_pairs) facts.push([t('pair_steps', { n: steps_pairs }), told(steps, signed)]);
  return facts;
}

/**
 * @param {Paired['games']} games
 * @param {string} a
 * @param {string} b
 */
function pairTable(games, a, b) {
  /** @param {PairedGame} game */
  const told = (game) =>
    h(
      'span',
      { class: game.won ? 'won' : '' },
      h('a', { href: `/replay/${game.trace}` }, reasonWords(game.outcome)),
      h('span', { class: 'note' }, ` ${t('steps', { n: game.steps })}`),
    );
  /** @param {Paired['games'][number]} game */
  const row = (game) => {
    const beside = h(
      'a',
      {
        href: `/replay/${game.first.trace}?beside=${game.second.trace}`,
        'aria-label': t('pair_open_of', { level: game.level, seed: game.seed }),
      },
      t('pair_side'),
    );
    const cells = [short(game.level, 34), String(game.seed), told(game.first), told(game.second), beside];
    return h(
      'tr',
      { class: game.first.won !== game.second.won ? 'differs' : '' },
      cells.map((cell) => h('td', {}, cell)),
    );
  };
  const heads = [t('level'), t('seed'), a, b, t('pair_open')];
  return listTable({
    label: t('pair_games'),
    kind: 'dense',
    heads: heads.map((words) => h('th', { scope: 'col', title: words }, short(words, 40))),
    rows: games.map(row),
  });
}
