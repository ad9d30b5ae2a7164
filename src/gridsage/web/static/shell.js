// The frame around every page: header, theme, help, the line for screen readers.
import { button, h, liveLine, noticeTray, t, themeNow, useTexts } from './dom.js';

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event('gridsage-theme'));
}

function header(page, rooms) {
  const here = (name) => (page === name ? 'page' : undefined);
  const link = (href, words, name) => h('a', { href, 'aria-current': here(name) }, words);
  return h('header', { class: 'top' },
    h('a', { class: 'skip', href: '#main' }, t('skip')),
    h('a', { class: 'brand', href: '/', 'aria-label': 'gridsage' }, h('img', { src: new URL('./icon.svg', import.meta.url).href, alt: '', width: '26', height: '26' }), h('span', {}, 'gridsage')),
    h('nav', { 'aria-label': t('pages') }, link('/', t('nav_games'), 'gallery'), link('/replays', t('nav_replays'), 'replays'), link('/compare', t('nav_compare'), 'compare'), link('/help', t('nav_help'), 'help')),
    h('div', { class: 'tools' },
      button(t('theme'), { icon: 'theme', kind: 'plain', onclick: () => {
        const next = themeNow() === 'dark' ? 'light' : 'dark';
        localStorage.setItem('gridsage-theme', next);
        setTheme(next);
      } }),
      button(t('keys'), { icon: 'help', kind: 'plain', onclick: openHelp })));
}

let dialog = null;
function helpDialog() {
  const rows = t('key_list').split('\n').map((line) => line.split('|'));
  dialog = h('dialog', { class: 'help', 'aria-labelledby': 'help-title' },
    h('h2', { id: 'help-title', tabindex: '-1', autofocus: true }, t('keys')),
    h('dl', { class: 'keys' }, rows.flatMap(([keys, words]) => [h('dt', {}, keys.split(' ').map((key) => h('kbd', {}, key))), h('dd', {}, words)])),
    h('div', { class: 'page-keys' }),
    h('p', {}, h('a', { href: '/help' }, t('more_help'))),
    button(t('close'), { kind: 'strong', label: true, onclick: () => dialog.close() }));
  return dialog;
}
export function openHelp() {
  if (dialog.open) return;
  dialog.showModal();
  dialog.scrollTop = 0;
}
// Keys of the game on this page, shown above the general ones.
export function addKeys(title, pairs, { alone = false } = {}) {
  dialog.querySelector('.keys').hidden = alone; // where the keys of watching do not work
  dialog.querySelector('.page-keys').replaceChildren(h('h3', {}, title), h('dl', { class: 'keys' }, pairs.flatMap(([key, words]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, words)])));
}

// Build the page `page` inside `root`; returns what takes it away again.
export async function mount(root, page, config) {
  useTexts(config.texts);
  setTheme(themeNow());
  const main = h('main', { id: 'main', class: `page-${page}`, tabindex: '-1' });
  root.replaceChildren(header(page, config), main, liveLine(), noticeTray(), helpDialog());
  const keyed = (event) => {
    if (event.key === '?' && !event.target.matches?.('input, textarea, select')) {
      event.preventDefault();
      openHelp();
    }
  };
  document.addEventListener('keydown', keyed);
  const module = await import(`./pages/${page}.js`);
  const leave = await module.build(main, config);
  return () => {
    document.removeEventListener('keydown', keyed);
    leave?.();
  };
}
