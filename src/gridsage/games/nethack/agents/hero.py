"""The hero: role and race, what it carries, how it fights, and what its god thinks of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.knowledge import Knowledge
from gridsage.games.nethack.agents.world import World
from gridsage.games.nethack.state import State

FIRST_ROLE = 327  # the number of the archeologist's glyph; the other roles follow
ROLES = (
    "arc", "bar", "cav", "cav", "hea", "kni", "mon", "pri", "pri", "ran", "rog", "sam", "tou", "val", "wiz",
)  # fmt: skip
RACES = {"human": "human", "elven": "elf", "dwarven": "dwarf", "dwarvish": "dwarf", "gnomish": "gnome", "orcish": "orc"}
WEAPON, ARMOUR, RING, AMULET, TOOL, FOOD, POTION, SCROLL, BOOK, WAND, COIN, GEM = range(2, 14)
SUIT, SHIELD, HELMET, GLOVES, BOOTS, CLOAK, SHIRT = range(7)

# At experience level 5 and above 0.05 Cavemen die per 1,000 turns and 0.04 of the other roles named here, but 0.1
# to 0.4 of all the rest, for whom a dive is worth more than what they would gain.
STRONG_ROLES = frozenset({"bar", "cav", "mon", "sam", "val"})
FAST_ROLES = frozenset({"arc", "mon", "sam"})
DAGGER, BOW, SLING, CROSSBOW, DART, SHURIKEN, SPEAR, POLEARM, LANCE = 1, 21, 22, 23, 24, 25, 18, 17, 20
LAUNCHERS = frozenset({BOW, SLING, CROSSBOW})
PICK_AXE, MATTOCK = "pick-axe", "dwarvish mattock"
LONG_SWORD, EXCALIBUR = "long sword", "Excalibur"
WISH = "blessed +2 gray dragon scale mail\r"  # armour of eleven points that weighs little
EXCALIBUR_HIT, EXCALIBUR_HARM = 3, 5.5  # d5 to the chance to hit, d10 of damage

SEEN_HERE = re.compile(r"You see here (.*?)\.(?:  |$)")  # a single thing underfoot
_ITEM = re.compile(
    r"^(?P<count>an?|the|\d+) "
    r"(?P<state>(?:(?:uncursed|blessed|cursed|holy|unholy|empty|greased|poisoned|partly eaten|diluted|"
    r"thoroughly|very|rusty|corroded|burnt|rotted|rustproof|rotproof|fireproof|corrodeproof|fixed) )*)"
    r"(?P<plus>[+-]\d+ )?(?P<name>.*?)"
    r"(?P<notes>(?: \([^)]*\))*)$"
)
_PLURALS = (
    ("potions of", "potion of"), ("scrolls of", "scroll of"), ("knives", "knife"), ("pieces of", "piece of"),
    ("sprigs of", "sprig of"), ("cloves of", "clove of"), ("lumps of", "lump of"), ("chunks of", "chunk of"),
    ("leaves", "leaf"),
)  # fmt: skip
# What the game calls things when it speaks to a samurai.
_JAPANESE = {
    "gunyoki": "food ration", "kabuto": "helmet", "koto": "wooden harp", "naginata": "glaive", "ninja-to": "broadsword",
    "nunchaku": "flail", "osaku": "lock pick", "sake": "booze", "shito": "knife", "tanko": "plate mail",
    "wakizashi": "short sword", "yugake": "leather gloves",
}  # fmt: skip
_WRATH = re.compile(
    r"You feel that [^.]* is (?:displeased|bummed)|Thou (?:hast angered|art arrogant|hast strayed|durst)"
)
_HUMAN_AGAIN = re.compile(r"You return to [a-z]+ form|You feel purified")
_EATEN = re.compile(r"You (finish|stop) eating (?:the |your |an? )?([^.!]+)[.!]")
_VICTORY = re.compile(r"You (?:kill|destroy) ")
_BLOW = re.compile(r"You (?:hit|miss|kill|destroy|smite|strike|kick|bite|punch) ")
_PRACTISED = re.compile(r"You are now (?:more|most) skilled in ([a-z -]+)")
FOR_EVER = 1 << 30
UNSKILLED_HIT, UNSKILLED_DAMAGE = 4, 2.0  # what a skill that was never trained takes off
BLUNT = range(11, 17)  # skills of the weapons that a god allows to its priests
EMPTY_HANDS, FISTS = (1, 1.5), (4, 8.0)  # what anybody's and a monk's bare hands add to the chance to hit, and harm
TYPICAL_CHANCE = 11  # twentieths: the chance to hit of a hero of some levels against common armour
# Who throws or shoots more than one at once, and how many on average; from launchers two may fly anyway.
SEVERAL_AT_ONCE = frozenset({("rog", DAGGER), ("ran", BOW), ("ran", DAGGER)})
SEVERAL, SHOT_TWICE = 1.5, 0.4
BETTER_THROWN = 0.3  # what is thrown must be fetched again
AIMED = 1  # things made for throwing fly a little better than blows fall
FEW = 3  # missiles that are soon gone
ERODED = frozenset({"rusty", "corroded", "burnt", "rotted"})
DEGREES = {"very": 2, "thoroughly": 3}  # of damage that erosion takes off; 1 without such a word
FIRST_PRAYER = 110
# A god's opinion (u.ualign.record): the most it can be at the start, and in how many turns that grows by one; what
# killing the hostile adds at least; what killing a lawful dwarf takes from the lawful, and honour lost with it.
PIETY_MOST, PIETY_TURNS, GOOD_DEED, KIN, DISHONOUR = 10, 200, 2, 12, 5
# What a knight loses who strikes at the fleeing or the helpless, and anybody who strikes from the word.
SINS = (("You caitiff", 1), ("like a hypocrite", 5))
FORSAKEN = 5000  # turns for which no prayer is heard after which nobody waits for the next one
# What brings bad luck, during which no prayer is heard, and for how many turns: murder, a pet killed by accident, a
# meal of one's own kind, a unicorn killed that shares one's faith, and a game begun on an unlucky day.
UNLUCKY = (
    ("You murderer", 4000), ("hear the shrieks", 4000), ("rumble of distant thunder", 600), ("You cannibal", 2400),
    ("You feel guilty...", 3000), ("Friday the 13th", FOR_EVER),
)  # fmt: skip
# The god waits a random time after a prayer (rnz(350) of rnd.c, worked out); 200 turns of it are forgiven in trouble.
PRAYER_GAPS = (0, 50, 100, 150, 500, 850, 1100, 1200, 1900)
PRAYER_CHANCES = (0.22, 0.35, 0.43, 0.5, 0.87, 0.92, 0.955, 0.97, 0.985)
# Nutrition (u.uhunger): at birth and after a prayer for food, and between which bounds each word of the status line
# keeps it. Each turn takes one, and so does each blow.
FED, WARNED = 900, 1550  # at birth; and about as much is left at least when the game warns of choking
SPELL_HUNGER, SPELL_SHARES = 10, ((17, 0.0), (16, 0.25), (15, 0.5))  # what a spell takes of it; by intelligence
BITTEN = 0.5  # what is left of a meal that was begun, as far as anybody can see
FED_BOUNDS = ((1000, 2000), (150, 1000), (50, 150), (0, 50), (-600, 0))
# The names of the skills in the order of their numbers.
SKILL_NAMES = (
    "", "dagger", "knife", "axe", "pick-axe", "short sword", "broadsword", "long sword", "two-handed sword",
    "scimitar", "saber", "club", "mace", "morning star", "flail", "hammer", "quarterstaff", "polearms", "spear",
    "trident", "lance", "bow", "sling", "crossbow", "dart", "shuriken", "boomerang", "whip", "unicorn horn",
)  # fmt: skip
_CHARACTER = re.compile(
    r"level \d+ (?:(?:male|female|neuter) )?(human|elven|dwarven|dwarvish|gnomish|orcish) "
    r"(?:Archeologist|Barbarian|Cave|Healer|Knight|Monk|Priest|Rogue|Ranger|Samurai|Tourist|Valkyrie|Wizard)"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing carried."""

    letter: str
    kind: int  # class of object
    number: int  # which object, or -1 if the words are not in the tables
    name: str
    count: int
    plus: int
    cursed: bool
    notes: str  # the game's brackets: worn, wielded, charges, price
    bitten: bool = False  # a meal that was begun
    title: str = ""  # the name that it was given, as an artifact's
    erosion: int = 0  # damage that rust and the like take off

    @property
    def worn(self) -> bool:
        return any(words in self.notes for words in ("being worn", "on left ", "on right "))  # rings on hands

    @property
    def unpaid(self) -> bool:
        return "unpaid" in self.notes

    @property
    def wielded(self) -> bool:
        return "weapon in hand" in self.notes or "(wielded" in self.notes


