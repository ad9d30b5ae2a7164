"""Things: what is worth picking up, and which weapon and armour to use."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.behaviours import Offer, Plan, walk
from gridsage.games.nethack.agents.body import Body, bid_of
from gridsage.games.nethack.agents.dialogue import Phrase, menu_goes_on, menu_lines, question
from gridsage.games.nethack.agents.hero import (
    ARMOUR,
    BOOK,
    BOOTS,
    CLOAK,
    COIN,
    DAGGER,
    DART,
    FOOD,
    GEM,
    GLOVES,
    HELMET,
    LAUNCHERS,
    LONG_SWORD,
    MATTOCK,
    PICK_AXE,
    RING,
    SCROLL,
    SEEN_HERE,
    SHIELD,
    SHIRT,
    SHURIKEN,
    SUIT,
    TOOL,
    WAND,
    WEAPON,
    Item,
)
from gridsage.games.nethack.agents.living import LAST_MEALS, RATIONS, WEAK
from gridsage.games.nethack.agents.world import LevelKey, World
from gridsage.games.nethack.level import CELLS
from gridsage.games.nethack.state import State
from gridsage.games.nethack.tables import ObjectRow

_DECOY = re.compile(r"\bscrolls? labeled | (?:ring|gem)s?$")  # what nobody knows by its name
_UNKNOWN_WAND = re.compile(r"^an? \S+(?: \S+)? wand$")
LICHEN_CORPSE = kn.BODY + 155
IRON, MITHRIL = 11, 17
STEPS = 40  # how far a thing may lie
HEAVY = 260  # armour heavier than this is left where it lies
HEAVIEST, SUIT_GAIN = 450, 2  # the same for a suit that is so much better than what somebody strong has
SWORDSMEN = frozenset({"kni", "sam", "val"})  # the roles that may be lawful and learn to use long swords
BEARERS = frozenset({"bar", "cav", "kni", "pri", "sam", "val"})
BETTER = 0.8  # mean damage that makes a change of weapon worth its turn
# Appearances of magical armour that may harm: boots, gloves and helmets are shuffled, cloaks are all good.
UNSAFE_SLOTS = frozenset({2, 3, 4})
UNKNOWN_WEIGHT = 10  # of things whose kind is not known: most are scrolls, potions and rings
SLOTS = (SHIRT, SUIT, SHIELD, HELMET, GLOVES, BOOTS, CLOAK)  # what goes underneath is put on first
ARROWS_ENOUGH = 6
THROWN_WEIGHT, THROWN_ENOUGH = 15, 12  # light weapons are carried to be thrown, up to so many
WALKS, IN_VAIN = 120, 2000  # turns on the way to one thing before it is given up, and for how long
GUARD_TURNS = 60  # turns after a vault's guard spoke in which nothing is picked up
LOOT_AGAIN = 60  # turns before a thing that stayed where it was is tried again
ENHANCE = 0xE5  # the key that raises a skill
# Nymphs take one thing after the other at random: light ones that nobody needs are carried for them, up to so many in
# all. Gray stones, one of which nobody can drop again, weigh more.
DECOYS, DECOY_WEIGHT = 26, 5
SHEATH = 1  # points that a cloak is worth because nymphs have to take it before the suit underneath
BALLAST = 20  # what weighs less burdens nobody
EQUIP_AGAIN = 150  # turns before something that could not be worn or wielded is tried again


class Loot:
    """Walk to things that help and pick them up."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._again: dict[tuple[LevelKey, int, int], int] = {}  # level, cell, glyph: not before this turn
        self._target = -1
        self._wanted = np.zeros(kn.GLYPHS + 1, np.bool_)  # by an entry of the OBJECT plane, as far as it was judged
        self._judged = np.zeros(kn.GLYPHS + 1, np.bool_)
        self._found = np.empty(CELLS, np.int32)
        self._walks: Counter[tuple[LevelKey, int]] = Counter()  # turns spent on the way to a thing
        self._pack: tuple[Item, ...] | None = None
        self._fainting = False  # from hunger: only what feeds or digs is still worth a step

    def bid(self, world: World) -> Offer | None:
        body = self._body
        watched = world.turn - world.guard_turn < GUARD_TURNS  # a guard who sees gold picked up again kills
        hindered = body.desperate or world.stats[st.LOAD] > 1 or world.swallowed or not world.sees
        if watched or hindered or not body.is_quiet():
            self._give_up(world)
            return None
        fainting = world.stats[st.HUNGER] > WEAK
        if self._pack is not body.hero.items or self._fainting != fainting:
            self._pack, self._fainting = body.hero.items, fainting
            self._judged[:] = False  # what is wanted depends on what is carried
            self._judged[0] = True
        target = self._nearest(world)
        if target < 0 or self._is_in_vain(world, target):
            return None
        return Offer(self._priority, "loot", target, partial(self._plan, world, target))

    def _is_in_vain(self, world: World, target: int) -> bool:
        """Return True, and leave the thing alone for long, if it was walked to again and again and never reached."""
        self._walks[world.level.key, target] += 1
        if self._walks[world.level.key, target] < WALKS:
            return False
        self._walks[world.level.key, target] = 0
        self._again[world.level.key, target, int(world.memory[kn.OBJECT, target])] = world.turn + IN_VAIN
        self._target = -1
        return True

    def _give_up(self, world: World) -> None:
        """Leave a thing in sight of a foe alone for a while: walking there and back again would never end."""
        if self._target >= 0:
            what = (world.level.key, self._target, int(world.memory[kn.OBJECT, self._target]))
            self._again[what] = world.turn + LOOT_AGAIN
            self._target = -1

    def _nearest(self, world: World) -> int:
        memory = world.memory
        while (count := int(kn.wanted_things(memory, self._wanted, self._judged, self._found))) < 0:
            self._judge(-count)
        cells = self._found[:count].tolist()
        key, turn = world.level.key, world.turn
        cells += [cell for level, cell in self._body.piles if level == key]
        cells = [cell for cell in cells if self._again.get((key, cell, int(memory[kn.OBJECT, cell])), 0) <= turn]
        cells = [cell for cell in cells if (key, cell) not in self._body.abandoned]
        if not cells:
            return -1
        if self._target in cells and world.is_on_way(self._target):
            return self._target
        dist = world.paths()
        best = min(cells, key=lambda cell: int(dist[cell]))
        self._target = best if dist[best] <= STEPS else -1
        return self._target

    def _plan(self, world: World, target: int) -> Plan:
        yield from walk(world, target)
        if world.hero == target:
            what = (world.level.key, target, int(world.memory[kn.OBJECT, target]))
            self._again[what] = world.turn + LOOT_AGAIN
            self._body.piles.discard((world.level.key, target))
            if self._is_worth_opening(world):
                lifting = partial(self._lift, what, world.turn)
                yield Phrase(",", (("MENU", self._choose), ("Pick up", "y"), ("Continue", lifting)))

    def _lift(self, what: tuple[LevelKey, int, int], turn: int, state: State) -> str:
        """Return the answer to whether something heavy shall be lifted; what was left once is left alone for long."""
        answer = lift(state)
        if answer == "n":
            self._again[what] = turn + IN_VAIN
        return answer

    def _is_worth_opening(self, world: World) -> bool:
        """Return False for a single thing underfoot that is not wanted: it would be picked up unasked."""
        found = SEEN_HERE.search(" ".join(world.messages))
        return found is None or self._is_wanted_words(found[1])

    def _choose(self, state: State) -> str:
        chosen = "".join(letter for letter, words in menu_lines(state) if self._is_wanted_words(words))
        return chosen.replace("S", "") + (">" if menu_goes_on(state) else "\r")

    def _is_wanted_words(self, words: str) -> bool:
        if "for sale" in words:
            return False
        item = self._body.hero.item_of("?", words)
        if item.number >= 0:
            return self._is_wanted(item.number, self._body.lore.objects[item.number])
        if "lichen corpse" in words or _UNKNOWN_WAND.search(words):
            return True
        return self._wants_decoys() and _DECOY.search(words) is not None

    def _wants_decoys(self) -> bool:
        return len(self._body.hero.items) < DECOYS and self._body.is_clad()

    def _judge(self, entry: int) -> None:
        """Work out whether the thing of an OBJECT entry is wanted, given what is carried."""
        number = entry - 1 - kn.THING
        self._judged[entry] = True
        if 0 <= number < len(self._body.lore.objects):
            self._wanted[entry] = self._is_wanted(number, self._body.lore.objects[number])
        else:
            self._wanted[entry] = entry == LICHEN_CORPSE + 1

    def _is_wanted(self, number: int, row: ObjectRow) -> bool:
        hero = self._body.hero
        if row.name in (PICK_AXE, MATTOCK) and hero.find(PICK_AXE) is None:
            return True
        if self._fainting and row.kind != FOOD:
            return False
        if row.kind == COIN:
            return True
        if self._body.world.stats[st.LOAD] and row.kind not in (WEAPON, ARMOUR):
            return False
        if row.kind == FOOD:
            return row.name in RATIONS or row.name in LAST_MEALS
        if row.kind == WAND:
            return True
        if row.kind in (SCROLL, RING, GEM):
            return row.weight <= DECOY_WEIGHT and self._wants_decoys()
        if row.kind == WEAPON:
            return self._is_wanted_weapon(number, row)
        return row.kind == ARMOUR and self._is_wanted_armour(row)

    def _is_wanted_weapon(self, number: int, row: ObjectRow) -> bool:
        hero, lore = self._body.hero, self._body.lore
        if row.skill in (DAGGER, -DART, -SHURIKEN):
            return hero.role != "mon"
        if row.name == LONG_SWORD and hero.find(LONG_SWORD) is None and self._may_be_blessed():
            return True
        if row.weight <= THROWN_WEIGHT and self._thrown_count() < THROWN_ENOUGH:
            return True  # floating eyes in corridors are killed from afar or not at all
        launcher = next((item for item in hero.items if item.number >= 0 and self._skill(item) in LAUNCHERS), None)
        if row.skill < 0:
            return launcher is not None and self._skill(launcher) == -row.skill
        if hero.role == "mon" or (row.two_handed and self._worn(SHIELD) is not None):
            return False
        new = Item("?", WEAPON, number, row.name, 1, 0, False, "")
        best = max((hero.damage(item) for item in hero.items if item.kind in (WEAPON, TOOL)), default=0.0)
        return lore.object(number).weight <= 150 and hero.damage(new) > best + BETTER

    def _may_be_blessed(self) -> bool:
        """Return True if a fountain may make a long sword of this hero Excalibur, and it could wield it well."""
        lawful = self._body.world.stats[st.ALIGNMENT] > 0
        return lawful and self._body.hero.role in SWORDSMEN and not self._body.hero.has_excalibur

    def _thrown_count(self) -> int:
        items = [item for item in self._body.hero.items if item.kind == WEAPON and not item.wielded]
        return sum(item.count for item in items if self._body.lore.object(item.number).weight <= THROWN_WEIGHT)

    def _skill(self, item: Item) -> int:
        return self._body.lore.object(item.number).skill

    def _is_wanted_armour(self, row: ObjectRow) -> bool:
        if not suits(self._body, row):
            return False
        owned = [
            self._body.lore.object(item.number)
            for item in self._body.hero.items
            if item.kind == ARMOUR and item.number >= 0
        ]
        gain = row.first - max((other.first for other in owned if other.skill == row.skill), default=0)
        if row.skill == CLOAK and worn(self._body, SUIT) is not None and not any(o.skill == CLOAK for o in owned):
            gain += SHEATH
        strong = row.skill == SUIT and self._body.hero.role in BEARERS and gain >= SUIT_GAIN
        return gain > 0 and row.weight <= (HEAVIEST if strong else HEAVY)

    def _worn(self, slot: int) -> Item | None:
        return worn(self._body, slot)


