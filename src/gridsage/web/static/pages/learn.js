// Learn a game: its goal, lessons on real boards, its rules with pictures that move, and its cards.
import { View } from '../player.js';
import { button, fetchJson, h, say, t } from '../dom.js';
import { Lesson } from '../learn/lesson.js';
import { picture } from '../learn/picture.js';

export async function build(main, { room }) {
  const title = h('h1', {}, t('learn_game', { game: room.title }));
  main.append(title);
  if (room.missing) {
    main.append(h('p', { class: 'empty' }, room.missing));
    return null;
  }
  let guide;
  try {
    guide = await fetchJson(`/api/guide/${room.name}`);
  } catch (error) {
    main.append(h('p', { class: 'empty' }, error.message));
    return null;
  }
  const leaving = [];
  main.append(h('p', { class: 'goal' }, guide.goal));
  if (guide.lessons.length) leaving.push(lessons(main, room, guide.lessons));
  const rules = h('section', { class: 'rules', 'aria-labelledby': 'rules-title' }, h('h2', { id: 'rules-title' }, t('learn_rules')));
  main.append(rules);
  for (const rule of guide.rules) rules.append(ruleCard(rule, leaving));
  if (guide.cards.length) main.append(cards(guide.cards));
  main.append(h('p', { class: 'actions' },
    h('a', { class: 'button strong', href: `/play/${room.name}` }, t('learn_play')),
    h('a', { class: 'button', href: `/watch/${room.name}` }, t('learn_watch'))));
  return () => leaving.forEach((leave) => leave());
}

// The lessons one after the other; a finished one is ticked and the next one is offered.
function lessons(main, room, list) {
  const place = h('div', { class: 'lesson' });
  const tabs = list.map((lesson, index) => button(`${index + 1}. ${lesson.title}`, { kind: 'small', onclick: () => show(index) }));
  main.append(h('section', { class: 'lessons', 'aria-labelledby': 'lessons-title' }, h('h2', { id: 'lessons-title' }, t('learn_lessons')), h('div', { class: 'row lesson-tabs' }, tabs), place));
  let current = null;
  function show(index, focus = true) {
    current?.leave();
    tabs.forEach((tab, other) => {
      tab.classList.toggle('chosen', other === index);
      tab.setAttribute('aria-current', other === index ? 'step' : 'false');
    });
    current = new Lesson(place, room, list[index], {
      done: () => tabs[index].classList.add('finished'),
      next: index + 1 < list.length ? () => show(index + 1) : null,
    });
    if (focus) current.focus();
    say(`${t('learn_lesson', { n: index + 1 })}: ${list[index].text}`);
  }
  show(0, false);
  window.gridsage = { get lesson() { return current; } };
  return () => current?.leave();
}

function ruleCard(rule, leaving) {
  const words = h('div', {}, h('h3', {}, rule.title), h('p', {}, rule.text));
  if (!rule.picture) return h('article', { class: 'rule' }, words);
  const view = new View();
  leaving.push(picture(view, rule.picture, t('learn_picture', { title: rule.title })));
  return h('article', { class: 'rule pictured' }, h('div', { class: 'rule-picture' }, view.stage), words);
}

function cards(list) {
  return h('section', { class: 'deck', 'aria-labelledby': 'cards-title' }, h('h2', { id: 'cards-title' }, t('learn_cards')),
    h('ul', { class: 'deck-cards' }, list.map((card) => h('li', { class: `playing-card card-${card.name}` },
      h('span', { class: 'sign', 'aria-hidden': 'true' }, card.sign), h('h3', {}, card.title), h('p', {}, card.text)))));
}
