"""A moment of a match: the round's mission, what was claimed, and who is asked now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from gridsage.core.options import note
from gridsage.games.ricochet.level import Level
from gridsage.games.ricochet.state import State

THINKING = "thinking"  # nobody has claimed yet
HOURGLASS = "hourglass"  # a claim stands; others may claim until the sand has run
SHOWING = "showing"  # the lowest claim has to be shown
OVER = "over"
MAX_CLAIM = 200
CALL, WAIT_WORD, TIME_WORD = "claim", "wait", "time is up"  # labels of actions


class RoundsOptions(msgspec.Struct, frozen=True):
    """Rule options of a match. The seconds are for whoever runs the clock; the rules know only that it ran out."""

    rounds: Annotated[int, note("missions in a match", ge=1, le=1000)] = 5
    players: Annotated[int, note("people and agents at the table", ge=1, le=8)] = 2
    must_ricochet: Annotated[bool, note("the serving robot must change direction before it arrives")] = False
    max_claim: Annotated[int, note("the highest number that can be claimed", ge=1, le=MAX_CLAIM)] = 60
    think_seconds: Annotated[int, note("time to the first claim; 0: all the time in the world", ge=0)] = 0
    hourglass_seconds: Annotated[int, note("time for others after the first claim", ge=1)] = 60


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat says that it can do it in so many moves."""

    seat: int
    moves: int


@dataclass(frozen=True, slots=True)
class RoundsState:
    """A match in progress. In the level, the robots stand where the round began."""

    level: Level
    options: RoundsOptions
    seed: Annotated[int, note("decides the missions to come; players are told 0")]
    scores: tuple[int, ...]
    round: int = 1
    drawn: Annotated[int, note("goals taken out of the bag so far")] = 0
    turn: Annotated[int, note("the seat that is asked")] = 0
    waits: Annotated[int, note("answers in a row that were to wait")] = 0
    claims: Annotated[tuple[Claim, ...], note("as they were made; while showing, those that can still win")] = ()
    showing: Annotated[State | None, note("the demonstration of the lowest claim")] = None
    resets: Annotated[int, note("of this demonstration")] = 0
    news: Annotated[str, note("how the last round ended")] = ""
    phase: Annotated[str, note("thinking, hourglass, showing or over")] = THINKING

    @property
    def best(self) -> Claim | None:
        """The claim to be shown: the lowest, and of equal ones the first."""
        return min(self.claims, key=lambda claim: claim.moves, default=None)
