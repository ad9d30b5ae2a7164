// All games: a small picture that plays, what it is, and where to go.
import { View } from '../player.js';
import { fetchJson, h, t, watchingWords } from '../dom.js';

const STEP_MS = 330;
const PAUSE_MS = 3000;
const MOST_ROUNDS = 40; // of asking for pictures that are still being made, some seconds each
const REST = 5; // steps at the end before it begins again

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { rooms, running }) {
  /** @type {(() => void)[]} */
  const leaving = [];
  main.append(h('section', { class: 'intro' }, h('h1', {}, t('gallery_title')), h('p', {}, t('gallery_text'))));
  if (!rooms.length) main.append(h('p', { class: 'empty' }, t('gallery_empty')));
  if (running.length) main.append(runningNow(running, rooms));
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
    list.append(card(room, variants, view));
  }
  const gone = { left: false };
  leaving.push(() => {
    gone.left = true;
  });
  fill(pictures, leaving, gone);
  return () => leaving.forEach((leave) => leave());
}

/**
 * Games that people chose to show to everybody.
 * @param {Config['running']} running
 * @param {RoomCard[]} rooms
 */
function runningNow(running, rooms) {
  return h(
    'section',
    { class: 'panel running', 'aria-labelledby': 'running-title' },
    h('h2', { id: 'running-title' }, t('running_now')),
    h(
      'ul',
      {},
      running.map(({ id, kind, game, players, watching }) => {
        const title = rooms.find(({ name }) => name === game)?.title ?? game;
        const words = t(kind === 'bench' ? 'running_bench' : 'running_game', {
          game: title,
          players: players.join(', '),
        });
        const href = `/${kind === 'table' ? 'table' : 'live'}/${id}`;
        return h('li', {}, h('a', { href }, words), ` · ${watchingWords(watching)}`);
      }),
    ),
  );
}

/**
 * @param {RoomCard} room
 * @param {RoomCard[]} variants
 * @param {View | null} view
 */
function card(room, variants, view) {
  const facts = [
    room.seats > 1 ? t('seats', { n: room.seats }) : null,
    room.levels ? t('levels_count', { n: room.levels }) : null,
    room.agents?.length ? t('agents_count', { n: room.agents.length }) : null,
  ].filter(Boolean);
  const links = variants.map((variant) => [' · ', variantLink(variant, room)]);
  return h(
    'li',
    { class: `card ${room.missing ? 'lacking' : ''}` },
    h('div', { class: 'picture' }, view ? view.stage : h('p', { class: 'lack' }, room.missing)),
    h(
      'div',
      { class: 'words' },
      h('h2', {}, room.title),
      h('p', {}, room.summary),
      facts.length ? h('p', { class: 'facts' }, facts.join(' · '), links) : null,
      room.missing ? null : actions(room),
    ),
  );
}

/** @param {RoomCard} room */
function actions(room) {
  /** @type {[page: string, words: string, heard: string][]} */
  const pages = [
    ['watch', t('watch'), 'watch_game'],
    ['play', t('play_it'), 'play_game'],
    ['edit', t('levels'), 'levels_of'],
  ];
  if (room.guide) pages.unshift(['learn', t('learn'), 'learn_game']);
  return h(
    'p',
    { class: 'actions' },
    pages.map(([page, words, heard], i) =>
      h(
        'a',
        {
          class: i ? 'button' : 'button strong',
          href: `/${page}/${room.name}`,
          'aria-label': t(heard, { game: room.title }),
        },
        words,
      ),
    ),
  );
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
 * "Draughts, in rounds" beside "Draughts" is "In rounds".
 * @param {string} title
 * @param {string} parent
 */
function shortTitle(title, parent) {
  const rest = title.startsWith(`${parent}, `) ? title.slice(parent.length + 2) : title;
  return rest[0].toUpperCase() + rest.slice(1);
}

/**
 * First every game's first position, which is there at once; then the moving pictures. All of them are asked for together,
 * and an answer holds what is there after a moment.
 * @param {[RoomCard, View][]} pictures
 * @param {(() => void)[]} leaving
 * @param {{ left: boolean }} gone
 */
async function fill(pictures, leaving, gone) {
  let lacking = pictures;
  const bare = () => lacking.filter(([, view]) => !view.recording.length);
  for (let round = 0; round < MOST_ROUNDS && bare().length && !gone.left; round++) {
    const moving = new Set(bare());
    const rest = new Set(await showAll([...moving], '&still=true', leaving));
    lacking = lacking.filter((picture) => !moving.has(picture) || rest.has(picture));
  }
  for (let round = 0; round < MOST_ROUNDS && lacking.length && !gone.left; round++)
    lacking = await showAll(lacking, '', leaving);
  for (const [, view] of lacking) if (!gone.left) view.setBadge(t('preview_none'), 'problem');
}

/**
 * Show what comes; return those that are not moving yet.
 * @param {[RoomCard, View][]} pictures
 * @param {string} which
 * @param {(() => void)[]} leaving
 */
async function showAll(pictures, which, leaving) {
  /** @type {Record<string, Film & { still: boolean, text?: string }>} */
  let found = {};
  try {
    found = await fetchJson(`/api/previews?games=${pictures.map(([room]) => room.name).join(',')}${which}`);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS)); // a server that is busy or gone is not pressed
    return pictures;
  }
  return pictures.filter(([room, view]) => {
    const picture = found[room.name];
    if (picture && !picture.frames) view.setBadge(picture.text ?? t('preview_none'), 'problem');
    return !picture || (picture.frames && !show(room, view, picture, leaving));
  });
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
  const step = hello.rate ? 1000 / hello.rate : STEP_MS;
  let pos = 0;
  view.shownKey = '';
  view.show(0, step);
  label();
  view.canvas.dataset.moving = String(!still);
  if (still || frames.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches) return !still;
  const clock = setInterval(() => {
    if (document.hidden) return;
    pos = pos >= frames.length + REST ? 0 : pos + 1;
    view.show(pos, step);
    label();
  }, step);
  leaving.push(() => clearInterval(clock));
  return true;
}
