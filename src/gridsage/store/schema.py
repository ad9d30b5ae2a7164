"""The tables of the index, and how a row goes in.

What many games share is written once. A *line* is who played what under which budget, options, rules and code: games
of one line may be counted together. A *kind* is a line with an ending and a verdict, and knows how many games it has.
So every filter but level and seed is a choice among a few hundred kinds, and counts need no counting. A *span* is some
thousand games that were kept one after the other, with their times and seeds from least to greatest.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from gridsage.store.files import ALONE, Draft, Location

VERSION = 3  # 2 had no chance and no spans
SPAN_BITS = 12  # of a game's number that do not count for its span: 4,096 games, half a millisecond to look through
NOBODY = -1  # the winner of a game without one: NULL would not be unique
TABLES = f"""
CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, agents TEXT NOT NULL, budgets TEXT NOT NULL, options TEXT NOT NULL,
    rules_version INTEGER NOT NULL, code TEXT NOT NULL, imported INTEGER NOT NULL,
    UNIQUE (game, agents, budgets, options, rules_version, code, imported));
CREATE TABLE IF NOT EXISTS kinds (
    id INTEGER PRIMARY KEY, line INTEGER NOT NULL, outcome TEXT NOT NULL, winner INTEGER NOT NULL,
    verdict TEXT NOT NULL, checked_code TEXT NOT NULL, games INTEGER NOT NULL DEFAULT 0,
    UNIQUE (line, outcome, winner, verdict, checked_code));
CREATE TABLE IF NOT EXISTS levels (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, name TEXT NOT NULL, rank TEXT NOT NULL,
    games INTEGER NOT NULL DEFAULT 0, UNIQUE (game, name));
