// Plots of our own, in SVG: whiskers, strips with boxes, and curves. Each is one stop of the Tab key; arrows go from value
// to value and Enter opens what is behind one. What they show is always there as a table too.
import { fill, h, number, t } from './dom.js';

const NEAR = 22; // pixels from which a value is meant by the mouse
const SHAPES = ['circle', 'square', 'triangle', 'diamond', 'cross', 'star'];
const COLOURS = 6; // classes series-0 to series-5 in style.css
const LETTER = 7.2; // width of a letter of 13 pixels, on average
const NS = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {...Child} children
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== null) element.setAttribute(name, String(value));
  fill(element, ...children);
  return element;
}

/**
 * A long name with its middle left out; the whole of it stays in a title.
 * @param {string} text
 * @param {number} most
 */
export function short(text, most) {
  if (text.length <= most) return text;
  const tail = Math.max(3, Math.floor(most * 0.45));
  return `${text.slice(0, Math.max(1, most - tail - 1))}…${text.slice(-tail)}`;
}

// A figure that draws itself anew at every width. draw(width) gives {height, shapes, marks: [{x, y, words, href}]}.
export class Plot {
  /**
   * @param {string} title
   * @param {PlotSettings} given
   */
  constructor(title, { draw, summary, table, tools = [], note = '' }) {
    this.drawing = draw;
    this.at = -1;
    /** @type {PlotMark[]} */
    this.marks = [];
    this.width = 0;
    this.isMatch = false; // it belongs to a match and stays when other lines are drawn
    /** @type {SVGElement | null} */
    this.ring = null;
    this.readout = h('p', { class: 'readout', 'aria-live': 'polite' });
    this.area = h('div', {
      class: 'plot-area',
      tabindex: '0',
      role: 'group',
      'aria-label': `${summary} ${t('plot_keys')}`,
    });
    this.element = h(
      'figure',
      { class: 'figure' },
      h('figcaption', {}, h('h3', {}, title), tools.length ? h('div', { class: 'row' }, tools) : null),
      note ? h('p', { class: 'note' }, note) : null,
      this.area,
      this.readout,
      h(
        'details',
        { class: 'as-table' },
        h('summary', {}, t('plot_table')),
        h('div', { class: 'table-box' }, tableOf(table)),
      ),
    );
    this.area.addEventListener('pointermove', (event) => this.point(event));
    this.area.addEventListener('pointerleave', () => {
      if (document.activeElement !== this.area) this.ring?.setAttribute('visibility', 'hidden');
    });
    this.area.addEventListener('click', (event) => {
      this.point(event);
      this.open();
    });
    this.area.addEventListener('keydown', (event) => this.key(event));
    this.area.addEventListener('focus', () => {
      if (this.at < 0) this.mark(0);
    });
    this.area.addEventListener('blur', () => this.ring?.setAttribute('visibility', 'hidden')); // its words stay: what moves away under the mouse cannot be clicked
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.area);
  }

  destroy() {
    this.watcher.disconnect();
  }

  draw() {
    const width = Math.floor(this.area.clientWidth);
    if (!width || width === this.width) return;
    this.width = width;
    const { height, shapes, marks } = this.drawing(width);
    this.marks = marks;
    this.ring = s('circle', { r: 8, class: 'ring', visibility: 'hidden' });
    this.area.replaceChildren(
      s(
        'svg',
        { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', focusable: 'false' },
        shapes,
        this.ring,
      ),
    );
    this.mark(-1);
  }

  /** @param {MouseEvent} event */
  point(event) {
    const box = this.area.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [best, distance] = [-1, NEAR];
    this.marks.forEach((mark, i) => {
      const away = Math.hypot(mark.x - x, mark.y - y);
      if (away < distance) [best, distance] = [i, away];
    });
    if (best >= 0 || event.type === 'click') this.mark(best);
  }

  /** @param {number} i */
  mark(i) {
    this.at = i;
    const mark = this.marks[i];
    this.readout.textContent = mark?.words ?? '';
    this.area.classList.toggle('opens', Boolean(mark?.href));
    if (!this.ring) return;
    this.ring.setAttribute('visibility', mark ? 'visible' : 'hidden');
    if (mark) {
      this.ring.setAttribute('cx', String(mark.x));
      this.ring.setAttribute('cy', String(mark.y));
    }
  }

  open() {
    const href = this.marks[this.at]?.href;
    if (href) location.href = href;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.marks.length - 1;
    /** @type {Record<string, number>} */
    const moves = {
      ArrowRight: this.at + 1,
      ArrowDown: this.at + 1,
      ArrowLeft: this.at - 1,
      ArrowUp: this.at - 1,
      Home: 0,
      End: last,
    };
    if (event.key in moves && last >= 0) {
      event.preventDefault();
      this.mark(Math.max(0, Math.min(last, moves[event.key])));
    } else if (event.key === 'Enter') this.open();
  }
}

