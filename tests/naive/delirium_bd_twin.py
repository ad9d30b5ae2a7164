"""The tick of a Boulder Dash cave, slow and plain: pictures of characters, to be read beside the table of rules."""

from __future__ import annotations

import numpy as np

from gridsage.games.delirium.bd.level import Cave

LEFT, UP, RIGHT, DOWN = (0, -1), (-1, 0), (0, 1), (1, 0)  # (row, col) steps; a fly faces one of them
FACINGS = (LEFT, UP, RIGHT, DOWN)
STEP_OF_ACTION = {1: RIGHT, 2: UP, 3: LEFT, 4: DOWN}
COSTS = dict.fromkeys("oOdD", 156) | dict.fromkeys("12345678", 384) | dict.fromkeys("efghijkl", 280)
COSTS |= {"a": 260, "s": 211, "H": 111, "@": 32}
MARKS = set("oOdDaH12345678@ei")
STAGES = dict(zip("xyzefghijkl", "yz@fgh jkld", strict=True))


class Draws:
    """GLib's numbers: MT19937, and numbers below a bound by rejection."""

    def __init__(self, seed):
        self.state = np.random.RandomState(seed)

    def below(self, bound):
        largest = 2**32 - 1 - 2**32 % bound
        while True:
            word = int(np.frombuffer(self.state.bytes(4), "<u4")[0])
            if word <= largest:
                return word % bound

    def chance(self, in_a_million):
        return self.below(1_000_000) < in_a_million


