// The shapes of what travels between the server and the browser, and of what modules hand to each other. Nothing of this
// file runs: `make check` reads it, and the server does not serve it.

// What the server says on the WebSocket (web/messages.py has what the browser may say)

type Message =
  | Hello
  | FrameMessage
  | Turn
  | End
  | { m: 'hint'; t: number; steps: string[] }
  | Analysis
  | Solutions
  | Review
  | { m: 'position'; text: string }
  | { m: 'kept'; id: string }
  | { m: 'refused' | 'error'; text: string; plain?: string } // plain: as the server said it
  | { m: 'words'; t: number; text: string }
  | { m: 'progress'; words: string; done: number; total: number }
  | { m: 'solving'; seconds: number }
  | { m: 'report'; verdict: string; text: string; steps: number }
  | { m: 'made'; name: string; text: string }
  | { m: 'making'; seconds: number; of: number }
  | { m: 'plan'; total: number; kept: number }
  | Played
  | TableNews
  | { m: 'shown'; address: string; listed: boolean }
  | ({ m: 'table'; lines: BenchLine[]; final: boolean } & Counts)
  | { m: 'audit' | 'audited'; total: number; skipped: number }
  | { m: 'checked'; id: string; verdict: string; text: string; done: number; total: number };

/** The first message of a game: its size, its tiles, and what stands around the board. */
interface Hello {
  m: 'hello';
  v: number;
  game: string;
  w: number;
  h: number;
  tiles: string[]; // names by number; frames may add to them
  edges: number[];
  coordinates: [string, string]; // letters of the columns and of the rows
  sides: string[]; // the sprite of each seat's pieces
  title?: string;
  level?: string;
  seed?: number;
  players?: string[];
  options?: Record<string, Value>;
  keys?: Record<string, string>;
  glyphs?: Record<string, [string, string]>;
  budgets?: { nodes?: number | null; seconds?: number | null }[];
  pure?: boolean; // moves can be taken back
  text?: string;
  total?: number; // frames of a stored game
  outcome?: Outcome;
  doubts?: string[]; // what is strange about a level that can be played
  plain?: string; // the same as the server said it
  where?: Record<string, string>;
  look?: string; // the game whose tiles are used
  rate?: number; // frames per second of a game that goes on by itself
  follows?: string; // the thing that a camera follows where no cell is named
  takes?: string[]; // kinds of events that are good news
  glides?: { kinds: Record<string, string>; ground: string } | null; // cells whose content moves by a cell
  [more: string]: unknown;
}

/** One step: all cells (`k`) or the changed ones (`d`: index, tile, index, tile, ...), what moves, and words. */
interface FrameMessage {
  m: 'frame';
  t: number;
  k?: number[];
  d?: number[];
  n?: string[]; // tiles not named before
  w?: number;
  h?: number;
  g?: number[]; // walls on cell sides
  e: Thing[];
  choose?: string; // what whoever moves has to choose now
  goal?: string; // what is to be reached
  ms?: number; // until the next frame, in games that go on by themselves
  f?: number; // the cell to follow
  s?: Record<string, string>;
  x?: string;
  l?: [string[], string[]];
  ask?: Question;
  hd?: string[][];
  c?: number[]; // cells that the turn at hand has named so far
  b?: string[]; // labels of what the turn at hand consists of so far
  bid?: Bidding;
  a?: string;
  by?: number;
  q?: number;
  ev?: [kind: string, cell: number, to: number, who: string][];
  o?: Thoughts;
}

// The last two are parts of a cell, where games move in smaller steps.
type Thing = [id: string, sprite: string, x: number, y: number, dx: number, dy: number, px?: number, py?: number];
type Question = [kind: string, words: string, answers: [typed: string, meaning: string][]];
type Bid = [name: string, priority: number, words: string, state: string];
type Place = [name: string, words: string, here: boolean];
type Kind = [name: string, role: string];
type Patch<Entry> = Entry[] | { d: [index: number, entry: Entry][] };

