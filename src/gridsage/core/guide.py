"""How a game explains itself: its goal, lessons on real boards, and its rules with pictures. One file per room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

Part = TypeVar("Part")
REPEATED = " * "  # between a label and how often it is played


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a tutorial: a small board, what to do there, and the actions that do it."""

    title: str
    text: str  # what to do, in one or two sentences
    level: str  # the board in the room's text form
    actions: tuple[str, ...]  # labels of a way that works; a learner may find another. A file may write `up * 20`
    done: str  # what is said when it is done
    until: str = ""  # the kind of event that ends it; empty: the game has to be won
    seed: int = 1
    options: dict[str, object] = {}


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule in words, with a picture where one helps: a board, and what `actions` make of it."""

    title: str
    text: str
    level: str = ""
    actions: tuple[str, ...] = ()
    seed: int = 1
    options: dict[str, object] = {}


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card of a game that has cards."""

    name: str
    title: str
    text: str
    sign: str  # one character that stands for it


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a newcomer is told about a game."""

    goal: str  # one sentence
    lessons: tuple[Lesson, ...] = ()
    rules: tuple[Rule, ...] = ()
    cards: tuple[Card, ...] = ()


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a lesson, a rule or a card in another language."""

    title: str
    text: str
    done: str = ""  # of a lesson


class Translation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room in another language: the words of its guide in the same order, and English phrases with what they mean.

    `{places}` in a phrase stand for anything, which is translated in its turn.
    """

    goal: str = ""
    lessons: tuple[Words, ...] = ()
    rules: tuple[Words, ...] = ()
    cards: tuple[Words, ...] = ()
    described: dict[str, str] = {}  # what the room says of itself: title, agents, options, tiles
    said: dict[str, str] = {}  # what is said while it is played


def read_translation(path: Path) -> Translation:
    """Return the translation in a TOML file, an empty one if there is none."""
    return msgspec.toml.decode(path.read_bytes(), type=Translation) if path.is_file() else Translation()


def translated(found: Guide, words: Translation) -> Guide:
    """Return a guide in the words of a translation; what has none in it keeps its own."""
    lessons = tuple(
        lesson if said is None else replace(lesson, title=said.title, text=said.text, done=said.done)
        for lesson, said in _beside(found.lessons, words.lessons)
    )
    rules = tuple(
        rule if said is None else replace(rule, title=said.title, text=said.text)
        for rule, said in _beside(found.rules, words.rules)
    )
    cards = tuple(
        card if said is None else replace(card, title=said.title, text=said.text)
        for card, said in _beside(found.cards, words.cards)
    )
    return Guide(words.goal or found.goal, lessons, rules, cards)


def _beside(parts: Sequence[Part], words: Sequence[Words]) -> Iterator[tuple[Part, Words | None]]:
    """Yield the parts of a guide with their words; a guide that has grown may have more of them."""
    for number, part in enumerate(parts):
        yield part, words[number] if number < len(words) else None


def read(path: Path) -> Guide:
    """Return the guide in a TOML file."""
    found = msgspec.toml.decode(path.read_bytes(), type=Guide)
    lessons = tuple(replace(lesson, actions=_repeated(lesson.actions)) for lesson in found.lessons)
    rules = tuple(replace(rule, actions=_repeated(rule.actions)) for rule in found.rules)
    return replace(found, lessons=lessons, rules=rules)


def _repeated(actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return the actions one by one: games that count ticks hold the same key for many of them."""
    found: list[str] = []
    for entry in actions:
        label, _, times = entry.partition(REPEATED)
        found += [label] * int(times or 1)
    return tuple(found)
