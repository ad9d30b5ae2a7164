"""Try an agent out: every room's shortest level, strange budgets, a second time; and say in words what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gridsage.arena import match, tournament
from gridsage.arena.conditions import Conditions
from gridsage.core.amounts import counted
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import FAULTS, TIMED_OUT, AgentSpec, Result
from gridsage.games import catalog

STEPS = 40  # of a trial: what is wrong shows early
SEED = 1
USUAL = Budget(nodes=100)
STRANGE = {
    "no time at all": Budget(seconds=0.0),
    "no nodes at all": Budget(nodes=0),
    "nodes without end": Budget(nodes=2**40, seconds=0.2),
}
ADVICE = {
    TIMED_OUT: "does it flush its output after every message, and answer while its input stays open?",
}


@dataclass(frozen=True)
class Finding:
    """What one trial showed."""

    game: str
    trial: str
    problem: str  # empty if all was well
    words: str = ""  # what else is worth knowing


def check(rooms: Sequence[Room], spec: AgentSpec, conditions: Conditions) -> Iterator[Finding]:
    """Yield one finding per trial. A room in which the first trial fails is not tried further."""
    for room in rooms:
        if (missing := room.rules.missing()) is not None:
            yield Finding(room.name, "not tried", "", missing)
            continue
        first = _played(room, spec, USUAL, conditions)
        yield Finding(room.name, "a short game", _problem(first), _speed(first))
        if _problem(first):
            continue
        again = _played(room, spec, USUAL, conditions)
        repeats = "" if first.trace == again.trace else _difference(first, again)
        yield Finding(room.name, "the same game again", _problem(again), repeats)
        for words, budget in STRANGE.items():
            yield Finding(room.name, words, _problem(_played(room, spec, budget, conditions)))


def shortest_level(room: Room) -> NamedLevel:
    """Return the room's level with the least text, or the one that the first seed makes."""
    names = room.levels.names()
    if not names:
        assert room.levels.of_seed is not None
        return room.levels.of_seed(SEED)
    return min((NamedLevel(name, room.levels.text(name)) for name in names), key=lambda level: len(level.text))


def _played(room: Room, spec: AgentSpec, budget: Budget, conditions: Conditions) -> Result:
    seats = room.rules.seats_with(catalog.options(room, {}))
    level = shortest_level(room)
    return match.play(tournament.episode(room, level, [spec] * seats, SEED, {}, budget, STEPS), conditions=conditions)


def _problem(result: Result) -> str:
    reason = result.trace.outcome.reason
    if reason not in FAULTS:
        return ""
    found = f"{reason} at turn {len(result.trace.actions)}: {result.figures.get('fault', '')}"
    advice = ADVICE.get(reason, "")
    last = result.log.strip().splitlines()[-3:]
    return " | ".join([found, *([advice] if advice else []), *([f"log: {' / '.join(last)}"] if last else [])])


def _speed(result: Result) -> str:
    times = result.decisions
    words = f"{counted(len(result.trace.actions), 'action')}, {result.trace.outcome.reason}"
    return f"{words}, {1000 * times['p50']:.1f} ms per decision" if "p50" in times else words


def _difference(first: Result, again: Result) -> str:
    pairs = zip(first.trace.actions, again.trace.actions, strict=False)
    turn = next((turn for turn, (one, two) in enumerate(pairs) if one != two), 0)
    return f"it played otherwise at turn {turn}: use the seed from `begin`, or results will not repeat"
