// The form that says which game to set up; it knows rooms only by their description.
import { button, choice, field, h, notice, said, t } from './dom.js';
import { dayOf } from './play/contests.js';
import { PREFIX } from './play/days.js';
import { PUZZLE } from './play/ratings.js';

export class Setup {
  /**
   * kind: 'watch' (one or two boards of agents), 'play' (people and agents)
   * @param {Room} room
   * @param {{ kind?: 'watch' | 'play', onstart: () => void, oninvite?: (() => void) | null }} given
   */
  constructor(room, { kind = 'watch', onstart, oninvite = null }) {
    this.room = room;
    this.kind = kind;
    this.onstart = onstart;
    this.oninvite = oninvite;
    this.given = new URLSearchParams(location.search);
    const { given } = this;
    this.sideBySide = kind === 'watch' && room.seats === 1;
    this.solo = kind === 'play' && room.seats === 1;
    this.asked = (given.get('agents') ?? '').split(',').filter(Boolean);
    this.text = given.get('text') ?? ''; // a level that came with the link
    for (const name of this.asked)
      this.warn(name.split(':')[0], ['human', ...room.agents.map((agent) => agent.name)], 'no_agent');
    const names = this.levels();
    // Whoever comes to watch without a wish sees the level that shows the game best; who plays begins at the beginning.
    const usual =
      kind === 'watch' && !given.has('seed')
        ? room.showcase
        : { level: room.seeds ? '' : (room.levels[0] ?? ''), seed: 1 };
    this.level = choice(names, this.text ? DRAWN : (given.get('level') ?? usual.level), () => {
      if (this.level.value !== DRAWN) this.text = '';
    });
    this.warn(
      given.get('level'),
      [...this.level.options].map((option) => option.value),
      'no_level',
    );
    this.seed = h('input', {
      type: 'number',
      min: '0',
      max: '9007199254740991',
      step: '1',
      value: given.get('seed') ?? String(usual.seed),
      inputmode: 'numeric',
    });
    this.seats = h('div', { class: 'setup' });
    this.budgetKind = choice(
      [
        ['seconds', t('budget_seconds')],
        ['nodes', t('budget_nodes')],
      ],
      given.has('nodes') ? 'nodes' : 'seconds',
    );
    this.budget = h('input', {
      type: 'number',
      min: '0',
      max: '1000000000',
      step: 'any',
      value: given.get('nodes') ?? given.get('seconds') ?? (kind === 'play' ? '1' : '0.1'),
    });
    /** @type {[Field, FormInput][]} */
    this.options = room.options.map((option) => [option, optionInput(option, given.get(`o.${option.name}`))]);
    /** @type {HTMLSelectElement[]} */
    this.agents = [];
    this.minutes = h('input', { type: 'number', min: '0', max: '180', step: '1', value: '0', inputmode: 'numeric' });
    this.summary = h('p', { class: 'note' });
    this.playerCount = this.options.find(([option]) => option.name === room.seats_option)?.[1] ?? null;
    this.playerCount?.addEventListener('change', () => this.fillSeats());
    this.form = this.buildForm();
    this.chosenWords = h('span', { class: 'note' });
    this.element = this.folded();
    this.fillSeats();
  }

  folded() {
    const title = h('span', {}, t(this.kind === 'play' ? 'setup_play' : 'setup'));
    return h('details', { class: 'panel setup-panel' }, h('summary', {}, title, this.chosenWords), this.form);
  }

  /** @param {string} level */
  choose(level) {
    this.text = '';
    this.level.value = level;
  }

  // Set up what everybody gets on this day.
  today() {
    const { daily } = this.room;
    this.level.value = daily ? PREFIX + daily.date : '';
    this.text = '';
    if (!daily) this.seed.value = dateNumber();
    this.onstart();
  }

  // The puzzle of the day that is set up; null if it is another level.
  get puzzle() {
    const { daily } = this.room;
    return daily && !this.text && this.level.value === PREFIX + daily.date ? daily : null;
  }

  // The game of a day that is set up, and the agent one plays against; null if it is another game.
  get contest() {
    const date = this.room.contest ? dayOf(this) : '';
    const against = this.agents.map((input) => input.value).find((name) => name && name !== 'human') ?? '';
    return date ? { date, against } : null;
  }

