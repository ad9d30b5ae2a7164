import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeElement } from './page.mjs';

const { Clock, padDirection } = await import('../../src/gridsage/web/static/play/clock.js');

const REAL = { idle: 'none', speeds: [14, 23, 35], latch: true, fire: { left: 'snap left' }, buttons: [] };
const KEYS = { ArrowLeft: 'left', a: 'left', ArrowRight: 'right', x: 'dig' };

// A game that notes what is played; `beat` is a beat of its clock.
function running(real = REAL) {
  const played = [];
  const game = {
    room: { keys: KEYS, real_time: real },
    mine: true,
    turn: { over: null },
    taken: '',
    newest: { ms: 100 },
    view: { canvas: Object.assign(new FakeElement('canvas'), { focus() {} }) },
    transport: {},
    moves: { idleLabel: () => 'none', knows: () => false },
    actLabel: (label) => played.push(label),
  };
  const clock = new Clock(game);
  clock.next = () => {
    clock.timer = 1;
  };
  clock.pace.value = '23';
  return { clock, game, played };
}
const key = (name, more = {}) => ({ key: name, repeat: false, ...more });

test('time starts with the first key', () => {
  const { clock } = running();
  assert.equal(clock.running, false);
  assert.equal(clock.press(key('ArrowLeft')), true);
  assert.equal(clock.running, true);
});

test('a direction counts until the next key, a deed only once', () => {
  const { clock, played } = running();
  clock.press(key('ArrowLeft'));
  clock.release(key('ArrowLeft'));
  clock.beat();
  clock.beat();
  clock.press(key('x'));
  clock.release(key('x'));
  clock.beat();
  clock.beat();
  assert.deepEqual(played, ['left', 'left', 'dig', 'none']);
});

test('where keys do not latch they count while they are held, and a tap counts once', () => {
  const { clock, played } = running({ ...REAL, latch: false });
  clock.press(key('ArrowLeft'));
  clock.press(key('ArrowRight'));
  clock.beat();
  clock.release(key('ArrowRight'));
  clock.beat();
  clock.release(key('ArrowLeft'));
  clock.beat();
  assert.deepEqual(played, ['right', 'left', 'none']);
});

test('the fire key changes what a direction does', () => {
  const { clock, played } = running({ ...REAL, latch: false });
  clock.press(key('Shift'));
  clock.press(key('A'));
  clock.beat();
  clock.release(key('Shift'));
  clock.beat();
  assert.deepEqual(played, ['snap left', 'left']);
});

test('a beat that comes before the answer is made up for, once', () => {
  const { clock, game, played } = running();
  clock.press(key('ArrowLeft'));
  game.mine = false;
  clock.beat();
  assert.deepEqual(played, []);
  game.mine = true;
  clock.turned();
  clock.turned();
  assert.deepEqual(played, ['left']);
});

test('the pace is what was chosen, or what the game says', () => {
  const { clock } = running();
  assert.equal(Math.round(clock.interval), 43);
  clock.pace.value = 'own';
  assert.equal(clock.interval, 100);
  clock.pace.value = 'own0.5';
  assert.equal(clock.interval, 200);
});

test('a gamepad has a cross and a stick', () => {
  const none = { axes: [0, 0], buttons: [] };
  assert.equal(padDirection(none), null);
  assert.equal(padDirection({ axes: [-0.9, 0.4], buttons: [] }), 'ArrowLeft');
  assert.equal(padDirection({ axes: [0.2, 0.8], buttons: [] }), 'ArrowDown');
  const cross = Array.from({ length: 16 }, (_, place) => ({ pressed: place === 12 }));
  assert.equal(padDirection({ axes: [0, 0], buttons: cross }), 'ArrowUp');
});
