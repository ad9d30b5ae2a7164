// Results of benches: tables with intervals, sortable; a bench can be started here, watched and stopped.
import { Line } from '../socket.js';
import { button, choice, fetchJson, field, h, notice, number, say, t } from '../dom.js';

const COLUMNS = [
  ['agents', (row) => row.agents], ['budget', (row) => row.budget], ['rules', (row) => row.rules], ['episodes', (row) => row.episodes],
  ['win_rate', (row) => row.win_rate.value], ['score', (row) => row.score.value], ['steps', (row) => row.steps.value], ['seconds', (row) => row.seconds.value], ['outcomes', (row) => Object.keys(row.outcomes)[0] ?? ''],
];

export async function build(main, { rooms }) {
  const usable = rooms.filter((room) => !room.missing);
  const given = new URLSearchParams(location.search);
  let sort = ['win_rate', -1];
  let rows = [];
  const game = choice(usable.map((room) => [room.name, room.title]), given.get('game') ?? usable[0]?.name, load);
  const count = h('p', { class: 'note', role: 'status' });
  const box = h('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': t('compare_title') });
  const plot = h('div', { class: 'intervals' });
  const bench = new Bench(usable, () => game.value, load);
  main.append(h('h1', {}, t('compare_title')), h('p', { class: 'note' }, t('compare_text')), h('div', { class: 'filters' }, field(t('game'), game)), count, plot, box, bench.element);

  async function load() {
    history.replaceState(null, '', `?game=${game.value}`);
    bench.offer();
    try {
      rows = await fetchJson(`/api/compare?game=${encodeURIComponent(game.value)}`);
      show();
    } catch (error) {
      notice(error.message);
    }
  }

  function show() {
    const [by, way] = sort;
    const value = COLUMNS.find(([name]) => name === by)[1];
    rows.sort((a, b) => (value(a) < value(b) ? -way : value(a) > value(b) ? way : 0));
    count.textContent = rows.length ? t('compare_rows', { n: rows.reduce((sum, row) => sum + row.episodes, 0) }) : t('compare_none');
    box.hidden = plot.hidden = rows.length === 0;
    const heads = COLUMNS.map(([name]) => h('th', { scope: 'col', 'aria-sort': by === name ? (way > 0 ? 'ascending' : 'descending') : undefined },
      h('button', { type: 'button', class: 'sorter', onclick: () => { sort = [name, by === name ? -way : name === 'agents' || name === 'budget' ? 1 : -1]; show(); } }, t(`column_${name}`), h('span', { 'aria-hidden': 'true' }, by === name ? (way > 0 ? ' ▲' : ' ▼') : ''))));
    box.replaceChildren(h('table', { class: 'list' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows.map(line))));
    plot.replaceChildren(h('h2', {}, t('plot_wins')), ...rows.map(interval));
  }

  function line(row) {
    const open = `/replays?${new URLSearchParams({ game: row.game, agents: row.agents, budget: row.budget })}`;
    const ends = Object.entries(row.outcomes).map(([reason, n]) => h('a', { href: `${open}&outcome=${encodeURIComponent(reason)}` }, `${reason} ${n}`));
    const cells = [row.agents, row.budget, row.rules, h('a', { href: open, 'aria-label': t('open_games', { n: row.episodes, agents: row.agents }) }, number(row.episodes)),
      range(row.win_rate, (value) => `${number(value * 100)} %`), range(row.score, number), range(row.steps, number), range(row.seconds, (value) => `${number(value)} s`), ends.flatMap((end, i) => (i ? [', ', end] : [end]))];
    return h('tr', {}, cells.map((cell) => h('td', {}, cell)));
  }
  await load();
  return () => bench.leave();
}

function range({ value, low, high }, words) {
  if (value === null) return '–';
  return h('span', { title: t('interval', { low: words(low), high: words(high) }) }, words(value), h('span', { class: 'note' }, ` [${words(low)}, ${words(high)}]`));
}

