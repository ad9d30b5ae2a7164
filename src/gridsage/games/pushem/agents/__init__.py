"""The players of Push'em All, weakest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gridsage.core.game import Budget
from gridsage.core.room import AgentEntry
from gridsage.games.pushem.agents import baseline
from gridsage.games.pushem.agents.engine import Version
from gridsage.games.pushem.agents.master import Master
from gridsage.games.pushem.agents.mcts import Mcts
from gridsage.games.pushem.agents.random import Random
from gridsage.games.pushem.level import Options, parse
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State

AGENTS: Mapping[str, AgentEntry] = {
    "random": AgentEntry(Random, "Plays any legal small action, all equally likely."),
    "mcts": AgentEntry(Mcts, "Monte Carlo tree search over small actions with short random playouts."),
    "defensive": AgentEntry(
        baseline.defensive, "The AI of a 2008 course project, done right: own pawns left come first."
    ),
    "aggressive": AgentEntry(
        baseline.aggressive, "The AI of a 2008 course project, done right: eliminated enemies come first."
    ),
    "master": AgentEntry(Master, "Deep alpha-beta over whole turns, cards of both sides included."),
}


def warm_up_steps() -> Sequence[tuple[str, Callable[[], object]]]:
    """What the first game has to compile, in words, and calls that compile it."""
    return [
        ("the rules of Push'em All", _play_one_turn),
        ("the course project's AI", _rate_once),
        ("the master's search", lambda: _think_once("v2")),
        ("the first master's search", lambda: _think_once("v1")),
    ]


def _some_state() -> State:
    return GAME.start(parse("\n".join(["........"] * 6 + ["..x.....", ".....o.."])), Options(), 1)


def _play_one_turn() -> None:
    GAME.step(_some_state(), 0)


def _rate_once() -> None:
    baseline.aggressive().decide(_some_state(), Budget())


def _think_once(search: Version) -> None:
    Master(search=search).decide(_some_state(), Budget(nodes=1_000))
