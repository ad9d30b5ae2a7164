"""A room in the browser's words: what can be chosen, and what each choice means."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import re
import types
import typing
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

import msgspec

from gridsage.core.errors import GridsageError, LevelError, unknown
from gridsage.core.room import Room
from gridsage.core.sheet import Sheet
from gridsage.games import catalog
from gridsage.games.levels import is_shipped, shipped_level
from gridsage.web import levels, texts
from gridsage.web.messages import Answer
from gridsage.web.texts.phrasebook import Phrasebook


def card(name: str, language: str = texts.FIRST) -> Answer:
    """What the gallery says of a game; one that cannot be loaded says why."""
    try:
        room = catalog.room(name)
    except Exception as error:  # an installed game is anybody's code
        problem = texts.book(language).said(f"{name} cannot be loaded: {error}")
        return {"name": name, "title": name, "summary": "", "missing": problem}
    said = texts.book(language, name).said
    return {
        "name": name,
        "title": said(room.title),
        "summary": said(room.summary),
        "missing": said(room.rules.missing() or ""),
        "levels": len(room.levels.names()) if room.rules.missing() is None else 0,
        "seeds": room.levels.of_seed is not None,
        "seats": room.rules.seats,
        "variant_of": room.variant_of,
        "contest": {"name": room.view.contest, "words": said(room.view.contest)} if room.view.contest else None,
        "guide": room.help.guide() is not None,
        "agents": list(catalog.agent_entries(room)) if room.rules.missing() is None else [],
        "best_agent": room.players.default,
    }


def whole(name: str, home: Path, language: str = texts.FIRST) -> Answer:
    """Everything the watch, play and edit pages let people choose."""
    if name not in catalog.names():
        raise unknown("game", name, catalog.names())
    told = card(name, language)
    if told["missing"]:
        return told
    return told | _chosen_from(catalog.room(name), home, texts.book(language, name), language)


def _chosen_from(room: Room, home: Path, book: Phrasebook, language: str) -> Answer:
    """Return what can be chosen, with words in the language of the reader."""
    name, said = room.name, book.said
    listed = [(key, said(f"listed by the owner of this page: {key}"), None) for key in catalog.listed_agents()]
    known = [(key, said(entry.summary), entry.make) for key, entry in catalog.agent_entries(room).items()]
    return {
        "levels": list(room.levels.names()),
        "books": [{"name": one.name, "title": said(one.title), "levels": one.levels} for one in room.levels.books()],
        "own": [levels.OWN + own for own in _own(home, name)],
        "agents": [_agent(key, summary, make) for key, summary, make in [*known, *listed]],
        "default_agent": room.players.default,
        "showcase": {"level": room.view.showcase.level, "seed": room.view.showcase.seed},
        "options": _worded(_options(room), book),
        "seats_option": room.rules.seats_option,
        "keys": dict(room.view.keys),
        "real_time": None if room.view.real_time is None else dataclasses.asdict(room.view.real_time),
        "meanings": {label: said(meaning) for label, meaning in room.view.meanings.items()},
        "hints": room.help.hints is not None,
        "solutions": room.help.solutions is not None,
        "position": room.view.position is not None,
        "sheet": None if room.levels.sheet is None else _sheet(room.levels.sheet, book),
        "check": room.levels.check is not None,
        "generate": [] if room.levels.generate is None else _worded(_generator_settings(room.levels.generate), book),
        "write": sorted(room.levels.write),
        "read": room.levels.read is not None,
        "cards": _cards(room, language),
    }


def size(name: str, level: str, text: str) -> tuple[int, int] | None:
    """Return the columns and rows that the board of a level will have, without playing it; None if nobody can tell.

    A page keeps the place of a board free while it is loaded: a guess that is wrong only lets the page move.
    """
    room = catalog.room(name)
    if not text:
        text = _opened(room, level)
    with suppress(LevelError):  # the game itself will say what is wrong
        if text and (told := room.levels.size(text)) is not None:
            return told
    sheet = room.levels.sheet
    if sheet is None:
        return None
    if sheet.fixed is not None:
        return sheet.fixed[1], sheet.fixed[0]
    lines = text.splitlines()
    if sheet.divider:  # the first of several maps
        lines = list(itertools.takewhile(lambda line: line.strip() != sheet.divider, lines))
    if sheet.form == "walled":
        board = [line.rstrip() for line in lines if line[:1] in ("+", "|")]
        return ((len(board[0]) - 1) // 4, (len(board) - 1) // 2) if board else None
    head = re.compile(r"\s*[A-Za-z]+\s*:") if sheet.entries else None
    rows = [
        line.rstrip()
        for line in lines
        if line.strip() and not line.lstrip().startswith(sheet.remark) and not (head and head.match(line))
    ]
    return (max(map(len, rows)), len(rows)) if rows else None


def _opened(room: Room, level: str) -> str:
    """Return the text of a level by name, or of the one that a page opens when nobody names one."""
    if is_shipped(room, level):
        return shipped_level(room, level).text
    names = room.levels.names()
    if room.levels.of_seed is not None:
        return room.levels.of_seed(1).text
    return room.levels.text(names[0]) if names else ""


def _worded(fields: list[Answer], book: Phrasebook) -> list[Answer]:
    """Return things to choose with a title and a note in the reader's language; their names stay what they are."""
    return [
        field
        | {"title": book.said(str(field["name"]).replace("_", " ")), "note": book.said(str(field.get("note", "")))}
        for field in fields
    ]


