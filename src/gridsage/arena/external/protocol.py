"""The words between the arena and an agent in another process, as JSON lines or as plain `key value` lines.

docs/protocol.md tells an author everything; this module is its other half.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec

from gridsage.core.errors import shown
from gridsage.core.game import Bid, Budget, Outcome, Thoughts

VERSION = 1
MOST_LINE = 1 << 20  # bytes of one line, or of one plain message
MOST_INFO = 1_000  # info messages before one answer
PLAIN = b"plain"  # an agent whose first line this is gets and gives plain messages

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Cell = Annotated[int, msgspec.Meta(ge=-1, le=2**31)]


# From the arena


class Begin(msgspec.Struct, frozen=True, tag_field="type", tag="begin"):
    """The first message. It has nothing that tells more about the game than the observations will."""

    game: str
    rules: int  # version of the rules
    seat: int
    seats: int
    seed: int  # the agent's own
    options: dict[str, Any]  # Any: each room has its own
    budget: Budget
    bank: float  # seconds
    limits: dict[str, float]
    protocol: int = VERSION


class Turn(msgspec.Struct, frozen=True, tag_field="type", tag="turn"):
    """The agent is asked for an action."""

    turn: int
    observation: Any  # Any: each room has its own, described by its JSON schema
    board: str  # the same for people: lines of text
    legal: Sequence[int]
    labels: Sequence[str]  # the words for `legal`, in the same order
    bank: float


class End(msgspec.Struct, frozen=True, tag_field="type", tag="end"):
    """The game is over; nothing is read any more."""

    outcome: str
    scores: Sequence[float]
    winner: int | None


FromArena: TypeAlias = Begin | Turn | End


# From the agent


class Wait(msgspec.Struct, frozen=True, tag_field="type", tag="wait"):
    """The agent needs this many seconds before it is ready."""

    seconds: Annotated[float, msgspec.Meta(ge=0)]


class Ready(msgspec.Struct, frozen=True, tag_field="type", tag="ready"):
    """The answer to `begin`."""

    name: str = ""
    protocol: int = VERSION


class Act(msgspec.Struct, frozen=True, tag_field="type", tag="act"):
    """The answer to `turn`: an action by its number or by its label."""

    turn: int
    action: int | str


class Info(msgspec.Struct, frozen=True, tag_field="type", tag="info", omit_defaults=True):
    """What the agent thinks before it answers; screens draw it."""

    path: tuple[Cell, ...] = ()
    heat: tuple[Annotated[int, msgspec.Meta(ge=0, le=255)], ...] = ()
    values: tuple[tuple[Cell, str], ...] = ()
    line: tuple[str, ...] = ()
    nodes: Count = 0
    score: float | None = None
    text: str = ""
    figures: dict[str, float] = {}
    bids: tuple[Bid, ...] = ()
    turn: int = -1  # which decision it is about; nobody needs to say

    def thoughts(self) -> Thoughts:
        """Return the same as the arena keeps it."""
        return Thoughts(
            self.path, self.heat, self.values, self.line, self.nodes, self.score, self.text, self.figures, self.bids
        )


class Error(msgspec.Struct, frozen=True, tag_field="type", tag="error"):
    """The agent gives up and says why; `ending` is one of the arena's words for a fault, if it knows better."""

    text: str
    ending: str = ""


FromAgent: TypeAlias = Wait | Ready | Act | Info | Error
_decoder: msgspec.json.Decoder[FromAgent] = msgspec.json.Decoder(FromAgent)


class Garbled(Exception):
    """A message cannot be understood; the words say why."""


def info_of(thoughts: Thoughts) -> Info:
    """Return thoughts as the message that carries them; a Garbled error says what is wrong with them."""
    fields = {name: getattr(thoughts, name) for name in Info.__struct_fields__ if name != "turn"}
    try:
        return msgspec.convert(msgspec.to_builtins(fields), Info)
    except (TypeError, ValueError, OverflowError, RecursionError, AttributeError) as error:
        raise Garbled(f"bad thoughts: {error}") from None


def end_of(outcome: Outcome) -> End:
    """Return the message that tells an outcome."""
    return End(outcome.reason, outcome.scores, outcome.winner)


def encode(message: FromArena | FromAgent) -> bytes:
    """Return a message as one line of JSON."""
    return msgspec.json.encode(message) + b"\n"


def decode(line: bytes) -> FromAgent:
    """Return the agent's message in a line of JSON."""
    try:
        return _decoder.decode(line)
    except (ValueError, RecursionError) as error:  # bytes that are no UTF-8 are a ValueError too
        text = line.decode("utf-8", "replace").strip()
        raise Garbled(f"{shown(text)} is no answer: {error}") from None


def encode_plain(message: FromArena) -> bytes:
    """Return a message as `key value` lines and an empty one."""
    fields = msgspec.to_builtins(message)
    if isinstance(message, Turn):  # a number and its label belong together where there are no lists
        labels = fields.pop("labels")
        fields["legal"] = [f"{action} {label}" for action, label in zip(fields["legal"], labels, strict=True)]
        fields["board"] = message.board.split("\n")
    lines = [f"{key} {value}".rstrip() for name, value in fields.items() for key, value in _flat(name, value)]
    return "\n".join([*lines, "", ""]).encode("utf-8", "replace")


def _flat(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the lines of a value: inner names are joined by dots, numbers of a list stand on one line."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _flat(f"{key}.{name}", inner)
    elif isinstance(value, list | tuple):
        if key in ("legal", "board"):
            yield from ((key, _scalar(each)) for each in value)
        elif all(isinstance(each, int | float) for each in value):
            yield key, " ".join(map(_scalar, value))
        else:
            for place, each in enumerate(value):
                yield from _flat(f"{key}.{place}", each)
    else:
        yield key, _scalar(value)


def _scalar(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).replace("\n", "\\n")


def decode_plain(lines: Sequence[bytes]) -> FromAgent:
    """Return the agent's message in `key value` lines."""
    fields: dict[str, Any] = {}  # Any: text, numbers or lists, as each key wants them
    for line in lines:
        key, _, value = line.decode("utf-8", "replace").strip().partition(" ")
        fields[key] = _listed(key, value.strip())
    try:
        message: FromAgent = msgspec.convert(fields, FromAgent, strict=False)
        return message
    except (ValueError, RecursionError) as error:
        text = b"\n".join(lines).decode("utf-8", "replace")
        raise Garbled(f"{shown(text)} is no answer: {error}") from None


def _listed(key: str, value: str) -> Any:
    if key in ("path", "heat"):
        return value.split()
    if key == "line":
        return [label.strip() for label in value.split(",")]
    return value