// Win rate with its interval as a bar, in words for those who do not see it.
function interval(row) {
  const { value, low, high } = row.win_rate;
  const percent = (x) => `${(x * 100).toFixed(1)}%`;
  const bar = h('div', { class: 'bar', role: 'img', 'aria-label': t('interval_of', { agents: row.agents, value: percent(value), low: percent(low), high: percent(high) }) },
    h('div', { class: 'reach' }), h('div', { class: 'dot' }));
  bar.style.setProperty('--low', percent(low));
  bar.style.setProperty('--width', percent(high - low));
  bar.style.setProperty('--value', percent(value));
  return h('div', { class: 'interval-row' }, h('span', {}, row.agents, h('span', { class: 'note' }, ` · ${row.budget}`)), bar, h('span', { class: 'note' }, percent(value)));
}

class Bench {
  constructor(rooms, game, done) {
    this.rooms = rooms;
    this.game = game;
    this.done = done;
    this.agents = h('fieldset', { class: 'checks' });
    this.seeds = h('input', { type: 'number', min: '1', max: '1000', value: '10', step: '1', required: true });
    this.budget = h('input', { type: 'number', min: '0', max: '1000000000', value: '2000', step: 'any', required: true });
    this.kind = choice([['nodes', t('budget_nodes')], ['seconds', t('budget_seconds')]], 'nodes');
    this.progress = h('progress', { max: '1', value: '0', hidden: true, 'aria-label': t('bench_progress') });
    this.words = h('p', { class: 'note', role: 'status' });
    this.run = h('button', { type: 'submit', class: 'button strong' }, t('bench_run'));
    this.halt = button(t('bench_stop'), { icon: 'stop', label: true, hidden: true, onclick: () => this.stop() });
    this.element = h('form', { class: 'panel bench', onsubmit: (event) => { event.preventDefault(); this.start(); } },
      h('h2', {}, t('bench_title')), h('p', { class: 'note' }, t('bench_text')), this.agents,
      h('div', { class: 'filters' }, field(t('bench_seeds'), this.seeds), field(t('budget'), this.budget), field(t('budget_kind'), this.kind), this.run, this.halt), this.progress, this.words);
  }

  offer() {
    const room = this.rooms.find(({ name }) => name === this.game());
    this.agents.replaceChildren(h('legend', {}, t('agents')), ...(room?.agents ?? []).map((name) => h('label', { class: 'toggle' }, h('input', { type: 'checkbox', value: name, checked: true }), h('span', {}, name))));
  }

  start() {
    const agents = [...this.agents.querySelectorAll('input:checked')].map((input) => input.value);
    if (!agents.length) {
      notice(t('bench_nobody'));
      return;
    }
    const amount = Number(this.budget.value);
    this.going(true);
    this.words.textContent = t('starting');
    const message = { m: 'bench', game: this.game(), agents, seeds: Number(this.seeds.value), [this.kind.value]: this.kind.value === 'nodes' ? Math.floor(amount) : Math.min(60, amount) };
    this.line = new Line(message, (heard) => this.hear(heard), (reason) => { if (this.running) this.finish(reason || t('lost')); });
  }

  hear(message) {
    if (message.m === 'played') {
      this.progress.max = message.total;
      this.progress.value = message.done;
      this.words.textContent = t('bench_played', { n: message.total, done: message.done, agent: message.agent });
    } else if (message.m === 'progress') this.words.textContent = t('compiling', { words: message.words, done: message.done + 1, total: message.total });
    else if (message.m === 'table') this.finish(t('bench_done'));
    else if (message.m === 'error') this.finish(message.text);
  }

  going(on) {
    this.running = on;
    this.progress.hidden = this.halt.hidden = !on;
    this.run.disabled = on;
  }

  finish(words) {
    this.going(false);
    this.words.textContent = words;
    say(words);
    this.line?.leave();
    this.done();
  }

  stop() {
    this.finish(t('bench_stopped'));
  }

  leave() {
    this.line?.leave();
  }
}
