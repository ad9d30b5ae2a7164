"""Levels drawn as text -> the bot's memory of them."""

from __future__ import annotations

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.level import CELLS, COLS

TERRAIN = {
    " ": kn.UNKNOWN, ":": kn.STONE, "|": kn.WALL, "-": kn.WALL, ".": kn.FLOOR, "#": kn.CORRIDOR, "d": kn.DOORWAY,
    "'": kn.OPEN_DOOR, "+": kn.CLOSED_DOOR, "L": kn.LOCKED_DOOR, "<": kn.UP, ">": kn.DOWN, "}": kn.WATER,
    "?": kn.COVERED, "T": kn.OBSTACLE,
}  # fmt: skip
NEWT, EYE = 319, kn.FLOATING_EYE
TOP, LEFT = 3, 5  # where drawings are put on the map


def drawn(text: str) -> tuple[np.ndarray, dict[str, int]]:
    """The memory of a drawn level and the cells of its letters.

    `@` is the hero on floor, `0` a boulder, `^` a pit, `v` a trap door, `n` a newt, `e` a floating eye, `p` a pet,
    capital letters A to C are plain floor with a name.
    """
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    named: dict[str, int] = {}
    for row, line in enumerate(text.strip("\n").split("\n")):
        for col, char in enumerate(line):
            cell = (row + TOP) * COLS + col + LEFT
            memory[kn.TERRAIN, cell] = TERRAIN.get(char, kn.FLOOR)
            if char in "@ABC":
                named[char] = cell
            elif char == "0":
                memory[kn.OBJECT, cell] = kn.BOULDER + 1
            elif char == "^":
                memory[kn.TRAP, cell] = 52
            elif char == "v":
                memory[kn.TRAP, cell] = kn.TRAP_DOOR
            elif char in "nep":
                memory[kn.MONSTER, cell] = {"n": NEWT, "e": EYE, "p": kn.PET + 30}[char] + 1
    return memory, named


def far(memory: np.ndarray, start: int, brave: int = 0, turn: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Distances and predecessors from `start`."""
    dist, came = np.empty(CELLS, np.int32), np.empty(CELLS, np.int32)
    kn.flood(memory, start, turn, brave, np.zeros(kn.OBSTACLE + 1, np.int32), kn.ALL, dist, came)
    return dist, came
