// Stored games: filter, open, bring in a trace file.
import { button, choice, fetchJson, field, h, notice, number, say, t } from '../dom.js';

const MOST = 300;

export async function build(main, { rooms }) {
  const given = new URLSearchParams(location.search);
  const game = choice([['', t('all_games')], ...rooms.map((room) => [room.name, room.title])], given.get('game') ?? '', load);
  const agent = h('input', { type: 'search', value: given.get('agent') ?? '', placeholder: t('any'), onchange: load });
  const outcome = h('input', { type: 'search', value: given.get('outcome') ?? '', placeholder: t('any'), onchange: load });
  const file = h('input', { type: 'file', accept: '.trace,.json,.gz', class: 'only-heard', id: 'trace-file', tabindex: '-1', 'aria-label': t('open_trace'), onchange: () => { if (file.files[0]) upload(file.files[0]); file.value = ''; } });
  const body = h('tbody');
  const count = h('p', { class: 'note', role: 'status' });
  const table = h('table', { class: 'list' },
    h('thead', {}, h('tr', {}, [t('game'), t('level'), t('seed'), t('agents'), t('outcome'), t('steps_head'), t('time'), t('stored')].map((words) => h('th', { scope: 'col' }, words)))), body);
  main.append(
    h('h1', {}, t('replays_title')),
    h('form', { class: 'filters', onsubmit: (event) => { event.preventDefault(); load(); } }, field(t('game'), game), field(t('agent'), agent), field(t('outcome'), outcome),
      h('div', { class: 'field' }, button(t('open_trace'), { icon: 'up', label: true, onclick: () => file.click() }), file)),
    count,
    h('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': t('replays_title') }, table));
  main.addEventListener('dragover', (event) => event.preventDefault());
  main.addEventListener('drop', (event) => { event.preventDefault(); if (event.dataTransfer.files[0]) upload(event.dataTransfer.files[0]); });

  async function load() {
    const query = new URLSearchParams();
    for (const [name, input] of [['game', game], ['agent', agent], ['outcome', outcome]]) if (input.value) query.set(name, input.value);
    for (const name of ['level', 'agents', 'budget']) if (given.has(name)) query.set(name, given.get(name));
    history.replaceState(null, '', query.size ? `?${query}` : location.pathname);
    query.set('limit', MOST);
    try {
      const { rows, warnings } = await fetchJson(`/api/traces?${query}`);
      body.replaceChildren(...rows.map(line));
      count.textContent = rows.length ? t(rows.length === MOST ? 'rows_many' : 'rows', { n: rows.length }) : t('rows_none');
      table.hidden = rows.length === 0;
      warnings.forEach((warning) => notice(warning));
    } catch (error) {
      notice(error.message);
    }
  }

  function line(row) {
    const when = new Date(row.stored * 1000).toISOString().slice(0, 16).replace('T', ' ');
    const cells = [
      h('a', { href: `/replay/${row.trace}` }, rooms.find((room) => room.name === row.game)?.title ?? row.game),
      row.level, String(row.seed), row.agents.join(', '), h('span', { class: row.winner === 0 ? 'won' : '' }, row.outcome), number(row.steps), `${number(row.seconds)} s`, when,
    ];
    return h('tr', {}, cells.map((cell) => h('td', {}, cell)));
  }

  async function upload(chosen) {
    say(t('checking', { name: chosen.name }));
    try {
      const data = await fetchJson('/api/traces', { method: 'POST', body: chosen, headers: { 'x-file-name': encodeURIComponent(chosen.name) } });
      location.href = `/replay/${data.id}`;
    } catch (error) {
      notice(error.message);
    }
  }
  await load();
}
