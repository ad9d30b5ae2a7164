"""The flat position of the classic game: codes of cells, keys and endings, and what stands where in its row of int16.

A row begins with two layers of framed cells (what a cell is made of, gold included; who is in it); then come the
fields, the guards and the holes. The frame is solid, so that no move needs to ask for the board's edge.
"""

from __future__ import annotations

ROWS, COLS = 16, 28
WIDE = 32  # a framed row: row and column of a framed cell cost a shift and a mask instead of a division
ROW_SHIFT, COL_MASK = 5, 31
CELLS = WIDE * (ROWS + 2)
WHO = CELLS  # where the second layer begins
TOP_END = 2 * WIDE  # framed cells below this one are in the top row

EMPTY, BRICK, SOLID, LADDER, BAR, FALSE_BRICK, HIDDEN_LADDER, GOLD, GUARD, RUNNER = range(10)

# What somebody does. The first seven are keys as well.
NONE, UP, DOWN, LEFT, RIGHT, DIG_LEFT, DIG_RIGHT, FALL, FALL_TO_BAR, IN_HOLE, CLIMB_OUT, REBORN = range(12)
KEYS = 7

KEY_LABELS = ("none", "up", "down", "left", "right", "dig-left", "dig-right")

ALIVE, WON, CAUGHT, BURIED, OUT_OF_TICKS = range(5)
REASONS = ("", "won", "caught", "buried", "out of ticks")

# Fields of a position.
_FIELDS = 2 * CELLS
RUNNER_CELL, RUNNER_DX, RUNNER_DY, RUNNER_ACTION, LASTING_KEY, GOLD_LEFT, IS_COMPLETE, STATUS = range(
    _FIELDS, _FIELDS + 8
)
PACE, TURN, GUARDS, DIG_CELL, DIG_TICKS, HOLES, CARRIES, BIRTHS = range(_FIELDS + 8, _FIELDS + 16)
CHANCE_LOW, CHANCE_HIGH, TICK, TICK_CAP, TRAP_TICKS = range(_FIELDS + 16, _FIELDS + 21)
FIRST_GUARD = _FIELDS + 21

# Fields of a guard.
CELL, DX, DY, ACTION, CARRIED, CLIMB_FROM, TIMER = range(7)
GUARD_FIELDS = 7
MOST_GUARDS = 5
GUARDS_END = FIRST_GUARD + MOST_GUARDS * GUARD_FIELDS

# A hole is its cell and the ticks until it closes, oldest first.
FIRST_HOLE = GUARDS_END
HOLE_FIELDS = 2
MOST_HOLES = 18  # a dig takes 11 ticks, a hole closes after 187
SIZE = FIRST_HOLE + MOST_HOLES * HOLE_FIELDS

CELL_ACROSS, CELL_DOWN = 40, 44  # units of a cell; a tick moves 8 across or 9 up and down
CHANCE_BITS = 15  # of the generator, in each of its two fields
OLD_TRAP_TICKS, NEW_TRAP_TICKS = 52, 67  # a trapped guard's wait in versions 3 and 4, the first tick included


def framed(cell: int) -> int:
    """Return the framed cell of a cell."""
    row, col = divmod(cell, COLS)
    return (row + 1) * WIDE + col + 1


def unframed(cell: int) -> int:
    """Return the cell of a framed cell."""
    row, col = divmod(cell, WIDE)
    return (row - 1) * COLS + col - 1
