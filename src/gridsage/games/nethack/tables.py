"""The game's own tables of monsters and objects, read from the installed library by a program of its own.

    python -m gridsage.games.nethack.tables

prints them as JSON. The library is opened and never started, because a game shuffles the appearances.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

MONSTERS, OBJECTS, ATTACKS = 381, 453, 6

# struct permonst and struct objclass of NetHack 3.6 as gcc lays them out on 64 bits; a test compares them with nle's.
PERMONST = np.dtype(
    {
        "names": [
            "name", "letter", "level", "speed", "ac", "resistance", "alignment", "generation", "attacks", "weight",
            "nutrition", "sound", "size", "resists", "conveys", "flags1", "flags2", "flags3", "difficulty",
        ],
        "formats": [
            "u8", "i1", "i1", "i1", "i1", "i1", "i1", "u2", ("u1", (ATTACKS, 4)), "u2",
            "u2", "u1", "u1", "u1", "u1", "u8", "u8", "u2", "u1",
        ],
        "offsets": [0, 8, 9, 10, 11, 12, 13, 14, 16, 40, 42, 44, 45, 46, 47, 48, 56, 64, 66],
        "itemsize": 72,
    }
)  # fmt: skip
OBJCLASS = np.dtype(
    {
        "names": [
            "bits", "skill", "property", "class", "delay", "probability", "weight", "cost", "small", "large", "first",
            "second", "nutrition",
        ],
        "formats": ["u4", "i1", "u1", "i1", "i1", "i2", "u2", "i2", "i1", "i1", "i1", "i1", "u2"],
        "offsets": [16, 19, 20, 21, 22, 24, 26, 28, 30, 31, 32, 33, 34],
        "itemsize": 40,
    }
)  # fmt: skip
TWO_HANDED_BIT, MATERIAL_SHIFT, MATERIAL_MASK = 8, 12, 31


class MonsterRow(msgspec.Struct, frozen=True, array_like=True):
    """One kind of monster, in the order of the glyphs."""

    name: str
    letter: int  # the game's class of monsters, 1 is `a`
    level: int
    speed: int
    ac: int
    resistance: int
    alignment: int
    generation: int
    attacks: tuple[tuple[int, int, int, int], ...]  # kind of attack, kind of damage, dice, sides
    weight: int
    nutrition: int
    size: int
    resists: int
    conveys: int
    flags1: int
    flags2: int
    flags3: int
    difficulty: int


class ObjectRow(msgspec.Struct, frozen=True, array_like=True):
    """One kind of object, in the order of the glyphs."""

    name: str
    appearance: str  # as the library has it; a game shuffles the magical ones among themselves
    kind: int  # the game's class of objects
    skill: int
    delay: int
    probability: int
    weight: int
    cost: int
    small: int  # sides of damage against small monsters
    large: int
    first: int  # armour: the AC it gives; weapons: bonus to hit; spellbooks: level
    nutrition: int
    two_handed: bool
    material: int


class GameTables(msgspec.Struct, frozen=True):
    """What the library says of every monster and object."""

    monsters: tuple[MonsterRow, ...]
    objects: tuple[ObjectRow, ...]


def library() -> Path:
    """The path of the installed game library."""
    spec = importlib.util.find_spec("nle")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("nle is not installed")
    return Path(next(iter(spec.submodule_search_locations))) / "libnethack.so"


def read(path: Path) -> GameTables:
    """Return the tables of the library at `path`."""
    handle = ctypes.CDLL(str(path))
    monsters = _array(handle, "mons", PERMONST, MONSTERS)
    objects = _array(handle, "objects", OBJCLASS, OBJECTS)
    words = (ctypes.c_char_p * (2 * OBJECTS)).in_dll(handle, "obj_descr")
    return GameTables(
        tuple(_monster(row) for row in monsters),
        tuple(_object(row, words[2 * at], words[2 * at + 1]) for at, row in enumerate(objects)),
    )


def _array(handle: ctypes.CDLL, symbol: str, kind: np.dtype[np.void], count: int) -> NDArray[np.void]:
    raw = (ctypes.c_char * (kind.itemsize * count)).in_dll(handle, symbol)
    return np.frombuffer(bytes(raw), kind)


def _monster(row: np.void) -> MonsterRow:
    numbers = {field: int(row[field]) for field in MonsterRow.__struct_fields__ if field not in ("name", "attacks")}
    attacks = [[int(part) for part in attack] for attack in row["attacks"] if attack.any()]
    name = ctypes.string_at(int(row["name"])).decode("latin-1")
    fields = {**numbers, "name": name, "attacks": attacks}
    return msgspec.convert([fields[field] for field in MonsterRow.__struct_fields__], MonsterRow)


def _object(row: np.void, name: bytes | None, appearance: bytes | None) -> ObjectRow:
    bits = int(row["bits"])
    return ObjectRow(
        (name or b"").decode("latin-1"),
        (appearance or b"").decode("latin-1"),
        int(row["class"]),
        int(row["skill"]),
        int(row["delay"]),
        int(row["probability"]),
        int(row["weight"]),
        int(row["cost"]),
        int(row["small"]),
        int(row["large"]),
        int(row["first"]),
        int(row["nutrition"]),
        bool(bits >> TWO_HANDED_BIT & 1),
        bits >> MATERIAL_SHIFT & MATERIAL_MASK,
    )


def main() -> None:
    """Print the tables as JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(read(library())))


if __name__ == "__main__":
    main()
