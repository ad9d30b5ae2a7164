"""The state of a classic game, and what its player may see of it."""

from __future__ import annotations

from array import array
from typing import Annotated, NamedTuple

import msgspec

from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.level import SIGNS, Level, Options


class Runner(NamedTuple):
    """The runner: his cell, how far he is off its centre (in 40ths across and 44ths down), what he does."""

    cell: int
    dx: int
    dy: int
    action: int


class Guard(NamedTuple):
    """A guard, as the runner; what it carries is 1 for gold, 0 for nothing, -1 for the step after a drop."""

    cell: int
    dx: int
    dy: int
    action: int
    carries: int
    hole: int  # the cell it climbs or has climbed out of, -1 if none
    wait: int  # ticks it stays in its hole, or until it is reborn


class Hole(NamedTuple):
    """An open hole and the ticks until it closes."""

    cell: int
    ticks: int


class Observation(msgspec.Struct, frozen=True):
    """Everything but chance: how long gold will be carried and where the buried come back stay hidden."""

    level: Level
    options: Options
    board: Annotated[tuple[str, ...], msgspec.Meta(description="what cells are made of, gold included")]
    people: Annotated[tuple[str, ...], msgspec.Meta(description="what bars the way: people, open holes empty")]
    runner: Runner
    guards: tuple[Guard, ...]  # in moving order
    holes: tuple[Hole, ...]  # oldest first
    dig: tuple[int, int]  # the cell being dug and the ticks of that so far; -1, 0 when nobody digs
    gold_left: int  # on the board and on guards
    is_complete: bool  # all gold is gone and the hidden ladders stand
    tick: int
    pace: int  # of six ticks, which one decides how many guards move
    turn: int  # the guard that moved last
    status: int = layout.ALIVE


class State(msgspec.Struct, frozen=True):
    """A position with the chances of its future."""

    level: Level
    options: Options
    row: bytes  # the flat position, as layout.py tells it

    @property
    def status(self) -> int:
        """How the game stands."""
        return memoryview(self.row).cast("h")[layout.STATUS]


def seen_in(state: State) -> Observation:
    """Return what the player sees of a state."""
    row = memoryview(state.row).cast("h")
    guards = range(
        layout.FIRST_GUARD, layout.FIRST_GUARD + row[layout.GUARDS] * layout.GUARD_FIELDS, layout.GUARD_FIELDS
    )
    holes = range(layout.FIRST_HOLE, layout.FIRST_HOLE + row[layout.HOLES] * layout.HOLE_FIELDS, layout.HOLE_FIELDS)
    return Observation(
        level=state.level,
        options=state.options,
        board=_board(row, 0),
        people=_board(row, layout.WHO),
        runner=Runner(
            layout.unframed(row[layout.RUNNER_CELL]),
            row[layout.RUNNER_DX],
            row[layout.RUNNER_DY],
            row[layout.RUNNER_ACTION],
        ),
        guards=tuple(_guard(row, place) for place in guards),
        holes=tuple(Hole(layout.unframed(row[place]), row[place + 1]) for place in holes),
        dig=(layout.unframed(row[layout.DIG_CELL]), row[layout.DIG_TICKS]) if row[layout.DIG_CELL] else (-1, 0),
        gold_left=row[layout.GOLD_LEFT],
        is_complete=bool(row[layout.IS_COMPLETE]),
        tick=row[layout.TICK],
        pace=row[layout.PACE],
        turn=row[layout.TURN],
        status=row[layout.STATUS],
    )


def _board(row: memoryview[int], first: int) -> tuple[str, ...]:
    starts = range(first + layout.WIDE + 1, first + layout.WIDE * (layout.ROWS + 1), layout.WIDE)
    return tuple("".join(SIGNS[code] for code in row[start : start + layout.COLS]) for start in starts)


def _guard(row: memoryview[int], place: int) -> Guard:
    cell, dx, dy, action, carried, hole, wait = row[place : place + layout.GUARD_FIELDS]
    carries = min(carried, 1)
    return Guard(layout.unframed(cell), dx, dy, action, carries, layout.unframed(hole) if hole else -1, wait)


def row_of(seen: Observation) -> array[int]:
    """Return the flat position of an observation; what is hidden is left at zero, and gold carried at one step."""
    row = array("h", bytes(2 * layout.SIZE))
    _write_layers(row, seen)
    row[layout.RUNNER_CELL] = layout.framed(seen.runner.cell)
    row[layout.RUNNER_DX : layout.RUNNER_ACTION + 1] = array("h", seen.runner[1:])
    row[layout.GOLD_LEFT] = seen.gold_left
    row[layout.IS_COMPLETE] = seen.is_complete
    row[layout.STATUS] = seen.status
    row[layout.PACE], row[layout.TURN], row[layout.GUARDS] = seen.pace, seen.turn, len(seen.guards)
    if seen.dig[0] >= 0:
        row[layout.DIG_CELL], row[layout.DIG_TICKS] = layout.framed(seen.dig[0]), seen.dig[1]
    row[layout.TICK], row[layout.TICK_CAP] = seen.tick, seen.options.tick_cap
    row[layout.TRAP_TICKS] = layout.NEW_TRAP_TICKS if seen.options.ai == 4 else layout.OLD_TRAP_TICKS
    row[layout.HOLES] = len(seen.holes)
    for number, hole in enumerate(seen.holes):
        place = layout.FIRST_HOLE + number * layout.HOLE_FIELDS
        row[place], row[place + 1] = layout.framed(hole.cell), hole.ticks
    for number, guard in enumerate(seen.guards):
        place = layout.FIRST_GUARD + number * layout.GUARD_FIELDS
        origin = layout.framed(guard.hole) if guard.hole >= 0 else 0
        values = (layout.framed(guard.cell), *guard[1:5], origin, guard.wait)
        row[place : place + layout.GUARD_FIELDS] = array("h", values)
    return row


def _write_layers(row: array[int], seen: Observation) -> None:
    """Write both layers; the frame is solid."""
    row[: 2 * layout.CELLS] = array("h", [layout.SOLID] * (2 * layout.CELLS))
    for first, board in ((0, seen.board), (layout.WHO, seen.people)):
        for number, line in enumerate(board):
            start = first + layout.framed(number * layout.COLS)
            row[start : start + layout.COLS] = array("h", [SIGNS.index(sign) for sign in line])
