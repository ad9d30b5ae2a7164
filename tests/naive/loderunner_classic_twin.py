"""The classic Lode Runner in plain Python, slow and literal: the twin of the compiled ticks."""

from __future__ import annotations

from dataclasses import dataclass, field

COLS, ROWS = 28, 16
PACES = {
    0: [0] * 6,
    1: [0, 1, 0, 1, 0, 1],
    2: [1] * 6,
    3: [1, 2, 1, 1, 2, 1],
    4: [1, 2, 2, 1, 2, 2],
    5: [2] * 6,
}
HARD = "#@"


@dataclass
class Person:
    x: int
    y: int
    dx: int = 0
    dy: int = 0
    does: str = "none"
    gold: int = 0
    origin: tuple[int, int] = (0, 0)
    wait: int = 0

    @property
    def place(self) -> tuple[int, int]:
        return self.x, self.y


@dataclass
class Twin:
    made: dict[tuple[int, int], str]
    who: dict[tuple[int, int], str]
    runner: Person
    guards: list[Person]
    gold: int
    trap: int = 67
    carries: list[int] = field(default_factory=list)  # chances to come
    births: list[tuple[int, int]] = field(default_factory=list)
    complete: bool = False
    status: str = ""
    pace: int = 0
    turn: int = 0
    dig: list[int] | None = None  # x, y of the cell above the hole, ticks
    holes: list[list[int]] = field(default_factory=list)  # x, y, ticks left

    @classmethod
    def of(cls, rows, ai=4):
        made, who, guards, runner, gold = {}, {}, [], None, 0
        for y, line in enumerate(rows):
            for x, sign in enumerate(line):
                made[x, y] = sign if sign not in "0&" else "."
                who[x, y] = sign if sign not in "$S" else "."
                gold += sign == "$"
                if sign == "0":
                    guards.append(Person(x, y))
                elif sign == "&":
                    runner = Person(x, y, does="")
        for extra in guards[:-5]:
            who[extra.place] = "."
        return cls(made, who, runner, guards[-5:], gold, 67 if ai == 4 else 52)

    def floor(self, x, y):
        return self.made.get((x, y), "@")

    def wall(self, x, y):
        return self.who.get((x, y), "@")

    def guard_at(self, x, y):
        return next((guard for guard in self.guards if guard.place == (x, y)), None)

    def play(self, key):
        digs = self.digging()
        if digs:
            self.dig[2] += 1
            if self.dig[2] >= 11:
                x, y, _ = self.dig
                self.who[x, y + 1] = "."
                self.holes.append([x, y + 1, 187])
                self.dig = None
        else:
            self.press(key)
        if not self.status and self.guards:
            self.move_guards()
        self.wake("hole")
        for hole in self.holes:
            hole[2] -= 1
        if self.holes and self.holes[0][2] == 0:
            self.close(*self.holes.pop(0)[:2])
        self.wake("reborn")
        if not self.status and self.complete and self.runner.y == 0 and self.runner.dy == 0:
            self.status = "won"
        return self.status

    def digging(self):
        if self.dig is None:
            return False
        x, y, ticks = self.dig
        if self.wall(x, y) == "0":
            if ticks < 8 and self.guard_at(x, y).dy > -11:
                self.who[x, y + 1] = self.made[x, y + 1]
                self.dig, self.runner.does = None, "none"
                return False
            self.who[x, y + 1] = "."
        elif ticks > 2:
            self.runner.does = "none"
        return True

    def take(self):
        self.gold -= 1
        if self.gold <= 0:
            self.complete = True
            for place, sign in self.made.items():
                if sign == "S":
                    self.made[place] = self.who[place] = "H"

    def press(self, key):
        me = self.runner
        x, y = me.place
        here, below = self.floor(x, y), self.wall(x, y + 1)
        if not (here == "H" or (here == "-" and me.dy == 0)) and (me.dy < 0 or below not in "#@H0"):
            self.move(me, "fall", below in "#@0")
            return
        if key == "up":
            stays = self.wall(x, y - 1) in "#@X"
            leaves = me.dy > 0 and self.floor(x, y + 1) == "H"
            if y > 0 and here != "H" and leaves and me.dy < 11:
                self.move(me, "up", True)
            elif (here == "H" or leaves) and not (me.dy <= 0 and stays):
                self.move(me, "up", stays)
            else:
                self.move(me, "none", True)
        elif key == "down":
            stays = below in HARD
            self.move(me, "none" if me.dy >= 0 and stays else "down", stays)
        elif key in ("left", "right"):
            side = -1 if key == "left" else 1
            stays = self.wall(x + side, y) in "#@X"
            self.move(me, "none" if me.dx * side >= 0 and stays else key, stays)
        elif key in ("dig-left", "dig-right"):
            side = -1 if key == "dig-left" else 1
            fits = (
                self.wall(x + side, y + 1) == "#" and self.wall(x + side, y) == "." and self.floor(x + side, y) != "$"
            )
            self.move(me, key if fits else "none", True)
            if fits:
                self.dig = [x + side, y, 0]
        else:
            self.move(me, "none", True)

    @staticmethod
    def centre(offset, step):
        return max(offset - step, 0) if offset > 0 else min(offset + step, 0)

    def move(self, me, does, stays):
        """One step of the runner."""
        x, y, dx, dy = me.x, me.y, me.dx, me.dy
        here = self.floor(x, y)
        if does.startswith("dig"):
            dx = dy = 0
        elif does == "up":
            dx, dy = self.centre(dx, 8), dy - 9
        elif does in ("down", "fall"):
            catches = here == "-" and dy < 0
            if here == "-" and dy >= 0 and does == "down" and y < 15 and self.wall(x, y + 1) not in "H0":
                does = "fall"
            dx, dy = self.centre(dx, 8), dy + 9
            if catches and dy >= 0:
                dy, does = 0, "bar"
        elif does in ("left", "right"):
            dx, dy = dx + (8 if does == "right" else -8), self.centre(dy, 9)
        x, y, dx, dy = self.across(x, y, dx, dy, does, stays)
        if (x, y) != me.place:
            self.leave(me)
            other = self.guard_at(x, y) if self.wall(x, y) == "0" else None
            if other is not None and other.does != "reborn":
                self.status = "caught"
        if does in ("fall", "bar") and self.wall(x, y + 1) == "0" and self.guard_at(x, y + 1):
            dy = min(dy, self.guard_at(x, y + 1).dy)
        me.does = does
        if does != "none":
            me.x, me.y, me.dx, me.dy = x, y, dx, dy
        self.who[x, y] = "&"
        if self.reaches_gold(x, y, dx, dy):
            self.made[x, y] = "."
            self.take()
        near = next((at for at in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)) if self.wall(*at) == "0"), None)
        guard = near and self.guard_at(*near)
        if guard and guard.does != "reborn":
            across = (x - guard.x) * 40 + dx - guard.dx
            down = (y - guard.y) * 44 + dy - guard.dy
            if abs(across) <= 30 and abs(down) <= 33:
                self.status = "caught"

    def across(self, x, y, dx, dy, does, stays):
        """Stop at the centre where one cannot leave, or go over to the next cell."""
        if does == "up":
            if stays and dy < 0:
                dy = 0
            elif dy < -22:
                y, dy = y - 1, dy + 44
        elif does in ("down", "fall", "bar", "hole"):
            if stays and dy > 0:
                dy = 0
            elif dy > 22:
                y, dy = y + 1, dy - 44
        elif does == "left":
            if stays and dx < 0:
                dx = 0
            elif dx < -20:
                x, dx = x - 1, dx + 40
        elif does == "right":
            if stays and dx > 0:
                dx = 0
            elif dx > 20:
                x, dx = x + 1, dx - 40
        return x, y, dx, dy

    def leave(self, person):
        sign = self.made[person.place]
        self.who[person.place] = "." if sign in "#S" else sign

    def reaches_gold(self, x, y, dx, dy):
        if self.made[x, y] != "$":
            return False
        return (dx == 0 and 0 <= dy < 11) or (dy == 0 and 0 <= dx < 10) or (self.floor(x, y + 1) == "H" and dy < 11)

    def move_guards(self):
        self.pace = (self.pace + 1) % 6
        for _ in range(PACES[len(self.guards)][self.pace]):
            self.turn = (self.turn + 1) % len(self.guards)
            guard = self.guards[self.turn]
            if guard.does not in ("hole", "reborn"):
                self.guard_step(guard, self.choice(guard))

    def carry(self, guard):
        if guard.gold > 1:
            guard.gold -= 1
        elif guard.gold == 1:
            if self.made[guard.place] == "." and self.floor(guard.x, guard.y + 1) in "#@H":
                self.made[guard.place] = "$"
                guard.gold = -1
        elif guard.gold < 0:
            guard.gold += 1

    def drop_above(self, guard, x, y):
        if guard.gold > 0:
            if self.floor(x, y - 1) == ".":
                self.made[x, y - 1] = "$"
            else:
                self.take()
        guard.gold = 0

    def guard_step(self, guard, does):
        x, y, dx, dy = guard.x, guard.y, guard.dx, guard.dy
        here = self.floor(x, y)
        if guard.does == "climb" and does == "none":
            guard.does = "none"
        stays = False
        if does == "up":
            stays = self.wall(x, y - 1) in "#@X0"
            does = "none" if dy <= 0 and stays else does
        elif does in ("down", "fall"):
            stays = self.wall(x, y + 1) in "#@0"
            if does == "fall" and dy < 0 and here == "#":
                does, stays = "hole", True
            elif dy >= 0 and stays:
                does = "none"
        elif does in ("left", "right"):
            side = -1 if does == "left" else 1
            stays = self.wall(x + side, y) in "#@0" or self.floor(x + side, y) == "X"
            does = "none" if dx * side >= 0 and stays else does
        if does == "up":
            dx, dy = self.centre(dx, 8), dy - 9
            x, y, dx, dy = self.across(x, y, dx, dy, does, stays)
            if -9 < dy <= 0:
                self.carry(guard)
        elif does in ("down", "fall", "hole"):
            catches = here == "-" and dy < 0
            if here == "-" and dy >= 0 and does == "down" and y < 15 and self.wall(x, y + 1) != "H":
                does = "fall"
            dx, dy = self.centre(dx, 8), dy + 9
            if catches and dy >= 0:
                dy, does = 0, "bar"
            x, y, dx, dy = self.across(x, y, dx, dy, does, stays)
            if does in ("fall", "down") and 0 <= dy < 9:
                self.carry(guard)
            if does == "hole" and dy < 0:
                does = "fall"
                if self.trap == 67 and guard.gold > 0:
                    self.drop_above(guard, x, y)
            elif does == "hole":
                self.drop_above(guard, x, y)
                guard.wait = self.trap
        elif does in ("left", "right"):
            side = -1 if does == "left" else 1
            dx, dy = dx + 8 * side, self.centre(dy, 9)
            x, y, dx, dy = self.across(x, y, dx, dy, does, stays)
            if 0 <= dx * side < 8:
                self.carry(guard)
        if (x, y) != guard.place:
            self.leave(guard)
            if self.wall(x, y) == "&":
                self.status = "caught"
        if does == "none":
            guard.does = guard.does if guard.does == "climb" else "none"
        else:
            guard.does = "climb" if guard.does == "climb" else does
            guard.x, guard.y, guard.dx, guard.dy = x, y, dx, dy
        self.who[x, y] = "0"
        if guard.gold == 0 and self.reaches_gold(x, y, dx, dy):
            self.made[x, y] = "."
            guard.gold = self.carries.pop(0)

    def choice(self, guard):
        x, y = guard.place
        if guard.does == "climb":
            if y == guard.origin[1]:
                return "up"
            if x != guard.origin[0]:
                guard.does = "left"
        else:
            here = self.floor(x, y)
            if not (here == "H" or (here == "-" and guard.dy == 0)) and (
                guard.dy < 0 or self.wall(x, y + 1) not in "#@0H"
            ):
                return "fall"
        me = self.runner
        if y == me.y and me.does != "fall":
            while x != me.x and (
                self.floor(x, y) in "H-" or self.floor(x, y + 1) in "#@H-$" or self.wall(x, y + 1) == "0"
            ):
                x += 1 if x < me.x else -1
            if x == me.x:
                if guard.x != me.x:
                    return "right" if guard.x < me.x else "left"
                return "right" if guard.dx < me.dx else "left"
        return self.scan(guard)

    def scan(self, guard):
        sx, y = guard.place
        ends = []
        for side in (-1, 1):
            x = sx
            while self.wall(x + side, y) not in HARD:
                x += side
                if self.wall(x, y) not in "H-" and self.floor(x, y + 1) not in "#@H":
                    break
            ends.append(x)
        best, answer = 255, "none"
        for x in (sx, *range(ends[0], sx), *range(ends[1], sx, -1)):
            ways = []
            if self.floor(x, y + 1) not in HARD:
                ways.append(("down", self.bottom(x, y)))
            if self.floor(x, y) == "H":
                ways.append(("up", self.top(x, y)))
            for way, end in ways:
                apart = end - self.runner.y
                rating = abs(x - sx) if apart == 0 else (200 + apart if apart > 0 else 100 - apart)
                if rating < best:
                    best, answer = rating, way if x == sx else ("left" if x < sx else "right")
        return answer

    def side_way(self, x, y):
        return any(
            0 <= side < COLS and (self.floor(side, y + 1) in "#H@" or self.floor(side, y) == "-")
            for side in (x - 1, x + 1)
        )

    def bottom(self, x, y):
        while self.floor(x, y + 1) not in HARD:
            if self.floor(x, y) not in ".S" and y >= self.runner.y and self.side_way(x, y):
                break
            y += 1
        return y

    def top(self, x, y):
        while y > 0 and self.floor(x, y) == "H":
            y -= 1
            if y <= self.runner.y and self.side_way(x, y):
                break
        return y

    def wake(self, what):
        for guard in self.guards:
            if guard.does != what:
                continue
            guard.wait -= 1
            if guard.wait > 0:
                continue
            if what == "hole":
                guard.does, guard.origin = "climb", guard.place
            else:
                if self.wall(*guard.place) == "&":
                    self.status = "caught"
                guard.does = "fall"
                self.who[guard.place] = "0"

    def close(self, x, y):
        inside = self.wall(x, y)
        if inside == "&":
            self.status = "buried"
        elif inside == "0":
            guard = self.guard_at(x, y)
            if guard.gold > 0:
                self.take()
                guard.gold = 0
            guard.x, guard.y = self.births.pop(0)
            guard.dx = guard.dy = 0
            guard.does, guard.wait = "reborn", 9
            self.who[guard.place] = "0"
        self.who[x, y] = "#"
