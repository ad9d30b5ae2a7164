"""Means of a fight as commands: missiles, spells, wands, potions, prayer and the word in the dust."""

from __future__ import annotations

from collections.abc import Iterator

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.behaviours import WEAK
from gridsage.games.nethack.agents.body import TOOLS, Body, key_of
from gridsage.games.nethack.agents.dialogue import Phrase, menu_goes_on, menu_lines
from gridsage.games.nethack.agents.foes import Foe, distance
from gridsage.games.nethack.agents.hero import (
    ARMOUR,
    BOOK,
    GEM,
    LAUNCHERS,
    MATTOCK,
    PICK_AXE,
    POTION,
    RING,
    SCROLL,
    TOOL,
    WAND,
    WEAPON,
    Item,
)
from gridsage.games.nethack.agents.knowledge import Species
from gridsage.games.nethack.agents.world import BLIND, CONFUSED, HALLUCINATING, SOKOBAN, STUNNED
from gridsage.games.nethack.state import State

THROW_RANGE, SHOT_RANGE, BOLT_RANGE = 6, 8, 5
BOLT_POWER = 5
CARE_GAIN = 10  # wounds from which on a healer casts its spell
# Nutrition at which the game refuses every spell, and what one may cost those who are weak with hunger: without it
# they lose a fight sooner than they starve.
TOO_HUNGRY, CHEAP = 10, 5
HEALING = {"healing": 24.0, "extra healing": 40.0, "full healing": 200.0}
SLEEPERS = ("sleep", "teleportation", "cold", "fire", "lightning", "magic missile", "striking", "slow monster")
RESISTED = {"fire": 1, "cold": 2, "sleep": 4, "lightning": 16}  # bits of what a kind resists, by wand
ANSWERING = frozenset({"gas spore", "brown mold", "yellow mold", "green mold", "red mold", "spotted jelly"})
TARGETS = ANSWERING | {"floating eye", "blue jelly"}
ROBUST = 50  # hit points above which their answer, at most some 24, is no danger
NO_RAYS = frozenset({"teleportation", "striking", "slow monster"})
RAY_RUN = 7  # a ray flies 13 squares at most, there and back
RAY_HARM = {"magic missile": 9}  # hit points that a ray costs, seldom more; others 6d6
RAY_MOST = 27
RAY_MARGIN = 2  # who loses half of its hit points to its own ray loses the fight
ELVES_WAKE = 4  # experience level from which elves resist sleep
PRAY_KEY = chr(0xF0)
LEVITATING = 1 << 10
UNWRITABLE = frozenset({kn.ALTAR, kn.GRAVE, kn.FOUNTAIN})  # the game refuses, or the altar's god minds
UNFIT_TO_WRITE = BLIND | STUNNED | CONFUSED | HALLUCINATING | LEVITATING

__all__ = ["best_shot", "distance", "engraving", "prayer", "remedies", "stunning_wand"]


def is_affordable(kind: Species, hp: int) -> bool:
    """Return True if a blow at this mold, jelly or spore costs little of what is left."""
    return kind.name in ANSWERING and hp >= ROBUST


def prayer(body: Body) -> Phrase:
    """Return the prayer."""
    return Phrase(PRAY_KEY, (("Are you sure you want to pray", "y"), ("pray", "y")))


def engraving(text: str) -> Phrase:
    """Return the command that writes `text` into the dust with a finger."""
    return Phrase(
        "E",
        (
            ("write with", "-"),
            ("add to the", "n"),
            ("write in the dust", f"{text}\r"),
            ("write", f"{text}\r"),
        ),
    )


def digging(letter: str, way: str) -> Phrase:
    """Return the command that digs with the tool of that letter."""
    return Phrase("a", (("use or apply", letter), ("apply", letter), ("direction", way), ("continue", "y")))


