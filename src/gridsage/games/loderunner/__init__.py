"""Lode Runner: take every bonus, dig holes, reach the exit; enemies come by the shortest path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridsage.core.errors import unknown
from gridsage.core.room import AgentEntry, Features, LevelReport, NamedLevel, Room, Showcase, shipped
from gridsage.core.sheet import Sheet, Tile
from gridsage.games.loderunner import level as levels
from gridsage.games.loderunner.view import GLYPHS, frame

if TYPE_CHECKING:
    from gridsage.core.game import Game, Tally


def _game() -> Game[Any, Any, Any]:
    from gridsage.games.loderunner.rules import LodeRunner

    return LodeRunner()


def _agents() -> Mapping[str, AgentEntry]:
    from gridsage.games.loderunner.agents import ENTRIES

    return ENTRIES


def _tally(game: Any) -> Tally[Any]:
    from gridsage.games.loderunner.tally import Tally as Counts

    return Counts(game)


def _features() -> Features:
    from gridsage.games.loderunner.features import features

    return features()


def _level_names() -> Sequence[str]:
    return [name for name, _ in shipped(levels.LEVELS)]


def _level(name: str) -> str:
    paths = dict(shipped(levels.LEVELS))
    if name not in paths:
        raise unknown("level of loderunner", name, paths)
    return paths[name].read_text(encoding="utf-8")


def _read(path: Path) -> list[NamedLevel]:
    return levels.read(path)


def _generate(
    seed: int = 1, rows: int = 14, cols: int = 28, floors: int = 4, enemies: int = 3, bonuses: int = 6
) -> NamedLevel:
    """A level that the master has won with three seeds.

    Args:
        rows: height, walls included.
        floors: storeys; each needs three rows.
    """
    from gridsage.games.loderunner.workshop import generate

    return generate(seed, rows, cols, floors, enemies, bonuses)


def _doubts(text: str) -> list[str]:
    from gridsage.games.loderunner.workshop import doubts

    return doubts(text)


def _check(text: str, options: levels.Options | None = None, seconds: float = 10.0) -> LevelReport:
    from gridsage.games.loderunner.workshop import check

    return check(text, options, seconds)


def _warm_up() -> Sequence[tuple[str, Callable[[], object]]]:
    from gridsage.core.game import Budget
    from gridsage.games.loderunner.agents.master import Master
    from gridsage.games.loderunner.rules import LodeRunner

    game = LodeRunner()
    state = game.start(game.parse(_level(_level_names()[0])), levels.Options(), 1)

    def one_round() -> object:
        game.legal(state)
        return game.step(state, 0)

    def one_search() -> object:
        return Master().decide(game.observe(state, 0), Budget(nodes=100))

    return [("rules of Lode Runner", one_round), ("look-ahead of Lode Runner", one_search)]


KEYS = {
    " ": "none",
    "ArrowUp": "up",
    "ArrowDown": "down",
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "w": "up",
    "s": "down",
    "a": "left",
    "d": "right",
    "z": "bomb-left",
    "x": "bomb-right",
}

MEANINGS = {
    "none": "Stay where you are; the enemies move.",
    "bomb-left": "Blow a hole into the floor on your left; it closes after ten rounds.",
    "bomb-right": "Blow a hole into the floor on your right; it closes after ten rounds.",
}

SHEET = Sheet(
    tiles=(
        Tile(".", "path", "empty", "ground"),
        Tile("F", "floor", "floor to dig in", "ground"),
        Tile("W", "wall", "wall", "ground"),
        Tile("L", "ladder", "ladder", "ground"),
        Tile("C", "cable", "cable", "ground"),
        Tile("B", "bonus", "bonus", "things"),
        Tile("X", "exit", "exit", "things", needed=True),
        Tile("R", "runner", "runner", "people", alone=True, needed=True, stands=True),
        Tile("E", "enemy", "enemy", "people", stands=True),
    ),
    largest=levels.MOST_CELLS // 3,
    border="W",
)

ROOM = Room(
    name="loderunner",
    title="Lode Runner",
    summary="Take every bonus and reach the exit; dig holes to pass, to trap and to flee. Turn by turn.",
    game=_game,
    options=levels.Options,
    agents=_agents,
    default_agent="master",
    frame=frame,
    glyphs=GLYPHS,
    keys=KEYS,
    meanings=MEANINGS,
    sheet=SHEET,
    doubts=_doubts,
    showcase=Showcase("15_six_of_them"),
    level_names=_level_names,
    level=_level,
    read=_read,
    write={"map": levels.to_map},
    generate=_generate,
    check=_check,
    warm_up=_warm_up,
    tally=_tally,
    features=_features,
    max_steps=levels.MOST_TURNS,
)
