"""What every player may know by heart: the game's tables of monsters and objects, with what follows from them."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gridsage.core.errors import GridsageError
from gridsage.core.jit import cache_root
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.tables import GameTables, MonsterRow, ObjectRow, library

# Flags of monsters as NetHack's monflag.h names them.
M1_FLY, M1_SWIM, M1_CONCEAL, M1_REGEN, M1_ACID, M1_POIS = 0x1, 0x2, 0x80, 0x00800000, 0x08000000, 0x10000000
M2_UNDEAD, M2_WERE, M2_HUMAN, M2_ELF, M2_DWARF, M2_GNOME, M2_ORC = 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80
M2_DEMON, M2_MERC, M2_HOSTILE, M2_PEACEFUL, M2_STALK = 0x100, 0x200, 0x00100000, 0x00200000, 0x01000000
M2_COLLECT, M2_DOMESTIC = 0x40000000, 0x00400000
RACE_FLAGS = {"human": M2_HUMAN, "elf": M2_ELF, "dwarf": M2_DWARF, "gnome": M2_GNOME, "orc": M2_ORC}
# Whom a race finds peaceful although they are hostile to others; dwarves and gnomes stand together.
LOVED = {**RACE_FLAGS, "dwarf": M2_DWARF | M2_GNOME, "gnome": M2_DWARF | M2_GNOME}

# Kinds of attack and of damage (monattk.h).
AT_BOOM, AT_EXPLODE, AT_ENGULF, AT_BREATH, AT_SPIT, AT_GAZE, AT_MAGIC, AT_WEAPON, AT_NONE = (
    14, 13, 11, 12, 10, 15, 255, 254, 0,
)  # fmt: skip
AD_SLEEP, AD_PLYS, AD_STONE = 4, 14, 18
RANGED_ATTACKS = frozenset({AT_BREATH, AT_SPIT, AT_GAZE, AT_MAGIC})
WEAPON_EXTRA = 2.5  # what a monster's weapon adds to its own dice, on average
WEAPON_MOST = 6.0  # what a common weapon adds when it rolls high
DWARVISH_WEAPONS = 4.0, 12.0  # the same of axes, pick-axes and mattocks
DWARVISH_ARMOUR = 4  # points of armour class that their helmets and shoes are worth
HP_PER_LEVEL = 4.5
# Damage that is worse than its dice: sleep, paralysis, poison, drains of wits and levels, sickness, digestion, and the
# theft of armour and tools.
SPECIAL_LOSS = {
    AD_STONE: 6.0, AD_SLEEP: 3.0, AD_PLYS: 2.0, 7: 1.5, 15: 4.0, 30: 1.5, 31: 1.5, 32: 8.0, 41: 1.0, 29: 3.0, 40: 4.0,
    28: 2.0, 26: 15.0, 21: 12.0, 22: 12.0,
}  # fmt: skip
PACK = 4.0  # what the animals cost per turn that a werecreature calls, as long as it lives
AD_BLIND, BLINDNESS = 11, 30.0  # what a hundred turns without sight cost, in hit points

# Blinding, stunning, slowing, confusing, stealing, seducing, teleporting and hallucination take no hit points.
NO_WOUNDS = frozenset({11, 12, 13, 14, 20, 21, 22, 23, 25, 36})

# Corpses that harm whoever eats them although no flag says so.
BAD_CORPSES = frozenset(
    {
        "cockatrice", "chickatrice", "Medusa", "green slime", "bat", "giant bat", "vampire bat", "werejackal",
        "wererat", "werewolf", "little dog", "dog", "large dog", "kitten", "housecat", "large cat", "stalker",
        "chameleon", "doppelganger", "disenchanter", "quantum mechanic", "violet fungus", "yellow mold", "green mold",
        "Death", "Pestilence", "Famine", "gremlin", "abbot", "lizard", "small mimic", "large mimic", "giant mimic",
    }
)  # fmt: skip
NEVER_ROTS = frozenset({"lichen", "lizard"})
ALL_BUT_ELBERETH = frozenset({"minotaur", "shopkeeper", "guard", "Death", "Pestilence", "Famine"})
LETTER_HUMAN, LETTER_ANGEL, LETTER_FUNGUS, LETTER_ZOMBIE, LETTER_MUMMY = 53, 27, 32, 52, 39


@dataclass(frozen=True, slots=True)
class Species:
    """One kind of monster and what it means for a fight."""

    number: int
    row: MonsterRow
    hits: tuple[tuple[float, bool], ...]  # mean damage of each active attack, and whether it must hit first
    most: float  # damage of one round in which everything hits and rolls high
    passive: float  # mean damage of its answer to a blow
    hp: float
    ranged: bool
    respects: bool  # keeps away from Elbereth
    forbidden: bool  # never to be struck by hand
    still: bool  # does not walk
    follows: bool  # comes along over stairs when it stands beside us
    edible: bool
    feeds_immune: bool  # edible for whoever resists poison
    experience: int
    armour: int  # class of armour, with what such monsters mostly wear
    bursts: bool  # its only attack is its end

    @property
    def name(self) -> str:
        return self.row.name


class Knowledge:
    """The tables with everything derived from them."""

    def __init__(self, tables: GameTables) -> None:
        self.kinds = tuple(_kind(number, row) for number, row in enumerate(tables.monsters))
        self.objects = tables.objects
        self.by_name: dict[str, int] = {}
        for number, row in enumerate(tables.objects):
            if row.appearance:
                self.by_name.setdefault(row.appearance, number)
        for number, row in enumerate(tables.objects):
            if row.name:
                self.by_name[row.name] = number
        self.kind_of_name = {kind.name: kind.number for kind in reversed(self.kinds)}

    def object(self, number: int) -> ObjectRow:
        """Return the row of an object by its number."""
        return self.objects[number]


def _kind(number: int, row: MonsterRow) -> Species:
    hits, passive, most = [], 0.0, 0.0
    for attack, damage, dice, sides in row.attacks:
        amount = (dice or (row.level // 3 + 1)) * (sides + 1) / 2 if sides else 0.0
        if damage in NO_WOUNDS:
            amount = min(amount, 2.0)  # the dice are turns
        if attack == AT_EXPLODE and damage == AD_BLIND:
            amount = BLINDNESS
        if attack == AT_NONE:
            passive += amount
        elif attack == AT_BOOM:
            continue
        else:
            extra, at_most = DWARVISH_WEAPONS if row.name.startswith("dwarf") else (WEAPON_EXTRA, WEAPON_MOST)
            amount += extra if attack == AT_WEAPON else 0.0
            most += 0.0 if damage in NO_WOUNDS else dice * sides + (at_most if attack == AT_WEAPON else 0)
            hits.append((amount + SPECIAL_LOSS.get(damage, 0.0), attack not in RANGED_ATTACKS))
    if row.flags2 & M2_WERE:
        hits.append((2 * PACK, False))  # half of what needs no aim counts
    return Species(
        number,
        row,
        tuple(hits),
        most,
        passive,
        max(2.5, row.level * HP_PER_LEVEL),
        any(attack in RANGED_ATTACKS for attack, *_ in row.attacks),
        not (row.letter in (LETTER_HUMAN, LETTER_ANGEL) or row.name in ALL_BUT_ELBERETH),
        bool(kn.LEFT_ALONE[number]) and row.letter != LETTER_HUMAN,  # shopkeepers and watchmen may grow angry
        row.speed == 0 or row.name in ("floating eye", "lichen"),
        bool(row.flags2 & M2_STALK),
        _edible(row, M1_POIS | M1_ACID),
        _edible(row, M1_ACID),
        _experience(row),
        row.ac - (DWARVISH_ARMOUR if row.name.startswith("dwarf") else 0),
        any(attack == AT_EXPLODE for attack, *_ in row.attacks),
    )


def _edible(row: MonsterRow, harmful: int) -> bool:
    """Return True if a fresh corpse of this kind harms nobody of another race whom these flags harm."""
    if row.name in BAD_CORPSES or row.flags1 & harmful or row.flags2 & (M2_UNDEAD | M2_WERE | M2_DEMON):
        return False
    return row.nutrition > 0 and row.letter not in (LETTER_ZOMBIE, LETTER_MUMMY)


def _experience(row: MonsterRow) -> int:
    """Return about what killing one is worth (exper.c, without the bonus of special attacks)."""
    points = 1 + row.level * row.level + (5 if row.speed > 18 else 3 if row.speed > 12 else 0)
    points += sum(dice * sides > 23 for _, _, dice, sides in row.attacks) * row.level
    return points + (50 if row.level > 8 else 0)


@functools.cache
def knowledge() -> Knowledge:
    """Return the knowledge made from the installed game, read in a child process and kept in the cache folder."""
    path = library()
    stamp = path.stat()
    digest = hashlib.sha256(f"{path} {stamp.st_size} {stamp.st_mtime_ns} {_own_source()}".encode()).hexdigest()[:16]
    kept = cache_root().parent / f"nethack-tables-{digest}.json"
    try:
        return Knowledge(msgspec.json.decode(kept.read_bytes(), type=GameTables))
    except (OSError, msgspec.DecodeError):
        raw = _generate()
    with contextlib.suppress(OSError):  # a cache that cannot be written, as behind the walls, only costs time
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(raw)
        part.replace(kept)
    return Knowledge(msgspec.json.decode(raw, type=GameTables))


def _own_source() -> str:
    source = Path(sys.modules[GameTables.__module__].__file__ or "")
    return hashlib.sha256(source.read_bytes()).hexdigest()


def _generate() -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", GameTables.__module__],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    if done.returncode:
        raise GridsageError(f"the tables of NetHack cannot be read: {done.stderr.decode('utf-8', 'replace')[-300:]}")
    return done.stdout
