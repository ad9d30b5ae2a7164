"""Stored games summed up for the compare page: one line for every game, agents, budget and rules."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from gridsage.arena import stats
from gridsage.core.errors import OptionError, UnknownName
from gridsage.store import Row, Store
from gridsage.web import kept, messages

MOST_POINTS = 2_000  # games of one line that are drawn one by one
MOST_PAIRS = 500  # games told of in a comparison of two lines
NAMELESS = frozenset({"", "drawn here"})  # levels that their name does not identify: never the same level twice

Key = tuple[str, str, str, str]


def line_of(row: Row) -> Key:
    """Games with the same key may be counted together."""
    return row.game, kept.players(row), kept.budget(row), kept.rules(row)


def line_id(key: Key) -> str:
    """A short name of a line, for links."""
    return hashlib.blake2b("\n".join(key).encode(), digest_size=6).hexdigest()


def summary(store: Store, wanted: messages.Audit) -> dict[str, Any]:
    """Everything the compare page shows of these games: lines with 95 % intervals, matches, and what can be chosen."""
    everything = store.rows(game=wanted.game or None)
    rows = kept.chosen(store, wanted, everything)
    levels = sorted({row.level for row in rows}, key=kept.natural)
    return {
        "seats": max((len(row.agents) for row in rows), default=1),
        "facets": {
            "levels": sorted({row.level for row in everything}, key=kept.natural),
            "budgets": sorted({kept.budget(row) for row in everything}, key=kept.natural),
            "rules": sorted({kept.rules(row) for row in everything}, key=kept.natural),
            "agents": sorted({agent for row in everything for agent in row.agents}),
        },
        "levels": levels,
        "lines": [_record(key, found, levels) for key, found in sorted(_lines(rows).items())],
        "matches": matches(rows),
    }


def _lines(rows: Iterable[Row]) -> dict[Key, list[Row]]:
    found: dict[Key, list[Row]] = {}
    for row in rows:
        found.setdefault(line_of(row), []).append(row)
    return found


def _record(key: Key, rows: Sequence[Row], levels: Sequence[str]) -> dict[str, Any]:
    outcomes: dict[str, int] = {}
    by_level: dict[str, list[int]] = {}
    for row in rows:
        outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
        cell = by_level.setdefault(row.level, [0, 0])
        cell[0] += row.won
        cell[1] += 1
    timed = [row.seconds for row in rows if row.seconds > 0]  # a game from a file tells no time
    numbers = {
        "win_rate": stats.win_rate(sum(row.won for row in rows), len(rows)),
        "score": stats.median([row.scores[0] for row in rows if row.scores]),
        "steps": stats.median([row.steps for row in rows if row.won or len(row.agents) > 1]),  # a quick loss is no feat
        "seconds": stats.median(timed),
    }
    place = {level: number for number, level in enumerate(levels)}
    spent = rows[0].budgets[0] if rows[0].budgets else {}
    return {
        "id": line_id(key),
        "game": key[0],
        "agents": key[1],
        "budget": key[2],
        "rules": key[3],
        "seats": len(rows[0].agents),
        "amount": {name: value for name, value in spent.items() if value is not None},
        "episodes": len(rows),
        "wins": sum(row.won for row in rows),
        "outcomes": dict(sorted(outcomes.items(), key=lambda item: -item[1])),
        **{name: msgspec.to_builtins(value) for name, value in numbers.items()},
        "levels": [[place[level], *cell] for level, cell in by_level.items()],
        "points": [_point(row, place[row.level]) for row in rows[:MOST_POINTS]],
    }


def _point(row: Row, level: int) -> list[Any]:
    """A game in a plot: level, seed, won, steps, score, seconds, trace."""
    score = row.scores[0] if row.scores else None
    return [level, row.seed, int(row.won), row.steps, score, row.seconds or None, row.trace]


def _newest(rows: Iterable[Row]) -> dict[tuple[str, int], Row]:
    """The newest game of every level and seed; rows come newest first."""
    found: dict[tuple[str, int], Row] = {}
    for row in rows:
        if row.level not in NAMELESS:
            found.setdefault((row.level, row.seed), row)
    return found


def paired(store: Store, wanted: messages.Audit, first: str, second: str) -> dict[str, Any]:
    """Two lines on the levels and seeds that both have played, game by game."""
    lines = {line_id(key): (key, rows) for key, rows in _lines(kept.chosen(store, wanted)).items()}
    for name in (first, second):
        if name not in lines:
            raise UnknownName(f"no line {name[:40]!r} among these games: choose two lines of the table")
    if first == second:
        raise OptionError("a line is no different from itself: choose two lines")
    (key_a, rows_a), (key_b, rows_b) = lines[first], lines[second]
    a, b = _newest(rows_a), _newest(rows_b)
    both = sorted((key for key in a if key in b), key=lambda key: (kept.natural(key[0]), key[1]))
    account = stats.paired({key: a[key].won for key in both}, {key: b[key].won for key in both})
    won = [key for key in both if a[key].won and b[key].won]
    scored = [key for key in both if a[key].scores and b[key].scores]
    # Those that one alone has won come first, then those of different length.
    told = sorted(both, key=lambda key: (a[key].won == b[key].won, a[key].steps == b[key].steps))
    games = [{"level": key[0], "seed": key[1], "first": _told(a[key]), "second": _told(b[key])} for key in told]
    return {
        "first": {"id": first, "agents": key_a[1], "budget": key_a[2], "rules": key_a[3]},
        "second": {"id": second, "agents": key_b[1], "budget": key_b[2], "rules": key_b[3]},
        "paired": msgspec.to_builtins(account),
        "steps": msgspec.to_builtins(stats.median([a[key].steps - b[key].steps for key in won])),
        "steps_pairs": len(won),
        "score": msgspec.to_builtins(stats.median([a[key].scores[0] - b[key].scores[0] for key in scored])),
        "games": games[:MOST_PAIRS],
        "left_off": max(0, len(games) - MOST_PAIRS),
    }


def _told(row: Row) -> dict[str, Any]:
    score = row.scores[0] if row.scores else None
    return {"trace": row.trace, "won": row.won, "steps": row.steps, "score": score, "outcome": row.outcome}


def matches(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Every two agents that sat at one table, with their score and Elo from openings played with both seatings."""
    found: dict[tuple[str, str, str, str], list[Row]] = {}
    for row in rows:
        if len(row.agents) == 2 and row.agents[0] != row.agents[1] and len({str(spent) for spent in row.budgets}) <= 1:
            one, two = sorted(row.agents)
            found.setdefault((one, two, kept.budget(row), kept.rules(row)), []).append(row)
    return [_match(key, games) for key, games in sorted(found.items())]


