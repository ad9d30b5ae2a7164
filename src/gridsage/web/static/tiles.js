// Our own vector tiles. Every painter draws into a box of 1 by 1: paint(pen, look), look = {variant, dx, dy, pal}.
// One hue per role, and a shape of its own for everything that matters, so that colour is never alone.

/** @type {Record<string, Palette>} */
export const PALETTES = {
  dark: {
    coordinate: '#93a0b8',
    void: '#141a26',
    floor: '#1b2332',
    seam: '#232d40',
    ink: '#0c1119',
    paper: '#f4f1e8',
    wall: '#5f6f8f',
    wallHi: '#7a8bad',
    wallLo: '#3c4862',
    steel: '#48546e',
    steelHi: '#8c9bb8',
    brick: '#a5573f',
    brickHi: '#bd6a4f',
    brickLo: '#6f3425',
    clay: '#5b4636',
    clayHi: '#6e5643',
    clayLo: '#4a382b',
    stone: '#9aa4b4',
    stoneHi: '#d5dce7',
    stoneLo: '#626c7d',
    gem: '#3cc8ee',
    gemHi: '#c9f3fd',
    gemLo: '#1479a3',
    gold: '#f5bd3d',
    goldHi: '#fde7a6',
    goldLo: '#a4741a',
    wood: '#c8935a',
    woodLo: '#86592d',
    hero: '#ff8562',
    heroLo: '#b84e30',
    foe: '#b98cff',
    foeLo: '#6f42b8',
    exit: '#4fd18b',
    exitLo: '#1d7a4b',
    edge: '#e9c46a',
    side1: '#f7f4ec',
    side1Lo: '#b4ad9d',
    side2: '#e0664a',
    side2Lo: '#8c321f',
    ice: '#9fe3ff',
    red: '#ef5b5b',
    green: '#4cc46c',
    blue: '#5a9cf5',
    yellow: '#f2c744',
    black: '#4a5163',
    any: '#c79bff',
    silver: '#c3cad6',
    blackRim: '#aab4c8',
    square1: '#2a3548',
    square2: '#1e2737',
    crack: '#f0ad62',
    rubble: '#56647f',
  },
  light: {
    coordinate: '#6b6557',
    void: '#e9e6dd',
    floor: '#faf8f2',
    seam: '#e7e2d6',
    ink: '#1d2330',
    paper: '#fffdf7',
    wall: '#7d879b',
    wallHi: '#98a2b5',
    wallLo: '#5a6377',
    steel: '#8d97aa',
    steelHi: '#c4cbd8',
    brick: '#b9664c',
    brickHi: '#cf7f64',
    brickLo: '#874430',
    clay: '#c9ad8c',
    clayHi: '#d8c0a3',
    clayLo: '#b39473',
    stone: '#8791a1',
    stoneHi: '#c6cdd8',
    stoneLo: '#596273',
    gem: '#189fd0',
    gemHi: '#a8e4f7',
    gemLo: '#0d6488',
    gold: '#e0a11b',
    goldHi: '#fbe09a',
    goldLo: '#8f6210',
    wood: '#b67c40',
    woodLo: '#774d22',
    hero: '#e9653d',
    heroLo: '#9c3d1f',
    foe: '#8a54d8',
    foeLo: '#562a99',
    exit: '#2f9e63',
    exitLo: '#17633b',
    edge: '#3b3f4c',
    side1: '#f7f4ec',
    side1Lo: '#b4ad9d',
    side2: '#e0664a',
    side2Lo: '#8c321f',
    ice: '#5cc3ec',
    red: '#d63f3f',
    green: '#2c9a4b',
    blue: '#2f74d6',
    yellow: '#d9a409',
    black: '#3a3f4d',
    any: '#8d55d9',
    silver: '#8a93a3',
    blackRim: '#1d2330',
    square1: '#fbf8f1',
    square2: '#e6e0d2',
    crack: '#8a4b12',
    rubble: '#a79f8d',
  },
};

// Small tools of drawing

/**
 * @param {Pen} pen
 * @param {Spot[]} points
 * @param {string} fill
 */
function area(pen, points, fill) {
  pen.beginPath();
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.fillStyle = fill;
  pen.fill();
}
/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {number} r
 * @param {string} fill
 */
function box(pen, x, y, w, h, r, fill) {
  pen.beginPath();
  pen.roundRect(x, y, w, h, r);
  pen.fillStyle = fill;
  pen.fill();
}
/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} fill
 */
function disc(pen, x, y, r, fill) {
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fillStyle = fill;
  pen.fill();
}
/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {number} width
 * @param {string} colour
 */
function ring(pen, x, y, r, width, colour) {
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
}
/**
 * @param {Pen} pen
 * @param {Spot[]} points
 * @param {number} width
 * @param {string} colour
 */
function stroke(pen, points, width, colour) {
  pen.beginPath();
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.lineCap = pen.lineJoin = 'round';
  pen.stroke();
}
/**
 * @param {Pen} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 * @param {number} [weight]
 */
