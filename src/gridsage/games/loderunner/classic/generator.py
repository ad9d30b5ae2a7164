"""A generator whose levels have been won."""

from __future__ import annotations

import random

from gridsage.core.budget import Meter
from gridsage.core.errors import OptionError
from gridsage.core.game import Budget
from gridsage.core.rng import child_seed, generator
from gridsage.core.room import NamedLevel
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.checker import PROOF_SEED
from gridsage.games.loderunner.classic.layout import COLS, ROWS
from gridsage.games.loderunner.classic.level import Options, parse
from gridsage.games.loderunner.classic.rules import first_row
from gridsage.games.loderunner.classic.solver import guide, solve

PROOF_NODES = 2_000_000  # ticks a generated level may take to be won
TRIES = 60  # drafts before the generator gives up
LEAST_FLOORS, MOST_FLOORS = 2, 5
MOST_GOLD = 20


def generate(seed: int = 1, floors: int = 4, guards: int = 3, gold: int = 8) -> NamedLevel:
    """Return a level that has been won; the same settings give the same level.

    Args:
        floors: storeys above the ground, 2 to 5.
    """
    if not (LEAST_FLOORS <= floors <= MOST_FLOORS and 0 <= guards <= layout.MOST_GUARDS and 1 <= gold <= MOST_GOLD):
        raise OptionError(
            f"floors={floors}, guards={guards}, gold={gold}: expected {LEAST_FLOORS} to {MOST_FLOORS} floors, "
            f"0 to {layout.MOST_GUARDS} guards, 1 to {MOST_GOLD} pieces of gold"
        )
    dice = generator(child_seed(seed, "loderunner-classic", floors, guards, gold))
    for _ in range(TRIES):
        text = _draft(dice, floors, guards, gold)
        level = parse(text)
        start = first_row(level, Options(), PROOF_SEED)
        if solve(start, guide(level), Meter(Budget(PROOF_NODES))).macros:
            return NamedLevel(f"classic-{seed}", text)
    raise OptionError(f"no level with floors={floors}, guards={guards}, gold={gold} was won in {TRIES} drafts")


def drawn(seed: int) -> NamedLevel:
    """Return a level that nobody has won yet: no change of the solver changes it."""
    dice = generator(child_seed(seed, "loderunner-classic puzzle"))
    return NamedLevel(f"drawn-{seed}", _draft(dice, dice.randint(3, 5), dice.randint(1, 4), dice.randint(4, 10)))


def _draft(dice: random.Random, floors: int, guards: int, gold: int) -> str:
    """Return a drawing: brick floors with gaps, ladders between them, bars over gaps, a hidden ladder to the top."""
    board = [["."] * COLS for _ in range(ROWS)]
    board[ROWS - 1] = ["#"] * COLS
    rows = [ROWS - 1 - (ROWS - 2) * number // (floors + 1) for number in range(floors + 1)]
    for number, row in enumerate(rows[1:], 1):
        _draw_floor(dice, board, row, rows[number - 1])
    top = rows[-1]
    col = dice.choice([col for col in range(COLS) if board[top][col] == "#"] or [0])
    for row in range(top):
        board[row][col] = "S"
    spots = [
        (row - 1, col) for row in rows for col in range(COLS) if board[row][col] == "#" and board[row - 1][col] == "."
    ]
    places = dice.sample(spots, min(len(spots), gold + guards + 1))
    for sign, (row, col) in zip("&" + "0" * guards + "$" * gold, places, strict=False):
        board[row][col] = sign
    return "\n".join(map("".join, board)) + "\n"


def _draw_floor(dice: random.Random, board: list[list[str]], row: int, below: int) -> None:
    for col in range(COLS):
        board[row][col] = "@" if dice.random() < 0.08 else "#"
    for _ in range(dice.randint(0, 2)):
        start, width = dice.randrange(1, COLS - 6), dice.randint(2, 5)
        for col in range(start, start + width):
            board[row][col] = "."
            board[row - 1][col] = "-"
    for col in dice.sample(range(COLS), dice.randint(2, 3)):
        for line in range(row, below):
            board[line][col] = "H"
