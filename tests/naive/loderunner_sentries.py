"""Can a small Lode Runner level be won at all: every position of the real game, all draws tried."""

from __future__ import annotations

import random
from collections.abc import Iterator

from gridsage.games.loderunner.level import Level, Options
from gridsage.games.loderunner.rules import LodeRunner
from gridsage.games.loderunner.state import ALIVE, WON, State

GAME = LodeRunner()


def can_be_won(level: Level, most: int) -> bool | None:
    """Return True if some actions and some draws win; None if that takes more positions than `most`."""
    start = GAME.start(level, Options(turn_cap=30_000), 1)
    seen, stack = {key(start)}, [start]
    while stack:
        state = stack.pop()
        for action in GAME.legal(state):
            for then in drawn(state, action):
                if then.status == WON:
                    return True
                if then.status == ALIVE and key(then) not in seen:
                    seen.add(key(then))
                    stack.append(then)
        if len(seen) > most:
            return None
    return False


def drawn(state: State, action: int) -> Iterator[State]:
    """Every position that may follow; where two reappear at once, the second only at random."""
    then = GAME.step(state, action)
    yield then
    if then.chance != state.chance:
        cells, cols = state.seen.level.cells, state.seen.level.cols
        for cell in range(cols, len(cells) - cols):
            if cells[cell] == 0 and cells[cell + cols] == 1:  # path above floor
                forced = GAME.play(state, action, (cell,))
                people = [forced.seen.runner, *(enemy.cell for enemy in forced.seen.enemies)]
                if len(set(people)) == len(people):  # nobody reappears where somebody is
                    yield forced


def key(state: State) -> tuple[object, ...]:
    """What decides the future: everything but the number of the round and the chance."""
    seen = state.seen
    return seen.runner, tuple(enemy.cell for enemy in seen.enemies), seen.bonuses, seen.holes, seen.round % 2


def small_level(dice: random.Random) -> str:
    """Draw one or two storeys with much wall in their floors, on which enemies get stuck."""
    while True:
        width, storeys = dice.randint(7, 10), dice.choice((1, 1, 2))
        rows = ["W" * width]
        for storey in range(storeys):
            if dice.random() < 0.5:
                rows.append(framed(dice, "..C", width))
            rows.append(framed(dice, ".......L", width))
            rows.append(framed(dice, "FFFWW.L" if storey < storeys - 1 else "FFFWW", width))
        letters = [list(row) for row in [*rows, "W" * width]]
        free = [
            (row, col)
            for row in range(1, len(letters) - 1)
            for col in range(1, width - 1)
            if letters[row][col] == "." and letters[row + 1][col] in "FWL"
        ]
        people = "RX" + "B" * dice.randint(0, 1) + "E" * dice.randint(1, 2)
        if len(free) >= len(people):
            for letter, (row, col) in zip(people, dice.sample(free, len(people)), strict=True):
                letters[row][col] = letter
            return "\n".join("".join(row) for row in letters) + "\n"


def framed(dice: random.Random, letters: str, width: int) -> str:
    return "W" + "".join(dice.choice(letters) for _ in range(width - 2)) + "W"
