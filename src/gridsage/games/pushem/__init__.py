"""Push'em All: two sides push each other off a board that breaks at its edges, with ten cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gridsage.core.frame import Frame
from gridsage.core.game import Game, Tally
from gridsage.core.room import (
    AgentEntry,
    Features,
    Help,
    NamedLevel,
    Players,
    Room,
    Rules,
    ShippedLevels,
    Showcase,
    View,
    WarmUp,
    Wire,
    shipped,
)
from gridsage.core.sheet import Entry, Sheet, Tile
from gridsage.games.pushem import level, view
from gridsage.games.pushem.generator import ending, generate
from gridsage.games.pushem.level import CARD_NAMES, SEATS, SIZE, Level, Options
from gridsage.games.pushem.state import State

LEVELS = Path(__file__).parent / "levels"

SHEET = Sheet(
    tiles=(
        Tile(".", "ground", "ground", "ground"),
        Tile("#", "abyss", "abyss", "ground"),
        Tile("x", "first", "pawn of First", "pawns", needed=True, stands=True),
        Tile("o", "second", "pawn of Second", "pawns", needed=True, stands=True),
        Tile("X", "first_frozen", "frozen pawn of First", "pawns", stands=True),
        Tile("O", "second_frozen", "frozen pawn of Second", "pawns", stands=True),
    ),
    entries=(
        Entry("turn", "To move", "choice", SEATS, usual=SEATS[0]),
        Entry("ply", "Plies played", "number", least=0, most=999, usual="0", note="rings crack at 30, 50 and 70"),
        Entry("first", "Cards of First", "cards", CARD_NAMES, note="dealt from the seed"),
        Entry("second", "Cards of Second", "cards", CARD_NAMES, note="dealt from the seed"),
        Entry("reversed", "Reversed", "choice", ("no", "yes"), usual="no"),
    ),
    fixed=(SIZE, SIZE),
)


class PushemRules(Rules[Level, Options, State]):
    """The rules, as the arena wants them."""

    options = Options
    seats = 2
    match_options = {"opening": 2}  # random first steps: without them only the 120 deals differ
    max_steps = 600  # 120 plies of at most four actions, with room to spare
    main_figures = ("plies",)

    def game(self) -> Game[Level, Options, State]:
        from gridsage.games.pushem.rules import GAME

        return GAME

    def tally(self, game: Game[Level, Options, State]) -> Tally[State]:
        from gridsage.games.pushem.tally import PushemTally

        return PushemTally()

    def wire(self) -> Wire:
        from gridsage.games.pushem.wire import WIRE

        return WIRE

    def warm_up(self) -> WarmUp:
        from gridsage.games.pushem.agents import warm_up_steps

        return warm_up_steps()


class PushemLevels(ShippedLevels):
    """Shipped positions, the usual start first, and a generator."""

    folder = LEVELS
    aliases = {name[3:]: name for name, _ in shipped(LEVELS)}  # they had no numbers once
    sheet = SHEET
    write = {"text": lambda text: level.write(level.parse(text))}
    generate = staticmethod(generate)
    puzzle = staticmethod(ending)

    def read(self, path: Path) -> list[NamedLevel]:
        text = path.read_text(encoding="utf-8")
        level.parse(text)
        return [NamedLevel(path.stem, text)]


class PushemPlayers(Players):
    """The players of either side."""

    default = "master"

    def agents(self) -> Mapping[str, AgentEntry]:
        from gridsage.games.pushem.agents import AGENTS

        return AGENTS


class PushemView(View[State]):
    """How the board looks and how a turn is said or pointed at."""

    glyphs = view.GLYPHS
    takes = ("fell", "removed", "converted")
    keys = view.KEYS
    meanings = view.MEANINGS
    showcase = Showcase("01_start", seed=3, skip=8, steps=60)

    def frame(self, state: State) -> Frame:
        return view.frame(state)

    def point(self, state: State, action: int) -> int:
        return view.point(state, action)

    def area(self, state: State, action: int) -> Sequence[int]:
        return view.area(state, action)

    def position(self, state: State) -> str:
        return view.position(state)

    def moves(self, state: State, text: str) -> Sequence[int]:
        """The small actions of a whole turn such as `R+swap@c3:d4`."""
        from gridsage.games.pushem.rules import parse_turn

        return parse_turn(text, state)


def _features() -> Features[State, State]:
    from gridsage.games.pushem.features import PushemFeatures

    return PushemFeatures()


ROOM = Room(
    name="pushem",
    title="Push'em All",
    summary="Two sides push each other off a board that breaks at its edges; ten cards bend the rules.",
    rules=PushemRules(),
    levels=PushemLevels(),
    players=PushemPlayers(),
    view=PushemView(),
    features=_features,
    help=Help(Path(__file__).parent / "guide.toml"),
)
