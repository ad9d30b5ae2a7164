import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from '../../src/gridsage/web/static/drawing.js';

const tile = (sign, name, more = {}) => ({ sign, sprite: name, name, group: '', also: '', ...more });
const SHEET = {
  form: 'characters',
  tiles: [tile('.', 'floor'), tile('#', 'wall', { also: 'W' }), tile('@', 'hero', { alone: true, needed: true })],
  entries: [{ key: 'time', name: 'time', kind: 'number' }],
  remark: ';',
  divider: '',
  largest: 5,
  border: '#',
  joins: ': ',
  frame: null,
  sized: '',
};
const CAVE = 'time: 9\n; a remark\n####\n#@.#\n#..#\n####\n';
const WALLED = {
  ...SHEET,
  form: 'walled',
  tiles: [
    tile('', 'floor'),
    tile('|', 'wall'),
    tile('#', 'block'),
    tile('R', 'robot-red', { stands: true }),
    tile('rc', 'goal-red-circle'),
    tile('gs', 'goal-green-square'),
  ],
};
const BOARD = `mission: red circle
+---+---+
|R      |
+   +   +
|     rc|
+---+---+
`;

test('a text that is read and written again is the same', () => {
  assert.equal(read(CAVE, SHEET).text, CAVE);
  assert.equal(read(BOARD, WALLED).text, BOARD);
});

test('what is there only once moves when it is painted', () => {
  const drawing = read(CAVE, SHEET);
  drawing.paint(2 * 4 + 2, SHEET.tiles[2]);
  assert.equal(drawing.text, 'time: 9\n; a remark\n####\n#..#\n#.@#\n####\n');
});

test('a region ends at other tiles, and at walls', () => {
  assert.deepEqual(
    read(CAVE, SHEET)
      .region(6)
      .sort((a, b) => a - b),
    [6, 9, 10],
  );
  const walled = read(BOARD, WALLED);
  walled.setSide(1, 'S', true);
  assert.deepEqual(walled.region(1), [1]);
});

