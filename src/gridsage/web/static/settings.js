// What every visitor sets for themselves, remembered by the browser: language, look of the boards, sounds.
import { BOARD_KEY, button, choice, field, h, languageNow, t, toggle } from './dom.js';
import { setSounds, soundsOn } from './sounds.js';

const BOARDS = ['contrast', 'paper', 'terminal']; // palettes of sprites.json beside those of the page itself
const COOKIE = 'gridsage-language';
const YEAR_S = 31_536_000;

/**
 * A button that opens them.
 * @param {Record<string, string>} languages what their speakers call them
 */
export function settings(languages) {
  const language = choice(Object.entries(languages), languageNow(), (value) => {
    document.cookie = `${COOKIE}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`; // the server writes the page
    location.reload();
  });
  const board = choice(
    [['', t('board_usual')], ...BOARDS.map((name) => [name, t(`board_${name}`)])],
    localStorage.getItem(BOARD_KEY) ?? '',
    (value) => {
      localStorage.setItem(BOARD_KEY, value);
      dispatchEvent(new Event('gridsage-theme'));
    },
  );
  /** @type {HTMLDialogElement} */
  const dialog = h(
    'dialog',
    { class: 'help settings', 'aria-labelledby': 'settings-title' },
    h('h2', { id: 'settings-title', tabindex: '-1', autofocus: true }, t('settings')),
    field(t('language'), language),
    field(t('board_theme'), board),
    toggle(t('sounds'), soundsOn(), setSounds),
    h('p', { class: 'note' }, t('sounds_note')),
    button(t('close'), { kind: 'strong', label: true, onclick: () => dialog.close() }),
  );
  const open = button(t('settings'), { icon: 'settings', kind: 'plain', onclick: () => dialog.showModal() });
  return [open, dialog];
}