def can_write(body: Body, blindly: bool = False) -> bool:
    """Return True if the hero can write into the dust here and, unless it dives or may write `blindly`, read it."""
    world = body.world
    unfit = world.stats[st.CONDITION] & UNFIT_TO_WRITE
    if (unfit & ~BLIND if body.diving or blindly else unfit) or world.swallowed or body.hero.has_bound_hands():
        return False
    if int(world.memory[kn.FEATURE, world.hero]) in UNWRITABLE:
        return False
    ground = int(world.memory[kn.TERRAIN, world.hero])
    if ground in (kn.UNKNOWN, kn.COVERED) and not world.sees:
        return True  # the blind do not see the floor that they stand on
    return ground in (kn.FLOOR, kn.CORRIDOR, kn.DOORWAY)


def remedies(body: Body) -> Iterator[tuple[float, Phrase, str]]:
    """Return what heals: (hit points, command, name)."""
    stats = body.world.stats
    for item in body.hero.items if stats[st.HP] * 2 <= stats[st.HP_MAX] else ():
        if item.kind == POTION and item.name in HEALING:
            yield HEALING[item.name], Phrase("q", (("drink", item.letter), ("quaff", item.letter))), "quaff"
    hurt = stats[st.HP] * 2 < stats[st.HP_MAX] and stats[st.HUNGER] <= 2  # casting makes hungry
    if body.hero.role == "hea" and hurt and stats[st.POWER] >= BOLT_POWER:
        spell = Phrase("Z", (("Choose which spell", "a"), ("direction", ".")))
        yield 10.0, spell, "heal"


def care(body: Body) -> Phrase | None:
    """Return a healer's spell for wounds that are worth it."""
    stats = body.world.stats
    wounds = stats[st.HP_MAX] - stats[st.HP]
    if body.hero.role != "hea" or wounds < CARE_GAIN or stats[st.POWER] < BOLT_POWER or stats[st.HUNGER] >= WEAK:
        return None
    return None if body.is_muted("heal") else Phrase("Z", (("Choose which spell", "a"), ("direction", ".")))


def stunning_wand(body: Body, cell: int, kind: Species) -> Phrase | None:
    """Return the zap of a known attack wand at `cell`, if it lies in a line and `kind` does not resist."""
    way = body.way_towards(cell)
    if way < 0 or distance(cell, body.world.hero) > 6 or not body.line_is_clear(cell, way, 4):
        return None
    for item in body.hero.items:
        usable = item.kind == WAND and ":0)" not in item.notes and item.letter not in body.empty
        usable = usable and not kind.row.resists & RESISTED.get(item.name, 0)
        if usable and item.name in SLEEPERS and (item.name in NO_RAYS or is_safe_ray(body, way, item.name)):
            return zap(item, way)
    return None


def is_safe_ray(body: Body, way: int, name: str) -> bool:
    """Return True if a ray does not come back, or comes back and can be borne: only grown elves bear sleep."""
    stats = body.world.stats
    immune = body.hero.race == "elf" and stats[st.EXPERIENCE] >= ELVES_WAKE
    borne = immune if name == "sleep" else stats[st.HP] > RAY_MARGIN * RAY_HARM.get(name, RAY_MOST)
    return borne or body.free_run(way) >= RAY_RUN


def unknown_wand(body: Body, cell: int) -> Phrase | None:
    """Return the zap of a wand that nobody knows: half of them harm or remove whoever is hit."""
    way = body.way_towards(cell)
    if way < 0 or not body.line_is_clear(cell, way, 4) or body.free_run(way) < RAY_RUN:
        return None
    for item in body.hero.items:
        if item.kind == WAND and item.number < 0 and item.letter not in body.empty:
            return zap(item, way)
    return None


def escape_scroll(body: Body) -> Phrase | None:
    """Return the reading of a scroll that takes us elsewhere on the level; the confused would fall into the depths."""
    world = body.world
    scrolls = [item for item in body.hero.items if item.kind == SCROLL and item.name == "teleportation"]
    scroll = next((item for item in scrolls if not item.unpaid), None)
    if scroll is None or not world.sees or world.stats[st.CONDITION] & CONFUSED or world.level.key[0] == SOKOBAN:
        return None
    return Phrase("r", (("want to read", scroll.letter),))


