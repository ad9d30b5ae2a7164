// How to use all this, on one page.
import { h, t } from '../dom.js';

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { rooms }) {
  /** @param {string} name */
  const keys = (name) =>
    h(
      'dl',
      { class: 'keys' },
      t(name)
        .split('\n')
        .map((line) => line.split('|'))
        .flatMap(([list, words]) => [
          h(
            'dt',
            {},
            list.split(' ').map((key) => h('kbd', {}, key)),
          ),
          h('dd', {}, words),
        ]),
    );
  /**
   * @param {string} title
   * @param {string} text
   */
  const part = (title, text) => [h('h2', {}, title), ...text.split('\n').map((line) => h('p', {}, line))];
  main.append(
    h('h1', {}, t('help_title')),
    h(
      'div',
      { class: 'prose' },
      part(t('help_watch_title'), t('help_watch')),
      part(t('help_play_title'), t('help_play')),
      part(t('help_replay_title'), t('help_replay')),
      part(t('help_edit_title'), t('help_edit')),
      h('h2', {}, t('keys')),
      keys('key_list'),
      h('h2', {}, t('keys_edit')),
      keys('keys_edit_walled'),
      part(t('help_more_title'), t('help_more')),
      h(
        'ul',
        {},
        rooms
          .filter((room) => !room.missing)
          .map((room) => h('li', {}, h('a', { href: `/play/${room.name}` }, t('play_game', { game: room.title })))),
      ),
    ),
  );
}
