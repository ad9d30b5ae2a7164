// All games: a small picture that plays, what it is, and where to go.
import { View } from '../player.js';
import { fetchJson, h, t } from '../dom.js';

const STEP_MS = 330;
const REST = 5; // steps at the end before it begins again

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { rooms }) {
  /** @type {(() => void)[]} */
  const leaving = [];
  main.append(h('section', { class: 'intro' }, h('h1', {}, t('gallery_title')), h('p', {}, t('gallery_text'))));
  if (!rooms.length) main.append(h('p', { class: 'empty' }, t('gallery_empty')));
  const list = h('ul', { class: 'cards' });
  main.append(list);
  /** @type {[RoomCard, View][]} */
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
    const facts = [
      room.seats > 1 ? t('seats', { n: room.seats }) : null,
      room.levels ? t('levels_count', { n: room.levels }) : null,
      room.agents?.length ? t('agents_count', { n: room.agents.length }) : null,
    ].filter(Boolean);
    list.append(
      h(
        'li',
        { class: `card ${room.missing ? 'lacking' : ''}` },
        h('div', { class: 'picture' }, view ? view.stage : h('p', { class: 'lack' }, room.missing)),
        h(
          'div',
          { class: 'words' },
          h('h2', {}, room.title),
          h('p', {}, room.summary),
          facts.length
            ? h(
                'p',
                { class: 'facts' },
                facts.join(' · '),
                variants.map((variant) => [' · ', variantLink(variant, room)]),
              )
            : null,
          room.missing
            ? null
            : h(
                'p',
                { class: 'actions' },
                room.guide
                  ? h(
                      'a',
                      {
                        class: 'button strong',
                        href: `/learn/${room.name}`,
                        'aria-label': t('learn_game', { game: room.title }),
                      },
                      t('learn'),
                    )
                  : null,
                h(
                  'a',
                  {
                    class: `button ${room.guide ? '' : 'strong'}`,
                    href: `/watch/${room.name}`,
                    'aria-label': t('watch_game', { game: room.title }),
                  },
                  t('watch'),
                ),
                h(
                  'a',
                  { class: 'button', href: `/play/${room.name}`, 'aria-label': t('play_game', { game: room.title }) },
                  t('play_it'),
                ),
                h(
                  'a',
                  { class: 'button', href: `/edit/${room.name}`, 'aria-label': t('levels_of', { game: room.title }) },
                  t('levels'),
                ),
              ),
        ),
      ),
    );
  }
  const gone = { left: false };
  leaving.push(() => {
    gone.left = true;
  });
  fill(pictures, leaving, gone);
  return () => leaving.forEach((leave) => leave());
}

/**
 * @param {RoomCard} variant
 * @param {RoomCard} room
 */
function variantLink(variant, room) {
  const about = { title: variant.summary, 'aria-label': t('play_game', { game: variant.title }) };
  return h('a', { href: `/play/${variant.name}`, ...about }, shortTitle(variant.title, room.title));
}

/**
 * "Ricochet Robots, in rounds" beside "Ricochet Robots" is "In rounds".
 * @param {string} title
 * @param {string} parent
 */
function shortTitle(title, parent) {
  const rest = title.startsWith(`${parent}, `) ? title.slice(parent.length + 2) : title;
  return rest[0].toUpperCase() + rest.slice(1);
}

/**
 * First every game's first position, which is there at once; then the moving pictures. One question each: a page that asks
 * for every card by itself is slow to come.
 * @param {[RoomCard, View][]} pictures
 * @param {(() => void)[]} leaving
 * @param {{ left: boolean }} gone
 */
async function fill(pictures, leaving, gone) {
  const lacking = await showAll(pictures, '&still=true', leaving);
  if (!lacking.length || gone.left) return;
  const without = await showAll(lacking, '', leaving);
  for (const [, view] of without) if (!gone.left) view.setBadge(t('preview_none'), 'problem');
}

/**
 * Show what comes; return those that are not moving yet.
 * @param {[RoomCard, View][]} pictures
 * @param {string} which
 * @param {(() => void)[]} leaving
 */
async function showAll(pictures, which, leaving) {
  /** @type {Record<string, Film & { still: boolean }>} */
  let found = {};
  try {
    found = await fetchJson(`/api/previews?games=${pictures.map(([room]) => room.name).join(',')}${which}`);
  } catch {
    return pictures; // asked for again, or said to be missing
  }
  return pictures.filter(([room, view]) => !found[room.name] || !show(room, view, found[room.name], leaving));
}

/**
 * Show a picture; return true if it is the moving one.
 * @param {RoomCard} room
 * @param {View} view
 * @param {Film & { still: boolean }} picture
 * @param {(() => void)[]} leaving
 */
function show(room, view, { hello, frames, still }, leaving) {
  view.hear(hello);
  frames.forEach((frame) => view.recording.add(frame));
  const label = () => view.canvas.setAttribute('aria-label', t('preview_of', { game: room.title }));
  let pos = 0;
  view.shownKey = '';
  view.show(0, STEP_MS);
  label();
  view.canvas.dataset.moving = String(!still);
  if (still || frames.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches) return !still;
  const clock = setInterval(() => {
    if (document.hidden) return;
    pos = pos >= frames.length + REST ? 0 : pos + 1;
    view.show(pos, STEP_MS);
    label();
  }, STEP_MS);
  leaving.push(() => clearInterval(clock));
  return true;
}