def escape_hole(body: Body) -> Phrase | None:
    """Return the zap of a wand of digging at the floor."""
    wand = body.hero.find("digging")
    world = body.world
    if wand is None or wand.kind != WAND or wand.letter in body.empty or ":0)" in wand.notes:
        return None
    if world.memory[kn.TERRAIN, world.hero] not in (kn.FLOOR, kn.CORRIDOR):
        return None
    return Phrase("z", (("zap", wand.letter), ("direction", ">")))


def zap(item: Item, way: int) -> Phrase:
    """Return the command that zaps a wand."""
    return Phrase("z", (("zap", item.letter), ("direction", key_of(way))))


def missiles(body: Body) -> list[Item]:
    """Return what can be thrown or shot now, the best first."""
    return body.hero.missiles


def volley(body: Body, item: Item) -> float:
    """Return the worth of throwing or shooting `item` once, on the scale of `Hero.damage`."""
    return body.hero.volley(item)


def tool_choice(state: State) -> str:
    """Return the answer to a menu of things underfoot: what digs, on this page or a later one."""
    chosen = [letter for letter, words in menu_lines(state) if any(name in words for name in TOOLS)]
    return (chosen[0] if chosen else "") + (">" if not chosen and menu_goes_on(state) else "\r")


def everything(state: State) -> str:
    """Return the answer to the menu of what shall be dropped: the line that takes every item."""
    chosen = [letter for letter, words in menu_lines(state) if words.startswith("Auto-select every item")]
    return (chosen[0] if chosen else "") + "\r"


def spare_things(body: Body) -> list[Item]:
    """Return what is better thrown at something that must not be touched than carried; all that is left, if need be."""
    kinds = (WEAPON, GEM, POTION, ARMOUR, TOOL, SCROLL, BOOK, RING) if body.walled_in else (WEAPON, GEM, POTION)
    spare = [item for item in body.hero.items if item.kind in kinds and not item.wielded and not item.worn]
    spare = [item for item in spare if item.name not in (*HEALING, PICK_AXE, MATTOCK) and not item.title]
    return [item for item in spare if item.number < 0 or body.lore.object(item.number).skill not in LAUNCHERS]


def urgency(foe: Foe) -> float:
    """Return a key to sort foes by: whoever costs most and falls soonest comes first, those beside us before others."""
    return (0.0 if foe.beside else 100.0 + foe.distance) - (foe.loss + 0.2) / (foe.blows + 0.3)


def can_afford_spell(body: Body) -> bool:
    """Return True if the hero may cast although that makes hungry: the weak only if it costs next to nothing."""
    stats, hero = body.world.stats, body.hero
    if stats[st.HUNGER] < WEAK:
        return True
    cheap = hero.spell_cost(stats[st.INTELLIGENCE]) <= CHEAP
    return stats[st.HUNGER] == WEAK and cheap and hero.fed > TOO_HUNGRY


def best_shot(body: Body, foes: list[Foe], risk: float) -> tuple[int, Phrase] | None:
    """Return the direction and command of the best shot, or None if a blow is as good."""
    world, hero = body.world, body.hero
    bolt = hero.role == "wiz" and world.stats[st.POWER] >= BOLT_POWER and can_afford_spell(body)
    carried = missiles(body)
    shoots = hero.shoots
    pressed = any(foe.beside for foe in foes)
    for foe in sorted(foes, key=urgency):
        way = body.way_towards(foe.cell)
        if way < 0 or (pressed and not foe.beside) or not body.line_is_clear(foe.cell, way, 4):
            continue
        if bolt and foe.distance <= BOLT_RANGE and foe.loss * foe.blows > 2.0:
            return way, Phrase("Z", (("Choose which spell", "a"), ("direction", key_of(way))))
        if not carried or foe.kind.name in ("acid blob",):
            continue
        reach = SHOT_RANGE if shoots else THROW_RANGE
        worth = shoots or (foe.distance >= 2 and (foe.blows > 0.8 or risk > 0.02))
        if worth and foe.distance <= reach:
            return way, Phrase("t", (("throw", carried[0].letter), ("direction", key_of(way))))
    return None
