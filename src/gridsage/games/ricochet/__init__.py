"""Ricochet Robots: slide robots over a board until the right one stops on the target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gridsage.core.errors import LevelError
from gridsage.core.frame import Frame
from gridsage.core.game import Game, Tally
from gridsage.core.room import (
    AgentEntry,
    Book,
    Help,
    LevelReport,
    NamedLevel,
    Players,
    Room,
    Rules,
    ShippedLevels,
    Showcase,
    Solutions,
    View,
    WarmUp,
    shipped,
)
from gridsage.core.sheet import Sheet, Tile
from gridsage.games.ricochet import books, level, view
from gridsage.games.ricochet.generator import generate
from gridsage.games.ricochet.level import Level, Options
from gridsage.games.ricochet.level.chance import random_position
from gridsage.games.ricochet.rules import Ricochet
from gridsage.games.ricochet.state import State
from gridsage.games.ricochet.tally import RicochetTally

LEVELS = Path(__file__).parent / "levels"
HINT_SECONDS = 2.0

# The solver and everything that needs it is imported when it is asked for: the room itself comes at once.


def _keys() -> dict[str, str]:
    """Two characters a move, robot and direction: `r^`, `ru` and `rN` all mean `red up`."""
    keys = {"!": "give up"}
    for letter, robot in zip(level.LETTERS.lower(), level.ROBOTS, strict=True):
        for arrow, side, direction in zip(level.ARROWS, level.COMPASS, level.DIRECTIONS, strict=True):
            for sign in (arrow, side, direction[0]):
                keys[letter + sign] = f"{robot} {direction}"
    return keys


def _sheet() -> Sheet:
    """Robots by their letters, goals and deflectors as a drawing has them, walls on sides, closed cells."""
    robots = list(zip(level.LETTERS, level.ROBOTS, strict=True))
    signs = [*((letter.lower(), robot) for letter, robot in robots), ("*", view.ANY)]
    shapes = [*((shape[0], shape) for shape in level.SHAPES), (" ", "")]
    return Sheet(
        form="walled",
        drawn="drawing",
        tiles=(
            Tile("", view.FLOOR, "empty cell", "walls"),
            Tile("|", "wall", "wall on a side", "walls"),
            Tile("#", view.BLOCK, "closed cell", "walls"),
            *(
                Tile(letter, f"robot-{robot}", f"{robot} robot", "robots", alone=True, stands=True)
                for letter, robot in robots
            ),
            *(
                Tile(sign + mark, f"goal-{colour}-{shape or 'plain'}", _goal_name(colour, shape), colour)
                for sign, colour in signs
                for mark, shape in shapes
            ),
            *(
                Tile(letter.lower() + slant, f"deflector-{robot}-{name}", f"{robot} deflector, {name}", "deflectors")
                for letter, robot in robots
                for slant, name in (("/", "rising"), ("\\", "falling"))
            ),
        ),
        largest=level.MAX_SIDE,
    )


def _goal_name(colour: str, shape: str) -> str:
    who = "any robot's" if colour == view.ANY else colour
    return f"{who} {shape or 'plain'} goal"


class RicochetRules(Rules[Level, Options, State]):
    """The rules, as the arena wants them."""

    main_figures = ("fewest", "extra")
    options = Options

    def game(self) -> Game[Level, Options, State]:
        return Ricochet()

    def tally(self, game: Game[Level, Options, State]) -> Tally[State]:
        return RicochetTally()

    def warm_up(self) -> WarmUp:
        from gridsage.games.ricochet import deflected, solver

        return [*solver.WARM_UP, *deflected.WARM_UP]


class RicochetLevels(ShippedLevels):
    """Shipped missions, one for every seed, drawings and files of positions."""

    folder = LEVELS
    aliases = {name.replace("_", "-"): name for name, _ in shipped(LEVELS)}  # as they were written once
    sheet = _sheet()
    generate = staticmethod(generate)
    write = {
        "drawing": lambda text: level.draw(level.parse(text)),
        "line": lambda text: level.to_line(level.parse(text)) + "\n",
        "jsonl": lambda text: level.to_record(level.parse(text)) + "\n",
        "driftingdroids": lambda text: level.to_game_id(level.parse(text)) + "\n",
    }

    def books(self) -> Sequence[Book]:
        return books.listed()

    def text(self, name: str) -> str:
        """Return the drawing of a level, those of books included."""
        return books.text(name) if books.has(name) else super().text(name)

    def of_seed(self, seed: int) -> NamedLevel:
        return NamedLevel(f"seed-{seed}", level.draw(random_position(seed)))

    def read(self, path: Path) -> list[NamedLevel]:
        """Drawings as they are; files of positions with one level per line."""
        text = path.read_text(encoding="utf-8")
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines or lines[0][1].lstrip()[0] in "+|;m":
            level.parse(text)
            return [NamedLevel(path.stem, text)]
        found = []
        for number, line in lines:
            try:
                found.append(NamedLevel(f"{path.stem}-{number}", level.draw(level.parse(line))))
            except LevelError as error:
                raise LevelError(f"{path}, line {number}: {error}") from None
        return found

    def check(self, text: str, options: Options, seconds: float) -> LevelReport:
        from gridsage.games.ricochet.checker import check

        return check(text, options, seconds)


class RicochetPlayers(Players):
    """The searches."""

    default = "master"

    def agents(self) -> Mapping[str, AgentEntry]:
        from gridsage.games.ricochet.agents import agents

        return agents()


class RicochetView(View[State]):
    """How the board looks and how a move is typed."""

    glyphs = view.GLYPHS
    takes = ("arrived",)
    keys = _keys()
    showcase = Showcase("16_quartet")

    def frame(self, state: State) -> Frame:
        return view.frame(state)

    def position(self, state: State) -> str:
        """The mission with its robots where they are now, in one line where the board can be named."""
        return level.to_line(replace(state.level, robots=state.robots)) + "\n"


class RicochetHelp(Help[State]):
    """What the solver knows: hints, all best solutions, and whole files of positions."""

    def hints(self, state: State) -> Sequence[str]:
        from gridsage.games.ricochet.missions import hints

        return hints(state, max_seconds=HINT_SECONDS)

    def solutions(self, state: State, seconds: float) -> Solutions:
        """All shortest solutions from `state`, with their pictures."""
        from gridsage.games.ricochet.missions import best_solutions

        return best_solutions(state, view.frame, seconds)

    def solve_positions(
        self,
        lines: Iterable[str],
        options: Options,
        threads: int,
        all_solutions: bool,
        max_nodes: int | None,
        max_seconds: float | None,
    ) -> Iterator[dict[str, object]]:
        """One answer per line; see `missions.solve_positions`."""
        from gridsage.games.ricochet.missions import solve_positions

        return solve_positions(
            lines,
            options=options,
            threads=threads,
            all_solutions=all_solutions,
            max_nodes=max_nodes,
            max_seconds=max_seconds,
        )


ROOM = Room(
    name="ricochet",
    title="Ricochet Robots",
    summary="Slide robots until the right one stops on the target, in as few moves as possible.",
    rules=RicochetRules(),
    levels=RicochetLevels(),
    players=RicochetPlayers(),
    view=RicochetView(),
    help=RicochetHelp(Path(__file__).parent / "guide.toml"),
)
