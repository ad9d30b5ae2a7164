"""An agent in a process of its own, asked over the line protocol; it is a player like any other to the match."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from gridsage.arena.conditions import CLOSE_SECONDS, Clock
from gridsage.arena.external import protocol
from gridsage.arena.external.process import Gone, Late, Process, TooLong
from gridsage.arena.guard import Ask, Fault, Seat, late_words
from gridsage.core.amounts import amount
from gridsage.core.game import Action, AnyGame, Decision, Outcome, Thoughts
from gridsage.core.room import Room
from gridsage.core.trace import CRASHED, DIED, FAULTS, MALFORMED, OUT_OF_MEMORY, REFUSED, TIMED_OUT, Episode

EXIT_SECONDS = 0.3  # how long a process that has closed its output may take to end by itself
WATCHDOG_SECONDS = 1.0  # what the clock outside of this process gives on top: it is the second one here
SIGNAL_KILL = 9
MEMORY_WORDS = (  # how runtimes call it; in lower case
    "memoryerror",
    "bad_alloc",
    "outofmemoryerror",
    "out of memory",
    "memory allocation of",
    "cannot allocate memory",
    "not enough resources: memory",
)


class Playing(Protocol):
    """What an agent's process has to be told about: a Recorder, or a table on the page."""

    @property
    def episode(self) -> Episode: ...
    @property
    def room(self) -> Room: ...
    @property
    def game(self) -> AnyGame: ...


