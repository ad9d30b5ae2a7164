"""Sentences of the server and of rooms in another language: found whole, by their pattern, or part by part.

`static/phrases.js` does the same in the browser, where most of them are shown; a test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

PLACE = re.compile(r"\{(\w+)\}")
NUMBERED = re.compile(r"n\d*")  # places of these names take numbers only
NUMBER = r"[-+]?\d[\d,.]*"
LETTER = re.compile(r"[A-Za-z]")
SENTENCES = ("\n", ". ")  # each is looked up for itself
CLAUSE, COMMA = "; ", ", "  # between parts, where no phrase is known for the whole
CLOSE = r"(?:[^,;]|, (?=column ))+?"  # what a place usually holds: a word, or a square
LONG = 8  # letters of a phrase that says enough to hold a list as well
MOST_CACHED = 5_000


class Phrasebook:
    """English phrases with their translations; `{places}` of a phrase are translated in their turn."""

    def __init__(self, phrases: Mapping[str, str], language: str) -> None:
        self._exact = {key: words for key, words in phrases.items() if not PLACE.search(key)}
        open_keys = [key for key in phrases if PLACE.search(key)]
        open_keys.sort(key=lambda key: -len(PLACE.sub("", key)))  # the one that says most decides
        self._close = [(_pattern(key, CLOSE), phrases[key]) for key in open_keys]
        self._wide = [(_pattern(key, ".+?"), phrases[key]) for key in open_keys if _says_enough(key)]
        self._language = language
        self.said = lru_cache(MOST_CACHED)(self._said)
        self.missed: set[str] = set()  # parts with letters that no phrase has matched

    def _said(self, text: str) -> str:
        """Return what the text means in this language; what nobody has translated stays as it is."""
        if not LETTER.search(text):
            return text
        if text in self._exact:
            return self._exact[text]
        for mark in SENTENCES:
            if mark in text:
                return mark.join(map(self.said, text.split(mark)))
        if text.endswith(".") and not text.endswith(".."):
            return self.said(text[:-1]) + "."
        return self._by_pattern(text)

    def _by_pattern(self, text: str) -> str:
        found = self._matched(text, self._close)
        if found is None and CLAUSE in text:
            found = self._exact.get(CLAUSE, CLAUSE).join(map(self.said, text.split(CLAUSE)))
        if found is None:
            found = self._matched(text, self._wide)
        if found is None and COMMA in text:
            found = COMMA.join(map(self.said, text.split(COMMA)))
        if found is None:
            self.missed.add(text)
        return text if found is None else found

    def _matched(self, text: str, patterns: Sequence[tuple[re.Pattern[str], str]]) -> str | None:
        for pattern, words in patterns:
            if found := pattern.fullmatch(text):
                return self._filled(words, found.groupdict())
        return None

    def _filled(self, words: str, values: Mapping[str, str]) -> str:
        one, bar, many = words.partition("|")
        if bar and "n" in values:
            words = one if is_one(values["n"], self._language) else many
        return PLACE.sub(lambda place: self.said(values[place[1]]), words)


def is_one(number: str, language: str) -> bool:
    """Return True if so many are spoken of in the singular."""
    value = abs(float(number.replace(",", "")))
    return value < 2 if language == "fr" else value == 1


def _says_enough(key: str) -> bool:
    """Return True if a phrase may reach over a list: `{one} or {other}` is met in the middle of others too."""
    return not key.startswith("{") or len(PLACE.sub("", key)) >= LONG


def _pattern(key: str, anything: str) -> re.Pattern[str]:
    parts = PLACE.split(key)  # literal, name, literal, name, ..., literal
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [f"(?P<{name}>{NUMBER if NUMBERED.fullmatch(name) else anything})" for name in parts[1::2]]
    return re.compile("".join(parts), re.DOTALL)
