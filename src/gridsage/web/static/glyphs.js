// Pictures for games that are made of characters: one of our own shapes for every class of character, in its colour. The
// letter stays in a corner of a creature, so that two of one family can be told apart.

const GROUND = '#161c28';
const STONE = '#3a465c';
const EDGE = '#5d6d8c';
const INK = '#0b0f16';
const PAPER = '#f4f1e8';

/** @typedef {{ character: string, colour: string, bold: boolean, reverse: boolean }} Glyph */

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
 * @param {Spot[]} points
 * @param {number} width
 * @param {string} colour
 */
function stroke(pen, points, width, colour) {
  pen.beginPath();
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.lineCap = pen.lineJoin = 'round';
  pen.lineWidth = width;
  pen.strokeStyle = colour;
  pen.stroke();
}

/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} rx
 * @param {number} ry
 * @param {string} fill
 */
function oval(pen, x, y, rx, ry, fill) {
  pen.beginPath();
  pen.ellipse(x, y, rx, ry, 0, 0, Math.PI * 2);
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
 * Two eyes that look at us.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} gap
 * @param {number} r
 */
function eyes(pen, x, y, gap, r) {
  for (const side of [-1, 1]) {
    oval(pen, x + side * gap, y, r, r, '#fff');
    oval(pen, x + side * gap, y, r * 0.5, r * 0.5, INK);
  }
}

// The ground and what is built

/** @param {Pen} pen */
function floor(pen) {
  box(pen, 0, 0, 1, 1, 0, GROUND);
  box(pen, 0.46, 0.46, 0.08, 0.08, 0.04, STONE);
}

/** @param {Pen} pen */
function corridor(pen) {
  box(pen, 0, 0, 1, 1, 0, '#10151e');
  for (const [x, y, r] of [
    [0.25, 0.3, 0.09],
    [0.66, 0.24, 0.07],
    [0.45, 0.62, 0.1],
    [0.78, 0.72, 0.08],
  ])
    oval(pen, x, y, r, r * 0.7, STONE);
}

/** @param {Pen} pen */
function wall(pen) {
  box(pen, 0, 0, 1, 1, 0, STONE);
  box(pen, 0, 0, 1, 0.12, 0, EDGE);
  for (const y of [0.36, 0.68]) box(pen, 0, y, 1, 0.05, 0, '#2a3447');
  for (const [x, y] of [
    [0.3, 0.12],
    [0.7, 0.41],
    [0.3, 0.73],
  ])
    box(pen, x, y, 0.05, 0.27, 0, '#2a3447');
}

/**
 * @param {Pen} pen
 * @param {string} colour
 */
function shutDoor(pen, colour) {
  floor(pen);
  box(pen, 0.14, 0.06, 0.72, 0.9, 0.06, INK);
  box(pen, 0.18, 0.1, 0.64, 0.84, 0.05, colour);
  for (const x of [0.38, 0.6]) box(pen, x, 0.1, 0.03, 0.84, 0, INK);
  oval(pen, 0.72, 0.54, 0.055, 0.055, PAPER);
}

/**
 * @param {Pen} pen
 * @param {string} colour
 */
function openDoor(pen, colour) {
  floor(pen);
  area(
    pen,
    [
      [0.14, 0.06],
      [0.36, 0.2],
      [0.36, 0.98],
      [0.14, 0.94],
    ],
    colour,
  );
  stroke(
    pen,
    [
      [0.86, 0.06],
      [0.86, 0.94],
    ],
    0.07,
    colour,
  );
}

/**
 * @param {Pen} pen
 * @param {boolean} up
 */
function stairs(pen, up) {
  floor(pen);
  for (let i = 0; i < 4; i++) {
    const height = (up ? i + 1 : 4 - i) * 0.2;
    box(pen, 0.1 + i * 0.2, 0.92 - height, 0.2, height, 0.02, i % 2 ? EDGE : '#8291ad');
  }
  const y = up ? 0.2 : 0.26;
  area(
    pen,
    up
      ? [
          [0.2, y + 0.14],
          [0.34, y - 0.08],
          [0.48, y + 0.14],
        ]
      : [
          [0.52, y - 0.12],
          [0.66, y + 0.1],
          [0.8, y - 0.12],
        ],
    '#ffe27a',
  );
}

