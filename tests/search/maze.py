"""A little game for the searches: walk from `S` to `G`; `~` is a pit, `#` a wall."""

from __future__ import annotations

from gridsage.core.game import Outcome

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Maze:
    """States are (row, col)."""

    def __init__(self, drawing: str) -> None:
        self.rows = drawing.strip().splitlines()
        self.start = self.find("S")
        self.goal = self.find("G")

    def find(self, sign: str) -> tuple[int, int]:
        return next((r, row.index(sign)) for r, row in enumerate(self.rows) if sign in row)

    def seat(self, state):
        return 0

    def legal(self, state):
        row, col = state
        return [
            action
            for action, (drow, dcol) in enumerate(STEPS)
            if 0 <= row + drow < len(self.rows)
            and 0 <= col + dcol < len(self.rows[0])
            and self.rows[row + drow][col + dcol] != "#"
        ]

    def step(self, state, action):
        return state[0] + STEPS[action][0], state[1] + STEPS[action][1]

    def outcome(self, state):
        if state == self.goal:
            return Outcome("arrived", (1.0,), winner=0)
        return Outcome("fell", (0.0,)) if self.rows[state[0]][state[1]] == "~" else None

    def key(self, state):
        return state

    def distance(self, state) -> float:
        """The walk as the crow flies: never too long."""
        return abs(state[0] - self.goal[0]) + abs(state[1] - self.goal[1])

    def walk(self, plan):
        state = self.start
        for action in plan:
            assert action in self.legal(state)
            state = self.step(state, action)
        return state
