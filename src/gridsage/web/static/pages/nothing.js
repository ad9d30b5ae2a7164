// What is shown where there is nothing.
import { h, t } from '../dom.js';

/**
 * @param {HTMLElement} main
 * @param {Config} config
 */
export function build(main, { text, failed }) {
  main.append(
    h('h1', {}, t(failed ? 'failed_page' : 'unknown_page')),
    h('p', { class: 'empty' }, text),
    h('p', {}, h('a', { href: '/' }, t('nav_games'))),
  );
}
