"""What every game and every agent promises, as checks for authors of plug-ins; our own rooms pass the same ones.

from gridsage.testing import check_agent, check_game

def test_my_game_keeps_its_promises():
    check_game("mygame")
    check_agent("mygame", "mybot")
"""

from __future__ import annotations

from gridsage.core.room import Room
from gridsage.games import catalog
from gridsage.testing.agents import AGENT_CHECKS
from gridsage.testing.games import GAME_CHECKS, observation_survives_json, random_play
from gridsage.testing.promises import BrokenPromise, report

__all__ = [
    "AGENT_CHECKS",
    "GAME_CHECKS",
    "BrokenPromise",
    "check_agent",
    "check_game",
    "observation_survives_json",
    "random_play",
]


def check_game(room: Room | str) -> None:
    """Play the game at random and raise a BrokenPromise that lists every promise it does not keep."""
    found = catalog.ready_room(room) if isinstance(room, str) else room
    report(found.name, [(check, (found,)) for check in GAME_CHECKS])


def check_agent(room: Room | str, agent: str) -> None:
    """Let the agent play and raise a BrokenPromise that lists every promise it does not keep.

    Args:
        agent: as on the command line: a name, or `file.py:Class`, with settings.
    """
    found = catalog.ready_room(room) if isinstance(room, str) else room
    report(f"{agent} of {found.name}", [(check, (found, agent)) for check in AGENT_CHECKS])
