"""Slow plain twins of the Ricochet Robots kernels: breadth-first search over tuples, one step at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
Cells = tuple[int, ...]
# The directions in which each robot has moved so far: none, one of them, or TURNED.
Marks = tuple[int, ...]
Node = tuple[Cells, Marks]
UNMOVED, TURNED = -1, 4


@dataclass(frozen=True)
class Board:
    """Walls as the player sees them: a wall between two cells stops robots on both sides."""

    walls: NDArray[np.uint8]  # (rows, cols), bits N=1 E=2 S=4 W=8

    def is_open(self, row: int, col: int, direction: int) -> bool:
        beside_row, beside_col = row + STEPS[direction][0], col + STEPS[direction][1]
        if not (0 <= beside_row < self.walls.shape[0] and 0 <= beside_col < self.walls.shape[1]):
            return False
        opposite = (direction + 2) % 4
        return not (self.walls[row, col] >> direction & 1 or self.walls[beside_row, beside_col] >> opposite & 1)

    def slide(self, robots: Cells, mover: int, direction: int) -> int:
        cols = self.walls.shape[1]
        row, col = divmod(robots[mover], cols)
        while self.is_open(row, col, direction):
            ahead = row + STEPS[direction][0], col + STEPS[direction][1]
            if ahead[0] * cols + ahead[1] in robots:
                break
            row, col = ahead
        return row * cols + col

    def moves(self, robots: Cells) -> Iterator[tuple[int, Cells]]:
        """Every action that moves a robot, with the robots after it."""
        for mover in range(len(robots)):
            for direction in range(4):
                cell = self.slide(robots, mover, direction)
                if cell != robots[mover]:
                    yield mover * 4 + direction, (*robots[:mover], cell, *robots[mover + 1 :])


def marks_after(marks: Marks, action: int) -> Marks:
    mover, direction = divmod(action, 4)
    mark = direction if marks[mover] in (UNMOVED, direction) else TURNED
    return (*marks[:mover], mark, *marks[mover + 1 :])


def is_solved(robots: Cells, marks: Marks, target: int, target_robot: int, must_ricochet: bool) -> bool:
    return any(
        cell == target and target_robot in (-1, robot) and (not must_ricochet or marks[robot] == TURNED)
        for robot, cell in enumerate(robots)
    )


def all_shortest(
    walls: NDArray[np.uint8], robots: Cells, target: int, target_robot: int, must_ricochet: bool
) -> set[tuple[int, ...]]:
    """Every shortest solution; empty if there is none."""
    board = Board(walls)
    start = (robots, (UNMOVED,) * len(robots))
    parents: dict[Node, list[tuple[Node, int]]] = {start: []}
    level = [start]
    while level:
        solved = [node for node in level if is_solved(*node, target, target_robot, must_ricochet)]
        if solved:
            return {way for node in solved for way in ways_to(node, parents)}
        following: dict[Node, list[tuple[Node, int]]] = {}
        for node in level:
            for action, moved in board.moves(node[0]):
                child = (moved, marks_after(node[1], action) if must_ricochet else node[1])
                if child not in parents:
                    following.setdefault(child, []).append((node, action))
        parents |= following
        level = list(following)
    return set()


def ways_to(node: Node, parents: dict[Node, list[tuple[Node, int]]]) -> Iterator[tuple[int, ...]]:
    if not parents[node]:
        yield ()
    for parent, action in parents[node]:
        for way in ways_to(parent, parents):
            yield (*way, action)


def fewest_moves(walls: NDArray[np.uint8], robots: Cells, max_depth: int) -> NDArray[np.uint8]:
    """For every (robot, cell) the fewest moves until the robot stops there, 255 if above `max_depth`."""
    board = Board(walls)
    fewest = np.full((len(robots), walls.size), 255, np.uint8)
    level = seen = {robots}
    for depth in range(max_depth + 1):
        for cells in level:
            for robot, cell in enumerate(cells):
                fewest[robot, cell] = min(fewest[robot, cell], depth)
        level = {moved for cells in level for _, moved in board.moves(cells)} - seen
        seen = seen | level
    return fewest


def is_solution(
    walls: NDArray[np.uint8], robots: Cells, target: int, target_robot: int, must_ricochet: bool, actions: Cells
) -> bool:
    """Whether the actions can be played and end with the mission done."""
    board = Board(walls)
    marks: Marks = (UNMOVED,) * len(robots)
    for action in actions:
        played = dict(board.moves(robots))
        if action not in played:
            return False
        robots, marks = played[action], marks_after(marks, action)
    return is_solved(robots, marks, target, target_robot, must_ricochet)
