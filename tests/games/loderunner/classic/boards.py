"""Small positions for tests: a few rows drawn in the lower left corner of an empty board."""

from __future__ import annotations

from gridsage.games.loderunner.classic.layout import COLS, ROWS
from gridsage.games.loderunner.classic.level import Level, Options, parse
from gridsage.games.loderunner.classic.rules import ClassicLodeRunner
from gridsage.games.loderunner.classic.state import State

GAME = ClassicLodeRunner()


def level_of(drawing: str) -> Level:
    """The drawing's last row is the board's last one; above it and to its right everything is empty."""
    lines = [line.strip().ljust(COLS, ".") for line in drawing.strip().splitlines()]
    return parse("\n".join(["." * COLS] * (ROWS - len(lines)) + lines) + "\n")


def start(drawing: str, seed: int = 1, **options: int) -> State:
    """The first position on a drawing."""
    return GAME.start(level_of(drawing), Options(**options), seed)


def held(state: State, *keys: tuple[str, int]) -> State:
    """The position after keys held for so many ticks each; stops at the end of the game."""
    for label, ticks in keys:
        for _ in range(ticks):
            if GAME.outcome(state) is not None:
                return state
            state = GAME.step(state, GAME.action(label))
    return state


def drawn(state: State, rows: int) -> list[str]:
    """The last rows of the board with people and open holes (`o`), cut where they are empty."""
    seen = GAME.observe(state, 0)
    board = [list(line) for line in seen.board]
    for hole in seen.holes:
        board[hole.cell // COLS][hole.cell % COLS] = "o"
    for guard in seen.guards:
        board[guard.cell // COLS][guard.cell % COLS] = "0"
    board[seen.runner.cell // COLS][seen.runner.cell % COLS] = "&"
    return ["".join(line).rstrip(".") for line in board[-rows:]]