def _sheet(sheet: Sheet, book: Phrasebook) -> Answer:
    """Return how levels are painted, with the names of tiles and entries in the reader's language."""
    entries = tuple(replace(entry, name=book.said(entry.name), note=book.said(entry.note)) for entry in sheet.entries)
    tiles = tuple(replace(tile, name=book.said(tile.name)) for tile in sheet.tiles)
    return cast(Answer, msgspec.to_builtins(replace(sheet, tiles=tiles, entries=entries)))


def _cards(room: Room, language: str) -> list[Answer]:
    """Return the cards of a game with the signs that its guide gives them."""
    guide = room.help.guide(language)
    return [] if guide is None else [msgspec.to_builtins(card) for card in guide.cards]


def _generator_settings(generate: Callable[..., object]) -> list[Answer]:
    """Return the settings of a generator; what its docstring says of one becomes the note beside it."""
    told = dict(re.findall(r"^ +([a-z_, ]+): (.+?)[.;]?$", inspect.getdoc(generate) or "", re.MULTILINE))
    notes = {name.strip(): note for names, note in told.items() for name in names.split(",")}
    fields = []
    for key, parameter in inspect.signature(generate, eval_str=True).parameters.items():
        fields.append(_field(key, parameter.annotation, parameter.default) | {"note": notes.get(key, "")})
    return fields


def _own(home: Path, name: str) -> list[str]:
    try:
        return levels.own_names(home, name)
    except GridsageError:
        return []


def _agent(name: str, summary: str, make: Callable[..., object] | None) -> Answer:
    """An agent with the settings its maker takes."""
    settings = []
    for key, parameter in _parameters(make).items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        default = None if parameter.default is parameter.empty else parameter.default
        settings.append(_field(key, parameter.annotation, default))
    return {"name": name, "summary": summary, "settings": settings}


def _parameters(make: Callable[..., object] | None) -> Mapping[str, inspect.Parameter]:
    """Return what a maker takes; of a maker that does not say, nothing."""
    try:
        return inspect.signature(make, eval_str=True).parameters if make is not None else {}
    except (TypeError, ValueError, NameError):
        return {}


def _options(room: Room) -> list[Answer]:
    fields = []
    hints = typing.get_type_hints(room.rules.options, include_extras=True)
    for field in msgspec.structs.fields(room.rules.options):
        default = field.default if field.default is not msgspec.NODEFAULT else None
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        fields.append(_field(field.name, hints[field.name], default))
    return fields


def _field(name: str, kind: object, default: object) -> Answer:
    """One thing to choose: a switch, a number, one of several words, or a text."""
    choices: list[object] = []
    inner = [part for part in typing.get_args(kind) if part is not type(None)]
    if typing.get_origin(kind) is typing.Literal:
        choices = list(inner)
    elif typing.get_origin(kind) in (typing.Union, types.UnionType) and inner:
        return _field(name, inner[0], default)
    elif typing.get_origin(kind) is typing.Annotated:
        limits = [part for part in inner if isinstance(part, msgspec.Meta)]
        least, most = (next((getattr(limit, end) for limit in limits), None) for end in ("ge", "le"))
        note = next((limit.description for limit in limits if limit.description), "")
        return _field(name, inner[0], default) | {"least": least, "most": most, "note": note}
    kinds: dict[object, str] = {bool: "switch", int: "number", float: "number"}
    if isinstance(kind, type) and issubclass(kind, str) and hasattr(kind, "__members__"):
        choices = [member.value for member in kind]  # type: ignore[attr-defined]
    simple = default if isinstance(default, str | int | float | bool) else None
    return {
        "name": name,
        "kind": "choice" if choices else kinds.get(kind, "text"),
        "choices": choices,
        "default": simple,
        "whole": kind is int,
    }