class Hero:
    """Everything known of the hero that the status line does not say."""

    def __init__(self, lore: Knowledge) -> None:
        self._lore = lore
        self.role = ""
        self.race = ""
        self.items: tuple[Item, ...] = ()
        self.weapon: Item | None = None
        self.digger: Item | None = None  # what can dig
        self.has_excalibur = False
        self.prayed: int | None = None  # turn of the last prayer
        self.shunned_until = 0  # prayer is hopeless before that turn: luck is bad or the god is angry
        self.piety = 0  # what the god thinks of our deeds, at least: below zero no prayer is heard
        self.feverish = False  # lycanthropy
        self.beast = False  # it has broken out: no hands, and a load that is too heavy
        self.human_hp = 0  # hit points of the human, which come back when the beast is killed
        self.trained: set[int] = set()  # skills without penalty: those of the first weapons, and what was practised
        self.missiles: list[Item] = []  # what can be thrown or shot now, the best first
        self.shoots = False  # throwing or shooting is better than a blow, also at whoever is beside us
        self.may_advance = False  # the game said that a skill can be raised
        self.wand_powers: dict[str, str] = {}  # what wands do, by their looks; empty words where that is not sure
        self.hastened = False  # fast, by a wand
        self.fed = FED  # the nutrition that is left, as far as we know
        self._fed_turn = 1
        self._hunger = 1  # as the status line told it last
        self._begun_meals: set[str] = set()
        self._raw = b""

    def update(self, world: World, state: State) -> None:
        """Take in what the screen shows now."""
        if not self.role:
            self._see_role(state)
        start = st.OFFSETS["pack_letters"]
        raw = state.data[start:]
        if raw != self._raw:
            self._raw = raw
            self.items = tuple(self._item(*entry) for entry in state.pack)
            self.weapon = next((item for item in self.items if item.wielded), None)
            self.has_excalibur = any(item.title == EXCALIBUR for item in self.items)
            self.digger = None if self._is_welded() else self.find(PICK_AXE) or self.find(MATTOCK)
            if not self.trained and self.items:
                self.trained = {self.skill(item) for item in self.items if item.kind in (WEAPON, TOOL)} | {0}
            self._arm()
        if world.messages:
            self._listen(world)
        self._digest(world)
        if not self.beast:
            self.human_hp = world.stats[st.HP]

    def learn_wand(self, looks: str, power: str) -> None:
        """Note what the wands of these looks do, and go through the pack anew."""
        self.wand_powers[looks] = power
        self._raw = b""

    def note_spell(self, intelligence: int) -> None:
        """Take off what a spell of the first level costs in food."""
        self.fed -= self.spell_cost(intelligence)

    def spell_cost(self, intelligence: int) -> int:
        """Return what a spell of the first level costs in food: clever wizards pay less (spell.c)."""
        clever = intelligence if self.role == "wiz" else 0
        share = next((share for least, share in SPELL_SHARES if clever >= least), 1.0)
        return int(SPELL_HUNGER * share)

    def _is_welded(self) -> bool:
        """Return True if a cursed weapon sticks to the hand, so that nothing else can be taken into it to dig."""
        weapon = self.weapon
        return weapon is not None and weapon.cursed and weapon.name not in (PICK_AXE, MATTOCK)

    def has_bound_hands(self) -> bool:
        """Return True if a cursed weapon sticks to both hands, so that no finger is left to write with."""
        weapon = self.weapon
        return (
            weapon is not None and weapon.cursed and weapon.number >= 0 and self._lore.object(weapon.number).two_handed
        )

    def _digest(self, world: World) -> None:
        """Follow what is left of the meals: a turn takes one, and the status line tells when little is left."""
        self.fed -= max(0, world.turn - self._fed_turn)
        self._fed_turn = world.turn
        hunger = min(world.stats[st.HUNGER], len(FED_BOUNDS) - 1)
        least, most = FED_BOUNDS[hunger]
        if hunger > self._hunger:
            self.fed = most  # this very moment it fell below
        self.fed, self._hunger = min(max(self.fed, least), most), hunger

    def _note_meal(self, name: str, finished: bool) -> None:
        """Add what a meal was worth: each part of one that was broken off counts as half of it."""
        whole = finished and name not in self._begun_meals
        self.fed += int(self._meal(name) * (1.0 if whole else BITTEN))
        if finished:
            self._begun_meals.discard(name)
        else:
            self._begun_meals.add(name)

    def nourishment(self, item: Item) -> int:
        """Return what the food carried under one letter is worth."""
        share = BITTEN if item.bitten else 1.0
        return int(item.count * self._lore.object(item.number).nutrition * share) if item.number >= 0 else 0

    def _meal(self, name: str) -> int:
        """Return what a thing nourishes that is eaten up."""
        kind = self._lore.kind_of_name.get(name.removesuffix(" corpse"), -1) if name.endswith(" corpse") else -1
        if kind >= 0:
            return self._lore.kinds[kind].row.nutrition
        number = self._number(name, 1)
        return self._lore.object(number).nutrition if number >= 0 else 0

    def _arm(self) -> None:
        """Find out what can be thrown or shot now, and whether that is better than a blow."""
        ready = [(self.volley(item), item) for item in self.items if self._is_missile(item)]
        ready.sort(key=lambda pair: -pair[0])
        self.missiles = [item for _, item in ready]
        better = bool(ready) and ready[0][0] > self.damage(self.weapon) + BETTER_THROWN
        self.shoots = better or bool(ready and self._launcher())

    def _is_missile(self, item: Item) -> bool:
        if item.kind not in (WEAPON, GEM) or item.number < 0 or item.worn or item.wielded:
            return False
        row = self._lore.object(item.number)
        if -row.skill in LAUNCHERS:
            return -row.skill == self._launcher()
        return row.skill in (DAGGER, -DART, -SHURIKEN) or (row.skill == SPEAR and row.name != "lance")

    def _launcher(self) -> int:
        """Return the skill of the launcher in hand, or 0."""
        skill = self._lore.object(self.weapon.number).skill if self.weapon and self.weapon.number >= 0 else 0
        return skill if skill in LAUNCHERS else 0

    def volley(self, item: Item) -> float:
        """Return the worth of throwing or shooting `item` once, on the scale of `damage`."""
        hit, harm = self.throw(item)
        return self.flying(item) * harm * max(1, TYPICAL_CHANCE + AIMED + hit) / TYPICAL_CHANCE

    def flying(self, item: Item) -> float:
        """Return how many of a stack fly at once on average."""
        row = self._lore.object(item.number)
        several = (self.role, abs(row.skill)) in SEVERAL_AT_ONCE or (self.role == "sam" and row.name == "ya")
        return min(item.count, (SEVERAL if several else 1.0) + (SHOT_TWICE if -row.skill in LAUNCHERS else 0.0))

    def offence(self) -> tuple[int, float]:
        """Return what the next attack adds to the chance to hit, in twentieths, and its mean damage."""
        if not self.shoots or sum(item.count for item in self.missiles) <= FEW:
            return self.blow(self.weapon)
        hit, harm = self.throw(self.missiles[0])
        return hit + AIMED, harm * self.flying(self.missiles[0])

    def read_attributes(self, state: State) -> None:
        """Learn the race from the game's page of attributes."""
        found = _CHARACTER.search(" ".join(" ".join(state.screen).split()))
        self.race = RACES[found[1]] if found else "human"

    def _see_role(self, state: State) -> None:
        glyph = int(state.glyphs[state.cell])
        if FIRST_ROLE <= glyph < FIRST_ROLE + len(ROLES):
            self.role = ROLES[glyph - FIRST_ROLE]

    def _listen(self, world: World) -> None:
        said = " ".join(world.messages)
        if "more confident in your" in said:
            self.may_advance = True
        for name in _PRACTISED.findall(said):
            if name.strip() in SKILL_NAMES:
                self.trained.add(SKILL_NAMES.index(name.strip()))
        if _VICTORY.search(said):
            self.piety = min(
                PIETY_MOST + world.turn // PIETY_TURNS, self.piety + GOOD_DEED * len(_VICTORY.findall(said))
            )
        self.fed -= len(_BLOW.findall(said))
        for verb, name in _EATEN.findall(said):
            self._note_meal(name, verb == "finish")
        if "hard time getting all of it down" in said:
            self.fed = max(self.fed, WARNED)
        if "You're finally finished" in said:
            self.fed = FED_BOUNDS[0][1]  # a meal after which whoever eats on chokes
        if "stomach feels content" in said:
            self.fed = FED
        if "gets angry" in said:
            self.piety -= self.guilt(world)
        self.piety -= sum(price * said.count(words) for words, price in SINS)
        if "You feel feverish" in said:
            self.feverish = True
        if "You feel purified" in said or "Your affinity to" in said:
            self.feverish = False
        if "You turn into a were" in said:
            self.feverish = self.beast = True
        if _HUMAN_AGAIN.search(said):
            self.beast = False
        for words, turns in UNLUCKY:
            if words in said:
                self.shunned_until = max(self.shunned_until, world.turn + turns)
        if _WRATH.search(said):
            self.shunned_until = FOR_EVER  # an angry god hears no prayer

    def guilt(self, world: World) -> int:
        """Return what it costs to attack and kill a peaceful dwarf: they are lawful, and one's own kind is dear."""
        own = KIN if world.stats[st.ALIGNMENT] > 0 else 0
        return 1 + own + (DISHONOUR if self.role in ("kni", "sam") else 0)

    def _item(self, letter: str, kind: int, words: str) -> Item:
        found = _ITEM.match(words)
        if found is None:
            return Item(letter, kind, -1, words, 1, 0, False, "")
        count = int(found["count"]) if found["count"].isdigit() else 1
        name, _, title = found["name"].removeprefix("pair of ").partition(" named ")
        if name == EXCALIBUR:  # so it is called once everything about it is known
            name, title = LONG_SWORD, EXCALIBUR
        if kind == WAND:
            name = self.wand_powers.get(name) or name
        number = self._number(name, count)
        true_name = self._lore.object(number).name if number >= 0 else name
        plus = int(found["plus"] or 0)
        state = found["state"].split()
        erosion = max((DEGREES.get(word, 1) for word in state), default=0) if ERODED.intersection(state) else 0
        bitten = "partly" in state
        return Item(
            letter, kind, number, true_name or name, count, plus, "cursed" in state, found["notes"], bitten,
            title, erosion,
        )  # fmt: skip

    def _number(self, name: str, count: int) -> int:
        table = self._lore.by_name
        name = _JAPANESE.get(name.removeprefix("potion of ").removeprefix("potions of "), name)
        if name in table:
            return table[name]
        for plural, single in _PLURALS if count > 1 else ():
            name = name.replace(plural, single)
        if name in table:
            return table[name]
        for kind in ("potion of ", "scroll of ", "wand of ", "ring of ", "spellbook of ", "amulet of "):
            if name.startswith(kind):
                return table.get(name.removeprefix(kind), -1)
        if count > 1 and name.endswith("s"):
            return table.get(_JAPANESE.get(name[:-1], name[:-1]), -1)
        return table.get(name.removeprefix("pair of "), -1)

    def item_of(self, letter: str, words: str) -> Item:
        """Return the thing that `words` describe, as a menu lists it."""
        return self._item(letter, 0, words)

    @property
    def fights_well(self) -> bool:
        """Return True for the roles that gain most by growing, and for whoever has Excalibur."""
        return self.role in STRONG_ROLES or self.has_excalibur

    def find(self, name: str) -> Item | None:
        """Return the first thing of that name."""
        return next((item for item in self.items if item.name == name), None)

    def skill(self, item: Item) -> int:
        """Return the number of the skill that a thing is used with, 0 if it needs none."""
        return abs(self._lore.object(item.number).skill) if item.number >= 0 else 0

    def blow(self, item: Item | None) -> tuple[int, float]:
        """Return what `item`, or bare hands, adds to the chance to hit in twentieths, and the mean damage of a blow."""
        if item is None or item.number < 0:
            return FISTS if self.role == "mon" else EMPTY_HANDS
        row = self._lore.object(item.number)
        unfit = row.skill in (POLEARM, LANCE) or row.skill in LAUNCHERS or row.skill < 0
        if item.kind not in (WEAPON, TOOL) or not row.small or unfit:
            return -UNSKILLED_HIT, 1.0
        if self.role == "pri" and row.skill not in BLUNT:
            return -UNSKILLED_HIT, 0.5  # the god minds
        return self._skilled(item, row.first)

    def throw(self, item: Item) -> tuple[int, float]:
        """Return the same of throwing `item`, or of shooting it from the launcher in hand."""
        return self._skilled(item, self._lore.object(item.number).first)

    def _skilled(self, item: Item, bonus: int) -> tuple[int, float]:
        dice = (self._lore.object(item.number).small + 1) / 2
        hit, harm = item.plus + bonus, max(1.0, dice - item.erosion) + item.plus
        if item.title == EXCALIBUR:
            hit, harm = hit + EXCALIBUR_HIT, harm + EXCALIBUR_HARM
        if self.skill(item) not in self.trained:
            hit, harm = hit - UNSKILLED_HIT, harm - UNSKILLED_DAMAGE
        return hit, max(0.5, harm)

    def damage(self, item: Item | None) -> float:
        """Return the worth of a blow with `item`, or with bare hands: its mean damage, the chance to hit counted in."""
        hit, harm = self.blow(item)
        return harm * max(1, TYPICAL_CHANCE + hit) / TYPICAL_CHANCE

    def speed(self) -> float:
        """Return moves per turn."""
        return 4 / 3 if self.role in FAST_ROLES or self.hastened else 1.0

    @property
    def resists_poison(self) -> bool:
        """Return True for those whom poison never harmed."""
        return self.race == "orc" or self.role in ("bar", "hea")

    def is_forsaken(self, turn: int) -> bool:
        """Return True if no god will hear the hero for so long that waiting for it is in vain."""
        return self.shunned_until > turn + FORSAKEN

    def prayer_chance(self, turn: int) -> float:
        """Return the chance that a prayer in great trouble is heard now: the god's patience is 200 turns or less."""
        if turn < self.shunned_until or self.piety < 0:
            return 0.02
        if self.prayed is None:
            return 0.98 if turn >= FIRST_PRAYER else 0.05
        return float(np.interp(turn - self.prayed, PRAYER_GAPS, PRAYER_CHANCES))


def is_low(stats: tuple[int, ...]) -> bool:
    """Return True if hit points are so low that a god counts it as great trouble."""
    hp, most, level = stats[st.HP], max(1, stats[st.HP_MAX]), stats[st.EXPERIENCE]
    share = 5 if level < 6 else 6 if level < 14 else 7 if level < 22 else 8
    return hp <= 5 or hp * share <= most
