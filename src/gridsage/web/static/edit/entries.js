// What stands beside the map in a level's text, as things to fill in: header lines, the mission.
import { choice, field, h, said, t } from '../dom.js';

export class Entries {
  /**
   * edit(work): change the drawing by `work` and remember it.
   * @param {Sheet} sheet
   * @param {(work: (drawing: any) => void) => void} edit
   */
  constructor(sheet, edit) {
    this.sheet = sheet;
    this.edit = edit;
    /** @type {Map<string, { input: HTMLElement, show: (value: any) => void }>} */
    this.inputs = new Map(); // key -> {input, show(value)}
    const fields =
      sheet.form === 'walled' ? [this.missionField()] : sheet.entries.map((entry) => this.entryField(entry));
    this.element = fields.length ? h('section', { class: 'panel setup entries' }, fields) : null;
  }

  /** @param {Drawn} drawing */
  show(drawing) {
    for (const [key, { show }] of this.inputs) show('get' in drawing ? drawing.get(key) : drawing);
  }

  /**
   * Mark the field that an error means.
   * @param {string | undefined} key
   */
  showFault(key) {
    for (const [other, { input }] of this.inputs) input.setAttribute('aria-invalid', String(other === key));
  }

  missionField() {
    const input = h('select', { onchange: () => this.edit((drawing) => drawing.choose(Number(input.value))) });
    /**
     * @param {WalledDrawing} drawing
     * @param {{ cell: number, tile: Tile }} given
     */
    const words = (drawing, { cell, tile }) =>
      t('mission_at', { goal: drawing.wordsOf(tile), row: Math.floor(cell / drawing.cols), col: cell % drawing.cols });
    /** @param {WalledDrawing} drawing */
    const show = (drawing) => {
      input.replaceChildren(
        ...drawing.goals.map((goal) =>
          h('option', { value: String(goal.cell), selected: goal.cell === drawing.mission }, words(drawing, goal)),
        ),
      );
      if (drawing.mission < 0) input.prepend(h('option', { value: '-1', selected: true }, t('mission_none')));
    };
    this.inputs.set('mission', { input, show });
    return field(t('mission'), input);
  }

  /** @param {Entry} entry */
  entryField(entry) {
    /** @param {string | undefined} value */
    const set = (value) => this.edit((drawing) => drawing.set(entry.key, value));
    if (entry.kind === 'cards') return this.cardsField(entry, set);
    if (entry.kind === 'choice') {
      const input = choice(
        entry.choices.map((name) => [name, said(name)]),
        entry.usual,
        set,
      );
      this.inputs.set(entry.key, {
        input,
        show: (/** @type {string | undefined} */ value) => {
          input.value = value ?? entry.usual;
        },
      });
      return field(entry.name, input, entry.note);
    }
    const isNumber = entry.kind === 'number';
    const limits = isNumber ? { min: String(entry.least), max: String(entry.most), step: '1' } : {};
    /** @type {HTMLInputElement} */
    const input = h('input', {
      type: isNumber ? 'number' : 'text',
      ...limits,
      placeholder: entry.usual,
      onchange: () => set(input.value.trim() || undefined),
    });
    this.inputs.set(entry.key, {
      input,
      show: (/** @type {string | undefined} */ value) => {
        if (document.activeElement !== input) input.value = value ?? '';
      },
    });
    return field(entry.name, input, entry.note);
  }

  /**
   * @param {Entry} entry
   * @param {(value: string | undefined) => void} set
   */
  cardsField(entry, set) {
    /**
     * @param {HTMLElement} box
     * @param {string} words
     */
    const label = (box, words) => h('label', { class: 'toggle' }, box, h('span', {}, words));
    /** @type {HTMLInputElement[]} */
    const boxes = entry.choices.map((name) => h('input', { type: 'checkbox', value: name, onchange: () => told() }));
    /** @type {HTMLInputElement} */
    const dealt = h('input', { type: 'checkbox', onchange: () => told() });
    const told = () =>
      set(
        dealt.checked
          ? undefined
          : boxes
              .filter((box) => box.checked)
              .map((box) => box.value)
              .join(' ') || '-',
      );
    /** @param {string | undefined} value */
    const show = (value) => {
      const held = (value ?? '').split(/[\s,]+/);
      dealt.checked = value === undefined;
      for (const box of boxes) {
        box.checked = held.includes(box.value);
        box.disabled = dealt.checked;
      }
    };
    const input = h(
      'fieldset',
      { class: 'cards-field' },
      h('legend', {}, entry.name),
      label(dealt, entry.note),
      h(
        'div',
        { class: 'card-boxes' },
        boxes.map((box) => label(box, said(box.value))),
      ),
    );
    this.inputs.set(entry.key, { input, show });
    return input;
  }
}
