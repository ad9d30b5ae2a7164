"""The guard around an agent's whole life: whatever it does, the match hears an answer or the name of a fault."""

from __future__ import annotations

import operator
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import msgspec

from gridsage.arena.conditions import CLOSE_SECONDS, Clock, Conditions
from gridsage.arena.external import protocol
from gridsage.core.amounts import amount
from gridsage.core.errors import GridsageError
from gridsage.core.game import Agent, Briefed, Briefing, Budget, Closing, Decision, Observation, Outcome, Own, StopGame
from gridsage.core.trace import CRASHED, MALFORMED, OUT_OF_MEMORY, REFUSED, TIMED_OUT

MOST_WORDS = 500  # characters of a fault


class Fault(Exception):
    """An agent did something that ends its match."""

    def __init__(self, reason: str, words: str, *, killed: bool = False) -> None:
        super().__init__(words)
        self.reason = reason
        self.words = printable(words)
        self.killed = killed  # by somebody else: that may be no fault of the agent


@dataclass(frozen=True)
class Ask:
    """A question to a player: what it sees, and for those who write it down, the state behind it."""

    turn: int
    observation: Observation
    state: Own


class Player(Protocol):
    """An agent under guard. Every method but `close` may raise a Fault and nothing else that is the agent's."""

    log: str

    def start(self) -> None: ...
    def ready(self) -> None: ...
    def decide(self, ask: Ask) -> Decision: ...
    def close(self, outcome: Outcome | None) -> None: ...


class Beacon(Protocol):
    """Where the process that plays shows what it is doing, for a clock outside of it."""

    def expect(self, seat: int, seconds: float) -> None: ...
    def rest(self) -> None: ...
    def note(self, action: int) -> None: ...


class Dark:
    """A beacon that nobody looks at."""

    def expect(self, seat: int, seconds: float) -> None:
        pass

    def rest(self) -> None:
        pass

    def note(self, action: int) -> None:
        pass


@dataclass(frozen=True)
class Seat:
    """Everything a player needs to know of its place at the table."""

    briefing: Briefing
    budget: Budget
    conditions: Conditions
    beacon: Beacon


class Inside:
    """An agent that plays in this process: ours, or one that is trusted."""

    log = ""

    def __init__(self, make: Callable[[], Agent], seat: Seat, *, is_ours: bool = True, timed: bool = True) -> None:
        self._make, self._seat, self.is_ours = make, seat, is_ours
        self._clock = Clock(seat.budget, seat.conditions) if timed else None
        self._agent: Agent | None = None

    def start(self) -> None:
        """Do nothing: it lives here already."""

    def ready(self) -> None:
        """Make the agent and tell it where it sits."""
        began = time.monotonic()
        with self._watched(self._seat.conditions.begin, REFUSED):
            self._agent = self._make()
            if isinstance(self._agent, Briefed):
                self._agent.begin(self._seat.briefing)
        if self._clock is not None and time.monotonic() - began > self._seat.conditions.begin:
            raise Fault(TIMED_OUT, f"ready after {amount(time.monotonic() - began, 3)} s")

    def decide(self, ask: Ask) -> Decision:
        """Return the agent's answer."""
        assert self._agent is not None, "asked before it was ready"
        began = time.monotonic()
        with self._watched(self._clock.allowance if self._clock is not None else None, CRASHED):
            decision = checked(self._agent.decide(ask.observation, self._seat.budget), strict=not self.is_ours)
        spent = time.monotonic() - began
        if self._clock is not None and not self._clock.charge(spent):
            raise Fault(TIMED_OUT, late_words(spent, self._clock.limit))
        return decision

    def close(self, outcome: Outcome | None) -> None:
        """Let the agent give back what it holds; what goes wrong there changes nothing any more."""
        agent, self._agent = self._agent, None
        if isinstance(agent, Closing):
            try:
                with self._watched(CLOSE_SECONDS, CRASHED):
                    agent.close()
            except (Fault, StopGame):
                pass

    @contextmanager
    def _watched(self, seconds: float | None, reason: str) -> Iterator[None]:
        """Show the beacon while the agent's own code runs, and turn whatever it raises into a Fault."""
        if seconds is not None:
            self._seat.beacon.expect(self._seat.briefing.seat, seconds)
        try:
            yield
        except Fault:
            raise
        except StopGame as error:
            if self.is_ours:
                raise
            raise Fault(reason, words_of(error)) from None  # else it could leave every game that it is losing
        except MemoryError as error:
            raise Fault(OUT_OF_MEMORY, words_of(error)) from None
        except KeyboardInterrupt as error:
            if self.is_ours and threading.current_thread() is threading.main_thread():
                raise  # a person's; where strangers are trusted, workers do not hear the keyboard
            raise Fault(reason, words_of(error)) from None
        except GridsageError as error:
            if self.is_ours and reason == REFUSED:
                raise  # a wrong setting of an agent of ours is a mistake of who asked for it
            raise Fault(reason, words_of(error)) from None
        except BaseException as error:  # anybody's code: SystemExit and worse end this match, not the run
            raise Fault(reason, words_of(error)) from None
        finally:
            self._seat.beacon.rest()


def late_words(spent: float, limit: float) -> str:
    """Return the sentence of a timeout."""
    return f"a decision took {amount(spent, 3)} s, the budget is {amount(limit, 3)} s and the bank is empty"


def words_of(error: BaseException) -> str:
    """Return what an error says; it is anybody's, so even asking for its words may fail."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException as worse:
        return f"{type(error).__name__}, and asking for its words raised {type(worse).__name__}"


def printable(text: str) -> str:
    """Return a text that every file and terminal can take, not too long."""
    clean = text.encode("utf-8", "replace").decode()
    clean = "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in clean)
    return clean if len(clean) <= MOST_WORDS else f"{clean[:MOST_WORDS]}..."


def checked(decision: object, *, strict: bool) -> Decision:
    """Return what the agent answered, with a plain int for action (numpy's are taken too)."""
    if not isinstance(decision, Decision):
        raise Fault(MALFORMED, f"decide returned {type(decision).__name__}, expected Decision")
    try:
        action = operator.index(decision.action)
    except TypeError as error:
        raise Fault(MALFORMED, f"the action {decision.action!r:.50} is no number: {error}") from None
    thoughts = decision.thoughts
    if thoughts is not None and (strict or type(thoughts.nodes) is not int):
        try:
            thoughts = msgspec.structs.replace(protocol.info_of(thoughts).thoughts(), timings={})
        except protocol.Garbled as error:
            raise Fault(MALFORMED, str(error)) from None
    if type(decision.action) is int and thoughts is decision.thoughts:
        return decision
    return Decision(action, thoughts, decision.memory)
