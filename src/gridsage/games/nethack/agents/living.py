"""Food and prayer: what is eaten and when, how long it lasts, and when a god is asked for help."""

from __future__ import annotations

import re
from functools import partial

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Offer, Plan, walk
from gridsage.games.nethack.agents.body import FRESH_TURNS, Body, bid_of
from gridsage.games.nethack.agents.dialogue import Phrase, question
from gridsage.games.nethack.agents.foes import expected_loss
from gridsage.games.nethack.agents.hero import FOOD, STRONG_ROLES, Item, is_low
from gridsage.games.nethack.agents.knowledge import (
    M2_DEMON,
    M2_UNDEAD,
    M2_WERE,
    NEVER_ROTS,
    RACE_FLAGS,
    Species,
)
from gridsage.games.nethack.agents.world import CONFUSED, STUNNED, World
from gridsage.games.nethack.state import State

SATIATED, NOT_HUNGRY, HUNGRY, WEAK, FAINTING = range(5)
# Food that is safe at any age, what is eaten first at the front.
RATIONS = (
    "orange", "apple", "pear", "melon", "banana", "carrot", "candy bar", "fortune cookie", "pancake", "cram ration",
    "slime mold", "lump of royal jelly", "food ration", "K-ration", "C-ration", "lembas wafer",
    "sprig of wolfsbane", "clove of garlic", "kelp frond", "eucalyptus leaf", "tripe ration", "meatball",
    "meat stick", "huge chunk of meat",
)  # fmt: skip
SLOW_MEALS = ("tin", "cream pie")  # eaten last
LAST_MEALS = (*SLOW_MEALS, "egg")  # perhaps old: for those who starve
# What kills, changes or paralyses whoever eats it.
FATAL_MEALS = frozenset(
    {
        "cockatrice", "chickatrice", "Medusa", "green slime", "Death", "Pestilence", "Famine", "small mimic",
        "large mimic", "giant mimic", "chameleon", "doppelganger",
    }
)  # fmt: skip
SMELLS_OF_PEOPLE = re.compile(r"smells like [^.]*(?:were|human|el(?:f|ves)|dwar|gnom)")  # tins that make cannibals
# Whose flesh makes cannibals of those with lycanthropy: the beasts that they turn into, and their kin.
KIN_OF_WERES = frozenset(
    {"sewer rat", "giant rat", "jackal", "fox", "coyote", "wolf", "warg", "winter wolf cub", "winter wolf"}
)
BEARABLE = 20  # hit points above which a poisonous meal, which costs 15 at most, is survived
DEADLY = 1 | 2 | 4 | 8 | 16  # turning to stone or slime, strangled, poisoned by food, ill
CORPSE_STEPS, HUNGRY_STEPS = 12, 25  # farther corpses are not worth the way, also for the hungry
FULL = 1500  # nutrition up to which somebody satiated eats on: the game warns from here on, and one chokes at 2000
EDIBLE_TURNS = 55  # a corpse kills from 60 turns on; before that it may cost a few hit points, which hunger is worth
STOCK, SURE = 900, 0.98  # nutrition that is kept for worse times; the chance of a prayer that counts as sure
HEARD_IN_NEED = 0.955  # the chance with which those who live on prayers and corpses pray: one failure ends that life
FED_WEAK = 50  # nutrition below which hunger weakens
HUNGER_LASTS, FORAGE_HOPE = 100, 0.9  # turns before hunger weakens; the chance of a prayer that is waited for
FED_LAST = 15  # nutrition left, of some fifty, with which the weak pray at last
SURE_OF_HELP, LAST_HOPE = 0.95, 0.4  # the chance of a prayer with which the weak stay, and with which they pray at last
# The chance of a prayer that the starving wait for, and for how many turns: whoever has fainted hardly grows hungrier.
# Of 51 fasts in tuning games two ended in death, one for each 4,000 turns: between 500 and 1,000 turns after a prayer
# the chance grows too slowly for that.
PATIENT, FAST_TURNS = 0.87, 450
STRUCK = 1  # turns after a wound in which those who have fainted rely on nothing but a prayer
PREY, PREY_STEPS = 0.3, 8  # share of hit points that foes so near may cost the starving, who would eat them
UNDER_FIRE = 0.5  # the chance of a prayer with which those pray who are nearly dead and were just shot at
FEVER = 0.93  # the chance of a prayer with which it is said against lycanthropy
FEVER_FED = 350  # turns for which food must last before that prayer: hunger will need one soon, which may cure both
FEVER_SHARE = 0.5  # share of hit points below which that prayer is kept for wounds
BEAST = 0.93  # the same when it has broken out: it passes by itself, and a beast that is killed is human again
FIT_TO_HUNT = 0.5  # share of hit points from which on the starving drive nobody away that they could eat
FIT = 0.4  # share of hit points below which nobody eats for pleasure
TRY_AGAIN = 15  # turns after which a meal that was refused is tried again


