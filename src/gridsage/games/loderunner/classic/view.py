"""State -> Frame: sprite names and status words of the classic game."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.frame import Entity, Frame
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.state import Guard, Observation, Runner, State, seen_in

SPRITES = {
    ".": "path",
    "#": "floor",
    "@": "wall",
    "H": "ladder",
    "-": "cable",
    "X": "false-floor",
    "S": "hidden-ladder",
    "$": "bonus",
}
GLYPHS = {
    "path": (" ", ""),
    "floor": ("▒", "dark_orange3"),
    "wall": ("█", "grey50"),
    "ladder": ("H", "yellow"),
    "cable": ("‾", "cyan"),
    "false-floor": ("▒", "orange4"),
    "hidden-ladder": (" ", ""),
    "bonus": ("$", "bold yellow"),
    "hole": ("·", "grey37"),
    "closing-hole": ("o", "red"),
    "runner": ("R", "bold bright_blue"),
    "dead-runner": ("+", "bold red"),
    "enemy": ("E", "bold red"),
    "carrying-enemy": ("E", "bold yellow"),
    "trapped-enemy": ("e", "red"),
    "reborn-enemy": ("*", "red"),
}
LOOKS = {
    layout.UP: (-1, 0),
    layout.DOWN: (1, 0),
    layout.LEFT: (0, -1),
    layout.RIGHT: (0, 1),
    layout.DIG_LEFT: (0, -1),
    layout.DIG_RIGHT: (0, 1),
}
TICKS_PER_SECOND = 23  # the usual one of the original's five speeds
CLOSING = 20  # ticks before the end in which the original shows the brick coming back


def frame(state: State) -> Frame:
    """Return the picture of a position."""
    return seen_frame(seen_in(state))


def seen_frame(seen: Observation) -> Frame:
    """Return the picture of what a player sees."""
    total = len(seen.level.gold)
    return Frame(
        rows=layout.ROWS,
        cols=layout.COLS,
        cells=_cells(seen),
        entities=tuple(_entities(seen)),
        status={
            "tick": str(seen.tick),
            "gold": f"{total - max(0, seen.gold_left)}/{total}",
            "guards": str(len(seen.guards)),
            "holes": str(len(seen.holes)),
            "state": layout.REASONS[seen.status] or ("to the top" if seen.is_complete else "collecting"),
        },
        text=_sentence(seen),
        lasts=1000 / TICKS_PER_SECOND,
    )


def _cells(seen: Observation) -> tuple[str, ...]:
    cells = [SPRITES[sign] for line in seen.board for sign in line]
    for hole in seen.holes:
        cells[hole.cell] = "closing-hole" if hole.ticks <= CLOSING else "hole"
    return tuple(cells)


def _entities(seen: Observation) -> list[Entity]:
    people = [_entity(f"guard{number}", _guard_sprite(guard), guard) for number, guard in enumerate(seen.guards)]
    dead = seen.status not in (layout.ALIVE, layout.WON)
    return [*people, _entity("runner", "dead-runner" if dead else "runner", seen.runner)]


def _entity(name: str, sprite: str, person: Runner | Guard) -> Entity:
    row, col = divmod(person.cell, layout.COLS)
    looks = LOOKS.get(person.action, (0, 0))
    return Entity(name, sprite, row, col, *looks, person.dy / layout.CELL_DOWN, person.dx / layout.CELL_ACROSS)


def _guard_sprite(guard: Guard) -> str:
    if guard.action == layout.REBORN:
        return "reborn-enemy"
    if guard.action == layout.IN_HOLE:
        return "trapped-enemy"
    return "carrying-enemy" if guard.carries == 1 else "enemy"


def _sentence(seen: Observation) -> str:
    row, col = divmod(seen.runner.cell, layout.COLS)
    here = f"tick {seen.tick}: runner at row {row}, column {col}"
    if seen.status != layout.ALIVE:
        return f"{here}, {layout.REASONS[seen.status]}"
    goal = (
        "the way to the top is open"
        if seen.is_complete
        else f"{counted(seen.gold_left, 'piece of gold', 'pieces of gold')} left"
    )
    steps = sorted(abs(row - guard.cell // layout.COLS) + abs(col - guard.cell % layout.COLS) for guard in seen.guards)
    guards = f"{counted(len(steps), 'guard')}, the nearest {counted(steps[0], 'cell')} away" if steps else "no guards"
    return f"{here}, {goal}, {guards}"
