// The form that starts a bench or a match, shows how far it is, and stops it. What was played stays kept.
import { Line } from './recording.js';
import { button, choice, fetchJson, field, h, number, say, t } from './dom.js';
import { percent } from './plots.js';
import { eloWords } from './crosstable.js';
import { Shown } from './play/shown.js';

const MOST_SEED = 2 ** 53 - 1;
const MOST_NODES = 1e9;
const MOST_SECONDS = 60;
const MOST_AGENTS = 12;

export class Bench {
  /**
   * grown: called when there are more kept games than before
   * @param {{ grown: (now?: boolean) => void }} given
   */
  constructor({ grown }) {
    this.grown = grown;
    this.running = false;
    /** @type {Map<string, Room>} */
    this.rooms = new Map();
    /** @type {Room | undefined} */
    this.room = undefined;
    /** @type {Map<Field, FormInput>} */
    this.inputs = new Map();
    /** @type {Line | null} */
    this.line = null;
    this.keptWords = '';
    this.agents = h('fieldset', { class: 'checks' });
    this.more = h('input', { type: 'text', placeholder: 'master:threads=2', spellcheck: 'false', autocomplete: 'off' });
    this.kind = choice([], '', () => this.fitKind());
    this.kindField = field(t('bench_kind'), this.kind);
    this.scope = choice([], '', () => this.fitScope());
    this.some = h('select', { multiple: true, size: '6' });
    this.someField = field(t('bench_some'), this.some, t('bench_some_note'));
    this.first = h('input', { type: 'number', min: '0', value: '1', step: '1', inputmode: 'numeric' });
    this.last = h('input', { type: 'number', min: '0', value: '10', step: '1', inputmode: 'numeric' });
    this.budget = h('input', { type: 'number', min: '0', value: '2000', step: 'any', inputmode: 'decimal' });
    this.unit = choice(
      [
        ['nodes', t('budget_nodes')],
        ['seconds', t('budget_seconds')],
      ],
      'nodes',
      (unit) => {
        this.budget.value = unit === 'nodes' ? '2000' : '0.1';
      },
    );
    this.options = h('div', { class: 'filters' });
    this.optionBox = h('details', { class: 'options' }, h('summary', {}, t('options')), this.options);
    this.count = h('p', { class: 'note' });
    this.progress = h('progress', { max: '1', value: '0', hidden: true, 'aria-label': t('bench_progress') });
    this.words = h('p', { class: 'bench-words', role: 'status' });
    this.problem = h('p', { class: 'mark bad', role: 'alert', hidden: true });
    this.table = h('div', { class: 'table-box', hidden: true });
    this.run = h('button', { type: 'submit', class: 'button strong' }, t('bench_run'));
    this.halt = button(t('bench_stop'), { icon: 'stop', label: true, hidden: true, onclick: () => this.stop() });
    this.shown = new Shown((message) => this.line?.send(message));
    this.shown.element.hidden = true;
    this.form = this.buildForm();
    this.element = h('details', { class: 'panel bench-box' }, h('summary', {}, t('bench_title')), this.form);
  }

  buildForm() {
    return h(
      'form',
      {
        class: 'bench',
        novalidate: true,
        oninput: () => this.changed(),
        onsubmit: (event) => {
          event.preventDefault();
          this.start();
        },
      },
      h('p', { class: 'note' }, t('bench_text')),
      this.agents,
      h(
        'div',
        { class: 'filters' },
        field(t('bench_more'), this.more, t('bench_more_note')),
        this.kindField,
        field(t('bench_levels'), this.scope),
      ),
      this.someField,
      h(
        'div',
        { class: 'filters' },
        field(t('bench_first'), this.first),
        field(t('bench_last'), this.last),
        field(t('budget'), this.budget),
        field(t('budget_kind'), this.unit),
      ),
      this.optionBox,
      h('div', { class: 'row' }, this.run, this.halt, this.count),
      this.problem,
      this.progress,
      this.words,
      this.shown.element,
      this.table,
    );
  }

  /**
   * The form for another game. A bench that is running goes on: it belongs to the form it was started from.
   * @param {string} game
   */
  async offer(game) {
    if (this.running || this.room?.name === game) return;
    if (!this.rooms.has(game)) this.rooms.set(game, await fetchJson(`/api/room/${encodeURIComponent(game)}`));
    const room = /** @type {Room} */ (this.rooms.get(game));
    this.room = room;
    this.inputs = new Map((room.options ?? []).map((option) => [option, optionInput(option)]));
    this.agents.replaceChildren(
      h('legend', {}, t('agents')),
      ...(room.agents ?? []).map(({ name, summary }) =>
        h(
          'label',
          { class: 'toggle', title: summary },
          h('input', {
            type: 'checkbox',
            value: name,
            checked: room.agents.length <= 4 || name === room.default_agent,
          }),
          h('span', {}, name),
        ),
      ),
    );
    this.kind.replaceChildren(
      ...options(
        room.seats === 2
          ? [
              ['match', t('bench_match')],
              ['bench', t('bench_alone')],
            ]
          : [['bench', t('bench_alone')]],
      ),
    );
    this.kindField.hidden = room.seats !== 2;
    this.some.replaceChildren(...options([...(room.levels ?? []), ...(room.own ?? [])].map((name) => [name, name])));
    this.options.replaceChildren(
      ...[...this.inputs].map(([option, input]) =>
        option.kind === 'switch'
          ? h('label', { class: 'toggle' }, input, h('span', {}, option.name.replaceAll('_', ' ')))
          : field(option.name.replaceAll('_', ' '), input),
      ),
    );
    this.optionBox.hidden = this.inputs.size === 0;
    this.table.hidden = true;
    this.words.textContent = '';
    this.fitKind();
    this.changed();
  }

