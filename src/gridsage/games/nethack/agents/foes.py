"""The monsters in sight: who they are, whether they are peaceful, and how much each one hurts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.hero import Hero
from gridsage.games.nethack.agents.knowledge import (
    LOVED,
    M1_REGEN,
    M2_HOSTILE,
    M2_PEACEFUL,
    Knowledge,
    Species,
)
from gridsage.games.nethack.agents.world import LevelKey, World
from gridsage.games.nethack.level import CELLS, COLS

MEMORY_TURNS = 40  # how long what was learned of a monster out of sight is believed
SURE_TURNS = 3  # the same where another of that kind may be peaceful: it is looked at again, which takes no time
PEACE_TURNS = 15  # how long ways are led around the kind of a peaceful monster
ATTACKS = re.compile(r"The ([A-Za-z' -]+?) (?:just )?(?:bites|hits|misses|stings|claws|kicks|butts|touches)[!.]")
# Who zaps a wand or shoots, and what: such a foe costs as much per turn from afar, in hit points.
ZAPS = re.compile(r"The ([A-Za-z' -]+?) zaps (?:an? |the )?(?!himself|herself|itself)")
SHOOTS = re.compile(r"The ([A-Za-z' -]+?) (?:shoots|fires) (\d+)?")
FIRE = (
    (re.compile(r"sleep ray"), 25.0),
    (re.compile(r"(?:bolt of (?:fire|cold|lightning)|death ray)"), 18.0),
    (re.compile(r"The wand (?:hits|misses) you|Boing!"), 10.0),
    (re.compile(r"magic missile"), 7.0),
)
ARROW, FIRE_TURNS = 3.0, 60  # hit points per missile shot; how long it is remembered who zaps or shoots
KILLED = re.compile(r"You (?:kill|destroy) (?:the |poor )?(?:invisible )?([A-Za-z' -]+?)!")
STRUCK = re.compile(
    r"(?:You (?:hit|smite|strike|kick|bash|whip)|The [a-z' -]+? hits) (?:the )?(?:invisible )?([A-Za-z' -]+?)[.!]"
)
LEAST_LEFT = 0.3  # share of its hit points that a foe is believed to have, however often it was struck
LURKS, LURK_REACH = 15, 8  # turns for which somebody out of sight is reckoned with, and how near it may have come
LETTER_NYMPH = 14
LETTER_BAT, FLUTTER = 28, 0.8  # bats are beside us in some such share of their moves
DOZING, WAKING = 6, 2  # turns without a step after which a foe sleeps, and how near it is reckoned with all the same
ANGER_TURNS = 3  # within which a monster struck at is found again
# The last blow is not answered, and we often strike first. With this, of 401 fights with a single foe that
# were reckoned to cost four hit points or more, 16 % cost more than one and a half times as much, 10 % more than twice
# and 3.5 % more than three times as much; `chance_of_death` says 16, 8 and 3 %.
UNANSWERED, ANSWERED_LEAST = 0.75, 0.5
STEEP = 5.0  # how sharply the chance of dying rises around a loss of all hit points
STRONG = 18  # strength from which shares of a hundred are added
HEALS = 1.0  # hit points that werecreatures and trolls get back in each turn
ARMOUR_SOFTENS = 0.5  # armour below zero also lessens the damage


@dataclass(slots=True)
class Foe:
    """One hostile monster in sight."""

    cell: int
    kind: Species
    distance: int  # steps of a king
    loss: float  # hit points it costs per turn when it is beside us
    blows: float  # turns until it is dead
    spike: float  # chance that its next round alone kills us
    idle: int = 0  # turns for which it was seen not to move
    moved: bool = True  # it was seen to walk
    fire: float = 0.0  # hit points that its wand or its arrows cost per turn, from afar too
    sleeps: bool = False  # a ray of ours put it to sleep
    gone: int = 0  # turns since it was seen

    @property
    def beside(self) -> bool:
        return self.distance <= 1

    @property
    def dozes(self) -> bool:
        """Return True if it has not moved for so long that it sleeps, or cannot come.

        Most nymphs sleep. Two blows are needed for one, and the first wakes her: then she takes the armour.
        """
        if self.kind.row.letter == LETTER_NYMPH:
            return not self.moved
        return self.idle >= DOZING and self.distance > WAKING


@dataclass(slots=True)
class _Known:
    kind: int
    peaceful: bool
    turn: int  # when it was seen last
    since: int  # when it came to where it was seen last
    moved: bool = False  # it was seen to walk
    wounds: float = 0.0  # hit points that we took from it, as far as we know


def distance(one: int, other: int) -> int:
    """Return the king's steps between two cells."""
    return max(abs(one // COLS - other // COLS), abs(one % COLS - other % COLS))


def chance_of_death(loss: float, hp: float) -> float:
    """Return the chance that a fight expected to cost `loss` hit points kills somebody who has `hp`."""
    return 1.0 / (1.0 + math.exp(-STEEP * (loss / max(1.0, hp) - 1.0)))


def expected_loss(foes: Iterable[Foe], sides: int) -> float:
    """Return the hit points it costs to kill `foes` one after the other where only `sides` can strike at once."""
    waiting = sorted(foes, key=lambda foe: (not foe.beside, foe.blows / max(0.1, foe.loss)))
    total, spent = 0.0, 0.0
    for at, foe in enumerate(waiting):
        began = 0.0 if at < max(1, sides) else spent * 0.7
        spent += foe.blows
        strikes = max(ANSWERED_LEAST * (spent - began), spent - began - UNANSWERED)
        total += foe.loss * strikes + foe.kind.passive * foe.blows * 0.3
    return total


def hit_bonus(stats: tuple[int, ...]) -> int:
    """Return what strength, dexterity and burden add to the chance to hit, in twentieths (weapon.c)."""
    strength, dexterity = stats[st.STRENGTH], stats[st.DEXTERITY]
    share = stats[st.STRENGTH_SHARE]
    bonus = -2 if strength < 6 else -1 if strength < 8 else 0 if strength < 17 else 1 if share <= STRONG + 50 else 2
    bonus += stats[st.EXPERIENCE] < 3
    bonus += dexterity - 14 if dexterity > 14 else 0 if dexterity > 7 else -1 if dexterity > 5 else -2
    return bonus - max(0, 2 * stats[st.LOAD] - 1)


def harm_bonus(stats: tuple[int, ...]) -> int:
    """Return what strength adds to the damage of a blow (weapon.c)."""
    strength, share = stats[st.STRENGTH], stats[st.STRENGTH_SHARE]
    if strength < 18:
        return -1 if strength < 6 else 0 if strength < 16 else 1
    return 2 if share <= STRONG else 3 if share <= STRONG + 75 else 4


def mean_damage(stats: tuple[int, ...], harm: float) -> float:
    """Return the mean damage of a blow or missile that hits, given that of the weapon by itself."""
    return max(1.0, harm + harm_bonus(stats))


class Foes:
    """Everybody in sight, kept up to date by `update`."""

    def __init__(self, lore: Knowledge, hero: Hero) -> None:
        self._lore, self._hero = lore, hero
        self.hostile: list[Foe] = []
        self.lurking: list[Foe] = []  # those who went out of sight a short while ago, as if they stood where they were
        self.peaceful: list[int] = []  # cells of peaceful monsters
        self.pets: list[int] = []  # cells
        self.unseen: list[int] = []  # cells beside us where something invisible was felt
        self.hampered = 0  # what being in a pit takes off the chance to hit, in twentieths
        self.unknown = -1  # the cell of a monster that may be peaceful and was not looked at yet
        self.asleep: dict[int, tuple[int, int]] = {}  # cell -> kind put to sleep there, and until when
        self._fire: dict[int, tuple[float, int]] = {}  # kind -> what its wand or arrows cost per turn, and until when
        self._provoked = (-1, -1000)  # the kind struck at last although it was peaceful, and when
        self._known: dict[int, _Known] = {}
        self._found = np.empty(CELLS, np.int32)
        self._level: LevelKey = (-1, -1)
        self._stood = (-1, -1)  # where the hero was when it looked around last, and when

    def update(self, world: World) -> None:
        """Take in the monsters on the screen."""
        state = world.state
        assert state is not None
        if world.level.key != self._level:
            self._level = world.level.key
            self._known.clear()
            self.asleep.clear()
            self._fire.clear()
            self._stood = (-1, -1)
        self.hostile, self.peaceful, self.pets, self.unseen, self.unknown = [], [], [], [], -1
        glyphs = state.glyphs
        count = int(kn.seen_monsters(glyphs, world.hero, self._found))
        if self._known and world.messages:
            self._note_blows(world)
        if not count or world.swallowed:
            self._stood = (world.hero, world.turn)
            self._note_lurking(world)
            return
        if self._known and world.messages:
            self._note_attackers(world)
            self._note_fire(world)
        known: dict[int, _Known] = {}
        for cell in self._found[:count].tolist():
            glyph = int(glyphs[cell])
            if glyph >= kn.INVISIBLE:  # unseen, or only sensed by warning
                if distance(cell, world.hero) == 1:
                    self.unseen.append(cell)
            elif glyph >= kn.PET:
                self.pets.append(cell)
            else:
                self._sort(world, cell, self._lore.kinds[glyph], known)
        for cell, entry in self._known.items():
            if cell not in known and world.turn - entry.turn < MEMORY_TURNS:
                known[cell] = entry
        self._known, self._stood = known, (world.hero, world.turn)
        self._note_lurking(world)
        self.hostile.sort(key=lambda foe: foe.distance)

    def _note_blows(self, world: World) -> None:
        """Remember the wounds of those who were struck, and forget those who were killed: the nearest of their kind."""
        said = " ".join(world.messages)
        for name in STRUCK.findall(said):
            if (cell := self._nearest(world, name)) >= 0:
                self._known[cell].wounds += mean_damage(world.stats, self._hero.offence()[1])
        for name in KILLED.findall(said):
            if (cell := self._nearest(world, name)) >= 0:
                del self._known[cell]

    def _nearest(self, world: World, name: str) -> int:
        """Return where the nearest monster of that name was seen last, or -1."""
        number = self._lore.kind_of_name.get(name, -1)
        cells = [cell for cell, entry in self._known.items() if entry.kind == number]
        return min(cells, key=lambda cell: distance(cell, world.hero), default=-1)

    def _note_lurking(self, world: World) -> None:
        """Reckon with those who went out of sight: they walk on, and come back."""
        self.lurking = []
        for cell, entry in self._known.items():
            gone, kind = world.turn - entry.turn, self._lore.kinds[entry.kind]
            if not 0 < gone <= LURKS or entry.peaceful or not entry.moved or kind.still or kind.forbidden:
                continue
            if distance(cell, world.hero) - gone * kind.row.speed / 12 <= LURK_REACH:
                foe = self._foe(world, cell, kind, entry.wounds)
                foe.gone = gone
                self.lurking.append(foe)

    def _note_attackers(self, world: World) -> None:
        """Whoever strikes at us is not peaceful, whatever was believed."""
        for name in ATTACKS.findall(" ".join(world.messages)):
            number = self._lore.kind_of_name.get(name, -1)
            for entry in self._known.values():
                if entry.kind == number:
                    entry.peaceful = False

    def _note_fire(self, world: World) -> None:
        """Remember who zaps an attack wand at us, or shoots, and what that costs."""
        said = " ".join(world.messages)
        for name in ZAPS.findall(said):
            worst = max((loss for words, loss in FIRE if words.search(said)), default=0.0)
            self._note_fire_of(world, name, worst)
        for name, count in SHOOTS.findall(said):
            self._note_fire_of(world, name, ARROW * int(count or 1))

    def _note_fire_of(self, world: World, name: str, loss: float) -> None:
        number = self._lore.kind_of_name.get(name, -1)
        if number >= 0 and loss:
            self._fire[number] = (max(loss, self._fire.get(number, (0.0, 0))[0]), world.turn + FIRE_TURNS)

    def _sort(self, world: World, cell: int, kind: Species, known: dict[int, _Known]) -> None:
        """File a monster as hostile, peaceful or to be looked at."""
        entry = self._entry(world, cell, kind)
        if entry is None:
            if self._may_be_peaceful(world, kind):
                self.unknown = cell
                return
            came = (
                self._stood[0] == world.hero and self._stood[1] < world.turn
            )  # whoever comes into sight while we stand still walks
            entry = _Known(kind.number, bool(kind.row.flags2 & M2_PEACEFUL), world.turn, world.turn, came)
        known[cell] = entry
        entry.turn = world.turn
        number, turn = self._provoked
        if entry.peaceful and number == kind.number and world.turn - turn <= ANGER_TURNS:
            entry.peaceful = distance(cell, world.hero) > 1 + world.turn - turn
        if entry.peaceful:
            self.peaceful.append(cell)
            world.memory[kn.PEACEFUL, kind.number] = world.turn + PEACE_TURNS  # ways lead around it
        else:
            foe = self._foe(world, cell, kind, entry.wounds)
            foe.idle, foe.moved = world.turn - entry.since, entry.moved
            if kind.row.letter == LETTER_NYMPH and foe.dozes:
                world.memory[kn.PEACEFUL, kind.number] = world.turn + PEACE_TURNS
            self.hostile.append(foe)

    def _entry(self, world: World, cell: int, kind: Species) -> _Known | None:
        """Return what is known of the monster at `cell`: it may have walked since it was seen last."""
        best, best_distance = None, 99
        oldest = world.turn - (SURE_TURNS if self._may_be_peaceful(world, kind) else MEMORY_TURNS)
        for at, entry in self._known.items():
            if entry.kind != kind.number or (entry.turn < oldest and not entry.peaceful):
                continue
            away = distance(at, cell)
            reach = 1 + (world.turn - entry.turn + 1) * max(1, kind.row.speed // 10)
            if away <= reach and away < best_distance:
                best, best_distance = at, away
        if best is None:
            return None
        entry = self._known.pop(best)
        if best != cell or world.turn - entry.turn > 1:
            entry.since = world.turn  # it walked, or may have done so unseen
        entry.moved = entry.moved or best != cell
        return entry

    def _may_be_peaceful(self, world: World, kind: Species) -> bool:
        flags = kind.row.flags2
        friends = LOVED.get(self._hero.race, 0)
        if flags & M2_HOSTILE and not flags & friends:
            return False
        if flags & M2_PEACEFUL or flags & friends:
            return True
        side = world.stats[st.ALIGNMENT]
        return (kind.row.alignment > 0) - (kind.row.alignment < 0) == side

    def look(self, world: World) -> Phrase:
        """Return the command that asks the game who stands at `unknown`; it takes no turn."""
        rows, cols = self.unknown // COLS - world.hero // COLS, self.unknown % COLS - world.hero % COLS
        down, right = ("J", "j") if rows > 0 else ("K", "k"), ("L", "l") if cols > 0 else ("H", "h")
        rows, cols = abs(rows), abs(cols)
        moves = down[0] * (rows // 8) + down[1] * (rows % 8) + right[0] * (cols // 8) + right[1] * (cols % 8)
        return Phrase(";" + moves + ".")

    def learn(self, world: World, cell: int, glyph: int) -> None:
        """Note the game's answer to `look`."""
        said = " ".join(world.messages)
        self._known[cell] = _Known(glyph, "peaceful" in said or "tame" in said, world.turn, world.turn)

    def provoke(self, world: World, cell: int) -> None:
        """Note that we strike at the peaceful monster at `cell`."""
        assert world.state is not None
        self._provoked = (int(world.state.glyphs[cell]), world.turn)

    def befriend(self, cell: int) -> None:
        """Note that the animal at `cell` is fed, which makes it peaceful; if it strikes all the same, that is seen."""
        if cell in self._known:
            self._known[cell].peaceful = True

    def spare(self, world: World, cell: int) -> None:
        """The game asked whether we really attack: whoever stands there is peaceful."""
        assert world.state is not None
        glyph = int(world.state.glyphs[cell]) if 0 <= cell < CELLS else kn.PET
        if glyph < kn.PET:
            self._known[cell] = _Known(glyph, True, world.turn, world.turn)

    def beside(self, world: World, kinds: Iterable[Species]) -> list[Foe]:
        """Return monsters of these kinds as if they stood beside the hero."""
        return [self._foe(world, world.hero + 1, kind) for kind in kinds]

    def _foe(self, world: World, cell: int, kind: Species, wounds: float = 0.0) -> Foe:
        stats, hero = world.stats, self._hero
        armour, level = stats[st.ARMOUR], kind.row.level
        chance = min(1.0, max(0.05, (9 + level + armour) / 20))
        soft = ARMOUR_SOFTENS * max(0, -armour)
        each = sum(max(0.5, mean - soft) * (chance if aimed else 0.5) for mean, aimed in kind.hits)
        loss = each * kind.row.speed / 12 / hero.speed() * (FLUTTER if kind.row.letter == LETTER_BAT else 1.0)
        hit, harm = hero.offence()
        luck = 1 + stats[st.EXPERIENCE] + kind.armour + hit - self.hampered + hit_bonus(stats)
        hit_chance = min(0.98, max(0.05, (luck - 1) / 20))
        damage = mean_damage(stats, harm)
        left = max(LEAST_LEFT * kind.hp, kind.hp - wounds)
        hp = stats[st.HP]
        number, until = self.asleep.get(cell, (-1, -1))
        if number == kind.number and world.turn < until:
            return Foe(cell, kind, distance(cell, world.hero), 0.0, left / damage / hero.speed(), 0.0, sleeps=True)
        spike = max(0.0, (kind.most - hp) / max(1.0, kind.most)) * chance * min(1.0, kind.row.speed / 12)
        heals = HEALS if kind.row.flags1 & M1_REGEN else 0.0
        blows = left / max(0.3, hit_chance * damage * hero.speed() - heals)
        if kind.bursts:
            blows = min(1.0, blows)
        fire, until = self._fire.get(kind.number, (0.0, 0))
        fire = fire if world.turn < until else 0.0
        return Foe(cell, kind, distance(cell, world.hero), max(loss, fire), blows, spike, fire=fire)
