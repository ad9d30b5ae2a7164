// A stored game again, played from its trace and checked on the way.
import { Transport, View } from '../player.js';
import { button, h, notice, t } from '../dom.js';

export function build(main, { id }) {
  const view = new View();
  const start = Number(new URLSearchParams(location.search).get('t')) || 0;
  const transport = new Transport([view], { start, autoplay: !location.search.includes('t='), onmove: (pos) => { if (!transport.playing) history.replaceState(null, '', `?t=${pos}`); } });
  const mark = h('p', { class: 'mark', hidden: true });
  const about = h('dl', { class: 'status about' });
  const link = () => `${location.origin}/replay/${id}?t=${transport.pos}`;
  main.append(
    h('div', { class: 'left' }, h('h1', { class: 'small' }, t('replay_title')), h('div', { class: 'stages' }, view.stage), transport.controls),
    h('aside', { class: 'right', 'aria-label': t('state') }, h('section', { class: 'panel' }, mark, about,
      h('div', { class: 'row' },
        button(t('copy_link'), { icon: 'link', label: true, onclick: () => navigator.clipboard.writeText(link()).then(() => notice(t('copied'), 'good'), () => notice(link(), 'good')) }),
        h('a', { class: 'button', href: `/api/traces/${id}`, download: '' }, t('download')))), view.panel, transport.overlays));
  view.listeners.push((message) => {
    if (message.m === 'hello') {
      document.querySelector('h1').textContent = t('replay_of', { game: message.title });
      const options = Object.entries(message.options ?? {}).map(([name, value]) => `${name}=${value}`).join(', ');
      const rows = [[t('level'), message.level], [t('seed'), String(message.seed)], [t('agents'), message.players.join(', ')], ...(options ? [[t('options'), options]] : [])];
      about.replaceChildren(...rows.flatMap(([name, words]) => [h('dt', {}, name), h('dd', {}, words)]));
    } else if (message.m === 'end') {
      mark.hidden = false;
      mark.className = `mark ${message.verified ? 'good' : 'bad'}`;
      mark.textContent = message.verified ? t('verified', { n: view.recording.length - 1 }) : t('not_verified', { text: message.mismatch });
    }
  });
  view.open({ m: 'replay', id });
  window.gridsage = { transport, views: [view] };
  return () => transport.destroy();
}
