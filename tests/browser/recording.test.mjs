import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recording } from '../../src/gridsage/web/static/recording.js';

const HELLO = { m: 'hello', v: 1, game: 'toy', w: 3, h: 1, tiles: ['floor', 'wall'], edges: [0, 0, 0] };

function recorded(...frames) {
  const recording = new Recording();
  recording.greet({ ...HELLO });
  frames.forEach((frame, t) => recording.add({ m: 'frame', t, e: [], ...frame }));
  return recording;
}
const cells = (recording, t) => [...recording.at(t).cells];

test('a position is the last key frame and the differences since', () => {
  const recording = recorded({ k: [0, 1, 0] }, { d: [0, 1] }, { d: [2, 1, 0, 0] }, { k: [1, 1, 1] }, { d: [1, 0] });
  assert.deepEqual(cells(recording, 0), [0, 1, 0]);
  assert.deepEqual(cells(recording, 2), [0, 1, 1]);
  assert.deepEqual(cells(recording, 4), [1, 0, 1]);
});

test('moments are found in any order', () => {
  const recording = recorded({ k: [0, 0, 0] }, { d: [0, 1] }, { d: [1, 1] }, { d: [2, 1] });
  for (const [t, expected] of [
    [3, [1, 1, 1]],
    [1, [1, 0, 0]],
    [2, [1, 1, 0]],
    [0, [0, 0, 0]],
    [3, [1, 1, 1]],
  ])
    assert.deepEqual(cells(recording, t), expected, `after ${t}`);
});

test('what was handed out is not changed by later questions', () => {
  const recording = recorded({ k: [0, 0, 0] }, { d: [0, 1] }, { d: [1, 1] });
  const first = recording.at(1).cells;
  recording.at(2);
  assert.deepEqual([...first], [1, 0, 0]);
});

test('a frame that comes again cuts off what followed', () => {
  const recording = recorded({ k: [0, 0, 0] }, { d: [0, 1], ev: [['gold', 0, 1, 'hero']] }, { d: [1, 1] });
  recording.end = { m: 'end' };
  assert.deepEqual(cells(recording, 2), [1, 1, 0]);
  recording.add({ m: 'frame', t: 1, e: [], k: [0, 0, 1] });
  assert.equal(recording.length, 2);
  assert.deepEqual(cells(recording, 1), [0, 0, 1]);
  assert.equal(recording.end, null);
  assert.deepEqual(recording.events, []);
});

test('new tiles are added to those known, and a new game begins with its own', () => {
  const recording = recorded({ k: [0, 0, 0] }, { n: ['door'], d: [0, 2] });
  assert.deepEqual(recording.tiles, ['floor', 'wall', 'door']);
  recording.greet({ ...HELLO, tiles: ['sea'] });
  assert.deepEqual(recording.tiles, ['sea']);
  assert.equal(recording.length, 0);
});

test('a size and walls hold until others are told', () => {
  const recording = recorded({ k: [0, 0, 0] }, { k: [0, 0], w: 2, g: [1, 2] }, { d: [] });
  const { w, h, edges } = recording.at(2);
  assert.deepEqual([w, h, edges], [2, 1, [1, 2]]);
});

test('curves hold numbers of the panel, and only those that vary are offered', () => {
  const recording = recorded(
    { k: [0, 0, 0], s: { gold: '3', level: '1', name: 'x' } },
    { d: [], s: { gold: '2 left', level: '1' } },
  );
  assert.deepEqual(recording.curves.get('gold'), [3, 2]);
  assert.deepEqual([...recording.varied], ['gold']);
  assert.equal(recording.curves.has('name'), false);
});

test('both sides of a game for two are seen from the first one', () => {
  const recording = recorded({ k: [0, 0, 0] }, { d: [], by: 0, o: { score: 4 } }, { d: [], by: 1, o: { score: 4 } });
  assert.ok(recording.curves.get('first*')[1] > 0.7);
  assert.ok(recording.curves.get('second*')[2] < -0.7);
});

test('nodes and time are summed, and kinds of thoughts are remembered', () => {
  const recording = recorded(
    { k: [0, 0, 0] },
    { d: [], o: { nodes: 10, ms: 2, path: [1] } },
    { d: [] },
    { d: [], o: { nodes: 5, ms: 1 } },
  );
  assert.deepEqual(recording.spent[3], { nodes: 15, ms: 3 });
  assert.deepEqual([...recording.told].sort(), ['ms', 'nodes', 'path']);
});

test('over frames that a slow line has left out the board stands still', () => {
  const recording = recorded({ k: [0, 0, 0] }, { d: [0, 1], s: { gold: '1' } });
  recording.add({ m: 'frame', t: 4, e: [], k: [1, 1, 1] });
  assert.equal(recording.length, 5);
  assert.deepEqual(cells(recording, 3), [1, 0, 0]);
  assert.deepEqual(cells(recording, 4), [1, 1, 1]);
  assert.deepEqual(recording.frames[3].s, { gold: '1' });
  assert.equal(recording.frames[3].a, undefined);
});

test('whoever comes when the beginning is forgotten sees a whole position', () => {
  const recording = recorded();
  recording.add({ m: 'frame', t: 2, e: [], k: [1, 0, 1] });
  recording.add({ m: 'frame', t: 3, e: [], d: [1, 1] });
  assert.deepEqual(cells(recording, 3), [1, 1, 1]);
  assert.deepEqual(cells(recording, 0), [0, 0, 0]);
});
