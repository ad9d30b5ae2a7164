"""A game between people at several devices and agents: who may say what when, the clocks, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec

from gridsage.core.errors import GridsageError, IllegalAction
from gridsage.core.frame import Bidding
from gridsage.core.game import Action, Decision, Outcome
from gridsage.core.trace import CRASHED, ILLEGAL, LEFT, TIMED_OUT, forfeit
from gridsage.store import Store
from gridsage.web import messages
from gridsage.web.broadcast import LATEST, ONCE, PUBLIC
from gridsage.web.games.session import Session
from gridsage.web.games.table import Pointed, Table
from gridsage.web.games.windows import Windows
from gridsage.web.messages import Answer


def host(session: Session, message: messages.Host) -> None:
    """Play the game of a table until the server closes it."""
    table = Table(message, session.home, message.salt)
    try:
        _Hosting(session, table, message).run()
    finally:
        table.close()


class Clocks:
    """The time that people have left for their moves, and the glass that runs for everybody."""

    def __init__(self, people: Iterable[int], minutes: float) -> None:
        self._left = dict.fromkeys(people, minutes * 60) if minutes else {}
        self._mover: int | None = None
        self._since = 0.0
        self.sand: float | None = None  # when the time to name a number is over
        self.patience: float | None = None  # when agents may name one

    def run_for(self, seat: int | None) -> None:
        """Let the clock of this seat run, and no other."""
        now = time.monotonic()
        if self._mover in self._left:
            self._left[self._mover] -= now - self._since
        self._mover, self._since = seat, now

    def left(self, seat: int) -> float | None:
        """Return the seconds that a seat has left; None where no clock runs."""
        if seat not in self._left:
            return None
        return max(0.0, self._left[seat] - (time.monotonic() - self._since if seat == self._mover else 0.0))

    @property
    def running(self) -> int | None:
        """The seat whose clock runs."""
        return self._mover if self._mover in self._left else None

    def wait(self) -> float | None:
        """Return the seconds until something happens by itself; None if nothing will."""
        now = time.monotonic()
        ends = [end - now for end in (self.sand, self.patience) if end is not None]
        if self.running is not None and (left := self.left(self.running)) is not None:
            ends.append(left)
        return max(0.0, min(ends)) if ends else None

    def sand_left(self) -> float | None:
        """Return the seconds until no number can be named any more; None where no glass runs."""
        return None if self.sand is None else max(0.0, self.sand - time.monotonic())


class _Hosting:
    """One table with everybody who sits at it."""

    def __init__(self, session: Session, table: Table, message: messages.Host) -> None:
        self._session, self._table, self._names = session, table, message.names
        self._people = table.people
        self._agents = [seat for seat in range(len(message.names)) if seat not in self._people]
        self._windows = Windows(session, table, message.names)
        self._clocks = Clocks(self._people, message.minutes)
        self._patience = message.patience
        self._phase = ""  # of the bidding at hand
        self._passed: set[int] = set()  # people who have nothing to add to it
        self._agents_asked = False

    def run(self) -> None:
        self._windows.greet()  # the board is seen while kernels load
        self._session.ready_room(self._table.room.name)
        self._follow_phase()
        self._agents_move()
        self._tell_turns()
        while True:
            message = self._session.receive_within(self._clocks.wait())
            if message is None:
                self._expire()
            elif isinstance(message, messages.FromSeat):
                self._handle(message)

    def _handle(self, message: messages.FromSeat) -> None:
        try:
            self._do(message.seat, message.said)
        except GridsageError as problem:
            self._say(message.seat, {"m": "refused", "text": str(problem)})
            self._tell_turns()  # the browser takes its move for made
        except OSError as problem:  # a full disk is no reason to lose the game
            self._say(message.seat, {"m": "refused", "text": f"a file cannot be read or written: {problem}"})

    def _say(self, seat: int, message: Answer) -> None:
        self._session.send_to(seat, ONCE, message)

    def _do(self, seat: int, said: messages.Act | messages.Leave | messages.Keep | messages.Describe) -> None:
        match said:
            case messages.Act():
                self._act(seat, said)
            case messages.Leave():
                if self._table.outcome() is None:
                    self._end(forfeit(LEFT, len(self._names), seat))
            case messages.Keep():
                self._say(seat, {"m": "kept", "id": Store(self._session.home).put(self._table.result())})
            case messages.Describe():
                t = min(said.t, self._table.t)
                self._say(seat, {"m": "words", "t": t, "text": self._windows.words(seat, t)})

    # Moves

    def _act(self, seat: int, said: messages.Act) -> None:
        bidding = self._bidding()
        if self._table.outcome() is not None:
            raise IllegalAction("the game is over")
        if bidding is not None:
            self._bid(seat, said.action, bidding)
        elif self._table.seat != seat:
            raise IllegalAction("it is not your turn")
        else:
            self._step(Decision(said.action), seq=said.seq)
        self._agents_move()
        self._tell_turns()

    def _step(self, decision: Decision, seq: int | None = None) -> None:
        by, before = self._table.seat, self._table.step(decision)
        self._windows.step(before, decision.action, by, seq)
        self._follow_phase()

    def _end(self, outcome: Outcome) -> None:
        """End the game otherwise than by its rules."""
        self._table.end(outcome)
        self._follow_phase()
        self._windows.over()
        self._tell_turns()

    # Numbers that anybody may name at any time: the rules ask one seat after the other

    def _bidding(self) -> Bidding | None:
        table = self._table
        return None if table.outcome() is not None else table.room.view.frame(table.state).bidding

    def _bid(self, seat: int, action: Action, bidding: Bidding) -> None:
        labels = {legal: label for legal, label, *_ in self._bids(seat, bidding)}
        if action not in labels:
            raise IllegalAction("that cannot be said now")
        if labels[action] == bidding.wait:
            self._passed.add(seat)
            if self._passed >= set(self._people):
                self._time_is_up(bidding)
            return
        while self._table.seat != seat:
            self._step(Decision(self._table.game.action(bidding.wait)))
        self._step(Decision(action))
        self._passed.clear()
        self._ask_agents()

    def _bids(self, seat: int, bidding: Bidding) -> list[Pointed]:
        """Return what a seat may say as soon as the others before it have waited."""
        game, state = self._table.game, self._table.state
        while game.seat(state) != seat:
            state = game.step(state, game.action(bidding.wait))
        said = [(action, game.label(action)) for action in game.legal(state)]
        silent = set() if seat in self._passed else {bidding.wait}
        return [[action, label, -1, -1, ""] for action, label in said if _is_bid(label, bidding) or label in silent]

    def _ask_agents(self) -> None:
        """Ask every agent for a number, and again while one of them names a lower one."""
        self._agents_asked = named = True
        self._clocks.patience = None
        while named and self._agents:
            named = False
            for _ in self._names:
                bidding = self._bidding()
                if bidding is None:
                    return
                wait = Decision(self._table.game.action(bidding.wait))
                decision = self._decided() if self._table.seat in self._agents else wait
                if decision is None:
                    return
                is_number = _is_bid(self._table.game.label(decision.action), bidding)
                named = named or is_number
                self._step(decision if is_number else wait)  # the clock is the server's: no agent ends the time

    def _time_is_up(self, bidding: Bidding) -> None:
        if not self._agents_asked:
            self._ask_agents()
            if (now := self._bidding()) is None or now.phase != bidding.phase:
                return  # one of them has named a number: others may answer
        game = self._table.game
        end = game.action(bidding.end)
        while end not in game.legal(self._table.state):
            self._step(Decision(game.action(bidding.wait)))
        self._step(Decision(end))

    # Clocks

    def _follow_phase(self) -> None:
        """Start the clocks of what is to be done now."""
        bidding, clocks, now = self._bidding(), self._clocks, time.monotonic()
        if self._table.outcome() is not None or bidding is not None:
            clocks.run_for(None)
        else:
            clocks.run_for(self._table.seat)
        phase = "" if bidding is None else bidding.phase
        if phase == self._phase:
            return
        self._phase, self._agents_asked = phase, False
        self._passed.clear()
        clocks.sand = now + bidding.seconds if bidding is not None and bidding.seconds else None
        waits = bidding is not None and not bidding.standing and self._agents and self._patience
        clocks.patience = now + self._patience if waits else None

    def _expire(self) -> None:
        """Something happens by itself: the glass is empty, agents have been patient, or somebody has no time left."""
        now, bidding, clocks = time.monotonic(), self._bidding(), self._clocks
        if bidding is not None and clocks.sand is not None and clocks.sand <= now:
            self._time_is_up(bidding)
        elif bidding is not None and clocks.patience is not None and clocks.patience <= now:
            self._ask_agents()
        elif clocks.running is not None and clocks.left(clocks.running) == 0:
            self._end(forfeit(TIMED_OUT, len(self._names), clocks.running))
            return
        self._agents_move()
        self._tell_turns()

    # Agents

    def _agents_move(self) -> None:
        """Let agents move as long as it is their turn."""
        while self._table.outcome() is None and self._bidding() is None and self._table.seat in self._agents:
            self._tell_turns()
            decision = self._decided()
            if decision is None:
                return
            try:
                self._step(decision)
            except IllegalAction:
                self._end(forfeit(ILLEGAL, len(self._names), self._table.seat))

    def _decided(self) -> Decision | None:
        """Return what the agent at turn decides; None if it failed, which ends the game."""
        table = self._table
        name, seat = str(table.episode.agents[table.seat]), table.seat
        try:
            observation = table.game.observe(table.state, seat)
            return table.player(name, seat).decide(observation, table.episode.budgets[seat])
        except (BrokenPipeError, EOFError):
            raise
        except Exception:  # an agent is anybody's code
            self._end(forfeit(CRASHED, len(self._names), seat))
            return None

    # What is told

    def _tell_turns(self) -> None:
        """Say to everybody whose turn it is, and to each seat what it may do."""
        outcome, bidding = self._table.outcome(), self._bidding()
        for audience in (*self._people, PUBLIC):
            legal = [] if outcome is not None else self._legal(audience, bidding)
            self._session.send_to(audience, LATEST, self._turn(audience, legal, bidding))

    def _legal(self, audience: int, bidding: Bidding | None) -> list[Pointed]:
        if audience == PUBLIC:
            return []
        if bidding is not None:
            return self._bids(audience, bidding)
        return self._windows.legal() if audience == self._table.seat else []

    def _turn(self, audience: int, legal: list[Pointed], bidding: Bidding | None) -> Answer:
        table, outcome, sand = self._table, self._table.outcome(), self._clocks.sand_left()
        clocks = [self._clocks.left(seat) for seat in range(len(self._names))]
        asked = [self._names[seat] for seat in self._people] if bidding is not None else [self._names[table.seat]]
        return {
            "m": "turn",
            "t": table.t,
            "seat": audience if bidding is not None and audience != PUBLIC else table.seat,
            "mover": "" if legal or outcome is not None else ", ".join(asked),
            "legal": legal,
            "over": None if outcome is None else msgspec.to_builtins(outcome),
            "clocks": [None if left is None else round(left * 1000) for left in clocks],
            "running": self._clocks.running,
            "left": None if sand is None else round(sand * 1000),
        }


def _is_bid(label: str, bidding: Bidding) -> bool:
    return label.startswith(f"{bidding.call} ")