/** A phase in which seats name numbers: the labels that say so, and how it stands. */
interface Bidding {
  call: string;
  wait: string;
  end: string;
  phase: string;
  seconds: number;
  standing: boolean;
  words: string[];
}

interface Memory {
  w?: number;
  h?: number;
  kinds?: Kind[];
  k?: string;
  d?: number[];
  places: Patch<Place>;
}

interface Thoughts {
  path?: number[];
  heat?: number[];
  values?: [cell: number, words: string][];
  line?: string[];
  nodes?: number;
  score?: number;
  text?: string;
  figures?: Record<string, number>;
  bids?: Patch<Bid>;
  memory?: Memory;
  ms?: number;
}

type LegalMove = [action: number, label: string, from: number, to: number, who: string, area?: number[]];

interface Turn {
  m: 'turn';
  t: number;
  seat: number;
  mover: string; // the agent that has to move; empty: a person
  legal: LegalMove[];
  over: Outcome | null;
  clocks?: (number | null)[]; // milliseconds that each seat has left, at a table
  running?: number | null; // the seat whose clock runs
  left?: number | null; // milliseconds until no number can be named any more; the server has the glass
}

/** How a table stands at which people at several devices play. */
interface TableNews {
  m: 'seats';
  id: string;
  state: 'waiting' | 'playing' | 'over';
  you: number | null;
  token: string; // of one's own seat
  owner: boolean;
  listed: boolean;
  watching: number;
  chairs: { name: string; person: boolean; taken: boolean; there: boolean; again: boolean; invitation?: string }[];
}

interface Outcome {
  reason: string;
  scores: number[];
  winner: number | null;
}

interface End extends Partial<Outcome> {
  m: 'end';
  verified?: boolean;
  mismatch?: string;
  steps?: number;
  figures?: Record<string, string | number>;
  seconds?: number | null;
  decisions?: Record<string, number>;
}

/** A line of moves with the board after each of them. */
interface MoveLine {
  labels: string[];
  hello: Hello;
  frames: FrameMessage[];
}

interface Analysis {
  m: 'analysis';
  t: number;
  agent: string;
  seat: number;
  a: string;
  action: number;
  o?: Thoughts;
  line?: MoveLine;
}

interface Solutions {
  m: 'solutions';
  t: number;
  text: string;
  complete: boolean;
  lines: MoveLine[];
}

/** What the master would have done better: `t` moves had been made, then `played` came instead of `better`. */
interface Mistake {
  t: number;
  played: string;
  better: string;
  loss: number;
  line?: MoveLine | null;
}

interface Review {
  m: 'review';
  agent: string;
  moves: Mistake[];
}

type Value = string | number | boolean;

interface Counts {
  done: number;
  total: number;
}
type Played = { m: 'played'; left: number | null; agents?: string[]; level?: string; seed?: number } & Counts;

/** A line of the table that a running bench shows: of one agent, or of two who play each other. */
interface BenchLine extends Omit<Match, 'budget' | 'rules'> {
  agents: string;
  win_rate: Interval;
  steps: number;
  seconds: number;
}

// Descriptions of rooms (web/describe.py)

interface Field {
  name: string;
  title: string; // its name for people
  kind: 'switch' | 'number' | 'choice' | 'text';
  choices: Value[];
  default: Value | null;
  whole: boolean;
  least?: number | null;
  most?: number | null;
  note?: string;
}

interface AgentEntry {
  name: string;
  summary: string;
  settings: Field[];
}

interface RoomCard {
  name: string;
  title: string;
  summary: string;
  missing: string;
  levels: number;
  seeds: boolean;
  seats: number;
  variant_of: string;
  contest: { name: string; words: string } | null; // the status that tells how far one got in the game of the day
  guide: boolean;
  agents: string[];
  best_agent: string;
  size?: [cols: number, rows: number] | null; // of the board, if it can be told beforehand
}

/** How far somebody is in a campaign, and their best win of a level. */
interface Progress {
  at: number;
  lives: number;
  points: number;
}
interface Best {
  steps: number;
  ms: number;
}

