// A game in a file of its own: the page's player with everything in it, opened from disk, asking nobody for anything.
import { Transport, View } from '../player.js';
import { inOurWords } from '../recording.js';
import { fill, h, liveLine, noticeTray, t, themeNow, useTexts } from '../dom.js';
import { aboutGame } from './replay.js';

/** @typedef {{ texts: Record<string, string>, phrases: Record<string, string>, messages: Message[], start: number | null }} Kept */

// In a frame of another site nothing can be remembered; the player need not know.
try {
  localStorage.getItem('gridsage-theme');
} catch {
  const kept = new Map();
  const value = {
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ words) => void kept.set(name, words),
  };
  Object.defineProperty(window, 'localStorage', { value });
}

/**
 * What the file holds: JSON, compressed, in letters.
 * @param {string} text
 * @returns {Promise<Kept>}
 */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(plain).text());
}

/**
 * @param {HTMLElement} root
 * @param {string} packed
 */
export async function open(root, packed) {
  const { texts, phrases, messages, start } = await unpacked(packed);
  useTexts(texts, phrases);
  document.documentElement.dataset.theme = themeNow();
  const view = new View({ ahead: messages.length });
  const transport = new Transport([view], { start: start ?? 0, autoplay: start === null });
  const title = h('h1', { class: 'small' });
  const about = h('dl', { class: 'status about' });
  const main = h(
    'main',
    { id: 'main', class: 'page-replay', tabindex: '-1' },
    h('div', { class: 'left' }, title, h('div', { class: 'stages' }, view.stage), transport.controls),
    h(
      'aside',
      { class: 'right', 'aria-label': t('state') },
      h('section', { class: 'panel', 'aria-label': t('about_game') }, about),
      view.panel,
      transport.overlays,
    ),
  );
  root.replaceChildren(main, liveLine(), noticeTray());
  view.listeners.push((message) => {
    if (message.m !== 'hello') return;
    const played = Boolean(message.players?.length); // else it is a level that nobody has played
    title.textContent = played
      ? t('replay_of', { game: message.title })
      : `${message.title}${t('colon')}${message.level}`;
    transport.controls.hidden = !played;
    fill(
      about,
      (played ? aboutGame(message) : [[t('level'), message.level ?? '']]).flatMap(([name, words]) => [
        h('dt', {}, name),
        h('dd', {}, words),
      ]),
    );
  });
  for (const message of messages) view.hear(inOurWords(message));
  window.gridsage = { transport, views: [view] };
}