/** @param {PlotTable} given */
function tableOf({ heads, rows }) {
  return h(
    'table',
    { class: 'list dense' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((words) => h('th', { scope: 'col' }, words)),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map((cells) =>
        h(
          'tr',
          {},
          cells.map((cell) => h('td', {}, cell)),
        ),
      ),
    ),
  );
}

/** @param {number} value */
export const percent = (value) => `${number(Math.round(value * 1e4) / 100)} %`;

/** @param {number} width */
function labels(width) {
  return Math.round(Math.min(230, Math.max(96, width * 0.3)));
}

/**
 * @param {PlotLine} line
 * @param {number} x
 * @param {number} y
 * @param {number} side
 */
function label(line, x, y, side) {
  const most = Math.floor(side / LETTER);
  return s(
    'g',
    {},
    s('title', {}, `${line.agents} · ${line.budget}`),
    s('text', { x, y: y - 3, class: 'name' }, short(line.agents, most)),
    s('text', { x, y: y + 11, class: 'small' }, short(line.budget, Math.floor(side / 6))),
  );
}

/**
 * @param {number[]} values
 * @param {(value: number) => number} x
 * @param {number} height
 * @param {(value: number) => string} words
 */
function axis(values, x, height, words) {
  return values.map((value, i) =>
    s(
      'g',
      {},
      s('line', { x1: x(value), x2: x(value), y1: 4, y2: height - 20, class: 'grid' }),
      s(
        'text',
        { x: x(value), y: height - 5, class: 'small', 'text-anchor': i === values.length - 1 ? 'end' : 'middle' },
        words(value),
      ),
    ),
  );
}

/**
 * One row a line: a dot for the rate, a bar for its interval.
 * @param {string} title
 * @param {WhiskerLine[]} lines
 * @param {{ words?: (value: number) => string, low?: number, high?: number, hrefOf?: (line: WhiskerLine) => string, note?: string }} [given]
 */
export function whiskers(title, lines, { words = percent, low = 0, high = 1, hrefOf = () => '', note = '' } = {}) {
  /** @param {WhiskerLine} line */
  const told = (line) =>
    t('interval_of', {
      agents: `${line.agents}, ${line.budget}`,
      value: words(line.value),
      low: words(line.low),
      high: words(line.high),
    });
  /** @param {number} width */
  const draw = (width) => {
    const side = labels(width);
    const [left, right] = [side + 8, width - 64];
    /** @param {number} value */
    const x = (value) => left + ((Math.max(low, Math.min(high, value)) - low) / (high - low)) * (right - left);
    const height = lines.length * 36 + 30;
    const marks = lines.map((line, i) => ({ x: x(line.value), y: i * 36 + 22, words: told(line), href: hrefOf(line) }));
    const rows = lines.map((line, i) => {
      const y = i * 36 + 22;
      return s(
        'g',
        {},
        label(line, 0, y, side),
        s('rect', {
          x: x(line.low),
          y: y - 4,
          width: Math.max(2, x(line.high) - x(line.low)),
          height: 8,
          rx: 4,
          class: 'reach',
        }),
        s('circle', { cx: x(line.value), cy: y, r: 5.5, class: 'value' }),
        s('text', { x: width, y: y + 4, class: 'name', 'text-anchor': 'end' }, words(line.value)),
      );
    });
    const ticks = (right - left < 260 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]).map((part) => low + part * (high - low));
    return { height, shapes: [axis(ticks, x, height, words), rows], marks };
  };
  return new Plot(title, {
    draw,
    note,
    summary: `${title}. ${lines.slice(0, 12).map(told).join('; ')}.`,
    table: {
      heads: [t('column_agents'), t('column_budget'), title, t('plot_low'), t('plot_high')],
      rows: lines.map((line) => [line.agents, line.budget, words(line.value), words(line.low), words(line.high)]),
    },
  });
}

