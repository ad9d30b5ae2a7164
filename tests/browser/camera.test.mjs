import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeElement } from './page.mjs';

const { Camera } = await import('../../src/gridsage/web/static/camera.js');

function camera(role) {
  const pans = [];
  const board = {
    canvas: new FakeElement('canvas'),
    part: true,
    tight: true,
    follow: true,
    moved: false,
    boxed: false,
  };
  board.pan = (dx, dy) => pans.push([dx, dy]);
  board.setFollow = (on) => Object.assign(board, { follow: on, moved: false });
  board.resize = () => {};
  board.setPictured = (on) => Object.assign(board, { pictured: on });
  board.canvas.setAttribute('role', role);
  const made = new Camera(board, new FakeElement());
  const clicks = [];
  board.canvas.addEventListener('pointerup', () => clicks.push('click'));
  return { board, pans, clicks, camera: made };
}
const finger = (pointerId, clientX, clientY) => ({ pointerId, clientX, clientY });

test('one finger pushes a board that is watched', () => {
  const { board, pans } = camera('img');
  board.canvas.fire('pointerdown', finger(1, 10, 10));
  board.canvas.fire('pointermove', finger(1, 12, 11)); // too small: a click
  board.canvas.fire('pointermove', finger(1, 30, 15));
  assert.deepEqual(pans, [[20, 5]]);
});

test('on a board that is played two fingers push and one does not', () => {
  const { board, pans } = camera('application');
  board.canvas.fire('pointerdown', finger(1, 0, 0));
  board.canvas.fire('pointermove', finger(1, 40, 0));
  assert.deepEqual(pans, []);
  board.canvas.fire('pointerdown', finger(2, 0, 50));
  board.canvas.fire('pointermove', finger(2, 20, 50));
  assert.deepEqual(pans, [[10, 0]]);
});

test('a finger that pushed makes no move, one that did not does', () => {
  const { board, clicks } = camera('img');
  board.canvas.fire('pointerdown', finger(1, 0, 0));
  board.canvas.fire('pointermove', finger(1, 40, 0));
  board.canvas.fire('pointerup', finger(1, 40, 0));
  assert.deepEqual(clicks, []);
  board.canvas.fire('pointerdown', finger(1, 0, 0));
  board.canvas.fire('pointerup', finger(1, 1, 0));
  assert.deepEqual(clicks, ['click']);
});

test('the switch goes back to following after a push, and the wish is remembered', () => {
  const { board, camera: made } = camera('img');
  board.moved = true;
  made.toggle();
  assert.equal(board.follow, true);
  made.toggle();
  assert.equal(board.follow, false);
  assert.equal(localStorage.getItem('gridsage-camera'), 'whole');
  made.allow();
  assert.equal(board.follow, false);
});

test('a board that is readable as a whole offers no switch', () => {
  const { board, camera: made } = camera('img');
  made.face();
  assert.equal(made.switch.hidden, false);
  board.tight = false;
  made.face();
  assert.equal(made.switch.hidden, true);
});

test('pictures instead of characters are offered where there are characters, and remembered', () => {
  const { board, camera: made } = camera('img');
  made.face();
  assert.equal(made.tiles.hidden, true);
  Object.assign(board, { text: true, camera: true });
  made.toggleTiles();
  assert.equal(made.tiles.hidden, false);
  assert.equal(board.pictured, true);
  board.pictured = false;
  made.allow();
  assert.equal(board.pictured, true);
});
