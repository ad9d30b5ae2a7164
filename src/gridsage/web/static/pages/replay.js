// A stored game again, played from its trace and checked on the way; a second one can run beside it.
import { Transport, View } from '../player.js';
import {
  boardTheme,
  button,
  choice,
  copyLink,
  fetchJson,
  field,
  h,
  notice,
  number,
  reasonWords,
  scoreWords,
  t,
} from '../dom.js';

const AHEAD = 3000; // frames kept beyond the moment shown, as everywhere

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { id, embed }) {
  const given = new URLSearchParams(location.search);
  const start = moment(given.get('t'));
  const beside = /^[0-9a-f]{4,32}$/.test(given.get('beside') ?? '') ? given.get('beside') : '';
  const ids = beside ? [id, beside] : [id];
  const views = ids.map(() => new View({ ahead: Math.max(AHEAD, start ?? 0) }));
  /** @param {number} pos */
  const address = (pos) => `/replay/${encodeURIComponent(id)}?${beside ? `beside=${beside}&` : ''}t=${pos}`;
  const transport = new Transport(views, {
    start: start ?? 0,
    autoplay: start === null,
    onmove: (pos) => {
      if (!transport.playing) history.replaceState(null, '', address(pos));
    },
  });
  const cards = views.map((view, i) => new Card(view, ids[i]));
  const copy = button(t('copy_link'), { icon: 'link', label: true, onclick: () => copyLink(address(transport.pos)) });
  const title = h('h1', { class: 'small' }, t('replay_title'));
  main.append(
    h(
      'div',
      { class: 'left' },
      title,
      h(
        'div',
        { class: `stages ${beside ? 'two' : ''}` },
        views.map((view) => view.stage),
      ),
      transport.controls,
    ),
    h(
      'aside',
      { class: 'right', 'aria-label': t('state') },
      h('div', { class: 'row' }, copy),
      handouts(id, embed, () => transport.pos),
      cards.flatMap((card, i) => [card.element, views[i].panel]),
      transport.overlays,
    ),
  );
  views[0].listeners.push((message) => {
    if (message.m === 'hello') {
      title.textContent = t('replay_of', { game: message.title });
      document.title = `${t('replay_of', { game: message.title })} · gridsage`;
    } else if (message.m === 'end' && start !== null && start > transport.length - 1)
      notice(t('moment_beyond', { t: number(start), n: number(transport.length - 1) }), 'good');
  });
  views.forEach((view, i) => view.open({ m: 'replay', id: ids[i] }));
  window.gridsage = { transport, views };
  return () => transport.destroy();
}

/**
 * The game for people elsewhere: files to take along, and a line for the page of another site.
 * @param {string} id
 * @param {string} embed
 * @param {() => number} now the moment that is shown
 */
export function handouts(id, embed, now) {
  /**
   * @param {string} form
   * @param {string} words
   * @param {boolean} [still]
   */
  const file = (form, words, still = false) => {
    const path = `/api/traces/${encodeURIComponent(id)}/file/${form}`;
    const link = h('a', { class: 'button small', href: path, download: '' }, words);
    // A picture looks as the board does now, with what is shown of the agent's thoughts.
    link.addEventListener('click', () => {
      const shown = ['path', 'heat'].some((name) => localStorage.getItem(`gridsage-${name}`) !== 'off');
      const query = new URLSearchParams({ theme: boardTheme(), thoughts: String(shown) });
      if (still) query.set('step', String(now()));
      if (form !== 'html') link.href = `${path}?${query}`;
    });
    return link;
  };
  const frame = () => {
    const words = `<iframe src="${location.origin}${embed}" width="960" height="640" sandbox="allow-scripts"></iframe>`;
    const copied = navigator.clipboard?.writeText(words) ?? Promise.reject(new Error('no clipboard'));
    void copied.then(
      () => notice(t('embed_copied'), 'good'),
      () => notice(words, 'good'),
    );
  };
  return h(
    'section',
    { class: 'panel handouts', 'aria-labelledby': 'handouts-title' },
    h('h2', { id: 'handouts-title' }, t('handouts')),
    h(
      'div',
      { class: 'row' },
      file('html', t('file_html')),
      file('gif', t('file_gif')),
      file('png', t('file_png'), true),
      button(t('embed'), { icon: 'link', label: true, kind: 'small', onclick: frame }),
    ),
    h('p', { class: 'note' }, t('handouts_note')),
  );
}

/**
 * The moment an address means; nonsense and what was before the beginning are the beginning, none at all is null.
 * @param {string | null} text
 */
function moment(text) {
  if (text === null) return null;
  const value = Math.floor(Number(text.trim() || NaN));
  return Number.isFinite(value) && value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0;
}

/**
 * What is known about a game, as pairs of words.
 * @param {Hello} hello
 */
