"""Ricochet Robots in rounds: several players think, claim a number of moves, and the lowest claim is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gridsage.core.frame import Frame
from gridsage.core.game import Game
from gridsage.core.room import AgentEntry, Help, Levels, NamedLevel, Players, Room, Rules, Solutions, View, WarmUp
from gridsage.games.ricochet import ROOM, RicochetHelp, RicochetLevels, level
from gridsage.games.ricochet.level import Level
from gridsage.games.ricochet.rounds import view
from gridsage.games.ricochet.rounds.rules import Rounds, mission_state
from gridsage.games.ricochet.rounds.state import CALL, TIME_WORD, WAIT_WORD, RoundsOptions, RoundsState

TYPED_CLAIMS = 60  # a number typed is a claim


class RoundsRules(Rules[Level, RoundsOptions, RoundsState]):
    """The rules, as the arena wants them."""

    options = RoundsOptions
    seats = 2
    seats_option = "players"

    def game(self) -> Game[Level, RoundsOptions, RoundsState]:
        return Rounds()

    def warm_up(self) -> WarmUp:
        from gridsage.games.ricochet.solver import WARM_UP

        return WARM_UP


class RoundsLevels(Levels):
    """The missions of the game for one; they are made and edited there."""

    aliases = ROOM.levels.aliases

    def names(self) -> Sequence[str]:
        return ROOM.levels.names()

    def text(self, name: str) -> str:
        return ROOM.levels.text(name)

    def of_seed(self, seed: int) -> NamedLevel:
        return RicochetLevels().of_seed(seed)

    def size(self, text: str) -> tuple[int, int] | None:
        board = level.parse(text)
        return board.cols, board.rows


class RoundsPlayers(Players):
    """The searches, each with a claim."""

    default = ROOM.players.default

    def agents(self) -> Mapping[str, AgentEntry]:
        from gridsage.games.ricochet.rounds.agents import rounds_agents

        return rounds_agents()


class RoundsView(View[RoundsState]):
    """How the table looks and how a claim is typed."""

    glyphs = ROOM.view.glyphs
    takes = ("scored",)
    contest = "score"
    keys = {
        **ROOM.view.keys,
        **{str(moves): f"{CALL} {moves}" for moves in range(1, TYPED_CLAIMS + 1)},
        "w": WAIT_WORD,
        "t": TIME_WORD,
        "0": "reset",
    }

    def frame(self, state: RoundsState) -> Frame:
        return view.frame(state)

    def position(self, state: RoundsState) -> str:
        return level.to_line(state.level) + "\n"


class RoundsHelp(Help[RoundsState]):
    """What the solver knows of the round's mission."""

    def hints(self, state: RoundsState) -> Sequence[str]:
        """Hints for the round's mission, or for the rest of a demonstration."""
        return RicochetHelp().hints(mission_state(state) if state.showing is None else state.showing)

    def solutions(self, state: RoundsState, seconds: float) -> Solutions:
        """All shortest solutions of the round's mission."""
        return RicochetHelp().solutions(mission_state(state), seconds)


ROUNDS = Room(
    name="ricochet-rounds",
    title="Ricochet Robots, in rounds",
    summary="Players claim a number of moves; the lowest claim that can be shown wins the round.",
    rules=RoundsRules(),
    levels=RoundsLevels(),
    players=RoundsPlayers(),
    view=RoundsView(),
    help=RoundsHelp(Path(__file__).parent / "guide.toml"),
    variant_of=ROOM.name,
)