def lift(state: State) -> str:
    """Return the answer to whether something heavy shall be lifted: only what digs is worth the burden."""
    asked = question(state)
    return "y" if PICK_AXE in asked or MATTOCK in asked else "n"


def take_all(state: State) -> str:
    """Return the answer to a menu of things underfoot: everything that nobody sells, page by page."""
    own = "".join(letter for letter, words in menu_lines(state) if "for sale" not in words)
    return own.replace("S", "") + (">" if menu_goes_on(state) else "\r")


def first_choice(state: State) -> str:
    """Return the letter of the first line of a menu that can be chosen, or nothing."""
    return next((letter for letter, _ in menu_lines(state)), "")


def worn(body: Body, slot: int) -> Item | None:
    """Return what is worn in a slot."""
    for item in body.hero.items:
        if item.kind == ARMOUR and item.worn and item.number >= 0 and body.lore.object(item.number).skill == slot:
            return item
    return None


def suits(body: Body, row: ObjectRow) -> bool:
    """Return True if this armour is of use to the role and cannot be one of the cursed jokes."""
    role = body.hero.role
    if role == "mon" and row.skill in (SUIT, SHIELD):
        return False
    if role == "wiz" and (row.skill == SHIELD or (row.skill == SUIT and row.material in (IRON, MITHRIL))):
        return False
    if role == "hea" and row.skill == SHIELD:
        return False  # it makes three of four healing spells fail
    weapon = body.hero.weapon
    two_handed = weapon is not None and weapon.number >= 0 and body.lore.object(weapon.number).two_handed
    if row.skill == SHIELD and two_handed:
        return False
    magical = bool(row.appearance) and row.skill in UNSAFE_SLOTS and row.name not in PLAIN
    return not magical


