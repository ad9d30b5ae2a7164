"""Kept games for the page: which ones are meant, in which order, and whether each was found true."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec

from gridsage.core import trace
from gridsage.core.errors import GridsageError, OptionError, TraceMismatch, unknown
from gridsage.games import catalog
from gridsage.store import DIFFERS, NOT_CHECKABLE, VERIFIED, Check, Row, Store
from gridsage.web import messages

NO_LIMIT = "no limit"
STANDARD = "standard"
UNCHECKED = "unchecked"
VERDICTS = (VERIFIED, DIFFERS, NOT_CHECKABLE, UNCHECKED)
MOST_ROWS = 500  # of one answer; the page asks for the next ones
MAX_SEED = 2**63 - 1

Natural = tuple[tuple[int, int | str], ...]


def players(row: Row) -> str:
    """Who sat there, in one word if all were the same."""
    return row.agents[0] if len(set(row.agents)) == 1 else " - ".join(row.agents)


def budget(row: Row) -> str:
    """What seat 0 could spend on a decision."""
    spent = row.budgets[0] if row.budgets else {}
    return ", ".join(f"{value:g} {key}" for key, value in spent.items() if value is not None) or NO_LIMIT


def rules(row: Row) -> str:
    """The options that were not the usual ones, and the rules' version where it is not today's."""
    told = [f"{key}={value}" for key, value in sorted(row.options.items())] or [STANDARD]
    if row.rules_version != _rules_version(row.game):
        told.append(f"rules v{row.rules_version}")
    return ", ".join(told)


def natural(text: str) -> Natural:
    """A key that puts level-9 before level-10."""
    parts = re.split(r"(\d+)", text)
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts if part)


@cache
def _rules_version(game: str) -> int | None:
    """Today's version of a game's rules; None of a game that is not here."""
    try:
        return catalog.room(game).rules.game().rules_version if game in catalog.names() else None
    except Exception:  # an installed game is anybody's code
        return None


def chosen(store: Store, wanted: messages.Audit, rows: Sequence[Row] | None = None) -> list[Row]:
    """The games that `wanted` means, newest first."""
    seeds = _seeds(wanted.seeds)
    if wanted.verdict and wanted.verdict not in VERDICTS:
        raise unknown("mark", wanted.verdict, VERDICTS)
    found = [
        row
        for row in (store.rows(game=wanted.game or None) if rows is None else rows)
        if (not wanted.agent or wanted.agent in row.agents)
        and (not wanted.opponent or wanted.opponent in row.agents)
        and (not wanted.level or row.level == wanted.level)
        and (not wanted.outcome or row.outcome == wanted.outcome)
        and (seeds is None or row.seed in seeds)
        and (not wanted.agents or players(row) == wanted.agents)
        and (not wanted.budget or budget(row) == wanted.budget)
        and (not wanted.rules or rules(row) == wanted.rules)
    ]
    if wanted.verdict:
        marks = verdicts(store, found)
        found = [row for row in found if marks[row.trace]["verdict"] == wanted.verdict]
    return found


def _seeds(text: str) -> range | None:
    if not text.strip():
        return None
    parts = re.fullmatch(r"\s*(\d{1,19})\s*(?:-\s*(\d{1,19}))?\s*", text)
    low, high = (int(parts[1]), int(parts[2] or parts[1])) if parts else (1, 0)
    if high < low or high > MAX_SEED:
        raise OptionError(f"seeds {text[:40]!r}: expected a number like 7 or a range like 3-9")
    return range(low, high + 1)


# In order, a page at a time

ORDERS: dict[str, Callable[[Row], Any]] = {
    "game": lambda row: row.game,
    "level": lambda row: natural(row.level),
    "seed": lambda row: row.seed,
    "agents": lambda row: players(row),
    "outcome": lambda row: row.outcome,
    "steps": lambda row: row.steps,
    "score": lambda row: row.scores[:1],
    "seconds": lambda row: row.seconds,
    "stored": lambda row: row.stored,
}


def listing(store: Store, wanted: messages.Audit, order: str, offset: int, limit: int) -> dict[str, Any]:
    """One page of the games that `wanted` means. Rows of equal rank stay newest first, so that no page loses any."""
    everything = store.rows(game=wanted.game or None)
    rows = chosen(store, wanted, everything)
    name = order.removeprefix("-")
    if name not in ORDERS:
        raise unknown("order", order, ORDERS)
    rows.sort(key=ORDERS[name], reverse=order.startswith("-"))
    page = rows[offset : offset + max(1, min(limit, MOST_ROWS))]
    marks = verdicts(store, page)
    return {
        "total": len(rows),
        "kept": len(everything),
        "offset": offset,
        "rows": [
            msgspec.to_builtins(row) | {"players": players(row), "budget": budget(row), "check": marks[row.trace]}
            for row in page
        ],
        "facets": {
            "agents": sorted({agent for row in everything for agent in row.agents}),
            "levels": sorted({row.level for row in everything}, key=natural),
            "outcomes": sorted({row.outcome for row in everything}),
        },
        "warnings": store.warnings,
    }


# Found true, or not


def verdicts(store: Store, rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """What is known of each trace. What was found with other code than today's counts as not checked."""
    checks = store.checks([row.trace for row in rows])
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        check = checks.get(row.trace)
        if check is None:
            found[row.trace] = {"verdict": UNCHECKED, "text": "", "when": None}
        elif check.code != _code(row.game):
            found[row.trace] = {
                "verdict": UNCHECKED,
                "text": f"{check.verdict} with earlier code",
                "when": check.checked,
            }
        else:
            found[row.trace] = {"verdict": check.verdict, "text": check.text, "when": check.checked}
    return found


@cache
def _code(game: str) -> str:
    """The digest of the code that replays a game; of a game that is not here, nothing."""
    try:
        return catalog.code_digest(catalog.room(game), ()) if game in catalog.names() else ""
    except Exception:  # an installed game is anybody's code
        return ""


def remember(store: Store, name: str, game: str, verdict: str, text: str) -> Check:
    """Keep a verdict with the rules and the code it was found with."""
    check = Check(name, time.time(), _rules_version(game) or 0, _code(game), verdict, text)
    store.put_check(check)
    return check


def checked(recorded: trace.Trace) -> tuple[str, str]:
    """The verdict on a trace by playing it again, and a sentence where it is a bad one."""
    try:
        if recorded.game not in catalog.names():
            return NOT_CHECKABLE, f"{recorded.game!r} is not installed here"
        room = catalog.ready_room(recorded.game)
        trace.verify(recorded, room.rules.game(), catalog.options(room, recorded.options))
    except TraceMismatch as problem:
        return DIFFERS, str(problem)
    except GridsageError as problem:
        return NOT_CHECKABLE, str(problem)
    except Exception as problem:  # a trace from anywhere can hold anything: rules written for good moves may fail
        return DIFFERS, f"the game cannot be played again ({type(problem).__name__}: {problem})"
    return VERIFIED, ""
