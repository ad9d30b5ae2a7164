"""What a seat may not see reaches neither the other seat nor spectators before the game is over."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from gridsage.core.errors import IllegalAction
from gridsage.core.frame import Frame
from gridsage.core.game import Event, Outcome
from gridsage.core.room import View
from gridsage.web.broadcast import PRIVATE_HEAD, PUBLIC
from gridsage.web.games.session import SESSION_ID, Session
from gridsage.web.games.table import Table
from gridsage.web.games.windows import Windows


@dataclass(frozen=True)
class Cards:
    """Each of two seats holds a card; the first lays its own down, then both are seen."""

    hands: tuple[str, str] = ("ace", "king")
    laid: int = 0


class Game:
    """As much of a game with hidden hands as windows look at."""

    def observe(self, state: Cards, seat: int) -> Cards:
        if state.laid:
            return state
        mine = state.hands[seat]
        return replace(state, hands=(mine, "?") if seat == 0 else ("?", mine))

    def legal(self, state: Cards) -> Sequence[int]:
        return [0, 1]

    def step(self, state: Cards, action: int) -> Cards:
        raise IllegalAction("trying it out would tell what is hidden")

    def events(self, before: Cards, action: int, after: Cards) -> Sequence[Event]:
        return [Event("laid")]

    def label(self, action: int) -> str:
        return f"lay {action}"


class Look(View[Cards]):
    glyphs = {"card": ("#", "")}

    def frame(self, state: Cards) -> Frame:
        return Frame(1, 1, ("card",), text=" ".join(state.hands))


class Heard:
    """What a table says, by who may hear it."""

    def __init__(self, outcome: Outcome | None = None) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self.table: Any = SimpleNamespace(
            game=Game(), state=Cards(), t=0, people=[0, 1], outcome=lambda: outcome, episode=episode(), room=room()
        )
        session = Session(cast(Connection, theirs), threading.Lock(), 1, Path())
        self.windows = Windows(session, cast(Table, self.table), ("Ann", "Ben"))

    def said(self) -> dict[int, str]:
        """Return everything that was said since the last time."""
        found: dict[int, str] = {}
        while self._pipe.poll():
            data = self._pipe.recv_bytes()[SESSION_ID.size :]
            found[data[0]] = found.get(data[0], "") + data[PRIVATE_HEAD:].decode()
        return found


def episode() -> Any:
    return SimpleNamespace(level_name="x", seed=424242, agents=["human", "human"], options={}, budgets=())


def room() -> Any:
    rules = SimpleNamespace(encode=msgspec.to_builtins)
    return SimpleNamespace(name="cards", title="Cards", folder="cards", view=Look(), rules=rules)


def test_hidden_hands_are_seen_by_their_owner_only() -> None:
    table = Heard()
    table.windows.greet()
    said = table.said()
    assert set(said) == {0, 1}  # spectators hear nothing: a player may be among them
    assert "ace" in said[0] and "king" not in said[0]
    assert "king" in said[1] and "ace" not in said[1]
    assert "424242" not in str(said)


def test_an_action_is_told_by_name_only_to_who_may_know_it() -> None:
    table = Heard()
    table.windows.greet()
    table.said()
    table.table.t = 1
    table.windows.step(Cards(), 1, by=0, seq=7)
    said = table.said()
    assert "lay 1" in said[0] and '"q":7' in said[0]
    assert "lay" not in said[1] and '"q"' not in said[1]
    assert PUBLIC not in said


def test_nothing_is_tried_out_for_whoever_moves_while_something_is_hidden() -> None:
    table = Heard()
    table.windows.greet()
    assert table.windows.legal() == [[0, "lay 0", -1, -1, ""], [1, "lay 1", -1, -1, ""]]


@pytest.mark.parametrize("laid", [0, 1])
def test_spectators_see_all_when_nothing_is_hidden_or_the_game_is_over(laid: int) -> None:
    table = Heard(None if laid else Outcome("left", (0.0, 1.0), 1))
    table.table.state = Cards(laid=laid)
    table.windows.greet()
    assert "ace king" in table.said()[PUBLIC]
