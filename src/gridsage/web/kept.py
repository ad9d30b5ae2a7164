"""Kept games for the page: which ones are meant, in which order, and whether each was found true."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from functools import cache

import msgspec

from gridsage.core import trace
from gridsage.core.errors import GridsageError, OptionError, TraceMismatch, unknown
from gridsage.games import catalog
from gridsage.store import (
    DIFFERS,
    NOT_CHECKABLE,
    VERIFIED,
    Check,
    LineName,
    Lineup,
    Row,
    Selection,
    Store,
    Wanted,
)
from gridsage.store.aliases import current
from gridsage.store.lines import budget, players
from gridsage.store.queries import ORDERS
from gridsage.web import messages
from gridsage.web.messages import Answer

log = logging.getLogger(__name__)

UNCHECKED = "unchecked"
VERDICTS = (VERIFIED, DIFFERS, NOT_CHECKABLE, UNCHECKED)
MOST_ROWS = 500  # of one answer; the page asks for the next ones
MOST_LEVELS = 2_000  # that can be chosen from a list
MAX_SEED = 2**63 - 1


@cache
def _rules_version(game: str) -> int | None:
    """Today's version of a game's rules; None of a game that is not here."""
    try:
        return catalog.room(game).rules.game().rules_version if game in catalog.names() else None
    except Exception:  # an installed game is anybody's code
        return None


def meant(store: Store, asked: messages.Audit) -> Wanted:
    """The games that the page asks for, imported ones too."""
    if asked.verdict and asked.verdict not in VERDICTS:
        raise unknown("mark", asked.verdict, VERDICTS)
    seeds = _seeds(asked.seeds)
    line = None
    if asked.agents or asked.budget or asked.rules:
        names = line_names(store, asked.game)

        def line(found: Lineup) -> bool:
            name = names[found.id]
            wanted = (asked.agents or name.players, asked.budget or name.budget, asked.rules or name.rules)
            return wanted == (name.players, name.budget, name.rules)

    return Wanted(
        game=asked.game or None,
        agent=asked.agent or None,
        opponent=asked.opponent or None,
        level=asked.level or None,
        outcome=asked.outcome or None,
        seeds=seeds,
        line=line,
        verdict=None if not asked.verdict else "" if asked.verdict == UNCHECKED else asked.verdict,
        codes={game: _code(game) for game in catalog.names()} if asked.verdict else {},
    )


def line_names(store: Store, game: str) -> dict[int, LineName]:
    """The lines of a game, or of all, in words; rules other than today's are named."""
    return store.line_names(game or None, _rules_version)


def chosen(store: Store, asked: messages.Audit) -> list[Row]:
    """The games that the page asks for, newest first."""
    return store.rows(meant(store, asked))


def _seeds(text: str) -> range | None:
    if not text.strip():
        return None
    parts = re.fullmatch(r"\s*(\d{1,19})\s*(?:-\s*(\d{1,19}))?\s*", text)
    low, high = (int(parts[1]), int(parts[2] or parts[1])) if parts else (1, 0)
    if high < low or high > MAX_SEED:
        raise OptionError(f"seeds {text[:40]!r}: expected a number like 7 or a range like 3-9")
    return range(low, high + 1)


# In order, a page at a time


def listing(store: Store, asked: messages.Audit, order: str, offset: int, limit: int) -> Answer:
    """One page of the games that are asked for. Rows of equal rank stay newest first, so that no page loses any."""
    if order.removeprefix("-") not in ORDERS:
        raise unknown("order", order, ORDERS)
    wanted = meant(store, asked)
    with store.selected(wanted) as found:
        total = found.total()
    page = store.rows(wanted, order=order, offset=offset, limit=max(1, min(limit, MOST_ROWS)))
    marks = verdicts(store, page)
    with store.selected(Wanted(game=asked.game or None)) as everything:
        kept, choices = everything.total(), facets(everything)
    return {
        "total": total,
        "kept": kept,
        "offset": offset,
        "rows": [_told(row) | {"check": marks[row.trace]} for row in page],
        "facets": {name: choices[name] for name in ("agents", "levels", "outcomes")},
        "warnings": store.warnings,
    }


def _told(row: Row) -> Answer:
    """A row as the page shows it. Who played an imported game is what its file claims."""
    who, record = players(row), Answer(msgspec.to_builtins(row))
    return record | {"players": f"{who} (imported)" if row.imported else who, "budget": budget(row)}


def facets(found: Selection) -> dict[str, list[str]]:
    """What can be chosen from among these games."""
    agents = {current(line.game, agent) for line in found.lines.values() for agent in line.agents}
    return {
        "agents": sorted(agents),
        "levels": list(dict.fromkeys(found.level_names().values()))[:MOST_LEVELS],
        "outcomes": sorted({kind.outcome for kind in found.kinds.values()}),
    }


# Found true, or not


def verdicts(store: Store, rows: Sequence[Row]) -> dict[str, Answer]:
    """What is known of each trace. What was found with other code than today's counts as not checked."""
    checks = store.checks([row.trace for row in rows])
    found: dict[str, Answer] = {}
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
    if not store.read_only:
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
    except Exception:  # a trace from anywhere can hold anything: rules written for good moves may fail
        log.info("playing a game of %s again failed", recorded.game, exc_info=True)
        return DIFFERS, "the game cannot be played again: the rules have no answer to what it holds"
    return VERIFIED, ""
