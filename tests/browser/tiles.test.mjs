import assert from 'node:assert/strict';
import { test } from 'node:test';
import SPRITES from '../../src/gridsage/web/static/sprites.json' with { type: 'json' };
import { PALETTES, layersOf, paintLayers, painter } from '../../src/gridsage/web/static/tiles.js';

// A pen that notes every call with its arguments, and the styles that fills and strokes have.
function noted(paint, look = {}) {
  const calls = [];
  const pen = new Proxy(
    {},
    {
      get: (target, name) =>
        name in target
          ? target[name]
          : (...given) => {
              const style =
                name === 'stroke' || name === 'strokeText'
                  ? [target.strokeStyle, target.lineWidth]
                  : [target.fillStyle];
              const told = ['fill', 'stroke', 'fillText', 'strokeText'].includes(name) ? style : [];
              calls.push([name, ...given, ...told, ...(target.globalAlpha < 1 ? [`alpha ${target.globalAlpha}`] : [])]);
            },
      set: (target, name, value) => Reflect.set(target, name, value),
    },
  );
  paint(pen, { variant: 0, dx: 0, dy: 0, pal: PALETTES.dark, ...look });
  return calls;
}
const named = (name, moving = true, game = '') => noted(painter(name, moving, game));
const sprite = (id, look = {}, bound = undefined) =>
  noted((pen, given) => paintLayers(pen, [{ sprite: id, bound }], given), look);
const only = (calls, name) => calls.filter(([call]) => call === name);

test('a colour is one of the palette, one that is bound, or itself', () => {
  assert.deepEqual(named('space', false).at(-1), ['fill', PALETTES.dark.void]);
  assert.ok(only(named('robot-red'), 'fill').some(([, colour]) => colour === PALETTES.dark.red));
  assert.ok(only(named('robot-black'), 'fill').some(([, colour]) => colour === PALETTES.dark.blackRim));
  assert.ok(only(named('runner'), 'fill').some(([, colour]) => colour === '#f6d3b3'));
});

test('what looks to a side is moved to that side, the whites of its eyes are not', () => {
  const [rest, right, down] = [{}, { dx: 1 }, { dy: 1 }].map((look) => only(sprite('guard', look), 'arc'));
  assert.deepEqual(right[0], rest[0]);
  assert.ok(right[1][1] > rest[1][1] && right[1][2] === rest[1][2]);
  assert.ok(down[1][2] > rest[1][2] && down[1][1] === rest[1][1]);
});

test('the tail of a scarf flies behind: on the right unless the runner looks there', () => {
  const tail = (dx) => only(sprite('runner', { dx }), 'lineTo')[0][1];
  assert.ok(tail(-1) > 0.5 && tail(0) > 0.5 && tail(1) < 0.5);
});

test('neighbours differ where a sprite has variants', () => {
  const lines = [0, 1, 2, 3].map((variant) => only(sprite('granite', { variant }), 'stroke').length);
  assert.deepEqual(lines, [0, 1, 1, 2]);
});

test('a faded operation leaves the pen as it was', () => {
  const calls = sprite('pawn-1');
  assert.deepEqual(
    calls.find(([name]) => name === 'fill'),
    ['fill', '#000', 'alpha 0.35'],
  );
  assert.deepEqual(only(calls, 'fill').at(-1).length, 2);
});

test('a number is written where there is one, and a hole that is new has none', () => {
  assert.equal(only(named('sturdy-8', false), 'fillText')[0][1], '8');
  assert.equal(only(named('hole-7', false), 'fillText')[0][1], '7');
  assert.equal(only(named('hole_0', false), 'fillText').length, 0);
  assert.equal(only(named('sturdy', false), 'fillText').length, 0);
});

test('a goal that is meant is filled, black has a rim, and any colour no letter', () => {
  assert.equal(only(named('target:red:square', false), 'stroke').length, 1); // its ring
  assert.equal(only(named('target:black:square', false), 'stroke').length, 2);
  assert.equal(only(named('target:any:vortex', false), 'fillText').length, 0);
  assert.equal(only(named('goal:green:star', false), 'fillText')[0][1], 'G');
});

test('a letter with an outline is stroked first', () => {
  const calls = sprite('char-tag', {}, { sign: 'd' }).map(([name]) => name);
  assert.ok(calls.indexOf('strokeText') < calls.indexOf('fillText'));
});

test('names are read by their words', () => {
  const ids = (name, moving, game = '') => layersOf(name, moving, game)?.map(({ sprite }) => sprite) ?? null;
  assert.deepEqual(ids('boulder', true), ['stone']);
  assert.deepEqual(ids('boulder', false), ['space', 'stone']);
  assert.deepEqual(ids('floor', false, 'loderunner'), ['brick']);
  assert.deepEqual(ids('floor', false, 'ricochet'), ['floor']);
  assert.deepEqual(ids('second-frozen', true), ['pawn-2', 'ice']);
  assert.deepEqual(ids('monster_purple', true), ['monster-purple']);
  assert.deepEqual(ids('exit locked', true), ['closed-exit']);
  assert.deepEqual(ids('closing_hole', false), ['closing-hole']);
  assert.deepEqual(ids('robot-pink', true), null);
  assert.deepEqual(ids('nothing of the kind', true), null);
});

test('every sprite can be drawn in both palettes, and names nothing that is not there', () => {
  for (const id of Object.keys(SPRITES.sprites))
    for (const pal of Object.values(PALETTES)) {
      const bound = { ...SPRITES.looks.robot.red, ...SPRITES.looks.goal.red, colour: '#123456', n: '1', rimmed: 'yes' };
      for (const call of sprite(id, { pal }, bound)) assert.ok(!call.includes(undefined), `${id}: ${call}`);
    }
  const { grounds, things, own } = SPRITES.names;
  const meant = [
    ...Object.values(grounds),
    ...Object.values(things),
    ...Object.values(own).flatMap(Object.values).flat(),
  ];
  for (const id of meant) assert.ok(SPRITES.sprites[id], id);
});
