// All games: a small picture that plays, what it is, and where to go.
import { View } from '../player.js';
import { fetchJson, h, t } from '../dom.js';

const STEP_MS = 330;

export function build(main, { rooms }) {
  const leaving = [];
  main.append(h('section', { class: 'intro' }, h('h1', {}, t('gallery_title')), h('p', {}, t('gallery_text'))));
  if (!rooms.length) main.append(h('p', { class: 'empty' }, t('gallery_empty')));
  const list = h('ul', { class: 'cards' });
  main.append(list);
  const pictures = [];
  for (const room of rooms.filter(({ variant_of }) => !rooms.some(({ name }) => name === variant_of))) {
    const variants = rooms.filter(({ variant_of, missing }) => variant_of === room.name && !missing);
    const view = room.missing ? null : new View();
    if (view) {
      view.board.most = 40;
      view.board.boxed = true;
      view.canvas.tabIndex = -1;
      pictures.push([room, view]);
      leaving.push(() => view.destroy());
    }
    const facts = [room.seats > 1 ? t('seats', { n: room.seats }) : null, room.levels ? t('levels_count', { n: room.levels }) : null, room.agents?.length ? t('agents_count', { n: room.agents.length }) : null].filter(Boolean);
    list.append(h('li', { class: `card ${room.missing ? 'lacking' : ''}` },
      h('div', { class: 'picture' }, view ? view.stage : h('p', { class: 'lack' }, room.missing)),
      h('div', { class: 'words' },
        h('h2', {}, room.title),
        h('p', {}, room.summary),
        facts.length ? h('p', { class: 'facts' }, facts.join(' · ')) : null,
        room.missing ? null : h('p', { class: 'actions' },
          h('a', { class: 'button strong', href: `/watch/${room.name}`, 'aria-label': t('watch_game', { game: room.title }) }, t('watch')),
          h('a', { class: 'button', href: `/play/${room.name}`, 'aria-label': t('play_game', { game: room.title }) }, t('play_it')),
          h('a', { class: 'button', href: `/edit/${room.name}`, 'aria-label': t('levels_of', { game: room.title }) }, t('levels'))),
        variants.map((variant) => h('p', { class: 'facts' }, h('a', { href: `/play/${variant.name}` }, variant.title), ` — ${variant.summary}`)))));
  }
  fill(pictures, leaving);
  return () => leaving.forEach((leave) => leave());
}

// One after the other: the server has better things to do than to draw all pictures at once.
async function fill(pictures, leaving) {
  for (const [room, view] of pictures) {
    try {
      const { hello, frames } = await fetchJson(`/api/preview/${room.name}`);
      view.hear(hello);
      frames.forEach((frame) => view.recording.add(frame));
      view.canvas.setAttribute('aria-label', t('preview_of', { game: room.title }));
      let pos = 0;
      view.show(0, STEP_MS);
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (still || frames.length < 2) continue;
      const clock = setInterval(() => {
        if (document.hidden) return;
        pos = pos >= frames.length + 4 ? 0 : pos + 1; // a rest at the end
        view.show(pos, STEP_MS);
        view.canvas.setAttribute('aria-label', t('preview_of', { game: room.title }));
      }, STEP_MS);
      leaving.push(() => clearInterval(clock));
    } catch (error) {
      view.setBadge(error.message, 'problem');
    }
  }
}
