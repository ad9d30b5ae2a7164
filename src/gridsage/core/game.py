"""The contracts every part of gridsage speaks: Game, Model, Agent, and the small words they exchange."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from gridsage.core.errors import unknown

Action = int
Own = Any  # a type of the game's own: whoever finds a game by its name cannot know its levels, options and states
Observation = Own  # what `observe` returns; agents name the type
L = TypeVar("L")
O_contra = TypeVar("O_contra", contravariant=True)
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: a short reason, one score per seat, and the winning seat (None: lost, drawn or cut off)."""

    reason: str
    scores: tuple[float, ...]
    winner: int | None = None


class Budget(msgspec.Struct, frozen=True):
    """What an agent may spend on one decision; None means unlimited. Only node budgets repeat exactly."""

    nodes: int | None = None
    seconds: float | None = None


class Bid(msgspec.Struct, frozen=True, array_like=True):
    """One of the things an agent wanted when it decided, and what became of it."""

    name: str
    priority: float  # on the agent's own scale; the panel compares it with the highest
    words: str = ""  # what it would do
    state: str = "silent"  # `acts`, `spoke` (wanted to act and did not), `silent` or `unasked`

    def __post_init__(self) -> None:
        # A trace that is read again must give the same bytes: 60 and 60.0 would not.
        msgspec.structs.force_setattr(self, "priority", float(self.priority))


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A part of the world that an agent remembers: a dungeon level, a screen."""

    name: str
    words: str = ""
    here: bool = False


class Memory(msgspec.Struct, frozen=True):
    """What an agent believes of the board, cell by cell, and of places it cannot see now.

    A kind is (name, role). The role says how a screen paints it: `blank` unknown, `solid`, `open` seen, `covered`,
    `done` been there, `edge` of the unknown, `door`, `shut`, `up`, `down`, `danger`, `avoid`, `worked`, `worn` out.
    """

    rows: int
    cols: int
    kinds: tuple[tuple[str, str], ...]
    cells: bytes  # one byte a cell, row by row: which of the kinds it is
    places: tuple[Place, ...] = ()


class Thoughts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent is willing to tell about a decision, in words any screen can draw."""

    path: tuple[int, ...] = ()  # planned cells, from here to the goal
    heat: tuple[int, ...] = ()  # danger of every cell, 0 to 255, row by row; empty when not told
    values: tuple[tuple[int, str], ...] = ()  # (cell, a few characters to write there)
    line: tuple[str, ...] = ()  # principal line: labels of the actions expected from here on
    nodes: int = 0  # positions looked at for this decision
    score: float | None = None  # the agent's own estimate, from its seat
    text: str = ""  # one sentence
    figures: dict[str, float] = {}  # further numbers by name; never times, which would differ from run to run
    bids: tuple[Bid, ...] = ()  # what it wanted, the most urgent first
    timings: dict[str, float] = {}  # what the clock said: for live screens, never kept in a trace


class StopGame(Exception):
    """Raised by an agent, usually a person, that wants the game to end here."""


class Decision(msgspec.Struct, frozen=True):
    """The chosen action and, if the agent likes, why."""

    action: Action
    thoughts: Thoughts | None = None
    memory: Callable[[], Memory] | None = None  # asked by screens, before the next decision; never kept in a trace


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a person would notice in a step: `moved`, `pushed`, `fell`, `died`, `collected`, ..."""

    kind: str
    cell: int = -1  # where
    to: int = -1  # where to, if it moved
    who: str = ""  # the entity's id in the frame


class Briefing(msgspec.Struct, frozen=True):
    """What an agent is told before its first decision."""

    game: str
    options: Own
    seat: int
    seed: int  # the agent's own: not the game's


class Game(Protocol[L, O_contra, S]):
    """Rules of one game over levels L, options O and states S. `step` may consume the state (NetHack does)."""

    name: str
    rules_version: int  # +1 whenever old traces would play differently

    def parse(self, text: str) -> L: ...
    def start(self, level: L, options: O_contra, seed: int) -> S: ...
    def seat(self, state: S) -> int: ...
    def legal(self, state: S) -> Sequence[Action]: ...
    def step(self, state: S, action: Action) -> S: ...
    def outcome(self, state: S) -> Outcome | None: ...
    def observe(self, state: S, seat: int) -> Observation: ...
    def events(self, before: S, action: Action, after: S) -> Sequence[Event]: ...
    def label(self, action: Action) -> str: ...
    def action(self, label: str) -> Action: ...  # the inverse of `label`
    def fingerprint(
        self, state: S
    ) -> bytes: ...  # bytes that differ whenever states differ; the trace keeps their hash


AnyGame = Game[Own, Own, Own]


@runtime_checkable
class Model(Protocol[S]):
    """The part of a game that search may call. Every method is pure."""

    def seat(self, state: S) -> int: ...
    def legal(self, state: S) -> Sequence[Action]: ...
    def step(self, state: S, action: Action) -> S: ...
    def outcome(self, state: S) -> Outcome | None: ...
    def key(self, state: S) -> Hashable: ...


class Agent(Protocol):
    """A player: made anew for every match, it may remember; it never changes what it is shown."""

    name: str

    def decide(self, observation: Observation, budget: Budget) -> Decision: ...


@runtime_checkable
class Briefed(Protocol):
    """An agent that wants to know its seat and its seed before the first decision."""

    def begin(self, briefing: Briefing) -> None: ...


@runtime_checkable
class Closing(Protocol):
    """A game or an agent that holds something (a process, a file) to be given back at the end."""

    def close(self) -> None: ...


def action_labelled(label: str, actions: Mapping[str, Action], game: str) -> Action:
    """Return the action of that label; an unknown one is answered with the nearest known ones."""
    if label not in actions:
        raise unknown(f"action of {game}", label, actions)
    return actions[label]


class Tally(Protocol[S_contra]):
    """Counts what the statistics want to know while a game is played; it may read hidden state."""

    def add(self, before: S_contra, action: Action, after: S_contra) -> None: ...
    def figures(self) -> dict[str, float | str]: ...