/** How a game that goes on by itself is played. */
interface RealTime {
  idle: string;
  speeds: number[];
  latch: boolean;
  fire: Record<string, string>;
  buttons: string[];
}

interface Room extends Omit<RoomCard, 'levels' | 'agents'> {
  levels: string[];
  books: { name: string; title: string; levels: string[] }[];
  own: string[];
  agents: AgentEntry[];
  default_agent: string;
  showcase: { level: string; seed: number };
  options: Field[];
  keys: Record<string, string>;
  real_time: RealTime | null;
  seats_option: string | null; // the option that says how many play
  meanings: Record<string, string>;
  hints: boolean;
  solutions: boolean;
  position: boolean;
  sheet: Sheet | null;
  check: boolean;
  generate: Field[];
  write: string[];
  read: boolean;
  cards: Card[];
  daily?: { date: string; best: number } | null; // the puzzle of the day that a page is about
  practice?: { number: number; best: number; ratings: number[] } | null; // the puzzle with a rating that it is about
}

interface Tile {
  sign: string;
  sprite: string;
  name: string;
  group: string;
  alone?: boolean; // there is one of it at most: painting it moves it
  needed?: boolean;
  stands?: boolean; // it stands on the ground and does not replace it
  also?: string;
  faces?: [dx: number, dy: number]; // where it looks
}

interface Entry {
  key: string;
  name: string;
  kind: 'text' | 'number' | 'choice' | 'cards';
  choices: string[];
  least: number;
  most: number;
  usual: string;
  note: string;
}

/** How a level's text is painted. */
interface Sheet {
  tiles: Tile[]; // the first one is empty ground
  form: 'characters' | 'walled';
  drawn: string;
  entries: Entry[];
  remark: string;
  divider: string;
  fixed: [rows: number, cols: number] | null;
  largest: number;
  border: string;
  joins: string; // between the key and the value of an entry
  frame: [opening: string, closing: string] | null; // the lines around the map
  sized: string; // the key of the line that tells columns and rows
}

// The learning page (web/guides.py)

interface Card {
  name: string;
  title: string;
  text: string;
  sign: string;
}

interface LessonText {
  title: string;
  text: string;
  level: string;
  done: string;
  until: string;
  actions: string[];
  seed: number;
  options: Record<string, Value>;
  size: [cols: number, rows: number] | null; // of its board, where that is known before it comes
}

interface Film {
  hello: Hello;
  frames: FrameMessage[];
}

interface Guide {
  goal: string;
  lessons: LessonText[];
  rules: { title: string; text: string; picture: Film | null }[];
  cards: Card[];
}

// Kept games (web/kept.py, web/compare.py)

/** A number with its 95 % interval; without games there is none. */
interface Interval {
  value: number;
  low: number;
  high: number;
}

interface KeptRow {
  trace: string;
  options: Record<string, Value>;
  game: string;
  level: string;
  seed: number;
  agents: string[];
  players: string;
  budget: string;
  outcome: string;
  winner: number | null;
  won: boolean;
  steps: number;
  scores: number[];
  seconds: number;
  stored: number;
  check: Check;
}

interface Check {
  verdict: string;
  text: string;
  when?: number | null;
}

interface Listing {
  rows: KeptRow[];
  total: number;
  kept: number;
  offset: number;
  facets: Record<'agents' | 'levels' | 'outcomes', string[]>;
  warnings: string[];
}

type Point = [
  level: number,
  seed: number,
  won: number,
  steps: number,
  score: number | null,
  seconds: number | null,
  trace: string,
];

/** Games of the same agents, budget and rules, summed up. */
interface RankedLine {
  id: string;
  game: string;
  agents: string;
  budget: string;
  rules: string;
  seats: number;
  amount: { nodes?: number; seconds?: number };
  episodes: number;
  wins: number;
  outcomes: Record<string, number>;
  win_rate: Interval;
  score: Interval;
  steps: Interval;
  seconds: Interval;
  levels: [level: number, won: number, games: number][];
  points: Point[];
}

