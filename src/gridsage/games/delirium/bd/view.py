"""A position in a cave as sprite names and status words."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.frame import Entity, Frame
from gridsage.games.delirium.bd.cells import (
    AMOEBA,
    BIRTH_1,
    BIRTH_2,
    BIRTH_3,
    BOULDER,
    BRICK,
    BUTTERFLY,
    DIAMOND,
    DIAMOND_BIRTH,
    DIRT,
    EXIT_OPEN,
    EXIT_SHUT,
    EXPLOSION,
    FALLING_BOULDER,
    FALLING_DIAMOND,
    FIREFLY,
    GROWING_WALL,
    INBOX,
    KIND_MASK,
    MAGIC_WALL,
    ROCKFORD,
    SLIME,
    SPACE,
    STEEL,
)
from gridsage.games.delirium.bd.level import Cave
from gridsage.games.delirium.bd.state import (
    AMOEBA_STATE,
    AWAKE,
    CAUSES,
    DIAMONDS,
    HATCH,
    MAGIC,
    MAGIC_LEFT,
    PLAYING,
    POINTS,
    ROCKFORD_AT,
    STATUS,
    TICKS,
    TIME,
    Observation,
    State,
)

SPRITES = {
    SPACE: "void",
    DIRT: "clay",
    BRICK: "brick_wall",
    STEEL: "steel_wall",
    MAGIC_WALL: "magic",
    EXIT_SHUT: "exit",
    EXIT_OPEN: "open_exit",
    BOULDER: "stone",
    DIAMOND: "diamond",
    FALLING_BOULDER: "falling_stone",
    FALLING_DIAMOND: "falling_diamond",
    AMOEBA: "amoeba",
    SLIME: "slime",
    GROWING_WALL: "growing_wall",
    INBOX: "inbox",
    BIRTH_1: "birth",
    BIRTH_2: "birth",
    BIRTH_3: "birth",
    ROCKFORD: "void",
    **dict.fromkeys(range(FIREFLY, BUTTERFLY + 4), "void"),
    **dict.fromkeys(range(EXPLOSION, EXPLOSION + 4), "blast"),
    **dict.fromkeys(range(DIAMOND_BIRTH, DIAMOND_BIRTH + 4), "diamond_blast"),
}
GLYPHS = {
    "void": (" ", "default"),
    "clay": (".", "dark_goldenrod"),
    "diamond": ("◆", "bright_cyan"),
    "falling_diamond": ("◆", "bold bright_cyan"),
    "stone": ("●", "grey70"),
    "falling_stone": ("●", "bold white"),
    "steel_wall": ("█", "grey35"),
    "brick_wall": ("▒", "orange4"),
    "magic": ("≈", "magenta"),
    "blast": ("*", "bold yellow"),
    "diamond_blast": ("*", "bold bright_cyan"),
    "exit": ("∩", "grey50"),
    "open_exit": ("∩", "bold bright_green"),
    "amoeba": ("%", "green"),
    "slime": ("~", "bright_green"),
    "growing_wall": ("▓", "orange4"),
    "inbox": ("□", "bright_white"),
    "birth": ("+", "bold bright_white"),
    "miner": ("@", "bold bright_white"),
    "red": ("f", "bold red"),
    "blue": ("b", "bold blue"),
}
NAMES = {
    "void": "space",
    "clay": "dirt",
    "stone": "boulder",
    "falling_stone": "falling boulder",
    "magic": "magic wall",
    "miner": "Rockford",
    "red": "firefly",
    "blue": "butterfly",
}
KEYS = {
    "right": "right",
    "up": "up",
    "left": "left",
    "down": "down",
    "space": "stay",
    ".": "stay",
    "d": "snap right",
    "w": "snap up",
    "a": "snap left",
    "s": "snap down",
}
MEANINGS = {
    "stay": "Rockford waits.",
    **{side: f"Rockford walks {side}, takes a diamond or pushes a boulder." for side in ("right", "left")},
    **{side: f"Rockford walks {side} or takes a diamond." for side in ("up", "down")},
    **{f"snap {side}": f"Rockford digs, takes or pushes {side} without a step." for side in ("right", "left")},
    **{f"snap {side}": f"Rockford digs or takes {side} without a step." for side in ("up", "down")},
}
GLIDING = {
    "stone": "stone",
    "falling_stone": "stone",
    "diamond": "diamond",
    "falling_diamond": "diamond",
}
STEPS = ((0, -1), (-1, 0), (0, 1), (1, 0))  # a fly faces left, up, right, down


def frame(state: State) -> Frame:
    """Return the picture of a position."""
    kinds = [byte & KIND_MASK for byte in state.cells[: state.cave.size].tolist()]
    return _frame(state.cave, kinds, state.facts.tolist())


def seen_frame(seen: Observation) -> Frame:
    """Return the picture of what a player sees, which is everything but the chances to come."""
    return _frame(seen.cave, seen.kinds.tolist(), seen.facts.tolist())


def _frame(cave: Cave, kinds: list[int], facts: list[int]) -> Frame:
    cells = tuple(SPRITES[kind] for kind in kinds)
    entities = tuple(_entity(cell, kind, cave.cols) for cell, kind in enumerate(kinds) if _is_alive(kind))
    return Frame(cave.rows, cave.cols, cells, entities, status=_status(cave, facts), text=_sentence(cave, facts))


def _is_alive(kind: int) -> bool:
    return kind == ROCKFORD or FIREFLY <= kind < BUTTERFLY + 4


def _entity(cell: int, kind: int, cols: int) -> Entity:
    row, col = divmod(cell, cols)
    if kind == ROCKFORD:
        return Entity("rockford", "miner", row, col)
    drow, dcol = STEPS[(kind - FIREFLY) & 3]
    return Entity(f"fly{cell}", "red" if kind < BUTTERFLY else "blue", row, col, drow, dcol)


def _status(cave: Cave, facts: list[int]) -> dict[str, str]:
    words = {
        "diamonds": f"{facts[DIAMONDS]}/{cave.needed}",
        "time": str(-(-facts[TIME] // cave.second)),
        "points": str(facts[POINTS]),
        "ticks": str(facts[TICKS]),
    }
    if facts[MAGIC] == AWAKE:
        words["magic wall"] = str(-(-facts[MAGIC_LEFT] // cave.second))
    if facts[AMOEBA_STATE] == AWAKE:
        words["amoeba"] = "grows"
    if facts[STATUS] != PLAYING:
        words["end"] = CAUSES[facts[STATUS]]
    return words


def _sentence(cave: Cave, facts: list[int]) -> str:
    count = f"{facts[DIAMONDS]} of {counted(cave.needed, 'diamond')} after {counted(facts[TICKS], 'tick')}"
    if facts[STATUS] != PLAYING:
        return f"{count}; {CAUSES[facts[STATUS]]}."
    if facts[ROCKFORD_AT] < 0:
        return f"Rockford is not born yet{', he waits' if facts[HATCH] > 0 else ''}; {count}."
    row, col = divmod(facts[ROCKFORD_AT], cave.cols)
    gate = "open" if facts[DIAMONDS] >= cave.needed else "shut"
    return f"Rockford at row {row}, column {col}; {count}; the exit is {gate}."