def _match(key: tuple[str, str, str, str], rows: Sequence[Row]) -> dict[str, Any]:
    one, two, budget, rules = key
    account = duel(one, two, [Duel((row.level, row.seed), row.agents[0], row.winner) for row in rows])
    return {"first": one, "second": two, "budget": budget, "rules": rules, **account}


class Duel(NamedTuple):
    """One game of a match: what was played, who moved first, and the winner's seat."""

    opening: tuple[str, int]  # level and seed
    mover: str
    winner: int | None


def duel(one: str, two: str, games: Sequence[Duel]) -> dict[str, Any]:
    """The account of a match from the side of `one`; an opening played with both seatings counts for Elo."""

    def score(game: Duel) -> float:
        return 0.5 if game.winner is None else float((game.winner == 0) == (game.mover == one))

    scores = [score(game) for game in games]
    seated: dict[tuple[str, int], dict[str, float]] = {}
    for game in games:
        if game.opening[0] not in NAMELESS:
            seated.setdefault(game.opening, {}).setdefault(game.mover, score(game))
    pair_scores = [(by_seat[one] + by_seat[two]) / 2 for by_seat in seated.values() if len(by_seat) == 2]
    first = sum(0.5 if game.winner is None else float(game.winner == 0) for game in games)
    return {
        "games": len(games),
        "wins": scores.count(1.0),
        "draws": scores.count(0.5),
        "losses": scores.count(0.0),
        "score": msgspec.to_builtins(stats.win_rate(math.fsum(scores), len(scores))),
        "pairs": len(pair_scores),
        "elo": msgspec.to_builtins(stats.elo(pair_scores)),
        "sprt": stats.sprt(pair_scores).verdict,
        "moving_first": msgspec.to_builtins(stats.win_rate(first, len(games))),
    }