interface Match {
  first: string;
  second: string;
  budget: string;
  rules: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  score: Interval;
  pairs: number;
  elo: Interval;
  sprt: string;
  moving_first: Interval;
}

interface Summary {
  seats: number;
  facets: Record<'levels' | 'budgets' | 'rules' | 'agents', string[]>;
  levels: string[];
  lines: RankedLine[];
  matches: Match[];
}

type LevelCount = Map<number, { won: number; games: number }>; // by level: games of a line won and played

interface PairedGame {
  trace: string;
  won: boolean;
  steps: number;
  score: number | null;
  outcome: string;
}

interface Paired {
  first: Pick<RankedLine, 'id' | 'agents' | 'budget' | 'rules'>;
  second: Pick<RankedLine, 'id' | 'agents' | 'budget' | 'rules'>;
  paired: {
    pairs: number;
    both: number;
    only_first: number;
    only_second: number;
    neither: number;
    p_value: number;
    difference: Interval;
  };
  steps: Interval;
  steps_pairs: number;
  score: Interval;
  games: { level: string; seed: number; first: PairedGame; second: PairedGame }[];
  left_off: number;
}

// Between modules

type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
type Child = Node | string | number | null | undefined | false | Child[];
type Choice = Value | Value[]; // what it is called where it is not its own name: [value, words]
type Choices = (Choice | { group: string; values: Choice[] })[];
type Pen = CanvasRenderingContext2D;
type Spot = [x: number, y: number];
type Palette = Record<string, string>;

/** How a sprite is to look: which of its variants, where it looks, in which colours. */
interface Look {
  variant: number;
  dx: number;
  dy: number;
  pal: Palette;
  bound?: Bound;
}
type Painter = (pen: Pen, look: Look) => void;

/** Colours (`@name` in an operation) and texts (`$name`) that one of several sprites of a kind has of its own. */
type Bound = Record<string, string>;
/** A number, or one that moves with where the sprite looks: base, per dx, per dy. */
type Measure = number | [base: number, dx: number, dy: number];
/** One step of drawing a sprite in a box of 1 by 1: what it is, and what it needs. */
type Operation = [kind: string, ...given: any[]];
/** One sprite of several above each other. */
interface Layer {
  sprite: string;
  bound?: Bound;
}
/** sprites.json: how everything looks, for the page and for Python alike. */
interface SpriteData {
  palettes: Record<string, Palette>;
  ansi: Record<string, string>;
  names: {
    grounds: Record<string, string>;
    things: Record<string, string>;
    own: Record<string, Record<string, string[]>>;
    colours: Record<string, string>;
  };
  looks: Record<'robot' | 'goal', Record<string, Bound>>;
  characters: Record<'built' | 'things' | 'families', Record<string, string>>;
  sprites: Record<string, Operation[]>;
}

/** A whole position, as boards show it. */
interface Position {
  cells: ArrayLike<number>;
  things: Thing[];
  edges?: number[];
  thoughts?: Thoughts;
  focus?: number;
  cursor?: boolean;
  w?: number;
  h?: number;
}

interface Mark {
  cell: number;
  kind: string;
  text?: string;
}

/** A legal move as the play page handles it: from and to are -1 where there is nothing to point at. */
interface Move {
  action: number;
  label: string;
  from: number;
  to: number;
  who: string;
  area: number[];
}

/** What the page of a game is set up with. */
interface Setting {
  game: string;
  level?: string;
  text?: string;
  seed?: number;
  agents?: string[];
  nodes?: number;
  seconds?: number;
  options?: Record<string, Value>;
}

/** Says what is played; the form of the play page, or a lesson that leaves no choice. */
interface Chooser {
  element?: HTMLElement;
  settings(): Setting[];
  query(more?: { text?: string }): string;
  tell(): void;
  next(): (() => void) | null;
  today?(): void;
  puzzle?: { date: string; best: number } | null; // of the day
  contest?: { date: string; against: string } | null; // the game of a day, where days have no puzzles
  practice?: Room['practice'];
  minutes?: HTMLInputElement; // that people at a table have
  choose?(level: string): void;
}

