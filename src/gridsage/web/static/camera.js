// The camera of a board: a switch between the whole and the part around the one followed, and panning by hand.
import { button, h, reword, t } from './dom.js';

const PAN_PIXELS = 4; // a smaller move is a click

export class Camera {
  /**
   * @param {import('./board.js').Board} board
   * @param {HTMLElement} stage
   */
  constructor(board, stage) {
    this.board = board;
    /** @type {Map<number, { x: number, y: number, far: boolean }>} */
    this.fingers = new Map();
    this.switch = button(t('camera_whole'), {
      label: true,
      kind: 'camera',
      hidden: true,
      onclick: () => this.toggle(),
    });
    this.tiles = button(t('tiles_on'), {
      label: true,
      kind: 'camera tiles',
      hidden: true,
      'aria-keyshortcuts': 'F2',
      onclick: () => this.toggleTiles(),
    });
    this.row = h('div', { class: 'camera-row', hidden: true }, this.switch, this.tiles);
    stage.append(this.row);
    board.onfit = () => this.face();
    const { canvas } = board;
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
      canvas.addEventListener(end, (event) => this.up(/** @type {PointerEvent} */ (event)));
  }

  allow() {
    this.board.setPictured(localStorage.getItem('gridsage-tiles') === 'on');
    this.board.camera = true;
    this.board.follow = localStorage.getItem('gridsage-camera') !== 'whole';
    this.board.resize();
    this.face(); // its row keeps its place before the first board comes
  }

  toggle() {
    const follow = !this.board.follow || Boolean(this.board.moved);
    localStorage.setItem('gridsage-camera', follow ? 'follow' : 'whole');
    this.board.setFollow(follow);
    this.face();
  }

  // Pictures instead of characters, where a game is made of characters.
  toggleTiles() {
    const on = !this.board.pictured;
    localStorage.setItem('gridsage-tiles', on ? 'on' : 'off');
    this.board.setPictured(on);
    this.face();
  }

  face() {
    const { board } = this;
    this.tiles.hidden = !board.text || board.boxed || !board.camera;
    reword(this.tiles, t(board.pictured ? 'tiles_off' : 'tiles_on'));
    this.switch.hidden = !board.tight || board.boxed;
    this.row.hidden = this.switch.hidden && this.tiles.hidden;
    reword(this.switch, t(board.follow && !board.moved ? 'camera_whole' : 'camera_follow'));
    board.canvas.classList.toggle('part', Boolean(board.part));
  }

  // Where people play, one finger makes moves: two of them push the board. Where they watch, one does.
  get needed() {
    return this.board.canvas.getAttribute('role') === 'application' ? 2 : 1;
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, far: false });
  }

  /**
   * A finger that pushed the board makes no move.
   * @param {PointerEvent} event
   */
  up(event) {
    if (this.fingers.get(event.pointerId)?.far) event.stopImmediatePropagation();
    this.fingers.delete(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger || !this.board.part || this.fingers.size < this.needed) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    if (!finger.far && Math.hypot(dx, dy) < PAN_PIXELS) return;
    const before = Boolean(this.board.moved);
    this.board.pan(dx / this.fingers.size, dy / this.fingers.size);
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    for (const other of this.fingers.values()) other.far = true;
    if (!before) this.face();
  }
}