test('a quick stroke leaves no gaps and a box has all its cells', () => {
  const drawing = read('......\n......\n......\n', { ...SHEET, border: '', entries: [] });
  assert.deepEqual(drawing.line(0, 5), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(drawing.line(0, 14), [0, 7, 14]);
  assert.deepEqual(drawing.box(8, 1), [1, 2, 7, 8]);
});

test('a new row comes inside the wall', () => {
  const drawing = read(CAVE, SHEET);
  drawing.resize('top', 1);
  assert.equal(drawing.text, 'time: 9\n; a remark\n####\n#..#\n#@.#\n#..#\n####\n');
  drawing.resize('right', -1);
  assert.equal(drawing.text, 'time: 9\n; a remark\n###\n#.#\n#@#\n#.#\n###\n');
});

test('no side grows beyond the largest size', () => {
  const drawing = read('#####\n#...#\n#####\n', SHEET);
  drawing.resize('right', 1);
  assert.equal(drawing.cols, 5);
});

test('header lines are changed, added and taken away', () => {
  const drawing = read(CAVE, SHEET);
  drawing.set('time', '12');
  assert.equal(drawing.get('time'), '12');
  assert.match(drawing.text, /^time: 12\n/);
  drawing.set('time', undefined);
  assert.match(drawing.text, /^; a remark\n/);
});

test('what a level needs and has not is named', () => {
  assert.deepEqual(
    read('...\n', { ...SHEET, entries: [] }).lacking.map(({ name }) => name),
    ['hero'],
  );
  assert.deepEqual(read(CAVE, SHEET).lacking, []);
});

test('an error message points at its cells', () => {
  assert.deepEqual(read(CAVE, SHEET).faults("line 4, column 3: unknown '?'").cells, [6]);
  assert.deepEqual(read(CAVE, SHEET).faults('line 1: time is not a number').key, 'time');
});

test('a robot moves, a goal stays, and the mission follows its goal', () => {
  const drawing = read(BOARD, WALLED);
  drawing.paint(1, WALLED.tiles[3]);
  assert.equal(drawing.boxOf(0), '   ');
  assert.equal(drawing.boxOf(1), 'R  ');
  drawing.paint(2, WALLED.tiles[5]);
  drawing.choose(2);
  assert.equal(drawing.missionWords, 'green square');
  drawing.resize('left', 1);
  assert.equal(drawing.goalAt(drawing.mission).name, 'goal-green-square');
});

test('two goals of the same words are told apart by their place', () => {
  const drawing = read(BOARD, WALLED);
  drawing.paint(0, WALLED.tiles[4]);
  drawing.choose(3);
  assert.equal(drawing.missionWords, '1,1');
});

test('a wall at the rim stays', () => {
  const drawing = read(BOARD, WALLED);
  drawing.setSide(0, 'N', false);
  assert.equal(drawing.hasSide(0, 'N'), true);
  drawing.setSide(0, 'E', true);
  assert.equal(drawing.hasSide(1, 'W'), true);
});

const FRAMED = {
  ...SHEET,
  tiles: [
    tile(' ', 'space'),
    tile('W', 'steel'),
    tile('P', 'inbox', { alone: true }),
    tile('q', 'fly', { stands: true, faces: [1, 0] }),
  ],
  entries: [{ key: 'CaveTime', name: 'seconds', kind: 'text' }],
  border: 'W',
  joins: '=',
  frame: ['[map]', '[/map]'],
  sized: 'Size',
};
const FILE = '[cave]\nName=Here\nSize=4 4\n; a remark=1\n[map]\nWWWW\nWP W\nW qW\nWWWW\n[/map]\n[/cave]\n';

test('a map between two lines is painted on, and all around it stays', () => {
  const drawing = read(FILE, FRAMED);
  assert.equal(drawing.text, FILE);
  assert.deepEqual([drawing.rows, drawing.cols, drawing.get('Name')], [4, 4, 'Here']);
  assert.deepEqual(drawing.picture.things, [['10', 'fly', 2, 2, 1, 0]]);
  drawing.paint(6, FRAMED.tiles[2]);
  assert.equal(drawing.text, FILE.replace('WP W', 'W PW'));
});

test('keys of such a text are changed, added before the map and taken away', () => {
  const drawing = read(FILE, FRAMED);
  drawing.set('CaveTime', '90 80');
  assert.equal(drawing.text, FILE.replace('[map]', 'CaveTime=90 80\n[map]'));
  drawing.paint(6, FRAMED.tiles[1]);
  drawing.set('Name', 'There');
  drawing.set('CaveTime');
  assert.equal(drawing.text, FILE.replace('Here', 'There').replace('WP W', 'WPWW'));
});

test('the line that tells the size follows the map', () => {
  const drawing = read(FILE, FRAMED);
  drawing.resize('right', 1);
  assert.ok(drawing.text.includes('Size=5 4\n') && drawing.text.includes('WP  W\n'));
  const shown = read(FILE.replace('Size=4 4', 'Size=4 4 0 0 3 3'), FRAMED);
  shown.resize('bottom', 1);
  assert.ok(shown.text.includes('Size=4 5 0 0 3 4\n'));
  const silent = read(FILE.replace('Size=4 4\n', ''), FRAMED);
  silent.resize('top', -1);
  assert.ok(silent.text.includes('Size=4 3\n[map]\nWWWW\nW qW\n'));
});

test('a size that nobody can mean is not believed', () => {
  assert.equal(read(FILE.replace('Size=4 4', 'Size=99999999 4'), FRAMED).cols, FRAMED.largest);
  assert.equal(read(FILE.replace('Size=4 4', 'Size=many 4'), FRAMED).cols, 4);
});

test('of two lines with one key the first counts', () => {
  assert.equal(read(FILE.replace('[/cave]', '[replay]\nName=There\n[/replay]\n[/cave]'), FRAMED).get('Name'), 'Here');
});

test('a text without a map cannot be painted on', () => {
  assert.equal(read('[cave]\nName=Here\n[objects]\nPoint=1 1 DIRT\n[/objects]\n[/cave]\n', FRAMED).drawable, false);
});
