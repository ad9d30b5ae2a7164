"""Levels made and tested: the check of any level, and a generator whose levels have been won."""

from __future__ import annotations

import random

from gridsage.core.errors import OptionError
from gridsage.core.rng import child_seed, generator
from gridsage.core.room import LevelReport, NamedLevel
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.layout import COLS, ROWS
from gridsage.games.loderunner.classic.level import Level, Options, parse
from gridsage.games.loderunner.classic.rules import first_row
from gridsage.games.loderunner.classic.solver import Purse, guide, solve

PROOF_SEED = 1
PROOF_NODES = 2_000_000  # ticks a generated level may take to be won
PATIENCE = 3_000_000  # ticks without a shorter plan before it is good enough
TRIES = 60  # drafts before the generator gives up
LEAST_FLOORS, MOST_FLOORS = 2, 5
MOST_GOLD = 20


def check(
    text: str, options: Options | None = None, seconds: float | None = 10.0, nodes: int | None = None
) -> LevelReport:
    """Try to win the level with one seed until the time or the nodes are spent; a plan found is made shorter."""
    options = options or Options()
    level = parse(text)
    if impossible := doubts(text):
        return LevelReport("impossible", impossible[0])
    start = first_row(level, options, PROOF_SEED)
    found = solve(start, guide(level), Purse(nodes, seconds if nodes is None else None), patience=PATIENCE)
    figures = {"nodes": float(found.nodes), "tries": float(found.tries)}
    keys = found.keys
    if not found.macros:
        return LevelReport(
            "not found within budget", f"not won in {found.tries} searches over {found.nodes:,} ticks", figures=figures
        )
    sentence = f"a game of {len(keys)} ticks with seed {PROOF_SEED}"
    return LevelReport("won", sentence, tuple(keys.tolist()), PROOF_SEED, {"ticks": float(len(keys)), **figures})


def doubts(text: str) -> list[str]:
    """Return why the level can never be won, as far as the way tells; empty if nothing is wrong."""
    level = parse(text)
    return [
        f"the gold in row {cell // COLS}, column {cell % COLS} cannot be reached even without guards"
        for cell in _out_of_reach(level)
        if not level.guards  # a guard may carry gold out of anywhere
    ]


def _out_of_reach(level: Level) -> list[int]:
    """Return the gold where not even a runner who passes bricks at will and needs no footing can come."""
    codes = level.codes
    seen, stack = {level.runner}, [level.runner]
    while stack:
        cell = stack.pop()
        row, col = divmod(cell, COLS)
        ladder = codes[cell] in (layout.LADDER, layout.HIDDEN_LADDER)
        near = [cell - 1] * (col > 0) + [cell + 1] * (col < COLS - 1)
        near += [cell + COLS] * (row < ROWS - 1) + [cell - COLS] * (row > 0 and ladder)
        for other in near:
            if codes[other] != layout.SOLID and other not in seen:
                seen.add(other)
                stack.append(other)
    return [cell for cell in level.gold if cell not in seen]


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
        if solve(start, guide(level), Purse(PROOF_NODES, None)).macros:
            return NamedLevel(f"classic-{seed}", text)
    raise OptionError(f"no level with floors={floors}, guards={guards}, gold={gold} was won in {TRIES} drafts")


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
