"""Delirium 2: a miner among stones, diamonds and monsters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gridsage.core.frame import Frame
from gridsage.core.game import Game, Tally
from gridsage.core.room import (
    AgentEntry,
    Features,
    Gliding,
    Help,
    LevelReport,
    NamedLevel,
    Players,
    Room,
    Rules,
    ShippedLevels,
    Showcase,
    View,
    WarmUp,
    Wire,
)
from gridsage.core.sheet import Entry, Sheet, Tile
from gridsage.games.delirium import view
from gridsage.games.delirium.generator import generate
from gridsage.games.delirium.level.cells import MAX_SIDE, MAX_STRENGTH, NO_LIMIT, Level, Options
from gridsage.games.delirium.state import Observation, State

MONSTERS = ("blue", "red", "green", "yellow", "purple", "black")


class DeliriumRules(Rules[Level, Options, State]):
    """The rules, as the arena wants them."""

    options = Options
    max_steps = 10_000
    main_figures = ("diamonds", "galleries")

    def game(self) -> Game[Level, Options, State]:
        from gridsage.games.delirium.rules import Delirium

        return Delirium()

    def tally(self, game: Game[Level, Options, State]) -> Tally[State]:
        from gridsage.games.delirium.tally import DeliriumTally

        return DeliriumTally()

    def wire(self) -> Wire:
        from gridsage.games.delirium.wire import WIRE

        return WIRE

    def warm_up(self) -> WarmUp:
        from gridsage.games.delirium.agents.master import warm_up

        return warm_up()


SHEET = Sheet(
    tiles=(
        Tile(" ", "void", "empty", "ground", also="_"),
        Tile(".", "clay", "clay", "ground"),
        Tile("d", "diamond", "diamond", "ground"),
        Tile("o", "stone", "stone", "ground"),
        Tile("#", "wall", "wall", "walls"),
        Tile("s", "sturdy", "sturdy wall", "walls", also="1"),
        *(
            Tile(str(strength), f"sturdy_{strength}", f"sturdy wall, strength {strength}", "walls")
            for strength in range(2, MAX_STRENGTH + 1)
        ),
        Tile("m", "magic", "magic wall", "walls"),
        Tile("X", "exit", "exit", "miner", needed=True),
        Tile("@", "miner", "miner", "miner", alone=True, needed=True, stands=True),
        *(Tile(colour[0], colour, f"{colour} monster", "monsters", stands=True) for colour in MONSTERS[:-1]),
        Tile("k", "black", "black monster", "monsters", stands=True),
    ),
    entries=(
        Entry("name", "Name of the gallery", "text"),
        Entry("diamonds", "Diamonds to collect", "number", least=0, most=MAX_SIDE * MAX_SIDE, usual="0"),
        Entry(
            "time", "Ticks", "number", least=NO_LIMIT, most=1_000_000, usual=str(NO_LIMIT), note="-1: as many as wanted"
        ),
    ),
    remark="//",
    divider="===",
    largest=MAX_SIDE,
    border="#X",
)


class DeliriumLevels(ShippedLevels):
    """Shipped caves, files in several formats, a generator and a checker."""

    folder = Path(__file__).parent / "levels"
    sheet = SHEET
    generate = staticmethod(generate)

    def __init__(self) -> None:
        self.write = {"xml": self._to_xml}

    def read(self, path: Path) -> list[NamedLevel]:
        from gridsage.games.delirium.level.files import read

        return read(path)

    def belongs(self, path: Path) -> str | None:
        from gridsage.games.delirium.level.files import belongs

        return belongs(path)

    def check(self, text: str, options: Options, seconds: float) -> LevelReport:
        from gridsage.games.delirium.checker import check

        return check(text, options, seconds)

    def doubts(self, text: str) -> list[str]:
        from gridsage.games.delirium.level.text import doubts, parse

        galleries = parse(text).galleries
        several = len(galleries) > 1
        return [
            (f"gallery {number} ({gallery.name}): " if several else "") + doubt
            for number, gallery in enumerate(galleries, 1)
            for doubt in doubts(gallery)
        ]

    @staticmethod
    def _to_xml(text: str) -> str:
        from gridsage.games.delirium.level.xml import write_xml

        return write_xml(text)


class DeliriumPlayers(Players):
    """The miners."""

    default = "master"
    aliases = {"report": "baseline"}

    def agents(self) -> Mapping[str, AgentEntry]:
        from gridsage.games.delirium.agents import ENTRIES

        return ENTRIES


class DeliriumView(View[State]):
    """How the mine looks and is played by hand."""

    glyphs = view.GLYPHS
    takes = ("collected",)
    keys = view.KEYS
    followed = "miner"
    gliding = Gliding(view.GLIDING, "void")
    showcase = Showcase("20_two_visitors")

    def frame(self, state: State) -> Frame:
        return view.frame(state)

    def seen_frame(self, observation: Observation) -> Frame:
        return view.seen_frame(observation)


def _features() -> Features[State, Observation]:
    from gridsage.games.delirium.features import DeliriumFeatures

    return DeliriumFeatures()


ROOM = Room(
    name="delirium",
    title="Delirium 2",
    summary="Dig for diamonds, mind the stones and the monsters, reach the exit.",
    rules=DeliriumRules(),
    levels=DeliriumLevels(),
    players=DeliriumPlayers(),
    view=DeliriumView(),
    features=_features,
    help=Help(Path(__file__).parent / "guide.toml"),
)