/**
 * @param {Pen} pen
 * @param {string} colour
 */
function liquid(pen, colour) {
  box(pen, 0, 0, 1, 1, 0, INK);
  pen.globalAlpha = 0.55;
  box(pen, 0, 0, 1, 1, 0, colour);
  pen.globalAlpha = 1;
  for (const y of [0.25, 0.55, 0.82])
    stroke(
      pen,
      [
        [0.08, y],
        [0.28, y - 0.08],
        [0.5, y],
        [0.72, y - 0.08],
        [0.92, y],
      ],
      0.06,
      colour,
    );
}

/**
 * @param {Pen} pen
 * @param {string} colour
 */
function tree(pen, colour) {
  floor(pen);
  box(pen, 0.44, 0.56, 0.12, 0.38, 0.03, '#86592d');
  for (const [x, y] of [
    [0.5, 0.3],
    [0.32, 0.46],
    [0.68, 0.46],
  ])
    oval(pen, x, y, 0.22, 0.2, colour);
}

/** @type {Record<string, (pen: Pen, colour: string) => void>} */
const BUILT = {
  '.': floor,
  '<': (pen) => stairs(pen, true),
  '>': (pen) => stairs(pen, false),
  _: (pen, colour) => {
    floor(pen);
    box(pen, 0.12, 0.5, 0.76, 0.16, 0.04, colour);
    box(pen, 0.24, 0.66, 0.52, 0.28, 0.03, EDGE);
  },
  '{': (pen, colour) => {
    floor(pen);
    oval(pen, 0.5, 0.68, 0.38, 0.22, EDGE);
    oval(pen, 0.5, 0.64, 0.3, 0.15, colour);
    stroke(
      pen,
      [
        [0.5, 0.62],
        [0.5, 0.2],
      ],
      0.08,
      colour,
    );
  },
  '^': (pen, colour) => {
    floor(pen);
    for (const x of [0.26, 0.5, 0.74])
      area(
        pen,
        [
          [x - 0.12, 0.84],
          [x, 0.36],
          [x + 0.12, 0.84],
        ],
        colour,
      );
  },
};

// Things that lie about

