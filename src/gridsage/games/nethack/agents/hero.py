"""The hero: role and race, what it carries, how it fights, and what its god thinks of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

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

# Skills a role can use without the penalty of a restricted one (numbers of skills.h).
SKILLS: dict[str, frozenset[int]] = {
    "arc": frozenset({4, 5, 9, 10, 11, 16, 22, 24, 26, 27}),
    "bar": frozenset({1, 3, 4, 5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 18, 19, 21}),
    "cav": frozenset({1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 26}),
    "hea": frozenset({2, 5, 9, 10, 11, 12, 16, 18, 19, 22, 24, 25}),
    "kni": frozenset({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23}),
    "mon": frozenset({16, 18, 23, 25}),
    "pri": frozenset({11, 12, 13, 14, 15, 16}),
    "rog": frozenset({1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 17, 18, 21, 23, 24, 25}),
    "ran": frozenset({1, 2, 3, 14, 16, 17, 18, 19, 21, 22, 23, 24, 25, 26}),
    "sam": frozenset({1, 2, 5, 7, 8, 9, 14, 16, 17, 18, 20, 21, 25}),
    "tou": frozenset({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 24, 25}),
    "val": frozenset({1, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 18, 19, 20, 22}),
    "wiz": frozenset({1, 2, 3, 5, 11, 12, 16, 17, 18, 19, 22, 24, 25}),
}
FAST_ROLES = frozenset({"arc", "mon", "sam"})
DAGGER, BOW, SLING, CROSSBOW, DART, SHURIKEN, SPEAR, POLEARM, LANCE = 1, 21, 22, 23, 24, 25, 18, 17, 20
LAUNCHERS = frozenset({BOW, SLING, CROSSBOW})
PICK_AXE, MATTOCK = "pick-axe", "dwarvish mattock"

_ITEM = re.compile(
    r"^(?P<count>an?|the|\d+) "
    r"(?P<state>(?:(?:uncursed|blessed|cursed|holy|unholy|empty|greased|poisoned|partly eaten|diluted|"
    r"thoroughly|very|rusty|corroded|burnt|rotted|rustproof|rotproof|fireproof|corrodeproof|fixed) )*)"
    r"(?P<plus>[+-]\d+ )?(?P<name>.*?)"
    r"(?P<notes>(?: \([^)]*\))*)$"
)
_PLURALS = (("potions of", "potion of"), ("scrolls of", "scroll of"), ("knives", "knife"), ("pieces of", "piece of"))
_WRATH = re.compile(r"You feel that [^.]* is displeased|Thou (?:hast angered|art arrogant|hast strayed|durst)")
FOR_EVER = 1 << 30
UNSKILLED = 4
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

    @property
    def worn(self) -> bool:
        return "being worn" in self.notes

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
        self.prayed: int | None = None  # turn of the last prayer
        self.shunned_until = 0  # prayer is hopeless before that turn: luck is bad or the god is angry
        self.feverish = False  # lycanthropy
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
        if world.messages:
            self._listen(world)

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
        if "You feel feverish" in said:
            self.feverish = True
        if "You feel purified" in said:
            self.feverish = False
        if "You murderer" in said or "hear the shrieks" in said:
            self.shunned_until = world.turn + 4000
        if _WRATH.search(said):
            self.shunned_until = FOR_EVER  # an angry god hears no prayer

    def _item(self, letter: str, kind: int, words: str) -> Item:
        found = _ITEM.match(words)
        if found is None:
            return Item(letter, kind, -1, words, 1, 0, False, "")
        count = int(found["count"]) if found["count"].isdigit() else 1
        name = found["name"].removeprefix("pair of ")
        if " named " in name:
            name = name.split(" named ")[0]
        number = self._number(name, count)
        true_name = self._lore.object(number).name if number >= 0 else name
        plus = int(found["plus"] or 0)
        cursed = "cursed" in found["state"].split()
        return Item(letter, kind, number, true_name or name, count, plus, cursed, found["notes"])

    def _number(self, name: str, count: int) -> int:
        table = self._lore.by_name
        if name in table:
            return table[name]
        for kind in ("potion of ", "scroll of ", "wand of ", "ring of ", "spellbook of ", "amulet of "):
            for plural, single in _PLURALS:
                name = name.replace(plural, single) if count > 1 else name
            if name.startswith(kind):
                return table.get(name.removeprefix(kind), -1)
        if count > 1 and name.endswith("s"):
            return table.get(name[:-1], -1)
        return table.get(name.removeprefix("pair of "), -1)

    def item_of(self, letter: str, words: str) -> Item:
        """Return the thing that `words` describe, as a menu lists it."""
        return self._item(letter, 0, words)

    def find(self, name: str) -> Item | None:
        """Return the first thing of that name."""
        return next((item for item in self.items if item.name == name), None)

    @property
    def digger(self) -> Item | None:
        """Return what can dig, if anything is carried."""
        return self.find(PICK_AXE) or self.find(MATTOCK)

    def damage(self, item: Item | None) -> float:
        """Return the mean damage of a blow with `item`, or of bare hands, a missing skill counted as a loss."""
        if item is None or item.number < 0:
            return 8.0 if self.role == "mon" else 1.5
        row = self._lore.object(item.number)
        if item.kind not in (WEAPON, TOOL) or not row.small:
            return 1.0
        value = (row.small + 1) / 2 + item.plus
        if row.skill in (POLEARM, LANCE) or row.skill in LAUNCHERS or row.skill < 0:
            return 1.0
        if row.skill in (DART, SHURIKEN):
            return 1.2
        return value if row.skill in SKILLS.get(self.role, frozenset()) else value * 0.75

    def clumsiness(self) -> int:
        """Return what a weapon that the role cannot handle takes off the chance to hit, in twentieths."""
        if self.weapon is None or self.weapon.number < 0:
            return 0
        skill = self._lore.object(self.weapon.number).skill
        return UNSKILLED if skill > 0 and skill not in SKILLS.get(self.role, frozenset()) else 0

    def speed(self) -> float:
        """Return moves per turn."""
        return 4 / 3 if self.role in FAST_ROLES else 1.0

    def prayer_chance(self, turn: int) -> float:
        """Return the chance that a prayer in great trouble is heard now (gaps measured over thousands of prayers)."""
        if turn < self.shunned_until:
            return 0.02
        if self.prayed is None:
            return 0.98 if turn >= 200 else 0.9 if turn >= 110 else 0.05
        gap = turn - self.prayed
        for least, chance in ((1000, 0.96), (800, 0.92), (600, 0.85), (450, 0.72), (300, 0.6), (150, 0.45), (50, 0.3)):
            if gap >= least:
                return chance
        return 0.1


def is_low(stats: tuple[int, ...]) -> bool:
    """Return True if hit points are so low that a god counts it as great trouble."""
    hp, most, level = stats[st.HP], max(1, stats[st.HP_MAX]), stats[st.EXPERIENCE]
    share = 5 if level < 6 else 6 if level < 14 else 7 if level < 22 else 8
    return hp <= 5 or hp * share <= most
