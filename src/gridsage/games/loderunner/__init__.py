"""Lode Runner: take every bonus, dig holes, reach the exit; enemies come by the shortest path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gridsage.core.frame import Frame
from gridsage.core.game import Budget, Game, Tally
from gridsage.core.room import (
    AgentEntry,
    Features,
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
from gridsage.core.sheet import Sheet, Tile
from gridsage.games.loderunner import level, view
from gridsage.games.loderunner.level import Level, Options
from gridsage.games.loderunner.state import Observation, State

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
    largest=level.MOST_CELLS // 3,
    border="W",
)


class LodeRunnerRules(Rules[Level, Options, State]):
    """The rules, as the arena wants them."""

    options = Options
    max_steps = level.MOST_TURNS
    main_figures = ("bonus_share", "bombs")

    def game(self) -> Game[Level, Options, State]:
        from gridsage.games.loderunner.rules import LodeRunner

        return LodeRunner()

    def tally(self, game: Game[Level, Options, State]) -> Tally[State]:
        from gridsage.games.loderunner.tally import LodeRunnerTally

        return LodeRunnerTally(game)

    def wire(self) -> Wire:
        from gridsage.games.loderunner.wire import WIRE

        return WIRE

    def warm_up(self) -> WarmUp:
        from gridsage.games.loderunner.agents.master import Master

        game = self.game()
        levels = LodeRunnerLevels()
        state = game.start(game.parse(levels.text(levels.names()[0])), Options(), 1)

        def one_round() -> object:
            game.legal(state)
            return game.step(state, 0)

        def one_proof() -> object:
            return levels.doubts(levels.text(levels.names()[1]))

        def one_search() -> object:
            return Master().decide(game.observe(state, 0), Budget(nodes=100))

        return [
            ("rules of Lode Runner", one_round),
            ("look-ahead of Lode Runner", one_search),
            ("proofs of Lode Runner", one_proof),
        ]


class LodeRunnerLevels(ShippedLevels):
    """Shipped levels, maps, a generator and a checker."""

    folder = level.LEVELS
    sheet = SHEET
    write = {"map": level.to_map}

    def read(self, path: Path) -> list[NamedLevel]:
        return level.read(path)

    def puzzle(self, seed: int) -> NamedLevel:
        from gridsage.games.loderunner.generator import drawn

        return drawn(seed)

    def generate(
        self,
        seed: int = 1,
        rows: int = 14,
        cols: int = 28,
        floors: int = 4,
        enemies: int = 3,
        bonuses: int = 6,
        proofs: int = 10,
        seconds: float = 120.0,
    ) -> NamedLevel:
        """A level that the master has won with ten seeds.

        Args:
            rows: height, walls included.
            floors: storeys; each needs three rows.
            proofs: seeds with which the master has to win it.
            seconds: time after which the search is given up.
        """
        from gridsage.games.loderunner.generator import generate

        return generate(seed, rows, cols, floors, enemies, bonuses, proofs, seconds)

    def check(self, text: str, options: Options | None = None, seconds: float = 10.0) -> LevelReport:
        from gridsage.games.loderunner.checker import check

        return check(text, options, seconds)

    def doubts(self, text: str) -> list[str]:
        from gridsage.games.loderunner.checker import doubts

        return doubts(text)


class LodeRunnerPlayers(Players):
    """The runners."""

    default = "master"
    aliases = {"report": "baseline"}

    def agents(self) -> Mapping[str, AgentEntry]:
        from gridsage.games.loderunner.agents import ENTRIES

        return ENTRIES


class LodeRunnerView(View[State]):
    """How the game looks and is played by hand."""

    glyphs = view.GLYPHS
    takes = ("collected", "trapped")
    keys = KEYS
    meanings = MEANINGS
    showcase = Showcase("15_six_of_them")
    followed = "runner"

    def frame(self, state: State) -> Frame:
        return view.frame(state)

    def seen_frame(self, observation: Observation) -> Frame:
        return view.seen_frame(observation)


def _features() -> Features[State, Observation]:
    from gridsage.games.loderunner.features import LodeRunnerFeatures

    return LodeRunnerFeatures()


ROOM = Room(
    name="loderunner",
    title="Lode Runner",
    summary="Take every bonus and reach the exit; dig holes to pass, to trap and to flee. Turn by turn.",
    rules=LodeRunnerRules(),
    levels=LodeRunnerLevels(),
    players=LodeRunnerPlayers(),
    view=LodeRunnerView(),
    features=_features,
    help=Help(Path(__file__).parent / "guide.toml"),
)
