"""Boulder Dash, parts 1 and 2: the caves of Delirium's ancestor under their own rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

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
    RealTime,
    RecordedGame,
    Room,
    Rules,
    ShippedLevels,
    Showcase,
    View,
    WarmUp,
    Wire,
)
from gridsage.core.sheet import Entry, Sheet, Tile
from gridsage.games.delirium.bd import view
from gridsage.games.delirium.bd.generator import generate
from gridsage.games.delirium.bd.level import PACES, Level, Options
from gridsage.games.delirium.bd.state import Observation, State
from gridsage.games.delirium.level.cells import MAX_SIDE


class CaveRules(Rules[Level, Options, State]):
    """The rules, as the arena wants them."""

    options = Options
    max_steps = 10_000

    def game(self) -> Game[Level, Options, State]:
        from gridsage.games.delirium.bd.rules import BoulderDash

        return BoulderDash()

    def tally(self, game: Game[Level, Options, State]) -> Tally[State]:
        from gridsage.games.delirium.bd.tally import CaveTally

        return CaveTally()

    def wire(self) -> Wire:
        from gridsage.games.delirium.bd.wire import WIRE

        return WIRE

    def warm_up(self) -> WarmUp:
        from gridsage.games.delirium.agents.master import warm_up as warm_up_mine
        from gridsage.games.delirium.bd.agents.warm_up import warm_up

        # Both rooms share a folder of compiled kernels, and whoever comes first has to leave it complete.
        return [*warm_up(), *warm_up_mine()]


SIDES = {"left": (-1, 0), "up": (0, -1), "right": (1, 0), "down": (0, 1)}  # where flies face, as BDCFF counts
PER_DIFFICULTY = "one number, or one for each difficulty"
SHEET = Sheet(
    tiles=(
        Tile(" ", "void", "space", "ground"),
        Tile(".", "clay", "dirt", "ground"),
        Tile("d", "diamond", "diamond", "ground"),
        Tile("r", "stone", "boulder", "ground"),
        Tile("D", "falling_diamond", "falling diamond", "ground"),
        Tile("R", "falling_stone", "falling boulder", "ground"),
        Tile("w", "brick_wall", "brick", "walls"),
        Tile("W", "steel_wall", "steel", "walls"),
        Tile("M", "magic", "magic wall", "walls"),
        Tile("x", "growing_wall", "growing wall", "walls"),
        Tile("a", "amoeba", "amoeba", "walls"),
        Tile("s", "slime", "slime", "walls"),
        Tile("P", "inbox", "inbox", "miner", alone=True, needed=True),
        Tile("X", "exit", "exit", "miner", needed=True, also="H"),
        Tile("Y", "open_exit", "open exit", "miner"),
        *(
            Tile(letter, sprite, f"{fly}, facing {side}", fly, stands=True, faces=faces)
            for fly, sprite, letters in (("firefly", "red", "QoqO"), ("butterfly", "blue", "CbcB"))
            for letter, (side, faces) in zip(letters, SIDES.items(), strict=True)
        ),
    ),
    drawn="map",
    entries=(
        Entry("Name", "Name of the cave", "text"),
        Entry("DiamondsRequired", "Diamonds to collect", "text", usual="0", note=PER_DIFFICULTY),
        Entry("CaveTime", "Seconds", "text", usual="999", note=PER_DIFFICULTY),
        Entry("DiamondValue", "Points for a diamond", "text", usual="0", note="before the exit opens, and after"),
        Entry("MagicWallTime", "Seconds of a magic wall", "text", usual="999", note=PER_DIFFICULTY),
        Entry("AmoebaTime", "Seconds until amoeba grows fast", "text", usual="0", note=PER_DIFFICULTY),
        Entry("SlimePermeability", "Chance of slime", "text", note="0 to 1, that something passes in a tick"),
        Entry("CaveScheduling", "Pace", "choice", choices=PACES, usual=PACES[0]),
        Entry("CaveDelay", "Delay", "text", usual="0", note="of the engines of 1984; smaller is faster"),
        Entry("PALTiming", "PAL clock", "choice", choices=("false", "true"), usual="false"),
    ),
    largest=MAX_SIDE,
    border="WXYH",
    joins="=",
    frame=("[map]", "[/map]"),
    sized="Size",
)


class CaveLevels(ShippedLevels):
    """Our own caves, BDCFF files, a generator and a checker."""

    folder = Path(__file__).parent / "levels"
    suffix = replay_suffix = ".bd"
    sheet = SHEET
    generate = staticmethod(generate)

    def __init__(self) -> None:
        self.write = {"bdcff": self._to_bdcff, "map": self._to_map}

    def size(self, text: str) -> tuple[int, int] | None:
        """Return the size that a cave names; the largest one if it says nothing."""
        told = re.search(r"^Size=(\d{1,3}) (\d{1,3})\b", text, re.MULTILINE | re.IGNORECASE)
        return (int(told[1]), int(told[2])) if told else (40, 22)

    def read(self, path: Path) -> list[NamedLevel]:
        from gridsage.games.delirium.bd.files import read

        return read(path)

    def replays(self, path: Path) -> Sequence[RecordedGame]:
        from gridsage.games.delirium.bd.replay import recordings_of

        return recordings_of(path)

    def check(self, text: str, options: Options, seconds: float) -> LevelReport:
        from gridsage.games.delirium.bd.checker import check

        return check(text, options, seconds)

    def doubts(self, text: str) -> Sequence[str]:
        from gridsage.games.delirium.bd.bdcff import parse
        from gridsage.games.delirium.bd.checker import doubts

        return doubts(parse(text).caves[0])

    @staticmethod
    def _to_bdcff(text: str) -> str:
        from gridsage.games.delirium.bd.bdcff import write_bdcff

        return write_bdcff(text)

    @staticmethod
    def _to_map(text: str) -> str:
        from gridsage.games.delirium.bd.bdcff import with_map

        return with_map(text)


class CavePlayers(Players):
    """Those who play Rockford."""

    default = "master"

    def agents(self) -> Mapping[str, AgentEntry]:
        from gridsage.games.delirium.bd.agents import ENTRIES

        return ENTRIES


class CaveView(View[State]):
    """How a cave looks and is played by hand."""

    glyphs = view.GLYPHS
    takes = ("collected", "diamonds made")
    keys = view.KEYS
    meanings = view.MEANINGS
    showcase = Showcase("01_first_dig", skip=20, steps=60)
    real_time = RealTime("stay", fire={side: f"snap {side}" for side in ("right", "up", "left", "down")})
    followed = "rockford"
    gliding = Gliding(view.GLIDING, "void")

    def frame(self, state: State) -> Frame:
        from gridsage.games.delirium.bd.rules import tick_milliseconds

        return replace(view.frame(state), lasts=tick_milliseconds(state.facts, state.rules))

    def seen_frame(self, observation: Observation) -> Frame:
        from gridsage.games.delirium.bd.rules import position_arrays, tick_milliseconds

        _, facts, rules = position_arrays(observation)
        return replace(view.seen_frame(observation), lasts=tick_milliseconds(facts, rules))

    def called(self, sprite: str) -> str:
        return view.NAMES.get(sprite, super().called(sprite))


def _features() -> Features[State, Observation]:
    from gridsage.games.delirium.bd.features import CaveFeatures

    return CaveFeatures()


ROOM = Room(
    name="delirium-bd",
    title="Boulder Dash",
    summary="The caves of 1984 under their own rules: magic walls, amoeba, butterflies, and pushes that may fail.",
    rules=CaveRules(),
    levels=CaveLevels(),
    players=CavePlayers(),
    view=CaveView(),
    help=Help(Path(__file__).parent / "guide.toml"),
    features=_features,
    variant_of="delirium",
)
