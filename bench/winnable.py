"""Levels that can be won, proved: by the checker of their room, or by a search of all replies."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import msgspec

from gridsage.core.room import LevelReport, Room
from gridsage.games import catalog, daily, rated

MOST_NODES = 300_000  # of Push'em All's proof
TURNS = (3, 5, 7)  # of both sides until a forced win: two, three or four of one's own


class Proved(msgspec.Struct, frozen=True, array_like=True):
    """A level that was won, and how hard that was."""

    difficulty: float
    seed: int
    best: int  # steps, or turns of one's own
    digest: str
    chance: int = 0


def of_seed(room: Room, seed: int, seconds: float) -> Proved | None:
    """Return the puzzle that a seed makes in a room; None if nobody knows whether it can be won."""
    return PROVERS.get(room.name, by_checker)(room, seed, seconds)


def by_checker(room: Room, seed: int, seconds: float) -> Proved | None:
    """Return the level of a seed if the room's checker wins it."""
    assert room.levels.check is not None
    level = daily.candidate(room, seed)
    report = room.levels.check(level.text, catalog.options(room, {}), seconds)
    if report.verdict != "won" or not is_won(room, level.text, report):
        return None
    spent = math.log2(2 + report.figures.get("nodes", 0.0)) * report.figures.get("tried", 1.0)
    return Proved(len(report.plan) * spent, seed, len(report.plan), daily.digest(level.text), report.seed)


def by_forced_win(room: Room, seed: int, seconds: float) -> Proved | None:
    """Return an ending of Push'em All that First wins whatever Second does, in more than one turn of its own."""
    from gridsage.games.pushem.agents.engine import Engine
    from gridsage.games.pushem.kernels.tree import WIN, WIN_BOUND

    level, game = daily.candidate(room, seed), room.rules.game()
    state = game.start(game.parse(level.text), catalog.options(room, {}), 0)
    if game.outcome(state) is not None:
        return None
    engine = Engine()
    found = engine.think(state, nodes=MOST_NODES)
    turns = WIN - found.score if found.score > WIN_BOUND else 0
    if turns not in TURNS:
        return None
    return Proved(turns * math.log2(2 + found.nodes), seed, (turns + 1) // 2, daily.digest(level.text))


def write(table: daily.Year | rated.PuzzleSet, path: Path, per_line: int) -> None:
    """Write a table of puzzles, so many on a line, whole or not at all."""
    head = msgspec.to_builtins(table)
    rooms = []
    for name, found in head.pop("rooms").items():
        parts = [msgspec.json.encode(found[at : at + per_line]).decode()[1:-1] for at in range(0, len(found), per_line)]
        rooms.append(f'  "{name}": [\n   ' + ",\n   ".join(parts) + "\n  ]")
    first = "".join(f' "{name}": {msgspec.json.encode(value).decode()},\n' for name, value in head.items())
    draft = path.with_suffix(".draft")
    draft.write_text(f'{{\n{first} "rooms": {{\n' + ",\n".join(rooms) + "\n }\n}\n", encoding="utf-8")
    draft.replace(path)


def is_won(room: Room, text: str, report: LevelReport) -> bool:
    """Return True if the rules say that this plan wins: no solver is believed."""
    game = room.rules.game()
    state = game.start(game.parse(text), catalog.options(room, {}), report.seed)
    for action in report.plan:
        state = game.step(state, action)
    outcome = game.outcome(state)
    return outcome is not None and outcome.winner == 0


PROVERS: dict[str, Callable[[Room, int, float], Proved | None]] = {"pushem": by_forced_win}
