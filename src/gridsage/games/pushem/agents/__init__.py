"""The players of Push'em All, weakest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gridsage.core.room import AgentEntry
from gridsage.games.pushem.agents.random_player import RandomPlayer

AGENTS: Mapping[str, AgentEntry] = {
    "random": AgentEntry(RandomPlayer, "Plays any legal small action, all equally likely."),
}


def warm_up_steps() -> Sequence[tuple[str, Callable[[], object]]]:
    """What the first game has to compile, in words, and calls that compile it."""
    return [("the rules of Push'em All", _play_one_turn)]


def _play_one_turn() -> None:
    from gridsage.games.pushem.level import Options, parse
    from gridsage.games.pushem.rules import GAME

    level = parse("\n".join(["........"] * 6 + ["..x.....", ".....o.."]))
    GAME.step(GAME.start(level, Options(), 1), 0)