  // The puzzle with a rating that is set up; null if it is another level.
  get practice() {
    const { practice } = this.room;
    return practice && !this.text && this.level.value === PUZZLE + practice.number ? practice : null;
  }

  buildForm() {
    const next = () => {
      this.nextSeed();
      this.onstart();
    };
    /** @type {HTMLFormElement} */
    const form = h(
      'form',
      {
        class: 'setup',
        onsubmit: (event) => {
          event.preventDefault();
          if (form.reportValidity()) this.onstart();
        },
      },
      field(t('level'), this.level),
      h('div', { class: 'pair' }, field(t('seed'), this.seed), button(t('next_seed'), { icon: 'plus', onclick: next })),
      this.playerCount ? field(t('players'), this.playerCount) : null,
      this.seats,
      this.summary,
      this.solo
        ? null
        : h('div', { class: 'pair' }, field(t('budget'), this.budget), field(t('budget_kind'), this.budgetKind)),
      this.optionBox(),
      h('button', { type: 'submit', class: 'button strong wide' }, t(this.kind === 'play' ? 'start_new' : 'start')),
      this.oninvite && !this.solo
        ? [
            button(t('invite'), { icon: 'link', label: true, kind: 'wide', onclick: this.oninvite }),
            field(t('invite_minutes'), this.minutes, t('invite_minutes_note')),
          ]
        : null,
    );
    return form;
  }

  optionBox() {
    const inBox = this.options.filter(([, input]) => input !== this.playerCount);
    if (!inBox.length) return null;
    return h(
      'details',
      { class: 'options' },
      h('summary', {}, t('options')),
      inBox.map(([option, input]) =>
        option.kind === 'switch'
          ? h(
              'label',
              { class: 'toggle', title: option.note },
              input,
              h('span', {}, option.title, option.note ? h('small', { class: 'note' }, ` ${option.note}`) : null),
            )
          : field(option.title, input, option.note),
      ),
    );
  }

  // The level after this one: the next of the list, or the next seed; null at the end of the list.
  next() {
    if (this.text) return null;
    if (this.level.value === '' && this.room.seeds) return () => this.nextSeed();
    const at = this.level.selectedIndex + 1;
    return at < this.level.options.length
      ? () => {
          this.level.selectedIndex = at;
        }
      : null;
  }

  // The agent after the one that plays, weakest first, and round again.
  nextAgent() {
    const [first] = this.agents;
    first.selectedIndex = (first.selectedIndex + 1) % first.options.length;
    this.explain();
  }

  nextSeed() {
    this.seed.value = String((Number(this.seed.value) || 0) + 1);
  }

  // What is on the board, in the closed form's heading.
  tell() {
    const level = this.level.selectedOptions[0]?.textContent ?? '';
    const names = this.agents.map((input) => (input.value === 'human' ? t('you') : input.value)).filter(Boolean);
    this.chosenWords.textContent = [
      this.level.value === '' && this.room.seeds ? `${t('seed')} ${this.seed.value}` : level,
      names.join(', '),
    ]
      .filter(Boolean)
      .join(' · ');
  }

  /**
   * A link that names something unknown is told so, and the usual is taken.
   * @param {string | null} name
   * @param {string[]} known
   * @param {string} words
   */
  warn(name, known, words) {
    if (name && !known.includes(name)) notice(t(words, { name, game: this.room.title }));
  }