function letter(pen, text, x, y, size, colour, weight = 700) {
  // A font below a few pixels is not drawn by every browser: write big and scale down.
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 100, size / 100);
  pen.font = `${weight} 100px "DejaVu Sans Mono", ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = colour;
  pen.fillText(text, 0, 4);
  pen.restore();
}
/**
 * @param {number} n
 * @param {number} radius
 * @param {number} [turn]
 * @param {number} [x]
 * @param {number} [y]
 * @returns {Spot[]}
 */
function around(n, radius, turn = -Math.PI / 2, x = 0.5, y = 0.5) {
  return Array.from({ length: n }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / n;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}
/**
 * @param {Pen} pen
 * @param {Look} look
 * @param {number} [y]
 * @param {number} [gap]
 * @param {number} [r]
 */
function eyes(pen, { dx, dy, pal }, y = 0.42, gap = 0.14, r = 0.095) {
  for (const side of [-1, 1]) {
    disc(pen, 0.5 + side * gap, y, r, '#fff');
    disc(pen, 0.5 + side * gap + dx * r * 0.45, y + dy * r * 0.45, r * 0.52, '#141821');
  }
}

// Ground

/**
 * @param {Pen} pen
 * @param {Look} look
 */
const space = (pen, { pal }) => box(pen, 0, 0, 1, 1, 0, pal.void);
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function floor(pen, { pal }) {
  box(pen, 0, 0, 1, 1, 0, pal.seam);
  box(pen, 0.02, 0.02, 0.96, 0.96, 0.05, pal.floor);
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function chequer(pen, look) {
  box(pen, 0, 0, 1, 1, 0, look.pal.seam);
  box(pen, 0.015, 0.015, 0.97, 0.97, 0.07, look.variant % 2 ? look.pal.square1 : look.pal.square2);
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function unknown(pen, { pal }) {
  box(pen, 0, 0, 1, 1, 0, pal.ink);
  for (const at of [0.25, 0.75, 1.25, 1.75])
    stroke(
      pen,
      [
        [at, 0],
        [at - 1, 1],
      ],
      0.05,
      pal.steel,
    );
}

// Solid things

/**
 * @param {Pen} pen
 * @param {Palette} pal
 * @param {{ body: string, high: string, low: string }} look
 */
function masonry(pen, pal, { body, high, low }) {
  box(pen, 0, 0, 1, 1, 0, low);
  for (let row = 0; row < 3; row++) {
    const y = row / 3 + 0.03;
    const cuts = row % 2 ? [0, 0.5, 1] : [0, 0.25, 0.75, 1];
    for (let i = 0; i + 1 < cuts.length; i++) {
      const x = cuts[i] + (cuts[i] ? 0.025 : 0);
      const w = cuts[i + 1] - cuts[i] - (cuts[i] ? 0.025 : 0) - (cuts[i + 1] < 1 ? 0.025 : 0);
      box(pen, x, y, w, 1 / 3 - 0.06, 0.03, body);
      box(pen, x, y, w, 0.07, 0.03, high);
    }
  }
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
const wall = (pen, { pal }) => masonry(pen, pal, { body: pal.wall, high: pal.wallHi, low: pal.wallLo });
/**
 * @param {Pen} pen
 * @param {Look} look
 */
const brick = (pen, { pal }) => masonry(pen, pal, { body: pal.brick, high: pal.brickHi, low: pal.brickLo });
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function steel(pen, { pal }) {
  box(pen, 0, 0, 1, 1, 0, pal.wallLo);
  box(pen, 0.04, 0.04, 0.92, 0.92, 0.06, pal.steel);
  area(
    pen,
    [
      [0.04, 0.04],
      [0.96, 0.04],
      [0.84, 0.16],
      [0.16, 0.16],
      [0.16, 0.84],
      [0.04, 0.96],
    ],
    pal.steelHi,
  );
  for (const [x, y] of [
    [0.26, 0.26],
    [0.74, 0.26],
    [0.26, 0.74],
    [0.74, 0.74],
  ])
    disc(pen, x, y, 0.06, pal.wallLo);
}
/**
 * One hewn block a cell: unlike bricks, it cannot be dug.
 * @param {Pen} pen
 * @param {Look} look
 */
function granite(pen, { pal, variant }) {
  box(pen, 0, 0, 1, 1, 0, pal.wallLo);
  box(pen, 0.03, 0.03, 0.94, 0.94, 0.1, pal.wall);
  area(
    pen,
    [
      [0.03, 0.1],
      [0.1, 0.03],
      [0.9, 0.03],
      [0.97, 0.1],
      [0.84, 0.16],
      [0.16, 0.16],
      [0.16, 0.84],
      [0.1, 0.97],
      [0.03, 0.9],
    ],
    pal.wallHi,
  );
  if (variant % 2)
    stroke(
      pen,
      [
        [0.34, 0.36],
        [0.46, 0.46],
        [0.42, 0.6],
      ],
      0.05,
      pal.wallLo,
    );
  if (variant > 1)
    stroke(
      pen,
      [
        [0.62, 0.6],
        [0.74, 0.7],
      ],
      0.05,
      pal.wallLo,
    );
}
/**
 * @param {number | string} strength
 * @returns {Painter}
 */
const sturdy =
  (strength) =>
  (pen, { pal }) => {
    box(pen, 0, 0, 1, 1, 0, pal.woodLo);
    box(pen, 0.05, 0.05, 0.9, 0.9, 0.06, pal.wood);
    stroke(
      pen,
      [
        [0.12, 0.12],
        [0.88, 0.88],
      ],
      0.07,
      pal.woodLo,
    );
    stroke(
      pen,
      [
        [0.88, 0.12],
        [0.12, 0.88],
      ],
      0.07,
      pal.woodLo,
    );
    disc(pen, 0.5, 0.5, 0.24, pal.woodLo);
    letter(pen, String(strength), 0.5, 0.5, 0.4, pal.paper);
  };
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function magic(pen, look) {
  wall(pen, look);
  area(
    pen,
    around(8, 0.42).map(([x, y], i) => (i % 2 ? [0.5 + (x - 0.5) * 0.45, 0.5 + (y - 0.5) * 0.45] : [x, y])),
    look.pal.paper,
  );
  area(
    pen,
    around(8, 0.32).map(([x, y], i) => (i % 2 ? [0.5 + (x - 0.5) * 0.4, 0.5 + (y - 0.5) * 0.4] : [x, y])),
    look.pal.any,
  );
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function clay(pen, { pal, variant }) {
  box(pen, 0, 0, 1, 1, 0, pal.clay);
  const spots = [
    [0.18, 0.22],
    [0.62, 0.14],
    [0.42, 0.5],
    [0.82, 0.62],
    [0.2, 0.8],
    [0.66, 0.88],
  ];
  spots.forEach(([x, y], i) => {
    const r = i % 3 ? 0.05 : 0.075;
    disc(
      pen,
      0.08 + ((x + variant * 0.19) % 1) * 0.84,
      0.08 + ((y + variant * 0.13) % 1) * 0.84,
      r,
      i % 2 ? pal.clayHi : pal.clayLo,
    );
  });
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function block(pen, { pal }) {
  box(pen, 0, 0, 1, 1, 0, pal.wallLo);
  box(pen, 0.06, 0.06, 0.88, 0.88, 0.04, pal.wall);
}

// Things to collect, climb and fear

/**
 * @param {Pen} pen
 * @param {Look} look
 */
function stone(pen, { pal }) {
  disc(pen, 0.5, 0.53, 0.43, pal.stoneLo);
  disc(pen, 0.49, 0.49, 0.41, pal.stone);
  disc(pen, 0.37, 0.35, 0.14, pal.stoneHi);
  stroke(
    pen,
    [
      [0.56, 0.52],
      [0.66, 0.62],
      [0.6, 0.74],
    ],
    0.045,
    pal.stoneLo,
  );
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function diamond(pen, { pal }) {
  area(
    pen,
    [
      [0.28, 0.16],
      [0.72, 0.16],
      [0.94, 0.42],
      [0.5, 0.92],
      [0.06, 0.42],
    ],
    pal.gemLo,
  );
  area(
    pen,
    [
      [0.28, 0.16],
      [0.72, 0.16],
      [0.94, 0.42],
      [0.06, 0.42],
    ],
    pal.gem,
  );
  area(
    pen,
    [
      [0.34, 0.42],
      [0.66, 0.42],
      [0.5, 0.92],
    ],
    pal.gem,
  );
  area(
    pen,
    [
      [0.4, 0.16],
      [0.6, 0.16],
      [0.66, 0.42],
      [0.34, 0.42],
    ],
    pal.gemHi,
  );
}
/**
 * What falls has streaks above it and is a little smaller.
 * @param {Painter} thing
 * @returns {Painter}
 */
const falling = (thing) => (pen, look) => {
  for (const [x, y] of [
    [0.24, 0.06],
    [0.5, 0],
    [0.76, 0.06],
  ])
    box(pen, x - 0.035, y, 0.07, 0.26, 0.03, look.pal.stone);
  pen.save();
  pen.translate(0.1, 0.2);
  pen.scale(0.8, 0.8);
  thing(pen, look);
  pen.restore();
};
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function bonus(pen, { pal }) {
  area(
    pen,
    [
      [0.2, 0.46],
      [0.8, 0.46],
      [0.94, 0.88],
      [0.06, 0.88],
    ],
    pal.goldLo,
  );
  area(
    pen,
    [
      [0.24, 0.4],
      [0.76, 0.4],
      [0.9, 0.8],
      [0.1, 0.8],
    ],
    pal.gold,
  );
  area(
    pen,
    [
      [0.24, 0.4],
      [0.76, 0.4],
      [0.8, 0.5],
      [0.2, 0.5],
    ],
    pal.goldHi,
  );
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function ladder(pen, { pal }) {
  for (const x of [0.14, 0.76]) box(pen, x, 0, 0.1, 1, 0, pal.woodLo);
  for (const y of [0.1, 0.43, 0.76]) box(pen, 0.14, y, 0.72, 0.11, 0.03, pal.wood);
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function cable(pen, { pal }) {
  box(pen, 0, 0.42, 1, 0.14, 0, pal.silver);
  for (const x of [0.18, 0.5, 0.82]) box(pen, x - 0.03, 0.36, 0.06, 0.26, 0.02, pal.wallLo);
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function exit(pen, { pal }) {
  box(pen, 0.12, 0.06, 0.76, 0.94, 0.14, pal.exitLo);
  box(pen, 0.2, 0.14, 0.6, 0.86, 0.1, pal.exit);
  stroke(
    pen,
    [
      [0.36, 0.56],
      [0.6, 0.56],
    ],
    0.09,
    pal.ink,
  );
  area(
    pen,
    [
      [0.54, 0.4],
      [0.74, 0.56],
      [0.54, 0.72],
    ],
    pal.ink,
  );
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function closedExit(pen, { pal }) {
  box(pen, 0.12, 0.06, 0.76, 0.94, 0.14, pal.wallLo);
  box(pen, 0.2, 0.14, 0.6, 0.86, 0.1, pal.steel);
  for (const x of [0.34, 0.5, 0.66]) box(pen, x - 0.03, 0.14, 0.06, 0.86, 0, pal.wallLo);
  disc(pen, 0.5, 0.56, 0.14, pal.exit);
}
/**
 * @param {number} rest
 * @returns {Painter}
 */
const hole =
  (rest) =>
  (pen, { pal }) => {
    box(pen, 0, 0, 1, 1, 0, pal.brickLo);
    area(
      pen,
      [
        [0.1, 0],
        [0.9, 0],
        [0.8, 0.9],
        [0.2, 0.9],
      ],
      pal.ink,
    );
    if (rest) letter(pen, String(rest), 0.5, 0.5, 0.62, pal.gold);
  };
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function closingHole(pen, look) {
  hole(0)(pen, look);
  for (const [x, y] of [
    [0.24, 0.8],
    [0.42, 0.66],
    [0.6, 0.82],
    [0.76, 0.68],
  ])
    box(pen, x - 0.1, y - 0.08, 0.2, 0.16, 0.04, look.pal.brick);
}
/** @type {[inset: number, tone: string][]} */
const ABYSS_LAYERS = [
  [0.14, '#151c2a'],
  [0.22, '#0f1520'],
  [0.3, '#080b11'],
];
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function abyss(pen, { pal }) {
  box(pen, 0, 0, 1, 1, 0, pal.rubble);
  area(
    pen,
    [
      [0.04, 0.12],
      [0.2, 0.03],
      [0.42, 0.1],
      [0.66, 0.02],
      [0.94, 0.08],
      [0.9, 0.36],
      [0.98, 0.6],
      [0.9, 0.93],
      [0.6, 0.9],
      [0.36, 0.98],
      [0.08, 0.9],
      [0.1, 0.62],
      [0.02, 0.4],
    ],
    '#05070b',
  );
  // Layers of rock that fade into the deep, and a piece that is still falling.
  for (const [inset, tone] of ABYSS_LAYERS) box(pen, inset, inset + 0.02, 1 - 2 * inset, 1 - 2 * inset, 0.12, tone);
  area(
    pen,
    [
      [0.44, 0.56],
      [0.58, 0.5],
      [0.64, 0.62],
      [0.5, 0.68],
    ],
    '#2b3548',
  );
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function cracking(pen, look) {
  chequer(pen, look);
  const { crack, rubble } = look.pal;
  const turned = look.variant > 1; // neighbours break differently
  pen.save();
  if (turned) {
    pen.translate(1, 1);
    pen.rotate(Math.PI);
  }
  area(
    pen,
    [
      [0.62, 0.98],
      [0.55, 0.72],
      [0.76, 0.6],
      [0.98, 0.72],
      [0.98, 0.98],
    ],
    rubble,
  );
  const lines = /** @type {Spot[][]} */ ([
    [
      [0.02, 0.14],
      [0.35, 0.38],
      [0.3, 0.6],
      [0.55, 0.72],
      [0.62, 0.98],
    ],
    [
      [0.35, 0.38],
      [0.62, 0.28],
      [0.98, 0.4],
    ],
    [
      [0.3, 0.6],
      [0.02, 0.74],
    ],
    [
      [0.55, 0.72],
      [0.76, 0.6],
      [0.98, 0.72],
    ],
  ]);
  for (const line of lines) stroke(pen, line, 0.1, '#1a1208');
  for (const line of lines) stroke(pen, line, 0.045, crack);
  pen.restore();
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function explosion(pen, { pal }) {
  area(
    pen,
    around(16, 0.48).map(([x, y], i) => (i % 2 ? [0.5 + (x - 0.5) * 0.6, 0.5 + (y - 0.5) * 0.6] : [x, y])),
    pal.gold,
  );
  area(
    pen,
    around(12, 0.3).map(([x, y], i) => (i % 2 ? [0.5 + (x - 0.5) * 0.6, 0.5 + (y - 0.5) * 0.6] : [x, y])),
    pal.hero,
  );
}

// Figures

/**
 * @param {Pen} pen
 * @param {Look} look
 * @param {string} body
 * @param {string} low
 * @param {(pen: Pen, pal: Palette) => void} hat
 */
function person(pen, look, body, low, hat) {
  const { pal, dx } = look;
  box(pen, 0.24, 0.56, 0.52, 0.36, 0.12, low);
  box(pen, 0.24, 0.5, 0.52, 0.34, 0.12, body);
  for (const x of [0.27, 0.53]) box(pen, x + dx * 0.02, 0.84, 0.2, 0.14, 0.05, low);
  disc(pen, 0.5, 0.34, 0.27, '#f6d3b3');
  hat(pen, pal);
  eyes(pen, look, 0.38, 0.1, 0.07);
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
const runner = (pen, look) =>
  person(pen, look, look.pal.hero, look.pal.heroLo, (pen, pal) => {
    box(pen, 0.22, 0.14, 0.56, 0.13, 0.05, pal.heroLo);
    const tail = look.dx > 0 ? -1 : 1;
    area(
      pen,
      [
        [0.5 + tail * 0.24, 0.15],
        [0.5 + tail * 0.48, 0.1],
        [0.5 + tail * 0.44, 0.3],
        [0.5 + tail * 0.24, 0.26],
      ],
      pal.heroLo,
    );
  });
/**
 * @param {Pen} pen
 * @param {Look} look
 */
const miner = (pen, look) =>
  person(pen, look, look.pal.hero, look.pal.heroLo, (pen, pal) => {
    pen.beginPath();
    pen.arc(0.5, 0.29, 0.29, Math.PI, 0);
    pen.closePath();
    pen.fillStyle = pal.gold;
    pen.fill();
    box(pen, 0.16, 0.25, 0.68, 0.08, 0.04, pal.goldLo);
    disc(pen, 0.5 + look.dx * 0.1, 0.16, 0.08, pal.paper);
  });
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function dead(pen, { pal }) {
  disc(pen, 0.5, 0.42, 0.38, pal.ink);
  box(pen, 0.28, 0.56, 0.44, 0.36, 0.1, pal.ink);
  disc(pen, 0.5, 0.42, 0.32, pal.paper);
  box(pen, 0.34, 0.6, 0.32, 0.26, 0.06, pal.paper);
  for (const x of [0.38, 0.62]) disc(pen, x, 0.44, 0.09, pal.ink);
  for (const x of [0.42, 0.5, 0.58]) box(pen, x - 0.015, 0.7, 0.03, 0.16, 0, pal.ink);
}
/**
 * @param {Pen} pen
 * @param {Look} look
 */
function guard(pen, look) {
  const { pal } = look;
  area(
    pen,
    [
      [0.22, 0.2],
      [0.3, 0.02],
      [0.42, 0.18],
    ],
    pal.foeLo,
  );
  area(
    pen,
    [
      [0.78, 0.2],
      [0.7, 0.02],
      [0.58, 0.18],
    ],
    pal.foeLo,
  );
  box(pen, 0.17, 0.15, 0.66, 0.8, 0.24, pal.foeLo);
  box(pen, 0.17, 0.12, 0.66, 0.74, 0.24, pal.foe);
  eyes(pen, look, 0.42, 0.14, 0.1);
  stroke(
    pen,
    [
      [0.36, 0.68],
      [0.45, 0.62],
      [0.55, 0.68],
      [0.64, 0.62],
    ],
    0.05,
    pal.ink,
  );
}
/**
 * In a hole: only its head and its hands are above the rim.
 * @param {Pen} pen
 * @param {Look} look
 */
function trapped(pen, look) {
  const { pal } = look;
  for (const x of [0.14, 0.86])
    stroke(
      pen,
      [
        [x, 0.66],
        [x + (x < 0.5 ? 0.04 : -0.04), 0.3],
      ],
      0.13,
      pal.foeLo,
    );
  area(
    pen,
    [
      [0.26, 0.42],
      [0.34, 0.24],
      [0.46, 0.4],
    ],
    pal.foeLo,
  );
  area(
    pen,
    [
      [0.74, 0.42],
      [0.66, 0.24],
      [0.54, 0.4],
    ],
    pal.foeLo,
  );
  box(pen, 0.23, 0.36, 0.54, 0.5, 0.2, pal.foe);
  for (const x of [0.38, 0.62]) {
    stroke(
      pen,
      [
        [x - 0.07, 0.47],
        [x + 0.07, 0.61],
      ],
      0.06,
      pal.ink,
    );
    stroke(
      pen,
      [
        [x + 0.07, 0.47],
        [x - 0.07, 0.61],
      ],
      0.06,
      pal.ink,
    );
  }
  box(pen, 0, 0.74, 1, 0.26, 0.04, pal.brick);
  box(pen, 0, 0.74, 1, 0.07, 0.03, pal.brickHi);
}
// Six monsters: each colour has its own outline, so they can be told apart in grey.
/** @type {Record<string, { n: number, turn: number, colour: string, grow?: number }>} */
const MONSTERS = {
  blue: { n: 4, turn: 0, colour: 'blue' },
  red: { n: 3, turn: -Math.PI / 2, colour: 'red' },
  green: { n: 6, turn: -Math.PI / 2, colour: 'green' },
  yellow: { n: 5, turn: -Math.PI / 2, colour: 'yellow' },
  purple: { n: 8, turn: -Math.PI / 8, colour: 'any' },
  black: { n: 4, turn: -Math.PI / 4, colour: 'black', grow: 1.25 },
};
/**
 * @param {string} kind
 * @returns {Painter}
 */
const monster = (kind) => (pen, look) => {
  const { n, turn, colour, grow = 1 } = MONSTERS[kind];
  const shift = n === 3 ? 0.08 : 0;
  area(pen, around(n, 0.5 * grow, turn, 0.5, 0.51 + shift), colour === 'black' ? look.pal.blackRim : look.pal.ink);
  area(pen, around(n, (colour === 'black' ? 0.41 : 0.44) * grow, turn, 0.5, 0.5 + shift), look.pal[colour]);
  eyes(pen, look, 0.5 + shift, 0.12, 0.09);
};
/**
 * @param {string} colour
 * @param {string} sign
 * @returns {Painter}
 */
const robot = (colour, sign) => (pen, look) => {
  const { pal, dx, dy } = look;
  const body = pal[colour];
  const rim = colour === 'black' ? pal.blackRim : pal.ink;
  stroke(
    pen,
    [
      [0.5, 0.22],
      [0.5, 0.1],
    ],
    0.06,
    colour === 'black' ? rim : body,
  );
  disc(pen, 0.5, 0.09, 0.07, colour === 'black' ? rim : body);
  box(pen, 0.07, 0.2, 0.86, 0.74, 0.2, rim);
  box(pen, 0.11, 0.22, 0.78, 0.68, 0.17, body);
  box(pen, 0.2, 0.3, 0.6, 0.2, 0.1, pal.ink);
  for (const side of [-1, 1]) disc(pen, 0.5 + side * 0.14 + dx * 0.05, 0.4 + dy * 0.03, 0.065, '#fff');
  letter(pen, sign, 0.5, 0.7, 0.36, colour === 'yellow' || colour === 'silver' ? '#1d2330' : '#fff', 800);
};
// Outlines of goals; a spiral has none and is always drawn as a line.
/** @type {Record<string, Spot[]>} */
const SHAPES = {
  circle: around(24, 0.33),
  triangle: around(3, 0.42, -Math.PI / 2, 0.5, 0.58),
  square: [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.8, 0.8],
    [0.2, 0.8],
  ],
  hexagon: around(6, 0.37),
  star: around(10, 0.42, -Math.PI / 2, 0.5, 0.53).map(([x, y], i) =>
    i % 2 ? [0.5 + (x - 0.5) * 0.5, 0.53 + (y - 0.53) * 0.5] : [x, y],
  ),
  vortex: Array.from({ length: 61 }, (_, i) => [
    0.5 + (0.05 + i * 0.0056) * Math.cos(i * 0.23),
    0.5 + (0.05 + i * 0.0056) * Math.sin(i * 0.23),
  ]),
};
/** @type {Record<string, number>} */
const MIDDLE = { triangle: 0.62, star: 0.54 }; // where a letter stands in it
/**
 * The goal that is meant is filled and has a ring; the others are outlines. The letter tells the colour to those who
 * do not see it; black has a rim, to be seen on the dark.
 * @param {string} colour
 * @param {string} shape
 * @param {boolean} wanted
 * @returns {Painter}
 */
const goal = (colour, shape, wanted) => (pen, look) => {
  const { pal } = look;
  floor(pen, look);
  const hue = pal[colour];
  const rim = colour === 'black' ? pal.blackRim : hue;
  const points = SHAPES[shape];
  const sign = COLOURS[colour] ?? '';
  if (wanted) {
    ring(pen, 0.5, 0.5, 0.45, 0.07, rim);
    pen.save();
    pen.translate(0.5, 0.5);
    pen.scale(0.82, 0.82);
    pen.translate(-0.5, -0.5);
    if (shape === 'vortex') stroke(pen, points, 0.1, rim);
    else {
      area(pen, points, hue);
      if (colour === 'black') stroke(pen, [...points, points[0]], 0.05, rim);
    }
    pen.restore();
  } else {
    pen.globalAlpha = 0.72;
    stroke(pen, shape === 'vortex' ? points : [...points, points[0]], 0.085, rim);
    pen.globalAlpha = 1;
  }
  if (!sign) return;
  if (shape === 'vortex') disc(pen, 0.5, 0.5, 0.17, pal.floor);
  const dark = colour === 'yellow' || colour === 'silver';
  letter(
    pen,
    sign,
    0.5,
    MIDDLE[shape] ?? 0.5,
    shape === 'star' ? 0.26 : 0.33,
    wanted && shape !== 'vortex' ? (dark ? '#1d2330' : '#fff') : rim,
    800,
  );
};
const RIM = '#1d2330'; // dark in both themes: white stands out on light squares too

/**
 * @param {Pen} pen
 * @param {string} body
 * @param {string} low
 */
function crossedDisc(pen, body, low) {
  disc(pen, 0.5, 0.56, 0.4, RIM);
  disc(pen, 0.5, 0.55, 0.36, low);
  disc(pen, 0.5, 0.46, 0.4, RIM);
  disc(pen, 0.5, 0.46, 0.36, body);
  ring(pen, 0.5, 0.46, 0.27, 0.035, low);
  const [near, far] = [0.38, 0.62];
  const arms = /** @type {Spot[][]} */ ([
    [
      [near, near - 0.04],
      [far, far - 0.04],
    ],
    [
      [far, near - 0.04],
      [near, far - 0.04],
    ],
  ]);
  for (const arm of arms) stroke(pen, arm, 0.085, RIM);
}

/**
 * @param {Pen} pen
 * @param {string} body
 * @param {string} low
 */
function ringedBlock(pen, body, low) {
  box(pen, 0.11, 0.16, 0.78, 0.78, 0.17, RIM);
  box(pen, 0.15, 0.2, 0.7, 0.7, 0.14, low);
  box(pen, 0.11, 0.06, 0.78, 0.78, 0.17, RIM);
  box(pen, 0.15, 0.1, 0.7, 0.7, 0.14, body);
  box(pen, 0.2, 0.14, 0.6, 0.06, 0.03, '#f19a86');
  ring(pen, 0.5, 0.46, 0.15, 0.085, RIM);
}

/**
 * A block of ice around a pawn, and a crystal: whose pawn it is stays plain to see.
 * @type {Painter}
 */
const ice = (pen, { pal }) => {
  pen.save();
  pen.globalAlpha = 0.35;
  box(pen, 0.03, 0.03, 0.94, 0.94, 0.08, pal.ice);
  pen.restore();
  for (const [x, y, dx, dy] of [
    [0.05, 0.05, 1, 1],
    [0.95, 0.05, -1, 1],
    [0.05, 0.95, 1, -1],
    [0.95, 0.95, -1, -1],
  ])
    stroke(
      pen,
      [
        [x, y + dy * 0.26],
        [x, y],
        [x + dx * 0.26, y],
      ],
      0.09,
      pal.ice,
    );
  disc(pen, 0.8, 0.2, 0.18, pal.ink);
  for (let i = 0; i < 3; i++) {
    const [x, y] = [0.14 * Math.cos((i * Math.PI) / 3 + 0.52), 0.14 * Math.sin((i * Math.PI) / 3 + 0.52)];
    stroke(
      pen,
      [
        [0.8 - x, 0.2 - y],
        [0.8 + x, 0.2 + y],
      ],
      0.07,
      pal.ice,
    );
  }
};

/**
 * A disc with a cross, a block with a ring: the signs that level texts have for the two sides.
 * @param {number} side
 * @param {boolean} frozen
 * @returns {Painter}
 */
const pawn = (side, frozen) => (pen, look) => {
  const { pal } = look;
  pen.save();
  pen.globalAlpha = 0.35;
  pen.beginPath();
  pen.ellipse(0.5, 0.88, 0.36, 0.1, 0, 0, Math.PI * 2);
  pen.fillStyle = '#000';
  pen.fill();
  pen.restore();
  if (side === 1) crossedDisc(pen, pal.side1, pal.side1Lo);
  else ringedBlock(pen, pal.side2, pal.side2Lo);
  if (frozen) ice(pen, look);
};

/**
 * @param {Painter} ground
 * @param {Painter} thing
 * @returns {Painter}
 */
const on = (ground, thing) => (pen, look) => {
  ground(pen, look);
  thing(pen, look);
};

/** @type {Record<string, string>} */
export const COLOURS = { red: 'R', green: 'G', blue: 'B', yellow: 'Y', black: 'K', silver: 'S' };
/** @type {Record<string, string>} */
const COLOUR_OF_ANY = {
  any: 'any',
  purple: 'any',
  vortex: 'any',
  ...Object.fromEntries(Object.keys(COLOURS).map((c) => [c, c])),
};

/** @type {Record<string, Painter>} */
const GROUNDS = {
  floor,
  empty: floor,
  ground: chequer,
  path: space,
  void: space,
  space,
  unknown,
  dark: unknown,
  wall,
  brick,
  'floor-brick': brick,
  'false-brick': brick,
  steel,
  solid: steel,
  border: steel,
  sturdy: sturdy(''),
  magic,
  clay,
  grass: clay,
  dirt: clay,
  block,
  centre: block,
  center: block,
  hole: hole(0),
  abyss,
  cracking,
};
// Without a ground of their own: as a cell they stand on empty space, as a moving thing on whatever is there.
/** @type {Record<string, Painter>} */
const THINGS = {
  stone,
  boulder: stone,
  falling_stone: falling(stone),
  falling_diamond: falling(diamond),
  diamond,
  gem: diamond,
  bonus,
  gold: bonus,
  ladder,
  cable,
  bar: cable,
  rope: cable,
  exit,
  door: exit,
  'exit-closed': closedExit,
  explosion,
  blast: explosion,
  dead,
  runner,
  hero: runner,
  miner,
  guard,
  enemy: guard,
  'trapped-enemy': trapped,
  'hidden-ladder': (pen, look) => {
    pen.globalAlpha = 0.3;
    ladder(pen, look);
    pen.globalAlpha = 1;
  },
};

/** @type {Painter} */
const inbox = (pen, look) => {
  steel(pen, look);
  box(pen, 0.2, 0.16, 0.6, 0.72, 0.08, look.pal.ink);
  box(pen, 0.26, 0.22, 0.48, 0.6, 0.05, look.pal.wood);
  disc(pen, 0.63, 0.54, 0.06, look.pal.goldHi);
};
/** @type {Painter} */
const birth = (pen, look) => {
  space(pen, look);
  ring(pen, 0.5, 0.5, 0.34, 0.07, look.pal.goldHi);
  ring(pen, 0.5, 0.5, 0.19, 0.07, look.pal.hero);
};
/** @type {Painter} */
const amoeba = (pen, { variant, pal }) => {
  box(pen, 0, 0, 1, 1, 0, pal.exitLo);
  const turned = variant % 2 ? 0.08 : -0.08;
  for (const [x, y, r] of [
    [0.3, 0.32 + turned, 0.22],
    [0.7, 0.38 - turned, 0.2],
    [0.42 - turned, 0.72, 0.21],
    [0.76 + turned, 0.78, 0.15],
  ]) {
    disc(pen, x, y, r, pal.exit);
    disc(pen, x - r * 0.3, y - r * 0.3, r * 0.28, pal.paper);
  }
};
/** @type {Painter} */
const slime = (pen, { pal }) => {
  box(pen, 0, 0, 1, 1, 0, pal.exitLo);
  for (const y of [0.2, 0.5, 0.8])
    stroke(
      pen,
      [
        [0, y],
        [0.25, y - 0.1],
        [0.5, y],
        [0.75, y + 0.1],
        [1, y],
      ],
      0.1,
      pal.exit,
    );
};
/** @type {Painter} */
const growingWall = (pen, look) => {
  brick(pen, look);
  for (const [near, far] of [
    [0.42, 0.12],
    [0.58, 0.88],
  ])
    stroke(
      pen,
      [
        [near, 0.3],
        [far, 0.5],
        [near, 0.7],
      ],
      0.08,
      look.pal.paper,
    );
};

// Games that mean something of their own by a common name.
/** @type {Record<string, Record<string, Painter>>} */
const OF_GAME = {
  loderunner: { floor: brick, wall: granite, exit: on(space, closedExit), 'open-exit': on(space, exit) },
  delirium: {
    exit: on(space, closedExit),
    open_exit: on(space, exit),
    steel_wall: steel,
    brick_wall: brick,
    growing_wall: growingWall,
    inbox,
    birth,
    amoeba,
    slime,
  },
};

/**
 * A tile by name. Names are words joined by `-`, `_`, `:` or spaces; the words say what to paint, so `robot-red`,
 * `target:red:circle` and `hole-7` need no entry each. Null when nothing fits: the board then writes the room's glyph.
 * @param {string} name
 * @param {boolean} [moving]
 * @param {string} [game]
 */
export function painter(name, moving = false, game = '') {
  const own = OF_GAME[game]?.[name];
  if (own) return own;
  const found = thing(name);
  if (found) return moving ? found : on(space, found);
  return ground(name);
}

/** @param {string} name */
function thing(name) {
  if (THINGS[name]) return THINGS[name];
  const { has, colour, words } = read(name);
  if (has('robot')) return COLOURS[colour] ? robot(colour, COLOURS[colour]) : null;
  if (has('pawn', 'first', 'second')) return pawn(has('second') ? 2 : 1, Boolean(has('frozen')));
  if (has('monster') && MONSTERS[colour]) return monster(colour);
  if (words.length === 1 && MONSTERS[name]) return monster(name);
  if (has('exit') && has('closed', 'shut', 'locked')) return closedExit;
  if (has('dead')) return dead;
  const word = words.find((word) => THINGS[word]);
  return word ? THINGS[word] : null;
}

/** @param {string} name */
function ground(name) {
  if (GROUNDS[name]) return GROUNDS[name];
  const { has, colour, number, words } = read(name);
  const shape = words.find((word) => SHAPES[word]);
  if (shape || has('target', 'goal', 'mission')) {
    return goal(COLOUR_OF_ANY[colour] ?? 'any', shape ?? 'star', Boolean(has('target', 'active', 'wanted', 'mission')));
  }
  if (has('sturdy', 'stw')) return sturdy(number ?? '');
  if (has('hole', 'pit')) return has('closing') && number === undefined ? closingHole : hole(number ?? 0);
  const word = words.find((word) => GROUNDS[word]);
  return word ? GROUNDS[word] : null;
}

/** @param {string} name */
function read(name) {
  const words = name.toLowerCase().split(/[-_: ]+/);
  return {
    words,
    /** @param {...string} any */
    has: (...any) => any.find((word) => words.includes(word)),
    colour: words.find((word) => COLOUR_OF_ANY[word] || MONSTERS[word]) ?? '',
    number: words.map((word) => parseInt(word.replace(/^\D+/, ''), 10)).find((n) => !Number.isNaN(n)),
  };
}

/** @type {Record<string, string>} */
const ANSI = {
  black: '#6b7280',
  red: '#f26d6d',
  green: '#58c472',
  yellow: '#e6c34f',
  blue: '#6ea8ff',
  magenta: '#d58cf2',
  cyan: '#4fd0d8',
  white: '#dfe4ee',
  brown: '#b98b5e',
  gray: '#9aa3b2',
  grey: '#9aa3b2',
  orange: '#f5a255',
  bright_black: '#8b93a3',
  bright_red: '#ff8c8c',
  bright_green: '#86e29b',
  bright_yellow: '#ffe27a',
  bright_blue: '#9cc4ff',
  bright_magenta: '#ecb3ff',
  bright_cyan: '#8becf2',
  bright_white: '#ffffff',
};

/**
 * `text:<character>:<colour>` as a glyph in a fixed font; the character itself may be a colon.
 * @param {string} name
 */
export function glyph(name) {
  const found = /^text:(.+?)(?::([^:]*))?$/su.exec(name) ?? [null, '?', ''];
  const wish = (found[2] ?? '').trim();
  const words = wish.split(/\s+/);
  const colour = ANSI[words.find((word) => ANSI[word]) ?? ''] ?? (/^#[0-9a-f]{3,8}$/i.test(wish) ? wish : ANSI.white);
  return { character: found[1], colour, bold: words.includes('bold'), reverse: words.includes('reverse') };
}

/**
 * @param {Pen} pen
 * @param {string} name
 * @param {number} aspect
 */
export function paintGlyph(pen, name, aspect) {
  const { character, colour, bold, reverse } = glyph(name);
  pen.fillStyle = reverse ? colour : '#10141d';
  pen.fillRect(0, 0, aspect, 1);
  if (character !== ' ') letter(pen, character, aspect / 2, 0.5, 0.86, reverse ? '#10141d' : colour, bold ? 700 : 500);
}
