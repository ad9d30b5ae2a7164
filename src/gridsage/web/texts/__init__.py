"""Every text of the page, one file per language, and which of them somebody wants to read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from gridsage.core.room import Room
from gridsage.games import catalog
from gridsage.web.texts.phrasebook import Phrasebook

TITLE = "gridsage"
SERVING = "gridsage is at {address} (ctrl-C ends it)"  # said in a terminal, which has one language
FIRST = "en"  # what rooms and the server say; every other language translates it
LANGUAGES = {FIRST: "English", "fr": "Français"}  # what their speakers call them
COOKIE = "gridsage-language"  # what somebody chose on the page


class _File(msgspec.Struct, frozen=True):
    """A file of texts: those of the page by name, and what the server says."""

    texts: dict[str, str]
    phrases: dict[str, str] = {}


@cache
def _file(language: str) -> _File:
    found = msgspec.toml.decode(Path(__file__).with_name(f"{language}.toml").read_bytes(), type=dict[str, object])
    phrases = found.pop("phrases", {})
    return msgspec.convert({"texts": found, "phrases": phrases}, _File)


def of_page(language: str) -> Mapping[str, str]:
    """Return the texts of the page by name."""
    return _file(language).texts


def spoken(language: str, *rooms: Room) -> dict[str, str]:
    """Return what the server and these rooms say while a page is open, as English phrases and their translations."""
    found = dict(_file(language).phrases)
    for room in rooms:
        for part in _with_parent(room):
            found |= part.help.said(language)
    return found


@cache
def book(language: str, name: str = "") -> Phrasebook:
    """Return the translator of everything that the server, and the room of that name, say."""
    if not name:
        return Phrasebook(spoken(language), language)
    room = catalog.room(name)
    described = {key: words for part in _with_parent(room) for key, words in part.help.described(language).items()}
    return Phrasebook(spoken(language, room) | described, language)


def _with_parent(room: Room) -> list[Room]:
    """Return a room after the one in whose folder it lives: a variant has the words of both."""
    return [catalog.room(room.variant_of), room] if room.variant_of in catalog.names() else [room]


def preferred(chosen: str, accepted: str) -> str:
    """Return the language of a visitor.

    Args:
        chosen: what they chose here before, or nothing.
        accepted: the `Accept-Language` header of their browser.
    """
    if chosen in LANGUAGES:
        return chosen
    wishes: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, weight = part.strip().partition(";q=")
        wishes.append((_number(weight), tag.split("-")[0].strip().lower()))
    known = [(weight, tag) for weight, tag in wishes if tag in LANGUAGES and weight > 0]
    return max(known, key=lambda wish: wish[0])[1] if known else FIRST


def _number(weight: str) -> float:
    try:
        return float(weight or 1)
    except ValueError:
        return 0.0
