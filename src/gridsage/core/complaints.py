"""What a library says about bad input, in words for whoever sent it."""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections.abc import Callable

import msgspec

from gridsage.core.errors import GridsageError
from gridsage.core.options import what_is_wrong

KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "bytes": "a text of bytes",
    "array": "a list",
    "object": "named values",
    "null": "nothing",
}
# How msgspec begins each of its sentences, and how we say it; %s is what the parentheses hold.
FORMS = (
    (r"Expected `int`, got `float`", "expected a whole number, written in digits alone; found another number"),
    (r"Expected `(.+?)`, got `(.+?)`", "expected %s, found %s"),
    (r"Expected `.+?` of length >= (\S+)", "expected at least %s of them"),
    (r"Expected `.+?` of length <= (\S+)", "it is longer than %s"),
    (r"Expected `.+?` of length (\d+)", "expected %s of them"),
    (r"Expected `.+?` >= (\S+)", "expected %s or more"),
    (r"Expected `.+?` <= (\S+)", "expected %s or less"),
    (r"Expected `.+?` > (\S+)", "expected more than %s"),
    (r"Expected `.+?` < (\S+)", "expected less than %s"),
    (r"Expected `([^`]+)`", "expected %s"),
    (r"Object missing required field `(.+?)`", "it lacks `%s`"),
    (r"Object contains unknown field `(.+?)`", "`%s` is unknown"),
    (r"Invalid (?:enum )?value (.+)", "%s is unknown"),
    (r"(?:Integer|Number) (?:value )?out of range", "the number is too large"),
)


def in_words(error: BaseException) -> str:
    """Return what is wrong with an input. An error of our own is in words already and is returned as it is."""
    match error:
        case RecursionError():
            return "it is nested too deeply"
        case UnicodeDecodeError():
            return f"it is no text: byte {error.start + 1} is none of UTF-8"
        case UnicodeError():
            return "it has signs that no text can hold"
        case zlib.error() | EOFError():
            return "it is cut off or damaged"
        case json.JSONDecodeError():
            return f"it is not JSON: line {error.lineno}, column {error.colno} cannot be read"
        case msgspec.ValidationError():
            return _told(str(error))
        case msgspec.DecodeError():
            return "it is not JSON"
        case TypeError():
            return "it has a value of another kind"
        case OSError():
            return error.strerror or "the system refused"
    return str(error)


def wrong_value(kind: object, error: Exception) -> str:
    """Return why a value is none of type `kind`: the values it could have, if they can be listed, or the error."""
    return what_is_wrong(kind, ValueError(in_words(error)))


def _told(sentence: str) -> str:
    """Return a sentence of msgspec's in our words, with the place first."""
    said, _, place = sentence.partition(" - at ")
    name = re.sub(r"[`$]", "", place).strip(".")
    words = next((_filled(form, found) for pattern, form in FORMS if (found := re.fullmatch(pattern, said))), said)
    return f"`{name}`: {words}" if name else words


def _filled(form: str, found: re.Match[str]) -> str:
    return form % tuple(_kinds(part) for part in found.groups())


def _kinds(part: str) -> str:
    """Return the names of types in `part` in words; anything else stays as it is."""
    *others, last = part.split(" | ")
    if not all(name in KINDS for name in (*others, last)):
        return part
    return ", ".join(KINDS[name] for name in others) + (" or " if others else "") + KINDS[last]


def ended(script: Callable[[], int | None]) -> int:
    """Run what a script does and return its exit code: for bad input 2, after one sentence on the error stream."""
    try:
        return script() or 0
    except GridsageError as error:
        sentence = str(error)
    except OSError as error:
        sentence = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    print(sentence, file=sys.stderr)
    return 2