/**
 * The box of a strip; there is at least one value.
 * @param {number[]} values
 */
export function quartiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  /** @param {number} part */
  const at = (part) => {
    const place = (sorted.length - 1) * part;
    const below = Math.floor(place);
    return sorted[below] + (sorted[Math.min(sorted.length - 1, below + 1)] - sorted[below]) * (place - below);
  };
  return { low: sorted[0], q1: at(0.25), median: at(0.5), q3: at(0.75), high: sorted[sorted.length - 1] };
}

/**
 * One row a line: every game a dot (filled: won), and over them the box of the middle half with the median.
 * @param {string} title
 * @param {StripLine[]} lines
 * @param {{ words?: (value: number) => string, logarithmic?: boolean, tools?: Child[], note?: string }} [given]
 */
export function strips(title, lines, { words = number, logarithmic = false, tools = [], note = '' } = {}) {
  const filled = lines.filter((line) => line.points.length);
  const boxes = filled.map((line) => quartiles(line.points.map((point) => point.value)));
  const told = filled.map((line, i) => boxWords(line, boxes[i], words));
  const scale = new Scale(
    filled.flatMap((line) => line.points.map((point) => point.value)),
    logarithmic,
  );
  /** @param {number} width */
  const draw = (width) => {
    const side = labels(width);
    const x = scale.over(side + 12, width - 12);
    const height = filled.length * STRIP_ROW + 30;
    /** @type {PlotMark[]} */
    const marks = [];
    const rows = filled.map((line, i) => {
      const y = i * STRIP_ROW + 24;
      marks.push({ x: x(boxes[i].median), y, words: told[i], href: '' });
      return s('g', {}, label(line, 0, y, side), strip(line, boxes[i], x, y, marks));
    });
    return { height, shapes: [axis(scale.ticks(width), x, height, words), rows], marks };
  };
  const heads = ['column_agents', 'column_budget', 'column_episodes', 'box_least', 'box_quarter', 'box_median'];
  return new Plot(title, {
    draw,
    tools,
    note,
    summary: `${title}. ${told.slice(0, 12).join('; ')}.`,
    table: {
      heads: [...heads, 'box_three', 'box_most'].map((name) => t(name)),
      rows: filled.map((line, i) => {
        const { low, q1, median, q3, high } = boxes[i];
        return [line.agents, line.budget, number(line.points.length), ...[low, q1, median, q3, high].map(words)];
      }),
    },
  });
}

const STRIP_ROW = 44; // pixels

/**
 * @param {StripLine} line
 * @param {ReturnType<typeof quartiles>} box
 * @param {(value: number) => string} words
 */
function boxWords(line, box, words) {
  return t('box_of', {
    agents: `${line.agents}, ${line.budget}`,
    n: line.points.length,
    median: words(box.median),
    q1: words(box.q1),
    q3: words(box.q3),
    low: words(box.low),
    high: words(box.high),
  });
}

/**
 * The dots of a line, spread a little so that equal ones are seen, and its box; `marks` learns where the dots are.
 * @param {StripLine} line
 * @param {ReturnType<typeof quartiles>} box
 * @param {(value: number) => number} x
 * @param {number} y
 * @param {PlotMark[]} marks
 */
function strip(line, box, x, y, marks) {
  const middle = { x: x(box.q1), y: y - 13, width: Math.max(2, x(box.q3) - x(box.q1)), height: 26, rx: 3 };
  const dots = line.points.map((point, j) => {
    const spot = { x: x(point.value), y: y + (((j * 7919) % 13) - 6) * 1.8, words: point.words, href: point.href };
    marks.push(spot);
    return s('circle', { cx: spot.x, cy: spot.y, r: 3.2, class: point.won ? 'dot won' : 'dot lost' });
  });
  return [
    s('rect', { ...middle, class: 'box' }),
    dots,
    s('line', { x1: x(box.median), x2: x(box.median), y1: y - 15, y2: y + 15, class: 'median' }),
  ];
}

/** From values to places along an axis, by factors where `logarithmic` is wanted and the values spread far. */
class Scale {
  /**
   * @param {number[]} values
   * @param {boolean} logarithmic
   */
  constructor(values, logarithmic) {
    const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
    this.logged = logarithmic && least > 0 && most / least > 20;
    const narrow = this.of(most) - this.of(least) < 1e-9 ? 0.5 : 0; // one value alone stands in the middle
    this.low = this.of(least) - narrow;
    this.high = this.of(most) + narrow;
  }

