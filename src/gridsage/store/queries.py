"""Questions to the index: which games are meant, in which order, how many, and what their figures are.

Every filter but level and seed is a choice among kinds of games (see schema.py). The newest games of many kinds are
found by asking each kind for its newest game, which its index gives at once: the newest fifty games are of the fifty
kinds with the newest. Games of many seeds are looked for in those spans of time in which such seeds were played.
"""

from __future__ import annotations

import copy
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.core.complaints import in_words
from gridsage.core.errors import shown, unknown
from gridsage.store.schema import NOBODY

FEW_SEEDS = 20_000  # games; of so many with these seeds the newest are found by looking at all of them
FEW_OF_KINDS = 50_000  # games; of so many of these kinds those with the wanted seeds are soon found
MANY_KINDS = 2_000  # from here on the newest games are looked through until enough fit
DEEP = 1_000  # rows of a list; pages beyond are found by going through the games if a good part of them is meant
DENSE = 0.05
ADVICE = "`gridsage store rebuild` reads its file again"
BAD_VALUE = (msgspec.MsgspecError, UnicodeError, TypeError, RecursionError)
ALL = -1  # as SQLite says it of a limit
PART = 10_000  # rows that are decoded at a time
NEWEST = "stored DESC, level DESC, seed DESC, games.id DESC"
OLDEST = "stored, level, seed, games.id"
SAMPLE = np.dtype(
    [
        ("id", "i8"),
        ("stored", "f8"),
        ("level", "i8"),
        ("seed", "i8"),
        ("chance", "i8"),
        ("steps", "i8"),
        ("score", "f8"),
        ("seconds", "f8"),
    ]
)
ENDS = np.dtype([("id", "i8"), ("steps", "i8"), ("score", "f8")])  # how games went, without when and where

T = TypeVar("T")
Skip: TypeAlias = Callable[[str], None]
Check: TypeAlias = Callable[[Iterable[tuple[object, ...]]], Iterator[tuple[object, ...]]]
Names: TypeAlias = Callable[[str, str], frozenset[str]]  # game and agent -> every name it may be stored under
Parameters: TypeAlias = list[str | int | float]


class Lineup(msgspec.Struct, frozen=True):
    """Who played what under which budget, options, rules and code: games of one line may be counted together."""

    id: int
    game: str
    agents: tuple[str, ...]
    budgets: list[dict[str, Any]]  # a budget's fields may grow
    options: dict[str, Any]  # each room has its own
    rules_version: int
    code: str
    imported: bool


class Row(msgspec.Struct, frozen=True):
    """One stored episode as the index knows it, without its moves."""

    id: int
    episode: str
    trace: str  # content hash: the name of the trace file
    stored: float  # seconds since 1970
    game: str
    rules_version: int
    level: str
    seed: int
    agents: tuple[str, ...]
    options: dict[str, Any]
    budgets: list[dict[str, Any]]
    outcome: str
    winner: int | None
    scores: tuple[float, ...]
    steps: int
    seconds: float
    decisions: dict[str, float]
    figures: dict[str, float | str]
    imported: bool  # somebody brought it: who played it is only a claim
    code: str  # digest of the code that played it; empty if unknown

    @property
    def won(self) -> bool:
        return self.winner == 0


class Wanted(msgspec.Struct, frozen=True):
    """Which games are meant; None stands for any."""

    game: str | None = None
    agent: str | None = None  # sat anywhere
    opponent: str | None = None  # sat there too
    level: str | None = None
    outcome: str | None = None
    won: bool | None = None  # by the first seat
    seeds: Sequence[int] | None = None
    imported: bool | None = None
    before: float | None = None  # stored earlier than this, in seconds since 1970
    line: Callable[[Lineup], bool] | None = None
    verdict: str | None = None  # found with today's code; empty: not checked with it
    codes: Mapping[str, str] = {}  # today's code by game


class Kind(NamedTuple):
    """Games of one line that ended alike."""

    id: int
    line: int
    outcome: str
    winner: int | None
    verdict: str
    checked_code: str
    games: int


class Reader(Protocol):
    """Reads the figures of games, as the JSON that the index holds, some thousand at a time."""

    def take(self, texts: list[str]) -> None: ...


