"""Stored games summed up for the compare page: one line for every game, agents, budget and rules."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.arena import stats
from gridsage.core.errors import OptionError, UnknownName
from gridsage.store import LineName, Row, Selection, Store, Summary, Wanted
from gridsage.store.aliases import current
from gridsage.store.lines import summaries
from gridsage.store.schema import rank
from gridsage.web import kept, messages
from gridsage.web.messages import Answer

MOST_POINTS = 2_000  # games of one line that are drawn one by one
MOST_PAIRS = 500  # games told of in a comparison of two lines
NAMELESS = frozenset({"", "drawn here"})  # levels that their name does not identify: never the same level twice


def line_id(key: LineName) -> str:
    """A short name of a line, for links."""
    return hashlib.blake2b("\n".join(key).encode(), digest_size=6).hexdigest()


def _meant(store: Store, asked: messages.Audit) -> Wanted:
    """The games that are counted: imported ones only if they are asked for, on lines of their own."""
    wanted = kept.meant(store, asked)
    return wanted if asked.imported else msgspec.structs.replace(wanted, imported=False)


def summary(store: Store, asked: messages.Audit) -> Answer:
    """Everything the compare page shows of these games: lines with 95 % intervals, matches, and what can be chosen."""
    names = kept.line_names(store, asked.game)
    with store.selected(Wanted(game=asked.game or None)) as everything:
        choices = kept.facets(everything)
        played = {kind.line for kind in everything.kinds.values()}
    with store.selected(_meant(store, asked)) as found:
        lines = summaries(found, names)
        levels = _Levels(found, lines)
        return {
            "seats": max((len(line.lines[0].agents) for line in lines), default=1),
            "facets": {
                "levels": choices["levels"],
                "budgets": sorted({names[number].budget for number in played}, key=rank),
                "rules": sorted({names[number].rules for number in played}, key=rank),
                "agents": choices["agents"],
            },
            "levels": levels.names,
            "lines": [_record(found, line, levels) for line in lines],
            "matches": matches(lines, found.level_names()),
        }


class _Levels:
    """The levels that some games were played on, and the place of each in the list that the page gets."""

    def __init__(self, found: Selection, lines: Iterable[Summary]) -> None:
        used = {number for line in lines for number in np.unique(line.numbers["level"]).tolist()}
        named = {number: name for number, name in found.level_names().items() if number in used}
        self.names = list(dict.fromkeys(named.values()))
        places = {name: place for place, name in enumerate(self.names)}
        self.place = {number: places[name] for number, name in named.items()}


def _record(found: Selection, line: Summary, levels: _Levels) -> Answer:
    numbers, first = line.numbers, line.lines[0]
    seconds = numbers["seconds"]
    counted = line.won | (len(first.agents) > 1)  # a quick loss is no feat
    intervals = {
        "win_rate": stats.win_rate(line.wins, line.games),
        "score": stats.median(numbers["score"]),
        "steps": stats.median(numbers["steps"][counted]),
        "seconds": stats.median(seconds[seconds > 0]),  # a game from a file tells no time
    }
    spent = first.budgets[0] if first.budgets else {}
    return {
        "id": line_id(line.name),
        "game": line.name.game,
        "agents": line.name.players,
        "budget": line.name.budget,
        "rules": line.name.rules,
        "seats": len(first.agents),
        "amount": {name: value for name, value in spent.items() if value is not None},
        "episodes": line.games,
        "wins": line.wins,
        "outcomes": line.outcomes,
        **{name: msgspec.to_builtins(value) for name, value in intervals.items()},
        "levels": _by_level(line, levels),
        "points": _points(found, line, levels),
    }


def _by_level(line: Summary, levels: _Levels) -> list[list[int]]:
    """Place of a level, games won on it, games played on it."""
    used, where = np.unique(line.numbers["level"], return_inverse=True)
    won = np.bincount(where, weights=line.won, minlength=len(used)).astype(np.int64)
    played = np.bincount(where, minlength=len(used))
    cells = zip(used.tolist(), won.tolist(), played.tolist(), strict=True)
    return [[levels.place[number], wins, games] for number, wins, games in cells]


def _points(found: Selection, line: Summary, levels: _Levels) -> list[list[object]]:
    """The newest games for a plot: level, seed, won, steps, score, seconds, trace."""
    newest = np.argsort(-line.numbers["stored"], kind="stable")[:MOST_POINTS]
    numbers, won = line.numbers[newest], line.won[newest].tolist()
    traces = found.traces(numbers["id"].tolist())
    return [
        [levels.place[level], seed, int(is_won), steps, score, seconds or None, traces.get(number, "")]
        for (number, _, level, seed, _, steps, score, seconds), is_won in zip(numbers.tolist(), won, strict=True)
    ]


# Two lines on the same games


class _Games(NamedTuple):
    """The newest game of every level and chance of a line, in the order of these.

    The chance, not the seed: with another salt the same seed makes another game.
    """

    keys: NDArray[np.void]  # (games,) of level and chance
    numbers: NDArray[np.void]  # (games,) of the store's SAMPLE
    won: NDArray[np.bool_]  # (games,)

    def at(self, places: NDArray[np.int64]) -> _Games:
        return _Games(self.keys[places], self.numbers[places], self.won[places])


def _newest(line: Summary, nameless: Sequence[int]) -> _Games:
    named = ~np.isin(line.numbers["level"], nameless)
    numbers, won = line.numbers[named], line.won[named]
    newest = np.argsort(-numbers["stored"], kind="stable")
    numbers, won = numbers[newest], won[newest]
    keys, places = np.unique(numbers[["level", "chance"]], return_index=True)
    return _Games(keys, numbers[places], won[places])


def paired(store: Store, asked: messages.Audit, first: str, second: str) -> Answer:
    """Two lines on the levels and seeds that both have played with the same salt, game by game."""
    names = kept.line_names(store, asked.game)
    ids = {line_id(name): name for name in names.values()}
    with store.selected(_meant(store, asked)) as found:
        played = {names[kind.line] for kind in found.kinds.values()}
        for name in (first, second):
            if ids.get(name) not in played:
                raise UnknownName(f"no line {name[:40]!r} among these games: choose two lines of the table")
        if first == second:
            raise OptionError("a line is no different from itself: choose two lines")
        wanted = (ids[first], ids[second])
        lines = [number for number, name in names.items() if name in wanted]
        summed = {line.name: line for line in summaries(found.of_lines(lines), names)}
        for line_name, line in zip((first, second), wanted, strict=True):
            if line not in summed:
                raise UnknownName(f"no line {line_name[:40]!r} among these games: choose two lines of the table")
        return _compared(found, summed[ids[first]], summed[ids[second]])


def _compared(found: Selection, first: Summary, second: Summary) -> Answer:
    levels = found.level_names()
    nameless = [number for number, name in levels.items() if name in NAMELESS]
    one, two = _newest(first, nameless), _newest(second, nameless)
    _, in_one, in_two = np.intersect1d(one.keys, two.keys, assume_unique=True, return_indices=True)
    a, b = one.at(in_one), two.at(in_two)
    both, alone, other = a.won & b.won, a.won & ~b.won, ~a.won & b.won
    counts = [int(which.sum()) for which in (both, alone, other, ~a.won & ~b.won)]
    steps = a.numbers["steps"] - b.numbers["steps"]
    return {
        "first": {"id": line_id(first.name), **_words(first)},
        "second": {"id": line_id(second.name), **_words(second)},
        "paired": msgspec.to_builtins(stats.paired_counts(*counts)),
        "steps": msgspec.to_builtins(stats.median(steps[both])),
        "steps_pairs": counts[0],
        "score": msgspec.to_builtins(stats.median(a.numbers["score"] - b.numbers["score"])),
        "games": _told_pairs(found, levels, a, b),
        "left_off": max(0, len(a.keys) - MOST_PAIRS),
    }


def _words(line: Summary) -> dict[str, str]:
    return {"agents": line.name.players, "budget": line.name.budget, "rules": line.name.rules}


def _told_pairs(found: Selection, levels: Mapping[int, str], a: _Games, b: _Games) -> list[Answer]:
    """The pairs one by one: those that one alone has won come first, then those of different length."""
    ranks = {number: place for place, number in enumerate(levels)}
    by_level = np.array([ranks[number] for number in a.keys["level"].tolist()], dtype=np.int64)
    same_steps = a.numbers["steps"] == b.numbers["steps"]
    order = np.lexsort((a.numbers["seed"], by_level, same_steps, a.won == b.won))[:MOST_PAIRS]
    numbers = [*a.numbers["id"][order].tolist(), *b.numbers["id"][order].tolist()]
    rows = {row.id: row for row in found.rows(numbers)}
    pairs = zip(numbers[: len(order)], numbers[len(order) :], strict=True)
    return [
        {"level": rows[one].level, "seed": rows[one].seed, "first": _told(rows[one]), "second": _told(rows[two])}
        for one, two in pairs
        if one in rows and two in rows
    ]


def _told(row: Row) -> Answer:
    score = row.scores[0] if row.scores else None
    return {"trace": row.trace, "won": row.won, "steps": row.steps, "score": score, "outcome": row.outcome}


def matches(lines: Iterable[Summary], levels: Mapping[int, str]) -> list[Answer]:
    """Every two agents that sat at one table, with their score and Elo from openings played with both seatings."""
    found: dict[tuple[str, str, str, str], list[Duel]] = {}
    for line in lines:
        first = line.lines[0]
        agents = [current(first.game, agent) for agent in first.agents]
        if len(agents) == 2 and agents[0] != agents[1] and len({str(spent) for spent in first.budgets}) <= 1:
            one, two = sorted(agents)
            games = found.setdefault((one, two, line.name.budget, line.name.rules), [])
            winners = np.concatenate([np.full(kind.games, _winner(kind.winner)) for kind in line.kinds])
            newest = np.argsort(-line.numbers["stored"], kind="stable")
            sat = zip(line.numbers[newest][["level", "chance"]].tolist(), winners[newest].tolist(), strict=True)
            games += [Duel((levels[level], drawn), agents[0], None if won < 0 else won) for (level, drawn), won in sat]
    return [
        {"first": one, "second": two, "budget": budget, "rules": rules, **duel(one, two, games)}
        for (one, two, budget, rules), games in sorted(found.items())
    ]


def _winner(seat: int | None) -> int:
    return -1 if seat is None else seat


class Duel(NamedTuple):
    """One game of a match: what was played, who moved first, and the winner's seat."""

    opening: tuple[str, int]  # level and chance
    mover: str
    winner: int | None


def duel(one: str, two: str, games: Sequence[Duel]) -> Answer:
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