# Armour with an appearance of its own that is never shuffled.
PLAIN = frozenset(
    {"elven leather helm", "orcish helm", "dwarvish iron helm", "low boots", "iron shoes", "high boots", "dented pot"}
)


class Equip:
    """Wield the best weapon and wear the best armour that is carried."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._tried: dict[tuple[str, str, str], int] = {}
        self._digs = False  # whether the tool in hand was left there when the pack was last gone through
        self._pack: tuple[Item, ...] | None = None

    def bid(self, world: World) -> Offer | None:
        body = self._body
        if not body.is_quiet() or world.stats[st.HUNGER] >= 4 or (world.level.key, world.hero) in body.abandoned:
            return None
        return self.change(world)

    def change(self, world: World) -> Offer | None:
        """Return the next change of weapon or armour, whoever is near."""
        body = self._body
        digs = body.diving or body.tunnelling
        known = self._pack is body.hero.items and not body.hero.may_advance and self._digs == digs
        if body.dropped == (world.level.key, world.hero) and not body.hero.beast:
            body.dropped = None
            return bid_of(self._priority, "take back", world.turn, Phrase(",", (("MENU", take_all), ("Continue", "y"))))
        squeezed = world.is_at_gap() and body.hero.digger is None
        ballast = self._ballast(world) if world.stats[st.LOAD] or squeezed else None
        if squeezed and ballast is None and body.walled_in:
            ballast = self._sacrifice()
        if ballast is not None:
            self._tried["d", ballast.letter, ballast.name] = world.turn
            if squeezed:
                world.loosen()
            return bid_of(self._priority, "drop", ord(ballast.letter), Phrase("d", (("drop", ballast.letter),)))
        if known:
            return None
        if body.hero.may_advance:
            body.hero.may_advance = False
            return bid_of(self._priority, "advance", 0, Phrase(chr(ENHANCE), (("MENU", first_choice),)))
        if body.hero.role == "mon" and body.hero.weapon is not None and not body.hero.weapon.cursed and not digs:
            return bid_of(self._priority, "equip", ord("-"), Phrase("w", (("wield", "-"),)))
        for verb, item in (*self._weapons(), *self._armour()):
            if world.turn - self._tried.get((verb, item.letter, item.name), -EQUIP_AGAIN) >= EQUIP_AGAIN:
                self._tried[verb, item.letter, item.name] = world.turn
                replies = (("wield", item.letter), ("wear", item.letter), ("take off", item.letter))
                return bid_of(self._priority, "equip", ord(item.letter), Phrase(verb, replies))
        self._pack, self._digs = body.hero.items, digs
        return None

    def _ballast(self, world: World) -> Item | None:
        """Return the heaviest thing that is of no use: a burden slows every step and every stroke of the pick-axe."""
        useless = [
            item
            for item in self._body.hero.items
            if self._is_useless(item)
            and world.turn - self._tried.get(("d", item.letter, item.name), -EQUIP_AGAIN) >= EQUIP_AGAIN
        ]
        return max(useless, key=lambda item: self._weight(item) * item.count, default=None)

    def _sacrifice(self) -> Item | None:
        """Return the heaviest thing that can be spared where nothing else leads through a gap: food at last, too."""
        items = [item for item in self._body.hero.items if not (item.worn or item.wielded)]
        if not self._body.desperate:
            items = [item for item in items if item.kind != FOOD and item.number >= 0]
        return max(items, key=lambda item: self._weight(item) * item.count, default=None)

    def _weight(self, item: Item) -> int:
        return self._body.lore.object(item.number).weight if item.number >= 0 else UNKNOWN_WEIGHT

    def _is_useless(self, item: Item) -> bool:
        hero = self._body.hero
        if item.number < 0 or item.worn or item.wielded or self._weight(item) * item.count < BALLAST:
            return False
        if item.kind == ARMOUR:
            return item is not self._best(self._body.lore.object(item.number).skill)
        if item.kind == WEAPON:
            if item.name == LONG_SWORD and (item.title or self._body.world.stats[st.ALIGNMENT] > 0):
                return False  # it is Excalibur, or may become it
            return item not in hero.missiles and self._weight(item) > THROWN_WEIGHT and item is not self._spare()
        if item.kind == GEM:
            return item not in hero.missiles
        return item.kind == BOOK or (item.kind == TOOL and item is not hero.digger)

    def _spare(self) -> Item | None:
        """Return the best weapon carried, which is taken in hand again when there is nothing to dig."""
        choices = [item for item in self._body.hero.items if item.kind == WEAPON and item.number >= 0]
        return max(choices, key=self._body.hero.damage, default=None)

    def _weapons(self) -> list[tuple[str, Item]]:
        hero = self._body.hero
        if hero.role == "mon":
            return []
        digs = self._body.diving or self._body.tunnelling
        if hero.weapon is not None and (hero.weapon.cursed or (digs and hero.weapon == hero.digger)):
            return []
        if hero.role == "ran" and (bow := self._bow()) is not None:
            return [] if bow.wielded else [("w", bow)]
        choices = [item for item in hero.items if item.kind in (WEAPON, TOOL) and not item.cursed and item.number >= 0]
        if worn(self._body, SHIELD) is not None:
            choices = [item for item in choices if not self._body.lore.object(item.number).two_handed]
        best = max(choices, key=lambda item: hero.damage(item), default=None)
        if best is None or best.wielded or hero.damage(best) < hero.damage(hero.weapon) + BETTER / 2:
            return []
        return [("w", best)]

    def _bow(self) -> Item | None:
        """Return a launcher for which enough ammunition is carried."""
        items = [item for item in self._body.hero.items if item.kind == WEAPON and item.number >= 0]
        skill = {item.letter: self._body.lore.object(item.number).skill for item in items}
        for launcher in items:
            fitting = sum(item.count for item in items if skill[item.letter] == -skill[launcher.letter])
            if skill[launcher.letter] in LAUNCHERS and fitting >= ARROWS_ENOUGH:
                return launcher
        return None

    def _armour(self) -> list[tuple[str, Item]]:
        """Return the next change of armour for every slot whose best piece is not worn, the cloak last."""
        body = self._body
        found: list[tuple[str, Item]] = []
        if body.diving:
            return found
        for slot in SLOTS:
            best, old = self._best(slot), worn(body, slot)
            if best is None or best is old or (old is not None and old.cursed):
                continue
            over = worn(body, CLOAK) if slot in (SUIT, SHIRT) else None
            if over is not None:
                if not over.cursed:
                    found.append(("T", over))
            elif old is not None:
                found.append(("T", old))
            else:
                found.append(("W", best))
        return found

    def _best(self, slot: int) -> Item | None:
        """Return the piece of armour to wear in a slot: what is worn already, unless another one is better."""
        body = self._body
        pieces = [
            item
            for item in body.hero.items
            if item.kind == ARMOUR and item.number >= 0 and body.lore.object(item.number).skill == slot
        ]
        if slot == CLOAK and body.hero.role in BEARERS and worn(body, SUIT) is None:
            pieces = [item for item in pieces if item.worn]  # a cursed cloak would keep every suit off for good
        fit = [item for item in pieces if item.worn or (self._worth(item) > 0 and self._is_fit(item))]
        return max(fit, key=lambda item: (self._worth(item), item.worn), default=None)

    def _is_fit(self, item: Item) -> bool:
        return not item.cursed and suits(self._body, self._body.lore.object(item.number))

    def _worth(self, item: Item) -> int:
        row = self._body.lore.object(item.number)
        sheath = SHEATH if row.skill == CLOAK and worn(self._body, SUIT) is not None else 0
        return row.first + item.plus + sheath


def is_floor(world: World, cell: int) -> bool:
    """Return True if `cell` is ground without stairs or doors."""
    return 0 <= cell < CELLS and int(world.memory[kn.TERRAIN, cell]) in (kn.FLOOR, kn.CORRIDOR)
