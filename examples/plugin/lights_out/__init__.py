"""Lights Out, a plug-in game of gridsage: the room that joins rules, levels, players and view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridsage.core.frame import Frame
from gridsage.core.room import AgentEntry, Levels, Players, Room, Rules, View
from lights_out.rules import Level, LightsOut, Options, State


class LightsRules(Rules[Level, Options, State]):
    options = Options

    def game(self) -> LightsOut:
        return LightsOut()


class LightsLevels(Levels):
    texts = {"01_cross": ".*.\n***\n.*.\n", "02_corners": "**.\n*.*\n.**\n", "03_two_corners": "**..\n*..*\n..**\n"}

    def names(self) -> Sequence[str]:
        return list(self.texts)

    def text(self, name: str) -> str:
        return self.texts[name]


class LightsPlayers(Players):
    default = "bfs"

    def agents(self) -> Mapping[str, AgentEntry]:
        from lights_out.agents import Bfs, Random

        return {"random": AgentEntry(Random, "presses any lamp"), "bfs": AgentEntry(Bfs, "finds the shortest plan")}


class LightsView(View[State]):
    glyphs = {"dark": (".", "dim"), "lit": ("*", "bold yellow")}

    def frame(self, state: State) -> Frame:
        level = state.level
        cells = tuple("lit" if cell in state.lit else "dark" for cell in range(level.rows * level.cols))
        rows = "".join(str(row + 1) for row in range(level.rows))
        names = ("abcdefghi"[: level.cols], rows)
        status = {"lit": str(len(state.lit)), "presses": str(state.presses)}
        return Frame(level.rows, level.cols, cells, coordinates=names, status=status, text=f"{len(state.lit)} are lit")


ROOM = Room(
    name="lights",
    title="Lights Out",
    summary="Press lamps until all are dark; a lamp changes with its neighbours.",
    rules=LightsRules(),
    levels=LightsLevels(),
    players=LightsPlayers(),
    view=LightsView(),
)