def is_ration(item: Item) -> bool:
    """Return True for food that is ours and safe at any age."""
    if item.unpaid:
        return False  # whoever eats it has to pay for it all the same
    return item.name in RATIONS or item.name.startswith(("lichen corpse", "lizard corpse"))


def eating(item: Item) -> Phrase:
    """Return the command that eats something carried."""
    replies = (
        ("eat it?", "n"),
        ("here; eat", "n"),
        ("want to eat", item.letter),
        ("Eat it", smells_safe),
        ("open", "y"),
    )
    return Phrase("e", replies)


def smells_safe(state: State) -> str:
    """Return the answer to whether what an open tin smells of shall be eaten: the smell is told before the question."""
    said = " ".join((*state.messages, question(state)))
    return "n" if any(name in said for name in FATAL_MEALS) or SMELLS_OF_PEOPLE.search(said) else "y"


def urgent_meal(body: Body) -> Item | None:
    """Return what is eaten even in sight of foes: who is weak may faint before they leave."""
    if body.world.stats[st.HUNGER] < WEAK:
        return None
    return min((item for item in body.hero.items if is_ration(item)), key=ration_rank, default=None)


def ration_rank(item: Item) -> int:
    """Return how soon something is eaten: what spoils nothing and is quickly eaten comes first."""
    return RATIONS.index(item.name) if item.name in RATIONS else len(RATIONS)


def is_foraging(body: Body) -> bool:
    """Return True if the hero is hungry, carries no food, and can hardly hope for a prayer when it is weak."""
    world, hero = body.world, body.hero
    if world.stats[st.HUNGER] < HUNGRY or hero.prayer_chance(world.turn + HUNGER_LASTS) >= FORAGE_HOPE:
        return False
    return not any(is_ration(item) for item in hero.items)


def provisions(body: Body) -> int:
    """Return for how many turns the last meals and the food carried will last."""
    return body.hero.fed + sum(body.hero.nourishment(item) for item in body.hero.items if is_ration(item))


def hope_of_food(body: Body) -> float:
    """Return the chance that a prayer will help when hunger weakens the hero, nothing being eaten until then."""
    return body.hero.prayer_chance(body.world.turn + max(0, provisions(body) - FED_WEAK))


def runs_short(body: Body, turns: int) -> bool:
    """Return True if the food will be gone in so many turns, and a prayer may fail when hunger weakens."""
    return provisions(body) < turns and hope_of_food(body) < HEARD_IN_NEED


def is_godless(body: Body) -> bool:
    """Return True for the hungry whom no prayer will feed any more."""
    return body.world.stats[st.HUNGER] >= HUNGRY and body.hero.is_forsaken(body.world.turn)


def lives_on_prey(body: Body) -> bool:
    """Return True for the starving whom no prayer will feed, and who are fit to fight: whoever comes is a meal."""
    stats = body.world.stats
    if stats[st.HUNGER] < WEAK or body.hero.prayer_chance(body.world.turn) >= LAST_HOPE:
        return False
    return stats[st.HP] >= FIT_TO_HUNT * stats[st.HP_MAX] and not any(is_ration(item) for item in body.hero.items)


def fasts(body: Body) -> bool:
    """Return True for the starving who lie still until their god may hear them again, if nobody comes before."""
    hero, world = body.hero, body.world
    hunger = world.stats[st.HUNGER]
    if hunger < WEAK or not -FAST_TURNS < hero.fed <= FED_LAST or body.diving or body.overdue:
        return False
    chance, later = (hero.prayer_chance(turn) for turn in (world.turn, world.turn + 2 * FAST_TURNS))
    if chance >= PATIENT or later < PATIENT or any(is_ration(item) for item in hero.items):
        return False
    if hunger == WEAK:
        return not is_pressed(body)
    # Who faints in a fight is lost, even against a bat; and no word holds off those who strike at whoever has fainted.
    return world.turn - body.hurt_turn > STRUCK and (body.is_quiet() or body.is_on_word)


