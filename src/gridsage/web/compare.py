"""Stored games summed up for the compare page: one line for every game, agents, budget and rules."""

from __future__ import annotations

from typing import Any

import msgspec

from gridsage.arena import stats
from gridsage.store import Row, Store

NO_LIMIT = "no limit"
STANDARD = "standard"


def players(row: Row) -> str:
    """Who sat there, in one word if all were the same."""
    return " - ".join(dict.fromkeys(row.agents))


def budget(row: Row) -> str:
    """What seat 0 could spend on a decision."""
    spent = row.budgets[0] if row.budgets else {}
    return ", ".join(f"{value:g} {key}" for key, value in spent.items() if value is not None) or NO_LIMIT


def rules(row: Row) -> str:
    """The options that were not the usual ones."""
    return ", ".join(f"{key}={value}" for key, value in sorted(row.options.items())) or STANDARD


def groups(store: Store, game: str | None) -> list[dict[str, Any]]:
    """One record a group of comparable games, with 95 % intervals."""
    found: dict[tuple[str, str, str, str], list[Row]] = {}
    for row in store.rows(game=game):
        found.setdefault((row.game, players(row), budget(row), rules(row)), []).append(row)
    return [_record(key, rows) for key, rows in sorted(found.items())]


def _record(key: tuple[str, str, str, str], rows: list[Row]) -> dict[str, Any]:
    outcomes: dict[str, int] = {}
    for row in rows:
        outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
    numbers = {
        "win_rate": stats.win_rate(sum(row.won for row in rows), len(rows)),
        "score": stats.median([row.scores[0] for row in rows if row.scores]),
        "steps": stats.median([row.steps for row in rows]),
        "seconds": stats.median([row.seconds for row in rows]),
    }
    return {
        "game": key[0],
        "agents": key[1],
        "budget": key[2],
        "rules": key[3],
        "episodes": len(rows),
        "outcomes": dict(sorted(outcomes.items(), key=lambda item: -item[1])),
        **{name: msgspec.to_builtins(value) for name, value in numbers.items()},
    }
