// The first script of every page: reads what the server wrote into it and builds the frame around the page that is asked
// for: header, theme, help, the line for screen readers.
import { button, fill, h, liveLine, noticeTray, placeOf, t, themeNow, useTexts } from './dom.js';
import { settings } from './settings.js';

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event('gridsage-theme'));
}

/**
 * @param {string} page
 * @param {Record<string, string>} languages
 */
function header(page, languages) {
  /** @param {string} name */
  const here = (name) => (page === name ? 'page' : undefined);
  /**
   * @param {string} href
   * @param {string} words
   * @param {string} name
   */
  const link = (href, words, name) => h('a', { href, 'aria-current': here(name) }, words);
  return h(
    'header',
    { class: 'top' },
    h('a', { class: 'skip', href: '#main' }, t('skip')),
    h(
      'a',
      { class: 'brand', href: '/', 'aria-label': 'gridsage' },
      h('img', {
        src: /** @type {HTMLLinkElement} */ (document.querySelector('link[rel=icon]')).href,
        alt: '',
        width: '26',
        height: '26',
      }),
      h('span', {}, 'gridsage'),
    ),
    h(
      'nav',
      { 'aria-label': t('pages') },
      link('/', t('nav_games'), 'gallery'),
      link('/daily', t('nav_daily'), 'daily'),
      link('/replays', t('nav_replays'), 'replays'),
      link('/compare', t('nav_compare'), 'compare'),
      link('/help', t('nav_help'), 'help'),
    ),
    h(
      'div',
      { class: 'tools' },
      button(t('theme'), {
        icon: 'theme',
        kind: 'plain',
        onclick: () => {
          const next = themeNow() === 'dark' ? 'light' : 'dark';
          localStorage.setItem('gridsage-theme', next);
          setTheme(next);
        },
      }),
      settings(languages),
      button(t('keys'), { icon: 'help', kind: 'plain', onclick: openHelp }),
    ),
  );
}

const dialog = h('dialog', { class: 'help', 'aria-labelledby': 'help-title' });
const generalKeys = h('dl', { class: 'keys' });
const pageKeys = h('div', { class: 'page-keys' });

function helpDialog() {
  const rows = t('key_list')
    .split('\n')
    .map((line) => line.split('|'));
  fill(
    generalKeys,
    rows.flatMap(([keys, words]) => [
      h(
        'dt',
        {},
        keys.split(' ').map((key) => h('kbd', {}, key)),
      ),
      h('dd', {}, words),
    ]),
  );
  fill(
    dialog,
    h('h2', { id: 'help-title', tabindex: '-1', autofocus: true }, t('keys')),
    generalKeys,
    pageKeys,
    h('p', {}, h('a', { href: '/help' }, t('more_help'))),
    button(t('close'), { kind: 'strong', label: true, onclick: () => dialog.close() }),
  );
  return dialog;
}
export function openHelp() {
  if (dialog.open) return;
  dialog.showModal();
  dialog.scrollTop = 0;
}
/**
 * Keys of the game on this page, shown above the general ones.
 * @param {string} title
 * @param {[key: string, words: string][]} pairs
 * @param {{ alone?: boolean }} [given]
 */
export function addKeys(title, pairs, { alone = false } = {}) {
  generalKeys.hidden = alone; // where the keys of watching do not work
  fill(
    pageKeys,
    h('h3', {}, title),
    h(
      'dl',
      { class: 'keys' },
      pairs.flatMap(([key, words]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, words)]),
    ),
  );
}

/**
 * Build the page `page` inside `root`; returns what takes it away again.
 * @param {HTMLElement} root
 * @param {string} page
 * @param {Config} config
 */
async function mount(root, page, config) {
  useTexts(config.texts, config.phrases);
  setTheme(themeNow());
  const main = h('main', { id: 'main', class: `page-${page}`, tabindex: '-1' });
  root.replaceChildren(header(page, config.languages), main, liveLine(), noticeTray(), helpDialog());
  /** @param {KeyboardEvent} event */
  const keyed = (event) => {
    if (event.key === '?' && !placeOf(event).matches?.('input, textarea, select')) {
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

// A page that the browser brings back from its memory has lost its connections, and what it shows may be old.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

/** @type {Config} */
const config = JSON.parse(document.getElementById('config')?.textContent ?? '');
// Not awaited: the module of the page imports this one.
void mount(/** @type {HTMLElement} */ (document.querySelector('.gridsage')), config.page, config);
