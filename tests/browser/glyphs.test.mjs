import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hueOf, paintPicture } from '../../src/gridsage/web/static/glyphs.js';

// A pen that notes the colours it fills and strokes with, in order.
function inked(character, colour, more = {}) {
  const used = [];
  const pen = new Proxy(
    {},
    {
      get: (target, name) =>
        name in target
          ? target[name]
          : () => {
              if (name === 'fill') used.push(target.fillStyle);
              if (name === 'stroke') used.push(target.strokeStyle);
              if (name === 'fillText') used.push('letter');
            },
      set: (target, name, value) => Reflect.set(target, name, value),
    },
  );
  paintPicture(pen, { character, colour, bold: false, reverse: false, ...more });
  return used;
}
const BROWN = '#c08a4e';
const GREY = '#9aa3b2';

test('colours are told apart by hue, and greys have none', () => {
  assert.equal(hueOf(GREY), -1);
  assert.equal(Math.round(hueOf('#ff0000')), 0);
  assert.equal(Math.round(hueOf('#00ff00')), 120);
  assert.equal(Math.round(hueOf('#0000ff')), 240);
});

test('a line is a wall, unless it is brown: then it is an open door', () => {
  assert.deepEqual(inked('|', GREY), inked('-', GREY));
  assert.notDeepEqual(inked('|', GREY), inked('|', BROWN));
  assert.ok(inked('|', BROWN).includes(BROWN));
});

test('a plus is a door in brown and a book in another colour', () => {
  assert.notDeepEqual(
    inked('+', BROWN).map((colour) => colour === BROWN),
    inked('+', '#ff4040').map((colour) => colour === '#ff4040'),
  );
});

test('a creature has its colour and keeps its letter, and a pet stands on a ground of its own', () => {
  assert.ok(inked('d', '#ff4040').includes('#ff4040'));
  assert.equal(inked('d', '#ff4040').at(-1), 'letter');
  assert.notDeepEqual(inked('d', '#ff4040'), inked('f', '#ff4040', { reverse: true }));
  assert.equal(inked('d', GREY, { reverse: true }).length, inked('d', GREY).length + 1);
});

test('every character that can be typed is painted', () => {
  for (let code = 33; code < 127; code++) assert.ok(inked(String.fromCharCode(code), GREY).length > 0);
});

test('whoever has no picture is written', () => {
  assert.equal(inked('7', GREY).at(-1), 'letter');
});
