// The browser's phrasebook finds what Python's finds: both read phrases.json.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Phrasebook } from '../../src/gridsage/web/static/phrases.js';

const { phrases, cases } = JSON.parse(readFileSync(new URL('./phrases.json', import.meta.url), 'utf-8'));
const french = new Intl.PluralRules('fr');

test('a phrase is found whole, by its pattern, or part by part', () => {
  const book = new Phrasebook(phrases, (n) => french.select(n) === 'one');
  for (const [text, words] of cases) assert.equal(book.said(text), words, text);
});

test('without phrases everything stays as it is', () => {
  const book = new Phrasebook({}, () => true);
  for (const [text] of cases) assert.equal(book.said(text), text);
});
