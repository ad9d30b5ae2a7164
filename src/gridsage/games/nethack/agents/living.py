"""Staying alive between fights: prayer, food, sleep, and clear senses."""

from __future__ import annotations

from functools import partial

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Offer, Plan, walk
from gridsage.games.nethack.agents.body import FRESH_TURNS, Body, bid_of, stairs_key
from gridsage.games.nethack.agents.dialogue import Phrase, question
from gridsage.games.nethack.agents.hero import FOOD, STRONG_ROLES, Item, is_low
from gridsage.games.nethack.agents.knowledge import (
    M2_DEMON,
    M2_UNDEAD,
    M2_WERE,
    NEVER_ROTS,
    RACE_FLAGS,
    Species,
)
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.watchdog import Watchdog
from gridsage.games.nethack.agents.world import BLIND, CONFUSED, HALLUCINATING, STUNNED, LevelKey, World
from gridsage.games.nethack.keys import LABELS
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
        "large mimic", "giant mimic", "chameleon", "doppelganger", "violet fungus",
    }
)  # fmt: skip
BEARABLE = 20  # hit points above which a poisonous meal, which costs 15 at most, is survived
DEADLY = 1 | 2 | 4 | 8 | 16  # turning to stone or slime, strangled, poisoned by food, ill
CORPSE_STEPS, HUNGRY_STEPS = 12, 25  # farther corpses are not worth the way, also for the hungry
EDIBLE_TURNS = 45  # a corpse kills from 50 turns on; before that it may cost a few hit points, which hunger is worth
STOCK, SURE = 900, 0.98  # nutrition that is kept for worse times; the chance of a prayer that counts as sure
HEARD_IN_NEED = 0.955  # the chance with which those who live on prayers and corpses pray: one failure ends that life
FED_WEAK = 50  # nutrition below which hunger weakens
HUNGER_LASTS, FORAGE_HOPE = 100, 0.9  # turns before hunger weakens; the chance of a prayer that is waited for
WEAK_LASTS = 35  # turns of some fifty before fainting, after which the weak pray
SURE_OF_HELP, LAST_HOPE = 0.9, 0.4  # the chance of a prayer with which the weak stay, and with which they pray at last
BOLTS = 1  # spells of force that a wizard rests for
HASTY = 0.5  # share of hit points up to which a hungry hero without food rests
UNDER_FIRE = 0.5  # the chance of a prayer with which those pray who are nearly dead and were just shot at
FEVER = 0.85  # the chance of a prayer with which it is said against lycanthropy
FEVER_FED = 350  # turns for which food must last before that prayer: hunger will need one soon, which may cure both
FEVER_SHARE = 0.5  # share of hit points below which that prayer is kept for wounds
BEAST = 0.85  # the same when it has broken out: it passes by itself, and a beast that is killed is human again
CALM_DEPTH = 10  # the depth down to which a diver may rest without the word
HUNTED_TURNS = 15  # turns since a foe was seen within which a diver does not rest
DIVE_REST = 0.5  # share of hit points below which even a diver rests
HELD_BELOW, HELD_TURNS, HELD_WORDS = 0.5, 200, 2  # below which share the word is sought, how long, words written
UNREAD_WORDS = 4  # words written in one blindness
WARDED_BELOW, WARD_WORDS = 0.6, 3  # below which share of hit points a rest begins with the word; words written
REFUGE_STEPS, BESET = 40, 0.1  # how far stairs may be to rest on; the risk behind them from which on others are better
FIT = 0.4  # share of hit points below which nobody eats for pleasure
PRIZE_STEPS = 3  # how far a pile is looked through before a rest
TRY_AGAIN = 15  # turns after which a meal that was refused is tried again


def is_ration(item: Item) -> bool:
    """Return True for food that is ours, safe at any age, and whose letter can be typed."""
    if item.unpaid:
        return False  # whoever eats it has to pay for it all the same
    safe = item.name in RATIONS or item.name.startswith(("lichen corpse", "lizard corpse"))
    return safe and ord(item.letter) in LABELS


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
    return "n" if any(name in said for name in FATAL_MEALS) else "y"


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
    meals = [item for item in body.hero.items if is_ration(item) and item.number >= 0]
    return body.hero.fed + sum(item.count * body.lore.object(item.number).nutrition for item in meals)


def hope_of_food(body: Body) -> float:
    """Return the chance that a prayer will help when hunger weakens the hero, nothing being eaten until then."""
    return body.hero.prayer_chance(body.world.turn + max(0, provisions(body) - FED_WEAK))


