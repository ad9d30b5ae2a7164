// Games for two: who scored what against whom, and what that is worth in Elo.
import { h, listTable, number, t } from './dom.js';
import { percent, whiskers } from './plots.js';

/**
 * Elo with its interval in words; a clean sweep has no number, but it has a bound.
 * @param {Pick<Match, 'elo' | 'score' | 'pairs'> & { sweep?: boolean }} given
 */
export function eloWords({ elo, score, pairs, sweep = score.value === 0 || score.value === 1 }) {
  if (!pairs) return t('elo_none');
  /**
   * @param {number} value
   * @param {string} infinite
   */
  const sign = (value, infinite) => (value === null ? infinite : `${value > 0 ? '+' : ''}${number(Math.round(value))}`);
  const value = sign(elo.value, score.value < 0.5 ? '−∞' : '+∞');
  return [
    value,
    h(
      'span',
      { class: 'note reach-words' },
      ` [${sign(elo.low, '−∞')}, ${sign(elo.high, '+∞')}]`,
      sweep ? ` ${t('elo_sweep')}` : '',
    ),
  ];
}

/**
 * @param {string} game
 * @param {Match} match
 * @param {string} agent
 * @param {string} opponent
 */
export function gamesOf(game, match, agent, opponent) {
  return `/replays?${new URLSearchParams({ game, agent, opponent, budget: match.budget, rules: match.rules })}`;
}

/**
 * All matches of one budget and one set of rules as a table of everybody against everybody.
 * @param {string} game
 * @param {Match[]} matches
 */
export function crosstables(game, matches) {
  const kinds = new Map();
  for (const match of matches) {
    const key = `${match.budget} · ${match.rules}`;
    if (!kinds.has(key)) kinds.set(key, []);
    kinds.get(key).push(match);
  }
  return [...kinds].map(([key, found]) => crosstable(game, key, found));
}

/**
 * @param {string} game
 * @param {string} title
 * @param {Match[]} matches
 */
function crosstable(game, title, matches) {
  /** @type {Map<string, [points: number, match: Match]>} */
  const score = new Map();
  for (const match of matches) {
    score.set(`${match.first}|${match.second}`, [match.wins + match.draws / 2, match]);
    score.set(`${match.second}|${match.first}`, [match.losses + match.draws / 2, match]);
  }
  const names = [...new Set(matches.flatMap((match) => [match.first, match.second]))];
  const totals = new Map(
    names.map((name) => {
      const own = names.map((other) => score.get(`${name}|${other}`)).filter((found) => found !== undefined);
      const points = own.reduce((sum, [won]) => sum + won, 0);
      return [name, { points, games: own.reduce((sum, [, match]) => sum + match.games, 0) }];
    }),
  );
  /** @param {string} name */
  const total = (name) => totals.get(name) ?? { points: 0, games: 1 };
  /** @param {string} name */
  const rate = (name) => total(name).points / total(name).games;
  names.sort((a, b) => rate(b) - rate(a));
  /** @param {string} name */
  const named = (name) => h('span', { class: 'named' }, name);
  return listTable({
    label: `${t('cross_title')} ${title}`,
    kind: 'dense heat',
    caption: title,
    heads: [
      t('cross_against'),
      ...names.map((name) => h('th', { scope: 'col', title: name }, named(name))),
      t('cross_all'),
    ],
    rows: names.map((row) => [
      h('th', { scope: 'row', title: row }, named(row)),
      ...names.map((column) => crossCell(game, row, column, score.get(`${row}|${column}`))),
      [percent(rate(row)), h('span', { class: 'note' }, ` ${total(row).points}/${total(row).games}`)],
    ]),
  });
}

/**
 * @param {string} game
 * @param {string} row
 * @param {string} column
 * @param {[points: number, match: Match] | undefined} found
 */
function crossCell(game, row, column, found) {
  if (!found) return h('td', { class: 'same' }, row === column ? '·' : '–');
  const [points, match] = found;
  const link = h(
    'a',
    {
      href: gamesOf(game, match, row, column),
      'aria-label': t('cross_cell', { rate: percent(points / match.games), row, column, points, n: match.games }),
    },
    percent(points / match.games),
    h('span', { class: 'note' }, ` ${points}/${match.games}`),
  );
  const td = h('td', { class: 'heat-cell' }, link);
  td.style.setProperty('--rate', String(points / match.games));
  return td;
}

const MATCH_HEADS = [
  'match_of',
  'column_budget',
  'column_rules',
  'column_episodes',
  'match_balance',
  'match_score',
  'match_elo',
  'match_first',
  'match_sprt',
];

/**
 * @param {string} game
 * @param {Match[]} matches
 */
export function matchTable(game, matches) {
  /** @param {Interval} given */
  const rate = ({ value, low, high }) => [
    percent(value),
    h('span', { class: 'note reach-words' }, ` [${percent(low)}, ${percent(high)}]`),
  ];
  /** @param {Match} match */
  const line = (match) => [
    h('span', { class: 'named' }, `${match.first} – ${match.second}`),
    match.budget,
    match.rules,
    h(
      'a',
      {
        href: gamesOf(game, match, match.first, match.second),
        'aria-label': t('open_games', { n: match.games, agents: `${match.first} – ${match.second}` }),
      },
      number(match.games),
    ),
    `${match.wins} / ${match.draws} / ${match.losses}`,
    rate(match.score),
    [eloWords(match), h('span', { class: 'note reach-words' }, ` ${t('elo_pairs', { n: match.pairs })}`)],
    rate(match.moving_first),
    t(`sprt_${match.sprt.replaceAll(' ', '_')}`),
  ];
  const heads = MATCH_HEADS.map((name) => t(name));
  return listTable({ label: t('match_title'), kind: 'lines', heads, rows: matches.map(line) });
}

/**
 * @param {Match[]} matches
 * @param {(match: Match) => string} hrefOf
 */
export function matchPlot(matches, hrefOf) {
  const lines = matches.map((match) => ({
    ...match.score,
    agents: `${match.first} – ${match.second}`,
    budget: match.budget,
    match,
  }));
  return whiskers(t('plot_match'), lines, { hrefOf: ({ match }) => (match ? hrefOf(match) : '') });
}
