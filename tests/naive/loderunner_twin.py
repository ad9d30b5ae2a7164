"""A slow, plain Lode Runner (profile enssat) over characters: the twin of games/loderunner/kernels."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

NONE, UP, DOWN, LEFT, RIGHT, BOMB_LEFT, BOMB_RIGHT = range(7)
STEPS = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}
TTL = 10
Place = tuple[int, int]  # x, y
Pick = Callable[[list[Place], int], Place]  # (allowed cells in reading order, enemy index or -1) -> cell


@dataclass
class Twin:
    """One game as the rules tell it, changed in place by `play`."""

    rows: list[str]
    runner: Place
    enemies: list[Place]
    looks: list[int]  # last action of every enemy
    bonuses: set[Place]
    exit: Place
    holes: list[tuple[Place, int]] = field(default_factory=list)  # newest first
    round: int = 0
    outcome: str = ""
    turn_cap: int = 2000
    illegal_is_death: bool = True
    respawned: list[tuple[int, Place, Place]] = field(default_factory=list)  # in the last round

    @classmethod
    def of(cls, rows: list[str]) -> Twin:
        """The first position of a drawn map."""
        found: dict[str, list[Place]] = {"R": [], "E": [], "B": [], "X": []}
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter in found:
                    found[letter].append((x, y))
        plain = ["".join("." if letter in "REB" else letter for letter in row) for row in rows]
        enemies = found["E"][::-1]
        return cls(plain, found["R"][-1], enemies, [-1] * len(enemies), set(found["B"]), found["X"][-1])

    def at(self, x: int, y: int) -> str:
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) else "W"

    def is_hole(self, place: Place) -> bool:
        return any(cell == place for cell, _ in self.holes)

    def legal(self) -> list[int]:
        """Every action that is not illegal here."""
        return [action for action in range(7) if self.is_legal(action)]

    def is_legal(self, action: int) -> bool:
        x, y = self.runner
        if action == NONE:
            return True
        if action == UP:
            return self.at(x, y) == "L"
        if action == DOWN:
            return self.at(x, y + 1) in "L."
        if action in (LEFT, RIGHT):
            return self.at(x + STEPS[action][0], y) not in "WF"
        if action in (BOMB_LEFT, BOMB_RIGHT):
            side = x - 1 if action == BOMB_LEFT else x + 1
            return self.at(side, y + 1) == "F" and self.at(side, y) == "."
        return False

    def play(self, action: int, pick: Pick) -> None:
        """One round."""
        assert not self.outcome
        self.round += 1
        self.respawned = []
        self.outcome = self.act(action)
        if not self.outcome and not self.bonuses and self.runner == self.exit:
            self.outcome = "won"
        if not self.outcome:
            if self.round % 2 == 1:
                self.move_enemies()
            else:
                self.looks = [action] * len(self.enemies)
        self.tick_holes(pick)
        if not self.outcome and self.round >= self.turn_cap:
            self.outcome = "out of turns"

    def act(self, action: int) -> str:
        if not self.is_legal(action):
            return "illegal" if self.illegal_is_death else ""
        if action == NONE:
            return ""
        x, y = self.runner
        if action in (BOMB_LEFT, BOMB_RIGHT):
            self.holes.insert(0, ((x - 1 if action == BOMB_LEFT else x + 1, y + 1), TTL))
            return ""
        if action == UP:
            if (x, y - 1) in self.enemies:
                return "enemy_up"
            self.runner = (x, y - 1)
            self.bonuses.discard(self.runner)
            return ""
        place = (x + STEPS[action][0], y + STEPS[action][1])
        entered = [] if action == DOWN else [place]
        while self.falls(place):
            place = (place[0], place[1] + 1)
            entered.append(place)
        self.runner = place
        self.bonuses -= set(entered)
        if place in self.enemies:
            return "enemy_walk"
        return "hole" if self.is_hole(place) else ""

    def falls(self, place: Place) -> bool:
        x, y = place
        below = (x, y + 1)
        if self.at(x, y - 1) == "C":
            return False
        return self.at(*below) in ".C" or (self.is_hole(below) and below not in self.enemies)

    def move_enemies(self) -> None:
        for index, enemy in enumerate(self.enemies):
            if self.is_hole(enemy):
                self.looks[index] = NONE
                continue
            way = self.chase(enemy)
            step = STEPS.get(way, (0, 0))
            place = (enemy[0] + step[0], enemy[1] + step[1])
            if way == NONE or place in self.enemies:
                self.looks[index] = NONE
                continue
            self.looks[index] = way
            passed = place == self.runner
            if way != UP:
                while not self.is_hole(place) and self.falls(place):
                    place = (place[0], place[1] + 1)
                    passed = passed or place == self.runner
            self.enemies[index] = place
            if passed:
                self.outcome = "caught" if place == self.runner else "caught_passing"
                return

    def chase(self, enemy: Place) -> int:
        """The first step of the shortest path to the runner; ties go to the lower action."""
        queue = deque([(enemy, NONE)])
        seen = {enemy}
        while queue:
            place, first = queue.popleft()
            if place == self.runner:
                return first
            for way in self.ways(place):
                target = (place[0] + STEPS[way][0], place[1] + STEPS[way][1])
                if target not in seen:
                    seen.add(target)
                    queue.append((target, first or way))
        return NONE

    def ways(self, place: Place) -> list[int]:
        x, y = place
        ways = []
        if self.at(x, y) == "L" and self.at(x, y - 1) not in "WF":
            ways.append(UP)
        if self.at(x, y + 1) == "L":
            ways.append(DOWN)
        if self.at(x, y - 1) == "C" or self.at(x, y + 1) in "FL":
            ways += [way for way in (LEFT, RIGHT) if self.at(x + STEPS[way][0], y) not in "WF"]
        return ways

    def tick_holes(self, pick: Pick) -> None:
        self.holes = [(cell, delay - 1) for cell, delay in self.holes]
        closed = [cell for cell, delay in self.holes if delay == 0]
        self.holes = [(cell, delay) for cell, delay in self.holes if delay > 0]
        for cell in closed:
            for index, enemy in enumerate(self.enemies):
                if enemy == cell:
                    self.enemies[index] = self.respawn(cell, index, pick)
            if self.runner == cell:  # a dead one too: the engine does not ask
                self.runner = self.respawn(cell, -1, pick)

    def respawn(self, cell: Place, index: int, pick: Pick) -> Place:
        allowed = self.respawn_cells()
        place = pick(allowed, index) if allowed else cell
        self.respawned.append((index, cell, place))
        return place

    def respawn_cells(self) -> list[Place]:
        """Where somebody may reappear, in reading order."""
        x0, y0 = self.runner
        taken = {(x0 - 1, y0), (x0, y0), (x0 + 1, y0), *self.bonuses, *self.enemies}
        height, width = len(self.rows), len(self.rows[0])
        return [
            (x, y)
            for y in range(1, height - 1)
            for x in range(1, width - 1)
            if self.at(x, y) == "." and self.at(x, y + 1) == "F" and (x, y) not in taken
        ]


def wild_level(dice: random.Random) -> list[str]:
    """A level of pure chance: ladders into walls, cables anywhere, enemies in the air, two exits."""
    rows, cols = dice.randint(4, 9), dice.randint(4, 12)
    inner = [dice.choices(".FLCWXB", weights=(34, 30, 14, 8, 5, 1, 4), k=cols) for _ in range(rows)]
    spots = [(row, col) for row in range(rows) for col in range(cols)]
    people = dice.sample(spots, 2 + dice.randint(0, 5))
    for (row, col), letter in zip(people, ["R", "X", *"EEEEE"], strict=False):
        inner[row][col] = letter
    return ["W" * (cols + 2), *(f"W{''.join(row)}W" for row in inner), "W" * (cols + 2)]
