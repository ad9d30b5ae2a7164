// New levels by chance: the settings of the room's generator as a form.
import { Line } from '../recording.js';
import { button, choice, field, h, said, t } from '../dom.js';

export class Making {
  /**
   * made({name, text}): a level has come.
   * @param {Room} room
   * @param {(level: { name: string, text: string }) => void} made
   */
  constructor(room, made) {
    this.room = room;
    this.made = made;
    /** @type {[Field, FormInput][]} */
    this.inputs = room.generate.map((setting) => [setting, settingInput(setting)]);
    /** @type {Line | null} */
    this.line = null;
    this.report = h('p', { class: 'note', role: 'status' });
    this.stop = button(t('stop'), { label: true, icon: 'stop', hidden: true, onclick: () => this.end() });
    this.seed = this.inputs.find(([setting]) => setting.name === 'seed')?.[1];
    const next = () => {
      if (this.seed) this.seed.value = String((Number(this.seed.value) || 0) + 1);
      this.start();
    };
    this.panel = this.inputs.length
      ? h(
          'details',
          { class: 'panel generate' },
          h('summary', {}, t('generate')),
          h('div', { class: 'settings-grid' }, this.inputs.map(settingField)),
          h(
            'div',
            { class: 'row' },
            button(t('generate_do'), { label: true, kind: 'strong', onclick: () => this.start() }),
            this.seed ? button(t('next_seed'), { icon: 'next', onclick: next }) : null,
            this.stop,
          ),
          this.report,
        )
      : null;
  }

  start() {
    if (!this.inputs.every(([, input]) => input.reportValidity())) return;
    const settings = Object.fromEntries(
      this.inputs
        .map(([setting, input]) => [setting.name, valueOf(setting, input)])
        .filter(([, value]) => value !== undefined),
    );
    this.end(t('generating'));
    this.stop.hidden = false;
    this.line = new Line(
      { m: 'generate', game: this.room.name, settings },
      (message) => this.hear(message),
      (reason) => this.end(reason || t('lost')),
    );
  }

  /** @param {Message} message */
  hear(message) {
    if (message.m === 'progress' && message.done < message.total)
      this.report.textContent = t('compiling', { words: message.words, done: message.done + 1, total: message.total });
    else if (message.m === 'making')
      this.report.textContent = t('generating_for', { n: message.seconds, of: message.of });
    else if (message.m === 'error') this.end(message.text);
    else if (message.m === 'made') {
      this.end(t('generated', { name: message.name }));
      this.made(message);
    }
  }

  /** @param {string} [words] */
  end(words = '') {
    this.line?.leave();
    this.stop.hidden = true;
    this.report.textContent = words;
  }
}

/** @param {Field} setting */
function settingInput(setting) {
  if (setting.kind === 'switch')
    return h('input', { type: 'checkbox', checked: Boolean(setting.default), title: setting.note });
  if (setting.kind === 'choice')
    return choice(
      setting.choices.map((one) => [one, said(String(one))]),
      setting.default,
    );
  /** @param {Value | null | undefined} value */
  const text = (value) => (value === null || value === undefined ? undefined : String(value));
  return h('input', {
    type: setting.kind === 'number' ? 'number' : 'text',
    step: setting.whole ? '1' : 'any',
    min: text(setting.least),
    max: text(setting.most),
    value: text(setting.default) ?? '',
    placeholder: t('as_usual'),
    title: setting.note,
  });
}

/** @param {[setting: Field, input: FormInput]} given */
function settingField([setting, input]) {
  return setting.kind === 'switch'
    ? h('label', { class: 'toggle', title: setting.note }, input, h('span', {}, setting.title))
    : field(setting.title, input);
}

/**
 * @param {Field} setting
 * @param {FormInput} input
 */
function valueOf(setting, input) {
  if (setting.kind === 'switch') return input instanceof HTMLInputElement && input.checked;
  if (input.value === '') return undefined;
  return setting.kind === 'number' ? Number(input.value) : input.value;
}