  /** @param {number} value */
  of(value) {
    return this.logged ? Math.log10(value) : value;
  }

  /**
   * @param {number} left
   * @param {number} right
   * @returns {(value: number) => number}
   */
  over(left, right) {
    return (value) => left + ((this.of(value) - this.low) / (this.high - this.low)) * (right - left);
  }

  /** @param {number} width */
  ticks(width) {
    const narrow = width < 520;
    return this.logged
      ? roundTicks(10 ** this.low, 10 ** this.high, narrow ? 3 : 6)
      : evenTicks(this.low, this.high, narrow ? 3 : 6);
  }
}

/**
 * Round numbers between two others on an axis that grows by factors: 1, 10, 100, or 1, 2, 5, 10 where there is room.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 */
export function roundTicks(low, high, most) {
  const first = Math.floor(Math.log10(low));
  const decades = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => first + i);
  for (const parts of [[1, 2, 5], [1, 3], [1]]) {
    const ticks = decades.flatMap((power) => parts.map((part) => Number((part * 10 ** power).toPrecision(1))));
    const inside = ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
    if (inside.length <= most && inside.length > 1) return inside;
  }
  const tens = decades.map((power) => 10 ** power).filter((tick) => tick >= low && tick <= high);
  const step = Math.ceil(tens.length / most);
  return tens.length > 1 ? tens.filter((_, i) => i % step === 0) : [low, high];
}

/**
 * Round numbers between two others, at most `most` of them and at least two.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 */
