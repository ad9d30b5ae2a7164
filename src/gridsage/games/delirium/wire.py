"""What the miner sees, as data that JSON can hold."""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np

from gridsage.core.room import Wire
from gridsage.games.delirium.level.cells import KIND_NAMES, STRENGTH_SHIFT, Options
from gridsage.games.delirium.state import Observation

KINDS = ", ".join(f"{kind} {name}" for kind, name in KIND_NAMES.items())
CODES = f"a list per row; a code is a kind + {1 << STRENGTH_SHIFT} * (strength of a sturdy wall - 1); kinds: {KINDS}"


class Seen(msgspec.Struct, frozen=True):
    """One tick of the mine as the miner sees it."""

    cells: Annotated[tuple[tuple[int, ...], ...], msgspec.Meta(description=CODES)]
    miner: Annotated[int, msgspec.Meta(description="his cell: row * columns + column")]
    diamonds: Annotated[int, msgspec.Meta(description="collected in this gallery")]
    needed: Annotated[int, msgspec.Meta(description="diamonds that open the exit")]
    time: Annotated[int, msgspec.Meta(description="ticks left; -1: no limit")]
    ticks: Annotated[int, msgspec.Meta(description="played in this gallery")]
    gallery: Annotated[int, msgspec.Meta(description="its number, from 0")]
    galleries: int
    most_rows: Annotated[int, msgspec.Meta(description="of the largest gallery of this level")]
    most_cols: int
    view_rows: Annotated[int, msgspec.Meta(description="seen above and below the miner; -1: the whole map")]
    view_cols: int
    can_widen: bool
    options: Options


_SAME = tuple(name for name in Seen.__struct_fields__ if name != "cells")


def to_wire(seen: Observation) -> Seen:
    """Return the observation as data."""
    rows = seen.cells.reshape(seen.rows, seen.cols).tolist()
    return Seen(tuple(tuple(row) for row in rows), *(getattr(seen, name) for name in _SAME))


def from_wire(seen: Seen) -> Observation:
    """Return the observation of the data."""
    cells = np.array(seen.cells, np.uint8)  # (rows, cols)
    cells.setflags(write=False)
    rows, cols = cells.shape
    return Observation(rows=rows, cols=cols, cells=cells.reshape(-1), **{name: getattr(seen, name) for name in _SAME})


WIRE = Wire(Seen, to_wire, from_wire)
