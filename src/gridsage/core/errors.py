"""Errors a user of gridsage may want to catch.

GridsageError
  LevelError         the text of a level cannot be read
  OptionError        an option, a setting or a flag has a bad name or value
  IllegalAction      the action is not legal in this state
  UnknownName        no game, agent or level of that name
  MissingPart        a part that this machine lacks is needed
  ObservationError   the data is no observation of the game
  TraceError         a trace cannot be read, or does not fit these rules
    TraceMismatch    playing the trace again gave something else
  StoreError         the folder of stored games cannot be used
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

MOST_SHOWN = 80  # characters of somebody's text that an error repeats
NEAR = 0.6  # how alike two names must be, from 0 to 1
MOST_LISTED = 60  # names that an error lists


class GridsageError(Exception):
    """Base of every error raised on purpose by gridsage."""


class LevelError(GridsageError, ValueError):
    """The text of a level cannot be read."""


class OptionError(GridsageError, ValueError):
    """An option, a setting or a flag has a bad name or value."""


class IllegalAction(GridsageError, ValueError):
    """The action is not legal in the current state."""


class UnknownName(GridsageError, LookupError):
    """Nothing of that name is known."""


class MissingPart(GridsageError):
    """A part that this machine lacks is needed."""


class ObservationError(GridsageError, ValueError):
    """The data is no observation of the game."""


class TraceError(GridsageError):
    """The trace cannot be read, or was recorded under other rules."""


class TraceMismatch(TraceError):
    """Playing the trace again gave something else than it says."""


class StoreError(GridsageError):
    """The folder of stored games cannot be used."""


def shown(text: str) -> str:
    """A text in quotes as a sentence shows it: a long one by its beginning."""
    return repr(text) if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]!r}..."


def _in_order(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts `claim 2` before `claim 10`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question that names the nearest known names, with a space after it; nothing if none is near."""
    names = sorted(known, key=_in_order)
    begin = re.sub(r"[^.-]*$", "", name[:MOST_SHOWN])
    shared = begin if all(other.startswith(begin) for other in names) else ""  # `milestones.` makes no two keys alike
    rests = {other.removeprefix(shared): other for other in names}
    near = difflib.get_close_matches(name.removeprefix(shared)[:MOST_SHOWN], rests, n=3, cutoff=NEAR)
    return f"did you mean {' or '.join(rests[rest] for rest in near)}? " if near else ""


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name nobody knows: it tells the nearest known names first."""
    names = sorted(known, key=_in_order)
    hint = did_you_mean(name, names)
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    listed = ", ".join(names[:MOST_LISTED]) + more if names else "none"
    return UnknownName(f"no {kind} {shown(name)}; {hint}known: {listed}")
