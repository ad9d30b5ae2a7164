// A puzzle every day, in every game that has them: today's, a calendar of past ones, and one's own streak.
import { h, languageNow, t } from '../dom.js';
import { contestLine, met } from '../play/contests.js';
import { PREFIX, resultBox, resultLine, solved, streak } from '../play/days.js';
import { nextPuzzle, puzzleAddress, standing } from '../play/ratings.js';

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
  for (const room of rooms) if (room.contest && !room.missing && !puzzles[room.name]) list.append(contest(room, today));
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
 * A game without puzzles: today's is the same for you and for its best agent.
 * @param {RoomCard} room
 * @param {string} today
 */
function contest(room, today) {
  const seed = today.replaceAll('-', '');
  const agent = room.best_agent;
  const how = met(room.name, today);
  const what = room.contest?.words ?? '';
  const line = contestLine(room, today, how);
  return h(
    'section',
    { class: 'panel daily-room', 'aria-label': room.title },
    h('h2', {}, t('contest_title', { game: room.title })),
    h('p', {}, t(room.seats > 1 ? 'contest_against' : 'contest_text', { name: agent })),
    h(
      'dl',
      { class: 'status' },
      h('dt', {}, t('contest_you')),
      h('dd', {}, how.own === undefined ? t('contest_open') : `${what} ${how.own}`),
      h('dt', {}, agent),
      h('dd', {}, how.other === undefined ? t('contest_open') : `${what} ${how.other}`),
    ),
    line ? resultBox(line) : null,
    h(
      'div',
      { class: 'row' },
      h(
        'a',
        { class: 'button strong', href: `/play/${room.name}?seed=${seed}` },
        t(how.own === undefined ? 'daily_play' : 'daily_again'),
      ),
      room.seats > 1
        ? null
        : h(
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