  get match() {
    return this.kind.value === 'match';
  }

  fitKind() {
    const { room } = this;
    if (!room) return;
    const before = this.scope.value;
    const shipped = room.levels?.length ?? 0;
    /** @type {Value[][]} */
    const scopes = [];
    if (room.seeds) scopes.push(['', t('level_of_seed')]);
    else if (this.match) scopes.push(['', t('bench_first_level', { level: room.levels?.[0] ?? '' })]);
    if (shipped && (room.seeds || this.match)) scopes.push(['all', t('bench_all', { n: shipped })]);
    else if (shipped) scopes.push(['', t('bench_all', { n: shipped })]);
    if (shipped + (room.own?.length ?? 0)) scopes.push(['some', t('bench_choose')]);
    this.scope.replaceChildren(...options(scopes));
    if (scopes.some(([value]) => value === before)) this.scope.value = before;
    this.fitScope();
  }

  fitScope() {
    this.someField.hidden = this.scope.value !== 'some';
    this.changed();
  }

  changed() {
    if (this.running) return;
    this.run.textContent = t('bench_run');
    this.problem.hidden = true;
    const asked = this.asked();
    this.count.textContent = asked.problem ? '' : t('bench_count', { n: number(asked.games) });
  }

  // The message the form stands for, or the sentence that says what is wrong with it.
  asked() {
    const ticked = /** @type {HTMLInputElement[]} */ ([...this.agents.querySelectorAll('input:checked')]).map(
      (input) => input.value,
    );
    const typed = this.more.value
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const agents = [...new Set([...ticked, ...typed])];
    /**
     * @param {string} text
     * @param {Record<string, string | number>} [values]
     */
    const problem = (text, values) => ({ problem: t(text, values), games: 0, message: null });
    if (!agents.length) return problem('bench_nobody');
    if (agents.length > MOST_AGENTS) return problem('bench_many_agents', { most: MOST_AGENTS });
    if (this.match && agents.length < 2) return problem('bench_two');
    const [first, last] = [this.first, this.last].map((input) =>
      /^\d+$/.test(input.value) ? Number(input.value) : NaN,
    );
    if (!(first <= MOST_SEED && last <= MOST_SEED)) return problem('bench_bad_seeds');
    if (last < first) return problem('bench_seed_order', { first: this.first.value, last: this.last.value });
    const amount = this.budget.value === '' ? NaN : Number(this.budget.value);
    const nodes = this.unit.value === 'nodes';
    if (!(amount >= 0 && amount <= (nodes ? MOST_NODES : MOST_SECONDS)) || (nodes && !Number.isInteger(amount)))
      return problem(nodes ? 'bench_bad_nodes' : 'bench_bad_seconds');
    const shipped = this.room?.levels ?? [];
    const levels =
      this.scope.value === 'some'
        ? [...this.some.selectedOptions].map((option) => option.value)
        : this.scope.value === 'all'
          ? shipped
          : [];
    if (this.scope.value === 'some' && !levels.length) return problem('bench_no_level');
    const places = levels.length || (this.room?.seeds || this.match ? 1 : shipped.length);
    const tables = this.match ? agents.length * (agents.length - 1) : agents.length;
    return {
      problem: '',
      games: tables * places * (last - first + 1),
      message: {
        m: 'bench',
        game: this.room?.name,
        agents,
        first_seed: first,
        last_seed: last,
        levels,
        match: this.match,
        [this.unit.value]: amount,
        options: this.chosenOptions(),
      },
    };
  }

  chosenOptions() {
    /** @type {Record<string, Value>} */
    const chosen = {};
    for (const [option, input] of this.inputs) {
      const value =
        option.kind === 'switch'
          ? input instanceof HTMLInputElement && input.checked
          : option.kind === 'number'
            ? Number(input.value)
            : input.value;
      if (value !== option.default && !(input.value === '' && option.kind !== 'switch')) chosen[option.name] = value;
    }
    return chosen;
  }

  start() {
    if (this.running) return;
    const { message, problem } = this.asked();
    if (!message) {
      this.complain(problem);
      return;
    }
    this.going(true);
    this.problem.hidden = true;
    this.table.hidden = true;
    this.keptWords = '';
    this.progress.removeAttribute('value');
    this.words.textContent = t('starting');
    this.line = new Line(
      message,
      (heard) => this.hear(heard),
      (reason) => {
        if (this.running) this.finish(reason || t('lost'), false);
      },
    );
  }

