// A puzzle every day, in every game that has them: today's, a calendar of past ones, and one's own streak.
import { h, languageNow, t } from '../dom.js';
import { PREFIX, resultBox, resultLine, solved, streak } from '../play/days.js';
import { nextPuzzle, puzzleAddress, standing } from '../play/ratings.js';

const BOT = 'nethack'; // a game without puzzles: the same dungeon for you and for its best agent

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { rooms, today, dates, puzzles, ratings }) {
  main.append(h('h1', {}, t('daily')), h('p', {}, t('daily_text')));
  const list = h('div', { class: 'daily-rooms' });
  main.append(list);
  for (const [game, bests] of Object.entries(puzzles)) {
    const room = rooms.find(({ name }) => name === game);
    if (room && !room.missing) list.append(card(room, today, dates, bests, ratings[game] ?? []));
  }
  const bot = rooms.find(({ name, missing }) => name === BOT && !missing);
  if (bot) list.append(botCard(bot, today));
  return null;
}

/**
 * @param {RoomCard} room
 * @param {string} today
 * @param {string[]} dates
 * @param {number[]} bests
 * @param {number[]} ratings of its other puzzles
 */
function card(room, today, dates, bests, ratings) {
  const own = solved()[room.name] ?? {};
  const best = bests[bests.length - 1];
  const here = own[today];
  return h(
    'section',
    { class: 'panel daily-room', 'aria-label': room.title },
    h('h2', {}, room.title),
    h(
      'p',
      {},
      t(room.seats > 1 ? 'daily_best_turns' : 'daily_best', { n: best }),
      ' ',
      t('daily_streak', { n: streak(own, today) }),
    ),
    h('a', { class: 'button strong', href: address(room.name, today) }, t(here ? 'daily_again' : 'daily_play')),
    here ? resultBox(resultLine(room, today, here, best)) : null,
    h(
      'div',
      { class: 'calendar weekdays', 'aria-hidden': 'true' },
      dates.slice(0, 7).map((date) => h('span', {}, part(date, { weekday: 'short' }))),
    ),
    h(
      'ol',
      { class: 'calendar', 'aria-label': t('daily_calendar') },
      dates.map((date, i) => {
        const how = own[date];
        const words = how ? t('daily_solved', { date, n: how.steps, best: bests[i] }) : t('daily_open', { date });
        return h(
          'li',
          {},
          h(
            'a',
            {
              href: address(room.name, date),
              class: [how ? 'solved' : '', date === today ? 'today' : ''].join(' ').trim(),
              title: words,
              ...(date === today ? { 'aria-current': 'date' } : {}),
            },
            h('span', { 'aria-hidden': 'true' }, how ? '✓' : String(Number(date.slice(8)))),
            i === 0 || date.endsWith('-01')
              ? h('small', { 'aria-hidden': 'true' }, part(date, { month: 'short' }))
              : null,
            h('span', { class: 'only-heard' }, words),
          ),
        );
      }),
    ),
    ratings.length ? practice(room, ratings) : null,
  );
}

/**
 * Puzzles for any day, near one's own rating.
 * @param {RoomCard} room
 * @param {number[]} ratings
 */
function practice(room, ratings) {
  const own = standing(room.name);
  const solvedOnes = Object.values(own.done).filter((score) => score === 1).length;
  return h(
    'div',
    { class: 'practice' },
    h('h3', {}, t('puzzle_title')),
    h('p', {}, t('puzzle_rating', { own: own.rating, n: solvedOnes, all: ratings.length })),
    h('a', { class: 'button', href: puzzleAddress(room.name, nextPuzzle(ratings, own)) }, t('puzzle_practise')),
  );
}

/**
 * @param {RoomCard} room
 * @param {string} today
 */
function botCard(room, today) {
  const seed = today.replaceAll('-', '');
  const agent = room.agents.includes('survivor') ? 'survivor' : (room.agents.at(-1) ?? '');
  return h(
    'section',
    { class: 'panel daily-room', 'aria-label': room.title },
    h('h2', {}, t('daily_bot', { game: room.title })),
    h('p', {}, t('daily_bot_text', { name: agent })),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button strong', href: `/play/${room.name}?seed=${seed}` }, t('daily_play')),
      h(
        'a',
        { class: 'button', href: `/watch/${room.name}?seed=${seed}&agents=${agent}` },
        t('watch_best', { name: agent }),
      ),
    ),
  );
}

/**
 * A part of a date, in the words of the page's language.
 * @param {string} date
 * @param {Intl.DateTimeFormatOptions} wanted
 */
function part(date, wanted) {
  return new Intl.DateTimeFormat(languageNow(), { timeZone: 'UTC', ...wanted }).format(new Date(`${date}T00:00:00Z`));
}

/**
 * @param {string} game
 * @param {string} date
 */
function address(game, date) {
  return `/play/${encodeURIComponent(game)}?level=${encodeURIComponent(PREFIX + date)}`;
}