/** @type {Record<string, (pen: Pen, colour: string) => void>} */
const THINGS = {
  ')': (pen, colour) => {
    stroke(
      pen,
      [
        [0.26, 0.78],
        [0.78, 0.22],
      ],
      0.13,
      colour,
    );
    stroke(
      pen,
      [
        [0.22, 0.58],
        [0.44, 0.8],
      ],
      0.1,
      '#c8935a',
    );
  },
  '[': (pen, colour) => {
    area(
      pen,
      [
        [0.18, 0.22],
        [0.4, 0.16],
        [0.6, 0.16],
        [0.82, 0.22],
        [0.76, 0.62],
        [0.5, 0.9],
        [0.24, 0.62],
      ],
      colour,
    );
    stroke(
      pen,
      [
        [0.5, 0.24],
        [0.5, 0.78],
      ],
      0.06,
      INK,
    );
  },
  '=': (pen, colour) => ringOf(pen, colour, 0.5, 0.58, 0.22),
  '"': (pen, colour) => {
    ringOf(pen, colour, 0.5, 0.4, 0.26);
    oval(pen, 0.5, 0.72, 0.12, 0.14, colour);
  },
  '(': (pen, colour) => {
    box(pen, 0.18, 0.36, 0.64, 0.48, 0.06, colour);
    box(pen, 0.18, 0.5, 0.64, 0.06, 0, INK);
    box(pen, 0.44, 0.46, 0.12, 0.16, 0.03, PAPER);
  },
  '%': (pen, colour) => {
    oval(pen, 0.46, 0.56, 0.28, 0.26, colour);
    stroke(
      pen,
      [
        [0.5, 0.32],
        [0.6, 0.16],
      ],
      0.07,
      '#58c472',
    );
  },
  '!': (pen, colour) => {
    box(pen, 0.42, 0.14, 0.16, 0.26, 0.04, PAPER);
    oval(pen, 0.5, 0.62, 0.26, 0.26, PAPER);
    oval(pen, 0.5, 0.66, 0.2, 0.19, colour);
  },
  '?': (pen, colour) => {
    box(pen, 0.24, 0.2, 0.52, 0.6, 0.04, PAPER);
    for (const y of [0.34, 0.48, 0.62]) box(pen, 0.32, y, 0.36, 0.05, 0.02, colour === PAPER ? INK : colour);
    for (const y of [0.16, 0.76]) box(pen, 0.18, y, 0.64, 0.1, 0.05, '#c8b38a');
  },
  '/': (pen, colour) => {
    stroke(
      pen,
      [
        [0.24, 0.8],
        [0.72, 0.26],
      ],
      0.1,
      colour,
    );
    oval(pen, 0.76, 0.22, 0.09, 0.09, PAPER);
  },
  '*': (pen, colour) => {
    area(
      pen,
      [
        [0.3, 0.3],
        [0.7, 0.3],
        [0.86, 0.5],
        [0.5, 0.86],
        [0.14, 0.5],
      ],
      colour,
    );
    area(
      pen,
      [
        [0.3, 0.3],
        [0.7, 0.3],
        [0.62, 0.5],
        [0.38, 0.5],
      ],
      PAPER,
    );
  },
  $: (pen) => {
    for (const [x, y] of [
      [0.34, 0.7],
      [0.64, 0.72],
      [0.5, 0.5],
    ]) {
      oval(pen, x, y, 0.2, 0.13, '#a4741a');
      oval(pen, x, y - 0.04, 0.2, 0.13, '#f5bd3d');
    }
  },
  '`': (pen) => {
    oval(pen, 0.5, 0.54, 0.4, 0.38, '#626c7d');
    oval(pen, 0.48, 0.5, 0.38, 0.35, '#9aa4b4');
    oval(pen, 0.36, 0.36, 0.12, 0.1, '#d5dce7');
  },
  '+': (pen, colour) => {
    box(pen, 0.2, 0.2, 0.6, 0.64, 0.05, colour);
    box(pen, 0.2, 0.2, 0.1, 0.64, 0.03, INK);
    box(pen, 0.4, 0.36, 0.3, 0.06, 0.02, PAPER);
  },
};

