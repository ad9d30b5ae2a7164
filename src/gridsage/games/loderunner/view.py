"""State -> Frame: sprite names and status words of Lode Runner."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.frame import Entity, Frame
from gridsage.games.loderunner.level import CABLE
from gridsage.games.loderunner.state import (
    ALIVE,
    BOMB_LEFT,
    BOMB_RIGHT,
    DOWN,
    LEFT,
    REASONS,
    RIGHT,
    UP,
    WON,
    Observation,
    State,
)

SPRITES = ("path", "floor", "wall", "ladder", "cable", "exit")  # by cell code
LOOKS = {UP: (-1, 0), DOWN: (1, 0), LEFT: (0, -1), RIGHT: (0, 1), BOMB_LEFT: (0, -1), BOMB_RIGHT: (0, 1)}
GLYPHS = {
    "path": (" ", ""),
    "floor": ("▒", "dark_orange3"),
    "wall": ("█", "grey50"),
    "ladder": ("H", "yellow"),
    "cable": ("‾", "cyan"),
    "exit": ("X", "bold green"),
    "open-exit": ("X", "bold white on green"),
    "bonus": ("$", "bold yellow"),
    "hole": ("·", "grey37"),
    "closing-hole": ("o", "red"),
    "runner": ("R", "bold bright_blue"),
    "dead-runner": ("+", "bold red"),
    "enemy": ("E", "bold red"),
    "trapped-enemy": ("e", "red"),
}
CLOSING = 3  # rounds before the end from which a hole is drawn as closing


def frame(state: State) -> Frame:
    """The picture of a position."""
    seen = state.seen
    level = seen.level
    taken = len(level.bonuses) - len(seen.bonuses)
    return Frame(
        rows=level.rows,
        cols=level.cols,
        cells=_cells(seen),
        entities=_entities(state),
        status={
            "round": str(seen.round),
            "bonuses": f"{taken}/{len(level.bonuses)}",
            "enemies": str(len(seen.enemies)),
            "holes": str(len({hole.cell for hole in seen.holes})),
            "state": REASONS[state.status] or ("to the exit" if not seen.bonuses else "collecting"),
        },
        text=_sentence(state),
    )


def seen_frame(seen: Observation) -> Frame:
    """The picture of what the player sees; he is asked only while he lives."""
    return frame(State(seen, ALIVE, chance=1))


def _cells(seen: Observation) -> tuple[str, ...]:
    cells = [SPRITES[code] for code in seen.level.cells]
    for cell in seen.bonuses:
        cells[cell] = "bonus"
    for hole in seen.holes:  # newest first: the last bomb in a cell decides when it closes
        if cells[hole.cell] == "floor":
            cells[hole.cell] = "closing-hole" if hole.delay <= CLOSING else "hole"
    if not seen.bonuses:
        cells[seen.level.exit] = "open-exit"
    return tuple(cells)


def _entities(state: State) -> tuple[Entity, ...]:
    seen = state.seen
    cols = seen.level.cols
    holes = {hole.cell for hole in seen.holes}
    people = [
        Entity(
            f"enemy{number}",
            "trapped-enemy" if enemy.cell in holes else "enemy",
            enemy.cell // cols,
            enemy.cell % cols,
            # In even rounds the engine shows the runner's action as the enemy's.
            *(LOOKS.get(enemy.action, (0, 0)) if seen.round % 2 else (0, 0)),
        )
        for number, enemy in enumerate(seen.enemies)
    ]
    dead = state.status not in (ALIVE, WON)
    people.append(Entity("runner", "dead-runner" if dead else "runner", seen.runner // cols, seen.runner % cols))
    return tuple(people)


def _sentence(state: State) -> str:
    seen = state.seen
    cols = seen.level.cols
    here = f"round {seen.round}: runner at row {seen.runner // cols}, column {seen.runner % cols}"
    if state.status != ALIVE:
        return f"{here}, {REASONS[state.status]}"
    near = sorted(_steps_apart(seen, enemy.cell) for enemy in seen.enemies)
    enemies = (
        f"{counted(len(near), 'enemy', 'enemies')}, the nearest {counted(near[0], 'cell')} away"
        if near
        else "no enemies"
    )
    goal = f"{counted(len(seen.bonuses), 'bonus', 'bonuses')} left" if seen.bonuses else "the exit is open"
    hangs = seen.runner >= cols and seen.level.cells[seen.runner - cols] == CABLE
    return f"{here}{' on a cable' if hangs else ''}, {goal}, {enemies}"


def _steps_apart(seen: Observation, cell: int) -> int:
    cols = seen.level.cols
    return abs(seen.runner // cols - cell // cols) + abs(seen.runner % cols - cell % cols)
