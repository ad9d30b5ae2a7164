"""What all survival behaviours share: world, hero, foes, and what was learned of the ground underfoot."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import partial

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.behaviours import Offer
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.foes import (
    LETTER_NYMPH,
    Foe,
    Foes,
    chance_of_death,
    distance,
    harm_bonus,
    hit_bonus,
)
from gridsage.games.nethack.agents.hero import Hero
from gridsage.games.nethack.agents.knowledge import M2_COLLECT, Knowledge, Species
from gridsage.games.nethack.agents.world import CONFUSED, STEP_OF_WAY, STUNNED, WAYS, LevelKey, World
from gridsage.games.nethack.level import CELLS, COLS

FRESH_TURNS = 39  # a corpse is never rotten before its 40th turn (eat.c), and sickens a few of those who eat it then
NEAR = 6  # a walking foe within so many steps leaves no time for anything else
UNSEEN_TURNS = 5  # how long something unseen is believed to be near
SHAKEN_TURNS, RECOVERED = 300, 0.85
SLEEP_TURNS = 40  # a ray of sleep lasts 6 times 1 to 25 turns, hardly ever fewer than this
NEVER = 10_000.0  # turns, more than any fight takes
STROKE, THROUGH = 12, 250  # mean effort of a stroke, and the effort that a hole takes
IN_PIT = 3  # what being in a pit takes off the chance to hit, in twentieths
AMBUSH_ROUNDS = 2.5  # rounds that a pack at the stairs strikes at us before we leave again
AMBUSH_TURNS = 1200  # after so long a pack at the stairs is braved, whatever the risk
# Armour class up to which nymphs are worth avoiding; what a robbery costs, on the scale of the chance of dying; and how
# long a nymph is believed to wait at stairs.
CLAD, ROBBED, ROBBERS_WAIT = 5, 0.35, 3000
_BROKEN_OFF = re.compile(r"You stop eating [^.]* corpse\.")
_UNSEEN = re.compile(
    r"\bIt (?:hits|bites|stings|claws|kicks|butts|touches|misses|swings|thrusts)|Something casts a spell at you"
)
_KILLED = re.compile(r"You (?:kill|destroy)|is killed|is destroyed")
_READS = re.compile(r'You read: "([^"]*)"')
_SLEPT = re.compile(r"sleep ray hits the ([a-zA-Z -]+?)[.!]")
_HELD = re.compile(
    r"cannot escape from|grabs you|swings itself around you|You are being (?:crushed|held)|stuck to (?:it|the)"
)
_ENGULFED = re.compile(
    r"(?:engulfs|swallows) you(?!.*expelled)|What are you looking for\?  The exit\?$|You can't see in here!$"
)
_RELEASED = re.compile(r"expelled|regurgitate|You (?:kill|destroy)|thin air|You (?:climb|descend)|You see here|You die")
_WIELDED = re.compile(r"The [^.!]* (?:swings|wields|applies) [^.!]*[.!]")
_SHOT = re.compile(r"You are (?:almost )?hit by|(?:misses you|hits you)[.!]|nearby zap")
TOOLS = ("pick-axe", "broad pick", "dwarvish mattock")
FIRE_TURNS = 6
BELONGINGS_TURNS = 1500  # how long what a beast dropped is gone back for
FLED_TURNS = 300  # how long stairs that were fled over are not taken by a diver
HELD_TURNS = 2
WALLED_TURNS = 100  # turns of searching in vain after which no way leads out of the rock around us
HUNTED = 0.3  # share of our hit points that those out of sight may cost before they are feared
Spot = tuple[LevelKey, int]


class Body:
    """The hero in its world."""

    def __init__(self, world: World, lore: Knowledge) -> None:
        self.world, self.lore = world, lore
        self.hero = Hero(lore)
        self.foes = Foes(lore, self.hero)
        self.corpses: dict[Spot, tuple[int, int]] = {}  # fresh ones: kind and turn of death
        self._fallen: dict[Spot, tuple[int, int]] = {}  # where somebody fell on bare ground: kind and turn of death
        self.piles: set[Spot] = set()  # where somebody fell who may have carried things, not looked through yet
        self.abandoned: set[Spot] = set()  # where everything was dropped to squeeze past a boulder
        self.eating: Spot | None = None  # the corpse being eaten
        self.unfinished: Spot | None = None  # the one left half-eaten, nothing else having been eaten since
        self._under: dict[int, int] = {}  # what lay under each foe before it fell, an entry of the OBJECT plane
        self.elbereth: Spot | None = None  # where the word was read last
        self.elbereth_turn = -1
        self.pit: Spot | None = None  # the pit dug last
        self.effort = 0.0  # spent on the hole that is dug, as far as we know
        self._hole: Spot | None = None  # where it is
        self._strokes: int | None = None  # since when it is dug at
        self.hurt_turn = -1000  # when hit points fell last
        self.unseen_turn = -1000  # when something unseen attacked last
        self.engulfed = False
        self.empty: set[str] = set()  # letters of wands that did nothing
        self.fled: tuple[LevelKey, int] = ((-1, -1), -1000)  # the level left in danger, and when
        self.ambushes: dict[LevelKey, tuple[tuple[Species, ...], int]] = {}  # who waits at the stairs there, since when
        self.muted: dict[str, int] = {}  # what the game refuses, by name, and until which turn it is not tried
        self.diving = False  # on the way down for good
        self.doomed = False  # hunger will come, and no prayer will help: down, whatever the danger, and no waiting
        self.tunnelling = False  # on the way to a vault
        self.walled_in = False  # no way on was found for long, and a floor can be dug through
        self.desperate = False  # long without progress: what bars the only way is struck, and nothing else is sought
        self.overdue = False  # progress is: nothing is waited for, and foes are fought or walked past
        self.cornered = False  # nobody has come for so long that those who wait at the stairs are fought to the end
        self.dropped: Spot | None = None  # where a beast dropped weapon and armour
        self.dropped_turn = -1000  # and when
        self.tool_spot: Spot | None = None  # where something to dig with lies, seen by standing on it
        self.shot: tuple[LevelKey, int] = ((-1, -1), -1000)  # where something flew at us last, and when
        self.seen_turn = -1000  # when a hostile monster that walks was in sight last
        self.held_turn = -1000  # when somebody was last felt to hold us
        self.zapped = ""  # the letter of the wand zapped last
        self._hp = 0

    def update(self) -> None:
        """Take in the new observation; the world is up to date."""
        world, state = self.world, self.world.state
        assert state is not None
        self.hero.update(world, state)
        stood = {foe.cell: foe.kind.number for foe in self.foes.hostile}
        self.foes.hampered = IN_PIT if self.pit == (world.level.key, world.hero) else 0
        if self.hero.race:  # before it is known nobody can tell who is peaceful
            self.foes.update(world)
        if world.messages and stood and _KILLED.search(" ".join(world.messages)):
            self._note_piles(stood)
            self._note_corpses(stood)
        if any(not foe.kind.still and not foe.kind.forbidden for foe in self.foes.hostile):
            self.seen_turn = world.turn
        self._under = {foe.cell: int(world.memory[kn.OBJECT, foe.cell]) for foe in self.foes.hostile}
        hp = world.stats[st.HP]
        if self._strokes is not None and world.turn > self._strokes:
            self._note_strokes(world.turn - self._strokes)
            self._strokes = None
        if hp < self._hp:
            self.hurt_turn = world.turn
        self._hp = hp
        if world.messages:
            self._listen()

    def _listen(self) -> None:
        world = self.world
        said = " ".join(world.messages)
        if "nothing happens" in said.lower() or "wrest" in said:
            self.empty.add(self.zapped)
        if "You finish eating" in said and self.eating is not None:
            self.corpses.pop(self.eating, None)
        if _BROKEN_OFF.search(said):
            self.unfinished = self.eating
        if _UNSEEN.search(said):
            self.unseen_turn = world.turn
        if "You read" in said or "You see no objects" in said or "You see here" in said or "that are here" in said:
            self.read_ground(said)
        for name in _SLEPT.findall(said):
            for foe in self.foes.hostile:
                if foe.kind.name == name and self.way_towards(foe.cell) >= 0:
                    self.foes.asleep[foe.cell] = (foe.kind.number, world.turn + SLEEP_TURNS)
        if _ENGULFED.search(said):
            self.engulfed = True  # whoever is blind does not see it
        elif _RELEASED.search(said):
            self.engulfed = False
        if _SHOT.search(said):
            self.shot = (world.level.key, world.turn)
        if _HELD.search(said):
            self.held_turn = world.turn
        if "You turn into a were" in said:  # what falls to the floor is wanted back by human hands
            self.dropped, self.dropped_turn = (world.level.key, world.hero), world.turn
            self.piles.add(self.dropped)
        if "You see here" in said or "hings that are here" in said:
            self._note_tool(said)
            if self._fallen:
                self._find_corpse(said)
        if "You dig a pit" in said:
            self.pit, self.elbereth = (world.level.key, world.hero), None

    def begin_stroke(self) -> None:
        """Note that we dig down here from now on."""
        spot = (self.world.level.key, self.world.hero)
        if spot != self._hole:
            self._hole, self.effort = spot, 0.0
        self._strokes = self.world.turn

    def _note_strokes(self, turns: int) -> None:
        """Add the effort of the last turns of digging, of which the first only began it.

        A pit is an end, and the hole in it is begun anew.
        """
        said = " ".join(self.world.messages)
        if "You start digging" in said:
            self.effort = 0.0
        for _ in range(round(turns * self.hero.speed()) - 1):
            self.effort = self._deepened(self.effort)
        if "You dig a pit" in said:
            self.effort = 0.0

    def _deepened(self, effort: float) -> float:
        """Return the effort spent after one more stroke (dig.c): that of dwarves doubles with each."""
        stats, tool = self.world.stats, self.hero.digger
        each = STROKE + hit_bonus(stats) + harm_bonus(stats) + (0 if tool is None else tool.plus)
        return min(2.0 * THROUGH, (effort + max(1, each)) * (2 if self.hero.race == "dwarf" else 1))

    def turns_to_hole(self, striking: Sequence[Foe] = ()) -> float:
        """Return how many more turns the hole here takes while these strike at us.

        The command only begins to dig: the stroke follows in the next move, unless somebody struck in between.
        """
        effort = self.effort if self._hole == (self.world.level.key, self.world.hero) else 0.0
        strokes = 0
        while effort <= THROUGH:
            effort, strokes = self._deepened(effort), strokes + 1
        pace = self.hero.speed() - 1 + math.prod(max(0.0, 1 - foe.kind.row.speed / 12) for foe in striking)
        return max(1.0, strokes / pace) if pace > 0 else NEVER

    def _note_tool(self, said: str) -> None:
        """Remember whether something to dig with lies underfoot that nobody sells."""
        said = _WIELDED.sub("", said)  # in somebody's hands it does not lie here
        if any(name in said for name in TOOLS) and "for sale" not in said and " zorkmids" not in said:
            self.tool_spot = (self.world.level.key, self.world.hero)

    def belongings(self) -> Spot | None:
        """Return where weapon and armour lie that fell off a beast, as long as they may still be there."""
        return self.dropped if self.world.turn - self.dropped_turn < BELONGINGS_TURNS else None

    @property
    def is_on_word(self) -> bool:
        """Return True if the hero stands on Elbereth, as far as it knows."""
        return self.elbereth == (self.world.level.key, self.world.hero)

    @property
    def is_held(self) -> bool:
        """Return True if somebody holds the hero: no step leads away."""
        return self.world.turn - self.held_turn <= HELD_TURNS

    def ambush_risk(self, level: LevelKey) -> float:
        """Return the chance of dying from those who wait where we fled from that level, before we flee again."""
        kinds, since = self.ambushes.get(level, ((), 0))
        robbers = any(kind.row.letter == LETTER_NYMPH for kind in kinds) and self.is_clad()
        if not kinds or self.world.turn - since > (ROBBERS_WAIT if robbers else AMBUSH_TURNS):
            return 0.0
        if robbers:
            return ROBBED
        waiting = self.foes.beside(self.world, kinds)
        return chance_of_death(AMBUSH_ROUNDS * sum(foe.loss for foe in waiting), self.world.stats[st.HP])

    def is_clad(self) -> bool:
        """Return True if armour worth keeping is worn."""
        return self.world.stats[st.ARMOUR] <= CLAD

    def is_muted(self, name: str) -> bool:
        """Return True if the game refused this again and again a short while ago."""
        return self.muted.get(name, -1) > self.world.turn

    def read_ground(self, said: str) -> None:
        """Note whether Elbereth is written underfoot."""
        found = _READS.search(said)
        spot = (self.world.level.key, self.world.hero)
        if found is not None and found[1].lower() == "elbereth":
            self.elbereth, self.elbereth_turn = spot, self.world.turn
        elif self.elbereth == spot:
            self.elbereth = None

    def _note_corpses(self, stood: dict[int, int]) -> None:
        """Remember corpses that fell this very turn where a foe of that kind `stood`.

        Any other may be old; a zombie leaves the old corpse of what it was.
        """
        world = self.world
        for cell, kind in stood.items():
            corpse = kn.BODY + kind + 1
            if world.memory[kn.OBJECT, cell] == corpse and self._under.get(cell, corpse) != corpse:
                self.corpses[world.level.key, cell] = (kind, world.turn)
            elif not world.memory[kn.MONSTER, cell] and not self._under.get(cell, corpse):
                self._fallen[world.level.key, cell] = (kind, world.turn)

    def _find_corpse(self, said: str) -> None:
        """Remember the corpse underfoot of somebody whom a missile killed: it lay hidden under what was thrown."""
        spot = (self.world.level.key, self.world.hero)
        kind, died = self._fallen.pop(spot, (-1, -1))
        if kind >= 0 and self.world.turn - died <= FRESH_TURNS and f" {self.lore.kinds[kind].name} corpse" in said:
            self.corpses[spot] = (kind, died)

    def _note_piles(self, stood: dict[int, int]) -> None:
        """Remember where somebody fell who carried things: only the topmost, mostly the corpse, is on the screen."""
        world = self.world
        for cell, kind in stood.items():
            lies = world.memory[kn.OBJECT, cell] and not world.memory[kn.MONSTER, cell]
            if lies and self.lore.kinds[kind].row.flags2 & M2_COLLECT:
                self.piles.add((world.level.key, cell))

    def way_towards(self, cell: int) -> int:
        """Return the direction from the hero in which `cell` lies exactly, or -1."""
        rows, cols = cell // COLS - self.world.hero // COLS, cell % COLS - self.world.hero % COLS
        if rows and cols and abs(rows) != abs(cols):
            return -1
        step = ((rows > 0) - (rows < 0)) * COLS + (cols > 0) - (cols < 0)
        return STEP_OF_WAY.index(step) if step else -1

    def line_is_clear(self, cell: int, way: int, beyond: int, prey: int = -1) -> bool:
        """Return True if what flies in direction `way` reaches `cell` and harms no friend but `prey` on its way."""
        friends = {*self.foes.peaceful, *self.foes.pets} - {prey}
        terrain = self.world.memory[kn.TERRAIN]
        objects = self.world.memory[kn.OBJECT]
        shops = self.world.memory[kn.SHUNNED]
        at, passed = self.world.hero, False
        for _ in range(12):
            at += STEP_OF_WAY[way]
            if not 0 <= at < CELLS or at in friends:
                return passed and at not in friends
            if terrain[at] <= kn.WALL or terrain[at] in (kn.CLOSED_DOOR, kn.LOCKED_DOOR):
                return passed
            if objects[at] == kn.BOULDER + 1:
                return passed
            if shops[at]:
                return False  # what breaks or lands there has to be paid
            if passed:
                beyond -= 1
                if beyond <= 0:
                    return True
            if at == cell:
                passed = True
        return passed

    def free_run(self, way: int) -> int:
        """Return how many squares something flies in direction `way` before a wall throws it back."""
        terrain = self.world.memory[kn.TERRAIN]
        at, count = self.world.hero, 0
        while True:
            at += STEP_OF_WAY[way]
            if not 0 <= at < CELLS or terrain[at] <= kn.WALL or kn.CLOSED_DOOR <= terrain[at] <= kn.LOCKED_DOOR:
                return count
            count += 1

    def open_sides(self, cell: int) -> int:
        """Return from how many neighbouring squares something could strike at `cell`."""
        memory, turn = self.world.memory, self.world.turn
        count = 0
        for way in range(8):
            near = cell + STEP_OF_WAY[way]
            if 0 <= near < CELLS and kn.WALL < memory[kn.TERRAIN, near] < kn.WATER:
                count += int(kn.entry_cost(memory, cell, way, turn, 1)) < kn.FAR
        return count

    def is_in_rock(self) -> bool:
        """Return True if rock, walls or boulders are all around, and no hidden way was found.

        A god counts that as great trouble. It happens to those whom a vault's guard left behind in his corridor.
        """
        world = self.world
        if world.level.vain_turns < WALLED_TURNS or self.hero.digger is not None:
            return False
        around = [world.hero + step for step in STEP_OF_WAY if 0 <= world.hero + step < CELLS]
        terrain, things = world.memory[kn.TERRAIN], world.memory[kn.OBJECT]
        return all(terrain[cell] <= kn.WALL or things[cell] == kn.BOULDER + 1 for cell in around)

    def is_quiet(self) -> bool:
        """Return True if nothing hostile that walks is near and nothing unseen struck just now."""
        if self.world.turn - self.unseen_turn < UNSEEN_TURNS:
            return False
        for foe in self.foes.hostile:
            if not foe.kind.forbidden and not foe.dozes and foe.distance <= (1 if foe.kind.still else NEAR):
                return False
        return True

    def reels_beside_friends(self) -> bool:
        """Return True if a step or a blow may go astray into somebody peaceful: no question is asked, and some kill."""
        reels = self.world.stats[st.CONDITION] & (STUNNED | CONFUSED)
        return bool(reels) and any(distance(cell, self.world.hero) == 1 for cell in self.foes.peaceful)

    def is_hunted(self) -> bool:
        """Return True if somebody dangerous went out of sight a short while ago."""
        return sum(foe.loss * foe.blows for foe in self.foes.lurking) > HUNTED * self.world.stats[st.HP]

    def is_under_fire(self) -> bool:
        """Return True if things fly at us and nobody is seen who may throw them: molds do not."""
        return self.was_shot() and all(foe.kind.still or foe.kind.forbidden for foe in self.foes.hostile)

    def was_shot(self) -> bool:
        """Return True if something that flew at us has just wounded us."""
        level, turn = self.shot
        return self.world.turn - min(turn, self.hurt_turn) < FIRE_TURNS and level == self.world.level.key

    def is_shaken(self) -> bool:
        """Return True while the hero that fled over stairs has not recovered: it takes no stairs by choice."""
        stats = self.world.stats
        recent = self.world.turn - self.fled[1] < SHAKEN_TURNS
        waits = not (self.diving or self.doomed or self.overdue)
        return recent and waits and stats[st.HP] < RECOVERED * stats[st.HP_MAX]


def say(command: Phrase) -> Iterator[Phrase]:
    """Return a plan of one command."""
    return iter((command,))


def bid_of(priority: int, name: str, goal: int, command: Phrase) -> Offer:
    """Return a bid for one command."""
    return Offer(priority, name, goal, partial(say, command))


def key_of(way: int) -> str:
    """Return the letter of a direction."""
    return chr(WAYS[way])


def stairs_key(world: World, cell: int) -> str:
    """Return the key that leaves the level at `cell`, or nothing; the first stairs up would end the game."""
    terrain = world.memory[kn.TERRAIN, cell]
    if terrain == kn.UP and world.level.depth > 1:
        return "<"
    return ">" if terrain == kn.DOWN else ""
