"""The mine's tick, slow and plain: a full scan over lists, to be read beside the rules and compared with the kernel."""

from __future__ import annotations

from gridsage.games.delirium.level.cells import (
    BLAST_DIAMOND,
    BLAST_STONE,
    BLAST_VOID,
    BLUE,
    BORDER,
    CLAY,
    DIAMOND,
    EXIT,
    GREEN,
    LEAVING,
    MAGIC,
    MINER,
    MONSTERS,
    RED,
    STONE,
    STURDY,
    VOID,
    WALL,
    Gallery,
    Options,
)

UP, RIGHT, DOWN, LEFT = range(4)
STAY, WIDEN = 0, 9
HEADING_OF_ACTION = {1: RIGHT, 2: UP, 3: LEFT, 4: DOWN, 5: RIGHT, 6: UP, 7: LEFT, 8: DOWN}
FALLERS = (STONE, DIAMOND)
BLASTS = {BLAST_VOID: VOID, BLAST_DIAMOND: DIAMOND, BLAST_STONE: STONE}
BURNS = {left: blast for blast, left in BLASTS.items()}
ROUND = (STONE, DIAMOND, STURDY, MAGIC)


class Monster:
    def __init__(self, cell, kind):
        self.cell, self.kind, self.heading = cell, kind, None