  /** @param {string} text */
  complain(text) {
    this.problem.textContent = text;
    this.problem.hidden = false;
  }

  /** @param {Message} message */
  hear(message) {
    if (message.m === 'plan') {
      this.keptWords = message.kept ? t('bench_kept', { n: number(message.kept) }) : '';
      this.show({ m: 'played', done: message.kept, total: message.total, left: null });
    } else if (message.m === 'played') this.show(message);
    else if (message.m === 'progress')
      this.words.textContent = t('compiling', { words: message.words, done: message.done + 1, total: message.total });
    else if (message.m === 'table') {
      this.showTable(message.lines);
      if (message.final) this.table.hidden = true; // the table of the page has it all now
      if (message.final) this.finish(`${t('bench_done', { n: number(message.total) })} ${this.keptWords}`.trim(), true);
      else this.grown();
    } else if (message.m === 'shown') this.shown.hear(message);
    else if (message.m === 'error') {
      this.finish('', false);
      this.complain(message.text);
    }
  }

  /** @param {Played} given */
  show({ done, total, left, agents, level, seed }) {
    this.progress.max = total || 1;
    this.progress.value = done;
    let rest =
      left === null || left === undefined ? '' : left < 1 ? t('bench_soon') : t('bench_left', { time: span(left) });
    if (!agents && done < total) rest ||= t('bench_waking');
    const last = agents ? t('bench_last_game', { agents: agents.join(' – '), level, seed }) : '';
    this.words.textContent = [t('bench_played', { n: number(total), done: number(done) }), rest, this.keptWords, last]
      .filter(Boolean)
      .join(' ');
  }

  /** @param {BenchLine[]} lines */
  showTable(lines) {
    /** @param {Interval} given */
    const rate = ({ value, low, high }) => [
      percent(value),
      h('span', { class: 'note' }, ` [${percent(low)}, ${percent(high)}]`),
    ];
    const match = lines.some((line) => line.second);
    const heads = match
      ? ['match_of', 'column_episodes', 'match_balance', 'match_score', 'match_elo']
      : ['column_agents', 'column_episodes', 'column_win_rate', 'column_steps_all', 'column_seconds'];
    /**
     * @param {BenchLine} line
     * @returns {Child[]}
     */
    const cells = (line) =>
      match
        ? [
            `${line.first} – ${line.second}`,
            number(line.games),
            `${line.wins} / ${line.draws} / ${line.losses}`,
            rate(line.score),
            eloWords(line),
          ]
        : [line.agents, number(line.games), rate(line.win_rate), number(line.steps), `${number(line.seconds)} s`];
    this.table.hidden = !lines.length;
    this.table.replaceChildren(
      h(
        'table',
        { class: 'list dense' },
        h('caption', { class: 'only-heard' }, t('bench_title')),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            heads.map((name) => h('th', { scope: 'col' }, t(name))),
          ),
        ),
        h(
          'tbody',
          {},
          lines.map((line) =>
            h(
              'tr',
              {},
              cells(line).map((cell) => h('td', {}, cell)),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {boolean} on */
  going(on) {
    this.running = on;
    this.progress.hidden = this.halt.hidden = this.shown.element.hidden = !on;
    if (!on) this.shown.clear();
    this.run.disabled = on;
    for (const input of /** @type {NodeListOf<FormInput>} */ (this.form.querySelectorAll('input, select')))
      input.disabled = on;
  }

  /**
   * @param {string} words
   * @param {boolean} complete
   */
  finish(words, complete) {
    const focused = document.activeElement === this.halt;
    this.going(false);
    this.words.textContent = words;
    say(words);
    this.line?.leave();
    this.line = null;
    this.run.textContent = t(complete || !words ? 'bench_run' : 'bench_go_on');
    if (focused) this.run.focus();
    this.grown(true);
  }

  stop() {
    this.finish(t('bench_stopped', { done: number(this.progress.value), n: number(this.progress.max) }), false);
  }

  leave() {
    this.line?.leave();
  }
}

/** @param {number} seconds */
export function span(seconds) {
  if (seconds < 90) return t('span_seconds', { n: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return t('span_minutes', { n: Math.round(seconds / 60) });
  return t('span_hours', { n: number(Math.round(seconds / 360) / 10) });
}

/** @param {Value[][]} values */
function options(values) {
  return values.map(([value, words]) => h('option', { value: String(value) }, String(words)));
}

/** @param {Field} option */
function optionInput(option) {
  const { default: value } = option;
  if (option.kind === 'switch') return h('input', { type: 'checkbox', checked: value === true });
  if (option.kind === 'choice') return choice(option.choices, value);
  return h('input', {
    type: option.kind === 'number' ? 'number' : 'text',
    step: option.whole ? '1' : 'any',
    value: value === null || value === undefined ? '' : String(value),
  });
}
