"""What everybody at a table is shown: each seat what it may see, and spectators what all seats see."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gridsage.core.frame import Frame
from gridsage.core.game import Action, Own
from gridsage.web import feed
from gridsage.web.broadcast import FRAME, HELLO, KEY, PUBLIC
from gridsage.web.games.screen import about
from gridsage.web.games.session import Session
from gridsage.web.games.table import Pointed, Table
from gridsage.web.messages import Answer


class Windows:
    """One window for each person and one for all spectators.

    Whoever plays can open the page of the spectators too, so that these see a position only if the rules hide nothing
    of it from anybody, or the game is over.
    """

    def __init__(self, session: Session, table: Table, names: Sequence[str]) -> None:
        self._session, self._table, self._names = session, table, names
        self._feeds = {audience: feed.Feed() for audience in (*table.people, PUBLIC)}
        self._greeted: set[int] = set()
        self._was_open = self._open = False

    def greet(self) -> None:
        """Show the first position."""
        for audience, frame in self._pictures().items():
            self._show(audience, frame, {})

    def step(self, before: Own, action: Action, by: int, seq: int | None) -> None:
        """Show what an action has done; who may not know it is not told which one it was."""
        table, pictures = self._table, self._pictures()
        told = {"a": table.game.label(action), "ev": feed.events(table.game.events(before, action, table.state))}
        for audience, frame in pictures.items():
            known: Answer = {"by": by}
            if (self._was_open and self._open) or audience == by:
                known |= told
            if audience == by:
                known["q"] = seq
            self._show(audience, frame, known)

    def over(self) -> None:
        """Show spectators how it ended, where they have seen nothing of it."""
        if not self._open:
            self._show(PUBLIC, self._pictures()[PUBLIC], {})

    def legal(self) -> list[Pointed]:
        """Return what whoever is at turn may do. Trying actions out would tell what is hidden from them."""
        if self._open:
            return self._table.legal()
        game = self._table.game
        return [[action, game.label(action), -1, -1, ""] for action in game.legal(self._table.state)]

    def words(self, seat: int, t: int) -> str:
        """Return what a seat sees after `t` moves, in words."""
        table = self._table
        return table.room.view.words(table.game.observe(table.state_at(t), seat))

    def _pictures(self) -> dict[int, Frame]:
        """Return the position at hand as each window shows it."""
        table, view, rules = self._table, self._table.room.view, self._table.room.rules
        seen = [table.game.observe(table.state, seat) for seat in range(len(self._names))]
        plain = [msgspec.json.encode(rules.encode(one)) for one in seen]
        self._was_open, self._open = self._open, len(set(plain)) == 1
        frames = {seat: view.seen_frame(seen[seat]) for seat in table.people}
        if self._open:
            frames[PUBLIC] = view.seen_frame(seen[0])
        elif table.outcome() is not None:
            frames[PUBLIC] = view.frame(table.state)
        return frames

    def _show(self, audience: int, frame: Frame, told: Answer) -> None:
        feeder, t = self._feeds[audience], self._table.t
        first = audience not in self._greeted
        if first:
            self._greeted.add(audience)
            known = about(self._table.room, self._table.episode)
            del known["seed"]  # it may decide what is still to come
            hello = feeder.hello(self._table.room.name, frame, **known | {"players": self._names, "pure": False})
            self._session.send_to(audience, HELLO, hello)
        message = feeder.frame(t, frame, key=first)
        message |= {name: value for name, value in told.items() if value not in (None, [], "")}
        self._session.send_to(audience, KEY if "k" in message else FRAME, message)
