"""Unknown wands: each is written with once, in the dust over an x, which tells of most of them what they do."""

from __future__ import annotations

from functools import partial

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import WEAK, Offer, Plan
from gridsage.games.nethack.agents.body import Body, Spot
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.hero import FAST_ROLES, WAND, WISH, Item
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.world import World
from gridsage.games.nethack.state import State

# What the game says of a wand that it does not name at once (engrave.c). Death stops the bugs, too, one time in eleven.
SIGNS = (
    ("stop moving", "sleep"),
    ("bullet holes", "magic missile"),
    ("ice cubes", "cold"),
    ("unsuccessfully fights", "striking"),
    ("slow down", "slow monster"),
    ("speed up", "speed monster"),
    ("now reads:", "polymorph"),
)
VANISHED = "vanishes"  # teleportation, cancellation or make invisible: zapped at foes as if nothing were known
SILENT = "nothing"  # opening, locking, probing, undead turning and nothing itself say nothing, nor do empty ones
HASTENED = ("You speed up", "new energy")
HEALTHY = 0.6  # share of hit points: some wands create a monster, one in twenty-five blinds
TRIES = 3  # of writing with one wand, or of zapping ourselves


class Assay:
    """Write with each unknown wand once, where nobody is near; zap ourselves with one of speed."""

    def __init__(self, body: Body, mind: Personality) -> None:
        self._body, self._priority = body, mind.priorities.equip
        self._wanted = mind.milestones.writes_with_wands
        self._marked: Spot | None = None  # where an x was written
        self._testing = ""  # the wand being written with, by its looks
        self._wrote = False  # the game asked what to write with it
        self._tries: dict[str, int] = {}

    def note(self, world: World, speaking: bool) -> None:
        """Take in what the game said of the wand; one of which it said nothing until the end is of no use.

        Args:
            speaking: the command of writing is not over yet.
        """
        if not world.messages and not self._testing:
            return
        hero, said = self._body.hero, " ".join(world.messages)
        if any(words in said for words in HASTENED) and "bugs" not in said:
            hero.hastened = True
        if not self._testing:
            return
        power = next((power for words, power in SIGNS if words in said), None)
        if power is not None or VANISHED in said:
            self._marked = None
            hero.learn_wand(self._testing, power or "")
            self._testing = ""
        elif not speaking:
            self._conclude()

    def _conclude(self) -> None:
        """Hold a wand for useless that was written with, and of which the game said nothing and tells no name."""
        hero = self._body.hero
        if self._wrote and any(item.name == self._testing for item in hero.items):
            hero.learn_wand(self._testing, SILENT)
        self._testing = ""

    def bid(self, world: World) -> Offer | None:
        body, stats = self._body, world.stats
        if not self._wanted or not any(item.kind == WAND for item in body.hero.items):
            return None
        if not body.is_quiet() or body.foes.hostile or body.is_under_fire() or body.hero.beast or not world.sees:
            return None
        if (haste := self._haste()) is not None:
            return haste
        wand = self._unknown()
        if wand is None or stats[st.HP] < HEALTHY * stats[st.HP_MAX] or stats[st.HUNGER] >= WEAK or body.is_on_word:
            return None
        if world.memory[kn.SHUNNED, world.hero] or not arms.can_write(body):
            return None
        return Offer(self._priority, "try a wand", ord(wand.letter), partial(self._plan, world, wand))

    def _unknown(self) -> Item | None:
        """Return a wand that nobody knows and that was not written with yet."""
        for item in self._body.hero.items:
            unknown = item.kind == WAND and item.number < 0 and item.name not in self._body.hero.wand_powers
            if unknown and not item.unpaid and self._tries.get(item.name, 0) < TRIES:
                return item
        return None

    def _haste(self) -> Offer | None:
        """Return the zap at ourselves that makes fast for good."""
        hero = self._body.hero
        wand = next((item for item in hero.items if item.kind == WAND and item.name == "speed monster"), None)
        if wand is None or wand.unpaid or hero.hastened or hero.role in FAST_ROLES or self._tries.get("z", 0) >= TRIES:
            return None
        return Offer(self._priority, "zap oneself", ord(wand.letter), partial(self._zap, wand))

    def _zap(self, wand: Item) -> Plan:
        self._tries["z"] = self._tries.get("z", 0) + 1
        self._body.zapped = wand.letter
        yield Phrase("z", (("zap", wand.letter), ("direction", ".")))

    def _plan(self, world: World, wand: Item) -> Plan:
        if wand.name in self._body.hero.wand_powers:
            return  # the bot asks once more for a plan that has just ended
        here = (world.level.key, world.hero)
        if self._marked != here:
            self._marked = here
            yield arms.engraving("x")
        self._tries[wand.name] = self._tries.get(wand.name, 0) + 1
        self._testing, self._wrote = wand.name, False
        yield Phrase(
            "E",
            (
                ("write with", wand.letter),
                ("add to the current", "y"),
                ("do you wish", WISH),
                ("want to", self._write),
            ),
        )
        self._conclude()

    def _write(self, state: State) -> str:
        self._wrote = True
        return "x\r"
