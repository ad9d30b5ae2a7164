"""The part of a room that the arena reads: the game itself, its options, its seats and its limits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from gridsage.core.errors import OptionError, unknown
from gridsage.core.game import Game, Tally

L = TypeVar("L")
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 (O for options, as in Game)
S = TypeVar("S")
WarmUp = Sequence[tuple[str, Callable[[], object]]]  # what is compiled, in words, and a call that compiles it


class Rules(ABC, Generic[L, O, S]):
    """A game over levels L, options O and states S, and how the arena plays it."""

    options: type[O]
    seats: int = 1
    seats_option: str | None = None  # the option that says how many players there are, where people may choose
    max_steps: int = 10_000  # no episode is longer
    match_options: Mapping[str, object] = {}  # what `match` adds so that paired games differ
    tally: Callable[[Game[L, O, S]], Tally[S]] | None = None  # counts what the statistics want to know of one game
    warm_up: Callable[[], WarmUp] | None = None  # everything to compile before the first deadline

    @abstractmethod
    def game(self) -> Game[L, O, S]:
        """Return a new object that plays the game."""

    def missing(self) -> str | None:
        """Return a sentence that says what this machine lacks, or None if nothing is missing."""
        return None

    def seats_with(self, options: O) -> int:
        """Return the number of seats under these options."""
        return self.seats if self.seats_option is None else int(getattr(options, self.seats_option))


def parse_options(kind: type[O], pairs: Mapping[str, object], what: str) -> O:
    """Return the options struct from `key=value` pairs; an error names a bad key or value and what is possible."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, object] = {}
    for key, value in pairs.items():
        if key not in fields:
            raise OptionError(str(unknown(f"option of {what}", key, fields)))
        try:
            values[key] = msgspec.convert(value, fields[key].type, strict=False)
        except msgspec.ValidationError as error:
            raise OptionError(f"option {key}={value!r} of {what}: {error}") from None
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:  # the struct's own check of how its options fit together
        raise OptionError(f"options of {what}: {error}") from None
