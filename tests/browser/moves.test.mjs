import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeElement } from './page.mjs';

const { Moves } = await import('../../src/gridsage/web/static/play/moves.js');

const ROBOTS = { 'r^': 'red up', 'r>': 'red right', 'g>': 'green right' };
const move = (action, label, more = {}) => ({ action, label, from: -1, to: -1, who: '', area: [], ...more });

// A game that notes what is played; a board of `w` columns whose cells are 10 pixels wide.
function table({ keys, legal, seats = 1, hand = [], w = 4 }) {
  const played = [];
  const board = { w, cursor: -1, things: new Map(), marks: [], coordinates: ['', ''], game: 'toy' };
  board.set = (name, value) => Object.assign(board, { [name]: value });
  board.cellAt = ({ clientX, clientY }) => Math.floor(clientY / 10) * w + Math.floor(clientX / 10);
  const game = {
    room: { name: 'toy', keys, meanings: {}, seats, cards: [] },
    mine: true,
    turn: { seat: 0, over: null },
    status: {},
    clock: { running: false, active: false },
    begun: [],
    isBid: () => false,
    view: { board },
    turnLine: new FakeElement('p'),
    turnWords: () => 'your move',
    hands: { labels: () => new Set(hand), play: (i) => i < hand.length && game.actLabel(hand[i]) },
    legal: () => legal,
    act: (action) => played.push(action),
    actLabel(label) {
      const found = legal.find((entry) => entry.label === label);
      if (found) played.push(found.action);
      return Boolean(found);
    },
  };
  const moves = new Moves(game);
  return { moves, game, board, played };
}
const robots = () => [
  move(0, 'red up', { from: 5, to: 1, who: 'R' }),
  move(1, 'red right', { from: 5, to: 7, who: 'R' }),
  move(2, 'green right', { from: 9, to: 11, who: 'G' }),
];

test('a letter chooses who moves and an arrow moves it', () => {
  const { moves, played } = table({ keys: ROBOTS, legal: robots() });
  moves.press('g');
  moves.press('ArrowRight');
  moves.press('r');
  moves.press('ArrowUp');
  assert.deepEqual(played, [2, 0]);
});

test('keys typed before the game has answered are pressed one per answer', () => {
  const { moves, game, played } = table({ keys: ROBOTS, legal: robots() });
  game.actLabel = (label) => {
    const found = robots().find((entry) => entry.label === label);
    if (found) played.push(found.action);
    game.sent = Boolean(found);
    game.mine = !found;
    return Boolean(found);
  };
  const answer = (mine) => {
    Object.assign(game, { sent: false, mine });
    moves.answered();
  };
  for (const key of ['g', 'ArrowRight', 'r', 'ArrowUp', 'g', 'ArrowRight']) moves.press(key);
  moves.press('ArrowRight', true); // a key that is held down
  assert.deepEqual(played, [2]);
  answer(true);
  assert.deepEqual(played, [2, 0]);
  answer(false); // somebody else's turn: what was typed is forgotten
  answer(true);
  assert.deepEqual(played, [2, 0]);
  moves.press('g');
  for (let i = 0; i < 40; i += 1) moves.press('ArrowRight');
  for (let i = 0; i < 40; i += 1) answer(true);
  assert.equal(played.length, 3 + 16);
});

test('an arrow before anybody is chosen asks for a choice', () => {
  const { moves, game, played } = table({ keys: ROBOTS, legal: robots() });
  assert.equal(moves.press('ArrowRight'), true);
  assert.deepEqual(played, []);
  assert.match(game.turnLine.textContent, /choose_who/);
  moves.press('g');
  assert.equal(game.turnLine.textContent, 'your move');
});

test('the chosen one does not lend its arrow to others when it is blocked', () => {
  const { moves, played } = table({
    keys: { ...ROBOTS, 'g^': 'green up', ArrowUp: 'wait' },
    legal: [...robots(), move(9, 'wait')],
  });
  moves.press('g');
  assert.equal(moves.press('ArrowUp'), false);
  assert.deepEqual(played, []);
});

test('keys of a room may be called by their short names', () => {
  const { moves, played } = table({ keys: { up: 'climb', space: 'wait' }, legal: [move(3, 'climb'), move(4, 'wait')] });
  moves.press('ArrowUp');
  moves.press(' ');
  assert.deepEqual(played, [3, 4]);
  assert.equal(moves.idleLabel(), 'wait');
  assert.equal(moves.knows('x'), false);
});

test('targets are walked through by arrows and taken by Enter', () => {
  const legal = [move(0, 'a', { to: 0 }), move(1, 'b', { to: 2 }), move(2, 'c', { to: 10 })];
  const { moves, board, played } = table({ keys: {}, legal });
  moves.press('ArrowRight');
  assert.equal(board.cursor, 0);
  moves.press('ArrowRight');
  assert.equal(board.cursor, 2);
  moves.press('ArrowDown');
  assert.equal(board.cursor, 10);
  moves.press('ArrowDown'); // there is none below
  assert.equal(board.cursor, 10);
  moves.press('Enter');
  assert.deepEqual(played, [2]);
});

test('a digit plays the card at that place', () => {
  const { moves, played } = table({ keys: {}, legal: [move(0, 'ice'), move(1, 'storm')], hand: ['ice', 'storm'] });
  assert.equal(moves.press('2'), true);
  assert.equal(moves.press('3'), false);
  assert.deepEqual(played, [1]);
});

test('a swipe from a piece moves that piece', () => {
  const { moves, played } = table({ keys: ROBOTS, legal: robots() });
  moves.pressed = { clientX: 15, clientY: 25 }; // the green one stands there
  moves.pointer({ clientX: 60, clientY: 28 });
  assert.deepEqual(played, [2]);
});

test('a click on a target of the chosen one plays it, on a piece chooses it', () => {
  const { moves, played } = table({ keys: ROBOTS, legal: robots() });
  moves.pointer({ clientX: 15, clientY: 15 });
  assert.equal(moves.chosen, 'R');
  moves.pointer({ clientX: 35, clientY: 15 });
  assert.deepEqual(played, [1]);
});

test('only targets of the chosen one are marked', () => {
  const { moves, board } = table({ keys: ROBOTS, legal: robots() });
  moves.mark();
  assert.deepEqual(board.marks, []);
  moves.choose('G');
  assert.deepEqual(
    board.marks.map(({ cell, kind }) => [cell, kind]),
    [
      [9, 'chosen'],
      [11, 'target'],
    ],
  );
});