  levels() {
    const { room } = this;
    /** @type {Choices} */
    const groups = [];
    if (this.text) groups.push([DRAWN, t('level_drawn')]);
    if (room.daily) groups.push([PREFIX + room.daily.date, t('daily_of', { date: room.daily.date })]);
    if (room.practice) groups.push([PUZZLE + room.practice.number, t('puzzle_n', { n: room.practice.number })]);
    if (room.seeds) groups.push(['', t('level_of_seed')]);
    if (room.levels.length) groups.push({ group: t('levels_shipped'), values: room.levels });
    for (const book of room.books) groups.push({ group: book.title, values: book.levels });
    if (room.own?.length)
      groups.push({ group: t('levels_own'), values: room.own.map((name) => [name, name.replace(/^own\//, '')]) });
    return groups;
  }

  fillSeats() {
    const { room } = this;
    const count = this.sideBySide ? 2 : this.solo ? 0 : Number(this.playerCount?.value) || room.seats;
    const before = this.agents.length ? this.agents.map((input) => input.value) : this.asked;
    this.agents = Array.from({ length: count }, (_, seat) => {
      const usual =
        seat === 0 ? (this.kind === 'play' ? 'human' : room.default_agent) : this.sideBySide ? '' : room.default_agent;
      return choice(this.agentNames(seat), before[seat] ?? usual, () => this.explain());
    });
    /** @param {number} seat */
    const title = (seat) =>
      this.sideBySide ? t(seat ? 'agent_beside' : 'agent') : count > 1 ? t('seat', { n: seat + 1 }) : t('agent');
    this.seats.replaceChildren(...this.agents.map((input, seat) => field(title(seat), input)));
    this.seats.hidden = count === 0;
    this.explain();
  }

  /** @param {number} seat */
  agentNames(seat) {
    const values = this.room.agents.map(({ name }) => [name, name]);
    const set = this.asked[seat]; // one with settings of its own, such as master:threads=2
    if (set?.includes(':') && values.some(([name]) => name === set.split(':')[0])) values.push([set, set]);
    if (this.kind === 'play') values.unshift(['human', t('human')]);
    if (this.sideBySide && seat > 0) values.unshift(['', t('nobody')]);
    return values;
  }

  explain() {
    const chosen = new Set(this.agents.map((input) => input.value.split(':')[0]));
    const found = this.room.agents.filter(({ name }) => chosen.has(name));
    this.summary.replaceChildren(
      ...found.map(({ name, summary }) =>
        h('span', { class: 'explained' }, h('b', {}, name), `${t('colon')}${summary} `),
      ),
    );
    this.summary.hidden = !found.length;
  }

  // One message for every board to be opened.
  settings() {
    const budget = Number(this.budget.value);
    const base = {
      game: this.room.name,
      level: this.level.value === DRAWN ? '' : (this.level.value ?? ''),
      text: this.text,
      seed: Math.max(0, Math.floor(Number(this.seed.value) || 0)),
      [this.budgetKind.value]: this.budgetKind.value === 'nodes' ? Math.floor(budget) : Math.min(60, budget),
      options: this.chosenOptions(),
    };
    const names = this.agents.map((input) => input.value);
    if (this.sideBySide) return names.filter(Boolean).map((name) => ({ ...base, agents: [name] }));
    return [{ ...base, agents: this.solo ? ['human'] : names }];
  }

  chosenOptions() {
    /** @type {Record<string, Value>} */
    const chosen = {};
    for (const [option, input] of this.options) {
      const value =
        option.kind === 'switch' ? isChecked(input) : option.kind === 'number' ? Number(input.value) : input.value;
      if (value !== option.default && !(input.value === '' && option.kind !== 'switch')) chosen[option.name] = value;
    }
    return chosen;
  }

  // The same as a link that can be shared.
  query({ text = this.text } = {}) {
    const query = new URLSearchParams();
    if (text) query.set('text', text);
    else if (this.level.value) query.set('level', this.level.value);
    query.set('seed', this.seed.value);
    const names = this.agents.map((input) => input.value).filter(Boolean);
    if (names.length) query.set('agents', names.join(','));
    if (!this.solo) query.set(this.budgetKind.value, this.budget.value);
    for (const [name, value] of Object.entries(this.chosenOptions())) query.set(`o.${name}`, String(value));
    return query.toString();
  }
}

const DRAWN = ' drawn';

// A seed for every day, the same for everybody: 20261115.
function dateNumber() {
  return new Date().toISOString().slice(0, 10).replaceAll('-', '');
}

/** @param {FormInput} input */
function isChecked(input) {
  return input instanceof HTMLInputElement && input.checked;
}

/**
 * @param {Field} option
 * @param {string | null} given
 */
function optionInput(option, given) {
  const value = given ?? option.default;
  if (option.kind === 'switch') return h('input', { type: 'checkbox', checked: value === true || value === 'true' });
  if (option.kind === 'choice')
    return choice(
      option.choices.map((one) => [one, said(String(one))]),
      value,
    );
  return h('input', {
    type: option.kind === 'number' ? 'number' : 'text',
    step: option.whole ? '1' : 'any',
    value: value === null || value === undefined ? '' : String(value),
  });
}