export function evenTicks(low, high, most) {
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  const step = [1, 2, 5, 10, 20, 50].map((part) => part * power).find((one) => count(low, high, one) <= most) ?? power;
  if (count(low, high, step) < 2) return [low, high];
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: count(low, high, step) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/**
 * How many multiples of `step` lie between two numbers.
 * @param {number} low
 * @param {number} high
 * @param {number} step
 */
function count(low, high, step) {
  return Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1;
}

/**
 * Rates over budgets, one curve an agent, with whiskers; the budget grows by factors, so its axis does too.
 * @param {string} title
 * @param {Series[]} series
 * @param {{ xWords: (value: number) => string, note?: string }} given
 */
export function curves(title, series, { xWords, note = '' }) {
  const points = series.flatMap((one) => one.points.map((point) => ({ one, point })));
  const amounts = [...new Set(points.map(({ point }) => point.x))].sort((a, b) => a - b);
  /** @param {SeriesPoint} point */
  const rates = (point) => [point.value, point.low, point.high].map(percent);
  /**
   * @param {Series} one
   * @param {SeriesPoint} point
   */
  const told = (one, point) => {
    const [value, low, high] = rates(point);
    return t('interval_of', { agents: `${one.agents}, ${xWords(point.x)}`, value, low, high });
  };
  /** @param {number} width */
  const draw = (width) => {
    const place = curvePlace(amounts, width);
    /** @type {PlotMark[]} */
    const marks = [];
    const shapes = [
      curveGrid(place),
      curveAmounts(place, amounts, xWords),
      series.map((one, i) => curve(place, one, i, series.length, told, marks)),
    ];
    return { height: place.bottom + 26, shapes, marks };
  };
  const heads = ['column_agents', 'column_budget', 'column_win_rate', 'plot_low', 'plot_high'];
  const plot = new Plot(title, {
    draw,
    note,
    summary: `${title}. ${points.map(({ one, point }) => told(one, point)).join('; ')}.`,
    table: {
      heads: heads.map((name) => t(name)),
      rows: points.map(({ one, point }) => [one.agents, xWords(point.x), ...rates(point)]),
    },
  });
  plot.area.before(curveLegend(series));
  return plot;
}

/**
 * Where things are in a plot of rates over amounts that grow by factors.
 * @param {number[]} amounts
 * @param {number} width
 */
function curvePlace(amounts, width) {
  const [left, right, top, bottom] = [46, width - 16, 12, 232];
  /** @param {number} value */
  const scale = (value) => Math.log10(Math.max(value, 1e-6));
  let [low, high] = [scale(amounts[0]), scale(amounts[amounts.length - 1])];
  if (high - low < 1e-9) [low, high] = [low - 0.5, high + 0.5];
  return {
    left,
    right,
    bottom,
    /** @param {number} value */
    x: (value) => left + ((scale(value) - low) / (high - low)) * (right - left),
    /** @param {number} value */
    y: (value) => bottom - value * (bottom - top),
  };
}

/** @param {ReturnType<typeof curvePlace>} place */
function curveGrid({ left, right, y }) {
  return [0, 0.25, 0.5, 0.75, 1].map((value) =>
    s(
      'g',
      {},
      s('line', { x1: left, x2: right, y1: y(value), y2: y(value), class: 'grid' }),
      s('text', { x: left - 8, y: y(value) + 4, class: 'small', 'text-anchor': 'end' }, percent(value)),
    ),
  );
}

/**
 * @param {ReturnType<typeof curvePlace>} place
 * @param {number[]} amounts
 * @param {(value: number) => string} words
 */
function curveAmounts({ left, right, bottom, x }, amounts, words) {
  const room = Math.max(1, Math.floor((right - left) / 110));
  const shown = amounts.filter((_, i) => amounts.length <= room || i % Math.ceil(amounts.length / room) === 0);
  return shown.map((amount) => {
    const anchor = amount === amounts[0] ? 'start' : amount === amounts.at(-1) ? 'end' : 'middle';
    return s('text', { x: x(amount), y: bottom + 18, class: 'small', 'text-anchor': anchor }, words(amount));
  });
}

/**
 * @param {ReturnType<typeof curvePlace>} place
 * @param {Series} one
 * @param {number} i
 * @param {number} among
 * @param {(one: Series, point: SeriesPoint) => string} told
 * @param {PlotMark[]} marks
 */
function curve({ left, right, x, y }, one, i, among, told, marks) {
  const shift = (i - (among - 1) / 2) * 7; // beside each other, or equal rates would hide one
  const spots = one.points.map((point) => ({
    point,
    px: Math.max(left, Math.min(right, x(point.x) + shift)),
    py: y(point.value),
  }));
  const colour = `series-${i % COLOURS}`;
  return [
    s('polyline', { points: spots.map(({ px, py }) => `${px},${py}`).join(' '), class: `curve ${colour}` }),
    spots.map(({ point, px, py }) => {
      marks.push({ x: px, y: py, words: told(one, point), href: point.href });
      const whisker = { x1: px, x2: px, y1: y(point.low), y2: y(point.high), class: `whisker ${colour}` };
      return [s('line', whisker), marker(i, px, py)];
    }),
  ];
}

/** @param {Series[]} series */
function curveLegend(series) {
  return h(
    'ul',
    { class: 'legend' },
    series.map((one, i) =>
      h(
        'li',
        { title: one.agents },
        s('svg', { width: 16, height: 16, 'aria-hidden': 'true' }, marker(i, 8, 8)),
        short(one.agents, 32),
      ),
    ),
  );
}

/**
 * @param {number} i
 * @param {number} x
 * @param {number} y
 */
function marker(i, x, y) {
  const kind = SHAPES[i % SHAPES.length];
  const name = `marker series-${i % COLOURS}`;
  /** @param {Spot[]} points */
  const path = (points) =>
    s('polygon', { points: points.map(([dx, dy]) => `${x + dx},${y + dy}`).join(' '), class: name });
  if (kind === 'square') return s('rect', { x: x - 4.5, y: y - 4.5, width: 9, height: 9, class: name });
  if (kind === 'triangle')
    return path([
      [0, -6],
      [6, 5],
      [-6, 5],
    ]);
  if (kind === 'diamond')
    return path([
      [0, -6.5],
      [6.5, 0],
      [0, 6.5],
      [-6.5, 0],
    ]);
  if (kind === 'cross')
    return path([
      [-6, -3],
      [-3, -6],
      [0, -3],
      [3, -6],
      [6, -3],
      [3, 0],
      [6, 3],
      [3, 6],
      [0, 3],
      [-3, 6],
      [-6, 3],
      [-3, 0],
    ]);
  if (kind === 'star')
    return path([
      [0, -7],
      [2, -2],
      [7, 0],
      [2, 2],
      [0, 7],
      [-2, 2],
      [-7, 0],
      [-2, -2],
    ]);
  return s('circle', { cx: x, cy: y, r: 5, class: name });
}
