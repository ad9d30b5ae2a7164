// The tiles one can paint with, and the tools to do it.
import { lookOf, paintSprite, penOf } from '../board.js';
import { PALETTES } from '../tiles.js';
import { MISSION, TOOLS } from '../easel.js';
import { boardTheme, button, h, t } from '../dom.js';

const SWATCH = 30;
const MANY = 24; // tiles from which they are drawn smaller on a phone

/** @param {Tile} tile */
const nameOf = (tile) => (tile === MISSION ? t('brush_mission') : tile.name);

export class Palette {
  /**
   * @param {Room} room
   * @param {import('../easel.js').Easel} easel
   */
  constructor(room, easel) {
    this.room = room;
    /** @type {Map<Tile, HTMLElement>} */
    this.swatches = new Map();
    this.easel = easel;
    this.element = h('div', {
      class: `palette ${easel.tiles.length > MANY ? 'many' : ''}`,
      role: 'radiogroup',
      'aria-label': t('palette'),
    });
    this.tools = h(
      'div',
      { class: 'toggles', role: 'radiogroup', 'aria-label': t('tools') },
      TOOLS.map((name) => {
        const made = button(t(`tool_${name}`), {
          icon: name,
          onclick: () => easel.setTool(name),
          role: 'radio',
          'aria-checked': String(name === easel.tool),
        });
        made.dataset.tool = name;
        return made;
      }),
    );
    this.repaint = () => this.build();
    addEventListener('gridsage-theme', this.repaint);
    this.build();
  }

  destroy() {
    removeEventListener('gridsage-theme', this.repaint);
  }

  build() {
    /** @type {Map<string, Tile[]>} */
    const groups = new Map();
    for (const tile of this.easel.tiles) groups.set(tile.group, [...(groups.get(tile.group) ?? []), tile]);
    this.swatches.clear();
    this.element.replaceChildren(
      ...[...groups.values()].map((tiles) =>
        h(
          'div',
          { class: 'swatches' },
          tiles.map((tile) => this.swatch(tile)),
        ),
      ),
    );
    this.showBrush(this.easel.brush);
  }

  /** @param {Tile} tile */
  swatch(tile) {
    const canvas = h('canvas', { width: String(SWATCH * 2), height: String(SWATCH * 2), 'aria-hidden': 'true' });
    const pen = penOf(canvas);
    const [dx, dy] = tile.faces ?? [0, 0];
    const look = { variant: 0, dx, dy, pal: PALETTES[boardTheme()] ?? PALETTES.dark };
    const isSide = tile.sign === '|';
    pen.scale(SWATCH * 2, SWATCH * 2);
    paintSprite(pen, tile.stands || isSide ? this.easel.sheet.tiles[0].sprite : tile.sprite, look, {
      game: lookOf(this.room),
    });
    if (tile.stands) paintSprite(pen, tile.sprite, look, { game: lookOf(this.room), moving: true });
    if (isSide) {
      pen.fillStyle = look.pal.edge;
      pen.fillRect(0.78, 0.06, 0.13, 0.88);
    }
    const choose = () => {
      this.easel.choose(tile);
      this.showBrush(tile);
    };
    const made = h(
      'button',
      {
        type: 'button',
        class: 'swatch',
        role: 'radio',
        'aria-label': nameOf(tile),
        title: nameOf(tile),
        onclick: choose,
      },
      canvas,
    );
    this.swatches.set(tile, made);
    return made;
  }

  /** @param {Tile} tile */
  showBrush(tile) {
    for (const [other, swatch] of this.swatches) swatch.setAttribute('aria-checked', String(other === tile));
  }

  /** @param {string} name */
  showTool(name) {
    for (const made of /** @type {HTMLElement[]} */ ([...this.tools.children]))
      made.setAttribute('aria-checked', String(made.dataset.tool === name));
  }

  /**
   * Tiles that a level needs and that are not there are marked: an error in place for what has no place.
   * @param {Tile[]} tiles
   */
  showLacking(tiles) {
    for (const [tile, swatch] of this.swatches) {
      const lacks = tiles.includes(tile);
      const words = lacks ? t('lacks', { what: nameOf(tile) }) : nameOf(tile);
      swatch.classList.toggle('lacks', lacks);
      swatch.setAttribute('aria-label', words);
      swatch.title = words;
    }
  }
}