export function aboutGame(hello) {
  const options = Object.entries(hello.options ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
  /** @param {string} name */
  const called = (name) => (name === 'human' ? t('human') : name);
  const budget = (hello.budgets ?? []).map(
    (spent) =>
      [
        spent.nodes !== null && spent.nodes !== undefined ? t('nodes_value', { n: number(spent.nodes) }) : '',
        spent.seconds !== null && spent.seconds !== undefined ? `${number(spent.seconds)} s` : '',
      ]
        .filter(Boolean)
        .join(', ') || t('no_limit'),
  );
  const { players = [], outcome = { reason: '', scores: [], winner: null } } = hello;
  const won =
    outcome.winner === null || outcome.winner === undefined
      ? ''
      : players.length > 1
        ? `, ${t('winner', { name: players[outcome.winner] ?? '' })}`
        : '';
  return [
    [
      t(players.length > 1 ? 'agents' : 'agent'),
      players.map((name, seat) => (players.length > 1 ? `${seat + 1}: ${called(name)}` : called(name))).join(', '),
    ],
    [t('level'), hello.level],
    [t('seed'), String(hello.seed)],
    [t('budget'), [...new Set(budget)].join(' – ')],
    ...(options ? [[t('options'), options]] : []),
    [t('outcome'), `${reasonWords(outcome.reason)}${won}`],
    [t('scores_head'), scoreWords(outcome.scores ?? []) || '–'],
    [t('steps_head'), number(hello.total ?? 0)],
  ];
}

// Who played what, how it ended, whether it holds, and where to go from here.
class Card {
  /**
   * @param {View} view
   * @param {string} id
   */
  constructor(view, id) {
    this.id = id;
    this.mark = h('p', { class: 'mark', role: 'status' }, t('mark_checking'));
    this.about = h('dl', { class: 'status about' });
    this.links = h('div', { class: 'row' });
    this.element = h('section', { class: 'panel', 'aria-label': t('about_game') }, this.mark, this.about, this.links);
    view.listeners.push((message) => {
      if (message.m === 'hello') this.greet(message);
      else if (message.m === 'end') this.judge(message, view.recording.length - 1);
      else if (message.m === 'error') this.mark.textContent = '';
    });
  }

  /** @param {Hello} hello */
  greet(hello) {
    const rows = aboutGame(hello);
    this.about.replaceChildren(...rows.flatMap(([name, words]) => [h('dt', {}, name), h('dd', {}, words)]));
    this.offer(hello);
  }

  /**
   * @param {End} end
   * @param {number} steps
   */
  judge(end, steps) {
    this.mark.className = `mark ${end.verified ? 'good' : 'bad'}`;
    this.mark.textContent = end.verified
      ? `✓ ${t('verified', { n: steps })}`
      : `✗ ${t('not_verified', { text: end.mismatch })}`;
  }

  /** @param {Hello} hello */
  async offer(hello) {
    const query = new URLSearchParams({ ...hello.where, seed: String(hello.seed) });
    for (const [name, value] of Object.entries(hello.options ?? {})) query.set(`o.${name}`, String(value));
    const game = encodeURIComponent(hello.game);
    const save = h(
      'a',
      { class: 'button', href: `/api/traces/${encodeURIComponent(this.id)}`, download: '' },
      t('download'),
    );
    const log = h(
      'a',
      { class: 'button', href: `/api/traces/${encodeURIComponent(this.id)}/log`, target: '_blank' },
      t('agents_log'),
    );
    const play = h('a', { class: 'button', href: `/play/${game}?${query}` }, t('play_level'));
    this.links.replaceChildren(play, save, log);
    try {
      const room = await fetchJson(`/api/room/${game}`);
      /** @type {string[]} */
      const names = (room.agents ?? []).map((/** @type {AgentEntry} */ { name }) => name);
      const players = hello.players ?? [];
      if (!names.length) return;
      const [spent] = hello.budgets ?? [];
      if (spent?.nodes !== null && spent?.nodes !== undefined) query.set('nodes', String(spent.nodes));
      else if (spent?.seconds) query.set('seconds', String(spent.seconds));
      /** @param {string} player */
      const bare = (player) => player.split(':')[0];
      const pick = choice(names, names.includes(bare(players[0])) ? bare(players[0]) : room.default_agent);
      const others = players
        .slice(1)
        .map((player) => (names.includes(bare(player)) ? bare(player) : room.default_agent));
      const go = h('a', { class: 'button' }, t('watch_again'));
      const aim = () => {
        query.set('agents', [pick.value, ...others].join(','));
        go.href = `/watch/${game}?${query}`;
      };
      pick.addEventListener('change', aim);
      aim();
      this.links.after(h('div', { class: 'pair again' }, field(t('watch_with'), pick), go));
    } catch {
      // The game plays; only the choice of another agent is missing.
    }
  }
}