class Outside:
    """The arena's side of one agent's process."""

    def __init__(self, process: Process | Fault, recorder: Playing, seat: Seat, walls_words: str) -> None:
        self._launched, self._recorder, self._seat = process, recorder, seat
        self._clock = Clock(seat.budget, seat.conditions)
        self._plain = False
        self.walls = walls_words
        self.log = ""

    # A player's life

    def start(self) -> None:
        """Tell the agent what is going to be played."""
        if isinstance(self._launched, Fault):
            raise self._launched
        self._process = self._launched
        self._begin_deadline = time.monotonic() + self._seat.conditions.begin
        try:
            self._tell(self._begin(), self._begin_deadline)
        except Gone:
            pass  # `ready` says what became of it

    def ready(self) -> None:
        """Wait until it has said that it is ready, in one of the two ways to speak."""
        began, may_wait = time.monotonic(), True
        deadline = self._begin_deadline
        self._seat.beacon.expect(self._place, self._seat.conditions.longest_begin + WATCHDOG_SECONDS)
        try:
            while not isinstance(message := self._hear_first(deadline), protocol.Ready):
                if not isinstance(message, protocol.Wait) or not may_wait:
                    raise Fault(MALFORMED, f"expected `ready`, got {type(message).__name__.lower()!r}")
                deadline = began + min(message.seconds, self._seat.conditions.longest_begin)
                may_wait = False
        except Late:
            raise self._ended(TIMED_OUT, f"not ready after {amount(time.monotonic() - began, 3)} s") from None
        except Gone:
            raise self._gone(REFUSED) from None
        finally:
            self._seat.beacon.rest()
        if message.protocol != protocol.VERSION:
            raise Fault(REFUSED, f"it speaks protocol {message.protocol}, the arena speaks {protocol.VERSION}")

    def decide(self, ask: Ask) -> Decision:
        """Send the turn and return the answer."""
        began = time.monotonic()
        legal, message = self._turn(ask)
        self._seat.beacon.expect(self._place, self._clock.allowance + WATCHDOG_SECONDS)
        try:
            deadline = began + self._clock.allowance
            self._tell(message, deadline)
            act, thoughts = self._answer(ask.turn, deadline)
        except Late:
            raise self._ended(TIMED_OUT, late_words(time.monotonic() - began, self._clock.limit)) from None
        except Gone:
            raise self._gone(CRASHED) from None
        finally:
            self._seat.beacon.rest()
        spent = time.monotonic() - began
        if not self._clock.charge(spent):
            raise self._ended(TIMED_OUT, late_words(spent, self._clock.limit))
        return Decision(self._action(act, legal, message.labels), thoughts)

    def close(self, outcome: Outcome | None) -> None:
        """Say how it ended, wait a little, and see that nothing is left of the process."""
        if isinstance(self._launched, Fault):
            return
        process = self._launched
        if outcome is not None and process.exit is None:
            try:
                self._tell(protocol.end_of(outcome), time.monotonic() + CLOSE_SECONDS)
                process.close(CLOSE_SECONDS)
            except (Late, Gone):
                pass
        process.kill()
        self.log = process.log.text()

    # What is said

    @property
    def _place(self) -> int:
        return self._seat.briefing.seat

    def _begin(self) -> protocol.Begin:
        episode, conditions = self._recorder.episode, self._seat.conditions
        return protocol.Begin(
            game=episode.game,
            rules=self._recorder.game.rules_version,
            seat=self._place,
            seats=len(episode.agents),
            seed=self._seat.briefing.seed,
            options=episode.options,
            budget=self._seat.budget,
            bank=self._clock.bank,
            limits={
                "memory": float(conditions.memory),
                "processes": float(conditions.processes),
                "begin": conditions.begin,
                "decision": self._clock.limit,
            },
        )

    def _turn(self, ask: Ask) -> tuple[list[Action], protocol.Turn]:
        game, room = self._recorder.game, self._recorder.room
        legal = [int(action) for action in game.legal(ask.state)]
        return legal, protocol.Turn(
            turn=ask.turn,
            observation=room.rules.encode(ask.observation),
            board=room.view.board(ask.observation),
            legal=legal,
            labels=[game.label(action) for action in legal],
            bank=round(self._clock.bank, 6),
        )

    def _tell(self, message: protocol.FromArena, deadline: float) -> None:
        data = protocol.encode_plain(message) if self._plain else protocol.encode(message)
        self._process.write(data, deadline)

    # What is heard

    def _hear(self, deadline: float) -> protocol.FromAgent:
        """Return the next message; empty lines between two are nobody's fault."""
        try:
            while not (line := self._process.line(deadline, protocol.MOST_LINE).strip()):
                pass
            return self._understood(line, deadline)
        except TooLong:
            raise self._ended(MALFORMED, f"a line is longer than {protocol.MOST_LINE:,} bytes") from None
        except protocol.Garbled as error:
            raise self._ended(MALFORMED, str(error)) from None

    def _understood(self, line: bytes, deadline: float) -> protocol.FromAgent:
        if not self._plain:
            return protocol.decode(line)
        lines, size = [line], len(line)
        while more := self._process.line(deadline, protocol.MOST_LINE).strip():
            lines.append(more)
            size += len(more)
            if size > protocol.MOST_LINE:
                raise TooLong
        return protocol.decode_plain(lines)

    def _hear_first(self, deadline: float) -> protocol.FromAgent:
        """Return the answer to `begin`; an agent that asks for plain messages gets it a second time."""
        if self._plain:
            return self._not_error(self._hear(deadline))
        try:
            line = self._process.line(deadline, protocol.MOST_LINE).strip()
        except TooLong:
            raise self._ended(MALFORMED, f"a line is longer than {protocol.MOST_LINE:,} bytes") from None
        if line == protocol.PLAIN:
            self._plain = True
            self._tell(self._begin(), deadline)
            return self._not_error(self._hear(deadline))
        try:
            return self._not_error(protocol.decode(line))
        except protocol.Garbled as error:
            raise self._ended(MALFORMED, str(error)) from None

    def _not_error(self, message: protocol.FromAgent) -> protocol.FromAgent:
        if isinstance(message, protocol.Error):
            raise self._ended(message.ending if message.ending in FAULTS else REFUSED, message.text)
        return message

    def _answer(self, turn: int, deadline: float) -> tuple[protocol.Act, Thoughts | None]:
        """Return the act for this turn and the thoughts that came before it."""
        thoughts: Thoughts | None = None
        for _ in range(protocol.MOST_INFO):
            match self._hear(deadline):
                case protocol.Info() as info:
                    thoughts = info.thoughts()
                case protocol.Act() as act if act.turn == turn:
                    return act, thoughts
                case protocol.Act() as act:
                    what = "answered twice" if act.turn < turn else "answered too early"
                    raise self._ended(MALFORMED, f"turn {act.turn} was {what}; expected an answer for turn {turn}")
                case protocol.Error() as error:
                    raise self._ended(error.ending if error.ending in FAULTS else CRASHED, error.text)
                case other:
                    name = type(other).__name__.lower()
                    raise self._ended(MALFORMED, f"expected an answer for turn {turn}, got {name!r}")
        raise self._ended(MALFORMED, f"more than {protocol.MOST_INFO} info messages before an answer")

    def _action(self, act: protocol.Act, legal: list[Action], labels: Sequence[str]) -> Action:
        """Return the action by its number or its label."""
        if isinstance(act.action, int):
            return act.action
        if act.action in labels:
            return legal[labels.index(act.action)]
        try:
            return int(act.action) if act.action.lstrip("-").isdecimal() else self._recorder.game.action(act.action)
        except (LookupError, ValueError):
            raise self._ended(MALFORMED, f"{act.action!r:.60} is neither a number nor the label of an action") from None

    # How it ended

    def _ended(self, reason: str, words: str) -> Fault:
        """End the process and return the fault."""
        self._process.kill()
        return Fault(reason, words)

    def _gone(self, reason: str) -> Fault:
        """Return the fault of a process that went away, named by its exit and by what it printed last."""
        process = self._process
        process.wait(EXIT_SECONDS)
        process.kill()
        code, log = process.exit or 0, process.log.text()
        last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "")
        said = f"; its last words: {last}" if last else ""
        if any(words in log[-2000:].lower() for words in MEMORY_WORDS):
            return Fault(OUT_OF_MEMORY, f"it ended{said}")
        if process.was_killed:
            return Fault(reason, f"it closed its output and did not end{said}")
        if code < 0:
            return Fault(DIED, f"ended by signal {-code}{said}", killed=-code == SIGNAL_KILL)
        before = " before it was ready" if reason == REFUSED else ""
        return Fault(reason, f"ended with exit code {code}{before}{said}")
