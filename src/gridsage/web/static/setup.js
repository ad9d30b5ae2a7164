// The form that says which game to set up; it knows rooms only by their description.
import { button, choice, field, h, t } from './dom.js';

export class Setup {
  constructor(room, { side_by_side = false, people = false, onstart, start_words = t('start') }) {
    this.room = room;
    this.sideBySide = side_by_side;
    this.people = people;
    const given = new URLSearchParams(location.search);
    const agents = room.agents.map(({ name, summary }) => [name, name, summary]);
    const asked = (given.get('agents') ?? '').split(',').filter(Boolean);
    this.level = choice(this.levels(given), given.get('level') ?? (room.seeds && given.has('seed') ? '' : undefined), () => this.changed());
    this.seed = h('input', { type: 'number', min: '0', max: '9007199254740991', step: '1', value: given.get('seed') ?? '1', inputmode: 'numeric' });
    this.agents = Array.from({ length: side_by_side ? 2 : room.seats }, (_, seat) => this.agentChoice(agents, asked[seat] ?? (seat === 0 ? (people ? 'human' : room.default_agent) : side_by_side ? '' : room.default_agent), seat));
    this.budgetKind = choice([['seconds', t('budget_seconds')], ['nodes', t('budget_nodes')]], given.has('nodes') ? 'nodes' : 'seconds', () => this.changed());
    this.budget = h('input', { type: 'number', min: '0', max: '1000000000', step: 'any', value: given.get('nodes') ?? given.get('seconds') ?? '0.1' });
    this.options = room.options.map((option) => [option, optionInput(option, given.get(`o.${option.name}`))]);
    this.summary = h('p', { class: 'note' });
    const optionBox = this.options.length ? h('details', { class: 'options' }, h('summary', {}, t('options')), this.options.map(([option, input]) => (option.kind === 'switch' ? h('label', { class: 'toggle' }, input, h('span', {}, words(option.name))) : field(words(option.name), input)))) : null;
    const title = (seat) => (side_by_side ? t(seat ? 'agent_beside' : 'agent') : room.seats > 1 ? t('seat', { n: seat + 1 }) : t('agent'));
    this.form = h('form', { class: 'setup', onsubmit: (event) => { event.preventDefault(); if (this.form.reportValidity()) onstart(); } },
      field(t('level'), this.level),
      h('div', { class: 'pair' }, field(t('seed'), this.seed), button(t('next_seed'), { icon: 'plus', onclick: () => { this.seed.value = String((Number(this.seed.value) || 0) + 1); onstart(); } })),
      this.agents.map((input, seat) => field(title(seat), input)),
      this.summary,
      h('div', { class: 'pair' }, field(t('budget'), this.budget), field(t('budget_kind'), this.budgetKind)),
      optionBox,
      h('button', { type: 'submit', class: 'button strong wide' }, start_words));
    this.element = h('details', { class: 'panel setup-panel', open: innerWidth >= 900 }, h('summary', {}, t('setup')), this.form);
    this.changed();
  }

  levels() {
    const { room } = this;
    const groups = [];
    if (room.seeds) groups.push(['', t('level_of_seed')]);
    if (room.levels.length) groups.push({ group: t('levels_shipped'), values: room.levels });
    if (room.own?.length) groups.push({ group: t('levels_own'), values: room.own.map((name) => [name, name.replace(/^own\//, '')]) });
    return groups;
  }

  agentChoice(agents, chosen, seat) {
    const values = agents.map(([name]) => [name, name]);
    if (this.people) values.unshift(['human', t('human')]);
    if (this.sideBySide && seat > 0) values.unshift(['', t('nobody')]);
    return choice(values, chosen, () => this.changed());
  }

  changed() {
    const chosen = this.room.agents.find(({ name }) => name === this.agents[0].value);
    this.summary.textContent = chosen ? chosen.summary : '';
    this.summary.hidden = !chosen;
  }

  // One message for every board to be opened.
  settings() {
    const budget = Number(this.budget.value);
    const base = {
      game: this.room.name,
      level: this.level.value ?? '',
      seed: Math.max(0, Math.floor(Number(this.seed.value) || 0)),
      [this.budgetKind.value]: this.budgetKind.value === 'nodes' ? Math.floor(budget) : Math.min(60, budget),
      options: this.chosenOptions(),
    };
    const names = this.agents.map((input) => input.value);
    if (this.sideBySide) return names.filter(Boolean).map((name) => ({ ...base, agents: [name] }));
    return [{ ...base, agents: names }];
  }

  chosenOptions() {
    const chosen = {};
    for (const [option, input] of this.options) {
      const value = option.kind === 'switch' ? input.checked : option.kind === 'number' ? Number(input.value) : input.value;
      if (value !== option.default && !(input.value === '' && option.kind !== 'switch')) chosen[option.name] = value;
    }
    return chosen;
  }

  // The same as a link that can be shared.
  query() {
    const query = new URLSearchParams();
    if (this.level.value) query.set('level', this.level.value);
    query.set('seed', this.seed.value);
    query.set('agents', this.agents.map((input) => input.value).filter(Boolean).join(','));
    query.set(this.budgetKind.value, this.budget.value);
    for (const [name, value] of Object.entries(this.chosenOptions())) query.set(`o.${name}`, String(value));
    return query.toString();
  }
}

function words(name) {
  return name.replaceAll('_', ' ');
}

function optionInput(option, given) {
  const value = given ?? option.default;
  if (option.kind === 'switch') return h('input', { type: 'checkbox', checked: value === true || value === 'true' });
  if (option.kind === 'choice') return choice(option.choices, value);
  return h('input', { type: option.kind === 'number' ? 'number' : 'text', step: option.whole ? '1' : 'any', value: value === null || value === undefined ? '' : String(value) });
}