def is_pressed(body: Body) -> bool:
    """Return True if those in sight are no prey, and the word does not hold them off."""
    near = [foe for foe in body.foes.hostile if foe.distance <= PREY_STEPS and not foe.kind.still]
    return not body.is_on_word and expected_loss(near, len(near)) > PREY * body.world.stats[st.HP]


def is_bearable(kind: Species) -> bool:
    """Return True if a fresh corpse of this kind, poisonous or acidic, only costs hit points or friends."""
    if kind.name in FATAL_MEALS or kind.row.flags2 & (M2_UNDEAD | M2_WERE | M2_DEMON):
        return False
    return kind.row.nutrition > 0


class Worship:
    """Pray when hunger weakens, or when something else is killing that only a god can cure."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority

    def bid(self, world: World) -> Offer | None:
        hero, stats = self._body.hero, world.stats
        chance = hero.prayer_chance(world.turn)
        hungry = stats[st.HUNGER]
        needed = 0.0
        if stats[st.CONDITION] & DEADLY:
            needed = 0.2
        elif fasts(self._body):
            return None
        elif hungry >= FAINTING:
            needed = LAST_HOPE  # a prayer that fails is the last; hunger leaves time to look for food
        elif hungry == WEAK:
            needed = self._hunger_prayer(world)
        elif is_low(stats) and world.turn - self._body.hurt_turn < 10 and not hero.beast:
            needed = UNDER_FIRE if self._body.was_shot() else 0.85  # the next ray kills
        elif hero.beast and not self._hungers():
            needed = BEAST
        elif hero.feverish and self._is_calm(world) and not self._body.diving and not self._hungers():
            needed = FEVER  # a beast drops weapon and armour; but who bit us once is near, and bites again
        elif self._body.is_in_rock():
            needed = SURE_OF_HELP
        if hero.feverish and self._body.is_quiet() and (cure := self._cure(world)) is not None:
            return bid_of(self._priority, "cure", 0, cure)
        if not needed or chance < needed:
            return None
        return bid_of(self._priority, "pray", 0, arms.prayer(self._body))

    def _is_calm(self, world: World) -> bool:
        """Return True if the same prayer will hardly be needed for wounds, which would cure the fever as well."""
        stats = world.stats
        return self._body.is_quiet() and stats[st.HP] >= FEVER_SHARE * stats[st.HP_MAX]

    def _hungers(self) -> bool:
        """Return True if the same prayer will soon be needed against hunger."""
        return provisions(self._body) < FEVER_FED

    def _hunger_prayer(self, world: World) -> float:
        """Return the chance with which the weak pray: in a fight they wait as long as they can, and pray only once.

        Those whom the god may not hear yet wait, too: each turn may bring food, and adds to the god's patience. But
        whoever has a fair chance does not wait until it faints: the first faint comes at once, and many do not wake up.
        """
        body = self._body
        unsure = body.hero.prayer_chance(world.turn) < HEARD_IN_NEED
        waits = (unsure or not body.is_quiet()) and body.hero.fed > FED_LAST
        return 0.0 if waits else LAST_HOPE

    def _cure(self, world: World) -> Phrase | None:
        """Return a cure of lycanthropy that is carried; holy water burns the chaotic."""
        burns = world.stats[st.ALIGNMENT] < 0
        for item in self._body.hero.items:
            if "holy water" in item.name and "unholy" not in item.name and not burns:
                return Phrase("q", (("drink from", "n"), ("drink", item.letter)))
            if item.name == "sprig of wolfsbane":
                return Phrase("e", (("eat it", "n"), ("want to eat", item.letter)))
        return None


class Dine:
    """Eat fresh corpses that are safe, and carried food when hungry."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._tried: dict[tuple[object, int], int] = {}

    def bid(self, world: World) -> Offer | None:
        hunger = world.stats[st.HUNGER]
        beset = any(foe.beside for foe in self._body.foes.hostile) or hunger < WEAK
        if (
            (beset and not self._body.is_quiet())
            or (hunger < WEAK and self._body.is_under_fire())
            or world.stats[st.CONDITION] & (STUNNED | CONFUSED)
        ):
            return None
        if hunger >= HUNGRY and not self._fasts(world) and (meal := self._ration(world)) is not None:
            return meal  # a prayer saved is a life saved: most who died while growing carried food
        if hunger < HUNGRY and world.stats[st.HP] < FIT * world.stats[st.HP_MAX]:
            return None  # a meal takes long, and foes come meanwhile
        return self._corpse(world)

    def _fasts(self, world: World) -> bool:
        """Return True if somebody strong keeps a small stock for the time when no prayer helps, as one will now.

        The others need their prayers for wounds.
        """
        hero = self._body.hero
        if hero.role not in STRONG_ROLES:
            return False
        if world.stats[st.HUNGER] >= WEAK or hero.prayer_chance(world.turn + HUNGER_LASTS) < HEARD_IN_NEED:
            return False
        return 0 < sum(hero.nourishment(item) for item in hero.items if is_ration(item)) < STOCK

    def _ration(self, world: World) -> Offer | None:
        meals = [item for item in self._body.hero.items if item.kind == FOOD and self._is_ration(item)]
        best = min((item for item in meals if self._may_try(world, item.letter, 0)), key=ration_rank, default=None)
        if best is None:
            return None
        return Offer(self._priority, "eat", ord(best.letter), partial(self._eat, world, best.letter, eating(best)))

    def _eat(self, world: World, letter: str, command: Phrase) -> Plan:
        self._tried[letter, 0] = world.turn
        self._body.unfinished = None
        yield command

    def _may_try(self, world: World, what: object, kind: int) -> bool:
        return world.turn - self._tried.get((what, kind), -1000) > TRY_AGAIN

    def _is_ration(self, item: Item) -> bool:
        if item.unpaid:
            return False
        if item.name.startswith(SLOW_MEALS):
            return True  # a prayer is worth more than the turns that a tin takes
        starving = self._body.world.stats[st.HUNGER] >= WEAK
        return is_ration(item) or (starving and item.name.startswith(LAST_MEALS))

    def _corpse(self, world: World) -> Offer | None:
        body = self._body
        hungry = world.stats[st.HUNGER] >= HUNGRY
        best, best_way = -1, HUNGRY_STEPS if hungry else CORPSE_STEPS
        fresh = EDIBLE_TURNS if hungry else FRESH_TURNS
        for spot, (kind, died) in list(body.corpses.items()):
            level, cell = spot
            if world.turn - died > EDIBLE_TURNS:
                del body.corpses[spot]
                continue
            begun = spot == body.unfinished  # whoever broke off comes back as soon as it may; others were refused
            if level != world.level.key or not self._is_good(world, kind):
                continue
            if not begun and not self._may_try(world, cell, kind):
                continue
            if world.memory[kn.SHUNNED, cell] and not self._starves(world):
                continue  # who falls in a shop belongs to its keeper, who lets nobody out that cannot pay
            if world.memory[kn.OBJECT, cell] != kn.BODY + kind + 1 and cell != world.hero:
                continue
            way = 0 if cell == world.hero else int(world.paths()[cell])
            if way < best_way and way + world.turn - died <= (EDIBLE_TURNS if begun else fresh):
                best, best_way = cell, way
        if best < 0:
            return None
        return Offer(self._priority, "dine", best, partial(self._dine, world, best))

    def _is_good(self, world: World, number: int) -> bool:
        kind, hero = self._body.lore.kinds[number], self._body.hero
        if kind.name == "wraith":
            return True
        if world.stats[st.HUNGER] == SATIATED and hero.fed + kind.row.nutrition > FULL:
            return False
        own = RACE_FLAGS.get(hero.race, 0)
        kin = kind.row.flags2 & own or (hero.feverish and kind.name in KIN_OF_WERES)
        if hero.role != "cav" and hero.race != "orc" and kin and not is_godless(self._body):
            return False  # cannibals are out of luck, and no prayer of theirs is heard
        if kind.feeds_immune if hero.resists_poison else kind.edible:
            return True
        return kind.name in NEVER_ROTS or (self._starves(world) and is_bearable(kind))

    def _starves(self, world: World) -> bool:
        """Return True if a meal that hurts is better than none."""
        if world.stats[st.HP] <= BEARABLE:
            return False
        weak = world.stats[st.HUNGER] >= WEAK and self._body.hero.prayer_chance(world.turn) < SURE
        return weak or is_godless(self._body)

    def _dine(self, world: World, cell: int) -> Plan:
        yield from walk(world, cell)
        if world.hero != cell:
            return
        kind, _ = self._body.corpses.get((world.level.key, cell), (-1, 0))
        if kind < 0:
            return
        self._tried[cell, kind] = world.turn
        name = self._body.lore.kinds[kind].name
        self._body.eating, self._body.unfinished = (world.level.key, cell), None
        yield Phrase("e", ((f"{name} corpse here; eat it", "y"), (f"{name} corpses here; eat", "y"), ("eat it", "n")))
