import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import './page.mjs';

const { contestLine, dayOf, furthest, keepMet, met } = await import('../../src/gridsage/web/static/play/contests.js');
const { useTexts } = await import('../../src/gridsage/web/static/dom.js');

beforeEach(() => {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => kept.set(name, text),
  };
  useTexts({ contest_result: '{game} {date}: {what} {n}, {name} {other}', daily_helped: '(with help)' }, {});
});

const setup = (seed, more = {}) => ({
  seed: { value: seed },
  text: '',
  level: { value: '' },
  chosenOptions: () => ({}),
  ...more,
});

test('the game of a day has its date as seed, and nothing else is changed', () => {
  assert.equal(dayOf(setup('20261116')), '2026-11-16');
  for (const seed of ['1', '20261399', '2026111', '202611160', '']) assert.equal(dayOf(setup(seed)), '', seed);
  assert.equal(dayOf(setup('20261116', { text: 'a level' })), '');
  assert.equal(dayOf(setup('20261116', { level: { value: 'x' } })), '');
  assert.equal(dayOf(setup('20261116', { chosenOptions: () => ({ character: 'wiz' }) })), '');
});

test('the furthest counts, and the two parts do not overwrite each other', () => {
  keepMet('toy', '2026-11-16', { own: 4, helped: true });
  keepMet('toy', '2026-11-16', { name: 'best', other: 9 });
  keepMet('toy', '2026-11-16', { own: 3 });
  assert.deepEqual(met('toy', '2026-11-16'), { own: 4, helped: true, name: 'best', other: 9 });
  keepMet('toy', '2026-11-16', { own: 5 });
  keepMet('toy', '2026-11-17', { own: 1 });
  assert.deepEqual(met('toy', '2026-11-16'), { own: 5, helped: false, name: 'best', other: 9 });
  assert.deepEqual(met('other', '2026-11-16'), {});
});

test('how far a game went is the most that a number reached', () => {
  const curves = new Map([['level', [1, 2, , 7, 3]]]); // eslint-disable-line no-sparse-arrays
  assert.equal(furthest({ curves }, 'level'), 7);
  assert.equal(furthest({ curves }, 'nothing'), -Infinity);
});

test('a line for others is there once both have played', () => {
  const room = { title: 'Toy', contest: { words: 'level' } };
  assert.equal(contestLine(room, '2026-11-16', { own: 4 }), '');
  assert.equal(contestLine(room, '2026-11-16', { name: 'best', other: 9 }), '');
  const both = { own: 4, name: 'best', other: 9 };
  assert.equal(contestLine(room, '2026-11-16', both), 'Toy 2026-11-16: level 4, best 9');
  assert.equal(
    contestLine(room, '2026-11-16', { ...both, helped: true }),
    'Toy 2026-11-16: level 4, best 9 (with help)',
  );
});