CREATE TABLE IF NOT EXISTS columns (
    line INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (line, name, kind)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS packs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, episode TEXT NOT NULL UNIQUE, trace TEXT NOT NULL,
    pack INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL, stored REAL NOT NULL,
    kind INTEGER NOT NULL, level INTEGER NOT NULL, seed INTEGER NOT NULL, chance INTEGER NOT NULL,
    steps INTEGER NOT NULL, score REAL NOT NULL, seconds REAL NOT NULL, scores TEXT NOT NULL,
    decisions TEXT NOT NULL, figures TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS spans (
    id INTEGER PRIMARY KEY, oldest REAL NOT NULL, newest REAL NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS checks (
    trace TEXT PRIMARY KEY, checked REAL NOT NULL, rules_version INTEGER NOT NULL, code TEXT NOT NULL,
    verdict TEXT NOT NULL, text TEXT NOT NULL);
CREATE VIEW IF NOT EXISTS episodes AS
    SELECT games.id, episode, trace, stored, lines.game, rules_version, levels.name AS level, seed, agents, options,
        budgets, outcome, NULLIF(winner, -1) AS winner, scores, steps, seconds, decisions, games.figures, imported, code
    FROM games JOIN kinds ON kinds.id = kind JOIN lines ON lines.id = line JOIN levels ON levels.id = games.level;
CREATE TRIGGER IF NOT EXISTS counted AFTER INSERT ON games BEGIN
    UPDATE kinds SET games = games + 1 WHERE id = new.kind;
    UPDATE levels SET games = games + 1 WHERE id = new.level;
    INSERT INTO spans VALUES (new.id >> {SPAN_BITS}, new.stored, new.stored, new.seed, new.seed)
        ON CONFLICT (id) DO UPDATE SET oldest = MIN(oldest, excluded.oldest), newest = MAX(newest, excluded.newest),
            low = MIN(low, excluded.low), high = MAX(high, excluded.high);
END;
CREATE TRIGGER IF NOT EXISTS uncounted AFTER DELETE ON games BEGIN
    UPDATE kinds SET games = games - 1 WHERE id = old.kind;
    UPDATE levels SET games = games - 1 WHERE id = old.level;
END;
CREATE TRIGGER IF NOT EXISTS recounted AFTER UPDATE OF kind ON games BEGIN
    UPDATE kinds SET games = games - 1 WHERE id = old.kind;
    UPDATE kinds SET games = games + 1 WHERE id = new.kind;
END;
"""
# Each ends with the order in which games are listed, newest first: (stored, level, seed).
INDEXES = """
CREATE INDEX IF NOT EXISTS by_trace ON games (trace);
CREATE INDEX IF NOT EXISTS by_pack ON games (pack, trace) WHERE pack > 0;
CREATE INDEX IF NOT EXISTS by_time ON games (stored, level, seed, kind);
CREATE INDEX IF NOT EXISTS by_kind ON games (kind, stored, level, seed);
CREATE INDEX IF NOT EXISTS by_level ON games (level, kind, stored, seed);
CREATE INDEX IF NOT EXISTS by_seed ON games (seed, kind, stored, level);
"""
INSERT = (
    "INSERT INTO games (episode, trace, pack, start, length, stored, kind, level, seed, chance, steps, score, seconds,"
    " scores, decisions, figures) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)
MOST_NUMBERS = 20_000  # of lines, kinds, levels and packs that a writer remembers
WORD, NUMBER, DECISION = "word", "number", "decision"  # kinds of columns
DIGITS = re.compile(r"\d+")
RANK_DIGITS = 20


class IndexEntry(NamedTuple):
    """A game on its way into the index."""

    episode: str
    trace: str  # content hash
    stored: float
    game: str
    rules_version: int
    level: str
    seed: int
    agents: str  # JSON, as are the next two
    options: str
    budgets: str
    outcome: str
    winner: int | None
    scores: tuple[float, ...]
    steps: int
    seconds: float
    decisions: dict[str, float]
    figures: dict[str, float | str]
    imported: bool = False
    code: str = ""
    place: Location = ALONE
    chance: int | None = None  # the number from which the rules drew; None: the seed itself


def entry(game: Draft, place: Location = ALONE) -> IndexEntry:
    """The entry of a game. An imported one goes by its own hash: the episode that its file names is only a claim,
    and must not stand for one that a bench has still to play.
    """
    name, trace, notes = game
    return IndexEntry(
        name if notes.imported else trace.episode,
        name,
        notes.stored,
        trace.game,
        trace.rules_version,
        trace.level_name,
        trace.seed,
        text([str(agent) for agent in trace.agents]),
        text(trace.options),
        text(trace.budgets),
        trace.outcome.reason,
        trace.outcome.winner,
        trace.outcome.scores,
        len(trace.actions),
        notes.seconds,
        notes.decisions,
        notes.figures,
        notes.imported,
        notes.code,
        place,
        trace.chance,
    )


def text(value: object) -> str:
    """The JSON that a column holds."""
    return msgspec.json.encode(value, order="deterministic").decode()


def rank(name: str) -> str:
    """A key that puts level-9 before level-10."""
    return DIGITS.sub(lambda digits: digits[0].zfill(RANK_DIGITS), name)


class Writer:
    """Puts games into an open index and remembers the numbers of lines, kinds and levels between them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._numbers: dict[tuple[object, ...], int] = {}  # at most MOST_NUMBERS

    def forget(self) -> None:
        """Drop the remembered numbers."""
        self._numbers.clear()

    def add(self, game: IndexEntry) -> None:
        """Insert one game. Its episode must not be there."""
        line = self.line(game)
        self._name_columns(line, game)
        winner = NOBODY if game.winner is None else game.winner
        check = self.connection.execute("SELECT verdict, code FROM checks WHERE trace = ?", (game.trace,)).fetchone()
        values = (
            game.episode,
            game.trace,
            self.pack(game.place.pack),
            game.place.start,
            game.place.length,
            game.stored,
            self.kind(line, game.outcome, winner, *(check or ("", ""))),
            self.level(game.game, game.level),
            game.seed,
            game.seed if game.chance is None else game.chance,
            game.steps,
            game.scores[0] if game.scores else 0.0,
            game.seconds,
            text(game.scores),
            text(game.decisions),
            text(game.figures),
        )
        self.connection.execute(INSERT, values)

    def remove(self, numbers: Iterable[int]) -> None:
        """Take games out of the index by their numbers."""
        self.connection.executemany("DELETE FROM games WHERE id = ?", ((number,) for number in numbers))

    def line(self, game: IndexEntry) -> int:
        """The number of the line that a game belongs to."""
        columns = "game, agents, budgets, options, rules_version, code, imported"
        values = (
            game.game,
            game.agents,
            game.budgets,
            game.options,
            game.rules_version,
            game.code,
            int(game.imported),
        )
        return self._number("lines", columns, values)

    def kind(self, line: int, outcome: str, winner: int, verdict: str, checked_code: str) -> int:
        """The number of a kind of game."""
        values = (line, outcome, winner, verdict, checked_code)
        return self._number("kinds", "line, outcome, winner, verdict, checked_code", values)

    def pack(self, name: str) -> int:
        """The number of a pack; 0 stands for a file of its own."""
        return self._number("packs", "name", (name,)) if name else 0

    def level(self, game: str, name: str) -> int:
        """The number of a level."""
        return self._number("levels", "game, name", (game, name), rank(name))

    def _number(self, table: str, columns: str, values: tuple[object, ...], rank_of: str | None = None) -> int:
        """The number of a row of a table whose rows are written once."""
        key = (table, *values)
        if key not in self._numbers:
            where = " AND ".join(f"{column} = ?" for column in columns.split(", "))
            extra, more = (", rank", (rank_of,)) if rank_of is not None else ("", ())
            marks = ",".join("?" * (len(values) + len(more)))
            insert = f"INSERT OR IGNORE INTO {table} ({columns}{extra}) VALUES ({marks})"
            self.connection.execute(insert, (*values, *more))
            row = self.connection.execute(f"SELECT id FROM {table} WHERE {where}", values).fetchone()
            if len(self._numbers) >= MOST_NUMBERS:
                self.forget()  # where each seed has a level of its own there is no end of them
            self._numbers[key] = int(row[0])
        return self._numbers[key]

    def _name_columns(self, line: int, game: IndexEntry) -> None:
        """Note which figures and times the games of a line have, so that an export knows its columns beforehand."""
        kinds = {name: WORD if isinstance(value, str) else NUMBER for name, value in game.figures.items()}
        for name, kind in [*kinds.items(), *((name, DECISION) for name in game.decisions)]:
            key = ("columns", line, name, kind)
            if key not in self._numbers:
                self.connection.execute("INSERT OR IGNORE INTO columns VALUES (?,?,?)", key[1:])
                self._numbers[key] = 0
