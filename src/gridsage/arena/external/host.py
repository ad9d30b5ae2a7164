"""The other end of the protocol for classes: makes the agent in its own process and lets it play unchanged.

Started as `python -m gridsage.arena.external.host GAME AGENT`.
"""

from __future__ import annotations

import os
import sys
from typing import Any, BinaryIO

import msgspec

from gridsage.arena.external import protocol
from gridsage.arena.guard import Fault, checked, words_of
from gridsage.core.errors import GridsageError
from gridsage.core.game import Agent, Briefed, Briefing, Closing
from gridsage.core.room import Room
from gridsage.core.trace import CRASHED, OUT_OF_MEMORY, REFUSED
from gridsage.games import catalog

_messages = msgspec.json.Decoder(protocol.FromArena)


def main() -> None:
    """Play one game over standard input and output; what the agent prints goes to the log."""
    wire_in, wire_out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    ending = REFUSED
    try:
        seat = _Seat(sys.argv[1], sys.argv[2])  # imports are done while another game may still be played
        message = _messages.decode(wire_in.readline())
        assert isinstance(message, protocol.Begin)
        seat.begin(message)
        _say(wire_out, protocol.Ready(seat.agent.name if isinstance(seat.agent.name, str) else ""))
        ending = CRASHED
        seat.play(wire_in, wire_out)
    except Fault as fault:
        _say(wire_out, protocol.Error(fault.words, fault.reason))
    except MemoryError as error:
        _say(wire_out, protocol.Error(words_of(error), OUT_OF_MEMORY))
    except GridsageError as error:
        _say(wire_out, protocol.Error(words_of(error) if ending == CRASHED else str(error), ending))
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        _say(wire_out, protocol.Error(words_of(error), ending))


def _say(wire: BinaryIO, message: protocol.FromAgent) -> None:
    wire.write(protocol.encode(message))
    wire.flush()


class _Seat:
    """One agent at one seat."""

    agent: Agent

    def __init__(self, game: str, agent: str) -> None:
        self.room: Room = catalog.room(game)
        self.spec = catalog.parse_agent(agent)
        catalog.agent_maker(self.room, self.spec)

    def begin(self, message: protocol.Begin) -> None:
        self.budget = message.budget
        options: Any = catalog.options(self.room, message.options)
        self.agent = catalog.agent(self.room, self.spec)
        if isinstance(self.agent, Briefed):
            self.agent.begin(Briefing(message.game, options, message.seat, message.seed))

    def play(self, wire_in: BinaryIO, wire_out: BinaryIO) -> None:
        """Answer every turn until the game has ended."""
        while line := wire_in.readline():
            message = _messages.decode(line)
            if not isinstance(message, protocol.Turn):
                break
            observation = self.room.rules.decode(message.observation)
            decision = checked(self.agent.decide(observation, self.budget), strict=True)
            answer = b""
            if decision.thoughts is not None:
                answer = protocol.encode(protocol.info_of(decision.thoughts))
            wire_out.write(answer + protocol.encode(protocol.Act(message.turn, decision.action)))
            wire_out.flush()
        if isinstance(self.agent, Closing):
            self.agent.close()


if __name__ == "__main__":
    main()
