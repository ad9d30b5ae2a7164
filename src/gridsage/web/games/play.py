"""A game that a person plays: moves from the screen, agents at the other seats, take-backs, take-overs."""

from __future__ import annotations

import time

import msgspec

from gridsage.core.complaints import in_words
from gridsage.core.errors import GridsageError, OptionError
from gridsage.core.game import Decision
from gridsage.store import Store
from gridsage.web import feed, levels, messages
from gridsage.web.games.advice import Advice
from gridsage.web.games.screen import about
from gridsage.web.games.session import AHEAD, Session
from gridsage.web.games.table import Table
from gridsage.web.messages import Answer


def play(session: Session, message: messages.Play) -> None:
    """Play until the tab is closed."""
    table = Table(message, session.home)
    try:
        _Play(session, table).run()
    finally:
        table.close()


class _Play:
    """One table and the tab that looks at it."""

    def __init__(self, session: Session, table: Table) -> None:
        self._session, self._table = session, table
        self._feeder = feed.Feed()
        self._taken_over = ""  # the agent that moves for the people here
        self._advice = Advice(session, table, self._refuse)

    def run(self) -> None:
        try:
            self._greet()  # the board is seen while kernels load
            self._session.ready_room(self._table.room.name)
            self._tell_turn()
            while True:
                while self._mover() and self._session.inbox.empty():
                    self._agent_moves()
                self._handle(self._session.receive())
        finally:
            self._advice.drop()

    def _greet(self) -> None:
        table = self._table
        self._feeder = feed.Feed()
        frame = table.room.view.frame(table.state)
        more = about(table.room, table.episode) | {"pure": table.pure, "text": table.episode.level}
        self._session.send(self._feeder.hello(table.room.name, frame, **more))
        self._session.send(self._feeder.frame(0, frame))

    def _refuse(self, sentence: str) -> None:
        self._session.send({"m": "refused", "text": sentence})

    def _handle(self, message: messages.FromServer) -> None:
        try:
            self._do(message)
        except GridsageError as problem:
            self._refuse(str(problem))
            if isinstance(message, messages.Act):
                self._tell_turn()  # whoever sent it waits for an answer
        except OSError as problem:  # a full disk is no reason to lose the game
            self._refuse(f"a file cannot be read or written: {in_words(problem)}")

    def _do(self, message: messages.FromServer) -> None:
        match message:
            case messages.Act():
                self._step(Decision(message.action), seq=message.seq)
            case messages.Undo():
                self._back_to(min(message.t, self._table.t))
            case messages.Restart():
                self._restart()
            case messages.TakeOver():
                self._take_over(message.agent)
            case messages.Keep():
                self._session.send({"m": "kept", "id": Store(self._session.home).put(self._table.result())})
            case _:
                self._advice.answer(message)

    # Moves

    def _step(
        self, decision: Decision, *, seq: int | None = None, milliseconds: float | None = None, secret: bool = False
    ) -> None:
        """Play an action. What an opponent thinks is kept for the replay, but not shown across the table."""
        table, game = self._table, self._table.game
        before = table.step(decision)
        told = feed.overlay(*(None, milliseconds) if secret else (decision.thoughts, milliseconds, decision.memory))
        frame = self._feeder.frame(
            table.t,
            table.room.view.frame(table.state),
            o=told,
            a=game.label(decision.action),
            by=game.seat(before) if len(table.episode.agents) > 1 else None,
            ev=feed.events(game.events(before, decision.action, table.state)),
            q=seq,
        )
        self._session.send(frame)
        self._tell_turn()

    def _back_to(self, t: int) -> None:
        table = self._table
        table.back_to(t)
        label = table.game.label(table.actions[-1]) if table.actions else ""
        self._session.send(self._feeder.frame(t, table.room.view.frame(table.state), key=True, a=label))
        self._tell_turn()

    def _restart(self) -> None:
        self._taken_over = ""
        self._table.begin()
        self._greet()
        self._tell_turn()

    def _tell_turn(self) -> None:
        """Say whose turn it is and what may be done; after the frame, which a person waits for more."""
        table, outcome, mover = self._table, self._table.outcome(), self._mover()
        turn: Answer = {"m": "turn", "t": table.t, "seat": table.seat, "mover": mover}
        turn["legal"] = table.legal() if outcome is None and not mover else []
        turn["over"] = None if outcome is None else msgspec.to_builtins(outcome)
        self._session.send(turn)

    # Agents

    def _mover(self) -> str:
        """Return the agent that has to move now; empty when a person has, or the game is over."""
        if self._table.outcome() is not None:
            return ""
        name = str(self._table.episode.agents[self._table.seat])
        return self._taken_over if name == levels.HUMAN else name

    def _agent_moves(self) -> None:
        # What cannot be taken back is not played ahead of the eyes that watch it.
        if not self._session.wait_for_room(self._table.t, AHEAD if self._table.pure else 0, listening=True):
            return
        name = self._mover()
        try:
            self._asked(name)
        except (BrokenPipeError, EOFError):
            raise
        except Exception as problem:  # an agent is anybody's code
            if name != self._taken_over:
                raise OptionError(f"{name} failed, and nobody else sits there: {problem}") from None
            self._taken_over = ""
            self._refuse(f"{name} failed, the game is yours again: {problem}")
            self._tell_turn()

    def _asked(self, name: str) -> None:
        table = self._table
        began = time.perf_counter()
        observation = table.game.observe(table.state, table.seat)
        decision = table.player(name, table.seat).decide(observation, table.episode.budgets[table.seat])
        spent = (time.perf_counter() - began) * 1000
        self._step(decision, milliseconds=spent, secret=name != self._taken_over and bool(table.people))

    def _take_over(self, name: str) -> None:
        """Let an agent move for the people here. It is made now: one that cannot be made must not end the game."""
        table = self._table
        if name and levels.agent_spec(table.room, name).name == levels.HUMAN:
            raise OptionError("a person cannot take over from a person; choose an agent")
        for seat in table.people if name else []:
            table.player(name, seat)
        self._taken_over = name
        self._tell_turn()