/**
 * @param {Pen} pen
 * @param {string} colour
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function ringOf(pen, colour, x, y, r) {
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.lineWidth = 0.09;
  pen.strokeStyle = colour;
  pen.stroke();
}

// Creatures, by family

/** @type {Record<string, (pen: Pen, colour: string) => void>} */
const FAMILIES = {
  person: (pen, colour) => {
    box(pen, 0.26, 0.5, 0.48, 0.44, 0.14, colour);
    oval(pen, 0.5, 0.32, 0.2, 0.2, '#f6d3b3');
    eyes(pen, 0.5, 0.32, 0.08, 0.045);
  },
  beast: (pen, colour) => {
    for (const x of [0.28, 0.42, 0.6, 0.72]) box(pen, x - 0.04, 0.62, 0.08, 0.3, 0.03, colour);
    stroke(
      pen,
      [
        [0.78, 0.54],
        [0.92, 0.36],
      ],
      0.08,
      colour,
    );
    oval(pen, 0.54, 0.56, 0.28, 0.17, colour);
    oval(pen, 0.28, 0.4, 0.18, 0.16, colour);
    for (const x of [0.16, 0.36])
      area(
        pen,
        [
          [x - 0.06, 0.3],
          [x + 0.01, 0.12],
          [x + 0.08, 0.3],
        ],
        colour,
      );
    eyes(pen, 0.27, 0.38, 0.07, 0.045);
  },
  crawler: (pen, colour) => {
    for (const side of [-1, 1])
      for (const y of [0.36, 0.54, 0.72])
        stroke(
          pen,
          [
            [0.5, 0.54],
            [0.5 + side * 0.26, y - 0.06],
            [0.5 + side * 0.38, y + 0.1],
          ],
          0.06,
          colour,
        );
    oval(pen, 0.5, 0.58, 0.2, 0.24, colour);
    oval(pen, 0.5, 0.34, 0.14, 0.12, colour);
    eyes(pen, 0.5, 0.33, 0.06, 0.04);
  },
  snake: (pen, colour) => {
    stroke(
      pen,
      [
        [0.8, 0.84],
        [0.4, 0.84],
        [0.26, 0.72],
        [0.44, 0.6],
        [0.66, 0.5],
        [0.66, 0.36],
        [0.46, 0.26],
      ],
      0.16,
      colour,
    );
    oval(pen, 0.42, 0.26, 0.16, 0.12, colour);
    eyes(pen, 0.4, 0.23, 0.06, 0.04);
  },
  blob: (pen, colour) => {
    oval(pen, 0.5, 0.66, 0.36, 0.24, colour);
    oval(pen, 0.46, 0.5, 0.24, 0.24, colour);
    eyes(pen, 0.48, 0.5, 0.1, 0.06);
  },
  fungus: (pen, colour) => {
    box(pen, 0.42, 0.46, 0.16, 0.44, 0.05, PAPER);
    pen.beginPath();
    pen.arc(0.5, 0.5, 0.36, Math.PI, 0);
    pen.fillStyle = colour;
    pen.fill();
    for (const x of [0.34, 0.52, 0.66]) oval(pen, x, 0.38, 0.05, 0.05, PAPER);
  },
  eye: (pen, colour) => {
    oval(pen, 0.5, 0.5, 0.38, 0.34, PAPER);
    oval(pen, 0.5, 0.5, 0.19, 0.2, colour);
    oval(pen, 0.5, 0.5, 0.08, 0.09, INK);
  },
  winged: (pen, colour) => {
    for (const side of [-1, 1])
      area(
        pen,
        [
          [0.5, 0.5],
          [0.5 + side * 0.46, 0.22],
          [0.5 + side * 0.36, 0.5],
          [0.5 + side * 0.42, 0.66],
          [0.5 + side * 0.18, 0.62],
        ],
        colour,
      );
    oval(pen, 0.5, 0.54, 0.14, 0.22, colour);
    eyes(pen, 0.5, 0.42, 0.06, 0.045);
  },
  brute: (pen, colour) => {
    box(pen, 0.18, 0.4, 0.64, 0.52, 0.16, colour);
    for (const x of [0.26, 0.74])
      area(
        pen,
        [
          [x - 0.08, 0.26],
          [x, 0.06],
          [x + 0.08, 0.26],
        ],
        PAPER,
      );
    oval(pen, 0.5, 0.36, 0.27, 0.22, colour);
    eyes(pen, 0.5, 0.34, 0.11, 0.06);
    for (const x of [0.42, 0.58])
      area(
        pen,
        [
          [x - 0.04, 0.48],
          [x + 0.04, 0.48],
          [x, 0.4],
        ],
        PAPER,
      );
  },
  dead: (pen, colour) => {
    box(pen, 0.3, 0.54, 0.4, 0.4, 0.1, colour);
    oval(pen, 0.5, 0.36, 0.24, 0.24, PAPER);
    for (const x of [0.41, 0.59]) oval(pen, x, 0.36, 0.065, 0.08, INK);
    for (const x of [0.44, 0.5, 0.56]) box(pen, x - 0.012, 0.5, 0.024, 0.08, 0, INK);
  },
  spirit: (pen, colour) => {
    pen.globalAlpha = 0.85;
    area(
      pen,
      [
        [0.24, 0.9],
        [0.24, 0.4],
        [0.36, 0.18],
        [0.64, 0.18],
        [0.76, 0.4],
        [0.76, 0.9],
        [0.63, 0.78],
        [0.5, 0.9],
        [0.37, 0.78],
      ],
      colour,
    );
    pen.globalAlpha = 1;
    for (const x of [0.41, 0.59]) oval(pen, x, 0.42, 0.06, 0.08, INK);
  },
  swirl: (pen, colour) => {
    stroke(
      pen,
      Array.from({ length: 30 }, (_, i) => [
        0.5 + (0.04 + i * 0.012) * Math.cos(i * 0.5),
        0.5 + (0.04 + i * 0.012) * Math.sin(i * 0.5),
      ]),
      0.08,
      colour,
    );
  },
  fish: (pen, colour) => {
    oval(pen, 0.44, 0.54, 0.3, 0.2, colour);
    area(
      pen,
      [
        [0.68, 0.54],
        [0.94, 0.34],
        [0.94, 0.74],
      ],
      colour,
    );
    oval(pen, 0.3, 0.49, 0.05, 0.05, '#fff');
  },
  golem: (pen, colour) => {
    box(pen, 0.3, 0.1, 0.4, 0.28, 0.03, colour);
    box(pen, 0.16, 0.42, 0.68, 0.32, 0.03, colour);
    for (const x of [0.26, 0.56]) box(pen, x, 0.78, 0.18, 0.18, 0.03, colour);
    eyes(pen, 0.5, 0.24, 0.09, 0.05);
  },
};

