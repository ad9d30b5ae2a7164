"""A position of the mine as sprite names and status words. Cells out of the miner's view are dark."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.frame import Entity, Frame
from gridsage.games.delirium.level.cells import (
    BLACK,
    BLAST_DIAMOND,
    BLAST_STONE,
    BLAST_VOID,
    BLUE,
    BORDER,
    CLAY,
    DIAMOND,
    EXIT,
    FALLING,
    GREEN,
    KIND_MASK,
    MAGIC,
    MINER,
    PURPLE,
    RED,
    STONE,
    STRENGTH_SHIFT,
    STURDY,
    UNKNOWN,
    VOID,
    WALL,
    YELLOW,
)
from gridsage.games.delirium.state import (
    CAUSES,
    FIRST_MONSTER,
    MONSTER_COUNT,
    NOT_MOVED,
    PLAYING,
    WON,
    Observation,
    State,
)

SPRITES = {
    VOID: "void",
    CLAY: "clay",
    DIAMOND: "diamond",
    STONE: "stone",
    WALL: "wall",
    BORDER: "wall",
    STURDY: "sturdy",
    MAGIC: "magic",
    BLAST_VOID: "blast",
    BLAST_DIAMOND: "blast",
    BLAST_STONE: "blast",
    EXIT: "exit",
    MINER: "void",
    BLUE: "void",
    RED: "void",
    GREEN: "void",
    YELLOW: "void",
    PURPLE: "void",
    BLACK: "void",
}
MONSTER_SPRITES = {BLUE: "blue", RED: "red", GREEN: "green", YELLOW: "yellow", PURPLE: "purple", BLACK: "black"}
DARK = "dark"
GLIDING = {
    "stone": "stone",
    "falling_stone": "stone",
    "diamond": "diamond",
    "falling_diamond": "diamond",
}
GLYPHS = {
    "void": (" ", "default"),
    "clay": (".", "dark_goldenrod"),
    "diamond": ("◆", "bright_cyan"),
    "falling_diamond": ("◆", "bold bright_cyan"),
    "stone": ("●", "grey70"),
    "falling_stone": ("●", "bold white"),
    "wall": ("█", "grey35"),
    "sturdy": ("▒", "orange4"),
    "sturdy_2": ("2", "bold orange4"),
    "sturdy_3": ("3", "bold orange4"),
    "sturdy_4": ("4", "bold orange4"),
    "magic": ("≈", "magenta"),
    "blast": ("*", "bold yellow"),
    "exit": ("∩", "grey50"),
    "open_exit": ("∩", "bold bright_green"),
    "miner": ("@", "bold bright_white"),
    "dead": ("†", "bold red"),
    "blue": ("b", "bold blue"),
    "red": ("r", "bold red"),
    "green": ("g", "bold green"),
    "yellow": ("y", "bold yellow"),
    "purple": ("p", "bold magenta"),
    "black": ("k", "bold grey62"),
    DARK: ("·", "grey15"),
}
KEYS = {
    "right": "right",
    "up": "up",
    "left": "left",
    "down": "down",
    "space": "stay",
    ".": "stay",
    "d": "dig right",
    "w": "dig up",
    "a": "dig left",
    "s": "dig down",
    "v": "widen view",
}
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def frame(state: State) -> Frame:
    """The picture of a position."""
    cols = state.cols
    open_exit = state.diamonds >= state.needed
    cells = [_sprite(byte, open_exit) for byte in state.cells.tolist()]
    entities = [*_monsters(state), _miner(state)]
    if state.view_rows >= 0:
        cells = [sprite if _is_seen(state, *divmod(cell, cols)) else DARK for cell, sprite in enumerate(cells)]
        entities = [entity for entity in entities if _is_seen(state, entity.row, entity.col)]
    return Frame(state.rows, cols, tuple(cells), tuple(entities), status=_status(state), text=_sentence(state))


def seen_frame(seen: Observation) -> Frame:
    """The picture of what the miner sees: nobody tells him where monsters look and what is falling."""
    codes = seen.cells.tolist()
    cells = tuple(DARK if code == UNKNOWN else _sprite(code, seen.exit_is_open) for code in codes)
    found = [(cell, MONSTER_SPRITES[code]) for cell, code in enumerate(codes) if code in MONSTER_SPRITES]
    monsters = [Entity(f"monster{at}", sprite, *divmod(cell, seen.cols)) for at, (cell, sprite) in enumerate(found)]
    miner = Entity("miner", "miner", *divmod(seen.miner, seen.cols))
    status = {"diamonds": f"{seen.diamonds}/{seen.needed}", "ticks": str(seen.ticks)}
    if seen.time >= 0:
        status["time"] = str(seen.time)
    if seen.galleries > 1:
        status["gallery"] = f"{seen.gallery + 1}/{seen.galleries}"
    if seen.can_widen:
        status["view"] = f"{2 * seen.view_cols + 1}x{2 * seen.view_rows + 1}"
    text = f"{_where(seen)}; the exit is {'open' if seen.exit_is_open else 'closed'}."
    return Frame(seen.rows, seen.cols, cells, (*monsters, miner), status=status, text=text)


def _sprite(byte: int, open_exit: bool) -> str:
    kind = byte & KIND_MASK
    if kind == EXIT and open_exit:
        return "open_exit"
    if kind == STURDY and byte >> STRENGTH_SHIFT:
        return f"sturdy_{(byte >> STRENGTH_SHIFT) + 1}"  # how many blows it takes
    sprite = SPRITES[kind]
    return f"falling_{sprite}" if byte & FALLING and kind in (STONE, DIAMOND) else sprite


def _monsters(state: State) -> list[Entity]:
    found = []
    for number in range(int(state.rules[MONSTER_COUNT])):
        packed = int(state.facts[FIRST_MONSTER + number])
        if packed < 0:
            continue
        cell, heading = packed >> 3, packed & 7
        sprite = MONSTER_SPRITES[int(state.cells[cell])]
        drow, dcol = STEPS[heading] if heading != NOT_MOVED else (0, 0)
        found.append(Entity(f"monster{number}", sprite, *divmod(cell, state.cols), drow, dcol))
    return found


def _miner(state: State) -> Entity:
    sprite = "miner" if state.status in (PLAYING, WON) else "dead"
    return Entity("miner", sprite, *divmod(state.miner, state.cols))


def _is_seen(state: State, row: int, col: int) -> bool:
    at_row, at_col = divmod(state.miner, state.cols)
    return abs(row - at_row) <= state.view_rows and abs(col - at_col) <= state.view_cols


def _status(state: State) -> dict[str, str]:
    words = {"diamonds": f"{state.diamonds}/{state.needed}", "ticks": str(state.ticks)}
    if state.time >= 0:
        words["time"] = str(state.time)
    if len(state.level.galleries) > 1:
        words["gallery"] = f"{state.number + 1}/{len(state.level.galleries)}"
    if state.kills:
        words["kills"] = str(state.kills)
    if state.view_rows >= 0:
        words["view"] = f"{2 * state.view_cols + 1}x{2 * state.view_rows + 1}"
    if state.status != PLAYING:
        words["end"] = CAUSES[state.status]
    return words


def _sentence(state: State) -> str:
    if state.status != PLAYING:
        return f"{_where(state)}; {CAUSES[state.status]}."
    return f"{_where(state)}; the exit is {'open' if state.diamonds >= state.needed else 'closed'}."


def _where(seen: State | Observation) -> str:
    row, col = divmod(seen.miner, seen.cols)
    count = f"{seen.diamonds} of {counted(seen.needed, 'diamond')} after {counted(seen.ticks, 'tick')}"
    return f"Miner at row {row}, column {col}; {count}"