class Twin:
    """A mutable world. `status` is "playing", "won", or the cause of death."""

    def __init__(self, gallery: Gallery, options: Options):
        self.rows, self.cols, self.options = gallery.rows, gallery.cols, options
        self.kinds = [byte & 31 for byte in gallery.cells]
        self.strength = {c: 1 + (b >> 5 & 3) for c, b in enumerate(gallery.cells) if b & 31 == STURDY}
        self.falling = set()
        self.burning = {c: 1 + (b >> 5 & 3) for c, b in enumerate(gallery.cells) if b & 31 in BLASTS}
        self.monsters = [Monster(cell, kind) for cell, kind in enumerate(self.kinds) if kind in MONSTERS]
        self.miner = self.kinds.index(MINER)
        self.needed, self.time = gallery.needed, gallery.time
        self.ticks = self.diamonds = self.kills = self.pushes = 0
        self.status = "playing"

    def cell_bytes(self):
        """Kinds with strength, burning and falling bits, as the kernel keeps them."""
        bits = self.strength | self.burning
        return bytes(
            kind | (bits[cell] - 1 << 5 if cell in bits else 0) | (128 if cell in self.falling else 0)
            for cell, kind in enumerate(self.kinds)
        )

    def shift(self, cell, heading):
        return cell + {UP: -self.cols, RIGHT: 1, DOWN: self.cols, LEFT: -1}[heading]

    def tick(self, action):
        self.left = None
        self.stepped = False
        self.pushed_up = set()
        self.miner_acts(action)
        if self.status != "playing":
            return
        self.monsters_move()
        if self.status == "playing":
            self.things_fall()
        if self.left is not None and self.kinds[self.left] == LEAVING:
            self.kinds[self.left] = VOID
        self.ticks += 1
        if self.time > 0:
            self.time -= 1
            if self.time == 0 and self.status == "playing":
                self.status = "time"

    # 1. the miner

    def miner_acts(self, action):
        if action in (STAY, WIDEN):
            return
        heading = HEADING_OF_ACTION[action]
        target = self.shift(self.miner, heading)
        kind = self.kinds[target]
        if action >= 5:
            if kind in (CLAY, DIAMOND):
                self.diamonds += kind == DIAMOND
                self.kinds[target] = VOID
                self.falling.discard(target)
            return
        if kind == EXIT:
            if self.diamonds >= self.needed:
                self.status = "won"
            else:
                return
        elif kind == STONE:
            if not self.push(target, heading):
                return
        elif kind not in (VOID, CLAY, DIAMOND):
            return
        if kind == DIAMOND:
            self.diamonds += 1
            self.falling.discard(target)
        self.kinds[self.miner] = LEAVING
        self.left = self.miner
        if self.status == "won":
            self.kinds[self.miner] = VOID
        self.miner = target
        self.kinds[target] = MINER
        self.stepped = True

    def push(self, first, heading):
        if heading == DOWN or (heading == UP and not self.options.push_up):
            return False
        end, stones = first, 0
        while self.kinds[end] == STONE:
            if end in self.falling:
                return False
            end, stones = self.shift(end, heading), stones + 1
        if self.kinds[end] != VOID or (stones > 1 and not self.options.push_rows):
            return False
        self.kinds[end] = STONE
        self.pushes += 1
        if heading == UP:
            self.pushed_up = {first - number * self.cols for number in range(1, stones + 1)}
        return True

    # 2. monsters

    def rests(self, kind):
        if kind == BLUE:
            return self.options.blue_rests and self.ticks % 2 == 1
        if kind == RED:
            return False
        pace = self.options.others_move
        return pace == "never" or (pace == "every second tick" and self.ticks % 2 == 1)

    def monsters_move(self):
        for monster in self.monsters:
            if self.rests(monster.kind):
                continue
            first = monster.heading is None
            turns = (0, 1, 2, 3) if first else (3, 0, 1, 2)
            for turn in turns:
                heading = ((monster.heading or 0) + turn) % 4
                target = self.shift(monster.cell, heading)
                if self.kinds[target] == VOID:
                    self.kinds[monster.cell] = VOID
                    self.kinds[target] = monster.kind
                    monster.cell, monster.heading = target, heading
                    break
        for heading in range(4):
            kind = self.kinds[self.shift(self.miner, heading)]
            if kind in MONSTERS:
                self.status = f"monster {kind}"
                return

    # 3. stones and diamonds

    def things_fall(self):
        """Decide on the picture before anything fell, lower rows first; nothing enters a cell left in this tick."""
        self.picture, self.moved = list(self.kinds), set(self.pushed_up)
        for row in reversed(range(self.rows)):
            for cell in range(row * self.cols, (row + 1) * self.cols):
                if cell in self.moved:
                    continue
                if self.kinds[cell] in FALLERS:
                    self.thing_acts(cell)
                    if self.status != "playing":
                        return
                elif self.kinds[cell] in BLASTS:
                    self.burn(cell)

    def is_free(self, cell):
        """Return True if this cell was void when gravity began and nothing has come into it since."""
        return self.picture[cell] == VOID and cell not in self.moved

    def thing_acts(self, cell):
        kind, was_falling = self.kinds[cell], cell in self.falling
        below = cell + self.cols
        under = self.picture[below]
        if below in self.moved:
            self.falling.discard(cell)
            return
        if under == VOID:
            self.fall(cell, below, was_falling)
            return
        if was_falling and under == MINER:
            if not (self.stepped and self.options.passing_under):
                self.crush(kind)
                return
            self.falling.discard(cell)
            return
        if was_falling and under in MONSTERS:
            self.explode(below)
            return
        if was_falling and under == MAGIC and self.options.magic_wall == "turns":
            self.kinds[cell] = VOID
            self.falling.discard(cell)
            out = below + self.cols
            if out < len(self.kinds) and self.is_free(out):
                self.kinds[out] = STONE + DIAMOND - kind
                self.falling.add(out)
                self.moved.add(out)
            return
        if under in ROUND:
            for side in (-1, 1) if self.options.roll_first == "left" else (1, -1):
                if self.is_free(cell + side) and self.is_free(below + side):
                    self.move(cell, cell + side)
                    return
        self.falling.discard(cell)

    def fall(self, cell, below, was_falling):
        kind = self.kinds[cell]
        self.move(cell, below)
        next_below = self.kinds[below + self.cols]
        if was_falling and next_below == MINER and self.options.crush_on_arrival:
            self.crush(kind)
        elif next_below in MONSTERS and self.options.explode_on_arrival:
            self.explode(below + self.cols)

    def move(self, cell, target):
        self.kinds[target] = self.kinds[cell]
        self.kinds[cell] = VOID
        self.falling.discard(cell)
        self.falling.add(target)
        self.moved.add(target)

    def crush(self, kind):
        self.status = "stone" if kind == STONE else "diamond"

    # 4. explosions

    def explode(self, centre):
        waiting = [centre]
        while waiting:
            centre = waiting.pop(0)
            monster = next((m for m in self.monsters if m.cell == centre), None)
            if monster is None:
                continue  # an earlier blast of this chain took it
            self.monsters.remove(monster)
            self.kinds[centre] = VOID
            self.kills += 1
            leaves = {BLUE: DIAMOND, GREEN: STONE}.get(monster.kind, VOID)
            for row in (-1, 0, 1):
                for col in (-1, 0, 1):
                    self.blast(centre + row * self.cols + col, leaves, waiting)

    def blast(self, cell, leaves, waiting):
        kind = self.kinds[cell]
        if kind in (WALL, BORDER, EXIT):
            return
        if kind == MINER:
            self.status = "explosion"
            return
        if kind in MONSTERS:
            waiting.append(cell)
            return
        if kind == STURDY and self.strength[cell] > 1:
            self.strength[cell] -= 1
            return
        self.strength.pop(cell, None)
        self.falling.discard(cell)
        self.moved.add(cell)
        self.kinds[cell] = leaves
        if self.options.explosion_ticks:
            self.kinds[cell] = BURNS[leaves]
            self.burning[cell] = self.options.explosion_ticks

    def burn(self, cell):
        self.burning[cell] -= 1
        if not self.burning[cell]:
            del self.burning[cell]
            self.kinds[cell] = BLASTS[self.kinds[cell]]
            self.moved.add(cell)