/** @type {Record<string, string>} Which letters belong to a family. */
const LETTERS = {
  beast: 'dfqurCcYRzJs:g',
  crawler: 'axKt',
  snake: 'SwNl~',
  blob: 'bjPmp',
  fungus: 'F',
  eye: 'e',
  winged: 'BADkiI',
  brute: 'oOHTUGhQ&',
  dead: 'ZMVLW',
  spirit: 'X ',
  swirl: 'Evy',
  fish: ';',
  golem: "'",
  person: '@n',
};
const FAMILY_OF = new Map(
  Object.entries(LETTERS).flatMap(([family, letters]) => [...letters].map((one) => [one, family])),
);

/**
 * The hue of a colour in degrees, or -1 for a grey.
 * @param {string} colour `#rrggbb`
 */
export function hueOf(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (!(most - least > 0.2)) return -1;
  const turn =
    most === r ? (g - b) / (most - least) : most === g ? 2 + (b - r) / (most - least) : 4 + (r - g) / (most - least);
  return (turn * 60 + 360) % 360;
}
const isWooden = (/** @type {number} */ hue) => hue >= 20 && hue < 62; // brown or yellow: a door, no wall and no book
const isGreen = (/** @type {number} */ hue) => hue >= 90 && hue < 160;

/**
 * Paint a character into a box of 1 by 1 as the picture of what it stands for.
 * @param {Pen} pen
 * @param {Glyph} glyph
 */
export function paintPicture(pen, { character, colour, reverse }) {
  const hue = hueOf(colour);
  const door = isWooden(hue);
  if (character === ' ') box(pen, 0, 0, 1, 1, 0, '#0b0f16');
  else if (character === '|' || character === '-') (door ? openDoor : wall)(pen, colour);
  else if (character === '+' && door) shutDoor(pen, colour);
  else if (character === '#') (isGreen(hue) ? tree : corridor)(pen, colour);
  else if (character === '}') liquid(pen, colour);
  else if (BUILT[character]) BUILT[character](pen, hue < 0 ? '#c3cad6' : colour);
  else {
    floor(pen);
    if (reverse) box(pen, 0.03, 0.03, 0.94, 0.94, 0.12, '#2f4a3a'); // one of ours: a pet
    if (THINGS[character]) THINGS[character](pen, colour);
    else paintCreature(pen, character, colour);
  }
}

/**
 * @param {Pen} pen
 * @param {string} character
 * @param {string} colour
 */
function paintCreature(pen, character, colour) {
  const family = FAMILY_OF.get(character);
  if (family) FAMILIES[family](pen, colour);
  const small = family && character !== '@';
  pen.save();
  pen.translate(small ? 0.86 : 0.5, small ? 0.84 : 0.52);
  pen.scale(small ? 0.0034 : 0.008, small ? 0.0034 : 0.008);
  pen.font = '700 100px "DejaVu Sans Mono", ui-monospace, monospace';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.lineWidth = 26;
  pen.strokeStyle = INK;
  if (small) pen.strokeText(character, 0, 0);
  pen.fillStyle = small ? '#fff' : colour;
  if (character !== '@') pen.fillText(character, 0, 0);
  pen.restore();
}