/** A drawing that a level's text is read into. */
type Drawn =
  InstanceType<typeof import('./drawing.js').Characters> | InstanceType<typeof import('./drawing.js').Walled>;

/** What the server wrote into the page. */
interface Config {
  page: string;
  texts: Record<string, string>;
  phrases: Record<string, string>; // what the server and rooms say, where it is not English
  languages: Record<string, string>; // what their speakers call them
  room: Room;
  rooms: RoomCard[];
  running: { id: string; kind: 'table' | 'game' | 'bench'; game: string; players: string[]; watching: number }[];
  id: string;
  today: string;
  dates: string[]; // of the calendar
  puzzles: Record<string, number[]>; // game -> steps of the best way on each of these days
  ratings: Record<string, number[]>; // game -> ratings of its puzzles by number
  embed: string; // where other sites find this game for a frame
  text: string;
  failed: boolean;
}

type View = import('./player.js').View;
type Game = import('./pages/play.js').Game;
type WalledDrawing = InstanceType<typeof import('./drawing.js').Walled>;
type FormInput = HTMLInputElement | HTMLSelectElement;

interface BoardSettings {
  glyphs?: Record<string, [string, string]>;
  theme?: string;
  most?: number; // pixels of a cell
  boxed?: boolean; // a small picture of its own
}

/** Something on its way from (fx, fy) to (x, y), in cells. */
/** The content of a cell on its way to another one. */
interface Glide {
  from: number;
  to: number;
}

interface Moving {
  name: string;
  x: number;
  y: number;
  dx: number;
  dy: number;
  fx: number;
  fy: number;
  began: number;
  lasts: number;
  ease: string;
}

interface GameEvent {
  t: number;
  kind: string;
  cell: number;
  to: number;
  who: string;
}

/** The whole memory of an agent at one moment. */
interface Remembered {
  w: number;
  h: number;
  kinds: Kind[];
  cells: Uint8Array;
  places: Place[];
}

/** What an easel tells its editor. */
interface EaselTold {
  changed: (text: string, part: number) => void; // a stroke is done
  at: (cell: number) => void; // where the pointer or the cursor is
  picked: (tile: Tile) => void;
  tool: (name: string) => void;
}

interface ReadLevel {
  name: string;
  text: string;
  warnings: string[];
}

/** What a shelf of levels asks its editor and tells it. */
interface ShelfTold {
  text: () => string;
  chosen: () => unknown;
  opened: (text: string) => void;
  kept: (level: string) => void;
  leaving: () => void;
  offered: (words: string, action: string, act: () => void) => void;
}

/** What somebody at the table of claims wants to say, as soon as the rules let them. */
type Wish = { kind: 'claim'; seat: number; moves: number } | { kind: 'time' } | { kind: 'ask'; waits?: number };

interface PlotMark {
  x: number;
  y: number;
  words: string;
  href?: string;
}

interface PlotTable {
  heads: string[];
  rows: Child[][];
}

/** A line of a plot: who played, with which budget. */
interface PlotLine {
  agents: string;
  budget: string;
}
interface WhiskerLine extends PlotLine, Interval {
  line?: RankedLine;
  match?: Match;
  [more: string]: unknown;
}
interface StripLine extends PlotLine {
  points: { value: number; words: string; href: string; won: boolean | number }[];
}
interface SeriesPoint extends Interval {
  x: number;
  href: string;
}
interface Series {
  agents: string;
  points: SeriesPoint[];
}

interface PlotSettings {
  draw: (width: number) => { height: number; shapes: Child[]; marks: PlotMark[] };
  summary: string;
  table: PlotTable;
  tools?: Child[];
  note?: string;
}

// For tests and benches: what a page shows is reachable from outside.
interface Window {
  gridsage: unknown;
}
