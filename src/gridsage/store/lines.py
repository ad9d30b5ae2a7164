"""Lines in words, and summed up: who played what, under which budget and rules, and how these games went."""

from __future__ import annotations

import functools
import itertools
import sqlite3
import statistics
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.core.amounts import counted
from gridsage.core.complaints import in_words
from gridsage.core.errors import shown
from gridsage.store.aliases import current
from gridsage.store.queries import ADVICE, SAMPLE, Kind, Lineup, Row, Sample, Selection

BUDGET_DIGITS = 9  # two budgets that differ must not read the same
NO_LIMIT = "no limit"
STANDARD = "standard"
IMPORTED = "imported"
CODE_DIGITS = 8
FIELD = "figure_"  # before the place of a figure: its name may be no word of Python

MainFigures = Callable[[str], Sequence[str]]  # the figures of a game that tables show
Today = Callable[[str], int | None]  # the version of a game's rules that counts as the usual one


class LineName(NamedTuple):
    """A line in words. Games whose lines have equal names differ in nothing but spelling, and are counted together."""

    game: str
    players: str
    budget: str
    rules: str


class Summary(NamedTuple):
    """How the games of a line went; arrays are newest first within each kind."""

    name: LineName
    lines: list[Lineup]
    kinds: list[Kind]  # with the number of games that are meant
    numbers: NDArray[np.void]  # (games,) of queries.SAMPLE or ENDS
    won: NDArray[np.bool_]  # (games,)
    figures: dict[str, float]  # the means of those that were asked for, each over the games that tell it as a number

    @property
    def games(self) -> int:
        return len(self.won)

    @property
    def wins(self) -> int:
        return int(self.won.sum())

    @property
    def outcomes(self) -> dict[str, int]:
        """How many games ended how, the most frequent first."""
        counts: dict[str, int] = {}
        for kind in self.kinds:
            counts[kind.outcome] = counts.get(kind.outcome, 0) + kind.games
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


# In words


def players(game: Lineup | Row) -> str:
    """Who sat there, in one word if all were the same."""
    agents = [current(game.game, agent) for agent in game.agents]
    return agents[0] if len(set(agents)) == 1 else " - ".join(agents)


def budget(game: Lineup | Row) -> str:
    """What a decision could cost, in one word if all seats had the same."""
    words = list(dict.fromkeys(map(_spent, game.budgets)))
    return " - ".join(words) if words else NO_LIMIT


def _spent(spent: Mapping[str, object]) -> str:
    words = [
        counted(value, key.removesuffix("s"), digits=BUDGET_DIGITS).replace(",", "")  # links to lines have had none
        for key, value in spent.items()
        if isinstance(value, int | float)
    ]
    return ", ".join(words) or NO_LIMIT


def _options(options: Mapping[str, object]) -> list[str]:
    """Options in words; `true` typed on the command line and true from the page are the same."""
    return [
        f"{key}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for key, value in sorted(options.items())
    ]


def names(connection: sqlite3.Connection, lines: Sequence[Lineup], today: Today) -> dict[int, LineName]:
    """The names of lines. Of games that differ only in the code that played them, the newest code goes unnamed."""
    alike: dict[tuple[str, ...], list[Lineup]] = {}
    for line in lines:
        alike.setdefault((line.game, players(line), budget(line), *_rules(line, today)), []).append(line)
    found: dict[int, LineName] = {}
    for (game, who, spent, *rules), group in alike.items():
        newest = _newest_code(connection, group)
        for line in group:
            code = [] if line.code == newest else [f"code {line.code[:CODE_DIGITS] or 'unknown'}"]
            found[line.id] = LineName(game, who, spent, ", ".join([*rules, *code]))
    return found


def _rules(line: Lineup, today: Today) -> list[str]:
    words = _options(line.options) or [STANDARD]
    if line.rules_version != today(line.game):
        words.append(f"rules v{line.rules_version}")
    return [*words, IMPORTED] if line.imported else words