class Twin:
    """A mutable cave; `grid` has the symbols of the recordings."""

    def __init__(self, cave: Cave, rows: list[str], push: int, seed: int):
        self.cave, self.push, self.draws = cave, push, Draws(seed)
        self.grid = [list(row) for row in rows]
        text = "".join(rows)
        kinds = 2 * ("a" in text) + bool(set(text) & set("1234")) + bool(set(text) & set("5678"))
        self.start_cost = 2600 * kinds
        self.time, self.hatch = cave.time, cave.hatch_ticks if cave.pace == "milliseconds" else cave.hatch
        self.ticks = self.points = self.diamonds = 0
        self.open = cave.needed <= 0
        self.won = False
        self.magic, self.magic_left = "asleep", cave.magic_time
        self.amoeba, self.amoeba_left, self.amoeba_chance = "asleep", cave.amoeba_time, cave.amoeba_slow
        self.slime = cave.slime_state

    def picture(self):
        return ["".join(row) for row in self.grid]

    def at(self, spot):
        return self.grid[spot[0]][spot[1]]

    def put(self, spot, symbol):
        self.grid[spot[0]][spot[1]] = symbol
        if symbol in MARKS:
            self.marked.add(spot)
        else:
            self.marked.discard(spot)

    @staticmethod
    def beside(spot, step):
        return spot[0] + step[0], spot[1] + step[1]

    def tick(self, action):
        self.marked, self.cost, self.enclosed, self.amoeba_cells = set(), 0, True, 0
        self.ticks += 1
        for row in range(1, len(self.grid) - 1):
            for col in range(len(self.grid[0])):
                spot = (row, col)
                if spot not in self.marked:
                    self.act(spot, self.at(spot), action)
                self.marked.discard(spot)
        self.amoeba_ages()
        self.clocks_run()

    def act(self, spot, symbol, action):
        self.cost += COSTS.get(symbol, 0)
        if symbol in "oOdD":
            self.thing(spot, symbol)
        elif symbol in "12345678":
            self.fly(spot, symbol)
        elif symbol == "@":
            self.rockford(spot, action)
        elif symbol == "a":
            self.amoeba_acts(spot)
        elif symbol == "s":
            self.slime_acts(spot)
        elif symbol == "H":
            free = [step for step in (LEFT, RIGHT) if self.at(self.beside(spot, step)) == " "]
            if free:
                self.put(self.beside(spot, free[0]), "H")
        elif symbol == "X" and self.open:
            self.put(spot, "Y")
        elif symbol == "I" and self.hatch <= 0 and self.ticks % 2 == 0:
            self.put(spot, "x")
        elif symbol in STAGES:
            self.put(spot, STAGES[symbol])

    def thing(self, spot, symbol):
        falling, below = symbol.isupper(), self.beside(spot, DOWN)
        under = self.at(below)
        if falling and under == "M":
            if self.magic == "asleep":
                self.magic = "awake"
            out = self.beside(below, DOWN)
            if self.magic == "awake" and out[0] < len(self.grid) and self.at(out) == " ":
                self.put(out, "D" if symbol == "O" else "O")
            self.put(spot, " ")
        elif falling and under in "12345678@" and below not in self.marked:
            self.explode(below)
        elif under == " ":
            self.move(spot, below, symbol.upper())
        elif not (self.is_round(below) and self.rolls(spot, symbol)) and falling:
            self.put(spot, symbol.lower())

    def is_round(self, spot):
        return self.at(spot) in "od#" and spot not in self.marked

    def rolls(self, spot, symbol):
        for step in (LEFT, RIGHT):
            side = self.beside(spot, step)
            if self.at(side) == " " == self.at(self.beside(side, DOWN)):
                self.move(spot, side, symbol.upper())
                return True
        return False

    def move(self, spot, target, symbol):
        self.put(target, symbol)
        self.put(spot, " ")

    def explode(self, centre):
        blast = "i" if self.at(centre) in "5678" else "e"
        self.cost += 1200
        for row in (-1, 0, 1):
            for col in (-1, 0, 1):
                spot = self.beside(centre, (row, col))
                if self.at(spot) != "S":
                    self.put(spot, blast)

    def fly(self, spot, symbol):
        for step in FACINGS:
            near = self.beside(spot, step)
            if self.at(near) == "@" or (self.at(near) == "a" and near not in self.marked):
                self.explode(spot)
                return
        base = 1 if symbol in "1234" else 5
        facing, hand = int(symbol) - base, 3 if base == 1 else 1
        for turn in ((facing + hand) % 4, facing):
            near = self.beside(spot, FACINGS[turn])
            if self.at(near) == " ":
                self.move(spot, near, str(base + turn))
                return
        self.put(spot, str(base + (facing - hand) % 4))

    def rockford(self, spot, action):
        if action == 0:
            return
        step = STEP_OF_ACTION[action if action <= 4 else action - 4]
        target = self.beside(spot, step)
        symbol = self.at(target)
        if symbol == "o":
            beyond = self.beside(target, step)
            if target in self.marked or step in (UP, DOWN) or self.at(beyond) != " ":
                return
            if not self.draws.chance(self.push):
                return
            self.put(beyond, "o")
        elif symbol == "d" and target not in self.marked:
            self.points += self.cave.extra_value if self.open else self.cave.value
            self.diamonds += 1
            self.open |= self.diamonds == self.cave.needed
        elif symbol == "Y":
            self.won = True
        elif symbol not in " .":
            return
        if action > 4:
            self.put(target, " ")
        else:
            self.move(spot, target, "@")

    def amoeba_acts(self, spot):
        self.amoeba_cells += 1
        if self.amoeba in ("boulders", "diamonds"):
            self.put(spot, self.amoeba[0].replace("b", "o"))
            return
        if self.enclosed and any(self.at(self.beside(spot, step)) in " ." for step in FACINGS):
            self.enclosed, self.amoeba = False, "awake"
        if self.amoeba == "awake" and self.draws.chance(self.amoeba_chance):
            near = self.beside(spot, (UP, DOWN, LEFT, RIGHT)[self.draws.below(4)])
            if self.at(near) in " .":
                self.put(near, "a")

    def amoeba_ages(self):
        if self.amoeba == "awake":
            if self.amoeba_cells >= self.cave.amoeba_max:
                self.amoeba = "boulders"
            if self.enclosed:
                self.amoeba = "diamonds"

    def slime_acts(self, spot):
        if self.cave.slime_predictable:
            self.slime = next_registers(*self.slime)
            passes = self.slime[0] & self.cave.slime_mask == 0
        else:
            passes = self.draws.chance(self.cave.slime_chance)
        above, below = self.beside(spot, UP), self.beside(spot, DOWN)
        if passes and self.at(above) in "od" and above not in self.marked and self.at(below) == " ":
            self.move(above, below, self.at(above).upper())

    def clocks_run(self):
        work = (self.cost + self.start_cost) // 1000
        cave = self.cave
        if cave.pace == "bd1":
            length = int((60 if cave.is_intermission else 88) + 3.66 * cave.delay + work)
        elif cave.pace == "bd2":
            length = max(60 + work, 20 * cave.delay)
        else:
            length = cave.frame_ms
        if self.hatch <= 0:
            self.time = max(0, self.time - length)
        if self.magic == "awake":
            self.magic_left = max(0, self.magic_left - length)
            if not self.magic_left:
                self.magic = "spent"
        if cave.amoeba_at_once or self.amoeba == "awake":
            self.amoeba_left = max(0, self.amoeba_left - length)
            if not self.amoeba_left:
                self.amoeba_chance = cave.amoeba_fast
        if self.hatch > 0:
            self.hatch -= 1 if cave.pace == "milliseconds" else length


def next_registers(high, low):
    """One turn of the filler of 1984: additions of eight bits with their carries."""
    total = low + (low & 1) * 128
    total = total % 256 + total // 256 + 0x13
    new_low, carry = total % 256, total // 256
    total = high + carry + (high & 1) * 128
    total = total % 256 + total // 256 + low // 2
    return total % 256, new_low