def runs_short(body: Body, turns: int) -> bool:
    """Return True if the food will be gone in so many turns, and a prayer may fail when hunger weakens."""
    return provisions(body) < turns and hope_of_food(body) < HEARD_IN_NEED


def is_bearable(kind: Species) -> bool:
    """Return True if a fresh corpse of this kind, poisonous or acidic, only costs hit points or friends."""
    if kind.name in FATAL_MEALS or kind.row.flags2 & (M2_UNDEAD | M2_WERE | M2_DEMON):
        return False
    return kind.row.nutrition > 0


class Worship:
    """Pray when hunger weakens, or when something else is killing that only a god can cure."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._weak_since, self._weak_turn = -1000, -1000  # when hunger began to weaken us, and when it did so last

    def bid(self, world: World) -> Offer | None:
        hero, stats = self._body.hero, world.stats
        chance = hero.prayer_chance(world.turn)
        hungry = stats[st.HUNGER]
        needed = 0.0
        if stats[st.CONDITION] & DEADLY:
            needed = 0.2
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
        nobody waits until it faints: the first faint comes at once, and many do not wake up from it.
        """
        if world.turn - self._weak_turn > HUNGER_LASTS:
            self._weak_since = world.turn
        self._weak_turn = world.turn
        unsure = self._body.hero.prayer_chance(world.turn) < HEARD_IN_NEED
        waits = (unsure or not self._body.is_quiet()) and world.turn - self._weak_since < WEAK_LASTS
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
            or hunger == SATIATED
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
        hero, lore = self._body.hero, self._body.lore
        if hero.role not in STRONG_ROLES:
            return False
        if world.stats[st.HUNGER] >= WEAK or hero.prayer_chance(world.turn + HUNGER_LASTS) < HEARD_IN_NEED:
            return False
        meals = [item for item in hero.items if is_ration(item) and item.number >= 0]
        return 0 < sum(item.count * lore.object(item.number).nutrition for item in meals) < STOCK

    def _ration(self, world: World) -> Offer | None:
        meals = [item for item in self._body.hero.items if item.kind == FOOD and self._is_ration(item)]
        best = min((item for item in meals if self._may_try(world, item.letter, 0)), key=ration_rank, default=None)
        if best is None:
            return None
        return Offer(self._priority, "eat", ord(best.letter), partial(self._eat, world, best.letter, eating(best)))

    def _eat(self, world: World, letter: str, command: Phrase) -> Plan:
        self._tried[letter, 0] = world.turn
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
        for (level, cell), (kind, died) in list(body.corpses.items()):
            if world.turn - died > EDIBLE_TURNS:
                del body.corpses[level, cell]
                continue
            if level != world.level.key or not self._is_good(world, kind) or not self._may_try(world, cell, kind):
                continue
            if world.memory[kn.OBJECT, cell] != kn.BODY + kind + 1 and cell != world.hero:
                continue
            way = 0 if cell == world.hero else int(world.paths()[cell])
            if way < best_way and way + world.turn - died <= fresh:
                best, best_way = cell, way
        if best < 0:
            return None
        return Offer(self._priority, "dine", best, partial(self._dine, world, best))

    def _is_good(self, world: World, number: int) -> bool:
        kind, hero = self._body.lore.kinds[number], self._body.hero
        if kind.name == "wraith":
            return True
        own = RACE_FLAGS.get(hero.race, 0)
        if hero.role != "cav" and hero.race != "orc" and kind.row.flags2 & own:
            return False
        if kind.feeds_immune if hero.resists_poison else kind.edible:
            return True
        return kind.name in NEVER_ROTS or (self._starves(world) and is_bearable(kind))

    def _starves(self, world: World) -> bool:
        """Return True if a meal that hurts is better than none."""
        weak = world.stats[st.HUNGER] >= WEAK and world.stats[st.HP] > BEARABLE
        return weak and self._body.hero.prayer_chance(world.turn) < SURE

    def _dine(self, world: World, cell: int) -> Plan:
        yield from walk(world, cell)
        if world.hero != cell:
            return
        kind, _ = self._body.corpses.get((world.level.key, cell), (-1, 0))
        if kind < 0:
            return
        self._tried[cell, kind] = world.turn
        name = self._body.lore.kinds[kind].name
        self._body.eating = (world.level.key, cell)
        yield Phrase("e", ((f"{name} corpse here; eat it", "y"), (f"{name} corpses here; eat", "y"), ("eat it", "n")))


