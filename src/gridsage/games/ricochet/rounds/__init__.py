"""Ricochet Robots in rounds: several players think, claim a number of moves, and the lowest claim is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridsage.core.room import AgentEntry, Room, Solutions
from gridsage.games.ricochet import ROOM, best_solutions, level
from gridsage.games.ricochet.rounds import view
from gridsage.games.ricochet.rounds.rules import Rounds, mission_state
from gridsage.games.ricochet.rounds.state import RoundsOptions, Table

TYPED_CLAIMS = 60  # a number typed is a claim


def _agents() -> Mapping[str, AgentEntry]:
    from gridsage.games.ricochet.rounds.agents import rounds_agents

    return rounds_agents()


def _hints(table: Table) -> Sequence[str]:
    """Hints for the round's mission, or for the rest of a demonstration."""
    assert ROOM.hints is not None
    return ROOM.hints(mission_state(table) if table.showing is None else table.showing)


def _solutions(table: Table, seconds: float) -> Solutions:
    """All shortest solutions of the round's mission."""
    return best_solutions(mission_state(table), seconds)


ROUNDS = Room(
    name="ricochet-rounds",
    title="Ricochet Robots, in rounds",
    summary="Players claim a number of moves; the lowest claim that can be shown wins the round.",
    game=Rounds,
    options=RoundsOptions,
    agents=_agents,
    default_agent=ROOM.default_agent,
    frame=view.frame,
    glyphs=ROOM.glyphs,
    keys={
        **ROOM.keys,
        **{str(moves): f"claim {moves}" for moves in range(1, TYPED_CLAIMS + 1)},
        "w": "wait",
        "t": "time is up",
        "0": "reset",
    },
    level_names=ROOM.level_names,
    level=ROOM.level,
    seats=2,
    seats_option="players",
    level_of_seed=ROOM.level_of_seed,
    hints=_hints,
    solutions=_solutions,
    position=lambda table: level.to_line(table.level) + "\n",
    warm_up=ROOM.warm_up,
    variant_of=ROOM.name,
)
