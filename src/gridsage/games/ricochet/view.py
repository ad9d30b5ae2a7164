"""State -> Frame: floor, goals by colour and shape, robots with their letters, walls on the cells' sides."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.frame import Entity, Frame
from gridsage.games.ricochet.level import ANY_ROBOT, CLOSED, LETTERS, ROBOTS, Deflector, Goal, Level
from gridsage.games.ricochet.state import State

FLOOR = "floor"
BLOCK = "block"  # a closed cell, like those in the centre of the printed boards
ANY = "any"


def frame(state: State) -> Frame:
    """The picture of a mission."""
    level = state.level
    status = {"mission": str(level.mission), "moves": str(state.moves)}
    if state.options.must_ricochet:
        status["rule"] = "must ricochet"
    return Frame(
        rows=level.rows,
        cols=level.cols,
        cells=cells(level, level.mission),
        entities=entities(level, state.robots),
        edges=level.walls,
        status=status,
        goal=status["mission"],
        text=_sentence(state),
    )


def cells(level: Level, target: Goal | None) -> tuple[str, ...]:
    """Background sprites: `floor`, `block`, `goal-red-circle`, and `target-red-circle` for the mission."""
    sprites = [BLOCK if walls == CLOSED else FLOOR for walls in level.walls]
    for goal in level.goals:
        sprites[goal.cell] = goal_sprite(goal, is_target=goal == target)
    for deflector in level.deflectors:
        sprites[deflector.cell] = deflector_sprite(deflector)
    return tuple(sprites)


def entities(level: Level, robots: tuple[int, ...]) -> tuple[Entity, ...]:
    """The robots; their letters are their ids."""
    return tuple(
        Entity(LETTERS[robot], f"robot-{ROBOTS[robot]}", *divmod(cell, level.cols)) for robot, cell in enumerate(robots)
    )


def goal_sprite(goal: Goal, is_target: bool) -> str:
    """`goal-<colour>-<shape>`; a goal without shape has `plain`."""
    colour = ANY if goal.robot == ANY_ROBOT else ROBOTS[goal.robot]
    return f"{'target' if is_target else 'goal'}-{colour}-{goal.shape or 'plain'}"


def deflector_sprite(deflector: Deflector) -> str:
    """`deflector-<colour>-rising` for /, `-falling` for its mirror image."""
    return f"deflector-{ROBOTS[deflector.robot]}-{'rising' if deflector.rises else 'falling'}"


def place(level: Level, cell: int) -> str:
    """`row 3, column 14`, counted from 0."""
    row, col = divmod(cell, level.cols)
    return f"row {row}, column {col}"


def _sentence(state: State) -> str:
    level, goal = state.level, state.level.mission
    who = "any robot" if goal.robot == ANY_ROBOT else f"the {ROBOTS[goal.robot]} robot"
    what = f"the {goal.shape} at " if goal.shape else ""
    robots = "; ".join(f"{ROBOTS[robot]} at {place(level, cell)}" for robot, cell in enumerate(state.robots))
    rule = " It must ricochet on its way." if state.options.must_ricochet else ""
    moves = counted(state.moves, "move")
    bends = "; ".join(
        f"{ROBOTS[each.robot]} {'/' if each.rises else _FALLING} at {place(level, each.cell)}"
        for each in level.deflectors
    )
    diagonals = f" Deflectors: {bends}." if bends else ""
    return f"Bring {who} to {what}{place(level, goal.cell)}.{rule} {moves} made. Robots: {robots}.{diagonals}"


_STYLES = {"red": "red", "green": "green", "blue": "blue", "yellow": "yellow", "black": "magenta", ANY: "white"}
# The mission's sign is filled and the others are hollow: never by colour alone.
_SIGNS = {"circle": "○●", "triangle": "△▲", "square": "□■", "hexagon": "⬡⬢", "vortex": "✧✦", "plain": "☆★"}

_FALLING = "\\"

GLYPHS: dict[str, tuple[str, str]] = {
    FLOOR: (" ", ""),
    BLOCK: ("#", "dim"),
    **{f"deflector-{name}-rising": ("/", _STYLES[name]) for name in ROBOTS},
    **{f"deflector-{name}-falling": (_FALLING, _STYLES[name]) for name in ROBOTS},
    **{
        f"robot-{name}": (letter, f"bold reverse {_STYLES[name]}") for name, letter in zip(ROBOTS, LETTERS, strict=True)
    },
    **{
        f"goal-{colour}-{shape}": (signs[0], f"dim {_STYLES[colour]}")
        for colour in _STYLES
        for shape, signs in _SIGNS.items()
    },
    **{
        f"target-{colour}-{shape}": (signs[1], f"bold {_STYLES[colour]}")
        for colour in _STYLES
        for shape, signs in _SIGNS.items()
    },
}