class Convalesce:
    """Search on the spot until the wounds have closed; where nothing hostile is in sight."""

    def __init__(self, body: Body, watchdog: Watchdog, priority: int, personality: Personality) -> None:
        self._body, self._watchdog, self._priority = body, watchdog, priority
        self._below, self._until = personality.rest_below, personality.rest_until
        self._resting = False
        self._held_at: tuple[LevelKey, int] = ((-1, -1), -1)  # where, and since when, the word holds somebody off
        self._held_turn = 0
        self._words = 0
        self._unread = False
        self._warded: tuple[LevelKey, int] = ((-1, -1), -1)  # where the word is written before a rest
        self._ward_tries, self._ward_unread = 0, False
        self._read_turn = -1  # when the word rested on was read last

    def bid(self, world: World) -> Offer | None:
        stats, body = world.stats, self._body
        share = stats[st.HP] / max(1, stats[st.HP_MAX])
        if stats[st.HUNGER] >= WEAK:
            self._resting = False
            return None
        if not body.is_quiet():
            self._resting = False
            return self._held(world) if share < HELD_BELOW and not body.diving else None
        if not body.diving and (watch := self._watch_belongings(world)) is not None:
            return watch
        level, turn = body.fled
        if level != world.level.key and world.turn - turn < 5:
            self._resting = True  # whoever fled comes back in full strength
        hunted = world.level.depth > CALM_DEPTH or world.turn - body.seen_turn < HUNTED_TURNS
        if body.diving and (share > DIVE_REST or hunted):
            return None  # on the way down the next hole is safer than a rest: the word wears off
        until = min(self._until, HASTY) if is_foraging(body) else self._until
        self._resting = share < (until if self._resting else min(until, self._below)) or self._needs_power(world)
        if not self._resting or self._has_prize(world):
            return None
        if body.is_under_fire():
            return self._leave_line(world)
        self._watchdog.excuse(world)
        if (care := self._care(world)) is not None:
            return care
        if share < WARDED_BELOW and (ward := self._ward(world)) is not None:
            return ward
        refuge = self._refuge(world)
        if refuge >= 0 and not body.is_muted("to a refuge") and body.elbereth != (world.level.key, world.hero):
            return Offer(self._priority, "to a refuge", refuge, partial(walk, world, refuge))
        if body.elbereth == (world.level.key, world.hero) and self._read_turn != world.turn:
            self._read_turn, self._ward_tries = world.turn, 0  # each foe that it scares may wipe it out
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        bout = "5s" if body.foes.hostile else "20s"  # who is in sight already does not interrupt
        return bid_of(self._priority, "rest", world.turn, Phrase(bout))

    def _watch_belongings(self, world: World) -> Offer | None:
        """Stay with weapon and armour that fell off: a beast is human again where it dies, and naked elsewhere."""
        body = self._body
        spot = body.belongings()
        if spot is None or spot[0] != world.level.key:
            return None
        if spot[1] != world.hero:
            reached = int(world.paths()[spot[1]]) < kn.FAR and not body.is_muted("to belongings")
            return Offer(self._priority, "to belongings", spot[1], partial(walk, world, spot[1])) if reached else None
        if not body.hero.beast:
            return None  # they are taken up
        self._watchdog.excuse(world)
        return bid_of(self._priority, "rest", world.turn, Phrase("10s"))

    def _has_prize(self, world: World) -> bool:
        """Return True if somebody fell beside us who may have carried a pick-axe: that is looked at before a rest."""
        body = self._body
        hunted = world.turn - body.seen_turn < HUNTED_TURNS and world.stats[st.HP] * 3 < world.stats[st.HP_MAX]
        if body.hero.digger is not None or body.is_under_fire() or hunted:
            return False
        near = [cell for level, cell in body.piles if level == world.level.key]
        return any(arms.distance(cell, world.hero) <= PRIZE_STEPS for cell in near)

    def _care(self, world: World) -> Offer | None:
        """Return a healer's spell instead of a long rest, which costs more food."""
        spell = arms.care(self._body)
        return None if spell is None else bid_of(self._priority, "heal", world.turn, spell)

    def _leave_line(self, world: World) -> Offer | None:
        """Leave over stairs where somebody unseen shoots; without stairs near by walk on."""
        if key := stairs_key(world, world.hero):
            self._body.fled = (world.level.key, world.turn)
            return bid_of(self._priority, "stairs", 0, Phrase(key))
        refuge = self._refuge(world)
        if refuge < 0 or self._body.is_muted("to a refuge"):
            return None
        return Offer(self._priority, "to a refuge", refuge, partial(walk, world, refuge))

    def _held(self, world: World) -> Offer | None:
        """Rest on the word, or write it, where a foe is near that does not come: walking on would meet it weak."""
        body, here = self._body, (world.level.key, world.hero)
        if self._held_at != here or world.turn > self._held_turn + HELD_TURNS:
            self._held_at, self._held_turn, self._words, self._unread = here, world.turn, 0, False
        if body.elbereth == here:
            self._watchdog.excuse(world)
            return bid_of(self._priority, "rest", world.turn, Phrase("3s"))
        if stairs_key(world, world.hero) and world.turn < self._held_turn + HELD_TURNS:
            return bid_of(self._priority, "rest", world.turn, Phrase("2s"))  # here the fight can be left
        if not arms.can_write(body) or body.is_muted("write the word"):
            return None
        if self._unread:
            self._unread = False
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        if self._words >= HELD_WORDS:
            return None
        self._words += 1
        self._unread = True
        return bid_of(self._priority, "write the word", world.turn * 8 + self._words, arms.engraving("Elbereth"))

    def _ward(self, world: World) -> Offer | None:
        """Write the word before a long rest, and read it: whoever comes meanwhile would meet us weak."""
        body, here = self._body, (world.level.key, world.hero)
        if body.elbereth == here or body.diving or not arms.can_write(body) or body.is_muted("write the word"):
            return None
        if self._warded != here:
            self._warded, self._ward_tries, self._ward_unread = here, 0, False
        if self._ward_unread:
            self._ward_unread, self._read_turn = False, world.turn
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        if self._ward_tries >= WARD_WORDS:
            return None
        self._ward_tries += 1
        self._ward_unread = True
        return bid_of(self._priority, "write the word", world.turn * 8 + self._ward_tries, arms.engraving("Elbereth"))

    def _refuge(self, world: World) -> int:
        """Return stairs near by to rest on, because every fight can be left there; -1 if none or if we are there."""
        if stairs_key(world, world.hero) and self._waiting(world, world.hero) < BESET:
            return -1
        dist = world.paths()
        kinds = (kn.UP, kn.DOWN) if world.level.depth > 1 else (kn.DOWN,)
        near = [int(kn.nearest_of(world.memory, dist, kn.TERRAIN, kind)) for kind in kinds]
        near = [cell for cell in near if cell >= 0 and dist[cell] <= REFUGE_STEPS]
        best = min(near, key=lambda cell: (round(self._waiting(world, cell), 1), int(dist[cell])), default=-1)
        return -1 if best == world.hero else best

    def _waiting(self, world: World, cell: int) -> float:
        """Return the risk of those who wait behind stairs: between two foes no fight can be left."""
        leads = world.level.leads_to.get(cell)
        return 0.0 if leads is None else self._body.ambush_risk(leads)

    def _needs_power(self, world: World) -> bool:
        stats = world.stats
        wanted = min(BOLTS * arms.BOLT_POWER, stats[st.POWER_MAX]) if self._resting else arms.BOLT_POWER
        return self._body.hero.role == "wiz" and stats[st.POWER] < wanted and stats[st.HUNGER] < HUNGRY


