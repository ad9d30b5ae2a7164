"""Lode Runner as in 1983: take all gold, dig holes for the guards, climb out at the top. Tick by tick."""

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
    RealTime,
    Room,
    Rules,
    ShippedLevels,
    Showcase,
    View,
    WarmUp,
)
from gridsage.core.sheet import Sheet, Tile
from gridsage.games.loderunner.classic import files, layout, level, view
from gridsage.games.loderunner.classic.level import Level, Options
from gridsage.games.loderunner.classic.state import Observation, State

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
    "z": "dig-left",
    "x": "dig-right",
}

MEANINGS = {
    "none": "Hold no key for this tick.",
    "dig-left": "Dig a hole into the brick on your lower left; it takes 11 ticks and closes after 186.",
    "dig-right": "Dig a hole into the brick on your lower right; it takes 11 ticks and closes after 186.",
}

SHEET = Sheet(
    tiles=(
        Tile(".", "path", "empty", "ground", also=" "),
        Tile("#", "floor", "brick", "ground"),
        Tile("@", "wall", "solid", "ground"),
        Tile("H", "ladder", "ladder", "ground"),
        Tile("-", "cable", "bar", "ground"),
        Tile("X", "false-floor", "false brick", "ground"),
        Tile("S", "hidden-ladder", "hidden ladder", "ground"),
        Tile("$", "bonus", "gold", "things"),
        Tile("&", "runner", "runner", "people", alone=True, needed=True),
        Tile("0", "enemy", "guard", "people"),
    ),
    fixed=(layout.ROWS, layout.COLS),
)


class ClassicRules(Rules[Level, Options, State]):
    """The rules, as the arena wants them."""

    options = Options
    max_steps = level.MOST_TICKS

    def game(self) -> Game[Level, Options, State]:
        from gridsage.games.loderunner.classic.rules import ClassicLodeRunner

        return ClassicLodeRunner()

    def tally(self, game: Game[Level, Options, State]) -> Tally[State]:
        from gridsage.games.loderunner.classic.tally import ClassicTally

        return ClassicTally(game)

    def warm_up(self) -> WarmUp:
        from gridsage.games.loderunner.classic.agents.baseline import Baseline
        from gridsage.games.loderunner.classic.agents.master import Master
        from gridsage.games.loderunner.classic.checker import check
        from gridsage.games.loderunner.classic.kernels.archive import NEAR_BRICKS
        from gridsage.games.loderunner.classic.rules import array_of
        from gridsage.games.loderunner.classic.solver import ArchiveSearch, guide

        game = self.game()
        levels = ClassicLevels()
        text = levels.text(levels.names()[0])
        state = game.start(game.parse(text), Options(), 1)

        def one_search() -> object:
            seen = game.observe(state, 0)
            return Baseline().decide(seen, Budget()), Master().decide(seen, Budget(nodes=100))

        def search_along_a_plan() -> object:
            search = ArchiveSearch()
            search.begin_along(array_of(state), guide(state.level), 1, NEAR_BRICKS, [(0, 1)])
            search.grow(100)
            return search.safest(1)

        return [
            ("ticks of Lode Runner", lambda: game.step(state, 0)),
            ("search of Lode Runner", one_search),
            ("shorter plans of Lode Runner", lambda: check(text, None, None, 400_000)),
            ("plans of Lode Runner that come sooner", search_along_a_plan),
        ]


class ClassicLevels(ShippedLevels):
    """Shipped levels, files of many kinds, a generator and a checker."""

    folder = level.LEVELS
    sheet = SHEET
    write = {"text": level.to_text, "pack": level.to_spaces}

    def read(self, path: Path) -> list[NamedLevel]:
        return files.read(path)

    def puzzle(self, seed: int) -> NamedLevel:
        from gridsage.games.loderunner.classic.generator import drawn

        return drawn(seed)

    def generate(self, seed: int = 1, floors: int = 4, guards: int = 3, gold: int = 8) -> NamedLevel:
        """A level that has been won.

        Args:
            floors: storeys above the ground, 2 to 5.
        """
        from gridsage.games.loderunner.classic.generator import generate

        return generate(seed, floors, guards, gold)

    def check(
        self,
        text: str,
        options: Options | None = None,
        seconds: float | None = 10.0,
        nodes: int | None = None,
    ) -> LevelReport:
        from gridsage.games.loderunner.classic.checker import check

        return check(text, options, seconds, nodes)

    def doubts(self, text: str) -> list[str]:
        from gridsage.games.loderunner.classic.checker import doubts

        return doubts(text)


class ClassicPlayers(Players):
    """The runners."""

    default = "master"

    def agents(self) -> Mapping[str, AgentEntry]:
        from gridsage.games.loderunner.classic.agents import ENTRIES

        return ENTRIES


class ClassicView(View[State]):
    """How the game looks and is played by hand."""

    glyphs = view.GLYPHS
    takes = ("collected", "trapped")
    keys = KEYS
    meanings = MEANINGS
    showcase = Showcase("01_first_gold", steps=120, nodes=20_000)
    followed = "runner"
    real_time = RealTime("none", (14, 18, view.TICKS_PER_SECOND, 29, 35), latch=True, buttons=("dig-left", "dig-right"))

    def frame(self, state: State) -> Frame:
        return view.frame(state)

    def seen_frame(self, observation: Observation) -> Frame:
        return view.seen_frame(observation)


def _features() -> Features[State, Observation]:
    from gridsage.games.loderunner.classic.features import ClassicFeatures

    return ClassicFeatures()


ROOM = Room(
    name="loderunner-classic",
    title="Lode Runner, 1983",
    summary="Take all gold, dig holes for the guards, and climb out at the top. Tick by tick, exact.",
    rules=ClassicRules(),
    levels=ClassicLevels(),
    players=ClassicPlayers(),
    view=ClassicView(),
    features=_features,
    help=Help(Path(__file__).parent / "guide.toml"),
    variant_of="loderunner",
)
