"""The part of a room that the arena reads: the game itself, its options, its seats and its limits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Generic, TypeVar, cast, get_type_hints

import msgspec

from gridsage.core.complaints import in_words, wrong_value
from gridsage.core.errors import ObservationError, OptionError, shown, unknown
from gridsage.core.game import Game, Observation, Own, Tally

L = TypeVar("L")
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 (O for options, as in Game)
S = TypeVar("S")
Json = bool | int | float | str | None | list["Json"] | dict[str, "Json"]
WarmUp = Sequence[tuple[str, Callable[[], object]]]  # what is compiled, in words, and a call that compiles it


@dataclass(frozen=True, slots=True)
class Wire:
    """How observations are written as JSON: as objects of a type that msgspec knows, which is also their schema."""

    kind: type
    pack: Callable[[Observation], object] = lambda seen: seen
    unpack: Callable[[Own], Observation] = lambda wired: wired  # from an object of `kind`


class Rules(ABC, Generic[L, O, S]):
    """A game over levels L, options O and states S, and how the arena plays it."""

    options: type[O]
    seats: int = 1
    seats_option: str | None = None  # the option that says how many players there are, where people may choose
    max_steps: int = 10_000  # no episode is longer
    match_options: Mapping[str, object] = {}  # what `match` adds so that paired games differ
    tally: Callable[[Game[L, O, S]], Tally[S]] | None = None  # counts what the statistics want to know of one game
    main_figures: Sequence[str] = ()  # those of the tally that tables of results show
    warm_up: Callable[[], WarmUp] | None = None  # everything to compile before the first deadline

    @abstractmethod
    def game(self) -> Game[L, O, S]:
        """Return a new object that plays the game."""

    def missing(self) -> str | None:
        """Return a sentence that says what this machine lacks, or None if nothing is missing."""
        return None

    def encode(self, observation: Observation) -> Json:
        """Return an observation as data that JSON can hold: no more than `observe` gave."""
        return cast(Json, msgspec.to_builtins(self._wire.pack(observation), order="deterministic"))

    def decode(self, data: Json) -> Observation:
        """Return the observation that `encode` turned into `data`."""
        try:
            return self._wire.unpack(msgspec.convert(data, self._wire.kind))
        except (msgspec.ValidationError, ValueError, LookupError) as error:
            raise ObservationError(f"no observation of {self.game().name}: {in_words(error)}") from None

    def schema(self) -> dict[str, object]:
        """Return the JSON schema of what `encode` returns."""
        plain = msgspec.json.encode(msgspec.json.schema(self._wire.kind))  # defaults in it may be tuples
        return cast(dict[str, object], msgspec.json.decode(plain))

    def wire(self) -> Wire:
        """Return how observations are written: as the type that `observe` names, unless a room has a better one."""
        kind = get_type_hints(self.game().observe).get("return")
        if not isinstance(kind, type):
            raise TypeError(f"observe of {self.game().name} must name the type it returns, or wire() be overridden")
        return Wire(kind)

    @cached_property
    def _wire(self) -> Wire:
        return self.wire()

    def seats_with(self, options: O) -> int:
        """Return the number of seats under these options."""
        return self.seats if self.seats_option is None else int(getattr(options, self.seats_option))


def parse_options(kind: type[O], pairs: Mapping[str, object], what: str) -> O:
    """Return the options struct from `key=value` pairs; an error names a bad key or value and what is possible."""
    fields = _fields(kind)
    values: dict[str, object] = {}
    for key, value in pairs.items():
        if key not in fields:
            raise OptionError(str(unknown(f"option of {what}", key, fields)))
        try:
            values[key] = msgspec.convert(value, fields[key].type, strict=False)
        except (ValueError, RecursionError) as error:  # also text that no file could hold, or 5,000 digits
            words = wrong_value(fields[key].type, error)
            raise OptionError(f"option {key}={shown(str(value))} of {what}: {words}") from None
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:  # the struct's own check of how its options fit together
        raise OptionError(f"options of {what}: {in_words(error)}") from None


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """Return the fields of a struct by their names; to read its annotations takes longer than to read its values."""
    return {field.name: field for field in msgspec.structs.fields(kind)}