def _newest_code(connection: sqlite3.Connection, lines: Sequence[Lineup]) -> str:
    """The code of the line that has the newest game."""
    if len({line.code for line in lines}) == 1:
        return lines[0].code
    query = """SELECT MAX((SELECT MAX(stored) FROM games WHERE kind = kinds.id))
        FROM kinds WHERE line = ? AND kinds.games > 0"""
    return max(lines, key=lambda line: connection.execute(query, (line.id,)).fetchone()[0] or 0.0).code


def newest_stored(lines: Iterable[Lineup]) -> Today:
    """Take the newest rules under which games are stored for the usual ones: no room has to be imported."""
    versions: dict[str, int] = {}
    for line in lines:
        versions[line.game] = max(versions.get(line.game, 0), line.rules_version)
    return versions.get


# Summed up


def summaries(
    found: Selection,
    named: Mapping[int, LineName],
    main: MainFigures | None = None,
    numbers: np.dtype[np.void] = SAMPLE,
) -> list[Summary]:
    """One summary per name, in order. Each game is read once, as numbers; only figures are decoded.

    Args:
        main: which figures of a game are wanted; without it none are read.
        numbers: which numbers of a game are wanted, SAMPLE or ENDS.
    """

    def reader(kind: Kind) -> _Figures | None:
        wanted = main(found.lines[kind.line].game) if main is not None else ()
        return _Figures(wanted, found.skip) if wanted else None

    groups: dict[LineName, list[Sample[_Figures]]] = {}
    for sample in found.samples(reader, numbers):
        if len(sample.numbers):
            groups.setdefault(named[sample.kind.line], []).append(sample)
    return [_summary(found, name, groups[name]) for name in sorted(groups)]


def _summary(found: Selection, name: LineName, samples: Sequence[Sample[_Figures]]) -> Summary:
    kinds = [sample.kind._replace(games=len(sample.numbers)) for sample in samples]
    lines = [found.lines[number] for number in dict.fromkeys(kind.line for kind in kinds)]
    won = np.concatenate([np.full(kind.games, kind.winner == 0) for kind in kinds])
    figures = _means([sample.reader for sample in samples if sample.reader is not None])
    return Summary(name, lines, kinds, np.concatenate([sample.numbers for sample in samples]), won, figures)


def _means(read: Sequence[_Figures]) -> dict[str, float]:
    """The means of figures over several kinds of games, the same in whatever order they were kept."""
    names = dict.fromkeys(name for each in read for name in each.told)
    values = {name: [each.told[name] for each in read if name in each.told] for name in names}
    return {name: statistics.fmean(itertools.chain(*parts)) for name, parts in values.items() if any(parts)}


class _Figures:
    """Reads some figures of many games; a text that is no figures is named and left out."""

    def __init__(self, wanted: Sequence[str], skip: Callable[[str], None]) -> None:
        self._skip = skip
        self.told = {name: array("d") for name in wanted}
        self._decoder = _decoder(tuple(wanted))

    def take(self, texts: list[str]) -> None:
        """Read the figures of some games."""
        games = self._decoded(texts)
        for place, values in enumerate(self.told.values()):
            field = f"{FIELD}{place}"
            values.extend([value for game in games if type(value := getattr(game, field)) is float])

    def _decoded(self, texts: list[str]) -> list[Any]:  # Any: a struct made at run time
        try:
            return self._decoder.decode("[" + ",".join(texts) + "]")
        except (msgspec.DecodeError, TypeError) as error:
            if len(texts) == 1:
                found = f"the figures {shown(str(texts[0]))} of a game in the index are bad"
                self._skip(f"{found}: {in_words(error)}; {ADVICE}")
                return []
            half = len(texts) // 2
            return self._decoded(texts[:half]) + self._decoded(texts[half:])


@functools.cache
def _decoder(wanted: tuple[str, ...]) -> msgspec.json.Decoder[list[Any]]:
    """A decoder of many games' figures that reads these and skips the others; to make one takes a millisecond."""
    fields = [
        (f"{FIELD}{place}", float | str | None, msgspec.field(name=name, default=None))
        for place, name in enumerate(wanted)
    ]
    games: Any = list[msgspec.defstruct("Main", fields)]  # type: ignore[misc]  # made at run time
    return msgspec.json.Decoder(games)
