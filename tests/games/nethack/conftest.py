from __future__ import annotations

import pytest

from gridsage.games.nethack import ROOM
from gridsage.games.nethack.level import Options
from gridsage.games.nethack.rules import NetHack


@pytest.fixture(autouse=True)
def nle_is_here():
    if (sentence := ROOM.rules.missing()) is not None:
        pytest.skip(sentence)


@pytest.fixture
def start():
    """Starts games and ends their processes after the test."""
    games: list[NetHack] = []

    def starter(level: str = "", seed: int = 1, patience: float = 20.0, **options):
        game = NetHack(patience)
        games.append(game)
        return game, game.start(game.parse(level), Options(**options), seed)

    yield starter
    for game in games:
        game.close()