R = TypeVar("R", bound=Reader)


class Sample(NamedTuple, Generic[R]):
    """The numbers of the games of one kind, newest first, and what read their figures."""

    kind: Kind
    numbers: NDArray[np.void]  # (games,) of SAMPLE or what was chosen of it
    reader: R | None = None


# What is meant


class Selection:
    """The games that a `Wanted` means, resolved against the lines and kinds that an index has."""

    def __init__(self, connection: sqlite3.Connection, wanted: Wanted, names: Names, skip: Skip) -> None:
        self.wanted, self.connection, self.skip = wanted, connection, skip
        choices = (wanted.game, wanted.agent, wanted.opponent, wanted.outcome, wanted.won, wanted.imported)
        self.is_every_kind = all(choice is None for choice in (*choices, wanted.line, wanted.verdict))
        self.lines = {line.id: line for line in _lines(connection, wanted.game, skip) if _fits(line, wanted, names)}
        self.kinds = {kind.id: kind for kind in _kinds(connection) if self._has(kind)}
        self.levels = None if wanted.level is None else self._named(wanted.level)

    def _named(self, level: str) -> dict[int, str]:
        """The levels of that name, and the game of each."""
        found = self.connection.execute("SELECT id, game FROM levels WHERE name = ?", (level,))
        return {number: game for number, game in found if self.wanted.game in (None, game)}

    def _has(self, kind: Kind) -> bool:
        wanted = self.wanted
        if kind.line not in self.lines or not kind.games:
            return False
        if wanted.verdict is not None:
            is_today = kind.checked_code == wanted.codes.get(self.lines[kind.line].game, "")
            if wanted.verdict != (kind.verdict if is_today else ""):
                return False
        fits_end = wanted.outcome is None or kind.outcome == wanted.outcome
        return fits_end and (wanted.won is None or (kind.winner == 0) == wanted.won)

    def of_lines(self, lines: Iterable[int]) -> Selection:
        """The same games, as far as they are of these lines."""
        narrow, chosen = copy.copy(self), set(lines)
        narrow.is_every_kind = False
        narrow.kinds = {number: kind for number, kind in self.kinds.items() if kind.line in chosen}
        return narrow

    @property
    def is_by_kind(self) -> bool:
        """Return True if the kinds alone say which games are meant."""
        return self.levels is None and self.wanted.seeds is None and self.wanted.before is None

    def among(self, *, level: bool = True) -> tuple[str, Parameters]:
        """A condition on the columns of `games` besides its kind, and its parameters."""
        parts, values = [], Parameters()
        if level and self.levels is not None:
            parts.append("level IN (SELECT value FROM json_each(?))")
            values.append(_json(self.levels))
        if self.wanted.seeds is not None:
            condition, more = _seeds(self.wanted.seeds)
            parts.append(condition)
            values += more
        if self.wanted.before is not None:
            parts.append("stored < ?")
            values.append(self.wanted.before)
        return " AND ".join(parts) or "1", values

    def whole(self) -> tuple[str, Parameters]:
        """The condition on `games`, its kind included."""
        condition, values = self.among()
        if self.is_every_kind:
            return condition, values
        return f"{condition} AND kind IN (SELECT value FROM json_each(?))", [*values, _json(self.kinds)]

    def total(self) -> int:
        """How many games are meant."""
        if self.is_by_kind:
            return sum(kind.games for kind in self.kinds.values())
        condition, values = self.whole()
        return _count(self.connection, f"games WHERE {condition}", values)

    def counts(self) -> list[tuple[Kind, int]]:
        """How many games of each kind are meant."""
        if self.is_by_kind:
            return [(kind, kind.games) for kind in self.kinds.values()]
        condition, values = self.whole()
        query = f"SELECT kind, COUNT(*) FROM games WHERE {condition} GROUP BY kind"
        return [(self.kinds[number], count) for number, count in self.connection.execute(query, values)]

    # In order

    def newest(self, limit: int | None = None, offset: int = 0, *, oldest: bool = False) -> list[int]:
        """The numbers of the newest games, or of the oldest, in order."""
        order = OLDEST if oldest else NEWEST
        if limit is None or self._has_few_seeds():
            return self._looked_through(order, "", limit, offset)
        if self._has_many_seeds():
            return self._span_by_span(order, limit, offset, oldest=oldest)
        if self._is_dense(limit + offset):
            return self._looked_through(order, "INDEXED BY by_time", limit, offset)
        return self._kind_by_kind(order, limit, offset)

    def _looked_through(
        self, order: str, index: str, limit: int | None, offset: int, times: tuple[float, float] | None = None
    ) -> list[int]:
        """Go through the games, or those kept from one moment to another, until enough fit."""
        condition, values = self.whole()
        if times is not None:
            condition, values = f"stored BETWEEN ? AND ? AND {condition}", [*times, *values]
        query = f"SELECT id FROM games {index} WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?"
        most = ALL if limit is None else limit
        return [number for (number,) in self.connection.execute(query, [*values, most, offset])]

    def _span_by_span(self, order: str, limit: int, offset: int, *, oldest: bool) -> list[int]:
        """Go through the games of those times in which the wanted seeds were played, until enough fit."""
        found: list[int] = []
        for times in sorted(self._times(), reverse=not oldest):
            missing = limit + offset - len(found)
            found += self._looked_through(order, "INDEXED BY by_time", missing, 0, times)
            if len(found) == limit + offset:
                break
        return found[offset:]

    def _times(self) -> list[tuple[float, float]]:
        """The spans of time, none of which overlap, outside which no game has a wanted seed."""
        seeds = self.wanted.seeds or [0]
        ends = (seeds[0], seeds[-1]) if isinstance(seeds, range) else seeds  # a range may be long
        query = "SELECT oldest, newest FROM spans WHERE high >= ? AND low <= ? ORDER BY oldest"
        times: list[tuple[float, float]] = []
        for first, last in self.connection.execute(query, (min(ends), max(ends))):
            if times and first <= times[-1][1]:
                first, last = times[-1][0], max(last, times.pop()[1])
            times.append((first, last))
        return times

    def _kind_by_kind(self, order: str, limit: int, offset: int) -> list[int]:
        """Ask each kind, on its level, for its first game, and those that come first for as many as could be needed."""
        condition, values = self.among(level=False)
        pairs = [[kind.id, level] for kind in self.kinds.values() for level in self._levels_of(kind)]
        inside = f"""SELECT inside.id FROM games AS inside WHERE inside.kind = of_kind
            {"" if self.levels is None else "AND inside.level = on_level"} AND {condition}
            ORDER BY {order.replace("games.", "inside.")}"""
        query = f"""
            WITH pairs AS MATERIALIZED (
                SELECT json_extract(value, '$[0]') AS of_kind, json_extract(value, '$[1]') AS on_level
                FROM json_each(?)),
            leading AS MATERIALIZED (
                SELECT of_kind, on_level FROM pairs JOIN games ON games.id = ({inside} LIMIT 1)
                ORDER BY {order} LIMIT ?)
            SELECT games.id FROM leading JOIN games ON games.id IN ({inside} LIMIT ?)
            ORDER BY {order} LIMIT ? OFFSET ?"""
        most, first = limit + offset, msgspec.json.encode(pairs).decode()
        asked = [first, *values, most, *values, most, limit, offset]
        return [number for (number,) in self.connection.execute(query, asked)]

    def _levels_of(self, kind: Kind) -> list[int]:
        """The wanted level as the game of that kind has it; any level is none in particular."""
        if self.levels is None:
            return [0]
        game = self.lines[kind.line].game
        return [level for level, owner in self.levels.items() if owner == game]

    def _is_dense(self, wanted: int) -> bool:
        """Return True if so many of all games are meant that going through the newest soon finds enough of them."""
        if self.levels is not None:
            return False
        if self.is_every_kind or len(self.kinds) > MANY_KINDS:
            return True
        if wanted < DEEP:
            return False
        everything = self.connection.execute("SELECT SUM(games) FROM kinds").fetchone()[0] or 0
        return sum(kind.games for kind in self.kinds.values()) > everything * DENSE

    def sorted(self, column: str, limit: int | None, offset: int, *, descending: bool) -> list[int]:
        """The numbers of the games in the order of a column; those of equal rank stay newest first."""
        if column not in ORDERS:
            raise unknown("order", column, ORDERS)
        if column == "stored":
            return self.newest(limit, offset, oldest=not descending)
        condition, values = self.whole()
        query = f"""
            SELECT games.id FROM games JOIN kinds ON kinds.id = kind JOIN lines ON lines.id = line
                JOIN levels ON levels.id = games.level
            WHERE {condition.replace("level IN", "games.level IN")}
            ORDER BY {ORDERS[column]} {"DESC" if descending else "ASC"}, stored DESC, games.id DESC LIMIT ? OFFSET ?"""
        most = ALL if limit is None else limit
        return [number for (number,) in self.connection.execute(query, [*values, most, offset])]

    def _has_few_seeds(self) -> bool:
        """Return True if so few games have the wanted seeds that all of them can be looked at."""
        if self.wanted.seeds is None:
            return False
        condition, values = _seeds(self.wanted.seeds)
        few = f"(SELECT 1 FROM games WHERE {condition} LIMIT {FEW_SEEDS})"
        return _count(self.connection, few, values) < FEW_SEEDS

    def _has_many_seeds(self) -> bool:
        """Return True if many games of many seeds have to be looked through, whatever their kinds."""
        if self.wanted.seeds is None or self.levels is not None:
            return False
        return self.is_every_kind or sum(kind.games for kind in self.kinds.values()) > FEW_OF_KINDS

    # Rows, decoded when they are shown

    def rows(self, numbers: Sequence[int]) -> Iterator[Row]:
        """The games of these numbers in this order; one with a bad value is named and skipped."""
        query = f"SELECT {ROW_COLUMNS} FROM episodes WHERE id IN (SELECT value FROM json_each(?))"
        for start in range(0, len(numbers), PART):
            part = numbers[start : start + PART]
            found = {values[0]: values for values in self.connection.execute(query, (_json(part),))}
            for number in part:
                if number in found and (row := _row(found[number], self.skip)) is not None:
                    yield row

    def each(self) -> Iterator[Row]:
        """Every game in the order of the index, some thousand in memory at a time."""
        condition, values = self.whole()
        query = f"SELECT id FROM games WHERE {condition} AND id > ? ORDER BY id LIMIT {PART}"
        last = 0
        while numbers := [number for (number,) in self.connection.execute(query, [*values, last])]:
            yield from self.rows(numbers)
            last = numbers[-1]

    # Numbers

    def traces(self, numbers: Iterable[int]) -> dict[int, str]:
        """The traces of the games of these numbers."""
        query = "SELECT id, trace FROM games WHERE id IN (SELECT value FROM json_each(?))"
        return dict(self.connection.execute(query, (_json(numbers),)))

    def level_names(self) -> dict[int, str]:
        """The names of the levels of the games that may be meant, by number, in order."""
        where, values = ("", ()) if self.wanted.game is None else ("AND game = ?", (self.wanted.game,))
        query = f"SELECT id, name FROM levels WHERE games > 0 {where} ORDER BY rank"
        return dict(self.connection.execute(query, values))

    def columns(self) -> set[tuple[str, str]]:
        """Names and kinds of the figures and times that games of these lines have."""
        query = "SELECT DISTINCT name, kind FROM columns WHERE line IN (SELECT value FROM json_each(?))"
        return set(self.connection.execute(query, (_json(self.lines),)))

    def samples(
        self, reader: Callable[[Kind], R | None] | None = None, numbers: np.dtype[np.void] = SAMPLE
    ) -> Iterator[Sample[R]]:
        """The numbers of all games that are meant, kind by kind.

        Args:
            reader: makes what reads the figures of a kind in the same pass, if anybody wants them.
            numbers: which of SAMPLE are wanted, the game's own number first.
        """
        for kind in self.kinds.values():
            try:
                yield self._sample(kind, reader(kind) if reader is not None else None, numbers, iter)
            except (ValueError, TypeError):
                yield self._sample(kind, reader(kind) if reader is not None else None, numbers, self._numeric)

    def _sample(self, kind: Kind, reader: R | None, numbers: np.dtype[np.void], checked: Check) -> Sample[R]:
        condition, values = self.among()
        columns = [*(numbers.names or ()), *(["figures"] if reader is not None else [])]
        query = f"SELECT {', '.join(columns)} FROM games WHERE kind = ? AND {condition} ORDER BY {NEWEST}"
        rows = self.connection.execute(query, [kind.id, *values])
        found = rows if reader is None else _given(rows, reader)
        return Sample(kind, np.fromiter(checked(found), numbers), reader)

    def _numeric(self, rows: Iterable[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
        """Those rows that hold nothing but numbers; the others are named."""
        for row in rows:
            if all(isinstance(value, int | float) for value in row):
                yield row
            else:
                bad = next(value for value in row if not isinstance(value, int | float))
                self.skip(f"game {row[0]} of the index has {shown(str(bad))} for a number; {ADVICE}")


def _given(rows: Iterable[tuple[Any, ...]], reader: Reader) -> Iterator[tuple[object, ...]]:
    """The rows without their last column, which is given to a reader."""
    texts: list[str] = []
    for row in rows:
        texts.append(row[-1])
        if len(texts) == PART:
            reader.take(texts)
            texts = []
        yield row[:-1]
    reader.take(texts)


ORDERS = {
    "stored": "stored",
    "game": "lines.game",
    "level": "levels.rank",
    "seed": "seed",
    "agents": "lines.agents",
    "outcome": "kinds.outcome",
    "steps": "steps",
    "score": "score",
    "seconds": "seconds",
}


def _fits(line: Lineup, wanted: Wanted, names: Names) -> bool:
    for agent in (wanted.agent, wanted.opponent):
        if agent is not None and not names(line.game, agent).intersection(line.agents):
            return False
    if wanted.imported is not None and line.imported != wanted.imported:
        return False
    return wanted.line is None or wanted.line(line)


def _lines(connection: sqlite3.Connection, game: str | None, skip: Skip) -> Iterator[Lineup]:
    where, values = ("", ()) if game is None else ("WHERE game = ?", (game,))
    names = [field.name for field in msgspec.structs.fields(Lineup)]
    for line in connection.execute(f"SELECT {', '.join(names)} FROM lines {where}", values):
        try:
            yield _decoded(Lineup, names, line)
        except BAD_VALUE as error:
            skip(f"line {line[0]} has a bad value in the index: {in_words(error)}; {ADVICE}")


def _kinds(connection: sqlite3.Connection) -> Iterator[Kind]:
    query = "SELECT id, line, outcome, winner, verdict, checked_code, games FROM kinds"
    for values in connection.execute(query):
        kind = Kind(*values)
        yield kind._replace(winner=None) if kind.winner == NOBODY else kind


def _seeds(seeds: Sequence[int]) -> tuple[str, Parameters]:
    if isinstance(seeds, range) and seeds.step == 1 and seeds:
        return "seed BETWEEN ? AND ?", [seeds[0], seeds[-1]]
    return "seed IN (SELECT value FROM json_each(?))", [_json(seeds)]


def _count(connection: sqlite3.Connection, source: str, values: Sequence[object] = ()) -> int:
    return int(connection.execute(f"SELECT COUNT(*) FROM {source}", values).fetchone()[0])


def _json(numbers: Iterable[int]) -> str:
    return msgspec.json.encode(list(numbers)).decode()


JSON_COLUMNS = ("agents", "options", "budgets", "scores", "decisions", "figures")
ROW_NAMES = tuple(field.name for field in msgspec.structs.fields(Row))
ROW_COLUMNS = ", ".join(ROW_NAMES)


def _row(values: Sequence[object], skip: Skip) -> Row | None:
    """The row with these values; None, and a sentence, if one of them is bad."""
    try:
        return _decoded(Row, ROW_NAMES, values)
    except BAD_VALUE as error:
        skip(f"episode {values[1]} has a bad value in the index: {in_words(error)}; {ADVICE}")
        return None


def _decoded(kind: type[T], names: Sequence[str], values: Sequence[object]) -> T:
    """A struct from the columns of a row."""
    record = dict(zip(names, values, strict=True))
    for name in JSON_COLUMNS:
        if name in record:
            record[name] = msgspec.json.decode(str(record[name]))
    record["imported"] = bool(record["imported"])
    return msgspec.convert(record, kind)
