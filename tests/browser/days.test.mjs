import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { keepSolved, solved, streak } from '../../src/gridsage/web/static/play/days.js';
import { minutes } from '../../src/gridsage/web/static/play/seats.js';

beforeEach(() => {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => kept.set(name, text),
  };
});

test('a streak ends with the first day that is missing, but today may still come', () => {
  const days = { '2026-11-14': 1, '2026-11-15': 1, '2026-11-12': 1 };
  assert.equal(streak(days, '2026-11-15'), 2);
  assert.equal(streak(days, '2026-11-16'), 2);
  assert.equal(streak(days, '2026-11-17'), 0);
  assert.equal(streak({ '2026-02-28': 1, '2026-03-01': 1 }, '2026-03-01'), 2);
  assert.equal(streak({}, '2026-11-16'), 0);
});

test('a better way replaces a longer one, and never the other way round', () => {
  keepSolved('toy', '2026-11-16', 7, false);
  keepSolved('toy', '2026-11-16', 9, false);
  keepSolved('toy', '2026-11-16', 7, true);
  assert.deepEqual(solved(), { toy: { '2026-11-16': { steps: 7, helped: false } } });
  keepSolved('toy', '2026-11-16', 6, true);
  keepSolved('toy', '2026-11-17', 3, false);
  assert.equal(solved().toy['2026-11-16'].steps, 6);
  assert.equal(solved().toy['2026-11-17'].steps, 3);
});

test('what another program left in the place of the calendar is no calendar', () => {
  localStorage.setItem('gridsage-daily', '{');
  assert.deepEqual(solved(), {});
});

test('time that is left is rounded up to seconds', () => {
  assert.equal(minutes(0), '0:00');
  assert.equal(minutes(1), '0:01');
  assert.equal(minutes(61_000), '1:01');
  assert.equal(minutes(600_000), '10:00');
});
