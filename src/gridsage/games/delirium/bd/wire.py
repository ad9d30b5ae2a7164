"""What a player of a cave sees, as data that JSON can hold."""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np

from gridsage.core.amounts import counted
from gridsage.core.room import Wire
from gridsage.games.delirium.bd.cells import SYMBOLS, picture
from gridsage.games.delirium.bd.level import Cave, Options
from gridsage.games.delirium.bd.state import COST, FACT_NAMES, Observation

LEGEND = "a string per row: ' ' space, '.' dirt, o boulder, d diamond, O D falling, # brick, S steel, M magic wall, "
LEGEND += "a amoeba, s slime, H growing wall, 1-4 firefly and 5-8 butterfly facing left, up, right, down, "
LEGEND += "e-h explosion, i-l diamond birth, I inbox, x-z birth, @ Rockford, X Y exit shut and open"


class Seen(msgspec.Struct, frozen=True):
    """One tick of a cave."""

    cave: Annotated[Cave, msgspec.Meta(description="the cave when the game began, with all its numbers")]
    options: Options
    rows: Annotated[tuple[str, ...], msgspec.Meta(description=LEGEND)]
    facts: Annotated[dict[str, int], msgspec.Meta(description="counters and clocks by name; times in milliseconds")]


def to_wire(seen: Observation) -> Seen:
    """Return the observation as data."""
    rows = picture(seen.kinds.tobytes(), seen.cave.cols, seen.cave.size)
    return Seen(seen.cave, seen.options, tuple(rows), dict(zip(FACT_NAMES, seen.facts.tolist(), strict=True)))


def from_wire(seen: Seen) -> Observation:
    """Return the observation of the data."""
    kinds = np.array([SYMBOLS[symbol] for row in seen.rows for symbol in row], np.uint8)
    facts = np.array([seen.facts[name] for name in FACT_NAMES], np.int64)
    if len(kinds) != seen.cave.size or len(facts) != COST:
        raise ValueError(f"{counted(len(kinds), 'cell')}, expected {seen.cave.size}")
    for array in (kinds, facts):
        array.setflags(write=False)
    return Observation(seen.cave, seen.options, kinds, facts)


WIRE = Wire(Seen, to_wire, from_wire)