class Clear:
    """Wait until the senses are clear, as long as nothing attacks; the blind wait on the word, written unread."""

    LONGEST = 150

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._since = -1
        self._words = 0  # written in this blindness

    def bid(self, world: World) -> Offer | None:
        clouded = world.stats[st.CONDITION] & (BLIND | STUNNED | CONFUSED | HALLUCINATING)
        if not clouded or (self._body.diving and clouded == BLIND and world.level.depth > CALM_DEPTH):
            self._since, self._words = -1, 0
            return None  # a hole can be dug with closed eyes
        if self._since < 0:
            self._since = world.turn
        if world.turn - self._since > self.LONGEST or self._body.is_under_fire():
            return None
        quiet = self._body.is_quiet()
        if clouded & BLIND and (word := self._blind_word(world)) is not None:
            return word
        if not quiet and not clouded & BLIND:
            return None
        return bid_of(self._priority, "recover", world.turn, Phrase("5s" if quiet else "s"))  # the blind do not roam

    def _blind_word(self, world: World) -> Offer | None:
        """Write the word before somebody comes: the blind lose against a crowd that they do not see."""
        body, here = self._body, (world.level.key, world.hero)
        if body.elbereth == here or body.diving or self._words >= UNREAD_WORDS or stairs_key(world, world.hero):
            return None
        if not arms.can_write(body, blindly=True) or body.is_muted("write the word"):
            return None
        self._words += 1
        body.elbereth = here  # until a wound tells otherwise
        return bid_of(self._priority, "write the word", world.turn * 8 + self._words, arms.engraving("Elbereth"))
