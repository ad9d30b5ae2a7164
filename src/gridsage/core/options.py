"""Rule options that explain themselves: `Annotated[bool, note("what it does")]` in a room's options."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec


def note(words: str, *, ge: int | None = None, le: int | None = None) -> msgspec.Meta:
    """What an option does, in a few words for forms and help, with its limits (`ge=`, `le=`)."""
    return msgspec.Meta(description=words, ge=ge, le=le)


def what_is_wrong(kind: Any, error: Exception) -> str:
    """Return why a value is none of type `kind`: the values it could have, if they can be listed, or the error."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is not Literal:
        return str(error)
    *others, last = map(str, get_args(kind))
    return f"expected {', '.join(others)} or {last}" if others else f"expected {last}"
